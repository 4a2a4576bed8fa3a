/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No kernels: ML-KEM as wolfCrypt has it. */
#include "mlkem_kernel.h"

void wn_mlkem_choose(struct wn_mlkem_kernel *kernel, uint32_t cpu_flags)
{
    (void)cpu_flags;
    kernel->matrix = NULL;
    kernel->matrix_hash = NULL;
    kernel->hash_pair = NULL;
}
