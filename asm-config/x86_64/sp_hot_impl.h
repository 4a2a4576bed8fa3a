/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions of algs/ec_hot.h for one curve and one kind of CPU. In:
 *   BITS, WORDS of a number; MP_MOD, wolfCrypt's constant (whose name cannot be
 *   pasted, its end is a macro); STEP between two teeth; V, the suffix of
 *   wolfCrypt's functions. V is undefined at the end.
 *
 * No exceptional case of the addition occurs in a table while 0 < k < n: all sums
 * of teeth, and all prefixes of k taken column by column, are below n and differ,
 * so nothing but the empty sum is infinity (which wolfCrypt's addition knows by a
 * flag) and no two operands are equal or opposite.
 */
#define PASTE_(a, b, c, d) a##b##c##d
#define PASTE(a, b, c, d) PASTE_(a, b, c, d)
#define SP(name) PASTE(PASTE(sp_, BITS, _, name), _, V, )           /* kind of CPU */
#define SPC(name) PASTE(PASTE(sp_, BITS, _, name), _, WORDS, )      /* common code */
#define OWN(name) PASTE(PASTE(wn_, name, _, BITS), _, V, )
#define POINT PASTE(sp_point_, BITS, , )
#define ENTRY PASTE(sp_table_entry_, BITS, , )
#define P(name) PASTE(p, BITS, _, name)
#define SIZE (WORDS * sizeof(sp_digit))
#define TEMP (14 * WORDS)   /* digits; the most that a function here uses is 12 */
#define MUL(r, a, b) SP(mont_mul)(r, a, b, P(mod), MP_MOD)
#define SQR(r, a) SP(mont_sqr)(r, a, P(mod), MP_MOD)

#include "sp_base_impl.h"

/* ---- tables ---- */

/* x /= z^2, y /= z^3, given 1 / z */
static void OWN(to_affine)(ENTRY *e, const sp_digit *inv)
{
    sp_digit t[2 * WORDS], x[2 * WORDS], y[2 * WORDS];

    SQR(t, inv);
    MUL(x, e->x, t);
    MUL(t, t, inv);
    MUL(y, e->y, t);
    XMEMCPY(e->x, x, SIZE);
    XMEMCPY(e->y, y, SIZE);
}

/* Makes the n entries that index lists affine; z has theirs. One inversion for all. */
static int OWN(all_affine)(ENTRY *table, const unsigned char *index, int n,
                           sp_digit z[][2 * WORDS])
{
    sp_digit product[64][2 * WORDS], inv[2 * WORDS], one[2 * WORDS];
    int i, err;

    XMEMCPY(product[0], z[0], SIZE);
    for (i = 1; i < n; i++)
        MUL(product[i], product[i - 1], z[i]);
    err = OWN(invert)(inv, product[n - 1], 0);
    for (i = n - 1; i > 0; i--) {
        MUL(one, inv, product[i - 1]);      /* 1 / z[i] */
        OWN(to_affine)(&table[index[i]], one);
        MUL(inv, inv, z[i]);
    }
    OWN(to_affine)(&table[index[0]], inv);
    return err;
}

static void OWN(put)(ENTRY *e, sp_digit *z, const POINT *p)
{
    XMEMCPY(e->x, p->x, SIZE);
    XMEMCPY(e->y, p->y, SIZE);
    XMEMCPY(z, p->z, SIZE);
}

/* Q to Montgomery form, z = 1 */
static int OWN(load)(POINT *q, const mp_int *x, const mp_int *y)
{
    int err;

    XMEMSET(q, 0, sizeof(*q));
    PASTE(sp_, BITS, _, from_mp)(q->x, WORDS, x);
    PASTE(sp_, BITS, _, from_mp)(q->y, WORDS, y);
    err = SP(mod_mul_norm)(q->x, q->x, P(mod));
    if (err == MP_OKAY)
        err = SP(mod_mul_norm)(q->y, q->y, P(mod));
    XMEMCPY(q->z, P(norm_mod), SIZE);
    return err;
}

#define HALF ((STEP + 1) / 2)

/* The teeth of both halves: 2^(STEP i) q and 2^(STEP i + HALF) q */
static int OWN(build_teeth)(ENTRY *table, POINT *q)
{
    sp_digit tmp[TEMP], z[11][2 * WORDS];
    unsigned char index[11];
    int i, n = 0;

    XMEMCPY(table[1].x, q->x, SIZE);
    XMEMCPY(table[1].y, q->y, SIZE);
    for (i = 1; i < 12; i++) {
        SP(proj_point_dbl_n)(q, i % 2 == 1 ? HALF : STEP - HALF, tmp);
        index[n] = (unsigned char)((i % 2 == 1 ? 64 : 0) + (1 << (i / 2)));
        OWN(put)(&table[index[n]], z[n], q);
        n++;
    }
    return OWN(all_affine)(table, index, n, z);
}

/* From its teeth the other entries of one half */
static int OWN(build_sums)(ENTRY *table)
{
    sp_digit tmp[TEMP], z[64][2 * WORDS];
    unsigned char index[64];
    POINT t, tooth;
    int i, j, n = 0;

    XMEMSET(&t, 0, sizeof(t));
    XMEMSET(&tooth, 0, sizeof(tooth));
    XMEMCPY(tooth.z, P(norm_mod), SIZE);
    for (i = 1; i < 6; i++) {
        XMEMCPY(tooth.x, table[1 << i].x, SIZE);
        XMEMCPY(tooth.y, table[1 << i].y, SIZE);
        for (j = (1 << i) + 1; j < 1 << (i + 1); j++) {
            int from = j - (1 << i), k;

            XMEMCPY(t.x, table[from].x, SIZE);
            XMEMCPY(t.y, table[from].y, SIZE);
            XMEMCPY(t.z, P(norm_mod), SIZE);
            for (k = 0; k < n; k++)         /* teeth are affine, sums not yet */
                if (index[k] == from)
                    XMEMCPY(t.z, z[k], SIZE);
            SP(proj_point_add_qz1)(&t, &t, &tooth, tmp);
            OWN(put)(&table[j], z[n], &t);
            index[n++] = (unsigned char)j;
        }
    }
    return OWN(all_affine)(table, index, n, z);
}

static int OWN(build)(void *vtable, const mp_int *x, const mp_int *y)
{
    ENTRY *table = (ENTRY *)vtable;
    POINT q;
    int err;

    XMEMSET(table, 0, WN_EC_HOT_ENTRIES * sizeof(*table));
    err = OWN(load)(&q, x, y);
    if (err == MP_OKAY)
        err = OWN(build_teeth)(table, &q);
    if (err == MP_OKAY)
        err = OWN(build_sums)(table);
    return err == MP_OKAY ? OWN(build_sums)(table + 64) : err;
}

/* The bits of column i of one half, one of each tooth; first: 0 or HALF. */
static int OWN(column)(const sp_digit *k, int first, int i)
{
    int j, y = 0;

    if (first + i >= STEP)
        return 0;
    for (j = 0, i += first; j < 6 && i < BITS; j++, i += STEP)
        y |= (int)((k[i / 64] >> (i % 64)) & 1) << j;
    return y;
}

static void OWN(pick)(POINT *p, const ENTRY *table, int y, int ct)
{
    if (ct) {
        SP(get_entry_64)(p, table, y);
    } else {
        XMEMCPY(p->x, table[y].x, SIZE);
        XMEMCPY(p->y, table[y].y, SIZE);
    }
    p->infinity = !y;
}

/* r += entry y */
static void OWN(add_entry)(POINT *r, POINT *p, const ENTRY *table, int y, int ct, sp_digit *tmp)
{
    if (!ct && y == 0)
        return;
    OWN(pick)(p, table, y, ct);
    SP(proj_point_add_qz1)(r, r, p, tmp);
}

/* r = k Q, 0 < k < n; ct: k is secret. */
static void OWN(multiply)(POINT *r, const ENTRY *table, const sp_digit *k, int ct)
{
    sp_digit tmp[TEMP];
    POINT p;
    int i;

    XMEMSET(&p, 0, sizeof(p));
    XMEMSET(r, 0, sizeof(*r));
    XMEMCPY(p.z, P(norm_mod), SIZE);
    XMEMCPY(r->z, P(norm_mod), SIZE);
    OWN(pick)(r, table, OWN(column)(k, 0, HALF - 1), ct);
    OWN(add_entry)(r, &p, table + 64, OWN(column)(k, HALF, HALF - 1), ct, tmp);
    for (i = HALF - 2; i >= 0; i--) {
        SP(proj_point_dbl)(r, r, tmp);
        OWN(add_entry)(r, &p, table + 64, OWN(column)(k, HALF, i), ct, tmp);
        OWN(add_entry)(r, &p, table, OWN(column)(k, 0, i), ct, tmp);
    }
    if (ct) {
        ForceZero(tmp, sizeof(tmp));
        ForceZero(&p, sizeof(p));
    }
}

static int OWN(secret)(const void *table, const mp_int *d, byte *out)
{
    sp_digit k[WORDS];
    POINT p;
    int err;

    PASTE(sp_, BITS, _, from_mp)(k, WORDS, d);
    OWN(multiply)(&p, (const ENTRY *)table, k, 1);
    err = OWN(affine)(&p, 0);
    SPC(to_bin)(p.x, out);
    ForceZero(k, sizeof(k));
    ForceZero(&p, sizeof(p));
    return err;
}

/* ---- a point without a table ---- */

#define WINDOWS ((BITS + 6) / 6)    /* of 6 bits, one bit more than k has for the carry */

/* t[0] .. t[32] = 0 .. 32 times t[1] */
static void OWN(multiples)(POINT *t, sp_digit *tmp)
{
    int i;

    XMEMSET(&t[0], 0, sizeof(t[0]));
    t[0].infinity = 1;
    SP(proj_point_dbl_n_store)(t, &t[1], 5, 1, tmp);        /* 2, 4, 8, 16, 32 */
    SP(proj_point_add)(&t[3], &t[2], &t[1], tmp);
    for (i = 6; i < 32; i += 2) {
        if ((i & (i - 1)) == 0)
            continue;
        SP(proj_point_dbl)(&t[i], &t[i / 2], tmp);
        if (i % 4 == 2)
            SP(proj_point_add_sub)(&t[i + 1], &t[i - 1], &t[i], &t[1], tmp);
    }
}

/*
 * k as digits of -32 .. 31 (the highest: 0 .. 32): size and sign. wolfCrypt's own
 * recoding looks both up in a table, at an address made of the secret.
 */
static void OWN(recode)(unsigned char size[WINDOWS], unsigned char negative[WINDOWS],
                        const sp_digit *k)
{
    unsigned y, sign = 0;
    int i;

    for (i = 0; i < WINDOWS; i++) {
        y = OWN(window)(k, i, 6) + sign;
        sign = (31 - y) >> 31;                              /* 32 .. 64: borrow */
        size[i] = (unsigned char)((y ^ (0 - sign)) + 65 * sign);
        negative[i] = (unsigned char)sign;
    }
}

/* The x-coordinate of k (x, y), 0 < k < n, which is secret. */
static int OWN(secret_once)(const mp_int *x, const mp_int *y, const mp_int *d, byte *out)
{
    POINT t[33], r, p;
    sp_digit k[WORDS], tmp[TEMP], minus[2 * WORDS];
    unsigned char size[WINDOWS], negative[WINDOWS];
    int i, err;

    XMEMSET(t, 0, sizeof(t));
    XMEMSET(&r, 0, sizeof(r));
    XMEMSET(&p, 0, sizeof(p));
    err = OWN(load)(&t[1], x, y);
    if (err != MP_OKAY)
        return err;
    PASTE(sp_, BITS, _, from_mp)(k, WORDS, d);
    OWN(multiples)(t, tmp);
    OWN(recode)(size, negative, k);
    i = WINDOWS - 1;
    SP(get_point_33)(&r, t, size[i]);
    r.infinity = !size[i];
    while (--i >= 0) {
        SP(proj_point_dbl_n)(&r, 6, tmp);
        SP(get_point_33)(&p, t, size[i]);
        p.infinity = !size[i];
        SPC(sub)(minus, P(mod), p.y);
        SPC(norm)(minus);
        SPC(cond_copy)(p.y, minus, (sp_digit)0 - negative[i]);
        SP(proj_point_add)(&r, &r, &p, tmp);
    }
    err = OWN(affine)(&r, 0);
    SPC(to_bin)(r.x, out);
    ForceZero(k, sizeof(k));
    ForceZero(tmp, sizeof(tmp));
    ForceZero(&r, sizeof(r));
    ForceZero(&p, sizeof(p));
    ForceZero(minus, sizeof(minus));
    ForceZero(size, sizeof(size));
    ForceZero(negative, sizeof(negative));
    return err;
}

/* A public k as odd digits of -15 .. 15, each followed by four zeros at least. */
static void OWN(recode_sparse)(signed char digit[BITS + 1], const sp_digit *k)
{
    int i, j, y, carry = 0;

    XMEMSET(digit, 0, BITS + 1);
    for (i = 0; i <= BITS; i++) {
        y = (i < BITS ? (int)(k[i / 64] >> (i % 64)) & 1 : 0);
        if (y == carry)                 /* together 0, or 2, which is carried on */
            continue;
        for (y = 1, j = 1; j < 5 && i + j < BITS; j++)
            y |= ((int)(k[(i + j) / 64] >> ((i + j) % 64)) & 1) << j;
        carry = y >= 16;
        digit[i] = (signed char)(y - 32 * carry);
        i += 4;
    }
}

/* odd[i] = (2 i + 1) q */
static int OWN(odd_multiples)(ENTRY odd[8], const POINT *q)
{
    static const unsigned char index[] = { 1, 2, 3, 4, 5, 6, 7 };
    sp_digit tmp[TEMP], z[7][2 * WORDS];
    POINT p = *q, twice;
    int i;

    XMEMSET(&twice, 0, sizeof(twice));
    XMEMCPY(odd[0].x, q->x, SIZE);
    XMEMCPY(odd[0].y, q->y, SIZE);
    SP(proj_point_dbl)(&twice, q, tmp);
    for (i = 1; i < 8; i++) {
        SP(proj_point_add)(&p, &p, &twice, tmp);
        OWN(put)(&odd[i], z[i - 1], &p);
    }
    return OWN(all_affine)(odd, index, 7, z);
}

/* r = k q for a public k, 0 < k < n; q as it was loaded. */
static int OWN(multiply_public)(POINT *r, const POINT *q, const sp_digit *k)
{
    signed char digit[BITS + 1];
    sp_digit tmp[TEMP];
    ENTRY odd[8];
    POINT p = *q;
    int i, y, doublings = 0, err = OWN(odd_multiples)(odd, q);

    XMEMSET(r, 0, sizeof(*r));
    XMEMCPY(r->z, P(norm_mod), SIZE);
    r->infinity = 1;
    OWN(recode_sparse)(digit, k);
    for (i = BITS; i >= 0; i--) {
        doublings += !r->infinity;
        if (digit[i] == 0)
            continue;
        if (doublings > 0)
            SP(proj_point_dbl_n)(r, doublings, tmp);
        doublings = 0;
        y = digit[i] < 0 ? -digit[i] : digit[i];
        XMEMCPY(p.x, odd[y / 2].x, SIZE);
        XMEMCPY(p.y, odd[y / 2].y, SIZE);
        if (digit[i] < 0)
            SPC(sub)(p.y, P(mod), p.y);
        SP(proj_point_add_qz1)(r, r, &p, tmp);
    }
    if (doublings > 0)
        SP(proj_point_dbl_n)(r, doublings, tmp);
    return err;
}

/* ---- verification ---- */

/* p->x z^-2 = v, for v below the modulus? */
static int OWN(has_x)(const POINT *p, const sp_digit *zz, sp_digit *v, int *same)
{
    sp_digit t[2 * WORDS];
    int err = SP(mod_mul_norm)(v, v, P(mod));

    if (err == MP_OKAY) {
        MUL(t, v, zz);
        *same = SPC(cmp)(p->x, t) == 0;
    }
    return err;
}

/* u1 = e / s, u2 = r / s; p1 = u1 G + u2 Q, Q by its table or, without one, from q. */
static int OWN(verify_point)(POINT *p1, const ENTRY *table, const POINT *q, sp_digit *u1,
                             sp_digit *u2, const sp_digit *s)
{
    sp_digit tmp[TEMP], inv[2 * WORDS] = { 0 }, square[2 * WORDS];
    POINT p2;
    int err = OWN(order_r_squared)(square);

    wn_inverse(inv, s, P(order), BITS, 1);
    SP(mont_mul_order)(inv, inv, square);
    SP(mont_mul_order)(u1, u1, inv);
    SP(mont_mul_order)(u2, u2, inv);
    OWN(reduce_once)(u1, P(order));
    OWN(reduce_once)(u2, P(order));
    if (err != MP_OKAY)
        return err;
    OWN(base)(p1, u1, 0);
    if (table != NULL)
        OWN(multiply)(&p2, table, u2, 0);
    else
        err = OWN(multiply_public)(&p2, q, u2);
    SPC(add_points)(p1, &p2, tmp);
    return err;
}

static int OWN(verify_with)(const ENTRY *table, const POINT *q, const byte *hash, word32 n,
                            const mp_int *r, const mp_int *s, int *good)
{
    sp_digit u1[2 * WORDS] = { 0 }, u2[2 * WORDS] = { 0 }, si[WORDS];
    sp_digit zz[2 * WORDS], v[2 * WORDS] = { 0 };
    POINT p;
    int err;

    *good = 0;
    OWN(hash_number)(u1, hash, n);
    PASTE(sp_, BITS, _, from_mp)(u2, WORDS, r);
    PASTE(sp_, BITS, _, from_mp)(si, WORDS, s);
    err = OWN(verify_point)(&p, table, q, u1, u2, si);
    if (err != MP_OKAY)
        return err;
    SQR(zz, p.z);
    PASTE(sp_, BITS, _, from_mp)(v, WORDS, r);
    err = OWN(has_x)(&p, zz, v, good);
    if (err != MP_OKAY || *good)
        return err;
    /* x may also be r + n, if that is below p */
    PASTE(sp_, BITS, _, from_mp)(v, WORDS, r);
    if (SPC(add)(v, v, P(order)) != 0 || SPC(cmp)(v, P(mod)) >= 0)
        return MP_OKAY;
    return OWN(has_x)(&p, zz, v, good);
}

static int OWN(verify)(const void *table, const byte *hash, word32 n, const mp_int *r,
                       const mp_int *s, int *good)
{
    return OWN(verify_with)((const ENTRY *)table, NULL, hash, n, r, s, good);
}

static int OWN(verify_once)(const byte *hash, word32 n, const mp_int *x, const mp_int *y,
                            const mp_int *r, const mp_int *s, int *good)
{
    POINT q;
    int err = OWN(load)(&q, x, y);

    *good = 0;
    return err == MP_OKAY ? OWN(verify_with)(NULL, &q, hash, n, r, s, good) : err;
}

#undef HALF
#undef WINDOWS
#undef PASTE_
#undef PASTE
#undef SP
#undef SPC
#undef OWN
#undef POINT
#undef ENTRY
#undef P
#undef SIZE
#undef TEMP
#undef MUL
#undef SQR
#undef V
