/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constant-time selection for secrets: masks are all ones or zero, and neither
 * branches nor addresses depend on the values. The barrier keeps the compiler
 * from finding out that a mask has only two values.
 */
#ifndef WN_CT_H
#define WN_CT_H

#include <stddef.h>

static inline size_t wn_ct_barrier(size_t a)
{
    __asm__("" : "+r"(a));
    return a;
}

/* All ones if the top bit is set. */
static inline size_t wn_ct_msb(size_t a)
{
    return (size_t)0 - (wn_ct_barrier(a) >> (8 * sizeof(a) - 1));
}

static inline size_t wn_ct_is_zero(size_t a)
{
    return wn_ct_msb(~a & (a - 1));
}

static inline size_t wn_ct_eq(size_t a, size_t b)
{
    return wn_ct_is_zero(a ^ b);
}

static inline size_t wn_ct_lt(size_t a, size_t b)
{
    return wn_ct_msb(a ^ ((a ^ b) | ((a - b) ^ b)));
}

static inline size_t wn_ct_ge(size_t a, size_t b)
{
    return ~wn_ct_lt(a, b);
}

static inline size_t wn_ct_select(size_t mask, size_t a, size_t b)
{
    return (wn_ct_barrier(mask) & a) | (wn_ct_barrier(~mask) & b);
}

#endif
