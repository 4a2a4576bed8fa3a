/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of Poly1305 and of digests at every CPU level that this machine
 * offers, against the default provider and known answers.
 */
#include "accel.h"

#include <string.h>

#include "algs/digest.h"
#include "provider/cpu.h"

static void poly_run(const struct wn_accel *a, const uint8_t key[32], const uint8_t *in, size_t len,
                     uint8_t tag[16])
{
    struct wn_poly1305 p;
    size_t most = wnt_rand_below(2) ? len : 50;

    a->poly_init(&p, key);
    a->poly_update(&p, NULL, 0);
    for (size_t at = 0, n; at < len; at += n) {
        n = 1 + wnt_rand_below(most + 1);
        if (n > len - at)
            n = len - at;
        a->poly_update(&p, in + at, n);
    }
    a->poly_tag(&p, tag);
}

/* Against the default provider, and RFC 8439 appendix A.3, vectors 7 to 11,
 * which carry past 2^130 - 5 in every way. */
static void test_poly1305(void **state)
{
    static const struct {
        const char *r, *s, *data, *tag;
    } edge[] = {
        { "01000000000000000000000000000000", "00000000000000000000000000000000",
          "fffffffffffffffffffffffffffffffff0ffffffffffffffffffffffffffffff"
          "11000000000000000000000000000000",
          "05000000000000000000000000000000" },
        { "01000000000000000000000000000000", "00000000000000000000000000000000",
          "fffffffffffffffffffffffffffffffffbfefefefefefefefefefefefefefefe"
          "01010101010101010101010101010101",
          "00000000000000000000000000000000" },
        { "02000000000000000000000000000000", "00000000000000000000000000000000",
          "fdffffffffffffffffffffffffffffff", "faffffffffffffffffffffffffffffff" },
        { "01000000000000000400000000000000", "00000000000000000000000000000000",
          "e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000"
          "0000000000000000000000000000000001000000000000000000000000000000",
          "14000000000000005500000000000000" },
        { "01000000000000000400000000000000", "00000000000000000000000000000000",
          "e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000"
          "00000000000000000000000000000000",
          "13000000000000000000000000000000" },
    };
    static uint8_t text[ACCEL_MAX_LEN];
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "POLY1305", "provider=default");
    uint8_t key[32], want[16], got[16];

    (void)state;
    assert_non_null(mac);
    for (size_t k = 0; k < sizeof(edge) / sizeof(edge[0]); k++) {
        size_t len = accel_hex(text, edge[k].data);

        accel_hex(key, edge[k].r);
        accel_hex(key + 16, edge[k].s);
        accel_hex(want, edge[k].tag);
        for (size_t i = 0; i < accel_n_levels; i++) {
            if (accel_levels[i].a.poly_init == NULL)
                continue;
            poly_run(&accel_levels[i].a, key, text, len, got);
            assert_memory_equal(got, want, 16);
        }
    }
    for (int round = 0; round < ACCEL_ROUNDS; round++) {
        EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
        size_t len = round < 700 ? (size_t)round : wnt_rand_below(ACCEL_MAX_LEN), n;
        uint8_t *p;

        wnt_rand_bytes(key, 32);
        wnt_rand_bytes(text, len);
        if (wnt_rand_below(4) == 0)
            memset(key, 0xff, 32);
        if (wnt_rand_below(4) == 0)
            memset(text, 0xff, len);
        assert_int_equal(EVP_MAC_init(ctx, key, 32, NULL), 1);
        assert_int_equal(EVP_MAC_update(ctx, text, len), 1);
        assert_int_equal(EVP_MAC_final(ctx, want, &n, 16), 1);
        EVP_MAC_CTX_free(ctx);
        p = accel_place(0, len);
        memcpy(p, text, len);
        for (size_t i = 0; i < accel_n_levels; i++) {
            if (accel_levels[i].a.poly_init == NULL)
                continue;
            poly_run(&accel_levels[i].a, key, p, len, got);
            assert_memory_equal(got, want, 16);
        }
    }
    EVP_MAC_free(mac);
}

static void test_sha1(void **state)
{
    static uint8_t text[4096 + 64];
    EVP_MD *md = EVP_MD_fetch(NULL, "SHA1", "provider=default");

    (void)state;
    assert_non_null(md);
    for (int round = 0; round < 300; round++) {
        size_t len = 64 * wnt_rand_below(64), off = wnt_rand_below(8);
        uint8_t want[20];
        uint8_t *p = wnt_guarded(len + 64);

        wnt_rand_bytes(text, len);
        if (round % 8 == 0)
            memset(text, 0xff, len);
        assert_int_equal(EVP_Digest(text, len, want, NULL, md, NULL), 1);
        memset(text + len, 0, 64); /* FIPS 180-4 section 5.1.1 */
        text[len] = 0x80;
        for (int k = 0; k < 8; k++)
            text[len + 63 - k] = (uint8_t)((uint64_t)len * 8 >> (8 * k));
        memcpy(p, text, len + 64);
        for (size_t i = 0; i < accel_n_levels; i++) {
            uint32_t st[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };

            if (accel_levels[i].a.sha1_blocks == NULL)
                continue;
            accel_levels[i].a.sha1_blocks(st, p, len / 128);
            accel_levels[i].a.sha1_blocks(st, p + len / 128 * 64, len / 64 + 1 - len / 128);
            for (int k = 0; k < 20; k++)
                assert_int_equal(want[k], (uint8_t)(st[k / 4] >> (24 - 8 * (k % 4))));
            memmove(text + off, text, 64); /* any alignment: same result twice */
        }
        wnt_guarded_free(p, len + 64);
    }
    EVP_MD_free(md);
}

/* Each choice of SHA-2 kernels, whole blocks in two calls, at the end of a page. */
static void sha2_blocks(const char *name, void (*blocks)(void *h, const byte *in, size_t n),
                        const void *iv, size_t block, size_t size)
{
    EVP_MD *md = EVP_MD_fetch(NULL, name, "provider=default");
    static uint8_t text[4096 + 128];

    assert_non_null(md);
    for (int round = 0; round < 100; round++) {
        size_t nb = wnt_rand_below(4096 / block), len = block * nb;
        uint8_t want[64], got[64], *p;

        wnt_rand_bytes(text, len);
        if (round % 8 == 0)
            memset(text, 0xff, len);
        assert_int_equal(EVP_Digest(text, len, want, NULL, md, NULL), 1);
        memset(text + len, 0, block); /* FIPS 180-4 sections 5.1.1, 5.1.2 */
        text[len] = 0x80;
        for (size_t k = 0; k < 8; k++)
            text[len + block - 1 - k] = (uint8_t)((uint64_t)len * 8 >> (8 * k));
        p = accel_place(0, len + block);
        memcpy(p, text, len + block);
        memcpy(got, iv, size);
        blocks(got, p, nb / 2);
        blocks(got, p + block * (nb / 2), nb + 1 - nb / 2);
        for (size_t k = 0; k < size; k++) /* words of 4 or 8 bytes, big-endian */
            assert_int_equal(want[k], got[size == 32 ? k ^ 3 : k ^ 7]);
    }
    EVP_MD_free(md);
}

static void test_sha2(void **state)
{
    static const uint32_t without[] = {
        0, WN_CPU_SHA, WN_CPU_SHA | WN_CPU_AVX512, WN_CPU_SHA | WN_CPU_AVX512 | WN_CPU_BMI2,
        WN_CPU_SHA | WN_CPU_AVX512 | WN_CPU_AVX2,
        WN_CPU_SHA | WN_CPU_AVX512 | WN_CPU_AVX2 | WN_CPU_BMI2,
    };

    (void)state;
    for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
        struct wn_sha2_kernel kernel;

        wn_sha2_choose(&kernel, wn_cpu_flags() & ~without[i]);
        if (kernel.sha256 != NULL)
            sha2_blocks("SHA256", kernel.sha256, wn_md_sha256.iv, 64, 32);
        if (kernel.sha512 != NULL)
            sha2_blocks("SHA512", kernel.sha512, wn_md_sha512.iv, 128, 64);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha1),
        cmocka_unit_test(test_sha2),
        cmocka_unit_test(test_poly1305),
    };

    return cmocka_run_group_tests_name("accel_hash", tests, accel_setup, NULL);
}
