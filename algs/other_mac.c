/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MACs over digests and ciphers that another provider has; see other_ctx.h. */
#include "other_ctx.h"

struct mac_try {
    const OSSL_PARAM *params;
    struct wn_other_ctx *out;
};

static int mac_try(struct wn_other *impl, void *arg)
{
    struct mac_try *t = arg;
    struct wn_other_ctx *o = wn_other_ctx_new(impl, OSSL_OP_MAC, NULL);

    if (o != NULL && wn_other_set_params(o, t->params)) {
        t->out = o;
        return 1;
    }
    wn_other_ctx_free(o);
    return 0;
}

struct wn_other_ctx *wn_other_mac_find(const struct wn_prov *prov, const char *name,
                                       const OSSL_PARAM params[])
{
    struct mac_try t = { params, NULL };

    wn_other_find(prov, OSSL_OP_MAC, name, mac_try, &t);
    return t.out;
}

int wn_other_mac_init(const struct wn_other_ctx *o, const unsigned char *key, size_t keylen,
                      const OSSL_PARAM params[])
{
    OSSL_FUNC_mac_init_fn *f = WN_OTHER_FN(o->impl, MAC_INIT, mac_init);

    return f != NULL ? f(o->ctx, key, keylen, params) : wn_other_lacks(o->impl);
}

int wn_other_mac_update(const struct wn_other_ctx *o, const unsigned char *in, size_t n)
{
    OSSL_FUNC_mac_update_fn *f = WN_OTHER_FN(o->impl, MAC_UPDATE, mac_update);

    return f != NULL ? f(o->ctx, in, n) : wn_other_lacks(o->impl);
}

int wn_other_mac_final(const struct wn_other_ctx *o, unsigned char *out, size_t *outl,
                       size_t outsize)
{
    OSSL_FUNC_mac_final_fn *f = WN_OTHER_FN(o->impl, MAC_FINAL, mac_final);

    return f != NULL ? f(o->ctx, out, outl, outsize) : wn_other_lacks(o->impl);
}

size_t wn_other_mac_size(const struct wn_other_ctx *o)
{
    size_t size = 0;
    OSSL_PARAM params[] = { OSSL_PARAM_size_t(OSSL_MAC_PARAM_SIZE, &size), OSSL_PARAM_END };

    return wn_other_get_params(o, params) ? size : 0;
}
