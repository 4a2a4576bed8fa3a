/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The point tables of algs/ec_hot.h for one curve and one kind of CPU. In:
 *   BITS, WORDS of a number; MP_MOD, wolfCrypt's constant (whose name cannot be
 *   pasted, its end is a macro); STEP between two teeth; V, the suffix of
 *   wolfCrypt's functions; INVERT(s). V and INVERT are undefined at the end.
 *
 * No exceptional case of the addition occurs while 0 < k < n: all sums of teeth,
 * and all prefixes of k taken column by column, are below n and differ, so
 * nothing but the empty sum is infinity (which wolfCrypt's addition knows by a
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
static void OWN(all_affine)(ENTRY *table, const unsigned char *index, int n,
                            sp_digit z[][2 * WORDS])
{
    sp_digit product[64][2 * WORDS], inv[2 * WORDS], one[2 * WORDS], tmp[TEMP];
    int i;

    XMEMCPY(product[0], z[0], SIZE);
    for (i = 1; i < n; i++)
        MUL(product[i], product[i - 1], z[i]);
    SP(mont_inv)(inv, product[n - 1], tmp);
    for (i = n - 1; i > 0; i--) {
        MUL(one, inv, product[i - 1]);      /* 1 / z[i] */
        OWN(to_affine)(&table[index[i]], one);
        MUL(inv, inv, z[i]);
    }
    OWN(to_affine)(&table[index[0]], inv);
}

static void OWN(put)(ENTRY *e, sp_digit *z, const POINT *p)
{
    XMEMCPY(e->x, p->x, SIZE);
    XMEMCPY(e->y, p->y, SIZE);
    XMEMCPY(z, p->z, SIZE);
}

static int OWN(build)(void *vtable, const mp_int *x, const mp_int *y)
{
    ENTRY *table = (ENTRY *)vtable;
    sp_digit tmp[TEMP], z[64][2 * WORDS];
    unsigned char index[64];
    POINT t, tooth;
    int i, j, n = 0, err;

    XMEMSET(table, 0, WN_EC_HOT_ENTRIES * sizeof(*table));
    XMEMSET(&t, 0, sizeof(t));
    XMEMSET(&tooth, 0, sizeof(tooth));
    PASTE(sp_, BITS, _, from_mp)(t.x, WORDS, x);
    PASTE(sp_, BITS, _, from_mp)(t.y, WORDS, y);
    err = SP(mod_mul_norm)(t.x, t.x, P(mod));
    if (err == MP_OKAY)
        err = SP(mod_mul_norm)(t.y, t.y, P(mod));
    if (err != MP_OKAY)
        return err;
    XMEMCPY(t.z, P(norm_mod), sizeof(P(norm_mod)));
    XMEMCPY(tooth.z, P(norm_mod), sizeof(P(norm_mod)));
    XMEMCPY(table[1].x, t.x, SIZE);
    XMEMCPY(table[1].y, t.y, SIZE);
    for (i = 1; i < 6; i++) {
        SP(proj_point_dbl_n)(&t, STEP, tmp);
        OWN(put)(&table[1 << i], z[n], &t);
        index[n++] = (unsigned char)(1 << i);
    }
    OWN(all_affine)(table, index, n, z);
    for (i = 1, n = 0; i < 6; i++) {
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
    OWN(all_affine)(table, index, n, z);
    return MP_OKAY;
}

/* The bits of column i, one of each tooth. */
static int OWN(column)(const sp_digit *k, int i)
{
    int j, y = 0;

    for (j = 0; j < 6 && i < BITS; j++, i += STEP)
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

/* r = k Q, 0 < k < n; ct: k is secret. */
static void OWN(multiply)(POINT *r, const ENTRY *table, const sp_digit *k, int ct)
{
    sp_digit tmp[TEMP];
    POINT p;
    int i, y;

    XMEMSET(&p, 0, sizeof(p));
    XMEMSET(r, 0, sizeof(*r));
    XMEMCPY(p.z, P(norm_mod), SIZE);
    XMEMCPY(r->z, P(norm_mod), SIZE);
    OWN(pick)(r, table, OWN(column)(k, STEP - 1), ct);
    for (i = STEP - 2; i >= 0; i--) {
        SP(proj_point_dbl)(r, r, tmp);
        y = OWN(column)(k, i);
        if (!ct && y == 0)
            continue;
        OWN(pick)(&p, table, y, ct);
        SP(proj_point_add_qz1)(r, r, &p, tmp);
    }
    if (ct) {
        ForceZero(tmp, sizeof(tmp));
        ForceZero(&p, sizeof(p));
    }
}

static int OWN(secret)(const void *table, const mp_int *d, byte *out)
{
    sp_digit k[WORDS], tmp[TEMP];
    POINT p;

    PASTE(sp_, BITS, _, from_mp)(k, WORDS, d);
    OWN(multiply)(&p, (const ENTRY *)table, k, 1);
    SP(map)(&p, &p, tmp);
    SPC(to_bin)(p.x, out);
    ForceZero(k, sizeof(k));
    ForceZero(tmp, sizeof(tmp));
    ForceZero(&p, sizeof(p));
    return MP_OKAY;
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
    int i, at, bit;

    for (i = 0; i < WINDOWS; i++) {
        at = 6 * i / 64;
        bit = 6 * i % 64;
        y = at < WORDS ? (unsigned)(k[at] >> bit) : 0;
        if (bit > 58 && at + 1 < WORDS)
            y |= (unsigned)(k[at + 1] << (64 - bit));
        y = (y & 63) + sign;
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
    PASTE(sp_, BITS, _, from_mp)(k, WORDS, d);
    PASTE(sp_, BITS, _, from_mp)(t[1].x, WORDS, x);
    PASTE(sp_, BITS, _, from_mp)(t[1].y, WORDS, y);
    err = SP(mod_mul_norm)(t[1].x, t[1].x, P(mod));
    if (err == MP_OKAY)
        err = SP(mod_mul_norm)(t[1].y, t[1].y, P(mod));
    if (err != MP_OKAY)
        return err;
    XMEMCPY(t[1].z, P(norm_mod), sizeof(P(norm_mod)));
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
    SP(map)(&r, &r, tmp);
    SPC(to_bin)(r.x, out);
    ForceZero(k, sizeof(k));
    ForceZero(tmp, sizeof(tmp));
    ForceZero(&r, sizeof(r));
    ForceZero(&p, sizeof(p));
    ForceZero(minus, sizeof(minus));
    ForceZero(size, sizeof(size));
    ForceZero(negative, sizeof(negative));
    return MP_OKAY;
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

/* u1 = e / s, u2 = r / s; p1 = u1 G + u2 Q */
static int OWN(verify_point)(POINT *p1, const ENTRY *table, sp_digit *u1, sp_digit *u2,
                             sp_digit *s)
{
    sp_digit tmp[TEMP];
    POINT p2;
    int err = INVERT(s);

    if (err == MP_OKAY) {
        SP(mul)(s, s, P(norm_order));
        err = SPC(mod)(s, s, P(order));
    }
    if (err != MP_OKAY)
        return err;
    SP(mont_mul_order)(u1, u1, s);
    SP(mont_mul_order)(u2, u2, s);
    err = SP(ecc_mulmod_base)(p1, u1, 0, 0, NULL);
    if (err != MP_OKAY)
        return err;
    if (SPC(iszero)(p1->z))
        p1->infinity = 1;
    OWN(multiply)(&p2, table, u2, 0);
    SPC(add_points)(p1, &p2, tmp);
    return MP_OKAY;
}

static int OWN(verify)(const void *table, const byte *hash, word32 n, const mp_int *r,
                       const mp_int *s, int *good)
{
    sp_digit u1[2 * WORDS] = { 0 }, u2[2 * WORDS] = { 0 }, si[2 * WORDS] = { 0 };
    sp_digit zz[2 * WORDS], v[2 * WORDS] = { 0 };
    POINT p;
    int err;

    *good = 0;
    if (n > (BITS + 7) / 8)
        n = (BITS + 7) / 8;
    PASTE(sp_, BITS, _, from_bin)(u1, WORDS, hash, (int)n);
#if BITS == 521
    if (n == 66)
        sp_521_rshift_9(u1, u1, 7);
#endif
    PASTE(sp_, BITS, _, from_mp)(u2, WORDS, r);
    PASTE(sp_, BITS, _, from_mp)(si, WORDS, s);
    XMEMSET(&p, 0, sizeof(p));
    err = OWN(verify_point)(&p, (const ENTRY *)table, u1, u2, si);
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
#undef INVERT
