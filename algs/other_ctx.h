/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys and contexts that live in another provider (provider/other.h), behind an object
 * of wolfnano: what all operations share, and the calls of signatures.
 *
 * A family's context has a `struct wn_other_ctx *other`; while it is not NULL, every
 * function of the family passes its call on, and the other provider's answer, errors
 * included, is the answer.
 */
#ifndef WN_OTHER_CTX_H
#define WN_OTHER_CTX_H

#include "../provider/other.h"
#include "key.h"

/* ---- keys ------------------------------------------------------------------------ */

struct wn_other_key {
    wn_ref ref;
    struct wn_other *keymgmt;
    void *data;                 /* the other provider's key object */
};

/* Of a key object, which it takes even when it fails (NULL). */
struct wn_other_key *wn_other_key_new(struct wn_other *keymgmt, void *data);
/* Made there by import; NULL: it cannot. */
struct wn_other_key *wn_other_key_import(struct wn_other *keymgmt, int selection,
                                         const OSSL_PARAM params[]);
/* A copy of a key of ours. */
struct wn_other_key *wn_other_key_copy(struct wn_other *keymgmt,
                                       OSSL_FUNC_keymgmt_export_fn *export, void *key);
void wn_other_key_free(struct wn_other_key *key);
static inline struct wn_other_key *wn_other_key_up(struct wn_other_key *key)
{
    wn_ref_up(&key->ref);
    return key;
}

/* ---- contexts -------------------------------------------------------------------- */

struct wn_other_ops;

struct wn_other_ctx {
    struct wn_other *impl;
    const struct wn_other_ops *ops;
    void *ctx;                  /* the other provider's context */
    struct wn_other_key *key;   /* kept for it; or NULL */
    int how;                    /* signatures: the init function that began it */
};

/* Each takes a reference to the key. */
struct wn_other_ctx *wn_other_ctx_new(struct wn_other *impl, int operation,
                                      struct wn_other_key *key);
/* The algorithm of that name in the provider of the key; raises. */
struct wn_other_ctx *wn_other_ctx_for_key(struct wn_other_key *key, int operation,
                                          const char *name);
struct wn_other_ctx *wn_other_ctx_dup(const struct wn_other_ctx *o);
void wn_other_ctx_free(struct wn_other_ctx *o);
int wn_other_get_params(const struct wn_other_ctx *o, OSSL_PARAM params[]);
int wn_other_set_params(const struct wn_other_ctx *o, const OSSL_PARAM params[]);
/* 0 with an error raised: the other provider has no such function. */
int wn_other_lacks(const struct wn_other *other);

/* ---- MACs -------------------------------------------------------------------------- */

/* The MAC of that name of a provider that takes these parameters; NULL: none does. */
struct wn_other_ctx *wn_other_mac_find(const struct wn_prov *prov, const char *name,
                                       const OSSL_PARAM params[]);
int wn_other_mac_init(const struct wn_other_ctx *o, const unsigned char *key, size_t keylen,
                      const OSSL_PARAM params[]);
int wn_other_mac_update(const struct wn_other_ctx *o, const unsigned char *in, size_t n);
int wn_other_mac_final(const struct wn_other_ctx *o, unsigned char *out, size_t *outl,
                       size_t outsize);
size_t wn_other_mac_size(const struct wn_other_ctx *o);

/* ---- KDFs -------------------------------------------------------------------------- */

/* before: the state so far; NULL: none. */
struct wn_other_ctx *wn_other_kdf_find(const struct wn_prov *prov, const char *name,
                                       const OSSL_PARAM before[], const OSSL_PARAM params[]);
int wn_other_kdf_derive(const struct wn_other_ctx *o, unsigned char *out, size_t n,
                        const OSSL_PARAM params[]);
/* As wn_kdf_size() of kdf.h. */
size_t wn_other_kdf_size(const struct wn_other_ctx *o);
/* For key exchanges that end in a KDF: does another provider have it with that digest?
 * Once over these parameters, which it clears; raises. */
int wn_other_kdf_takes(const struct wn_prov *prov, const char *kdf, const char *digest);
int wn_other_kdf_once(const struct wn_prov *prov, const char *kdf, struct wn_pb *pb,
                      unsigned char *out, size_t n);

/* ---- signatures ------------------------------------------------------------------- */

/* how: OSSL_FUNC_SIGNATURE_..._INIT; mdname only for the DIGEST ones. again: with the
 * key that it has already. */
int wn_other_sig_init(struct wn_other_ctx *o, int how, int again, const char *mdname,
                      const OSSL_PARAM params[]);
int wn_other_sign(const struct wn_other_ctx *o, unsigned char *sig, size_t *siglen,
                  size_t sigsize, const unsigned char *tbs, size_t n);
int wn_other_verify(const struct wn_other_ctx *o, const unsigned char *sig, size_t siglen,
                    const unsigned char *tbs, size_t n);
int wn_other_recover(const struct wn_other_ctx *o, unsigned char *out, size_t *outlen,
                     size_t outsize, const unsigned char *sig, size_t siglen);
int wn_other_sig_update(const struct wn_other_ctx *o, const unsigned char *data, size_t n);
int wn_other_sign_final(const struct wn_other_ctx *o, unsigned char *sig, size_t *siglen,
                        size_t sigsize);
/* sig NULL: set as a parameter before */
int wn_other_verify_final(const struct wn_other_ctx *o, const unsigned char *sig, size_t siglen);

/* An operation with a key of ours over a digest that is not. */
struct wn_other_key_try {
    const char *keymgmt;        /* name of the key's type */
    OSSL_FUNC_keymgmt_export_fn *export;
    void *key;
    int how;                    /* the function id of its init */
    const char *mdname;         /* for OSSL_FUNC_SIGNATURE_DIGEST_..._INIT */
    const OSSL_PARAM *before;   /* the state so far, as parameters; or NULL */
    const OSSL_PARAM *params;   /* of this call */
    struct wn_other_ctx *out;
};
int wn_other_sig_find(const struct wn_prov *prov, const char *name, struct wn_other_key_try *t);

/* ---- encryption ------------------------------------------------------------------- */

/* how: OSSL_FUNC_ASYM_CIPHER_ENCRYPT_INIT or ..._DECRYPT_INIT */
int wn_other_enc_find(const struct wn_prov *prov, const char *name, struct wn_other_key_try *t);
int wn_other_encrypt(const struct wn_other_ctx *o, unsigned char *out, size_t *outlen,
                     size_t outsize, const unsigned char *in, size_t n);
int wn_other_decrypt(const struct wn_other_ctx *o, unsigned char *out, size_t *outlen,
                     size_t outsize, const unsigned char *in, size_t n);

/* A context of that operation with a copy of the key of t, made in the other provider;
 * NULL: that provider cannot. */
struct wn_other_ctx *wn_other_ctx_with_copy(struct wn_other *impl, int operation,
                                            const struct wn_other_key_try *t);

#endif
