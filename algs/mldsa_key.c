/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Key management of ML-DSA-44, -65 and -87 (provider-keymgmt(7),
 * EVP_PKEY-ML-DSA(7)). See key.h for what may be written when.
 */
#include "mldsa.h"

#include <string.h>

#include "../provider/alglist.h"
#include "../provider/config.h"

static void wn_mldsa_free(void *vkey)
{
    wn_mldsa_key_free(vkey);
}

static void *wn_mldsa_load(const void *reference, size_t size)
{
    return wn_key_take_reference(reference, size);
}

static int wn_mldsa_has(const void *vkey, int selection)
{
    const struct wn_mldsa_key *key = vkey;

    return key != NULL && (!WN_SELECTS_KEYPAIR(selection)
                           || (key->pub != NULL
                               && (!WN_SELECTS_PRIVATE(selection) || key->has_private)));
}

/* The public key decides: a private one always has it. */
static int wn_mldsa_match(const void *va, const void *vb, int selection)
{
    const struct wn_mldsa_key *a = va, *b = vb;

    if (a == NULL || b == NULL || a->desc != b->desc)
        return 0;
    if (!WN_SELECTS_KEYPAIR(selection))
        return 1;
    if (a->pub == NULL || b->pub == NULL
        || (!WN_SELECTS_PUBLIC(selection) && !(a->has_private && b->has_private)))
        return 0;
    return memcmp(a->pub, b->pub, a->desc->pub) == 0;
}

/* A private key was checked against its public key when it was made. */
static int wn_mldsa_validate(const void *vkey, int selection, int type)
{
    (void)type;
    return wn_mldsa_has(vkey, selection);
}

#define MLDSA_KEYPAIR(P)                                 \
    P(seed, octet_string, OSSL_PKEY_PARAM_ML_DSA_SEED)   \
    P(pub, octet_string, OSSL_PKEY_PARAM_PUB_KEY)        \
    P(priv, octet_string, OSSL_PKEY_PARAM_PRIV_KEY)
WN_PARAMS(mldsa_keypair, MLDSA_KEYPAIR);

static const OSSL_PARAM *wn_mldsa_types(int selection)
{
    return WN_SELECTS_KEYPAIR(selection) ? mldsa_keypair_list : NULL;
}

/* The octets of p, absent: NULL. 0 with a reason if the length is wrong; from 4.0 on an
 * empty value is an absent one. */
static int take_octets(const struct wn_mldsa_key *key, const OSSL_PARAM *p, size_t want,
                       const char *what, const unsigned char **d)
{
    size_t n = 0;

    *d = NULL;
    if (!wn_param_take_octets(key->prov, p, d, &n))
        return 0;
    if (n == 0 && (*d == NULL || key->prov->core_version >= WN_CORE_VERSION(4, 0))) {
        *d = NULL;
        return 1;
    }
    if (n != want && what == NULL)
        WN_RAISE(key->prov, PROV_R_INVALID_SEED_LENGTH);
    else if (n != want)
        WN_RAISE_MSG(key->prov, PROV_R_INVALID_KEY_LENGTH, "Invalid %s %s length",
                     key->desc->name, what);
    return n == want;
}

/* Are the given private and public key what the object has now? */
static int agrees(const struct wn_mldsa_key *key, const unsigned char *priv,
                  const unsigned char *pub)
{
    const char *wrong = NULL;

    if (priv != NULL && wn_memcmp_ct(priv, wn_mldsa_key_priv(key), key->desc->priv) != 0)
        wrong = "private key does not match seed";
    else if (pub != NULL && memcmp(pub, key->pub, key->desc->pub) != 0)
        wrong = "public key does not match private";
    if (wrong != NULL)
        WN_RAISE_MSG(key->prov, PROV_R_INVALID_KEY, "explicit %s %s", key->desc->name, wrong);
    return wrong == NULL;
}

/* The decoded key has all that is needed. */
static void drop_seed_unless_retained(struct wn_mldsa_key *key)
{
    if (wn_config_flag(key->prov, OSSL_PKEY_PARAM_ML_DSA_RETAIN_SEED, 1))
        return;
    wn_clear(key->seed, sizeof(key->seed));
    key->has_seed = 0;
}

static int wn_mldsa_import(void *vkey, int selection, const OSSL_PARAM params[])
{
    struct wn_mldsa_key *key = vkey, *made;
    const unsigned char *seed, *priv, *pub;
    struct mldsa_keypair p;
    int ok;

    /* keys cannot be changed once they have a value */
    if (key == NULL || key->pub != NULL || !WN_SELECTS_KEYPAIR(selection)
        || !WN_PARAMS_SCAN(key->prov, mldsa_keypair, params, &p))
        return 0;
    if (!WN_SELECTS_PRIVATE(selection))
        p.seed = p.priv = NULL;
    if (!take_octets(key, p.pub, key->desc->pub, "public key", &pub)
        || !take_octets(key, p.seed, WN_MLDSA_SEED, NULL, &seed)
        || !take_octets(key, p.priv, key->desc->priv, "private key", &priv))
        return 0;
    if (seed == NULL && priv == NULL && pub == NULL) {
        WN_RAISE(key->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    if (seed == NULL && priv == NULL)
        return wn_mldsa_key_from_pub(key, pub);
    if (priv != NULL && seed != NULL
        && !wn_config_flag(key->prov, OSSL_PKEY_PARAM_ML_DSA_PREFER_SEED, 1))
        seed = NULL;
    /* the object stays empty unless all parts agree */
    made = wn_mldsa_key_new(key->prov, key->desc);
    ok = made != NULL
        && (seed != NULL ? wn_mldsa_key_from_seed(made, seed) : wn_mldsa_key_from_priv(made, priv))
        && agrees(made, seed != NULL ? priv : NULL, pub);
    if (ok) {
        drop_seed_unless_retained(made);
        key->pub = made->pub;
        made->pub = NULL;
        key->has_private = made->has_private;
        key->has_seed = made->has_seed;
        memcpy(key->seed, made->seed, sizeof(key->seed));
        atomic_store_explicit(&key->decoded,
                              atomic_exchange_explicit(&made->decoded, NULL,
                                                       memory_order_relaxed),
                              memory_order_release);
    }
    wn_mldsa_key_free(made);
    return ok;
}

static int wn_mldsa_export(void *vkey, int selection, OSSL_CALLBACK *cb, void *arg)
{
    const struct wn_mldsa_key *key = vkey;
    struct wn_pb pb;

    if (key == NULL || !WN_SELECTS_KEYPAIR(selection) || key->pub == NULL
        || (!WN_SELECTS_PUBLIC(selection) && !key->has_private))
        return 0;
    wn_pb_init(&pb, key->prov);
    if (WN_SELECTS_PRIVATE(selection) && key->has_seed)
        wn_pb_octets(&pb, OSSL_PKEY_PARAM_ML_DSA_SEED, key->seed, sizeof(key->seed));
    if (WN_SELECTS_PRIVATE(selection) && key->has_private)
        wn_pb_octets(&pb, OSSL_PKEY_PARAM_PRIV_KEY, wn_mldsa_key_priv(key), key->desc->priv);
    if (WN_SELECTS_PUBLIC(selection))
        wn_pb_octets(&pb, OSSL_PKEY_PARAM_PUB_KEY, key->pub, key->desc->pub);
    return wn_key_export_done(&pb, cb, arg);
}

#define MLDSA_GET(P)                                             \
    P(bits, int, OSSL_PKEY_PARAM_BITS)                           \
    P(security_bits, int, OSSL_PKEY_PARAM_SECURITY_BITS)         \
    P(max_size, int, OSSL_PKEY_PARAM_MAX_SIZE)                   \
    P(category, int, OSSL_PKEY_PARAM_SECURITY_CATEGORY)          \
    P(digest, utf8_string, OSSL_PKEY_PARAM_MANDATORY_DIGEST)     \
    MLDSA_KEYPAIR(P)
WN_PARAMS(mldsa_get, MLDSA_GET);

static const OSSL_PARAM *wn_mldsa_gettable(void *vprov)
{
    (void)vprov;
    return mldsa_get_list;
}

/* The empty mandatory digest lets EVP_DigestSign() be used without one. */
static int wn_mldsa_get_params(void *vkey, OSSL_PARAM params[])
{
    const struct wn_mldsa_key *key = vkey;
    const struct wn_mldsa_desc *desc = key->desc;
    struct mldsa_get p;

    return WN_PARAMS_SCAN(key->prov, mldsa_get, params, &p)
        && wn_param_give_int(key->prov, p.bits, (int)(8 * desc->pub))
        && wn_param_give_int(key->prov, p.security_bits, desc->security_bits)
        && wn_param_give_int(key->prov, p.max_size, (int)desc->sig)
        && wn_param_give_int(key->prov, p.category, desc->category)
        && wn_param_give_utf8(key->prov, p.digest, "")
        && (!key->has_seed
            || wn_param_give_octets(key->prov, p.seed, key->seed, sizeof(key->seed)))
        && (!key->has_private
            || wn_param_give_octets(key->prov, p.priv, wn_mldsa_key_priv(key), desc->priv))
        && (key->pub == NULL || wn_param_give_octets(key->prov, p.pub, key->pub, desc->pub));
}

static void *wn_mldsa_dup(const void *vkey, int selection)
{
    const struct wn_mldsa_key *key = vkey;
    struct wn_mldsa_key *copy = wn_mldsa_key_new(key->prov, key->desc);
    int ok = copy != NULL;

    if (ok && WN_SELECTS_PRIVATE(selection) && key->has_private)
        ok = key->has_seed ? wn_mldsa_key_from_seed(copy, key->seed)
                           : wn_mldsa_key_from_priv(copy, wn_mldsa_key_priv(key));
    else if (ok && WN_SELECTS_KEYPAIR(selection) && key->pub != NULL)
        ok = wn_mldsa_key_from_pub(copy, key->pub);
    if (!ok) {
        wn_mldsa_key_free(copy);
        return NULL;
    }
    return copy;
}

/* ---- generation --------------------------------------------------------------------- */

struct wn_mldsa_gen {
    const struct wn_prov *prov;
    const struct wn_mldsa_desc *desc;
    int has_seed;
    unsigned char seed[WN_MLDSA_SEED];
};

#define MLDSA_GEN(P)                                       \
    P(propq, utf8_string, OSSL_PKEY_PARAM_PROPERTIES)      \
    P(seed, octet_string, OSSL_PKEY_PARAM_ML_DSA_SEED)
WN_PARAMS(mldsa_gen_set, MLDSA_GEN);

static const OSSL_PARAM *wn_mldsa_gen_settable(void *vgen, void *vprov)
{
    (void)vgen;
    (void)vprov;
    return mldsa_gen_set_list;
}

static int wn_mldsa_gen_set_params(void *vgen, const OSSL_PARAM params[])
{
    struct wn_mldsa_gen *gen = vgen;
    const unsigned char *seed;
    struct mldsa_gen_set p;
    size_t n;

    if (gen == NULL || !WN_PARAMS_SCAN(gen->prov, mldsa_gen_set, params, &p))
        return 0;
    if (p.seed == NULL)
        return 1;
    if (!wn_param_get_octets(p.seed, &seed, &n) || n != WN_MLDSA_SEED) {
        WN_RAISE(gen->prov, PROV_R_INVALID_SEED_LENGTH);
        return 0;
    }
    memcpy(gen->seed, seed, n);
    gen->has_seed = 1;
    return 1;
}

static void wn_mldsa_gen_cleanup(void *vgen)
{
    struct wn_mldsa_gen *gen = vgen;

    if (gen != NULL)
        wn_clear_free(gen->prov, gen, sizeof(*gen));
}

static void *gen_init(const struct wn_prov *prov, const OSSL_PARAM params[],
                      const struct wn_mldsa_desc *desc)
{
    struct wn_mldsa_gen *gen = wn_zalloc(prov, sizeof(*gen));

    if (gen == NULL)
        return NULL;
    gen->prov = prov;
    gen->desc = desc;
    if (!wn_mldsa_gen_set_params(gen, params)) {
        wn_mldsa_gen_cleanup(gen);
        return NULL;
    }
    return gen;
}

static void *wn_mldsa_gen(void *vgen, OSSL_CALLBACK *cb, void *arg)
{
    struct wn_mldsa_gen *gen = vgen;
    struct wn_mldsa_key *key = wn_mldsa_key_new(gen->prov, gen->desc);

    (void)cb;
    (void)arg;
    if (key == NULL)
        return NULL;
    if (!(gen->has_seed ? wn_mldsa_key_from_seed(key, gen->seed) : wn_mldsa_key_generate(key))) {
        WN_RAISE(gen->prov, PROV_R_FAILED_TO_GENERATE_KEY);
        wn_mldsa_key_free(key);
        return NULL;
    }
    drop_seed_unless_retained(key);
    return key;
}

#define MLDSA_KEYMGMT(n)                                                             \
    static void *mldsa##n##_new(void *prov)                                          \
    { return wn_mldsa_key_new(prov, &wn_mldsa##n##_desc); }                          \
    static void *mldsa##n##_gen_init(void *prov, int selection, const OSSL_PARAM params[]) \
    {                                                                                \
        (void)selection;                                                             \
        return gen_init(prov, params, &wn_mldsa##n##_desc);                          \
    }                                                                                \
    const OSSL_DISPATCH wn_mldsa##n##_keymgmt_functions[] = {                        \
        WN_FN(KEYMGMT_NEW, keymgmt_new, mldsa##n##_new),                             \
        WN_FN(KEYMGMT_GEN_INIT, keymgmt_gen_init, mldsa##n##_gen_init),              \
        MLDSA_KEYMGMT_COMMON,                                                        \
        WN_FN_END                                                                    \
    };
#define MLDSA_KEYMGMT_COMMON                                                         \
    WN_FN(KEYMGMT_FREE, keymgmt_free, wn_mldsa_free),                                \
    WN_FN(KEYMGMT_LOAD, keymgmt_load, wn_mldsa_load),                                \
    WN_FN(KEYMGMT_GET_PARAMS, keymgmt_get_params, wn_mldsa_get_params),              \
    WN_FN(KEYMGMT_GETTABLE_PARAMS, keymgmt_gettable_params, wn_mldsa_gettable),      \
    WN_FN(KEYMGMT_HAS, keymgmt_has, wn_mldsa_has),                                   \
    WN_FN(KEYMGMT_MATCH, keymgmt_match, wn_mldsa_match),                             \
    WN_FN(KEYMGMT_VALIDATE, keymgmt_validate, wn_mldsa_validate),                    \
    WN_FN(KEYMGMT_IMPORT, keymgmt_import, wn_mldsa_import),                          \
    WN_FN(KEYMGMT_IMPORT_TYPES, keymgmt_import_types, wn_mldsa_types),               \
    WN_FN(KEYMGMT_EXPORT, keymgmt_export, wn_mldsa_export),                          \
    WN_FN(KEYMGMT_EXPORT_TYPES, keymgmt_export_types, wn_mldsa_types),               \
    WN_FN(KEYMGMT_DUP, keymgmt_dup, wn_mldsa_dup),                                   \
    WN_FN(KEYMGMT_GEN_SET_PARAMS, keymgmt_gen_set_params, wn_mldsa_gen_set_params),  \
    WN_FN(KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable_params, wn_mldsa_gen_settable), \
    WN_FN(KEYMGMT_GEN, keymgmt_gen, wn_mldsa_gen),                                   \
    WN_FN(KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup, wn_mldsa_gen_cleanup)

MLDSA_KEYMGMT(44)
MLDSA_KEYMGMT(65)
MLDSA_KEYMGMT(87)
