/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSA with AVX-512 IFMA (rsa_kernel.h): the public operation over the modulus,
 * the private one modulo both primes at once (primes above 2072 bits one after
 * the other), put together as in RFC 8017 section 5.1.2. The arithmetic is in
 * rsa_ifma_amm.h, powers are in rsa_ifma_exp.h.
 */
#include "../rsa_kernel.h"

#include "accel_x86.h"
#include "rsa_ifma_exp.h"

/* ---- public operation ---- */

/* Then: n, R^2 (lanes), n (64-bit digits). */
struct public_ctx {
    size_t bits;
    uint64_t k0;
    uint64_t v[];
};

static size_t public_size(size_t bits)
{
    const struct shape *s = shape_for(bits, 1);

    if (s == NULL)
        return 0;
    return sizeof(struct public_ctx) + 8 * (2 * 8 * (size_t)s->K + words(bits));
}

static void public_init(void *vctx, size_t bits, const uint64_t *n)
{
    const struct shape *s = shape_for(bits, 1);
    struct public_ctx *ctx = vctx;
    size_t lanes = 8 * (size_t)s->K;

    ctx->bits = bits;
    memcpy(ctx->v + 2 * lanes, n, 8 * words(bits));
    modulus_init(s, bits, &n, ctx->v, &ctx->k0, ctx->v + lanes);
}

static void public_op(const void *vctx, uint64_t e, const uint8_t *in, uint8_t *out)
{
    const struct public_ctx *ctx = vctx;
    const struct shape *s = shape_for(ctx->bits, 1);
    size_t lanes = 8 * (size_t)s->K, digits = digits_for(ctx->bits), n = words(ctx->bits);
    __attribute__((aligned(64))) uint64_t a[MAX_LANES], x[MAX_LANES], y[MAX_LANES];
    uint64_t flat[MAX_PRIME + 1];
    struct modulus mod;
    int bit = 62 - __builtin_clzll(e);

    modulus_load(&mod, s, digits, ctx->v, &ctx->k0);
    load_be(flat, n, in, (ctx->bits + 7) / 8);
    to_lanes(a, lanes, 1, flat, n, 0, digits);
    memcpy(x, ctx->v + lanes, 8 * lanes);
    s->mul(x, a, x, &mod);
    memcpy(y, x, 8 * lanes);
    for (; bit > 0; bit--) {
        s->mul(x, x, x, &mod);
        if (e >> bit & 1)
            s->mul(x, x, y, &mod);
    }
    s->mul(x, x, x, &mod);
    s->mul(x, x, a, &mod);      /* e is odd; leaves the Montgomery form too */
    from_lanes(flat, n + 1, x, 1, digits);
    reduce_once(flat, flat[n], ctx->v + 2 * lanes, n);
    store_be(out, (ctx->bits + 7) / 8, flat);
    x_wipe(a, 8 * lanes);
    x_wipe(x, 8 * lanes);
    x_wipe(y, 8 * lanes);
    x_wipe(flat, sizeof(flat));
    x_wipe(mod.t, sizeof(mod.t));
}

/* ---- private operation ---- */

/*
 * Then for each pass (one for two primes at once, or two): n, R^2, R^3 (lanes);
 * qinv in Montgomery form (lanes); and the 64-bit digits of p, q, dp, dq.
 */
struct crt_ctx {
    size_t bits;                /* of a prime */
    uint64_t k0[2];
    uint64_t v[];
};

struct crt {
    const struct shape *s;
    size_t bits, n, lanes, digits, passes;
    uint64_t *lane[2][3], *qinv, *flat[4];
};

/* Two at once, while they fit. */
static const struct shape *crt_shape(size_t bits)
{
    const struct shape *s = shape_for(bits, 2);

    return s != NULL ? s : shape_for(bits, 1);
}

/* Where everything is; returns the number of words after the head. */
static size_t crt_layout(struct crt *c, size_t bits, uint64_t *v)
{
    size_t i, at = 0;

    c->s = crt_shape(bits);
    c->bits = bits;
    c->n = words(bits);
    c->lanes = 8 * (size_t)c->s->K;
    c->digits = digits_for(bits);
    c->passes = c->s->W == 2 ? 1 : 2;
    for (i = 0; i < 3 * c->passes; i++, at += c->lanes)
        c->lane[i / 3][i % 3] = v + at;
    c->qinv = v + at;
    at += c->lanes;
    for (i = 0; i < 4; i++, at += c->n)
        c->flat[i] = v + at;
    return at;
}

static size_t crt_size(size_t bits)
{
    struct crt c;
    uint64_t none;

    if (bits % 2 != 0 || crt_shape(bits / 2) == NULL)
        return 0;
    return sizeof(struct crt_ctx) + 8 * crt_layout(&c, bits / 2, &none);
}

static void crt_init(void *vctx, size_t bits, const struct wn_rsa_crt *key)
{
    const uint64_t *const primes[2] = { key->p, key->q };
    const uint64_t *const numbers[4] = { key->p, key->q, key->dp, key->dq };
    __attribute__((aligned(64))) uint64_t x[MAX_LANES] = { 0 }, y[MAX_LANES];
    struct crt_ctx *ctx = vctx;
    struct modulus mod;
    struct crt c;
    size_t i;

    ctx->bits = bits / 2;
    crt_layout(&c, ctx->bits, ctx->v);
    for (i = 0; i < 4; i++)
        memcpy(c.flat[i], numbers[i], 8 * c.n);
    to_lanes(x, c.lanes, (size_t)c.s->W, key->qinv, c.n, 0, c.digits);
    for (i = 0; i < c.passes; i++) {
        modulus_init(c.s, c.bits, primes + i, c.lane[i][0], ctx->k0 + i, c.lane[i][1]);
        modulus_load(&mod, c.s, c.digits, c.lane[i][0], ctx->k0 + i);
        memcpy(y, c.lane[i][1], 8 * c.lanes);
        if (i == 0) {
            c.s->mul(x, x, y, &mod);
            memcpy(c.qinv, x, 8 * c.lanes);
        }
        c.s->mul(y, y, y, &mod);
        memcpy(c.lane[i][2], y, 8 * c.lanes);
    }
    x_wipe(x, sizeof(x));
    x_wipe(y, sizeof(y));
    x_wipe(&mod, sizeof(mod));
}

struct crt_work {
    __attribute__((aligned(64))) uint64_t x[MAX_LANES];
    __attribute__((aligned(64))) uint64_t y[MAX_LANES];
    __attribute__((aligned(64))) uint64_t z[MAX_LANES];
    struct modulus mod;
    struct power power;
    uint64_t in[2 * MAX_PRIME + 1], m[2][MAX_PRIME + 1], h[MAX_PRIME + 1];
};

/* y: the same number in all W places */
static void spread_input(const struct crt *c, struct crt_work *w, size_t from)
{
    size_t i, W = (size_t)c->s->W;

    for (i = 0; i < W; i++)
        to_lanes(w->y + i, c->lanes, W, w->in, 2 * c->n, from, c->digits);
}

/* m = x (lanes of number `i` of the pass) mod its prime */
static void settle(const struct crt *c, const uint64_t *x, size_t i, const uint64_t *prime,
                   uint64_t *m)
{
    from_lanes(m, c->n + 1, x + i, (size_t)c->s->W, c->digits);
    reduce_once(m, m[c->n], prime, c->n);
}

/* m[...] = in^d modulo the primes of a pass. The input, of up to 2 L digits, is
 * c1 R + c0: its Montgomery form is c0 R^2 / R + c1 R^3 / R. */
static void one_pass(const struct crt *c, const uint64_t *k0, size_t pass, struct crt_work *w)
{
    const uint64_t *const *e = (const uint64_t *const *)&c->flat[2 + pass];
    const struct shape *s = c->s;
    size_t i, W = (size_t)s->W;

    modulus_load(&w->mod, s, c->digits, c->lane[pass][0], k0);
    spread_input(c, w, 0);
    memcpy(w->z, c->lane[pass][1], 8 * c->lanes);
    s->mul(w->x, w->y, w->z, &w->mod);
    spread_input(c, w, c->digits);
    memcpy(w->z, c->lane[pass][2], 8 * c->lanes);
    s->mul(w->y, w->y, w->z, &w->mod);
    s->add(w->x, w->x, w->y);

    memset(w->y, 0, 8 * c->lanes);
    for (i = 0; i < W; i++)
        w->y[i] = 1;
    memcpy(w->z, c->lane[pass][1], 8 * c->lanes);
    s->mul(w->z, w->z, w->y, &w->mod);
    power(s, &w->mod, w->x, w->z, e, c->bits, &w->power);
    s->mul(w->x, w->x, w->y, &w->mod);
    for (i = 0; i < W; i++)
        settle(c, w->x, i, c->flat[pass + i], w->m[pass + i]);
}

/* in = m1 + q h with h = (m0 - m1) qinv mod p */
static void recombine(const struct crt *c, const uint64_t *k0, struct crt_work *w)
{
    const uint64_t *p = c->flat[0], *q = c->flat[1];
    size_t n = c->n;

    difference(w->h, w->m[0], w->m[1], p, n);
    modulus_load(&w->mod, c->s, c->digits, c->lane[0][0], k0);
    memset(w->x, 0, 8 * c->lanes);
    to_lanes(w->x, c->lanes, (size_t)c->s->W, w->h, n, 0, c->digits);
    memcpy(w->y, c->qinv, 8 * c->lanes);
    c->s->mul(w->x, w->x, w->y, &w->mod);
    settle(c, w->x, 0, p, w->h);

    mul_add(w->in, w->h, q, w->m[1], n);
}

static void crt_op(const void *vctx, const uint8_t *in, uint8_t *out)
{
    const struct crt_ctx *ctx = vctx;
    size_t i, size = (2 * ctx->bits + 7) / 8;
    struct crt_work w;
    struct crt c;

    crt_layout(&c, ctx->bits, (uint64_t *)(uintptr_t)ctx->v);
    load_be(w.in, 2 * c.n, in, size);
    for (i = 0; i < c.passes; i++)
        one_pass(&c, ctx->k0 + i, i, &w);
    recombine(&c, ctx->k0, &w);
    store_be(out, size, w.in);
    x_wipe(&w, offsetof(struct crt_work, power));   /* which has wiped itself */
    x_wipe(w.in, sizeof(w.in) + sizeof(w.m) + sizeof(w.h));
}

void wn_accel_rsa_ifma(struct wn_accel *a)
{
    static const struct wn_rsa_kernel kernel = {
        public_size, public_init, public_op, crt_size, crt_init, crt_op
    };

    a->rsa[0] = &kernel;
}
