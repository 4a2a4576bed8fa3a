/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same bytes from every path: at each CPU level and in each build, keys from some
 * hundred seeds, encapsulations with given randomness, decapsulations (of forged
 * ciphertexts too) and deterministic signatures have the digests that stand here. So
 * assembly, its masked levels and portable C agree with each other, and with the default
 * provider of OpenSSL 3.5.7, which gave the same digests.
 */
#include <string.h>

#include <openssl/core_names.h>

#include "provider/compat.h"
#include "wntest.h"

#define MAX 49856               /* the longest signature */

/* Input is SHAKE128(set || count), so that nothing depends on the order of tests. */
struct stream {
    EVP_MD_CTX *seen;           /* SHA-256 of all output */
    uint32_t count;
    const char *set;
};

static void begin(struct stream *s, const char *set)
{
    EVP_MD *md = EVP_MD_fetch(wnt_default(), "SHA256", NULL);

    s->seen = EVP_MD_CTX_new();
    s->count = 0;
    s->set = set;
    wnt_ok(EVP_DigestInit_ex2(s->seen, md, NULL));
    EVP_MD_free(md);
}

static void see(struct stream *s, const unsigned char *p, size_t n)
{
    wnt_ok(EVP_DigestUpdate(s->seen, p, n));
}

static void end(struct stream *s, const char *expected)
{
    unsigned char md[32];
    char hex[65];
    int i;

    wnt_ok(EVP_DigestFinal_ex(s->seen, md, NULL));
    EVP_MD_CTX_free(s->seen);
    for (i = 0; i < 32; i++)
        snprintf(hex + 2 * i, 3, "%02x", md[i]);
    assert_string_equal(hex, expected);
    wnt_assert_no_errors();
}

static void next_bytes(struct stream *s, unsigned char *out, size_t n)
{
    EVP_MD *md = EVP_MD_fetch(wnt_default(), "SHAKE128", NULL);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();

    wnt_ok(EVP_DigestInit_ex2(ctx, md, NULL));
    wnt_ok(EVP_DigestUpdate(ctx, s->set, strlen(s->set)));
    wnt_ok(EVP_DigestUpdate(ctx, &s->count, sizeof(s->count)));
    wnt_ok(EVP_DigestFinalXOF(ctx, out, n));
    s->count++;
    EVP_MD_CTX_free(ctx);
    EVP_MD_free(md);
}

/* ---- keys ------------------------------------------------------------------------------- */

static unsigned char out[MAX];

/* A key of the next seed; its halves are seen. */
static EVP_PKEY *next_key(struct stream *s, size_t seed_len)
{
    unsigned char seed[96];
    OSSL_PARAM params[] = { OSSL_PARAM_octet_string("seed", seed, seed_len), OSSL_PARAM_END };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), s->set, NULL);
    EVP_PKEY *key = NULL;
    size_t n;

    next_bytes(s, seed, seed_len);
    wnt_ok(EVP_PKEY_keygen_init(ctx));
    wnt_ok(EVP_PKEY_CTX_set_params(ctx, params));
    wnt_ok(EVP_PKEY_generate(ctx, &key));
    EVP_PKEY_CTX_free(ctx);
    wnt_assert_wolfnano(EVP_PKEY_get0_provider(key));
    wnt_ok(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, out, sizeof(out), &n));
    see(s, out, n);
    wnt_ok(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PRIV_KEY, out, sizeof(out), &n));
    see(s, out, n);
    return key;
}

/* The key that was seen last, imported from its private half. */
static EVP_PKEY *imported(const struct stream *s, EVP_PKEY *key)
{
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), s->set, NULL);
    EVP_PKEY *copy = NULL;
    size_t n;

    wnt_ok(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PRIV_KEY, out, sizeof(out), &n));
    params[0] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, out, n);
    wnt_ok(EVP_PKEY_fromdata_init(ctx));
    wnt_ok(EVP_PKEY_fromdata(ctx, &copy, EVP_PKEY_KEYPAIR, params));
    EVP_PKEY_CTX_free(ctx);
    return copy;
}

/* ---- ML-KEM ---------------------------------------------------------------------------------- */

static void encapsulate(struct stream *s, EVP_PKEY *key, unsigned char *cipher, size_t *n)
{
    unsigned char m[32], secret[32];
    OSSL_PARAM params[] = { OSSL_PARAM_octet_string(OSSL_KEM_PARAM_IKME, m, sizeof(m)),
                            OSSL_PARAM_END };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    size_t len = sizeof(secret);

    next_bytes(s, m, sizeof(m));
    wnt_ok(EVP_PKEY_encapsulate_init(ctx, params));
    wnt_ok(EVP_PKEY_encapsulate(ctx, cipher, n, secret, &len));
    EVP_PKEY_CTX_free(ctx);
    see(s, cipher, *n);
    see(s, secret, len);
}

static void decapsulate(struct stream *s, EVP_PKEY *key, const unsigned char *cipher, size_t n)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    unsigned char secret[32];
    size_t len = sizeof(secret);

    wnt_ok(EVP_PKEY_decapsulate_init(ctx, NULL));
    wnt_ok(EVP_PKEY_decapsulate(ctx, secret, &len, cipher, n));
    EVP_PKEY_CTX_free(ctx);
    see(s, secret, len);
}

/* The key as it was made and as it is imported, both fresh and with their caches. */
static void kem(const char *set, const char *expected)
{
    unsigned char cipher[1568], forged[1568];
    struct stream s;
    int i, j;

    begin(&s, set);
    for (i = 0; i < 100; i++) {
        EVP_PKEY *key = next_key(&s, 64), *copy = imported(&s, key);

        for (j = 0; j < 3; j++) {
            size_t n = sizeof(cipher);

            encapsulate(&s, j == 1 ? copy : key, cipher, &n);
            decapsulate(&s, key, cipher, n);
            decapsulate(&s, copy, cipher, n);
            memcpy(forged, cipher, n);
            forged[((size_t)i * 31 + (size_t)j) % n] ^= (unsigned char)(1 << i % 8);
            decapsulate(&s, key, forged, n);
            decapsulate(&s, copy, forged, n);
        }
        EVP_PKEY_free(key);
        EVP_PKEY_free(copy);
    }
    end(&s, expected);
}

/* ---- signatures ---------------------------------------------------------------------------------- */

static void sign(struct stream *s, EVP_PKEY *key)
{
    int deterministic = 1;
    OSSL_PARAM params[] = { OSSL_PARAM_int(OSSL_SIGNATURE_PARAM_DETERMINISTIC, &deterministic),
                            OSSL_PARAM_END };
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    unsigned char msg[200];
    size_t n = sizeof(out), len = s->count % sizeof(msg);

    next_bytes(s, msg, sizeof(msg));
    wnt_ok(EVP_DigestSignInit_ex(ctx, NULL, NULL, wnt_wolf(), NULL, key, params));
    wnt_ok(EVP_DigestSign(ctx, out, &n, msg, len));
    see(s, out, n);
    EVP_MD_CTX_free(ctx);
    ctx = EVP_MD_CTX_new();
    wnt_ok(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, wnt_wolf(), NULL, key, NULL));
    wnt_ok(EVP_DigestVerify(ctx, out, n, msg, len));
    out[n / 2] ^= 1;
    EVP_MD_CTX_free(ctx);
    ctx = EVP_MD_CTX_new();
    wnt_ok(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, wnt_wolf(), NULL, key, NULL));
    assert_int_equal(EVP_DigestVerify(ctx, out, n, msg, len), 0);
    EVP_MD_CTX_free(ctx);
}

static void signer(const char *set, size_t seed_len, int keys, const char *expected)
{
    struct stream s;
    int i;

    begin(&s, set);
    for (i = 0; i < keys; i++) {
        EVP_PKEY *key = next_key(&s, seed_len), *copy = imported(&s, key);

        sign(&s, key);
        sign(&s, copy);
        EVP_PKEY_free(key);
        EVP_PKEY_free(copy);
    }
    end(&s, expected);
}

/* ---- the digests ----------------------------------------------------------------------------- */

#define KEMS(X)                                                                            \
    X(mlkem512, "ML-KEM-512",                                                              \
      "42d562287e585fc60f5393453eddab6b9ac22083988ac9eb6fb21493583719d9")                  \
    X(mlkem768, "ML-KEM-768",                                                              \
      "d65fde98e22294b290c18b30b1cbe091f81f75b5895aa1d8edf6314d97071f02")                  \
    X(mlkem1024, "ML-KEM-1024",                                                            \
      "acfa030d740b6047e950da1a6fd7744ba2a2be3b320ee893bd40299ebec1d847")
#define SIGNERS(X)                                                                         \
    X(mldsa44, "ML-DSA-44", 32, 50,                                                        \
      "67c710734a4e9c876c4abe5839b0916f0b15c2576d58a5cec6a9c1983637cdb9")                  \
    X(mldsa65, "ML-DSA-65", 32, 50,                                                        \
      "7187887f67dabc20771019c8b82e28eefb8ffbe0ea55723b7d000293ae29017b")                  \
    X(mldsa87, "ML-DSA-87", 32, 50,                                                        \
      "1f90e4092ce59aa15aa1bf445c4ba4a3d76434463e8e885f3ccaf5b422c60b7e")                  \
    X(sha2_128f, "SLH-DSA-SHA2-128f", 48, 1,                                               \
      "56cd4e3b2257e30fae90bf6415f7a2a78b88f4093170da66bebcc3ab45892eda")                  \
    X(sha2_192f, "SLH-DSA-SHA2-192f", 72, 1,                                               \
      "02b4f487ff558a838b9913d93af63f5e919f560562007d71ce1106e7e68f4431")                  \
    X(shake_128f, "SLH-DSA-SHAKE-128f", 48, 1,                                             \
      "4e0e711c1ff113b27fad54aa213467c2ab50ccec1c9b58ae16703a26afaf5467")                  \
    X(shake_256f, "SLH-DSA-SHAKE-256f", 96, 1,                                             \
      "8b0a95a7992a9458a903e98e57b3c9950616c7bbef4601db349a3eaa08d78e2e")

#define KEM_TEST(id, set, expected)                                                        \
    static void id(void **state)                                                           \
    {                                                                                      \
        (void)state;                                                                       \
        kem(set, expected);                                                                \
    }
KEMS(KEM_TEST)

#define SIGNER_TEST(id, set, seed_len, keys, expected)                                     \
    static void id(void **state)                                                           \
    {                                                                                      \
        (void)state;                                                                       \
        signer(set, seed_len, keys, expected);                                             \
    }
SIGNERS(SIGNER_TEST)

int main(void)
{
#define KEM_ENTRY(id, set, expected) cmocka_unit_test(id),
#define SIGNER_ENTRY(id, set, seed_len, keys, expected) cmocka_unit_test(id),
    const struct CMUnitTest tests[] = { KEMS(KEM_ENTRY) SIGNERS(SIGNER_ENTRY) };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
