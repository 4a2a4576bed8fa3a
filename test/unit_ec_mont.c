/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * algs/ec_mont.h against libcrypto's arithmetic, on every curve that it serves:
 * ordinary and extreme scalars, of points and of the base point with and without
 * its table; signatures with extreme numbers; u1 G = ±u2 Q, an x coordinate of r + n.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/objects.h>

#include "algs/ec_mont.h"
#include "wntest.h"

#define MAX_CURVES 100

struct state {
    const struct wn_ec_curve *curve;
    EC_GROUP *g;
    BN_CTX *bn;
    const BIGNUM *n;
};

static void for_each_curve(void (*test)(struct state *s))
{
    EC_builtin_curve all[MAX_CURVES];
    size_t i, n = EC_get_builtin_curves(all, MAX_CURVES), served = 0;
    struct state s;

    assert_true(n > 0 && n <= MAX_CURVES);
    for (i = 0; i < n; i++) {
        s.curve = wn_ec_curve_find(OBJ_nid2sn(all[i].nid));
        if (s.curve == NULL || s.curve->sp != NULL || !wn_ec_mont_serves(s.curve))
            continue;
        s.g = EC_GROUP_new_by_curve_name(all[i].nid);
        s.bn = BN_CTX_new();
        s.n = EC_GROUP_get0_order(s.g);
        test(&s);
        BN_CTX_free(s.bn);
        EC_GROUP_free(s.g);
        served++;
    }
    assert_true(served > 20);
}

static void to_num(const BIGNUM *bn, struct wn_ec_num *num)
{
    unsigned char be[WN_EC_MAX_BYTES];

    assert_true(BN_bn2binpad(bn, be, sizeof(be)) > 0);
    assert_true(wn_ec_num_read(num, be, sizeof(be)));
}

static BIGNUM *from_num(const struct wn_ec_num *num)
{
    unsigned char be[WN_EC_MAX_BYTES];

    assert_true(wn_ec_num_bytes(num, be, sizeof(be)));
    return BN_bin2bn(be, sizeof(be), NULL);
}

static BIGNUM *random_scalar(const struct state *s)
{
    BIGNUM *d = BN_new();

    do
        BN_rand_range(d, s->n);
    while (BN_is_zero(d));
    return d;
}

/* d G and x(d Q) */
static void check_multiples(struct state *s, const EC_POINT *q, const BIGNUM *d)
{
    unsigned char got[WN_EC_MAX_BYTES], want[WN_EC_MAX_BYTES];
    BIGNUM *x = BN_new(), *y = BN_new(), *gx, *gy;
    EC_POINT *r = EC_POINT_new(s->g);
    struct wn_ec_num k, nx, ny;

    to_num(d, &k);
    wn_ec_num_init(&nx), wn_ec_num_init(&ny);
    assert_int_equal(wn_ec_mont_base(s->curve, wn_ec_mp(&k), wn_ec_mp(&nx), wn_ec_mp(&ny)), 0);
    gx = from_num(&nx), gy = from_num(&ny);
    assert_int_equal(EC_POINT_mul(s->g, r, d, NULL, NULL, s->bn), 1);
    EC_POINT_get_affine_coordinates(s->g, r, x, y, s->bn);
    assert_int_equal(BN_cmp(gx, x), 0);
    assert_int_equal(BN_cmp(gy, y), 0);
    EC_POINT_get_affine_coordinates(s->g, q, x, y, s->bn);
    to_num(x, &nx), to_num(y, &ny);
    assert_int_equal(EC_POINT_mul(s->g, r, NULL, q, d, s->bn), 1);
    EC_POINT_get_affine_coordinates(s->g, r, x, NULL, s->bn);
    BN_bn2binpad(x, want, (int)s->curve->size);
    assert_int_equal(wn_ec_mont_secret(s->curve, wn_ec_mp(&k), wn_ec_mp(&nx), wn_ec_mp(&ny), got),
                     0);
    assert_memory_equal(got, want, s->curve->size);
    BN_free(x), BN_free(y), BN_free(gx), BN_free(gy);
    EC_POINT_free(r);
}

static void scalars_of(struct state *s)
{
    BIGNUM *k = random_scalar(s), *d = BN_new(), *other;
    EC_POINT *q = EC_POINT_new(s->g);
    int i;

    EC_POINT_mul(s->g, q, k, NULL, NULL, s->bn);
    for (i = 1; i <= 20; i++) {         /* tiny, and n minus tiny */
        BN_set_word(d, (BN_ULONG)i);
        check_multiples(s, q, d);
        BN_sub(d, s->n, d);
        check_multiples(s, q, d);
    }
    for (i = 0; i < BN_num_bits(s->n) - 1; i += 7) {    /* one bit, all bits below */
        BN_one(d);
        BN_lshift(d, d, i);
        check_multiples(s, q, d);
        if (i > 1) {
            BN_sub_word(d, 1);
            check_multiples(s, q, d);
        }
    }
    for (i = 0; i < 20; i++) {
        other = random_scalar(s);
        check_multiples(s, q, other);
        BN_free(other);
    }
    EC_POINT_free(q);
    BN_free(d);
    BN_free(k);
}

static void test_scalars(void **state)
{
    (void)state;
    for_each_curve(scalars_of);
}

/* e as the leftmost bits of a digest as long as n; returns its length */
static word32 digest_of(const struct state *s, const BIGNUM *e, unsigned char hash[WN_EC_MAX_BYTES])
{
    BIGNUM *shifted = BN_new();

    BN_lshift(shifted, e, (int)(8 * s->curve->order_size) - s->curve->order_bits);
    assert_true(BN_bn2binpad(shifted, hash, (int)s->curve->order_size) > 0);
    BN_free(shifted);
    return (word32)s->curve->order_size;
}

/* Is (r, s) good for e? libcrypto is asked through the equation: x(e/s G + r/s Q) mod n = r. */
static int verify_both(struct state *st, const EC_POINT *q, const BIGNUM *e, const BIGNUM *r,
                       const BIGNUM *s)
{
    BIGNUM *u1 = BN_new(), *u2 = BN_new(), *x = BN_new(), *y = BN_new();
    unsigned char hash[WN_EC_MAX_BYTES];
    EC_POINT *p = EC_POINT_new(st->g);
    struct wn_ec_num nr, ns, nx, ny;
    word32 len = digest_of(st, e, hash);
    int want, got = -1;

    BN_mod_inverse(u2, s, st->n, st->bn);
    BN_mod_mul(u1, e, u2, st->n, st->bn);
    BN_mod_mul(u2, r, u2, st->n, st->bn);
    EC_POINT_mul(st->g, p, u1, q, u2, st->bn);
    want = !EC_POINT_is_at_infinity(st->g, p)
        && EC_POINT_get_affine_coordinates(st->g, p, x, NULL, st->bn)
        && BN_nnmod(x, x, st->n, st->bn) && BN_cmp(x, r) == 0;
    EC_POINT_get_affine_coordinates(st->g, q, x, y, st->bn);
    to_num(x, &nx), to_num(y, &ny), to_num(r, &nr), to_num(s, &ns);
    assert_int_equal(wn_ec_mont_verify(st->curve, hash, len, wn_ec_mp(&nx), wn_ec_mp(&ny),
                                       wn_ec_mp(&nr), wn_ec_mp(&ns), &got), 0);
    assert_int_equal(got, want);
    BN_free(u1), BN_free(u2), BN_free(x), BN_free(y);
    EC_POINT_free(p);
    return got;
}

/* sign = 1: u1 G = u2 Q, a valid signature; -1: the sum is infinity, an invalid one. */
static void equal_points(struct state *st, int sign)
{
    BIGNUM *d = random_scalar(st), *k = random_scalar(st), *r = BN_new(), *s = BN_new(),
           *e = BN_new();
    EC_POINT *q = EC_POINT_new(st->g), *p = EC_POINT_new(st->g);

    EC_POINT_mul(st->g, q, d, NULL, NULL, st->bn);
    EC_POINT_mul(st->g, p, k, NULL, NULL, st->bn);
    EC_POINT_get_affine_coordinates(st->g, p, r, NULL, st->bn);
    BN_nnmod(r, r, st->n, st->bn);
    BN_mod_mul(e, r, d, st->n, st->bn);                 /* e = r d, s = 2 e / k */
    BN_mod_inverse(s, k, st->n, st->bn);
    BN_mod_mul(s, s, e, st->n, st->bn);
    BN_mod_lshift1(s, s, st->n, st->bn);
    if (sign < 0)
        BN_sub(e, st->n, e);
    assert_int_equal(verify_both(st, q, e, r, s), sign > 0);
    BN_zero(e);                                         /* u1 = 0 */
    verify_both(st, q, e, r, s);
    verify_both(st, q, e, r, r);                        /* u2 = 1 */
    BN_free(d), BN_free(k), BN_free(r), BN_free(s), BN_free(e);
    EC_POINT_free(q);
    EC_POINT_free(p);
}

/* R has x = n + small, so that r = small: Q = (R - u1 G) / u2, s = r / u2, e = u1 s. */
static void wrapped_x(struct state *st)
{
    BIGNUM *u1 = random_scalar(st), *u2 = random_scalar(st), *p = BN_new(), *x = BN_new(),
           *r = BN_new(), *s = BN_new(), *e = BN_new(), *inverse = BN_new();
    EC_POINT *R = EC_POINT_new(st->g), *q = EC_POINT_new(st->g);
    BN_ULONG small = 0;

    EC_GROUP_get_curve(st->g, p, NULL, NULL, st->bn);
    do {
        BN_copy(x, st->n);
        BN_add_word(x, ++small);
    } while (BN_cmp(x, p) < 0 && EC_POINT_set_compressed_coordinates(st->g, R, x, 0, st->bn) != 1);
    ERR_clear_error();
    if (BN_cmp(x, p) < 0) {             /* else n > p: no such point */
        BN_set_word(r, small);
        BN_mod_inverse(inverse, u2, st->n, st->bn);
        EC_POINT_mul(st->g, q, u1, NULL, NULL, st->bn);
        EC_POINT_invert(st->g, q, st->bn);
        EC_POINT_add(st->g, q, q, R, st->bn);
        EC_POINT_mul(st->g, q, NULL, q, inverse, st->bn);
        BN_mod_mul(s, r, inverse, st->n, st->bn);
        BN_mod_mul(e, u1, s, st->n, st->bn);
        assert_int_equal(verify_both(st, q, e, r, s), 1);
        BN_add_word(r, 1);
        assert_int_equal(verify_both(st, q, e, r, s), 0);
    }
    BN_free(u1), BN_free(u2), BN_free(p), BN_free(x), BN_free(r), BN_free(s), BN_free(e);
    BN_free(inverse);
    EC_POINT_free(R);
    EC_POINT_free(q);
}

static void sums_of(struct state *s)
{
    int i;

    for (i = 0; i < 4; i++) {
        equal_points(s, 1);
        equal_points(s, -1);
        wrapped_x(s);
    }
}

static void test_sums(void **state)
{
    (void)state;
    for_each_curve(sums_of);
}

/* s = (e + r d) / k, r = x(k G), for the nonce k */
static void check_signature(struct state *st, const BIGNUM *d, const BIGNUM *k, const BIGNUM *e)
{
    unsigned char hash[WN_EC_MAX_BYTES], nonce[WN_EC_MAX_BYTES];
    BIGNUM *r = BN_new(), *s = BN_new(), *inverse = BN_new(), *got_r, *got_s;
    EC_POINT *p = EC_POINT_new(st->g), *q = EC_POINT_new(st->g);
    word32 len = digest_of(st, e, hash);
    struct wn_ec_num nd, nr, ns;

    EC_POINT_mul(st->g, p, k, NULL, NULL, st->bn);
    EC_POINT_get_affine_coordinates(st->g, p, r, NULL, st->bn);
    BN_nnmod(r, r, st->n, st->bn);
    BN_mod_mul(s, r, d, st->n, st->bn);
    BN_mod_add(s, s, e, st->n, st->bn);
    BN_mod_inverse(inverse, k, st->n, st->bn);
    BN_mod_mul(s, s, inverse, st->n, st->bn);
    BN_bn2binpad(k, nonce, (int)st->curve->order_size);
    to_num(d, &nd);
    wn_ec_num_init(&nr), wn_ec_num_init(&ns);
    assert_int_equal(wn_ec_mont_sign(st->curve, hash, len, wn_ec_mp(&nd), nonce, wn_ec_mp(&nr),
                                     wn_ec_mp(&ns)), BN_is_zero(s) ? MP_ZERO_E : 0);
    if (!BN_is_zero(s)) {
        got_r = from_num(&nr), got_s = from_num(&ns);
        assert_int_equal(BN_cmp(got_r, r), 0);
        assert_int_equal(BN_cmp(got_s, s), 0);
        EC_POINT_mul(st->g, q, d, NULL, NULL, st->bn);
        assert_int_equal(verify_both(st, q, e, r, s), 1);
        BN_add_word(got_s, 1);
        if (BN_cmp(got_s, st->n) < 0)
            assert_int_equal(verify_both(st, q, e, r, got_s), 0);
        BN_free(got_r), BN_free(got_s);
    }
    BN_free(r), BN_free(s), BN_free(inverse);
    EC_POINT_free(p);
    EC_POINT_free(q);
}

/* Random, and the least and greatest of key, nonce and number signed; one with s = 0. */
static void signatures_of(struct state *s)
{
    BIGNUM *v[3], *one = BN_new(), *most = BN_dup(s->n), *zero_s = BN_new();
    EC_POINT *p = EC_POINT_new(s->g);
    int i, j;

    BN_one(one);
    BN_sub_word(most, 1);
    for (i = 0; i < 27; i++) {
        for (j = 0; j < 3; j++) {
            int kind = i / (j == 0 ? 1 : j == 1 ? 3 : 9) % 3;

            v[j] = kind == 0 ? random_scalar(s) : BN_dup(kind == 1 ? one : most);
        }
        check_signature(s, v[0], v[1], v[2]);
        if (i == 0) {                   /* e = -r d */
            EC_POINT_mul(s->g, p, v[1], NULL, NULL, s->bn);
            EC_POINT_get_affine_coordinates(s->g, p, zero_s, NULL, s->bn);
            BN_mod_mul(zero_s, zero_s, v[0], s->n, s->bn);
            BN_sub(zero_s, s->n, zero_s);
            check_signature(s, v[0], v[1], zero_s);
        }
        for (j = 0; j < 3; j++)
            BN_free(v[j]);
    }
    BN_free(one), BN_free(most), BN_free(zero_s);
    EC_POINT_free(p);
}

static void test_signatures(void **state)
{
    (void)state;
    for_each_curve(signatures_of);
}

/* ---- the base point's table while other threads use it ---- */

static void *multiples_in_a_thread(void *arg)
{
    const struct wn_ec_curve *curve = wn_ec_curve_find("brainpoolP160t1");
    struct wn_ec_num k, x, y;
    unsigned char d = 7;
    int i;

    wn_ec_num_read(&k, &d, 1);
    for (i = 0; i < 20; i++) {
        wn_ec_num_init(&x), wn_ec_num_init(&y);
        if (wn_ec_mont_base(curve, wn_ec_mp(&k), wn_ec_mp(&x), wn_ec_mp(&y)) != 0)
            return NULL;
    }
    *(struct wn_ec_num *)arg = x;
    return arg;
}

/* Must come first, while there is no table. */
static void test_threads(void **state)
{
    pthread_t thread[8];
    struct wn_ec_num x[8];
    void *result;
    int i;

    (void)state;
    for (i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, multiples_in_a_thread, &x[i]), 0);
    for (i = 0; i < 8; i++) {
        pthread_join(thread[i], &result);
        assert_non_null(result);
        assert_int_equal(mp_cmp(wn_ec_mp(&x[i]), wn_ec_mp(&x[0])), MP_EQ);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_signatures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
