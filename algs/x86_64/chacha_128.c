/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ChaCha20 and ChaCha20-Poly1305 with SSE4.1. */
#include "accel_x86.h"
#include "vec128.h"
#include "poly1305_beside.h"

/* No bulk function: block by block. */
#define POLY_MIN             SIZE_MAX
#define POLY_LANES           1
#define poly_bulk(p, in, nb) ((void)(p), (void)(in), (void)(nb))

#define CP_TARGET WN_T128
#include "poly1305_impl.h"
#include "chacha_impl.h"
#include "chapoly_impl.h"

void wn_accel_chacha_128(struct wn_accel *a)
{
    a->chacha20 = chacha20;
    a->cp_init = cp_init;
    a->cp_aad = cp_aad;
    a->cp_enc = cp_enc;
    a->cp_dec = cp_dec;
    a->cp_tag = cp_tag;
    a->poly_init = poly_init;
    a->poly_update = poly_update;
    a->poly_tag = poly_tag;
}
