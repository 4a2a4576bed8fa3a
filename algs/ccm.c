/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See ccm.h. Section numbers are those of SP 800-38C. */
#include "ccm.h"

#include <string.h>

#include "chunk.h"

/* Bytes that the portable form does at a time. */
#define SCRATCH 1024

static int has_kernels(void)
{
    return wn_aes_kernels() && wn_accel.aes_ccm_enc != NULL && wn_accel.aes_ccm_dec != NULL
        && wn_accel.aes_cbcmac != NULL;
}

size_t wn_ccm_size(void)
{
    return offsetof(struct wn_ccm, key)
        + (has_kernels() ? sizeof(struct wn_aes_rk) : sizeof(union wn_aes_key));
}

int wn_ccm_set_key(const struct wn_prov *prov, struct wn_ccm *c, const unsigned char *key,
                   size_t keylen)
{
    c->kernels = (unsigned char)has_kernels();
    return c->kernels ? wn_aes_expand(prov, &c->key.hw, key, keylen, 1)
                      : wn_aes_set_soft(prov, &c->key.soft, key, keylen, 1);
}

/* ---- AES over whole blocks ----------------------------------------------------------- */

static void xor_bytes(unsigned char *out, const unsigned char *a, const unsigned char *b, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++)
        out[i] = a[i] ^ b[i];
}

/* The next counter block; the caller's length check keeps it inside its field. */
static void count_up(unsigned char ctr[16])
{
    int i = 16;

    while (i > 8 && ++ctr[--i] == 0)
        ;
}

static int ecb(struct wn_ccm *c, unsigned char *out, const unsigned char *in, size_t blocks)
{
    if (c->kernels) {
        wn_accel.aes_ecb_enc(c->key.hw.rk, c->key.hw.rounds, in, out, blocks);
        return 1;
    }
    return wc_AesEcbEncrypt(&c->key.soft, out, in, (word32)(16 * blocks)) == 0;
}

/* mac = E(mac ^ block) for each block, by wolfCrypt's CBC. */
static int soft_mac(struct wn_ccm *c, const unsigned char *in, size_t blocks)
{
    _Alignas(16) unsigned char scratch[SCRATCH];
    Aes *aes = &c->key.soft;
    size_t n;
    int ok = 1;

    memcpy(aes->reg, c->mac, 16);
    for (; blocks > 0 && ok; blocks -= n, in += 16 * n) {
        n = blocks < SCRATCH / 16 ? blocks : SCRATCH / 16;
        memcpy(scratch, in, 16 * n);
        ok = wc_AesCbcEncrypt(aes, scratch, scratch, (word32)(16 * n)) == 0;
    }
    memcpy(c->mac, aes->reg, 16);
    wn_clear(scratch, sizeof(scratch));
    return ok;
}

static int mac_blocks(struct wn_ccm *c, const unsigned char *in, size_t blocks)
{
    if (c->kernels) {
        wn_accel.aes_cbcmac(c->key.hw.rk, c->key.hw.rounds, c->mac, in, blocks);
        return 1;
    }
    return blocks == 0 || soft_mac(c, in, blocks);
}

/* Bytes filled up with zeros to whole blocks. */
static int mac_padded(struct wn_ccm *c, const unsigned char *in, size_t n)
{
    unsigned char last[16] = { 0 };
    int ok = mac_blocks(c, in, n / 16);

    if (n % 16 != 0) {
        memcpy(last, in + n - n % 16, n % 16);
        ok = ok && mac_blocks(c, last, 1);
        wn_clear(last, sizeof(last));
    }
    return ok;
}

/* Counter mode over whole blocks by wolfCrypt: key stream into scratch, then xor. */
static int soft_ctr(struct wn_ccm *c, unsigned char ctr[16], unsigned char *out,
                    const unsigned char *in, size_t n)
{
    _Alignas(16) unsigned char scratch[SCRATCH];
    size_t i;
    int ok;

    for (i = 0; i < n; i += 16) {
        memcpy(scratch + i, ctr, 16);
        count_up(ctr);
    }
    ok = wc_AesEcbEncrypt(&c->key.soft, scratch, scratch, (word32)n) == 0;
    if (ok)
        xor_bytes(out, in, scratch, n);
    wn_clear(scratch, sizeof(scratch));
    return ok;
}

static int soft_crypt(struct wn_ccm *c, int enc, unsigned char ctr[16], unsigned char *out,
                      const unsigned char *in, size_t blocks)
{
    size_t n;
    int ok = 1;

    for (; blocks > 0 && ok; blocks -= n / 16, in += n, out += n) {
        n = blocks < SCRATCH / 16 ? 16 * blocks : SCRATCH;
        if (enc)
            ok = soft_mac(c, in, n / 16) && soft_ctr(c, ctr, out, in, n);
        else
            ok = soft_ctr(c, ctr, out, in, n) && soft_mac(c, out, n / 16);
    }
    return ok;
}

static int crypt_blocks(struct wn_ccm *c, int enc, unsigned char ctr[16], unsigned char *out,
                        const unsigned char *in, size_t blocks)
{
    if (!c->kernels)
        return soft_crypt(c, enc, ctr, out, in, blocks);
    (enc ? wn_accel.aes_ccm_enc : wn_accel.aes_ccm_dec)(c->key.hw.rk, c->key.hw.rounds, ctr,
                                                        c->mac, in, out, blocks);
    return 1;
}

/* The last, incomplete block. */
static int crypt_tail(struct wn_ccm *c, int enc, const unsigned char ctr[16], unsigned char *out,
                      const unsigned char *in, size_t n)
{
    unsigned char stream[16], plain[16];
    int ok = ecb(c, stream, ctr, 1);

    if (ok) {
        if (enc)
            memcpy(plain, in, n);
        xor_bytes(out, in, stream, n);
        if (!enc)
            memcpy(plain, out, n);
        ok = mac_padded(c, plain, n);
    }
    wn_clear(stream, sizeof(stream));
    wn_clear(plain, sizeof(plain));
    return ok;
}

/* ---- the message, appendix A.2 ----------------------------------------------------------- */

/* flags, nonce, and number in the last q bytes. */
static wn_chunk block(const wn_chunk nonce, unsigned q, unsigned flags, uint64_t number)
{
    uint64_t n0 = wn_le64(nonce[0]), n1 = wn_le64(nonce[1]);
    uint64_t keep = q == 8 ? 0 : UINT64_MAX >> (8 * q);
    uint64_t tail = wn_le64(wn_be64(number));      /* its bytes backwards */

    n1 = n1 << 8 | n0 >> 56;
    return (wn_chunk){ wn_le64(n0 << 8 | flags), wn_le64((n1 & keep) | (tail & ~keep)) };
}

int wn_ccm_start(struct wn_ccm *c, const unsigned char nonce[16], unsigned q, unsigned t,
                 size_t len)
{
    wn_chunk n = wn_chunk_load(nonce);

    if (q < 8 && (uint64_t)len >> (8 * q) != 0)
        return 0;
    wn_chunk_store(c->b0, block(n, q, (t - 2) / 2 << 3 | (q - 1), len));
    wn_chunk_store(c->a0, block(n, q, q - 1, 0));
    wn_chunk_store(c->a1, block(n, q, q - 1, 1));
    c->mac_begun = 0;
    return 1;
}

/* mac = E(B0); a0, no longer needed as such, becomes E(A0), the mask of the tag. */
static int begin_mac(struct wn_ccm *c, int has_aad)
{
    const wn_chunk adata = { wn_le64(0x40) };

    if (c->mac_begun)
        return 1;
    c->mac_begun = 1;
    wn_chunk_store(c->mac, has_aad ? wn_chunk_load(c->b0) | adata : wn_chunk_load(c->b0));
    return ecb(c, c->mac, c->mac, 1) && ecb(c, c->a0, c->a0, 1);
}

/* The encoding of the AAD's length, appendix A.2.2. */
static size_t put_aad_length(unsigned char *p, size_t n)
{
    uint64_t rest = n;
    size_t bytes, i, at = 0;

    if (n < 0xff00) {
        bytes = 2;
    } else {
        bytes = rest >> 32 == 0 ? 4 : 8;
        p[at++] = 0xff;
        p[at++] = bytes == 4 ? 0xfe : 0xff;
    }
    for (i = 0; i < bytes; i++, rest >>= 8)
        p[at + bytes - 1 - i] = (unsigned char)rest;
    return at + bytes;
}

int wn_ccm_aad(struct wn_ccm *c, const unsigned char *aad, size_t n)
{
    unsigned char first[16] = { 0 };
    size_t at, piece;

    if (n == 0)
        return 1;
    if (c->mac_begun || !begin_mac(c, 1))
        return 0;
    at = put_aad_length(first, n);
    piece = n < 16 - at ? n : 16 - at;
    memcpy(first + at, aad, piece);
    return mac_blocks(c, first, 1) && mac_padded(c, aad + piece, n - piece);
}

int wn_ccm_crypt(struct wn_ccm *c, int enc, unsigned char *out, const unsigned char *in, size_t n,
                 unsigned char tag[WN_CCM_TAG])
{
    size_t whole = n - n % 16;
    int ok = begin_mac(c, 0) && crypt_blocks(c, enc, c->a1, out, in, whole / 16);

    if (ok && n > whole)
        ok = crypt_tail(c, enc, c->a1, out + whole, in + whole, n - whole);
    wn_chunk_store(tag, wn_chunk_load(c->mac) ^ wn_chunk_load(c->a0));
    wn_clear(c->mac, sizeof(c->mac));
    wn_clear(c->a0, sizeof(c->a0));
    return ok;
}
