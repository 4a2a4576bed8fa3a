/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A core for the module without libcrypto's: loads wolfnano.so with dlopen,
 * hands it a dispatch table of our own, and can
 *
 *   - fail the n-th allocation, and count blocks that are not freed,
 *   - hide functions (an older or poorer core),
 *   - pretend to be any OpenSSL version, with any configuration,
 *   - refuse entropy,
 *   - record the errors raised.
 *
 * One fake core is used by one thread at a time.
 */
#ifndef FAKECORE_H
#define FAKECORE_H

#include <stddef.h>
#include <stdint.h>

#include <openssl/core.h>
#include <openssl/core_dispatch.h>

struct fake_core {
    const char *version;            /* "3.0.0" */
    const char *config[16];         /* name, value, name, value, ..., NULL */
    int hide[16];                   /* ids of core functions not offered, 0 ends */
    int no_entropy;

    unsigned long fail_at;          /* this allocation fails (1 = first; 0 = none) */
    unsigned long allocations;      /* so far */
    long live;                      /* blocks not yet freed */
    uint32_t reasons[32];           /* errors raised, in order */
    size_t n_reasons;
    char last_text[256];

    void *handle;                   /* dlopen */
    void *provctx;
    const OSSL_DISPATCH *functions; /* the provider's, after fake_load() */
    OSSL_thread_stop_handler_fn thread_stop[16];
    void *thread_arg[16];
    size_t n_threads;
};

/* Zeroes *fc and sets the version. */
void fake_init(struct fake_core *fc, const char *version);
/* 1 when OSSL_provider_init succeeded. */
int fake_load(struct fake_core *fc);
/* Runs thread-stop handlers and the provider's teardown, then dlclose. */
void fake_unload(struct fake_core *fc);
/* What stands for an OSSL_CORE_BIO: reads d from `at` to n, writes at n up to size. */
struct fake_bio {
    unsigned char *d;
    size_t n, at, size;
};
#define FAKE_BIO(b) ((OSSL_CORE_BIO *)(b))

/* Function of the provider's own table, or of one algorithm's; NULL: absent. */
void (*fake_function(const OSSL_DISPATCH *table, int id))(void);
/* The dispatch table of an algorithm by one of its names; NULL: not offered. */
const OSSL_DISPATCH *fake_algorithm(struct fake_core *fc, int operation, const char *name);
/* The same, only if its properties contain this text ("output=pem,structure=..."). */
const OSSL_DISPATCH *fake_algorithm_with(struct fake_core *fc, int operation, const char *name,
                                         const char *properties);
/* 1 if the last raised error is this reason of ERR_LIB_PROV, or our own. */
int fake_raised(const struct fake_core *fc, uint32_t reason);

#endif
