/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A way round a fault of wolfCrypt 5.9.2. Its fe_cmov_table_avx2, the table
 * look-up of the Ed25519 and X25519 base-point multiplication, writes the low
 * half of %ymm9 by an SSE instruction, which leaves the high half as it was,
 * and then uses all of it as the number one. Wherever the code that ran before
 * left something there (wolfCrypt's own P-256 and RSA code does), public keys
 * and signatures come out wrong.
 *
 * ge_operations.c, the only caller, is compiled to call this function instead
 * (see sources.cmake); it clears the high halves first.
 */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/cpuid.h>
#include <wolfssl/wolfcrypt/fe_operations.h>

void wn_fe_cmov_table(fe *r, const fe *base, signed char b);

void wn_fe_cmov_table(fe *r, const fe *base, signed char b)
{
    cpuid_flags_t flags = cpuid_get_flags();

    if (IS_INTEL_AVX1(flags) || IS_INTEL_AVX2(flags))
        __asm__ volatile("vzeroupper");
    fe_cmov_table(r, base, b);
}
