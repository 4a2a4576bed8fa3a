/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ChaCha20 key stream, and EVP_CIPHER ChaCha20, provider-cipher(7): a
 * stream cipher whose 16-byte IV is the block counter and the nonce.
 */
#include "chacha.h"

#include <string.h>

#include "../provider/alglist.h"
#include "accel.h"
#include "cipher.h"

#include <wolfssl/wolfcrypt/chacha.h>

/* ---- the key stream ---------------------------------------------------------- */

static uint32_t get_le32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put_le32(unsigned char *p, uint32_t v)
{
    int i;

    for (i = 0; i < 4; i++, v >>= 8)
        p[i] = (unsigned char)v;
}

void wn_chacha_set_key(struct wn_chacha *c, const unsigned char key[WN_CHACHA_KEY])
{
    static const unsigned char constants[] = "expand 32-byte k";
    int i;

    for (i = 0; i < 4; i++)
        c->st[i] = get_le32(constants + 4 * i);
    for (i = 0; i < 8; i++)
        c->st[4 + i] = get_le32(key + 4 * i);
    c->num = c->at = c->end = 0;
}

void wn_chacha_set_iv(struct wn_chacha *c, const unsigned char iv[WN_CHACHA_IV])
{
    int i;

    for (i = 0; i < 4; i++)
        c->st[12 + i] = get_le32(iv + 4 * i);
    c->num = c->at = c->end = 0;
}

void wn_chacha_get_iv(const struct wn_chacha *c, unsigned char iv[WN_CHACHA_IV])
{
    int i;

    for (i = 0; i < 4; i++)
        put_le32(iv + 4 * i, c->st[12 + i]);
}

/* wolfCrypt, as a kernel: st stays, the 32-bit counter does not wrap in n bytes. */
static void wolf_chacha20(const uint32_t st[16], const unsigned char *in, unsigned char *out,
                          size_t n)
{
    ChaCha c;

    c.left = 0;
    memcpy(c.X, st, sizeof(c.X));
    for (; n > WN_CHUNK; in += WN_CHUNK, out += WN_CHUNK, n -= WN_CHUNK)
        wc_Chacha_Process(&c, out, in, WN_CHUNK);
    wc_Chacha_Process(&c, out, in, (word32)n);
    wn_clear(&c, sizeof(c));
}

static void count_up(struct wn_chacha *c, size_t blocks)
{
    uint64_t n = ((uint64_t)c->st[13] << 32 | c->st[12]) + blocks;

    c->st[12] = (uint32_t)n;
    c->st[13] = (uint32_t)(n >> 32);
}

/* How many of n blocks come before the 32-bit counter wraps. */
static size_t before_wrap(const struct wn_chacha *c, size_t n)
{
    uint64_t left = (UINT64_C(1) << 32) - c->st[12];

    return n < left ? n : (size_t)left;
}

static void run(struct wn_chacha *c, const unsigned char *in, unsigned char *out, size_t n)
{
    (wn_accel.chacha20 != NULL ? wn_accel.chacha20 : wolf_chacha20)(c->st, in, out, n);
}

/*
 * Fills ks; the counter stays at the first of its blocks. A vector unit makes
 * all of them in the time of one, portable code only what is needed.
 */
static void look_ahead(struct wn_chacha *c, size_t n)
{
    size_t blocks = (n + WN_CHACHA_BLOCK - 1) / WN_CHACHA_BLOCK;

    if (wn_accel.chacha20 != NULL || blocks > WN_CHACHA_AHEAD)
        blocks = WN_CHACHA_AHEAD;
    c->end = (unsigned)(before_wrap(c, blocks) * WN_CHACHA_BLOCK);
    c->at = 0;
    memset(c->ks, 0, c->end);
    run(c, c->ks, c->ks, c->end);
}

/* n bytes of ks, which has as many. */
static void xor_ahead(struct wn_chacha *c, unsigned char *out, const unsigned char *in, size_t n)
{
    const unsigned char *ks = c->ks + c->at;
    size_t opened = (c->num + n + WN_CHACHA_BLOCK - 1) / WN_CHACHA_BLOCK - (c->num != 0);
    uint64_t a, b;
    size_t i;

    for (i = 0; i + 8 <= n; i += 8) {
        memcpy(&a, in + i, 8);
        memcpy(&b, ks + i, 8);
        a ^= b;
        memcpy(out + i, &a, 8);
    }
    for (; i < n; i++)
        out[i] = in[i] ^ ks[i];
    count_up(c, opened);
    c->at += (unsigned)n;
    c->num = (c->num + (unsigned)n) % WN_CHACHA_BLOCK;
}

void wn_chacha_crypt(struct wn_chacha *c, unsigned char *out, const unsigned char *in, size_t n)
{
    size_t piece, blocks;

    for (; n > 0; out += piece, in += piece, n -= piece) {
        if (c->at < c->end) {
            piece = c->end - c->at < n ? c->end - c->at : n;
            xor_ahead(c, out, in, piece);
        } else if (n >= WN_CHACHA_AHEAD * WN_CHACHA_BLOCK) {
            blocks = before_wrap(c, n / WN_CHACHA_BLOCK);
            piece = blocks * WN_CHACHA_BLOCK;
            run(c, in, out, piece);
            count_up(c, blocks);
        } else {
            piece = 0;
            look_ahead(c, n);
        }
    }
}

/* ---- EVP ------------------------------------------------------------------------ */

struct wn_chacha_ctx {
    const struct wn_prov *prov;
    struct wn_chacha c;
    unsigned char iv[WN_CHACHA_IV];     /* what a get of the IV points to */
    int key_set;
};

static void *wn_chacha_newctx(void *vprov, const struct wn_cipher_desc *desc)
{
    const struct wn_prov *prov = vprov;
    struct wn_chacha_ctx *ctx = wn_ctx_new(prov, sizeof(*ctx));

    (void)desc;
    if (ctx != NULL)
        ctx->prov = prov;
    return ctx;
}

static void wn_chacha_freectx(void *vctx)
{
    struct wn_chacha_ctx *ctx = vctx;

    if (ctx != NULL)
        wn_ctx_free(ctx->prov, ctx, sizeof(*ctx));
}

static void *wn_chacha_dupctx(void *vctx)
{
    const struct wn_chacha_ctx *ctx = vctx;
    struct wn_chacha_ctx *copy = wn_ctx_new(ctx->prov, sizeof(*copy));

    if (copy != NULL)
        *copy = *ctx;
    return copy;
}

static int wn_chacha_set_ctx_params(void *vctx, const OSSL_PARAM params[]);

/* OpenSSL before 3.6 counts an open block only when it is used up, so a new key
 * without an IV begins with that block's counter. */
static void count_down(struct wn_chacha *c)
{
    if (c->st[12]-- == 0)
        c->st[13]--;
}

/* Encryption and decryption are the same. */
static int wn_chacha_init(void *vctx, const unsigned char *key, size_t keylen,
                          const unsigned char *iv, size_t ivlen, const OSSL_PARAM params[])
{
    struct wn_chacha_ctx *ctx = vctx;

    if (iv != NULL && ivlen != WN_CHACHA_IV) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    if (key != NULL && keylen != WN_CHACHA_KEY) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY_LENGTH);
        return 0;
    }
    if (key != NULL) {
        if (ctx->c.num != 0 && ctx->prov->core_version < WN_CORE_VERSION(3, 6))
            count_down(&ctx->c);
        wn_chacha_set_key(&ctx->c, key);
        ctx->key_set = 1;
    }
    if (iv != NULL)
        wn_chacha_set_iv(&ctx->c, iv);
    return wn_chacha_set_ctx_params(ctx, params);
}

static int wn_chacha_cipher(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                            const unsigned char *in, size_t inl)
{
    struct wn_chacha_ctx *ctx = vctx;

    *outl = 0;
    if (!ctx->key_set) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (outsize < inl) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    if (inl > 0 && (in == NULL || out == NULL)) {
        WN_RAISE(ctx->prov, PROV_R_CIPHER_OPERATION_FAILED);
        return 0;
    }
    wn_chacha_crypt(&ctx->c, out, in, inl);
    *outl = inl;
    return 1;
}

static int wn_chacha_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    return wn_chacha_cipher(vctx, out, outl, outsize, NULL, 0);
}

/* OpenSSL 3.6 is the first whose default provider tells the updated IV. */
#define CHACHA_GET(P)                                       \
    P(ivlen, size_t, OSSL_CIPHER_PARAM_IVLEN)               \
    P(keylen, size_t, OSSL_CIPHER_PARAM_KEYLEN)             \
    P(updated_iv, octet_string, OSSL_CIPHER_PARAM_UPDATED_IV)
WN_PARAMS(chacha_get, CHACHA_GET);

#define CHACHA_SET(P)                                       \
    P(keylen, size_t, OSSL_CIPHER_PARAM_KEYLEN)             \
    P(ivlen, size_t, OSSL_CIPHER_PARAM_IVLEN)
WN_PARAMS(chacha_set, CHACHA_SET);

static const OSSL_PARAM *wn_chacha_gettable_ctx_params(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return chacha_get_list;
}

static const OSSL_PARAM *wn_chacha_settable_ctx_params(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return chacha_set_list;
}

static int wn_chacha_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    struct wn_chacha_ctx *ctx = vctx;
    const struct wn_prov *prov = ctx->prov;
    struct chacha_get p;

    if (!WN_PARAMS_SCAN(prov, chacha_get, params, &p))
        return 0;
    if (p.updated_iv != NULL)
        wn_chacha_get_iv(&ctx->c, ctx->iv);
    return wn_param_give_size_t(prov, p.ivlen, WN_CHACHA_IV)
        && wn_param_give_size_t(prov, p.keylen, WN_CHACHA_KEY)
        && wn_param_give_octets(prov, p.updated_iv, ctx->iv, sizeof(ctx->iv));
}

/* Neither length can be changed. */
static int wn_chacha_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    const struct wn_chacha_ctx *ctx = vctx;
    size_t keylen = WN_CHACHA_KEY, ivlen = WN_CHACHA_IV;
    struct chacha_set p;

    if (wn_params_empty(params))
        return 1;
    if (!WN_PARAMS_SCAN(ctx->prov, chacha_set, params, &p)
        || !wn_param_take_size_t(ctx->prov, p.keylen, &keylen)
        || !wn_param_take_size_t(ctx->prov, p.ivlen, &ivlen))
        return 0;
    if (keylen != WN_CHACHA_KEY) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY_LENGTH);
        return 0;
    }
    if (ivlen != WN_CHACHA_IV) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_IV_LENGTH);
        return 0;
    }
    return 1;
}

static const struct wn_cipher_desc chacha20_desc = {
    0, WN_CIPHER_CUSTOM_IV, WN_CHACHA_KEY, WN_CHACHA_IV, 1
};

WN_CIPHER_TABLE(chacha20, chacha20_desc, wn_chacha_newctx, chacha20_desc,
    WN_FN(CIPHER_FREECTX, cipher_freectx, wn_chacha_freectx),
    WN_FN(CIPHER_DUPCTX, cipher_dupctx, wn_chacha_dupctx),
    WN_FN(CIPHER_ENCRYPT_INIT, cipher_encrypt_init, wn_chacha_init),
    WN_FN(CIPHER_DECRYPT_INIT, cipher_decrypt_init, wn_chacha_init),
    WN_FN(CIPHER_UPDATE, cipher_update, wn_chacha_cipher),
    WN_FN(CIPHER_FINAL, cipher_final, wn_chacha_final),
    WN_FN(CIPHER_CIPHER, cipher_cipher, wn_chacha_cipher),
    WN_FN(CIPHER_GET_CTX_PARAMS, cipher_get_ctx_params, wn_chacha_get_ctx_params),
    WN_FN(CIPHER_SET_CTX_PARAMS, cipher_set_ctx_params, wn_chacha_set_ctx_params),
    WN_FN(CIPHER_GETTABLE_CTX_PARAMS, cipher_gettable_ctx_params, wn_chacha_gettable_ctx_params),
    WN_FN(CIPHER_SETTABLE_CTX_PARAMS, cipher_settable_ctx_params, wn_chacha_settable_ctx_params));
