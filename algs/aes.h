/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AES keys (FIPS 197) for all that is built on AES.
 *
 * Two forms, chosen by the processor: where the kernels of accel.h serve, the
 * bare round keys, which is all they need; elsewhere wolfCrypt's Aes with its
 * tables, four times as large. wn_aes_key_size() tells how many bytes of the
 * union exist, so a context that ends with one is allocated no larger.
 */
#ifndef WN_AES_H
#define WN_AES_H

#include "accel.h"
#include "wolf.h"

#include <wolfssl/wolfcrypt/aes.h>

/* What a kernel takes: (k->rk, k->rounds). */
struct wn_aes_rk {
    _Alignas(16) word32 rk[60];
    word32 rounds;
};

union wn_aes_key {
    struct wn_aes_rk hw;
    Aes soft;
};

/* 1 if kernels serve the block modes; the same for the whole process. */
int wn_aes_kernels(void);

size_t wn_aes_key_size(void);

/* Sets whichever form serves, for encryption or decryption; raises. */
int wn_aes_set_key(const struct wn_prov *prov, union wn_aes_key *k, const unsigned char *key,
                   size_t keylen, int enc);

/* The bare round keys, only where wn_aes_kernels(); never fails. */
int wn_aes_expand(const struct wn_prov *prov, struct wn_aes_rk *k, const unsigned char *key,
                  size_t keylen, int enc);

/* wolfCrypt's form; raises. */
int wn_aes_set_soft(const struct wn_prov *prov, Aes *aes, const unsigned char *key,
                    size_t keylen, int enc);

#endif
