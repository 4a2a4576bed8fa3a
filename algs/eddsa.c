/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ed25519, Ed25519ctx, Ed25519ph, Ed448 and Ed448ph signatures (RFC 8032,
 * provider-signature(7)).
 *
 * An algorithm name fixes the instance, save for ED25519 and ED448 themselves,
 * where the parameter "instance" may choose. The message is either signed as it
 * is, or (ph instances through the sign/verify calls) is already the prehash.
 */
#include "ecx.h"

#include <string.h>
#include <strings.h>

#include <wolfssl/wolfcrypt/ed25519.h>
#include <wolfssl/wolfcrypt/ed448.h>

#include "../provider/alglist.h"
#include "digest.h"
#include "long.h"

#define PREHASH_LEN 64          /* SHA-512, and SHAKE256 of 64 bytes */

struct wn_eddsa_instance {
    const char *name;
    const struct wn_ecx_desc *desc;
    int prehash;                /* a ph instance */
    int takes_context;          /* Ed25519 itself has none */
    int needs_context;          /* Ed25519ctx: must not be empty */
    byte type;                  /* wolfCrypt's number of the instance */
};

static const struct wn_eddsa_instance instances[] = {
    { "Ed25519", &wn_ed25519_desc, 0, 0, 0, (byte)Ed25519 },
    { "Ed25519ctx", &wn_ed25519_desc, 0, 1, 1, Ed25519ctx },
    { "Ed25519ph", &wn_ed25519_desc, 1, 1, 0, Ed25519ph },
    { "Ed448", &wn_ed448_desc, 0, 1, 0, Ed448 },
    { "Ed448ph", &wn_ed448_desc, 1, 1, 0, Ed448ph },
};
enum { I_ED25519, I_ED25519CTX, I_ED25519PH, I_ED448, I_ED448PH, I_COUNT };

struct wn_eddsa_ctx {
    const struct wn_prov *prov;
    struct wn_ecx_key *key;
    const struct wn_eddsa_instance *instance;
    int preset;                 /* the instance may not be chosen */
    int given_prehash;          /* the message is the prehash already */
    byte context[255];
    byte context_len;
};

static void *wn_eddsa_newctx(void *vprov, const char *propq)
{
    const struct wn_prov *prov = vprov;
    struct wn_eddsa_ctx *ctx = wn_zalloc(prov, sizeof(*ctx));

    (void)propq;                /* nothing is fetched here */
    if (ctx != NULL)
        ctx->prov = prov;
    return ctx;
}

static void wn_eddsa_freectx(void *vctx)
{
    struct wn_eddsa_ctx *ctx = vctx;

    if (ctx == NULL)
        return;
    wn_ecx_key_free(ctx->key);
    wn_free(ctx->prov, ctx);
}

static void *wn_eddsa_dupctx(void *vctx)
{
    const struct wn_eddsa_ctx *ctx = vctx;
    struct wn_eddsa_ctx *copy = wn_memdup(ctx->prov, ctx, sizeof(*ctx));

    if (copy != NULL && copy->key != NULL)
        wn_ecx_key_up(copy->key);
    return copy;
}

/* ---- parameters ---------------------------------------------------------- */

#define EDDSA_SET(P)                                             \
    P(instance, utf8_string, OSSL_SIGNATURE_PARAM_INSTANCE)      \
    P(context, octet_string, OSSL_SIGNATURE_PARAM_CONTEXT_STRING)
WN_PARAMS(eddsa_set, EDDSA_SET);

/* The first entry is "instance", which preset algorithms do not offer. */
static const OSSL_PARAM *wn_eddsa_settable(void *vctx, void *vprov)
{
    const struct wn_eddsa_ctx *ctx = vctx;

    (void)vprov;
    return ctx != NULL && ctx->preset ? eddsa_set_list + 1 : eddsa_set_list;
}

static const struct wn_eddsa_instance *find_instance(const struct wn_eddsa_ctx *ctx,
                                                     const OSSL_PARAM *p)
{
    char name[32];
    size_t i;

    if (ctx->preset) {
        WN_RAISE_MSG(ctx->prov, PROV_R_NO_INSTANCE_ALLOWED,
                     "the instance is fixed by the algorithm");
        return NULL;
    }
    if (!wn_param_get_utf8(p, name, sizeof(name)))
        return NULL;
    for (i = 0; i < I_COUNT; i++)
        if (strcasecmp(name, instances[i].name) == 0 && instances[i].desc == ctx->key->desc)
            return &instances[i];
    WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_EDDSA_INSTANCE_FOR_ATTEMPTED_OPERATION,
                 "instance %s with an %s key", name, ctx->key->desc->name);
    return NULL;
}

static int wn_eddsa_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_eddsa_ctx *ctx = vctx;
    const struct wn_eddsa_instance *instance = ctx->instance;
    const unsigned char *context = NULL;
    size_t n = 0;
    struct eddsa_set p;

    if (!WN_PARAMS_SCAN(ctx->prov, eddsa_set, params, &p))
        return 0;
    if ((p.instance != NULL || p.context != NULL) && ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (p.instance != NULL && (instance = find_instance(ctx, p.instance)) == NULL)
        return 0;
    if (p.context != NULL && (!wn_param_get_octets(p.context, &context, &n)
                              || n > sizeof(ctx->context))) {
        WN_RAISE(ctx->prov, PROV_R_INVALID_DATA);
        return 0;
    }
    ctx->instance = instance;
    if (p.context != NULL) {
        memcpy(ctx->context, context, n);
        ctx->context_len = (byte)n;
    }
    return 1;
}

#define EDDSA_GET(P) P(algorithm_id, octet_string, OSSL_SIGNATURE_PARAM_ALGORITHM_ID)
WN_PARAMS(eddsa_get, EDDSA_GET);

static const OSSL_PARAM *wn_eddsa_gettable(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return eddsa_get_list;
}

/* AlgorithmIdentifier without parameters: RFC 8410 section 3 */
static int wn_eddsa_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    static const unsigned char id_ed25519[] = { 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70 };
    static const unsigned char id_ed448[] = { 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x71 };
    const struct wn_eddsa_ctx *ctx = vctx;
    struct eddsa_get p;

    if (!WN_PARAMS_SCAN(ctx->prov, eddsa_get, params, &p))
        return 0;
    if (p.algorithm_id == NULL)
        return 1;
    if (ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    return wn_param_give_octets(ctx->prov, p.algorithm_id,
                                ctx->key->desc->type == WN_ED25519 ? id_ed25519 : id_ed448,
                                sizeof(id_ed25519));
}

/* ---- start ----------------------------------------------------------------- */

static int start(struct wn_eddsa_ctx *ctx, struct wn_ecx_key *key, const OSSL_PARAM params[],
                 int instance, int preset, int given_prehash)
{
    if (key == NULL && ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (key != NULL) {
        if (key->desc != instances[instance].desc) {
            WN_RAISE(ctx->prov, PROV_R_INVALID_KEY);
            return 0;
        }
        wn_ecx_key_up(key);
        wn_ecx_key_free(ctx->key);
        ctx->key = key;
        ctx->instance = &instances[instance];
        ctx->preset = preset;
        ctx->given_prehash = given_prehash;
        ctx->context_len = 0;
    }
    return wn_eddsa_set_ctx_params(ctx, params);
}

/* EdDSA hashes by itself: naming a digest is an error. */
static int start_digest(struct wn_eddsa_ctx *ctx, const char *mdname, struct wn_ecx_key *key,
                        const OSSL_PARAM params[], int instance)
{
    if (mdname != NULL && mdname[0] != '\0') {
        WN_RAISE_MSG(ctx->prov, PROV_R_INVALID_DIGEST,
                     "Explicit digest not allowed with EdDSA operations");
        return 0;
    }
    return start(ctx, key, params, instance, 0, 0);
}

/* ---- sign and verify ------------------------------------------------------- */

static void prehash(const struct wn_eddsa_ctx *ctx, const unsigned char *in, size_t n,
                    unsigned char out[PREHASH_LEN])
{
    struct wn_md md;

    wn_md_init(&md, ctx->key->desc->type == WN_ED25519 ? &wn_md_sha512 : &wn_md_shake_256);
    wn_md_update(&md, in, n);
    wn_md_squeeze(&md, out, PREHASH_LEN);
    wn_md_clear(&md);
}

/*
 * What wolfCrypt is to sign: the message, or for ph instances its prehash
 * (computed to md unless the caller gave it).
 */
static int message(const struct wn_eddsa_ctx *ctx, const unsigned char *tbs, size_t n,
                   unsigned char md[PREHASH_LEN], struct wn_message *m)
{
    const struct wn_prov *prov = ctx->prov;

    if (ctx->instance->needs_context && ctx->context_len == 0) {
        WN_RAISE_MSG(prov, PROV_R_INVALID_DATA, "Ed25519ctx needs a context string");
        return 0;
    }
    if (!ctx->instance->takes_context && ctx->context_len != 0) {
        WN_RAISE_MSG(prov, PROV_R_INVALID_DATA, "Ed25519 takes no context string");
        return 0;
    }
    if (!ctx->instance->prehash && ctx->given_prehash) {
        WN_RAISE(prov, PROV_R_INVALID_EDDSA_INSTANCE_FOR_ATTEMPTED_OPERATION);
        return 0;
    }
    if (ctx->given_prehash && n != PREHASH_LEN) {
        WN_RAISE(prov, PROV_R_INVALID_DIGEST_LENGTH);
        return 0;
    }
    if (ctx->instance->prehash && !ctx->given_prehash) {
        prehash(ctx, tbs, n, md);
        tbs = md;
        n = PREHASH_LEN;
    }
    wn_message_set(m, tbs, n);
    return 1;
}

static int sign_ed25519(const struct wn_eddsa_ctx *ctx, unsigned char *sig,
                        const struct wn_message *m)
{
    const struct wn_ecx_key *key = ctx->key;
    word32 len = ED25519_SIG_SIZE;
    ed25519_key k;
    int rc = wc_ed25519_init(&k);

    if (rc == 0)
        rc = wc_ed25519_import_private_key_ex(key->priv, ED25519_KEY_SIZE, key->pub,
                                              ED25519_PUB_KEY_SIZE, &k, 1);
    if (rc == 0)
        rc = wc_ed25519_sign_msg_ex(m->p, m->n, sig, &len, &k, ctx->instance->type, ctx->context,
                                    ctx->context_len);
    wn_clear(&k, sizeof(k));
    return rc;
}

static int sign_ed448(const struct wn_eddsa_ctx *ctx, unsigned char *sig,
                      const struct wn_message *m)
{
    const struct wn_ecx_key *key = ctx->key;
    word32 len = ED448_SIG_SIZE;
    ed448_key k;
    int rc = wc_ed448_init(&k);

    if (rc == 0)
        rc = wc_ed448_import_private_key_ex(key->priv, ED448_KEY_SIZE, key->pub,
                                            ED448_PUB_KEY_SIZE, &k, 1);
    if (rc == 0)
        rc = wc_ed448_sign_msg_ex(m->p, m->n, sig, &len, &k, ctx->instance->type, ctx->context,
                                  ctx->context_len);
    wn_clear(&k, sizeof(k));
    return rc;
}

static int wn_eddsa_sign(void *vctx, unsigned char *sig, size_t *siglen, size_t sigsize,
                         const unsigned char *tbs, size_t n)
{
    struct wn_eddsa_ctx *ctx = vctx;
    unsigned char md[PREHASH_LEN];
    struct wn_message m;
    size_t need;
    int rc;

    if (ctx->key == NULL) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    need = (size_t)ctx->key->desc->max_size;
    if (sig == NULL) {
        *siglen = need;
        return 1;
    }
    if (sigsize < need) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    if (!ctx->key->has_private) {
        WN_RAISE(ctx->prov, PROV_R_NOT_A_PRIVATE_KEY);
        return 0;
    }
    if (!message(ctx, tbs, n, md, &m))
        return 0;
    rc = ctx->key->desc->type == WN_ED25519 ? sign_ed25519(ctx, sig, &m)
                                            : sign_ed448(ctx, sig, &m);
    if (rc != 0) {
        wn_clear(sig, need);
        WN_RAISE(ctx->prov, PROV_R_FAILED_TO_SIGN);
        return 0;
    }
    *siglen = need;
    return 1;
}

static int verify_ed25519(const struct wn_eddsa_ctx *ctx, const unsigned char *sig,
                          const struct wn_message *m)
{
    ed25519_key k;
    int good = 0, rc = wc_ed25519_init(&k);

    if (rc == 0)
        rc = wc_ed25519_import_public_ex(ctx->key->pub, ED25519_PUB_KEY_SIZE, &k, 1);
    if (rc == 0)
        rc = wc_ed25519_verify_msg_ex(sig, ED25519_SIG_SIZE, m->p, m->n, &good, &k,
                                      ctx->instance->type, ctx->context, ctx->context_len);
    return rc == 0 && good == 1;
}

static int verify_ed448(const struct wn_eddsa_ctx *ctx, const unsigned char *sig,
                        const struct wn_message *m)
{
    ed448_key k;
    int good = 0, rc = wc_ed448_init(&k);

    if (rc == 0)
        rc = wc_ed448_import_public_ex(ctx->key->pub, ED448_PUB_KEY_SIZE, &k, 1);
    if (rc == 0)
        rc = wc_ed448_verify_msg_ex(sig, ED448_SIG_SIZE, m->p, m->n, &good, &k,
                                    ctx->instance->type, ctx->context, ctx->context_len);
    return rc == 0 && good == 1;
}

/* A wrong signature is 0 without an error, as it is for the default provider. */
static int wn_eddsa_verify(void *vctx, const unsigned char *sig, size_t siglen,
                           const unsigned char *tbs, size_t n)
{
    struct wn_eddsa_ctx *ctx = vctx;
    unsigned char md[PREHASH_LEN];
    struct wn_message m;

    if (ctx->key == NULL || !ctx->key->has_public) {
        WN_RAISE(ctx->prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (siglen != (size_t)ctx->key->desc->max_size || !message(ctx, tbs, n, md, &m))
        return 0;
    return ctx->key->desc->type == WN_ED25519 ? verify_ed25519(ctx, sig, &m)
                                              : verify_ed448(ctx, sig, &m);
}

/* ---- dispatch -------------------------------------------------------------- */

#define EDDSA_KEY_TYPES(id, name)                                                \
    static const char **id##_key_types(void)                                     \
    {                                                                            \
        static const char *types[] = { name, NULL };                             \
        return types;                                                            \
    }
#define EDDSA_INIT(f, instance, preset, given_prehash)                           \
    static int f(void *ctx, void *key, const OSSL_PARAM params[])                \
    { return start(ctx, key, params, instance, preset, given_prehash); }

#define EDDSA_COMMON(id)                                                         \
    WN_FN(SIGNATURE_NEWCTX, signature_newctx, wn_eddsa_newctx),                  \
    WN_FN(SIGNATURE_FREECTX, signature_freectx, wn_eddsa_freectx),               \
    WN_FN(SIGNATURE_DUPCTX, signature_dupctx, wn_eddsa_dupctx),                  \
    WN_FN(SIGNATURE_SIGN, signature_sign, wn_eddsa_sign),                        \
    WN_FN(SIGNATURE_VERIFY, signature_verify, wn_eddsa_verify),                  \
    WN_FN(SIGNATURE_GET_CTX_PARAMS, signature_get_ctx_params, wn_eddsa_get_ctx_params), \
    WN_FN(SIGNATURE_GETTABLE_CTX_PARAMS, signature_gettable_ctx_params, wn_eddsa_gettable), \
    WN_FN(SIGNATURE_SET_CTX_PARAMS, signature_set_ctx_params, wn_eddsa_set_ctx_params), \
    WN_FN(SIGNATURE_SETTABLE_CTX_PARAMS, signature_settable_ctx_params, wn_eddsa_settable), \
    WN_FN(SIGNATURE_QUERY_KEY_TYPES, signature_query_key_types, id##_key_types)

#define EDDSA_MESSAGE(f)                                                         \
    WN_FN(SIGNATURE_SIGN_MESSAGE_INIT, signature_sign_message_init, f),          \
    WN_FN(SIGNATURE_VERIFY_MESSAGE_INIT, signature_verify_message_init, f)

#define EDDSA_PLAIN(f)                                                           \
    WN_FN(SIGNATURE_SIGN_INIT, signature_sign_init, f),                          \
    WN_FN(SIGNATURE_VERIFY_INIT, signature_verify_init, f)

/* ED25519 and ED448: one-shot digest calls, and a choice of instance. */
#define EDDSA_BASE(id, instance, name)                                           \
    EDDSA_KEY_TYPES(id, name)                                                    \
    EDDSA_INIT(id##_message_init, instance, 1, 0)                                \
    EDDSA_INIT(id##_init, instance, 0, 1)                                        \
    static int id##_digest_init(void *ctx, const char *mdname, void *key,        \
                                const OSSL_PARAM params[])                       \
    { return start_digest(ctx, mdname, key, params, instance); }                 \
    const OSSL_DISPATCH wn_##id##_signature_functions[] = {                      \
        EDDSA_COMMON(id), EDDSA_MESSAGE(id##_message_init), EDDSA_PLAIN(id##_init), \
        WN_FN(SIGNATURE_DIGEST_SIGN_INIT, signature_digest_sign_init, id##_digest_init), \
        WN_FN(SIGNATURE_DIGEST_SIGN, signature_digest_sign, wn_eddsa_sign),      \
        WN_FN(SIGNATURE_DIGEST_VERIFY_INIT, signature_digest_verify_init, id##_digest_init), \
        WN_FN(SIGNATURE_DIGEST_VERIFY, signature_digest_verify, wn_eddsa_verify), \
        WN_FN_END                                                                \
    };
EDDSA_BASE(ed25519, I_ED25519, "ED25519")
EDDSA_BASE(ed448, I_ED448, "ED448")

/* ph instances: the sign and verify calls take the prehash. */
#define EDDSA_PH(id, instance, name)                                             \
    EDDSA_KEY_TYPES(id, name)                                                    \
    EDDSA_INIT(id##_message_init, instance, 1, 0)                                \
    EDDSA_INIT(id##_init, instance, 1, 1)                                        \
    const OSSL_DISPATCH wn_##id##_signature_functions[] = {                      \
        EDDSA_COMMON(id), EDDSA_MESSAGE(id##_message_init), EDDSA_PLAIN(id##_init), \
        WN_FN_END                                                                \
    };
EDDSA_PH(ed25519ph, I_ED25519PH, "ED25519")
EDDSA_PH(ed448ph, I_ED448PH, "ED448")

EDDSA_KEY_TYPES(ed25519ctx, "ED25519")
EDDSA_INIT(ed25519ctx_message_init, I_ED25519CTX, 1, 0)
const OSSL_DISPATCH wn_ed25519ctx_signature_functions[] = {
    EDDSA_COMMON(ed25519ctx), EDDSA_MESSAGE(ed25519ctx_message_init),
    WN_FN_END
};
