/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-2 without assembly: md.c goes through wolfCrypt's ordinary functions. */
#include "../digest.h"

void wn_sha2_choose(struct wn_sha2_kernel *kernel, uint32_t cpu_flags)
{
    (void)cpu_flags;
    kernel->sha256 = NULL;
    kernel->sha512 = NULL;
}
