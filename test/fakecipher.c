/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See fakecipher.h. */
#include "fakecipher.h"

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "wntest.h"

void fake_cipher_find(struct fake_core *fc, struct fake_cipher *a, const char *name)
{
    const OSSL_DISPATCH *t = fake_algorithm(fc, OSSL_OP_CIPHER, name);
    OSSL_PARAM params[] = {
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, &a->keylen),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, &a->ivlen),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_BLOCK_SIZE, &a->block),
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_MODE, &a->mode),
        OSSL_PARAM_END
    };

    assert_non_null(t);
    a->newctx = (OSSL_FUNC_cipher_newctx_fn *)fake_function(t, OSSL_FUNC_CIPHER_NEWCTX);
    a->freectx = (OSSL_FUNC_cipher_freectx_fn *)fake_function(t, OSSL_FUNC_CIPHER_FREECTX);
    a->dupctx = (OSSL_FUNC_cipher_dupctx_fn *)fake_function(t, OSSL_FUNC_CIPHER_DUPCTX);
    a->init[1] = (OSSL_FUNC_cipher_encrypt_init_fn *)fake_function(t, OSSL_FUNC_CIPHER_ENCRYPT_INIT);
    a->init[0] = (OSSL_FUNC_cipher_encrypt_init_fn *)fake_function(t, OSSL_FUNC_CIPHER_DECRYPT_INIT);
    a->update = (OSSL_FUNC_cipher_update_fn *)fake_function(t, OSSL_FUNC_CIPHER_UPDATE);
    a->cipher = (OSSL_FUNC_cipher_update_fn *)fake_function(t, OSSL_FUNC_CIPHER_CIPHER);
    a->final = (OSSL_FUNC_cipher_final_fn *)fake_function(t, OSSL_FUNC_CIPHER_FINAL);
    a->get_params = (OSSL_FUNC_cipher_get_params_fn *)fake_function(t, OSSL_FUNC_CIPHER_GET_PARAMS);
    a->get = (OSSL_FUNC_cipher_get_ctx_params_fn *)fake_function(t, OSSL_FUNC_CIPHER_GET_CTX_PARAMS);
    a->set = (OSSL_FUNC_cipher_set_ctx_params_fn *)fake_function(t, OSSL_FUNC_CIPHER_SET_CTX_PARAMS);
    assert_int_equal(a->get_params(params), 1);
}
