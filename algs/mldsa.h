/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ML-DSA-44, -65 and -87 (FIPS 204): the key object. Key management is in
 * mldsa_key.c, signatures are in mldsa_sig.c.
 *
 * A key's decoded form has everything that signing and verifying would compute
 * from the key's bytes alone (the matrix A, vectors in NTT form, the hash tr); it
 * is read-only once published, and each operation works on a shallow copy. A
 * private key gets it when it is made, which needs most of it, a public key at its
 * first use. Memory of an ML-DSA-65 private key: 75 KB.
 */
#ifndef WN_MLDSA_H
#define WN_MLDSA_H

#include <wolfssl/wolfcrypt/wc_mldsa.h>

#include "key.h"

#define WN_MLDSA_SEED 32        /* xi */
#define WN_MLDSA_MU 64
#define WN_MLDSA_TR 64          /* hash of the public key */
#define WN_MLDSA_RND 32

struct wn_mldsa_desc {
    const char *name;
    byte level;                 /* wolfCrypt's */
    unsigned char oid;          /* last byte: 2.16.840.1.101.3.4.3.x */
    int security_bits, category;
    size_t pub, priv, sig;      /* bytes */
};

extern const struct wn_mldsa_desc wn_mldsa44_desc, wn_mldsa65_desc, wn_mldsa87_desc;

struct wn_mldsa_decoded {
    wc_MlDsaKey key;            /* read-only once published */
    unsigned char tr[WN_MLDSA_TR];
};

struct wn_mldsa_key {
    const struct wn_prov *prov;
    const struct wn_mldsa_desc *desc;
    wn_ref ref;
    unsigned char *pub;         /* NULL: no key yet */
    unsigned char seed[WN_MLDSA_SEED];
    int has_seed, has_private;
    struct wn_mldsa_decoded *_Atomic decoded;
};

/* ---- wc_mldsa_more.c of the build; return wolfCrypt's codes --------------------- */

int wn_mldsa_fill_caches(wc_MlDsaKey *key);
int wn_mldsa_public_from_private(wc_MlDsaKey *key);
int wn_mldsa_verify_mu(const wc_MlDsaKey *key, const byte *sig, word32 siglen, const byte *mu,
                       int *valid);

/* ---- key object: 1, or 0 with an error raised; a failed key stays empty ----------- */

struct wn_mldsa_key *wn_mldsa_key_new(const struct wn_prov *prov, const struct wn_mldsa_desc *desc);
void wn_mldsa_key_free(struct wn_mldsa_key *key);

int wn_mldsa_key_from_pub(struct wn_mldsa_key *key, const unsigned char *pub);
/* skDecode (algorithm 25), with the public key computed and its hash checked */
int wn_mldsa_key_from_priv(struct wn_mldsa_key *key, const unsigned char *priv);
int wn_mldsa_key_from_seed(struct wn_mldsa_key *key, const unsigned char seed[WN_MLDSA_SEED]);
int wn_mldsa_key_generate(struct wn_mldsa_key *key);

/* The private key's bytes inside the key; NULL for a public key. */
const unsigned char *wn_mldsa_key_priv(const struct wn_mldsa_key *key);
/* The decoded form, made if need be; NULL with an error raised. */
const struct wn_mldsa_decoded *wn_mldsa_key_decoded(struct wn_mldsa_key *key);

#endif
