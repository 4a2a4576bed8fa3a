/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Set-up of wolfCrypt: CPU features as chosen in provider/cpu.c, and the
 * accelerator table. See wolf.h.
 */
#include "wolf.h"

#include <pthread.h>
#include <string.h>

#include <wolfssl/wolfcrypt/cpuid.h>
#include <wolfssl/wolfcrypt/wc_port.h>

#include "../provider/cpu.h"
#include "../provider/rng.h"
#include "accel.h"
#include "digest.h"
#include "mlkem.h"

int wn_wc(const struct wn_prov *prov, int rc, const char *call,
          const char *file, int line, const char *func)
{
    if (rc >= 0)
        return 1;
    wn_raise_at(prov, file, line, func, WN_R_WOLFCRYPT, "%.*s: %s (%d)",
                (int)strcspn(call, "("), call, wc_GetErrorString(rc), rc);
    return 0;
}

#ifdef HAVE_CPUID_INTEL
/* wolfCrypt's own detection knows neither XCR0 nor our mask: replace it. */
static void choose_cpu(uint32_t flags)
{
    static const struct {
        uint32_t ours;
        cpuid_flags_t theirs;
    } map[] = {
        { WN_CPU_AVX, CPUID_AVX1 },     { WN_CPU_AVX2, CPUID_AVX2 },
        { WN_CPU_RDRAND, CPUID_RDRAND }, { WN_CPU_RDSEED, CPUID_RDSEED },
        { WN_CPU_BMI2, CPUID_BMI2 },    { WN_CPU_ADX, CPUID_ADX },
        { WN_CPU_MOVBE, CPUID_MOVBE },  { WN_CPU_BMI1, CPUID_BMI1 },
        { WN_CPU_SHA, CPUID_SHA },
    };
    cpuid_flags_t chosen = 0;
    size_t i;

    for (i = 0; i < sizeof(map) / sizeof(map[0]); i++)
        if (flags & map[i].ours)
            chosen |= map[i].theirs;
    /* its AES-GCM assembly uses PCLMUL and SSSE3 without asking */
    if ((flags & (WN_CPU_AESNI | WN_CPU_PCLMUL | WN_CPU_SSSE3))
        == (WN_CPU_AESNI | WN_CPU_PCLMUL | WN_CPU_SSSE3))
        chosen |= CPUID_AESNI;
    cpuid_select_flags(chosen);
}
#else
static void choose_cpu(uint32_t flags)
{
    (void)flags;
}
#endif

/* What is the same for all library contexts, and read without a lock later. */
static void set_up_process(void)
{
    choose_cpu(wn_cpu_flags());
    wn_accel_init(wn_cpu_flags());
    wn_md_setup(wn_cpu_flags());
    wn_mlkem_setup(wn_cpu_flags());
}

int wn_wolf_init(struct wn_prov *prov)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, set_up_process);
    prov->wolf_ready = WN_WC(prov, wolfCrypt_Init());
    return prov->wolf_ready && wn_rng_init(prov);
}

void wn_wolf_cleanup(struct wn_prov *prov)
{
    wn_rng_cleanup(prov);
    if (prov->wolf_ready)
        wolfCrypt_Cleanup();
}
