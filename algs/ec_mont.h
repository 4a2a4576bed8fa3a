/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Curves of odd order for which wolfCrypt has no code of their own (inside ec*.c):
 * its generic code is slower than the default provider's, by four times where it
 * verifies. Cofactor 1, 65 to 512 bits. SEC 1 version 2; see ec_mont_impl.h.
 *
 * All return a wolfCrypt code. Numbers are in range, points on the curve.
 */
#ifndef WN_EC_MONT_H
#define WN_EC_MONT_H

#include "ec.h"

int wn_ec_mont_serves(const struct wn_ec_curve *curve);
/* x, y = d G */
int wn_ec_mont_base(const struct wn_ec_curve *curve, const mp_int *d, mp_int *x, mp_int *y);
/* out = x coordinate of d Q, curve->size bytes (SEC 1 section 3.3.1) */
int wn_ec_mont_secret(const struct wn_ec_curve *curve, const mp_int *d, const mp_int *x,
                      const mp_int *y, byte *out);
/* with the nonce k (SEC 1 section 4.1.3); MP_ZERO_E where r or s would be 0 */
int wn_ec_mont_sign(const struct wn_ec_curve *curve, const byte *hash, word32 n, const mp_int *d,
                    const byte *k, mp_int *r, mp_int *s);
/* SEC 1 section 4.1.4, steps 2 to 8; r and s in 1 .. n - 1 */
int wn_ec_mont_verify(const struct wn_ec_curve *curve, const byte *hash, word32 n, const mp_int *x,
                      const mp_int *y, const mp_int *r, const mp_int *s, int *good);

#endif
