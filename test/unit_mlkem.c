/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ML-KEM's matrix, noise and long hashes as this machine can compute them, at every
 * level of its processor and in wolfCrypt's C code, against FIPS 203's algorithms 7
 * and 8 written out over libcrypto's SHAKE, and in exactly the memory they may touch.
 */
#include "wntest.h"

#include <string.h>

#include "algs/mlkem_kernel.h"
#include "provider/cpu.h"

#include <wolfssl/wolfcrypt/cpuid.h>
#include <wolfssl/wolfcrypt/sha3.h>

#define Q          3329
#define SEEDS      300
#define MAX_MATRIX (16 * 256)

static uint32_t flags[4];
static EVP_MD *shake128, *shake256, *sha3_256;
static unsigned short_of_three_blocks;

#ifdef WOLFSSL_X86_64_BUILD
#include "asm-config/x86_64/wc_mlkem_hooks.h"
#else
#define wn_mlkem_gen_matrix mlkem_gen_matrix
#define wn_mlkem_get_noise  mlkem_get_noise
#endif

static int setup(void **state)
{
    (void)state;
    wn_cpu_choose(0, 0);
    flags[0] = wn_cpu_flags();
    flags[1] = flags[0] & ~(uint32_t)WN_CPU_VBMI2;
    flags[2] = flags[0] & ~(uint32_t)WN_CPU_AVX512;
    flags[3] = 0;       /* wolfCrypt's code, which is portable here: */
#ifdef HAVE_CPUID_INTEL
    cpuid_select_flags(0);
#endif
    mlkem_init();
    shake128 = EVP_MD_fetch(NULL, "SHAKE128", NULL);
    shake256 = EVP_MD_fetch(NULL, "SHAKE256", NULL);
    sha3_256 = EVP_MD_fetch(NULL, "SHA3-256", NULL);
    return shake128 == NULL || shake256 == NULL || sha3_256 == NULL;
}

static int teardown(void **state)
{
    (void)state;
    EVP_MD_free(shake128);
    EVP_MD_free(shake256);
    EVP_MD_free(sha3_256);
    return 0;
}

/* ---- the standard's words ------------------------------------------------------------ */

static void xof(const EVP_MD *md, const byte *a, size_t a_len, const byte *b, size_t b_len,
                byte *out, size_t n)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();

    wnt_ok(EVP_DigestInit_ex2(ctx, md, NULL));
    wnt_ok(EVP_DigestUpdate(ctx, a, a_len));
    wnt_ok(EVP_DigestUpdate(ctx, b, b_len));
    if (md == sha3_256)
        wnt_ok(EVP_DigestFinal_ex(ctx, out, NULL));
    else
        wnt_ok(EVP_DigestFinalXOF(ctx, out, n));
    EVP_MD_CTX_free(ctx);
}

/* Algorithm 7, SampleNTT(rho || j || i) */
static void sample_ntt(sword16 *p, const byte *rho, byte j, byte i)
{
    byte c[168 * 8], index[2] = { j, i };
    unsigned n = 0, at = 0;

    xof(shake128, rho, 32, index, 2, c, sizeof(c));
    while (n < 256) {
        unsigned d1 = c[at] + 256u * (c[at + 1] % 16), d2 = c[at + 1] / 16 + 16u * c[at + 2];

        assert_true(at + 3 <= sizeof(c));
        if (d1 < Q)
            p[n++] = (sword16)d1;
        if (d2 < Q && n < 256)
            p[n++] = (sword16)d2;
        at += 3;
    }
    short_of_three_blocks += at > 3 * 168;
}

/* Algorithm 13, steps 3 to 7 */
static void sample_matrix(sword16 *a, unsigned k, const byte *rho, int transposed)
{
    unsigned i, j;

    for (i = 0; i < k; i++)
        for (j = 0; j < k; j++)
            sample_ntt(a + 256 * (k * i + j), rho, (byte)(transposed ? i : j),
                       (byte)(transposed ? j : i));
}

static unsigned bit(const byte *b, unsigned i)
{
    return b[i / 8] >> i % 8 & 1;
}

/* Algorithm 8, SamplePolyCBD, of PRF(seed, nonce) */
static void sample_cbd(sword16 *p, unsigned eta, const byte *seed, byte nonce)
{
    byte b[64 * 3];
    unsigned i, j;

    xof(shake256, seed, 32, &nonce, 1, b, 64 * eta);
    for (i = 0; i < 256; i++) {
        int x = 0, y = 0;

        for (j = 0; j < eta; j++) {
            x += (int)bit(b, 2 * i * eta + j);
            y += (int)bit(b, 2 * i * eta + eta + j);
        }
        p[i] = (sword16)(x - y);
    }
}

/* ---- tests ------------------------------------------------------------------------------ */

static void matrix(void **state)
{
    struct wn_mlkem_kernel kernel;
    sword16 want[2][MAX_MATRIX];
    byte rho[33];
    wc_Shake prf;
    unsigned k, round;
    size_t i, t;

    (void)state;
    assert_int_equal(wc_InitShake128(&prf, NULL, INVALID_DEVID), 0);
    for (round = 0; round < SEEDS; round++) {
        for (k = 2; k <= 4; k++) {
            size_t size = k * k * 256 * sizeof(sword16);
            sword16 *a = (sword16 *)(void *)wnt_guarded(size);

            wnt_rand_bytes(rho, 32);
            sample_matrix(want[0], k, rho, 0);
            sample_matrix(want[1], k, rho, 1);
            for (i = 0; i < 4; i++) {
                wn_mlkem_choose(&kernel, flags[i]);
                for (t = 0; t < 2; t++) {
                    memset(a, 0xff, size);
                    assert_int_equal(wn_mlkem_gen_matrix(&prf, a, (int)k, rho, (int)t), 0);
                    assert_memory_equal(a, want[t], size);
                }
                if (kernel.matrix != NULL) {
                    memset(a, 0xff, size);
                    kernel.matrix(a, k, rho);
                    assert_memory_equal(a, want[0], size);
                }
            }
            wnt_guarded_free((unsigned char *)a, size);
        }
    }
    /* a polynomial in 120 or so needs a fourth block */
    assert_true(short_of_three_blocks > 50);
}

static void matrix_hash(void **state)
{
    struct wn_mlkem_kernel kernel;
    sword16 want[MAX_MATRIX];
    byte h[32], want_h[32];
    unsigned k, round;
    size_t i;

    (void)state;
    for (round = 0; round < SEEDS; round++) {
        for (k = 2; k <= 4; k++) {
            size_t size = k * k * 256 * sizeof(sword16), ek_len = 384 * k + 32;
            sword16 *a = (sword16 *)(void *)wnt_guarded(size);
            byte *ek = wnt_guarded(ek_len);

            wnt_rand_bytes(ek, ek_len);
            sample_matrix(want, k, ek + 384 * k, 0);
            xof(sha3_256, ek, ek_len, NULL, 0, want_h, 32);
            for (i = 0; i < 4; i++) {
                wn_mlkem_choose(&kernel, flags[i]);
                if (kernel.matrix_hash == NULL)
                    continue;
                memset(a, 0xff, size);
                memset(h, 0, sizeof(h));
                kernel.matrix_hash(a, k, ek, h);
                assert_memory_equal(a, want, size);
                assert_memory_equal(h, want_h, sizeof(h));
            }
            wnt_guarded_free(ek, ek_len);
            wnt_guarded_free((unsigned char *)a, size);
        }
    }
}

static void noise(void **state)
{
    struct wn_mlkem_kernel kernel;
    sword16 want[9 * 256];
    byte seed[33];
    wc_Shake prf;
    unsigned k, n, j, round;
    size_t i;

    (void)state;
    assert_int_equal(wc_InitShake256(&prf, NULL, INVALID_DEVID), 0);
    for (round = 0; round < SEEDS; round++) {
        for (k = 2; k <= 4; k++) {
            for (n = 2 * k; n <= 2 * k + 1; n++) {      /* of keys, of ciphertexts */
                unsigned eta1 = k == 2 ? 3 : 2, eta2 = n == 2 * k ? eta1 : 2;
                size_t size = n * 256 * sizeof(sword16);
                sword16 *p = (sword16 *)(void *)wnt_guarded(size);

                wnt_rand_bytes(seed, 32);
                for (j = 0; j < n; j++)
                    sample_cbd(want + 256 * j, j < k ? eta1 : eta2, seed, (byte)j);
                for (i = 0; i < 4; i++) {
                    wn_mlkem_choose(&kernel, flags[i]);
                    memset(p, 0x55, size);
                    assert_int_equal(wn_mlkem_get_noise(&prf, (int)k, p, p + 256 * k,
                                                        n > 2 * k ? p + 512 * k : NULL, seed), 0);
                    assert_memory_equal(p, want, size);
                }
                wnt_guarded_free((unsigned char *)p, size);
            }
        }
    }
}

static void hash_pair(void **state)
{
    static const size_t cipher[] = { 768, 1088, 1568 };
    struct wn_mlkem_kernel kernel;
    byte z[32], h[32], j[32], want[32];
    unsigned k, round;
    size_t i;

    (void)state;
    for (round = 0; round < SEEDS; round++) {
        for (k = 2; k <= 4; k++) {
            size_t ek_len = 384 * k + 32, c_len = cipher[k - 2];
            byte *ek = wnt_guarded(ek_len), *c = wnt_guarded(c_len);

            wnt_rand_bytes(ek, ek_len);
            wnt_rand_bytes(c, c_len);
            wnt_rand_bytes(z, sizeof(z));
            for (i = 0; i < 4; i++) {
                wn_mlkem_choose(&kernel, flags[i]);
                if (kernel.hash_pair == NULL)
                    continue;
                kernel.hash_pair(k, ek, h, z, c, c_len, j);
                xof(sha3_256, ek, ek_len, NULL, 0, want, 32);
                assert_memory_equal(h, want, sizeof(h));
                xof(shake256, z, 32, c, c_len, want, 32);
                assert_memory_equal(j, want, sizeof(j));
            }
            wnt_guarded_free(ek, ek_len);
            wnt_guarded_free(c, c_len);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix),
        cmocka_unit_test(matrix_hash),
        cmocka_unit_test(noise),
        cmocka_unit_test(hash_pair),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
