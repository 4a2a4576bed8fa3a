/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wolfCrypt's sp_x86_64.c, unmodified, and behind it the functions of algs/ec_hot.h
 * and algs/rsa_ct.h, which need its static ones. This file takes the place of
 * sp_x86_64.c in the build. sp_hot_impl.h is compiled once for each curve and
 * for each kind of CPU (MULX, ADX and AVX2, or neither).
 */
#include <wolfcrypt/src/sp_x86_64.c>

#include "../../algs/ec_hot.h"
#include "../../algs/rsa_ct.h"
#include "inverse.h"

/* MULX, ADX and AVX2, as wolfCrypt wants them for its functions of that name? */
static int wn_has_avx2(void)
{
    cpuid_flags_t flags = cpuid_get_flags();

    return IS_INTEL_BMI2(flags) && IS_INTEL_ADX(flags) && IS_INTEL_AVX2(flags);
}

#define GATHER(bits, v)                                                                   \
    extern void sp_##bits##_get_entry_64_##v(sp_point_##bits *r,                          \
                                             const sp_table_entry_##bits *table, int idx);
GATHER(256, 4)
GATHER(256, avx2_4)
GATHER(384, 6)
GATHER(384, avx2_6)
GATHER(521, 9)
GATHER(521, avx2_9)

#define BITS 256
#define WORDS 4
#define MP_MOD p256_mp_mod
#define STEP 43
#define V 4
#include "sp_hot_impl.h"
#define V avx2_4
#include "sp_hot_impl.h"
#undef BITS
#undef WORDS
#undef MP_MOD
#undef STEP

#define BITS 384
#define WORDS 6
#define MP_MOD p384_mp_mod
#define STEP 64
#define V 6
#include "sp_hot_impl.h"
#define V avx2_6
#include "sp_hot_impl.h"
#undef BITS
#undef WORDS
#undef MP_MOD
#undef STEP

#define BITS 521
#define WORDS 9
#define MP_MOD p521_mp_mod
#define STEP 87
#define V 9
#include "sp_hot_impl.h"
#define V avx2_9
#include "sp_hot_impl.h"

/* One function for both kinds of CPU */
#define PICK(bits, words, name, parameters, arguments)                                    \
    int wn_ec_hot_##name##_##bits parameters                                              \
    {                                                                                     \
        return wn_has_avx2() ? wn_##name##_##bits##_avx2_##words arguments                \
                             : wn_##name##_##bits##_##words arguments;                    \
    }
#define CHOOSE(bits, words)                                                               \
    PICK(bits, words, build, (void *table, const mp_int *x, const mp_int *y),             \
         (table, x, y))                                                                   \
    PICK(bits, words, verify,                                                             \
         (const void *table, const byte *hash, word32 n, const mp_int *r, const mp_int *s, \
          int *good),                                                                     \
         (table, hash, n, r, s, good))                                                    \
    PICK(bits, words, verify_once,                                                        \
         (const byte *hash, word32 n, const mp_int *x, const mp_int *y, const mp_int *r,  \
          const mp_int *s, int *good),                                                    \
         (hash, n, x, y, r, s, good))                                                     \
    PICK(bits, words, secret, (const void *table, const mp_int *d, byte *out),            \
         (table, d, out))                                                                 \
    PICK(bits, words, secret_once,                                                        \
         (const mp_int *x, const mp_int *y, const mp_int *d, byte *out), (x, y, d, out))  \
    PICK(bits, words, make_key, (WC_RNG *rng, mp_int *d, ecc_point *q), (rng, d, q))      \
    PICK(bits, words, public_of, (const mp_int *d, ecc_point *q), (d, q))                 \
    PICK(bits, words, sign,                                                               \
         (const byte *hash, word32 n, WC_RNG *rng, const mp_int *d, mp_int *r, mp_int *s, \
          const mp_int *k),                                                               \
         (hash, n, rng, d, r, s, k))
CHOOSE(256, 4)
CHOOSE(384, 6)
CHOOSE(521, 9)

/* ---- RSA's public operation on secrets ---- */

#define PUBLIC_CT(bits, words)                                                            \
    static int wn_public_ct_##bits(const byte *in, sp_digit e, const mp_int *n, byte *out) \
    {                                                                                     \
        sp_digit a[2 * (words)], m[words], exp[words] = { e };                            \
        int ebits = 64 - __builtin_clzll(e), err;                                         \
                                                                                          \
        sp_##bits##_from_bin(a, words, in, (bits) / 8);                                   \
        sp_##bits##_from_mp(m, words, n);                                                 \
        err = wn_has_avx2() ? sp_##bits##_mod_exp_avx2_##words(a, a, exp, ebits, m, 0)    \
                            : sp_##bits##_mod_exp_##words(a, a, exp, ebits, m, 0);        \
        sp_##bits##_to_bin_##words(a, out);                                               \
        ForceZero(a, sizeof(a));                                                          \
        return err;                                                                       \
    }
PUBLIC_CT(2048, 32)
PUBLIC_CT(3072, 48)
PUBLIC_CT(4096, 64)

int wn_sp_rsa_public_ct(size_t bits, const byte *in, uint64_t e, const mp_int *n, byte *out)
{
    switch (bits) {
    case 2048:
        return wn_public_ct_2048(in, e, n, out);
    case 3072:
        return wn_public_ct_3072(in, e, n, out);
    case 4096:
        return wn_public_ct_4096(in, e, n, out);
    default:
        return MP_VAL;
    }
}
