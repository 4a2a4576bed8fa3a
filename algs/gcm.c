/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GCM; see gcm.h.
 *
 * wolfCrypt's streaming GCM keeps its byte counts in 32 bits and refuses to
 * pass them, and its last step reads them. So its counts are set back before
 * each piece, ours are kept in 64 bits, and the last step gets the low halves;
 * what the high halves add to the block of lengths (SP 800-38D section 7.1,
 * step 5) is xored into the GHASH value before that step, which is the same
 * because GHASH is linear.
 */
#include "gcm.h"

#include <string.h>

#include "aes.h"

/* SP 800-38D section 5.2.1.1, in bytes: 2^39 - 256 and 2^64 - 1 bits. */
#define MAX_TEXT ((UINT64_C(1) << 36) - 32)
#define MAX_AAD ((UINT64_C(1) << 61) - 1)

static int has_kernels(void)
{
    return wn_accel.gcm_setkey != NULL;
}

size_t wn_gcm_size(void)
{
    return has_kernels() ? sizeof(struct wn_gcm) : sizeof(struct wn_gcm_soft);
}

int wn_gcm_set_key(const struct wn_prov *prov, union wn_gcm_state *g, const unsigned char *key,
                   size_t keylen)
{
    if (!has_kernels())
        return WN_WC(prov, wc_AesInit(&g->soft.aes, NULL, INVALID_DEVID))
            && WN_WC(prov, wc_AesGcmSetKey(&g->soft.aes, key, (word32)keylen));
    wn_accel.gcm_setkey(&g->hw, key, keylen);
    return 1;
}

int wn_gcm_start(const struct wn_prov *prov, union wn_gcm_state *g, const unsigned char *iv,
                 size_t ivlen)
{
    if (has_kernels()) {
        wn_accel.gcm_setiv(&g->hw, iv, ivlen);
        return 1;
    }
    g->soft.aad_len = g->soft.len = 0;
    return WN_WC(prov, wc_AesGcmInit(&g->soft.aes, NULL, 0, iv, (word32)ivlen));
}

/* ---- wolfCrypt's form ------------------------------------------------------ */

/* wolfCrypt's C code enciphers all that it is given and then hashes it; pieces of this
 * size are still in the cache by then. */
#define PIECE 65536

static int soft_update(Aes *aes, int enc, unsigned char *out, const unsigned char *in, word32 n,
                       const unsigned char *aad, word32 aadlen)
{
    aes->aSz = aes->cSz = 0;
    return (enc ? wc_AesGcmEncryptUpdate(aes, out, in, n, aad, aadlen)
                : wc_AesGcmDecryptUpdate(aes, out, in, n, aad, aadlen)) == 0;
}

static int soft_aad(struct wn_gcm_soft *g, const unsigned char *aad, size_t n)
{
    for (; n > WN_CHUNK; aad += WN_CHUNK, n -= WN_CHUNK)
        if (!soft_update(&g->aes, 1, NULL, NULL, 0, aad, WN_CHUNK))
            return 0;
    return soft_update(&g->aes, 1, NULL, NULL, 0, aad, (word32)n);
}

static int soft_crypt(struct wn_gcm_soft *g, int enc, unsigned char *out,
                      const unsigned char *in, size_t n)
{
    for (; n > PIECE; out += PIECE, in += PIECE, n -= PIECE)
        if (!soft_update(&g->aes, enc, out, in, PIECE, NULL, 0))
            return 0;
    return soft_update(&g->aes, enc, out, in, (word32)n, NULL, 0);
}

/* Where wolfCrypt's streaming functions keep the GHASH value. */
static unsigned char *soft_ghash(Aes *aes)
{
    return aes->streamData + 2 * WC_AES_BLOCK_SIZE;
}

static void put_be64(unsigned char *p, uint64_t v)
{
    int i;

    for (i = 7; i >= 0; i--, v >>= 8)
        p[i] = (unsigned char)v;
}

/* Block i of the GHASH value's representation that `reversed` tells. */
static void xor_ghash(Aes *aes, const unsigned char block[16], int reversed)
{
    unsigned char *y = soft_ghash(aes);
    int i;

    for (i = 0; i < 16; i++)
        y[i] ^= block[reversed ? 15 - i : i];
}

/*
 * Does the GHASH value stand byte-reversed in memory (AES-NI) or plainly (C)?
 * Asked of wolfCrypt itself: with Y = 0, hashing the lengths (16, 0) must be the
 * same as hashing (0, 0) after those lengths were xored into Y. -1: neither.
 */
static int ghash_order(const Aes *key)
{
    static const unsigned char iv[12];
    unsigned char want[16], got[16], lengths[16] = { 0 };
    int reversed, found = -1;
    Aes aes = *key;

    put_be64(lengths, 16 * 8);
    if (wc_AesGcmInit(&aes, NULL, 0, iv, sizeof(iv)) != 0)
        goto end;
    aes.aSz = 16;
    if (wc_AesGcmEncryptFinal(&aes, want, sizeof(want)) != 0)
        goto end;
    for (reversed = 0; reversed <= 1 && found < 0; reversed++) {
        if (wc_AesGcmInit(&aes, NULL, 0, iv, sizeof(iv)) != 0)
            goto end;
        xor_ghash(&aes, lengths, reversed);
        if (wc_AesGcmEncryptFinal(&aes, got, sizeof(got)) == 0
            && memcmp(got, want, sizeof(got)) == 0)
            found = reversed;
    }
end:
    wn_clear(&aes, sizeof(aes));
    return found;
}

/*
 * Completes an open block with zeros, as the last step would: AAD with zero
 * bytes, ciphertext with bytes that decrypt or encrypt to zero ciphertext.
 */
static int soft_pad(struct wn_gcm_soft *g, int enc)
{
    unsigned char zero[16] = { 0 }, stream[16], out[16];
    word32 pad = (word32)(-g->len & 15);
    Aes *aes = &g->aes;
    int ok = 1;

    if (g->len == 0)
        return soft_update(aes, enc, NULL, NULL, 0, zero, (word32)(-g->aad_len & 15));
    if (pad == 0)
        return 1;
    memcpy(stream, zero, sizeof(stream));
    if (enc) {
        Aes copy = *aes;

        ok = soft_update(&copy, 1, stream, zero, pad, NULL, 0);
        wn_clear(&copy, sizeof(copy));
    }
    ok = ok && soft_update(aes, enc, out, stream, pad, NULL, 0);
    wn_clear(stream, sizeof(stream));
    wn_clear(out, sizeof(out));
    return ok;
}

/* Gives wolfCrypt the lengths, before its last step. */
static int soft_lengths(struct wn_gcm_soft *g, int enc)
{
    unsigned char high[16];
    int reversed;

    if (((g->aad_len | g->len) >> 32) != 0) {
        reversed = ghash_order(&g->aes);
        if (reversed < 0 || !soft_pad(g, enc))
            return 0;
        put_be64(high, (g->aad_len >> 32) << 35);
        put_be64(high + 8, (g->len >> 32) << 35);
        xor_ghash(&g->aes, high, reversed);
    }
    g->aes.aSz = (word32)g->aad_len;
    g->aes.cSz = (word32)g->len;
    return 1;
}

/* ---- both ------------------------------------------------------------------ */

int wn_gcm_aad(union wn_gcm_state *g, const unsigned char *aad, size_t n)
{
    if (n == 0)
        return 1;
    if (has_kernels()) {
        if (g->hw.len != 0 || n > MAX_AAD - g->hw.aad_len)
            return 0;
        wn_accel.gcm_aad(&g->hw, aad, n);
        return 1;
    }
    if (g->soft.len != 0 || n > MAX_AAD - g->soft.aad_len || !soft_aad(&g->soft, aad, n))
        return 0;
    g->soft.aad_len += n;
    return 1;
}

int wn_gcm_crypt(union wn_gcm_state *g, int enc, unsigned char *out, const unsigned char *in,
                 size_t n)
{
    if (n == 0)
        return 1;
    if (has_kernels()) {
        if (n > MAX_TEXT - g->hw.len)
            return 0;
        (enc ? wn_accel.gcm_enc : wn_accel.gcm_dec)(&g->hw, in, out, n);
        return 1;
    }
    if (n > MAX_TEXT - g->soft.len || !soft_crypt(&g->soft, enc, out, in, n))
        return 0;
    g->soft.len += n;
    return 1;
}

int wn_gcm_tag(union wn_gcm_state *g, unsigned char tag[WN_GCM_TAG])
{
    if (has_kernels()) {
        wn_accel.gcm_tag(&g->hw, tag);
        return 1;
    }
    return soft_lengths(&g->soft, 1) && wc_AesGcmEncryptFinal(&g->soft.aes, tag, WN_GCM_TAG) == 0;
}

int wn_gcm_check(union wn_gcm_state *g, const unsigned char *tag, size_t n)
{
    unsigned char computed[WN_GCM_TAG];

    if (has_kernels()) {
        wn_accel.gcm_tag(&g->hw, computed);
        return wn_memcmp_ct(computed, tag, n) == 0;
    }
    return soft_lengths(&g->soft, 0) && wc_AesGcmDecryptFinal(&g->soft.aes, tag, (word32)n) == 0;
}
