/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every Keccak-p[1600, 24] that this machine can run, on one state, four and eight,
 * against the known permutation of the zero state and wolfCrypt's C code; and what
 * ML-KEM, ML-DSA and SLH-DSA call instead of wolfCrypt's AVX2 functions, against
 * those functions.
 */
#include "wntest.h"

#include <string.h>

#include <openssl/rand.h>

#include "algs/digest.h"
#include "provider/cpu.h"

#include <wolfssl/wolfcrypt/sha3.h>

static uint32_t flags[3];
static size_t n_flags;

static int setup(void **state)
{
    (void)state;
    wn_cpu_choose(0, 0);
    flags[n_flags++] = wn_cpu_flags();
    flags[n_flags++] = wn_cpu_flags() & ~(uint32_t)(WN_CPU_AVX512 | WN_CPU_IFMA);
    flags[n_flags++] = 0;
    return 0;
}

static void random_words(word64 *w, size_t n)
{
    assert_int_equal(RAND_bytes((unsigned char *)w, (int)(n * sizeof(*w))), 1);
}

/* The Keccak team's KeccakF-1600-IntermediateValues: state after one and two
 * permutations of zeros, first five lanes. */
static void known_permutation(void **state)
{
    static const word64 once[5] = {
        0xf1258f7940e1dde7, 0x84d5ccf933c0478a, 0xd598261ea65aa9ee, 0xbd1547306f80494d,
        0x8b284e056253d057
    };
    static const word64 twice[5] = {
        0x2d5c954df96ecb3c, 0x6a332cd07057b56d, 0x093d8d1270d76b6c, 0x8a20d9b25569d094,
        0x4f9c4f99e5e7f156
    };
    struct wn_keccak_kernel kernel;
    size_t i;

    (void)state;
    for (i = 0; i < n_flags; i++) {
        word64 s[25] = { 0 };

        wn_keccak_choose(&kernel, flags[i]);
        kernel.permute(s);
        assert_memory_equal(s, once, sizeof(once));
        kernel.permute(s);
        assert_memory_equal(s, twice, sizeof(twice));
    }
}

static void random_states(void **state)
{
    struct wn_keccak_kernel kernel;
    word64 in[3 * 21], want[25], got[25];
    size_t i, j, k, rate;

    (void)state;
    for (i = 0; i < n_flags; i++) {
        wn_keccak_choose(&kernel, flags[i]);
        for (rate = 9; rate <= 21; rate += 4) {
            random_words(want, 25);
            random_words(in, 3 * rate);
            memcpy(got, want, sizeof(got));
            for (j = 0; j < 3; j++) {
                for (k = 0; k < rate; k++)
                    want[k] ^= in[j * rate + k];
                BlockSha3(want);
            }
            if (kernel.absorb != NULL) {
                kernel.absorb(got, (const byte *)in, 3, 8 * rate);
                assert_memory_equal(got, want, sizeof(want));
            }
        }
        random_words(want, 25);
        memcpy(got, want, sizeof(got));
        kernel.permute(got);
        BlockSha3(want);
        assert_memory_equal(got, want, sizeof(want));
    }
}

#ifdef WOLFSSL_X86_64_BUILD
#include "algs/x86_64/keccak_x86.h"
#include "wc_keccak.h"

/* wolfCrypt's own AVX2 functions need AVX2 to compare with. */
static void as_wolfcrypt(void **state)
{
    static const struct {
        const char *name;
        void (*ours)(word64 *s, byte *seed);
        void (*theirs)(word64 *s, byte *seed);
    } starts[] = {
        { "SHAKE128, 32", wn_sha3_128_blocksx4_seed, sha3_128_blocksx4_seed_avx2 },
        { "SHAKE256, 32", wn_sha3_256_blocksx4_seed, sha3_256_blocksx4_seed_avx2 },
        { "SHAKE256, 64", wn_sha3_256_blocksx4_seed_64, sha3_256_blocksx4_seed_64_avx2 },
    };
    struct wn_keccak_kernel kernel;
    word64 ours[100], theirs[100], in[4 * 17], seed[8];
    size_t i, j;

    (void)state;
    if (!(wn_cpu_flags() & WN_CPU_AVX2))
        skip();
    for (i = 0; i < 2; i++) {
        wn_keccak_choose(&kernel, flags[i]);
        random_words(ours, 100);
        memcpy(theirs, ours, sizeof(ours));
        wn_sha3_blocksx4(ours);
        sha3_blocksx4_avx2(theirs);
        assert_memory_equal(ours, theirs, sizeof(ours));
        for (j = 0; j < 3; j++) {
            random_words(seed, 8);
            starts[j].ours(ours, (byte *)seed);
            starts[j].theirs(theirs, (byte *)seed);
            if (memcmp(ours, theirs, sizeof(ours)) != 0)
                fail_msg("%s differs", starts[j].name);
        }
        random_words(in, 4 * 17);
        wn_sha3_block(ours);
        sha3_block_avx2(theirs);
        wn_sha3_block_n(ours, (const byte *)in, 4, 17 * 8);
        sha3_block_n_avx2(theirs, (const byte *)in, 4, 17 * 8);
        assert_memory_equal(ours, theirs, 25 * sizeof(*ours));
    }
}

static void eight_states(void **state)
{
    word64 all[200], one[25];
    size_t i, j, round;

    (void)state;
    if (!(wn_cpu_flags() & WN_CPU_AVX512))
        skip();
    for (round = 0; round < 20; round++) {
        word64 before[200];

        random_words(before, 200);
        memcpy(all, before, sizeof(all));
        wn_keccak_p_x8_512(all);
        for (j = 0; j < 8; j++) {
            for (i = 0; i < 25; i++)
                one[i] = before[8 * i + j];
            BlockSha3(one);
            for (i = 0; i < 25; i++)
                assert_true(one[i] == all[8 * i + j]);
        }
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_permutation),
        cmocka_unit_test(random_states),
#ifdef WOLFSSL_X86_64_BUILD
        cmocka_unit_test(as_wolfcrypt),
        cmocka_unit_test(eight_states),
#endif
    };

    return cmocka_run_group_tests(tests, setup, NULL);
}
