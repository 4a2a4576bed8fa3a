/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSA with MULX and ADX (rsa_kernel.h) for the sizes of which wolfCrypt has no
 * assembly: Montgomery multiplication digit by digit (CIOS: C. K. Koc, T. Acar,
 * B. Kaliski, "Analyzing and comparing Montgomery multiplication algorithms",
 * IEEE Micro 16(3), 1996), with the two carry chains that ADX is made for.
 *
 * Numbers have n digits of 64 bits, a multiple of four; R is 2^(64 n). Operands
 * and results are less than R; n is subtracted only from a result that is not.
 */
#include <emmintrin.h>

#include "../rsa_kernel.h"

#include "accel_x86.h"
#include "rsa_words.h"
#include "simd.h"

#define MAX_N      (16384 / 64)     /* of a modulus */
#define MAX_PRIME  (MAX_N / 2)

struct modulus {
    size_t n;
    uint64_t k0;                    /* -1 / modulus mod 2^64 */
    const uint64_t *modulus;
    uint64_t t[2 * MAX_N];          /* of mul() */
};

/* t[at] += a[at] * b + c, and c the carry. CF carries high halves of products on,
 * OF the sums with t. */
#define MAC(at, low, high)                                                  \
    "mulxq " #at "(%[a]), %[x], " high "\n\t"                               \
    "adcxq " low ", %[x]\n\t"                                               \
    "adoxq " #at "(%[t]), %[x]\n\t"                                         \
    "movq %[x], " #at "(%[t])\n\t"
#define MAC2(at1, at2) MAC(at1, "%[c]", "%[d]") MAC(at2, "%[d]", "%[c]")

#define BLOCK(name, body)                                                                  \
    static inline __attribute__((always_inline)) uint64_t name(uint64_t *t, const uint64_t *a, \
                                                               uint64_t b, uint64_t c)     \
    {                                                                                      \
        uint64_t x, d, zero;                                                               \
                                                                                           \
        __asm__("xorl %k[zero], %k[zero]\n\t" body                                         \
                "adcxq %[zero], %[c]\n\t"                                                  \
                "adoxq %[zero], %[c]"                                                      \
                : [c] "+&r"(c), [d] "=&r"(d), [x] "=&r"(x), [zero] "=&r"(zero)             \
                : [t] "r"(t), [a] "r"(a), "d"(b)                                           \
                : "cc", "memory");                                                         \
        return c;                                                                          \
    }
BLOCK(block4, MAC2(0, 8) MAC2(16, 24))
BLOCK(block8, MAC2(0, 8) MAC2(16, 24) MAC2(32, 40) MAC2(48, 56))

/* t[0 .. n - 1] += a * b; returns the carry. */
static inline __attribute__((always_inline)) uint64_t row(uint64_t *t, const uint64_t *a,
                                                          uint64_t b, size_t n)
{
    uint64_t c = 0;
    size_t i;

    for (i = 0; i + 8 <= n; i += 8)
        c = block8(t + i, a + i, b, c);
    if (i < n)
        c = block4(t + i, a + i, b, c);
    return c;
}

static inline __attribute__((always_inline)) void mul_n(uint64_t *r, const uint64_t *a,
                                                        const uint64_t *b, struct modulus *m,
                                                        size_t n)
{
    const uint64_t *modulus = m->modulus;
    uint64_t *t = m->t, top = 0, k0 = m->k0;
    unsigned __int128 s;
    size_t i;

    memset(t, 0, 8 * n);
    for (i = 0; i < n; i++, t++) {
        s = (unsigned __int128)row(t, a, b[i], n) + top;
        s += row(t, modulus, t[0] * k0, n);
        t[n] = (uint64_t)s;
        top = (uint64_t)(s >> 64);
    }
    /* t - (modulus if it has a digit too many) */
    s = 1;
    top = 0 - top;
    __asm__("" : "+r"(top));
    for (i = 0; i < n; i++) {
        s += (unsigned __int128)t[i] + ~(modulus[i] & top);
        r[i] = (uint64_t)s;
        s >>= 64;
    }
}

static void mul(uint64_t *r, const uint64_t *a, const uint64_t *b, struct modulus *m)
{
    if (m->n == 8)              /* the primes of 1024-bit keys */
        mul_n(r, a, b, m, 8);
    else
        mul_n(r, a, b, m, m->n);
}

/* The least such n. */
static size_t digits(size_t bits)
{
    return (words(bits) + 3) / 4 * 4;
}

/* ---- the constants of a modulus ---- */

/* m->modulus is set; rr = R^2 mod it: the Montgomery form of 2^(64 n), from a
 * small power of two by squaring and doubling. */
static void modulus_init(struct modulus *m, size_t bits, uint64_t *rr)
{
    const uint64_t *modulus = m->modulus;
    size_t n = m->n, exponent = 64 * n, i, left = 0, count;
    uint64_t top;

    while (exponent >> left >= 16)
        left++;
    memset(rr, 0, 8 * n);
    sub(rr, rr, modulus, n);
    for (i = 64 * n - bits, count = words(bits); i >= 64; i -= 64)
        rr[count++] = 0;
    if (bits % 64 != 0)
        rr[bits / 64] &= (UINT64_C(1) << bits % 64) - 1;    /* 2^bits - modulus */
    count = 64 * n - bits + (exponent >> left);
    while (count-- > 0) {
        top = add_masked(rr, rr, UINT64_MAX, n);
        reduce_once(rr, top, modulus, n);
    }
    while (left-- > 0) {
        mul(rr, rr, rr, m);
        reduce_once(rr, 0, modulus, n);
        if (exponent >> left & 1) {
            top = add_masked(rr, rr, UINT64_MAX, n);
            reduce_once(rr, top, modulus, n);
        }
    }
}

/* ---- public operation ---- */

/* Then: the modulus and R^2, n digits each. */
struct public_ctx {
    size_t bits;
    uint64_t k0;
    uint64_t v[];
};

/* wolfCrypt's assembly is at least as fast. */
static int wolfcrypt_has(size_t bits)
{
    return bits == 2048 || bits == 3072 || bits == 4096;
}

static size_t public_size(size_t bits)
{
    if (wolfcrypt_has(bits) || bits > 64 * MAX_N)
        return 0;
    return sizeof(struct public_ctx) + 8 * 2 * digits(bits);
}

static void use(struct modulus *m, size_t bits, const uint64_t *modulus, uint64_t k0)
{
    m->n = digits(bits);
    m->modulus = modulus;
    m->k0 = k0;
}

static void public_init(void *vctx, size_t bits, const uint64_t *modulus)
{
    struct public_ctx *ctx = vctx;
    struct modulus m;

    ctx->bits = bits;
    ctx->k0 = minus_inverse(modulus[0]);
    memset(ctx->v, 0, 8 * digits(bits));
    memcpy(ctx->v, modulus, 8 * words(bits));
    use(&m, bits, ctx->v, ctx->k0);
    modulus_init(&m, bits, ctx->v + m.n);
}

static void public_op(const void *vctx, uint64_t e, const uint8_t *in, uint8_t *out)
{
    const struct public_ctx *ctx = vctx;
    uint64_t a[MAX_N], x[MAX_N], y[MAX_N];
    size_t n = digits(ctx->bits), size = (ctx->bits + 7) / 8;
    int bit = 62 - __builtin_clzll(e);
    struct modulus m;

    use(&m, ctx->bits, ctx->v, ctx->k0);
    load_be(a, n, in, size);
    mul(y, a, ctx->v + n, &m);
    memcpy(x, y, 8 * n);
    for (; bit > 0; bit--) {
        mul(x, x, x, &m);
        if (e >> bit & 1)
            mul(x, x, y, &m);
    }
    mul(x, x, x, &m);
    mul(x, x, a, &m);           /* e is odd; leaves the Montgomery form too */
    reduce_once(x, 0, m.modulus, n);
    store_be(out, size, x);
    x_wipe(a, 8 * n);
    x_wipe(x, 8 * n);
    x_wipe(y, 8 * n);
    x_wipe(m.t, 8 * 2 * n);
}

/* ---- private operation ---- */

/* Then n digits each, for p and q: the prime, R^2, R^3, the exponent; and qinv in
 * Montgomery form. */
struct crt_ctx {
    size_t bits;                /* of a prime */
    uint64_t k0[2];
    uint64_t v[];
};
enum { PRIME, RR, RRR, EXPONENT, EACH };

static size_t crt_size(size_t bits)
{
    if (wolfcrypt_has(bits) || bits % 2 != 0 || bits > 128 * MAX_PRIME)
        return 0;
    return sizeof(struct crt_ctx) + 8 * (2 * EACH + 1) * digits(bits / 2);
}

static void crt_init(void *vctx, size_t bits, const struct wn_rsa_crt *key)
{
    const uint64_t *const primes[2] = { key->p, key->q };
    const uint64_t *const exponents[2] = { key->dp, key->dq };
    size_t i, w = words(bits / 2), n = digits(bits / 2);
    struct crt_ctx *ctx = vctx;
    uint64_t *qinv = ctx->v + 2 * EACH * n;
    struct modulus m;

    ctx->bits = bits / 2;
    memset(ctx->v, 0, 8 * (2 * EACH + 1) * n);
    for (i = 0; i < 2; i++) {
        uint64_t *v = ctx->v + i * EACH * n;

        memcpy(v + PRIME * n, primes[i], 8 * w);
        memcpy(v + EXPONENT * n, exponents[i], 8 * w);
        ctx->k0[i] = minus_inverse(primes[i][0]);
        use(&m, ctx->bits, v + PRIME * n, ctx->k0[i]);
        modulus_init(&m, ctx->bits, v + RR * n);
        mul(v + RRR * n, v + RR * n, v + RR * n, &m);
        reduce_once(v + RRR * n, 0, m.modulus, n);
        if (i == 0) {
            memcpy(qinv, key->qinv, 8 * w);
            mul(qinv, qinv, v + RR * n, &m);
        }
    }
    x_wipe(m.t, 8 * 2 * n);
}

struct crt_work {
    struct modulus m;
    uint64_t in[2 * MAX_PRIME], r[2][MAX_PRIME], h[MAX_PRIME], one[MAX_PRIME];
    __attribute__((aligned(16))) uint64_t table[ENTRIES * MAX_PRIME];
    __attribute__((aligned(16))) uint64_t chosen[MAX_PRIME];
};

/* chosen = entry `at`; all of the table is read. */
static void choose(struct crt_work *w, uint64_t at, size_t n)
{
    __m128i mask[ENTRIES], x;
    size_t i, j;

    for (j = 0; j < ENTRIES; j++) {
        uint64_t m = at ^ j;

        m = ~(m | (0 - m));     /* top bit: equal */
        __asm__("" : "+r"(m));
        mask[j] = _mm_set1_epi64x((long long)(0 - (m >> 63)));
    }
    for (i = 0; i < n; i += 2) {
        x = _mm_setzero_si128();
        for (j = 0; j < ENTRIES; j++)
            x = _mm_or_si128(x, _mm_and_si128(mask[j], *(__m128i *)(w->table + j * n + i)));
        _mm_store_si128((__m128i *)(w->chosen + i), x);
    }
    x_wipe(mask, sizeof(mask));
}

/* r = r^e, in Montgomery form; w->chosen is 1 in that form. */
static void power(struct crt_work *w, uint64_t *r, const uint64_t *e, size_t bits)
{
    size_t n = w->m.n, at = (bits - 1) / WINDOW * WINDOW, j;

    memcpy(w->table, w->chosen, 8 * n);
    memcpy(w->table + n, r, 8 * n);
    for (j = 2; j < ENTRIES; j++)
        mul(w->table + j * n, w->table + (j - 1) * n, r, &w->m);
    choose(w, window_at(e, n, at), n);
    memcpy(r, w->chosen, 8 * n);
    while (at > 0) {
        at -= WINDOW;
        for (j = 0; j < WINDOW; j++)
            mul(r, r, r, &w->m);
        choose(w, window_at(e, n, at), n);
        mul(r, r, w->chosen, &w->m);
    }
}

/* r = in^d modulo one prime. The input is c1 R + c0: its Montgomery form is
 * c0 R^2 / R + c1 R^3 / R. */
static void one_prime(const uint64_t *v, size_t bits, struct crt_work *w, uint64_t *r)
{
    size_t n = w->m.n;
    uint64_t top;

    mul(r, w->in, v + RR * n, &w->m);
    reduce_once(r, 0, w->m.modulus, n);
    mul(w->h, w->in + n, v + RRR * n, &w->m);
    reduce_once(w->h, 0, w->m.modulus, n);
    top = add_masked(r, w->h, UINT64_MAX, n);
    reduce_once(r, top, w->m.modulus, n);
    mul(w->chosen, w->one, v + RR * n, &w->m);
    power(w, r, v + EXPONENT * n, bits);
    mul(r, r, w->one, &w->m);
    reduce_once(r, 0, w->m.modulus, n);
}

static void crt_op(const void *vctx, const uint8_t *in, uint8_t *out)
{
    const struct crt_ctx *ctx = vctx;
    size_t i, n = digits(ctx->bits), size = (2 * ctx->bits + 7) / 8;
    const uint64_t *p = ctx->v, *q = ctx->v + EACH * n;
    struct crt_work w;

    load_be(w.in, 2 * n, in, size);
    memset(w.one, 0, 8 * n);
    w.one[0] = 1;
    for (i = 0; i < 2; i++) {
        use(&w.m, ctx->bits, i == 0 ? p : q, ctx->k0[i]);
        one_prime(i == 0 ? p : q, ctx->bits, &w, w.r[i]);
    }
    difference(w.h, w.r[0], w.r[1], p, n);
    use(&w.m, ctx->bits, p, ctx->k0[0]);
    mul(w.h, w.h, ctx->v + 2 * EACH * n, &w.m);
    reduce_once(w.h, 0, p, n);
    mul_add(w.in, w.h, q, w.r[1], n);
    store_be(out, size, w.in);
    x_wipe(w.m.t, 8 * 2 * n);
    x_wipe(w.in, 8 * 2 * n);
    for (i = 0; i < 2; i++)
        x_wipe(w.r[i], 8 * n);
    x_wipe(w.h, 8 * n);
    x_wipe(w.table, 8 * n * ENTRIES);
    x_wipe(w.chosen, 8 * n);
}

void wn_accel_rsa_adx(struct wn_accel *a)
{
    static const struct wn_rsa_kernel kernel = {
        public_size, public_init, public_op, crt_size, crt_init, crt_op
    };

    a->rsa[1] = &kernel;
}
