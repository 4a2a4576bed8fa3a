/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Included by ec_mont.c once for each number of digits N: arithmetic modulo an odd
 * number (a field's prime or a group's order), points, and scalar multiples.
 *
 * Numbers have N digits of 64 bits, the lowest first, and are less than the modulus.
 * Field elements are in Montgomery form (P. L. Montgomery, Math. Comp. 44 (1985)).
 * Points are projective (x = X / Z, y = Y / Z) and infinity is (0, 1, 0); sums are
 * those of J. Renes, C. Costello and L. Batina, "Complete addition formulas for
 * prime order elliptic curves", EUROCRYPT 2016, section 3.1, which hold for every
 * pair of points of a group of odd order, equal ones and infinity too.
 *
 * Constant time in all numbers but the modulus, save where a name says public.
 */
#define F_(name, n) wn_mont_##name##_##n
#define F__(name, n) F_(name, n)
#define F(name) F__(name, N)

struct F(point) {
    uint64_t x[N], y[N], z[N];
};

struct F(curve) {
    struct wn_mont_modulus p, n;
    uint64_t a[N], b3[N], one[N];       /* b3 = 3 b */
    enum wn_mont_a kind;
    int windows;
};

/* r = a - b modulo 2^(64 N); returns the borrow */
static inline uint64_t F(minus)(uint64_t *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t borrow = 0;
    wn_mont_wide w;
    int i;

WN_MONT_UNROLL
    for (i = 0; i < N; i++) {
        w = (wn_mont_wide)a[i] - b[i] - borrow;
        r[i] = (uint64_t)w;
        borrow = (uint64_t)(w >> 64) & 1;
    }
    return borrow;
}

/* r = t - m if that is not negative or `top` is 1, else t */
static inline void F(reduce)(uint64_t *r, const uint64_t *t, uint64_t top, const uint64_t *m)
{
    uint64_t d[N], keep = wn_mont_mask(F(minus)(d, t, m) & ~top);
    int i;

WN_MONT_UNROLL
    for (i = 0; i < N; i++)
        r[i] = d[i] ^ ((d[i] ^ t[i]) & keep);
}

static inline void F(add)(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m)
{
    uint64_t t[N];
    wn_mont_wide w = 0;
    int i;

WN_MONT_UNROLL
    for (i = 0; i < N; i++) {
        w += (wn_mont_wide)a[i] + b[i];
        t[i] = (uint64_t)w;
        w >>= 64;
    }
    F(reduce)(r, t, (uint64_t)w, m);
}

static inline void F(sub)(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m)
{
    uint64_t t[N], mask = wn_mont_mask(F(minus)(t, a, b));
    wn_mont_wide w;
    int i;

WN_MONT_UNROLL
    for (w = 0, i = 0; i < N; i++) {
        w += (wn_mont_wide)t[i] + (m[i] & mask);
        r[i] = (uint64_t)w;
        w >>= 64;
    }
}

/* r = a b / 2^(64 N) */
static void F(mul)(uint64_t *r, const uint64_t *a, const uint64_t *b,
                   const struct wn_mont_modulus *m)
{
    uint64_t t[N] = { 0 }, top = 0, q, carry;
    wn_mont_wide w;
    int i, j;

WN_MONT_UNROLL
    for (i = 0; i < N; i++) {
        w = 0;
WN_MONT_UNROLL
        for (j = 0; j < N; j++) {
            w = (wn_mont_wide)a[j] * b[i] + t[j] + (uint64_t)(w >> 64);
            t[j] = (uint64_t)w;
        }
        carry = (uint64_t)(w >> 64);
        q = t[0] * m->k;
        w = (wn_mont_wide)m->m[0] * q + t[0];
WN_MONT_UNROLL
        for (j = 1; j < N; j++) {
            w = (wn_mont_wide)m->m[j] * q + t[j] + (uint64_t)(w >> 64);
            t[j - 1] = (uint64_t)w;
        }
        w = (wn_mont_wide)top + carry + (uint64_t)(w >> 64);
        t[N - 1] = (uint64_t)w;
        top = (uint64_t)(w >> 64);
    }
    F(reduce)(r, t, top, m->m);
}

static void F(modulus)(struct wn_mont_modulus *to, const char *hex, size_t bytes)
{
    uint64_t x[N] = { 1 };
    int i;

    wn_mont_read_hex(to->m, N, hex, bytes);
    to->k = wn_mont_word(to->m[0]);
    for (i = 0; i < 2 * 64 * N; i++)
        F(add)(x, x, x, to->m);
    memcpy(to->rr, x, sizeof(x));
}

static void F(to)(uint64_t *r, const uint64_t *a, const struct wn_mont_modulus *m)
{
    F(mul)(r, a, m->rr, m);
}

static void F(from)(uint64_t *r, const uint64_t *a, const struct wn_mont_modulus *m)
{
    static const uint64_t one[N] = { 1 };

    F(mul)(r, a, one, m);
}

/* r = a^(m - 2) = 1 / a, in Montgomery form; 0 for 0 */
static void F(inverse)(uint64_t *r, const uint64_t *a, const struct wn_mont_modulus *m)
{
    uint64_t power[16][N], e[N], x[N];
    int i;

    minus(e, m->m, 2, N);
    memset(x, 0, sizeof(x));
    x[0] = 1;
    F(to)(power[0], x, m);
    for (i = 1; i < 16; i++)
        F(mul)(power[i], power[i - 1], a, m);
    memcpy(x, power[0], sizeof(x));
    for (i = 16 * N - 1; i >= 0; i--) {
        F(mul)(x, x, x, m);
        F(mul)(x, x, x, m);
        F(mul)(x, x, x, m);
        F(mul)(x, x, x, m);
        F(mul)(x, x, power[e[i / 16] >> (i % 16 * 4) & 15], m);
    }
    memcpy(r, x, sizeof(x));
    wn_clear(power, sizeof(power));
    wn_clear(x, sizeof(x));
}

/* ---- points ---- */

/* r = a x, a the curve's */
static inline void F(times_a)(uint64_t *r, const uint64_t *x, const struct F(curve) *c)
{
    static const uint64_t zero[N];
    uint64_t t[N];

    switch (c->kind) {
    case WN_MONT_A_0:
        memset(r, 0, sizeof(t));
        return;
    case WN_MONT_A_MINUS_3:
        F(add)(t, x, x, c->p.m);
        F(add)(t, t, x, c->p.m);
        F(sub)(r, zero, t, c->p.m);
        return;
    default:
        F(mul)(r, x, c->a, &c->p);
    }
}

/* What sums and doublings have in common: from A = X1 X2, B = Y1 Y2, C = Z1 Z2 and
 * the mixed D = X1 Y2 + X2 Y1, E = X1 Z2 + X2 Z1, F = Y1 Z2 + Y2 Z1. */
struct F(terms) {
    uint64_t A[N], B[N], C[N], D[N], E[N], F[N];
};

static inline void F(combine)(struct F(point) *r, struct F(terms) *t, int doubled,
                              const struct F(curve) *c)
{
    uint64_t G[N], H[N], J[N], u[N], sum[N];
    const uint64_t *m = c->p.m;

    F(times_a)(u, t->C, c);             /* a C */
    F(mul)(G, t->C, c->b3, &c->p);
    F(times_a)(J, t->E, c);
    F(add)(G, G, J, m);                 /* G = a E + 3 b C */
    F(add)(H, t->A, t->A, m);
    F(add)(H, H, t->A, m);
    F(add)(H, H, u, m);                 /* H = 3 A + a C */
    F(sub)(u, t->A, u, m);
    F(times_a)(u, u, c);
    F(mul)(J, t->E, c->b3, &c->p);
    F(add)(J, J, u, m);                 /* J = a (A - a C) + 3 b E */
    F(add)(sum, t->B, G, m);
    F(sub)(G, t->B, G, m);              /* B - G */
    F(mul)(r->x, t->D, G, &c->p);
    F(mul)(u, t->F, J, &c->p);
    F(sub)(r->x, r->x, u, m);
    F(mul)(r->y, H, J, &c->p);
    F(mul)(u, sum, G, &c->p);
    F(add)(r->y, r->y, u, m);
    if (doubled) {                      /* 8 Y^3 Z */
        F(mul)(r->z, t->F, t->B, &c->p);
        F(add)(r->z, r->z, r->z, m);
        F(add)(r->z, r->z, r->z, m);
    } else {
        F(mul)(r->z, t->F, sum, &c->p);
        F(mul)(u, t->D, H, &c->p);
        F(add)(r->z, r->z, u, m);
    }
}

/* r = x1 y2 + x2 y1, given x1 x2 and y1 y2 */
static inline void F(mixed)(uint64_t *r, const uint64_t *x1, const uint64_t *y1, const uint64_t *x2,
                            const uint64_t *y2, const uint64_t *xx, const uint64_t *yy,
                            const struct wn_mont_modulus *p)
{
    uint64_t s[N], t[N];

    F(add)(s, x1, y1, p->m);
    F(add)(t, x2, y2, p->m);
    F(mul)(r, s, t, p);
    F(add)(s, xx, yy, p->m);
    F(sub)(r, r, s, p->m);
}

static void F(point_add)(struct F(point) *r, const struct F(point) *a, const struct F(point) *b,
                         const struct F(curve) *c)
{
    struct F(terms) t;

    F(mul)(t.A, a->x, b->x, &c->p);
    F(mul)(t.B, a->y, b->y, &c->p);
    F(mul)(t.C, a->z, b->z, &c->p);
    F(mixed)(t.D, a->x, a->y, b->x, b->y, t.A, t.B, &c->p);
    F(mixed)(t.E, a->x, a->z, b->x, b->z, t.A, t.C, &c->p);
    F(mixed)(t.F, a->y, a->z, b->y, b->z, t.B, t.C, &c->p);
    F(combine)(r, &t, 0, c);
}

static void F(point_double)(struct F(point) *r, const struct F(point) *a, const struct F(curve) *c)
{
    struct F(terms) t;

    F(mul)(t.A, a->x, a->x, &c->p);
    F(mul)(t.B, a->y, a->y, &c->p);
    F(mul)(t.C, a->z, a->z, &c->p);
    F(mul)(t.D, a->x, a->y, &c->p);
    F(mul)(t.E, a->x, a->z, &c->p);
    F(mul)(t.F, a->y, a->z, &c->p);
    F(add)(t.D, t.D, t.D, c->p.m);
    F(add)(t.E, t.E, t.E, c->p.m);
    F(add)(t.F, t.F, t.F, c->p.m);
    F(combine)(r, &t, 1, c);
}

/* ---- Jacobian coordinates (x = X / Z^2, y = Y / Z^3): doubled with less ---- */

/* with powers of z, as they serve more than once; z = 0: infinity */
struct F(jacobian) {
    uint64_t x[N], y[N], z[N], zz[N], zzz[N];
};

static int F(is_zero)(const uint64_t *a)
{
    static const uint64_t zero[N];

    return memcmp(a, zero, sizeof(zero)) == 0;
}

static void F(powers)(struct F(jacobian) *r, const struct F(curve) *c)
{
    F(mul)(r->zz, r->z, r->z, &c->p);
    F(mul)(r->zzz, r->zz, r->z, &c->p);
}

/* zz of q is needed, zzz not, and none is made */
static void F(jacobian_double)(struct F(jacobian) *r, const struct F(jacobian) *q,
                               const struct F(curve) *c)
{
    uint64_t yy[N], s[N], m3[N], u[N];
    const uint64_t *m = c->p.m;

    F(mul)(yy, q->y, q->y, &c->p);
    F(mul)(s, q->x, yy, &c->p);
    F(add)(s, s, s, m);
    F(add)(s, s, s, m);                 /* S = 4 X Y^2 */
    if (c->kind == WN_MONT_A_MINUS_3) {
        F(sub)(u, q->x, q->zz, m);
        F(add)(m3, q->x, q->zz, m);
        F(mul)(m3, u, m3, &c->p);       /* X^2 - Z^4 */
    } else {
        F(mul)(m3, q->x, q->x, &c->p);
    }
    F(add)(u, m3, m3, m);
    F(add)(m3, u, m3, m);
    if (c->kind == WN_MONT_A_ANY) {
        F(mul)(u, q->zz, q->zz, &c->p);
        F(mul)(u, u, c->a, &c->p);
        F(add)(m3, m3, u, m);           /* M = 3 X^2 + a Z^4 */
    }
    F(mul)(r->z, q->y, q->z, &c->p);
    F(add)(r->z, r->z, r->z, m);        /* Z3 = 2 Y Z */
    F(mul)(u, m3, m3, &c->p);
    F(sub)(u, u, s, m);
    F(sub)(r->x, u, s, m);              /* X3 = M^2 - 2 S */
    F(sub)(s, s, r->x, m);
    F(mul)(s, s, m3, &c->p);
    F(add)(yy, yy, yy, m);
    F(mul)(yy, yy, yy, &c->p);          /* 4 Y^4 */
    F(add)(yy, yy, yy, m);
    F(sub)(r->y, s, yy, m);             /* Y3 = M (S - X3) - 8 Y^4 */
    F(mul)(r->zz, r->z, r->z, &c->p);
}

/* r = 16 r, by way of Jacobian coordinates */
static void F(times_16)(struct F(point) *r, const struct F(curve) *c)
{
    struct F(jacobian) q;
    uint64_t any = 0, infinite;
    int i;

    F(mul)(q.x, r->x, r->z, &c->p);
    memcpy(q.z, r->z, sizeof(q.z));
    F(mul)(q.zz, q.z, q.z, &c->p);
    F(mul)(q.y, r->y, q.zz, &c->p);
    for (i = 0; i < 4; i++)
        F(jacobian_double)(&q, &q, c);
    F(mul)(r->x, q.x, q.z, &c->p);
    F(mul)(r->z, q.zz, q.z, &c->p);
    for (i = 0; i < N; i++)
        any |= q.z[i];
    infinite = ~wn_mont_mask((any | (0 - any)) >> 63);
    for (i = 0; i < N; i++)             /* (0, 1, 0); x and z are 0 already */
        r->y[i] = q.y[i] | (c->one[i] & infinite);
    wn_clear(&q, sizeof(q));
}

static void F(table)(struct F(point) to[16], const struct F(point) *q, const struct F(curve) *c)
{
    int i;

    memset(to, 0, sizeof(to[0]));
    memcpy(to[0].y, c->one, sizeof(c->one));
    to[1] = *q;
    for (i = 2; i < 16; i += 2) {
        F(point_double)(&to[i], &to[i / 2], c);
        F(point_add)(&to[i + 1], &to[i], q, c);
    }
}

static void F(choose)(struct F(point) *r, const struct F(point) table[16], uint64_t at)
{
    const uint64_t *from;
    uint64_t *to = r->x, mask, i;
    size_t j;

    memset(r, 0, sizeof(*r));
    for (i = 0; i < 16; i++) {
        from = table[i].x;
        mask = wn_mont_mask(((i ^ at) - 1) >> 63);
        for (j = 0; j < 3 * N; j++)
            to[j] |= from[j] & mask;
    }
}

/* r = k q; k has c->windows windows of four bits */
static void F(multiply)(struct F(point) *r, const uint64_t *k, const struct F(point) *q,
                        const struct F(curve) *c)
{
    struct F(point) table[16], chosen;
    int i;

    F(table)(table, q, c);
    *r = table[0];
    for (i = c->windows - 1; i >= 0; i--) {
        F(times_16)(r, c);
        F(choose)(&chosen, table, k[i / 16] >> (i % 16 * 4) & 15);
        F(point_add)(r, r, &chosen, c);
    }
    wn_clear(table, sizeof(table));
    wn_clear(&chosen, sizeof(chosen));
}

/*
 * Multiples of the base point by a table: window J v + j of k (j < J) counts for
 * 16^j times table[v]'s 16^(J v) g, so that only 4 (J - 1) doublings are left.
 */
static int F(steps)(const struct F(curve) *c)
{
    return (c->windows + WN_MONT_PARTS - 1) / WN_MONT_PARTS;
}

static void F(build)(struct F(point) table[WN_MONT_PARTS][16], const struct F(point) *g,
                     const struct F(curve) *c)
{
    struct F(point) q = *g;
    int v, i;

    for (v = 0; v < WN_MONT_PARTS; v++) {
        F(table)(table[v], &q, c);
        for (i = 0; i < F(steps)(c); i++)
            F(times_16)(&q, c);
    }
}

static void F(multiply_by_table)(struct F(point) *r, const uint64_t *k,
                                 const struct F(point) table[WN_MONT_PARTS][16],
                                 const struct F(curve) *c)
{
    int steps = F(steps)(c), v, j, at;
    struct F(point) chosen;

    *r = table[0][0];
    for (j = steps - 1; j >= 0; j--) {
        F(times_16)(r, c);
        for (v = 0; v < WN_MONT_PARTS; v++) {
            at = steps * v + j;
            if (at >= c->windows)
                break;
            F(choose)(&chosen, table[v], k[at / 16] >> (at % 16 * 4) & 15);
            F(point_add)(r, r, &chosen, c);
        }
    }
    wn_clear(&chosen, sizeof(chosen));
}

/* ---- sums of public multiples ---- */

#define WN_MONT_ODD 8           /* q, 3 q, ... 15 q */

/* r = a + b, or a - b; b is not infinity and has all its powers */
static void F(jacobian_add)(struct F(jacobian) *r, const struct F(jacobian) *a,
                            const struct F(jacobian) *b, int minus_b, const struct F(curve) *c)
{
    static const uint64_t zero[N];
    uint64_t u1[N], s1[N], h[N], R[N], hh[N], v[N], by[N];
    const uint64_t *m = c->p.m;

    memcpy(by, b->y, sizeof(by));
    if (minus_b)
        F(sub)(by, zero, by, m);
    if (F(is_zero)(a->z)) {
        *r = *b;
        memcpy(r->y, by, sizeof(by));
        return;
    }
    F(mul)(u1, a->x, b->zz, &c->p);
    F(mul)(h, b->x, a->zz, &c->p);
    F(sub)(h, h, u1, m);                /* H = X2 Z1^2 - X1 Z2^2 */
    F(mul)(s1, a->y, b->zzz, &c->p);
    F(mul)(R, a->zz, a->z, &c->p);
    F(mul)(R, R, by, &c->p);
    F(sub)(R, R, s1, m);                /* R = Y2 Z1^3 - Y1 Z2^3 */
    if (F(is_zero)(h)) {
        if (F(is_zero)(R))
            F(jacobian_double)(r, a, c);
        else
            memset(r, 0, sizeof(*r));
        return;
    }
    F(mul)(hh, h, h, &c->p);
    F(mul)(v, u1, hh, &c->p);           /* V = U1 H^2 */
    F(mul)(r->z, a->z, b->z, &c->p);
    F(mul)(r->z, r->z, h, &c->p);
    F(mul)(hh, hh, h, &c->p);           /* H^3 */
    F(mul)(u1, R, R, &c->p);
    F(sub)(u1, u1, hh, m);
    F(sub)(u1, u1, v, m);
    F(sub)(r->x, u1, v, m);             /* X3 = R^2 - H^3 - 2 V */
    F(sub)(v, v, r->x, m);
    F(mul)(v, v, R, &c->p);
    F(mul)(s1, s1, hh, &c->p);
    F(sub)(r->y, v, s1, m);             /* Y3 = R (V - X3) - S1 H^3 */
    F(mul)(r->zz, r->z, r->z, &c->p);
}

static void F(odd_multiples)(struct F(jacobian) to[WN_MONT_ODD], const struct F(point) *q,
                             const struct F(curve) *c)
{
    struct F(jacobian) twice;
    int i;

    memcpy(to[0].x, q->x, sizeof(q->x));
    memcpy(to[0].y, q->y, sizeof(q->y));
    memcpy(to[0].z, q->z, sizeof(q->z));        /* 1 */
    F(powers)(&to[0], c);
    F(jacobian_double)(&twice, &to[0], c);
    F(powers)(&twice, c);
    for (i = 1; i < WN_MONT_ODD; i++) {
        F(jacobian_add)(&to[i], &to[i - 1], &twice, 0, c);
        F(powers)(&to[i], c);
    }
}

/* Non-adjacent form of width 5: digits are 0 or odd and below 16, of five in a row one
 * at most is not 0 (D. Hankerson, A. Menezes, S. Vanstone, "Guide to Elliptic Curve
 * Cryptography", algorithm 3.35). */
static int F(naf)(int8_t digit[64 * N + 1], const uint64_t *k)
{
    uint64_t left[N + 1], low;
    int i, j, length = 0;

    memcpy(left, k, 8 * N);
    left[N] = 0;
    for (i = 0; i <= 64 * N; i++) {
        digit[i] = 0;
        if (left[0] & 1) {
            low = left[0] & 31;
            left[0] -= low;
            digit[i] = (int8_t)low;
            if (low > 16) {
                digit[i] = (int8_t)(digit[i] - 32);
                left[0] += 32;
                for (j = 0; left[j] == 0 && j < N; j++)     /* it has gone round to 0 */
                    left[j + 1]++;
            }
            length = i + 1;
        }
        for (j = 0; j < N; j++)
            left[j] = left[j] >> 1 | left[j + 1] << 63;
        left[N] >>= 1;
    }
    return length;
}

/* r = k q + l g */
static void F(multiply_two_public)(struct F(jacobian) *r, const uint64_t *k,
                                   const struct F(point) *q, const uint64_t *l,
                                   const struct F(point) *g, const struct F(curve) *c)
{
    struct F(jacobian) of[2][WN_MONT_ODD];
    int8_t digit[2][64 * N + 1];
    int n[2], i, j, at;

    F(odd_multiples)(of[0], q, c);
    F(odd_multiples)(of[1], g, c);
    n[0] = F(naf)(digit[0], k);
    n[1] = F(naf)(digit[1], l);
    memset(r, 0, sizeof(*r));
    for (i = (n[0] > n[1] ? n[0] : n[1]) - 1; i >= 0; i--) {
        F(jacobian_double)(r, r, c);
        for (j = 0; j < 2; j++) {
            at = digit[j][i];
            if (at != 0)
                F(jacobian_add)(r, r, &of[j][(at < 0 ? -at : at) / 2], at < 0, c);
        }
    }
}

/* Is x of q, modulo n, r? r < n. */
static int F(has_x)(const struct F(jacobian) *q, const uint64_t *r, const struct F(curve) *c)
{
    uint64_t x[N], t[N], carry = 0;
    wn_mont_wide w;
    int i, j;

    memcpy(x, r, sizeof(x));
    for (i = 0; i < 2 && carry == 0; i++) {
        if (!F(minus)(t, x, c->p.m))    /* not less than p */
            return 0;
        F(to)(t, x, &c->p);
        F(mul)(t, t, q->zz, &c->p);
        if (memcmp(t, q->x, sizeof(t)) == 0)
            return 1;
        for (w = 0, j = 0; j < N; j++) {
            w += (wn_mont_wide)x[j] + c->n.m[j];
            x[j] = (uint64_t)w;
            w >>= 64;
        }
        carry = (uint64_t)w;
    }
    return 0;
}

/* The affine coordinates, not in Montgomery form (y: or NULL); all ones if finite, else 0. */
static uint64_t F(affine)(uint64_t *x, uint64_t *y, const struct F(point) *q,
                          const struct F(curve) *c)
{
    uint64_t inv[N], any = 0;
    int i;

    for (i = 0; i < N; i++)
        any |= q->z[i];
    F(inverse)(inv, q->z, &c->p);
    F(mul)(x, q->x, inv, &c->p);
    F(from)(x, x, &c->p);
    if (y != NULL) {
        F(mul)(y, q->y, inv, &c->p);
        F(from)(y, y, &c->p);
    }
    wn_clear(inv, sizeof(inv));
    return wn_mont_mask((any | (0 - any)) >> 63);
}

static void F(curve)(struct F(curve) *c, const struct wn_ec_curve *curve)
{
    uint64_t t[N];

    F(modulus)(&c->p, curve->dp.prime, curve->size);
    F(modulus)(&c->n, curve->dp.order, curve->order_size);
    wn_mont_read_hex(t, N, curve->dp.Af, curve->size);
    F(to)(c->a, t, &c->p);
    c->kind = wn_mont_kind(t, c->p.m, N);
    wn_mont_read_hex(t, N, curve->dp.Bf, curve->size);
    F(to)(t, t, &c->p);
    F(add)(c->b3, t, t, c->p.m);
    F(add)(c->b3, c->b3, t, c->p.m);
    memset(t, 0, sizeof(t));
    t[0] = 1;
    F(to)(c->one, t, &c->p);
    c->windows = (curve->order_bits + 3) / 4;
}

static void F(point)(struct F(point) *q, const uint64_t *x, const uint64_t *y,
                     const struct F(curve) *c)
{
    F(to)(q->x, x, &c->p);
    F(to)(q->y, y, &c->p);
    memcpy(q->z, c->one, sizeof(q->z));
}

static void F(base_point)(struct F(point) *g, const struct wn_ec_curve *curve,
                          const struct F(curve) *c)
{
    uint64_t x[N], y[N];

    wn_mont_read_hex(x, N, curve->dp.Gx, curve->size);
    wn_mont_read_hex(y, N, curve->dp.Gy, curve->size);
    F(point)(g, x, y, c);
}

/* ---- what ec_mont.c offers ---- */

static int F(op_multiple)(const struct wn_ec_curve *curve, const uint64_t *k, const uint64_t *qx,
                          const uint64_t *qy, uint64_t *x, uint64_t *y)
{
    struct F(point) (*base)[16] = NULL, q, r;
    struct F(curve) c;
    uint64_t finite;
    int build = 0;

    F(curve)(&c, curve);
    if (qx == NULL) {
        base = base_table(curve, &build);
        if (base == NULL || build)
            F(base_point)(&q, curve, &c);
        if (build) {
            F(build)(base, &q, &c);
            base_table_ready(curve);
        }
    } else {
        F(point)(&q, qx, qy, &c);
    }
    if (base != NULL)
        F(multiply_by_table)(&r, k, base, &c);
    else
        F(multiply)(&r, k, &q, &c);
    finite = F(affine)(x, y, &r, &c);
    wn_clear(&r, sizeof(r));
    return finite != 0;
}

/* s = (e + r d) / k modulo n */
static void F(op_sign)(const struct wn_ec_curve *curve, const uint64_t *k, const uint64_t *d,
                       const uint64_t *e, uint64_t *r, uint64_t *s)
{
    struct wn_mont_modulus n;
    uint64_t t[N], u[N];

    F(modulus)(&n, curve->dp.order, curve->order_size);
    F(reduce)(r, r, 0, n.m);
    F(reduce)(r, r, 0, n.m);
    F(reduce)(u, e, 0, n.m);
    F(to)(t, d, &n);
    F(mul)(t, t, r, &n);                /* r d */
    F(add)(u, u, t, n.m);
    F(to)(t, k, &n);
    F(inverse)(t, t, &n);
    F(mul)(s, t, u, &n);
    wn_clear(t, sizeof(t));
    wn_clear(u, sizeof(u));
}

static int F(op_verify)(const struct wn_ec_curve *curve, const uint64_t *qx, const uint64_t *qy,
                        const uint64_t *e, const uint64_t *r, const uint64_t *s)
{
    uint64_t w[N], u[N], v[N];
    struct F(jacobian) sum;
    struct F(point) q, g;
    struct F(curve) c;

    F(curve)(&c, curve);
    F(point)(&q, qx, qy, &c);
    F(base_point)(&g, curve, &c);
    F(reduce)(u, e, 0, c.n.m);
    F(to)(w, s, &c.n);
    F(inverse)(w, w, &c.n);
    F(mul)(u, u, w, &c.n);
    F(mul)(v, r, w, &c.n);
    F(multiply_two_public)(&sum, v, &q, u, &g, &c);
    return !F(is_zero)(sum.z) && F(has_x)(&sum, r, &c);
}

static const struct wn_mont_ops F(ops) = { F(op_multiple), F(op_sign), F(op_verify) };

#undef WN_MONT_ODD
#undef F_
#undef F__
#undef F
#undef N
