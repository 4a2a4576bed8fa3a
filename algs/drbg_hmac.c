/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HMAC_DRBG; see drbg_hmac.h. Numbers are sections of SP 800-90A rev. 1. */
#include "drbg_hmac.h"

#include <string.h>

/* V = HMAC(K, V) */
static void next_v(struct wn_hmac_drbg *g)
{
    wn_hmac_restart(&g->key);
    wn_hmac_update(&g->key, g->v, g->md->size);
    wn_hmac_final(&g->key, g->v);
}

/* K = HMAC(K, V || byte || in...), V = HMAC(K, V) */
static void next_key(struct wn_hmac_drbg *g, unsigned char byte, const struct wn_drbg_input *in,
                     size_t inputs)
{
    unsigned char k[WN_MD_MAX_SIZE];
    size_t i;

    wn_hmac_restart(&g->key);
    wn_hmac_update(&g->key, g->v, g->md->size);
    wn_hmac_update(&g->key, &byte, 1);
    for (i = 0; i < inputs; i++)
        wn_hmac_update(&g->key, in[i].d, in[i].n);
    wn_hmac_final(&g->key, k);
    wn_hmac_init(&g->key, g->md, k, g->md->size);
    wn_clear(k, sizeof(k));
    next_v(g);
}

/* HMAC_DRBG_Update, 10.1.2.2 */
static void update(struct wn_hmac_drbg *g, const struct wn_drbg_input *in, size_t inputs)
{
    size_t i, n = 0;

    next_key(g, 0, in, inputs);
    for (i = 0; i < inputs; i++)
        n |= in[i].n;
    if (n != 0)
        next_key(g, 1, in, inputs);
}

/* 10.1.2.3 */
void wn_hmac_drbg_instantiate(struct wn_hmac_drbg *g, const struct wn_drbg_input in[3])
{
    static const unsigned char zeros[WN_MD_MAX_SIZE];

    memset(g->v, 1, g->md->size);
    wn_hmac_init(&g->key, g->md, zeros, g->md->size);
    update(g, in, 3);
}

/* 10.1.2.4 */
void wn_hmac_drbg_reseed(struct wn_hmac_drbg *g, const struct wn_drbg_input in[2])
{
    update(g, in, 2);
}

/* 10.1.2.5 */
void wn_hmac_drbg_generate(struct wn_hmac_drbg *g, unsigned char *out, size_t n,
                           const struct wn_drbg_input *adin)
{
    size_t piece;

    if (adin->n > 0)
        update(g, adin, 1);
    for (; n > 0; n -= piece, out += piece) {
        piece = n < g->md->size ? n : g->md->size;
        next_v(g);
        memcpy(out, g->v, piece);
    }
    update(g, adin, 1);
}

void wn_hmac_drbg_clear(struct wn_hmac_drbg *g)
{
    wn_clear(g->v, sizeof(g->v));
    wn_hmac_clear(&g->key);
}

int wn_hmac_drbg_is_clear(const struct wn_hmac_drbg *g)
{
    const unsigned char *k = (const unsigned char *)&g->key;
    unsigned char any = 0;
    size_t i;

    for (i = 0; i < sizeof(g->v); i++)
        any |= g->v[i];
    for (i = 0; i < sizeof(g->key); i++)
        any |= k[i];
    return any == 0;
}
