/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * BLAKE2 as a class of digests; see blake2.h. The last block is compressed
 * unlike the others (RFC 7693 section 3.3), so a full block waits in the buffer
 * until more input shows that it is not the last: struct wn_mdh, with `len`
 * counting what has been compressed.
 */
#include "blake2.h"

#include <string.h>

/* asm-config/wc_blake2_more.h */
void wn_blake2b_start(void *h, const byte *param);
void wn_blake2s_start(void *h, const byte *param);
void wn_blake2b_blocks(void *h, uint64_t count, const byte *in, size_t n, int last);
void wn_blake2s_blocks(void *h, uint64_t count, const byte *in, size_t n, int last);

#define BLOCK_B 128

static void compress(const struct wn_md_desc *d, struct wn_mdh *s, uint64_t count, const byte *in,
                     size_t n, int last)
{
    if (d->block == BLOCK_B)
        wn_blake2b_blocks(&s->h, count, in, n, last);
    else
        wn_blake2s_blocks(&s->h, count, in, n, last);
}

/* The parameter block of section 2.5: sizes, fan-out and depth 1, salt, personalisation. */
static void start(const struct wn_md_desc *d, struct wn_mdh *s, const struct wn_blake2_param *p)
{
    size_t part = d->block / 8;
    byte block[BLOCK_B / 2] = { (byte)p->size, (byte)p->keylen, 1, 1 };

    memcpy(block + 2 * part, p->salt, part);
    memcpy(block + 3 * part, p->personal, part);
    if (d->block == BLOCK_B)
        wn_blake2b_start(&s->h, block);
    else
        wn_blake2s_start(&s->h, block);
    s->len = 0;
    s->num = 0;
}

static void blake2_init(const struct wn_md_desc *d, union wn_md_state *u)
{
    const struct wn_blake2_param param = { .size = d->size };

    start(d, &u->mdh, &param);
}

static void blake2_update(const struct wn_md_desc *d, union wn_md_state *u, const byte *in,
                          size_t n)
{
    struct wn_mdh *s = &u->mdh;
    size_t block = d->block, take = block - s->num;

    if (n == 0)
        return;
    if (n > take) {
        if (s->num != 0) {
            memcpy(s->buf + s->num, in, take);
            s->len += block;
            compress(d, s, s->len, s->buf, 1, 0);
            s->num = 0;
            in += take;
            n -= take;
        }
        take = (n - 1) / block;
        if (take != 0) {
            compress(d, s, s->len + block, in, take, 0);
            s->len += take * block;
            in += take * block;
            n -= take * block;
        }
    }
    memcpy(s->buf + s->num, in, n);
    s->num += n;
}

static void blake2_final(const struct wn_md_desc *d, union wn_md_state *u, byte *out,
                         size_t outlen)
{
    struct wn_mdh *s = &u->mdh;

    memset(s->buf + s->num, 0, d->block - s->num);
    compress(d, s, s->len + s->num, s->buf, 1, 1);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < 8; i++) {
        if (d->block == BLOCK_B)
            s->h.w64[i] = __builtin_bswap64(s->h.w64[i]);
        else
            s->h.w32[i] = __builtin_bswap32(s->h.w32[i]);
    }
#endif
    memcpy(out, &s->h, outlen);
}

const struct wn_md_class wn_md_class_blake2 = { blake2_init, blake2_update, blake2_final, NULL };

void wn_blake2_init(struct wn_md *md, const struct wn_md_desc *desc,
                    const struct wn_blake2_param *param, const unsigned char *key)
{
    md->desc = desc;
    start(desc, &md->u.mdh, param);
    if (param->keylen != 0)
        blake2_update(desc, &md->u, key, desc->block);
}
