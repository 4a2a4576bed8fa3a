/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of kernels (unit_accel*.c) share: the CPU levels of this machine. */
#ifndef WN_TEST_ACCEL_H
#define WN_TEST_ACCEL_H

#include "wntest.h"

#include "algs/accel.h"

#define ACCEL_MAX_LEN 5000
#define ACCEL_ROUNDS  1000

/* The kernels of one level; the first level is all that the processor has. */
extern struct accel_level {
    uint32_t flags;
    struct wn_accel a;
} accel_levels[12];
extern size_t accel_n_levels;

int accel_setup(void **state);

/* Hex digits (or NULL) into bytes; returns how many. */
size_t accel_hex(uint8_t *to, const char *hex);

/* Memory for n bytes between two unreadable pages: at its end, at its start or
 * anywhere. Two such areas (which = 0, 1), made once. */
uint8_t *accel_place(int which, size_t n);

#endif
