/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The accelerator table itself. A configuration with kernels of its own
 * brings a stronger wn_accel_fill (algs/<arch>/accel.c); without one every
 * entry is NULL and every caller uses wolfCrypt.
 */
#include "accel.h"

#include <string.h>

struct wn_accel wn_accel;

__attribute__((weak)) void wn_accel_fill(struct wn_accel *a, uint32_t cpu_flags)
{
    (void)cpu_flags;
    memset(a, 0, sizeof(*a));
}

void wn_accel_init(uint32_t cpu_flags)
{
    wn_accel_fill(&wn_accel, cpu_flags);
}
