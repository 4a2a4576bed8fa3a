/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * HMAC (FIPS 198-1, RFC 2104) for the rest of the module: KDFs, deterministic
 * nonces, DRBGs, and the EVP_MAC in mac_hmac.c.
 *
 *   struct wn_hmac h;
 *   wn_hmac_init(&h, wn_md_find("SHA2-256"), key, keylen);
 *   wn_hmac_update(&h, p, n); wn_hmac_final(&h, out);      // h->desc->size bytes
 *   wn_hmac_restart(&h); ...                               // same key, cheap
 *   wn_hmac_clear(&h);
 *
 * The states after the key blocks are kept, so a restart hashes nothing. The
 * structure has no pointers into itself: assignment duplicates it. None of the
 * functions can fail (they return 1), save that wn_hmac_init refuses an
 * extendable-output digest with 0. They raise nothing.
 */
#ifndef WN_HMAC_H
#define WN_HMAC_H

#include "digest.h"

struct wn_hmac {
    struct wn_md md;            /* the running hash; md.desc is the digest */
    union wn_md_state inner, outer;     /* heads after the padded key */
};

int wn_hmac_init(struct wn_hmac *h, const struct wn_md_desc *desc, const void *key, size_t keylen);
int wn_hmac_restart(struct wn_hmac *h);
int wn_hmac_update(struct wn_hmac *h, const void *in, size_t n);
int wn_hmac_final(struct wn_hmac *h, unsigned char *out);
void wn_hmac_clear(struct wn_hmac *h);

/* The whole HMAC of one message. */
int wn_hmac_once(const struct wn_md_desc *desc, const void *key, size_t keylen,
                 const void *in, size_t n, unsigned char *out);

/*
 * PBKDF2's loop (RFC 8018 section 5.2): n times u = HMAC(u), t ^= u; both have
 * desc->size bytes. Needs wn_hmac_init only; restart before other use.
 */
void wn_hmac_iterate(struct wn_hmac *h, unsigned char *u, unsigned char *t, uint64_t n);

#endif
