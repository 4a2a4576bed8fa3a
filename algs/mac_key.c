/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of the types HMAC, POLY1305 and CMAC: raw bytes in an EVP_PKEY, with
 * which EVP_DigestSign() computes a MAC (mac_sig.c). An old interface
 * (EVP_PKEY_new_mac_key) that libssl and `openssl dgst -hmac` still use.
 *
 * "Generating" a key takes the bytes that were set before. A key is read-only
 * once made; see key.h.
 */
#include "mac_key.h"

#include <string.h>

#include "../provider/alglist.h"

static void *mac_key_new(const struct wn_prov *prov, int is_cmac)
{
    struct wn_mac_key *key = wn_zalloc(prov, sizeof(*key));

    if (key != NULL) {
        wn_ref_init(&key->ref);
        key->prov = prov;
        key->is_cmac = is_cmac;
    }
    return key;
}

void wn_mac_key_free(struct wn_mac_key *key)
{
    if (key == NULL || !wn_ref_down(&key->ref))
        return;
    wn_secure_free(key->prov, key->priv, key->len);
    wn_free(key->prov, key);
}

static void *wn_mac_new(void *vprov)
{
    return mac_key_new(vprov, 0);
}

static void *wn_mac_new_cmac(void *vprov)
{
    return mac_key_new(vprov, 1);
}

static void wn_mac_free(void *vkey)
{
    wn_mac_key_free(vkey);
}

static int wn_mac_has(const void *vkey, int selection)
{
    const struct wn_mac_key *key = vkey;

    return key != NULL && (!WN_SELECTS_PRIVATE(selection) || key->priv != NULL);
}

static int wn_mac_match(const void *va, const void *vb, int selection)
{
    const struct wn_mac_key *a = va, *b = vb;

    if (!WN_SELECTS_PRIVATE(selection))
        return 1;
    if ((a->priv == NULL) != (b->priv == NULL) || a->len != b->len || a->cipher != b->cipher)
        return 0;
    return a->priv == NULL || wn_memcmp_ct(a->priv, b->priv, a->len) == 0;
}

/* ---- parameters ----------------------------------------------------------- */

#define MAC_KEY_ONLY(P) P(priv, octet_string, OSSL_PKEY_PARAM_PRIV_KEY)
#define MAC_TYPES(P)                                        \
    MAC_KEY_ONLY(P)                                         \
    P(properties, utf8_string, OSSL_PKEY_PARAM_PROPERTIES)
#define CMAC_GET(P)                                         \
    MAC_KEY_ONLY(P)                                         \
    P(cipher, utf8_string, OSSL_PKEY_PARAM_CIPHER)
#define CMAC_TYPES(P)                                       \
    CMAC_GET(P)                                             \
    P(properties, utf8_string, OSSL_PKEY_PARAM_PROPERTIES)

#define LIST(name, LIST) \
    static const OSSL_PARAM name[] = { LIST(WN_PARAM_DESC_) OSSL_PARAM_END }
LIST(key_only_list, MAC_KEY_ONLY);
LIST(mac_types_list, MAC_TYPES);
LIST(cmac_get_list, CMAC_GET);
WN_PARAMS(mac_key, CMAC_TYPES);     /* any of the parameters above */

static int take_key(const struct wn_prov *prov, const OSSL_PARAM *p, unsigned char **priv,
                    size_t *len)
{
    unsigned char *copy;

    if (p->data_type != OSSL_PARAM_OCTET_STRING || (p->data == NULL && p->data_size != 0)) {
        WN_RAISE(prov, ERR_R_PASSED_INVALID_ARGUMENT);
        return 0;
    }
    copy = wn_secure_malloc(prov, p->data_size);
    if (copy == NULL)
        return 0;
    if (p->data_size != 0)
        memcpy(copy, p->data, p->data_size);
    wn_secure_free(prov, *priv, *len);
    *priv = copy;
    *len = p->data_size;
    return 1;
}

static int key_from(struct wn_mac_key *key, const struct mac_key *p)
{
    const struct wn_cmac_cipher *cipher = key->cipher;

    if (p->properties != NULL && p->properties->data_type != OSSL_PARAM_UTF8_STRING) {
        WN_RAISE(key->prov, ERR_R_PASSED_INVALID_ARGUMENT);
        return 0;
    }
    if (key->is_cmac && !wn_cmac_take(key->prov, p->cipher, &cipher))
        return 0;
    if (p->priv != NULL && !take_key(key->prov, p->priv, &key->priv, &key->len))
        return 0;
    key->cipher = cipher;
    if (key->priv != NULL)
        return 1;
    WN_RAISE(key->prov, PROV_R_MISSING_KEY);
    return 0;
}

static int wn_mac_import(void *vkey, int selection, const OSSL_PARAM params[])
{
    struct wn_mac_key *key = vkey;
    struct mac_key p;

    return key != NULL && WN_SELECTS_PRIVATE(selection)
        && WN_PARAMS_SCAN(key->prov, mac_key, params, &p) && key_from(key, &p);
}

static const OSSL_PARAM *wn_mac_types(int selection)
{
    return WN_SELECTS_PRIVATE(selection) ? mac_types_list : NULL;
}

static const OSSL_PARAM *wn_cmac_types(int selection)
{
    return WN_SELECTS_PRIVATE(selection) ? mac_key_list : NULL;
}

/* First name of the key's cipher, as EVP_CIPHER_get0_name() says it. */
static const char *cipher_name(const struct wn_mac_key *key, char buf[32])
{
    size_t n = strcspn(key->cipher->names, ":");

    memcpy(buf, key->cipher->names, n);
    buf[n] = '\0';
    return buf;
}

static int wn_mac_export(void *vkey, int selection, OSSL_CALLBACK *cb, void *arg)
{
    const struct wn_mac_key *key = vkey;
    struct wn_pb pb;
    char name[32];

    if (key == NULL || !WN_SELECTS_PRIVATE(selection))
        return 0;
    wn_pb_init(&pb, key->prov);
    if (key->priv != NULL)
        wn_pb_octets(&pb, OSSL_PKEY_PARAM_PRIV_KEY, key->priv, key->len);
    if (key->cipher != NULL)
        wn_pb_utf8(&pb, OSSL_PKEY_PARAM_CIPHER, cipher_name(key, name));
    return wn_key_export_done(&pb, cb, arg);
}

static int wn_mac_get_params(void *vkey, OSSL_PARAM params[])
{
    const struct wn_mac_key *key = vkey;
    struct mac_key p;
    char name[32];

    return key != NULL && WN_PARAMS_SCAN(key->prov, mac_key, params, &p)
        && (key->priv == NULL || wn_param_give_octets(key->prov, p.priv, key->priv, key->len))
        && (key->cipher == NULL
            || wn_param_give_utf8(key->prov, p.cipher, cipher_name(key, name)));
}

static const OSSL_PARAM *wn_mac_key_only(void *vprov)
{
    (void)vprov;
    return key_only_list;
}

static const OSSL_PARAM *wn_cmac_gettable(void *vprov)
{
    (void)vprov;
    return cmac_get_list;
}

static int wn_mac_set_params(void *vkey, const OSSL_PARAM params[])
{
    struct wn_mac_key *key = vkey;
    struct mac_key p;

    return key != NULL && WN_PARAMS_SCAN(key->prov, mac_key, params, &p)
        && (p.priv == NULL || key_from(key, &p));
}

/* ---- generation ------------------------------------------------------------ */

/* What will become the key. */
struct mac_gen {
    int selection;
    struct wn_mac_key *key;
};

static int wn_mac_gen_set_params(void *vgen, const OSSL_PARAM params[])
{
    struct mac_gen *gen = vgen;
    struct wn_mac_key *key = gen->key;
    struct mac_key p;

    return WN_PARAMS_SCAN(key->prov, mac_key, params, &p)
        && (!key->is_cmac || wn_cmac_take(key->prov, p.cipher, &key->cipher))
        && (p.priv == NULL || take_key(key->prov, p.priv, &key->priv, &key->len));
}

static void wn_mac_gen_cleanup(void *vgen)
{
    struct mac_gen *gen = vgen;
    const struct wn_prov *prov;

    if (gen == NULL)
        return;
    prov = gen->key->prov;
    wn_mac_key_free(gen->key);
    wn_free(prov, gen);
}

static void *gen_init(const struct wn_prov *prov, int selection, const OSSL_PARAM params[],
                      int is_cmac)
{
    struct mac_gen *gen = wn_zalloc(prov, sizeof(*gen));

    if (gen == NULL)
        return NULL;
    gen->selection = selection;
    gen->key = mac_key_new(prov, is_cmac);
    if (gen->key == NULL) {
        wn_free(prov, gen);
        return NULL;
    }
    if (!wn_mac_gen_set_params(gen, params)) {
        wn_mac_gen_cleanup(gen);
        return NULL;
    }
    return gen;
}

static void *wn_mac_gen_init(void *vprov, int selection, const OSSL_PARAM params[])
{
    return gen_init(vprov, selection, params, 0);
}

static void *wn_cmac_gen_init(void *vprov, int selection, const OSSL_PARAM params[])
{
    return gen_init(vprov, selection, params, 1);
}

static const OSSL_PARAM *wn_mac_gen_settable(void *vgen, void *vprov)
{
    (void)vgen;
    (void)vprov;
    return key_only_list;
}

static const OSSL_PARAM *wn_cmac_gen_settable(void *vgen, void *vprov)
{
    (void)vgen;
    (void)vprov;
    return cmac_get_list;
}

/* Hands over the key; the generation context starts anew with an empty one. */
static void *wn_mac_gen(void *vgen, OSSL_CALLBACK *cb, void *arg)
{
    struct mac_gen *gen = vgen;
    struct wn_mac_key *fresh, *key = gen->key;

    (void)cb;
    (void)arg;
    if (WN_SELECTS_KEYPAIR(gen->selection) && key->priv == NULL) {
        WN_RAISE(key->prov, PROV_R_INVALID_KEY);
        return NULL;
    }
    fresh = mac_key_new(key->prov, key->is_cmac);
    if (fresh == NULL)
        return NULL;
    if (!WN_SELECTS_KEYPAIR(gen->selection))
        return fresh;           /* parameters: a MAC has none */
    gen->key = fresh;
    return key;
}

#define COMMON                                                               \
    WN_FN(KEYMGMT_FREE, keymgmt_free, wn_mac_free),                          \
    WN_FN(KEYMGMT_GET_PARAMS, keymgmt_get_params, wn_mac_get_params),        \
    WN_FN(KEYMGMT_SET_PARAMS, keymgmt_set_params, wn_mac_set_params),        \
    WN_FN(KEYMGMT_SETTABLE_PARAMS, keymgmt_settable_params, wn_mac_key_only), \
    WN_FN(KEYMGMT_HAS, keymgmt_has, wn_mac_has),                             \
    WN_FN(KEYMGMT_MATCH, keymgmt_match, wn_mac_match),                       \
    WN_FN(KEYMGMT_IMPORT, keymgmt_import, wn_mac_import),                    \
    WN_FN(KEYMGMT_EXPORT, keymgmt_export, wn_mac_export),                    \
    WN_FN(KEYMGMT_GEN_SET_PARAMS, keymgmt_gen_set_params, wn_mac_gen_set_params), \
    WN_FN(KEYMGMT_GEN, keymgmt_gen, wn_mac_gen),                             \
    WN_FN(KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup, wn_mac_gen_cleanup)

const OSSL_DISPATCH wn_mac_keymgmt_functions[] = {
    WN_FN(KEYMGMT_NEW, keymgmt_new, wn_mac_new),
    WN_FN(KEYMGMT_GETTABLE_PARAMS, keymgmt_gettable_params, wn_mac_key_only),
    WN_FN(KEYMGMT_IMPORT_TYPES, keymgmt_import_types, wn_mac_types),
    WN_FN(KEYMGMT_EXPORT_TYPES, keymgmt_export_types, wn_mac_types),
    WN_FN(KEYMGMT_GEN_INIT, keymgmt_gen_init, wn_mac_gen_init),
    WN_FN(KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable_params, wn_mac_gen_settable),
    COMMON,
    WN_FN_END
};

const OSSL_DISPATCH wn_cmac_keymgmt_functions[] = {
    WN_FN(KEYMGMT_NEW, keymgmt_new, wn_mac_new_cmac),
    WN_FN(KEYMGMT_GETTABLE_PARAMS, keymgmt_gettable_params, wn_cmac_gettable),
    WN_FN(KEYMGMT_IMPORT_TYPES, keymgmt_import_types, wn_cmac_types),
    WN_FN(KEYMGMT_EXPORT_TYPES, keymgmt_export_types, wn_cmac_types),
    WN_FN(KEYMGMT_GEN_INIT, keymgmt_gen_init, wn_cmac_gen_init),
    WN_FN(KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable_params, wn_cmac_gen_settable),
    COMMON,
    WN_FN_END
};
