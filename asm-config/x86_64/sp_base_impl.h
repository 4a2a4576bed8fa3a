/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multiples of the base point, key generation and ECDSA's signature (FIPS 186-5
 * section 6.4.1) for one curve and one kind of CPU; part of sp_hot_impl.h, whose
 * macros it uses. Arithmetic and table are wolfCrypt's. Not wolfCrypt's are the
 * recoding of the scalar, which looks nothing up at an address made of a secret,
 * and the inversions (inverse.h).
 */

/* t = R^3 modulo p: with it a Montgomery product makes of the inverse of a R that of a, in
 * Montgomery form */
static int OWN(r_cubed)(sp_digit *t)
{
    int err = SP(mod_mul_norm)(t, P(norm_mod), P(mod));

    return err == MP_OKAY ? SP(mod_mul_norm)(t, t, P(mod)) : err;
}

static void OWN(reduce_once)(sp_digit *a, const sp_digit *m)
{
    SPC(cond_sub)(a, a, m, (sp_digit)0 - (sp_digit)(SPC(cmp)(a, m) >= 0));
}

/* r = 1 / a modulo p, both in Montgomery form; ct: a is secret */
static int OWN(invert)(sp_digit *r, const sp_digit *a, int ct)
{
    sp_digit inv[2 * WORDS], cube[2 * WORDS];
    int err = OWN(r_cubed)(cube);

    XMEMCPY(inv, a, SIZE);
    OWN(reduce_once)(inv, P(mod));
    if (ct)
        wn_inverse(inv, inv, P(mod), BITS, 0);
    else
        wn_inverse(inv, inv, P(mod), BITS, 1);
    MUL(r, inv, cube);
    ForceZero(inv, sizeof(inv));
    return err;
}

/* Out of Montgomery form, 0 .. p - 1. */
static void OWN(from_montgomery)(sp_digit *a)
{
    sp_digit one[2 * WORDS] = { 1 };

    MUL(a, a, one);
    OWN(reduce_once)(a, P(mod));
}

/* The affine x, and if wanted y, of p. */
static int OWN(affine)(POINT *p, int want_y)
{
    sp_digit inv[2 * WORDS], square[2 * WORDS];
    int err = OWN(invert)(inv, p->z, 1);

    SQR(square, inv);
    MUL(p->x, p->x, square);
    OWN(from_montgomery)(p->x);
    if (want_y) {
        MUL(square, square, inv);
        MUL(p->y, p->y, square);
        OWN(from_montgomery)(p->y);
    }
    ForceZero(inv, sizeof(inv));
    ForceZero(square, sizeof(square));
    return err;
}

/* ---- multiples of the base point ---- */

#define BASE_WINDOWS ((BITS + 7) / 7)   /* of 7 bits, one bit more than k has for the carry */
#define BASE_ENTRIES 65                 /* 0 .. 64 times 2^(7 i) G */

/* The `width` bits of k (7 at most) from bit width * i on. */
static unsigned OWN(window)(const sp_digit *k, int i, int width)
{
    int at = width * i / 64, bit = width * i % 64;
    unsigned y = at < WORDS ? (unsigned)(k[at] >> bit) : 0;

    if (bit > 64 - width && at + 1 < WORDS)
        y |= (unsigned)(k[at + 1] << (64 - bit));
    return y & ((1U << width) - 1);
}

/* k as digits of -63 .. 64: size and sign */
static void OWN(recode_base)(unsigned char size[BASE_WINDOWS],
                             unsigned char negative[BASE_WINDOWS], const sp_digit *k)
{
    unsigned y, sign = 0;
    int i;

    for (i = 0; i < BASE_WINDOWS; i++) {
        y = OWN(window)(k, i, 7) + sign;
        sign = (64 - y) >> 31;                              /* 65 .. 128: borrow */
        size[i] = (unsigned char)((y ^ (0 - sign)) + 129 * sign);
        negative[i] = (unsigned char)sign;
    }
}

static void OWN(pick_base)(POINT *p, const ENTRY *table, int y, int ct)
{
    if (ct) {
        SP(get_entry_65)(p, table, y);
    } else {
        XMEMCPY(p->x, table[y].x, SIZE);
        XMEMCPY(p->y, table[y].y, SIZE);
    }
    p->infinity = !y;
}

/* r = k G; ct: k is secret */
static void OWN(base)(POINT *r, const sp_digit *k, int ct)
{
    unsigned char size[BASE_WINDOWS], negative[BASE_WINDOWS];
    sp_digit tmp[TEMP], minus[2 * WORDS];
    const ENTRY *table = &P(table)[(BASE_WINDOWS - 1) * BASE_ENTRIES];
    POINT p;
    int i;

    XMEMSET(&p, 0, sizeof(p));
    XMEMSET(r, 0, sizeof(*r));
    XMEMCPY(p.z, P(norm_mod), SIZE);
    XMEMCPY(r->z, P(norm_mod), SIZE);
    OWN(recode_base)(size, negative, k);
    OWN(pick_base)(r, table, size[BASE_WINDOWS - 1], ct);   /* not negative */
    for (i = BASE_WINDOWS - 2; i >= 0; i--) {
        table -= BASE_ENTRIES;
        if (!ct && size[i] == 0)
            continue;
        OWN(pick_base)(&p, table, size[i], ct);
        SPC(sub)(minus, P(mod), p.y);
        SPC(cond_copy)(p.y, minus, (sp_digit)0 - negative[i]);
        SP(proj_point_add_qz1)(r, r, &p, tmp);
    }
    if (ct) {
        ForceZero(tmp, sizeof(tmp));
        ForceZero(minus, sizeof(minus));
        ForceZero(&p, sizeof(p));
        ForceZero(size, sizeof(size));
        ForceZero(negative, sizeof(negative));
    }
}

/* ---- keys ---- */

static int OWN(public)(const sp_digit *k, ecc_point *q)
{
    POINT p;
    int err;

    OWN(base)(&p, k, 1);
    err = OWN(affine)(&p, 1);
    if (err == MP_OKAY)
        err = PASTE(sp_, BITS, _, to_mp)(p.x, q->x);
    if (err == MP_OKAY)
        err = PASTE(sp_, BITS, _, to_mp)(p.y, q->y);
    ForceZero(p.z, sizeof(p.z));    /* the affine coordinates are public */
    return err;
}

static int OWN(public_of)(const mp_int *d, ecc_point *q)
{
    sp_digit k[WORDS];
    int err;

    PASTE(sp_, BITS, _, from_mp)(k, WORDS, d);
    err = OWN(public)(k, q);
    ForceZero(k, sizeof(k));
    return err;
}

static int OWN(make_key)(WC_RNG *rng, mp_int *d, ecc_point *q)
{
    sp_digit k[WORDS];
    int err = SPC(ecc_gen_k)(rng, k);

    if (err == MP_OKAY)
        err = OWN(public)(k, q);
    if (err == MP_OKAY)
        err = PASTE(sp_, BITS, _, to_mp)(k, d);
    ForceZero(k, sizeof(k));
    return err;
}

/* ---- signature ---- */

/* r = R^2 modulo n, public */
static int OWN(order_r_squared)(sp_digit *r)
{
    SP(mul)(r, P(norm_order), P(norm_order));
    return SPC(mod)(r, r, P(order));
}

/* s = (e + r d) / k modulo n; e < 2^BITS. No division has a secret in it. */
static int OWN(solve_s)(sp_digit *s, const sp_digit *e, const sp_digit *r, const sp_digit *d,
                         const sp_digit *k)
{
    sp_digit square[2 * WORDS], t[2 * WORDS], inv[2 * WORDS] = { 0 };
    sp_digit carry;
    int err = OWN(order_r_squared)(square);

    SP(mont_mul_order)(t, r, square);           /* r R */
    SP(mont_mul_order)(t, t, d);                /* r d */
    carry = SPC(add)(t, t, e);
    SPC(cond_sub)(t, t, P(order), (sp_digit)0 - carry);
    OWN(reduce_once)(t, P(order));
    wn_inverse(inv, k, P(order), BITS, 0);
    SP(mont_mul_order)(t, t, square);
    SP(mont_mul_order)(s, t, inv);
    OWN(reduce_once)(s, P(order));
    ForceZero(t, sizeof(t));
    ForceZero(inv, sizeof(inv));
    return err;
}

/* e, from the leftmost bits of the hash */
static void OWN(hash_number)(sp_digit *e, const byte *hash, word32 n)
{
    if (n > (BITS + 7) / 8)
        n = (BITS + 7) / 8;
    PASTE(sp_, BITS, _, from_bin)(e, WORDS, hash, (int)n);
#if BITS == 521
    if (n == 66)
        sp_521_rshift_9(e, e, 7);
#endif
}

/* One attempt with the nonce k; *good: neither r nor s is zero. */
static int OWN(sign_with)(const sp_digit *k, const sp_digit *e, const sp_digit *d, sp_digit *r,
                          sp_digit *s, int *good)
{
    POINT p;
    int err;

    OWN(base)(&p, k, 1);
    err = OWN(affine)(&p, 0);
    XMEMCPY(r, p.x, SIZE);
    OWN(reduce_once)(r, P(order));
    if (err == MP_OKAY)
        err = OWN(solve_s)(s, e, r, d, k);
    *good = err == MP_OKAY && !SPC(iszero)(r) && !SPC(iszero)(s);
    ForceZero(&p, sizeof(p));
    return err;
}

/* km: the nonce, or NULL for a random one */
static int OWN(sign)(const byte *hash, word32 n, WC_RNG *rng, const mp_int *dm, mp_int *rm,
                     mp_int *sm, const mp_int *km)
{
    sp_digit e[2 * WORDS] = { 0 }, d[WORDS], k[WORDS], r[2 * WORDS], s[2 * WORDS];
    int err = MP_OKAY, good = 0, tries;

    OWN(hash_number)(e, hash, n);
    PASTE(sp_, BITS, _, from_mp)(d, WORDS, dm);
    for (tries = 64; err == MP_OKAY && !good && tries > 0; tries--) {
        if (km != NULL && tries == 64)
            PASTE(sp_, BITS, _, from_mp)(k, WORDS, km);
        else
            err = SPC(ecc_gen_k)(rng, k);
        if (err == MP_OKAY)
            err = OWN(sign_with)(k, e, d, r, s, &good);
    }
    if (err == MP_OKAY && !good)
        err = RNG_FAILURE_E;
    if (err == MP_OKAY)
        err = PASTE(sp_, BITS, _, to_mp)(r, rm);
    if (err == MP_OKAY)
        err = PASTE(sp_, BITS, _, to_mp)(s, sm);
    ForceZero(d, sizeof(d));
    ForceZero(k, sizeof(k));
    return err;
}

#undef BASE_WINDOWS
#undef BASE_ENTRIES
