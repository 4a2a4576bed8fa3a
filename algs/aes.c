/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AES keys by wolfCrypt; see aes.h. */
#include "aes.h"

/* The kernels of these modes are there together or not at all. */
int wn_aes_kernels(void)
{
    return wn_accel.aes_keys != NULL;
}

size_t wn_aes_key_size(void)
{
    return wn_aes_kernels() ? sizeof(struct wn_aes_rk) : sizeof(union wn_aes_key);
}

int wn_aes_expand(const struct wn_prov *prov, struct wn_aes_rk *k, const unsigned char *key,
                  size_t keylen, int enc)
{
    (void)prov;
    k->rounds = wn_accel.aes_keys(k->rk, key, keylen, enc);
    return 1;
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
