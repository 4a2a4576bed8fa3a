/* SPDX-License-Identifier: GPL-3.0-or-later */
/* KMAC and the encodings of SP 800-185; see kmac.h. */
#include "kmac.h"

/*
 * The shortest big-endian form of v, at least one byte, with a byte that
 * counts them in front (left_encode) or behind (right_encode), section 2.3.1.
 */
static void encode(struct wn_keccak *k, size_t rate, uint64_t v, int left)
{
    unsigned char buf[10];
    size_t n = 1, i;

    while (n < 8 && v >> 8 * n != 0)
        n++;
    buf[left ? 0 : n] = (unsigned char)n;
    for (i = 0; i < n; i++)
        buf[left + i] = (unsigned char)(v >> 8 * (n - 1 - i));
    wn_keccak_absorb(k, rate, buf, n + 1);
}

void wn_sp185_bytepad(struct wn_keccak *k, size_t rate)
{
    encode(k, rate, rate, 1);
}

void wn_sp185_string(struct wn_keccak *k, size_t rate, const void *s, size_t n)
{
    encode(k, rate, (uint64_t)n * 8, 1);
    wn_keccak_absorb(k, rate, s, n);
}

void wn_kmac_init(struct wn_kmac *k, unsigned bits, const void *key, size_t keylen,
                  const void *custom, size_t customlen)
{
    k->rate = 200 - bits / 4;
    wn_keccak_init(&k->k);
    wn_sp185_bytepad(&k->k, k->rate);
    wn_sp185_string(&k->k, k->rate, "KMAC", 4);
    wn_sp185_string(&k->k, k->rate, custom, customlen);
    wn_keccak_fill(&k->k);
    wn_sp185_bytepad(&k->k, k->rate);
    wn_sp185_string(&k->k, k->rate, key, keylen);
    wn_keccak_fill(&k->k);
}

void wn_kmac_update(struct wn_kmac *k, const void *in, size_t n)
{
    wn_keccak_absorb(&k->k, k->rate, in, n);
}

void wn_kmac_final(struct wn_kmac *k, unsigned char *out, size_t outlen, int xof)
{
    encode(&k->k, k->rate, xof ? 0 : (uint64_t)outlen * 8, 0);
    /* cSHAKE's two zero bits, then the padding's first one bit */
    wn_keccak_squeeze(&k->k, k->rate, 0x04, out, outlen);
}

void wn_kmac_clear(struct wn_kmac *k)
{
    wn_clear(k, sizeof(*k));
}
