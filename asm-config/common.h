/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every configuration of wolfCrypt has in common: the feature set of an
 * OpenSSL 3 provider. asm-config/README.md says why each option is set.
 * Assembly files read this header too, so declarations stand behind
 * __ASSEMBLER__; everything else is preprocessor lines.
 */
#ifndef WN_ASM_CONFIG_COMMON_H
#define WN_ASM_CONFIG_COMMON_H

/* Platform */
#define WOLFCRYPT_ONLY
#define HAVE_PTHREAD
#define WOLFSSL_PTHREADS
#define HAVE_THREAD_LS
#define HAVE_LIMITS_H
#define SIZEOF_LONG_LONG 8
#ifdef __LP64__
#    define SIZEOF_LONG 8
#    define HAVE___UINT128_T 1
#else
#    define SIZEOF_LONG 4
#endif
#define NO_FILESYSTEM
#define NO_SIG_WRAPPER

/* Live in one translation unit with OpenSSL's headers */
#define OPENSSL_COEXIST
#define NO_OLD_RNGNAME
#define NO_OLD_WC_NAMES
#define NO_OLD_SSL_NAMES
#define NO_OLD_SHA_NAMES
#define NO_OLD_MD5_NAME

/*
 * Random numbers come from the provider's generators; 0 means success. Used in
 * wc_RNG_GenerateBlock(rng, out, n) only, whose rng tells which one is meant.
 */
#define WC_NO_HASHDRBG
#define CUSTOM_RAND_GENERATE_BLOCK(out, n) wn_rand_block(rng, out, n)
#ifndef __ASSEMBLER__
struct WC_RNG;
extern int wn_rand_block(struct WC_RNG *rng, unsigned char *out, unsigned int n);
#endif

/* Side channels */
#define ECC_TIMING_RESISTANT
#define TFM_TIMING_RESISTANT
#define WC_RSA_BLINDING

/* AES and its modes */
#define HAVE_AES_ECB
#define HAVE_AES_CBC
#define HAVE_AES_DECRYPT
#define WOLFSSL_AES_COUNTER
#define WOLFSSL_AES_DIRECT
#define WOLFSSL_AES_CFB
#define WOLFSSL_AES_OFB
#define WOLFSSL_AES_XTS
#define WOLFSSL_AESXTS_STREAM
#define HAVE_AES_KEYWRAP
#define HAVE_AESCCM
#define HAVE_AESGCM
#define GCM_TABLE_4BIT
#define WOLFSSL_AESGCM_STREAM
#define WOLFSSL_MIN_AUTH_TAG_SZ 1
#define WOLFSSL_CMAC

/* Other ciphers and MACs */
#define WOLFSSL_DES_ECB
#define HAVE_CHACHA
#define HAVE_POLY1305

/* Digests; MD5, SHA-1 and SHA-256 are on by default */
#define WOLFSSL_SHA224
#define WOLFSSL_SHA384
#define WOLFSSL_SHA512
#define WOLFSSL_SHA3
#define WOLFSSL_SHAKE128
#define WOLFSSL_SHAKE256

/* Key derivation */
#define HAVE_HKDF
#define HAVE_X963_KDF
#define HAVE_SCRYPT
#define WOLFSSL_HAVE_PRF
#define WC_KDF_NIST_SP_800_56C

/* Big numbers: the generic engine, and SP code for the common sizes */
#define WOLFSSL_SP_MATH_ALL
#define WOLFSSL_HAVE_SP_RSA
#define WOLFSSL_HAVE_SP_DH
#define WOLFSSL_HAVE_SP_ECC
#define WOLFSSL_SP_4096
#define WOLFSSL_SP_384
#define WOLFSSL_SP_521
#define SP_INT_BITS 16384
#define WOLFSSL_PUBLIC_MP

/* RSA */
#define WC_RSA_PSS
#define WOLFSSL_PSS_LONG_SALT
#define WOLFSSL_PSS_SALT_LEN_DISCOVER
#define WC_RSA_NO_PADDING
#define WOLFSSL_KEY_GEN
#define RSA_MIN_SIZE 512

/* DH */
#define HAVE_FFDHE_2048
#define HAVE_FFDHE_3072
#define HAVE_FFDHE_4096
#define HAVE_FFDHE_6144
#define HAVE_FFDHE_8192
#define HAVE_PUBLIC_FFDHE
#define WOLFSSL_DH_EXTRA
#define WOLFSSL_DH_CONST

/* Elliptic curves */
#define HAVE_ECC
#define HAVE_ALL_CURVES
#define WOLFSSL_CUSTOM_CURVES
#define HAVE_ECC_BRAINPOOL
#define HAVE_ECC_KOBLITZ
#define HAVE_ECC_SECPR2
#define HAVE_ECC_SECPR3
#define ECC_MIN_KEY_SZ 112
#define HAVE_COMP_KEY
#define ECC_SHAMIR
#define WOLFSSL_ECDSA_SET_K
#define WC_HASH_CUSTOM_MIN_DIGEST_SIZE 16
#define WC_ALLOW_ECC_ZERO_HASH
#define HAVE_CURVE25519
#define HAVE_ED25519
#define HAVE_CURVE448
#define HAVE_ED448

/* Post-quantum */
#define WOLFSSL_HAVE_MLKEM
#define WOLFSSL_MLKEM_CACHE_A
#define WOLFSSL_MLKEM_DYNAMIC_KEYS
#define WOLFSSL_HAVE_MLDSA
#define WC_MLDSA_CACHE_MATRIX_A
#define WC_MLDSA_CACHE_PRIV_VECTORS
#define WC_MLDSA_CACHE_PUB_VECTORS
#define WOLFSSL_MLDSA_DYNAMIC_KEYS
#define WOLFSSL_HAVE_SLHDSA
#define WOLFSSL_SLHDSA_SHA2

/* Digests that only some still want */
#define HAVE_BLAKE2B
#define HAVE_BLAKE2S
#define WOLFSSL_RIPEMD

/* Not wanted */
#define NO_DSA
#define NO_RC4
#define NO_MD4

#endif /* WN_ASM_CONFIG_COMMON_H */
