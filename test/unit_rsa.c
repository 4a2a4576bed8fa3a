/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The RSA kernels (algs/rsa_kernel.h) that this machine can run against
 * libcrypto's BIGNUM: each shape and the sizes around its limits, moduli of extreme digits, exponents with leading
 * zeros and of all ones, inputs 0, 1, n - 1 and random ones.
 */
#include "wntest.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>

#include "algs/accel.h"
#include "provider/cpu.h"

#define MAX_BITS 8304
#define MAX_SIZE (MAX_BITS / 8)

static const struct wn_rsa_kernel *kernel;
static BN_CTX *bn;

static struct wn_accel accel;

/* A test skips where there is none. */
static void use_kernel(size_t i)
{
    kernel = accel.rsa[i];
    if (kernel == NULL)
        skip();                 /* this processor or configuration has none */
}

static int setup(void **state)
{
    (void)state;
    wn_cpu_choose(0, 0);
    wn_accel_fill(&accel, wn_cpu_flags());
    bn = BN_CTX_new();
    return bn == NULL;
}

static int teardown(void **state)
{
    (void)state;
    BN_CTX_free(bn);
    return 0;
}

static void random_bits(BIGNUM *r, size_t bits)
{
    unsigned char bytes[MAX_SIZE + 8];

    wnt_rand_bytes(bytes, (bits + 7) / 8);
    BN_bin2bn(bytes, (int)((bits + 7) / 8), r);
    BN_mask_bits(r, (int)bits);
}

static void digits(uint64_t *to, const BIGNUM *a, size_t bits)
{
    assert_true(BN_bn2lebinpad(a, (unsigned char *)to, (int)((bits + 63) / 64 * 8)) > 0);
}

enum { RANDOM, ONES, SPARSE, LOW_ONES, MODULI };

/* An odd number of that many bits. */
static void modulus(BIGNUM *n, size_t bits, int kind)
{
    BN_zero(n);
    if (kind == RANDOM)
        random_bits(n, bits);
    BN_set_bit(n, (int)bits - 1);
    BN_set_bit(n, 0);
    if (kind == ONES || kind == LOW_ONES)
        for (size_t i = 0; i < (kind == ONES ? bits : bits / 2); i++)
            BN_set_bit(n, (int)i);
}

static void input(BIGNUM *x, const BIGNUM *n, int kind)
{
    switch (kind) {
    case 0:
        BN_zero(x);
        break;
    case 1:
        BN_one(x);
        break;
    case 2:
        BN_sub(x, n, BN_value_one());
        break;
    case 3:
        BN_rshift1(x, n);
        break;
    default:
        random_bits(x, (size_t)BN_num_bits(n));
        BN_mod(x, x, n, bn);
    }
}

static void check_public(size_t bits, int kind)
{
    static const uint64_t exponents[] = {
        3, 5, 7, 17, 65537, 0x10000000001, 0x8000000000000001, UINT64_MAX
    };
    BIGNUM *n = BN_new(), *x = BN_new(), *e = BN_new(), *want = BN_new();
    size_t size = (bits + 7) / 8, i, j;
    unsigned char in[MAX_SIZE], out[MAX_SIZE];
    uint64_t d[MAX_SIZE / 8 + 1];
    void *ctx = calloc(1, kernel->public_size(bits));

    modulus(n, bits, kind);
    digits(d, n, bits);
    kernel->public_init(ctx, bits, d);
    for (i = 0; i < sizeof(exponents) / sizeof(exponents[0]); i++) {
        BN_set_word(e, exponents[i]);
        for (j = 0; j < 8; j++) {
            if (bits > 1300 && i > 4 && j != 4)
                continue;       /* libcrypto would take long */
            input(x, n, (int)j);
            BN_bn2binpad(x, in, (int)size);
            assert_true(BN_mod_exp(want, x, e, n, bn));
            kernel->public_op(ctx, exponents[i], in, out);
            BN_bn2binpad(want, in, (int)size);
            if (memcmp(in, out, size) != 0)
                fail_msg("%zu bits, modulus %d, e %llx, input %zu", bits, kind,
                         (unsigned long long)exponents[i], j);
        }
    }
    free(ctx);
    BN_free(n);
    BN_free(x);
    BN_free(e);
    BN_free(want);
}

static void public_operation(void)
{
    static const size_t sizes[] = {
        512, 515, 576, 1000, 1023, 1024, 1032, 1033, 1240, 1241, 1536, 2047, 2048, 2072, 2073,
        2560, 3072, 3320, 3321, 4096, 4152, 8192
    };
    size_t i;
    int kind;

    for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (kind = 0; kind < MODULI && kernel->public_size(sizes[i]) != 0; kind++)
            check_public(sizes[i], kind);
}

/* in^d modulo p and q, put together with plain numbers */
static void expected(BIGNUM *r, const BIGNUM *x, const BIGNUM *const v[5])
{
    const BIGNUM *p = v[0], *q = v[1], *dp = v[2], *dq = v[3], *qinv = v[4];
    BIGNUM *m = BN_new(), *h = BN_new();

    BN_mod(m, x, q, bn);
    assert_true(BN_mod_exp(m, m, dq, q, bn));
    BN_mod(h, x, p, bn);
    assert_true(BN_mod_exp(h, h, dp, p, bn));
    BN_mod_sub(h, h, m, p, bn);
    BN_mod_mul(h, h, qinv, p, bn);
    BN_mul(h, h, q, bn);
    BN_add(r, h, m);
    BN_free(m);
    BN_free(h);
}

enum { E_RANDOM, E_ZERO, E_SHORT, E_MAX, EXPONENTS };

static void exponent(BIGNUM *d, const BIGNUM *p, int kind)
{
    switch (kind) {
    case E_ZERO:
        BN_zero(d);
        break;
    case E_SHORT:
        random_bits(d, 1 + wnt_rand_below(70));
        break;
    case E_MAX:
        BN_sub(d, p, BN_value_one());
        break;
    default:
        random_bits(d, (size_t)BN_num_bits(p));
        BN_mod(d, d, p, bn);
    }
}

/* p and q of the given kinds without a common factor; which one is greater varies */
static void check_crt(size_t bits, int p_kind, int q_kind, int e_kind)
{
    BIGNUM *v[5], *n = BN_new(), *x = BN_new(), *want = BN_new();
    size_t size = bits / 4, i, j;
    unsigned char in[MAX_SIZE], out[MAX_SIZE];
    uint64_t d[5][MAX_SIZE / 16 + 1];
    struct wn_rsa_crt key = { d[0], d[1], d[2], d[3], d[4] };
    void *ctx = calloc(1, kernel->crt_size(2 * bits));

    for (i = 0; i < 5; i++)
        v[i] = BN_new();
    modulus(v[0], bits, p_kind);
    modulus(v[1], bits, q_kind);
    while (BN_gcd(x, v[0], v[1], bn), !BN_is_one(x))
        modulus(v[1], bits, RANDOM);
    exponent(v[2], v[0], e_kind);
    exponent(v[3], v[1], e_kind);
    assert_non_null(BN_mod_inverse(v[4], v[1], v[0], bn));
    for (i = 0; i < 5; i++)
        digits(d[i], v[i], bits);
    kernel->crt_init(ctx, 2 * bits, &key);
    BN_mul(n, v[0], v[1], bn);
    for (j = bits > 2048 ? 4 : 0; j < 6; j++) {
        input(x, n, (int)j);
        if (j == 5)
            BN_copy(x, v[wnt_rand() & 1]);      /* 0 modulo one of them */
        BN_bn2binpad(x, in, (int)size);
        expected(want, x, (const BIGNUM *const *)v);
        kernel->crt_op(ctx, in, out);
        BN_bn2binpad(want, in, (int)size);
        if (memcmp(in, out, size) != 0)
            fail_msg("%zu bits, moduli %d and %d, exponents %d, input %zu", 2 * bits, p_kind,
                     q_kind, e_kind, j);
    }
    free(ctx);
    for (i = 0; i < 5; i++)
        BN_free(v[i]);
    BN_free(n);
    BN_free(x);
    BN_free(want);
}

static void private_operation(void)
{
    static const size_t sizes[] = { 256, 320, 512, 516, 616, 620, 1024, 1032, 1036, 1280, 1536,
                                    1656, 1660, 2048, 2072, 2076, 3072, 4096, 4152 };
    size_t i;
    int p, q, e;

    for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (p = 0; p < MODULI; p++)
            for (q = 0; q < MODULI; q++)
                for (e = 0; e < EXPONENTS; e++)
                    if (kernel->crt_size(2 * sizes[i]) != 0 && (sizes[i] < 700 || p == q))
                        check_crt(sizes[i], p, q, e);
    assert_int_equal(kernel->crt_size(2047), 0);
}

static void public_0(void **state)
{
    (void)state;
    use_kernel(0);
    public_operation();
}

static void public_1(void **state)
{
    (void)state;
    use_kernel(1);
    public_operation();
}

static void private_0(void **state)
{
    (void)state;
    use_kernel(0);
    private_operation();
}

static void private_1(void **state)
{
    (void)state;
    use_kernel(1);
    private_operation();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(public_0),
        cmocka_unit_test(public_1),
        cmocka_unit_test(private_0),
        cmocka_unit_test(private_1),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
