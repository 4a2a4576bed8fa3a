/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the key derivation functions share (provider-kdf(7)).
 *
 * A KDF is a descriptor and a context that starts with a struct wn_kdf. Byte
 * strings of a context (keys, salts, ...) stand in one array, so that kdf.c can
 * free and duplicate them; what else is in it is plain data. kdf.c does all of
 * EVP_KDF; a KDF has only its parameters and its function.
 *
 * Parameters are set on a copy of the context that takes its place when all of
 * them were good, so a failed call changes nothing.
 */
#ifndef WN_KDF_H
#define WN_KDF_H

#include "../provider/fn.h"
#include "../provider/parambuild.h"
#include "../provider/params.h"
#include "cmac.h"
#include "digest.h"
#include "other_ctx.h"

/* Largest context of any KDF. */
#define WN_KDF_MAX_CTX 1536

/* d NULL: not set. Set and empty: d is not NULL. */
struct wn_kdf_bytes {
    unsigned char *d;
    size_t n;
};

struct wn_kdf_desc {
    size_t size;                        /* of the context */
    size_t bytes_at, n_bytes;           /* offset and length of its byte strings */
    /* EVP_KDF_CTX_get_params() of something else gives -2 on cores older than this */
    unsigned strict_since;
    void (*init)(void *ctx);            /* defaults, on a zeroed context; or NULL */
    int (*set)(void *ctx, const OSSL_PARAM params[]);   /* both raise */
    int (*derive)(void *ctx, unsigned char *out, size_t n);
    size_t (*out_size)(void *ctx);      /* NULL: any; 0 with an error raised: unknown */
    int (*get)(void *ctx, OSSL_PARAM params[]);         /* what is not "size"; or NULL */
    const OSSL_PARAM *settable, *gettable;
    /* For a digest or cipher that another provider has: the KDF's name, and the state
     * as parameters. NULL: it has neither digest nor cipher. */
    const char *name;
    void (*tell)(const void *ctx, struct wn_pb *pb);
};

struct wn_kdf {
    const struct wn_prov *prov;
    const struct wn_kdf_desc *desc;
    struct wn_other_ctx *other;         /* not NULL: another provider does all (other_ctx.h) */
    const OSSL_PARAM *unknown;          /* names what wolfnano does not have; in desc->set only */
};

/* Bytes of struct `type`, whose byte strings are its member `bytes`. */
#define WN_KDF_LAYOUT(type, bytes)                                                        \
    sizeof(struct type), offsetof(struct type, bytes),                                    \
    sizeof(((struct type *)0)->bytes) / sizeof(struct wn_kdf_bytes)
#define WN_KDF_CHECK(type)                                                                \
    _Static_assert(sizeof(struct type) <= WN_KDF_MAX_CTX, "WN_KDF_MAX_CTX too small")

void *wn_kdf_new(void *vprov, const struct wn_kdf_desc *desc);
OSSL_FUNC_kdf_freectx_fn wn_kdf_free;
OSSL_FUNC_kdf_dupctx_fn wn_kdf_dup;
OSSL_FUNC_kdf_reset_fn wn_kdf_reset;
OSSL_FUNC_kdf_derive_fn wn_kdf_derive;
OSSL_FUNC_kdf_set_ctx_params_fn wn_kdf_set_ctx_params;
OSSL_FUNC_kdf_get_ctx_params_fn wn_kdf_get_ctx_params;
/* Bytes that a derivation gives: SIZE_MAX as many as asked for, 0 unknown. */
size_t wn_kdf_size(struct wn_kdf *ctx);

/* What an empty or missing (NULL) value means. */
enum wn_kdf_empty {
    WN_KDF_STRICT,      /* NULL is an error, empty is a value */
    WN_KDF_LENIENT,     /* NULL takes the value away, empty is a value */
    WN_KDF_CLEARS,      /* both take the value away */
    WN_KDF_KEEPS        /* both leave it as it was */
};

/* For desc->set, once for each string in a call: the parameter's octets instead
 * of byte string i; p NULL: unchanged. */
int wn_kdf_take(void *ctx, size_t i, const OSSL_PARAM *p, enum wn_kdf_empty empty);
/* All octets of parameters with that key, one after another, after what is
 * there (append) or instead of it. limit: 0 none. */
int wn_kdf_take_all(void *ctx, size_t i, const OSSL_PARAM params[], const char *key, int append,
                    size_t limit);
/* One of two names of the same value, in *p: the first if both are given, which
 * OpenSSL takes for a repetition from 3.6 on (0 and an error). */
int wn_kdf_either(void *ctx, OSSL_PARAM *a, OSSL_PARAM *b, OSSL_PARAM **p);
/* A digest; XOFs are refused, for hashing only from OpenSSL 3.4 on. One that wolfnano does
 * not have fails without an error: then wn_kdf_set_ctx_params() looks elsewhere. */
int wn_kdf_take_md(void *ctx, const OSSL_PARAM *p, const struct wn_md_desc **md, int for_hmac);
/* The same for a cipher of CMAC's. */
int wn_kdf_take_cipher(void *ctx, const OSSL_PARAM *p, const struct wn_cmac_cipher **cipher);
/* For desc->tell: byte string i, if it is set. */
void wn_kdf_tell(const void *ctx, struct wn_pb *pb, size_t i, const char *key);

#define WN_KDF_SIZE(P) P(size, size_t, OSSL_KDF_PARAM_SIZE)
extern const OSSL_PARAM wn_kdf_size_list[];

/* wn_kdf_<id>_functions of a descriptor. */
#define WN_KDF_TABLE(id, desc)                                                            \
    static void *kdf_##id##_newctx(void *prov) { return wn_kdf_new(prov, desc); }         \
    static const OSSL_PARAM *kdf_##id##_settable(void *ctx, void *prov)                   \
    { (void)ctx; (void)prov; return (desc)->settable; }                                   \
    static const OSSL_PARAM *kdf_##id##_gettable(void *ctx, void *prov)                   \
    { (void)ctx; (void)prov; return (desc)->gettable; }                                   \
    const OSSL_DISPATCH wn_kdf_##id##_functions[] = {                                     \
        WN_FN(KDF_NEWCTX, kdf_newctx, kdf_##id##_newctx),                                 \
        WN_FN(KDF_DUPCTX, kdf_dupctx, wn_kdf_dup),                                        \
        WN_FN(KDF_FREECTX, kdf_freectx, wn_kdf_free),                                     \
        WN_FN(KDF_RESET, kdf_reset, wn_kdf_reset),                                        \
        WN_FN(KDF_DERIVE, kdf_derive, wn_kdf_derive),                                     \
        WN_FN(KDF_SETTABLE_CTX_PARAMS, kdf_settable_ctx_params, kdf_##id##_settable),     \
        WN_FN(KDF_SET_CTX_PARAMS, kdf_set_ctx_params, wn_kdf_set_ctx_params),             \
        WN_FN(KDF_GETTABLE_CTX_PARAMS, kdf_gettable_ctx_params, kdf_##id##_gettable),     \
        WN_FN(KDF_GET_CTX_PARAMS, kdf_get_ctx_params, wn_kdf_get_ctx_params),             \
        WN_FN_END                                                                         \
    };

/* Those that exist as "keys" too (kdf_exch.c). */
extern const struct wn_kdf_desc wn_kdf_hkdf, wn_kdf_tls1_prf, wn_kdf_scrypt;

#endif
