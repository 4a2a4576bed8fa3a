/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PBKDF2 (RFC 8018 section 5.2) for the rest of the module. */
#ifndef WN_PBKDF2_H
#define WN_PBKDF2_H

#include "hmac.h"

/* n < (2^32 - 1) md->size, iterations >= 1 */
void wn_pbkdf2(const struct wn_md_desc *md, const void *pass, size_t passlen, const void *salt,
               size_t saltlen, uint64_t iterations, unsigned char *out, size_t n);

#endif
