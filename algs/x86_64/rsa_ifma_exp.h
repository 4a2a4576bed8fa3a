/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Montgomery exponentiation on the vectors of rsa_ifma_amm.h: the functions of
 * one shape (W numbers in K vectors), the constants of a modulus, and powers with
 * a secret exponent in windows of five bits. Each choice from the table of powers
 * reads all of it.
 */
#ifndef WN_RSA_IFMA_EXP_H
#define WN_RSA_IFMA_EXP_H

#include "rsa_ifma_amm.h"
#include "rsa_words.h"

#define MAX_PRIME  ((52 * MAX_LANES + 63) / 64) /* 64-bit digits */

struct shape {
    int K, W;
    void (*mul)(uint64_t *r, const uint64_t *a, const uint64_t *b, struct modulus *mod);
    void (*add)(uint64_t *r, const uint64_t *a, const uint64_t *b);
    void (*choose)(uint64_t *r, const uint64_t *table, uint64_t i0, uint64_t i1);
};

/* Entry i0 of the table for number 0 and i1 for number 1. */
RI void choose(uint64_t *r, const uint64_t *table, uint64_t i0, uint64_t i1, const int K,
               const int W)
{
    const __m512i one = _mm512_set1_epi64(1);
    __m512i wanted, at = _mm512_setzero_si512(), mask, x[MAX_K];
    const __mmask8 second = W == 2 ? 0xaa : 0;

    wanted = _mm512_mask_set1_epi64(_mm512_set1_epi64((long long)i0), second, (long long)i1);
    EACH_K
        x[k] = _mm512_setzero_si512();
    for (int j = 0; j < ENTRIES; j++) {
        mask = _mm512_movm_epi64(_mm512_cmpeq_epi64_mask(wanted, at));
        EACH_K                  /* x | (mask & entry) */
            x[k] = _mm512_ternarylogic_epi64(
                x[k], mask, _mm512_load_si512(table + 8 * (K * j + k)), 0xf8);
        at = _mm512_add_epi64(at, one);
    }
    EACH_K
        _mm512_store_si512(r + 8 * k, x[k]);
}

RI void add(uint64_t *r, const uint64_t *a, const uint64_t *b, const int K, const int W)
{
    __m512i x[MAX_K];

    EACH_K
        x[k] = _mm512_add_epi64(_mm512_load_si512(a + 8 * k), _mm512_load_si512(b + 8 * k));
    normalise(r, x, K, W);
}

#define SHAPE(w, k)                                                                         \
    RSA_TARGET static void mul_##w##_##k(uint64_t *r, const uint64_t *a, const uint64_t *b, \
                                         struct modulus *mod)                               \
    {                                                                                       \
        amm(r, a, b, mod, k, w);                                                            \
    }                                                                                       \
    RSA_TARGET static void add_##w##_##k(uint64_t *r, const uint64_t *a, const uint64_t *b) \
    {                                                                                       \
        add(r, a, b, k, w);                                                                 \
    }                                                                                       \
    RSA_TARGET static void choose_##w##_##k(uint64_t *r, const uint64_t *table,             \
                                            uint64_t i0, uint64_t i1)                       \
    {                                                                                       \
        choose(r, table, i0, i1, k, w);                                                     \
    }
#define EACH_SHAPE(S) S(1, 3) S(1, 5) S(1, 8) S(1, 10) S(2, 3) S(2, 5) S(2, 8) S(2, 10)
EACH_SHAPE(SHAPE)

static const struct shape shapes[] = {
#define SHAPE_ROW(w, k) { k, w, mul_##w##_##k, add_##w##_##k, choose_##w##_##k },
    EACH_SHAPE(SHAPE_ROW)
};

/* How many digits numbers of that length take: an even number, with R / n at
 * least 2^8 so that sums of a few products are operands. */
static size_t digits_for(size_t bits)
{
    size_t n = (bits + 8 + DIGIT_BITS - 1) / DIGIT_BITS;

    return n + (n & 1);
}

static const struct shape *shape_for(size_t bits, int W)
{
    size_t i, need = digits_for(bits) * (size_t)W;

    for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        if (shapes[i].W == W && need <= 8 * (size_t)shapes[i].K)
            return &shapes[i];
    return NULL;
}

/* ---- between 64-bit digits and lanes ---- */

/* `digits` digits of 52 bits, beginning with number `from`, of x (n digits of 64
 * bits) to every W-th lane; zero to the other lanes of that number. */
static void to_lanes(uint64_t *r, size_t lanes, size_t W, const uint64_t *x, size_t n,
                     size_t from, size_t digits)
{
    size_t j, bit, word;

    for (j = 0; j < lanes / W; j++) {
        uint64_t v = 0;

        bit = (from + j) * DIGIT_BITS;
        word = bit / 64;
        bit %= 64;
        if (j < digits && word < n) {
            v = x[word] >> bit;
            if (bit > 64 - DIGIT_BITS && word + 1 < n)
                v |= x[word + 1] << (64 - bit);
        }
        r[j * W] = v & DIGIT_MASK;
    }
}

/* What the lanes hold fits n digits of 64 bits. */
static void from_lanes(uint64_t *x, size_t n, const uint64_t *a, size_t W, size_t digits)
{
    size_t j, word = 0, bit = 0;
    unsigned __int128 acc = 0;

    for (j = 0; j < digits; j++) {
        acc |= (unsigned __int128)a[j * W] << bit;
        bit += DIGIT_BITS;
        if (bit >= 64) {
            if (word < n)
                x[word++] = (uint64_t)acc;
            acc >>= 64;
            bit -= 64;
        }
    }
    while (word < n) {
        x[word++] = (uint64_t)acc;
        acc = 0;
    }
}

/* ---- the constants of a modulus ---- */

RSA_TARGET static void modulus_load(struct modulus *mod, const struct shape *s, size_t digits,
                                    const uint64_t *n, const uint64_t *k0)
{
    int k;

    for (k = 0; k < s->K; k++)
        mod->n[k] = _mm512_loadu_si512(n + 8 * k);
    mod->n0 = spread(n, 0, s->W);
    mod->n1 = spread(n, 1, s->W);
    mod->k0 = spread(k0, 0, s->W);
    mod->digits = digits;
}

/*
 * 2^(52 digits + e) mod n with few digits e = 2 .. 15, not quite reduced: from
 * 2^bits - n by doubling, then by a shift into the room above n.
 */
static void power_of_two(uint64_t *lanes, const struct shape *s, size_t digits, size_t bits,
                         const uint64_t *n, unsigned e)
{
    uint64_t x[MAX_PRIME + 1] = { 0 }, zero[MAX_PRIME] = { 0 };
    size_t d = (bits + 63) / 64, shift = DIGIT_BITS * digits - bits - 2, i;
    unsigned j;

    sub(x, zero, n, d);
    if (bits % 64 != 0)
        x[d - 1] &= (UINT64_C(1) << bits % 64) - 1;
    for (j = 0; j < e + 2; j++) {
        uint64_t top = x[d - 1] >> 63;

        for (i = d - 1; i > 0; i--)
            x[i] = x[i] << 1 | x[i - 1] >> 63;
        x[0] <<= 1;
        reduce_once(x, top, n, d);
    }
    /* x << shift, which leaves whole digits of 52 bits clear */
    for (i = d; shift % DIGIT_BITS != 0 && i > 0; i--)
        x[i] = x[i] << shift % DIGIT_BITS | x[i - 1] >> (64 - shift % DIGIT_BITS);
    if (shift % DIGIT_BITS != 0)
        x[0] <<= shift % DIGIT_BITS;
    to_lanes(lanes + (shift / DIGIT_BITS) * (size_t)s->W,
             8 * (size_t)s->K - (shift / DIGIT_BITS) * (size_t)s->W, (size_t)s->W, x, d + 1, 0,
             digits);
    x_wipe(x, sizeof(x));
}

/*
 * Lanes of n, -1/n, and R^2 mod n, for W numbers n of d 64-bit digits. R^2 is the
 * Montgomery form of 2^(52 L): the exponent's bits by squaring and doubling.
 */
RSA_TARGET static void modulus_init(const struct shape *s, size_t bits, const uint64_t *const n[],
                                    uint64_t *n_lanes, uint64_t *k0, uint64_t *rr)
{
    size_t W = (size_t)s->W, lanes = 8 * (size_t)s->K, digits = digits_for(bits), w;
    __attribute__((aligned(64))) uint64_t x[MAX_LANES] = { 0 };
    size_t exponent = DIGIT_BITS * digits;
    struct modulus mod;
    int left = 0;

    while (exponent >> left >= 16)
        left++;
    for (w = 0; w < W; w++) {
        to_lanes(n_lanes + w, lanes, W, n[w], (bits + 63) / 64, 0, digits);
        k0[w] = minus_inverse(n[w][0]) & DIGIT_MASK;
        power_of_two(x + w, s, digits, bits, n[w], (unsigned)(exponent >> left));
    }
    modulus_load(&mod, s, digits, n_lanes, k0);
    while (left-- > 0) {
        s->mul(x, x, x, &mod);
        if (exponent >> left & 1)
            s->add(x, x, x);
    }
    memcpy(rr, x, 8 * lanes);
    x_wipe(x, sizeof(x));
    x_wipe(&mod, sizeof(mod));
}

/* ---- powers ---- */

struct power {
    __attribute__((aligned(64))) uint64_t table[ENTRIES * MAX_LANES];
    __attribute__((aligned(64))) uint64_t t[MAX_LANES];
};

/* x = x^e, all in Montgomery form; one: that of 1. e[w] has `bits` bits, of which
 * any may be zero. */
static void power(const struct shape *s, struct modulus *mod, uint64_t *x, const uint64_t *one,
                  const uint64_t *const e[], size_t bits, struct power *p)
{
    size_t lanes = 8 * (size_t)s->K, n = (bits + 63) / 64;
    size_t at = (bits - 1) / WINDOW * WINDOW, j;
    const uint64_t *e0 = e[0], *e1 = s->W == 2 ? e[1] : e[0];

    memcpy(p->table, one, 8 * lanes);
    memcpy(p->table + lanes, x, 8 * lanes);
    for (j = 2; j < ENTRIES; j += 2) {
        const uint64_t *half = p->table + j / 2 * lanes;

        s->mul(p->table + j * lanes, half, half, mod);
        s->mul(p->table + (j + 1) * lanes, p->table + j * lanes, x, mod);
    }
    s->choose(x, p->table, window_at(e0, n, at), window_at(e1, n, at));
    while (at > 0) {
        at -= WINDOW;
        for (j = 0; j < WINDOW; j++)
            s->mul(x, x, x, mod);
        s->choose(p->t, p->table, window_at(e0, n, at), window_at(e1, n, at));
        s->mul(x, x, p->t, mod);
    }
    x_wipe(p->table, 8 * lanes * ENTRIES);
    x_wipe(p->t, 8 * lanes);
}

#endif
