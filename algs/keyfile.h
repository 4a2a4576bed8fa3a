/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Key files of ML-KEM, ML-DSA and SLH-DSA (RFC 9935, RFC 9881, RFC 9909; RFC 5958,
 * RFC 5280), for the OpenSSL versions whose own encoders and decoders do not know them: 3.0 to 3.4.
 *
 * A type is a row of sizes and names; its keys are reached through the dispatch
 * table of its key management, so nothing here knows how a key is kept. The forms
 * of a private key are those that OpenSSL 3.5 names in "ml-dsa.output_formats";
 * files are byte for byte what 3.5 writes. keyfile_enc.c has the encoders,
 * keyfile_dec.c the decoders.
 */
#ifndef WN_KEYFILE_H
#define WN_KEYFILE_H

#include "../provider/der.h"
#include "key.h"

struct wn_keyfile_type {
    const char *name, *oid;
    int kem;
    size_t seed, priv, pub;             /* bytes; seed 0: keys keep none */
    const OSSL_DISPATCH *keymgmt;
};

extern const struct wn_keyfile_type wn_keyfile_mlkem512, wn_keyfile_mlkem768,
    wn_keyfile_mlkem1024, wn_keyfile_mldsa44, wn_keyfile_mldsa65, wn_keyfile_mldsa87,
    wn_keyfile_slhdsa_sha2_128s, wn_keyfile_slhdsa_sha2_128f, wn_keyfile_slhdsa_sha2_192s,
    wn_keyfile_slhdsa_sha2_192f, wn_keyfile_slhdsa_sha2_256s, wn_keyfile_slhdsa_sha2_256f,
    wn_keyfile_slhdsa_shake_128s, wn_keyfile_slhdsa_shake_128f, wn_keyfile_slhdsa_shake_192s,
    wn_keyfile_slhdsa_shake_192f, wn_keyfile_slhdsa_shake_256s, wn_keyfile_slhdsa_shake_256f;

/* The values of a key; NULL: it has none. */
struct wn_keyfile_parts {
    unsigned char *buf;                 /* what the pointers below point into */
    size_t size;
    const unsigned char *seed, *priv, *pub;
};

/* Reads them from a key object; 0 with an error raised. Clear them in any case. */
int wn_keyfile_get(const struct wn_prov *prov, const struct wn_keyfile_type *type,
                   const void *key, int selection, struct wn_keyfile_parts *parts);
void wn_keyfile_clear(const struct wn_prov *prov, struct wn_keyfile_parts *parts);

/* A new key object with these values (keymgmt_import); NULL with an error raised. */
void *wn_keyfile_make(const struct wn_prov *prov, const struct wn_keyfile_type *type,
                      const struct wn_keyfile_parts *parts);
void *wn_keyfile_import(const struct wn_prov *prov, const struct wn_keyfile_type *type,
                        int selection, const OSSL_PARAM params[]);
int wn_keyfile_export(const struct wn_keyfile_type *type, void *key, int selection,
                      OSSL_CALLBACK *cb, void *arg);
void wn_keyfile_free(const struct wn_keyfile_type *type, void *key);

/* Does a coder of keys that `mask` selects serve what the application selects?
 * Private includes public includes parameters; 0 is "whatever there is". */
int wn_keyfile_serves(int selection, int mask);

/* AlgorithmIdentifier without parameters */
void wn_keyfile_w_algorithm(struct wn_der_w *w, const struct wn_keyfile_type *type);

/* The private key in the first of the configured output forms that it can have;
 * raises when there is none. */
int wn_keyfile_w_private(struct wn_der_w *w, const struct wn_prov *prov,
                         const struct wn_keyfile_type *type,
                         const struct wn_keyfile_parts *parts);

/* Finds seed and private key in any of the configured input forms; 0 if it is none
 * of them (raises). The pointers lie inside the input. */
int wn_keyfile_r_private(const struct wn_prov *prov, const struct wn_keyfile_type *type,
                         const unsigned char *d, size_t n, struct wn_keyfile_parts *parts);

#endif
