/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * HMAC of a record of secret length; see wn_hmac_tls_record() in hmac.h.
 *
 * Blocks that hold data whatever the length are hashed as usual. For each block
 * in which the message may end, the block is put together with masks (data,
 * 0x80, zeros, and the length if it is the last), hashed, and the chaining
 * value kept, under a mask again, if it was the last. The number of blocks, and
 * every address, depend on public sizes only.
 */
#include "hmac.h"

#include <string.h>

/* Longest record; bounds nothing but the arithmetic below. */
#define MOST ((size_t)1 << 20)

/* All ones if a < b, else 0; both below 2^31. */
static inline word32 mask_lt(word32 a, word32 b)
{
    return 0u - ((a - b) >> 31);
}

static inline word32 mask_eq(word32 a, word32 b)
{
    return ~(mask_lt(a, b) | mask_lt(b, a));
}

struct record {
    const unsigned char *header, *data;
    size_t size;                /* public: readable bytes of data */
    word32 end;                 /* secret: length of header and data */
    word32 last;                /* secret: number of the block with the length */
    unsigned char length[8];    /* secret: in bits, as that block ends */
};

static unsigned char byte_at(const struct record *r, size_t at)
{
    if (at < WN_TLS_HEADER)
        return r->header[at];
    return at - WN_TLS_HEADER < r->size ? r->data[at - WN_TLS_HEADER] : 0;
}

/* Block number i of the padded message. */
static void make_block(const struct record *r, size_t i, size_t block, unsigned char *out)
{
    word32 is_last = mask_eq((word32)i, r->last), at, b;
    size_t j;

    for (j = 0; j < block; j++) {
        at = (word32)(i * block + j);
        b = byte_at(r, at) & mask_lt(at, r->end);
        b |= 0x80 & mask_eq(at, r->end);
        if (j >= block - 8)
            b |= r->length[j - (block - 8)] & is_last;
        out[j] = (unsigned char)b;
    }
}

/* Hashes blocks first to last of *r into s; s->h is that of the last real one. */
static void hash_tail(const struct wn_md_desc *desc, struct wn_mdh *s, const struct record *r,
                      size_t first, size_t last)
{
    unsigned char block[128];
    struct wn_mdh result;
    word64 mask;
    size_t i, k;

    memset(&result.h, 0, sizeof(result.h));
    for (i = first; i <= last; i++) {
        make_block(r, i, desc->block, block);
        desc->blocks(&s->h, block, 1);
        mask = 0 - (word64)(mask_eq((word32)i, r->last) & 1);
        for (k = 0; k < 8; k++)
            result.h.w64[k] |= s->h.w64[k] & mask;
    }
    s->h = result.h;
    wn_clear(block, sizeof(block));
    wn_clear(&result.h, sizeof(result.h));
}

static void set_length(const struct wn_md_desc *desc, struct record *r)
{
    uint64_t bits = ((uint64_t)desc->block + r->end) << 3;      /* the key block counts */
    int little = desc->class == wn_md_md5.class;
    size_t k;

    for (k = 0; k < 8; k++)
        r->length[little ? k : 7 - k] = (unsigned char)(bits >> 8 * k);
}

int wn_hmac_tls_record(struct wn_hmac *h, const unsigned char header[WN_TLS_HEADER],
                       const unsigned char *data, size_t n, size_t size, unsigned char *out)
{
    const struct wn_md_desc *desc = h->md.desc;
    struct wn_mdh *s = &h->md.u.mdh;
    size_t block = desc->block, most, least, first, end;
    struct record r = { header, data, size, 0, 0, { 0 } };

    /* all of these hold for any record that can occur */
    if (desc->blocks == NULL || size > MOST || size < desc->size + 1)
        return 0;
    most = size - desc->size - 1;
    least = most > 255 ? most - 255 : 0;
    if (n > most || n < least)
        return 0;

    r.end = (word32)(WN_TLS_HEADER + n);
    r.last = (word32)((r.end + block / 8) / block);
    set_length(desc, &r);

    wn_hmac_restart(h);
    first = (WN_TLS_HEADER + least) / block;
    if (first > 0) {
        wn_hmac_update(h, header, WN_TLS_HEADER);
        wn_hmac_update(h, data, first * block - WN_TLS_HEADER);
    }
    end = (WN_TLS_HEADER + most + block / 8) / block;
    hash_tail(desc, s, &r, first, end);

    desc->class->output(desc, s, out);
    wn_hmac_finish(h, out);
    wn_clear(&r, sizeof(r));
    return 1;
}
