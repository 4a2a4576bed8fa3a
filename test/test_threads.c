/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One private key and its public half, shared by eight threads that sign, verify,
 * encrypt, decrypt, derive, encapsulate, export, duplicate, compare and check, and of
 * which the last one frees them: every type of key. Both are imported just before, so
 * that whatever is made at first use, or when a key is used often, is made by threads
 * that compete for it. Results are right, and the thread sanitiser finds no race.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/rsa.h>

#include "wntest.h"

#define THREADS 8
#define ROOM    20000

enum {
    SIGNS = 1,      /* EVP_DigestSign, EVP_DigestVerify */
    RAW_SIGNS = 2,  /* EVP_PKEY_sign, EVP_PKEY_verify of 32 bytes, too */
    ENCRYPTS = 4,
    DERIVES = 8,
    KEM = 16
};

struct kind {
    const char *algorithm, *group; /* group: or bits of RSA */
    int does, rounds;
    const char *digest, *kem_operation;
};

static const struct kind kinds[] = {
    { "RSA", "2048", SIGNS | RAW_SIGNS | ENCRYPTS | KEM, 4, "SHA256", "RSASVE" },
    { "RSA", "1032", SIGNS | RAW_SIGNS | ENCRYPTS | KEM, 4, "SHA256", "RSASVE" },
    { "RSA-PSS", "2048", SIGNS, 4, "SHA256", NULL },
    { "EC", "P-256", SIGNS | RAW_SIGNS | DERIVES | KEM, 8, "SHA256", "DHKEM" },
    { "EC", "P-384", SIGNS | RAW_SIGNS | DERIVES | KEM, 8, "SHA384", "DHKEM" },
    { "EC", "P-521", SIGNS | RAW_SIGNS | DERIVES | KEM, 8, "SHA512", "DHKEM" },
    /* without code of its own for the curve */
    { "EC", "P-224", SIGNS | RAW_SIGNS | DERIVES, 3, "SHA256", NULL },
    { "EC", "secp256k1", SIGNS | RAW_SIGNS | DERIVES, 3, "SHA256", NULL },
    { "EC", "brainpoolP256r1", SIGNS | RAW_SIGNS | DERIVES, 3, "SHA256", NULL },
    { "EC", "brainpoolP256t1", SIGNS | RAW_SIGNS | DERIVES, 3, "SHA256", NULL },
    { "X25519", NULL, DERIVES | KEM, 12, NULL, "DHKEM" },
    { "X448", NULL, DERIVES | KEM, 8, NULL, "DHKEM" },
    { "ED25519", NULL, SIGNS, 12, NULL, NULL },
    { "ED448", NULL, SIGNS, 8, NULL, NULL },
    { "DH", "ffdhe2048", DERIVES, 4, NULL, NULL },
    { "DH", "modp_1536", DERIVES, 4, NULL, NULL },
    { "DHX", "dh_2048_256", DERIVES, 4, NULL, NULL },
    { "ML-KEM-512", NULL, KEM, 12, NULL, NULL },
    { "ML-KEM-768", NULL, KEM, 12, NULL, NULL },
    { "ML-KEM-1024", NULL, KEM, 12, NULL, NULL },
    { "X25519MLKEM768", NULL, KEM, 8, NULL, NULL },
    { "X448MLKEM1024", NULL, KEM, 4, NULL, NULL },
    { "SecP256r1MLKEM768", NULL, KEM, 8, NULL, NULL },
    { "SecP384r1MLKEM1024", NULL, KEM, 4, NULL, NULL },
    { "ML-DSA-44", NULL, SIGNS, 8, NULL, NULL },
    { "ML-DSA-65", NULL, SIGNS, 8, NULL, NULL },
    { "ML-DSA-87", NULL, SIGNS, 8, NULL, NULL },
    { "SLH-DSA-SHAKE-128f", NULL, SIGNS, 1, NULL, NULL },
    { "SLH-DSA-SHA2-128f", NULL, SIGNS, 1, NULL, NULL },
};

/* ---- what one thread does: functions return 1 or 0 -------------------------------------- */

struct job {
    const struct kind *kind;
    EVP_PKEY *key, *public_only; /* a reference of its own to each */
    pthread_barrier_t *start;
    const char *failed; /* what did, or NULL */
    unsigned char secret[80];
    unsigned char out[ROOM], back[ROOM];
};

static int sign_and_verify(struct job *job, const unsigned char *m, size_t n)
{
    EVP_MD_CTX *s = EVP_MD_CTX_new(), *v = EVP_MD_CTX_new();
    const char *md = job->kind->digest;
    size_t len = ROOM;
    int ok = EVP_DigestSignInit_ex(s, NULL, md, wnt_wolf(), NULL, job->key, NULL) == 1
             && EVP_DigestSign(s, job->out, &len, m, n) == 1
             && EVP_DigestVerifyInit_ex(v, NULL, md, wnt_wolf(), NULL, job->public_only, NULL) == 1
             && EVP_DigestVerify(v, job->out, len, m, n) == 1;

    if (ok) {
        job->out[len / 2] ^= 4;
        ok = EVP_DigestVerifyInit_ex(v, NULL, md, wnt_wolf(), NULL, job->public_only, NULL) == 1
             && EVP_DigestVerify(v, job->out, len, m, n) != 1;
        ERR_clear_error();
    }
    EVP_MD_CTX_free(s);
    EVP_MD_CTX_free(v);
    return ok;
}

static EVP_PKEY_CTX *ready(EVP_PKEY *key, int (*init)(EVP_PKEY_CTX *))
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);

    if (ctx == NULL || init(ctx) == 1)
        return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

static int sign_raw(struct job *job, const unsigned char *h)
{
    EVP_PKEY_CTX *s = ready(job->key, EVP_PKEY_sign_init);
    EVP_PKEY_CTX *v = ready(job->public_only, EVP_PKEY_verify_init);
    size_t len = ROOM;
    int ok = s != NULL && v != NULL && EVP_PKEY_sign(s, job->out, &len, h, 20) == 1
             && EVP_PKEY_verify(v, job->out, len, h, 20) == 1;

    EVP_PKEY_CTX_free(s);
    EVP_PKEY_CTX_free(v);
    return ok;
}

static int encrypt_and_decrypt(struct job *job, const unsigned char *m, size_t n)
{
    EVP_PKEY_CTX *e = ready(job->public_only, EVP_PKEY_encrypt_init);
    EVP_PKEY_CTX *d = ready(job->key, EVP_PKEY_decrypt_init);
    size_t len = ROOM, back = ROOM;
    int ok = e != NULL && d != NULL && EVP_PKEY_encrypt(e, job->out, &len, m, n) == 1
             && EVP_PKEY_decrypt(d, job->back, &back, job->out, len) == 1 && back == n
             && memcmp(job->back, m, n) == 0;

    EVP_PKEY_CTX_free(e);
    EVP_PKEY_CTX_free(d);
    return ok;
}

/* With its own public half: the same secret in each round. */
static int derive(struct job *job, int round)
{
    EVP_PKEY_CTX *ctx = ready(job->key, EVP_PKEY_derive_init);
    size_t len = ROOM, compared;
    int ok = ctx != NULL && EVP_PKEY_derive_set_peer(ctx, job->public_only) == 1
             && EVP_PKEY_derive(ctx, job->back, &len) == 1;

    EVP_PKEY_CTX_free(ctx);
    compared = len < sizeof(job->secret) ? len : sizeof(job->secret);
    if (ok && round == 0)
        memcpy(job->secret, job->back, compared);
    return ok && memcmp(job->secret, job->back, compared) == 0;
}

static EVP_PKEY_CTX *kem(EVP_PKEY *key, int (*init)(EVP_PKEY_CTX *, const OSSL_PARAM *),
                         const char *operation)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);

    if (ctx != NULL && init(ctx, NULL) == 1
        && (operation == NULL || EVP_PKEY_CTX_set_kem_op(ctx, operation) == 1))
        return ctx;
    EVP_PKEY_CTX_free(ctx);
    return NULL;
}

static int encapsulate(struct job *job)
{
    EVP_PKEY_CTX *e = kem(job->public_only, EVP_PKEY_encapsulate_init, job->kind->kem_operation);
    EVP_PKEY_CTX *d = kem(job->key, EVP_PKEY_decapsulate_init, job->kind->kem_operation);
    unsigned char sent[600];
    size_t len = ROOM, n = sizeof(sent), back = ROOM;
    int ok = e != NULL && d != NULL && EVP_PKEY_encapsulate(e, job->out, &len, sent, &n) == 1
             && EVP_PKEY_decapsulate(d, job->back, &back, job->out, len) == 1 && back == n
             && memcmp(job->back, sent, n) == 0;

    EVP_PKEY_CTX_free(e);
    EVP_PKEY_CTX_free(d);
    return ok;
}

static int export_and_copy(struct job *job)
{
    OSSL_PARAM *params = NULL;
    EVP_PKEY *copy = EVP_PKEY_dup(job->key);
    int bits = 0;
    int ok = copy != NULL && EVP_PKEY_eq(copy, job->public_only) == 1
             && EVP_PKEY_eq(job->public_only, job->key) == 1
             && EVP_PKEY_todata(job->key, EVP_PKEY_KEYPAIR, &params) == 1
             && EVP_PKEY_get_int_param(job->key, OSSL_PKEY_PARAM_BITS, &bits) == 1 && bits > 0;

    OSSL_PARAM_free(params);
    EVP_PKEY_free(copy);
    return ok;
}

/* DHKEM came with OpenSSL 3.2, for the module too. */
static int has_kem(const struct kind *kind)
{
    return (kind->does & KEM) != 0
           && (OpenSSL_version_num() >= 0x30200000UL || kind->kem_operation == NULL
               || strcmp(kind->kem_operation, "DHKEM") != 0);
}

static int check(EVP_PKEY *key)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    int ok = ctx != NULL && EVP_PKEY_public_check(ctx) == 1;

    EVP_PKEY_CTX_free(ctx);
    return ok;
}

#define STEP(job, what, expression)                        \
    do {                                                   \
        if ((job)->failed == NULL && !(expression))        \
            (job)->failed = (what);                        \
    } while (0)

/* The sanitiser does not see libcrypto's counter; the lock shows it the order. */
static void let_go(EVP_PKEY *key, EVP_PKEY *public_only)
{
    static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&order);
    EVP_PKEY_free(key);
    EVP_PKEY_free(public_only);
    pthread_mutex_unlock(&order);
}

static void *work(void *arg)
{
    struct job *job = arg;
    int does = job->kind->does, round;
    unsigned char m[32];

    pthread_barrier_wait(job->start);
    for (round = 0; round < job->kind->rounds; round++) {
        memset(m, round + 1, sizeof(m));
        STEP(job, "sign", !(does & SIGNS) || sign_and_verify(job, m, sizeof(m)));
        STEP(job, "sign a digest", !(does & RAW_SIGNS) || sign_raw(job, m));
        STEP(job, "encrypt", !(does & ENCRYPTS) || encrypt_and_decrypt(job, m, sizeof(m)));
        STEP(job, "derive", !(does & DERIVES) || derive(job, round));
        STEP(job, "encapsulate", !has_kem(job->kind) || encapsulate(job));
        STEP(job, "export", export_and_copy(job));
        STEP(job, "check", round > 0 || check(job->public_only));
    }
    let_go(job->key, job->public_only);
    return NULL;
}

/* ---- keys -------------------------------------------------------------------------------- */

static EVP_PKEY *generate(const struct kind *kind)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), kind->algorithm, NULL);
    EVP_PKEY *key = NULL;

    assert_non_null(ctx);
    wnt_ok(EVP_PKEY_keygen_init(ctx));
    if (strncmp(kind->algorithm, "RSA", 3) == 0)
        wnt_ok(EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, atoi(kind->group)));
    else if (kind->group != NULL)
        wnt_ok(EVP_PKEY_CTX_set_group_name(ctx, kind->group));
    wnt_ok(EVP_PKEY_generate(ctx, &key));
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static EVP_PKEY *copy_of(const struct kind *kind, EVP_PKEY *key, int selection)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), kind->algorithm, NULL);
    OSSL_PARAM *params = NULL;
    EVP_PKEY *copy = NULL;

    wnt_ok(EVP_PKEY_todata(key, selection, &params));
    wnt_ok(EVP_PKEY_fromdata_init(ctx));
    wnt_ok(EVP_PKEY_fromdata(ctx, &copy, selection, params));
    OSSL_PARAM_free(params);
    EVP_PKEY_CTX_free(ctx);
    wnt_assert_wolfnano(EVP_PKEY_get0_provider(copy));
    return copy;
}

static void share(const struct kind *kind)
{
    static struct job jobs[THREADS];
    EVP_PKEY *made = generate(kind), *key = copy_of(kind, made, EVP_PKEY_KEYPAIR);
    EVP_PKEY *public_only = copy_of(kind, made, EVP_PKEY_PUBLIC_KEY);
    pthread_t threads[THREADS];
    pthread_barrier_t start;
    int i;

    pthread_barrier_init(&start, NULL, THREADS + 1);
    for (i = 0; i < THREADS; i++) {
        jobs[i].kind = kind;
        jobs[i].start = &start;
        jobs[i].failed = NULL;
        jobs[i].key = key;
        jobs[i].public_only = public_only;
        wnt_ok(EVP_PKEY_up_ref(key) && EVP_PKEY_up_ref(public_only));
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    pthread_barrier_wait(&start);
    let_go(key, public_only); /* the threads' references remain */
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (i = 0; i < THREADS; i++)
        if (jobs[i].failed != NULL)
            fail_msg("%s %s: %s", kind->algorithm, kind->group ? kind->group : "",
                     jobs[i].failed);
    pthread_barrier_destroy(&start);
    EVP_PKEY_free(made);
    wnt_assert_no_errors();
}

static void test_shared_keys(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        share(&kinds[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_shared_keys) };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
