/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keccak-p[1600, 24] of wolfCrypt's x86_64 assembly, or its C code. */
#include "../digest.h"

#include <wolfssl/wolfcrypt/sha3.h>

#include "../../provider/cpu.h"

/* The assembly takes the number of blocks as word32. */
#define MOST_BLOCKS ((size_t)1 << 24)

static void absorb_avx2(word64 s[25], const byte *in, size_t n, size_t rate)
{
    for (; n > MOST_BLOCKS; n -= MOST_BLOCKS, in += MOST_BLOCKS * rate)
        sha3_block_n_avx2(s, in, (word32)MOST_BLOCKS, rate);
    sha3_block_n_avx2(s, in, (word32)n, rate);
}

static void absorb_bmi2(word64 s[25], const byte *in, size_t n, size_t rate)
{
    for (; n > MOST_BLOCKS; n -= MOST_BLOCKS, in += MOST_BLOCKS * rate)
        sha3_block_n_bmi2(s, in, (word32)MOST_BLOCKS, rate);
    sha3_block_n_bmi2(s, in, (word32)n, rate);
}

void wn_keccak_choose(struct wn_keccak_kernel *kernel, uint32_t cpu_flags)
{
    const uint32_t bmi = WN_CPU_BMI1 | WN_CPU_BMI2;

    if (cpu_flags & WN_CPU_AVX2) {
        kernel->permute = sha3_block_avx2;
        kernel->absorb = absorb_avx2;
    } else if ((cpu_flags & bmi) == bmi) {
        kernel->permute = sha3_block_bmi2;
        kernel->absorb = absorb_bmi2;
    } else {
        kernel->permute = BlockSha3;
        kernel->absorb = NULL;
    }
}
