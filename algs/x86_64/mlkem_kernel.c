/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which of ML-KEM's kernels serve. Measured on Zen 5, ML-KEM-768, microseconds: the
 * matrix takes 2.4 in wolfCrypt's code with AVX-512's Keccak, 1.6 in eight lanes (1.9
 * without VBMI2); with the hash of the key 4.5 and 2.5. With AVX2, matrix and hash
 * take 6.5 one after the other, 4.8 together.
 */
#include "../mlkem_kernel.h"

#include "../../asm-config/x86_64/wc_mlkem_hooks.h"
#include "../../provider/cpu.h"
#include "mlkem_x86.h"

static wn_mlkem_sampler *sampler;

static void matrix_any_x8(sword16 *a, unsigned k, const byte *rho, int transposed)
{
    wn_mlkem_matrix_x8(sampler, a, k, rho, transposed, NULL, NULL);
}

static void matrix_x8(sword16 *a, unsigned k, const byte *rho)
{
    wn_mlkem_matrix_x8(sampler, a, k, rho, 0, NULL, NULL);
}

static void matrix_hash_x8(sword16 *a, unsigned k, const byte *ek, byte *h)
{
    wn_mlkem_matrix_x8(sampler, a, k, ek + 384 * k, 0, ek, h);
}

static void matrix_hash_x4(sword16 *a, unsigned k, const byte *ek, byte *h)
{
    wn_mlkem_matrix_x4(sampler, a, k, ek + 384 * k, 0, ek, h);
}

void wn_mlkem_choose(struct wn_mlkem_kernel *kernel, uint32_t cpu_flags)
{
    int avx2 = (cpu_flags & WN_CPU_AVX2) != 0, avx512 = (cpu_flags & WN_CPU_AVX512) != 0;

    sampler = avx512 && cpu_flags & WN_CPU_VBMI2 ? wn_mlkem_sample_vbmi2 : wn_mlkem_sample_avx2;
    kernel->matrix = avx512 ? matrix_x8 : NULL;
    kernel->matrix_hash = avx512 ? matrix_hash_x8 : avx2 ? matrix_hash_x4 : NULL;
    kernel->hash_pair = avx512 ? wn_mlkem_hash_pair_x8 : NULL;
    wn_mlkem_matrix_p = avx512 ? matrix_any_x8 : NULL;
    wn_mlkem_noise_p = avx512 ? wn_mlkem_noise_x8 : NULL;
}
