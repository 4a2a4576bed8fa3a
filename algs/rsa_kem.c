/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_KEM with RSA: the secret value encapsulation RSASVE (SP 800-56B rev. 2
 * section 7.2.1, provider-kem(7)). It is the only operation; up to OpenSSL 3.4
 * it has to be chosen, from 3.5 on it is the default.
 */
#include <string.h>
#include <strings.h>

#include <openssl/rsaerr.h>

#include "../provider/alglist.h"
#include "../provider/rng.h"
#include "kem.h"
#include "rsa.h"

struct wn_rsa_kem_ctx {
    const struct wn_prov *prov;
    struct wn_rsa_key *key;
    int rsasve;                 /* chosen */
};

static void *wn_rsa_kem_newctx(void *vprov)
{
    const struct wn_prov *prov = vprov;
    struct wn_rsa_kem_ctx *ctx = wn_zalloc(prov, sizeof(*ctx));

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->rsasve = wn_kem_has_default_op(prov);
    }
    return ctx;
}

static void wn_rsa_kem_freectx(void *vctx)
{
    struct wn_rsa_kem_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_rsa_key_free(ctx->key);
    wn_free(ctx->prov, ctx);
}

static void *wn_rsa_kem_dupctx(void *vctx)
{
    const struct wn_rsa_kem_ctx *ctx = vctx;
    struct wn_rsa_kem_ctx *copy = wn_memdup(ctx->prov, ctx, sizeof(*ctx));

    if (copy != NULL && copy->key != NULL)
        wn_rsa_key_up(copy->key);
    return copy;
}

#define RSA_KEM_SET(P) P(op, utf8_string, OSSL_KEM_PARAM_OPERATION)
WN_PARAMS(rsa_kem_set, RSA_KEM_SET);

static const OSSL_PARAM *wn_rsa_kem_settable(void *vctx, void *vprov)
{
    (void)vctx, (void)vprov;
    return rsa_kem_set_list;
}

static int wn_rsa_kem_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_rsa_kem_ctx *ctx = vctx;
    struct rsa_kem_set p;

    if (!WN_PARAMS_SCAN(ctx->prov, rsa_kem_set, params, &p)
        || !wn_kem_take_op(ctx->prov, p.op, OSSL_KEM_PARAM_OPERATION_RSASVE))
        return 0;
    ctx->rsasve |= p.op != NULL;
    return 1;
}

static const OSSL_PARAM *wn_rsa_kem_gettable(void *vctx, void *vprov)
{
    static const OSSL_PARAM none[] = { OSSL_PARAM_END };

    (void)vctx, (void)vprov;
    return none;
}

static int wn_rsa_kem_get_params(void *vctx, OSSL_PARAM params[])
{
    (void)vctx, (void)params;
    return 1;
}

static int start(struct wn_rsa_kem_ctx *ctx, struct wn_rsa_key *key, const OSSL_PARAM params[])
{
    if (key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (key->is_pss) {
        WN_RAISE(ctx->prov, PROV_R_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE);
        return 0;
    }
    /* with e = 1 the ciphertext is the secret; OpenSSL refuses it from 4.0 on */
    if (ctx->prov->core_version >= WN_CORE_VERSION(4, 0)
        && (key->e == NULL || mp_iszero(key->e) || mp_isone(key->e))) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY);
        return 0;
    }
    if (!wn_rsa_kem_set_params(ctx, params))
        return 0;
    wn_rsa_key_up(key);
    wn_rsa_key_free(ctx->key);
    ctx->key = key;
    return 1;
}

static int wn_rsa_encapsulate_init(void *vctx, void *vkey, const OSSL_PARAM params[])
{
    return start(vctx, vkey, params);
}

static int wn_rsa_decapsulate_init(void *vctx, void *vkey, const OSSL_PARAM params[])
{
    return start(vctx, vkey, params);
}

/* The operation and the key are there: 1, else what the operation returns. */
static int ready(const struct wn_rsa_kem_ctx *ctx)
{
    if (!ctx->rsasve)
        return -2;              /* "not supported", silently, as OpenSSL does */
    if (ctx->key == NULL || ctx->key->size == 0) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY);
        return 0;
    }
    return 1;
}

/* Where c stands to 1 < c < n - 1: -1 below, 1 above, 0 inside. */
static int outside(const struct wn_rsa_key *key, const unsigned char *c)
{
    unsigned char n[WN_RSA_MAX_SIZE], high = 0;
    size_t i;

    for (i = 0; i + 1 < key->size; i++)
        high |= c[i];
    if (high == 0 && c[key->size - 1] <= 1)
        return -1;
    if (!wn_num_bytes(key->n, n, key->size))
        return 1;
    n[key->size - 1] ^= 1;      /* n is odd: n - 1 */
    return memcmp(c, n, key->size) >= 0;
}

/* Section 7.2.1.2 step 2: random z, 1 < z < n - 1, all equally likely. What a
 * draw that is not taken was, is no secret. */
static int draw(const struct wn_rsa_key *key, unsigned char *z)
{
    unsigned char mask = (unsigned char)(0xff >> (8 * key->size - key->bits));

    do {
        if (!wn_rng_bytes(key->prov, z, key->size))
            return 0;
        z[0] &= mask;
    } while (outside(key, z) != 0);
    return 1;
}

static int wn_rsa_encapsulate(void *vctx, unsigned char *out, size_t *outlen,
                              unsigned char *secret, size_t *secretlen)
{
    struct wn_rsa_kem_ctx *ctx = vctx;
    int ok = ready(ctx);
    size_t k;

    if (ok != 1)
        return ok;
    k = ctx->key->size;
    if (out == NULL)
        return wn_kem_answer_sizes(outlen, k, secretlen, k);
    if (secret == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NULL_OUTPUT_BUFFER);
        return 0;
    }
    /* the room for the secret is the caller's word, as with OpenSSL */
    if (outlen != NULL && *outlen < k) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_OUTPUT_LENGTH);
        return 0;
    }
    if (mp_iseven(ctx->key->n)) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_KEY);
        return 0;
    }
    if (!draw(ctx->key, secret) || !wn_rsa_public(ctx->key, secret, out)) {
        wn_clear(secret, k);
        return 0;
    }
    if (outlen != NULL)
        *outlen = k;
    if (secretlen != NULL)
        *secretlen = k;
    return 1;
}

/* From 4.0 on OpenSSL refuses ciphertexts that are their own secrets (7.1.2.1). */
static int check_ciphertext(const struct wn_rsa_kem_ctx *ctx, const unsigned char *c)
{
    int side;

    if (ctx->prov->core_version < WN_CORE_VERSION(4, 0))
        return 1;
    side = outside(ctx->key, c);
    if (side != 0)
        WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, side < 0 ? RSA_R_DATA_TOO_SMALL
                                                      : RSA_R_DATA_TOO_LARGE_FOR_MODULUS);
    return side == 0;
}

static int wn_rsa_decapsulate(void *vctx, unsigned char *secret, size_t *secretlen,
                              const unsigned char *in, size_t n)
{
    struct wn_rsa_kem_ctx *ctx = vctx;
    int ok = ready(ctx);
    size_t k;

    if (ok != 1)
        return ok;
    k = ctx->key->size;
    if (secret == NULL) {
        if (secretlen != NULL)
            *secretlen = k;
        return secretlen != NULL;
    }
    if (n != k) {
        WN_RAISE(ctx->prov, PROV_R_BAD_LENGTH);
        return 0;
    }
    if (secretlen != NULL && *secretlen < k) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_OUTPUT_LENGTH);
        return 0;
    }
    if (!check_ciphertext(ctx, in) || !wn_rsa_private(ctx->key, in, secret, WN_RSA_SECRET))
        return 0;
    if (secretlen != NULL)
        *secretlen = k;
    return 1;
}

const OSSL_DISPATCH wn_rsa_kem_functions[] = {
    WN_FN(KEM_NEWCTX, kem_newctx, wn_rsa_kem_newctx),
    WN_FN(KEM_FREECTX, kem_freectx, wn_rsa_kem_freectx),
    WN_FN(KEM_DUPCTX, kem_dupctx, wn_rsa_kem_dupctx),
    WN_FN(KEM_ENCAPSULATE_INIT, kem_encapsulate_init, wn_rsa_encapsulate_init),
    WN_FN(KEM_ENCAPSULATE, kem_encapsulate, wn_rsa_encapsulate),
    WN_FN(KEM_DECAPSULATE_INIT, kem_decapsulate_init, wn_rsa_decapsulate_init),
    WN_FN(KEM_DECAPSULATE, kem_decapsulate, wn_rsa_decapsulate),
    WN_FN(KEM_GET_CTX_PARAMS, kem_get_ctx_params, wn_rsa_kem_get_params),
    WN_FN(KEM_GETTABLE_CTX_PARAMS, kem_gettable_ctx_params, wn_rsa_kem_gettable),
    WN_FN(KEM_SET_CTX_PARAMS, kem_set_ctx_params, wn_rsa_kem_set_params),
    WN_FN(KEM_SETTABLE_CTX_PARAMS, kem_settable_ctx_params, wn_rsa_kem_settable),
    WN_FN_END
};
