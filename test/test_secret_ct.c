/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do private-key operations branch on, or address memory by, their secrets? Each
 * runs under valgrind with the secret parts of the key marked as undefined
 * (ctgrind.h). secret-dependence.supp lists what is found and allowed, and why.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/rsa.h>

#include "ctgrind.h"
#include "wntest.h"

#define SUPPRESSIONS WN_TEST_VECTORS "/../secret-dependence.supp"

/*
 * A part of a key's parameter that is secret. `to` 0: to its end; of numbers, which
 * are little-endian here, all but the highest eight bytes: lengths are not hidden.
 */
struct secret {
    const char *param;
    size_t from, to;
};

struct operation {
    const char *name;
    const char *type, *group;   /* group NULL: the type has none */
    const char *leave_out;      /* a parameter that the key is imported without */
    struct secret secrets[6];
    int (*run)(EVP_PKEY *key, EVP_PKEY *peer);
};

/* ---- operations: 1 on success ------------------------------------------------------ */

static int sign(EVP_PKEY *key, EVP_PKEY *peer)
{
    static const char *const own_hash[] = { "EC", "RSA" };
    const char *md = NULL;
    unsigned char sig[20000];
    size_t i, n = sizeof(sig);
    int deterministic = 1, ok;
    unsigned nonce_type = 1;    /* RFC 6979, so that the nonce is made of the key */
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_PKEY_CTX *pctx = NULL;
    OSSL_PARAM params[] = { OSSL_PARAM_int("deterministic", &deterministic), OSSL_PARAM_END };
    OSSL_PARAM ecdsa[] = { OSSL_PARAM_uint("nonce-type", &nonce_type), OSSL_PARAM_END };

    (void)peer;
    for (i = 0; i < 2; i++)
        if (EVP_PKEY_is_a(key, own_hash[i]))
            md = "SHA256";
    ok = EVP_DigestSignInit_ex(ctx, &pctx, md, wnt_wolf(), NULL, key, NULL) == 1
        && EVP_PKEY_CTX_set_params(pctx, EVP_PKEY_is_a(key, "EC") ? ecdsa : params) >= 0
        && EVP_DigestSign(ctx, sig, &n, (const unsigned char *)"message", 7) == 1;
    EVP_MD_CTX_free(ctx);
    return ok;
}

static int derive(EVP_PKEY *key, EVP_PKEY *peer)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    unsigned char secret[1100];
    size_t n = sizeof(secret);
    int ok = EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer_ex(ctx, peer, 0) == 1
        && EVP_PKEY_derive(ctx, secret, &n) == 1;

    EVP_PKEY_CTX_free(ctx);
    return ok;
}

/* The right ciphertext, then one that is rejected. */
static int decapsulate(EVP_PKEY *key, EVP_PKEY *peer)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), peer, NULL);
    unsigned char cipher[2000], secret[64];
    size_t n = sizeof(cipher), secretlen = sizeof(secret);
    int i, ok = EVP_PKEY_encapsulate_init(ctx, NULL) == 1
        && EVP_PKEY_encapsulate(ctx, cipher, &n, secret, &secretlen) == 1;

    EVP_PKEY_CTX_free(ctx);
    ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    ok = ok && EVP_PKEY_decapsulate_init(ctx, NULL) == 1;
    for (i = 0; i < 2 && ok; i++) {
        ok = EVP_PKEY_decapsulate(ctx, secret, &secretlen, cipher, n) == 1;
        cipher[100] ^= 1;
    }
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

/* The message m of FIPS 203's Encaps_internal is the secret. */
static int encapsulate(EVP_PKEY *key, EVP_PKEY *peer)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    unsigned char m[32] = { 7 }, cipher[2000], secret[64];
    size_t n = sizeof(cipher), secretlen = sizeof(secret);
    OSSL_PARAM params[] = { OSSL_PARAM_octet_string("ikme", m, sizeof(m)), OSSL_PARAM_END };
    int ok;

    (void)peer;
    VALGRIND_MAKE_MEM_UNDEFINED(m, sizeof(m));
    ok = EVP_PKEY_encapsulate_init(ctx, params) == 1
        && EVP_PKEY_encapsulate(ctx, cipher, &n, secret, &secretlen) == 1;
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

/* A key pair like this one, from a secret seed. */
static int generate(EVP_PKEY *key, EVP_PKEY *peer)
{
    EVP_PKEY_CTX *ctx =
        EVP_PKEY_CTX_new_from_name(wnt_wolf(), EVP_PKEY_get0_type_name(key), NULL);
    unsigned char seed[64] = { 3 };
    size_t n = EVP_PKEY_is_a(key, "ML-KEM-768") ? 64 : 32;
    OSSL_PARAM params[] = { OSSL_PARAM_octet_string("seed", seed, n), OSSL_PARAM_END };
    EVP_PKEY *made = NULL;
    int ok;

    (void)peer;
    VALGRIND_MAKE_MEM_UNDEFINED(seed, n);
    ok = EVP_PKEY_keygen_init(ctx) == 1 && EVP_PKEY_CTX_set_params(ctx, params) == 1
        && EVP_PKEY_generate(ctx, &made) == 1;
    EVP_PKEY_free(made);
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static int decrypt(EVP_PKEY *key, EVP_PKEY *peer)
{
    const int padding = RSA_PKCS1_OAEP_PADDING;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), peer, NULL);
    unsigned char cipher[512], text[512];
    size_t n = sizeof(cipher), textlen = sizeof(text);
    int ok = EVP_PKEY_encrypt_init(ctx) == 1 && EVP_PKEY_CTX_set_rsa_padding(ctx, padding) == 1
        && EVP_PKEY_encrypt(ctx, cipher, &n, (const unsigned char *)"secret", 6) == 1;

    EVP_PKEY_CTX_free(ctx);
    ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    ok = ok && EVP_PKEY_decrypt_init(ctx) == 1
        && EVP_PKEY_CTX_set_rsa_padding(ctx, padding) == 1
        && EVP_PKEY_decrypt(ctx, text, &textlen, cipher, n) == 1;
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

static int leak(EVP_PKEY *key, EVP_PKEY *peer)
{
    volatile unsigned char secret = 1, sink = 0;

    (void)key;
    (void)peer;
    VALGRIND_MAKE_MEM_UNDEFINED((void *)&secret, 1);
    if (secret)
        sink++;
    return sink < 2;
}

#define PRIV { { "priv", 0, 0 } }
#define RSA_SECRETS                                                                         \
    { { "d", 0, 0 }, { "rsa-factor1", 0, 0 }, { "rsa-factor2", 0, 0 },                      \
      { "rsa-exponent1", 0, 0 }, { "rsa-exponent2", 0, 0 }, { "rsa-coefficient1", 0, 0 } }

/*
 * The secret parts of ML-KEM's dk are s and z (FIPS 203, algorithms 13 and 16), of
 * ML-DSA's sk K, s1 and s2 (FIPS 204, algorithm 24; t0 is taken for public there), of
 * SLH-DSA's SK.seed and SK.prf (FIPS 205, figure 15).
 */
static const struct operation operations[] = {
    { "ml-kem-768 decapsulate", "ML-KEM-768", NULL, "seed",
      { { "priv", 0, 3 * 384 }, { "priv", 2400 - 32, 0 } }, decapsulate },
    { "ml-kem-768 encapsulate", "ML-KEM-768", NULL, NULL, { { NULL, 0, 0 } }, encapsulate },
    { "ml-kem-768 generate", "ML-KEM-768", NULL, NULL, { { NULL, 0, 0 } }, generate },
    { "ml-dsa-65 sign", "ML-DSA-65", NULL, "seed",
      { { "priv", 32, 64 }, { "priv", 128, 128 + 11 * 128 } }, sign },
    { "ml-dsa-65 generate", "ML-DSA-65", NULL, NULL, { { NULL, 0, 0 } }, generate },
    { "slh-dsa-shake-128f sign", "SLH-DSA-SHAKE-128f", NULL, NULL, { { "priv", 0, 32 } }, sign },
    { "slh-dsa-sha2-128f sign", "SLH-DSA-SHA2-128f", NULL, NULL, { { "priv", 0, 32 } }, sign },
    { "x25519 derive", "X25519", NULL, NULL, PRIV, derive },
    { "x448 derive", "X448", NULL, NULL, PRIV, derive },
    { "ed25519 sign", "ED25519", NULL, NULL, PRIV, sign },
    { "ed448 sign", "ED448", NULL, NULL, PRIV, sign },
    { "p-256 sign", "EC", "P-256", NULL, PRIV, sign },
    { "p-256 derive", "EC", "P-256", NULL, PRIV, derive },
    { "p-384 sign", "EC", "P-384", NULL, PRIV, sign },
    { "p-384 derive", "EC", "P-384", NULL, PRIV, derive },
    { "p-521 sign", "EC", "P-521", NULL, PRIV, sign },
    { "p-521 derive", "EC", "P-521", NULL, PRIV, derive },
    { "secp256k1 sign", "EC", "secp256k1", NULL, PRIV, sign },
    { "secp256k1 derive", "EC", "secp256k1", NULL, PRIV, derive },
    { "brainpoolP384r1 sign", "EC", "brainpoolP384r1", NULL, PRIV, sign },
    { "brainpoolP384t1 derive", "EC", "brainpoolP384t1", NULL, PRIV, derive },
    { "rsa-2048 sign", "RSA", NULL, NULL, RSA_SECRETS, sign },
    { "rsa-2048 decrypt", "RSA", NULL, NULL, RSA_SECRETS, decrypt },
    { "ffdhe2048 derive", "DH", "ffdhe2048", NULL, PRIV, derive },
    { "leak", NULL, NULL, NULL, { { NULL, 0, 0 } }, leak },
};

/* ---- under valgrind ------------------------------------------------------------------ */

static EVP_PKEY *new_key(const struct operation *op)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), op->type, NULL);
    EVP_PKEY *key = NULL;
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };

    if (op->group != NULL)
        params[0] = OSSL_PARAM_construct_utf8_string("group", (char *)op->group, 0);
    if (EVP_PKEY_keygen_init(ctx) != 1 || EVP_PKEY_CTX_set_params(ctx, params) != 1)
        exit(2);
    if (EVP_PKEY_generate(ctx, &key) != 1)
        exit(3);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

/* The same key, imported with its secrets undefined. */
static EVP_PKEY *with_secrets(const struct operation *op, EVP_PKEY *key)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), op->type, NULL);
    EVP_PKEY *copy = NULL;
    OSSL_PARAM *params = NULL, *p;
    const struct secret *s;
    size_t end;

    if (EVP_PKEY_todata(key, EVP_PKEY_KEYPAIR, &params) != 1)
        exit(4);
    if (op->leave_out != NULL && (p = OSSL_PARAM_locate(params, op->leave_out)) != NULL)
        p->key = "left-out";
    for (s = op->secrets; s < op->secrets + 6 && s->param != NULL; s++) {
        p = OSSL_PARAM_locate(params, s->param);
        if (p == NULL)
            exit(5);
        end = p->data_size;
        if (p->data_type == OSSL_PARAM_UNSIGNED_INTEGER) {
            while (((unsigned char *)p->data)[end - 1] == 0)
                end--;
            end -= 8;
        }
        VALGRIND_MAKE_MEM_UNDEFINED((char *)p->data + s->from,
                                    (s->to != 0 ? s->to : end) - s->from);
    }
    if (EVP_PKEY_fromdata_init(ctx) != 1
        || EVP_PKEY_fromdata(ctx, &copy, EVP_PKEY_KEYPAIR, params) != 1)
        exit(6);
    EVP_PKEY_CTX_free(ctx);
    OSSL_PARAM_free(params);
    return copy;
}

static int inner(const char *name)
{
    const struct operation *op = operations;
    EVP_PKEY *key = NULL, *peer = NULL;
    void *state = NULL;
    int ok;

    while (strcmp(op->name, name) != 0)
        op++;
    if (wnt_setup(&state) != 0)
        return 7;
    if (op->type != NULL) {
        peer = new_key(op);
        key = with_secrets(op, peer);
    }
    ok = op->run(key, peer);
    VALGRIND_MAKE_MEM_DEFINED(&ok, sizeof(ok));     /* success may depend on the secret */
    EVP_PKEY_free(key);
    EVP_PKEY_free(peer);
    if (!ok)
        ERR_print_errors_fp(stderr);
    return ok ? 0 : 8;
}

/* ---- the tests --------------------------------------------------------------------- */

static const char *self;

static void depends_on_no_secret(void **state)
{
    const struct operation *op = *state;

    if (WN_CTGRIND_CANNOT || wnt_cpu()[0] != '\0')
        skip();                 /* no valgrind for this build; a mask: once is enough */
    switch (wn_ctgrind(self, op->name, SUPPRESSIONS)) {
    case WN_CTGRIND_ABSENT:
        skip();
        break;
    case WN_CTGRIND_FOUND:
        assert_string_equal(op->name, "leak");
        break;
    case 0:
        assert_string_not_equal(op->name, "leak");
        break;
    default:
        fail_msg("%s: the operation itself failed", op->name);
    }
}

#define OPERATIONS (sizeof(operations) / sizeof(operations[0]))

int main(int argc, char **argv)
{
    struct CMUnitTest tests[OPERATIONS];
    size_t i;

    self = argv[0];
    if (argc > 1)
        return inner(argv[1]);
    for (i = 0; i < OPERATIONS; i++)
        tests[i] = (struct CMUnitTest){ operations[i].name, depends_on_no_secret, NULL, NULL,
                                        (void *)&operations[i] };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
