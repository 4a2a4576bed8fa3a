/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HKDF (RFC 5869) for the rest of the module. */
#ifndef WN_HKDF_H
#define WN_HKDF_H

#include "hmac.h"

/* out: md->size bytes */
void wn_hkdf_extract(const struct wn_md_desc *md, const void *salt, size_t saltlen,
                     const void *ikm, size_t ikmlen, unsigned char *out);
/* 0, with nothing raised or written, when n is more than 255 md->size. */
int wn_hkdf_expand(const struct wn_md_desc *md, const void *prk, size_t prklen,
                   const void *info, size_t infolen, unsigned char *out, size_t n);

#endif
