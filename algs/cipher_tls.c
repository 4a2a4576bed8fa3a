/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TLS records of CBC cipher suites (RFC 5246 6.2.3.2, RFC 4346, RFC 2246, and
 * SSL 3.0, RFC 6101 5.2.3.2), "tls-version" and "tls-mac-size" of
 * provider-cipher(7): one update call is one record, in place. Encryption adds
 * the padding; decryption removes explicit IV, padding and MAC and keeps the
 * MAC for "tls-mac".
 *
 * A decrypted record's padding length and the MAC's place are secret, for who
 * learns whether a padding was right can decrypt (Vaudenay; Lucky Thirteen,
 * RFC 7457 2.4). So from decryption to the MAC that is handed out neither
 * branches nor addresses depend on the record's bytes, and a bad padding shows
 * only as a random MAC. With a MAC size of 0 (encrypt-then-MAC, RFC 7366, where
 * the record has been authenticated) it is an error at once.
 */
#include "cipher.h"

#include <string.h>

#include <openssl/prov_ssl.h>

#include "../provider/rng.h"
#include "ct.h"

#define MAX_PAD 256             /* with the length byte */

static int failed(const struct wn_cipher_ctx *ctx)
{
    WN_RAISE(ctx->prov, PROV_R_CIPHER_OPERATION_FAILED);
    return 0;
}

/*
 * Mask: is the padding of rec[0 .. len) right, with room for a MAC before it?
 * *pad becomes its length with the length byte. len > mac.
 */
static size_t check_padding(const unsigned char *rec, size_t len, size_t block, size_t mac,
                            int ssl3, size_t *pad)
{
    size_t last = rec[len - 1], good, i, n = len < MAX_PAD ? len : MAX_PAD;

    *pad = last + 1;
    good = wn_ct_ge(len, mac + 1 + last);
    if (ssl3)                   /* any bytes, but no more than needed */
        return good & wn_ct_ge(block, last + 1);
    /* behind the barrier, or gcc computes rec's address from last - i */
    for (i = 0; i < n; i++)
        good &= wn_ct_lt(last, wn_ct_barrier(i)) | wn_ct_eq(rec[len - 1 - i], last);
    return good;
}

/*
 * Copies rec[at .. at + size) to mac where only `at` is secret: it lies within
 * MAX_PAD bytes of the latest possible place. Every byte that may belong to
 * the MAC is read and goes to a fixed place of a ring of `size` bytes; the ring
 * is then turned by its secret start in steps of powers of two.
 */
static void copy_mac(unsigned char *mac, size_t size, const unsigned char *rec, size_t len,
                     size_t at)
{
    unsigned char ring[EVP_MAX_MD_SIZE] = { 0 }, turned[EVP_MAX_MD_SIZE];
    size_t i = len > size + MAX_PAD ? len - (size + MAX_PAD) : 0;
    size_t j = 0, k, in, start = 0, step;

    for (; i < len; i++, j = j + 1 < size ? j + 1 : 0) {
        in = wn_ct_ge(i, at) & wn_ct_lt(i, at + size);
        start |= j & wn_ct_eq(i, at);
        ring[j] |= (unsigned char)(rec[i] & in);
    }
    for (step = 1; step < size; step <<= 1, start >>= 1) {
        in = wn_ct_barrier(0 - (start & 1));
        for (k = 0, j = step; k < size; k++, j = j + 1 < size ? j + 1 : 0)
            turned[k] = (unsigned char)((ring[j] & in) | (ring[k] & ~in));
        memcpy(ring, turned, size);
    }
    memcpy(mac, ring, size);
    wn_clear(ring, sizeof(ring));
    wn_clear(turned, sizeof(turned));
}

/* Takes padding and MAC off rec[0 .. *len). */
static int strip(struct wn_cipher_ctx *ctx, const unsigned char *rec, size_t *len)
{
    size_t size = ctx->tlsmacsize, pad, good, i;
    unsigned char junk[EVP_MAX_MD_SIZE];

    if (size > sizeof(junk) || *len < size + 1)
        return failed(ctx);
    good = check_padding(rec, *len, ctx->desc->base.block, size,
                         ctx->tlsversion == SSL3_VERSION, &pad);
    if (size == 0) {
        if (!good)
            return failed(ctx);
        *len -= pad;
        return 1;
    }
    if (!wn_rng_bytes(ctx->prov, junk, size))
        return 0;
    good = wn_ct_barrier(good);
    pad &= good;
    copy_mac(ctx->tlsmac_buf, size, rec, *len, *len - pad - size);
    for (i = 0; i < size; i++)
        ctx->tlsmac_buf[i] = (unsigned char)((ctx->tlsmac_buf[i] & good) | (junk[i] & ~good));
    ctx->tlsmac = ctx->tlsmac_buf;
    *len -= pad + size;
    return 1;
}

static int decrypt_record(struct wn_cipher_ctx *ctx, unsigned char *rec, size_t *outl, size_t len)
{
    size_t block = ctx->desc->base.block;

    if (len % block != 0)
        return failed(ctx);
    ctx->tlsmac = NULL;
    if (len > 0 && !ctx->run(ctx, rec, rec, len))
        return 0;
    switch (ctx->tlsversion) {
    case TLS1_2_VERSION:
    case DTLS1_2_VERSION:
    case TLS1_1_VERSION:
    case DTLS1_VERSION:
    case DTLS1_BAD_VER:
        if (len < block)
            return failed(ctx);
        rec += block;           /* the explicit IV */
        len -= block;
        break;
    case TLS1_VERSION:
    case SSL3_VERSION:
        break;
    default:
        return failed(ctx);
    }
    *outl = len;
    return strip(ctx, rec, outl);
}

static int encrypt_record(struct wn_cipher_ctx *ctx, unsigned char *rec, size_t *outl,
                          size_t outsize, size_t len)
{
    size_t block = ctx->desc->base.block, pad = block - len % block;

    if (outsize - len < pad)
        return failed(ctx);
    memset(rec + len, ctx->tlsversion == SSL3_VERSION ? 0 : (int)(pad - 1), pad);
    rec[len + pad - 1] = (unsigned char)(pad - 1);
    *outl = len + pad;
    return ctx->run(ctx, rec, rec, len + pad);
}

int wn_cipher_tls_record(struct wn_cipher_ctx *ctx, unsigned char *out, size_t *outl,
                         size_t outsize, const unsigned char *in, size_t inl)
{
    if (in == NULL || in != out || outsize < inl || !ctx->pad)
        return failed(ctx);
    return ctx->enc ? encrypt_record(ctx, out, outl, outsize, inl)
                    : decrypt_record(ctx, out, outl, inl);
}
