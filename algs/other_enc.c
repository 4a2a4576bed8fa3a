/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encryption with RSA over digests that another provider has; see other_ctx.h. */
#include "other_ctx.h"

static int enc_init(const struct wn_other_ctx *o, int how)
{
    OSSL_FUNC_asym_cipher_encrypt_init_fn *f =
        (OSSL_FUNC_asym_cipher_encrypt_init_fn *)o->impl->fn[how];

    return f != NULL && f(o->ctx, o->key->data, NULL);
}

static int enc_try(struct wn_other *impl, void *arg)
{
    struct wn_other_key_try *t = arg;
    struct wn_other_ctx *o = wn_other_ctx_with_copy(impl, OSSL_OP_ASYM_CIPHER, t);
    int ok = o != NULL && enc_init(o, t->how)
        && wn_other_set_params(o, t->before) && wn_other_set_params(o, t->params);

    if (ok)
        t->out = o;
    else
        wn_other_ctx_free(o);
    return ok;
}

int wn_other_enc_find(const struct wn_prov *prov, const char *name, struct wn_other_key_try *t)
{
    return wn_other_find(prov, OSSL_OP_ASYM_CIPHER, name, enc_try, t);
}

int wn_other_encrypt(const struct wn_other_ctx *o, unsigned char *out, size_t *outlen,
                     size_t outsize, const unsigned char *in, size_t n)
{
    OSSL_FUNC_asym_cipher_encrypt_fn *f = WN_OTHER_FN(o->impl, ASYM_CIPHER_ENCRYPT,
                                                      asym_cipher_encrypt);

    return f != NULL ? f(o->ctx, out, outlen, outsize, in, n) : wn_other_lacks(o->impl);
}

int wn_other_decrypt(const struct wn_other_ctx *o, unsigned char *out, size_t *outlen,
                     size_t outsize, const unsigned char *in, size_t n)
{
    OSSL_FUNC_asym_cipher_decrypt_fn *f = WN_OTHER_FN(o->impl, ASYM_CIPHER_DECRYPT,
                                                      asym_cipher_decrypt);

    return f != NULL ? f(o->ctx, out, outlen, outsize, in, n) : wn_other_lacks(o->impl);
}
