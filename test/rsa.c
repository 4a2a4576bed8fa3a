/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See rsa.h. */
#include "rsa.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/rsa.h>

EVP_PKEY *rsa_generate(OSSL_LIB_CTX *lib, size_t bits, uint64_t e, size_t primes)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, "RSA", NULL);
    EVP_PKEY *key = NULL;
    OSSL_PARAM params[] = {
        OSSL_PARAM_size_t(OSSL_PKEY_PARAM_RSA_BITS, &bits),
        OSSL_PARAM_size_t(OSSL_PKEY_PARAM_RSA_PRIMES, &primes),
        OSSL_PARAM_BN(OSSL_PKEY_PARAM_RSA_E, (unsigned char *)&e, sizeof(e)),
        OSSL_PARAM_END
    };

    if (EVP_PKEY_keygen_init(ctx) == 1 && EVP_PKEY_CTX_set_params(ctx, params) == 1)
        EVP_PKEY_generate(ctx, &key);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

EVP_PKEY *rsa_import(OSSL_LIB_CTX *lib, int selection, OSSL_PARAM *params)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, "RSA", NULL);
    EVP_PKEY *key = NULL;

    assert_int_equal(EVP_PKEY_fromdata_init(ctx), 1);
    if (EVP_PKEY_fromdata(ctx, &key, selection, params) != 1) {
        EVP_PKEY_free(key);
        key = NULL;
    }
    EVP_PKEY_CTX_free(ctx);
    return key;
}

EVP_PKEY *rsa_copy(OSSL_LIB_CTX *lib, EVP_PKEY *key, int selection)
{
    OSSL_PARAM *params = NULL;
    EVP_PKEY *copy;

    wnt_ok(EVP_PKEY_todata(key, selection, &params));
    copy = rsa_import(lib, selection, params);
    OSSL_PARAM_free(params);
    assert_non_null(copy);
    return copy;
}

static int set_mode(EVP_PKEY_CTX *ctx, enum rsa_op op, const struct rsa_mode *m)
{
    unsigned implicit = m->implicit > 0;
    OSSL_PARAM params[7], *p = params;

#define TEXT(key, value) OSSL_PARAM_construct_utf8_string(key, (char *)(uintptr_t)(value), 0)
    *p++ = TEXT(OSSL_PKEY_PARAM_PAD_MODE, m->pad);
    if (m->md != NULL)
        *p++ = TEXT(op == RSA_SIGN || op == RSA_VERIFY ? OSSL_SIGNATURE_PARAM_DIGEST
                                                       : OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST,
                    m->md);
    if (m->mgf1 != NULL)
        *p++ = TEXT(OSSL_PKEY_PARAM_MGF1_DIGEST, m->mgf1);
    if (m->saltlen != NULL)
        *p++ = TEXT(OSSL_SIGNATURE_PARAM_PSS_SALTLEN, m->saltlen);
    if (m->label != NULL)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_ASYM_CIPHER_PARAM_OAEP_LABEL,
                                                 (char *)(uintptr_t)m->label, strlen(m->label));
    if (op == RSA_DECRYPT && m->implicit >= 0)
        *p++ = OSSL_PARAM_construct_uint("implicit-rejection", &implicit);
    *p = OSSL_PARAM_construct_end();
#undef TEXT
    return EVP_PKEY_CTX_set_params(ctx, params);
}

EVP_PKEY_CTX *rsa_ctx(OSSL_LIB_CTX *lib, EVP_PKEY *key, enum rsa_op op, const struct rsa_mode *m)
{
    static int (*const init[])(EVP_PKEY_CTX *) = {
        EVP_PKEY_sign_init, EVP_PKEY_verify_init, EVP_PKEY_encrypt_init, EVP_PKEY_decrypt_init
    };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, NULL);

    assert_non_null(ctx);
    if (init[op](ctx) == 1 && set_mode(ctx, op, m) == 1)
        return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

int rsa_do(OSSL_LIB_CTX *lib, EVP_PKEY *key, enum rsa_op op, const struct rsa_mode *m,
           const unsigned char *in, size_t n, unsigned char *out, size_t *outlen)
{
    EVP_PKEY_CTX *ctx = rsa_ctx(lib, key, op, m);
    int rc = 0;

    if (ctx == NULL)
        return -9;
    switch (op) {
    case RSA_SIGN:
        rc = EVP_PKEY_sign(ctx, out, outlen, in, n);
        break;
    case RSA_VERIFY:
        rc = EVP_PKEY_verify(ctx, out, *outlen, in, n);
        break;
    case RSA_ENCRYPT:
        rc = EVP_PKEY_encrypt(ctx, out, outlen, in, n);
        break;
    case RSA_DECRYPT:
        rc = EVP_PKEY_decrypt(ctx, out, outlen, in, n);
    }
    EVP_PKEY_CTX_free(ctx);
    return rc;
}
