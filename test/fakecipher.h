/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of one cipher of a module that a fake core loaded. */
#ifndef FAKECIPHER_H
#define FAKECIPHER_H

#include "fakecore.h"

struct fake_cipher {
    OSSL_FUNC_cipher_newctx_fn *newctx;
    OSSL_FUNC_cipher_freectx_fn *freectx;
    OSSL_FUNC_cipher_dupctx_fn *dupctx;
    OSSL_FUNC_cipher_encrypt_init_fn *init[2];  /* decrypt, encrypt */
    OSSL_FUNC_cipher_update_fn *update, *cipher;
    OSSL_FUNC_cipher_final_fn *final;
    OSSL_FUNC_cipher_get_params_fn *get_params;
    OSSL_FUNC_cipher_get_ctx_params_fn *get;
    OSSL_FUNC_cipher_set_ctx_params_fn *set;
    size_t keylen, ivlen, block;
    unsigned mode;
};

/* Fills *a; fails the test if there is no such cipher. */
void fake_cipher_find(struct fake_core *fc, struct fake_cipher *a, const char *name);

#endif
