/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The accelerator table of builds without kernels of our own: all NULL, so
 * that every caller uses wolfCrypt.
 */
#include "accel.h"

struct wn_accel wn_accel;

void wn_accel_init(uint32_t cpu_flags)
{
    (void)cpu_flags;
}
