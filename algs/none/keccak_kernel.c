/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keccak-p[1600, 24] of wolfCrypt's portable C code. */
#include "../digest.h"

#include <wolfssl/wolfcrypt/sha3.h>

void wn_keccak_choose(struct wn_keccak_kernel *kernel, uint32_t cpu_flags)
{
    (void)cpu_flags;
    kernel->permute = BlockSha3;
    kernel->absorb = NULL;
}
