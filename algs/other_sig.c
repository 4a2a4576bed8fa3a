/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signatures that another provider makes or verifies; see other_ctx.h. */
#include "other_ctx.h"

int wn_other_sig_init(struct wn_other_ctx *o, int how, int again, const char *mdname,
                      const OSSL_PARAM params[])
{
    void *key = again ? NULL : o->key->data;

    if (o->impl->fn[how] == NULL)
        return wn_other_lacks(o->impl);
    o->how = how;
    if (how == OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT
        || how == OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT)
        return ((OSSL_FUNC_signature_digest_sign_init_fn *)o->impl->fn[how])(o->ctx, mdname, key,
                                                                             params);
    return ((OSSL_FUNC_signature_sign_init_fn *)o->impl->fn[how])(o->ctx, key, params);
}

int wn_other_sign(const struct wn_other_ctx *o, unsigned char *sig, size_t *siglen,
                  size_t sigsize, const unsigned char *tbs, size_t n)
{
    OSSL_FUNC_signature_sign_fn *f = WN_OTHER_FN(o->impl, SIGNATURE_SIGN, signature_sign);

    return f != NULL ? f(o->ctx, sig, siglen, sigsize, tbs, n) : wn_other_lacks(o->impl);
}

int wn_other_verify(const struct wn_other_ctx *o, const unsigned char *sig, size_t siglen,
                    const unsigned char *tbs, size_t n)
{
    OSSL_FUNC_signature_verify_fn *f = WN_OTHER_FN(o->impl, SIGNATURE_VERIFY, signature_verify);

    return f != NULL ? f(o->ctx, sig, siglen, tbs, n) : wn_other_lacks(o->impl);
}

int wn_other_recover(const struct wn_other_ctx *o, unsigned char *out, size_t *outlen,
                     size_t outsize, const unsigned char *sig, size_t siglen)
{
    OSSL_FUNC_signature_verify_recover_fn *f = WN_OTHER_FN(o->impl, SIGNATURE_VERIFY_RECOVER,
                                                           signature_verify_recover);

    return f != NULL ? f(o->ctx, out, outlen, outsize, sig, siglen) : wn_other_lacks(o->impl);
}

/* ---- over a message: behind each init function come its update and its final ---- */

_Static_assert(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE == OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT + 1
               && OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL == OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT + 2
               && OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE
                      == OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT + 1
               && OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL
                      == OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT + 2
               && OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_UPDATE
                      == OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT + 1
               && OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_FINAL
                      == OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT + 2
               && OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_UPDATE
                      == OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_INIT + 1
               && OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_FINAL
                      == OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_INIT + 2, "numbers of core_dispatch.h");

static int takes_message(const struct wn_other_ctx *o)
{
    return o->how == OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT
        || o->how == OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT
        || o->how == OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT
        || o->how == OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_INIT;
}

int wn_other_sig_update(const struct wn_other_ctx *o, const unsigned char *data, size_t n)
{
    if (!takes_message(o)) {
        WN_RAISE(o->impl->prov, PROV_R_UPDATE_CALL_OUT_OF_ORDER);
        return 0;
    }
    if (o->impl->fn[o->how + 1] == NULL)
        return wn_other_lacks(o->impl);
    return ((OSSL_FUNC_signature_digest_sign_update_fn *)o->impl->fn[o->how + 1])(o->ctx, data, n);
}

static int final_exists(const struct wn_other_ctx *o)
{
    if (!takes_message(o)) {
        WN_RAISE(o->impl->prov, PROV_R_FINAL_CALL_OUT_OF_ORDER);
        return 0;
    }
    return o->impl->fn[o->how + 2] != NULL || wn_other_lacks(o->impl);
}

int wn_other_sign_final(const struct wn_other_ctx *o, unsigned char *sig, size_t *siglen,
                        size_t sigsize)
{
    return final_exists(o)
        && ((OSSL_FUNC_signature_digest_sign_final_fn *)o->impl->fn[o->how + 2])(o->ctx, sig,
                                                                                siglen, sigsize);
}

int wn_other_verify_final(const struct wn_other_ctx *o, const unsigned char *sig, size_t siglen)
{
    if (!final_exists(o))
        return 0;
    if (o->how == OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_INIT)
        return ((OSSL_FUNC_signature_verify_message_final_fn *)o->impl->fn[o->how + 2])(o->ctx);
    return ((OSSL_FUNC_signature_digest_verify_final_fn *)o->impl->fn[o->how + 2])(o->ctx, sig,
                                                                                  siglen);
}

/* ---- a digest that is not ours ------------------------------------------------------ */

static int sig_try(struct wn_other *impl, void *arg)
{
    struct wn_other_key_try *t = arg;
    struct wn_other_ctx *o = wn_other_ctx_with_copy(impl, OSSL_OP_SIGNATURE, t);
    int ok = o != NULL && wn_other_sig_init(o, t->how, 0, t->mdname, NULL)
        && wn_other_set_params(o, t->before) && wn_other_set_params(o, t->params);

    if (ok)
        t->out = o;
    else
        wn_other_ctx_free(o);
    return ok;
}

int wn_other_sig_find(const struct wn_prov *prov, const char *name, struct wn_other_key_try *t)
{
    return wn_other_find(prov, OSSL_OP_SIGNATURE, name, sig_try, t);
}
