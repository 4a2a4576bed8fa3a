/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MGF1 (RFC 8017 appendix B.2.1), shared by rsa_pad.c and rsa_unpad.c. */
#ifndef WN_RSA_MGF1_H
#define WN_RSA_MGF1_H

#include "digest.h"

/* out ^= MGF1(seed, n) */
void wn_rsa_mgf1_xor(const struct wn_md_desc *md, const unsigned char *seed, size_t seedlen,
                     unsigned char *out, size_t n);

#endif
