/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DHKEM (RFC 9180 section 4): the labelled HKDF, and EVP_KEM with its modes Base
 * and Auth (provider-kem(7), EVP_KEM-EC(7), EVP_KEM-X25519(7)); see dhkem.h.
 * Contexts hold references to keys. Seed material that was given ("ikme") stays
 * until the next initialisation, as with OpenSSL.
 */
#include "dhkem.h"

#include <string.h>

#include "../provider/alglist.h"
#include "kem.h"

static void suite_and_label(struct wn_hmac *h, const struct wn_dhkem_suite *suite,
                            const char *label)
{
    unsigned char id[5] = { 'K', 'E', 'M', 0, suite->id };

    wn_hmac_update(h, "HPKE-v1", 7);
    wn_hmac_update(h, id, sizeof(id));
    wn_hmac_update(h, label, strlen(label));
}

void wn_dhkem_extract(const struct wn_dhkem_suite *suite, const char *label,
                      const unsigned char *ikm, size_t n, unsigned char *prk)
{
    struct wn_hmac h;

    wn_hmac_init(&h, suite->md, "", 0);
    suite_and_label(&h, suite, label);
    wn_hmac_update(&h, ikm, n);
    wn_hmac_final(&h, prk);
    wn_hmac_clear(&h);
}

void wn_dhkem_expand(const struct wn_dhkem_suite *suite, const unsigned char *prk,
                     const char *label, const void *info, size_t infolen,
                     unsigned char *out, size_t n)
{
    unsigned char length[2] = { (unsigned char)(n >> 8), (unsigned char)n };
    unsigned char block[WN_MD_MAX_SIZE], i = 0;
    size_t size = suite->md->size, take;
    struct wn_hmac h;

    wn_hmac_init(&h, suite->md, prk, size);
    for (; n > 0; n -= take, out += take) {
        if (i++ > 0) {
            wn_hmac_restart(&h);
            wn_hmac_update(&h, block, size);
        }
        wn_hmac_update(&h, length, sizeof(length));
        suite_and_label(&h, suite, label);
        wn_hmac_update(&h, info, infolen);
        wn_hmac_update(&h, &i, 1);
        wn_hmac_final(&h, block);
        take = n < size ? n : size;
        memcpy(out, block, take);
    }
    wn_hmac_clear(&h);
    wn_clear(block, sizeof(block));
}

int wn_dhkem_check_ikm(const struct wn_prov *prov, const struct wn_dhkem_suite *suite, size_t n)
{
    if (n >= suite->n_sk)
        return 1;
    WN_RAISE_MSG(prov, PROV_R_INVALID_INPUT_LENGTH, "ikm length is :%zu, should be at least %zu",
                 n, suite->n_sk);
    return 0;
}

/* ---- contexts --------------------------------------------------------------------- */

struct wn_dhkem_ctx {
    const struct wn_prov *prov;
    const struct wn_dhkem_kind *kind;
    const struct wn_dhkem_suite *suite;
    void *recipient, *sender;   /* sender: of mode Auth, else NULL */
    int chosen;                 /* the operation, see wn_kem_has_default_op() */
    unsigned char *ikm;
    size_t ikmlen;
};

static void *wn_dhkem_newctx(const struct wn_prov *prov, const struct wn_dhkem_kind *kind)
{
    struct wn_dhkem_ctx *ctx = wn_zalloc(prov, sizeof(*ctx));

    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->kind = kind;
        ctx->chosen = wn_kem_has_default_op(prov);
    }
    return ctx;
}

static void wn_dhkem_freectx(void *vctx)
{
    struct wn_dhkem_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    ctx->kind->free(ctx->recipient);
    ctx->kind->free(ctx->sender);
    wn_clear_free(ctx->prov, ctx->ikm, ctx->ikmlen);
    wn_free(ctx->prov, ctx);
}

static void *wn_dhkem_dupctx(void *vctx)
{
    const struct wn_dhkem_ctx *ctx = vctx;
    struct wn_dhkem_ctx *copy = wn_memdup(ctx->prov, ctx, sizeof(*ctx));

    if (copy == NULL)
        return NULL;
    if (copy->recipient != NULL)
        copy->kind->up(copy->recipient);
    if (copy->sender != NULL)
        copy->kind->up(copy->sender);
    if (ctx->ikm != NULL && (copy->ikm = wn_memdup(ctx->prov, ctx->ikm, ctx->ikmlen)) == NULL) {
        wn_dhkem_freectx(copy);
        return NULL;
    }
    return copy;
}

#define DHKEM_SET(P)                              \
    P(op, utf8_string, OSSL_KEM_PARAM_OPERATION)  \
    P(ikm, octet_string, OSSL_KEM_PARAM_IKME)
WN_PARAMS(dhkem_set, DHKEM_SET);

static const OSSL_PARAM *wn_dhkem_settable(void *vctx, void *vprov)
{
    (void)vctx, (void)vprov;
    return dhkem_set_list;
}

/* Empty seed material means random keys again. */
static int wn_dhkem_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_dhkem_ctx *ctx = vctx;
    const unsigned char *d = NULL;
    unsigned char *ikm = NULL;
    struct dhkem_set p;
    size_t n = 0;

    if (!WN_PARAMS_SCAN(ctx->prov, dhkem_set, params, &p)
        || !wn_kem_take_op(ctx->prov, p.op, OSSL_KEM_PARAM_OPERATION_DHKEM))
        return 0;
    if (p.ikm != NULL && p.ikm->data != NULL && p.ikm->data_size != 0
        && (!wn_param_take_octets(ctx->prov, p.ikm, &d, &n)
            || (ikm = wn_memdup(ctx->prov, d, n)) == NULL))
        return 0;
    if (p.ikm != NULL) {
        wn_clear_free(ctx->prov, ctx->ikm, ctx->ikmlen);
        ctx->ikm = ikm;
        ctx->ikmlen = n;
    }
    ctx->chosen |= p.op != NULL;
    return 1;
}

static int start(struct wn_dhkem_ctx *ctx, void *key, void *sender, int decapsulate,
                 const OSSL_PARAM params[])
{
    const struct wn_dhkem_kind *kind = ctx->kind;

    if (key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (!kind->check(key, decapsulate))
        return 0;
    if (kind->suite(key) == NULL) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_CURVE);
        return -2;              /* "not supported for this key type" */
    }
    if (sender != NULL && !kind->match(key, sender)) {
        WN_RAISE(ctx->prov, PROV_R_MISMATCHING_DOMAIN_PARAMETERS);
        return 0;
    }
    if (sender != NULL && !kind->check(sender, !decapsulate))
        return 0;
    wn_clear_free(ctx->prov, ctx->ikm, ctx->ikmlen);
    ctx->ikm = NULL;
    ctx->ikmlen = 0;
    if (!wn_dhkem_set_params(ctx, params))
        return 0;
    kind->up(key);
    if (sender != NULL)
        kind->up(sender);
    kind->free(ctx->recipient);
    kind->free(ctx->sender);
    ctx->suite = kind->suite(key);
    ctx->recipient = key;
    ctx->sender = sender;
    return 1;
}

static int wn_dhkem_encapsulate_init(void *ctx, void *key, const OSSL_PARAM params[])
{
    return start(ctx, key, NULL, 0, params);
}

static int wn_dhkem_auth_encapsulate_init(void *ctx, void *key, void *sender,
                                          const OSSL_PARAM params[])
{
    return start(ctx, key, sender, 0, params);
}

static int wn_dhkem_decapsulate_init(void *ctx, void *key, const OSSL_PARAM params[])
{
    return start(ctx, key, NULL, 1, params);
}

static int wn_dhkem_auth_decapsulate_init(void *ctx, void *key, void *sender,
                                          const OSSL_PARAM params[])
{
    return start(ctx, key, sender, 1, params);
}

/* ---- operations --------------------------------------------------------------------- */

static int room(const struct wn_dhkem_ctx *ctx, const size_t *have, size_t need, const char *what)
{
    if (have == NULL) {
        WN_RAISE_MSG(ctx->prov, PROV_R_NULL_LENGTH_POINTER, "null %s pointer", what);
        return 0;
    }
    if (*have < need) {
        WN_RAISE_MSG(ctx->prov, PROV_R_BAD_LENGTH, "*%s too small", what);
        return 0;
    }
    return 1;
}

/* The operation and the keys are there: 1, else what the operation returns. */
static int ready(const struct wn_dhkem_ctx *ctx)
{
    if (!ctx->chosen) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_MODE);
        return -2;
    }
    if (ctx->recipient == NULL) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    return 1;
}

/*
 * ExtractAndExpand(dh, kem_context) of (Auth)Encap and (Auth)Decap: dh =
 * DH(key, peer) [|| DH(key2, peer2)], kem_context = enc || pkR [|| pkS].
 */
static int shared_secret(const struct wn_dhkem_ctx *ctx, const void *key, void *peer,
                         const void *key2, void *peer2, const unsigned char *enc,
                         unsigned char *secret)
{
    const struct wn_dhkem_suite *s = ctx->suite;
    unsigned char z[2 * WN_DHKEM_MAX_SECRET], context[3 * WN_DHKEM_MAX_PUBLIC];
    unsigned char prk[WN_MD_MAX_SIZE];
    size_t parts = ctx->sender != NULL ? 2 : 1;
    int ok = ctx->kind->public_key(ctx->recipient, context + s->n_pk)
        && ctx->kind->dh(key, peer, z)
        && (ctx->sender == NULL
            || (ctx->kind->public_key(ctx->sender, context + 2 * s->n_pk)
                && ctx->kind->dh(key2, peer2, z + s->n_dh)));

    if (ok) {
        memcpy(context, enc, s->n_pk);
        wn_dhkem_extract(s, "eae_prk", z, parts * s->n_dh, prk);
        wn_dhkem_expand(s, prk, "shared_secret", context, (1 + parts) * s->n_pk, secret,
                        s->md->size);
        wn_clear(prk, sizeof(prk));
    }
    wn_clear(z, sizeof(z));
    return ok;
}

static int wn_dhkem_encapsulate(void *vctx, unsigned char *out, size_t *outlen,
                                unsigned char *secret, size_t *secretlen)
{
    struct wn_dhkem_ctx *ctx = vctx;
    const struct wn_dhkem_suite *s = ctx->suite;
    unsigned char enc[WN_DHKEM_MAX_PUBLIC];
    int ok = ready(ctx);
    void *ephemeral;

    if (ok != 1)
        return ok;
    if (out == NULL)
        return wn_kem_answer_sizes(outlen, s->n_pk, secretlen, s->md->size);
    if (secret == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NULL_OUTPUT_BUFFER);
        return 0;
    }
    if (!room(ctx, secretlen, s->md->size, "secretlen") || !room(ctx, outlen, s->n_pk, "enclen"))
        return 0;
    ephemeral = ctx->kind->generate(ctx->recipient, ctx->ikm, ctx->ikmlen);
    ok = ephemeral != NULL && ctx->kind->public_key(ephemeral, enc)
        && shared_secret(ctx, ephemeral, ctx->recipient, ctx->sender, ctx->recipient, enc, secret);
    ctx->kind->free(ephemeral);
    if (ok) {
        memcpy(out, enc, s->n_pk);
        *outlen = s->n_pk;
        *secretlen = s->md->size;
    }
    return ok;
}

static int wn_dhkem_decapsulate(void *vctx, unsigned char *secret, size_t *secretlen,
                                const unsigned char *in, size_t n)
{
    struct wn_dhkem_ctx *ctx = vctx;
    const struct wn_dhkem_suite *s = ctx->suite;
    int ok = ready(ctx);
    void *ephemeral;

    if (ok != 1)
        return ok;
    if (secret == NULL) {
        if (secretlen != NULL)
            *secretlen = s->md->size;
        return secretlen != NULL;
    }
    if (!room(ctx, secretlen, s->md->size, "secretlen"))
        return 0;
    if (n != s->n_pk) {
        WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_KEY, "Invalid enc public key");
        return 0;
    }
    ephemeral = ctx->kind->from_public(ctx->recipient, in);
    ok = ephemeral != NULL
        && shared_secret(ctx, ctx->recipient, ephemeral, ctx->recipient, ctx->sender, in, secret);
    ctx->kind->free(ephemeral);
    if (ok)
        *secretlen = s->md->size;
    return ok;
}

#define DHKEM(id)                                                                           \
    static void *id##_newctx(void *prov) { return wn_dhkem_newctx(prov, &wn_##id##_dhkem); } \
    const OSSL_DISPATCH wn_##id##_kem_functions[] = {                                       \
        WN_FN(KEM_NEWCTX, kem_newctx, id##_newctx),                                         \
        WN_FN(KEM_FREECTX, kem_freectx, wn_dhkem_freectx),                                  \
        WN_FN(KEM_DUPCTX, kem_dupctx, wn_dhkem_dupctx),                                     \
        WN_FN(KEM_ENCAPSULATE_INIT, kem_encapsulate_init, wn_dhkem_encapsulate_init),       \
        WN_FN(KEM_ENCAPSULATE, kem_encapsulate, wn_dhkem_encapsulate),                      \
        WN_FN(KEM_DECAPSULATE_INIT, kem_decapsulate_init, wn_dhkem_decapsulate_init),       \
        WN_FN(KEM_DECAPSULATE, kem_decapsulate, wn_dhkem_decapsulate),                      \
        WN_FN(KEM_AUTH_ENCAPSULATE_INIT, kem_auth_encapsulate_init,                         \
              wn_dhkem_auth_encapsulate_init),                                              \
        WN_FN(KEM_AUTH_DECAPSULATE_INIT, kem_auth_decapsulate_init,                         \
              wn_dhkem_auth_decapsulate_init),                                              \
        WN_FN(KEM_SET_CTX_PARAMS, kem_set_ctx_params, wn_dhkem_set_params),                 \
        WN_FN(KEM_SETTABLE_CTX_PARAMS, kem_settable_ctx_params, wn_dhkem_settable),         \
        WN_FN_END                                                                           \
    };
DHKEM(ec)
DHKEM(ecx)
