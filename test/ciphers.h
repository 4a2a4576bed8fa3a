/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ciphers that are not AEADs, for the tests of them. */
#ifndef WN_TEST_CIPHERS_H
#define WN_TEST_CIPHERS_H

#include "wntest.h"

extern const char *const cipher_names[];
extern const size_t n_ciphers;

/* One cipher of both sides, and a context of each. */
struct cipher_pair {
    const char *name;
    EVP_CIPHER *wolf, *deflt;
    EVP_CIPHER_CTX *w, *d;
    size_t keylen, ivlen, block;
    int mode, cts;
};

/* Fails the test unless both sides have it and wolfnano's is wolfnano's. */
void cipher_pair_open(struct cipher_pair *p, const char *name);
void cipher_pair_close(struct cipher_pair *p);

/*
 * Empties the queue; the first error of ERR_LIB_PROV, or the first of all. (From
 * 3.2 on the default provider's parameters put some of another library before.)
 */
unsigned long cipher_take_error(void);
/* That error is this one. */
void cipher_assert_error(int reason);

#endif
