/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detection and choice of CPU features; see cpu.h. Leaf and bit numbers are
 * those of the Intel SDM vol. 2A, CPUID, and AMD APM vol. 3, appendix E. */
#include "cpu.h"

#include <stdatomic.h>
#include <string.h>

#if defined(__x86_64__) && !defined(WOLFNANO_NO_ASM)
# include <cpuid.h>

# define BIT(reg, n) ((reg) >> (n) & 1)

static uint64_t xcr0(void)
{
    uint32_t lo, hi;

    __asm__ __volatile__("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (uint64_t)hi << 32 | lo;
}

static uint32_t detect(void)
{
    unsigned a, b, c, d, b7 = 0, c7 = 0, d7 = 0;
    uint32_t f = 0;
    uint64_t saved = 0;

    if (!__get_cpuid(1, &a, &b, &c, &d))
        return 0;
    if (!__get_cpuid_count(7, 0, &a, &b7, &c7, &d7))
        b7 = c7 = 0;
    if (BIT(c, 27))             /* OSXSAVE: XGETBV exists and is enabled */
        saved = xcr0();
    f |= BIT(c, 9) * WN_CPU_SSSE3 | BIT(c, 19) * WN_CPU_SSE41;
    f |= BIT(c, 1) * WN_CPU_PCLMUL | BIT(c, 25) * WN_CPU_AESNI;
    f |= BIT(c, 22) * WN_CPU_MOVBE | BIT(c, 30) * WN_CPU_RDRAND;
    f |= BIT(b7, 3) * WN_CPU_BMI1 | BIT(b7, 8) * WN_CPU_BMI2 | BIT(b7, 19) * WN_CPU_ADX;
    f |= BIT(b7, 18) * WN_CPU_RDSEED | BIT(b7, 29) * WN_CPU_SHA;
    if ((saved & 0x06) != 0x06 || !BIT(c, 28))      /* XMM and YMM state */
        return f;
    f |= WN_CPU_AVX | BIT(b7, 5) * WN_CPU_AVX2;
    f |= BIT(c7, 9) * WN_CPU_VAES | BIT(c7, 10) * WN_CPU_VPCLMUL;
    if ((saved & 0xe6) != 0xe6)                     /* opmask and ZMM state */
        return f;
    /* F, DQ, BW and VL together, as every kernel needs all of them */
    if (BIT(b7, 16) && BIT(b7, 17) && BIT(b7, 30) && BIT(b7, 31))
        f |= WN_CPU_AVX512 | BIT(b7, 21) * WN_CPU_IFMA | BIT(c7, 6) * WN_CPU_VBMI2;
    return f;
}
#else
static uint32_t detect(void)
{
    return 0;
}
#endif

/* What cannot be used without the feature. */
static uint32_t dependants(uint32_t flag)
{
    const uint32_t wide512 = WN_CPU_AVX512 | WN_CPU_IFMA | WN_CPU_VBMI2;
    const uint32_t wide = WN_CPU_VAES | WN_CPU_VPCLMUL | wide512;

    switch (flag) {
    case WN_CPU_AVX512:
        return wide512;
    case WN_CPU_AVX2:
        return flag | wide;
    case WN_CPU_AVX:
        return flag | WN_CPU_AVX2 | wide;
    case WN_CPU_AESNI:
        return flag | WN_CPU_VAES;
    case WN_CPU_PCLMUL:
        return flag | WN_CPU_VPCLMUL;
    case WN_CPU_SSSE3:
        return flag | WN_CPU_SSE41 | WN_CPU_SHA | WN_CPU_AVX | WN_CPU_AVX2 | wide;
    case WN_CPU_SSE41:
        return flag | WN_CPU_SHA | WN_CPU_AVX | WN_CPU_AVX2 | wide;
    default:
        return flag;
    }
}

static const char *const words[] = {
#define WORD_(name, word) word,
    WN_CPU_LIST(WORD_)
#undef WORD_
};

int wn_cpu_parse_mask(const char *text, uint32_t *mask)
{
    const char *separators = " \t,";
    uint32_t m = 0;

    for (;;) {
        size_t n, i;

        text += strspn(text, separators);
        n = strcspn(text, separators);
        if (n == 0)
            break;
        if (n == 4 && memcmp(text, "none", 4) == 0) {
            m = UINT32_MAX;
        } else {
            for (i = 0; i < WN_CPU_BIT_COUNT; i++)
                if (text[0] == '-' && strlen(words[i]) == n - 1
                    && memcmp(text + 1, words[i], n - 1) == 0)
                    break;
            if (i == WN_CPU_BIT_COUNT)
                return 0;
            m |= dependants(1u << i);
        }
        text += n;
    }
    *mask = m;
    return 1;
}

/* Bit 63: chosen. Low half: the flags. */
#define CHOSEN (UINT64_C(1) << 63)
static _Atomic uint64_t chosen;

int wn_cpu_choose(uint32_t mask, int given)
{
    uint64_t want = CHOSEN | (detect() & ~mask), old = 0;

    if (atomic_compare_exchange_strong(&chosen, &old, want))
        return 1;
    return !given || old == want;
}

uint32_t wn_cpu_flags(void)
{
    return (uint32_t)atomic_load_explicit(&chosen, memory_order_relaxed);
}

void wn_cpu_describe(uint32_t flags, char *buf, unsigned long size)
{
    unsigned long at = 0;
    size_t i, n;

    if (size == 0)
        return;
    for (i = 0; i < WN_CPU_BIT_COUNT; i++) {
        n = strlen(words[i]);
        if ((flags >> i & 1) == 0 || at + n + 2 > size)
            continue;
        if (at > 0)
            buf[at++] = ' ';
        memcpy(buf + at, words[i], n);
        at += n;
    }
    buf[at] = '\0';
}
