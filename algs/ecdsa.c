/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ECDSA (FIPS 186-5 section 6): over a digest of any length, streaming over a
 * message, and the composite algorithms ECDSA-SHA256 and so on
 * (provider-signature(7)). Signatures are DER (RFC 3279 section 2.2.3), read
 * strictly. As with OpenSSL's provider a wrong signature is 0, one that is no
 * signature at all -1, both without an error.
 */
#include "ecdsa.h"

#include <stdio.h>
#include <string.h>

#include <openssl/ecerr.h>

#include "../provider/alglist.h"
#include "../provider/der.h"

enum ecdsa_operation { ECDSA_SIGN, ECDSA_VERIFY };

struct wn_ecdsa_ctx {
    const struct wn_prov *prov;
    struct wn_ec_key *key;
    struct wn_other_ctx *other; /* not NULL: another provider does all (other_ctx.h) */
    int how;                    /* the function id of the init that began it */
    enum ecdsa_operation operation;
    const struct wn_md_desc *md;        /* NULL: none */
    size_t mdsize;              /* length that a digest must have, 0: any */
    int md_fixed;               /* digest may not be changed now */
    int sigalg;                 /* a composite algorithm: everything is fixed */
    int message;                /* sign and verify get a message, not a digest */
    int hashing;                /* md_state runs */
    unsigned nonce_type;        /* 1: deterministic (RFC 6979) */
    struct wn_md md_state;
    unsigned char *sig;         /* to be verified at the end of a message */
    size_t siglen;
};

static void *wn_ecdsa_newctx(void *vprov, const char *propq)
{
    const struct wn_prov *prov = vprov;
    struct wn_ecdsa_ctx *ctx = wn_ctx_new(prov, sizeof(*ctx));

    (void)propq;                /* nothing is fetched here */
    if (ctx != NULL)
        ctx->prov = prov;
    return ctx;
}

static void wn_ecdsa_freectx(void *vctx)
{
    struct wn_ecdsa_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_ec_key_free(ctx->key);
    wn_other_ctx_free(ctx->other);
    wn_free(ctx->prov, ctx->sig);
    wn_ctx_free(ctx->prov, ctx, sizeof(*ctx));
}

static void *wn_ecdsa_dupctx(void *vctx)
{
    const struct wn_ecdsa_ctx *ctx = vctx;
    struct wn_ecdsa_ctx *copy = wn_ctx_new(ctx->prov, sizeof(*copy));

    if (copy == NULL)
        return NULL;
    *copy = *ctx;
    copy->sig = NULL;
    copy->other = NULL;
    if (copy->key != NULL)
        wn_ec_key_up(copy->key);
    if ((ctx->other != NULL && (copy->other = wn_other_ctx_dup(ctx->other)) == NULL)
        || (ctx->sig != NULL
            && (copy->sig = wn_memdup(ctx->prov, ctx->sig, ctx->siglen)) == NULL)) {
        wn_ecdsa_freectx(copy);
        return NULL;
    }
    return copy;
}

/* ---- another provider ---------------------------------------------------------------- */

/* The key, or without one the one in use, is held by another provider. */
static int is_elsewhere(const struct wn_ecdsa_ctx *ctx, const struct wn_ec_key *key)
{
    return key != NULL ? key->other != NULL : ctx->other != NULL;
}

/* name: of the algorithm there */
static int start_elsewhere(struct wn_ecdsa_ctx *ctx, const struct wn_ec_key *key, const char *name,
                           int how, const char *mdname, const OSSL_PARAM params[])
{
    struct wn_other_ctx *other;

    if (key == NULL)
        return wn_other_sig_init(ctx->other, how, 1, mdname, params);
    other = wn_other_ctx_for_key(key->other, OSSL_OP_SIGNATURE, name);
    if (other == NULL)
        return 0;
    wn_other_ctx_free(ctx->other);
    ctx->other = other;
    return wn_other_sig_init(other, how, 0, mdname, params);
}

/* A digest that wolfCrypt lacks: 1 if another provider goes on with this key. The name is
 * in mdname if it came with the init, else in params. */
static int digest_is_elsewhere(struct wn_ecdsa_ctx *ctx, const char *name, const char *mdname,
                               const OSSL_PARAM params[])
{
    struct wn_other_key_try t = { .keymgmt = "EC", .export = wn_ec_export, .key = ctx->key,
                                  .how = ctx->how, .mdname = mdname, .params = params };
    int type = (int)ctx->nonce_type;
    const OSSL_PARAM before[] = {
        OSSL_PARAM_int(OSSL_SIGNATURE_PARAM_NONCE_TYPE, &type), OSSL_PARAM_END
    };

    if (ctx->key == NULL || ctx->md_fixed || wn_md_find(name) != NULL)
        return 0;
    if (type != 0)
        t.before = before;
    if (!wn_other_sig_find(ctx->prov, "ECDSA", &t))
        return 0;
    wn_other_ctx_free(ctx->other);
    ctx->other = t.out;
    return 1;
}

/* ---- parameters ------------------------------------------------------------------- */

static int set_md(struct wn_ecdsa_ctx *ctx, const char *name)
{
    const struct wn_md_desc *md = wn_md_find(name);

    if (md == NULL) {
        WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_DIGEST, "%s could not be fetched", name);
        return 0;
    }
    if ((md->flags & WN_MD_XOF) != 0 && ctx->prov->core_version >= WN_CORE_VERSION(3, 4)) {
        WN_RAISE(ctx->prov, PROV_R_XOF_DIGESTS_NOT_ALLOWED);
        return 0;
    }
    if (ctx->md_fixed && ctx->md != NULL && ctx->md != md) {
        WN_RAISE_MSG(ctx->prov, PROV_R_DIGEST_NOT_ALLOWED, "digest=%s", name);
        return 0;
    }
    if (!ctx->md_fixed) {
        ctx->md = md;
        ctx->mdsize = md->size;
    }
    return 1;
}

#define ECDSA_SET(P)                                             \
    P(md, utf8_string, OSSL_SIGNATURE_PARAM_DIGEST)              \
    P(mdsize, size_t, OSSL_SIGNATURE_PARAM_DIGEST_SIZE)          \
    P(properties, utf8_string, OSSL_SIGNATURE_PARAM_PROPERTIES)  \
    P(kat, uint, OSSL_SIGNATURE_PARAM_KAT)                       \
    P(nonce_type, uint, OSSL_SIGNATURE_PARAM_NONCE_TYPE)
WN_PARAMS(ecdsa_set, ECDSA_SET);

#define ECDSA_SIGALG_SET(P)                                      \
    P(signature, octet_string, OSSL_SIGNATURE_PARAM_SIGNATURE)   \
    P(kat, uint, OSSL_SIGNATURE_PARAM_KAT)                       \
    P(nonce_type, uint, OSSL_SIGNATURE_PARAM_NONCE_TYPE)
WN_PARAMS(ecdsa_sigalg_set, ECDSA_SIGALG_SET);

static const OSSL_PARAM *wn_ecdsa_settable(void *vctx, void *vprov)
{
    const struct wn_ecdsa_ctx *ctx = vctx;

    (void)vprov;
    if (ctx == NULL || !ctx->sigalg)
        return ecdsa_set_list;
    return ctx->operation == ECDSA_VERIFY && ctx->message ? ecdsa_sigalg_set_list
                                                          : ecdsa_sigalg_set_list + 1;
}

static int set_sigalg_params(struct wn_ecdsa_ctx *ctx, const OSSL_PARAM params[])
{
    struct ecdsa_sigalg_set p;
    unsigned nonce_type = ctx->nonce_type;
    const unsigned char *d;
    unsigned char *copy;
    size_t n;

    if (!WN_PARAMS_SCAN(ctx->prov, ecdsa_sigalg_set, params, &p)
        || !wn_param_take_uint(ctx->prov, p.nonce_type, &nonce_type))
        return 0;
    if (p.signature != NULL && ctx->operation == ECDSA_VERIFY && ctx->message) {
        if (!wn_param_take_octets(ctx->prov, p.signature, &d, &n)
            || (copy = wn_memdup(ctx->prov, d, n)) == NULL)
            return 0;
        wn_free(ctx->prov, ctx->sig);
        ctx->sig = copy;
        ctx->siglen = n;
    }
    ctx->nonce_type = nonce_type;
    return 1;
}

static int wn_ecdsa_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_ecdsa_ctx *ctx = vctx;
    unsigned nonce_type = ctx->nonce_type;
    char name[WN_MD_NAME_MAX] = "";
    size_t mdsize = 0;
    struct ecdsa_set p;

    if (wn_params_empty(params))
        return 1;
    if (ctx->other != NULL)
        return wn_other_set_params(ctx->other, params);
    if (ctx->sigalg)
        return set_sigalg_params(ctx, params);
    if (!WN_PARAMS_SCAN(ctx->prov, ecdsa_set, params, &p)
        || !wn_param_take_uint(ctx->prov, p.nonce_type, &nonce_type)
        || !wn_param_take_size_t(ctx->prov, p.mdsize, &mdsize)
        || !wn_param_take_utf8(ctx->prov, p.md, name, sizeof(name)))
        return 0;
    if (p.md != NULL && digest_is_elsewhere(ctx, name, NULL, params))
        return 1;
    if (p.md != NULL && !set_md(ctx, name))
        return 0;
    if (p.mdsize != NULL && ctx->md_fixed && mdsize != ctx->mdsize) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_DIGEST_LENGTH);
        return 0;
    }
    if (p.mdsize != NULL)
        ctx->mdsize = mdsize;
    ctx->nonce_type = nonce_type;
    return 1;
}

#define ECDSA_GET(P)                                                 \
    P(algorithm_id, octet_string, OSSL_SIGNATURE_PARAM_ALGORITHM_ID) \
    P(mdsize, size_t, OSSL_SIGNATURE_PARAM_DIGEST_SIZE)              \
    P(md, utf8_string, OSSL_SIGNATURE_PARAM_DIGEST)                  \
    P(nonce_type, uint, OSSL_SIGNATURE_PARAM_NONCE_TYPE)
WN_PARAMS(ecdsa_get, ECDSA_GET);

static const OSSL_PARAM *wn_ecdsa_gettable(void *vctx, void *vprov)
{
    (void)vctx, (void)vprov;
    return ecdsa_get_list;
}

/* ansi-X9-62 signatures 4 is 1.2.840.10045.4, NIST's sigAlgs 2.16.840.1.101.3.4.3 */
#define X962_OID(...) { 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, __VA_ARGS__ }
#define NIST_SIG(n) { 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, n }

static const struct {
    const struct wn_md_desc *md;
    unsigned char oid[9], len;
} algorithm_ids[] = {
    { &wn_md_sha1, X962_OID(1), 7 },         { &wn_md_sha224, X962_OID(3, 1), 8 },
    { &wn_md_sha256, X962_OID(3, 2), 8 },    { &wn_md_sha384, X962_OID(3, 3), 8 },
    { &wn_md_sha512, X962_OID(3, 4), 8 },    { &wn_md_sha3_224, NIST_SIG(9), 9 },
    { &wn_md_sha3_256, NIST_SIG(10), 9 },    { &wn_md_sha3_384, NIST_SIG(11), 9 },
    { &wn_md_sha3_512, NIST_SIG(12), 9 },
};

/* AlgorithmIdentifier without parameters (RFC 5758 section 3.2) */
static int give_algorithm_id(const struct wn_ecdsa_ctx *ctx, OSSL_PARAM *p)
{
    unsigned char buf[16];
    struct wn_der_w w;
    size_t i;

    if (p == NULL)
        return 1;
    wn_der_w_init(&w, buf, sizeof(buf));
    for (i = 0; i < sizeof(algorithm_ids) / sizeof(algorithm_ids[0]); i++) {
        if (ctx->md == algorithm_ids[i].md) {
            wn_der_w_octets(&w, WN_DER_OID, algorithm_ids[i].oid, algorithm_ids[i].len);
            wn_der_w_wrap(&w, WN_DER_SEQUENCE, 0);
        }
    }
    if (w.n == 0) {
        WN_RAISE_MSG(ctx->prov, ERR_R_UNSUPPORTED, "ECDSA with this digest has no identifier");
        return 0;
    }
    return wn_param_give_octets(ctx->prov, p, wn_der_w_start(&w), w.n);
}

static int wn_ecdsa_get_params(void *vctx, OSSL_PARAM params[])
{
    const struct wn_ecdsa_ctx *ctx = vctx;
    char name[WN_MD_NAME_MAX] = "";
    struct ecdsa_get p;

    if (ctx->other != NULL)
        return wn_other_get_params(ctx->other, params);
    if (ctx->md != NULL)
        wn_md_name(ctx->md, name);
    return WN_PARAMS_SCAN(ctx->prov, ecdsa_get, params, &p)
        && give_algorithm_id(ctx, p.algorithm_id)
        && wn_param_give_size_t(ctx->prov, p.mdsize, ctx->mdsize)
        && wn_param_give_utf8(ctx->prov, p.md, name)
        && wn_param_give_uint(ctx->prov, p.nonce_type, ctx->nonce_type);
}

/* ---- start ----------------------------------------------------------------------- */

static int start(struct wn_ecdsa_ctx *ctx, struct wn_ec_key *key, int how,
                 enum ecdsa_operation operation)
{
    if (key == NULL && ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (key != NULL && key->curve == NULL) {
        WN_RAISE_LIB(ctx->prov, ERR_LIB_EC, EC_R_MISSING_PARAMETERS);
        return 0;
    }
    if (key != NULL) {
        wn_ec_key_up(key);
        wn_ec_key_free(ctx->key);
        ctx->key = key;
        wn_other_ctx_free(ctx->other);
        ctx->other = NULL;
    }
    ctx->how = how;
    ctx->operation = operation;
    ctx->message = ctx->hashing = 0;
    return 1;
}

static int start_hash(struct wn_ecdsa_ctx *ctx, struct wn_ec_key *key, const OSSL_PARAM params[],
                      int how, enum ecdsa_operation operation)
{
    if (is_elsewhere(ctx, key))
        return start_elsewhere(ctx, key, "ECDSA", how, NULL, params);
    return start(ctx, key, how, operation) && wn_ecdsa_set_params(ctx, params);
}

static int wn_ecdsa_sign_init(void *vctx, void *key, const OSSL_PARAM params[])
{
    return start_hash(vctx, key, params, OSSL_FUNC_SIGNATURE_SIGN_INIT, ECDSA_SIGN);
}

static int wn_ecdsa_verify_init(void *vctx, void *key, const OSSL_PARAM params[])
{
    return start_hash(vctx, key, params, OSSL_FUNC_SIGNATURE_VERIFY_INIT, ECDSA_VERIFY);
}

static int begin_message(struct wn_ecdsa_ctx *ctx)
{
    if (ctx->md == NULL) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_MESSAGE_DIGEST);
        return 0;
    }
    ctx->message = ctx->hashing = 1;
    return wn_md_init(&ctx->md_state, ctx->md);
}

static int start_digest(struct wn_ecdsa_ctx *ctx, const char *mdname, struct wn_ec_key *key,
                        const OSSL_PARAM params[], int how, enum ecdsa_operation operation)
{
    if (is_elsewhere(ctx, key))
        return start_elsewhere(ctx, key, "ECDSA", how, mdname, params);
    ctx->md_fixed = 0;
    if (!start(ctx, key, how, operation) || !wn_ecdsa_set_params(ctx, params))
        return 0;
    if (mdname != NULL && mdname[0] != '\0') {
        if (digest_is_elsewhere(ctx, mdname, mdname, params))
            return 1;
        if (!set_md(ctx, mdname))
            return 0;
    }
    if (ctx->other != NULL)
        return 1;
    ctx->md_fixed = 1;
    return begin_message(ctx);
}

static int wn_ecdsa_digest_sign_init(void *vctx, const char *mdname, void *key,
                                     const OSSL_PARAM params[])
{
    return start_digest(vctx, mdname, key, params, OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT,
                        ECDSA_SIGN);
}

static int wn_ecdsa_digest_verify_init(void *vctx, const char *mdname, void *key,
                                       const OSSL_PARAM params[])
{
    return start_digest(vctx, mdname, key, params, OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT,
                        ECDSA_VERIFY);
}

/* ---- sign -------------------------------------------------------------------------- */

/* Longest signature, and room for the bytes of r and s */
#define SIG_MAX (9 + 2 * (WN_EC_MAX_BYTES + 1))

static int check_length(const struct wn_ecdsa_ctx *ctx, size_t n)
{
    if (ctx->mdsize == 0 || n == ctx->mdsize)
        return 1;
    WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_DIGEST_LENGTH, "should be %zu, but got %zu",
                 ctx->mdsize, n);
    return 0;
}

static int check_room(const struct wn_ecdsa_ctx *ctx, size_t sigsize)
{
    if (sigsize >= wn_ec_signature_size(ctx->key->curve))
        return 1;
    WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    return 0;
}

static int encode(const struct wn_ec_curve *curve, const struct wn_ec_num *r,
                  const struct wn_ec_num *s, unsigned char *sig, size_t *siglen)
{
    unsigned char buf[SIG_MAX], rb[WN_EC_MAX_BYTES], sb[WN_EC_MAX_BYTES];
    size_t n = curve->order_size;
    struct wn_der_w w;

    if (!wn_ec_num_bytes(r, rb, n) || !wn_ec_num_bytes(s, sb, n))
        return 0;
    wn_der_w_init(&w, buf, sizeof(buf));
    wn_der_w_integer(&w, sb, n);
    wn_der_w_integer(&w, rb, n);
    wn_der_w_wrap(&w, WN_DER_SEQUENCE, 0);
    memcpy(sig, wn_der_w_start(&w), w.n);
    *siglen = w.n;
    return 1;
}

static int sign_directly(const struct wn_ecdsa_ctx *ctx, unsigned char *sig, size_t *siglen,
                         size_t sigsize, const unsigned char *tbs, size_t n)
{
    const struct wn_ec_key *key = ctx->key;
    unsigned char k[WN_EC_MAX_BYTES];
    struct wn_ec_num r, s;
    int ok;

    if (sig == NULL) {
        *siglen = wn_ec_signature_size(key->curve);
        return 1;
    }
    if (!check_room(ctx, sigsize) || !check_length(ctx, n))
        return 0;
    if (!key->has_private) {
        WN_RAISE_LIB(ctx->prov, ERR_LIB_EC, EC_R_MISSING_PRIVATE_KEY);
        return 0;
    }
    if (ctx->nonce_type == 0)
        return wn_ec_sign(key, tbs, n, NULL, &r, &s) && encode(key->curve, &r, &s, sig, siglen);
    if (ctx->md == NULL) {
        WN_RAISE_LIB(ctx->prov, ERR_LIB_EC, EC_R_INVALID_DIGEST);
        return 0;
    }
    ok = wn_ecdsa_nonce(key, ctx->md, tbs, n, k) && wn_ec_sign(key, tbs, n, k, &r, &s)
        && encode(key->curve, &r, &s, sig, siglen);
    wn_clear(k, sizeof(k));
    return ok;
}

static int wn_ecdsa_update(void *vctx, const unsigned char *data, size_t n)
{
    struct wn_ecdsa_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_sig_update(ctx->other, data, n);
    if (!ctx->hashing) {
        WN_RAISE(ctx->prov, PROV_R_UPDATE_CALL_OUT_OF_ORDER);
        return 0;
    }
    return wn_md_update(&ctx->md_state, data, n);
}

static int finish_hash(struct wn_ecdsa_ctx *ctx, unsigned char *hash)
{
    if (!ctx->hashing) {
        WN_RAISE(ctx->prov, PROV_R_FINAL_CALL_OUT_OF_ORDER);
        return 0;
    }
    ctx->hashing = 0;
    ctx->md_fixed = ctx->sigalg;
    return wn_md_final(&ctx->md_state, hash);
}

static int wn_ecdsa_sign_final(void *vctx, unsigned char *sig, size_t *siglen, size_t sigsize)
{
    struct wn_ecdsa_ctx *ctx = vctx;
    unsigned char hash[WN_MD_MAX_SIZE];

    if (ctx->other != NULL)
        return wn_other_sign_final(ctx->other, sig, siglen, sigsize);
    if (sig == NULL)
        return sign_directly(ctx, NULL, siglen, 0, NULL, 0);
    /* too small a buffer must not cost the caller the message */
    return check_room(ctx, sigsize) && finish_hash(ctx, hash)
        && sign_directly(ctx, sig, siglen, sigsize, hash, ctx->md->size);
}

static int wn_ecdsa_sign(void *vctx, unsigned char *sig, size_t *siglen, size_t sigsize,
                         const unsigned char *tbs, size_t n)
{
    struct wn_ecdsa_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_sign(ctx->other, sig, siglen, sigsize, tbs, n);
    if (ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (!ctx->message || sig == NULL)
        return sign_directly(ctx, sig, siglen, sigsize, tbs, n);
    return check_room(ctx, sigsize) && wn_ecdsa_update(ctx, tbs, n)
        && wn_ecdsa_sign_final(ctx, sig, siglen, sigsize);
}

/* ---- verify ------------------------------------------------------------------------- */

/* One number of a signature: 1 in range, 0 not, -1 no INTEGER. */
static int take_number(const struct wn_ec_curve *curve, struct wn_der_r *in, struct wn_ec_num *num)
{
    unsigned char be[WN_EC_MAX_BYTES] = { 0 };
    size_t size = curve->order_size, n;
    const unsigned char *d;

    if (!wn_der_r_integer(in, &d, &n))
        return -1;
    if (n > size)
        return 0;
    memcpy(be + size - n, d, n);
    return wn_ec_scalar_in_range(curve, be) && wn_ec_num_read(num, be, size);
}

static int verify_directly(const struct wn_ecdsa_ctx *ctx, const unsigned char *sig, size_t siglen,
                           const unsigned char *tbs, size_t n)
{
    struct wn_der_r all = { sig, siglen }, in;
    struct wn_ec_key *key = ctx->key;
    struct wn_ec_num r, s;
    int r_ok, s_ok;

    if (!check_length(ctx, n))
        return 0;
    if (!wn_der_r_enter(&all, WN_DER_SEQUENCE, &in) || all.n != 0
        || (r_ok = take_number(key->curve, &in, &r)) < 0
        || (s_ok = take_number(key->curve, &in, &s)) < 0 || in.n != 0)
        return -1;
    if (!key->has_public) {
        WN_RAISE_LIB(ctx->prov, ERR_LIB_EC, EC_R_MISSING_PARAMETERS);
        return -1;
    }
    if (!r_ok || !s_ok) {
        WN_RAISE_LIB(ctx->prov, ERR_LIB_EC, EC_R_BAD_SIGNATURE);
        return 0;
    }
    return wn_ec_verify(key, tbs, n, &r, &s);
}

static int verify_message(struct wn_ecdsa_ctx *ctx, const unsigned char *sig, size_t siglen)
{
    unsigned char hash[WN_MD_MAX_SIZE];

    if (!finish_hash(ctx, hash))
        return 0;
    return verify_directly(ctx, sig, siglen, hash, ctx->md->size);
}

static int wn_ecdsa_verify_final(void *vctx)
{
    struct wn_ecdsa_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_verify_final(ctx->other, NULL, 0);
    if (ctx->sig == NULL) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_MESSAGE_DIGEST);
        return 0;
    }
    return verify_message(ctx, ctx->sig, ctx->siglen);
}

static int wn_ecdsa_digest_verify_final(void *vctx, const unsigned char *sig, size_t siglen)
{
    struct wn_ecdsa_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_verify_final(ctx->other, sig, siglen);
    return verify_message(ctx, sig, siglen);
}

static int wn_ecdsa_verify(void *vctx, const unsigned char *sig, size_t siglen,
                           const unsigned char *tbs, size_t n)
{
    struct wn_ecdsa_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_verify(ctx->other, sig, siglen, tbs, n);
    if (ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (!ctx->message)
        return verify_directly(ctx, sig, siglen, tbs, n);
    return wn_ecdsa_update(ctx, tbs, n) ? verify_message(ctx, sig, siglen) : 0;
}

/* ---- composite algorithms ------------------------------------------------------------ */

static int sigalg_start(struct wn_ecdsa_ctx *ctx, struct wn_ec_key *key, const OSSL_PARAM params[],
                        int how, enum ecdsa_operation operation, const struct wn_md_desc *md,
                        int message)
{
    char md_name[WN_MD_NAME_MAX], name[sizeof("ECDSA-") + WN_MD_NAME_MAX];

    if (is_elsewhere(ctx, key)) {
        wn_md_name(md, md_name);
        snprintf(name, sizeof(name), "ECDSA-%s", md_name);
        return start_elsewhere(ctx, key, name, how, NULL, params);
    }
    if (!start(ctx, key, how, operation))
        return 0;
    ctx->sigalg = ctx->md_fixed = 1;
    ctx->md = md;
    ctx->mdsize = md->size;
    ctx->message = message;
    return wn_ecdsa_set_params(ctx, params) && (!message || begin_message(ctx));
}

static const char **wn_ecdsa_key_types(void)
{
    static const char *types[] = { "EC", NULL };

    return types;
}

#define ECDSA_COMMON                                                                 \
    WN_FN(SIGNATURE_NEWCTX, signature_newctx, wn_ecdsa_newctx),                      \
    WN_FN(SIGNATURE_FREECTX, signature_freectx, wn_ecdsa_freectx),                   \
    WN_FN(SIGNATURE_DUPCTX, signature_dupctx, wn_ecdsa_dupctx),                      \
    WN_FN(SIGNATURE_SIGN, signature_sign, wn_ecdsa_sign),                            \
    WN_FN(SIGNATURE_VERIFY, signature_verify, wn_ecdsa_verify),                      \
    WN_FN(SIGNATURE_GET_CTX_PARAMS, signature_get_ctx_params, wn_ecdsa_get_params),  \
    WN_FN(SIGNATURE_GETTABLE_CTX_PARAMS, signature_gettable_ctx_params, wn_ecdsa_gettable), \
    WN_FN(SIGNATURE_SET_CTX_PARAMS, signature_set_ctx_params, wn_ecdsa_set_params),  \
    WN_FN(SIGNATURE_SETTABLE_CTX_PARAMS, signature_settable_ctx_params, wn_ecdsa_settable)

const OSSL_DISPATCH wn_ecdsa_signature_functions[] = {
    WN_FN(SIGNATURE_SIGN_INIT, signature_sign_init, wn_ecdsa_sign_init),
    WN_FN(SIGNATURE_VERIFY_INIT, signature_verify_init, wn_ecdsa_verify_init),
    WN_FN(SIGNATURE_DIGEST_SIGN_INIT, signature_digest_sign_init, wn_ecdsa_digest_sign_init),
    WN_FN(SIGNATURE_DIGEST_SIGN_UPDATE, signature_digest_sign_update, wn_ecdsa_update),
    WN_FN(SIGNATURE_DIGEST_SIGN_FINAL, signature_digest_sign_final, wn_ecdsa_sign_final),
    WN_FN(SIGNATURE_DIGEST_VERIFY_INIT, signature_digest_verify_init,
          wn_ecdsa_digest_verify_init),
    WN_FN(SIGNATURE_DIGEST_VERIFY_UPDATE, signature_digest_verify_update, wn_ecdsa_update),
    WN_FN(SIGNATURE_DIGEST_VERIFY_FINAL, signature_digest_verify_final,
          wn_ecdsa_digest_verify_final),
    ECDSA_COMMON,
    WN_FN_END
};

#define SIGALG_INIT(id, name, which, operation, message)                             \
    static int id##_##name(void *ctx, void *key, const OSSL_PARAM params[])          \
    {                                                                                \
        return sigalg_start(ctx, key, params, OSSL_FUNC_SIGNATURE_##which##_INIT,    \
                            operation, &wn_md_##id, message);                        \
    }

#define SIGALG(id)                                                                   \
    SIGALG_INIT(id, sign_init, SIGN, ECDSA_SIGN, 0)                                        \
    SIGALG_INIT(id, sign_message_init, SIGN_MESSAGE, ECDSA_SIGN, 1)                                \
    SIGALG_INIT(id, verify_init, VERIFY, ECDSA_VERIFY, 0)                                    \
    SIGALG_INIT(id, verify_message_init, VERIFY_MESSAGE, ECDSA_VERIFY, 1)                            \
    const OSSL_DISPATCH wn_ecdsa_##id##_signature_functions[] = {                    \
        WN_FN(SIGNATURE_SIGN_INIT, signature_sign_init, id##_sign_init),             \
        WN_FN(SIGNATURE_SIGN_MESSAGE_INIT, signature_sign_message_init,              \
              id##_sign_message_init),                                               \
        WN_FN(SIGNATURE_SIGN_MESSAGE_UPDATE, signature_sign_message_update,          \
              wn_ecdsa_update),                                                      \
        WN_FN(SIGNATURE_SIGN_MESSAGE_FINAL, signature_sign_message_final,            \
              wn_ecdsa_sign_final),                                                  \
        WN_FN(SIGNATURE_VERIFY_INIT, signature_verify_init, id##_verify_init),       \
        WN_FN(SIGNATURE_VERIFY_MESSAGE_INIT, signature_verify_message_init,          \
              id##_verify_message_init),                                             \
        WN_FN(SIGNATURE_VERIFY_MESSAGE_UPDATE, signature_verify_message_update,      \
              wn_ecdsa_update),                                                      \
        WN_FN(SIGNATURE_VERIFY_MESSAGE_FINAL, signature_verify_message_final,        \
              wn_ecdsa_verify_final),                                                \
        ECDSA_COMMON,                                                                \
        WN_FN(SIGNATURE_QUERY_KEY_TYPES, signature_query_key_types, wn_ecdsa_key_types), \
        WN_FN_END                                                                    \
    };

SIGALG(sha1)
SIGALG(sha224)
SIGALG(sha256)
SIGALG(sha384)
SIGALG(sha512)
SIGALG(sha3_224)
SIGALG(sha3_256)
SIGALG(sha3_384)
SIGALG(sha3_512)
