/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two ways to calculate on a curve (inside ec*.c): wolfCrypt's SP code for
 * one curve each (ec_sp.c), and its generic code for all others (ec_generic.c). */
#ifndef WN_EC_OPS_H
#define WN_EC_OPS_H

#include "ec.h"

/* Tables for one point, and what is better than wolfCrypt's (ec_hot.h). size 0: there are none
 * in this configuration. */
struct wn_ec_hot {
    size_t size;
    int (*build)(void *table, const mp_int *x, const mp_int *y);
    int (*verify)(const void *table, const byte *hash, word32 n, const mp_int *r,
                  const mp_int *s, int *good);
    int (*secret)(const void *table, const mp_int *d, byte *out);
    /* for a point without a table; NULL, as all from here: wolfCrypt's own serves */
    int (*secret_once)(const mp_int *x, const mp_int *y, const mp_int *d, byte *out);
    int (*make_key)(WC_RNG *rng, mp_int *d, ecc_point *q);
    int (*base)(const mp_int *d, ecc_point *q);
    int (*sign)(const byte *hash, word32 n, WC_RNG *rng, const mp_int *d, mp_int *r, mp_int *s,
                const mp_int *k);
    int (*verify_once)(const byte *hash, word32 n, const mp_int *x, const mp_int *y,
                       const mp_int *r, const mp_int *s, int *good);
};
extern const struct wn_ec_hot wn_ec_hot_256, wn_ec_hot_384, wn_ec_hot_521;

/* All return a wolfCrypt code. Numbers are in range, points on the curve. */
struct wn_ec_sp {
    int (*make_key)(WC_RNG *rng, mp_int *d, ecc_point *q);
    int (*base)(const mp_int *d, ecc_point *q);
    int (*on_curve)(const mp_int *x, const mp_int *y);
    int (*uncompress)(mp_int *x, int odd, mp_int *y);
    int (*secret)(const mp_int *d, const ecc_point *q, byte *out, word32 *len);
    int (*sign)(const byte *hash, word32 n, WC_RNG *rng, const mp_int *d, mp_int *r, mp_int *s,
                mp_int *k);
    int (*verify)(const byte *hash, word32 n, const mp_int *x, const mp_int *y, const mp_int *r,
                  const mp_int *s, int *good);
    const struct wn_ec_hot *hot;
};
extern const struct wn_ec_sp wn_ec_sp_256, wn_ec_sp_384, wn_ec_sp_521;

/* The same for any curve; d, x, y of the key object. */
int wn_ec_generic_make_key(const struct wn_ec_key *key, WC_RNG *rng, mp_int *d);
int wn_ec_generic_base(const struct wn_ec_key *key, const mp_int *d, mp_int *x, mp_int *y);
int wn_ec_generic_on_curve(const struct wn_prov *prov, const struct wn_ec_curve *curve,
                           const mp_int *x, const mp_int *y);
int wn_ec_generic_uncompress(const struct wn_prov *prov, const struct wn_ec_curve *curve,
                             const mp_int *x, int odd, mp_int *y);
int wn_ec_generic_secret(const struct wn_ec_key *key, const struct wn_ec_key *peer, int cofactor,
                         byte *out, word32 *len);
int wn_ec_generic_sign(const struct wn_ec_key *key, const byte *hash, word32 n, mp_int *r,
                       mp_int *s, const byte *k);
int wn_ec_generic_verify(const struct wn_ec_key *key, const byte *hash, word32 n, mp_int *r,
                         mp_int *s, int *good);
/* *right: n Q is infinity */
int wn_ec_generic_right_order(const struct wn_ec_key *key, int *right);

/* root^2 = a modulo p; MP_VAL if there is none (ec_sqrt.c) */
int wn_ec_sqrt(const struct wn_prov *prov, mp_int *a, mp_int *p, mp_int *root);

/*
 * The table of a public key, NULL while it has none. Counts the use; the fourth
 * one builds the table, because building costs about 1.5 of what a use with it
 * then saves (ec_table.c). For curves with SP code. Never fails.
 */
const void *wn_ec_table(struct wn_ec_key *key);
void wn_ec_table_drop(struct wn_ec_key *key);

#endif
