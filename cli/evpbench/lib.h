/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * evpbench: the functions of libcrypto that it uses, resolved at run time.
 *
 * The program is built once, with the oldest supported headers, and is started
 * with the libcrypto to be measured (--libcrypto FILE): 3.0 and 4.0 have
 * different SONAMEs, and a program linked to one would quietly load that one
 * beside the other.
 */
#ifndef EVPBENCH_LIB_H
#define EVPBENCH_LIB_H

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/rand.h>

#define EVPBENCH_FUNCTIONS(X)                \
    X(OpenSSL_version)                       \
    X(ERR_peek_last_error_all)               \
    X(ERR_reason_error_string)               \
    X(ERR_clear_error)                       \
    X(OSSL_LIB_CTX_new)                      \
    X(OSSL_LIB_CTX_free)                     \
    X(OSSL_PROVIDER_set_default_search_path) \
    X(OSSL_PROVIDER_load)                    \
    X(OSSL_PROVIDER_unload)                  \
    X(OSSL_PROVIDER_get0_name)               \
    X(OSSL_PARAM_free)                       \
    X(RAND_bytes_ex)                         \
    X(RAND_get0_public)                      \
    X(EVP_RAND_CTX_get0_rand)                \
    X(EVP_RAND_get0_provider)                \
    X(EVP_CIPHER_fetch)                      \
    X(EVP_CIPHER_free)                       \
    X(EVP_CIPHER_get0_provider)              \
    X(EVP_CIPHER_get_mode)                   \
    X(EVP_CIPHER_get_iv_length)              \
    X(EVP_CIPHER_CTX_new)                    \
    X(EVP_CIPHER_CTX_free)                   \
    X(EVP_CIPHER_CTX_ctrl)                   \
    X(EVP_CIPHER_CTX_set_padding)            \
    X(EVP_CipherInit_ex2)                    \
    X(EVP_CipherUpdate)                      \
    X(EVP_CipherFinal_ex)                    \
    X(EVP_MD_fetch)                          \
    X(EVP_MD_free)                           \
    X(EVP_MD_get0_provider)                  \
    X(EVP_MD_CTX_new)                        \
    X(EVP_MD_CTX_free)                       \
    X(EVP_DigestInit_ex2)                    \
    X(EVP_DigestUpdate)                      \
    X(EVP_DigestFinal_ex)                    \
    X(EVP_MAC_fetch)                         \
    X(EVP_MAC_free)                          \
    X(EVP_MAC_get0_provider)                 \
    X(EVP_MAC_CTX_new)                       \
    X(EVP_MAC_CTX_free)                      \
    X(EVP_MAC_init)                          \
    X(EVP_MAC_update)                        \
    X(EVP_MAC_final)                         \
    X(EVP_PKEY_CTX_new_from_name)            \
    X(EVP_PKEY_CTX_new_from_pkey)            \
    X(EVP_PKEY_CTX_free)                     \
    X(EVP_PKEY_CTX_set_params)               \
    X(EVP_PKEY_CTX_get0_provider)            \
    X(EVP_PKEY_get0_provider)                \
    X(EVP_PKEY_keygen_init)                  \
    X(EVP_PKEY_generate)                     \
    X(EVP_PKEY_fromdata_init)                \
    X(EVP_PKEY_fromdata)                     \
    X(EVP_PKEY_todata)                       \
    X(EVP_PKEY_free)                         \
    X(EVP_PKEY_get_size)                     \
    X(EVP_PKEY_sign_init)                    \
    X(EVP_PKEY_sign)                         \
    X(EVP_PKEY_verify_init)                  \
    X(EVP_PKEY_verify)                       \
    X(EVP_PKEY_encrypt_init)                 \
    X(EVP_PKEY_encrypt)                      \
    X(EVP_PKEY_decrypt_init)                 \
    X(EVP_PKEY_decrypt)                      \
    X(EVP_PKEY_derive_init)                  \
    X(EVP_PKEY_derive_set_peer)              \
    X(EVP_PKEY_derive)                       \
    X(EVP_PKEY_encapsulate_init)             \
    X(EVP_PKEY_encapsulate)                  \
    X(EVP_PKEY_decapsulate_init)             \
    X(EVP_PKEY_decapsulate)                  \
    X(EVP_DigestSignInit_ex)                 \
    X(EVP_DigestSign)                        \
    X(EVP_DigestVerifyInit_ex)               \
    X(EVP_DigestVerify)

struct libcrypto {
#define EVPBENCH_MEMBER(name) __typeof__(name) *name;
    EVPBENCH_FUNCTIONS(EVPBENCH_MEMBER)
#undef EVPBENCH_MEMBER
};

extern struct libcrypto lc;

/* Loads FILE (or, when NULL, libcrypto.so.3, else .so.4); 1 or 0, having said why. */
int lc_open(const char *file);

/* Prints "evpbench: WHAT: the last error of libcrypto" and clears the queue. */
void lc_complain(const char *what);

#endif
