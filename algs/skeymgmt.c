/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opaque secret keys, EVP_SKEY (provider-skeymgmt(7), from 3.5 on): AES keys and
 * generic ones. libcrypto refuses such a key to the cipher of another provider,
 * so a provider with ciphers needs them; for the ciphers themselves it asks the
 * key for its bytes. A key never changes; libcrypto counts its references.
 */
#include <string.h>

#include "../provider/alglist.h"
#include "../provider/fn.h"
#include "../provider/params.h"
#include "wolf.h"

struct wn_skey {
    const struct wn_prov *prov;
    size_t len;
    unsigned char bytes[];
};

#define SKEY_IMPORT(P) P(raw, octet_string, OSSL_SKEY_PARAM_RAW_BYTES)
WN_PARAMS(skey_import, SKEY_IMPORT);

static void wn_skey_free(void *vkey)
{
    struct wn_skey *key = vkey;

    if (key != NULL)
        wn_clear_free(key->prov, key, sizeof(*key) + key->len);
}

static const OSSL_PARAM *wn_skey_imp_settable_params(void *prov)
{
    (void)prov;
    return skey_import_list;
}

/* Not raising: libcrypto does, and a foreign key type is no error here. */
static void *wn_skey_import(void *vprov, int selection, const OSSL_PARAM params[])
{
    const struct wn_prov *prov = vprov;
    struct skey_import p;
    struct wn_skey *key;

    if ((selection & OSSL_SKEYMGMT_SELECT_SECRET_KEY) == 0
        || !WN_PARAMS_SCAN(prov, skey_import, params, &p) || p.raw == NULL
        || p.raw->data_type != OSSL_PARAM_OCTET_STRING
        || (p.raw->data == NULL && p.raw->data_size > 0))
        return NULL;
    key = wn_malloc(prov, sizeof(*key) + p.raw->data_size);
    if (key == NULL)
        return NULL;
    key->prov = prov;
    key->len = p.raw->data_size;
    if (key->len > 0)
        memcpy(key->bytes, p.raw->data, key->len);
    return key;
}

static void *wn_skey_aes_import(void *prov, int selection, const OSSL_PARAM params[])
{
    struct wn_skey *key = wn_skey_import(prov, selection, params);

    if (key == NULL || key->len == 16 || key->len == 24 || key->len == 32)
        return key;
    wn_skey_free(key);
    return NULL;
}

static int wn_skey_export(void *vkey, int selection, OSSL_CALLBACK *cb, void *arg)
{
    struct wn_skey *key = vkey;
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };

    if ((selection & OSSL_SKEYMGMT_SELECT_SECRET_KEY) == 0)
        return 0;
    params[0] = (OSSL_PARAM){ OSSL_SKEY_PARAM_RAW_BYTES, OSSL_PARAM_OCTET_STRING, key->bytes,
                              key->len, OSSL_PARAM_UNMODIFIED };
    return cb(params, arg);
}

#define SKEYMGMT(id, import)                                                 \
    const OSSL_DISPATCH wn_##id##_functions[] = {                            \
        WN_FN(SKEYMGMT_FREE, skeymgmt_free, wn_skey_free),                   \
        WN_FN(SKEYMGMT_IMPORT, skeymgmt_import, import),                     \
        WN_FN(SKEYMGMT_EXPORT, skeymgmt_export, wn_skey_export),             \
        WN_FN(SKEYMGMT_IMP_SETTABLE_PARAMS, skeymgmt_imp_settable_params,    \
              wn_skey_imp_settable_params),                                  \
        WN_FN_END                                                            \
    }
SKEYMGMT(skey_aes, wn_skey_aes_import);
SKEYMGMT(skey_generic, wn_skey_import);
