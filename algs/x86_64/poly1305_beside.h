/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Poly1305 on the general registers, for the ChaCha20 kernels that use the
 * vector registers only: a step takes 8 * WIDE bytes.
 */
#include "poly1305_scalar.h"

#define MAC_ALONE 0 /* poly_bulk is quicker than steps with nothing beside them */

struct mac {
    struct poly_state s;
};

VI void mac_begin(struct mac *m, struct wn_poly1305 *p, size_t steps)
{
    (void)steps;
    m->s = poly_get(p);
}

VI void mac_step(struct mac *m, const uint8_t *in)
{
    UNROLL(4)
    for (int i = 0; i < LANES * 2; i++)
        poly_step(&m->s, in + 16 * i, 1);
}

VI void mac_end(struct mac *m, struct wn_poly1305 *p)
{
    poly_put(p, &m->s);
}
