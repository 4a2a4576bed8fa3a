/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that a post-quantum key takes, libcrypto's EVP_PKEY included: as it was made or
 * imported, and with what it keeps once it has been used (docs/PERFORMANCE.md has the
 * figures; this prints them). No more than the bounds below, and none left when it is freed.
 */
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>

#include "provider/compat.h"
#include "wntest.h"

#define KEYS 8                  /* the mean of so many */

enum kind { KEM, SIGNER };

struct row {
    const char *set;
    enum kind kind;
    /* bytes at most: private keys made, the same used; public keys imported, the same used */
    size_t made, made_used, taken, taken_used;
};

static const struct row rows[] = {
    { "ML-KEM-512", KEM, 6600, 6600, 1400, 5600 },
    { "ML-KEM-768", KEM, 10700, 10700, 1800, 9100 },
    { "ML-KEM-1024", KEM, 15700, 15700, 2200, 13700 },
    { "X25519MLKEM768", KEM, 11000, 11000, 2100, 9400 },
    { "ML-DSA-44", SIGNER, 44500, 44500, 1800, 25000 },
    { "ML-DSA-65", SIGNER, 79000, 79000, 2400, 43000 },
    { "ML-DSA-87", SIGNER, 138000, 138000, 3000, 74000 },
    { "SLH-DSA-SHAKE-128f", SIGNER, 500, 500, 500, 500 },
    { "SLH-DSA-SHA2-128f", SIGNER, 500, 500, 500, 500 },
};

/* ---- counting ---------------------------------------------------------------------------- */

static atomic_size_t live;

#ifndef WN_SANITIZED            /* a sanitiser has a malloc of its own */
/* These stand in for libc's in the whole process, the module included. */
#pragma GCC visibility push(default)
extern void *__libc_malloc(size_t n), *__libc_calloc(size_t count, size_t n);
extern void *__libc_realloc(void *p, size_t n), __libc_free(void *p);

static void *counted(void *p)
{
    live += malloc_usable_size(p);
    return p;
}

void *malloc(size_t n)
{
    return counted(__libc_malloc(n));
}

void *calloc(size_t count, size_t n)
{
    return counted(__libc_calloc(count, n));
}

void *realloc(void *p, size_t n)
{
    live -= malloc_usable_size(p);
    return counted(__libc_realloc(p, n));
}

void free(void *p)
{
    live -= malloc_usable_size(p);
    __libc_free(p);
}
#pragma GCC visibility pop
#endif

static size_t in_use(void)
{
    return live;
}

/* ---- keys -------------------------------------------------------------------------------- */

static EVP_PKEY *generate(const char *set)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), set, NULL);
    EVP_PKEY *key = NULL;

    wnt_ok(EVP_PKEY_keygen_init(ctx));
    wnt_ok(EVP_PKEY_generate(ctx, &key));
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static EVP_PKEY *public_of(const char *set, EVP_PKEY *key)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), set, NULL);
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
    unsigned char pub[2700];
    EVP_PKEY *copy = NULL;
    size_t n;

    wnt_ok(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, pub, sizeof(pub), &n));
    params[0] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, pub, n);
    wnt_ok(EVP_PKEY_fromdata_init(ctx));
    wnt_ok(EVP_PKEY_fromdata(ctx, &copy, EVP_PKEY_PUBLIC_KEY, params));
    EVP_PKEY_CTX_free(ctx);
    return copy;
}

/* ---- use ------------------------------------------------------------------------------- */

static unsigned char wire[49856];
static size_t wire_len;

static void encapsulate(EVP_PKEY *key)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    unsigned char secret[64];
    size_t n = sizeof(secret);

    wire_len = sizeof(wire);
    wnt_ok(EVP_PKEY_encapsulate_init(ctx, NULL));
    wnt_ok(EVP_PKEY_encapsulate(ctx, wire, &wire_len, secret, &n));
    EVP_PKEY_CTX_free(ctx);
}

static void decapsulate(EVP_PKEY *key)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    unsigned char secret[64];
    size_t n = sizeof(secret);

    wnt_ok(EVP_PKEY_decapsulate_init(ctx, NULL));
    wnt_ok(EVP_PKEY_decapsulate(ctx, secret, &n, wire, wire_len));
    EVP_PKEY_CTX_free(ctx);
}

static void sign(EVP_PKEY *key)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();

    wire_len = sizeof(wire);
    wnt_ok(EVP_DigestSignInit_ex(ctx, NULL, NULL, wnt_wolf(), NULL, key, NULL));
    wnt_ok(EVP_DigestSign(ctx, wire, &wire_len, (const unsigned char *)"m", 1));
    EVP_MD_CTX_free(ctx);
}

static void verify(EVP_PKEY *key)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();

    wnt_ok(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, wnt_wolf(), NULL, key, NULL));
    wnt_ok(EVP_DigestVerify(ctx, wire, wire_len, (const unsigned char *)"m", 1));
    EVP_MD_CTX_free(ctx);
}

static void use(const struct row *row, EVP_PKEY *private_key, EVP_PKEY *public_key)
{
    int times = row->kind == KEM ? 3 : 1, i;    /* ML-KEM keeps the matrix from the 2nd use on */

    for (i = 0; i < times; i++) {
        (row->kind == KEM ? encapsulate : sign)(row->kind == KEM ? public_key : private_key);
        (row->kind == KEM ? decapsulate : verify)(row->kind == KEM ? private_key : public_key);
    }
}

/* ---- measure ---------------------------------------------------------------------------- */

static void measure(const struct row *row)
{
    EVP_PKEY *made[KEYS], *taken[KEYS];
    size_t at[6], size[4], both;
    int i;

    at[0] = in_use();
    for (i = 0; i < KEYS; i++)
        made[i] = generate(row->set);
    at[1] = in_use();
    for (i = 0; i < KEYS; i++)
        taken[i] = public_of(row->set, made[i]);
    at[2] = in_use();
    for (i = 0; i < KEYS; i++)
        use(row, made[i], taken[i]);
    at[3] = in_use();
    for (i = 0; i < KEYS; i++)
        EVP_PKEY_free(taken[i]);
    at[4] = in_use();
    for (i = 0; i < KEYS; i++)
        EVP_PKEY_free(made[i]);
    at[5] = in_use();
    both = (at[3] - at[0]) / KEYS;
    size[0] = (at[1] - at[0]) / KEYS;
    size[2] = (at[2] - at[1]) / KEYS;
    size[3] = (at[3] - at[4]) / KEYS;
    size[1] = both - size[3];
    printf("%-20s made %6zu, used %6zu; public %6zu, used %6zu bytes\n", row->set, size[0],
           size[1], size[2], size[3]);
    assert_true(size[0] <= row->made && size[1] <= row->made_used && size[2] <= row->taken
                && size[3] <= row->taken_used);
    assert_true(at[5] <= at[0] + 1024);     /* what libcrypto allocates once */
}

static void every_row(void **state)
{
    size_t i;

    (void)state;
#ifdef WN_SANITIZED
    skip();         /* the sanitiser's malloc tells nothing */
#endif
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        EVP_PKEY *key = generate(rows[i].set), *pub = public_of(rows[i].set, key);

        use(&rows[i], key, pub);            /* what is fetched once */
        EVP_PKEY_free(key);
        EVP_PKEY_free(pub);
        measure(&rows[i]);
    }
    wnt_assert_no_errors();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_row) };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
