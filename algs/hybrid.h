/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hybrid key encapsulation of TLS 1.3: ML-KEM beside an elliptic curve
 * (draft-ietf-tls-ecdhe-mlkem). Keys, ciphertexts and secrets are the plain
 * concatenation of both; which comes first depends on the group.
 */
#ifndef WN_HYBRID_H
#define WN_HYBRID_H

#include "mlkem.h"

/* The curve's side: Diffie-Hellman with fixed lengths. All functions raise. */
struct wn_hybrid_curve {
    size_t pub_len, priv_len, secret_len;
    int (*generate)(const struct wn_prov *prov, unsigned char *priv, unsigned char *pub);
    int (*make_public)(const struct wn_prov *prov, unsigned char *pub,
                       const unsigned char *priv);
    /* checks the peer's public key, too */
    int (*derive)(const struct wn_prov *prov, unsigned char *secret, const unsigned char *priv,
                  const unsigned char *peer);
};

struct wn_hybrid_desc {
    const char *name;
    const struct wn_mlkem_desc *mlkem;
    const struct wn_hybrid_curve *curve;
    int curve_first;
};

#define WN_HYBRID_MAX_PUB 97    /* secp384r1, uncompressed */
#define WN_HYBRID_MAX_PRIV 56   /* X448 */

struct wn_hybrid_key {
    const struct wn_prov *prov;
    const struct wn_hybrid_desc *desc;
    wn_ref ref;
    struct wn_mlkem_key *mlkem; /* NULL: no key material yet */
    int has_private;
    unsigned char pub[WN_HYBRID_MAX_PUB], priv[WN_HYBRID_MAX_PRIV];
};

/* Where the two parts lie in a concatenation with a curve part of n bytes and
 * an ML-KEM part of m bytes. */
static inline size_t wn_hybrid_curve_at(const struct wn_hybrid_desc *desc, size_t m)
{
    return desc->curve_first ? 0 : m;
}

static inline size_t wn_hybrid_mlkem_at(const struct wn_hybrid_desc *desc, size_t n)
{
    return desc->curve_first ? n : 0;
}

void wn_hybrid_key_free(struct wn_hybrid_key *key);
static inline struct wn_hybrid_key *wn_hybrid_key_up(struct wn_hybrid_key *key)
{
    wn_ref_up(&key->ref);
    return key;
}

extern const struct wn_hybrid_desc wn_x25519mlkem768_desc, wn_x448mlkem1024_desc,
    wn_secp256r1mlkem768_desc, wn_secp384r1mlkem1024_desc;

#endif
