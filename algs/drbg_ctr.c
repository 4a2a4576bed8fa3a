/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CTR_DRBG with AES; see drbg_ctr.h. Section numbers are those of SP 800-90A
 * rev. 1. A request encrypts one run of counter blocks: first the output, then
 * the next key and V, so a small one is a single call of the block cipher.
 */
#include "drbg_ctr.h"

#include <string.h>

#include "chunk.h"

#define BLOCK 16
#define MAX_SEED 48                 /* keylen + BLOCK, rounded up to blocks */
#define SMALL 13                    /* output blocks that go with the next key */

size_t wn_ctr_drbg_size(void)
{
    return offsetof(struct wn_ctr_drbg, key) + wn_aes_key_size();
}

void wn_ctr_drbg_init(struct wn_ctr_drbg *g, const struct wn_prov *prov, size_t keylen, int df)
{
    g->prov = prov;
    g->keylen = keylen;
    g->df = df;
    g->hw = wn_aes_kernels();
}

static int set_key(const struct wn_ctr_drbg *g, union wn_aes_key *key, const unsigned char *bytes)
{
    return wn_aes_set_key(g->prov, key, bytes, g->keylen, 1);
}

/* Encrypts n blocks in place. */
static int encrypt(const struct wn_ctr_drbg *g, union wn_aes_key *key, unsigned char *data,
                   size_t n)
{
    if (g->hw) {
        wn_accel.aes_ecb_enc(key->hw.rk, key->hw.rounds, data, data, n);
        return 1;
    }
    return WN_WC(g->prov, wc_AesEcbEncrypt(&key->soft, data, data, (word32)(n * BLOCK)));
}

/* ---- counter --------------------------------------------------------------- */

static uint64_t load64(const unsigned char *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof(v));
    return wn_be64(v);
}

static void store64(unsigned char *p, uint64_t v)
{
    v = wn_be64(v);
    memcpy(p, &v, sizeof(v));
}

/* V = V + n modulo 2^128 (ctr_len is the whole block). */
static void advance(unsigned char v[BLOCK], uint64_t n)
{
    uint64_t low = load64(v + 8) + n;

    store64(v + 8, low);
    if (low < n)
        store64(v, load64(v) + 1);
}

/* n times: V = V + 1, append V to out. */
static void counters(unsigned char v[BLOCK], unsigned char *out, size_t n)
{
    uint64_t high = load64(v), low = load64(v + 8);

    for (; n > 0; n--, out += BLOCK) {
        high += ++low == 0;
        store64(out, high);
        store64(out + 8, low);
    }
    store64(v, high);
    store64(v + 8, low);
}

/* ---- derivation function (sections 10.3.2 and 10.3.3) ---------------------- */

struct bcc {
    const struct wn_ctr_drbg *g;
    union wn_aes_key key;
    unsigned char chain[MAX_SEED];  /* one chaining value for each output block */
    unsigned char block[BLOCK];     /* open input block */
    size_t used;                    /* bytes of it */
    size_t chains;
};

/* All chains take the same block; they differ by their first one only. */
static int bcc_block(struct bcc *b, const unsigned char *block)
{
    size_t i;

    for (i = 0; i < b->chains * BLOCK; i++)
        b->chain[i] ^= block[i % BLOCK];
    return encrypt(b->g, &b->key, b->chain, b->chains);
}

static int bcc_update(struct bcc *b, const unsigned char *d, size_t n)
{
    while (n > 0) {
        size_t piece = BLOCK - b->used < n ? BLOCK - b->used : n;

        memcpy(b->block + b->used, d, piece);
        b->used += piece;
        d += piece;
        n -= piece;
        if (b->used == BLOCK) {
            if (!bcc_block(b, b->block))
                return 0;
            b->used = 0;
        }
    }
    return 1;
}

static void store32(unsigned char *p, size_t v)
{
    p[0] = (unsigned char)(v >> 24);
    p[1] = (unsigned char)(v >> 16);
    p[2] = (unsigned char)(v >> 8);
    p[3] = (unsigned char)v;
}

/* Steps 1 to 9: the chains over IV || L || N || input || 0x80 || padding. */
static int bcc_run(struct bcc *b, const struct wn_drbg_input *in, size_t inputs)
{
    static const unsigned char pad[BLOCK] = { 0x80 };
    unsigned char key[32], header[8];
    size_t i, total = 0;

    for (i = 0; i < inputs; i++) {
        if (in[i].n > UINT32_MAX - total)
            return 0;
        total += in[i].n;
    }
    for (i = 0; i < sizeof(key); i++)
        key[i] = (unsigned char)i;
    if (!set_key(b->g, &b->key, key))
        return 0;
    memset(b->chain, 0, sizeof(b->chain));
    for (i = 0; i < b->chains; i++)
        store32(b->chain + i * BLOCK, i);
    store32(header, total);
    store32(header + 4, wn_ctr_drbg_seedlen(b->g));
    b->used = 0;
    if (!encrypt(b->g, &b->key, b->chain, b->chains) || !bcc_update(b, header, sizeof(header)))
        return 0;
    for (i = 0; i < inputs; i++)
        if (!bcc_update(b, in[i].d, in[i].n))
            return 0;
    /* one to 16 bytes of padding end the block */
    return bcc_update(b, pad, BLOCK - b->used);
}

/* Steps 10 to 15: MAX_SEED bytes of which seedlen count. */
static int df_expand(struct bcc *b, unsigned char *out)
{
    unsigned char x[BLOCK];
    size_t i;
    int ok;

    memcpy(x, b->chain + b->g->keylen, BLOCK);
    ok = set_key(b->g, &b->key, b->chain);
    for (i = 0; ok && i < b->chains; i++) {
        ok = encrypt(b->g, &b->key, x, 1);
        memcpy(out + i * BLOCK, x, BLOCK);
    }
    wn_clear(x, sizeof(x));
    return ok;
}

static int df(const struct wn_ctr_drbg *g, const struct wn_drbg_input *in, size_t inputs,
              unsigned char *out)
{
    struct bcc b;
    int ok;

    b.g = g;
    b.chains = (wn_ctr_drbg_seedlen(g) + BLOCK - 1) / BLOCK;
    ok = bcc_run(&b, in, inputs) && df_expand(&b, out);
    wn_clear(&b.key, wn_aes_key_size());
    wn_clear(b.chain, sizeof(b.chain));
    wn_clear(b.block, sizeof(b.block));
    return ok;
}

/* ---- the mechanism ----------------------------------------------------------- */

/* provided_data of seedlen bytes: derived, or the inputs padded and xored. */
static int provide(const struct wn_ctr_drbg *g, const struct wn_drbg_input *in, size_t inputs,
                   unsigned char *out)
{
    size_t i, j;

    if (g->df)
        return df(g, in, inputs, out);
    memset(out, 0, MAX_SEED);
    for (i = 0; i < inputs; i++) {
        if (in[i].n > wn_ctr_drbg_seedlen(g))
            return 0;
        for (j = 0; j < in[i].n; j++)
            out[j] ^= in[i].d[j];
    }
    return 1;
}

/* CTR_DRBG_Update (10.2.1.2) from its step 3 on; temp is overwritten. */
static int update_with(struct wn_ctr_drbg *g, unsigned char *temp, const unsigned char *provided)
{
    size_t i;

    if (provided != NULL)
        for (i = 0; i < wn_ctr_drbg_seedlen(g); i++)
            temp[i] ^= provided[i];
    memcpy(g->v, temp + g->keylen, BLOCK);
    return set_key(g, &g->key, temp);
}

static size_t seed_blocks(const struct wn_ctr_drbg *g)
{
    return (wn_ctr_drbg_seedlen(g) + BLOCK - 1) / BLOCK;
}

static int update(struct wn_ctr_drbg *g, const unsigned char *provided)
{
    unsigned char temp[MAX_SEED];
    int ok;

    counters(g->v, temp, seed_blocks(g));
    ok = encrypt(g, &g->key, temp, seed_blocks(g)) && update_with(g, temp, provided);
    wn_clear(temp, sizeof(temp));
    return ok;
}

int wn_ctr_drbg_instantiate(struct wn_ctr_drbg *g, const struct wn_drbg_input in[3])
{
    static const unsigned char zeros[32];
    unsigned char seed[MAX_SEED];
    int ok;

    memset(g->v, 0, sizeof(g->v));
    ok = provide(g, in, 3, seed) && set_key(g, &g->key, zeros) && update(g, seed);
    wn_clear(seed, sizeof(seed));
    return ok;
}

int wn_ctr_drbg_reseed(struct wn_ctr_drbg *g, const struct wn_drbg_input in[2])
{
    unsigned char seed[MAX_SEED];
    int ok = provide(g, in, 2, seed) && update(g, seed);

    wn_clear(seed, sizeof(seed));
    return ok;
}

static int generate_small(struct wn_ctr_drbg *g, unsigned char *out, size_t n,
                          const unsigned char *provided)
{
    unsigned char temp[(SMALL + MAX_SEED / BLOCK) * BLOCK];
    size_t blocks = (n + BLOCK - 1) / BLOCK, all = blocks + seed_blocks(g);
    int ok;

    counters(g->v, temp, all);
    ok = encrypt(g, &g->key, temp, all);
    if (ok) {
        memcpy(out, temp, n);
        ok = update_with(g, temp + blocks * BLOCK, provided);
    }
    wn_clear(temp, all * BLOCK);
    return ok;
}

static int generate_large(struct wn_ctr_drbg *g, unsigned char *out, size_t n,
                          const unsigned char *provided)
{
    unsigned char first[BLOCK], block[BLOCK];
    size_t blocks = n / BLOCK, rest = n % BLOCK;
    unsigned num = 0;
    int ok = 1;

    if (g->hw) {
        memcpy(first, g->v, sizeof(first));
        advance(first, 1);
        memset(out, 0, n);
        wn_accel.aes_ctr(g->key.hw.rk, g->key.hw.rounds, first, block, &num, out, out, n);
        advance(g->v, blocks + (rest != 0));
    } else {
        counters(g->v, out, blocks);
        ok = encrypt(g, &g->key, out, blocks);
        if (ok && rest != 0) {
            counters(g->v, block, 1);
            ok = encrypt(g, &g->key, block, 1);
            memcpy(out + blocks * BLOCK, block, rest);
        }
    }
    wn_clear(block, sizeof(block));
    return ok && update(g, provided);
}

int wn_ctr_drbg_generate(struct wn_ctr_drbg *g, unsigned char *out, size_t n,
                         const struct wn_drbg_input *adin)
{
    unsigned char seed[MAX_SEED], *provided = NULL;
    int ok = 1;

    if (adin != NULL && adin->n != 0) {
        provided = seed;
        ok = provide(g, adin, 1, seed) && update(g, seed);
    }
    if (ok)
        ok = n <= SMALL * BLOCK ? generate_small(g, out, n, provided)
                                : generate_large(g, out, n, provided);
    if (provided != NULL)
        wn_clear(seed, sizeof(seed));
    return ok;
}

void wn_ctr_drbg_clear(struct wn_ctr_drbg *g)
{
    wn_clear(g->v, sizeof(g->v));
    wn_clear(&g->key, wn_aes_key_size());
}

int wn_ctr_drbg_is_clear(const struct wn_ctr_drbg *g)
{
    const unsigned char *p = (const unsigned char *)&g->key;
    unsigned char any = 0;
    size_t i;

    for (i = 0; i < sizeof(g->v); i++)
        any |= g->v[i];
    for (i = 0; i < wn_aes_key_size(); i++)
        any |= p[i];
    return any == 0;
}
