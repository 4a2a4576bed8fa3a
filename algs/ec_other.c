/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EC keys on curves that wolfCrypt lacks (binary ones, SM2's, rare explicit parameters):
 * the key object only holds one of another provider, to which all of key management
 * passes its calls. See other_ctx.h.
 */
#include "ec_key.h"

#define EC_NAME "EC"

/* ---- import ------------------------------------------------------------------------ */

struct import_try {
    int selection;
    const OSSL_PARAM *params;
    struct wn_other_key *key;
};

static int import_try(struct wn_other *keymgmt, void *arg)
{
    struct import_try *t = arg;

    t->key = wn_other_key_import(keymgmt, t->selection, t->params);
    return t->key != NULL;
}

int wn_ec_other_import(struct wn_ec_key *key, int selection, const OSSL_PARAM params[])
{
    struct import_try t = { selection, params, NULL };

    if (!wn_other_find(key->prov, OSSL_OP_KEYMGMT, EC_NAME, import_try, &t))
        return 0;
    wn_other_key_free(key->other);
    key->other = t.key;
    return 1;
}

/* ---- the key ----------------------------------------------------------------------- */

int wn_ec_other_has(const struct wn_ec_key *key, int selection)
{
    OSSL_FUNC_keymgmt_has_fn *f = WN_OTHER_FN(key->other->keymgmt, KEYMGMT_HAS, keymgmt_has);

    return f != NULL && f(key->other->data, selection);
}

int wn_ec_other_match(const struct wn_ec_key *a, const struct wn_ec_key *b, int selection)
{
    OSSL_FUNC_keymgmt_match_fn *f;

    if (a->other == NULL || b->other == NULL
        || a->other->keymgmt->provider != b->other->keymgmt->provider)
        return !WN_SELECTS_DOMAIN(selection) && !WN_SELECTS_KEYPAIR(selection);
    f = WN_OTHER_FN(a->other->keymgmt, KEYMGMT_MATCH, keymgmt_match);
    return f != NULL && f(a->other->data, b->other->data, selection);
}

int wn_ec_other_export(const struct wn_ec_key *key, int selection, OSSL_CALLBACK *cb, void *arg)
{
    OSSL_FUNC_keymgmt_export_fn *f = WN_OTHER_FN(key->other->keymgmt, KEYMGMT_EXPORT,
                                                 keymgmt_export);

    return f != NULL && f(key->other->data, selection, cb, arg);
}

int wn_ec_other_validate(const struct wn_ec_key *key, int selection, int type)
{
    OSSL_FUNC_keymgmt_validate_fn *f = WN_OTHER_FN(key->other->keymgmt, KEYMGMT_VALIDATE,
                                                   keymgmt_validate);

    return f != NULL ? f(key->other->data, selection, type) : wn_other_lacks(key->other->keymgmt);
}

/* A key object of ours around one of the other provider, which it takes; or NULL. */
static struct wn_ec_key *wrap(const struct wn_prov *prov, struct wn_other *keymgmt, void *data)
{
    struct wn_other_key *other = wn_other_key_new(keymgmt, data);
    struct wn_ec_key *key = other != NULL ? wn_ec_key_new(prov) : NULL;

    if (key != NULL)
        key->other = other;
    else
        wn_other_key_free(other);
    return key;
}

struct wn_ec_key *wn_ec_other_dup(const struct wn_ec_key *key, int selection)
{
    struct wn_other *keymgmt = key->other->keymgmt;
    OSSL_FUNC_keymgmt_dup_fn *f = WN_OTHER_FN(keymgmt, KEYMGMT_DUP, keymgmt_dup);

    return f != NULL ? wrap(key->prov, keymgmt, f(key->other->data, selection)) : NULL;
}

int wn_ec_other_get_params(const struct wn_ec_key *key, OSSL_PARAM params[])
{
    OSSL_FUNC_keymgmt_get_params_fn *f = WN_OTHER_FN(key->other->keymgmt, KEYMGMT_GET_PARAMS,
                                                     keymgmt_get_params);

    return f != NULL ? f(key->other->data, params) : wn_other_lacks(key->other->keymgmt);
}

int wn_ec_other_set_params(const struct wn_ec_key *key, const OSSL_PARAM params[])
{
    OSSL_FUNC_keymgmt_set_params_fn *f = WN_OTHER_FN(key->other->keymgmt, KEYMGMT_SET_PARAMS,
                                                     keymgmt_set_params);

    return f != NULL ? f(key->other->data, params) : wn_other_lacks(key->other->keymgmt);
}

/* ---- generation -------------------------------------------------------------------- */

struct wn_ec_other_gen {
    struct wn_other *keymgmt;
    void *gen;
};

void wn_ec_other_gen_free(struct wn_ec_other_gen *g)
{
    OSSL_FUNC_keymgmt_gen_cleanup_fn *f;
    const struct wn_prov *prov;

    if (g == NULL)
        return;
    prov = g->keymgmt->prov;
    f = WN_OTHER_FN(g->keymgmt, KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup);
    if (f != NULL && g->gen != NULL)
        f(g->gen);
    wn_other_free(g->keymgmt);
    wn_free(prov, g);
}

static struct wn_ec_other_gen *gen_new(struct wn_other *keymgmt, int selection)
{
    OSSL_FUNC_keymgmt_gen_init_fn *f = WN_OTHER_FN(keymgmt, KEYMGMT_GEN_INIT, keymgmt_gen_init);
    struct wn_ec_other_gen *g = f != NULL ? wn_zalloc(keymgmt->prov, sizeof(*g)) : NULL;

    if (g == NULL)
        return NULL;
    g->keymgmt = wn_other_up(keymgmt);
    g->gen = f(keymgmt->provctx, selection, NULL);
    if (g->gen == NULL) {
        wn_ec_other_gen_free(g);
        return NULL;
    }
    return g;
}

int wn_ec_other_gen_set(struct wn_ec_other_gen *g, const OSSL_PARAM params[])
{
    OSSL_FUNC_keymgmt_gen_set_params_fn *f = WN_OTHER_FN(g->keymgmt, KEYMGMT_GEN_SET_PARAMS,
                                                         keymgmt_gen_set_params);

    if (wn_params_empty(params))
        return 1;
    return f != NULL ? f(g->gen, params) : wn_other_lacks(g->keymgmt);
}

struct gen_try {
    int selection;
    const OSSL_PARAM *before, *params;
    struct wn_ec_other_gen *gen;
};

static struct wn_ec_other_gen *gen_prepare(struct wn_other *keymgmt, const struct gen_try *t,
                                           int selection)
{
    struct wn_ec_other_gen *g = gen_new(keymgmt, selection);

    if (g != NULL && wn_ec_other_gen_set(g, t->before) && wn_ec_other_gen_set(g, t->params))
        return g;
    wn_ec_other_gen_free(g);
    return NULL;
}

/* OpenSSL's provider takes any curve and only looks for it when it generates. */
static int has_curve(struct wn_other *keymgmt, const struct gen_try *t)
{
    struct wn_ec_other_gen *g = gen_prepare(keymgmt, t, OSSL_KEYMGMT_SELECT_ALL_PARAMETERS);
    struct wn_ec_key *key = g != NULL ? wn_ec_other_gen(keymgmt->prov, g, NULL, NULL) : NULL;
    int has = key != NULL;

    wn_ec_key_free(key);
    wn_ec_other_gen_free(g);
    return has;
}

static int gen_try(struct wn_other *keymgmt, void *arg)
{
    struct gen_try *t = arg;

    t->gen = has_curve(keymgmt, t) ? gen_prepare(keymgmt, t, t->selection) : NULL;
    return t->gen != NULL;
}

struct wn_ec_other_gen *wn_ec_other_gen_find(const struct wn_prov *prov, int selection,
                                             const OSSL_PARAM before[], const OSSL_PARAM params[])
{
    struct gen_try t = { selection, before, params, NULL };

    wn_other_find(prov, OSSL_OP_KEYMGMT, EC_NAME, gen_try, &t);
    return t.gen;
}

struct wn_ec_other_gen *wn_ec_other_gen_like(const struct wn_ec_key *template, int selection)
{
    struct wn_other *keymgmt = template->other->keymgmt;
    OSSL_FUNC_keymgmt_gen_set_template_fn *f = WN_OTHER_FN(keymgmt, KEYMGMT_GEN_SET_TEMPLATE,
                                                           keymgmt_gen_set_template);
    struct wn_ec_other_gen *g = f != NULL ? gen_new(keymgmt, selection) : NULL;

    if (g == NULL || f(g->gen, template->other->data))
        return g;
    wn_ec_other_gen_free(g);
    return NULL;
}

struct wn_ec_key *wn_ec_other_gen(const struct wn_prov *prov, struct wn_ec_other_gen *g,
                                  OSSL_CALLBACK *cb, void *arg)
{
    OSSL_FUNC_keymgmt_gen_fn *f = WN_OTHER_FN(g->keymgmt, KEYMGMT_GEN, keymgmt_gen);

    return f != NULL ? wrap(prov, g->keymgmt, f(g->gen, cb, arg)) : NULL;
}
