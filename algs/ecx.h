/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * X25519, X448 (RFC 7748), Ed25519 and Ed448 (RFC 8032): the key object that
 * their key management, key exchange, signatures and KEMs share.
 */
#ifndef WN_ECX_H
#define WN_ECX_H

#include "key.h"

enum wn_ecx_type { WN_X25519, WN_X448, WN_ED25519, WN_ED448 };

#define WN_ECX_MAX 57           /* bytes of the longest key (Ed448) */

struct wn_ecx_desc {
    enum wn_ecx_type type;
    const char *name;           /* of the algorithm, and of the TLS group */
    size_t len;                 /* bytes of a public and of a private key */
    int bits, security_bits, max_size;
    /* pub = public key of priv; wolfCrypt return code */
    int (*make_public)(unsigned char *pub, const unsigned char *priv);
};

extern const struct wn_ecx_desc wn_x25519_desc, wn_x448_desc, wn_ed25519_desc, wn_ed448_desc;

struct wn_ecx_key {
    const struct wn_prov *prov;
    const struct wn_ecx_desc *desc;
    wn_ref ref;
    int has_public, has_private;
    unsigned char pub[WN_ECX_MAX];
    unsigned char priv[WN_ECX_MAX];     /* as given: X25519 keys unclamped */
};

struct wn_ecx_key *wn_ecx_key_new(const struct wn_prov *prov, const struct wn_ecx_desc *desc);
void wn_ecx_key_free(struct wn_ecx_key *key);
static inline struct wn_ecx_key *wn_ecx_key_up(struct wn_ecx_key *key)
{
    wn_ref_up(&key->ref);
    return key;
}

/* Private keys of X25519 and X448 (decodeScalar, RFC 7748 section 5). */
void wn_ecx_clamp(enum wn_ecx_type type, unsigned char *k);

/*
 * Fills an empty key with a random private key (X25519 and X448: clamped) and
 * its public key.
 */
int wn_ecx_key_generate(struct wn_ecx_key *key);

/*
 * out = the shared secret of priv and the peer's public key (desc->len bytes);
 * 0 without an error if it is all zero (RFC 7748 section 6).
 */
int wn_ecx_shared_secret(const struct wn_ecx_desc *desc, unsigned char *out,
                         const unsigned char *priv, const unsigned char *peer);

#endif
