/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys and contexts of other providers; see other_ctx.h. */
#include "other_ctx.h"

/* ---- keys ------------------------------------------------------------------------ */

static void free_data(const struct wn_other *keymgmt, void *data)
{
    OSSL_FUNC_keymgmt_free_fn *f = WN_OTHER_FN(keymgmt, KEYMGMT_FREE, keymgmt_free);

    if (data != NULL && f != NULL)
        f(data);
}

struct wn_other_key *wn_other_key_new(struct wn_other *keymgmt, void *data)
{
    struct wn_other_key *key;

    if (data == NULL)
        return NULL;
    key = wn_zalloc(keymgmt->prov, sizeof(*key));
    if (key == NULL) {
        free_data(keymgmt, data);
        return NULL;
    }
    wn_ref_init(&key->ref);
    key->keymgmt = wn_other_up(keymgmt);
    key->data = data;
    return key;
}

void wn_other_key_free(struct wn_other_key *key)
{
    const struct wn_prov *prov;

    if (key == NULL || !wn_ref_down(&key->ref))
        return;
    prov = key->keymgmt->prov;
    free_data(key->keymgmt, key->data);
    wn_other_free(key->keymgmt);
    wn_free(prov, key);
}

struct wn_other_key *wn_other_key_import(struct wn_other *keymgmt, int selection,
                                         const OSSL_PARAM params[])
{
    OSSL_FUNC_keymgmt_new_fn *new = WN_OTHER_FN(keymgmt, KEYMGMT_NEW, keymgmt_new);
    OSSL_FUNC_keymgmt_import_fn *import = WN_OTHER_FN(keymgmt, KEYMGMT_IMPORT, keymgmt_import);
    void *data;

    if (new == NULL || import == NULL || (data = new(keymgmt->provctx)) == NULL)
        return NULL;
    if (!import(data, selection, params)) {
        free_data(keymgmt, data);
        return NULL;
    }
    return wn_other_key_new(keymgmt, data);
}

#define EVERYTHING (OSSL_KEYMGMT_SELECT_KEYPAIR | OSSL_KEYMGMT_SELECT_ALL_PARAMETERS)

struct copying {
    struct wn_other *keymgmt;
    struct wn_other_key *key;
};

static int copy_import(const OSSL_PARAM params[], void *arg)
{
    struct copying *c = arg;

    c->key = wn_other_key_import(c->keymgmt, EVERYTHING, params);
    return c->key != NULL;
}

struct wn_other_key *wn_other_key_copy(struct wn_other *keymgmt,
                                       OSSL_FUNC_keymgmt_export_fn *export, void *key)
{
    struct copying c = { keymgmt, NULL };

    return export(key, EVERYTHING, copy_import, &c) ? c.key : NULL;
}

/* ---- contexts -------------------------------------------------------------------- */

/* Where the functions are that all operations have, with the same prototypes. */
struct wn_other_ops {
    int operation, dupctx, freectx, get_params, set_params;
};

#define OPS(o) { OSSL_OP_##o, OSSL_FUNC_##o##_DUPCTX, OSSL_FUNC_##o##_FREECTX, \
                 OSSL_FUNC_##o##_GET_CTX_PARAMS, OSSL_FUNC_##o##_SET_CTX_PARAMS }
static const struct wn_other_ops all_ops[] = {
    OPS(MAC), OPS(KDF), OPS(KEYEXCH), OPS(SIGNATURE), OPS(ASYM_CIPHER),
};

static const struct wn_other_ops *find_ops(int operation)
{
    size_t i;

    for (i = 0; i < sizeof(all_ops) / sizeof(all_ops[0]); i++)
        if (all_ops[i].operation == operation)
            return &all_ops[i];
    return NULL;
}

int wn_other_lacks(const struct wn_other *other)
{
    WN_RAISE(other->prov, ERR_R_UNSUPPORTED);
    return 0;
}

static void free_ctx(const struct wn_other *impl, const struct wn_other_ops *ops, void *ctx)
{
    if (ctx != NULL && impl->fn[ops->freectx] != NULL)
        ((OSSL_FUNC_mac_freectx_fn *)impl->fn[ops->freectx])(ctx);
}

/* Takes ctx even when it fails. */
static struct wn_other_ctx *wrap(struct wn_other *impl, const struct wn_other_ops *ops, void *ctx,
                                 struct wn_other_key *key)
{
    struct wn_other_ctx *o;

    if (ctx == NULL)
        return NULL;
    o = wn_zalloc(impl->prov, sizeof(*o));
    if (o == NULL) {
        free_ctx(impl, ops, ctx);
        return NULL;
    }
    o->impl = wn_other_up(impl);
    o->ops = ops;
    o->ctx = ctx;
    o->key = key != NULL ? wn_other_key_up(key) : NULL;
    return o;
}

struct wn_other_ctx *wn_other_ctx_new(struct wn_other *impl, int operation,
                                      struct wn_other_key *key)
{
    const struct wn_other_ops *ops = find_ops(operation);
    OSSL_FUNC_signature_newctx_fn *sig = WN_OTHER_FN(impl, SIGNATURE_NEWCTX, signature_newctx);
    OSSL_FUNC_mac_newctx_fn *any = WN_OTHER_FN(impl, MAC_NEWCTX, mac_newctx);

    /* function 1 everywhere; that of signatures alone gets a property query too */
    if (ops == NULL || any == NULL)
        return NULL;
    return wrap(impl, ops, operation == OSSL_OP_SIGNATURE ? sig(impl->provctx, NULL)
                                                          : any(impl->provctx), key);
}

struct wn_other_ctx *wn_other_ctx_for_key(struct wn_other_key *key, int operation,
                                          const char *name)
{
    struct wn_other *impl = wn_other_sibling(key->keymgmt, operation, name);
    struct wn_other_ctx *o = NULL;

    if (impl == NULL)
        wn_other_lacks(key->keymgmt);
    else
        o = wn_other_ctx_new(impl, operation, key);
    wn_other_free(impl);
    return o;
}

struct wn_other_ctx *wn_other_ctx_dup(const struct wn_other_ctx *o)
{
    OSSL_FUNC_mac_dupctx_fn *dup = (OSSL_FUNC_mac_dupctx_fn *)o->impl->fn[o->ops->dupctx];
    struct wn_other_ctx *copy;

    if (dup == NULL) {          /* as with KDFs of OpenSSL 3.0 */
        wn_other_lacks(o->impl);
        return NULL;
    }
    copy = wrap(o->impl, o->ops, dup(o->ctx), o->key);
    if (copy != NULL)
        copy->how = o->how;
    return copy;
}

void wn_other_ctx_free(struct wn_other_ctx *o)
{
    const struct wn_prov *prov;

    if (o == NULL)
        return;
    prov = o->impl->prov;
    free_ctx(o->impl, o->ops, o->ctx);
    wn_other_key_free(o->key);
    wn_other_free(o->impl);
    wn_free(prov, o);
}

int wn_other_get_params(const struct wn_other_ctx *o, OSSL_PARAM params[])
{
    OSSL_FUNC_mac_get_ctx_params_fn *get =
        (OSSL_FUNC_mac_get_ctx_params_fn *)o->impl->fn[o->ops->get_params];

    return get != NULL ? get(o->ctx, params) : wn_other_lacks(o->impl);
}

int wn_other_set_params(const struct wn_other_ctx *o, const OSSL_PARAM params[])
{
    OSSL_FUNC_mac_set_ctx_params_fn *set =
        (OSSL_FUNC_mac_set_ctx_params_fn *)o->impl->fn[o->ops->set_params];

    if (wn_params_empty(params))
        return 1;
    return set != NULL ? set(o->ctx, params) : wn_other_lacks(o->impl);
}

struct wn_other_ctx *wn_other_ctx_with_copy(struct wn_other *impl, int operation,
                                            const struct wn_other_key_try *t)
{
    struct wn_other *keymgmt = wn_other_sibling(impl, OSSL_OP_KEYMGMT, t->keymgmt);
    struct wn_other_key *key = NULL;
    struct wn_other_ctx *o = NULL;

    if (keymgmt != NULL)
        key = wn_other_key_copy(keymgmt, t->export, t->key);
    if (key != NULL)
        o = wn_other_ctx_new(impl, operation, key);
    wn_other_key_free(key);
    wn_other_free(keymgmt);
    return o;
}
