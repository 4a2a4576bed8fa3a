/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contexts and parameters of all KDFs; see kdf.h. */
#include "kdf.h"

#include <string.h>

WN_PARAMS(kdf_get, WN_KDF_SIZE);
const OSSL_PARAM wn_kdf_size_list[] = { WN_KDF_SIZE(WN_PARAM_DESC_) OSSL_PARAM_END };

static struct wn_kdf_bytes *bytes_of(void *ctx, const struct wn_kdf_desc *desc)
{
    return (struct wn_kdf_bytes *)(void *)((unsigned char *)ctx + desc->bytes_at);
}

/* ---- contexts -------------------------------------------------------------- */

static const struct wn_kdf_bytes *const_bytes_of(const void *ctx, const struct wn_kdf_desc *desc)
{
    return (const struct wn_kdf_bytes *)(const void *)((const unsigned char *)ctx
                                                       + desc->bytes_at);
}

static void start(struct wn_kdf *ctx, const struct wn_prov *prov, const struct wn_kdf_desc *desc)
{
    ctx->prov = prov;
    ctx->desc = desc;
    if (desc->init != NULL)
        desc->init(ctx);
}

void *wn_kdf_new(void *vprov, const struct wn_kdf_desc *desc)
{
    const struct wn_prov *prov = vprov;
    struct wn_kdf *ctx = wn_zalloc(prov, desc->size);

    if (ctx != NULL)
        start(ctx, prov, desc);
    return ctx;
}

static void free_bytes(struct wn_kdf *ctx)
{
    struct wn_kdf_bytes *b = bytes_of(ctx, ctx->desc);
    size_t i;

    for (i = 0; i < ctx->desc->n_bytes; i++)
        wn_clear_free(ctx->prov, b[i].d, b[i].n);
}

void wn_kdf_free(void *vctx)
{
    struct wn_kdf *ctx = vctx;

    if (ctx == NULL)
        return;
    free_bytes(ctx);
    wn_other_ctx_free(ctx->other);
    wn_clear_free(ctx->prov, ctx, ctx->desc->size);
}

void wn_kdf_reset(void *vctx)
{
    struct wn_kdf *ctx = vctx;
    const struct wn_prov *prov = ctx->prov;
    const struct wn_kdf_desc *desc = ctx->desc;

    free_bytes(ctx);
    wn_other_ctx_free(ctx->other);
    wn_clear(ctx, desc->size);
    start(ctx, prov, desc);
}

void *wn_kdf_dup(void *vctx)
{
    struct wn_kdf *ctx = vctx, *copy = wn_memdup(ctx->prov, ctx, ctx->desc->size);
    struct wn_kdf_bytes *from = bytes_of(ctx, ctx->desc), *to;
    size_t i;

    if (copy == NULL)
        return NULL;
    to = bytes_of(copy, copy->desc);
    memset(to, 0, copy->desc->n_bytes * sizeof(*to));
    copy->other = NULL;
    if (ctx->other != NULL && (copy->other = wn_other_ctx_dup(ctx->other)) == NULL) {
        wn_kdf_free(copy);
        return NULL;
    }
    for (i = 0; i < copy->desc->n_bytes; i++) {
        to[i].d = wn_memdup(ctx->prov, from[i].d, from[i].n);
        to[i].n = from[i].n;
        if (to[i].d == NULL && from[i].d != NULL) {
            wn_kdf_free(copy);
            return NULL;
        }
    }
    return copy;
}

int wn_kdf_derive(void *vctx, unsigned char *out, size_t n, const OSSL_PARAM params[])
{
    struct wn_kdf *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_kdf_derive(ctx->other, out, n, params);
    if (!wn_kdf_set_ctx_params(ctx, params))
        return 0;
    if (ctx->other != NULL)
        return wn_other_kdf_derive(ctx->other, out, n, NULL);
    return ctx->desc->derive(ctx, out, n);
}

/* ---- parameters -------------------------------------------------------------- */

/* next takes the place of ctx (ok), or goes: frees the byte strings of the other. */
static void settle(struct wn_kdf *ctx, struct wn_kdf *next, int ok)
{
    struct wn_kdf_bytes *was = bytes_of(ctx, ctx->desc), *is = bytes_of(next, ctx->desc);
    size_t i;

    for (i = 0; i < ctx->desc->n_bytes; i++)
        if (was[i].d != is[i].d)
            wn_clear_free(ctx->prov, ok ? was[i].d : is[i].d, ok ? was[i].n : is[i].n);
    if (ok)
        memcpy(ctx, next, ctx->desc->size);
}

/* Another provider goes on from here, with all that was set; or the error. */
static int continue_elsewhere(struct wn_kdf *ctx, const OSSL_PARAM params[],
                              const OSSL_PARAM *unknown)
{
    struct wn_other_ctx *other = NULL;
    struct wn_pb pb;

    wn_pb_init(&pb, ctx->prov);
    ctx->desc->tell(ctx, &pb);
    if (wn_pb_params(&pb) != NULL)
        other = wn_other_kdf_find(ctx->prov, ctx->desc->name, wn_pb_params(&pb), params);
    wn_pb_clear(&pb);
    if (other == NULL)
        return strcmp(unknown->key, OSSL_KDF_PARAM_CIPHER) == 0
            ? wn_cmac_raise_unknown(ctx->prov, unknown)
            : wn_md_raise_unknown(ctx->prov, unknown);
    wn_kdf_reset(ctx);
    ctx->other = other;
    return 1;
}

int wn_kdf_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_kdf *ctx = vctx;
    union {
        struct wn_kdf kdf;
        max_align_t align;
        unsigned char room[WN_KDF_MAX_CTX];
    } next;
    const OSSL_PARAM *unknown;
    int ok;

    if (wn_params_empty(params))
        return 1;
    if (ctx->other != NULL)
        return wn_other_set_params(ctx->other, params);
    memcpy(&next, ctx, ctx->desc->size);
    ok = ctx->desc->set(&next, params);
    unknown = next.kdf.unknown;
    settle(ctx, &next.kdf, ok);
    wn_clear(&next, ctx->desc->size);
    return ok || (unknown != NULL && continue_elsewhere(ctx, params, unknown));
}

size_t wn_kdf_size(struct wn_kdf *ctx)
{
    if (ctx->other != NULL)
        return wn_other_kdf_size(ctx->other);
    return ctx->desc->out_size != NULL ? ctx->desc->out_size(ctx) : SIZE_MAX;
}

/* Whether any of the parameters is one that the KDF has. */
static int asks_for_any(const struct wn_kdf *ctx, const OSSL_PARAM *params)
{
    const OSSL_PARAM *known;

    for (; params->key != NULL; params++)
        for (known = ctx->desc->gettable; known->key != NULL; known++)
            if (strcmp(known->key, params->key) == 0)
                return 1;
    return 0;
}

int wn_kdf_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    struct wn_kdf *ctx = vctx;
    struct kdf_get p;
    size_t size;

    if (ctx->other != NULL)
        return wn_other_get_params(ctx->other, params);
    if (!WN_PARAMS_SCAN(ctx->prov, kdf_get, params, &p))
        return 0;
    if (p.size != NULL) {
        size = wn_kdf_size(ctx);
        if (size == 0 || !wn_param_give_size_t(ctx->prov, p.size, size))
            return 0;
    } else if (ctx->prov->core_version < ctx->desc->strict_since
               && (params == NULL || !asks_for_any(ctx, params))) {
        return -2;
    }
    return ctx->desc->get == NULL || ctx->desc->get(ctx, params);
}

/* ---- for the KDFs -------------------------------------------------------------- */

static int is_octets(const OSSL_PARAM *p)
{
    return p->data_type == OSSL_PARAM_OCTET_STRING || p->data_type == OSSL_PARAM_OCTET_PTR;
}

static int put(struct wn_kdf *ctx, size_t i, const unsigned char *d, size_t n)
{
    struct wn_kdf_bytes *b = &bytes_of(ctx, ctx->desc)[i];
    unsigned char *copy = NULL;

    if (d != NULL && (copy = wn_memdup(ctx->prov, d, n)) == NULL)
        return 0;
    b->d = copy;
    b->n = d != NULL ? n : 0;
    return 1;
}

int wn_kdf_take(void *vctx, size_t i, const OSSL_PARAM *p, enum wn_kdf_empty empty)
{
    struct wn_kdf *ctx = vctx;
    const unsigned char *d;
    size_t n;

    if (p == NULL)
        return 1;
    if (is_octets(p) && empty != WN_KDF_STRICT && (p->data == NULL || p->data_size == 0)) {
        if (empty == WN_KDF_KEEPS)
            return 1;
        d = (const unsigned char *)"";
        return put(ctx, i, empty == WN_KDF_LENIENT && p->data_size == 0 ? d : NULL, 0);
    }
    return wn_param_take_octets(ctx->prov, p, &d, &n) && put(ctx, i, d, n);
}

/* The length of all values together, or 0 and an error. */
static int total_length(const struct wn_kdf *ctx, const OSSL_PARAM params[], const char *key,
                        size_t *total)
{
    const OSSL_PARAM *p;

    for (p = params; p->key != NULL; p++) {
        if (strcmp(p->key, key) != 0)
            continue;
        if (!is_octets(p)) {
            WN_RAISE(ctx->prov, PROV_R_FAILED_TO_GET_PARAMETER);
            return 0;
        }
        if (p->data == NULL)
            continue;
        if (p->data_size > SIZE_MAX - *total) {
            WN_RAISE(ctx->prov, PROV_R_LENGTH_TOO_LARGE);
            return 0;
        }
        *total += p->data_size;
    }
    return 1;
}

int wn_kdf_take_all(void *vctx, size_t i, const OSSL_PARAM params[], const char *key, int append,
                    size_t limit)
{
    struct wn_kdf *ctx = vctx;
    struct wn_kdf_bytes *b = &bytes_of(ctx, ctx->desc)[i];
    size_t at = append ? b->n : 0, total = at, n = 0;
    const unsigned char *d;
    unsigned char *all;

    if (!total_length(ctx, params, key, &total))
        return 0;
    if (limit != 0 && total > limit) {
        WN_RAISE(ctx->prov, PROV_R_LENGTH_TOO_LARGE);
        return 0;
    }
    all = wn_malloc(ctx->prov, total);
    if (all == NULL)
        return 0;
    if (at != 0)
        memcpy(all, b->d, at);
    for (; params->key != NULL; params++) {
        if (strcmp(params->key, key) != 0 || !wn_param_get_octets(params, &d, &n))
            continue;
        memcpy(all + at, d, n);
        at += n;
    }
    b->d = all;
    b->n = total;
    return 1;
}

int wn_kdf_either(void *vctx, OSSL_PARAM *a, OSSL_PARAM *b, OSSL_PARAM **p)
{
    struct wn_kdf *ctx = vctx;

    *p = a != NULL ? a : b;
    if (a == NULL || b == NULL || ctx->prov->core_version < WN_CORE_VERSION(3, 6))
        return 1;
    WN_RAISE_MSG(ctx->prov, PROV_R_REPEATED_PARAMETER, "param %s present >1 times", b->key);
    return 0;
}

int wn_kdf_take_md(void *vctx, const OSSL_PARAM *p, const struct wn_md_desc **md, int for_hmac)
{
    struct wn_kdf *ctx = vctx;
    const struct wn_md_desc *found = NULL;
    int ok;

    if (p == NULL)
        return 1;
    ok = wn_md_try(ctx->prov, p, &found);
    if (ok <= 0) {
        ctx->unknown = ok < 0 ? p : NULL;
        return 0;
    }
    if ((found->flags & WN_MD_XOF) != 0
        && (for_hmac || ctx->prov->core_version >= WN_CORE_VERSION(3, 4))) {
        WN_RAISE(ctx->prov, PROV_R_XOF_DIGESTS_NOT_ALLOWED);
        return 0;
    }
    *md = found;
    return 1;
}

int wn_kdf_take_cipher(void *vctx, const OSSL_PARAM *p, const struct wn_cmac_cipher **cipher)
{
    struct wn_kdf *ctx = vctx;
    int ok = wn_cmac_try(ctx->prov, p, cipher);

    ctx->unknown = ok < 0 ? p : NULL;
    return ok > 0;
}

void wn_kdf_tell(const void *vctx, struct wn_pb *pb, size_t i, const char *key)
{
    const struct wn_kdf *ctx = vctx;
    const struct wn_kdf_bytes *b = &const_bytes_of(ctx, ctx->desc)[i];

    if (b->d != NULL)
        wn_pb_octets(pb, key, b->d, b->n);
}
