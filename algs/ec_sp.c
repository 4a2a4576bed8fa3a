/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wolfCrypt's SP code for P-256, P-384 and P-521 behind one set of functions, which ask
 * ec_hot.h first. */
#include "ec_ops.h"

#include <wolfssl/wolfcrypt/sp.h>

/* z = 1, the only digit of these that the SP code reads */
static mp_int *one(struct wn_ec_num *num)
{
    wn_ec_num_init(num);
    mp_set(wn_ec_mp(num), 1);
    return wn_ec_mp(num);
}

/* returns what FUNCTION of ec_hot.h does, if this configuration has it */
#define HOT_FIRST(bits, function, arguments)                                             \
    if (wn_ec_hot_##bits.function != NULL)                                               \
        return wn_ec_hot_##bits.function arguments

#define SP_CURVE(bits)                                                                   \
    static int make_key_##bits(WC_RNG *rng, mp_int *d, ecc_point *q)                     \
    {                                                                                    \
        HOT_FIRST(bits, make_key, (rng, d, q));                                          \
        return sp_ecc_make_key_##bits(rng, d, q, NULL);                                  \
    }                                                                                    \
    static int base_##bits(const mp_int *d, ecc_point *q)                                \
    {                                                                                    \
        HOT_FIRST(bits, base, (d, q));                                                   \
        return sp_ecc_mulmod_base_##bits(d, q, 1, NULL);                                 \
    }                                                                                    \
    static int secret_##bits(const mp_int *d, const ecc_point *q, byte *out, word32 *len) \
    { return sp_ecc_secret_gen_##bits(d, q, out, len, NULL); }                           \
    static int sign_##bits(const byte *hash, word32 n, WC_RNG *rng, const mp_int *d,     \
                           mp_int *r, mp_int *s, mp_int *k)                              \
    {                                                                                    \
        HOT_FIRST(bits, sign, (hash, n, rng, d, r, s, k));                               \
        return sp_ecc_sign_##bits(hash, n, rng, d, r, s, k, NULL);                       \
    }                                                                                    \
    static int verify_##bits(const byte *hash, word32 n, const mp_int *x, const mp_int *y, \
                             const mp_int *r, const mp_int *s, int *good)                \
    {                                                                                    \
        struct wn_ec_num z;                                                              \
        HOT_FIRST(bits, verify_once, (hash, n, x, y, r, s, good));                       \
        return sp_ecc_verify_##bits(hash, n, x, y, one(&z), r, s, good, NULL);           \
    }                                                                                    \
    const struct wn_ec_sp wn_ec_sp_##bits = {                                            \
        make_key_##bits, base_##bits, sp_ecc_is_point_##bits, sp_ecc_uncompress_##bits,  \
        secret_##bits, sign_##bits, verify_##bits, &wn_ec_hot_##bits                     \
    };

SP_CURVE(256)
SP_CURVE(384)
SP_CURVE(521)
