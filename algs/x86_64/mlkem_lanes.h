/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What mlkem_lanes_impl.h needs whatever the number of lanes. */
#ifndef WN_MLKEM_LANES_H
#define WN_MLKEM_LANES_H

#include "lanes.h"
#include "mlkem_x86.h"

/* Three blocks give 336 candidates, of which 273 serve. */
#define MATRIX_ROOM (3 * RATE_128 + 72)

/* H is SHA3-256. */
static inline struct message encapsulation_key(const byte *ek, unsigned k)
{
    return message(ek, 384 * k + 32, 0x06);
}

#endif
