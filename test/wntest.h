/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every cmocka test of the module shares.
 *
 * wnt_setup() (a cmocka group setup) makes two library contexts: wnt_wolf() has
 * only wolfnano, loaded from $WOLFNANO_MODULES with the CPU mask $WOLFNANO_CPU,
 * wnt_default() only OpenSSL's default provider. Comparing the two is the rule;
 * wolfnano is never compared with itself alone. wnt_teardown() frees both and
 * fails if errors are left on the queue.
 */
#ifndef WNTEST_H
#define WNTEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/proverr.h>
#include <openssl/provider.h>

int wnt_setup(void **state);
int wnt_teardown(void **state);
OSSL_LIB_CTX *wnt_wolf(void);
OSSL_LIB_CTX *wnt_default(void);

/*
 * A library context whose configuration loads wolfnano with further options
 * ("block = SHA256\n"; NULL for none) and, if also != NULL, another provider
 * of that name ("base", "default"). NULL on failure, errors left on the queue.
 */
OSSL_LIB_CTX *wnt_new_ctx(const char *options, const char *also);

/* The CPU mask that this run tests ("" for none). */
const char *wnt_cpu(void);

/* Fails the test unless the object's provider is wolfnano. */
#define wnt_assert_wolfnano(provider) \
    assert_string_equal(OSSL_PROVIDER_get0_name(provider), "wolfnano")

/* Success must leave the error queue empty (prints what is on it). */
#define wnt_assert_no_errors() wnt_no_errors_at(__FILE__, __LINE__)
void wnt_no_errors_at(const char *file, int line);

/* The first queued error has that library and reason; empties the queue. */
#define wnt_assert_error(lib, reason) wnt_error_at(lib, reason, __FILE__, __LINE__)
void wnt_error_at(int lib, int reason, const char *file, int line);
#define wnt_assert_prov_error(reason) wnt_assert_error(ERR_LIB_PROV, reason)

/* expr == 1, else prints the error queue and fails. */
#define wnt_ok(expr) wnt_ok_at((expr), #expr, __FILE__, __LINE__)
void wnt_ok_at(int ok, const char *text, const char *file, int line);

/* Deterministic test bytes; the seed comes from $WOLFNANO_TEST_SEED (default 1)
 * and is printed when a test fails through wnt_ok. */
uint32_t wnt_rand(void);
void wnt_rand_bytes(void *out, size_t n);
/* 0 <= result < n */
size_t wnt_rand_below(size_t n);
/* Heap buffers with bytes that end directly before an unreadable page. */
unsigned char *wnt_guarded(size_t n);
void wnt_guarded_free(unsigned char *p, size_t n);

/* Bytes from hex digits (blanks allowed); freed by the caller; *n the length. */
unsigned char *wnt_unhex(const char *hex, size_t *n);

/*
 * Vector files: "Name = value" lines; blank lines separate records, # comments,
 * [section] lines are records of their own with the name "[section]".
 *
 *   FILE *f = wnt_vectors("aes_gcm.txt");
 *   struct wnt_record r;
 *   while (wnt_next(f, &r)) { wnt_hex(&r, "Key", &key, &n) ... wnt_record_free(&r) }
 */
struct wnt_record {
    size_t n;
    char *name[32], *value[32];
    int line;                   /* of the first field, for messages */
};
FILE *wnt_vectors(const char *file);
int wnt_next(FILE *f, struct wnt_record *r);
void wnt_record_free(struct wnt_record *r);
const char *wnt_text(const struct wnt_record *r, const char *name);   /* NULL: absent */
/* 0 when absent; the bytes are freed by the caller */
int wnt_hex(const struct wnt_record *r, const char *name, unsigned char **d, size_t *n);

#endif
