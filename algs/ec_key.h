/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of EC key management share: ec_key.c the object, ec_param.c
 * its parameters, ec_gen.c generation. */
#ifndef WN_EC_KEY_H
#define WN_EC_KEY_H

#include "ec.h"

#define EC_DOMAIN_FORM(P)                                            \
    P(group, utf8_string, OSSL_PKEY_PARAM_GROUP_NAME)                \
    P(encoding, utf8_string, OSSL_PKEY_PARAM_EC_ENCODING)            \
    P(form, utf8_string, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT) \
    P(field, utf8_string, OSSL_PKEY_PARAM_EC_FIELD_TYPE)             \
    P(p, bn, OSSL_PKEY_PARAM_EC_P)                                   \
    P(a, bn, OSSL_PKEY_PARAM_EC_A)                                   \
    P(b, bn, OSSL_PKEY_PARAM_EC_B)                                   \
    P(generator, octet_string, OSSL_PKEY_PARAM_EC_GENERATOR)         \
    P(order, bn, OSSL_PKEY_PARAM_EC_ORDER)                           \
    P(cofactor, bn, OSSL_PKEY_PARAM_EC_COFACTOR)                     \
    P(seed, octet_string, OSSL_PKEY_PARAM_EC_SEED)
#define EC_DOMAIN(P)                                                 \
    EC_DOMAIN_FORM(P)                                                \
    P(from_explicit, int, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS)
#define EC_PRIVATE(P) P(priv, bn, OSSL_PKEY_PARAM_PRIV_KEY)
#define EC_PUBLIC(P) P(pub, octet_string, OSSL_PKEY_PARAM_PUB_KEY)
#define EC_OTHER(P)                                                  \
    P(cofactor_mode, int, OSSL_PKEY_PARAM_USE_COFACTOR_ECDH)         \
    P(include_public, int, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC)

WN_PARAMS(ec_domain_params, EC_DOMAIN);

/*
 * The domain parameters to *curve, and how they are to be written to the other
 * two. 0 with an error raised when they are wrong; 0 and *unknown set to the error
 * to be raised (wn_ec_raise_unknown) when they are of no curve known here, which
 * another provider may have.
 */
int wn_ec_take_domain(const struct wn_prov *prov, const OSSL_PARAM params[],
                      const struct wn_ec_curve **curve, int *explicit_encoding,
                      int *from_explicit, uint32_t *unknown);
/* 0, for the caller to return */
int wn_ec_raise_unknown(const struct wn_prov *prov, uint32_t unknown);
/* Each leaves its object alone when p is NULL. */
int wn_ec_take_form(const struct wn_prov *prov, const OSSL_PARAM *p, enum wn_ec_form *form);
int wn_ec_take_encoding(const struct wn_prov *prov, const OSSL_PARAM *p, int *is_explicit);
int wn_ec_take_check_type(const struct wn_prov *prov, const OSSL_PARAM *p, int *type);
int wn_ec_set_cofactor_mode(struct wn_ec_key *key, int mode);

const char *wn_ec_form_name(enum wn_ec_form form);
const char *wn_ec_check_type_name(int type);
int wn_ec_is_nist(const struct wn_ec_curve *curve);

/* ec_param.c */
OSSL_FUNC_keymgmt_get_params_fn wn_ec_get_params;
OSSL_FUNC_keymgmt_gettable_params_fn wn_ec_gettable;
OSSL_FUNC_keymgmt_set_params_fn wn_ec_set_params;
OSSL_FUNC_keymgmt_settable_params_fn wn_ec_settable;

/* ec_gen.c */
OSSL_FUNC_keymgmt_gen_init_fn wn_ec_gen_init;
OSSL_FUNC_keymgmt_gen_set_template_fn wn_ec_gen_set_template;
OSSL_FUNC_keymgmt_gen_set_params_fn wn_ec_gen_set_params;
OSSL_FUNC_keymgmt_gen_settable_params_fn wn_ec_gen_settable;
OSSL_FUNC_keymgmt_gen_fn wn_ec_gen;
OSSL_FUNC_keymgmt_gen_cleanup_fn wn_ec_gen_cleanup;

/* ec_other.c: keys on curves that another provider has. Each as the keymgmt function. */
int wn_ec_other_import(struct wn_ec_key *key, int selection, const OSSL_PARAM params[]);
int wn_ec_other_has(const struct wn_ec_key *key, int selection);
int wn_ec_other_match(const struct wn_ec_key *a, const struct wn_ec_key *b, int selection);
int wn_ec_other_export(const struct wn_ec_key *key, int selection, OSSL_CALLBACK *cb, void *arg);
int wn_ec_other_validate(const struct wn_ec_key *key, int selection, int type);
struct wn_ec_key *wn_ec_other_dup(const struct wn_ec_key *key, int selection);
int wn_ec_other_get_params(const struct wn_ec_key *key, OSSL_PARAM params[]);
int wn_ec_other_set_params(const struct wn_ec_key *key, const OSSL_PARAM params[]);

/* Generation there; `before`: the settings so far, `params`: those with the curve. */
struct wn_ec_other_gen;
struct wn_ec_other_gen *wn_ec_other_gen_find(const struct wn_prov *prov, int selection,
                                             const OSSL_PARAM before[], const OSSL_PARAM params[]);
struct wn_ec_other_gen *wn_ec_other_gen_like(const struct wn_ec_key *template, int selection);
int wn_ec_other_gen_set(struct wn_ec_other_gen *g, const OSSL_PARAM params[]);
struct wn_ec_key *wn_ec_other_gen(const struct wn_prov *prov, struct wn_ec_other_gen *g,
                                  OSSL_CALLBACK *cb, void *arg);
void wn_ec_other_gen_free(struct wn_ec_other_gen *g);

/*
 * For EC keys OpenSSL looks parameters up one by one, on all versions, so the
 * first of several counts; and libcrypto 4.0 itself exports the point format
 * of a key twice.
 */
#define WN_EC_SCAN(prov, name, params, out) \
    WN_PARAMS_SCAN_MULTI(prov, name, params, out, UINT64_MAX)

#endif
