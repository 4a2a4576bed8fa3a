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
/* The outer hash of the inner digest that stands in out. */
int wn_hmac_finish(struct wn_hmac *h, unsigned char *out);
void wn_hmac_clear(struct wn_hmac *h);

/* The whole HMAC of one message. */
int wn_hmac_once(const struct wn_md_desc *desc, const void *key, size_t keylen,
                 const void *in, size_t n, unsigned char *out);

/*
 * PBKDF2's loop (RFC 8018 section 5.2): n times u = HMAC(u), t ^= u; both have
 * desc->size bytes. Needs wn_hmac_init only; restart before other use.
 */
void wn_hmac_iterate(struct wn_hmac *h, unsigned char *u, unsigned char *t, uint64_t n);

/*
 * The MAC of a TLS 1.0 to 1.2 record whose length is secret (RFC 5246 section
 * 6.2.3.2, the padding is not yet known to be good): HMAC(header, n bytes of
 * data), in time and memory accesses that depend on `size` alone, the length
 * with MAC and padding. The size bytes at data must be readable; n lies within
 * the 256 lengths that the padding length byte allows. Merkle-Damgard digests
 * only. 0 if an argument is out of range; out is then untouched. Leaves h as
 * wn_hmac_final() does.
 */
#define WN_TLS_HEADER 13
int wn_hmac_tls_record(struct wn_hmac *h, const unsigned char header[WN_TLS_HEADER],
                       const unsigned char *data, size_t n, size_t size, unsigned char *out);

#endif
