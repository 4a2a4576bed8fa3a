/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * P-256, P-384 and P-521 by wolfCrypt's arithmetic where its own way of putting it
 * together is slower or not constant time (asm-config/<arch>/sp_hot.c), and tables
 * of multiples of one point, for public keys that are used again and again (keys
 * decide in ec_table.c when one is worth it).
 *
 * A table is a comb of six teeth in two halves (Lim and Lee, CRYPTO '94): entry j
 * is the sum of 2^(step i) Q over the bits i of j, affine, in Montgomery form; the
 * second 64 are 2^(step / 2) times the first. There is one entry more at the end,
 * because wolfCrypt's gather reads it. All functions return a wolfCrypt code;
 * tables are read-only once built.
 */
#ifndef WN_EC_HOT_H
#define WN_EC_HOT_H

#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/types.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/wolfmath.h>

#define WN_EC_HOT_ENTRIES (2 * 64 + 1)
#define WN_EC_HOT_SIZE(bits) (WN_EC_HOT_ENTRIES * 2 * (((bits) + 63) / 64) * 8)

#define WN_EC_HOT_FUNCTIONS(bits)                                                         \
    /* Q on the curve, not infinity */                                                    \
    int wn_ec_hot_build_##bits(void *table, const mp_int *x, const mp_int *y);            \
    /* as sp_ecc_verify_##bits; r and s in range */                                       \
    int wn_ec_hot_verify_##bits(const void *table, const byte *hash, word32 n,            \
                                const mp_int *r, const mp_int *s, int *good);             \
    /* as sp_ecc_secret_gen_##bits; 0 < d < n. Constant time. */                          \
    int wn_ec_hot_secret_##bits(const void *table, const mp_int *d, byte *out);           \
    /* the same without a table: x, y on the curve, 0 < d < n. Constant time. */          \
    int wn_ec_hot_secret_once_##bits(const mp_int *x, const mp_int *y, const mp_int *d,   \
                                     byte *out);                                          \
    int wn_ec_hot_verify_once_##bits(const byte *hash, word32 n, const mp_int *x,         \
                                     const mp_int *y, const mp_int *r, const mp_int *s,   \
                                     int *good);                                          \
    /* as those of struct wn_ec_sp (ec_ops.h). Constant time. */                          \
    int wn_ec_hot_make_key_##bits(WC_RNG *rng, mp_int *d, ecc_point *q);                  \
    int wn_ec_hot_public_of_##bits(const mp_int *d, ecc_point *q);                        \
    int wn_ec_hot_sign_##bits(const byte *hash, word32 n, WC_RNG *rng, const mp_int *d,   \
                              mp_int *r, mp_int *s, const mp_int *k);

WN_EC_HOT_FUNCTIONS(256)
WN_EC_HOT_FUNCTIONS(384)
WN_EC_HOT_FUNCTIONS(521)

#endif
