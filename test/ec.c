/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ec.h"

#include <openssl/core_names.h>

const char *const ec_groups[] = {
    "prime256v1", "secp384r1", "secp521r1", "secp112r1", "secp112r2", "secp128r1", "secp128r2",
    "secp160k1", "secp160r1", "secp160r2", "secp192k1", "secp224k1", "secp224r1", "secp256k1",
    "prime192v1", "prime192v2", "prime192v3", "prime239v1", "prime239v2", "prime239v3",
    "wap-wsg-idm-ecid-wtls6", "wap-wsg-idm-ecid-wtls7", "wap-wsg-idm-ecid-wtls8",
    "wap-wsg-idm-ecid-wtls9", "wap-wsg-idm-ecid-wtls12", "brainpoolP160r1", "brainpoolP160t1",
    "brainpoolP192r1", "brainpoolP192t1", "brainpoolP224r1", "brainpoolP224t1",
    "brainpoolP256r1", "brainpoolP256t1", "brainpoolP320r1", "brainpoolP320t1",
    "brainpoolP384r1", "brainpoolP384t1", "brainpoolP512r1", "brainpoolP512t1", NULL
};

EVP_PKEY *ec_generate(OSSL_LIB_CTX *lib, const char *group)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, "EC", NULL);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)group, 0),
        OSSL_PARAM_construct_end()
    };
    EVP_PKEY *key = NULL;

    if (EVP_PKEY_keygen_init(ctx) > 0 && EVP_PKEY_CTX_set_params(ctx, params) > 0)
        EVP_PKEY_generate(ctx, &key);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

EVP_PKEY *ec_import(OSSL_LIB_CTX *lib, int selection, const OSSL_PARAM *params)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, "EC", NULL);
    EVP_PKEY *key = NULL;

    if (EVP_PKEY_fromdata_init(ctx) > 0)
        EVP_PKEY_fromdata(ctx, &key, selection, (OSSL_PARAM *)params);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

EVP_PKEY *ec_copy(OSSL_LIB_CTX *lib, EVP_PKEY *key, int selection)
{
    OSSL_PARAM *params = NULL;
    EVP_PKEY *copy;

    wnt_ok(EVP_PKEY_todata(key, selection, &params));
    copy = ec_import(lib, selection, params);
    assert_non_null(copy);
    OSSL_PARAM_free(params);
    return copy;
}

int ec_sign(OSSL_LIB_CTX *lib, EVP_PKEY *key, const unsigned char *h, size_t n,
            unsigned char *sig, size_t *len)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, NULL);
    int ok;

    *len = 256;
    wnt_ok(EVP_PKEY_sign_init(ctx));
    ok = EVP_PKEY_sign(ctx, sig, len, h, n);
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

int ec_verify(OSSL_LIB_CTX *lib, EVP_PKEY *key, const unsigned char *h, size_t n,
              const unsigned char *sig, size_t len)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, NULL);
    int ok;

    wnt_ok(EVP_PKEY_verify_init(ctx));
    ok = EVP_PKEY_verify(ctx, sig, len, h, n);
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

int ec_derive(OSSL_LIB_CTX *lib, EVP_PKEY *key, EVP_PKEY *peer, const OSSL_PARAM *params,
              unsigned char *out, size_t *len)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, NULL);
    int ok = EVP_PKEY_derive_init_ex(ctx, params) > 0 && EVP_PKEY_derive_set_peer(ctx, peer) > 0;

    if (ok)
        ok = EVP_PKEY_derive(ctx, out, len);
    EVP_PKEY_CTX_free(ctx);
    return ok;
}
