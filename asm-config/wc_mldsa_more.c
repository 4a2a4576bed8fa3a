/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wc_mldsa.c, unchanged, and functions that need its static ones or replace two of
 * them: wolfCrypt cannot compute an ML-DSA public key from a private one, fills some
 * caches of a key at its first use only, when threads may share the key already, and
 * rejects the signatures in which a hint meets a low part of zero (tests
 * "use_hint(1, 0)" of Wycheproof).
 */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/types.h>

/*
 * The AVX2 code reads up to 24 bytes beyond the end of an encoded key and writes up
 * to 7 beyond that of t0 (valgrind shows it): all that it gets is longer.
 */
#undef XMALLOC
#define XMALLOC(size, heap, type) wolfSSL_Malloc((size_t)(size) + 32)

/*
 * Calls of these two static functions go to functions of ours. The definition of each
 * has to keep a name, and is told from a call by its parameter `byte l`, where calls
 * have an expression.
 */
#include "wc_mldsa_hooks.h"

#define WN_SEES_byte                 ~, theirs,
#define WN_SECOND_(a, b, ...)        b
#define WN_SECOND(...)               WN_SECOND_(__VA_ARGS__)
#define WN_PASTE_(a, b)              a##b
#define WN_PASTE(a, b)               WN_PASTE_(a, b)
#define WN_NAMED(name, l)            WN_PASTE(name, WN_SECOND(WN_SEES_##l, ours, ~))
#define mldsa_expand_a(s, p, k, l, a, h) WN_NAMED(mldsa_expand_a_, l)(s, p, k, l, a, h)
#define mldsa_vec_expand_mask(s, p, n, g, y, l) \
    WN_NAMED(mldsa_vec_expand_mask_, l)(s, p, n, g, y, l)

static int mldsa_expand_a_ours(wc_Shake *shake, const byte *seed, byte k, byte l, sword32 *a,
                               void *heap);
static int mldsa_vec_expand_mask_ours(wc_Shake *shake, byte *seed, word16 kappa,
                                      byte gamma1_bits, sword32 *y, byte l);

#include "wolfcrypt/src/wc_mldsa.c"

void (*wn_mldsa_matrix_p)(sword32 *a, unsigned k, unsigned l, const byte *rho);
void (*wn_mldsa_mask_p)(sword32 *y, unsigned l, const byte *rho, word16 kappa,
                        unsigned gamma1_bits);

static int mldsa_expand_a_ours(wc_Shake *shake, const byte *seed, byte k, byte l, sword32 *a,
                               void *heap)
{
    if (wn_mldsa_matrix_p == NULL)
        return mldsa_expand_a_theirs(shake, seed, k, l, a, heap);
    wn_mldsa_matrix_p(a, k, l, seed);
    return 0;
}

static int mldsa_vec_expand_mask_ours(wc_Shake *shake, byte *seed, word16 kappa,
                                      byte gamma1_bits, sword32 *y, byte l)
{
    if (wn_mldsa_mask_p == NULL)
        return mldsa_vec_expand_mask_theirs(shake, seed, kappa, gamma1_bits, y, l);
    wn_mldsa_mask_p(y, l, seed, kappa, gamma1_bits);
    return 0;
}

int wn_mldsa_fill_caches(wc_MlDsaKey *key);
int wn_mldsa_public_from_private(wc_MlDsaKey *key);
int wn_mldsa_verify_mu(const wc_MlDsaKey *key, const byte *sig, word32 siglen, const byte *mu,
                       int *valid);

/*
 * Computes what sign and verify would otherwise compute at first use and keep in
 * the key: NTT(s1), NTT(s2), NTT(t0) of a private key, NTT(t1) of a public one.
 * The matrix is there already. Returns 0 or MEMORY_E.
 */
int wn_mldsa_fill_caches(wc_MlDsaKey *key)
{
    const wc_MlDsaParams *params = key->params;

    if (key->prvKeySet && !key->privVecsSet) {
        if (key->s1 == NULL) {
            key->s1 = (sword32 *)XMALLOC((size_t)params->s1Sz + 2U * params->s2Sz, NULL,
                                         DYNAMIC_TYPE_MLDSA);
            if (key->s1 == NULL)
                return MEMORY_E;
            key->s2 = key->s1 + params->s1Sz / sizeof(*key->s1);
            key->t0 = key->s2 + params->s2Sz / sizeof(*key->s2);
        }
        mldsa_make_priv_vecs(key, key->s1, key->s2, key->t0);
    }
    if (key->pubKeySet && !key->pubVecSet) {
        if (key->t1 == NULL)
            key->t1 = (sword32 *)XMALLOC(params->s2Sz, NULL, DYNAMIC_TYPE_MLDSA);
        if (key->t1 == NULL)
            return MEMORY_E;
        mldsa_make_pub_vec(key, key->t1);
    }
    return 0;
}

/*
 * Sets the public key of a key whose private key was imported: t = A s1 + s2
 * (FIPS 204, algorithm 6, steps 5 and 6). PUBLIC_KEY_E if t0 or the public key's
 * hash tr in the private key is not that of the result.
 */
int wn_mldsa_public_from_private(wc_MlDsaKey *key)
{
    const wc_MlDsaParams *params = key->params;
    const byte *tr = key->k + MLDSA_PUB_SEED_SZ + MLDSA_K_SZ;
    const byte *s1p = tr + MLDSA_TR_SZ;
    const byte *s2p = s1p + params->s1EncSz;
    const byte *t0p = s2p + params->s2EncSz;
    word32 t0len = (word32)(key->k + wc_MlDsaKey_Size(key) - t0p);
    size_t size = (size_t)params->s1Sz + 2U * params->s2Sz;
    byte hash[MLDSA_TR_SZ];
    byte *t0 = NULL;
    sword32 *s1, *s2, *t;
    int ret = mldsa_alloc_pub_buf(key);

    if (ret != 0)
        return ret;
    s1 = (sword32 *)XMALLOC(size, NULL, DYNAMIC_TYPE_MLDSA);
    t0 = (byte *)XMALLOC(t0len, NULL, DYNAMIC_TYPE_MLDSA);
    if (s1 == NULL || t0 == NULL)
        ret = MEMORY_E;
    if (ret == 0) {
        s2 = s1 + params->s1Sz / sizeof(*s1);
        t = s2 + params->s2Sz / sizeof(*s2);
        mldsa_vec_decode_eta_bits(s1p, params->eta, s1, params->l);
        mldsa_vec_decode_eta_bits(s2p, params->eta, s2, params->k);
        mldsa_vec_ntt_small_full(s1, params->l);
        mldsa_matrix_mul(t, key->a, s1, params->k, params->l);
        mldsa_vec_invntt_full(t, params->k);
        mldsa_vec_add(t, s2, params->k);
        mldsa_vec_make_pos(t, params->k);
        mldsa_vec_encode_t0_t1(t, params->k, t0, key->p + MLDSA_PUB_SEED_SZ);
        XMEMCPY(key->p, key->k, MLDSA_PUB_SEED_SZ);
        ret = mldsa_shake256(&key->shake, key->p, params->pkSz, hash, MLDSA_TR_SZ);
    }
    if (ret == 0 && (ConstantCompare(t0, t0p, (int)t0len) != 0
                     || ConstantCompare(hash, tr, MLDSA_TR_SZ) != 0))
        ret = PUBLIC_KEY_E;
    if (ret == 0)
        key->pubKeySet = 1;
    if (s1 != NULL)
        ForceZero(s1, (word32)size);
    if (t0 != NULL)
        ForceZero(t0, t0len);
    XFREE(s1, NULL, DYNAMIC_TYPE_MLDSA);
    XFREE(t0, NULL, DYNAMIC_TYPE_MLDSA);
    return ret;
}

/*
 * UseHint (FIPS 204, algorithm 40) takes one from the high part when the low part r0
 * is zero; mldsa_vec_use_hint(), in C and in assembly, adds one. Taking one from such
 * a coefficient first makes r0 = -1 and leaves the high part, which repairs that.
 */
static void lower_hinted_zeros(sword32 *w, const wc_MlDsaParams *params, const byte *h)
{
    unsigned int i, o = 0;

    for (i = 0; i < params->k; i++, w += MLDSA_N) {
        for (; o < h[params->omega + i]; o++) {
            if (w[h[o]] % (2 * params->gamma2) == 0
                || (w[h[o]] < 0 && (w[h[o]] + MLDSA_Q) % (2 * params->gamma2) == 0))
                w[h[o]]--;
        }
    }
}

/*
 * ML-DSA.Verify_internal (FIPS 204, algorithm 8) from step 8 on: whether `sig` is the
 * signature of `mu` (MLDSA_MU_SZ bytes). `key` has its caches and is not changed.
 * Returns 0 and the answer in *valid, or a wolfCrypt error; a malformed hint is
 * SIG_VERIFY_E, a wrong length BUFFER_E.
 */
int wn_mldsa_verify_mu(const wc_MlDsaKey *key, const byte *sig, word32 siglen, const byte *mu,
                       int *valid)
{
    const wc_MlDsaParams *params = key->params;
    const byte *z_bytes = sig + params->lambda / 4;
    const byte *h = z_bytes + params->zEncSz;
    wc_Shake shake = key->shake;
    byte commit[MLDSA_TR_SZ], *w1;
    sword32 *z, *c, *w, *ct1;
    int ret;

    *valid = 0;
    if (siglen != params->sigSz)
        return BUFFER_E;
    if (!key->aSet || !key->pubVecSet)
        return BAD_STATE_E;
    ret = mldsa_check_hint(h, params->k, params->omega);
    if (ret != 0)
        return ret;
    z = (sword32 *)XMALLOC((size_t)params->s1Sz + MLDSA_POLY_SIZE + 2U * params->s2Sz, NULL,
                           DYNAMIC_TYPE_MLDSA);
    if (z == NULL)
        return MEMORY_E;
    c = z + params->s1Sz / sizeof(*z);
    w = c + MLDSA_N;
    ct1 = w + params->s2Sz / sizeof(*w);

    mldsa_vec_decode_gamma1(z_bytes, params->l, params->gamma1_bits, z);
    if (!mldsa_vec_check_low(z, params->l, ((sword32)1 << params->gamma1_bits) - params->beta))
        goto done;
    ret = mldsa_sample_in_ball(params->level, &shake, sig, params->lambda / 4, params->tau, c,
                               NULL);
    if (ret != 0)
        goto done;
    mldsa_vec_ntt_full(z, params->l);
    mldsa_matrix_mul(w, key->a, z, params->k, params->l);
    mldsa_ntt_small_full(c);
    mldsa_vec_mul(ct1, c, key->t1, params->k);
    mldsa_vec_sub(w, ct1, params->k);
    mldsa_vec_invntt_full(w, params->k);
    lower_hinted_zeros(w, params, h);
    mldsa_vec_use_hint(w, params->k, params->gamma2, params->omega, h);
    w1 = (byte *)ct1;                   /* longer than any encoding of w1 */
    mldsa_vec_encode_w1(w, params->k, params->gamma2, w1);
    ret = mldsa_hash256(&shake, mu, MLDSA_MU_SZ, w1, params->w1EncSz, commit, params->lambda / 4);
    *valid = ret == 0 && XMEMCMP(sig, commit, params->lambda / 4) == 0;
done:
    XFREE(z, NULL, DYNAMIC_TYPE_MLDSA);
    return ret;
}
