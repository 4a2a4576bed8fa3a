/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What all ciphers share, provider-cipher(7).
 *
 * Every cipher has a `const struct wn_cipher_desc` (embedded as first field of
 * a family's own descriptor where it needs more) with what EVP asks of a
 * cipher before there is a context, and a dispatch table made by
 * WN_CIPHER_TABLE from two thunks and the family's list of shared functions.
 *
 * struct wn_cipher_ctx is the context of the block and stream modes (not of
 * the AEADs, which have states of their own): buffering, padding, IV handling
 * and parameters are in cipher.c, TLS records in cipher_tls.c, and a family
 * adds its key and a `run` function. The context owns no memory and no pointer
 * into itself save tlsmac, so that copying its bytes (and moving that pointer)
 * duplicates it.
 */
#ifndef WN_CIPHER_H
#define WN_CIPHER_H

#include <openssl/evp.h>

#include "../provider/fn.h"
#include "../provider/params.h"
#include "wolf.h"

enum {
    WN_CIPHER_AEAD = 1,
    WN_CIPHER_CUSTOM_IV = 2,
    WN_CIPHER_CTS = 4,
    WN_CIPHER_RAND_KEY = 8
};

struct wn_cipher_desc {
    unsigned mode;              /* EVP_CIPH_*_MODE */
    unsigned flags;
    size_t keylen, ivlen;       /* bytes, the defaults */
    size_t block;               /* 1 for stream modes */
};

int wn_cipher_get_params(OSSL_PARAM params[], const struct wn_cipher_desc *desc);
OSSL_FUNC_cipher_gettable_params_fn wn_cipher_gettable_params;

/*
 * WN_CIPHER_TABLE(id, desc, new, base, COMMON) defines wn_<id>_functions. desc:
 * the descriptor (an lvalue), base: its struct wn_cipher_desc, new: void
 * *(void *provctx, const <type of desc> *), COMMON: the shared WN_FN entries,
 * all but NEWCTX, GET_PARAMS and GETTABLE_PARAMS.
 */
#define WN_CIPHER_TABLE(id, desc, new, base, ...)                            \
    static void *id##_newctx(void *prov) { return new(prov, &(desc)); }      \
    static int id##_get_params(OSSL_PARAM params[])                          \
    { return wn_cipher_get_params(params, &(base)); }                        \
    const OSSL_DISPATCH wn_##id##_functions[] = {                            \
        WN_FN(CIPHER_NEWCTX, cipher_newctx, id##_newctx),                    \
        WN_FN(CIPHER_GET_PARAMS, cipher_get_params, id##_get_params),        \
        WN_FN(CIPHER_GETTABLE_PARAMS, cipher_gettable_params,                \
              wn_cipher_gettable_params),                                    \
        __VA_ARGS__,                                                         \
        WN_FN_END                                                            \
    }

/* ---- block and stream modes ----------------------------------------------- */

#define WN_CIPHER_MAX_BLOCK 16
#define WN_CIPHER_MAX_KEY 64            /* AES-256-XTS: two keys */

struct wn_cipher_ctx;

/* Processes n bytes, whole blocks in block modes; in == out or disjoint; moves
 * ctx->iv and ctx->num on. Raises its own errors. */
typedef int wn_cipher_run(struct wn_cipher_ctx *ctx, unsigned char *out,
                          const unsigned char *in, size_t n);

struct wn_mode_desc {
    struct wn_cipher_desc base;
    size_t (*ctx_size)(void);
    /* Makes the key schedule for ctx->enc from ctx->key and sets ctx->run. */
    int (*set_key)(struct wn_cipher_ctx *ctx);
    const void *impl;           /* the family's own */
};

struct wn_cipher_ctx {
    const struct wn_prov *prov;
    const struct wn_mode_desc *desc;
    wn_cipher_run *run;
    size_t size;                /* bytes allocated */

    _Alignas(16) unsigned char iv[WN_CIPHER_MAX_BLOCK];     /* running */
    unsigned char oiv[WN_CIPHER_MAX_BLOCK];                 /* as given */
    unsigned char buf[WN_CIPHER_MAX_BLOCK]; /* open block; CTR: key stream */
    unsigned num;               /* position in an open block of a stream mode */
    unsigned bufsz;             /* bytes in buf (block modes) */

    unsigned char enc, key_enc; /* direction; that of the key schedule */
    unsigned char pad, use_bits;
    unsigned char iv_set, key_set;
    unsigned char updated;      /* one-shot modes: data was given */
    unsigned char cts;          /* enum in aes_cts.c */

    unsigned tlsversion;        /* 0: no TLS records */
    size_t tlsmacsize;
    const unsigned char *tlsmac; /* MAC of the last record, in the caller's buffer or here: */
    unsigned char tlsmac_buf[EVP_MAX_MD_SIZE];
    unsigned char key[WN_CIPHER_MAX_KEY];
};

void *wn_cipher_newctx(void *provctx, const struct wn_mode_desc *desc);
OSSL_FUNC_cipher_freectx_fn wn_cipher_freectx;
OSSL_FUNC_cipher_dupctx_fn wn_cipher_dupctx;
OSSL_FUNC_cipher_encrypt_init_fn wn_cipher_encrypt_init;
OSSL_FUNC_cipher_decrypt_init_fn wn_cipher_decrypt_init;
OSSL_FUNC_cipher_update_fn wn_cipher_block_update;
OSSL_FUNC_cipher_final_fn wn_cipher_block_final;
OSSL_FUNC_cipher_update_fn wn_cipher_stream_update;
OSSL_FUNC_cipher_final_fn wn_cipher_stream_final;
OSSL_FUNC_cipher_cipher_fn wn_cipher_cipher;
OSSL_FUNC_cipher_get_ctx_params_fn wn_cipher_get_ctx_params;
OSSL_FUNC_cipher_set_ctx_params_fn wn_cipher_set_ctx_params;
OSSL_FUNC_cipher_gettable_ctx_params_fn wn_cipher_gettable_ctx_params;
OSSL_FUNC_cipher_settable_ctx_params_fn wn_cipher_settable_ctx_params;

OSSL_FUNC_cipher_set_ctx_params_fn wn_cipher_set_fixed_params;
OSSL_FUNC_cipher_settable_ctx_params_fn wn_cipher_settable_fixed_params;

/* Parts for families with functions of their own; both raise. */
int wn_cipher_init_iv(struct wn_cipher_ctx *ctx, const unsigned char *iv, size_t ivlen);
int wn_cipher_init_key(struct wn_cipher_ctx *ctx, const unsigned char *key, size_t keylen);

/* All entries of WN_CIPHER_TABLE for a plain mode; kind: block or stream. */
#define WN_CIPHER_MODE_COMMON(kind)                                          \
    WN_CIPHER_DATA_COMMON(kind),                                             \
    WN_FN(CIPHER_GET_CTX_PARAMS, cipher_get_ctx_params, wn_cipher_get_ctx_params), \
    WN_FN(CIPHER_GETTABLE_CTX_PARAMS, cipher_gettable_ctx_params,            \
          wn_cipher_gettable_ctx_params),                                    \
    WN_FN(CIPHER_SET_CTX_PARAMS, cipher_set_ctx_params, wn_cipher_set_ctx_params), \
    WN_FN(CIPHER_SETTABLE_CTX_PARAMS, cipher_settable_ctx_params,            \
          wn_cipher_settable_ctx_params)
#define WN_CIPHER_DATA_COMMON(kind)                                          \
    WN_FN(CIPHER_FREECTX, cipher_freectx, wn_cipher_freectx),                \
    WN_FN(CIPHER_DUPCTX, cipher_dupctx, wn_cipher_dupctx),                   \
    WN_FN(CIPHER_ENCRYPT_INIT, cipher_encrypt_init, wn_cipher_encrypt_init), \
    WN_FN(CIPHER_DECRYPT_INIT, cipher_decrypt_init, wn_cipher_decrypt_init), \
    WN_FN(CIPHER_UPDATE, cipher_update, wn_cipher_##kind##_update),          \
    WN_FN(CIPHER_FINAL, cipher_final, wn_cipher_##kind##_final),             \
    WN_FN(CIPHER_CIPHER, cipher_cipher, wn_cipher_cipher)

/* cipher_tls.c: one TLS record, in place; see there. */
int wn_cipher_tls_record(struct wn_cipher_ctx *ctx, unsigned char *out, size_t *outl,
                         size_t outsize, const unsigned char *in, size_t inl);

#endif
