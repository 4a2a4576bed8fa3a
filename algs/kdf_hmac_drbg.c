/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_KDF "HMAC-DRBG-KDF": the output of HMAC_DRBG for given entropy and nonce,
 * which is what deterministic ECDSA (RFC 6979 section 3.2) draws its nonces
 * from. Each derivation continues the last one, until new input is set.
 */
#include "kdf.h"

#include "../provider/alglist.h"
#include "drbg_hmac.h"

enum { ENTROPY, NONCE, N_BYTES };

struct hmac_drbg_ctx {
    struct wn_kdf kdf;
    struct wn_kdf_bytes b[N_BYTES];
    int running;
    struct wn_hmac_drbg g;
};
WN_KDF_CHECK(hmac_drbg_ctx);

#define DRBG_SET(P)                                                     \
    P(entropy, octet_string, OSSL_KDF_PARAM_HMACDRBG_ENTROPY)           \
    P(nonce, octet_string, OSSL_KDF_PARAM_HMACDRBG_NONCE)               \
    P(digest, utf8_string, OSSL_KDF_PARAM_DIGEST)                       \
    P(properties, utf8_string, OSSL_KDF_PARAM_PROPERTIES)
#define DRBG_GET(P)                                                     \
    P(mac, utf8_string, OSSL_KDF_PARAM_MAC)                             \
    P(digest, utf8_string, OSSL_KDF_PARAM_DIGEST)
WN_PARAMS(drbg_set, DRBG_SET);
WN_PARAMS(drbg_get, DRBG_GET);

static int bad(const struct hmac_drbg_ctx *c, int reason)
{
    WN_RAISE(c->kdf.prov, reason);
    return 0;
}

static int drbg_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct hmac_drbg_ctx *c = vctx;
    struct drbg_set p;

    if (!WN_PARAMS_SCAN(c->kdf.prov, drbg_set, params, &p)
        || !wn_kdf_take_md(c, p.digest, &c->g.md, 1))
        return 0;
    if (p.entropy != NULL || p.nonce != NULL || p.digest != NULL)
        c->running = 0;
    return wn_kdf_take(c, ENTROPY, p.entropy, WN_KDF_STRICT)
        && wn_kdf_take(c, NONCE, p.nonce, WN_KDF_STRICT);
}

static int drbg_get_params(void *vctx, OSSL_PARAM params[])
{
    const struct hmac_drbg_ctx *c = vctx;
    char name[WN_MD_NAME_MAX];
    struct drbg_get p;

    if (!WN_PARAMS_SCAN(c->kdf.prov, drbg_get, params, &p))
        return 0;
    if ((p.mac != NULL || p.digest != NULL) && c->g.md == NULL)
        return bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
    return wn_param_give_utf8(c->kdf.prov, p.mac, "HMAC")
        && (p.digest == NULL
            || wn_param_give_utf8(c->kdf.prov, p.digest, wn_md_name(c->g.md, name)));
}

static int drbg_derive(void *vctx, unsigned char *out, size_t n)
{
    static const struct wn_drbg_input none;
    struct hmac_drbg_ctx *c = vctx;
    const struct wn_drbg_input in[3] = {
        { c->b[ENTROPY].d, c->b[ENTROPY].n }, { c->b[NONCE].d, c->b[NONCE].n }, none
    };

    if (!c->running) {
        if (c->g.md == NULL)
            return bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
        if (in[0].n == 0)
            return bad(c, PROV_R_MISSING_SEED);
        if (in[1].n == 0)
            return bad(c, PROV_R_ERROR_RETRIEVING_NONCE);
        wn_hmac_drbg_instantiate(&c->g, in);
        c->running = 1;
    }
    wn_hmac_drbg_generate(&c->g, out, n, &none);
    return 1;
}

static void drbg_tell(const void *vctx, struct wn_pb *pb)
{
    const struct hmac_drbg_ctx *c = vctx;

    wn_kdf_tell(c, pb, ENTROPY, OSSL_KDF_PARAM_HMACDRBG_ENTROPY);
    wn_kdf_tell(c, pb, NONCE, OSSL_KDF_PARAM_HMACDRBG_NONCE);
}

static const struct wn_kdf_desc drbg_desc = {
    WN_KDF_LAYOUT(hmac_drbg_ctx, b), 0, NULL, drbg_set_params, drbg_derive,
    NULL, drbg_get_params, drbg_set_list, drbg_get_list,
    "HMAC-DRBG-KDF", drbg_tell
};
WN_KDF_TABLE(hmac_drbg, &drbg_desc)
