/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of MACs (test_mac*.c) share. */
#ifndef WN_TEST_MAC_H
#define WN_TEST_MAC_H

#include "wntest.h"

/* One MAC with what it needs besides the key. */
struct mac_kind {
    const char *mac, *algorithm;        /* digest or cipher, or NULL */
    size_t keylen;                      /* 0: any */
    size_t size;
};

struct mac_message {
    unsigned char key[200], iv[64], in[2000];
    size_t keylen, ivlen, n;
};

int mac_is(const struct mac_kind *k, const char *mac);

/* A context of either provider, with digest or cipher set. */
EVP_MAC_CTX *mac_new(OSSL_LIB_CTX *lib, const char *name, const char *algorithm);

/* Key, IV and text at random. */
void mac_random(struct mac_message *m, const struct mac_kind *k);

int mac_init(EVP_MAC_CTX *ctx, const struct mac_kind *k, struct mac_message *m);
void mac_finish(EVP_MAC_CTX *ctx, const struct mac_kind *k, unsigned char *out);

/* The default provider's MAC. */
void mac_reference(const struct mac_kind *k, struct mac_message *m, unsigned char *out);

#endif
