/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diffie-Hellman (DH, DHX) against RFC 5114 and OpenSSL's default provider: named
 * groups in both directions, keys in and out, the KDF of X9.42, public keys that
 * are refused, sizes, contexts.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/dherr.h>
#include <openssl/param_build.h>

#include "wntest.h"

#define ROOM 1024

static EVP_PKEY *generate(OSSL_LIB_CTX *lib, const char *type, const char *group)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, type, NULL);
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)(uintptr_t)group, 0),
        OSSL_PARAM_construct_end()
    };
    EVP_PKEY *key = NULL;

    wnt_ok(EVP_PKEY_keygen_init(ctx));
    wnt_ok(EVP_PKEY_CTX_set_params(ctx, params));
    wnt_ok(EVP_PKEY_generate(ctx, &key));
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static EVP_PKEY *import(OSSL_LIB_CTX *lib, const char *type, int selection, OSSL_PARAM *params)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, type, NULL);
    EVP_PKEY *key = NULL;

    wnt_ok(EVP_PKEY_fromdata_init(ctx));
    if (EVP_PKEY_fromdata(ctx, &key, selection, params) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static EVP_PKEY *copy_to(OSSL_LIB_CTX *lib, const char *type, EVP_PKEY *key, int selection)
{
    OSSL_PARAM *params = NULL;
    EVP_PKEY *copy;

    wnt_ok(EVP_PKEY_todata(key, selection, &params));
    copy = import(lib, type, selection, params);
    OSSL_PARAM_free(params);
    assert_non_null(copy);
    return copy;
}

/* A key of a named group from numbers; priv may be NULL. */
static EVP_PKEY *from_numbers(OSSL_LIB_CTX *lib, const char *type, const char *group,
                              const BIGNUM *pub, const BIGNUM *priv)
{
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    OSSL_PARAM *params;
    EVP_PKEY *key;

    wnt_ok(OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, group, 0));
    wnt_ok(OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PUB_KEY, pub));
    if (priv != NULL)
        wnt_ok(OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, priv));
    params = OSSL_PARAM_BLD_to_param(build);
    key = import(lib, type, priv != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, params);
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    return key;
}

static int derive(OSSL_LIB_CTX *lib, EVP_PKEY *key, EVP_PKEY *peer, const OSSL_PARAM *params,
                  unsigned char *out, size_t *n)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(lib, key, NULL);
    int ok = EVP_PKEY_derive_init_ex(ctx, params) == 1
        && EVP_PKEY_derive_set_peer_ex(ctx, peer, 0) == 1 && EVP_PKEY_derive(ctx, out, n) == 1;

    EVP_PKEY_CTX_free(ctx);
    return ok;
}

/* ---- known answers ---------------------------------------------------------------- */

static BIGNUM *number(const struct wnt_record *r, const char *name)
{
    unsigned char *d;
    BIGNUM *bn;
    size_t n;

    assert_true(wnt_hex(r, name, &d, &n));
    bn = BN_bin2bn(d, (int)n, NULL);
    free(d);
    return bn;
}

static void check_record(const struct wnt_record *r)
{
    const char *group = wnt_text(r, "Group");
    BIGNUM *xa = number(r, "xA"), *ya = number(r, "yA"), *xb = number(r, "xB"),
        *yb = number(r, "yB");
    EVP_PKEY *a = from_numbers(wnt_wolf(), "DHX", group, ya, xa);
    EVP_PKEY *b = from_numbers(wnt_wolf(), "DHX", group, yb, xb);
    EVP_PKEY *b_public = from_numbers(wnt_wolf(), "DHX", group, yb, NULL);
    unsigned char *z, got[ROOM];
    size_t n, m = ROOM;

    assert_true(a != NULL && b != NULL && b_public != NULL);
    wnt_assert_wolfnano(EVP_PKEY_get0_provider(a));
    assert_true(wnt_hex(r, "Z", &z, &n));
    assert_true(derive(wnt_wolf(), a, b_public, NULL, got, &m));
    assert_int_equal(m, n);
    assert_memory_equal(got, z, n);
    assert_true(derive(wnt_wolf(), b, a, NULL, got, &m));
    assert_memory_equal(got, z, n);
    free(z);
    BN_free(xa);
    BN_free(ya);
    BN_free(xb);
    BN_free(yb);
    EVP_PKEY_free(a);
    EVP_PKEY_free(b);
    EVP_PKEY_free(b_public);
}

static void test_known_answers(void **state)
{
    FILE *f = wnt_vectors("dh.txt");
    struct wnt_record r;
    int records = 0;

    (void)state;
    for (; wnt_next(f, &r); wnt_record_free(&r), records++)
        check_record(&r);
    fclose(f);
    assert_int_equal(records, 3);
    wnt_assert_no_errors();
}

/* ---- both providers ------------------------------------------------------------------ */

static const struct {
    const char *type, *group;
    int rounds;
} groups[] = {
    { "DH", "ffdhe2048", 6 },
    { "DH", "ffdhe3072", 3 },
    { "DH", "modp_1536", 3 },
    { "DH", "modp_2048", 3 },
    { "DHX", "dh_1024_160", 6 },
    { "DHX", "dh_2048_224", 3 },
    { "DHX", "dh_2048_256", 3 },
};
#define N_GROUPS (sizeof(groups) / sizeof(groups[0]))

static void agree(const char *type, const char *group)
{
    EVP_PKEY *a = generate(wnt_wolf(), type, group), *b = generate(wnt_default(), type, group);
    EVP_PKEY *a_there = copy_to(wnt_default(), type, a, EVP_PKEY_PUBLIC_KEY);
    EVP_PKEY *b_here = copy_to(wnt_wolf(), type, b, EVP_PKEY_KEYPAIR);
    unsigned char s[3][ROOM];
    size_t n[3] = { ROOM, ROOM, ROOM };
    unsigned pad = 1;
    OSSL_PARAM params[] = { OSSL_PARAM_uint(OSSL_EXCHANGE_PARAM_PAD, &pad), OSSL_PARAM_END };
    int i;

    for (pad = 0; pad <= 1; pad++) {
        assert_true(derive(wnt_wolf(), a, b_here, params, s[0], &n[0]));
        assert_true(derive(wnt_wolf(), b_here, a, params, s[1], &n[1]));
        assert_true(derive(wnt_default(), b, a_there, params, s[2], &n[2]));
        for (i = 1; i < 3; i++) {
            assert_int_equal(n[i], n[0]);
            assert_memory_equal(s[i], s[0], n[0]);
        }
        if (pad)
            assert_int_equal(n[0], EVP_PKEY_get_size(a));
        n[0] = n[1] = n[2] = ROOM;
    }
    EVP_PKEY_free(a);
    EVP_PKEY_free(b);
    EVP_PKEY_free(a_there);
    EVP_PKEY_free(b_here);
}

static void test_both_ways(void **state)
{
    size_t i;
    int round;

    (void)state;
    for (i = 0; i < N_GROUPS; i++)
        for (round = 0; round < groups[i].rounds; round++)
            agree(groups[i].type, groups[i].group);
    wnt_assert_no_errors();
}

static void test_served(void **state)
{
    EVP_KEYEXCH *x = EVP_KEYEXCH_fetch(wnt_wolf(), "DH", NULL);

    (void)state;
    assert_non_null(x);
    wnt_assert_wolfnano(EVP_KEYEXCH_get0_provider(x));
    EVP_KEYEXCH_free(x);
}

/* The KDF of X9.42 (RFC 2631) after the exchange. */
static void test_kdf(void **state)
{
    EVP_PKEY *a = generate(wnt_default(), "DHX", "dh_2048_256");
    EVP_PKEY *b = generate(wnt_default(), "DHX", "dh_2048_256");
    EVP_PKEY *a_here = copy_to(wnt_wolf(), "DHX", a, EVP_PKEY_KEYPAIR);
    EVP_PKEY *b_here = copy_to(wnt_wolf(), "DHX", b, EVP_PKEY_PUBLIC_KEY);
    unsigned char want[32], got[32], ukm[9] = { 1, 2, 3 };
    size_t outlen = 32, n = 32, m = 32;
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, (char *)"X942KDF-ASN1", 12),
        OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST, (char *)"SHA256", 6),
        OSSL_PARAM_size_t(OSSL_EXCHANGE_PARAM_KDF_OUTLEN, &outlen),
        OSSL_PARAM_octet_string(OSSL_EXCHANGE_PARAM_KDF_UKM, ukm, sizeof(ukm)),
        OSSL_PARAM_utf8_string(OSSL_KDF_PARAM_CEK_ALG, (char *)"AES-256-WRAP", 12),
        OSSL_PARAM_END
    };

    (void)state;
    assert_true(derive(wnt_default(), a, b, params, want, &n));
    assert_true(derive(wnt_wolf(), a_here, b_here, params, got, &m));
    assert_true(n == 32 && m == 32);
    assert_memory_equal(got, want, 32);
    m = 31;
    assert_false(derive(wnt_wolf(), a_here, b_here, params, got, &m));
    wnt_assert_prov_error(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    EVP_PKEY_free(a);
    EVP_PKEY_free(b);
    EVP_PKEY_free(a_here);
    EVP_PKEY_free(b_here);
    wnt_assert_no_errors();
}

/* ---- keys ------------------------------------------------------------------------------ */

static int checks(EVP_PKEY *key, int (*check)(EVP_PKEY_CTX *))
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL);
    int ok = check(ctx) == 1;

    EVP_PKEY_CTX_free(ctx);
    ERR_clear_error();
    return ok;
}

static void test_keys(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < N_GROUPS; i++) {
        const char *type = groups[i].type;
        EVP_PKEY *theirs = generate(wnt_default(), type, groups[i].group);
        EVP_PKEY *ours = copy_to(wnt_wolf(), type, theirs, EVP_PKEY_KEYPAIR);
        EVP_PKEY *back = copy_to(wnt_default(), type, ours, EVP_PKEY_KEYPAIR);
        EVP_PKEY *public = copy_to(wnt_wolf(), type, ours, EVP_PKEY_PUBLIC_KEY);
        EVP_PKEY *other = generate(wnt_wolf(), type, groups[i].group), *dup = EVP_PKEY_dup(ours);
        char name[40];

        assert_non_null(dup);
        assert_int_equal(EVP_PKEY_get_bits(ours), EVP_PKEY_get_bits(theirs));
        assert_int_equal(EVP_PKEY_get_security_bits(ours), EVP_PKEY_get_security_bits(theirs));
        assert_int_equal(EVP_PKEY_get_size(ours), EVP_PKEY_get_size(theirs));
        wnt_ok(EVP_PKEY_get_utf8_string_param(ours, OSSL_PKEY_PARAM_GROUP_NAME, name, sizeof(name),
                                              NULL));
        assert_string_equal(name, groups[i].group);
        assert_int_equal(EVP_PKEY_eq(back, theirs), 1);
        assert_int_equal(EVP_PKEY_eq(ours, dup), 1);
        assert_int_equal(EVP_PKEY_eq(ours, public), 1);
        assert_int_equal(EVP_PKEY_eq(ours, other), 0);
        assert_true(checks(ours, EVP_PKEY_check));
        assert_true(checks(dup, EVP_PKEY_pairwise_check));
        assert_true(checks(public, EVP_PKEY_public_check));
        assert_false(checks(public, EVP_PKEY_private_check));
        EVP_PKEY_free(theirs);
        EVP_PKEY_free(ours);
        EVP_PKEY_free(back);
        EVP_PKEY_free(public);
        EVP_PKEY_free(other);
        EVP_PKEY_free(dup);
    }
    wnt_assert_no_errors();
}

/* Public keys 0, 1, p - 1, p, p + 1: taken where the default provider takes them, but
 * they give no secret. */
static void test_bad_public(void **state)
{
    EVP_PKEY *ours = generate(wnt_wolf(), "DH", "ffdhe2048"), *peer, *theirs;
    BIGNUM *p = NULL, *y = BN_new();
    unsigned char z[ROOM];
    size_t n;
    int i;

    (void)state;
    wnt_ok(EVP_PKEY_get_bn_param(ours, OSSL_PKEY_PARAM_FFC_P, &p));
    for (i = 0; i < 5; i++) {
        if (i < 2)
            wnt_ok(BN_set_word(y, (BN_ULONG)i));
        else
            wnt_ok(BN_copy(y, p) != NULL && BN_sub_word(y, 1) && BN_add_word(y, (BN_ULONG)i - 2));
        peer = from_numbers(wnt_wolf(), "DH", "ffdhe2048", y, NULL);
        theirs = from_numbers(wnt_default(), "DH", "ffdhe2048", y, NULL);
        assert_int_equal(peer == NULL, theirs == NULL);
        EVP_PKEY_free(theirs);
        ERR_clear_error();
        if (peer != NULL) {
            assert_false(checks(peer, EVP_PKEY_public_check));
            n = ROOM;
            assert_false(derive(wnt_wolf(), ours, peer, NULL, z, &n));
            wnt_assert_error(ERR_LIB_DH, DH_R_INVALID_PUBKEY);
        }
        ERR_clear_error();
        EVP_PKEY_free(peer);
    }
    BN_free(p);
    BN_free(y);
    EVP_PKEY_free(ours);
}

/* ---- contexts ----------------------------------------------------------------------------- */

static void test_contexts(void **state)
{
    EVP_PKEY *key = generate(wnt_wolf(), "DH", "ffdhe2048"), *other;
    EVP_PKEY *peer = generate(wnt_wolf(), "DH", "ffdhe2048");
    EVP_PKEY *public = copy_to(wnt_wolf(), "DH", key, EVP_PKEY_PUBLIC_KEY);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(wnt_wolf(), key, NULL), *copy;
    unsigned char a[ROOM], b[ROOM];
    size_t n = ROOM;

    (void)state;
    other = generate(wnt_wolf(), "DH", "modp_2048");
    wnt_ok(EVP_PKEY_derive_init(ctx));
    wnt_ok(EVP_PKEY_CTX_set_dh_pad(ctx, 1));
    assert_int_equal(EVP_PKEY_derive(ctx, a, &n), 0);
    wnt_assert_prov_error(PROV_R_MISSING_KEY);
    assert_true(EVP_PKEY_derive_set_peer_ex(ctx, other, 0) <= 0);
    ERR_clear_error();
    wnt_ok(EVP_PKEY_derive_set_peer(ctx, peer));
    copy = EVP_PKEY_CTX_dup(ctx);
    assert_non_null(copy);
    wnt_ok(EVP_PKEY_derive(ctx, NULL, &n));
    assert_int_equal(n, 256);
    n--;
    assert_int_equal(EVP_PKEY_derive(ctx, a, &n), 0);
    wnt_assert_prov_error(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    n = 256;
    wnt_ok(EVP_PKEY_derive(ctx, a, &n));    /* usable again */
    EVP_PKEY_CTX_free(ctx);
    wnt_ok(EVP_PKEY_derive(copy, b, &n));
    assert_memory_equal(a, b, 256);
    wnt_ok(EVP_PKEY_derive_init(copy));     /* anew, with another peer */
    wnt_ok(EVP_PKEY_derive_set_peer(copy, key));
    n = ROOM;
    wnt_ok(EVP_PKEY_derive(copy, b, &n));
    assert_memory_not_equal(a, b, 200);
    EVP_PKEY_CTX_free(copy);
    n = ROOM;
    assert_false(derive(wnt_wolf(), public, peer, NULL, a, &n));
    wnt_assert_error(ERR_LIB_DH, DH_R_NO_PRIVATE_VALUE);
    EVP_PKEY_free(key);
    EVP_PKEY_free(peer);
    EVP_PKEY_free(other);
    EVP_PKEY_free(public);
    wnt_assert_no_errors();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_served),
        cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_both_ways),
        cmocka_unit_test(test_kdf),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_bad_public),
        cmocka_unit_test(test_contexts),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
