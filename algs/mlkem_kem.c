/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EVP_KEM with ML-KEM (FIPS 203, provider-kem(7)). */
#include "mlkem.h"

#include <string.h>

#include "../provider/alglist.h"
#include "kem.h"

struct wn_mlkem_ctx {
    const struct wn_prov *prov;
    struct wn_mlkem_key *key;
    int encapsulating, has_m;
    unsigned char m[WN_MLKEM_SECRET];   /* given by a test, used once */
};

static void *wn_mlkem_newctx(void *vprov)
{
    const struct wn_prov *prov = vprov;
    struct wn_mlkem_ctx *ctx = wn_zalloc(prov, sizeof(*ctx));

    if (ctx != NULL)
        ctx->prov = prov;
    return ctx;
}

static void wn_mlkem_freectx(void *vctx)
{
    struct wn_mlkem_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_mlkem_key_free(ctx->key);
    wn_clear_free(ctx->prov, ctx, sizeof(*ctx));
}

static void *wn_mlkem_dupctx(void *vctx)
{
    const struct wn_mlkem_ctx *ctx = vctx;
    struct wn_mlkem_ctx *copy = wn_memdup(ctx->prov, ctx, sizeof(*ctx));

    if (copy != NULL && copy->key != NULL)
        wn_mlkem_key_up(copy->key);
    return copy;
}

#define MLKEM_CTX_SET(P) P(ikm, octet_string, OSSL_KEM_PARAM_IKME)
WN_PARAMS(mlkem_ctx_set, MLKEM_CTX_SET);

static const OSSL_PARAM *wn_mlkem_settable_ctx(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return mlkem_ctx_set_list;
}

static int wn_mlkem_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_mlkem_ctx *ctx = vctx;
    const unsigned char *m;
    struct mlkem_ctx_set p;
    size_t n;

    if (!WN_PARAMS_SCAN(ctx->prov, mlkem_ctx_set, params, &p))
        return 0;
    if (p.ikm == NULL || !ctx->encapsulating)
        return 1;
    if (!wn_param_get_octets(p.ikm, &m, &n) || n != sizeof(ctx->m)) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_SEED_LENGTH);
        return 0;
    }
    memcpy(ctx->m, m, n);
    ctx->has_m = 1;
    return 1;
}

static int start(struct wn_mlkem_ctx *ctx, struct wn_mlkem_key *key, const OSSL_PARAM params[],
                 int encapsulating)
{
    if (key == NULL || key->ek == NULL || (!encapsulating && !wn_mlkem_has_private(key))) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    wn_mlkem_key_up(key);
    wn_mlkem_key_free(ctx->key);
    ctx->key = key;
    ctx->encapsulating = encapsulating;
    ctx->has_m = 0;
    return wn_mlkem_set_ctx_params(ctx, params);
}

static int wn_mlkem_encapsulate_init(void *vctx, void *vkey, const OSSL_PARAM params[])
{
    return start(vctx, vkey, params, 1);
}

static int wn_mlkem_decapsulate_init(void *vctx, void *vkey, const OSSL_PARAM params[])
{
    return start(vctx, vkey, params, 0);
}

static int wn_mlkem_kem_encapsulate(void *vctx, unsigned char *out, size_t *outlen,
                                    unsigned char *secret, size_t *secretlen)
{
    struct wn_mlkem_ctx *ctx = vctx;
    size_t need;
    int ok;

    if (ctx->key == NULL || ctx->key->ek == NULL) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    need = ctx->key->desc->cipher;
    ok = wn_kem_encapsulate_room(ctx->prov, out, outlen, need, secret, secretlen,
                                 WN_MLKEM_SECRET);
    if (ok != 1)
        return ok == -1;
    ok = wn_mlkem_encapsulate(ctx->key, out, secret, ctx->has_m ? ctx->m : NULL);
    wn_clear(ctx->m, sizeof(ctx->m));
    ctx->has_m = 0;
    if (!ok)
        return 0;
    *outlen = need;
    *secretlen = WN_MLKEM_SECRET;
    return 1;
}

static int wn_mlkem_kem_decapsulate(void *vctx, unsigned char *secret, size_t *secretlen,
                                    const unsigned char *in, size_t n)
{
    struct wn_mlkem_ctx *ctx = vctx;

    if (ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    if (secret == NULL) {
        if (secretlen != NULL)
            *secretlen = WN_MLKEM_SECRET;
        return secretlen != NULL;
    }
    /* OpenSSL tolerates a NULL length pointer here */
    if (secretlen != NULL
        && !wn_kem_room(ctx->prov, secretlen, WN_MLKEM_SECRET, "shared-secret"))
        return 0;
    if (n != ctx->key->desc->cipher) {
        WN_RAISE(ctx->prov, PROV_R_WRONG_CIPHERTEXT_SIZE);
        return 0;
    }
    if (!wn_mlkem_decapsulate(ctx->key, secret, in))
        return 0;
    if (secretlen != NULL)
        *secretlen = WN_MLKEM_SECRET;
    return 1;
}

const OSSL_DISPATCH wn_mlkem_kem_functions[] = {
    WN_FN(KEM_NEWCTX, kem_newctx, wn_mlkem_newctx),
    WN_FN(KEM_FREECTX, kem_freectx, wn_mlkem_freectx),
    WN_FN(KEM_DUPCTX, kem_dupctx, wn_mlkem_dupctx),
    WN_FN(KEM_ENCAPSULATE_INIT, kem_encapsulate_init, wn_mlkem_encapsulate_init),
    WN_FN(KEM_ENCAPSULATE, kem_encapsulate, wn_mlkem_kem_encapsulate),
    WN_FN(KEM_DECAPSULATE_INIT, kem_decapsulate_init, wn_mlkem_decapsulate_init),
    WN_FN(KEM_DECAPSULATE, kem_decapsulate, wn_mlkem_kem_decapsulate),
    WN_FN(KEM_SET_CTX_PARAMS, kem_set_ctx_params, wn_mlkem_set_ctx_params),
    WN_FN(KEM_SETTABLE_CTX_PARAMS, kem_settable_ctx_params, wn_mlkem_settable_ctx),
    WN_FN_END
};
