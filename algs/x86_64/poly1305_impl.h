/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Poly1305 (RFC 8439 section 2.5): the framing of a stream around
 * poly1305_scalar.h and the bulk function that the includer defines:
 *
 *   poly_bulk(p, in, nb)   nb a multiple of POLY_LANES, at least POLY_MIN
 */
static void poly_blocks(struct wn_poly1305 *p, const uint8_t *in, size_t nb)
{
    struct poly_state s;

    if (nb >= POLY_MIN) {
        size_t n = nb / POLY_LANES * POLY_LANES;

        poly_bulk(p, in, n);
        in += 16 * n;
        nb -= n;
    }
    s = poly_get(p);
    for (; nb > 0; nb--, in += 16)
        poly_step(&s, in, 1);
    poly_put(p, &s);
}

static void poly_init(struct wn_poly1305 *p, const uint8_t key[32])
{
    memcpy(p->r, key, 16);
    p->r[0] &= 0x0ffffffc0fffffff; /* the clamp of section 2.5 */
    p->r[1] &= 0x0ffffffc0ffffffc;
    memcpy(p->s, key + 16, 16);
    p->h[0] = p->h[1] = p->h[2] = 0;
    p->used = 0;
    p->npow = 0;
}

VT static void poly_update(struct wn_poly1305 *p, const uint8_t *in, size_t len)
{
    size_t n;

    if (p->used > 0) {
        n = 16 - p->used;
        if (n > len)
            n = len;
        for (size_t i = 0; i < n; i++)
            p->buf[p->used + i] = in[i];
        p->used += (uint32_t)n;
        if (p->used < 16)
            return;
        poly_blocks(p, p->buf, 1);
        p->used = 0;
        in += n;
        len -= n;
    }
    if (len >= 16)
        poly_blocks(p, in, len / 16);
    n = len & 15;
    if (n > 0) {
        x_store(p->buf, x_loadn(in + len - n, n));
        p->used = (uint32_t)n;
    }
}

/* Fills an open block with zeros, the padding of the AEAD. */
static inline void poly_pad(struct wn_poly1305 *p)
{
    if (p->used > 0) {
        memset(p->buf + p->used, 0, 16 - p->used);
        poly_blocks(p, p->buf, 1);
        p->used = 0;
    }
}

static void poly_tag(struct wn_poly1305 *p, uint8_t tag[16])
{
    struct poly_state s = poly_get(p);
    uint64_t lo, hi, mask, pad[2];
    u128 t;

    if (p->used > 0) { /* a short last block: its one bit comes after its bytes */
        p->buf[p->used] = 1;
        memset(p->buf + p->used + 1, 0, 15 - p->used);
        poly_step(&s, p->buf, 0);
        p->used = 0;
    }
    /* h2 <= 4: h, or h - (2^130 - 5) if that is not negative */
    t = (u128)s.h0 + 5;
    lo = (uint64_t)t;
    t = (u128)s.h1 + (uint64_t)(t >> 64);
    hi = (uint64_t)t;
    mask = 0 - ((s.h2 + (uint64_t)(t >> 64)) >> 2); /* 0 or all ones */
    lo = (lo & mask) | (s.h0 & ~mask);
    hi = (hi & mask) | (s.h1 & ~mask);
    memcpy(pad, p->s, 16);
    t = (u128)lo + pad[0];
    lo = (uint64_t)t;
    hi += pad[1] + (uint64_t)(t >> 64);
    memcpy(tag, &lo, 8);
    memcpy(tag + 8, &hi, 8);
}
