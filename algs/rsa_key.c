/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Key management of RSA and RSA-PSS (provider-keymgmt(7), EVP_PKEY-RSA(7)).
 * Generation is in rsa_gen.c. See key.h for what may be written when.
 */
#include "rsa.h"

#include <string.h>
#include <strings.h>

#include <openssl/rsaerr.h>

#include "../provider/alglist.h"
#include "rsa_key.h"

/* ---- RSASSA-PSS parameters ------------------------------------------------- */

/* RFC 4055 section 3.1: SHA-1, MGF1 with SHA-1, 20 bytes of salt */
void wn_rsa_pss_defaults(struct wn_rsa_pss *pss)
{
    pss->restricted = 1;
    pss->md = pss->mgf1_md = wn_md_find("SHA1");
    pss->saltlen = 20;
}

/* The digests that have an RSASSA-PSS identifier in OpenSSL. */
static const struct wn_md_desc *pss_digest(const OSSL_PARAM *p)
{
    static const char *const allowed[] = {
        "SHA1", "SHA2-224", "SHA2-256", "SHA2-384", "SHA2-512", "SHA2-512/224", "SHA2-512/256"
    };
    const struct wn_md_desc *md;
    char name[WN_MD_NAME_MAX];
    size_t i;

    if (!wn_param_get_utf8(p, name, sizeof(name)) || (md = wn_md_find(name)) == NULL)
        return NULL;
    for (i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
        if (md == wn_md_find(allowed[i]))
            return md;
    return NULL;
}

int wn_rsa_pss_take(const struct wn_prov *prov, const OSSL_PARAM params[], struct wn_rsa_pss *pss)
{
    struct wn_rsa_pss v = *pss;
    struct rsa_pss_params p;
    char mgf[16];

    if (!WN_PARAMS_SCAN(prov, rsa_pss_params, params, &p))
        return 0;
    if (p.md == NULL && p.mgf == NULL && p.mgf1_md == NULL && p.saltlen == NULL)
        return 1;
    if (!v.restricted)
        wn_rsa_pss_defaults(&v);
    if (p.mgf != NULL && (!wn_param_get_utf8(p.mgf, mgf, sizeof(mgf))
                          || strcasecmp(mgf, "MGF1") != 0)) {
        WN_RAISE(prov, PROV_R_INVALID_MGF1_MD);
        return 0;
    }
    if ((p.md != NULL && (v.md = pss_digest(p.md)) == NULL)
        || (p.mgf1_md != NULL && (v.mgf1_md = pss_digest(p.mgf1_md)) == NULL)) {
        WN_RAISE(prov, PROV_R_INVALID_DIGEST);
        return 0;
    }
    if (!wn_param_take_int(prov, p.saltlen, &v.saltlen))
        return 0;
    *pss = v;
    return 1;
}

/* Defaults are left out, save the salt length, which marks the restriction. */
static void export_pss(const struct wn_rsa_pss *pss, struct wn_pb *pb)
{
    struct wn_rsa_pss defaults;
    char name[WN_MD_NAME_MAX];

    if (!pss->restricted)
        return;
    wn_rsa_pss_defaults(&defaults);
    if (pss->md != defaults.md)
        wn_pb_utf8(pb, OSSL_PKEY_PARAM_RSA_DIGEST, wn_md_name(pss->md, name));
    if (pss->mgf1_md != defaults.mgf1_md)
        wn_pb_utf8(pb, OSSL_PKEY_PARAM_RSA_MGF1_DIGEST, wn_md_name(pss->mgf1_md, name));
    wn_pb_int(pb, OSSL_PKEY_PARAM_RSA_PSS_SALTLEN, pss->saltlen);
}

/* ---- numbers as parameters ---------------------------------------------------- */

#define FACTORS(P)                                                   \
    P(factor[0], bn, "rsa-factor1") P(factor[1], bn, "rsa-factor2")  \
    P(factor[2], bn, "rsa-factor3") P(factor[3], bn, "rsa-factor4")  \
    P(factor[4], bn, "rsa-factor5") P(factor[5], bn, "rsa-factor6")  \
    P(factor[6], bn, "rsa-factor7") P(factor[7], bn, "rsa-factor8")  \
    P(factor[8], bn, "rsa-factor9") P(factor[9], bn, "rsa-factor10")
#define EXPONENTS(P)                                                     \
    P(exponent[0], bn, "rsa-exponent1") P(exponent[1], bn, "rsa-exponent2") \
    P(exponent[2], bn, "rsa-exponent3") P(exponent[3], bn, "rsa-exponent4") \
    P(exponent[4], bn, "rsa-exponent5") P(exponent[5], bn, "rsa-exponent6") \
    P(exponent[6], bn, "rsa-exponent7") P(exponent[7], bn, "rsa-exponent8") \
    P(exponent[8], bn, "rsa-exponent9") P(exponent[9], bn, "rsa-exponent10")
/* coefficient i belongs to prime i + 1 */
#define COEFFICIENTS(P)                                                          \
    P(coefficient[0], bn, "rsa-coefficient1") P(coefficient[1], bn, "rsa-coefficient2") \
    P(coefficient[2], bn, "rsa-coefficient3") P(coefficient[3], bn, "rsa-coefficient4") \
    P(coefficient[4], bn, "rsa-coefficient5") P(coefficient[5], bn, "rsa-coefficient6") \
    P(coefficient[6], bn, "rsa-coefficient7") P(coefficient[7], bn, "rsa-coefficient8") \
    P(coefficient[8], bn, "rsa-coefficient9")
#define NUMBERS(P)                       \
    P(n, bn, OSSL_PKEY_PARAM_RSA_N)      \
    P(e, bn, OSSL_PKEY_PARAM_RSA_E)      \
    P(d, bn, OSSL_PKEY_PARAM_RSA_D)

/* The located parameters, in the order of the keys below. */
struct rsa_numbers {
    OSSL_PARAM *n, *e, *d;
    OSSL_PARAM *factor[WN_RSA_MAX_PRIMES];
    OSSL_PARAM *exponent[WN_RSA_MAX_PRIMES];
    OSSL_PARAM *coefficient[WN_RSA_MAX_PRIMES - 1];
};
static const OSSL_PARAM rsa_numbers_list[] = {
    NUMBERS(WN_PARAM_DESC_) FACTORS(WN_PARAM_DESC_) EXPONENTS(WN_PARAM_DESC_)
    COEFFICIENTS(WN_PARAM_DESC_) OSSL_PARAM_END
};
static const char *const rsa_numbers_keys[] = {
    NUMBERS(WN_PARAM_KEY_) FACTORS(WN_PARAM_KEY_) EXPONENTS(WN_PARAM_KEY_)
    COEFFICIENTS(WN_PARAM_KEY_)
};
static const char *const factor_keys[] = { FACTORS(WN_PARAM_KEY_) };
static const char *const exponent_keys[] = { EXPONENTS(WN_PARAM_KEY_) };
static const char *const coefficient_keys[] = { COEFFICIENTS(WN_PARAM_KEY_) };

static const OSSL_PARAM *wn_rsa_types(int selection)
{
    return WN_SELECTS_KEYPAIR(selection) ? rsa_numbers_list : NULL;
}

/* *to = p as a number; absent is fine. */
static int take(const struct wn_rsa_key *key, const OSSL_PARAM *p, mp_int **to)
{
    if (p == NULL)
        return 1;
    *to = wn_num_from_param(key->prov, p);
    return *to != NULL;
}

/* Factors come without gaps; with two or more, all CRT numbers or none. */
static int import_primes(struct wn_rsa_key *key, const struct rsa_numbers *p)
{
    unsigned i, n = 0, exponents = 0, coefficients = 0;

    while (n < WN_RSA_MAX_PRIMES && p->factor[n] != NULL)
        n++;
    for (i = 0; i < WN_RSA_MAX_PRIMES; i++) {
        exponents += p->exponent[i] != NULL;
        coefficients += i + 1 < WN_RSA_MAX_PRIMES && p->coefficient[i] != NULL;
    }
    if (n == 0)
        return 1;
    if (n < 2 || (exponents != 0 && exponents != n) || (coefficients != 0 && coefficients != n - 1)
        || (exponents == 0) != (coefficients == 0)) {
        WN_RAISE_LIB(key->prov, ERR_LIB_RSA, RSA_R_INVALID_MULTI_PRIME_KEY);
        return 0;
    }
    key->n_primes = n;
    for (i = 0; i < n; i++)
        if (!take(key, p->factor[i], &key->prime[i].factor)
            || !take(key, p->exponent[i], &key->prime[i].exponent)
            || (i > 0 && !take(key, p->coefficient[i - 1], &key->prime[i].coefficient)))
            return 0;
    return 1;
}

static int wn_rsa_import(void *vkey, int selection, const OSSL_PARAM params[])
{
    struct wn_rsa_key *key = vkey;
    struct rsa_numbers p;

    if (key == NULL || (selection & WN_RSA_SELECTIONS) == 0)
        return 0;
    if (WN_SELECTS_OTHER(selection)) {
        struct wn_rsa_pss pss = key->pss;

        if (!wn_rsa_pss_take(key->prov, params, &pss))
            return 0;
        /* PSS restrictions make no sense for a plain RSA key */
        if (pss.restricted && !key->is_pss) {
            WN_RAISE(key->prov, PROV_R_INVALID_KEY);
            return 0;
        }
        key->pss = pss;
    }
    if (!WN_SELECTS_KEYPAIR(selection))
        return 1;
    if (!wn_params_scan(key->prov, params, rsa_numbers_keys,
                        sizeof(rsa_numbers_keys) / sizeof(rsa_numbers_keys[0]),
                        (OSSL_PARAM **)(void *)&p, 0))
        return 0;
    if (p.n == NULL || p.e == NULL) {
        WN_RAISE_LIB(key->prov, ERR_LIB_RSA, ERR_R_PASSED_NULL_PARAMETER);
        return 0;
    }
    if (!take(key, p.n, &key->n) || !take(key, p.e, &key->e))
        return 0;
    if (WN_SELECTS_PRIVATE(selection) && p.d != NULL
        && (!take(key, p.d, &key->d) || !import_primes(key, &p)))
        return 0;
    return wn_rsa_key_ready(key);
}

/* ---- export and parameters ------------------------------------------------------ */

/* Adds one number; private ones as wide as the modulus or the prime. */
static void put(struct wn_pb *pb, const char *name, const mp_int *a, size_t width)
{
    unsigned char be[WN_RSA_MAX_SIZE];
    size_t n;

    if (a == NULL)
        return;
    n = (size_t)mp_unsigned_bin_size(a);
    wn_num_bytes(a, be, n);
    wn_pb_bn(pb, name, be, n, width);
    wn_clear(be, n);
}

int wn_rsa_export(void *vkey, int selection, OSSL_CALLBACK *cb, void *arg)
{
    const struct wn_rsa_key *key = vkey;
    struct wn_pb pb;
    unsigned i;

    if (key == NULL || (selection & WN_RSA_SELECTIONS) == 0)
        return 0;
    wn_pb_init(&pb, key->prov);
    if (WN_SELECTS_OTHER(selection))
        export_pss(&key->pss, &pb);
    if (WN_SELECTS_KEYPAIR(selection)) {
        put(&pb, OSSL_PKEY_PARAM_RSA_N, key->n, 0);
        put(&pb, OSSL_PKEY_PARAM_RSA_E, key->e, 0);
    }
    if (WN_SELECTS_PRIVATE(selection) && key->d != NULL) {
        put(&pb, OSSL_PKEY_PARAM_RSA_D, key->d, key->size);
        for (i = 0; i < key->n_primes; i++) {
            size_t width = (size_t)mp_unsigned_bin_size(key->prime[i].factor);

            put(&pb, factor_keys[i], key->prime[i].factor, width);
            put(&pb, exponent_keys[i], key->prime[i].exponent, width);
            if (i > 0)
                put(&pb, coefficient_keys[i - 1], key->prime[i].coefficient, width);
        }
    }
    return wn_key_export_done(&pb, cb, arg);
}

#define RSA_GET(P)                                                   \
    WN_KEY_CATEGORY(P)                                               \
    P(bits, int, OSSL_PKEY_PARAM_BITS)                               \
    P(security_bits, int, OSSL_PKEY_PARAM_SECURITY_BITS)             \
    P(max_size, int, OSSL_PKEY_PARAM_MAX_SIZE)                       \
    P(default_digest, utf8_string, OSSL_PKEY_PARAM_DEFAULT_DIGEST)   \
    P(mandatory_digest, utf8_string, OSSL_PKEY_PARAM_MANDATORY_DIGEST)
WN_PARAMS(rsa_get, RSA_GET);

static const OSSL_PARAM *wn_rsa_gettable(void *vprov)
{
    static const OSSL_PARAM list[] = {
        RSA_GET(WN_PARAM_DESC_) NUMBERS(WN_PARAM_DESC_) FACTORS(WN_PARAM_DESC_)
        EXPONENTS(WN_PARAM_DESC_) COEFFICIENTS(WN_PARAM_DESC_) OSSL_PARAM_END
    };

    (void)rsa_get_list;
    return wn_key_gettable(vprov, list);
}

static int give(const struct wn_rsa_key *key, OSSL_PARAM *p, const mp_int *a)
{
    unsigned char be[WN_RSA_MAX_SIZE];
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

static int give_numbers(const struct wn_rsa_key *key, OSSL_PARAM params[])
{
    struct rsa_numbers p;
    unsigned i;

    if (!wn_params_scan(key->prov, params, rsa_numbers_keys,
                        sizeof(rsa_numbers_keys) / sizeof(rsa_numbers_keys[0]),
                        (OSSL_PARAM **)(void *)&p, 0)
        || !give(key, p.n, key->n) || !give(key, p.e, key->e) || !give(key, p.d, key->d))
        return 0;
    for (i = 0; i < key->n_primes; i++)
        if (!give(key, p.factor[i], key->prime[i].factor)
            || !give(key, p.exponent[i], key->prime[i].exponent)
            || (i > 0 && !give(key, p.coefficient[i - 1], key->prime[i].coefficient)))
            return 0;
    return 1;
}

static int give_pss(const struct wn_rsa_key *key, OSSL_PARAM params[])
{
    struct wn_rsa_pss defaults;
    struct rsa_pss_params p;
    char name[WN_MD_NAME_MAX];

    if (!key->pss.restricted)
        return 1;
    wn_rsa_pss_defaults(&defaults);
    return WN_PARAMS_SCAN(key->prov, rsa_pss_params, params, &p)
        && (key->pss.md == defaults.md
            || wn_param_give_utf8(key->prov, p.md, wn_md_name(key->pss.md, name)))
        && (key->pss.mgf1_md == defaults.mgf1_md
            || wn_param_give_utf8(key->prov, p.mgf1_md, wn_md_name(key->pss.mgf1_md, name)))
        && wn_param_give_int(key->prov, p.saltlen, key->pss.saltlen);
}

static int wn_rsa_get_params(void *vkey, OSSL_PARAM params[])
{
    const struct wn_rsa_key *key = vkey;
    char name[WN_MD_NAME_MAX];
    struct rsa_get p;

    if (!WN_PARAMS_SCAN(key->prov, rsa_get, params, &p))
        return 0;
    if (key->n == NULL && (p.bits != NULL || p.security_bits != NULL || p.max_size != NULL))
        return 0;
    if (key->pss.restricted)
        p.default_digest = NULL;
    else
        p.mandatory_digest = NULL;
    return wn_key_give_category(key->prov, p.category)
        && wn_param_give_int(key->prov, p.bits, (int)key->bits)
        && wn_param_give_int(key->prov, p.security_bits, wn_security_bits(key->bits))
        && wn_param_give_int(key->prov, p.max_size, (int)key->size)
        && wn_param_give_utf8(key->prov, p.default_digest, "SHA256")
        && (p.mandatory_digest == NULL
            || wn_param_give_utf8(key->prov, p.mandatory_digest, wn_md_name(key->pss.md, name)))
        && give_pss(key, params) && give_numbers(key, params);
}

/* ---- has, match, dup ------------------------------------------------------------- */

static int wn_rsa_has(const void *vkey, int selection)
{
    const struct wn_rsa_key *key = vkey;

    return key != NULL
        && (!WN_SELECTS_KEYPAIR(selection) || key->n != NULL)
        && (!WN_SELECTS_PUBLIC(selection) || key->e != NULL)
        && (!WN_SELECTS_PRIVATE(selection) || key->d != NULL);
}

static int equal(const mp_int *a, const mp_int *b)
{
    return a != NULL && b != NULL && mp_cmp(a, b) == MP_EQ;
}

static int wn_rsa_match(const void *va, const void *vb, int selection)
{
    const struct wn_rsa_key *a = va, *b = vb;

    if (!equal(a->e, b->e))
        return 0;
    if (!WN_SELECTS_KEYPAIR(selection))
        return 1;
    if (WN_SELECTS_PUBLIC(selection) && a->n != NULL && b->n != NULL)
        return equal(a->n, b->n);
    return WN_SELECTS_PRIVATE(selection) && equal(a->d, b->d);
}

static int copy_number(const struct wn_prov *prov, mp_int **to, const mp_int *from)
{
    if (from == NULL)
        return 1;
    *to = wn_num_dup(prov, from);
    return *to != NULL;
}

static void *wn_rsa_dup(const void *vkey, int selection)
{
    const struct wn_rsa_key *key = vkey;
    struct wn_rsa_key *copy;
    unsigned i;
    int ok;

    /* an empty key cannot be made by duplication */
    if (!WN_SELECTS_KEYPAIR(selection) || key->n == NULL
        || (copy = wn_rsa_key_new(key->prov, key->is_pss)) == NULL)
        return NULL;
    copy->pss = key->pss;
    ok = copy_number(key->prov, &copy->n, key->n) && copy_number(key->prov, &copy->e, key->e);
    if (ok && WN_SELECTS_PRIVATE(selection)) {
        ok = copy_number(key->prov, &copy->d, key->d);
        copy->n_primes = key->n_primes;
        for (i = 0; ok && i < key->n_primes; i++)
            ok = copy_number(key->prov, &copy->prime[i].factor, key->prime[i].factor)
                && copy_number(key->prov, &copy->prime[i].exponent, key->prime[i].exponent)
                && copy_number(key->prov, &copy->prime[i].coefficient,
                               key->prime[i].coefficient);
    }
    if (!ok || !wn_rsa_key_ready(copy)) {
        wn_rsa_key_free(copy);
        return NULL;
    }
    return copy;
}

static void wn_rsa_free(void *vkey)
{
    wn_rsa_key_free(vkey);
}

static void *wn_rsa_load(const void *reference, size_t size)
{
    return wn_key_take_reference(reference, size);
}

/* RSA-PSS keys are used through the operations named RSA. */
static const char *wn_rsa_operation_name(int operation)
{
    (void)operation;
    return "RSA";
}

static void *rsa_new(void *prov)
{
    return wn_rsa_key_new(prov, 0);
}

static void *rsapss_new(void *prov)
{
    return wn_rsa_key_new(prov, 1);
}

#define RSA_KEYMGMT_COMMON                                                           \
    WN_FN(KEYMGMT_FREE, keymgmt_free, wn_rsa_free),                                  \
    WN_FN(KEYMGMT_LOAD, keymgmt_load, wn_rsa_load),                                  \
    WN_FN(KEYMGMT_GET_PARAMS, keymgmt_get_params, wn_rsa_get_params),                \
    WN_FN(KEYMGMT_GETTABLE_PARAMS, keymgmt_gettable_params, wn_rsa_gettable),        \
    WN_FN(KEYMGMT_HAS, keymgmt_has, wn_rsa_has),                                     \
    WN_FN(KEYMGMT_MATCH, keymgmt_match, wn_rsa_match),                               \
    WN_FN(KEYMGMT_VALIDATE, keymgmt_validate, wn_rsa_validate),                      \
    WN_FN(KEYMGMT_IMPORT, keymgmt_import, wn_rsa_import),                            \
    WN_FN(KEYMGMT_IMPORT_TYPES, keymgmt_import_types, wn_rsa_types),                 \
    WN_FN(KEYMGMT_EXPORT, keymgmt_export, wn_rsa_export),                            \
    WN_FN(KEYMGMT_EXPORT_TYPES, keymgmt_export_types, wn_rsa_types),                 \
    WN_FN(KEYMGMT_DUP, keymgmt_dup, wn_rsa_dup),                                     \
    WN_FN(KEYMGMT_GEN_SET_PARAMS, keymgmt_gen_set_params, wn_rsa_gen_set_params),    \
    WN_FN(KEYMGMT_GEN, keymgmt_gen, wn_rsa_gen),                                     \
    WN_FN(KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup, wn_rsa_gen_cleanup)

const OSSL_DISPATCH wn_rsa_keymgmt_functions[] = {
    WN_FN(KEYMGMT_NEW, keymgmt_new, rsa_new),
    WN_FN(KEYMGMT_GEN_INIT, keymgmt_gen_init, wn_rsa_gen_init),
    WN_FN(KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable_params, wn_rsa_gen_settable),
    RSA_KEYMGMT_COMMON,
    WN_FN_END
};

const OSSL_DISPATCH wn_rsapss_keymgmt_functions[] = {
    WN_FN(KEYMGMT_NEW, keymgmt_new, rsapss_new),
    WN_FN(KEYMGMT_GEN_INIT, keymgmt_gen_init, wn_rsapss_gen_init),
    WN_FN(KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable_params, wn_rsapss_gen_settable),
    WN_FN(KEYMGMT_QUERY_OPERATION_NAME, keymgmt_query_operation_name, wn_rsa_operation_name),
    RSA_KEYMGMT_COMMON,
    WN_FN_END
};
