/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two halves of RSA's key management share (rsa_key.c, rsa_gen.c). */
#ifndef WN_RSA_KEY_H
#define WN_RSA_KEY_H

#include "rsa.h"

#define WN_RSA_SELECTIONS (OSSL_KEYMGMT_SELECT_KEYPAIR | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS)

#define RSA_PSS_PARAMS(P)                                \
    P(md, utf8_string, OSSL_PKEY_PARAM_RSA_DIGEST)       \
    P(props, utf8_string, OSSL_PKEY_PARAM_RSA_DIGEST_PROPS) \
    P(mgf, utf8_string, OSSL_PKEY_PARAM_RSA_MASKGENFUNC) \
    P(mgf1_md, utf8_string, OSSL_PKEY_PARAM_RSA_MGF1_DIGEST) \
    P(saltlen, int, OSSL_PKEY_PARAM_RSA_PSS_SALTLEN)
WN_PARAMS(rsa_pss_params, RSA_PSS_PARAMS);

void wn_rsa_pss_defaults(struct wn_rsa_pss *pss);
/* Reads the parameters above to *pss; unchanged on failure and if none is there. */
int wn_rsa_pss_take(const struct wn_prov *prov, const OSSL_PARAM params[], struct wn_rsa_pss *pss);

/* rsa_gen.c */
OSSL_FUNC_keymgmt_validate_fn wn_rsa_validate;
OSSL_FUNC_keymgmt_gen_init_fn wn_rsa_gen_init, wn_rsapss_gen_init;
OSSL_FUNC_keymgmt_gen_set_params_fn wn_rsa_gen_set_params;
OSSL_FUNC_keymgmt_gen_settable_params_fn wn_rsa_gen_settable, wn_rsapss_gen_settable;
OSSL_FUNC_keymgmt_gen_fn wn_rsa_gen;
OSSL_FUNC_keymgmt_gen_cleanup_fn wn_rsa_gen_cleanup;

#endif
