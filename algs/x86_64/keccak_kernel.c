/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which Keccak-p[1600, 24] serves: ours with AVX-512, else wolfCrypt's. Not
 * wolfCrypt's AVX2 code for one state, which it would take itself: one state alone
 * has little for vectors to do. Measured on Zen 5, ns a permutation: AVX2 370, C 255,
 * BMI 238, AVX-512 225; four states: AVX2 450, AVX-512 225. The BMI code is 24 KB
 * long and does not stay in the instruction cache, so it serves long input only.
 */
#include "../digest.h"

#include <wolfssl/wolfcrypt/sha3.h>

#include "../../asm-config/wc_mldsa_hooks.h"
#include "../../asm-config/x86_64/wc_keccak.h"
#include "../../provider/cpu.h"
#include "keccak_x86.h"
#include "mldsa_x86.h"

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

/* wolfCrypt's pointers have been set by its first init. */
void wn_keccak_choose(struct wn_keccak_kernel *kernel, uint32_t cpu_flags)
{
    const uint32_t bmi = WN_CPU_BMI1 | WN_CPU_BMI2;

    int avx512 = (cpu_flags & WN_CPU_AVX512) != 0;

    kernel->permute = BlockSha3;
    kernel->absorb = (cpu_flags & bmi) == bmi ? absorb_bmi2 : NULL;
    if (avx512) {
        kernel->permute = wn_keccak_p_512;
        kernel->absorb = NULL;
        wn_sha3_blocksx4_p = wn_keccak_p_x4_512;
    }
    wn_sha3_block_p = kernel->permute;
    wn_mldsa_matrix_p = avx512 ? wn_mldsa_matrix_512 : NULL;
    wn_mldsa_mask_p = avx512 ? wn_mldsa_mask_512 : NULL;
    sha3_block = kernel->permute;
    sha3_block_n = NULL;
}
