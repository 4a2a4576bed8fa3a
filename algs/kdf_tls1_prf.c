/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_KDF "TLS1-PRF": the pseudorandom function of TLS 1.2 (RFC 5246 section
 * 5) with any digest, and with MD5-SHA1 that of TLS 1.0 and 1.1 (RFC 2246
 * section 5). Seeds given in several parameters or calls add up.
 */
#include "kdf.h"

#include <string.h>

#include "../provider/alglist.h"
#include "hmac.h"

enum { SECRET, SEED, N_BYTES };

struct prf_ctx {
    struct wn_kdf kdf;
    struct wn_kdf_bytes b[N_BYTES];
    const struct wn_md_desc *md;
};
WN_KDF_CHECK(prf_ctx);

#define PRF_SET(P)                                                  \
    P(properties, utf8_string, OSSL_KDF_PARAM_PROPERTIES)           \
    P(digest, utf8_string, OSSL_KDF_PARAM_DIGEST)                   \
    P(secret, octet_string, OSSL_KDF_PARAM_SECRET)                  \
    P(seed, octet_string, OSSL_KDF_PARAM_SEED)
WN_PARAMS(prf_set, PRF_SET);
#define SEED_BIT (1u << 3)

static int prf_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct prf_ctx *c = vctx;
    struct prf_set p;

    return WN_PARAMS_SCAN_MULTI(c->kdf.prov, prf_set, params, &p, SEED_BIT)
        && wn_kdf_take_md(c, p.digest, &c->md, 1)
        && wn_kdf_take(c, SECRET, p.secret, WN_KDF_STRICT)
        && (p.seed == NULL
            || wn_kdf_take_all(c, SEED, params, OSSL_KDF_PARAM_SEED, 1, 0));
}

/* P_hash; out ^= instead of out = where add is set. */
static void p_hash(const struct wn_md_desc *md, const unsigned char *secret, size_t secretlen,
                   const struct wn_kdf_bytes *seed, unsigned char *out, size_t n, int add)
{
    unsigned char a[WN_MD_MAX_SIZE], t[WN_MD_MAX_SIZE];
    struct wn_hmac hmac;
    size_t piece, i;

    wn_hmac_init(&hmac, md, secret, secretlen);
    wn_hmac_update(&hmac, seed->d, seed->n);
    wn_hmac_final(&hmac, a);
    for (;;) {
        wn_hmac_restart(&hmac);
        wn_hmac_update(&hmac, a, md->size);
        wn_hmac_update(&hmac, seed->d, seed->n);
        wn_hmac_final(&hmac, t);
        piece = n < md->size ? n : md->size;
        for (i = 0; i < piece; i++)
            out[i] = (unsigned char)(add ? out[i] ^ t[i] : t[i]);
        out += piece;
        n -= piece;
        if (n == 0)
            break;
        wn_hmac_restart(&hmac);
        wn_hmac_update(&hmac, a, md->size);
        wn_hmac_final(&hmac, a);
    }
    wn_hmac_clear(&hmac);
    wn_clear(a, sizeof(a));
    wn_clear(t, sizeof(t));
}

static int bad(const struct prf_ctx *c, int reason)
{
    WN_RAISE(c->kdf.prov, reason);
    return 0;
}

static int prf_derive(void *vctx, unsigned char *out, size_t n)
{
    struct prf_ctx *c = vctx;
    const struct wn_kdf_bytes *secret = &c->b[SECRET], *seed = &c->b[SEED];
    size_t half = (secret->n + 1) / 2;      /* they share the middle byte */

    if (c->md == NULL)
        return bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
    if (secret->d == NULL)
        return bad(c, PROV_R_MISSING_SECRET);
    if (seed->n == 0)
        return bad(c, PROV_R_MISSING_SEED);
    if (n == 0)
        return bad(c, PROV_R_INVALID_KEY_LENGTH);
    if (c->md != &wn_md_md5_sha1) {
        p_hash(c->md, secret->d, secret->n, seed, out, n, 0);
        return 1;
    }
    p_hash(&wn_md_md5, secret->d, half, seed, out, n, 0);
    p_hash(&wn_md_sha1, secret->d + secret->n - half, half, seed, out, n, 1);
    return 1;
}

static void prf_tell(const void *vctx, struct wn_pb *pb)
{
    const struct prf_ctx *c = vctx;

    wn_kdf_tell(c, pb, SECRET, OSSL_KDF_PARAM_SECRET);
    wn_kdf_tell(c, pb, SEED, OSSL_KDF_PARAM_SEED);
}

const struct wn_kdf_desc wn_kdf_tls1_prf = {
    WN_KDF_LAYOUT(prf_ctx, b), WN_CORE_VERSION(3, 4), NULL, prf_set_params, prf_derive,
    NULL, NULL, prf_set_list, wn_kdf_size_list,
    "TLS1-PRF", prf_tell
};
WN_KDF_TABLE(tls1_prf, &wn_kdf_tls1_prf)
