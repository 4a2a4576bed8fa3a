/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers of the EC tests: keys in both library contexts, raw operations. */
#ifndef WN_TEST_EC_H
#define WN_TEST_EC_H

#include "wntest.h"

/* All prime curves of wolfnano; ends with NULL. */
extern const char *const ec_groups[];

EVP_PKEY *ec_generate(OSSL_LIB_CTX *lib, const char *group);
/* The same key (public half only) made in lib by import. */
EVP_PKEY *ec_copy(OSSL_LIB_CTX *lib, EVP_PKEY *key, int selection);
/* An import of these parameters; NULL if it fails. */
EVP_PKEY *ec_import(OSSL_LIB_CTX *lib, int selection, const OSSL_PARAM *params);

int ec_sign(OSSL_LIB_CTX *lib, EVP_PKEY *key, const unsigned char *h, size_t n,
            unsigned char *sig, size_t *len);
int ec_verify(OSSL_LIB_CTX *lib, EVP_PKEY *key, const unsigned char *h, size_t n,
              const unsigned char *sig, size_t len);
int ec_derive(OSSL_LIB_CTX *lib, EVP_PKEY *key, EVP_PKEY *peer, const OSSL_PARAM *params,
              unsigned char *out, size_t *len);

#endif
