/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AES-CBC with ciphertext stealing, variants CS1, CS2 and CS3 (SP 800-38A
 * addendum; CS3 is that of RFC 3962): one update call is the whole message, of
 * at least one block. CBC itself comes from aes_block.c.
 *
 * With d = length of the last block (1 .. 16), the ciphertext ends in
 *   CS1  d bytes of C[n-1], C[n]
 *   CS2  C[n], d bytes of C[n-1]; both C[n-1], C[n] as in CBC when d is 16
 *   CS3  C[n], d bytes of C[n-1], always, if there is more than one block
 */
#include "aes_mode.h"

#include <string.h>
#include <strings.h>

#include "../provider/alglist.h"

enum { CS1, CS2, CS3 };
static const char *const cts_names[] = {
    OSSL_CIPHER_CTS_MODE_CS1, OSSL_CIPHER_CTS_MODE_CS2, OSSL_CIPHER_CTS_MODE_CS3
};

/* d for a message of n bytes, 0 if plain CBC serves. */
static size_t stolen(const struct wn_cipher_ctx *c, size_t n)
{
    size_t d = n % WN_AES_BLOCK;

    return d == 0 && c->cts == CS3 && n > WN_AES_BLOCK ? WN_AES_BLOCK : d;
}

static int cts_encrypt(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in,
                       size_t n)
{
    size_t d = stolen(c, n), head = n - d;
    unsigned char last[WN_AES_BLOCK] = { 0 }, before[WN_AES_BLOCK], *end = out + head - WN_AES_BLOCK;
    int ok;

    if (d == 0)
        return c->run(c, out, in, n);
    memcpy(last, in + head, d);
    ok = c->run(c, out, in, head);
    if (ok) {
        memcpy(before, c->iv, WN_AES_BLOCK);    /* C[n-1] */
        ok = c->run(c, last, last, WN_AES_BLOCK);
    }
    if (ok && c->cts == CS1) {
        memcpy(end, before, d);
        memcpy(end + d, last, WN_AES_BLOCK);
    } else if (ok) {
        memcpy(end, last, WN_AES_BLOCK);
        memcpy(end + WN_AES_BLOCK, before, d);
    }
    wn_clear(last, sizeof(last));
    return ok;
}

static int cts_decrypt(struct wn_cipher_ctx *c, unsigned char *out, const unsigned char *in,
                       size_t n)
{
    size_t d = stolen(c, n), head = n - d - WN_AES_BLOCK, i;
    unsigned char last[WN_AES_BLOCK], before[WN_AES_BLOCK], plain[2 * WN_AES_BLOCK];
    unsigned char iv[WN_AES_BLOCK];
    int cs1 = c->cts == CS1, ok;

    if (d == 0)
        return c->run(c, out, in, n);
    memcpy(last, in + head + (cs1 ? d : 0), WN_AES_BLOCK);
    memcpy(before, in + head + (cs1 ? 0 : WN_AES_BLOCK), d);
    if (head > 0 && !c->run(c, out, in, head))
        return 0;
    memcpy(iv, c->iv, WN_AES_BLOCK);
    /* C[n] under a zero IV: the padded last block xor C[n-1], whose end it shows */
    memset(c->iv, 0, WN_AES_BLOCK);
    ok = c->run(c, plain + WN_AES_BLOCK, last, WN_AES_BLOCK);
    if (ok) {
        memcpy(before + d, plain + WN_AES_BLOCK + d, WN_AES_BLOCK - d);
        for (i = 0; i < d; i++)
            plain[WN_AES_BLOCK + i] ^= before[i];
        memcpy(c->iv, iv, WN_AES_BLOCK);
        ok = c->run(c, plain, before, WN_AES_BLOCK);
    }
    if (ok)
        memcpy(out + head, plain, WN_AES_BLOCK + d);
    memcpy(c->iv, last, WN_AES_BLOCK);
    wn_clear(plain, sizeof(plain));
    return ok;
}

static int cts_update(void *vctx, unsigned char *out, size_t *outl, size_t outsize,
                      const unsigned char *in, size_t inl)
{
    struct wn_cipher_ctx *c = vctx;
    int reason = inl < WN_AES_BLOCK ? PROV_R_INVALID_INPUT_LENGTH
        : outsize < inl ? PROV_R_OUTPUT_BUFFER_TOO_SMALL
        : in == NULL ? (int)ERR_R_PASSED_NULL_PARAMETER : 0;

    if (reason == 0 && out == NULL) {
        *outl = inl;
        return 1;
    }
    if (reason == 0 && (c->updated || !c->key_set))
        reason = c->updated ? PROV_R_UPDATE_CALL_OUT_OF_ORDER : PROV_R_NO_KEY_SET;
    if (reason != 0) {
        WN_RAISE(c->prov, reason);
        return 0;
    }
    if (!(c->enc ? cts_encrypt : cts_decrypt)(c, out, in, inl))
        return 0;
    c->updated = 1;
    *outl = inl;
    return 1;
}

static int cts_final(void *vctx, unsigned char *out, size_t *outl, size_t outsize)
{
    (void)vctx;
    (void)out;
    (void)outsize;
    *outl = 0;
    return 1;
}

/* ---- parameters: the mode, and those of CBC -------------------------------- */

#define CTS_GET(P)                                          \
    P(keylen, size_t, OSSL_CIPHER_PARAM_KEYLEN)             \
    P(ivlen, size_t, OSSL_CIPHER_PARAM_IVLEN)               \
    P(padding, uint, OSSL_CIPHER_PARAM_PADDING)             \
    P(num, uint, OSSL_CIPHER_PARAM_NUM)                     \
    P(iv, octet_string, OSSL_CIPHER_PARAM_IV)               \
    P(updated_iv, octet_string, OSSL_CIPHER_PARAM_UPDATED_IV) \
    P(mode, utf8_string, OSSL_CIPHER_PARAM_CTS_MODE)
static const OSSL_PARAM cts_get_list[] = { CTS_GET(WN_PARAM_DESC_) OSSL_PARAM_END };

#define CTS_SET(P)                                          \
    P(padding, uint, OSSL_CIPHER_PARAM_PADDING)             \
    P(num, uint, OSSL_CIPHER_PARAM_NUM)                     \
    P(mode, utf8_string, OSSL_CIPHER_PARAM_CTS_MODE)
static const OSSL_PARAM cts_set_list[] = { CTS_SET(WN_PARAM_DESC_) OSSL_PARAM_END };

#define CTS_OWN(P) P(mode, utf8_string, OSSL_CIPHER_PARAM_CTS_MODE)
WN_PARAMS(cts_own, CTS_OWN);

static const OSSL_PARAM *cts_gettable_ctx_params(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return cts_get_list;
}

static const OSSL_PARAM *cts_settable_ctx_params(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return cts_set_list;
}

static int cts_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    struct wn_cipher_ctx *c = vctx;
    struct cts_own p;

    return WN_PARAMS_SCAN(c->prov, cts_own, params, &p)
        && wn_param_give_utf8(c->prov, p.mode, cts_names[c->cts])
        && wn_cipher_get_ctx_params(vctx, params);
}

static int cts_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_cipher_ctx *c = vctx;
    unsigned char mode = c->cts;
    struct cts_own p;
    char name[8];

    if (!WN_PARAMS_SCAN(c->prov, cts_own, params, &p))
        return 0;
    if (p.mode != NULL) {
        if (p.mode->data_type != OSSL_PARAM_UTF8_STRING
            || !wn_param_get_utf8(p.mode, name, sizeof(name)))
            name[0] = '\0';
        for (mode = 0; mode <= CS3 && strcasecmp(name, cts_names[mode]) != 0; mode++)
            ;
        if (mode > CS3) {
            WN_RAISE(c->prov, PROV_R_FAILED_TO_SET_PARAMETER);
            return 0;
        }
    }
    if (!wn_cipher_set_ctx_params(vctx, params))
        return 0;
    c->cts = mode;
    return 1;
}

static int cts_encrypt_init(void *vctx, const unsigned char *key, size_t keylen,
                            const unsigned char *iv, size_t ivlen, const OSSL_PARAM params[])
{
    return wn_cipher_encrypt_init(vctx, key, keylen, iv, ivlen, NULL)
        && cts_set_ctx_params(vctx, params);
}

static int cts_decrypt_init(void *vctx, const unsigned char *key, size_t keylen,
                            const unsigned char *iv, size_t ivlen, const OSSL_PARAM params[])
{
    return wn_cipher_decrypt_init(vctx, key, keylen, iv, ivlen, NULL)
        && cts_set_ctx_params(vctx, params);
}

/* ---- tables ---------------------------------------------------------------- */

#define CTS_COMMON                                                           \
    WN_FN(CIPHER_FREECTX, cipher_freectx, wn_cipher_freectx),                \
    WN_FN(CIPHER_DUPCTX, cipher_dupctx, wn_cipher_dupctx),                   \
    WN_FN(CIPHER_ENCRYPT_INIT, cipher_encrypt_init, cts_encrypt_init),       \
    WN_FN(CIPHER_DECRYPT_INIT, cipher_decrypt_init, cts_decrypt_init),       \
    WN_FN(CIPHER_UPDATE, cipher_update, cts_update),                         \
    WN_FN(CIPHER_FINAL, cipher_final, cts_final),                            \
    WN_FN(CIPHER_CIPHER, cipher_cipher, wn_cipher_cipher),                   \
    WN_FN(CIPHER_GET_CTX_PARAMS, cipher_get_ctx_params, cts_get_ctx_params), \
    WN_FN(CIPHER_GETTABLE_CTX_PARAMS, cipher_gettable_ctx_params,            \
          cts_gettable_ctx_params),                                          \
    WN_FN(CIPHER_SET_CTX_PARAMS, cipher_set_ctx_params, cts_set_ctx_params), \
    WN_FN(CIPHER_SETTABLE_CTX_PARAMS, cipher_settable_ctx_params,            \
          cts_settable_ctx_params)

#define CTS_MODE(bits)                                                       \
    WN_AES_TABLE(cts, bits, CBC, WN_CIPHER_CTS, WN_AES_BLOCK, WN_AES_BLOCK,  \
                 wn_aes_cbc, CTS_COMMON);
WN_AES_EACH_SIZE(CTS_MODE)
