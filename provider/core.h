/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions that libcrypto's core offers to a provider (provider-base(7)).
 *
 * The module links no libcrypto; whatever it needs of it comes through the
 * OSSL_DISPATCH array that the core passes to OSSL_provider_init(). core.c is
 * the only reader of that array. Functions without which nothing works are
 * required (the module refuses to load); the others may be NULL and every
 * caller of one tests for that.
 */
#ifndef WN_CORE_H
#define WN_CORE_H

#include <openssl/core.h>

#include "compat.h"

/* X(field, OSSL_FUNC_<id>, OSSL_FUNC_<type>_fn) */
#define WN_CORE_REQUIRED(X)                                      \
    X(get_params, CORE_GET_PARAMS, core_get_params)              \
    X(new_error, CORE_NEW_ERROR, core_new_error)                 \
    X(set_error_debug, CORE_SET_ERROR_DEBUG, core_set_error_debug) \
    X(vset_error, CORE_VSET_ERROR, core_vset_error)              \
    X(malloc, CRYPTO_MALLOC, CRYPTO_malloc)                      \
    X(zalloc, CRYPTO_ZALLOC, CRYPTO_zalloc)                      \
    X(free, CRYPTO_FREE, CRYPTO_free)                            \
    X(clear_free, CRYPTO_CLEAR_FREE, CRYPTO_clear_free)          \
    X(cleanse, OPENSSL_CLEANSE, OPENSSL_cleanse)

#define WN_CORE_OPTIONAL(X)                                      \
    X(gettable_params, CORE_GETTABLE_PARAMS, core_gettable_params) \
    X(thread_start, CORE_THREAD_START, core_thread_start)        \
    X(get_libctx, CORE_GET_LIBCTX, core_get_libctx)              \
    X(set_error_mark, CORE_SET_ERROR_MARK, core_set_error_mark)  \
    X(clear_last_error_mark, CORE_CLEAR_LAST_ERROR_MARK, core_clear_last_error_mark) \
    X(pop_error_to_mark, CORE_POP_ERROR_TO_MARK, core_pop_error_to_mark) \
    X(obj_create, CORE_OBJ_CREATE, core_obj_create)              \
    X(obj_add_sigid, CORE_OBJ_ADD_SIGID, core_obj_add_sigid)     \
    X(realloc, CRYPTO_REALLOC, CRYPTO_realloc)                   \
    X(secure_malloc, CRYPTO_SECURE_MALLOC, CRYPTO_secure_malloc) \
    X(secure_zalloc, CRYPTO_SECURE_ZALLOC, CRYPTO_secure_zalloc) \
    X(secure_clear_free, CRYPTO_SECURE_CLEAR_FREE, CRYPTO_secure_clear_free) \
    X(bio_new_membuf, BIO_NEW_MEMBUF, BIO_new_membuf)            \
    X(bio_read_ex, BIO_READ_EX, BIO_read_ex)                     \
    X(bio_write_ex, BIO_WRITE_EX, BIO_write_ex)                  \
    X(bio_up_ref, BIO_UP_REF, BIO_up_ref)                        \
    X(bio_free, BIO_FREE, BIO_free)                              \
    X(bio_gets, BIO_GETS, BIO_gets)                              \
    X(bio_puts, BIO_PUTS, BIO_puts)                              \
    X(bio_ctrl, BIO_CTRL, BIO_ctrl)                              \
    X(bio_vprintf, BIO_VPRINTF, BIO_vprintf)                     \
    X(get_entropy, GET_ENTROPY, get_entropy)                     \
    X(cleanup_entropy, CLEANUP_ENTROPY, cleanup_entropy)         \
    X(get_user_entropy, GET_USER_ENTROPY, get_user_entropy)      \
    X(cleanup_user_entropy, CLEANUP_USER_ENTROPY, cleanup_user_entropy) \
    X(get_nonce, GET_NONCE, get_nonce)                           \
    X(cleanup_nonce, CLEANUP_NONCE, cleanup_nonce)               \
    X(provider_register_child, PROVIDER_REGISTER_CHILD_CB, provider_register_child_cb) \
    X(provider_deregister_child, PROVIDER_DEREGISTER_CHILD_CB, provider_deregister_child_cb) \
    X(provider_name, PROVIDER_NAME, provider_name)               \
    X(provider_ctx, PROVIDER_GET0_PROVIDER_CTX, provider_get0_provider_ctx) \
    X(provider_dispatch, PROVIDER_GET0_DISPATCH, provider_get0_dispatch) \
    X(provider_up_ref, PROVIDER_UP_REF, provider_up_ref)         \
    X(provider_free, PROVIDER_FREE, provider_free)

struct wn_core {
#define WN_CORE_FIELD(field, id, type) OSSL_FUNC_##type##_fn *field;
    WN_CORE_REQUIRED(WN_CORE_FIELD)
    WN_CORE_OPTIONAL(WN_CORE_FIELD)
#undef WN_CORE_FIELD
};

/* Fills *core from the array; returns 0 if a required function is missing. */
int wn_core_load(struct wn_core *core, const OSSL_DISPATCH *in);

#endif
