/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves by Montgomery arithmetic of fixed sizes; see ec_mont.h. */
#include "ec_mont.h"

#include <string.h>

#ifdef __SIZEOF_INT128__        /* 64-bit processors */

#define MAX_N 8
#define WN_MONT_UNROLL _Pragma("GCC unroll 8")    /* MAX_N */

__extension__ typedef unsigned __int128 wn_mont_wide;

struct wn_mont_modulus {
    uint64_t m[MAX_N], rr[MAX_N], k;    /* rr = R^2 mod m; k = -1 / m mod 2^64 */
};

/* The kinds of curve that save multiplications by a */
enum wn_mont_a { WN_MONT_A_ANY, WN_MONT_A_0, WN_MONT_A_MINUS_3 };

/* Of one size. Numbers have as many digits; results may not overlap with inputs, but for r
 * of sign(), which is x of k G before. */
struct wn_mont_ops {
    /* x, y = k q (qx NULL: the base point; y NULL: not wanted); 0 at infinity */
    int (*multiple)(const struct wn_ec_curve *curve, const uint64_t *k, const uint64_t *qx,
                    const uint64_t *qy, uint64_t *x, uint64_t *y);
    void (*sign)(const struct wn_ec_curve *curve, const uint64_t *k, const uint64_t *d,
                 const uint64_t *e, uint64_t *r, uint64_t *s);
    int (*verify)(const struct wn_ec_curve *curve, const uint64_t *qx, const uint64_t *qy,
                  const uint64_t *e, const uint64_t *r, const uint64_t *s);
};

/* All ones for 1, 0 for 0, and the compiler is not told which two values there are. */
static inline uint64_t wn_mont_mask(uint64_t bit)
{
    uint64_t mask = 0 - bit;

    __asm__("" : "+r"(mask));
    return mask;
}

static uint64_t wn_mont_word(uint64_t m)
{
    uint64_t x = m;         /* right to 3 bits, each round doubles that */
    int i;

    for (i = 0; i < 5; i++)
        x *= 2 - m * x;
    return 0 - x;
}

static void read_be(uint64_t *to, size_t n, const byte *be, size_t bytes)
{
    size_t i;

    memset(to, 0, 8 * n);
    for (i = 0; i < bytes; i++)
        to[i / 8] |= (uint64_t)be[bytes - 1 - i] << (i % 8 * 8);
}

static void write_be(byte *be, size_t bytes, const uint64_t *from)
{
    size_t i;

    for (i = 0; i < bytes; i++)
        be[bytes - 1 - i] = (byte)(from[i / 8] >> (i % 8 * 8));
}

static void wn_mont_read_hex(uint64_t *to, size_t n, const char *hex, size_t bytes)
{
    byte be[WN_EC_MAX_BYTES];

    wn_ec_hex(hex, be, bytes);
    read_be(to, n, be, bytes);
}

/* to = m - small */
static void minus(uint64_t *to, const uint64_t *m, uint64_t small, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++) {
        to[i] = m[i] - small;
        small = m[i] < small;
    }
}

static enum wn_mont_a wn_mont_kind(const uint64_t *a, const uint64_t *p, size_t n)
{
    uint64_t p_3[MAX_N];
    static const uint64_t zero[MAX_N];

    minus(p_3, p, 3, n);
    if (memcmp(a, zero, 8 * n) == 0)
        return WN_MONT_A_0;
    return memcmp(a, p_3, 8 * n) == 0 ? WN_MONT_A_MINUS_3 : WN_MONT_A_ANY;
}

/*
 * Tables of base points, one for each curve that is used often. They lie in memory
 * that costs nothing until it is written to, and stay. The third use builds a table,
 * which takes as long as a use; meanwhile other threads do without.
 */
#define WN_MONT_PARTS 8

struct base {
    atomic_int uses;
    atomic_int ready;
    uint64_t points[WN_MONT_PARTS * 16 * 3 * MAX_N];
};
static struct base bases[WN_EC_CURVES];

/* NULL, or the table; *build: it is the caller's to make, and to say base_table_ready(). */
static void *base_table(const struct wn_ec_curve *curve, int *build)
{
    struct base *b = &bases[wn_ec_curve_index(curve)];

    *build = 0;
    if (atomic_load_explicit(&b->ready, memory_order_acquire))
        return b->points;
    if (atomic_load_explicit(&b->uses, memory_order_relaxed) > 2
        || atomic_fetch_add_explicit(&b->uses, 1, memory_order_relaxed) != 2)
        return NULL;
    *build = 1;
    return b->points;
}

static void base_table_ready(const struct wn_ec_curve *curve)
{
    atomic_store_explicit(&bases[wn_ec_curve_index(curve)].ready, 1, memory_order_release);
}

#define N 2
#include "ec_mont_impl.h"
#define N 3
#include "ec_mont_impl.h"
#define N 4
#include "ec_mont_impl.h"
#define N 5
#include "ec_mont_impl.h"
#define N 6
#include "ec_mont_impl.h"
#define N 8
#include "ec_mont_impl.h"

static size_t digits(const struct wn_ec_curve *curve)
{
    return ((size_t)(curve->bits > curve->order_bits ? curve->bits : curve->order_bits) + 63) / 64;
}

static const struct wn_mont_ops *ops(const struct wn_ec_curve *curve)
{
    static const struct wn_mont_ops *const by_digits[MAX_N + 1] = {
        [2] = &wn_mont_ops_2, [3] = &wn_mont_ops_3, [4] = &wn_mont_ops_4,
        [5] = &wn_mont_ops_5, [6] = &wn_mont_ops_6, [8] = &wn_mont_ops_8,
    };
    size_t n = digits(curve);

    return n <= MAX_N && curve->dp.cofactor == 1 ? by_digits[n] : NULL;
}

int wn_ec_mont_serves(const struct wn_ec_curve *curve)
{
    return ops(curve) != NULL;
}

static int from_mp(uint64_t to[MAX_N], const mp_int *a)
{
    byte be[8 * MAX_N];
    int rc = mp_to_unsigned_bin_len((mp_int *)(uintptr_t)a, be, (int)sizeof(be));

    read_be(to, MAX_N, be, sizeof(be));
    wn_clear(be, sizeof(be));
    return rc;
}

static int to_mp(mp_int *to, const struct wn_ec_curve *curve, const uint64_t *from)
{
    byte be[8 * MAX_N];
    size_t n = 8 * digits(curve);
    int rc;

    write_be(be, n, from);
    rc = mp_read_unsigned_bin(to, be, (word32)n);
    wn_clear(be, sizeof(be));
    return rc;
}

int wn_ec_mont_base(const struct wn_ec_curve *curve, const mp_int *d, mp_int *x, mp_int *y)
{
    uint64_t k[MAX_N], px[MAX_N], py[MAX_N];
    int rc = from_mp(k, d);

    if (rc == MP_OKAY && !ops(curve)->multiple(curve, k, NULL, NULL, px, py))
        rc = ECC_INF_E;
    wn_clear(k, sizeof(k));
    if (rc == MP_OKAY)
        rc = to_mp(x, curve, px);
    return rc == MP_OKAY ? to_mp(y, curve, py) : rc;
}

int wn_ec_mont_secret(const struct wn_ec_curve *curve, const mp_int *d, const mp_int *x,
                      const mp_int *y, byte *out)
{
    uint64_t k[MAX_N], qx[MAX_N], qy[MAX_N], shared[MAX_N];
    int rc = from_mp(k, d);

    if (rc == MP_OKAY)
        rc = from_mp(qx, x);
    if (rc == MP_OKAY)
        rc = from_mp(qy, y);
    if (rc == MP_OKAY && !ops(curve)->multiple(curve, k, qx, qy, shared, NULL))
        rc = ECC_INF_E;
    if (rc == MP_OKAY)
        write_be(out, curve->size, shared);
    wn_clear(k, sizeof(k));
    wn_clear(shared, sizeof(shared));
    return rc;
}

/* The leftmost bits of the hash, as many as n has (SEC 1 section 4.1.3, step 5) */
static void read_hash(uint64_t e[MAX_N], const struct wn_ec_curve *curve, const byte *hash, word32 n)
{
    unsigned shift = n >= curve->order_size ? (8 - (unsigned)curve->order_bits % 8) % 8 : 0;
    int i;

    read_be(e, MAX_N, hash, n < curve->order_size ? n : curve->order_size);
    if (shift == 0)
        return;
    for (i = 0; i + 1 < MAX_N; i++)
        e[i] = e[i] >> shift | e[i + 1] << (64 - shift);
    e[i] >>= shift;
}

static int is_zero(const uint64_t *a, size_t n)
{
    uint64_t all = 0;
    size_t i;

    for (i = 0; i < n; i++)
        all |= a[i];
    return all == 0;
}

int wn_ec_mont_sign(const struct wn_ec_curve *curve, const byte *hash, word32 n, const mp_int *d,
                    const byte *k, mp_int *r, mp_int *s)
{
    uint64_t key[MAX_N], nonce[MAX_N], e[MAX_N], pr[MAX_N], ps[MAX_N];
    int rc = from_mp(key, d);

    read_be(nonce, MAX_N, k, curve->order_size);
    read_hash(e, curve, hash, n);
    if (rc == MP_OKAY && !ops(curve)->multiple(curve, nonce, NULL, NULL, pr, NULL))
        rc = ECC_INF_E;
    if (rc == MP_OKAY) {
        ops(curve)->sign(curve, nonce, key, e, pr, ps);
        if (is_zero(pr, digits(curve)) || is_zero(ps, digits(curve)))
            rc = MP_ZERO_E;
    }
    wn_clear(key, sizeof(key));
    wn_clear(nonce, sizeof(nonce));
    if (rc == MP_OKAY)
        rc = to_mp(r, curve, pr);
    return rc == MP_OKAY ? to_mp(s, curve, ps) : rc;
}

int wn_ec_mont_verify(const struct wn_ec_curve *curve, const byte *hash, word32 n, const mp_int *x,
                      const mp_int *y, const mp_int *r, const mp_int *s, int *good)
{
    uint64_t qx[MAX_N], qy[MAX_N], e[MAX_N], pr[MAX_N], ps[MAX_N];
    int rc = from_mp(qx, x);

    if (rc == MP_OKAY)
        rc = from_mp(qy, y);
    if (rc == MP_OKAY)
        rc = from_mp(pr, r);
    if (rc == MP_OKAY)
        rc = from_mp(ps, s);
    if (rc == MP_OKAY) {
        read_hash(e, curve, hash, n);
        *good = ops(curve)->verify(curve, qx, qy, e, pr, ps);
    }
    return rc;
}

#else       /* wolfCrypt's generic code remains */

int wn_ec_mont_serves(const struct wn_ec_curve *curve)
{
    (void)curve;
    return 0;
}

int wn_ec_mont_base(const struct wn_ec_curve *curve, const mp_int *d, mp_int *x, mp_int *y)
{
    (void)curve, (void)d, (void)x, (void)y;
    return NOT_COMPILED_IN;
}

int wn_ec_mont_secret(const struct wn_ec_curve *curve, const mp_int *d, const mp_int *x,
                      const mp_int *y, byte *out)
{
    (void)curve, (void)d, (void)x, (void)y, (void)out;
    return NOT_COMPILED_IN;
}

int wn_ec_mont_sign(const struct wn_ec_curve *curve, const byte *hash, word32 n, const mp_int *d,
                    const byte *k, mp_int *r, mp_int *s)
{
    (void)curve, (void)hash, (void)n, (void)d, (void)k, (void)r, (void)s;
    return NOT_COMPILED_IN;
}

int wn_ec_mont_verify(const struct wn_ec_curve *curve, const byte *hash, word32 n, const mp_int *x,
                      const mp_int *y, const mp_int *r, const mp_int *s, int *good)
{
    (void)curve, (void)hash, (void)n, (void)x, (void)y, (void)r, (void)s, (void)good;
    return NOT_COMPILED_IN;
}

#endif
