/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ML-DSA's matrix and masks as this machine's widest vectors make them, against FIPS
 * 204's algorithms written out over libcrypto's SHAKE; and keys and signatures made
 * with them and with wolfCrypt's own functions. Everything in memory of the exact size.
 */
#include "wntest.h"

#include <stdlib.h>
#include <string.h>

#include "algs/digest.h"
#include "asm-config/wc_mldsa_hooks.h"
#include "provider/cpu.h"

#define Q     8380417
#define SEEDS 200

static const struct set {
    byte level;
    unsigned k, l, gamma1_bits;
    word32 pub, priv, sig;
} sets[] = {
    { WC_ML_DSA_44, 4, 4, 17, 1312, 2560, 2420 },
    { WC_ML_DSA_65, 6, 5, 19, 1952, 4032, 3309 },
    { WC_ML_DSA_87, 8, 7, 19, 2592, 4896, 4627 },
};

static struct wn_keccak_kernel kernel;

static int setup(void **state)
{
    (void)state;
    wn_cpu_choose(0, 0);
    return 0;
}

static void kernels(int on)
{
    wn_keccak_choose(&kernel, on ? wn_cpu_flags() : 0);
}

static void shake(const char *name, const byte *a, size_t a_len, unsigned nonce, byte *out,
                  size_t n)
{
    EVP_MD *md = EVP_MD_fetch(NULL, name, NULL);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    byte two[2] = { (byte)nonce, (byte)(nonce >> 8) };

    wnt_ok(EVP_DigestInit_ex2(ctx, md, NULL));
    wnt_ok(EVP_DigestUpdate(ctx, a, a_len));
    wnt_ok(EVP_DigestUpdate(ctx, two, 2));
    wnt_ok(EVP_DigestFinalXOF(ctx, out, n));
    EVP_MD_CTX_free(ctx);
    EVP_MD_free(md);
}

/* Algorithms 30 (RejNTTPoly) and 14 (CoeffFromThreeBytes) */
static void reject(sword32 *p, const byte *rho, unsigned row, unsigned column)
{
    byte c[168 * 6];
    unsigned n = 0, at = 0;

    shake("SHAKE128", rho, 32, row << 8 | column, c, sizeof(c));
    for (; n < 256; at += 3) {
        sword32 z = c[at] | c[at + 1] << 8 | (c[at + 2] & 0x7f) << 16;

        assert_true(at + 3 <= sizeof(c));
        if (z < Q)
            p[n++] = z;
    }
}

/* Step 4 and 5 of algorithm 34: BitUnpack(v, gamma1 - 1, gamma1) */
static void mask(sword32 *p, const byte *rho, unsigned nonce, unsigned gamma1_bits)
{
    byte v[640];
    unsigned i, j, bits = gamma1_bits + 1;

    shake("SHAKE256", rho, 64, nonce, v, 32 * bits);
    for (i = 0; i < 256; i++) {
        sword32 z = 0;

        for (j = 0; j < bits; j++)
            z |= (v[(i * bits + j) / 8] >> (i * bits + j) % 8 & 1) << j;
        p[i] = (1 << gamma1_bits) - z;
    }
}

static void matrices(void **state)
{
    sword32 want[256];
    byte rho[32];
    unsigned round, i, j;

    (void)state;
    kernels(1);
    if (wn_mldsa_matrix_p == NULL)
        skip();     /* wolfCrypt's serves */
    for (round = 0; round < SEEDS; round++) {
        const struct set *set = &sets[round % 3];
        size_t size = set->k * set->l * sizeof(want);
        sword32 *a = (sword32 *)(void *)wnt_guarded(size);

        wnt_rand_bytes(rho, sizeof(rho));
        memset(a, 0xff, size);
        wn_mldsa_matrix_p(a, set->k, set->l, rho);
        for (i = 0; i < set->k; i++) {
            for (j = 0; j < set->l; j++) {
                reject(want, rho, i, j);
                assert_memory_equal(a + 256 * (set->l * i + j), want, sizeof(want));
            }
        }
        wnt_guarded_free((unsigned char *)a, size);
    }
}

static void masks(void **state)
{
    sword32 want[256];
    byte rho[64];
    unsigned round, i;

    (void)state;
    kernels(1);
    if (wn_mldsa_mask_p == NULL)
        skip();
    for (round = 0; round < SEEDS; round++) {
        const struct set *set = &sets[round % 3];
        /* nonces of 16 bits */
        unsigned kappa = round < 6 ? 65536 - set->l : (unsigned)wnt_rand_below(65536 - set->l);
        size_t size = set->l * sizeof(want);
        sword32 *y = (sword32 *)(void *)wnt_guarded(size);

        wnt_rand_bytes(rho, sizeof(rho));
        memset(y, 0xff, size);
        wn_mldsa_mask_p(y, set->l, rho, (word16)kappa, set->gamma1_bits);
        for (i = 0; i < set->l; i++) {
            mask(want, rho, kappa + i, set->gamma1_bits);
            assert_memory_equal(y + 256 * i, want, sizeof(want));
        }
        wnt_guarded_free((unsigned char *)y, size);
    }
}

/* A key, and a signature which it makes and verifies, of given seeds. */
static void make(const struct set *set, const byte *seed, const byte *mu, const byte *rnd,
                 byte *pub, byte *priv, byte *sig)
{
    wc_MlDsaKey key;
    word32 publen = set->pub, privlen = set->priv, siglen = set->sig;
    int valid = 0;

    assert_int_equal(wc_MlDsaKey_Init(&key, NULL, INVALID_DEVID), 0);
    assert_int_equal(wc_MlDsaKey_SetParams(&key, set->level), 0);
    assert_int_equal(wc_MlDsaKey_MakeKeyFromSeed(&key, seed), 0);
    assert_int_equal(wc_MlDsaKey_ExportPubRaw(&key, pub, &publen), 0);
    assert_int_equal(wc_MlDsaKey_ExportPrivRaw(&key, priv, &privlen), 0);
    assert_int_equal(wc_MlDsaKey_SignMuWithSeed(&key, sig, &siglen, mu, 64, rnd), 0);
    assert_int_equal(siglen, set->sig);
    assert_int_equal(wc_MlDsaKey_VerifyMu(&key, sig, siglen, mu, 64, &valid), 0);
    assert_int_equal(valid, 1);
    wc_MlDsaKey_Free(&key);
}

static void keys_and_signatures(void **state)
{
    byte seed[32], mu[64], rnd[32];
    static byte pub[2][2592], priv[2][4896], sig[2][4627];
    unsigned round;
    int on;

    (void)state;
    for (round = 0; round < SEEDS; round++) {
        const struct set *set = &sets[round % 3];

        wnt_rand_bytes(seed, sizeof(seed));
        wnt_rand_bytes(mu, sizeof(mu));
        wnt_rand_bytes(rnd, sizeof(rnd));
        for (on = 0; on < 2; on++) {
            kernels(on);
            make(set, seed, mu, rnd, pub[on], priv[on], sig[on]);
        }
        assert_memory_equal(pub[0], pub[1], set->pub);
        assert_memory_equal(priv[0], priv[1], set->priv);
        assert_memory_equal(sig[0], sig[1], set->sig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices),
        cmocka_unit_test(masks),
        cmocka_unit_test(keys_and_signatures),
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
