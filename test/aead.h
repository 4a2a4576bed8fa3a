/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One AEAD message through EVP, for all tests of AEAD ciphers. */
#ifndef WN_TEST_AEAD_H
#define WN_TEST_AEAD_H

#include "wntest.h"

struct aead_msg {
    const unsigned char *key, *iv, *aad, *in;
    size_t ivlen, aadlen, len;
    size_t taglen;
    int split;                  /* random pieces, with empty ones between */
    int copy;                   /* go on with a duplicate from time to time */
};

EVP_CIPHER *aead_fetch(OSSL_LIB_CTX *libctx, const char *name);

/* Encrypts to out (len bytes) and tag; fails the test if a step fails. A ctx of
 * NULL means a fresh one. */
void aead_seal(EVP_CIPHER *c, EVP_CIPHER_CTX *ctx, const struct aead_msg *m, unsigned char *out,
               unsigned char *tag);

/* Decrypts m->in; 1 if the tag is right, 0 if it is wrong (then without an error of
 * another kind); fails the test if another step fails. */
int aead_open(EVP_CIPHER *c, EVP_CIPHER_CTX *ctx, const struct aead_msg *m, unsigned char *out,
              const unsigned char *tag);

/* Text or AAD (out NULL) in the pieces that m asks for; 0: update failed. */
int aead_pieces(EVP_CIPHER_CTX **ctx, const struct aead_msg *m, unsigned char *out,
                const unsigned char *in, size_t n);

#endif
