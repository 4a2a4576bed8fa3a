/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Triple DES (TDEA, SP 800-67) with three keys in ECB, CBC, CFB64, CFB8, CFB1 and
 * OFB (SP 800-38A), with two (the third is the first) in ECB, CBC, CFB64 and OFB;
 * see cipher.h. Key wrap with it (RFC 3217, section 3), which CMS uses. For old data
 * and old peers.
 */
#include "cipher_serial.h"
#include "des3_key.h"

#include <limits.h>
#include <string.h>

#include "../provider/alglist.h"
#include "../provider/rng.h"
#include "digest.h"

#define BLOCK DES_BLOCK_SIZE

struct des3_ctx {
    struct wn_cipher_ctx c;
    Des3 des;
};

/* struct wn_mode_desc's impl */
struct des3_mode {
    int inverse;                /* decryption needs the inverse cipher */
    wn_cipher_run *run;
};

static size_t des3_ctx_size(void)
{
    return sizeof(struct des3_ctx);
}

static Des3 *des_of(struct wn_cipher_ctx *c)
{
    return &((struct des3_ctx *)c)->des;
}

static int des3_set_key(struct wn_cipher_ctx *c)
{
    const struct des3_mode *mode = c->desc->impl;
    int dir = c->enc || !mode->inverse ? DES_ENCRYPTION : DES_DECRYPTION;

    c->run = mode->run;
    if (c->desc->base.keylen == 2 * DES_KEYLEN)
        memcpy(c->key + 2 * DES_KEYLEN, c->key, DES_KEYLEN);
    return wn_des3_set_key(c->prov, des_of(c), c->key, dir);
}

/* "Encrypt" because wolfCrypt's key schedule holds the direction. */
static int block(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in)
{
    return WN_WC(c->prov, wc_Des3_EcbEncrypt(des_of(c), out, in, BLOCK));
}

static int ecb(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in, size_t n)
{
    size_t m;

    for (; n > 0; n -= m, in += m, out += m) {
        m = n < WN_CHUNK ? n : WN_CHUNK;
        if (!WN_WC(c->prov, wc_Des3_EcbEncrypt(des_of(c), out, in, (word32)m)))
            return 0;
    }
    return 1;
}

static int cbc(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in, size_t n)
{
    Des3 *des = des_of(c);
    int ok = 1;
    size_t m;

    memcpy(des->reg, c->iv, BLOCK);
    for (; ok && n > 0; n -= m, in += m, out += m) {
        m = n < WN_CHUNK ? n : WN_CHUNK;
        ok = c->enc ? WN_WC(c->prov, wc_Des3_CbcEncrypt(des, out, in, (word32)m))
                    : WN_WC(c->prov, wc_Des3_CbcDecrypt(des, out, in, (word32)m));
    }
    memcpy(c->iv, des->reg, BLOCK);
    return ok;
}

WN_SERIAL_RUN(ofb, ofb, block, BLOCK)
WN_SERIAL_RUN(cfb, cfb, block, BLOCK)
WN_SERIAL_RUN(cfb8, cfb8, block, BLOCK)
WN_SERIAL_RUN(cfb1, cfb1, block, BLOCK)

/* ---- parameters: those of every mode, and a random key --------------------- */

#define DES3_GET(P)                                         \
    P(keylen, size_t, OSSL_CIPHER_PARAM_KEYLEN)             \
    P(ivlen, size_t, OSSL_CIPHER_PARAM_IVLEN)               \
    P(padding, uint, OSSL_CIPHER_PARAM_PADDING)             \
    P(num, uint, OSSL_CIPHER_PARAM_NUM)                     \
    P(iv, octet_string, OSSL_CIPHER_PARAM_IV)               \
    P(updated_iv, octet_string, OSSL_CIPHER_PARAM_UPDATED_IV) \
    P(random_key, octet_string, OSSL_CIPHER_PARAM_RANDOM_KEY)
static const OSSL_PARAM des3_get_list[] = { DES3_GET(WN_PARAM_DESC_) OSSL_PARAM_END };

#define DES3_SET(P)                                         \
    P(padding, uint, OSSL_CIPHER_PARAM_PADDING)             \
    P(num, uint, OSSL_CIPHER_PARAM_NUM)
static const OSSL_PARAM des3_set_list[] = { DES3_SET(WN_PARAM_DESC_) OSSL_PARAM_END };

#define DES3_OWN(P) P(random_key, octet_string, OSSL_CIPHER_PARAM_RANDOM_KEY)
WN_PARAMS(des3_own, DES3_OWN);

static const OSSL_PARAM *des3_gettable_ctx_params(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return des3_get_list;
}

static const OSSL_PARAM *des3_settable_ctx_params(void *ctx, void *vprov)
{
    const struct wn_prov *prov = vprov;

    return prov->core_version >= WN_CORE_VERSION(3, 4)
        ? des3_set_list : wn_cipher_settable_ctx_params(ctx, vprov);
}

/* Bit 0 of every key byte makes the number of ones odd. */
static void odd_parity(unsigned char *key, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++)
        key[i] = (unsigned char)((key[i] & 0xfe) | !__builtin_parity(key[i] & 0xfe));
}

/* EVP_CIPHER_CTX_rand_key() gives no size. */
static int give_random_key(const struct wn_cipher_ctx *c, OSSL_PARAM *p)
{
    size_t n = c->desc->base.keylen;

    if (p == NULL)
        return 1;
    if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data == NULL) {
        WN_RAISE(c->prov, PROV_R_FAILED_TO_GENERATE_KEY);
        return 0;
    }
    if (!wn_rng_bytes(c->prov, p->data, n))
        return 0;
    odd_parity(p->data, n);
    p->return_size = n;
    return 1;
}

static int des3_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    struct wn_cipher_ctx *c = vctx;
    struct des3_own p;

    return WN_PARAMS_SCAN(c->prov, des3_own, params, &p)
        && wn_cipher_get_ctx_params(vctx, params)
        && give_random_key(c, p.random_key);
}

/* ---- key wrap ----------------------------------------------------------------
 *
 * One update call is one key. Both CBC passes go the same way, wrapping encrypts and
 * unwrapping decrypts, so that one key schedule does.
 */

static const unsigned char wrap_iv[BLOCK] = { 0x4a, 0xdd, 0xa2, 0x2c, 0x79, 0xe8, 0x21, 0x05 };

static void reverse(unsigned char *p, size_t n)
{
    unsigned char t;
    size_t i;

    for (i = 0; i < n / 2; i++) {
        t = p[i];
        p[i] = p[n - 1 - i];
        p[n - 1 - i] = t;
    }
}

/* out has room for n + 16 bytes; it may be in. */
static int wrap(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in, size_t n)
{
    unsigned char sha1[WN_MD_MAX_SIZE];
    int ok;

    memmove(out + BLOCK, in, n);
    ok = wn_md_once(&wn_md_sha1, out + BLOCK, n, sha1) && wn_rng_bytes(c->prov, out, BLOCK);
    if (ok) {
        memcpy(out + BLOCK + n, sha1, BLOCK);
        memcpy(c->iv, out, BLOCK);
        ok = cbc(c, out + BLOCK, out + BLOCK, n + BLOCK);
        reverse(out, n + 2 * BLOCK);
        memcpy(c->iv, wrap_iv, BLOCK);
        ok = ok && cbc(c, out, out, n + 2 * BLOCK);
    }
    if (!ok)
        wn_clear(out, n + 2 * BLOCK);
    wn_clear(sha1, sizeof(sha1));
    return ok;
}

/* out gets n bytes, in has n + 16; they may be the same. */
static int unwrap(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in, size_t n)
{
    unsigned char sha1[WN_MD_MAX_SIZE], icv[BLOCK], iv[BLOCK];
    int ok;

    memcpy(c->iv, wrap_iv, BLOCK);
    memcpy(iv, in + BLOCK + n, BLOCK);
    ok = cbc(c, icv, in, BLOCK);
    memmove(out, in + BLOCK, n);
    ok = ok && cbc(c, out, out, n) && cbc(c, iv, iv, BLOCK);
    reverse(icv, BLOCK);
    reverse(out, n);
    reverse(iv, BLOCK);
    memcpy(c->iv, iv, BLOCK);
    ok = ok && cbc(c, out, out, n) && cbc(c, icv, icv, BLOCK)
        && wn_md_once(&wn_md_sha1, out, n, sha1) && wn_memcmp_ct(sha1, icv, BLOCK) == 0;
    if (!ok)
        wn_clear(out, n);
    wn_clear(icv, sizeof(icv));
    wn_clear(iv, sizeof(iv));
    wn_clear(sha1, sizeof(sha1));
    return ok;
}

static int wrap_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                       const unsigned char *in, size_t inl)
{
    struct wn_cipher_ctx *c = vctx;
    int reason = PROV_R_CIPHER_OPERATION_FAILED;

    *outl = 0;
    if (inl == 0)
        return 1;
    if (outsize < inl) {
        reason = PROV_R_OUTPUT_BUFFER_TOO_SMALL;
    } else if (inl < INT_MAX - 2 * BLOCK && inl % BLOCK == 0 && (c->enc || inl >= 3 * BLOCK)) {
        if (out != NULL && !c->key_set)
            reason = PROV_R_NO_KEY_SET;
        else if (out == NULL || (c->enc ? wrap(c, out, in, inl)
                                        : unwrap(c, out, in, inl - 2 * BLOCK))) {
            *outl = c->enc ? inl + 2 * BLOCK : inl - 2 * BLOCK;
            return 1;
        }
    }
    WN_RAISE(c->prov, reason);
    return 0;
}

/* ---- tables ---------------------------------------------------------------- */

#define DES3_COMMON(kind)                                                    \
    WN_CIPHER_DATA_COMMON(kind), DES3_PARAMS
#define DES3_PARAMS                                                          \
    WN_FN(CIPHER_GET_CTX_PARAMS, cipher_get_ctx_params, des3_get_ctx_params), \
    WN_FN(CIPHER_GETTABLE_CTX_PARAMS, cipher_gettable_ctx_params,            \
          des3_gettable_ctx_params),                                         \
    WN_FN(CIPHER_SET_CTX_PARAMS, cipher_set_ctx_params, wn_cipher_set_ctx_params), \
    WN_FN(CIPHER_SETTABLE_CTX_PARAMS, cipher_settable_ctx_params,            \
          des3_settable_ctx_params)

static const struct des3_mode ecb_mode = { 1, ecb }, cbc_mode = { 1, cbc }, ofb_mode = { 0, ofb },
                              cfb_mode = { 0, cfb }, cfb8_mode = { 0, cfb8 },
                              cfb1_mode = { 0, cfb1 };

#define DES3(keys, id, evp, iv, bs, kind)                                    \
    static const struct wn_mode_desc ede##keys##_##id##_desc = {             \
        { EVP_CIPH_##evp##_MODE, WN_CIPHER_RAND_KEY, keys * DES_KEYLEN, iv, bs }, \
        des3_ctx_size, des3_set_key, &id##_mode                              \
    };                                                                       \
    WN_CIPHER_TABLE(des_ede##keys##_##id, ede##keys##_##id##_desc, wn_cipher_newctx, \
                    ede##keys##_##id##_desc.base, DES3_COMMON(kind))
#define DES3_BOTH(keys)                                                      \
    DES3(keys, ecb, ECB, 0, BLOCK, block);                                   \
    DES3(keys, cbc, CBC, BLOCK, BLOCK, block);                               \
    DES3(keys, ofb, OFB, BLOCK, 1, stream);                                  \
    DES3(keys, cfb, CFB, BLOCK, 1, stream)
DES3_BOTH(2);
DES3_BOTH(3);
DES3(3, cfb8, CFB, BLOCK, 1, stream);
DES3(3, cfb1, CFB, BLOCK, 1, stream);

static const struct des3_mode wrap_mode = { 1, cbc };
static const struct wn_mode_desc ede3_wrap_desc = {
    { EVP_CIPH_WRAP_MODE, WN_CIPHER_CUSTOM_IV | WN_CIPHER_RAND_KEY, DES3_KEYLEN, 0, BLOCK },
    des3_ctx_size, des3_set_key, &wrap_mode
};
WN_CIPHER_TABLE(des_ede3_wrap, ede3_wrap_desc, wn_cipher_newctx, ede3_wrap_desc.base,
                WN_FN(CIPHER_FREECTX, cipher_freectx, wn_cipher_freectx),
                WN_FN(CIPHER_DUPCTX, cipher_dupctx, wn_cipher_dupctx),
                WN_FN(CIPHER_ENCRYPT_INIT, cipher_encrypt_init, wn_cipher_encrypt_init),
                WN_FN(CIPHER_DECRYPT_INIT, cipher_decrypt_init, wn_cipher_decrypt_init),
                WN_FN(CIPHER_UPDATE, cipher_update, wrap_update),
                WN_FN(CIPHER_CIPHER, cipher_cipher, wrap_update),
                WN_FN(CIPHER_FINAL, cipher_final, wn_cipher_stream_final), DES3_PARAMS);
