/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wc_mldsa.c, unchanged, and two functions that need its static ones: wolfCrypt
 * cannot compute an ML-DSA public key from a private one, and fills some caches of a
 * key at its first use only, when threads may share the key already.
 */
#include "wolfcrypt/src/wc_mldsa.c"

int wn_mldsa_fill_caches(wc_MlDsaKey *key);
int wn_mldsa_public_from_private(wc_MlDsaKey *key);

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
