/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sponge of FIPS 202 (section 4) over wolfCrypt's permutation, and SHA-3,
 * SHAKE (sections 6.1, 6.2) as a class of digests. wolfCrypt's own interface
 * ends a SHAKE in one call, squeezes whole blocks only and knows no other
 * padding than SHA-3's and SHAKE's, so absorbing, padding and squeezing are
 * done here. Input is xored straight into the state: there is no buffer.
 */
#include "digest.h"

#include <string.h>

static struct wn_keccak_kernel kernel;

/* Blocks from which the bulk kernel pays: unrolled, it does not stay in the
 * instruction cache beside other code. */
#define BULK 16

void wn_keccak_setup(uint32_t cpu_flags)
{
    wn_keccak_choose(&kernel, cpu_flags);
}

static inline word64 load64(const byte *in)
{
    word64 w;

    memcpy(&w, in, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap64(w);
#endif
    return w;
}

static inline void store64(byte *out, word64 w)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap64(w);
#endif
    memcpy(out, &w, 8);
}

void wn_keccak_init(struct wn_keccak *k)
{
    memset(k, 0, sizeof(*k));
}

/* n bytes into the open block, which they do not overrun. */
static void xor_in(struct wn_keccak *k, const byte *in, size_t n)
{
    size_t pos = k->pos;

    for (; n > 0 && pos % 8 != 0; n--, pos++)
        k->s[pos / 8] ^= (word64)*in++ << pos % 8 * 8;
    for (; n >= 8; n -= 8, pos += 8, in += 8)
        k->s[pos / 8] ^= load64(in);
    for (; n > 0; n--, pos++)
        k->s[pos / 8] ^= (word64)*in++ << pos % 8 * 8;
    k->pos = (word32)pos;
}

static void permute(struct wn_keccak *k)
{
    kernel.permute(k->s);
    k->pos = 0;
}

void wn_keccak_absorb(struct wn_keccak *k, size_t rate, const byte *in, size_t n)
{
    size_t take;

    if (k->pos != 0) {
        take = rate - k->pos;
        if (n < take) {
            xor_in(k, in, n);
            return;
        }
        xor_in(k, in, take);
        permute(k);
        in += take;
        n -= take;
    }
    if (n >= BULK * rate && kernel.absorb != NULL) {
        take = n / rate;
        kernel.absorb(k->s, in, take, rate);
        in += take * rate;
        n -= take * rate;
    }
    for (; n >= rate; n -= rate, in += rate) {
        xor_in(k, in, rate);
        permute(k);
    }
    xor_in(k, in, n);
}

void wn_keccak_fill(struct wn_keccak *k)
{
    if (k->pos != 0)
        permute(k);
}

/* n bytes from the open block, which holds as many. */
static void copy_out(struct wn_keccak *k, byte *out, size_t n)
{
    size_t pos = k->pos;

    for (; n > 0 && pos % 8 != 0; n--, pos++)
        *out++ = (byte)(k->s[pos / 8] >> pos % 8 * 8);
    for (; n >= 8; n -= 8, pos += 8, out += 8)
        store64(out, k->s[pos / 8]);
    for (; n > 0; n--, pos++)
        *out++ = (byte)(k->s[pos / 8] >> pos % 8 * 8);
    k->pos = (word32)pos;
}

void wn_keccak_squeeze(struct wn_keccak *k, size_t rate, byte pad, byte *out, size_t n)
{
    size_t take;

    if (!k->squeezing) {
        /* pad10*1 (section 5.1) after the domain bits */
        k->s[k->pos / 8] ^= (word64)pad << k->pos % 8 * 8;
        k->s[rate / 8 - 1] ^= (word64)0x80 << 56;
        k->squeezing = 1;
        k->pos = (word32)rate;
    }
    for (; n > 0; out += take, n -= take) {
        if (k->pos == rate)
            permute(k);
        take = rate - k->pos < n ? rate - k->pos : n;
        copy_out(k, out, take);
    }
}

static void sponge_init(const struct wn_md_desc *d, union wn_md_state *u)
{
    (void)d;
    wn_keccak_init(&u->keccak);
}

static void sponge_update(const struct wn_md_desc *d, union wn_md_state *u, const byte *in,
                          size_t n)
{
    wn_keccak_absorb(&u->keccak, d->block, in, n);
}

static void sponge_final(const struct wn_md_desc *d, union wn_md_state *u, byte *out,
                         size_t outlen)
{
    wn_keccak_squeeze(&u->keccak, d->block, d->pad, out, outlen);
}

const struct wn_md_class wn_md_class_sponge = {
    sponge_init, sponge_update, sponge_final, NULL
};
