/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The key derivation of X9.42 (RFC 2631 section 2.1.2): out = H(Z || OtherInfo)
 * blocks, OtherInfo with a counter, the algorithm of the key to be made, and
 * optionally partyAInfo (UKM). For Diffie-Hellman key exchange and X942KDF.
 */
#ifndef WN_X942_H
#define WN_X942_H

#include "digest.h"

/* The algorithm of the key to be made: a key-wrap cipher. */
struct wn_x942_cek {
    const char *name, *alias;
    unsigned char oid[11];      /* contents of the OID's DER */
    unsigned char oid_len, key_len;
};
/* By OpenSSL's name for it; NULL: not known. */
const struct wn_x942_cek *wn_x942_cek_find(const char *name);

/* ukm may be NULL. outlen: up to what 32 bits of counter give. 0: too long. */
int wn_x942_derive(const struct wn_md_desc *md, const unsigned char *z, size_t z_len,
                   const struct wn_x942_cek *cek, const unsigned char *ukm, size_t ukm_len,
                   unsigned char *out, size_t outlen);

#endif
