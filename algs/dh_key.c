/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Key management of DH (PKCS #3) and DHX (X9.42): provider-keymgmt(7),
 * EVP_PKEY-DH(7). Generation and checks are in dh_gen.c.
 */
#include "dh.h"

#include <string.h>

#include <openssl/dherr.h>

#include "../provider/alglist.h"

#define DH_SELECTIONS (OSSL_KEYMGMT_SELECT_KEYPAIR | OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS)

#define DH_DOMAIN(P)                                     \
    P(p, bn, OSSL_PKEY_PARAM_FFC_P)                      \
    P(q, bn, OSSL_PKEY_PARAM_FFC_Q)                      \
    P(g, bn, OSSL_PKEY_PARAM_FFC_G)                      \
    P(j, bn, OSSL_PKEY_PARAM_FFC_COFACTOR)               \
    P(gindex, int, OSSL_PKEY_PARAM_FFC_GINDEX)           \
    P(pcounter, int, OSSL_PKEY_PARAM_FFC_PCOUNTER)       \
    P(h, int, OSSL_PKEY_PARAM_FFC_H)                     \
    P(priv_len, int, OSSL_PKEY_PARAM_DH_PRIV_LEN)        \
    P(seed, octet_string, OSSL_PKEY_PARAM_FFC_SEED)      \
    P(group, utf8_string, OSSL_PKEY_PARAM_GROUP_NAME)
#define DH_KEYPAIR(P)                                    \
    P(pub, bn, OSSL_PKEY_PARAM_PUB_KEY)                  \
    P(priv, bn, OSSL_PKEY_PARAM_PRIV_KEY)
#define DH_ALL(P) DH_DOMAIN(P) DH_KEYPAIR(P)
WN_PARAMS(dh_all, DH_ALL);

static const OSSL_PARAM *wn_dh_types(int selection)
{
    static const OSSL_PARAM domain[] = { DH_DOMAIN(WN_PARAM_DESC_) OSSL_PARAM_END };
    static const OSSL_PARAM pair[] = { DH_KEYPAIR(WN_PARAM_DESC_) OSSL_PARAM_END };
    int params = (selection & OSSL_KEYMGMT_SELECT_ALL_PARAMETERS) != 0;

    if (params)
        return WN_SELECTS_KEYPAIR(selection) ? dh_all_list : domain;
    return WN_SELECTS_KEYPAIR(selection) ? pair : NULL;
}

/* ---- import -------------------------------------------------------------------- */

static int take(const struct wn_dh_key *key, const OSSL_PARAM *p, mp_int **to)
{
    return p == NULL || (*to = wn_num_from_param(key->prov, p)) != NULL;
}

static int import_domain(struct wn_dh_key *key, const struct dh_all *p)
{
    const struct wn_dh_group *group;
    const unsigned char *seed;
    char name[32];

    if (!wn_param_take_int(key->prov, p->priv_len, &key->priv_len)
        || !wn_param_take_int(key->prov, p->gindex, &key->gindex)
        || !wn_param_take_int(key->prov, p->pcounter, &key->pcounter)
        || !wn_param_take_int(key->prov, p->h, &key->h))
        return 0;
    if (key->priv_len < 0) {
        WN_RAISE(key->prov, PROV_R_INVALID_DATA);
        return 0;
    }
    /* the numbers tell better than the name, if both are there */
    if (p->p == NULL || p->g == NULL) {
        if (p->group == NULL || !wn_param_get_utf8(p->group, name, sizeof(name))
            || (group = wn_dh_group_find(name)) == NULL) {
            WN_RAISE_LIB(key->prov, ERR_LIB_DH, DH_R_NO_PARAMETERS_SET);
            return 0;
        }
        return wn_dh_key_set_group(key, group);
    }
    if (p->seed != NULL) {
        if (!wn_param_take_octets(key->prov, p->seed, &seed, &key->seed_len)
            || (key->seed = wn_memdup(key->prov, seed, key->seed_len)) == NULL)
            return 0;
    }
    return take(key, p->p, &key->p) && take(key, p->g, &key->g) && take(key, p->q, &key->q)
        && take(key, p->j, &key->j) && wn_dh_key_ready(key);
}

static int wn_dh_import(void *vkey, int selection, const OSSL_PARAM params[])
{
    struct wn_dh_key *key = vkey;
    struct dh_all p;

    /* a key without parameters is meaningless: they are always read */
    if (key == NULL || (selection & DH_SELECTIONS) == 0
        || !WN_PARAMS_SCAN(key->prov, dh_all, params, &p) || !import_domain(key, &p))
        return 0;
    if (!WN_SELECTS_KEYPAIR(selection))
        return 1;
    if (!WN_SELECTS_PRIVATE(selection))
        p.priv = NULL;
    if (p.pub == NULL && p.priv == NULL)
        return 0;
    return take(key, p.pub, &key->pub) && take(key, p.priv, &key->priv);
}

/* ---- export and parameters ---------------------------------------------------------- */

static void put(struct wn_pb *pb, const char *name, const mp_int *a, size_t width)
{
    unsigned char be[WN_NUM_MAX_SIZE];
    size_t n;

    if (a == NULL)
        return;
    n = (size_t)mp_unsigned_bin_size(a);
    wn_num_bytes(a, be, n);
    wn_pb_bn(pb, name, be, n, width);
    wn_clear(be, n);
}

static int wn_dh_export(void *vkey, int selection, OSSL_CALLBACK *cb, void *arg)
{
    const struct wn_dh_key *key = vkey;
    struct wn_pb pb;

    if (key == NULL || (selection & DH_SELECTIONS) == 0)
        return 0;
    wn_pb_init(&pb, key->prov);
    if ((selection & OSSL_KEYMGMT_SELECT_ALL_PARAMETERS) != 0) {
        put(&pb, OSSL_PKEY_PARAM_FFC_P, key->p, 0);
        put(&pb, OSSL_PKEY_PARAM_FFC_Q, key->q, 0);
        put(&pb, OSSL_PKEY_PARAM_FFC_G, key->g, 0);
        put(&pb, OSSL_PKEY_PARAM_FFC_COFACTOR, key->j, 0);
        if (key->gindex >= 0)
            wn_pb_int(&pb, OSSL_PKEY_PARAM_FFC_GINDEX, key->gindex);
        if (key->pcounter >= 0)
            wn_pb_int(&pb, OSSL_PKEY_PARAM_FFC_PCOUNTER, key->pcounter);
        if (key->h != 0)
            wn_pb_int(&pb, OSSL_PKEY_PARAM_FFC_H, key->h);
        if (key->seed != NULL)
            wn_pb_octets(&pb, OSSL_PKEY_PARAM_FFC_SEED, key->seed, key->seed_len);
        if (key->group != NULL)
            wn_pb_utf8(&pb, OSSL_PKEY_PARAM_GROUP_NAME, key->group->name);
        if (key->priv_len > 0)
            wn_pb_int(&pb, OSSL_PKEY_PARAM_DH_PRIV_LEN, key->priv_len);
    }
    if (WN_SELECTS_KEYPAIR(selection)) {
        put(&pb, OSSL_PKEY_PARAM_PUB_KEY, key->pub, 0);
        if (WN_SELECTS_PRIVATE(selection))
            put(&pb, OSSL_PKEY_PARAM_PRIV_KEY, key->priv, key->size);
    }
    return wn_key_export_done(&pb, cb, arg);
}

#define DH_GET(P)                                                    \
    WN_KEY_CATEGORY(P)                                               \
    P(bits, int, OSSL_PKEY_PARAM_BITS)                               \
    P(security_bits, int, OSSL_PKEY_PARAM_SECURITY_BITS)             \
    P(max_size, int, OSSL_PKEY_PARAM_MAX_SIZE)                       \
    P(encoded, octet_string, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY)     \
    DH_ALL(P)
WN_PARAMS(dh_get, DH_GET);

static const OSSL_PARAM *wn_dh_gettable(void *vprov)
{
    return wn_key_gettable(vprov, dh_get_list);
}

static int give(const struct wn_dh_key *key, OSSL_PARAM *p, const mp_int *a)
{
    unsigned char be[WN_NUM_MAX_SIZE];
    size_t n;
    int ok;

    if (p == NULL || a == NULL)
        return 1;
    n = (size_t)mp_unsigned_bin_size(a);
    wn_num_bytes(a, be, n);
    ok = wn_param_give_bn(key->prov, p, be, n);
    wn_clear(be, n);
    return ok;
}

/* The public key in the full length of p (RFC 8446, 4.2.8.1). */
static int give_encoded(const struct wn_dh_key *key, OSSL_PARAM *p)
{
    unsigned char be[WN_DH_MAX_SIZE];

    if (p == NULL)
        return 1;
    if (key->pub == NULL || !wn_num_bytes(key->pub, be, key->size)) {
        WN_RAISE_LIB(key->prov, ERR_LIB_DH, DH_R_INVALID_PUBKEY);
        return 0;
    }
    return wn_param_give_octets(key->prov, p, be, key->size);
}

/* SP 800-57 part 1, table 2, by the sizes of p and q (or of private keys). */
static int security_bits(const struct wn_dh_key *key)
{
    static const struct {
        size_t bits;
        int strength;
    } table[] = { { 15360, 256 }, { 7680, 192 }, { 3072, 128 }, { 2048, 112 }, { 1024, 80 } };
    int n = key->q != NULL ? mp_count_bits(key->q) : key->priv_len > 0 ? key->priv_len : -1;
    int strength = 0;
    size_t i;

    for (i = 0; i < sizeof(table) / sizeof(table[0]) && strength == 0; i++)
        if (key->bits >= table[i].bits)
            strength = table[i].strength;
    if (n < 0)
        return strength;
    return n / 2 < 80 ? 0 : n / 2 < strength ? n / 2 : strength;
}

static int wn_dh_get_params(void *vkey, OSSL_PARAM params[])
{
    const struct wn_dh_key *key = vkey;
    const struct wn_prov *prov = key->prov;
    struct dh_get p;

    return WN_PARAMS_SCAN(prov, dh_get, params, &p)
        && wn_key_give_category(prov, p.category)
        && wn_param_give_int(prov, p.bits, (int)key->bits)
        && (key->p == NULL || wn_param_give_int(prov, p.security_bits, security_bits(key)))
        && wn_param_give_int(prov, p.max_size, (int)key->size)
        && give_encoded(key, p.encoded) && give(key, p.p, key->p) && give(key, p.q, key->q)
        && give(key, p.g, key->g) && give(key, p.j, key->j)
        && (key->gindex < 0 || wn_param_give_int(prov, p.gindex, key->gindex))
        && (key->pcounter < 0 || wn_param_give_int(prov, p.pcounter, key->pcounter))
        && (key->h == 0 || wn_param_give_int(prov, p.h, key->h))
        && (key->priv_len == 0 || wn_param_give_int(prov, p.priv_len, key->priv_len))
        && (key->seed == NULL || wn_param_give_octets(prov, p.seed, key->seed, key->seed_len))
        && (key->group == NULL || wn_param_give_utf8(prov, p.group, key->group->name))
        && give(key, p.pub, key->pub) && give(key, p.priv, key->priv);
}

#define DH_SET(P) P(encoded, octet_string, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY)
WN_PARAMS(dh_set, DH_SET);

static const OSSL_PARAM *wn_dh_settable(void *vprov)
{
    (void)vprov;
    return dh_set_list;
}

/* A peer's key share, put into a copy of our parameters. */
static int wn_dh_set_params(void *vkey, const OSSL_PARAM params[])
{
    struct wn_dh_key *key = vkey;
    const unsigned char *d;
    struct dh_set p;
    mp_int *pub;
    size_t n;

    if (!WN_PARAMS_SCAN(key->prov, dh_set, params, &p))
        return 0;
    if (p.encoded == NULL)
        return 1;
    if (key->p == NULL || !wn_param_get_octets(p.encoded, &d, &n) || n != key->size) {
        WN_RAISE_LIB(key->prov, ERR_LIB_DH, DH_R_INVALID_PUBKEY);
        return 0;
    }
    pub = wn_num_new(key->prov, d, n);
    if (pub == NULL)
        return 0;
    if (!wn_dh_public_ok(key, pub)) {
        wn_num_free(key->prov, pub);
        WN_RAISE_LIB(key->prov, ERR_LIB_DH, DH_R_INVALID_PUBKEY);
        return 0;
    }
    wn_num_free(key->prov, key->pub);
    key->pub = pub;
    return 1;
}

/* ---- has, match, dup ------------------------------------------------------------------- */

static int wn_dh_has(const void *vkey, int selection)
{
    const struct wn_dh_key *key = vkey;

    return key != NULL && (!WN_SELECTS_PUBLIC(selection) || key->pub != NULL)
        && (!WN_SELECTS_PRIVATE(selection) || key->priv != NULL)
        && (!WN_SELECTS_DOMAIN(selection) || (key->p != NULL && key->g != NULL));
}

static int equal(const mp_int *a, const mp_int *b)
{
    return a != NULL && b != NULL && mp_cmp(a, b) == MP_EQ;
}

static int wn_dh_match(const void *va, const void *vb, int selection)
{
    const struct wn_dh_key *a = va, *b = vb;
    int ok = 1;

    if (WN_SELECTS_KEYPAIR(selection)) {
        if (WN_SELECTS_PUBLIC(selection) && a->pub != NULL && b->pub != NULL)
            ok = equal(a->pub, b->pub);
        else
            ok = WN_SELECTS_PRIVATE(selection) && equal(a->priv, b->priv);
    }
    if (WN_SELECTS_DOMAIN(selection))
        ok = ok && equal(a->p, b->p) && equal(a->g, b->g);
    return ok;
}

static void *wn_dh_dup(const void *vkey, int selection)
{
    const struct wn_dh_key *key = vkey;
    struct wn_dh_key *copy = wn_dh_key_new(key->prov, key->is_dhx);
    int ok;

    if (copy == NULL)
        return NULL;
    ok = (selection & (OSSL_KEYMGMT_SELECT_ALL_PARAMETERS | OSSL_KEYMGMT_SELECT_KEYPAIR)) == 0
        || wn_dh_key_copy_params(copy, key);
    if (ok && WN_SELECTS_PUBLIC(selection) && key->pub != NULL)
        ok = (copy->pub = wn_num_dup(key->prov, key->pub)) != NULL;
    if (ok && WN_SELECTS_PRIVATE(selection) && key->priv != NULL)
        ok = (copy->priv = wn_num_dup(key->prov, key->priv)) != NULL;
    if (!ok) {
        wn_dh_key_free(copy);
        return NULL;
    }
    return copy;
}

static void wn_dh_free(void *vkey)
{
    wn_dh_key_free(vkey);
}

static void *wn_dh_load(const void *reference, size_t size)
{
    return wn_key_take_reference(reference, size);
}

/* DHX keys are used through the operations named DH. */
static const char *wn_dhx_operation_name(int operation)
{
    (void)operation;
    return "DH";
}

static void *dh_new(void *prov)
{
    return wn_dh_key_new(prov, 0);
}

static void *dhx_new(void *prov)
{
    return wn_dh_key_new(prov, 1);
}

#define DH_KEYMGMT_COMMON                                                            \
    WN_FN(KEYMGMT_FREE, keymgmt_free, wn_dh_free),                                   \
    WN_FN(KEYMGMT_LOAD, keymgmt_load, wn_dh_load),                                   \
    WN_FN(KEYMGMT_GET_PARAMS, keymgmt_get_params, wn_dh_get_params),                 \
    WN_FN(KEYMGMT_GETTABLE_PARAMS, keymgmt_gettable_params, wn_dh_gettable),         \
    WN_FN(KEYMGMT_SET_PARAMS, keymgmt_set_params, wn_dh_set_params),                 \
    WN_FN(KEYMGMT_SETTABLE_PARAMS, keymgmt_settable_params, wn_dh_settable),         \
    WN_FN(KEYMGMT_HAS, keymgmt_has, wn_dh_has),                                      \
    WN_FN(KEYMGMT_MATCH, keymgmt_match, wn_dh_match),                                \
    WN_FN(KEYMGMT_VALIDATE, keymgmt_validate, wn_dh_validate),                       \
    WN_FN(KEYMGMT_IMPORT, keymgmt_import, wn_dh_import),                             \
    WN_FN(KEYMGMT_IMPORT_TYPES, keymgmt_import_types, wn_dh_types),                  \
    WN_FN(KEYMGMT_EXPORT, keymgmt_export, wn_dh_export),                             \
    WN_FN(KEYMGMT_EXPORT_TYPES, keymgmt_export_types, wn_dh_types),                  \
    WN_FN(KEYMGMT_DUP, keymgmt_dup, wn_dh_dup),                                      \
    WN_FN(KEYMGMT_GEN_SET_TEMPLATE, keymgmt_gen_set_template, wn_dh_gen_set_template), \
    WN_FN(KEYMGMT_GEN_SET_PARAMS, keymgmt_gen_set_params, wn_dh_gen_set_params),     \
    WN_FN(KEYMGMT_GEN, keymgmt_gen, wn_dh_gen),                                      \
    WN_FN(KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup, wn_dh_gen_cleanup)

const OSSL_DISPATCH wn_dh_keymgmt_functions[] = {
    WN_FN(KEYMGMT_NEW, keymgmt_new, dh_new),
    WN_FN(KEYMGMT_GEN_INIT, keymgmt_gen_init, wn_dh_gen_init),
    WN_FN(KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable_params, wn_dh_gen_settable),
    DH_KEYMGMT_COMMON,
    WN_FN_END
};

const OSSL_DISPATCH wn_dhx_keymgmt_functions[] = {
    WN_FN(KEYMGMT_NEW, keymgmt_new, dhx_new),
    WN_FN(KEYMGMT_GEN_INIT, keymgmt_gen_init, wn_dhx_gen_init),
    WN_FN(KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable_params, wn_dhx_gen_settable),
    WN_FN(KEYMGMT_QUERY_OPERATION_NAME, keymgmt_query_operation_name, wn_dhx_operation_name),
    DH_KEYMGMT_COMMON,
    WN_FN_END
};
