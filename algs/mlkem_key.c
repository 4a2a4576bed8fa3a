/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Key management of ML-KEM-512, -768 and -1024 (provider-keymgmt(7),
 * EVP_PKEY-ML-KEM(7)). See key.h for what may be written when.
 */
#include "mlkem.h"

#include <string.h>
#include <strings.h>

#include "../provider/alglist.h"
#include "../provider/config.h"

static void wn_mlkem_free(void *vkey)
{
    wn_mlkem_key_free(vkey);
}

static void *wn_mlkem_load(const void *reference, size_t size)
{
    return wn_key_take_reference(reference, size);
}

static int wn_mlkem_has(const void *vkey, int selection)
{
    const struct wn_mlkem_key *key = vkey;

    return key != NULL && (!WN_SELECTS_PUBLIC(selection) || key->ek != NULL)
        && (!WN_SELECTS_PRIVATE(selection) || wn_mlkem_has_private(key));
}

/* The public key decides: a private one always has it. */
static int wn_mlkem_match(const void *va, const void *vb, int selection)
{
    const struct wn_mlkem_key *a = va, *b = vb;

    if (!WN_SELECTS_KEYPAIR(selection))
        return 1;
    return a->desc == b->desc && (a->ek == NULL) == (b->ek == NULL)
        && (a->ek == NULL || memcmp(a->ek, b->ek, a->desc->ek) == 0);
}

static int wn_mlkem_validate(const void *vkey, int selection, int type)
{
    (void)type;
    if (!wn_mlkem_has(vkey, selection))
        return 0;
    /* the key is const, but decoding it is not visible */
    return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != OSSL_KEYMGMT_SELECT_KEYPAIR
        || wn_mlkem_pair_works((struct wn_mlkem_key *)vkey);
}

#define MLKEM_KEYPAIR(P)                                 \
    P(seed, octet_string, OSSL_PKEY_PARAM_ML_KEM_SEED)   \
    P(priv, octet_string, OSSL_PKEY_PARAM_PRIV_KEY)      \
    P(pub, octet_string, OSSL_PKEY_PARAM_PUB_KEY)
WN_PARAMS(mlkem_keypair, MLKEM_KEYPAIR);

static const OSSL_PARAM *wn_mlkem_types(int selection)
{
    return WN_SELECTS_KEYPAIR(selection) ? mlkem_keypair_list : NULL;
}

/* The octets of p, absent or empty: NULL. 0 with `reason` raised if the length is wrong. */
static int take_octets(const struct wn_mlkem_key *key, const OSSL_PARAM *p, size_t want,
                       int reason, const unsigned char **d)
{
    size_t n = 0;

    *d = NULL;
    if (!wn_param_take_octets(key->prov, p, d, &n))
        return 0;
    if (n == 0) {
        *d = NULL;
        return 1;
    }
    if (n != want)
        WN_RAISE(key->prov, reason);
    return n == want;
}

static int mismatch(const struct wn_mlkem_key *key, const char *what)
{
    WN_RAISE_MSG(key->prov, PROV_R_INVALID_KEY, "explicit %s %s", key->desc->name, what);
    return 0;
}

static int retained(struct wn_mlkem_key *key)
{
    return wn_config_flag(key->prov, OSSL_PKEY_PARAM_ML_KEM_RETAIN_SEED, 1)
        || wn_mlkem_key_drop_seed(key);
}

/* The pair-wise test that 3.5's option import_pct_type asks for. It says with which
 * random numbers; these are always fresh here. */
static int pair_tested(struct wn_mlkem_key *key)
{
    const char *type = wn_config_now(key->prov, OSSL_PKEY_PARAM_ML_KEM_IMPORT_PCT_TYPE);

    return (type != NULL && strcasecmp(type, "random") != 0 && strcasecmp(type, "fixed") != 0)
        || wn_mlkem_pair_works(key);
}

static int same_dk(struct wn_mlkem_key *key, const unsigned char *dk)
{
    unsigned char own[WC_ML_KEM_MAX_PRIVATE_KEY_SIZE];
    int same = wn_mlkem_key_get_dk(key, own) && wn_memcmp_ct(own, dk, key->desc->dk) == 0;

    wn_clear(own, sizeof(own));
    return same;
}

static int wn_mlkem_import(void *vkey, int selection, const OSSL_PARAM params[])
{
    struct wn_mlkem_key *key = vkey;
    const struct wn_mlkem_desc *desc;
    const unsigned char *seed, *dk, *ek;
    struct mlkem_keypair p;

    /* keys cannot be changed once they have a value */
    if (key == NULL || key->ek != NULL || !WN_SELECTS_KEYPAIR(selection)
        || !WN_PARAMS_SCAN(key->prov, mlkem_keypair, params, &p))
        return 0;
    desc = key->desc;
    if (!WN_SELECTS_PRIVATE(selection))
        p.seed = p.priv = NULL;
    if (!take_octets(key, p.seed, WN_MLKEM_SEED, PROV_R_INVALID_SEED_LENGTH, &seed)
        || !take_octets(key, p.priv, desc->dk, PROV_R_INVALID_KEY_LENGTH, &dk)
        || !take_octets(key, p.pub, desc->ek, PROV_R_INVALID_KEY_LENGTH, &ek))
        return 0;
    if (seed == NULL && dk == NULL && ek == NULL) {
        WN_RAISE(key->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    if (ek != NULL && dk != NULL && memcmp(ek, dk + 384 * desc->k, desc->ek) != 0)
        return mismatch(key, "public key does not match private");
    if (seed != NULL
        && (dk == NULL || wn_config_flag(key->prov, OSSL_PKEY_PARAM_ML_KEM_PREFER_SEED, 1)))
        return wn_mlkem_key_from_seed(key, seed)
            && (dk == NULL || same_dk(key, dk) || mismatch(key, "private key does not match seed"))
            && retained(key);
    if (dk != NULL)
        return wn_mlkem_key_from_dk(key, dk) && pair_tested(key);
    return wn_mlkem_key_from_ek(key, ek);
}

static int wn_mlkem_export(void *vkey, int selection, OSSL_CALLBACK *cb, void *arg)
{
    struct wn_mlkem_key *key = vkey;
    unsigned char dk[WC_ML_KEM_MAX_PRIVATE_KEY_SIZE];
    struct wn_pb pb;

    if (key == NULL || !WN_SELECTS_KEYPAIR(selection))
        return 0;
    if (key->ek == NULL) {
        WN_RAISE(key->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    wn_pb_init(&pb, key->prov);
    if (WN_SELECTS_PRIVATE(selection) && key->has_seed)
        wn_pb_octets(&pb, OSSL_PKEY_PARAM_ML_KEM_SEED, key->seed, sizeof(key->seed));
    if (WN_SELECTS_PRIVATE(selection) && wn_mlkem_has_private(key)) {
        if (!wn_mlkem_key_get_dk(key, dk)) {
            wn_pb_clear(&pb);
            return 0;
        }
        wn_pb_octets(&pb, OSSL_PKEY_PARAM_PRIV_KEY, dk, key->desc->dk);
        wn_clear(dk, key->desc->dk);
    }
    if (WN_SELECTS_PUBLIC(selection))
        wn_pb_octets(&pb, OSSL_PKEY_PARAM_PUB_KEY, key->ek, key->desc->ek);
    return wn_key_export_done(&pb, cb, arg);
}

#define MLKEM_GET(P)                                             \
    P(bits, int, OSSL_PKEY_PARAM_BITS)                           \
    P(security_bits, int, OSSL_PKEY_PARAM_SECURITY_BITS)         \
    P(max_size, int, OSSL_PKEY_PARAM_MAX_SIZE)                   \
    P(category, int, OSSL_PKEY_PARAM_SECURITY_CATEGORY)          \
    P(encoded, octet_string, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY) \
    P(ri_type, int, OSSL_PKEY_PARAM_CMS_RI_TYPE)                 \
    P(kdf, octet_string, OSSL_PKEY_PARAM_CMS_KEMRI_KDF_ALGORITHM) \
    MLKEM_KEYPAIR(P)
WN_PARAMS(mlkem_get, MLKEM_GET);

static const OSSL_PARAM *wn_mlkem_gettable(void *vprov)
{
    (void)vprov;
    return mlkem_get_list;
}

static int give_private(struct wn_mlkem_key *key, OSSL_PARAM *p)
{
    unsigned char dk[WC_ML_KEM_MAX_PRIVATE_KEY_SIZE];
    int ok;

    if (p == NULL || !wn_mlkem_has_private(key))
        return 1;
    ok = wn_mlkem_key_get_dk(key, dk) && wn_param_give_octets(key->prov, p, dk, key->desc->dk);
    wn_clear(dk, key->desc->dk);
    return ok;
}

/* CMS (RFC 9629, RFC 9936): CMS_RECIPINFO_KEM, and the AlgorithmIdentifier of
 * id-alg-hkdf-with-sha256, which is mandatory with ML-KEM. */
#define RI_KEM 5
static const unsigned char hkdf_sha256[] = { 0x30, 0x0d, 0x06, 0x0b, 0x2a, 0x86, 0x48, 0x86,
                                             0xf7, 0x0d, 0x01, 0x09, 0x10, 0x03, 0x1c };

static int wn_mlkem_get_params(void *vkey, OSSL_PARAM params[])
{
    struct wn_mlkem_key *key = vkey;
    const struct wn_mlkem_desc *desc = key->desc;
    struct mlkem_get p;

    return WN_PARAMS_SCAN(key->prov, mlkem_get, params, &p)
        && wn_param_give_int(key->prov, p.bits, desc->bits)
        && wn_param_give_int(key->prov, p.security_bits, desc->security_bits)
        && wn_param_give_int(key->prov, p.category, wn_mlkem_category(desc))
        && wn_param_give_int(key->prov, p.max_size, (int)desc->cipher)
        && wn_param_give_int(key->prov, p.ri_type, RI_KEM)
        && wn_param_give_octets(key->prov, p.kdf, hkdf_sha256, sizeof(hkdf_sha256))
        && (key->ek == NULL
            || (wn_param_give_octets(key->prov, p.pub, key->ek, desc->ek)
                && wn_param_give_octets(key->prov, p.encoded, key->ek, desc->ek)))
        && give_private(key, p.priv)
        && (!key->has_seed
            || wn_param_give_octets(key->prov, p.seed, key->seed, sizeof(key->seed)));
}

#define MLKEM_SET(P) P(encoded, octet_string, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY)
WN_PARAMS(mlkem_set, MLKEM_SET);

static const OSSL_PARAM *wn_mlkem_settable(void *vprov)
{
    (void)vprov;
    return mlkem_set_list;
}

/* A TLS client's key share, put into an empty key. */
static int wn_mlkem_set_params(void *vkey, const OSSL_PARAM params[])
{
    struct wn_mlkem_key *key = vkey;
    const unsigned char *ek;
    struct mlkem_set p;

    if (!WN_PARAMS_SCAN(key->prov, mlkem_set, params, &p))
        return 0;
    if (p.encoded == NULL)
        return 1;
    if (!take_octets(key, p.encoded, key->desc->ek, PROV_R_INVALID_KEY, &ek))
        return 0;
    if (ek == NULL) {           /* an empty one */
        WN_RAISE(key->prov, PROV_R_INVALID_KEY);
        return 0;
    }
    if (key->ek != NULL) {
        WN_RAISE_MSG(key->prov, PROV_R_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE,
                     "ML-KEM keys cannot be mutated");
        return 0;
    }
    return wn_mlkem_key_from_ek(key, ek);
}

static void *wn_mlkem_dup(const void *vkey, int selection)
{
    const struct wn_mlkem_key *key = vkey;
    struct wn_mlkem_key *copy = wn_mlkem_key_new(key->prov, key->desc);
    int ok = copy != NULL;

    if (ok && WN_SELECTS_KEYPAIR(selection) && key->ek != NULL) {
        copy->ek = wn_memdup(key->prov, key->ek, key->desc->ek);
        ok = copy->ek != NULL;
    }
    if (ok && WN_SELECTS_PRIVATE(selection)) {
        copy->dk = wn_memdup(key->prov, key->dk, key->desc->dk);
        ok = copy->dk != NULL || key->dk == NULL;
        memcpy(copy->seed, key->seed, sizeof(copy->seed));
        copy->has_seed = key->has_seed;
    }
    if (!ok) {
        wn_mlkem_key_free(copy);
        return NULL;
    }
    return copy;
}

/* ---- generation --------------------------------------------------------------------- */

struct wn_mlkem_gen {
    const struct wn_prov *prov;
    const struct wn_mlkem_desc *desc;
    int selection, has_seed;
    unsigned char seed[WN_MLKEM_SEED];
};

#define MLKEM_GEN(P) P(seed, octet_string, OSSL_PKEY_PARAM_ML_KEM_SEED)
WN_PARAMS(mlkem_gen_set, MLKEM_GEN);

static const OSSL_PARAM *wn_mlkem_gen_settable(void *vgen, void *vprov)
{
    (void)vgen;
    (void)vprov;
    return mlkem_gen_set_list;
}

static int wn_mlkem_gen_set_params(void *vgen, const OSSL_PARAM params[])
{
    struct wn_mlkem_gen *gen = vgen;
    const unsigned char *seed;
    struct mlkem_gen_set p;
    size_t n;

    if (gen == NULL || !WN_PARAMS_SCAN(gen->prov, mlkem_gen_set, params, &p))
        return 0;
    if (p.seed == NULL)
        return 1;
    if (!wn_param_get_octets(p.seed, &seed, &n) || n != WN_MLKEM_SEED) {
        WN_RAISE(gen->prov, PROV_R_INVALID_SEED_LENGTH);
        return 0;
    }
    memcpy(gen->seed, seed, n);
    gen->has_seed = 1;
    return 1;
}

static void wn_mlkem_gen_cleanup(void *vgen)
{
    struct wn_mlkem_gen *gen = vgen;

    if (gen != NULL)
        wn_clear_free(gen->prov, gen, sizeof(*gen));
}

static void *gen_init(const struct wn_prov *prov, int selection, const OSSL_PARAM params[],
                      const struct wn_mlkem_desc *desc)
{
    struct wn_mlkem_gen *gen;

    /* only pairs can be made; parameters alone are an empty key */
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == OSSL_KEYMGMT_SELECT_PUBLIC_KEY
        || (gen = wn_zalloc(prov, sizeof(*gen))) == NULL)
        return NULL;
    gen->prov = prov;
    gen->desc = desc;
    gen->selection = selection;
    if (!wn_mlkem_gen_set_params(gen, params)) {
        wn_mlkem_gen_cleanup(gen);
        return NULL;
    }
    return gen;
}

static void *wn_mlkem_gen(void *vgen, OSSL_CALLBACK *cb, void *arg)
{
    struct wn_mlkem_gen *gen = vgen;
    struct wn_mlkem_key *key = wn_mlkem_key_new(gen->prov, gen->desc);
    int ok = key != NULL;

    (void)cb;
    (void)arg;
    if (ok && WN_SELECTS_KEYPAIR(gen->selection))
        ok = (gen->has_seed ? wn_mlkem_key_from_seed(key, gen->seed) : wn_mlkem_key_generate(key))
            && retained(key);
    /* a seed serves once */
    wn_clear(gen->seed, sizeof(gen->seed));
    gen->has_seed = 0;
    if (!ok) {
        wn_mlkem_key_free(key);
        return NULL;
    }
    return key;
}

#define MLKEM_KEYMGMT(n)                                                             \
    static void *mlkem##n##_new(void *prov)                                          \
    { return wn_mlkem_key_new(prov, &wn_mlkem##n##_desc); }                          \
    static void *mlkem##n##_gen_init(void *prov, int selection, const OSSL_PARAM params[]) \
    { return gen_init(prov, selection, params, &wn_mlkem##n##_desc); }               \
    const OSSL_DISPATCH wn_mlkem##n##_keymgmt_functions[] = {                        \
        WN_FN(KEYMGMT_NEW, keymgmt_new, mlkem##n##_new),                             \
        WN_FN(KEYMGMT_GEN_INIT, keymgmt_gen_init, mlkem##n##_gen_init),              \
        MLKEM_KEYMGMT_COMMON,                                                        \
        WN_FN_END                                                                    \
    };
#define MLKEM_KEYMGMT_COMMON                                                         \
    WN_FN(KEYMGMT_FREE, keymgmt_free, wn_mlkem_free),                                \
    WN_FN(KEYMGMT_LOAD, keymgmt_load, wn_mlkem_load),                                \
    WN_FN(KEYMGMT_GET_PARAMS, keymgmt_get_params, wn_mlkem_get_params),              \
    WN_FN(KEYMGMT_GETTABLE_PARAMS, keymgmt_gettable_params, wn_mlkem_gettable),      \
    WN_FN(KEYMGMT_SET_PARAMS, keymgmt_set_params, wn_mlkem_set_params),              \
    WN_FN(KEYMGMT_SETTABLE_PARAMS, keymgmt_settable_params, wn_mlkem_settable),      \
    WN_FN(KEYMGMT_HAS, keymgmt_has, wn_mlkem_has),                                   \
    WN_FN(KEYMGMT_MATCH, keymgmt_match, wn_mlkem_match),                             \
    WN_FN(KEYMGMT_VALIDATE, keymgmt_validate, wn_mlkem_validate),                    \
    WN_FN(KEYMGMT_IMPORT, keymgmt_import, wn_mlkem_import),                          \
    WN_FN(KEYMGMT_IMPORT_TYPES, keymgmt_import_types, wn_mlkem_types),               \
    WN_FN(KEYMGMT_EXPORT, keymgmt_export, wn_mlkem_export),                          \
    WN_FN(KEYMGMT_EXPORT_TYPES, keymgmt_export_types, wn_mlkem_types),               \
    WN_FN(KEYMGMT_DUP, keymgmt_dup, wn_mlkem_dup),                                   \
    WN_FN(KEYMGMT_GEN_SET_PARAMS, keymgmt_gen_set_params, wn_mlkem_gen_set_params),  \
    WN_FN(KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable_params, wn_mlkem_gen_settable), \
    WN_FN(KEYMGMT_GEN, keymgmt_gen, wn_mlkem_gen),                                   \
    WN_FN(KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup, wn_mlkem_gen_cleanup)

MLKEM_KEYMGMT(512)
MLKEM_KEYMGMT(768)
MLKEM_KEYMGMT(1024)
