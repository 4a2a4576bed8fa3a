/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of ciphers as such (EVP_CIPHER_get_params); see cipher.h. */
#include "cipher.h"

#define CIPHER_GET_3_0(P)                                       \
    P(mode, uint, OSSL_CIPHER_PARAM_MODE)                       \
    P(keylen, size_t, OSSL_CIPHER_PARAM_KEYLEN)                 \
    P(ivlen, size_t, OSSL_CIPHER_PARAM_IVLEN)                   \
    P(block, size_t, OSSL_CIPHER_PARAM_BLOCK_SIZE)              \
    P(aead, int, OSSL_CIPHER_PARAM_AEAD)                        \
    P(custom_iv, int, OSSL_CIPHER_PARAM_CUSTOM_IV)              \
    P(cts, int, OSSL_CIPHER_PARAM_CTS)                          \
    P(multiblock, int, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK)       \
    P(rand_key, int, OSSL_CIPHER_PARAM_HAS_RAND_KEY)
/* 3.6 added encrypt-then-mac, for ciphers that are AES-CBC and HMAC in one */
#define CIPHER_GET_3_6(P)                                       \
    CIPHER_GET_3_0(P)                                           \
    P(etm, int, OSSL_CIPHER_PARAM_ENCRYPT_THEN_MAC)
/* 3.4 answers decrypt-only without listing it */
#define CIPHER_GET_ALL(P)                                       \
    CIPHER_GET_3_6(P)                                           \
    P(decrypt_only, int, OSSL_CIPHER_PARAM_DECRYPT_ONLY)

static const OSSL_PARAM gettable_3_0[] = { CIPHER_GET_3_0(WN_PARAM_DESC_) OSSL_PARAM_END };
static const OSSL_PARAM gettable_3_6[] = { CIPHER_GET_3_6(WN_PARAM_DESC_) OSSL_PARAM_END };
static const char *const get_keys[] = { CIPHER_GET_ALL(WN_PARAM_KEY_) };

struct cipher_get {
    CIPHER_GET_ALL(WN_PARAM_FIELD_)
};

const OSSL_PARAM *wn_cipher_gettable_params(void *vprov)
{
    const struct wn_prov *prov = vprov;

    return prov->core_version >= WN_CORE_VERSION(3, 6) ? gettable_3_6 : gettable_3_0;
}

static int give_int(OSSL_PARAM *p, int v)
{
    return p == NULL || wn_param_set_int(p, v);
}

static int give_size_t(OSSL_PARAM *p, size_t v)
{
    return p == NULL || wn_param_set_size_t(p, v);
}

/* No context, hence no error queue: 0 says it all. */
int wn_cipher_get_params(OSSL_PARAM params[], const struct wn_cipher_desc *desc)
{
    static const struct wn_prov any_version;
    struct cipher_get p;

    return wn_params_scan(&any_version, params, get_keys,
                          sizeof(get_keys) / sizeof(get_keys[0]), (OSSL_PARAM **)&p, 0)
        && (p.mode == NULL || wn_param_set_uint(p.mode, desc->mode))
        && give_size_t(p.keylen, desc->keylen)
        && give_size_t(p.ivlen, desc->ivlen)
        && give_size_t(p.block, desc->block)
        && give_int(p.aead, (desc->flags & WN_CIPHER_AEAD) != 0)
        && give_int(p.custom_iv, (desc->flags & WN_CIPHER_CUSTOM_IV) != 0)
        && give_int(p.cts, (desc->flags & WN_CIPHER_CTS) != 0)
        && give_int(p.multiblock, 0)
        && give_int(p.rand_key, (desc->flags & WN_CIPHER_RAND_KEY) != 0)
        && give_int(p.etm, 0)
        && give_int(p.decrypt_only, 0);
}
