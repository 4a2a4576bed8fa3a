/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See aead.h. */
#include "aead.h"

#include <string.h>

EVP_CIPHER *aead_fetch(OSSL_LIB_CTX *libctx, const char *name)
{
    EVP_CIPHER *c = EVP_CIPHER_fetch(libctx, name, NULL);

    assert_non_null(c);
    if (libctx == wnt_wolf())
        wnt_assert_wolfnano(EVP_CIPHER_get0_provider(c));
    return c;
}

/* Puts a duplicate in the place of the context and spoils the original. */
static void go_on_with_copy(EVP_CIPHER_CTX **ctx)
{
    EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();
    unsigned char junk[40] = { 0 };
    int n;

    wnt_ok(EVP_CIPHER_CTX_copy(copy, *ctx));
    EVP_CipherUpdate(*ctx, junk, &n, junk, sizeof(junk));
    ERR_clear_error();
    EVP_CIPHER_CTX_free(*ctx);
    *ctx = copy;
}

int aead_pieces(EVP_CIPHER_CTX **ctx, const struct aead_msg *m, unsigned char *out,
                const unsigned char *in, size_t n)
{
    unsigned char none = 0;
    size_t at = 0, piece;
    int got;

    while (at < n) {
        piece = n - at;
        if (m->split) {
            piece = 1 + wnt_rand_below(wnt_rand_below(3) == 0 && piece > 40 ? 40 : piece);
            if (wnt_rand_below(4) == 0)
                wnt_ok(EVP_CipherUpdate(*ctx, out, &got, &none, 0));
        }
        if (!EVP_CipherUpdate(*ctx, out, &got, in + at, (int)piece))
            return 0;
        assert_int_equal(got, piece);
        at += piece;
        if (out != NULL)
            out += piece;
        if (m->copy && wnt_rand_below(3) == 0)
            go_on_with_copy(ctx);
    }
    return 1;
}

static int is_ccm(const EVP_CIPHER *c)
{
    return EVP_CIPHER_get_mode(c) == EVP_CIPH_CCM_MODE;
}

static EVP_CIPHER_CTX *begin(EVP_CIPHER *c, EVP_CIPHER_CTX *ctx, const struct aead_msg *m,
                             int enc, unsigned char *tag)
{
    int n, ccm = is_ccm(c);

    if (ctx == NULL)
        ctx = EVP_CIPHER_CTX_new();
    wnt_ok(EVP_CipherInit_ex2(ctx, c, NULL, NULL, enc, NULL));
    wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)m->ivlen, NULL));
    assert_int_equal(EVP_CIPHER_CTX_get_iv_length(ctx), m->ivlen);
    if (ccm || !enc)
        wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, (int)m->taglen, enc ? NULL : tag));
    wnt_ok(EVP_CipherInit_ex2(ctx, NULL, m->key, m->iv, enc, NULL));
    if (ccm)
        wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, NULL, (int)m->len));
    return ctx;
}

/* CCM takes its text and its AAD in one piece each, the text even if empty. */
static int ccm_text(EVP_CIPHER_CTX *ctx, const struct aead_msg *m, unsigned char *out)
{
    unsigned char none = 0;
    int n, ok = EVP_CipherUpdate(ctx, m->len != 0 ? out : &none, &n, m->len != 0 ? m->in : &none,
                                 (int)m->len);

    if (ok)
        assert_int_equal(n, m->len);
    return ok;
}

static int text(EVP_CIPHER *c, EVP_CIPHER_CTX **ctx, const struct aead_msg *m, unsigned char *out)
{
    struct aead_msg whole = *m;

    if (is_ccm(c)) {
        whole.split = 0;
        wnt_ok(aead_pieces(ctx, &whole, NULL, m->aad, m->aadlen));
        return ccm_text(*ctx, m, out);
    }
    wnt_ok(aead_pieces(ctx, m, NULL, m->aad, m->aadlen));
    return aead_pieces(ctx, m, out, m->in, m->len);
}

void aead_seal(EVP_CIPHER *c, EVP_CIPHER_CTX *ctx, const struct aead_msg *m, unsigned char *out,
               unsigned char *tag)
{
    EVP_CIPHER_CTX *own = begin(c, ctx, m, 1, NULL);
    unsigned char end[16];
    int n;

    wnt_ok(text(c, &own, m, out));
    wnt_ok(EVP_CipherFinal_ex(own, end, &n));
    assert_int_equal(n, 0);
    wnt_ok(EVP_CIPHER_CTX_ctrl(own, EVP_CTRL_AEAD_GET_TAG, (int)m->taglen, tag));
    wnt_assert_no_errors();
    if (ctx == NULL)
        EVP_CIPHER_CTX_free(own);
}

int aead_open(EVP_CIPHER *c, EVP_CIPHER_CTX *ctx, const struct aead_msg *m, unsigned char *out,
              const unsigned char *tag)
{
    EVP_CIPHER_CTX *own = begin(c, ctx, m, 0, (unsigned char *)tag);
    unsigned char end[16];
    int n, ok = text(c, &own, m, out);

    if (ok) {
        ok = EVP_CipherFinal_ex(own, end, &n);
        wnt_assert_no_errors(); /* a wrong tag is no error */
    } else {
        assert_true(is_ccm(c));
        wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
    }
    if (ctx == NULL)
        EVP_CIPHER_CTX_free(own);
    return ok;
}
