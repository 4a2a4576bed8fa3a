/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * BLAKE2b and BLAKE2s (RFC 7693) for the digests and the MACs: a class of
 * digests (digest.h), and a start with a shorter output, a key, or what the
 * parameter block holds besides (the BLAKE2 paper, section 2.8).
 */
#ifndef WN_BLAKE2_H
#define WN_BLAKE2_H

#include "digest.h"

#define WN_BLAKE2_MAX_KEY 64
#define WN_BLAKE2_MAX_SALT 16

struct wn_blake2_param {
    size_t size, keylen;        /* of output and key; keylen 0: no key */
    /* 1/8 of a block each is used, zeros for none */
    unsigned char salt[WN_BLAKE2_MAX_SALT], personal[WN_BLAKE2_MAX_SALT];
};

/* desc: wn_md_blake2b_512 or wn_md_blake2s_256. key: a whole block, zeros behind the key. */
void wn_blake2_init(struct wn_md *md, const struct wn_md_desc *desc,
                    const struct wn_blake2_param *param, const unsigned char *key);

#endif
