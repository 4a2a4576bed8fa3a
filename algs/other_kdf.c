/* SPDX-License-Identifier: GPL-3.0-or-later */
/* KDFs over digests and ciphers that another provider has; see other_ctx.h. */
#include "other_ctx.h"

struct kdf_try {
    const OSSL_PARAM *before, *params;
    struct wn_other_ctx *out;
};

static int kdf_try(struct wn_other *impl, void *arg)
{
    struct kdf_try *t = arg;
    struct wn_other_ctx *o = wn_other_ctx_new(impl, OSSL_OP_KDF, NULL);

    if (o != NULL && wn_other_set_params(o, t->before) && wn_other_set_params(o, t->params)) {
        t->out = o;
        return 1;
    }
    wn_other_ctx_free(o);
    return 0;
}

struct wn_other_ctx *wn_other_kdf_find(const struct wn_prov *prov, const char *name,
                                       const OSSL_PARAM before[], const OSSL_PARAM params[])
{
    struct kdf_try t = { before, params, NULL };

    wn_other_find(prov, OSSL_OP_KDF, name, kdf_try, &t);
    return t.out;
}

int wn_other_kdf_derive(const struct wn_other_ctx *o, unsigned char *out, size_t n,
                        const OSSL_PARAM params[])
{
    OSSL_FUNC_kdf_derive_fn *f = WN_OTHER_FN(o->impl, KDF_DERIVE, kdf_derive);

    return f != NULL ? f(o->ctx, out, n, params) : wn_other_lacks(o->impl);
}

size_t wn_other_kdf_size(const struct wn_other_ctx *o)
{
    size_t size = 0;
    OSSL_PARAM params[] = { OSSL_PARAM_size_t(OSSL_KDF_PARAM_SIZE, &size), OSSL_PARAM_END };

    return wn_other_get_params(o, params) ? size : 0;
}

int wn_other_kdf_takes(const struct wn_prov *prov, const char *kdf, const char *digest)
{
    struct wn_other_ctx *o = NULL;
    struct wn_pb pb;

    wn_pb_init(&pb, prov);
    if (wn_pb_utf8(&pb, OSSL_KDF_PARAM_DIGEST, digest))
        o = wn_other_kdf_find(prov, kdf, NULL, wn_pb_params(&pb));
    wn_pb_clear(&pb);
    wn_other_ctx_free(o);
    return o != NULL;
}

int wn_other_kdf_once(const struct wn_prov *prov, const char *kdf, struct wn_pb *pb,
                      unsigned char *out, size_t n)
{
    struct wn_other_ctx *o = NULL;
    int ok = 0;

    if (wn_pb_params(pb) != NULL) {
        o = wn_other_kdf_find(prov, kdf, NULL, wn_pb_params(pb));
        if (o != NULL)
            ok = wn_other_kdf_derive(o, out, n, NULL);
        else                    /* it was there when the digest was set */
            WN_RAISE(prov, ERR_R_UNSUPPORTED);
    }
    wn_other_ctx_free(o);
    wn_pb_clear(pb);
    return ok;
}
