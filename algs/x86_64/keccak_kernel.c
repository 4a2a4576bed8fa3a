/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keccak-p[1600, 24] of wolfCrypt's x86_64 assembly, or its C code. */
#include "../digest.h"

#include <wolfssl/wolfcrypt/sha3.h>

#include "../../provider/cpu.h"

/* The assembly takes the number of blocks as word32. */
#define MOST_BLOCKS ((size_t)1 << 24)

static void absorb_bmi2(word64 s[25], const byte *in, size_t n, size_t rate)
{
    for (; n > MOST_BLOCKS; n -= MOST_BLOCKS, in += MOST_BLOCKS * rate)
        sha3_block_n_bmi2(s, in, (word32)MOST_BLOCKS, rate);
    sha3_block_n_bmi2(s, in, (word32)n, rate);
}

/* What wolfCrypt's own SHA-3 and SHAKE go through, Ed448's among others. */
extern void (*sha3_block)(word64 *s);
extern void (*sha3_block_n)(word64 *s, const byte *data, word32 n, word64 c);

/*
 * Not AVX2, which wolfCrypt would take: one state alone has little for vectors
 * to do. Measured on Zen 4, ns a block of SHA3-256: AVX2 338, C 255, BMI 233;
 * but the BMI code is 24 KB long, so it serves long input only. The C code is
 * chosen for wolfCrypt itself too, whose pointers its first init has set.
 */
void wn_keccak_choose(struct wn_keccak_kernel *kernel, uint32_t cpu_flags)
{
    const uint32_t bmi = WN_CPU_BMI1 | WN_CPU_BMI2;

    kernel->permute = BlockSha3;
    kernel->absorb = (cpu_flags & bmi) == bmi ? absorb_bmi2 : NULL;
    sha3_block = BlockSha3;
    sha3_block_n = NULL;
}
