/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ids, parameter names and function types that OpenSSL gained after the 3.0
 * headers this module is built with. The only place with version conditionals:
 * one binary serves 3.0 to 4.x, and a core that does not know an id skips it.
 * Numbers are those of OpenSSL's public core_dispatch.h and core_names.h.
 */
#ifndef WN_COMPAT_H
#define WN_COMPAT_H

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/proverr.h>

#ifndef OSSL_FUNC_DIGEST_SQUEEZE
# define OSSL_FUNC_DIGEST_SQUEEZE 14
OSSL_CORE_MAKE_FUNC(int, digest_squeeze,
    (void *dctx, unsigned char *out, size_t *outl, size_t outsz))
#endif
#ifndef OSSL_FUNC_DIGEST_COPYCTX
# define OSSL_FUNC_DIGEST_COPYCTX 15
OSSL_CORE_MAKE_FUNC(void, digest_copyctx, (void *outctx, void *inctx))
#endif
#ifndef OSSL_FUNC_DIGEST_SERIALIZE
# define OSSL_FUNC_DIGEST_SERIALIZE 16
# define OSSL_FUNC_DIGEST_DESERIALIZE 17
OSSL_CORE_MAKE_FUNC(int, digest_serialize, (void *dctx, unsigned char *out, size_t *outl))
OSSL_CORE_MAKE_FUNC(int, digest_deserialize, (void *dctx, const unsigned char *in, size_t inl))
#endif
#ifndef OSSL_DIGEST_PARAM_FUNCTION_NAME
# define OSSL_DIGEST_PARAM_FUNCTION_NAME "function-name"
# define OSSL_DIGEST_PARAM_CUSTOMIZATION "customization"
#endif

#ifndef OSSL_FUNC_GET_USER_ENTROPY
# define OSSL_FUNC_CLEANUP_USER_ENTROPY 96
# define OSSL_FUNC_GET_USER_ENTROPY 98
OSSL_CORE_MAKE_FUNC(void, cleanup_user_entropy,
    (const OSSL_CORE_HANDLE *handle, unsigned char *buf, size_t len))
OSSL_CORE_MAKE_FUNC(size_t, get_user_entropy,
    (const OSSL_CORE_HANDLE *handle, unsigned char **pout, int entropy, size_t min_len,
     size_t max_len))
#endif

#ifndef OSSL_FUNC_PROVIDER_RANDOM_BYTES
# define OSSL_FUNC_PROVIDER_RANDOM_BYTES 1032
OSSL_CORE_MAKE_FUNC(int, provider_random_bytes,
    (void *provctx, int which, void *buf, size_t n, unsigned int strength))
#endif

#ifndef OSSL_KDF_PARAM_KBKDF_R
# define OSSL_KDF_PARAM_KBKDF_R "r"
#endif
#ifndef OSSL_KDF_PARAM_HMACDRBG_ENTROPY
# define OSSL_KDF_PARAM_HMACDRBG_ENTROPY "entropy"
# define OSSL_KDF_PARAM_HMACDRBG_NONCE "nonce"
#endif
#ifndef OSSL_RAND_PARAM_GENERATE
# define OSSL_RAND_PARAM_GENERATE "generate"
#endif

#ifndef OSSL_OP_SKEYMGMT
# define OSSL_OP_SKEYMGMT 15
# define OSSL_SKEYMGMT_SELECT_PARAMETERS 0x01
# define OSSL_SKEYMGMT_SELECT_SECRET_KEY 0x02
# define OSSL_FUNC_SKEYMGMT_FREE 1
# define OSSL_FUNC_SKEYMGMT_IMPORT 2
# define OSSL_FUNC_SKEYMGMT_EXPORT 3
# define OSSL_FUNC_SKEYMGMT_IMP_SETTABLE_PARAMS 6
OSSL_CORE_MAKE_FUNC(void, skeymgmt_free, (void *keydata))
OSSL_CORE_MAKE_FUNC(void *, skeymgmt_import,
    (void *provctx, int selection, const OSSL_PARAM params[]))
OSSL_CORE_MAKE_FUNC(int, skeymgmt_export,
    (void *keydata, int selection, OSSL_CALLBACK *param_cb, void *cbarg))
OSSL_CORE_MAKE_FUNC(const OSSL_PARAM *, skeymgmt_imp_settable_params, (void *provctx))
#endif
#ifndef OSSL_SKEY_PARAM_RAW_BYTES
# define OSSL_SKEY_PARAM_RAW_BYTES "raw-bytes"
#endif

#ifndef OSSL_CIPHER_PARAM_ENCRYPT_THEN_MAC
# define OSSL_CIPHER_PARAM_ENCRYPT_THEN_MAC "encrypt-then-mac"
#endif
#ifndef OSSL_CIPHER_PARAM_DECRYPT_ONLY
# define OSSL_CIPHER_PARAM_DECRYPT_ONLY "decrypt-only"
#endif

#ifndef OSSL_FUNC_SIGNATURE_QUERY_KEY_TYPES
# define OSSL_FUNC_SIGNATURE_QUERY_KEY_TYPES 26
# define OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT 27
# define OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_UPDATE 28
# define OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_FINAL 29
# define OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_INIT 30
# define OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_UPDATE 31
# define OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_FINAL 32
OSSL_CORE_MAKE_FUNC(const char **, signature_query_key_types, (void))
OSSL_CORE_MAKE_FUNC(int, signature_sign_message_init,
    (void *ctx, void *provkey, const OSSL_PARAM params[]))
OSSL_CORE_MAKE_FUNC(int, signature_sign_message_update,
    (void *ctx, const unsigned char *in, size_t inlen))
OSSL_CORE_MAKE_FUNC(int, signature_sign_message_final,
    (void *ctx, unsigned char *sig, size_t *siglen, size_t sigsize))
OSSL_CORE_MAKE_FUNC(int, signature_verify_message_init,
    (void *ctx, void *provkey, const OSSL_PARAM params[]))
OSSL_CORE_MAKE_FUNC(int, signature_verify_message_update,
    (void *ctx, const unsigned char *in, size_t inlen))
/* the signature to check comes through OSSL_SIGNATURE_PARAM_SIGNATURE */
OSSL_CORE_MAKE_FUNC(int, signature_verify_message_final, (void *ctx))
#endif

#ifndef OSSL_FUNC_KEM_AUTH_ENCAPSULATE_INIT
# define OSSL_FUNC_KEM_AUTH_ENCAPSULATE_INIT 12
# define OSSL_FUNC_KEM_AUTH_DECAPSULATE_INIT 13
OSSL_CORE_MAKE_FUNC(int, kem_auth_encapsulate_init,
    (void *ctx, void *provkey, void *authprivkey, const OSSL_PARAM params[]))
OSSL_CORE_MAKE_FUNC(int, kem_auth_decapsulate_init,
    (void *ctx, void *provkey, void *authpubkey, const OSSL_PARAM params[]))
#endif
#ifndef OSSL_KEM_PARAM_IKME
# define OSSL_KEM_PARAM_IKME "ikme"
#endif
#ifndef OSSL_KEM_PARAM_OPERATION_DHKEM
# define OSSL_KEM_PARAM_OPERATION_DHKEM "DHKEM"
#endif

#ifndef OSSL_PKEY_PARAM_ML_KEM_SEED
# define OSSL_PKEY_PARAM_ML_KEM_SEED "seed"
#endif
#ifndef OSSL_PKEY_PARAM_ML_DSA_SEED
# define OSSL_PKEY_PARAM_ML_DSA_SEED "seed"
#endif
#ifndef OSSL_PKEY_PARAM_ML_KEM_RETAIN_SEED
# define OSSL_PKEY_PARAM_ML_KEM_RETAIN_SEED "ml-kem.retain_seed"
# define OSSL_PKEY_PARAM_ML_KEM_PREFER_SEED "ml-kem.prefer_seed"
# define OSSL_PKEY_PARAM_ML_KEM_IMPORT_PCT_TYPE "ml-kem.import_pct_type"
#endif
#ifndef OSSL_PKEY_PARAM_ML_DSA_RETAIN_SEED
# define OSSL_PKEY_PARAM_ML_DSA_RETAIN_SEED "ml-dsa.retain_seed"
# define OSSL_PKEY_PARAM_ML_DSA_PREFER_SEED "ml-dsa.prefer_seed"
#endif
#ifndef OSSL_PKEY_PARAM_SLH_DSA_SEED
# define OSSL_PKEY_PARAM_SLH_DSA_SEED "seed"
#endif
/* 4.0 */
#ifndef OSSL_PKEY_PARAM_RSA_A
# define OSSL_PKEY_PARAM_RSA_A "rsa-a"
# define OSSL_PKEY_PARAM_RSA_B "rsa-b"
#endif
#ifndef OSSL_PKEY_PARAM_EC_FIELD_DEGREE
# define OSSL_PKEY_PARAM_EC_FIELD_DEGREE "field-degree"
#endif
/* 3.6 */
#ifndef OSSL_PKEY_PARAM_CMS_RI_TYPE
# define OSSL_PKEY_PARAM_CMS_RI_TYPE "ri-type"
# define OSSL_PKEY_PARAM_CMS_KEMRI_KDF_ALGORITHM "kemri-kdf-alg"
#endif
#ifndef OSSL_PKEY_PARAM_SECURITY_CATEGORY
# define OSSL_PKEY_PARAM_SECURITY_CATEGORY "security-category"
#endif
#ifndef OSSL_SIGNATURE_PARAM_DETERMINISTIC
# define OSSL_SIGNATURE_PARAM_DETERMINISTIC "deterministic"
#endif
#ifndef OSSL_SIGNATURE_PARAM_MESSAGE_ENCODING
# define OSSL_SIGNATURE_PARAM_MESSAGE_ENCODING "message-encoding"
#endif
#ifndef OSSL_SIGNATURE_PARAM_MU
# define OSSL_SIGNATURE_PARAM_MU "mu"
#endif
#ifndef OSSL_SIGNATURE_PARAM_TEST_ENTROPY
# define OSSL_SIGNATURE_PARAM_TEST_ENTROPY "test-entropy"
#endif
#ifndef OSSL_SIGNATURE_PARAM_INSTANCE
# define OSSL_SIGNATURE_PARAM_INSTANCE "instance"
#endif
#ifndef OSSL_SIGNATURE_PARAM_CONTEXT_STRING
# define OSSL_SIGNATURE_PARAM_CONTEXT_STRING "context-string"
#endif
#ifndef OSSL_SIGNATURE_PARAM_NONCE_TYPE
# define OSSL_SIGNATURE_PARAM_NONCE_TYPE "nonce-type"
#endif
#ifndef OSSL_PKEY_PARAM_DHKEM_IKM
# define OSSL_PKEY_PARAM_DHKEM_IKM "dhkem-ikm"
#endif
#ifndef OSSL_SIGNATURE_PARAM_SIGNATURE
# define OSSL_SIGNATURE_PARAM_SIGNATURE "signature"
#endif

#ifndef OSSL_CAPABILITY_TLS_SIGALG_NAME
# define OSSL_CAPABILITY_TLS_SIGALG_CODE_POINT "tls-sigalg-code-point"
# define OSSL_CAPABILITY_TLS_SIGALG_HASH_NAME "tls-sigalg-hash-name"
# define OSSL_CAPABILITY_TLS_SIGALG_HASH_OID "tls-sigalg-hash-oid"
# define OSSL_CAPABILITY_TLS_SIGALG_IANA_NAME "tls-sigalg-iana-name"
# define OSSL_CAPABILITY_TLS_SIGALG_KEYTYPE "tls-sigalg-keytype"
# define OSSL_CAPABILITY_TLS_SIGALG_KEYTYPE_OID "tls-sigalg-keytype-oid"
# define OSSL_CAPABILITY_TLS_SIGALG_MAX_DTLS "tls-max-dtls"
# define OSSL_CAPABILITY_TLS_SIGALG_MAX_TLS "tls-max-tls"
# define OSSL_CAPABILITY_TLS_SIGALG_MIN_DTLS "tls-min-dtls"
# define OSSL_CAPABILITY_TLS_SIGALG_MIN_TLS "tls-min-tls"
# define OSSL_CAPABILITY_TLS_SIGALG_NAME "tls-sigalg-name"
# define OSSL_CAPABILITY_TLS_SIGALG_OID "tls-sigalg-oid"
# define OSSL_CAPABILITY_TLS_SIGALG_SECURITY_BITS "tls-sigalg-sec-bits"
# define OSSL_CAPABILITY_TLS_SIGALG_SIG_NAME "tls-sigalg-sig-name"
# define OSSL_CAPABILITY_TLS_SIGALG_SIG_OID "tls-sigalg-sig-oid"
#endif

/* Reasons of later versions; an older core has no text for them. */
#ifndef PROV_R_COFACTOR_REQUIRED
# define PROV_R_COFACTOR_REQUIRED 236
#endif
#ifndef PROV_R_EMS_NOT_ENABLED
# define PROV_R_EMS_NOT_ENABLED 233
#endif
#ifndef PROV_R_ENTROPY_SOURCE_FAILED_CONTINUOUS_TESTS
# define PROV_R_ENTROPY_SOURCE_FAILED_CONTINUOUS_TESTS 244
#endif
#ifndef PROV_R_FINAL_CALL_OUT_OF_ORDER
# define PROV_R_FINAL_CALL_OUT_OF_ORDER 237
#endif
#ifndef PROV_R_FIPS_MODULE_IMPORT_PCT_ERROR
# define PROV_R_FIPS_MODULE_IMPORT_PCT_ERROR 253
#endif
#ifndef PROV_R_INIT_CALL_OUT_OF_ORDER
# define PROV_R_INIT_CALL_OUT_OF_ORDER 238
#endif
#ifndef PROV_R_INVALID_AEAD
# define PROV_R_INVALID_AEAD 231
#endif
#ifndef PROV_R_INVALID_CIPHER
# define PROV_R_INVALID_CIPHER 260
#endif
#ifndef PROV_R_INVALID_EDDSA_INSTANCE_FOR_ATTEMPTED_OPERATION
# define PROV_R_INVALID_EDDSA_INSTANCE_FOR_ATTEMPTED_OPERATION 243
#endif
#ifndef PROV_R_INVALID_FUNCTION_NAME
# define PROV_R_INVALID_FUNCTION_NAME 258
#endif
#ifndef PROV_R_INVALID_INDEX_LENGTH
# define PROV_R_INVALID_INDEX_LENGTH 259
#endif
#ifndef PROV_R_INVALID_KDF
# define PROV_R_INVALID_KDF 232
#endif
#ifndef PROV_R_INVALID_KDR
# define PROV_R_INVALID_KDR 256
#endif
#ifndef PROV_R_INVALID_LABEL
# define PROV_R_INVALID_LABEL 257
#endif
#ifndef PROV_R_INVALID_MEMORY_SIZE
# define PROV_R_INVALID_MEMORY_SIZE 235
#endif
#ifndef PROV_R_INVALID_PREHASHED_DIGEST_LENGTH
# define PROV_R_INVALID_PREHASHED_DIGEST_LENGTH 241
#endif
#ifndef PROV_R_INVALID_THREAD_POOL_SIZE
# define PROV_R_INVALID_THREAD_POOL_SIZE 234
#endif
#ifndef PROV_R_MISSING_EID
# define PROV_R_MISSING_EID 255
#endif
#ifndef PROV_R_ML_DSA_NO_FORMAT
# define PROV_R_ML_DSA_NO_FORMAT 245
#endif
#ifndef PROV_R_ML_KEM_NO_FORMAT
# define PROV_R_ML_KEM_NO_FORMAT 246
#endif
#ifndef PROV_R_NO_INSTANCE_ALLOWED
# define PROV_R_NO_INSTANCE_ALLOWED 242
#endif
#ifndef PROV_R_NULL_LENGTH_POINTER
# define PROV_R_NULL_LENGTH_POINTER 247
#endif
#ifndef PROV_R_NULL_OUTPUT_BUFFER
# define PROV_R_NULL_OUTPUT_BUFFER 248
#endif
#ifndef PROV_R_ONESHOT_CALL_OUT_OF_ORDER
# define PROV_R_ONESHOT_CALL_OUT_OF_ORDER 239
#endif
#ifndef PROV_R_PASSWORD_STRENGTH_TOO_WEAK
# define PROV_R_PASSWORD_STRENGTH_TOO_WEAK 254
#endif
#ifndef OSSL_CIPHER_PARAM_AEAD_IV_GENERATED
# define OSSL_CIPHER_PARAM_AEAD_IV_GENERATED "iv-generated"
#endif

#ifndef PROV_R_PASSWORD_STRENGTH_TOO_WEAK
# define PROV_R_PASSWORD_STRENGTH_TOO_WEAK 254
#endif
#ifndef PROV_R_REPEATED_PARAMETER
# define PROV_R_REPEATED_PARAMETER 252
#endif
#ifndef PROV_R_UNEXPECTED_KEY_PARAMETERS
# define PROV_R_UNEXPECTED_KEY_PARAMETERS 249
#endif
#ifndef PROV_R_UNSUPPORTED_SELECTION
# define PROV_R_UNSUPPORTED_SELECTION 250
#endif
#ifndef PROV_R_UPDATE_CALL_OUT_OF_ORDER
# define PROV_R_UPDATE_CALL_OUT_OF_ORDER 240
#endif
#ifndef PROV_R_WRONG_CIPHERTEXT_SIZE
# define PROV_R_WRONG_CIPHERTEXT_SIZE 251
#endif

#endif
