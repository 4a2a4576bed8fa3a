/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * algs/ec_hot.h against libcrypto's arithmetic: ordinary and extreme scalars, with
 * and without a table, of Q and of the base point; u1 G = ±u2 Q, an x coordinate of
 * r + n; signatures with extreme numbers; tables that end at an unreadable page.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>

#include <wolfssl/wolfcrypt/cpuid.h>

#include "algs/ec_ops.h"
#include "wntest.h"

struct curve {
    int nid;
    const struct wn_ec_sp *sp;
    size_t size;
};
static const struct curve curves[] = {
    { NID_X9_62_prime256v1, &wn_ec_sp_256, 32 },
    { NID_secp384r1, &wn_ec_sp_384, 48 },
    { NID_secp521r1, &wn_ec_sp_521, 66 },
};

struct state {
    const struct curve *c;
    EC_GROUP *g;
    BN_CTX *bn;
    const BIGNUM *n;
    unsigned char *table;
};

static int begin(struct state *s, size_t i)
{
    s->c = &curves[i];
    if (s->c->sp->hot->size == 0)
        return 0;
    s->g = EC_GROUP_new_by_curve_name(s->c->nid);
    s->bn = BN_CTX_new();
    s->n = EC_GROUP_get0_order(s->g);
    s->table = wnt_guarded(s->c->sp->hot->size);
    return 1;
}

static void end(struct state *s)
{
    wnt_guarded_free(s->table, s->c->sp->hot->size);
    BN_CTX_free(s->bn);
    EC_GROUP_free(s->g);
}

static void to_num(const struct state *s, const BIGNUM *bn, struct wn_ec_num *num)
{
    unsigned char be[WN_EC_MAX_BYTES];

    assert_true(BN_bn2binpad(bn, be, (int)s->c->size) > 0);
    assert_true(wn_ec_num_read(num, be, s->c->size));
}

static void coordinates(const struct state *s, const EC_POINT *p, struct wn_ec_num *x,
                        struct wn_ec_num *y, BIGNUM *bx)
{
    BIGNUM *by = BN_new();

    assert_int_equal(EC_POINT_get_affine_coordinates(s->g, p, bx, by, s->bn), 1);
    to_num(s, bx, x);
    to_num(s, by, y);
    BN_free(by);
}

static void build(struct state *s, const EC_POINT *q)
{
    struct wn_ec_num x, y;
    BIGNUM *bx = BN_new();

    coordinates(s, q, &x, &y, bx);
    assert_int_equal(s->c->sp->hot->build(s->table, wn_ec_mp(&x), wn_ec_mp(&y)), 0);
    BN_free(bx);
}

/* d G */
static void check_base(struct state *s, const BIGNUM *d)
{
    EC_POINT *r = EC_POINT_new(s->g);
    struct wn_ec_num x, y, k;
    BIGNUM *bx = BN_new();
    ecc_point q;

    assert_int_equal(EC_POINT_mul(s->g, r, d, NULL, NULL, s->bn), 1);
    coordinates(s, r, &x, &y, bx);
    to_num(s, d, &k);
    mp_init(q.x), mp_init(q.y), mp_init(q.z);
    assert_int_equal(s->c->sp->base(wn_ec_mp(&k), &q), 0);
    assert_int_equal(mp_cmp(q.x, wn_ec_mp(&x)), MP_EQ);
    assert_int_equal(mp_cmp(q.y, wn_ec_mp(&y)), MP_EQ);
    EC_POINT_free(r);
    BN_free(bx);
}

/* x(d Q) by the table, without one, and by libcrypto */
static void check_secret(struct state *s, const EC_POINT *q, const BIGNUM *d)
{
    unsigned char want[WN_EC_MAX_BYTES], got[WN_EC_MAX_BYTES];
    EC_POINT *r = EC_POINT_new(s->g);
    struct wn_ec_num x, y, k, qx, qy;
    BIGNUM *bx = BN_new();

    coordinates(s, q, &qx, &qy, bx);
    assert_int_equal(EC_POINT_mul(s->g, r, NULL, q, d, s->bn), 1);
    coordinates(s, r, &x, &y, bx);
    BN_bn2binpad(bx, want, (int)s->c->size);
    to_num(s, d, &k);
    assert_int_equal(s->c->sp->hot->secret(s->table, wn_ec_mp(&k), got), 0);
    assert_memory_equal(got, want, s->c->size);
    memset(got, 0, sizeof(got));
    assert_int_equal(s->c->sp->hot->secret_once(wn_ec_mp(&qx), wn_ec_mp(&qy), wn_ec_mp(&k), got),
                     0);
    assert_memory_equal(got, want, s->c->size);
    EC_POINT_free(r);
    BN_free(bx);
    check_base(s, d);
}

static void scalars_of(struct state *s)
{
    BIGNUM *d = BN_new(), *k = BN_new();
    EC_POINT *q = EC_POINT_new(s->g);
    int i;

    BN_rand_range(k, s->n);
    EC_POINT_mul(s->g, q, k, NULL, NULL, s->bn);
    build(s, q);
    for (i = 1; i <= 70; i++) {         /* tiny, and n minus tiny */
        BN_set_word(d, (BN_ULONG)i);
        check_secret(s, q, d);
        BN_sub(d, s->n, d);
        check_secret(s, q, d);
    }
    for (i = 0; i < BN_num_bits(s->n) - 1; i++) {   /* one bit, all bits below */
        BN_one(d);
        BN_lshift(d, d, i);
        check_secret(s, q, d);
        if (i > 1) {
            BN_sub_word(d, 1);
            check_secret(s, q, d);
        }
    }
    for (i = 0; i < 50; i++) {
        do
            BN_rand_range(d, s->n);
        while (BN_is_zero(d));
        check_secret(s, q, d);
    }
    EC_POINT_free(q);
    BN_free(d);
    BN_free(k);
}

static void test_scalars(void **state)
{
    struct state s;
    size_t i;

    (void)state;
    for (i = 0; i < 3; i++) {
        if (!begin(&s, i))
            skip();     /* this configuration has no tables */
        scalars_of(&s);
        end(&s);
    }
}

/*
 * Both verifications of (r, s) over the number e. libcrypto's is asked through
 * the equation itself: x(e/s G + r/s Q) mod n = r.
 */
static int verify_both(struct state *st, const EC_POINT *q, const BIGNUM *e, const BIGNUM *r,
                       const BIGNUM *s)
{
    BIGNUM *u1 = BN_new(), *u2 = BN_new(), *x = BN_new(), *shifted = BN_dup(e);
    unsigned char hash[WN_EC_MAX_BYTES];
    struct wn_ec_num nr, ns, nx, ny;
    EC_POINT *p = EC_POINT_new(st->g);
    int want, got = -1, plain = -1, shift = (int)(8 * st->c->size) - BN_num_bits(st->n);

    BN_mod_inverse(u2, s, st->n, st->bn);
    BN_mod_mul(u1, e, u2, st->n, st->bn);
    BN_mod_mul(u2, r, u2, st->n, st->bn);
    EC_POINT_mul(st->g, p, u1, q, u2, st->bn);
    want = !EC_POINT_is_at_infinity(st->g, p)
        && EC_POINT_get_affine_coordinates(st->g, p, x, NULL, st->bn)
        && BN_nnmod(x, x, st->n, st->bn) && BN_cmp(x, r) == 0;
    BN_lshift(shifted, e, shift);       /* as the leftmost bits of the digest */
    BN_bn2binpad(shifted, hash, (int)st->c->size);
    to_num(st, r, &nr);
    to_num(st, s, &ns);
    build(st, q);
    assert_int_equal(st->c->sp->hot->verify(st->table, hash, (word32)st->c->size, wn_ec_mp(&nr),
                                            wn_ec_mp(&ns), &got), 0);
    coordinates(st, q, &nx, &ny, x);
    assert_int_equal(st->c->sp->verify(hash, (word32)st->c->size, wn_ec_mp(&nx), wn_ec_mp(&ny),
                                       wn_ec_mp(&nr), wn_ec_mp(&ns), &plain), 0);
    assert_int_equal(got, want);
    assert_int_equal(plain, want);
    BN_free(u1), BN_free(u2), BN_free(x), BN_free(shifted);
    EC_POINT_free(p);
    return got;
}

/* sign = 1: u1 G = u2 Q, a valid signature; -1: the sum is infinity, an invalid one. */
static void equal_points(struct state *st, int sign)
{
    BIGNUM *d = BN_new(), *k = BN_new(), *r = BN_new(), *s = BN_new(), *e = BN_new();
    EC_POINT *q = EC_POINT_new(st->g), *p = EC_POINT_new(st->g);

    BN_rand_range(d, st->n);
    BN_rand_range(k, st->n);
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
    BN_mod_mul(s, r, BN_value_one(), st->n, st->bn);    /* u2 = 1 */
    verify_both(st, q, e, r, s);
    BN_free(d), BN_free(k), BN_free(r), BN_free(s), BN_free(e);
    EC_POINT_free(q);
    EC_POINT_free(p);
}

static void test_equal_points(void **state)
{
    struct state s;
    size_t i;
    int j;

    (void)state;
    for (i = 0; i < 3; i++) {
        if (!begin(&s, i))
            skip();     /* this configuration has no tables */
        for (j = 0; j < 10; j++) {
            equal_points(&s, 1);
            equal_points(&s, -1);
        }
        end(&s);
    }
}

/* R has x = n + small, so that r = small: Q = (R - u1 G) / u2, s = r / u2, e = u1 s. */
static void wrapped_x(struct state *st)
{
    BIGNUM *x = BN_new(), *r = BN_new(), *u1 = BN_new(), *u2 = BN_new(), *s = BN_new(),
           *e = BN_new(), *inverse = BN_new();
    EC_POINT *R = EC_POINT_new(st->g), *q = EC_POINT_new(st->g);
    BN_ULONG small = 1;

    do {
        BN_copy(x, st->n);
        BN_add_word(x, ++small);
    } while (EC_POINT_set_compressed_coordinates(st->g, R, x, 0, st->bn) != 1);
    ERR_clear_error();
    BN_set_word(r, small);
    BN_rand_range(u1, st->n);
    BN_rand_range(u2, st->n);
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
    BN_free(x), BN_free(r), BN_free(u1), BN_free(u2), BN_free(s), BN_free(e), BN_free(inverse);
    EC_POINT_free(R);
    EC_POINT_free(q);
}

/* s = (e + r d) / k, r = x(k G), for the nonce k */
static void check_signature(struct state *st, const BIGNUM *d, const BIGNUM *k, const BIGNUM *e)
{
    int shift = (int)(8 * st->c->size) - BN_num_bits(st->n);
    BIGNUM *r = BN_new(), *s = BN_new(), *shifted = BN_new();
    EC_POINT *p = EC_POINT_new(st->g);
    unsigned char hash[WN_EC_MAX_BYTES];
    struct wn_ec_num nd, nk, nr, ns, got_r, got_s;

    EC_POINT_mul(st->g, p, k, NULL, NULL, st->bn);
    EC_POINT_get_affine_coordinates(st->g, p, r, NULL, st->bn);
    BN_nnmod(r, r, st->n, st->bn);
    BN_mod_mul(s, r, d, st->n, st->bn);
    BN_mod_add(s, s, e, st->n, st->bn);
    assert_non_null(BN_mod_inverse(shifted, k, st->n, st->bn));
    BN_mod_mul(s, s, shifted, st->n, st->bn);
    to_num(st, d, &nd), to_num(st, k, &nk), to_num(st, r, &nr), to_num(st, s, &ns);
    BN_lshift(shifted, e, shift);
    BN_bn2binpad(shifted, hash, (int)st->c->size);
    wn_ec_num_init(&got_r), wn_ec_num_init(&got_s);
    assert_int_equal(st->c->sp->sign(hash, (word32)st->c->size, NULL, wn_ec_mp(&nd),
                                     wn_ec_mp(&got_r), wn_ec_mp(&got_s), wn_ec_mp(&nk)), 0);
    assert_int_equal(mp_cmp(wn_ec_mp(&got_r), wn_ec_mp(&nr)), MP_EQ);
    assert_int_equal(mp_cmp(wn_ec_mp(&got_s), wn_ec_mp(&ns)), MP_EQ);
    BN_free(r), BN_free(s), BN_free(shifted);
    EC_POINT_free(p);
}

/* Random, and the least and greatest of key, nonce and number signed. */
static void test_signatures(void **state)
{
    BIGNUM *v[3] = { BN_new(), BN_new(), BN_new() };
    struct state s;
    size_t i;
    int j, what, k;

    (void)state;
    for (i = 0; i < 3; i++) {
        if (!begin(&s, i))
            skip();     /* this configuration uses wolfCrypt's */
        for (j = 0; j < 64; j++) {
            for (k = 0; k < 3; k++) {
                what = j >> (2 * k) & 3;
                BN_rand_range(v[k], s.n);
                if (what == 1)
                    BN_set_word(v[k], k < 2);
                if (what == 2)
                    BN_sub(v[k], s.n, BN_value_one());
                if (what == 3 && k == 2) {      /* above the order */
                    BN_one(v[k]);
                    BN_lshift(v[k], v[k], BN_num_bits(s.n));
                    BN_sub_word(v[k], 1);
                }
            }
            check_signature(&s, v[0], v[1], v[2]);
        }
        end(&s);
    }
    BN_free(v[0]), BN_free(v[1]), BN_free(v[2]);
}

static void test_wrapped_x(void **state)
{
    struct state s;
    size_t i;

    (void)state;
    for (i = 0; i < 3; i++) {
        if (!begin(&s, i))
            skip();     /* this configuration has no tables */
        wrapped_x(&s);
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_equal_points),
        cmocka_unit_test(test_wrapped_x),
        cmocka_unit_test(test_signatures),
    };
    int failed = cmocka_run_group_tests_name("every instruction", tests, NULL, NULL);

#ifdef HAVE_CPUID_INTEL
    cpuid_select_flags(cpuid_get_flags() & ~(cpuid_flags_t)CPUID_BMI2);
    failed += cmocka_run_group_tests_name("no MULX", tests, NULL, NULL);
#endif
    return failed;
}
