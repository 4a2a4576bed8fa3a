/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Modes of AES in which each block waits for the one before: CBC, CFB and OFB
 * encryption (SP 800-38A), CBC-MAC, CCM's payload pass (SP 800-38C). They run
 * at the latency of the AES rounds, so all that can be done is to keep
 * everything else off that path: the next block of text is mixed with both
 * outer round keys beforehand and enters through the last round's key.
 */
#include "accel_x86.h"
#include "simd.h"

#define SI __attribute__((target("sse4.1,aes")))

/* The rounds between the whitening and the last one. */
AI __m128i middle(const uint8_t *rk, unsigned rounds, __m128i s)
{
    UNROLL(9)
    for (unsigned r = 1; r < 10; r++)
        s = _mm_aesenc_si128(s, x_load(rk + 16 * r));
    for (unsigned r = 10; r < rounds; r++)
        s = _mm_aesenc_si128(s, x_load(rk + 16 * r));
    return s;
}

SI static void cbc_enc(const void *vrk, unsigned rounds, uint8_t iv[16], const uint8_t *in,
                       uint8_t *out, size_t nb)
{
    const uint8_t *rk = vrk;
    const __m128i first = x_load(rk), last = x_load(rk + 16 * rounds);
    __m128i s = _mm_xor_si128(x_load(iv), first), t;

    if (nb == 0)
        return;
    s = _mm_xor_si128(s, x_load(in));
    for (; nb > 1; nb--, out += 16) {
        in += 16;
        t = _mm_xor_si128(first, x_load(in));
        s = _mm_aesenclast_si128(middle(rk, rounds, s), _mm_xor_si128(last, t));
        x_store(out, _mm_xor_si128(s, t));
    }
    s = _mm_aesenclast_si128(middle(rk, rounds, s), last);
    x_store(out, s);
    x_store(iv, s);
}

SI static void cbcmac(const void *vrk, unsigned rounds, uint8_t mac[16], const uint8_t *in,
                      size_t nb)
{
    const uint8_t *rk = vrk;
    const __m128i first = x_load(rk), last = x_load(rk + 16 * rounds);
    __m128i s = _mm_xor_si128(x_load(mac), first);

    if (nb == 0)
        return;
    s = _mm_xor_si128(s, x_load(in));
    for (; nb > 1; nb--) {
        in += 16;
        s = _mm_aesenclast_si128(middle(rk, rounds, s),
                                 _mm_xor_si128(_mm_xor_si128(first, last), x_load(in)));
    }
    x_store(mac, _mm_aesenclast_si128(middle(rk, rounds, s), last));
}

/* While a block is open, iv holds its ciphertext up to num and its keystream
 * from there on. */
SI static void cfb_enc(const void *vrk, unsigned rounds, uint8_t iv[16], unsigned *num,
                       const uint8_t *in, uint8_t *out, size_t len)
{
    const uint8_t *rk = vrk;
    const __m128i first = x_load(rk), last = x_load(rk + 16 * rounds);
    unsigned used = *num;
    __m128i s, t;

    for (; used > 0 && len > 0; len--, used = (used + 1) & 15)
        *out++ = iv[used] ^= *in++;
    *num = used;
    if (len == 0)
        return;
    s = _mm_xor_si128(x_load(iv), first); /* the shift register, whitened */
    for (; len >= 16; len -= 16, in += 16, out += 16) {
        t = x_load(in);
        s = _mm_aesenclast_si128(middle(rk, rounds, s),
                                 _mm_xor_si128(_mm_xor_si128(first, last), t));
        x_store(out, _mm_xor_si128(s, first));
    }
    s = _mm_xor_si128(s, first);
    if (len > 0) {
        s = _mm_xor_si128(x_aesenc(rk, rounds, s), x_loadn(in, len));
        x_storen(out, s, len);
        *num = (unsigned)len;
    }
    x_store(iv, s);
}

SI static void ofb(const void *vrk, unsigned rounds, uint8_t iv[16], unsigned *num,
                   const uint8_t *in, uint8_t *out, size_t len)
{
    const uint8_t *rk = vrk;
    unsigned used = *num;
    __m128i s;

    for (; used > 0 && len > 0; len--, used = (used + 1) & 15)
        *out++ = iv[used] ^ *in++;
    *num = used;
    if (len == 0)
        return;
    s = x_load(iv);
    for (; len >= 16; len -= 16, in += 16, out += 16) {
        s = x_aesenc(rk, rounds, s);
        x_store(out, _mm_xor_si128(s, x_load(in)));
    }
    if (len > 0) {
        s = x_aesenc(rk, rounds, s);
        x_storen(out, _mm_xor_si128(s, x_loadn(in, len)), len);
        *num = (unsigned)len;
    }
    x_store(iv, s);
}

XI __m128i inc128(__m128i c)
{
    const __m128i ones = _mm_set1_epi64x(-1);
    __m128i wrap = _mm_cmpeq_epi32(c, ones); /* low half all ones: carry */

    wrap = _mm_and_si128(wrap, _mm_shuffle_epi32(wrap, 0xb1));
    c = _mm_sub_epi64(c, _mm_set_epi64x(0, -1));
    return _mm_sub_epi64(c, _mm_slli_si128(wrap, 8));
}

/* m through the rounds up to the last, s through all of them, side by side. */
AI void two(const uint8_t *rk, unsigned rounds, __m128i *m, __m128i *s)
{
    __m128i k;

    *s = _mm_xor_si128(*s, x_load(rk));
    UNROLL(9)
    for (unsigned r = 1; r < 10; r++) {
        k = x_load(rk + 16 * r);
        *m = _mm_aesenc_si128(*m, k);
        *s = _mm_aesenc_si128(*s, k);
    }
    for (unsigned r = 10; r < rounds; r++) {
        k = x_load(rk + 16 * r);
        *m = _mm_aesenc_si128(*m, k);
        *s = _mm_aesenc_si128(*s, k);
    }
    *s = _mm_aesenclast_si128(*s, x_load(rk + 16 * rounds));
}

/*
 * The MAC of a block runs beside the key stream of the one after the next: so
 * the next plaintext is known before the MAC needs it, also when decrypting,
 * and enters through the last round key. m is the MAC's state, whitened.
 */
AI void ccm(const uint8_t *rk, unsigned rounds, uint8_t ctr[16], uint8_t mac[16], const uint8_t *in,
            uint8_t *out, size_t nb, int enc)
{
    const __m128i first = x_load(rk), last = x_load(rk + 16 * rounds);
    const __m128i both = _mm_xor_si128(first, last);
    __m128i c = x_bswap(x_load(ctr)), m, s, d, o;

    if (nb == 0)
        return;
    d = x_load(in);
    o = _mm_xor_si128(x_aesenc(rk, rounds, x_bswap(c)), d);
    m = _mm_xor_si128(_mm_xor_si128(x_load(mac), first), enc ? d : o);
    x_store(out, o);
    c = inc128(c);
    s = nb > 1 ? x_aesenc(rk, rounds, x_bswap(c)) : c; /* of the next block */
    for (; nb > 1; nb--) {
        in += 16;
        out += 16;
        d = x_load(in);
        o = _mm_xor_si128(s, d);
        x_store(out, o);
        c = inc128(c);
        s = x_bswap(c);
        two(rk, rounds, &m, &s);
        m = _mm_aesenclast_si128(m, _mm_xor_si128(both, enc ? d : o));
    }
    x_store(mac, _mm_aesenclast_si128(middle(rk, rounds, m), last));
    x_store(ctr, x_bswap(c));
}

SI static void ccm_enc(const void *rk, unsigned rounds, uint8_t ctr[16], uint8_t mac[16],
                       const uint8_t *in, uint8_t *out, size_t nb)
{
    ccm(rk, rounds, ctr, mac, in, out, nb, 1);
}

SI static void ccm_dec(const void *rk, unsigned rounds, uint8_t ctr[16], uint8_t mac[16],
                       const uint8_t *in, uint8_t *out, size_t nb)
{
    ccm(rk, rounds, ctr, mac, in, out, nb, 0);
}

void wn_accel_aes_serial(struct wn_accel *a)
{
    a->aes_cbc_enc = cbc_enc;
    a->aes_cbcmac = cbcmac;
    a->aes_cfb_enc = cfb_enc;
    a->aes_ofb = ofb;
    a->aes_ccm_enc = ccm_enc;
    a->aes_ccm_dec = ccm_dec;
}
