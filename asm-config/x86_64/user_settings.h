/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wolfCrypt with its x86_64 assembly, chosen by CPUID at run time. */
#ifndef WN_USER_SETTINGS_H
#define WN_USER_SETTINGS_H
#include "../common.h"

#define WOLFSSL_X86_64_BUILD
#define WOLFSSL_AESNI
#define USE_INTEL_SPEEDUP
#define WOLFSSL_SP_X86_64
#define WOLFSSL_SP_X86_64_ASM

#endif
