/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NIST SP 800-185 over the sponge of keccak.c: the encodings of section 2.3,
 * KMAC (section 4) for EVP_MAC and the KDFs, and what cSHAKE (section 3) needs.
 *
 *   struct wn_kmac k;
 *   wn_kmac_init(&k, 128, key, keylen, custom, customlen);
 *   wn_kmac_update(&k, p, n); wn_kmac_final(&k, out, outlen, xof);
 *   wn_kmac_clear(&k);
 *
 * Plain structures: assignment duplicates them. Nothing here fails or raises.
 */
#ifndef WN_KMAC_H
#define WN_KMAC_H

#include "digest.h"

/* What OpenSSL's KMAC accepts; callers check. */
#define WN_KMAC_MIN_KEY 4
#define WN_KMAC_MAX_KEY 512
#define WN_KMAC_MAX_CUSTOM 512
#define WN_KMAC_MAX_OUTPUT (0xffffff / 8)

struct wn_kmac {
    struct wn_keccak k;
    size_t rate;                /* 168 (KMAC128) or 136 (KMAC256) */
};

/* bits: 128 or 256 */
void wn_kmac_init(struct wn_kmac *k, unsigned bits, const void *key, size_t keylen,
                  const void *custom, size_t customlen);
void wn_kmac_update(struct wn_kmac *k, const void *in, size_t n);
/* xof: KMACXOF (section 4.3.1), whose output does not depend on outlen. */
void wn_kmac_final(struct wn_kmac *k, unsigned char *out, size_t outlen, int xof);
void wn_kmac_clear(struct wn_kmac *k);

/* Starts a bytepad(..., rate) (section 2.3.3), to be ended by wn_keccak_fill(). */
void wn_sp185_bytepad(struct wn_keccak *k, size_t rate);
/* Absorbs encode_string(s) (section 2.3.2). */
void wn_sp185_string(struct wn_keccak *k, size_t rate, const void *s, size_t n);

#endif
