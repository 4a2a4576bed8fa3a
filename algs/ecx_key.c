/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Key management of X25519, X448, ED25519 and ED448 (provider-keymgmt(7)).
 * See key.h for what may be written when.
 */
#include "ecx.h"

#include <string.h>
#include <strings.h>

#include "../provider/alglist.h"
#include "ecx_dhkem.h"

static int is_ed(const struct wn_ecx_desc *desc)
{
    return desc->type == WN_ED25519 || desc->type == WN_ED448;
}

static void wn_ecx_free(void *vkey)
{
    wn_ecx_key_free(vkey);
}

static void *wn_ecx_load(const void *reference, size_t size)
{
    return wn_key_take_reference(reference, size);
}

static int wn_ecx_has(const void *vkey, int selection)
{
    const struct wn_ecx_key *key = vkey;

    return key != NULL
        && (!WN_SELECTS_PUBLIC(selection) || key->has_public)
        && (!WN_SELECTS_PRIVATE(selection) || key->has_private);
}

static int wn_ecx_match(const void *va, const void *vb, int selection)
{
    const struct wn_ecx_key *a = va, *b = vb;

    if ((WN_SELECTS_DOMAIN(selection) || WN_SELECTS_KEYPAIR(selection)) && a->desc != b->desc)
        return 0;
    if (!WN_SELECTS_KEYPAIR(selection))
        return 1;
    if (WN_SELECTS_PUBLIC(selection) && a->has_public && b->has_public)
        return wn_memcmp_ct(a->pub, b->pub, a->desc->len) == 0;
    if (WN_SELECTS_PRIVATE(selection) && a->has_private && b->has_private)
        return wn_memcmp_ct(a->priv, b->priv, a->desc->len) == 0;
    return 0;
}

#define ECX_KEYPAIR(P)                               \
    P(pub, octet_string, OSSL_PKEY_PARAM_PUB_KEY)    \
    P(priv, octet_string, OSSL_PKEY_PARAM_PRIV_KEY)
WN_PARAMS(ecx_keypair, ECX_KEYPAIR);

static const OSSL_PARAM *wn_ecx_types(int selection)
{
    return WN_SELECTS_KEYPAIR(selection) ? ecx_keypair_list : NULL;
}

/* The octets of p if they are exactly len bytes. */
static const unsigned char *exact_octets(const OSSL_PARAM *p, size_t len)
{
    const unsigned char *d;
    size_t n;

    return wn_param_get_octets(p, &d, &n) && n == len ? d : NULL;
}

static int wn_ecx_import(void *vkey, int selection, const OSSL_PARAM params[])
{
    struct wn_ecx_key *key = vkey;
    struct ecx_keypair p;
    const unsigned char *pub = NULL, *priv = NULL;
    size_t len;

    if (key == NULL || !WN_SELECTS_KEYPAIR(selection)
        || !WN_PARAMS_SCAN(key->prov, ecx_keypair, params, &p))
        return 0;
    len = key->desc->len;
    if (!WN_SELECTS_PRIVATE(selection))
        p.priv = NULL;
    if (p.pub == NULL && p.priv == NULL)
        return 0;
    if ((p.pub != NULL && (pub = exact_octets(p.pub, len)) == NULL)
        || (p.priv != NULL && (priv = exact_octets(p.priv, len)) == NULL)) {
        WN_RAISE(key->prov, PROV_R_INVALID_KEY_LENGTH);
        return 0;
    }
    if (priv != NULL)
        memcpy(key->priv, priv, len);
    if (pub != NULL)
        memcpy(key->pub, pub, len);
    else if (!WN_WC(key->prov, key->desc->make_public(key->pub, priv)))
        return 0;
    key->has_private = priv != NULL;
    key->has_public = 1;
    return 1;
}

static int wn_ecx_export(void *vkey, int selection, OSSL_CALLBACK *cb, void *arg)
{
    const struct wn_ecx_key *key = vkey;
    struct wn_pb pb;

    if (key == NULL || !WN_SELECTS_KEYPAIR(selection))
        return 0;
    wn_pb_init(&pb, key->prov);
    if (key->has_public)
        wn_pb_octets(&pb, OSSL_PKEY_PARAM_PUB_KEY, key->pub, key->desc->len);
    if (WN_SELECTS_PRIVATE(selection) && key->has_private)
        wn_pb_octets(&pb, OSSL_PKEY_PARAM_PRIV_KEY, key->priv, key->desc->len);
    return wn_key_export_done(&pb, cb, arg);
}

/* ---- parameters ----------------------------------------------------------- */

#define ECX_GET(P)                                                   \
    WN_KEY_CATEGORY(P)                                               \
    P(bits, int, OSSL_PKEY_PARAM_BITS)                               \
    P(security_bits, int, OSSL_PKEY_PARAM_SECURITY_BITS)             \
    P(max_size, int, OSSL_PKEY_PARAM_MAX_SIZE)                       \
    P(encoded, octet_string, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY)     \
    ECX_KEYPAIR(P)
WN_PARAMS(ecx_get, ECX_GET);

#define ED_GET(P)                                                    \
    WN_KEY_CATEGORY(P)                                               \
    P(bits, int, OSSL_PKEY_PARAM_BITS)                               \
    P(security_bits, int, OSSL_PKEY_PARAM_SECURITY_BITS)             \
    P(max_size, int, OSSL_PKEY_PARAM_MAX_SIZE)                       \
    P(mandatory_digest, utf8_string, OSSL_PKEY_PARAM_MANDATORY_DIGEST) \
    ECX_KEYPAIR(P)
WN_PARAMS(ed_get, ED_GET);

static const OSSL_PARAM *wn_ecx_gettable(void *vprov)
{
    return wn_key_gettable(vprov, ecx_get_list);
}

static const OSSL_PARAM *wn_ed_gettable(void *vprov)
{
    return wn_key_gettable(vprov, ed_get_list);
}

/* The public and private key; what a key does not have is left unmodified. */
static int give_keypair(const struct wn_ecx_key *key, OSSL_PARAM *pub, OSSL_PARAM *priv)
{
    size_t len = key->desc->len;

    return (!key->has_public || wn_param_give_octets(key->prov, pub, key->pub, len))
        && (!key->has_private || wn_param_give_octets(key->prov, priv, key->priv, len));
}

static int wn_ecx_get_params(void *vkey, OSSL_PARAM params[])
{
    const struct wn_ecx_key *key = vkey;
    struct ecx_get p;

    return WN_PARAMS_SCAN(key->prov, ecx_get, params, &p)
        && wn_key_give_category(key->prov, p.category)
        && wn_param_give_int(key->prov, p.bits, key->desc->bits)
        && wn_param_give_int(key->prov, p.security_bits, key->desc->security_bits)
        && wn_param_give_int(key->prov, p.max_size, key->desc->max_size)
        && (!key->has_public
            || wn_param_give_octets(key->prov, p.encoded, key->pub, key->desc->len))
        && give_keypair(key, p.pub, p.priv);
}

static int wn_ed_get_params(void *vkey, OSSL_PARAM params[])
{
    const struct wn_ecx_key *key = vkey;
    struct ed_get p;

    return WN_PARAMS_SCAN(key->prov, ed_get, params, &p)
        && wn_key_give_category(key->prov, p.category)
        && wn_param_give_int(key->prov, p.bits, key->desc->bits)
        && wn_param_give_int(key->prov, p.security_bits, key->desc->security_bits)
        && wn_param_give_int(key->prov, p.max_size, key->desc->max_size)
        && wn_param_give_utf8(key->prov, p.mandatory_digest, "")
        && give_keypair(key, p.pub, p.priv);
}

#define ECX_SET(P)                                                   \
    P(encoded, octet_string, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY)     \
    P(properties, utf8_string, OSSL_PKEY_PARAM_PROPERTIES)
WN_PARAMS(ecx_set, ECX_SET);

static const OSSL_PARAM *wn_ecx_settable(void *vprov)
{
    (void)vprov;
    return ecx_set_list;
}

/* A peer's key share is put into a copy of our parameters (RFC 8446, 4.2.8). */
static int wn_ecx_set_params(void *vkey, const OSSL_PARAM params[])
{
    struct wn_ecx_key *key = vkey;
    const unsigned char *encoded;
    struct ecx_set p;

    if (!WN_PARAMS_SCAN(key->prov, ecx_set, params, &p))
        return 0;
    if (p.encoded != NULL) {
        encoded = exact_octets(p.encoded, key->desc->len);
        if (encoded == NULL) {
            WN_RAISE(key->prov, PROV_R_INVALID_KEY_LENGTH);
            return 0;
        }
        memcpy(key->pub, encoded, key->desc->len);
        wn_clear(key->priv, sizeof(key->priv));
        key->has_public = 1;
        key->has_private = 0;
    }
    return 1;
}

static const OSSL_PARAM *wn_ed_settable(void *vprov)
{
    static const OSSL_PARAM none[] = { OSSL_PARAM_END };

    (void)vprov;
    return none;
}

static int wn_ed_set_params(void *vkey, const OSSL_PARAM params[])
{
    (void)vkey;
    (void)params;
    return 1;
}

static int wn_ecx_validate(const void *vkey, int selection, int type)
{
    const struct wn_ecx_key *key = vkey;
    unsigned char pub[WN_ECX_MAX];

    (void)type;                 /* quick and thorough are the same here */
    if (!wn_ecx_has(key, selection))
        return 0;
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != OSSL_KEYMGMT_SELECT_KEYPAIR)
        return 1;
    return WN_WC(key->prov, key->desc->make_public(pub, key->priv))
        && wn_memcmp_ct(pub, key->pub, key->desc->len) == 0;
}

static void *wn_ecx_dup(const void *vkey, int selection)
{
    const struct wn_ecx_key *key = vkey;
    struct wn_ecx_key *copy = wn_ecx_key_new(key->prov, key->desc);

    if (copy == NULL)
        return NULL;
    if (WN_SELECTS_PUBLIC(selection) && key->has_public) {
        memcpy(copy->pub, key->pub, sizeof(copy->pub));
        copy->has_public = 1;
    }
    if (WN_SELECTS_PRIVATE(selection) && key->has_private) {
        memcpy(copy->priv, key->priv, sizeof(copy->priv));
        copy->has_private = 1;
    }
    return copy;
}

/* ---- generation ------------------------------------------------------------ */

struct wn_ecx_gen {
    const struct wn_prov *prov;
    const struct wn_ecx_desc *desc;
    int selection;
    unsigned char *ikm;         /* for DHKEM's DeriveKeyPair */
    size_t ikm_len;
};

#define ECX_GEN_OLD(P)                                   \
    P(group, utf8_string, OSSL_PKEY_PARAM_GROUP_NAME)    \
    P(properties, utf8_string, OSSL_KDF_PARAM_PROPERTIES)
#define ECX_GEN(P) ECX_GEN_OLD(P)                        \
    P(ikm, octet_string, OSSL_PKEY_PARAM_DHKEM_IKM)
WN_PARAMS(ecx_gen_set, ECX_GEN);

static const OSSL_PARAM *wn_ecx_gen_settable(void *vgen, void *vprov)
{
    static const OSSL_PARAM old[] = { ECX_GEN_OLD(WN_PARAM_DESC_) OSSL_PARAM_END };
    const struct wn_prov *prov = vprov;

    (void)vgen;
    return prov->core_version < WN_CORE_VERSION(3, 2) ? old : ecx_gen_set_list;
}

/* Empty seed material is none. */
static int take_ikm(struct wn_ecx_gen *gen, const OSSL_PARAM *p)
{
    const unsigned char *d;
    unsigned char *copy;
    size_t n;

    if (p == NULL || p->data == NULL || p->data_size == 0)
        return 1;
    if (!wn_param_take_octets(gen->prov, p, &d, &n) || (copy = wn_memdup(gen->prov, d, n)) == NULL)
        return 0;
    wn_clear_free(gen->prov, gen->ikm, gen->ikm_len);
    gen->ikm = copy;
    gen->ikm_len = n;
    return 1;
}

/* There is one group; naming it is allowed, for key exchange only. */
static int wn_ecx_gen_set_params(void *vgen, const OSSL_PARAM params[])
{
    struct wn_ecx_gen *gen = vgen;
    struct ecx_gen_set p;
    char group[16];

    if (gen == NULL || !WN_PARAMS_SCAN(gen->prov, ecx_gen_set, params, &p))
        return 0;
    if (p.group != NULL
        && (is_ed(gen->desc) || !wn_param_get_utf8(p.group, group, sizeof(group))
            || strcasecmp(group, gen->desc->name) != 0)) {
        WN_RAISE(gen->prov, ERR_R_PASSED_INVALID_ARGUMENT);
        return 0;
    }
    return take_ikm(gen, p.ikm);
}

static void wn_ecx_gen_cleanup(void *vgen)
{
    struct wn_ecx_gen *gen = vgen;

    if (gen == NULL)
        return;
    wn_clear_free(gen->prov, gen->ikm, gen->ikm_len);
    wn_free(gen->prov, gen);
}

static void *wn_ecx_gen_init(const struct wn_prov *prov, int selection, const OSSL_PARAM params[],
                             const struct wn_ecx_desc *desc)
{
    struct wn_ecx_gen *gen = wn_zalloc(prov, sizeof(*gen));

    if (gen == NULL)
        return NULL;
    gen->prov = prov;
    gen->desc = desc;
    gen->selection = selection;
    if (!wn_ecx_gen_set_params(gen, params)) {
        wn_ecx_gen_cleanup(gen);
        return NULL;
    }
    return gen;
}

static void *wn_ecx_gen(void *vgen, OSSL_CALLBACK *cb, void *arg)
{
    struct wn_ecx_gen *gen = vgen;
    struct wn_ecx_key *key;

    (void)cb;                   /* too quick for progress reports */
    (void)arg;
    key = wn_ecx_key_new(gen->prov, gen->desc);
    /* generating parameters means an empty key: the peer's share comes later */
    if (key != NULL && WN_SELECTS_KEYPAIR(gen->selection)
        && !(gen->ikm != NULL ? wn_ecx_dhkem_derive(key, gen->ikm, gen->ikm_len)
                              : wn_ecx_key_generate(key))) {
        wn_ecx_key_free(key);
        return NULL;
    }
    return key;
}

/* ---- dispatch ---------------------------------------------------------------- */

/* kind: ecx (key exchange) or ed (signatures) */
#define ECX_KEYMGMT(id, kind)                                                        \
    static void *id##_new(void *prov) { return wn_ecx_key_new(prov, &wn_##id##_desc); } \
    static void *id##_gen_init(void *prov, int selection, const OSSL_PARAM params[]) \
    { return wn_ecx_gen_init(prov, selection, params, &wn_##id##_desc); }            \
    const OSSL_DISPATCH wn_##id##_keymgmt_functions[] = {                            \
        WN_FN(KEYMGMT_NEW, keymgmt_new, id##_new),                                   \
        WN_FN(KEYMGMT_GEN_INIT, keymgmt_gen_init, id##_gen_init),                    \
        WN_FN(KEYMGMT_GET_PARAMS, keymgmt_get_params, wn_##kind##_get_params),       \
        WN_FN(KEYMGMT_GETTABLE_PARAMS, keymgmt_gettable_params, wn_##kind##_gettable), \
        WN_FN(KEYMGMT_SET_PARAMS, keymgmt_set_params, wn_##kind##_set_params),       \
        WN_FN(KEYMGMT_SETTABLE_PARAMS, keymgmt_settable_params, wn_##kind##_settable), \
        ECX_KEYMGMT_COMMON,                                                          \
        WN_FN_END                                                                    \
    };
#define ECX_KEYMGMT_COMMON                                                           \
    WN_FN(KEYMGMT_FREE, keymgmt_free, wn_ecx_free),                                  \
    WN_FN(KEYMGMT_LOAD, keymgmt_load, wn_ecx_load),                                  \
    WN_FN(KEYMGMT_HAS, keymgmt_has, wn_ecx_has),                                     \
    WN_FN(KEYMGMT_MATCH, keymgmt_match, wn_ecx_match),                               \
    WN_FN(KEYMGMT_VALIDATE, keymgmt_validate, wn_ecx_validate),                      \
    WN_FN(KEYMGMT_IMPORT, keymgmt_import, wn_ecx_import),                            \
    WN_FN(KEYMGMT_IMPORT_TYPES, keymgmt_import_types, wn_ecx_types),                 \
    WN_FN(KEYMGMT_EXPORT, keymgmt_export, wn_ecx_export),                            \
    WN_FN(KEYMGMT_EXPORT_TYPES, keymgmt_export_types, wn_ecx_types),                 \
    WN_FN(KEYMGMT_DUP, keymgmt_dup, wn_ecx_dup),                                     \
    WN_FN(KEYMGMT_GEN_SET_PARAMS, keymgmt_gen_set_params, wn_ecx_gen_set_params),    \
    WN_FN(KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable_params, wn_ecx_gen_settable), \
    WN_FN(KEYMGMT_GEN, keymgmt_gen, wn_ecx_gen),                                     \
    WN_FN(KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup, wn_ecx_gen_cleanup)

ECX_KEYMGMT(x25519, ecx)
ECX_KEYMGMT(x448, ecx)
ECX_KEYMGMT(ed25519, ed)
ECX_KEYMGMT(ed448, ed)
