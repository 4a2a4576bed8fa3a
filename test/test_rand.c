/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_RAND through libcrypto: NIST's vectors; CTR-, HASH- and HMAC-DRBG byte
 * for byte against the default provider, fed by TEST-RAND; parameters, errors
 * and states as the default's; parents of either provider.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/core_names.h>
#include <openssl/randerr.h>

#include "wntest.h"

struct config {
    const char *rand, *cipher, *digest;
    int df;
};

static const struct config configs[] = {
    { "CTR-DRBG", "AES-128-CTR", NULL, 1 },
    { "CTR-DRBG", "AES-128-CTR", NULL, 0 },
    { "CTR-DRBG", "AES-192-CTR", NULL, 1 },
    { "CTR-DRBG", "AES-192-CTR", NULL, 0 },
    { "CTR-DRBG", "aes-256-ctr", NULL, 1 },
    { "CTR-DRBG", "AES-256-CTR", NULL, 0 },
    { "HASH-DRBG", NULL, "SHA1", 0 },
    { "HASH-DRBG", NULL, "SHA224", 0 },
    { "HASH-DRBG", NULL, "SHA2-256", 0 },
    { "HASH-DRBG", NULL, "SHA-384", 0 },
    { "HASH-DRBG", NULL, "SHA512", 0 },
    { "HASH-DRBG", NULL, "SHA512-224", 0 },
    { "HASH-DRBG", NULL, "SHA512-256", 0 },
    { "HASH-DRBG", NULL, "SHA3-224", 0 },
    { "HASH-DRBG", NULL, "SHA3-512", 0 },
    { "HASH-DRBG", NULL, "MD5", 0 },
    { "HASH-DRBG", NULL, "MD5-SHA1", 0 },
    { "HMAC-DRBG", NULL, "SHA1", 0 },
    { "HMAC-DRBG", NULL, "SHA224", 0 },
    { "HMAC-DRBG", NULL, "SHA256", 0 },
    { "HMAC-DRBG", NULL, "SHA384", 0 },
    { "HMAC-DRBG", NULL, "SHA512", 0 },
    { "HMAC-DRBG", NULL, "SHA512-256", 0 },
    { "HMAC-DRBG", NULL, "SHA3-256", 0 },
    { "HMAC-DRBG", NULL, "MD5", 0 },
};
#define N_CONFIGS (sizeof(configs) / sizeof(configs[0]))

/* ---- helpers -------------------------------------------------------------- */

static EVP_RAND_CTX *new_rand(OSSL_LIB_CTX *ctx, const char *name, EVP_RAND_CTX *parent)
{
    EVP_RAND *rand = EVP_RAND_fetch(ctx, name, NULL);
    EVP_RAND_CTX *r;

    assert_non_null(rand);
    if (ctx == wnt_wolf())
        wnt_assert_wolfnano(EVP_RAND_get0_provider(rand));
    r = EVP_RAND_CTX_new(rand, parent);
    EVP_RAND_free(rand);
    return r;
}

static size_t config_params(const struct config *c, OSSL_PARAM *p)
{
    static int df;
    OSSL_PARAM *first = p;

    df = c->df;
    if (c->cipher != NULL) {
        *p++ = OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_CIPHER, (char *)c->cipher, 0);
        *p++ = OSSL_PARAM_construct_int(OSSL_DRBG_PARAM_USE_DF, &df);
    }
    if (c->digest != NULL)
        *p++ = OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_DIGEST, (char *)c->digest, 0);
    if (strcmp(c->rand, "HMAC-DRBG") == 0)
        *p++ = OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_MAC, (char *)"HMAC", 0);
    *p = OSSL_PARAM_construct_end();
    return (size_t)(p - first);
}

static void configure(EVP_RAND_CTX *r, const struct config *c)
{
    OSSL_PARAM params[5];

    config_params(c, params);
    wnt_ok(EVP_RAND_CTX_set_params(r, params));
}

/* What TEST-RAND will give. */
static void feed(EVP_RAND_CTX *test, const void *entropy, size_t n, const void *nonce,
                 size_t noncelen)
{
    unsigned strength = 256;
    OSSL_PARAM params[] = {
        OSSL_PARAM_uint(OSSL_RAND_PARAM_STRENGTH, &strength),
        OSSL_PARAM_octet_string(OSSL_RAND_PARAM_TEST_ENTROPY, (void *)entropy, n),
        OSSL_PARAM_octet_string(OSSL_RAND_PARAM_TEST_NONCE, (void *)nonce, noncelen),
        OSSL_PARAM_END
    };

    wnt_ok(EVP_RAND_CTX_set_params(test, params));
}

static EVP_RAND_CTX *new_test(OSSL_LIB_CTX *ctx, const void *entropy, size_t n,
                              const void *nonce, size_t noncelen)
{
    EVP_RAND_CTX *test = new_rand(ctx, "TEST-RAND", NULL);

    feed(test, entropy, n, nonce, noncelen);
    wnt_ok(EVP_RAND_instantiate(test, 256, 0, NULL, 0, NULL));
    return test;
}

static unsigned get_uint(EVP_RAND_CTX *r, const char *key)
{
    unsigned v = 0xdeadbeef;
    OSSL_PARAM params[] = { OSSL_PARAM_uint(key, &v), OSSL_PARAM_END };

    wnt_ok(EVP_RAND_CTX_get_params(r, params));
    return v;
}

/* ---- vectors ----------------------------------------------------------------- */

static void bytes_of(const struct wnt_record *r, const char *name, unsigned char **d, size_t *n)
{
    *d = NULL;
    *n = 0;
    wnt_hex(r, name, d, n);
}

static void request(EVP_RAND_CTX *drbg, EVP_RAND_CTX *test, const struct wnt_record *r,
                    const char *letter, unsigned char *out, size_t n, int pr)
{
    char name[40];
    unsigned char *adin, *ent;
    size_t adinlen, entlen;

    snprintf(name, sizeof(name), "AdditionalInput%s", letter);
    bytes_of(r, name, &adin, &adinlen);
    snprintf(name, sizeof(name), "EntropyPredictionResistance%s", letter);
    bytes_of(r, name, &ent, &entlen);
    if (ent != NULL)
        feed(test, ent, entlen, "", 0);
    wnt_ok(EVP_RAND_generate(drbg, out, n, 0, pr, adin, adinlen));
    free(adin);
    free(ent);
}

static void vector(const struct wnt_record *r)
{
    struct config c = { .rand = wnt_text(r, "Rand") };
    unsigned char *ent, *nonce, *pers, *want, *got, *reseed, *adin;
    size_t n, noncelen, perslen, len, reseedlen, adinlen;
    EVP_RAND_CTX *test, *drbg;
    int pr = atoi(wnt_text(r, "PredictionResistance"));

    if (wnt_text(r, "DF") != NULL) {
        c.cipher = wnt_text(r, "Algorithm");
        c.df = atoi(wnt_text(r, "DF"));
    } else {
        c.digest = wnt_text(r, "Algorithm");
    }
    bytes_of(r, "Entropy", &ent, &n);
    bytes_of(r, "Nonce", &nonce, &noncelen);
    bytes_of(r, "PersonalisationString", &pers, &perslen);
    bytes_of(r, "ReseedEntropy", &reseed, &reseedlen);
    bytes_of(r, "ReseedAdditionalInput", &adin, &adinlen);
    bytes_of(r, "Output", &want, &len);
    got = malloc(len);
    test = new_test(wnt_wolf(), ent, n, nonce != NULL ? nonce : (void *)"", noncelen);
    drbg = new_rand(wnt_wolf(), c.rand, test);
    configure(drbg, &c);
    wnt_ok(EVP_RAND_instantiate(drbg, 0, pr, pers != NULL ? pers : (void *)"", perslen, NULL));
    if (reseed != NULL) {
        feed(test, reseed, reseedlen, "", 0);
        wnt_ok(EVP_RAND_reseed(drbg, pr, NULL, 0, adin, adinlen));
    }
    request(drbg, test, r, "A", got, len, pr);
    request(drbg, test, r, "B", got, len, pr);
    if (memcmp(got, want, len) != 0)
        fail_msg("drbg.txt:%d: wrong output", r->line);
    EVP_RAND_CTX_free(drbg);
    EVP_RAND_CTX_free(test);
    free(ent);
    free(nonce);
    free(pers);
    free(reseed);
    free(adin);
    free(want);
    free(got);
}

static void vectors(void **state)
{
    FILE *f = wnt_vectors("drbg.txt");
    struct wnt_record r;
    int n = 0;

    (void)state;
    while (wnt_next(f, &r)) {
        vector(&r);
        wnt_record_free(&r);
        n++;
    }
    fclose(f);
    assert_int_equal(n, 54);
    wnt_assert_no_errors();
}

/* ---- against the default provider ---------------------------------------------- */

struct pair {
    EVP_RAND_CTX *test[2], *drbg[2];    /* ours, the default's */
};

static size_t seedlen(const struct config *c)
{
    return c->cipher == NULL ? 64 : c->cipher[4] == '1' && c->cipher[5] == '2' ? 32
        : c->cipher[4] == '1' ? 40 : 48;
}

static void pair_feed(struct pair *p, const struct config *c)
{
    unsigned char entropy[64], nonce[48];

    wnt_rand_bytes(entropy, sizeof(entropy));
    wnt_rand_bytes(nonce, sizeof(nonce));
    feed(p->test[0], entropy, seedlen(c), nonce, 32);
    feed(p->test[1], entropy, seedlen(c), nonce, 32);
}

static void pair_new(struct pair *p, const struct config *c)
{
    int i;

    for (i = 0; i < 2; i++) {
        OSSL_LIB_CTX *ctx = i == 0 ? wnt_wolf() : wnt_default();

        p->test[i] = new_test(ctx, "", 0, "", 0);
        p->drbg[i] = new_rand(ctx, c->rand, p->test[i]);
        configure(p->drbg[i], c);
    }
    pair_feed(p, c);
}

static void pair_free(struct pair *p)
{
    int i;

    for (i = 0; i < 2; i++) {
        EVP_RAND_CTX_free(p->drbg[i]);
        EVP_RAND_CTX_free(p->test[i]);
    }
}

static void pair_generate(struct pair *p, size_t n, int pr, const unsigned char *adin,
                          size_t adinlen)
{
    unsigned char *ours = malloc(n + 1), *theirs = malloc(n + 1);

    ours[n] = theirs[n] = 0x77;
    wnt_ok(EVP_RAND_generate(p->drbg[0], ours, n, 0, pr, adin, adinlen));
    wnt_ok(EVP_RAND_generate(p->drbg[1], theirs, n, 0, pr, adin, adinlen));
    assert_memory_equal(ours, theirs, n + 1);
    free(ours);
    free(theirs);
}

static void agrees_with_default(void **state)
{
    unsigned char pers[48], adin[48], ent[64];
    size_t i, adinlen;
    int round;

    (void)state;
    for (i = 0; i < N_CONFIGS; i++) {
        const struct config *c = &configs[i];
        size_t most = c->cipher != NULL && !c->df ? seedlen(c) : sizeof(adin);
        struct pair p;

        pair_new(&p, c);
        for (round = 0; round < 6; round++) {
            int pr = round == 5, j;
            size_t perslen = wnt_rand_below(most + 1);

            wnt_rand_bytes(pers, sizeof(pers));
            for (j = 0; j < 2; j++)
                wnt_ok(EVP_RAND_instantiate(p.drbg[j], 0, pr,
                                            round == 0 ? NULL : pers, perslen, NULL));
            for (j = 0; j < 12; j++) {
                size_t n = j == 0 ? 1 + wnt_rand_below(16) : j < 9 ? 1 + wnt_rand_below(700)
                    : j == 9 ? 65536 : 1 + wnt_rand_below(70000);

                wnt_rand_bytes(adin, sizeof(adin));
                adinlen = j % 3 == 0 ? 0 : wnt_rand_below(most + 1);
                pair_generate(&p, n, pr && j % 2, adinlen > 0 ? adin : NULL, adinlen);
                if (j == 4) {
                    pair_feed(&p, c);
                    wnt_ok(EVP_RAND_reseed(p.drbg[0], 0, NULL, 0, adin, adinlen));
                    wnt_ok(EVP_RAND_reseed(p.drbg[1], 0, NULL, 0, adin, adinlen));
                }
                if (j == 7) {
                    wnt_rand_bytes(ent, sizeof(ent));
                    wnt_ok(EVP_RAND_reseed(p.drbg[0], 0, ent, seedlen(c), NULL, 0));
                    wnt_ok(EVP_RAND_reseed(p.drbg[1], 0, ent, seedlen(c), NULL, 0));
                }
            }
            for (j = 0; j < 2; j++)
                wnt_ok(EVP_RAND_uninstantiate(p.drbg[j]));
            assert_int_equal(EVP_RAND_get_state(p.drbg[0]), EVP_RAND_STATE_UNINITIALISED);
            wnt_ok(EVP_RAND_verify_zeroization(p.drbg[0]));
        }
        pair_free(&p);
    }
    wnt_assert_no_errors();
}

/* A counter that carries over 32, 64 and 128 bits in one request: without df,
 * the first V is the entropy, to be chosen. */
static void counter_carries(void **state)
{
    const struct config c = { "CTR-DRBG", "AES-256-CTR", NULL, 0 };
    unsigned char entropy[48];
    size_t ones;

    (void)state;
    for (ones = 0; ones <= 16; ones++) {
        struct pair p;
        unsigned char probe[48], zero[48] = { 0 };
        int j;

        /* V = E_0(3rd block) ^ entropy[32..47]: find the former with entropy 0 */
        pair_new(&p, &c);
        feed(p.test[0], zero, 48, "", 0);
        wnt_ok(EVP_RAND_instantiate(p.drbg[0], 0, 0, (void *)"", 0, NULL));
        wnt_ok(EVP_RAND_uninstantiate(p.drbg[0]));
        /* E_K(V) is not V, so use AES itself */
        {
            EVP_CIPHER *ecb = EVP_CIPHER_fetch(wnt_default(), "AES-256-ECB", NULL);
            EVP_CIPHER_CTX *e = EVP_CIPHER_CTX_new();
            unsigned char in[48] = { 0 };
            int len;

            in[15] = 1;
            in[31] = 2;
            in[47] = 3;
            wnt_ok(EVP_EncryptInit_ex2(e, ecb, zero, NULL, NULL));
            wnt_ok(EVP_EncryptUpdate(e, probe, &len, in, 48));
            EVP_CIPHER_CTX_free(e);
            EVP_CIPHER_free(ecb);
        }
        wnt_rand_bytes(entropy, sizeof(entropy));
        for (j = 0; j < 16; j++)
            entropy[32 + j] = probe[32 + j] ^ (j >= 16 - (int)ones ? 0xff : 0x5a);
        entropy[47] = probe[47] ^ 0xfe;
        for (j = 0; j < 2; j++) {
            feed(p.test[j], entropy, 48, "", 0);
            wnt_ok(EVP_RAND_instantiate(p.drbg[j], 0, 0, (void *)"", 0, NULL));
        }
        pair_generate(&p, ones % 2 ? 100 : 5000, 0, NULL, 0);
        pair_generate(&p, 77, 0, NULL, 0);
        pair_free(&p);
    }
}

static void compare_params(const struct config *c, EVP_RAND_CTX *ours, EVP_RAND_CTX *theirs)
{
    const OSSL_PARAM *p = EVP_RAND_CTX_gettable_params(theirs);
    const OSSL_PARAM *mine = EVP_RAND_CTX_gettable_params(ours);
    unsigned char a[64], b[64];

    for (; p->key != NULL; p++) {
        OSSL_PARAM get[2][2] = { { *p, OSSL_PARAM_END }, { *p, OSSL_PARAM_END } };
        const OSSL_PARAM *m = OSSL_PARAM_locate_const(mine, p->key);
        size_t n = p->data_type == OSSL_PARAM_UTF8_STRING ? sizeof(a) : p->data_size;

        if (m == NULL)
            fail_msg("%s: %s is not gettable", c->rand, p->key);
        assert_int_equal(m->data_type, p->data_type);
        if (strcmp(p->key, "reseed_time") == 0)
            continue;
        memset(a, 0, sizeof(a));
        memset(b, 0, sizeof(b));
        get[0][0].data = a;
        get[1][0].data = b;
        get[0][0].data_size = get[1][0].data_size = n;
        assert_int_equal(EVP_RAND_CTX_get_params(ours, get[0]),
                         EVP_RAND_CTX_get_params(theirs, get[1]));
        if (memcmp(a, b, n) != 0)
            fail_msg("%s %s: %s differs", c->rand, c->cipher != NULL ? c->cipher : c->digest,
                     p->key);
    }
    for (p = EVP_RAND_CTX_settable_params(theirs); p != NULL && p->key != NULL; p++)
        assert_non_null(OSSL_PARAM_locate_const(EVP_RAND_CTX_settable_params(ours), p->key));
    ERR_clear_error();
}

static void parameters_agree(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < N_CONFIGS; i++) {
        const struct config *c = &configs[i];
        EVP_RAND_CTX *plain[2];
        struct pair p;
        unsigned requests = 7;
        uint64_t interval = 12345;
        OSSL_PARAM set[] = {
            OSSL_PARAM_uint(OSSL_DRBG_PARAM_RESEED_REQUESTS, &requests),
            OSSL_PARAM_uint64(OSSL_DRBG_PARAM_RESEED_TIME_INTERVAL, &interval),
            OSSL_PARAM_END
        };
        int j;

        /* before configuration, after it, ready, after use, uninstantiated */
        plain[0] = new_rand(wnt_wolf(), c->rand, NULL);
        plain[1] = new_rand(wnt_default(), c->rand, NULL);
        compare_params(c, plain[0], plain[1]);
        pair_new(&p, c);
        compare_params(c, p.drbg[0], p.drbg[1]);
        for (j = 0; j < 2; j++) {
            wnt_ok(EVP_RAND_CTX_set_params(p.drbg[j], set));
            wnt_ok(EVP_RAND_instantiate(p.drbg[j], 0, 0, NULL, 0, NULL));
        }
        compare_params(c, p.drbg[0], p.drbg[1]);
        pair_generate(&p, 20, 0, NULL, 0);
        wnt_ok(EVP_RAND_reseed(p.drbg[0], 0, NULL, 0, NULL, 0));
        wnt_ok(EVP_RAND_reseed(p.drbg[1], 0, NULL, 0, NULL, 0));
        compare_params(c, p.drbg[0], p.drbg[1]);
        assert_int_equal(get_uint(p.drbg[0], "reseed_counter"), 3);
        for (j = 0; j < 2; j++)
            wnt_ok(EVP_RAND_uninstantiate(p.drbg[j]));
        compare_params(c, p.drbg[0], p.drbg[1]);
        pair_free(&p);
        EVP_RAND_CTX_free(plain[0]);
        EVP_RAND_CTX_free(plain[1]);
    }
}

/* ---- errors ---------------------------------------------------------------------- */

/* Both fail (call uses r); ours with that reason. */
#define fails(pair, call, lib, reason) do {                                  \
        r = (pair)->drbg[1];                                                 \
        assert_false(call);                                                  \
        r = (pair)->drbg[0];                                                 \
        ERR_clear_error();                                                   \
        assert_false(call);                                                  \
        wnt_assert_error(lib, reason);                                       \
    } while (0)

static void limits_and_states(void **state)
{
    unsigned char buf[64], *big = calloc(1, 65537);
    EVP_RAND_CTX *r;
    size_t i;

    (void)state;
    for (i = 0; i < N_CONFIGS; i++) {
        const struct config *c = &configs[i];
        struct pair p;
        int no_df = c->cipher != NULL && !c->df;

        pair_new(&p, c);
        fails(&p, EVP_RAND_instantiate(r, 257, 0, NULL, 0, NULL), ERR_LIB_PROV,
              PROV_R_INSUFFICIENT_DRBG_STRENGTH);
        assert_int_equal(EVP_RAND_get_state(p.drbg[0]), EVP_RAND_STATE_UNINITIALISED);
        if (no_df)
            fails(&p, EVP_RAND_instantiate(r, 0, 0, big, seedlen(c) + 1, NULL), ERR_LIB_PROV,
                  PROV_R_PERSONALISATION_STRING_TOO_LONG);
        wnt_ok(EVP_RAND_instantiate(p.drbg[0], 0, 0, NULL, 0, NULL));
        wnt_ok(EVP_RAND_instantiate(p.drbg[1], 0, 0, NULL, 0, NULL));
        /* evp_rand splits large requests, so only strength shows here */
        fails(&p, EVP_RAND_generate(r, buf, 1, 257, 0, NULL, 0), ERR_LIB_PROV,
              PROV_R_INSUFFICIENT_DRBG_STRENGTH);
        if (no_df) {
            fails(&p, EVP_RAND_generate(r, buf, 1, 0, 0, big, seedlen(c) + 1), ERR_LIB_PROV,
                  PROV_R_ADDITIONAL_INPUT_TOO_LONG);
            fails(&p, EVP_RAND_reseed(r, 0, NULL, 0, big, seedlen(c) + 1), ERR_LIB_PROV,
                  PROV_R_ADDITIONAL_INPUT_TOO_LONG);
        }
        /* still in step with each other */
        assert_int_equal(EVP_RAND_get_state(p.drbg[0]), EVP_RAND_STATE_READY);
        pair_generate(&p, 33, 0, NULL, 0);
        fails(&p, EVP_RAND_reseed(r, 0, buf, 1, NULL, 0), ERR_LIB_RAND,
              RAND_R_ENTROPY_OUT_OF_RANGE);
        assert_int_equal(EVP_RAND_get_state(p.drbg[0]), EVP_RAND_STATE_ERROR);
        assert_int_equal(EVP_RAND_get_state(p.drbg[1]), EVP_RAND_STATE_ERROR);
        fails(&p, EVP_RAND_instantiate(r, 0, 0, NULL, 0, NULL), ERR_LIB_PROV,
              PROV_R_IN_ERROR_STATE);
        /* the next request repairs it */
        pair_generate(&p, 33, 0, NULL, 0);
        assert_int_equal(EVP_RAND_get_state(p.drbg[0]), EVP_RAND_STATE_READY);
        /* a second time is no error, nor does it start anew */
        ERR_clear_error();
        wnt_ok(EVP_RAND_instantiate(p.drbg[0], 0, 0, NULL, 0, NULL));
        wnt_assert_no_errors();
        wnt_ok(EVP_RAND_instantiate(p.drbg[1], 0, 0, NULL, 0, NULL));
        ERR_clear_error();
        pair_generate(&p, 33, 0, NULL, 0);
        /* no entropy any more: reseeding fails, and so does what follows */
        feed(p.test[0], "", 0, "", 0);
        feed(p.test[1], "", 0, "", 0);
        fails(&p, EVP_RAND_generate(r, buf, 1, 0, 1, NULL, 0), ERR_LIB_PROV,
              PROV_R_ERROR_RETRIEVING_ENTROPY);
        assert_int_equal(EVP_RAND_get_state(p.drbg[0]), EVP_RAND_STATE_ERROR);
        assert_false(EVP_RAND_generate(p.drbg[0], buf, 1, 0, 0, NULL, 0));
        ERR_clear_error();
        pair_free(&p);
    }
    free(big);
}

/* Without cipher, digest or MAC. */
static void not_configured(void **state)
{
    static const struct {
        const char *rand;
        int reason;
    } cases[] = {
        { "CTR-DRBG", PROV_R_MISSING_CIPHER }, { "HASH-DRBG", PROV_R_MISSING_MESSAGE_DIGEST },
        { "HMAC-DRBG", PROV_R_MISSING_MAC },
    };
    unsigned char buf[8];
    size_t i;

    (void)state;
    for (i = 0; i < 3; i++) {
        EVP_RAND_CTX *r = new_rand(wnt_wolf(), cases[i].rand, NULL);

        ERR_clear_error();
        assert_false(EVP_RAND_instantiate(r, 0, 0, NULL, 0, NULL));
        assert_int_equal(ERR_GET_REASON(ERR_peek_error()), cases[i].reason);
        assert_int_equal(ERR_GET_REASON(ERR_peek_last_error()), PROV_R_ERROR_INSTANTIATING_DRBG);
        ERR_clear_error();
        assert_int_equal(EVP_RAND_get_state(r), EVP_RAND_STATE_ERROR);
        assert_false(EVP_RAND_generate(r, buf, sizeof(buf), 0, 0, NULL, 0));
        ERR_clear_error();
        EVP_RAND_CTX_free(r);
    }
}

static int set_text(EVP_RAND_CTX *r, const char *key, const char *value)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(key, (char *)value, strlen(value)), OSSL_PARAM_END
    };

    ERR_clear_error();
    return EVP_RAND_CTX_set_params(r, params);
}

static void bad_parameters(void **state)
{
    const struct config c = { "CTR-DRBG", "AES-256-CTR", NULL, 1 };
    unsigned char a[32], b[32];
    int df = 1;
    OSSL_PARAM use_df[] = { OSSL_PARAM_int(OSSL_DRBG_PARAM_USE_DF, &df), OSSL_PARAM_END };
    EVP_RAND_CTX *r;
    struct pair p;

    (void)state;
    pair_new(&p, &c);
    wnt_ok(EVP_RAND_instantiate(p.drbg[0], 0, 0, NULL, 0, NULL));
    wnt_ok(EVP_RAND_instantiate(p.drbg[1], 0, 0, NULL, 0, NULL));
    assert_false(set_text(p.drbg[0], "cipher", "AES-256-CBC"));
    wnt_assert_prov_error(PROV_R_REQUIRE_CTR_MODE_CIPHER);
    assert_false(set_text(p.drbg[0], "cipher", "AES-512-CTR"));
    wnt_assert_prov_error(PROV_R_UNABLE_TO_FIND_CIPHERS);
    assert_false(set_text(p.drbg[0], "cipher", ""));
    ERR_clear_error();
    /* a failed set changes nothing */
    pair_generate(&p, 50, 0, NULL, 0);
    /* another cipher while ready: as good as new, not in the old state */
    wnt_ok(set_text(p.drbg[0], "cipher", "AES-128-CTR"));
    assert_int_equal(EVP_RAND_get_strength(p.drbg[0]), 128);
    wnt_ok(EVP_RAND_generate(p.drbg[0], a, sizeof(a), 0, 0, NULL, 0));
    wnt_ok(EVP_RAND_generate(p.drbg[0], b, sizeof(b), 0, 0, NULL, 0));
    assert_memory_not_equal(a, b, sizeof(a));
    pair_free(&p);

    r = new_rand(wnt_wolf(), "CTR-DRBG", NULL);
    ERR_clear_error();
    assert_false(EVP_RAND_CTX_set_params(r, use_df));
    wnt_assert_prov_error(PROV_R_MISSING_CIPHER);
    EVP_RAND_CTX_free(r);
    r = new_rand(wnt_wolf(), "HASH-DRBG", NULL);
    assert_false(set_text(r, "digest", "SHAKE256"));
    wnt_assert_prov_error(PROV_R_XOF_DIGESTS_NOT_ALLOWED);
    assert_false(set_text(r, "digest", "NO-DIGEST"));
    wnt_assert_error(ERR_LIB_EVP, ERR_R_UNSUPPORTED);
    EVP_RAND_CTX_free(r);
    r = new_rand(wnt_wolf(), "HMAC-DRBG", NULL);
    assert_false(set_text(r, "mac", "CMAC"));
    wnt_assert_prov_error(PROV_R_INVALID_MAC);
    assert_false(set_text(r, "digest", "SHAKE128"));
    wnt_assert_prov_error(PROV_R_XOF_DIGESTS_NOT_ALLOWED);
    EVP_RAND_CTX_free(r);
}

/* ---- parents ----------------------------------------------------------------------- */

/* A generator of one provider under a generator of the other, either way. */
static void mixed_parents(void **state)
{
    const struct config strong = { "CTR-DRBG", "AES-256-CTR", NULL, 1 };
    const struct config weak = { "CTR-DRBG", "AES-128-CTR", NULL, 1 };
    unsigned char a[48], b[48];
    int way;

    (void)state;
    for (way = 0; way < 2; way++) {
        OSSL_LIB_CTX *upper = way ? wnt_wolf() : wnt_default();
        OSSL_LIB_CTX *lower = way ? wnt_default() : wnt_wolf();
        EVP_RAND_CTX *seed = new_rand(upper, "SEED-SRC", NULL);
        EVP_RAND_CTX *parent, *child, *other;
        unsigned before;

        wnt_ok(EVP_RAND_instantiate(seed, 0, 0, NULL, 0, NULL));
        parent = new_rand(upper, "CTR-DRBG", seed);
        configure(parent, &strong);
        wnt_ok(EVP_RAND_enable_locking(parent));
        wnt_ok(EVP_RAND_instantiate(parent, 0, 0, NULL, 0, NULL));
        child = new_rand(lower, "HASH-DRBG", parent);
        wnt_ok(set_text(child, "digest", "SHA512"));
        wnt_ok(EVP_RAND_instantiate(child, 0, 0, NULL, 0, NULL));
        wnt_ok(EVP_RAND_generate(child, a, sizeof(a), 0, 0, NULL, 0));
        wnt_ok(EVP_RAND_generate(child, b, sizeof(b), 0, 1, NULL, 0));
        assert_memory_not_equal(a, b, sizeof(a));
        /* a newer seed of the parent reaches the child at once */
        before = get_uint(child, "reseed_counter");
        wnt_ok(EVP_RAND_reseed(parent, 0, NULL, 0, NULL, 0));
        wnt_ok(EVP_RAND_generate(child, a, sizeof(a), 0, 0, NULL, 0));
        assert_int_equal(get_uint(child, "reseed_counter"), before + 1);
        wnt_ok(EVP_RAND_generate(child, a, sizeof(a), 0, 0, NULL, 0));
        assert_int_equal(get_uint(child, "reseed_counter"), before + 1);
        /* prediction resistance goes up the chain */
        before = get_uint(parent, "reseed_counter");
        wnt_ok(EVP_RAND_generate(child, a, sizeof(a), 0, 1, NULL, 0));
        assert_int_equal(get_uint(parent, "reseed_counter"), before + 1);
        EVP_RAND_CTX_free(child);
        /* a stronger generator cannot be seeded by a weaker one */
        other = new_rand(upper, "CTR-DRBG", seed);
        configure(other, &weak);
        wnt_ok(EVP_RAND_instantiate(other, 0, 0, NULL, 0, NULL));
        child = new_rand(lower, "CTR-DRBG", other);
        configure(child, &strong);
        ERR_clear_error();
        assert_false(EVP_RAND_instantiate(child, 0, 0, NULL, 0, NULL));
        wnt_assert_prov_error(PROV_R_PARENT_STRENGTH_TOO_WEAK);
        EVP_RAND_CTX_free(child);
        EVP_RAND_CTX_free(other);
        EVP_RAND_CTX_free(parent);
        EVP_RAND_CTX_free(seed);
    }
    wnt_assert_no_errors();
}

static void reseeds_by_requests_and_time(void **state)
{
    const struct config c = { "CTR-DRBG", "AES-256-CTR", NULL, 1 };
    unsigned requests = 3, i;
    uint64_t interval = 0;
    OSSL_PARAM set[] = {
        OSSL_PARAM_uint(OSSL_DRBG_PARAM_RESEED_REQUESTS, &requests),
        OSSL_PARAM_uint64(OSSL_DRBG_PARAM_RESEED_TIME_INTERVAL, &interval),
        OSSL_PARAM_END
    };
    unsigned char buf[8];
    struct pair p;

    (void)state;
    pair_new(&p, &c);
    for (i = 0; i < 2; i++) {
        OSSL_PARAM params[8];
        size_t n = config_params(&c, params);

        params[n++] = set[0];
        params[n++] = set[1];
        params[n] = OSSL_PARAM_construct_end();
        wnt_ok(EVP_RAND_instantiate(p.drbg[i], 0, 0, NULL, 0, params));
    }
    for (i = 0; i < 20; i++) {
        pair_generate(&p, 16, 0, NULL, 0);
        assert_int_equal(get_uint(p.drbg[0], "reseed_counter"),
                         get_uint(p.drbg[1], "reseed_counter"));
    }
    assert_true(get_uint(p.drbg[0], "reseed_counter") > 6);
    requests = 0;
    interval = 1;
    wnt_ok(EVP_RAND_CTX_set_params(p.drbg[0], set));
    wnt_ok(EVP_RAND_generate(p.drbg[0], buf, sizeof(buf), 0, 0, NULL, 0));
    i = get_uint(p.drbg[0], "reseed_counter");
    sleep(2);
    wnt_ok(EVP_RAND_generate(p.drbg[0], buf, sizeof(buf), 0, 0, NULL, 0));
    assert_int_equal(get_uint(p.drbg[0], "reseed_counter"), i + 1);
    pair_free(&p);
}

/* ---- SEED-SRC and TEST-RAND ------------------------------------------------------- */

static void seed_source(void **state)
{
    EVP_RAND_CTX *seed = new_rand(wnt_wolf(), "SEED-SRC", NULL);
    EVP_RAND_CTX *theirs = new_rand(wnt_default(), "SEED-SRC", NULL);
    const struct config c = { "SEED-SRC", "", NULL, 0 };
    unsigned char a[64], b[64];

    (void)state;
    compare_params(&c, seed, theirs);
    ERR_clear_error();
    assert_false(EVP_RAND_generate(seed, a, sizeof(a), 0, 0, NULL, 0));
    wnt_assert_prov_error(PROV_R_NOT_INSTANTIATED);
    assert_false(EVP_RAND_reseed(seed, 0, NULL, 0, NULL, 0));
    wnt_assert_prov_error(PROV_R_NOT_INSTANTIATED);
    wnt_ok(EVP_RAND_instantiate(seed, 0, 0, NULL, 0, NULL));
    wnt_ok(EVP_RAND_instantiate(theirs, 0, 0, NULL, 0, NULL));
    compare_params(&c, seed, theirs);
    wnt_ok(EVP_RAND_reseed(seed, 0, NULL, 0, NULL, 0));
    wnt_ok(EVP_RAND_generate(seed, a, sizeof(a), 0, 0, NULL, 0));
    wnt_ok(EVP_RAND_generate(seed, b, sizeof(b), 512, 1, a, sizeof(a)));
    assert_memory_not_equal(a, b, sizeof(a));
    ERR_clear_error();
    assert_false(EVP_RAND_generate(theirs, a, 16, 129, 0, NULL, 0));
    ERR_clear_error();
    assert_false(EVP_RAND_generate(seed, a, 16, 129, 0, NULL, 0));
    wnt_assert_error(ERR_LIB_RAND, RAND_R_RANDOM_POOL_OVERFLOW);
    wnt_ok(EVP_RAND_generate(seed, a, 16, 128, 0, NULL, 0));
    ERR_clear_error();
    assert_null(new_rand(wnt_wolf(), "SEED-SRC", seed));
    wnt_assert_prov_error(PROV_R_SEED_SOURCES_MUST_NOT_HAVE_A_PARENT);
    wnt_ok(EVP_RAND_uninstantiate(seed));
    assert_int_equal(EVP_RAND_get_state(seed), EVP_RAND_STATE_UNINITIALISED);
    wnt_ok(EVP_RAND_verify_zeroization(seed));
    EVP_RAND_CTX_free(seed);
    EVP_RAND_CTX_free(theirs);
    wnt_assert_no_errors();
}

static void test_source(void **state)
{
    static const unsigned char entropy[20] = "0123456789abcdefghi", nonce[8] = "NONCEno";
    EVP_RAND_CTX *t = new_rand(wnt_wolf(), "TEST-RAND", NULL);
    unsigned char a[40], b[40];
    unsigned generate = 1;
    OSSL_PARAM gen[] = { OSSL_PARAM_uint("generate", &generate), OSSL_PARAM_END };

    (void)state;
    assert_int_equal(EVP_RAND_get_strength(t), 0);
    feed(t, entropy, sizeof(entropy), nonce, sizeof(nonce));
    ERR_clear_error();
    assert_false(EVP_RAND_instantiate(t, 257, 0, NULL, 0, NULL));
    wnt_assert_prov_error(PROV_R_INSUFFICIENT_DRBG_STRENGTH);
    wnt_ok(EVP_RAND_instantiate(t, 256, 0, NULL, 0, NULL));
    assert_int_equal(EVP_RAND_get_state(t), EVP_RAND_STATE_READY);
    wnt_ok(EVP_RAND_enable_locking(t));
    wnt_ok(EVP_RAND_generate(t, a, 12, 0, 0, NULL, 0));
    assert_memory_equal(a, entropy, 12);
    wnt_ok(EVP_RAND_generate(t, a, 8, 0, 0, NULL, 0));
    assert_memory_equal(a, entropy + 12, 8);
    ERR_clear_error();
    assert_false(EVP_RAND_generate(t, a, 1, 0, 0, NULL, 0));
    ERR_clear_error();
    wnt_ok(EVP_RAND_nonce(t, a, 5));
    assert_memory_equal(a, nonce, 5);
    /* the same sequence each time, which OpenSSL's has too */
    wnt_ok(EVP_RAND_CTX_set_params(t, gen));
    assert_int_equal(get_uint(t, "generate"), 1);
    wnt_ok(EVP_RAND_instantiate(t, 0, 0, NULL, 0, NULL));
    wnt_ok(EVP_RAND_generate(t, a, sizeof(a), 0, 0, NULL, 0));
    wnt_ok(EVP_RAND_instantiate(t, 0, 0, NULL, 0, NULL));
    wnt_ok(EVP_RAND_generate(t, b, sizeof(b), 0, 0, NULL, 0));
    assert_memory_equal(a, b, sizeof(a));
    assert_memory_not_equal(a, a + 20, 20);
    EVP_RAND_CTX_free(t);
    wnt_assert_no_errors();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors),
        cmocka_unit_test(agrees_with_default),
        cmocka_unit_test(counter_carries),
        cmocka_unit_test(parameters_agree),
        cmocka_unit_test(limits_and_states),
        cmocka_unit_test(not_configured),
        cmocka_unit_test(bad_parameters),
        cmocka_unit_test(mixed_parents),
        cmocka_unit_test(reseeds_by_requests_and_time),
        cmocka_unit_test(seed_source),
        cmocka_unit_test(test_source),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
