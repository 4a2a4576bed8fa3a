/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU features: what this processor and its operating system offer, less what
 * the configuration masks. Chosen once per process, at the first load of the
 * module, since wolfCrypt's own dispatch is process-wide too.
 *
 * Stricter than wolfCrypt's cpuid.c: AVX and AVX-512 count only if the
 * operating system saves their registers (OSXSAVE and XCR0).
 */
#ifndef WN_CPU_H
#define WN_CPU_H

#include <stdint.h>

/* X(name, word in the configuration) */
#define WN_CPU_LIST(X)     \
    X(SSSE3, "ssse3")      \
    X(SSE41, "sse41")      \
    X(PCLMUL, "pclmul")    \
    X(AESNI, "aesni")      \
    X(AVX, "avx")          \
    X(AVX2, "avx2")        \
    X(BMI1, "bmi1")        \
    X(BMI2, "bmi2")        \
    X(ADX, "adx")          \
    X(SHA, "sha")          \
    X(MOVBE, "movbe")      \
    X(RDRAND, "rdrand")    \
    X(RDSEED, "rdseed")    \
    X(VAES, "vaes")        \
    X(VPCLMUL, "vpclmul")  \
    X(AVX512, "avx512")    \
    X(IFMA, "ifma")        \
    X(VBMI2, "vbmi2")

enum wn_cpu_bit {
#define WN_CPU_BIT_(name, word) WN_CPU_BIT_##name,
    WN_CPU_LIST(WN_CPU_BIT_)
#undef WN_CPU_BIT_
    WN_CPU_BIT_COUNT
};

enum wn_cpu_flag {
#define WN_CPU_FLAG_(name, word) WN_CPU_##name = 1u << WN_CPU_BIT_##name,
    WN_CPU_LIST(WN_CPU_FLAG_)
#undef WN_CPU_FLAG_
};

/*
 * Parses a mask such as "-avx2 -bmi2" or "none" into the set of features to
 * leave out; a feature takes along those that build on it (avx: avx2, vaes,
 * avx512, ...). Words are separated by blanks or commas. 0 on an unknown word.
 */
int wn_cpu_parse_mask(const char *text, uint32_t *mask);

/*
 * Fixes the features of this process: detected & ~mask. `given` tells whether
 * the caller has an opinion at all. 0 if an earlier load chose differently.
 * Safe from several threads.
 */
int wn_cpu_choose(uint32_t mask, int given);

/* The features chosen; 0 before wn_cpu_choose() and in builds without assembly. */
uint32_t wn_cpu_flags(void);

/* Writes the names of the flags, separated by blanks, to buf. */
void wn_cpu_describe(uint32_t flags, char *buf, unsigned long size);

#endif
