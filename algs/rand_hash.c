/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_RAND "HASH-DRBG": Hash_DRBG (SP 800-90A rev. 1 section 10.1.1, Hash_df
 * of 10.3.1) with any digest of fixed size. Section numbers are those of the
 * standard.
 */
#include "drbg.h"

#include <string.h>

#include "../provider/alglist.h"
#include "../provider/fn.h"

#define MAX_SEEDLEN (888 / 8)       /* table 2: digests above 256 bits */
#define SMALL_SEEDLEN (440 / 8)
#define NO_PREFIX (-1)

struct rand_hash {
    struct wn_drbg base;
    const struct wn_md_desc *md;    /* NULL: no digest yet */
    size_t seedlen;
    unsigned char v[MAX_SEEDLEN], c[MAX_SEEDLEN];
    unsigned char tmp[MAX_SEEDLEN]; /* data of Hashgen */
    struct wn_md hash;
};

static struct rand_hash *hash_of(struct wn_drbg *d)
{
    return (struct rand_hash *)d;
}

static size_t rand_hash_size(void)
{
    return sizeof(struct rand_hash);
}

static void rand_hash_init(struct wn_drbg *d)
{
    hash_of(d)->seedlen = MAX_SEEDLEN;
}

static int rand_hash_set(struct wn_drbg *d, const struct wn_drbg_set *p)
{
    struct rand_hash *h = hash_of(d);
    const struct wn_md_desc *md = h->md;

    if (!wn_drbg_take_digest(d, p->digest, &md))
        return 0;
    if (md == h->md)
        return 1;
    h->md = md;
    h->seedlen = md->size > 256 / 8 ? MAX_SEEDLEN : SMALL_SEEDLEN;
    wn_drbg_digest_lengths(d, md);
    return 2;
}

static int rand_hash_give(const struct wn_drbg *d, const struct wn_drbg_get *p)
{
    const struct rand_hash *h = (const struct rand_hash *)d;

    return wn_drbg_give_digest(d, p->digest, h->md);
}

static void start(struct rand_hash *h, int prefix)
{
    unsigned char byte = (unsigned char)prefix;

    wn_md_init(&h->hash, h->md);
    if (prefix != NO_PREFIX)
        wn_md_update(&h->hash, &byte, 1);
}

/* 10.3.1: seedlen bytes from prefix || in... (the counter comes first). */
static void hash_df(struct rand_hash *h, unsigned char *out, int prefix,
                    const struct wn_drbg_input *in, size_t inputs)
{
    unsigned char head[5] = { 1, 0, 0, 0, 0 }, last[WN_MD_MAX_SIZE], byte = (unsigned char)prefix;
    size_t left = h->seedlen, n, i;

    head[3] = (unsigned char)(8 * h->seedlen >> 8);
    head[4] = (unsigned char)(8 * h->seedlen);
    for (; left > 0; left -= n, out += n, head[0]++) {
        n = left < h->md->size ? left : h->md->size;
        wn_md_init(&h->hash, h->md);
        wn_md_update(&h->hash, head, sizeof(head));
        if (prefix != NO_PREFIX)
            wn_md_update(&h->hash, &byte, 1);
        for (i = 0; i < inputs; i++)
            wn_md_update(&h->hash, in[i].d, in[i].n);
        wn_md_final(&h->hash, last);
        memcpy(out, last, n);
    }
    wn_clear(last, sizeof(last));
}

/* to = (to + n bytes at add) modulo 2^(8 seedlen), both big-endian. */
static void add(const struct rand_hash *h, unsigned char *to, const unsigned char *bytes, size_t n)
{
    unsigned carry = 0;
    size_t i;

    for (i = 1; i <= h->seedlen; i++) {
        carry += to[h->seedlen - i] + (i <= n ? bytes[n - i] : 0u);
        to[h->seedlen - i] = (unsigned char)carry;
        carry >>= 8;
    }
}

/* V = V + Hash(prefix || V || adin) */
static void add_hash(struct rand_hash *h, int prefix, const struct wn_drbg_input *adin)
{
    unsigned char w[WN_MD_MAX_SIZE];

    start(h, prefix);
    wn_md_update(&h->hash, h->v, h->seedlen);
    wn_md_update(&h->hash, adin->d, adin->n);
    wn_md_final(&h->hash, w);
    add(h, h->v, w, h->md->size);
    wn_clear(w, sizeof(w));
}

/* C = Hash_df(0x00 || V) */
static void set_c(struct rand_hash *h)
{
    const struct wn_drbg_input v = { h->v, h->seedlen };

    hash_df(h, h->c, 0, &v, 1);
    wn_md_clear(&h->hash);
}

/* 10.1.1.2 */
static int rand_hash_instantiate(struct wn_drbg *d, const struct wn_drbg_input in[3])
{
    struct rand_hash *h = hash_of(d);

    hash_df(h, h->v, NO_PREFIX, in, 3);
    set_c(h);
    return 1;
}

/* 10.1.1.3 */
static int rand_hash_reseed(struct wn_drbg *d, const struct wn_drbg_input in[2])
{
    struct rand_hash *h = hash_of(d);
    const struct wn_drbg_input all[3] = { { h->v, h->seedlen }, in[0], in[1] };

    hash_df(h, h->c, 1, all, 3);
    memcpy(h->v, h->c, h->seedlen);
    set_c(h);
    return 1;
}

/* 10.1.1.4, Hashgen */
static void hashgen(struct rand_hash *h, unsigned char *out, size_t n)
{
    static const unsigned char one = 1;
    unsigned char last[WN_MD_MAX_SIZE];

    memcpy(h->tmp, h->v, h->seedlen);
    for (; n >= h->md->size; n -= h->md->size, out += h->md->size) {
        start(h, NO_PREFIX);
        wn_md_update(&h->hash, h->tmp, h->seedlen);
        wn_md_final(&h->hash, out);
        add(h, h->tmp, &one, 1);
    }
    if (n > 0) {
        start(h, NO_PREFIX);
        wn_md_update(&h->hash, h->tmp, h->seedlen);
        wn_md_final(&h->hash, last);
        memcpy(out, last, n);
        wn_clear(last, sizeof(last));
    }
    wn_clear(h->tmp, sizeof(h->tmp));
}

/* 10.1.1.4 */
static int rand_hash_generate(struct wn_drbg *d, unsigned char *out, size_t n,
                              const struct wn_drbg_input *adin)
{
    static const struct wn_drbg_input none;
    struct rand_hash *h = hash_of(d);
    unsigned char counter[4];

    if (adin->n > 0)
        add_hash(h, 2, adin);
    hashgen(h, out, n);
    add_hash(h, 3, &none);
    add(h, h->v, h->c, h->seedlen);
    counter[0] = (unsigned char)(d->generate_counter >> 24);
    counter[1] = (unsigned char)(d->generate_counter >> 16);
    counter[2] = (unsigned char)(d->generate_counter >> 8);
    counter[3] = (unsigned char)d->generate_counter;
    add(h, h->v, counter, sizeof(counter));
    wn_md_clear(&h->hash);
    return 1;
}

static void rand_hash_clear(struct wn_drbg *d)
{
    struct rand_hash *h = hash_of(d);

    wn_clear(h->v, sizeof(h->v));
    wn_clear(h->c, sizeof(h->c));
    wn_clear(h->tmp, sizeof(h->tmp));
    wn_md_clear(&h->hash);
}

static int rand_hash_is_clear(const struct wn_drbg *d)
{
    const struct rand_hash *h = (const struct rand_hash *)d;
    unsigned char any = 0;
    size_t i;

    for (i = 0; i < MAX_SEEDLEN; i++)
        any |= h->v[i] | h->c[i] | h->tmp[i];
    return any == 0;
}

static const struct wn_drbg_mech mech = {
    rand_hash_size, PROV_R_MISSING_MESSAGE_DIGEST, rand_hash_init, rand_hash_set, rand_hash_give,
    rand_hash_instantiate, rand_hash_reseed, rand_hash_generate, rand_hash_clear,
    rand_hash_is_clear
};

#define GETTABLE(P) WN_DRBG_DIGEST(P)
#define SETTABLE(P) WN_DRBG_PROPERTIES(P) WN_DRBG_DIGEST(P)
WN_DRBG_TABLE(rand_hash, &mech, GETTABLE, SETTABLE)
