/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Key management of SLH-DSA (provider-keymgmt(7), EVP_PKEY-SLH-DSA(7)). See key.h
 * for what may be written when.
 */
#include "slhdsa.h"

#include <string.h>

#include "../provider/alglist.h"

static void wn_slhdsa_free(void *vkey)
{
    wn_slhdsa_key_free(vkey);
}

static void *wn_slhdsa_load(const void *reference, size_t size)
{
    return wn_key_take_reference(reference, size);
}

static int wn_slhdsa_has(const void *vkey, int selection)
{
    const struct wn_slhdsa_key *key = vkey;

    return key != NULL && (!WN_SELECTS_KEYPAIR(selection)
                           || (key->has_public
                               && (!WN_SELECTS_PRIVATE(selection) || key->has_private)));
}

/* The public keys decide; private ones only where the public ones are not asked for. */
static int wn_slhdsa_match(const void *va, const void *vb, int selection)
{
    const struct wn_slhdsa_key *a = va, *b = vb;

    if (a == NULL || b == NULL || a->desc != b->desc)
        return 0;
    if (!WN_SELECTS_KEYPAIR(selection))
        return 1;
    if (WN_SELECTS_PUBLIC(selection) && a->has_public && b->has_public)
        return memcmp(wn_slhdsa_pub(a), wn_slhdsa_pub(b), wn_slhdsa_pub_size(a->desc)) == 0;
    return WN_SELECTS_PRIVATE(selection) && a->has_private && b->has_private
        && wn_memcmp_ct(a->bytes, b->bytes, 2 * a->desc->n) == 0;
}

/* Importing does not compute the root of the tree: that takes long for the small sets. */
static int wn_slhdsa_validate(const void *vkey, int selection, int type)
{
    (void)type;
    return wn_slhdsa_has(vkey, selection)
        && ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != OSSL_KEYMGMT_SELECT_KEYPAIR
            || wn_slhdsa_key_check(vkey));
}

#define SLHDSA_KEYPAIR(P)                              \
    P(pub, octet_string, OSSL_PKEY_PARAM_PUB_KEY)      \
    P(priv, octet_string, OSSL_PKEY_PARAM_PRIV_KEY)
WN_PARAMS(slhdsa_keypair, SLHDSA_KEYPAIR);

static const OSSL_PARAM *wn_slhdsa_types(int selection)
{
    return WN_SELECTS_KEYPAIR(selection) ? slhdsa_keypair_list : NULL;
}

static int wrong_length(const struct wn_slhdsa_key *key, const char *what, size_t n)
{
    WN_RAISE_MSG(key->prov, PROV_R_INVALID_KEY_LENGTH, "%s %s key of %zu bytes", key->desc->name,
                 what, n);
    return 0;
}

/*
 * A private key is all four values, or SK.seed and SK.prf beside a public key. A public
 * key beside the four is not looked at.
 */
static int wn_slhdsa_import(void *vkey, int selection, const OSSL_PARAM params[])
{
    struct wn_slhdsa_key *key = vkey;
    const unsigned char *priv = NULL, *pub = NULL;
    size_t privlen = 0, publen = 0, half;
    struct slhdsa_keypair p;

    /* keys cannot be changed once they have a value */
    if (key == NULL || key->has_public || !WN_SELECTS_KEYPAIR(selection)
        || !WN_PARAMS_SCAN(key->prov, slhdsa_keypair, params, &p))
        return 0;
    half = wn_slhdsa_pub_size(key->desc);
    if (!WN_SELECTS_PRIVATE(selection))
        p.priv = NULL;
    if (!wn_param_take_octets(key->prov, p.priv, &priv, &privlen))
        return 0;
    if (p.priv != NULL && privlen != half && privlen != 2 * half)
        return wrong_length(key, "private", privlen);
    if (privlen != 2 * half) {
        if (p.pub == NULL) {
            WN_RAISE(key->prov, PROV_R_MISSING_KEY);
            return 0;
        }
        if (!wn_param_take_octets(key->prov, p.pub, &pub, &publen))
            return 0;
        if (publen != half)
            return wrong_length(key, "public", publen);
        memcpy(key->bytes + half, pub, half);
    }
    if (p.priv != NULL)
        memcpy(key->bytes, priv, privlen);
    key->has_private = p.priv != NULL;
    key->has_public = 1;
    return 1;
}

static int wn_slhdsa_export(void *vkey, int selection, OSSL_CALLBACK *cb, void *arg)
{
    const struct wn_slhdsa_key *key = vkey;
    struct wn_pb pb;

    if (key == NULL || !WN_SELECTS_KEYPAIR(selection) || !key->has_public)
        return 0;
    wn_pb_init(&pb, key->prov);
    if (WN_SELECTS_PRIVATE(selection) && key->has_private)
        wn_pb_octets(&pb, OSSL_PKEY_PARAM_PRIV_KEY, key->bytes, wn_slhdsa_priv_size(key->desc));
    if (WN_SELECTS_PUBLIC(selection))
        wn_pb_octets(&pb, OSSL_PKEY_PARAM_PUB_KEY, wn_slhdsa_pub(key),
                     wn_slhdsa_pub_size(key->desc));
    return wn_key_export_done(&pb, cb, arg);
}

#define SLHDSA_GET(P)                                            \
    P(bits, int, OSSL_PKEY_PARAM_BITS)                           \
    P(security_bits, int, OSSL_PKEY_PARAM_SECURITY_BITS)         \
    P(max_size, int, OSSL_PKEY_PARAM_MAX_SIZE)                   \
    P(category, int, OSSL_PKEY_PARAM_SECURITY_CATEGORY)          \
    P(digest, utf8_string, OSSL_PKEY_PARAM_MANDATORY_DIGEST)     \
    SLHDSA_KEYPAIR(P)
WN_PARAMS(slhdsa_get, SLHDSA_GET);

static const OSSL_PARAM *wn_slhdsa_gettable(void *vprov)
{
    (void)vprov;
    return slhdsa_get_list;
}

/* The empty mandatory digest lets EVP_DigestSign() be used without one. */
static int wn_slhdsa_get_params(void *vkey, OSSL_PARAM params[])
{
    const struct wn_slhdsa_key *key = vkey;
    const struct wn_slhdsa_desc *desc = key->desc;
    struct slhdsa_get p;

    return WN_PARAMS_SCAN(key->prov, slhdsa_get, params, &p)
        && wn_param_give_int(key->prov, p.bits, (int)(8 * wn_slhdsa_pub_size(desc)))
        && wn_param_give_int(key->prov, p.security_bits, (int)(8 * desc->n))
        && wn_param_give_int(key->prov, p.max_size, (int)desc->sig)
        && wn_param_give_int(key->prov, p.category, desc->category)
        && wn_param_give_utf8(key->prov, p.digest, "")
        && (!key->has_private
            || wn_param_give_octets(key->prov, p.priv, key->bytes, wn_slhdsa_priv_size(desc)))
        && (!key->has_public
            || wn_param_give_octets(key->prov, p.pub, wn_slhdsa_pub(key),
                                    wn_slhdsa_pub_size(desc)));
}

static void *wn_slhdsa_dup(const void *vkey, int selection)
{
    const struct wn_slhdsa_key *key = vkey;
    struct wn_slhdsa_key *copy = wn_slhdsa_key_new(key->prov, key->desc);
    const size_t half = wn_slhdsa_pub_size(key->desc);

    if (copy == NULL)
        return NULL;
    if (WN_SELECTS_KEYPAIR(selection) && key->has_public) {
        memcpy(copy->bytes + half, key->bytes + half, half);
        copy->has_public = 1;
    }
    if (WN_SELECTS_PRIVATE(selection) && key->has_private) {
        memcpy(copy->bytes, key->bytes, half);
        copy->has_private = 1;
    }
    return copy;
}

/* ---- generation --------------------------------------------------------------------- */

struct wn_slhdsa_gen {
    const struct wn_prov *prov;
    const struct wn_slhdsa_desc *desc;
    size_t seedlen;                     /* 0: a random seed */
    unsigned char seed[3 * WN_SLHDSA_MAX_N];
};

#define SLHDSA_GEN(P)                                      \
    P(propq, utf8_string, OSSL_PKEY_PARAM_PROPERTIES)      \
    P(seed, octet_string, OSSL_PKEY_PARAM_SLH_DSA_SEED)
WN_PARAMS(slhdsa_gen_set, SLHDSA_GEN);

static const OSSL_PARAM *wn_slhdsa_gen_settable(void *vgen, void *vprov)
{
    (void)vgen;
    (void)vprov;
    return slhdsa_gen_set_list;
}

/* As with the default provider a seed that is too long fails here, one that is too
 * short when it is used. */
static int wn_slhdsa_gen_set_params(void *vgen, const OSSL_PARAM params[])
{
    struct wn_slhdsa_gen *gen = vgen;
    const unsigned char *seed;
    struct slhdsa_gen_set p;
    size_t n;

    if (gen == NULL || !WN_PARAMS_SCAN(gen->prov, slhdsa_gen_set, params, &p))
        return 0;
    if (p.seed == NULL)
        return 1;
    if (!wn_param_get_octets(p.seed, &seed, &n) || n > sizeof(gen->seed)) {
        WN_RAISE(gen->prov, PROV_R_INVALID_SEED_LENGTH);
        return 0;
    }
    if (n != 0)
        memcpy(gen->seed, seed, n);
    gen->seedlen = n;
    return 1;
}

static void wn_slhdsa_gen_cleanup(void *vgen)
{
    struct wn_slhdsa_gen *gen = vgen;

    if (gen != NULL)
        wn_clear_free(gen->prov, gen, sizeof(*gen));
}

static void *gen_init(const struct wn_prov *prov, const OSSL_PARAM params[],
                      const struct wn_slhdsa_desc *desc)
{
    struct wn_slhdsa_gen *gen = wn_zalloc(prov, sizeof(*gen));

    if (gen == NULL)
        return NULL;
    gen->prov = prov;
    gen->desc = desc;
    if (!wn_slhdsa_gen_set_params(gen, params)) {
        wn_slhdsa_gen_cleanup(gen);
        return NULL;
    }
    return gen;
}

static void *wn_slhdsa_gen(void *vgen, OSSL_CALLBACK *cb, void *arg)
{
    const struct wn_slhdsa_gen *gen = vgen;
    struct wn_slhdsa_key *key;

    (void)cb;
    (void)arg;
    if (gen->seedlen != 0 && gen->seedlen != 3 * gen->desc->n) {
        WN_RAISE(gen->prov, PROV_R_INVALID_SEED_LENGTH);
        return NULL;
    }
    key = wn_slhdsa_key_new(gen->prov, gen->desc);
    if (key != NULL && !(gen->seedlen != 0 ? wn_slhdsa_key_from_seed(key, gen->seed)
                                           : wn_slhdsa_key_generate(key))) {
        WN_RAISE(gen->prov, PROV_R_FAILED_TO_GENERATE_KEY);
        wn_slhdsa_key_free(key);
        return NULL;
    }
    return key;
}

#define SLHDSA_KEYMGMT_COMMON                                                        \
    WN_FN(KEYMGMT_FREE, keymgmt_free, wn_slhdsa_free),                               \
    WN_FN(KEYMGMT_LOAD, keymgmt_load, wn_slhdsa_load),                               \
    WN_FN(KEYMGMT_GET_PARAMS, keymgmt_get_params, wn_slhdsa_get_params),             \
    WN_FN(KEYMGMT_GETTABLE_PARAMS, keymgmt_gettable_params, wn_slhdsa_gettable),     \
    WN_FN(KEYMGMT_HAS, keymgmt_has, wn_slhdsa_has),                                  \
    WN_FN(KEYMGMT_MATCH, keymgmt_match, wn_slhdsa_match),                            \
    WN_FN(KEYMGMT_VALIDATE, keymgmt_validate, wn_slhdsa_validate),                   \
    WN_FN(KEYMGMT_IMPORT, keymgmt_import, wn_slhdsa_import),                         \
    WN_FN(KEYMGMT_IMPORT_TYPES, keymgmt_import_types, wn_slhdsa_types),              \
    WN_FN(KEYMGMT_EXPORT, keymgmt_export, wn_slhdsa_export),                         \
    WN_FN(KEYMGMT_EXPORT_TYPES, keymgmt_export_types, wn_slhdsa_types),              \
    WN_FN(KEYMGMT_DUP, keymgmt_dup, wn_slhdsa_dup),                                  \
    WN_FN(KEYMGMT_GEN_SET_PARAMS, keymgmt_gen_set_params, wn_slhdsa_gen_set_params), \
    WN_FN(KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable_params, wn_slhdsa_gen_settable), \
    WN_FN(KEYMGMT_GEN, keymgmt_gen, wn_slhdsa_gen),                                  \
    WN_FN(KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup, wn_slhdsa_gen_cleanup)
#define SLHDSA_KEYMGMT(id, name, param, oid, n, sig, category)                       \
    static void *slhdsa_##id##_new(void *prov)                                       \
    { return wn_slhdsa_key_new(prov, &wn_slhdsa_##id##_desc); }                      \
    static void *slhdsa_##id##_gen_init(void *prov, int selection, const OSSL_PARAM params[]) \
    {                                                                                \
        (void)selection;                                                             \
        return gen_init(prov, params, &wn_slhdsa_##id##_desc);                       \
    }                                                                                \
    const OSSL_DISPATCH wn_slhdsa_##id##_keymgmt_functions[] = {                     \
        WN_FN(KEYMGMT_NEW, keymgmt_new, slhdsa_##id##_new),                          \
        WN_FN(KEYMGMT_GEN_INIT, keymgmt_gen_init, slhdsa_##id##_gen_init),           \
        SLHDSA_KEYMGMT_COMMON,                                                       \
        WN_FN_END                                                                    \
    };
WN_SLHDSA_SETS(SLHDSA_KEYMGMT)
