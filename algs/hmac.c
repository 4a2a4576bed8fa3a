/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HMAC over the table of digests; see hmac.h. */
#include "hmac.h"

#include <string.h>

/* Hashes the key block with every byte xored with x and keeps the state. */
static void key_block(struct wn_hmac *h, union wn_md_state *head, const unsigned char *key,
                      unsigned char x)
{
    const struct wn_md_desc *desc = h->md.desc;
    unsigned char block[WN_MD_MAX_BLOCK];
    size_t i;

    for (i = 0; i < desc->block; i++)
        block[i] = key[i] ^ x;
    wn_md_init(&h->md, desc);
    wn_md_update(&h->md, block, desc->block);
    memcpy(head, &h->md.u, desc->head_size);
    wn_clear(block, desc->block);
}

int wn_hmac_init(struct wn_hmac *h, const struct wn_md_desc *desc, const void *key, size_t keylen)
{
    unsigned char block[WN_MD_MAX_BLOCK];

    if (desc->flags & WN_MD_XOF)
        return 0;
    h->md.desc = desc;
    memset(block, 0, desc->block);
    if (keylen > desc->block)
        wn_md_once(desc, key, keylen, block);
    else if (keylen != 0)
        memcpy(block, key, keylen);
    key_block(h, &h->outer, block, 0x5c);
    key_block(h, &h->inner, block, 0x36);
    wn_clear(block, desc->block);
    return 1;
}

int wn_hmac_restart(struct wn_hmac *h)
{
    memcpy(&h->md.u, &h->inner, h->md.desc->head_size);
    return 1;
}

int wn_hmac_update(struct wn_hmac *h, const void *in, size_t n)
{
    return wn_md_update(&h->md, in, n);
}

int wn_hmac_finish(struct wn_hmac *h, unsigned char *out)
{
    const struct wn_md_desc *desc = h->md.desc;

    memcpy(&h->md.u, &h->outer, desc->head_size);
    wn_md_update(&h->md, out, desc->size);
    return wn_md_final(&h->md, out);
}

int wn_hmac_final(struct wn_hmac *h, unsigned char *out)
{
    return wn_md_final(&h->md, out) && wn_hmac_finish(h, out);
}

void wn_hmac_clear(struct wn_hmac *h)
{
    wn_clear(h, sizeof(*h));
}

int wn_hmac_once(const struct wn_md_desc *desc, const void *key, size_t keylen,
                 const void *in, size_t n, unsigned char *out)
{
    struct wn_hmac h;
    int ok = wn_hmac_init(&h, desc, key, keylen)
        && wn_hmac_update(&h, in, n)
        && wn_hmac_final(&h, out);

    wn_hmac_clear(&h);
    return ok;
}

void wn_hmac_iterate(struct wn_hmac *h, unsigned char *u, unsigned char *t, uint64_t n)
{
    size_t size = h->md.desc->size, i;

    for (; n > 0; n--) {
        wn_hmac_restart(h);
        wn_hmac_update(h, u, size);
        wn_hmac_final(h, u);
        for (i = 0; i < size; i++)
            t[i] ^= u[i];
    }
}
