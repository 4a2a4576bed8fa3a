/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choice of kernels by CPU flags. Wider vectors come first; a level counts
 * only if every instruction set that its files are compiled for is there.
 */
#include "../../provider/cpu.h"
#include "accel_x86.h"

#define NI   (WN_CPU_SSSE3 | WN_CPU_SSE41 | WN_CPU_AESNI | WN_CPU_PCLMUL)
#define V256 (NI | WN_CPU_AVX2 | WN_CPU_VAES | WN_CPU_VPCLMUL)
#define V512 (V256 | WN_CPU_AVX512)
#define BMI  (WN_CPU_BMI1 | WN_CPU_BMI2)
#define SHA  (WN_CPU_SSSE3 | WN_CPU_SSE41 | WN_CPU_SHA)

static int has(uint32_t flags, uint32_t need)
{
    return (flags & need) == need;
}

void wn_accel_fill(struct wn_accel *a, uint32_t flags)
{
    *a = (struct wn_accel){ 0 };
    if (has(flags, V512)) {
        a->gcm_path = a->aes_path = "vaes512";
        wn_accel_gcm_512(a);
        wn_accel_aes_512(a);
    } else if (has(flags, V256)) {
        a->gcm_path = a->aes_path = "vaes256";
        wn_accel_gcm_256(a);
        wn_accel_aes_256(a);
    } else if (has(flags, NI)) {
        a->gcm_path = a->aes_path = "aesni";
        wn_accel_gcm_128(a);
        wn_accel_aes_128(a);
    }
    if (has(flags, NI)) {
        wn_accel_aes_serial(a);
        wn_accel_aes_keys(a);
    }
    if (has(flags, WN_CPU_AVX512 | WN_CPU_IFMA)) {
        a->chacha_path = "avx512-ifma";
        wn_accel_chacha_512_ifma(a);
    } else if (has(flags, WN_CPU_AVX512)) {
        a->chacha_path = "avx512";
        wn_accel_chacha_512(a);
    } else if (has(flags, WN_CPU_AVX2)) {
        a->chacha_path = "avx2";
        wn_accel_chacha_256(a);
    } else if (has(flags, WN_CPU_SSSE3 | WN_CPU_SSE41)) {
        a->chacha_path = "sse41";
        wn_accel_chacha_128(a);
    }
    if (has(flags, SHA)) {
        wn_accel_sha1(a);
    } else if (has(flags, BMI | WN_CPU_AVX512)) {
        a->sha1_path = "avx512";
        wn_accel_sha1_avx512(a);
    } else if (has(flags, BMI | WN_CPU_AVX2)) {
        a->sha1_path = "avx2";
        wn_accel_sha1_avx2(a);
    }
    if (has(flags, WN_CPU_BMI2 | WN_CPU_ADX | WN_CPU_AVX2)) {
        a->rsa_path = "adx";
        wn_accel_rsa_adx(a);
    }
    if (has(flags, WN_CPU_AVX512 | WN_CPU_IFMA)) {
        a->rsa_path = "avx512-ifma";
        wn_accel_rsa_ifma(a);
    }
}
