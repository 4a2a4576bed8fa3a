/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_KDF "SCRYPT" (RFC 7914), for any r; wolfCrypt's own stops at 8.
 *
 * The 16 words of a Salsa20 state are kept by diagonals, as four vectors of
 * four: then a quarter-round of all columns (or rows) is one operation on
 * vectors, and only the order within the vectors changes in between. Blocks
 * stay in that order from the first step of ROMix to the last. GCC and Clang
 * turn the vectors into what the processor has.
 */
#include "kdf.h"

#include <limits.h>
#include <string.h>

#include <openssl/evperr.h>

#include "../provider/alglist.h"
#include "pbkdf2.h"

enum { PASS, SALT, N_BYTES };

struct scrypt_ctx {
    struct wn_kdf kdf;
    struct wn_kdf_bytes b[N_BYTES];
    uint64_t n, r, p, max_memory;
};
WN_KDF_CHECK(scrypt_ctx);

/* ---- salsa20/8, BlockMix, ROMix -------------------------------------------- */

typedef uint32_t vec __attribute__((vector_size(16)));

struct block {
    vec a, b, c, d;             /* words 0 5 10 15, 4 9 14 3, 8 13 2 7, 12 1 6 11 */
};

#define ROTATE(v, n) ((v) << (n) | (v) >> (32 - (n)))
#define TURN1(v) __builtin_shufflevector(v, v, 1, 2, 3, 0)
#define TURN2(v) __builtin_shufflevector(v, v, 2, 3, 0, 1)
#define TURN3(v) __builtin_shufflevector(v, v, 3, 0, 1, 2)

/* Section 3 */
static inline void salsa20_8(struct block *x)
{
    vec a = x->a, b = x->b, c = x->c, d = x->d, t;
    int i;

    for (i = 0; i < 8; i++) {
        t = a + d;
        b ^= ROTATE(t, 7);
        t = b + a;
        c ^= ROTATE(t, 9);
        t = c + b;
        d ^= ROTATE(t, 13);
        t = d + c;
        a ^= ROTATE(t, 18);
        /* columns become rows and back: b and d change places */
        t = TURN3(b);
        b = TURN1(d);
        d = t;
        c = TURN2(c);
    }
    x->a += a;
    x->b += b;
    x->c += c;
    x->d += d;
}

/* Section 4, from in (xored with v unless that is NULL) to out. */
static void block_mix(struct block *out, const struct block *in, const struct block *v, size_t r)
{
    struct block x = in[2 * r - 1];
    size_t i;

    if (v != NULL) {
        x.a ^= v[2 * r - 1].a;
        x.b ^= v[2 * r - 1].b;
        x.c ^= v[2 * r - 1].c;
        x.d ^= v[2 * r - 1].d;
    }
    for (i = 0; i < 2 * r; i++) {
        x.a ^= in[i].a;
        x.b ^= in[i].b;
        x.c ^= in[i].c;
        x.d ^= in[i].d;
        if (v != NULL) {
            x.a ^= v[i].a;
            x.b ^= v[i].b;
            x.c ^= v[i].c;
            x.d ^= v[i].d;
        }
        salsa20_8(&x);
        out[i / 2 + (i & 1) * r] = x;
    }
}

/* Which word of the specification is where: vector * 4 + lane. */
static const unsigned char place[16] = { 0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3 };

static void load(struct block *x, const unsigned char *in)
{
    uint32_t words[16];
    int i;

    for (i = 0; i < 16; i++, in += 4)
        words[place[i]] = (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16
            | (uint32_t)in[3] << 24;
    memcpy(x, words, sizeof(*x));
}

static void store(unsigned char *out, const struct block *x)
{
    uint32_t words[16], w;
    int i;

    memcpy(words, x, sizeof(words));
    for (i = 0; i < 16; i++, out += 4) {
        w = words[place[i]];
        out[0] = (unsigned char)w;
        out[1] = (unsigned char)(w >> 8);
        out[2] = (unsigned char)(w >> 16);
        out[3] = (unsigned char)(w >> 24);
    }
}

/* Section 5. x, y: 2 r blocks each; v: 2 r n blocks. */
static void ro_mix(unsigned char *b, size_t r, uint64_t n, struct block *x, struct block *y,
                   struct block *v)
{
    size_t width = 2 * r, i;
    uint64_t k;

    for (i = 0; i < width; i++)
        load(&v[i], b + 64 * i);
    for (k = 1; k < n; k++)
        block_mix(v + k * width, v + (k - 1) * width, NULL, r);
    block_mix(x, v + (n - 1) * width, NULL, r);
    for (k = 0; k < n; k += 2) {        /* n is a power of two above 1 */
        block_mix(y, x, v + (x[width - 1].a[0] & (n - 1)) * width, r);
        block_mix(x, y, v + (y[width - 1].a[0] & (n - 1)) * width, r);
    }
    for (i = 0; i < width; i++)
        store(b + 64 * i, &x[i]);
}

/* ---- EVP_KDF ------------------------------------------------------------------ */

static void scrypt_init(void *vctx)
{
    struct scrypt_ctx *c = vctx;

    c->n = 1 << 20;
    c->r = 8;
    c->p = 1;
    c->max_memory = 1025 * 1024 * 1024;
}

#define WN_PD_uint32(k) OSSL_PARAM_uint32(k, NULL)
#define SCRYPT_SET(P)                                               \
    P(pass, octet_string, OSSL_KDF_PARAM_PASSWORD)                  \
    P(salt, octet_string, OSSL_KDF_PARAM_SALT)                      \
    P(n, uint64, OSSL_KDF_PARAM_SCRYPT_N)                           \
    P(r, uint32, OSSL_KDF_PARAM_SCRYPT_R)                           \
    P(p, uint32, OSSL_KDF_PARAM_SCRYPT_P)                           \
    P(max_memory, uint64, OSSL_KDF_PARAM_SCRYPT_MAXMEM)             \
    P(properties, utf8_string, OSSL_KDF_PARAM_PROPERTIES)
WN_PARAMS(scrypt_set, SCRYPT_SET);

static int bad(const struct scrypt_ctx *c, int reason)
{
    WN_RAISE(c->kdf.prov, reason);
    return 0;
}

static int scrypt_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct scrypt_ctx *c = vctx;
    const struct wn_prov *prov = c->kdf.prov;
    struct scrypt_set p;

    if (!WN_PARAMS_SCAN(prov, scrypt_set, params, &p)
        || !wn_param_take_uint64(prov, p.n, &c->n)
        || !wn_param_take_uint64(prov, p.r, &c->r)
        || !wn_param_take_uint64(prov, p.p, &c->p)
        || !wn_param_take_uint64(prov, p.max_memory, &c->max_memory))
        return 0;
    if (c->n < 2 || (c->n & (c->n - 1)) != 0 || c->r < 1 || c->p < 1 || c->max_memory < 1)
        return bad(c, PROV_R_VALUE_ERROR);
    return wn_kdf_take(c, PASS, p.pass, WN_KDF_LENIENT)
        && wn_kdf_take(c, SALT, p.salt, WN_KDF_LENIENT);
}

static int too_much(const struct scrypt_ctx *c)
{
    WN_RAISE_LIB(c->kdf.prov, ERR_LIB_EVP, EVP_R_MEMORY_LIMIT_EXCEEDED);
    return 0;
}

/* Section 6's bounds and the memory limit: B, and V with two blocks more. */
static int fits(const struct scrypt_ctx *c, size_t *blen, size_t *vlen)
{
    uint64_t limit = c->max_memory < SIZE_MAX / 2 ? c->max_memory : SIZE_MAX / 2;

    if (c->p > ((1 << 30) - 1) / c->r)
        return too_much(c);
    if (16 * c->r < 64 && c->n >= (uint64_t)1 << (16 * c->r))
        return too_much(c);
    if (c->p * c->r * 128 > INT_MAX || c->n + 2 > UINT64_MAX / 128 / c->r)
        return too_much(c);
    if (c->r * (c->n + 2) * 128 > limit
        || c->p * c->r * 128 > limit - c->r * (c->n + 2) * 128)
        return too_much(c);
    *blen = (size_t)(c->p * c->r * 128);
    *vlen = (size_t)(c->r * (c->n + 2) * 128);
    return 1;
}

static int scrypt_derive(void *vctx, unsigned char *out, size_t n)
{
    const struct scrypt_ctx *c = vctx;
    const struct wn_kdf_bytes *pass = &c->b[PASS], *salt = &c->b[SALT];
    size_t blen = 0, vlen = 0, i, width = 2 * (size_t)c->r;
    struct block *v;
    unsigned char *b;

    if (pass->d == NULL)
        return bad(c, PROV_R_MISSING_PASS);
    if (salt->d == NULL)
        return bad(c, PROV_R_MISSING_SALT);
    if (!fits(c, &blen, &vlen))
        return 0;
    if (out == NULL)            /* the question was whether the parameters are good */
        return 1;
    v = wn_ctx_new(c->kdf.prov, vlen + blen);
    if (v == NULL)
        return 0;
    b = (unsigned char *)v + vlen;
    wn_pbkdf2(&wn_md_sha256, pass->d, pass->n, salt->d, salt->n, 1, b, blen);
    for (i = 0; i < c->p; i++)
        ro_mix(b + i * 64 * width, (size_t)c->r, c->n, v, v + width, v + 2 * width);
    wn_pbkdf2(&wn_md_sha256, pass->d, pass->n, b, blen, 1, out, n);
    wn_ctx_free(c->kdf.prov, v, vlen + blen);
    return 1;
}

const struct wn_kdf_desc wn_kdf_scrypt = {
    WN_KDF_LAYOUT(scrypt_ctx, b), WN_CORE_VERSION(3, 6), scrypt_init, scrypt_set_params,
    scrypt_derive, NULL, NULL, scrypt_set_list, wn_kdf_size_list, NULL, NULL
};
WN_KDF_TABLE(scrypt, &wn_kdf_scrypt)
