/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wc_mlkem.c, unchanged, and functions that need its static ones; see wc_mlkem_more.h. */
#include "wolfcrypt/src/wc_mlkem.c"

#include "wc_mlkem_more.h"

int wn_mlkem_decode_public(MlKemKey *key, const byte *ek)
{
    unsigned int k = (unsigned int)mlkemkey_get_k(key);
    int ret = mlkemkey_alloc_pub(key, k);

    if (ret == 0) {
        mlkemkey_decode_public(key->pub, key->pubSeed, ek, k);
        key->flags |= MLKEM_FLAG_PUB_SET;
    }
    return ret;
}

int wn_mlkem_decode_private(MlKemKey *key, const byte *dk)
{
    unsigned int k = (unsigned int)mlkemkey_get_k(key);
    const byte *ek = dk + WC_ML_KEM_POLY_SIZE * k;
    const byte *h = ek + WC_ML_KEM_POLY_SIZE * k + WC_ML_KEM_SYM_SZ;
    int ret = mlkemkey_alloc_priv(key, k);

    if (ret == 0)
        ret = wn_mlkem_decode_public(key, ek);
    if (ret == 0) {
        mlkem_from_bytes(key->priv, dk, (int)k);
        XMEMCPY(key->h, h, WC_ML_KEM_SYM_SZ);
        XMEMCPY(key->z, h + WC_ML_KEM_SYM_SZ, WC_ML_KEM_SYM_SZ);
        key->flags |= MLKEM_FLAG_BOTH_SET | MLKEM_FLAG_H_SET;
    }
    return ret;
}

int wn_mlkem_decapsulate_with(MlKemKey *key, byte *ss, const byte *ct, word32 len,
                              const byte *kbar)
{
    byte m[WC_ML_KEM_SYM_SZ], kr[2 * WC_ML_KEM_SYM_SZ + 1];
    byte again[WC_ML_KEM_MAX_CIPHER_TEXT_SIZE];
    int i, fail, ret = mlkemkey_decapsulate(key, m, ct);

    if (ret == 0)
        ret = MLKEM_HASH_G(&key->hash, m, WC_ML_KEM_SYM_SZ, key->h, WC_ML_KEM_SYM_SZ, kr);
    if (ret == 0)
        ret = mlkemkey_encapsulate(key, m, kr + WC_ML_KEM_SYM_SZ, again);
    if (ret == 0) {
        fail = mlkem_cmp(ct, again, (int)len);      /* 0 or all bits */
        for (i = 0; i < WC_ML_KEM_SYM_SZ; i++)
            ss[i] = (byte)(kr[i] ^ ((kr[i] ^ kbar[i]) & fail));
    }
    ForceZero(m, sizeof(m));
    ForceZero(kr, sizeof(kr));
    ForceZero(again, sizeof(again));
    return ret;
}
