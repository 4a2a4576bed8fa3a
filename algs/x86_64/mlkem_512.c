/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ML-KEM's matrix, noise and long hashes with AVX-512: eight sponges in the time of
 * one. The sampler needs VBMI2 too.
 */
#include "lanes_512.h"
#include "mlkem_lanes.h"

#define UNLACE(s, o, n) unlace24(s, o, n)
#include "mlkem_lanes_impl.h"

/* 32 candidates of 12 bits from 48 bytes in each step. */
__attribute__((target(WN_T512 ",avx512vbmi2"))) unsigned
wn_mlkem_sample_vbmi2(sword16 *p, unsigned n, const byte *in, unsigned len)
{
    const __m512i dwords = _mm512_setr_epi32(0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11);
    const __m512i bytes =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11));
    const __m512i shift = _mm512_set1_epi32(4 << 16), low = _mm512_set1_epi16(0xfff);
    const __m512i q = _mm512_set1_epi16(3329);
    unsigned got = 0;

    for (; len > 0 && got < n; in += 48, len -= len < 48 ? len : 48) {
        __mmask32 ok = len < 48 ? 0xffff : 0xffffffff;
        __m512i d = _mm512_permutexvar_epi32(dwords, _mm512_loadu_si512(in));

        d = _mm512_srlv_epi16(_mm512_shuffle_epi8(d, bytes), shift);
        d = _mm512_and_si512(d, low);
        ok &= _mm512_cmplt_epu16_mask(d, q);
        d = _mm512_maskz_compress_epi16(ok, d);
        _mm512_mask_storeu_epi16(p + got, n - got < 32 ? (1u << (n - got)) - 1 : ~0u, d);
        got += (unsigned)__builtin_popcount(ok);
    }
    return got < n ? got : n;
}

/* Noise of 8 streams from nonce `first` on; with three bits a coefficient it takes
 * two blocks. */
TARGET static void noise_bytes(byte out[8][256], const byte *seed, unsigned first, int two)
{
    _Alignas(64) word64 s[25 * 8] = { 0 }, nonce[8];
    const row_x8 keep = { 0 };
    unsigned i;

    for (i = 0; i < 8; i++)
        nonce[i] = 0x1f00 | (first + i);
    start_x8(s, seed, 4, nonce, RATE_256, &keep);
    wn_keccak_p_x8_512(s);
    unlace24(s, out[0], 256);
    if (two) {
        wn_keccak_p_x8_512(s);
        unlace8(s, out[0] + RATE_256, 256);
    }
    wipe_x8(s, sizeof(s));
}

TARGET void wn_mlkem_noise_x8(unsigned k, sword16 *vec1, sword16 *vec2, sword16 *poly,
                              const byte *seed)
{
    byte out[8][256];
    unsigned i, total = poly != NULL ? 2 * k + 1 : 2 * k;

    for (i = 0; i < total; i++) {
        sword16 *p = i < k ? vec1 + MLKEM_N * i : i < 2 * k ? vec2 + MLKEM_N * (i - k) : poly;

        if (i % 8 == 0)
            noise_bytes(out, seed, i, k == 2);
        if (k == 2 && (i < k || poly == NULL))
            mlkem_cbd_eta3_avx2(p, out[i % 8]);
        else
            mlkem_cbd_eta2_avx2(p, out[i % 8]);
    }
    wipe_x8(out, sizeof(out));
}

TARGET void wn_mlkem_hash_pair_x8(unsigned k, const byte *ek, byte *h, const byte *z, const byte *c,
                                  size_t c_len, byte *j)
{
    _Alignas(64) word64 s[25 * 8] = { 0 };
    byte zc[32 + WC_ML_KEM_MAX_CIPHER_TEXT_SIZE];
    struct message of_ek = encapsulation_key(ek, k), of_zc = message(zc, 32 + c_len, 0x1f);
    row_x8 lane0, lane1;
    word64 digest[4];

    memcpy(zc, z, 32);
    memcpy(zc + 32, c, c_len);
    select_x8(&lane0, 0);
    select_x8(&lane1, 1);
    while (of_ek.blocks > 0) { /* as many as of_zc has */
        absorb_x8(s, &of_ek, &lane0);
        absorb_x8(s, &of_zc, &lane1);
        wn_keccak_p_x8_512(s);
    }
    take_x8(digest, s, 4, 0);
    memcpy(h, digest, 32);
    take_x8(digest, s, 4, 1);
    memcpy(j, digest, 32);
    x_wipe(zc, 32);
    wipe_x8(s, sizeof(s));
    x_wipe(digest, sizeof(digest));
}
