/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers of the RSA tests: keys in both library contexts, operations by name. */
#ifndef WN_TEST_RSA_H
#define WN_TEST_RSA_H

#include "wntest.h"

#define RSA_TEST_MAX 1100       /* bytes of a modulus */

EVP_PKEY *rsa_generate(OSSL_LIB_CTX *lib, size_t bits, uint64_t e, size_t primes);
/* The same key (public half only) made in lib by import. */
EVP_PKEY *rsa_copy(OSSL_LIB_CTX *lib, EVP_PKEY *key, int selection);
EVP_PKEY *rsa_import(OSSL_LIB_CTX *lib, int selection, OSSL_PARAM *params);

/* An operation's padding; NULL members are not set. */
struct rsa_mode {
    const char *pad;            /* "pkcs1", "pss", "x931", "none", "oaep" */
    const char *md, *mgf1;
    const char *saltlen;        /* PSS */
    const char *label;          /* OAEP */
    int implicit;               /* 1 or 0: implicit rejection; -1: not set */
};
enum rsa_op { RSA_SIGN, RSA_VERIFY, RSA_ENCRYPT, RSA_DECRYPT };

/* Initialised and set to mode; NULL if that fails. */
EVP_PKEY_CTX *rsa_ctx(OSSL_LIB_CTX *lib, EVP_PKEY *key, enum rsa_op op, const struct rsa_mode *m);
/* One operation; *outlen: room, then length. For RSA_VERIFY out is the signature. */
int rsa_do(OSSL_LIB_CTX *lib, EVP_PKEY *key, enum rsa_op op, const struct rsa_mode *m,
           const unsigned char *in, size_t n, unsigned char *out, size_t *outlen);

#endif
