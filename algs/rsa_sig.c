/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSA signatures: PKCS#1 v1.5, PSS (RFC 8017), X9.31 and none; one-shot over a
 * digest, streaming over a message, recovery, and the composite algorithms
 * RSA-SHA256 and so on (provider-signature(7)).
 */
#include "rsa_sig.h"

#include <string.h>

#include <openssl/rsaerr.h>

#include "../provider/alglist.h"
#include "../provider/der.h"

static void *wn_rsa_sig_newctx(void *vprov, const char *propq)
{
    const struct wn_prov *prov = vprov;
    struct wn_rsa_sig_ctx *ctx = wn_ctx_new(prov, sizeof(*ctx));

    (void)propq;                /* nothing is fetched here */
    if (ctx != NULL) {
        ctx->prov = prov;
        ctx->min_saltlen = -1;
    }
    return ctx;
}

static void wn_rsa_sig_freectx(void *vctx)
{
    struct wn_rsa_sig_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_rsa_key_free(ctx->key);
    wn_other_ctx_free(ctx->other);
    wn_free(ctx->prov, ctx->sig);
    wn_ctx_free(ctx->prov, ctx, sizeof(*ctx));
}

static void *wn_rsa_sig_dupctx(void *vctx)
{
    const struct wn_rsa_sig_ctx *ctx = vctx;
    struct wn_rsa_sig_ctx *copy = wn_ctx_new(ctx->prov, sizeof(*copy));

    if (copy == NULL)
        return NULL;
    *copy = *ctx;
    copy->sig = NULL;
    copy->other = NULL;
    if (copy->key != NULL)
        wn_rsa_key_up(copy->key);
    if ((ctx->other != NULL && (copy->other = wn_other_ctx_dup(ctx->other)) == NULL)
        || (ctx->sig != NULL
            && (copy->sig = wn_memdup(ctx->prov, ctx->sig, ctx->siglen)) == NULL)) {
        wn_rsa_sig_freectx(copy);
        return NULL;
    }
    return copy;
}

/* ---- start -------------------------------------------------------------------- */

/* A new key starts from its own settings, not from those of the last one. */
static int use_key(struct wn_rsa_sig_ctx *ctx, struct wn_rsa_key *key)
{
    wn_rsa_key_up(key);
    wn_rsa_key_free(ctx->key);
    ctx->key = key;
    ctx->md = ctx->mgf1_md = NULL;
    ctx->mgf1_set = ctx->md_fixed = 0;
    ctx->min_saltlen = -1;
    ctx->pad = key->is_pss ? WN_RSA_PSS : WN_RSA_PKCS1;
    /* 3.1 began to limit the default salt to the digest's length (FIPS 186-4, 5.5) */
    ctx->saltlen = ctx->prov->core_version >= WN_CORE_VERSION(3, 1) ? WN_SALT_AUTO_DIGEST_MAX
                                                                    : WN_SALT_AUTO;
    if (!key->pss.restricted)
        return 1;
    ctx->md = key->pss.md;
    ctx->mgf1_md = key->pss.mgf1_md;
    ctx->mgf1_set = 1;
    ctx->saltlen = key->pss.saltlen;
    if (key->pss.saltlen < 0
        || (size_t)key->pss.saltlen + ctx->md->size + 2 > (key->bits + 6) / 8) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_SALT_LENGTH);
        return 0;
    }
    ctx->min_saltlen = key->pss.saltlen;
    return 1;
}

static int start(struct wn_rsa_sig_ctx *ctx, struct wn_rsa_key *key, int how,
                 enum wn_rsa_operation operation)
{
    if (key == NULL && ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (key != NULL) {
        wn_other_ctx_free(ctx->other);
        ctx->other = NULL;
    }
    ctx->how = how;
    ctx->operation = operation;
    ctx->message = ctx->hashing = ctx->begun = 0;
    return key == NULL || use_key(ctx, key);
}

static int start_hash(struct wn_rsa_sig_ctx *ctx, struct wn_rsa_key *key,
                      const OSSL_PARAM params[], int how, enum wn_rsa_operation operation)
{
    if (key == NULL && ctx->other != NULL)
        return wn_other_sig_init(ctx->other, how, 1, NULL, params);
    return start(ctx, key, how, operation) && wn_rsa_sig_set_params(ctx, params);
}

static int wn_rsa_sign_init(void *vctx, void *key, const OSSL_PARAM params[])
{
    return start_hash(vctx, key, params, OSSL_FUNC_SIGNATURE_SIGN_INIT, WN_RSA_SIGN);
}

static int wn_rsa_verify_init(void *vctx, void *key, const OSSL_PARAM params[])
{
    return start_hash(vctx, key, params, OSSL_FUNC_SIGNATURE_VERIFY_INIT, WN_RSA_VERIFY);
}

static int wn_rsa_recover_init(void *vctx, void *key, const OSSL_PARAM params[])
{
    return start_hash(vctx, key, params, OSSL_FUNC_SIGNATURE_VERIFY_RECOVER_INIT, WN_RSA_RECOVER);
}

static int begin_message(struct wn_rsa_sig_ctx *ctx)
{
    if (ctx->md == NULL) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_DIGEST);
        return 0;
    }
    ctx->message = ctx->hashing = 1;
    ctx->begun = 0;
    return wn_md_init(&ctx->md_state, ctx->md);
}

static int start_digest(struct wn_rsa_sig_ctx *ctx, const char *mdname, struct wn_rsa_key *key,
                        const OSSL_PARAM params[], int how, enum wn_rsa_operation operation)
{
    if (key == NULL && ctx->other != NULL)
        return wn_other_sig_init(ctx->other, how, 1, mdname, params);
    ctx->md_fixed = 0;
    if (!start(ctx, key, how, operation) || !wn_rsa_sig_set_params(ctx, params))
        return 0;
    if (ctx->other != NULL
        || (mdname != NULL && wn_rsa_sig_elsewhere(ctx, mdname, mdname, params)))
        return 1;
    if (mdname != NULL && !wn_rsa_sig_set_md_name(ctx, mdname))
        return 0;
    ctx->md_fixed = 1;
    return begin_message(ctx);
}

static int wn_rsa_digest_sign_init(void *vctx, const char *mdname, void *key,
                                   const OSSL_PARAM params[])
{
    return start_digest(vctx, mdname, key, params, OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT,
                        WN_RSA_SIGN);
}

static int wn_rsa_digest_verify_init(void *vctx, const char *mdname, void *key,
                                     const OSSL_PARAM params[])
{
    return start_digest(vctx, mdname, key, params, OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT,
                        WN_RSA_VERIFY);
}

/* ---- the padded block ------------------------------------------------------------ */

/* DigestInfo (RFC 8017, 9.2 note 1), the bare digest for MD5-SHA1 (RFC 4346, 4.7) */
static size_t digest_info(const struct wn_rsa_digest *d, const unsigned char *hash,
                          unsigned char buf[128], unsigned char **out)
{
    struct wn_der_w w;
    size_t mark;

    wn_der_w_init(&w, buf, 128);
    if (d->oid_len == 0) {
        wn_der_w_bytes(&w, hash, d->md->size);
    } else {
        wn_der_w_octets(&w, WN_DER_OCTET_STRING, hash, d->md->size);
        mark = wn_der_w_mark(&w);
        wn_der_w_null(&w);
        wn_der_w_octets(&w, WN_DER_OID, d->oid, d->oid_len);
        wn_der_w_wrap(&w, WN_DER_SEQUENCE, mark);
        wn_der_w_wrap(&w, WN_DER_SEQUENCE, 0);
    }
    *out = wn_der_w_start(&w);
    return w.n;
}

static int pad_without_digest(const struct wn_rsa_sig_ctx *ctx, unsigned char *em,
                              const unsigned char *in, size_t n)
{
    size_t k = ctx->key->size;

    switch (ctx->pad) {
    case WN_RSA_PKCS1:
        return wn_rsa_pad_type1(ctx->prov, em, k, in, n);
    case WN_RSA_X931:
        return wn_rsa_pad_x931(ctx->prov, em, k, in, n);
    case WN_RSA_NONE:
        if (n != k) {
            WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, n > k ? RSA_R_DATA_TOO_LARGE_FOR_KEY_SIZE
                                                       : RSA_R_DATA_TOO_SMALL_FOR_KEY_SIZE);
            return 0;
        }
        memcpy(em, in, n);
        return 1;
    default:
        WN_RAISE(ctx->prov, PROV_R_INVALID_PADDING_MODE);
        return 0;
    }
}

static int pad_digest(const struct wn_rsa_sig_ctx *ctx, unsigned char *em,
                      const unsigned char *hash)
{
    const struct wn_rsa_digest *d = wn_rsa_digest_find(ctx->md);
    unsigned char buf[128], *info;
    int saltlen;
    size_t n;

    switch (ctx->pad) {
    case WN_RSA_PKCS1:
        n = digest_info(d, hash, buf, &info);
        if (n + 11 > ctx->key->size) {
            WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, RSA_R_DIGEST_TOO_BIG_FOR_RSA_KEY);
            return 0;
        }
        return wn_rsa_pad_type1(ctx->prov, em, ctx->key->size, info, n);
    case WN_RSA_X931:
        memcpy(buf, hash, ctx->md->size);
        buf[ctx->md->size] = d->x931;
        return wn_rsa_pad_x931(ctx->prov, em, ctx->key->size, buf, ctx->md->size + 1);
    case WN_RSA_PSS:
        saltlen = wn_rsa_sig_saltlen(ctx);
        return saltlen >= 0
            && wn_rsa_pad_pss(ctx->prov, em, ctx->key->bits, hash, ctx->md, ctx->mgf1_md,
                              (size_t)saltlen);
    default:
        WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_PADDING_MODE,
                     "Only X.931, PKCS#1 v1.5 or PSS padding allowed");
        return 0;
    }
}

/* s = n - s (both below n): X9.31 takes the smaller of the two. */
static void complement(const struct wn_rsa_key *key, unsigned char *s)
{
    unsigned char n[WN_RSA_MAX_SIZE];
    size_t i = key->size;
    int borrow = 0, diff;

    wn_num_bytes(key->n, n, key->size);
    while (i-- > 0) {
        diff = n[i] - s[i] - borrow;
        borrow = diff < 0;
        s[i] = diff & 0xff;
    }
}

/* ---- sign -------------------------------------------------------------------------- */

static int check_room(const struct wn_rsa_sig_ctx *ctx, size_t sigsize)
{
    if (sigsize >= ctx->key->size)
        return 1;
    WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_SIGNATURE_SIZE, "is %zu, should be at least %zu",
                 sigsize, ctx->key->size);
    return 0;
}

static int sign_directly(const struct wn_rsa_sig_ctx *ctx, unsigned char *sig, size_t *siglen,
                         size_t sigsize, const unsigned char *tbs, size_t n)
{
    unsigned char em[WN_RSA_MAX_SIZE], other[WN_RSA_MAX_SIZE];
    size_t k = ctx->key->size;
    int ok;

    if (sig == NULL) {
        *siglen = k;
        return 1;
    }
    if (!check_room(ctx, sigsize))
        return 0;
    if (ctx->md != NULL && n != ctx->md->size) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_DIGEST_LENGTH);
        return 0;
    }
    ok = (ctx->md != NULL ? pad_digest(ctx, em, tbs) : pad_without_digest(ctx, em, tbs, n))
        && wn_rsa_private(ctx->key, em, em, WN_RSA_SIGNATURE);
    if (ok && ctx->pad == WN_RSA_X931) {
        memcpy(other, em, k);
        complement(ctx->key, other);
        if (memcmp(other, em, k) < 0)
            memcpy(em, other, k);
    }
    if (ok) {
        memcpy(sig, em, k);
        *siglen = k;
    }
    wn_clear(em, k);
    return ok;
}

static int wn_rsa_sig_update(void *vctx, const unsigned char *data, size_t n)
{
    struct wn_rsa_sig_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_sig_update(ctx->other, data, n);
    if (!ctx->hashing) {
        WN_RAISE(ctx->prov, PROV_R_UPDATE_CALL_OUT_OF_ORDER);
        return 0;
    }
    ctx->begun = 1;
    return wn_md_update(&ctx->md_state, data, n);
}

/* The digest of the message; the running state stays for a size query. */
static int finish_hash(struct wn_rsa_sig_ctx *ctx, unsigned char *hash)
{
    if (!ctx->hashing) {
        WN_RAISE(ctx->prov, PROV_R_FINAL_CALL_OUT_OF_ORDER);
        return 0;
    }
    ctx->hashing = 0;
    ctx->md_fixed = ctx->sigalg;
    return wn_md_final(&ctx->md_state, hash);
}

static int wn_rsa_sign_final(void *vctx, unsigned char *sig, size_t *siglen, size_t sigsize)
{
    struct wn_rsa_sig_ctx *ctx = vctx;
    unsigned char hash[WN_MD_MAX_SIZE];

    if (ctx->other != NULL)
        return wn_other_sign_final(ctx->other, sig, siglen, sigsize);
    if (sig == NULL)
        return sign_directly(ctx, NULL, siglen, 0, NULL, 0);
    /* too small a buffer must not cost the caller the message */
    return check_room(ctx, sigsize) && finish_hash(ctx, hash)
        && sign_directly(ctx, sig, siglen, sigsize, hash, ctx->md->size);
}

static int wn_rsa_sign(void *vctx, unsigned char *sig, size_t *siglen, size_t sigsize,
                       const unsigned char *tbs, size_t n)
{
    struct wn_rsa_sig_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_sign(ctx->other, sig, siglen, sigsize, tbs, n);
    if (ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (!ctx->message || sig == NULL)
        return sign_directly(ctx, sig, siglen, sigsize, tbs, n);
    if (ctx->begun) {
        WN_RAISE(ctx->prov, PROV_R_ONESHOT_CALL_OUT_OF_ORDER);
        return 0;
    }
    return check_room(ctx, sigsize) && wn_rsa_sig_update(ctx, tbs, n)
        && wn_rsa_sign_final(ctx, sig, siglen, sigsize);
}

/* ---- verify and recover -------------------------------------------------------------- */

/* em = the padded block in a signature of at most k bytes. */
static int open_signature(const struct wn_rsa_sig_ctx *ctx, const unsigned char *sig, size_t n,
                          unsigned char *em)
{
    size_t k = ctx->key->size;

    if (n > k) {
        WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, RSA_R_DATA_GREATER_THAN_MOD_LEN);
        return 0;
    }
    memset(em, 0, k - n);
    memcpy(em + k - n, sig, n);
    if (!wn_rsa_public(ctx->key, em, em))
        return 0;
    /* of the two roots the right one ends in 1100 binary */
    if (ctx->pad == WN_RSA_X931 && (em[k - 1] & 0x0f) != 0x0c)
        complement(ctx->key, em);
    return 1;
}

static int unpad(const struct wn_rsa_sig_ctx *ctx, const unsigned char *em,
                 const unsigned char **out, size_t *n)
{
    switch (ctx->pad) {
    case WN_RSA_PKCS1:
        return wn_rsa_unpad_type1(ctx->prov, em, ctx->key->size, out, n);
    case WN_RSA_X931:
        return wn_rsa_unpad_x931(ctx->prov, em, ctx->key->size, out, n);
    case WN_RSA_NONE:
        *out = em;
        *n = ctx->key->size;
        return 1;
    default:
        WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_PADDING_MODE,
                     "Only X.931 or PKCS#1 v1.5 padding allowed");
        return 0;
    }
}

/* The digest inside an unpadded X9.31 or PKCS#1 block, its framing checked. */
static int unframe(const struct wn_rsa_sig_ctx *ctx, const unsigned char *in, size_t n,
                   const unsigned char **hash)
{
    const struct wn_rsa_digest *d = wn_rsa_digest_find(ctx->md);
    size_t size = ctx->md->size, len;
    unsigned char buf[128], *info;

    if (ctx->pad == WN_RSA_X931) {
        if (n != size + 1) {
            WN_RAISE(ctx->prov, PROV_R_INVALID_DIGEST_LENGTH);
            return 0;
        }
        if (in[size] != d->x931) {
            WN_RAISE(ctx->prov, PROV_R_ALGORITHM_MISMATCH);
            return 0;
        }
        *hash = in;
        return 1;
    }
    /* encode the DigestInfo anew and compare all of it: nothing is parsed */
    if (n < size || (len = digest_info(d, in + n - size, buf, &info)) != n
        || memcmp(info, in, n) != 0) {
        WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, RSA_R_BAD_SIGNATURE);
        return 0;
    }
    *hash = in + n - size;
    return 1;
}

static int right_length(const struct wn_rsa_sig_ctx *ctx, size_t siglen)
{
    if (ctx->md == NULL || ctx->pad != WN_RSA_PKCS1 || siglen == ctx->key->size)
        return 1;
    WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, RSA_R_WRONG_SIGNATURE_LENGTH);
    return 0;
}

static int verify_directly(const struct wn_rsa_sig_ctx *ctx, const unsigned char *sig,
                           size_t siglen, const unsigned char *tbs, size_t n)
{
    unsigned char em[WN_RSA_MAX_SIZE];
    const unsigned char *out;
    size_t len;

    if (ctx->md != NULL && n != ctx->md->size) {
        WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_DIGEST_LENGTH, "Should be %zu, but got %zu",
                     ctx->md->size, n);
        return 0;
    }
    if (!right_length(ctx, siglen) || !open_signature(ctx, sig, siglen, em))
        return 0;
    if (ctx->pad == WN_RSA_PSS && ctx->md != NULL) {
        int saltlen = ctx->saltlen == WN_SALT_DIGEST ? (int)ctx->md->size
                    : ctx->saltlen == WN_SALT_MAX    ? wn_rsa_sig_saltlen(ctx)
                    : ctx->saltlen < 0               ? WN_RSA_SALT_ANY
                                                     : ctx->saltlen;

        return wn_rsa_check_pss(ctx->prov, em, ctx->key->bits, tbs, ctx->md, ctx->mgf1_md,
                                saltlen);
    }
    if (!unpad(ctx, em, &out, &len))
        return 0;
    if (ctx->md != NULL) {
        if (!unframe(ctx, out, len, &out))
            return 0;
        len = ctx->md->size;
    }
    if (len == n && memcmp(out, tbs, n) == 0)
        return 1;
    if (ctx->pad == WN_RSA_PKCS1 && ctx->md != NULL)
        WN_RAISE_LIB(ctx->prov, ERR_LIB_RSA, RSA_R_BAD_SIGNATURE);
    return 0;
}

static int verify_message(struct wn_rsa_sig_ctx *ctx, const unsigned char *sig, size_t siglen)
{
    unsigned char hash[WN_MD_MAX_SIZE];

    return finish_hash(ctx, hash)
        && verify_directly(ctx, sig, siglen, hash, ctx->md->size);
}

static int wn_rsa_verify_final(void *vctx)
{
    struct wn_rsa_sig_ctx *ctx = vctx;

    if (ctx->sig == NULL) {
        WN_RAISE(ctx->prov, PROV_R_MISSING_MESSAGE_DIGEST);
        return 0;
    }
    return verify_message(ctx, ctx->sig, ctx->siglen);
}

static int wn_rsa_digest_verify_final(void *vctx, const unsigned char *sig, size_t siglen)
{
    struct wn_rsa_sig_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_verify_final(ctx->other, sig, siglen);
    return verify_message(ctx, sig, siglen);
}

static int wn_rsa_verify(void *vctx, const unsigned char *sig, size_t siglen,
                         const unsigned char *tbs, size_t n)
{
    struct wn_rsa_sig_ctx *ctx = vctx;

    if (ctx->other != NULL)
        return wn_other_verify(ctx->other, sig, siglen, tbs, n);
    if (ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (!ctx->message)
        return verify_directly(ctx, sig, siglen, tbs, n);
    if (ctx->begun) {
        WN_RAISE(ctx->prov, PROV_R_ONESHOT_CALL_OUT_OF_ORDER);
        return 0;
    }
    return wn_rsa_sig_update(ctx, tbs, n) && verify_message(ctx, sig, siglen);
}

static int wn_rsa_recover(void *vctx, unsigned char *out, size_t *outlen, size_t outsize,
                          const unsigned char *sig, size_t siglen)
{
    struct wn_rsa_sig_ctx *ctx = vctx;
    unsigned char em[WN_RSA_MAX_SIZE];
    const unsigned char *in;
    size_t n;

    if (ctx->other != NULL)
        return wn_other_recover(ctx->other, out, outlen, outsize, sig, siglen);
    if (ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (out == NULL) {
        *outlen = ctx->key->size;
        return 1;
    }
    if (!right_length(ctx, siglen) || !open_signature(ctx, sig, siglen, em)
        || !unpad(ctx, em, &in, &n))
        return 0;
    if (ctx->md != NULL) {
        if (!unframe(ctx, in, n, &in))
            return 0;
        n = ctx->md->size;
    }
    if (outsize < n) {
        WN_RAISE_MSG(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL,
                     "buffer size is %zu, should be %zu", outsize, n);
        return 0;
    }
    memcpy(out, in, n);
    *outlen = n;
    return 1;
}

/* ---- composite algorithms -------------------------------------------------------------- */

static int sigalg_start(struct wn_rsa_sig_ctx *ctx, struct wn_rsa_key *key,
                        const OSSL_PARAM params[], int how, enum wn_rsa_operation operation,
                        const struct wn_md_desc *md, int message)
{
    char name[WN_MD_NAME_MAX];

    if (!start(ctx, key, how, operation))
        return 0;
    if (ctx->key->is_pss) {
        WN_RAISE_MSG(ctx->prov, PROV_R_ILLEGAL_OR_UNSUPPORTED_PADDING_MODE,
                     "PKCS#1 padding not allowed with RSA-PSS");
        return 0;
    }
    ctx->pad = WN_RSA_PKCS1;
    ctx->sigalg = 0;
    if (!wn_rsa_sig_set_md(ctx, md, wn_md_name(md, name)))
        return 0;
    ctx->sigalg = ctx->md_fixed = 1;
    return wn_rsa_sig_set_params(ctx, params) && (!message || begin_message(ctx));
}

static const char **wn_rsa_key_types(void)
{
    static const char *types[] = { "RSA", NULL };

    return types;
}

#define SIGALG_INIT(id, name, which, operation, message)                             \
    static int id##_##name(void *ctx, void *key, const OSSL_PARAM params[])          \
    {                                                                                \
        return sigalg_start(ctx, key, params, OSSL_FUNC_SIGNATURE_##which##_INIT,    \
                            operation, &wn_md_##id, message);                        \
    }

#define SIGALG(id)                                                                   \
    SIGALG_INIT(id, sign_init, SIGN, WN_RSA_SIGN, 0)                                       \
    SIGALG_INIT(id, sign_message_init, SIGN_MESSAGE, WN_RSA_SIGN, 1)                               \
    SIGALG_INIT(id, verify_init, VERIFY, WN_RSA_VERIFY, 0)                                   \
    SIGALG_INIT(id, verify_message_init, VERIFY_MESSAGE, WN_RSA_VERIFY, 1)                           \
    SIGALG_INIT(id, recover_init, VERIFY_RECOVER, WN_RSA_RECOVER, 0)                                 \
    const OSSL_DISPATCH wn_rsa_##id##_signature_functions[] = {                      \
        WN_FN(SIGNATURE_SIGN_INIT, signature_sign_init, id##_sign_init),             \
        WN_FN(SIGNATURE_SIGN_MESSAGE_INIT, signature_sign_message_init,              \
              id##_sign_message_init),                                               \
        WN_FN(SIGNATURE_VERIFY_INIT, signature_verify_init, id##_verify_init),       \
        WN_FN(SIGNATURE_VERIFY_MESSAGE_INIT, signature_verify_message_init,          \
              id##_verify_message_init),                                             \
        WN_FN(SIGNATURE_VERIFY_RECOVER_INIT, signature_verify_recover_init,          \
              id##_recover_init),                                                    \
        RSA_SIG_COMMON,                                                              \
        WN_FN(SIGNATURE_SIGN_MESSAGE_UPDATE, signature_sign_message_update,          \
              wn_rsa_sig_update),                                                    \
        WN_FN(SIGNATURE_SIGN_MESSAGE_FINAL, signature_sign_message_final,            \
              wn_rsa_sign_final),                                                    \
        WN_FN(SIGNATURE_VERIFY_MESSAGE_UPDATE, signature_verify_message_update,      \
              wn_rsa_sig_update),                                                    \
        WN_FN(SIGNATURE_VERIFY_MESSAGE_FINAL, signature_verify_message_final,        \
              wn_rsa_verify_final),                                                  \
        WN_FN(SIGNATURE_QUERY_KEY_TYPES, signature_query_key_types, wn_rsa_key_types), \
        WN_FN_END                                                                    \
    };

#define RSA_SIG_COMMON                                                               \
    WN_FN(SIGNATURE_NEWCTX, signature_newctx, wn_rsa_sig_newctx),                    \
    WN_FN(SIGNATURE_FREECTX, signature_freectx, wn_rsa_sig_freectx),                 \
    WN_FN(SIGNATURE_DUPCTX, signature_dupctx, wn_rsa_sig_dupctx),                    \
    WN_FN(SIGNATURE_SIGN, signature_sign, wn_rsa_sign),                              \
    WN_FN(SIGNATURE_VERIFY, signature_verify, wn_rsa_verify),                        \
    WN_FN(SIGNATURE_VERIFY_RECOVER, signature_verify_recover, wn_rsa_recover),       \
    WN_FN(SIGNATURE_GET_CTX_PARAMS, signature_get_ctx_params, wn_rsa_sig_get_params), \
    WN_FN(SIGNATURE_GETTABLE_CTX_PARAMS, signature_gettable_ctx_params,              \
          wn_rsa_sig_gettable),                                                      \
    WN_FN(SIGNATURE_SET_CTX_PARAMS, signature_set_ctx_params, wn_rsa_sig_set_params), \
    WN_FN(SIGNATURE_SETTABLE_CTX_PARAMS, signature_settable_ctx_params, wn_rsa_sig_settable)

SIGALG(sha1)
SIGALG(sha224)
SIGALG(sha256)
SIGALG(sha384)
SIGALG(sha512)
SIGALG(sha512_224)
SIGALG(sha512_256)
SIGALG(sha3_224)
SIGALG(sha3_256)
SIGALG(sha3_384)
SIGALG(sha3_512)
SIGALG(ripemd160)

const OSSL_DISPATCH wn_rsa_signature_functions[] = {
    WN_FN(SIGNATURE_SIGN_INIT, signature_sign_init, wn_rsa_sign_init),
    WN_FN(SIGNATURE_VERIFY_INIT, signature_verify_init, wn_rsa_verify_init),
    WN_FN(SIGNATURE_VERIFY_RECOVER_INIT, signature_verify_recover_init, wn_rsa_recover_init),
    WN_FN(SIGNATURE_DIGEST_SIGN_INIT, signature_digest_sign_init, wn_rsa_digest_sign_init),
    WN_FN(SIGNATURE_DIGEST_SIGN_UPDATE, signature_digest_sign_update, wn_rsa_sig_update),
    WN_FN(SIGNATURE_DIGEST_SIGN_FINAL, signature_digest_sign_final, wn_rsa_sign_final),
    WN_FN(SIGNATURE_DIGEST_VERIFY_INIT, signature_digest_verify_init, wn_rsa_digest_verify_init),
    WN_FN(SIGNATURE_DIGEST_VERIFY_UPDATE, signature_digest_verify_update, wn_rsa_sig_update),
    WN_FN(SIGNATURE_DIGEST_VERIFY_FINAL, signature_digest_verify_final,
          wn_rsa_digest_verify_final),
    RSA_SIG_COMMON,
    WN_FN_END
};
