/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DHKEM, the key encapsulation of HPKE (RFC 9180 section 4.1): the labelled HKDF,
 * and the EVP_KEM in dhkem.c. What it needs of a kind of key is a wn_dhkem_kind,
 * one for curves over prime fields (ec_dhkem.c), one for X25519 and X448
 * (ecx_dhkem.c), which also have DeriveKeyPair (section 7.1.3).
 */
#ifndef WN_DHKEM_H
#define WN_DHKEM_H

#include "../provider/fn.h"
#include "hmac.h"

#define WN_DHKEM_MAX_PUBLIC 133     /* P-521 */
#define WN_DHKEM_MAX_SECRET 66

/* A row of RFC 9180's table 2; Nsecret is the digest's size. */
struct wn_dhkem_suite {
    unsigned char id;
    const struct wn_md_desc *md;
    size_t n_pk, n_sk, n_dh;
};

/* LabeledExtract without salt over n bytes; prk: md->size bytes. */
void wn_dhkem_extract(const struct wn_dhkem_suite *suite, const char *label,
                      const unsigned char *ikm, size_t n, unsigned char *prk);
/* LabeledExpand to n < 65536 bytes; prk: as above. */
void wn_dhkem_expand(const struct wn_dhkem_suite *suite, const unsigned char *prk,
                     const char *label, const void *info, size_t infolen,
                     unsigned char *out, size_t n);
/* Is it enough for DeriveKeyPair? Raises. */
int wn_dhkem_check_ikm(const struct wn_prov *prov, const struct wn_dhkem_suite *suite, size_t n);

/* Keys are the key management's objects; what returns int raises with 0. */
struct wn_dhkem_kind {
    void (*up)(void *key);
    void (*free)(void *key);
    const struct wn_dhkem_suite *(*suite)(const void *key);     /* NULL: none */
    int (*match)(const void *a, const void *b);                 /* raises nothing */
    int (*check)(const void *key, int need_private);
    int (*public_key)(const void *key, unsigned char *out);     /* n_pk bytes */
    int (*dh)(const void *key, void *peer, unsigned char *out); /* n_dh bytes */
    /* a new key like that one: a public key from n_pk bytes; a key pair, random or
     * (n != 0) derived; NULL with an error */
    void *(*from_public)(const void *like, const unsigned char *in);
    void *(*generate)(const void *like, const unsigned char *ikm, size_t n);
};

extern const struct wn_dhkem_kind wn_ec_dhkem, wn_ecx_dhkem;

#endif
