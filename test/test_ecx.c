/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * X25519, X448, Ed25519 and Ed448 against RFC 7748 and RFC 8032, and against
 * OpenSSL's default provider in both directions: secrets, signatures in each
 * instance, keys in and out, sizes, refusals with their reasons, contexts.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>

#include "provider/compat.h"
#include "wntest.h"

static const struct type {
    const char *name;
    size_t len, out;            /* of a key; of a signature or secret */
    int signs;
} types[] = {
    { "X25519", 32, 32, 0 },
    { "X448", 56, 56, 0 },
    { "ED25519", 32, 64, 1 },
    { "ED448", 57, 114, 1 },
};
#define N_TYPES (sizeof(types) / sizeof(types[0]))
#define ROOM 128

static EVP_PKEY *generate(OSSL_LIB_CTX *lib, const char *name)
{
    EVP_PKEY *key = EVP_PKEY_Q_keygen(lib, NULL, name);

    assert_non_null(key);
    return key;
}

static EVP_PKEY *import(OSSL_LIB_CTX *lib, const char *name, int selection, OSSL_PARAM *params)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, name, NULL);
    EVP_PKEY *key = NULL;

    assert_int_equal(EVP_PKEY_fromdata_init(ctx), 1);
    if (EVP_PKEY_fromdata(ctx, &key, selection, params) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static EVP_PKEY *copy_to(OSSL_LIB_CTX *lib, const char *name, EVP_PKEY *key, int selection)
{
    OSSL_PARAM *params = NULL;
    EVP_PKEY *copy;

    wnt_ok(EVP_PKEY_todata(key, selection, &params));
    copy = import(lib, name, selection, params);
    OSSL_PARAM_free(params);
    assert_non_null(copy);
    return copy;
}

static int derive(OSSL_LIB_CTX *lib, EVP_PKEY *key, EVP_PKEY *peer, unsigned char *out, size_t *n)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, NULL);
    int ok;

    wnt_ok(EVP_PKEY_derive_init(ctx));
    ok = EVP_PKEY_derive_set_peer(ctx, peer) == 1 && EVP_PKEY_derive(ctx, out, n) == 1;
    EVP_PKEY_CTX_free(ctx);
    return ok;
}

/* Parameters of a signature: instance and context string, either of them NULL. */
struct choice {
    const char *instance;
    const unsigned char *context;
    size_t n;
};

static EVP_MD_CTX *digest_ctx(OSSL_LIB_CTX *lib, EVP_PKEY *key, const struct choice *c, int sign)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    OSSL_PARAM params[3], *p = params;
    EVP_PKEY_CTX *pctx;

    wnt_ok(sign ? EVP_DigestSignInit_ex(ctx, &pctx, NULL, lib, NULL, key, NULL)
                : EVP_DigestVerifyInit_ex(ctx, &pctx, NULL, lib, NULL, key, NULL));
    if (c == NULL)
        return ctx;
    if (c->instance != NULL)
        *p++ = OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_INSTANCE,
                                                (char *)(uintptr_t)c->instance, 0);
    if (c->context != NULL)
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_SIGNATURE_PARAM_CONTEXT_STRING,
                                                 (void *)(uintptr_t)c->context, c->n);
    *p = OSSL_PARAM_construct_end();
    if (EVP_PKEY_CTX_set_params(pctx, params) == 1)
        return ctx;
    EVP_MD_CTX_free(ctx);
    return NULL;
}

static int sign(OSSL_LIB_CTX *lib, EVP_PKEY *key, const struct choice *c, const unsigned char *m,
                size_t n, unsigned char *sig)
{
    EVP_MD_CTX *ctx = digest_ctx(lib, key, c, 1);
    size_t len = ROOM;
    int ok = ctx != NULL && EVP_DigestSign(ctx, sig, &len, m, n) == 1;

    if (ok)
        assert_int_equal(len, EVP_PKEY_get_size(key));
    EVP_MD_CTX_free(ctx);
    return ok;
}

static int verify(OSSL_LIB_CTX *lib, EVP_PKEY *key, const struct choice *c, const unsigned char *m,
                  size_t n, const unsigned char *sig, size_t len)
{
    EVP_MD_CTX *ctx = digest_ctx(lib, key, c, 0);
    int ok = ctx != NULL && EVP_DigestVerify(ctx, sig, len, m, n) == 1;

    EVP_MD_CTX_free(ctx);
    return ok;
}

/* ---- known answers ---------------------------------------------------------------- */

static void check_exchange(const struct wnt_record *r, EVP_PKEY *key)
{
    unsigned char *peer, *want, got[ROOM];
    size_t n, m, len = sizeof(got);
    EVP_PKEY *other;

    assert_true(wnt_hex(r, "Peer", &peer, &n) && wnt_hex(r, "Secret", &want, &m));
    other = EVP_PKEY_new_raw_public_key_ex(wnt_wolf(), wnt_text(r, "Type"), NULL, peer, n);
    assert_non_null(other);
    assert_true(derive(wnt_wolf(), key, other, got, &len));
    assert_int_equal(len, m);
    assert_memory_equal(got, want, m);
    EVP_PKEY_free(other);
    free(peer);
    free(want);
}

static void check_signature(const struct wnt_record *r, EVP_PKEY *key)
{
    unsigned char *message = NULL, *context = NULL, *want, sig[ROOM];
    size_t n = 0, m, len = 0;
    struct choice c = { wnt_text(r, "Instance"), NULL, 0 };

    wnt_hex(r, "Message", &message, &n);
    if (wnt_hex(r, "Context", &context, &len)) {
        c.context = context;
        c.n = len;
    }
    assert_true(wnt_hex(r, "Signature", &want, &m));
    assert_true(sign(wnt_wolf(), key, &c, message, n, sig));
    assert_memory_equal(sig, want, m);
    assert_true(verify(wnt_wolf(), key, &c, message, n, want, m));
    sig[m / 2] ^= 4;
    assert_false(verify(wnt_wolf(), key, &c, message, n, sig, m));
    free(message);
    free(context);
    free(want);
}

static void test_known_answers(void **state)
{
    FILE *f = wnt_vectors("ecx.txt");
    struct wnt_record r;
    int records = 0;

    (void)state;
    for (; wnt_next(f, &r); wnt_record_free(&r), records++) {
        unsigned char *priv, *pub, got[ROOM];
        size_t n, m, len = sizeof(got);
        EVP_PKEY *key;

        assert_true(wnt_hex(&r, "Private", &priv, &n) && wnt_hex(&r, "Public", &pub, &m));
        key = EVP_PKEY_new_raw_private_key_ex(wnt_wolf(), wnt_text(&r, "Type"), NULL, priv, n);
        assert_non_null(key);
        wnt_assert_wolfnano(EVP_PKEY_get0_provider(key));
        wnt_ok(EVP_PKEY_get_raw_public_key(key, got, &len));
        assert_int_equal(len, m);
        assert_memory_equal(got, pub, m);
        if (wnt_text(&r, "Peer") != NULL)
            check_exchange(&r, key);
        else
            check_signature(&r, key);
        EVP_PKEY_free(key);
        free(priv);
        free(pub);
    }
    fclose(f);
    assert_int_equal(records, 22);
    ERR_clear_error();          /* of refused signatures */
}

static void test_served(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < N_TYPES; i++) {
        if (types[i].signs) {
            EVP_SIGNATURE *s = EVP_SIGNATURE_fetch(wnt_wolf(), types[i].name, NULL);

            assert_non_null(s);
            wnt_assert_wolfnano(EVP_SIGNATURE_get0_provider(s));
            EVP_SIGNATURE_free(s);
        } else {
            EVP_KEYEXCH *x = EVP_KEYEXCH_fetch(wnt_wolf(), types[i].name, NULL);

            assert_non_null(x);
            wnt_assert_wolfnano(EVP_KEYEXCH_get0_provider(x));
            EVP_KEYEXCH_free(x);
        }
    }
}

/* ---- both providers ------------------------------------------------------------------ */

static void secrets_agree(const struct type *t)
{
    EVP_PKEY *a = generate(wnt_wolf(), t->name), *b = generate(wnt_default(), t->name);
    EVP_PKEY *a_there = copy_to(wnt_default(), t->name, a, EVP_PKEY_KEYPAIR);
    EVP_PKEY *b_here = copy_to(wnt_wolf(), t->name, b, EVP_PKEY_KEYPAIR);
    unsigned char s[4][ROOM];
    size_t n[4] = { ROOM, ROOM, ROOM, ROOM };
    int i;

    assert_true(derive(wnt_wolf(), a, b_here, s[0], &n[0]));
    assert_true(derive(wnt_wolf(), b_here, a, s[1], &n[1]));
    assert_true(derive(wnt_default(), a_there, b, s[2], &n[2]));
    assert_true(derive(wnt_default(), b, a_there, s[3], &n[3]));
    for (i = 0; i < 4; i++) {
        assert_int_equal(n[i], t->out);
        assert_memory_equal(s[i], s[0], t->out);
    }
    EVP_PKEY_free(a);
    EVP_PKEY_free(b);
    EVP_PKEY_free(a_there);
    EVP_PKEY_free(b_here);
}

static void signatures_agree(const struct type *t)
{
    EVP_PKEY *ours = generate(wnt_wolf(), t->name);
    EVP_PKEY *theirs = copy_to(wnt_default(), t->name, ours, EVP_PKEY_KEYPAIR);
    unsigned char m[300], a[ROOM], b[ROOM];
    size_t n = wnt_rand_below(sizeof(m));

    wnt_rand_bytes(m, sizeof(m));
    assert_true(sign(wnt_wolf(), ours, NULL, m, n, a));
    assert_true(sign(wnt_default(), theirs, NULL, m, n, b));
    assert_memory_equal(a, b, t->out);
    assert_true(verify(wnt_wolf(), ours, NULL, m, n, b, t->out));
    assert_true(verify(wnt_default(), theirs, NULL, m, n, a, t->out));
    a[wnt_rand_below(t->out)] ^= (unsigned char)(1 << wnt_rand_below(8));
    assert_false(verify(wnt_wolf(), ours, NULL, m, n, a, t->out));
    for (n = 0; n < t->out; n += 13)
        assert_false(verify(wnt_wolf(), ours, NULL, m, 0, b, n));
    ERR_clear_error();
    EVP_PKEY_free(ours);
    EVP_PKEY_free(theirs);
}

static void test_both_ways(void **state)
{
    size_t i;
    int round;

    (void)state;
    for (i = 0; i < N_TYPES; i++)
        for (round = 0; round < 20; round++)
            types[i].signs ? signatures_agree(&types[i]) : secrets_agree(&types[i]);
    wnt_assert_no_errors();
}

/* ---- keys ------------------------------------------------------------------------------ */

static void check_numbers(EVP_PKEY *ours, EVP_PKEY *theirs)
{
    assert_int_equal(EVP_PKEY_get_bits(ours), EVP_PKEY_get_bits(theirs));
    assert_int_equal(EVP_PKEY_get_security_bits(ours), EVP_PKEY_get_security_bits(theirs));
    assert_int_equal(EVP_PKEY_get_size(ours), EVP_PKEY_get_size(theirs));
}

static int checks(OSSL_LIB_CTX *lib, EVP_PKEY *key, int (*check)(EVP_PKEY_CTX *))
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, NULL);
    int ok = check(ctx) == 1;

    EVP_PKEY_CTX_free(ctx);
    ERR_clear_error();
    return ok;
}

static void test_keys(void **state)
{
    unsigned char a[ROOM], b[ROOM];
    size_t i, n, m;

    (void)state;
    for (i = 0; i < N_TYPES; i++) {
        const char *name = types[i].name;
        EVP_PKEY *theirs = generate(wnt_default(), name), *ours, *public, *dup, *other;

        ours = copy_to(wnt_wolf(), name, theirs, EVP_PKEY_KEYPAIR);
        public = copy_to(wnt_wolf(), name, ours, EVP_PKEY_PUBLIC_KEY);
        other = generate(wnt_wolf(), name);
        dup = EVP_PKEY_dup(ours);
        assert_non_null(dup);
        check_numbers(ours, theirs);
        n = m = sizeof(a);
        wnt_ok(EVP_PKEY_get_raw_private_key(dup, a, &n));
        wnt_ok(EVP_PKEY_get_raw_private_key(theirs, b, &m));
        assert_true(n == types[i].len && m == n && memcmp(a, b, n) == 0);
        assert_int_equal(EVP_PKEY_get_raw_private_key(public, a, &n), 0);
        ERR_clear_error();
        assert_int_equal(EVP_PKEY_eq(ours, dup), 1);
        assert_int_equal(EVP_PKEY_eq(ours, public), 1);
        assert_int_equal(EVP_PKEY_eq(ours, other), 0);
        assert_true(checks(wnt_wolf(), ours, EVP_PKEY_check));
        assert_true(checks(wnt_wolf(), public, EVP_PKEY_public_check));
        assert_false(checks(wnt_wolf(), public, EVP_PKEY_private_check));
        EVP_PKEY_free(theirs);
        EVP_PKEY_free(ours);
        EVP_PKEY_free(public);
        EVP_PKEY_free(other);
        EVP_PKEY_free(dup);
    }
    wnt_assert_no_errors();
}

/* A public and a private key that do not belong together: taken, but not valid. */
static void test_mismatch(void **state)
{
    unsigned char priv[ROOM], pub[ROOM];
    size_t i, n, m;

    (void)state;
    for (i = 0; i < N_TYPES; i++) {
        EVP_PKEY *a = generate(wnt_wolf(), types[i].name), *b = generate(wnt_wolf(), types[i].name);
        EVP_PKEY *mixed;
        OSSL_PARAM params[3];

        n = m = ROOM;
        wnt_ok(EVP_PKEY_get_raw_private_key(a, priv, &n));
        wnt_ok(EVP_PKEY_get_raw_public_key(b, pub, &m));
        params[0] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, priv, n);
        params[1] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, pub, m);
        params[2] = OSSL_PARAM_construct_end();
        mixed = import(wnt_wolf(), types[i].name, EVP_PKEY_KEYPAIR, params);
        assert_non_null(mixed);
        assert_false(checks(wnt_wolf(), mixed, EVP_PKEY_pairwise_check));
        EVP_PKEY_free(a);
        EVP_PKEY_free(b);
        EVP_PKEY_free(mixed);
    }
}

static void test_key_lengths(void **state)
{
    unsigned char d[ROOM] = { 1 };
    size_t i, n;
    int part;

    (void)state;
    for (i = 0; i < N_TYPES; i++) {
        for (n = 1; n < 70; n++) {
            for (part = 0; part < 2; part++) {
                OSSL_PARAM params[] = {
                    OSSL_PARAM_octet_string(part == 0 ? OSSL_PKEY_PARAM_PUB_KEY
                                                      : OSSL_PKEY_PARAM_PRIV_KEY, d, n),
                    OSSL_PARAM_END
                };
                EVP_PKEY *key = import(wnt_wolf(), types[i].name, EVP_PKEY_KEYPAIR, params);

                assert_int_equal(key != NULL, n == types[i].len);
                if (key == NULL)
                    wnt_assert_prov_error(PROV_R_INVALID_KEY_LENGTH);
                EVP_PKEY_free(key);
            }
        }
    }
    wnt_assert_no_errors();
}

/* ---- key exchange ------------------------------------------------------------------------- */

static void test_exchange_contexts(void **state)
{
    size_t i, n;

    (void)state;
    for (i = 0; i < N_TYPES && !types[i].signs; i++) {
        EVP_PKEY *key = generate(wnt_wolf(), types[i].name), *low;
        EVP_PKEY *peer = generate(wnt_wolf(), types[i].name);
        EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL), *copy;
        unsigned char a[ROOM], b[ROOM], zero[ROOM] = { 0 };

        low = EVP_PKEY_new_raw_public_key_ex(wnt_wolf(), types[i].name, NULL, zero, types[i].len);
        wnt_ok(EVP_PKEY_derive_init(ctx));
        n = ROOM;
        assert_int_equal(EVP_PKEY_derive(ctx, a, &n), 0);
        wnt_assert_prov_error(PROV_R_MISSING_KEY);
        wnt_ok(EVP_PKEY_derive_set_peer(ctx, low));
        n = ROOM;
        assert_int_equal(EVP_PKEY_derive(ctx, a, &n), 0);
        wnt_assert_prov_error(PROV_R_FAILED_DURING_DERIVATION);
        wnt_ok(EVP_PKEY_derive_set_peer(ctx, peer));
        copy = EVP_PKEY_CTX_dup(ctx);
        assert_non_null(copy);
        wnt_ok(EVP_PKEY_derive(ctx, NULL, &n));
        assert_int_equal(n, types[i].out);
        n--;
        assert_int_equal(EVP_PKEY_derive(ctx, a, &n), 0);
        wnt_assert_prov_error(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        n = types[i].out;
        wnt_ok(EVP_PKEY_derive(ctx, a, &n));    /* usable again */
        EVP_PKEY_CTX_free(ctx);
        wnt_ok(EVP_PKEY_derive(copy, b, &n));
        assert_memory_equal(a, b, n);
        wnt_ok(EVP_PKEY_derive_init(copy));
        wnt_ok(EVP_PKEY_derive_set_peer(copy, key));
        wnt_ok(EVP_PKEY_derive(copy, b, &n));
        assert_memory_not_equal(a, b, n);
        EVP_PKEY_CTX_free(copy);
        EVP_PKEY_free(key);
        EVP_PKEY_free(peer);
        EVP_PKEY_free(low);
    }
    wnt_assert_no_errors();
}

/* ---- signatures ---------------------------------------------------------------------------- */

static void test_instances(void **state)
{
    static const unsigned char m[] = "message", ctx_string[256] = "context";
    const struct {
        const char *type;
        struct choice c;
        int reason;             /* 0: signs */
    } cases[] = {
        { "ED25519", { "Ed25519", NULL, 0 }, 0 },
        { "ED25519", { "ed25519ctx", ctx_string, 255 }, 0 },
        { "ED25519", { "ED25519PH", NULL, 0 }, 0 },
        { "ED25519", { "Ed25519ph", ctx_string, 3 }, 0 },
        { "ED448", { "Ed448", ctx_string, 255 }, 0 },
        { "ED448", { "Ed448ph", ctx_string, 0 }, 0 },
        { "ED25519", { "Ed25519", ctx_string, 3 }, PROV_R_INVALID_DATA },
        { "ED25519", { "Ed25519ctx", NULL, 0 }, PROV_R_INVALID_DATA },
        { "ED25519", { "Ed25519ctx", ctx_string, 256 }, PROV_R_INVALID_DATA },
        { "ED25519", { "Ed448", NULL, 0 }, PROV_R_INVALID_EDDSA_INSTANCE_FOR_ATTEMPTED_OPERATION },
        { "ED448", { "Ed25519ph", NULL, 0 },
          PROV_R_INVALID_EDDSA_INSTANCE_FOR_ATTEMPTED_OPERATION },
    };
    unsigned char sig[ROOM];
    size_t i, j, len;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        EVP_PKEY *key = generate(wnt_wolf(), cases[i].type);
        int ok = sign(wnt_wolf(), key, &cases[i].c, m, sizeof(m), sig);

        assert_int_equal(ok, cases[i].reason == 0);
        if (!ok)
            wnt_assert_prov_error(cases[i].reason);
        len = (size_t)EVP_PKEY_get_size(key);
        for (j = 0; ok && j < 6; j++)   /* no instance takes another's signature */
            if (strcmp(cases[j].type, cases[i].type) == 0)
                assert_int_equal(verify(wnt_wolf(), key, &cases[j].c, m, sizeof(m), sig, len),
                                 i == j);
        ERR_clear_error();
        EVP_PKEY_free(key);
    }
}

static void test_signature_contexts(void **state)
{
    unsigned char m[40] = { 9 }, a[ROOM], b[ROOM];
    size_t i, n;

    (void)state;
    for (i = 2; i < N_TYPES; i++) {
        EVP_PKEY *key = generate(wnt_wolf(), types[i].name), *public;
        EVP_MD_CTX *ctx = digest_ctx(wnt_wolf(), key, NULL, 1), *copy = EVP_MD_CTX_new();

        public = copy_to(wnt_wolf(), types[i].name, key, EVP_PKEY_PUBLIC_KEY);
        wnt_ok(EVP_DigestSign(ctx, NULL, &n, m, sizeof(m)));
        assert_int_equal(n, types[i].out);
        n--;
        assert_int_equal(EVP_DigestSign(ctx, a, &n, m, sizeof(m)), 0);
        wnt_assert_prov_error(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        wnt_ok(EVP_MD_CTX_copy_ex(copy, ctx));
        n = ROOM;
        wnt_ok(EVP_DigestSign(ctx, a, &n, m, sizeof(m)));
        EVP_MD_CTX_free(ctx);
        n = ROOM;
        wnt_ok(EVP_DigestSign(copy, b, &n, m, sizeof(m)));
        assert_memory_equal(a, b, types[i].out);
        wnt_ok(EVP_DigestVerifyInit_ex(copy, NULL, NULL, wnt_wolf(), NULL, public, NULL));
        wnt_ok(EVP_DigestVerify(copy, a, n, m, sizeof(m)));
        assert_false(sign(wnt_wolf(), public, NULL, m, sizeof(m), a));
        wnt_assert_prov_error(PROV_R_NOT_A_PRIVATE_KEY);
        EVP_MD_CTX_free(copy);
        /* the digest is the algorithm's own */
        ctx = EVP_MD_CTX_new();
        assert_int_equal(EVP_DigestSignInit_ex(ctx, NULL, "SHA256", wnt_wolf(), NULL, key, NULL),
                         0);
        wnt_assert_prov_error(PROV_R_INVALID_DIGEST);
        EVP_MD_CTX_free(ctx);
        EVP_PKEY_free(key);
        EVP_PKEY_free(public);
    }
    wnt_assert_no_errors();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_served),
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_both_ways),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_mismatch),
        cmocka_unit_test(test_key_lengths),
        cmocka_unit_test(test_exchange_contexts),
        cmocka_unit_test(test_instances),
        cmocka_unit_test(test_signature_contexts),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
