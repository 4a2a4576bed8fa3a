/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * evpbench: operations.
 *
 * A job is what the command line asks for, shared by all threads and read-only
 * once prepared. A worker is one thread's state. op->setup() makes it,
 * op->once() does the operation one time and returns 1, anything else is a
 * failure and ends the measurement: a call that fails is never counted.
 */
#ifndef EVPBENCH_OPS_H
#define EVPBENCH_OPS_H

#include "lib.h"

#define MAX_SIZE (1 << 20)

struct worker;

struct op {
    const char *name;
    const char *help;
    int (*prepare)(struct worker *w); /* shared part, run once; may be NULL */
    int (*setup)(struct worker *w);   /* per thread */
    int (*once)(struct worker *w);
};

struct job {
    const struct op *op;
    const char *algorithm; /* AES-128-GCM, SHA256, RSA, EC, ML-KEM-768, … */
    const char *detail;    /* after a slash: digest, cipher, bits, group; or NULL */
    size_t size;
    size_t aad;
    int fresh; /* import the key for every operation */
    OSSL_LIB_CTX *libctx;
    EVP_PKEY *key, *peer;
    OSSL_PARAM *key_data, *peer_data; /* the same keys, exported */
    int private_import;               /* what key_data holds */
};

struct worker {
    struct job *job;
    unsigned char *in, *out;
    EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *cctx;
    EVP_MD *md;
    EVP_MD_CTX *mdctx;
    EVP_MAC *mac;
    EVP_MAC_CTX *macctx;
    EVP_PKEY_CTX *pctx;
    EVP_PKEY *own;
    int encrypt, mode, iv_len;
    unsigned char key[64], iv[16], tag[16];
    unsigned char *sig;
    size_t sig_len;
    unsigned char *secret;
    size_t secret_len;
    const OSSL_PROVIDER *provider; /* who did it */
};

const struct op *op_find(const char *name);
void op_list(void);
void worker_free(struct worker *w);
void job_free(struct job *job);

extern const struct op symmetric_ops[], key_ops[];

#endif
