/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AES keys by wolfCrypt; see aes.h. */
#include "aes.h"

#include <string.h>

#include "../provider/cpu.h"

/* The features with which wolf.c lets wolfCrypt make AES-NI round keys. */
#define AESNI_KEYS (WN_CPU_AESNI | WN_CPU_PCLMUL | WN_CPU_SSSE3)

int wn_aes_kernels(void)
{
    return wn_accel.aes_ecb_enc != NULL && wn_accel.aes_ecb_dec != NULL
        && wn_accel.aes_cbc_enc != NULL && wn_accel.aes_cbc_dec != NULL
        && wn_accel.aes_ctr != NULL && wn_accel.aes_ofb != NULL
        && wn_accel.aes_cfb_enc != NULL && wn_accel.aes_cfb_dec != NULL
        && wn_accel.aes_xts_enc != NULL && wn_accel.aes_xts_dec != NULL
        && (wn_cpu_flags() & AESNI_KEYS) == AESNI_KEYS;
}

size_t wn_aes_key_size(void)
{
    return wn_aes_kernels() ? sizeof(struct wn_aes_rk) : sizeof(union wn_aes_key);
}

int wn_aes_expand(const struct wn_prov *prov, struct wn_aes_rk *k, const unsigned char *key,
                  size_t keylen, int enc)
{
    Aes aes;
    int ok = WN_WC(prov, wc_AesSetKey(&aes, key, (word32)keylen, NULL,
                                      enc ? AES_ENCRYPTION : AES_DECRYPTION));

    if (ok) {
        memcpy(k->rk, aes.key, sizeof(k->rk));
        k->rounds = aes.rounds;
    }
    wn_clear(aes.key, sizeof(aes.key));
    return ok;
}

int wn_aes_set_soft(const struct wn_prov *prov, Aes *aes, const unsigned char *key,
                    size_t keylen, int enc)
{
    return WN_WC(prov, wc_AesInit(aes, NULL, INVALID_DEVID))
        && WN_WC(prov, wc_AesSetKey(aes, key, (word32)keylen, NULL,
                                    enc ? AES_ENCRYPTION : AES_DECRYPTION));
}

int wn_aes_set_key(const struct wn_prov *prov, union wn_aes_key *k, const unsigned char *key,
                   size_t keylen, int enc)
{
    return wn_aes_kernels() ? wn_aes_expand(prov, &k->hw, key, keylen, enc)
                            : wn_aes_set_soft(prov, &k->soft, key, keylen, enc);
}
