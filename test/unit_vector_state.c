/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results may not depend on what is left in the high halves of the vector
 * registers when a function is called: the ABI lets every caller leave
 * anything there. wolfCrypt's AVX2 base-point multiplication did depend on it
 * (asm-config/x86_64/fe_cmov_table.c). On processors without AVX this test
 * compares two plain calls.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/curve25519.h>
#include <wolfssl/wolfcrypt/ed25519.h>

#define SCALARS 64    /* a 25519 scalar has a zero digit with probability 0.98 */

static void fill_registers(void)
{
#ifdef __x86_64__
    static const uint8_t junk[32] = { 1, 2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                      12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                                      23, 24, 25, 26, 27, 28, 29, 30, 31, 32 };

    if (!__builtin_cpu_supports("avx"))
        return;
#define FILL(n) __asm__ volatile("vmovdqu %0, %%ymm" #n : : "m"(junk) : "xmm" #n)
    FILL(0);
    FILL(1);
    FILL(2);
    FILL(3);
    FILL(4);
    FILL(5);
    FILL(6);
    FILL(7);
    FILL(8);
    FILL(9);
    FILL(10);
    FILL(11);
    FILL(12);
    FILL(13);
    FILL(14);
    FILL(15);
#undef FILL
#endif
}

static void clear_registers(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroupper");
#endif
}

/* Some scalar, the same in every run. */
static void scalar(uint8_t k[32], unsigned n)
{
    for (unsigned i = 0; i < 32; i++) {
        n = n * 1103515245 + 12345;
        k[i] = (uint8_t)(n >> 16);
    }
    k[0] &= 248;
    k[31] = (k[31] & 127) | 64;
}

/* RFC 7748 section 6.1: Alice's keys. */
static void test_x25519_vector(void **state)
{
    static const uint8_t k[32] = { 0x77, 0x07, 0x6d, 0x0a, 0x73, 0x18, 0xa5, 0x7d,
                                   0x3c, 0x16, 0xc1, 0x72, 0x51, 0xb2, 0x66, 0x45,
                                   0xdf, 0x4c, 0x2f, 0x87, 0xeb, 0xc0, 0x99, 0x2a,
                                   0xb1, 0x77, 0xfb, 0xa5, 0x1d, 0xb9, 0x2c, 0x2a };
    static const uint8_t expected[32] = { 0x85, 0x20, 0xf0, 0x09, 0x89, 0x30, 0xa7, 0x54,
                                          0x74, 0x8b, 0x7d, 0xdc, 0xb4, 0x3e, 0xf7, 0x5a,
                                          0x0d, 0xbf, 0x3a, 0x0d, 0x26, 0x38, 0x1a, 0xf4,
                                          0xeb, 0xa4, 0xa9, 0x8e, 0xaa, 0x9b, 0x4e, 0x6a };
    uint8_t clamped[32], pub[32];

    (void)state;
    memcpy(clamped, k, sizeof(k));
    clamped[0] &= 248;
    clamped[31] = (clamped[31] & 127) | 64;
    fill_registers();
    assert_int_equal(wc_curve25519_make_pub(32, pub, 32, clamped), 0);
    assert_memory_equal(pub, expected, sizeof(pub));
}

static void test_x25519_public_key(void **state)
{
    (void)state;
    for (unsigned n = 0; n < SCALARS; n++) {
        uint8_t k[32], clean[32], filled[32];

        scalar(k, n);
        clear_registers();
        assert_int_equal(wc_curve25519_make_pub(32, clean, 32, k), 0);
        fill_registers();
        assert_int_equal(wc_curve25519_make_pub(32, filled, 32, k), 0);
        assert_memory_equal(filled, clean, sizeof(clean));
    }
}

static void test_ed25519(void **state)
{
    (void)state;
    for (unsigned n = 0; n < SCALARS; n++) {
        uint8_t k[32], clean[32], filled[32], sig[2][64];
        ed25519_key key;

        scalar(k, n);
        assert_int_equal(wc_ed25519_init(&key), 0);
        assert_int_equal(wc_ed25519_import_private_only(k, 32, &key), 0);
        clear_registers();
        assert_int_equal(wc_ed25519_make_public(&key, clean, 32), 0);
        fill_registers();
        assert_int_equal(wc_ed25519_make_public(&key, filled, 32), 0);
        assert_memory_equal(filled, clean, sizeof(clean));

        for (int i = 0; i < 2; i++) {
            word32 len = 64;

            i == 0 ? clear_registers() : fill_registers();
            assert_int_equal(wc_ed25519_sign_msg(k, 32, sig[i], &len, &key), 0);
        }
        assert_memory_equal(sig[1], sig[0], 64);
        wc_ed25519_free(&key);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_x25519_vector),
        cmocka_unit_test(test_x25519_public_key),
        cmocka_unit_test(test_ed25519),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
