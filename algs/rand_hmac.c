/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_RAND "HMAC-DRBG": HMAC_DRBG (SP 800-90A rev. 1 section 10.1.2) with any
 * digest of fixed size. Section numbers are those of the standard.
 *
 * OpenSSL up to 3.6 also wants the parameter "mac", which can only be HMAC.
 */
#include "drbg.h"

#include <string.h>
#include <strings.h>

#include "../provider/alglist.h"
#include "../provider/fn.h"
#include "hmac.h"

struct rand_hmac {
    struct wn_drbg base;
    const struct wn_md_desc *md;    /* NULL: no digest yet */
    int mac;                        /* "mac" was given or need not be */
    unsigned char v[WN_MD_MAX_SIZE];
    struct wn_hmac key;             /* HMAC keyed with K; K itself is not kept */
};

static struct rand_hmac *hmac_of(struct wn_drbg *d)
{
    return (struct rand_hmac *)d;
}

static size_t rand_hmac_size(void)
{
    return sizeof(struct rand_hmac);
}

static void rand_hmac_init(struct wn_drbg *d)
{
    hmac_of(d)->mac = d->prov->core_version >= WN_CORE_VERSION(4, 0);
}

static int rand_hmac_set(struct wn_drbg *d, const struct wn_drbg_set *p)
{
    struct rand_hmac *h = hmac_of(d);
    const struct wn_md_desc *md = h->md;
    char mac[16];

    if (!wn_drbg_take_digest(d, p->digest, &md))
        return 0;
    if (p->mac != NULL
        && (!wn_param_get_utf8(p->mac, mac, sizeof(mac)) || strcasecmp(mac, "HMAC") != 0)) {
        WN_RAISE(d->prov, PROV_R_INVALID_MAC);
        return 0;
    }
    h->mac |= p->mac != NULL;
    if (h->mac && md != NULL)
        wn_drbg_digest_lengths(d, md);
    if (md == h->md)
        return 1;
    h->md = md;
    return 2;
}

static int rand_hmac_give(const struct wn_drbg *d, const struct wn_drbg_get *p)
{
    const struct rand_hmac *h = (const struct rand_hmac *)d;

    if (p->mac != NULL && !h->mac) {
        WN_RAISE(d->prov, PROV_R_MISSING_MAC);
        return 0;
    }
    return wn_param_give_utf8(d->prov, p->mac, "HMAC")
        && wn_drbg_give_digest(d, p->digest, h->md);
}

/* V = HMAC(K, V) */
static void next_v(struct rand_hmac *h)
{
    wn_hmac_restart(&h->key);
    wn_hmac_update(&h->key, h->v, h->md->size);
    wn_hmac_final(&h->key, h->v);
}

/* K = HMAC(K, V || byte || in...), V = HMAC(K, V) */
static void next_key(struct rand_hmac *h, unsigned char byte, const struct wn_drbg_input *in,
                     size_t inputs)
{
    unsigned char k[WN_MD_MAX_SIZE];
    size_t i;

    wn_hmac_restart(&h->key);
    wn_hmac_update(&h->key, h->v, h->md->size);
    wn_hmac_update(&h->key, &byte, 1);
    for (i = 0; i < inputs; i++)
        wn_hmac_update(&h->key, in[i].d, in[i].n);
    wn_hmac_final(&h->key, k);
    wn_hmac_init(&h->key, h->md, k, h->md->size);
    wn_clear(k, sizeof(k));
    next_v(h);
}

/* HMAC_DRBG_Update, 10.1.2.2 */
static void update(struct rand_hmac *h, const struct wn_drbg_input *in, size_t inputs)
{
    size_t i, n = 0;

    next_key(h, 0, in, inputs);
    for (i = 0; i < inputs; i++)
        n |= in[i].n;
    if (n != 0)
        next_key(h, 1, in, inputs);
}

/* 10.1.2.3 */
static int rand_hmac_instantiate(struct wn_drbg *d, const struct wn_drbg_input in[3])
{
    static const unsigned char zeros[WN_MD_MAX_SIZE];
    struct rand_hmac *h = hmac_of(d);

    memset(h->v, 1, h->md->size);
    wn_hmac_init(&h->key, h->md, zeros, h->md->size);
    update(h, in, 3);
    return 1;
}

/* 10.1.2.4 */
static int rand_hmac_reseed(struct wn_drbg *d, const struct wn_drbg_input in[2])
{
    update(hmac_of(d), in, 2);
    return 1;
}

/* 10.1.2.5 */
static int rand_hmac_generate(struct wn_drbg *d, unsigned char *out, size_t n,
                              const struct wn_drbg_input *adin)
{
    struct rand_hmac *h = hmac_of(d);
    size_t piece;

    if (adin->n > 0)
        update(h, adin, 1);
    for (; n > 0; n -= piece, out += piece) {
        piece = n < h->md->size ? n : h->md->size;
        next_v(h);
        memcpy(out, h->v, piece);
    }
    update(h, adin, 1);
    return 1;
}

static void rand_hmac_clear(struct wn_drbg *d)
{
    struct rand_hmac *h = hmac_of(d);

    wn_clear(h->v, sizeof(h->v));
    wn_hmac_clear(&h->key);
}

static int rand_hmac_is_clear(const struct wn_drbg *d)
{
    const struct rand_hmac *h = (const struct rand_hmac *)d;
    const unsigned char *k = (const unsigned char *)&h->key;
    unsigned char any = 0;
    size_t i;

    for (i = 0; i < sizeof(h->v); i++)
        any |= h->v[i];
    for (i = 0; i < sizeof(h->key); i++)
        any |= k[i];
    return any == 0;
}

static const struct wn_drbg_mech mech = {
    rand_hmac_size, PROV_R_MISSING_MAC, rand_hmac_init, rand_hmac_set, rand_hmac_give,
    rand_hmac_instantiate, rand_hmac_reseed, rand_hmac_generate, rand_hmac_clear,
    rand_hmac_is_clear
};

#define GETTABLE(P) WN_DRBG_MAC(P) WN_DRBG_DIGEST(P)
#define SETTABLE(P) WN_DRBG_PROPERTIES(P) WN_DRBG_DIGEST(P) WN_DRBG_MAC(P)
WN_DRBG_TABLE(rand_hmac, &mech, GETTABLE, SETTABLE)
