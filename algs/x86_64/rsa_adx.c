/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSA with MULX, ADX and AVX2 (rsa_kernel.h) for the sizes of which wolfCrypt has no
 * assembly: Montgomery multiplication digit by digit (CIOS: C. K. Koc, T. Acar,
 * B. Kaliski, "Analyzing and comparing Montgomery multiplication algorithms",
 * IEEE Micro 16(3), 1996), with the two carry chains that ADX is made for.
 *
 * Numbers have n digits of 64 bits, a multiple of four, better of eight; R is 2^(64 n). Operands
 * and results are less than R; n is subtracted only from a result that is not.
 */
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
    uint64_t t[2 * MAX_N];          /* of mul(): at least n + 8 */
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

/* r = t - (modulus if `top`, a digit that t has too many) */
static inline __attribute__((always_inline)) void subtract_if(uint64_t *r, const uint64_t *t, uint64_t top,
                               const uint64_t *modulus, size_t n)
{
    unsigned char borrow = 0;
    size_t i, j;

    top = 0 - top;
    __asm__("" : "+r"(top));
UNROLL(2)
    for (i = 0; i < n; i += 4)
UNROLL(4)
        for (j = i; j < i + 4; j++)
            borrow = _subborrow_u64(borrow, t[j], modulus[j] & top, (unsigned long long *)&r[j]);
}

static __attribute__((noinline)) void mul_4n(uint64_t *r, const uint64_t *a, const uint64_t *b, struct modulus *m)
{
    const uint64_t *modulus = m->modulus;
    uint64_t *t = m->t, top = 0, k0 = m->k0;
    unsigned __int128 s;
    size_t n = m->n, i;

    memset(t, 0, 8 * n);
    for (i = 0; i < n; i++, t++) {
        s = (unsigned __int128)row(t, a, b[i], n) + top;
        s += row(t, modulus, t[0] * k0, n);
        t[n] = (uint64_t)s;
        top = (uint64_t)(s >> 64);
    }
    subtract_if(r, t, top, modulus, n);
}

/* ---- multiples of eight digits: eight digits of t at a time, in registers ---- */

/* What a step takes besides its registers, of which it leaves hardly any free. */
struct step {
    const uint64_t *a, *modulus;
    uint64_t b, q, k0, next, carry;
};

#define TERM(at, t_low, t_high)                                             \
    "mulxq " #at "(%[p]), %[low], %[high]\n\t"                              \
    "adcxq %[low], %[" t_low "]\n\t"                                        \
    "adoxq %[high], %[" t_high "]\n\t"
/* t0 .. t7 += from * rdx, with the carry in high; low and both flags are 0 then */
#define ROW(from)                                                           \
    "movq %[" from "], %[p]\n\t"                                            \
    "xorl %k[low], %k[low]\n\t"                                             \
    TERM(0, "t0", "t1") TERM(8, "t1", "t2")                                 \
    TERM(16, "t2", "t3") TERM(24, "t3", "t4")                               \
    TERM(32, "t4", "t5") TERM(40, "t5", "t6")                               \
    TERM(48, "t6", "t7")                                                    \
    "mulxq 56(%[p]), %[low], %[high]\n\t"                                   \
    "adcxq %[low], %[t7]\n\t"                                               \
    "movl $0, %k[low]\n\t"                                                  \
    "adcxq %[low], %[high]\n\t"                                             \
    "adoxq %[low], %[high]\n\t"
#define STEP(q)                                                             \
    "movq %[b], %%rdx\n\t" ROW("a")                                         \
    "addq %[next], %[high]\n\t"                                             \
    "adcq $0, %[low]\n\t"                                                   \
    "addq %[carry], %[high]\n\t"                                            \
    "adcq $0, %[low]\n\t"                                                   \
    "movq %[low], %[carry]\n\t"                                             \
    "movq %[high], %[t8]\n\t" q ROW("n")                                    \
    "addq %[high], %[t8]\n\t"                                               \
    "adcq $0, %[carry]"

/*
 * t[0 .. 7] += a b + modulus q; the carry of that, s->next and s->carry make t[8]
 * and the new s->carry. `lowest`: q is to make t[0] 0.
 */
static inline __attribute__((always_inline)) void step(uint64_t t[9], struct step *s, int lowest)
{
    const uint64_t *p;
    uint64_t low, high;

#define OPERANDS                                                                                  \
    [t0] "+&r"(t[0]), [t1] "+&r"(t[1]), [t2] "+&r"(t[2]), [t3] "+&r"(t[3]), [t4] "+&r"(t[4]),     \
    [t5] "+&r"(t[5]), [t6] "+&r"(t[6]), [t7] "+&r"(t[7]), [t8] "=&r"(t[8]), [low] "=&r"(low),     \
    [high] "=&r"(high), [p] "=&r"(p), [carry] "+m"(s->carry)                                      \
    : [a] "m"(s->a), [n] "m"(s->modulus), [b] "m"(s->b), [next] "m"(s->next), [k0] "m"(s->k0)
    if (lowest)
        __asm__(STEP("movq %[t0], %%rdx\n\t"
                     "imulq %[k0], %%rdx\n\t"
                     "movq %%rdx, %[q]\n\t")
                : [q] "=m"(s->q), OPERANDS : "cc", "rdx", "memory");
    else
        __asm__(STEP("movq %[q], %%rdx\n\t")
                : OPERANDS, [q] "m"(s->q) : "cc", "rdx", "memory");
#undef OPERANDS
}

/*
 * Eight digits of b (and of the quotient q) times eight of a (and of the modulus).
 * t[0 .. 7] are digits of the sum; after each step the lowest is done with and
 * goes to `done` (NULL: the lowest block of all, where it is 0), and the next one
 * joins at the top.
 */
static inline __attribute__((always_inline)) void
block(uint64_t t[9], const uint64_t *a, const uint64_t *b, const uint64_t *modulus, uint64_t *q,
      const uint64_t *next, uint64_t *done, struct step *s)
{
    int i, j;

    s->a = a;
    s->modulus = modulus;
UNROLL(8)
    for (i = 0; i < 8; i++) {
        s->b = b[i];
        s->next = next[i];
        if (done != NULL)
            s->q = q[i];
        step(t, s, done == NULL);
        if (done != NULL)
            done[i] = t[0];
        else
            q[i] = s->q;
UNROLL(8)
        for (j = 0; j < 8; j++)
            t[j] = t[j + 1];
    }
}

static const uint64_t zeros[8];

/* The primes of 1024-bit keys. */
static __attribute__((noinline)) void mul_8(uint64_t *r, const uint64_t *a, const uint64_t *b, const struct modulus *m)
{
    struct step s = { .k0 = m->k0 };
    uint64_t t[9] = { 0 }, q[8];

    block(t, a, b, m->modulus, q, zeros, NULL, &s);
    subtract_if(r, t, s.carry, m->modulus, 8);
}

static __attribute__((noinline)) void mul_8n(uint64_t *r, const uint64_t *a, const uint64_t *b, struct modulus *m)
{
    struct step s = { .k0 = m->k0 };
    const uint64_t *modulus = m->modulus;
    uint64_t *sum = m->t, t[9] = { 0 }, q[8];
    size_t n = m->n, i, j;

    memset(sum + n, 0, sizeof(zeros));
    for (i = 0; i < n; i += 8) {
        s.carry = 0;
        block(t, a, b + i, modulus, q, i == 0 ? zeros : sum + 8, NULL, &s);
        for (j = 8; j < n; j += 8)
            block(t, a + j, b + i, modulus + j, q, i == 0 ? zeros : sum + j + 8, sum + j - 8, &s);
        /* single digits, as memcpy() would pin t to memory */
UNROLL(8)
        for (j = 0; j < 8; j++)
            sum[n - 8 + j] = t[j];
        sum[n] = s.carry;
UNROLL(8)
        for (j = 0; j < 8; j++)
            t[j] = sum[j];
    }
    subtract_if(r, sum, sum[n], modulus, n);
}

static void mul(uint64_t *r, const uint64_t *a, const uint64_t *b, struct modulus *m)
{
    if (m->n == 8)
        mul_8(r, a, b, m);
    else if (m->n % 8 == 0)
        mul_8n(r, a, b, m);
    else
        mul_4n(r, a, b, m);
}

/* Blocks of eight are fast enough to make up for four digits more, but not for
 * so few. */
static size_t digits(size_t bits)
{
    size_t n = (words(bits) + 3) / 4 * 4;

    return n <= 12 ? n : (n + 7) / 8 * 8;
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
    __attribute__((aligned(32))) uint64_t table[ENTRIES * MAX_PRIME];
    __attribute__((aligned(32))) uint64_t chosen[MAX_PRIME];
};

/* Digits i to i + 4 count - 1 of entry `at`, by reading those of all entries. */
static inline __attribute__((always_inline, target("avx2"))) void
choose_digits(struct crt_work *w, uint64_t at, size_t n, size_t i, size_t count)
{
    const __m256i wanted = _mm256_set1_epi32((int)at), one = _mm256_set1_epi32(1);
    __m256i x[2], entry = _mm256_setzero_si256(), mask;
    size_t j, k;

    x[0] = x[1] = entry;
    for (j = 0; j < ENTRIES; j++) {
        const __m256i *from = (const __m256i *)(w->table + j * n + i);

        mask = _mm256_cmpeq_epi32(entry, wanted);
        entry = _mm256_add_epi32(entry, one);
UNROLL(2)
        for (k = 0; k < count; k++)
            x[k] = _mm256_or_si256(x[k], _mm256_and_si256(mask, from[k]));
    }
UNROLL(2)
    for (k = 0; k < count; k++)
        _mm256_store_si256((__m256i *)(w->chosen + i) + k, x[k]);
}

/* chosen = entry `at`; all of the table is read. */
static __attribute__((target("avx2"))) void choose(struct crt_work *w, uint64_t at, size_t n)
{
    size_t i;

    for (i = 0; i + 8 <= n; i += 8)
        choose_digits(w, at, n, i, 2);
    if (i < n)
        choose_digits(w, at, n, i, 1);
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
