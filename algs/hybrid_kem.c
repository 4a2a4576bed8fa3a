/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EVP_KEM with the hybrid groups (provider-kem(7)); see hybrid.h. */
#include "hybrid.h"

#include "../provider/alglist.h"
#include "kem.h"

struct wn_hybrid_ctx {
    const struct wn_prov *prov;
    struct wn_hybrid_key *key;
};

static void *wn_hybrid_newctx(void *vprov)
{
    const struct wn_prov *prov = vprov;
    struct wn_hybrid_ctx *ctx = wn_zalloc(prov, sizeof(*ctx));

    if (ctx != NULL)
        ctx->prov = prov;
    return ctx;
}

static void wn_hybrid_freectx(void *vctx)
{
    struct wn_hybrid_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_hybrid_key_free(ctx->key);
    wn_free(ctx->prov, ctx);
}

static void *wn_hybrid_dupctx(void *vctx)
{
    const struct wn_hybrid_ctx *ctx = vctx;
    struct wn_hybrid_ctx *copy = wn_memdup(ctx->prov, ctx, sizeof(*ctx));

    if (copy != NULL && copy->key != NULL)
        wn_hybrid_key_up(copy->key);
    return copy;
}

static int start(struct wn_hybrid_ctx *ctx, struct wn_hybrid_key *key, int need_private)
{
    if (key == NULL || key->mlkem == NULL || (need_private && !key->has_private)) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    wn_hybrid_key_up(key);
    wn_hybrid_key_free(ctx->key);
    ctx->key = key;
    return 1;
}

static int wn_hybrid_encapsulate_init(void *vctx, void *vkey, const OSSL_PARAM params[])
{
    (void)params;
    return start(vctx, vkey, 0);
}

static int wn_hybrid_decapsulate_init(void *vctx, void *vkey, const OSSL_PARAM params[])
{
    (void)params;
    return start(vctx, vkey, 1);
}

static int wn_hybrid_encapsulate(void *vctx, unsigned char *out, size_t *outlen,
                                 unsigned char *secret, size_t *secretlen)
{
    struct wn_hybrid_ctx *ctx = vctx;
    const struct wn_hybrid_desc *desc;
    const struct wn_hybrid_curve *curve;
    unsigned char priv[WN_HYBRID_MAX_PRIV];
    size_t need, secret_need;
    int ok;

    if (ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    desc = ctx->key->desc;
    curve = desc->curve;
    need = desc->mlkem->cipher + curve->pub_len;
    secret_need = WN_MLKEM_SECRET + curve->secret_len;
    ok = wn_kem_encapsulate_room(ctx->prov, out, outlen, need, secret, secretlen, secret_need);
    if (ok != 1)
        return ok == -1;
    ok = wn_mlkem_encapsulate(ctx->key->mlkem, out + wn_hybrid_mlkem_at(desc, curve->pub_len),
                              secret + wn_hybrid_mlkem_at(desc, curve->secret_len), NULL)
        && curve->generate(ctx->prov, priv, out + wn_hybrid_curve_at(desc, desc->mlkem->cipher))
        && curve->derive(ctx->prov, secret + wn_hybrid_curve_at(desc, WN_MLKEM_SECRET), priv,
                         ctx->key->pub);
    wn_clear(priv, sizeof(priv));
    if (!ok) {
        wn_clear(secret, secret_need);
        return 0;
    }
    *outlen = need;
    *secretlen = secret_need;
    return 1;
}

static int wn_hybrid_decapsulate(void *vctx, unsigned char *secret, size_t *secretlen,
                                 const unsigned char *in, size_t n)
{
    struct wn_hybrid_ctx *ctx = vctx;
    const struct wn_hybrid_desc *desc;
    const struct wn_hybrid_curve *curve;
    size_t secret_need;
    int ok;

    if (ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    desc = ctx->key->desc;
    curve = desc->curve;
    secret_need = WN_MLKEM_SECRET + curve->secret_len;
    if (secret == NULL) {
        if (secretlen != NULL)
            *secretlen = secret_need;
        return secretlen != NULL;
    }
    if (secretlen != NULL && !wn_kem_room(ctx->prov, secretlen, secret_need, "shared-secret"))
        return 0;
    if (n != desc->mlkem->cipher + curve->pub_len) {
        WN_RAISE_MSG(ctx->prov, PROV_R_WRONG_CIPHERTEXT_SIZE,
                     "wrong decapsulation input ciphertext size: %zu", n);
        return 0;
    }
    ok = wn_mlkem_decapsulate(ctx->key->mlkem,
                              secret + wn_hybrid_mlkem_at(desc, curve->secret_len),
                              in + wn_hybrid_mlkem_at(desc, curve->pub_len))
        && curve->derive(ctx->prov, secret + wn_hybrid_curve_at(desc, WN_MLKEM_SECRET),
                         ctx->key->priv, in + wn_hybrid_curve_at(desc, desc->mlkem->cipher));
    if (!ok) {
        wn_clear(secret, secret_need);
        return 0;
    }
    if (secretlen != NULL)
        *secretlen = secret_need;
    return 1;
}

const OSSL_DISPATCH wn_hybrid_kem_functions[] = {
    WN_FN(KEM_NEWCTX, kem_newctx, wn_hybrid_newctx),
    WN_FN(KEM_FREECTX, kem_freectx, wn_hybrid_freectx),
    WN_FN(KEM_DUPCTX, kem_dupctx, wn_hybrid_dupctx),
    WN_FN(KEM_ENCAPSULATE_INIT, kem_encapsulate_init, wn_hybrid_encapsulate_init),
    WN_FN(KEM_ENCAPSULATE, kem_encapsulate, wn_hybrid_encapsulate),
    WN_FN(KEM_DECAPSULATE_INIT, kem_decapsulate_init, wn_hybrid_decapsulate_init),
    WN_FN(KEM_DECAPSULATE, kem_decapsulate, wn_hybrid_decapsulate),
    WN_FN_END
};
