/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_RAND's deterministic generators: what CTR-DRBG, HASH-DRBG and HMAC-DRBG
 * have in common (SP 800-90A rev. 1 section 9, provider-rand(7), EVP_RAND(7)).
 *
 * drbg.c keeps states, counters, limits, parents and locks; a mechanism only
 * turns inputs into a state and a state into bytes. A mechanism's context
 * begins with a struct wn_drbg. The lock is there only after enable_locking:
 * OpenSSL asks for it on generators that threads share, and each entry point
 * takes it itself (OpenSSL's own lock calls around it are hints).
 */
#ifndef WN_DRBG_H
#define WN_DRBG_H

#include <stdatomic.h>
#include <time.h>

#include "../provider/lock.h"
#include "../provider/params.h"
#include "digest.h"
#include "drbg_ctr.h"

/* Table 3 allows 2^35 bits; OpenSSL's limit. */
#define WN_DRBG_MAX_LENGTH ((size_t)INT32_MAX)

/* The parameters of all mechanisms, so that one scan serves them. */
#define WN_DRBG_GET_COMMON(P)                                       \
    P(state, int, OSSL_RAND_PARAM_STATE)                            \
    P(strength, uint, OSSL_RAND_PARAM_STRENGTH)                     \
    P(max_request, size_t, OSSL_RAND_PARAM_MAX_REQUEST)             \
    P(min_entropylen, size_t, OSSL_DRBG_PARAM_MIN_ENTROPYLEN)       \
    P(max_entropylen, size_t, OSSL_DRBG_PARAM_MAX_ENTROPYLEN)       \
    P(min_noncelen, size_t, OSSL_DRBG_PARAM_MIN_NONCELEN)           \
    P(max_noncelen, size_t, OSSL_DRBG_PARAM_MAX_NONCELEN)           \
    P(max_perslen, size_t, OSSL_DRBG_PARAM_MAX_PERSLEN)             \
    P(max_adinlen, size_t, OSSL_DRBG_PARAM_MAX_ADINLEN)             \
    P(reseed_counter, uint, OSSL_DRBG_PARAM_RESEED_COUNTER)         \
    P(reseed_time, time_t, OSSL_DRBG_PARAM_RESEED_TIME)             \
    P(reseed_requests, uint, OSSL_DRBG_PARAM_RESEED_REQUESTS)       \
    P(reseed_time_interval, uint64, OSSL_DRBG_PARAM_RESEED_TIME_INTERVAL)
#define WN_DRBG_SET_COMMON(P)                                       \
    P(reseed_requests, uint, OSSL_DRBG_PARAM_RESEED_REQUESTS)       \
    P(reseed_time_interval, uint64, OSSL_DRBG_PARAM_RESEED_TIME_INTERVAL)

#define WN_DRBG_CIPHER(P) P(cipher, utf8_string, OSSL_DRBG_PARAM_CIPHER)
#define WN_DRBG_DF(P) P(use_df, int, OSSL_DRBG_PARAM_USE_DF)
#define WN_DRBG_DIGEST(P) P(digest, utf8_string, OSSL_DRBG_PARAM_DIGEST)
#define WN_DRBG_MAC(P) P(mac, utf8_string, OSSL_DRBG_PARAM_MAC)
#define WN_DRBG_PROPERTIES(P) P(properties, utf8_string, OSSL_DRBG_PARAM_PROPERTIES)

#define WN_DRBG_GET(P)                                              \
    WN_DRBG_CIPHER(P) WN_DRBG_DF(P) WN_DRBG_MAC(P) WN_DRBG_DIGEST(P) WN_DRBG_GET_COMMON(P)
#define WN_DRBG_SET(P)                                              \
    WN_DRBG_PROPERTIES(P) WN_DRBG_CIPHER(P) WN_DRBG_DF(P) WN_DRBG_DIGEST(P) WN_DRBG_MAC(P) \
    WN_DRBG_SET_COMMON(P)

struct wn_drbg_get {
    WN_DRBG_GET(WN_PARAM_FIELD_)
};
struct wn_drbg_set {
    WN_DRBG_SET(WN_PARAM_FIELD_)
};

struct wn_drbg;

struct wn_drbg_mech {
    size_t (*size)(void);       /* of the whole context */
    int missing;                /* reason to raise when it was not configured */
    void (*init)(struct wn_drbg *d);
    /* Validates, then commits; returns 1, 0 (error raised), or 2: the state
     * there was no longer fits. Sets strength and length limits. */
    int (*set)(struct wn_drbg *d, const struct wn_drbg_set *p);
    int (*give)(const struct wn_drbg *d, const struct wn_drbg_get *p);
    /* entropy, nonce, personalisation string */
    int (*instantiate)(struct wn_drbg *d, const struct wn_drbg_input in[3]);
    /* entropy, additional input */
    int (*reseed)(struct wn_drbg *d, const struct wn_drbg_input in[2]);
    int (*generate)(struct wn_drbg *d, unsigned char *out, size_t n,
                    const struct wn_drbg_input *adin);
    void (*clear)(struct wn_drbg *d);
    int (*is_clear)(const struct wn_drbg *d);
};

struct wn_drbg {
    const struct wn_prov *prov;
    const struct wn_drbg_mech *mech;
    int state;                          /* EVP_RAND_STATE_* */
    int locking;
    struct wn_lock lock;
    void *parent;                       /* of any provider; NULL: the core's entropy */
    OSSL_FUNC_rand_enable_locking_fn *parent_enable_locking;
    OSSL_FUNC_rand_lock_fn *parent_lock;
    OSSL_FUNC_rand_unlock_fn *parent_unlock;
    OSSL_FUNC_rand_get_ctx_params_fn *parent_get_ctx_params;
    OSSL_FUNC_rand_nonce_fn *parent_nonce;
    OSSL_FUNC_rand_get_seed_fn *parent_get_seed;
    OSSL_FUNC_rand_clear_seed_fn *parent_clear_seed;
    unsigned strength;                  /* bits; 0: not configured */
    size_t max_request;
    size_t min_entropylen, max_entropylen, min_noncelen, max_noncelen, max_perslen, max_adinlen;
    unsigned generate_counter;          /* requests since seeding, from 1 */
    unsigned reseed_requests;           /* limit of them, 0 none */
    time_t reseed_time, reseed_time_interval;   /* interval 0: none */
    _Atomic unsigned reseed_counter;    /* seedings; children watch it without the lock */
    unsigned parent_reseed_counter;     /* the parent's when we last drew from it */
    uint32_t fork_id;
};

void *wn_drbg_new(void *vprov, void *parent, const OSSL_DISPATCH *parent_functions,
                  const struct wn_drbg_mech *mech);

/* For mechanisms on a digest: parameter "digest" (absent: *md stays), strength
 * and lengths by the digest's size, and the name back. */
int wn_drbg_take_digest(const struct wn_drbg *d, const OSSL_PARAM *p,
                        const struct wn_md_desc **md);
void wn_drbg_digest_lengths(struct wn_drbg *d, const struct wn_md_desc *md);
int wn_drbg_give_digest(const struct wn_drbg *d, OSSL_PARAM *p, const struct wn_md_desc *md);

OSSL_FUNC_rand_freectx_fn wn_drbg_free;
OSSL_FUNC_rand_instantiate_fn wn_drbg_instantiate;
OSSL_FUNC_rand_uninstantiate_fn wn_drbg_uninstantiate;
OSSL_FUNC_rand_generate_fn wn_drbg_generate;
OSSL_FUNC_rand_reseed_fn wn_drbg_reseed;
OSSL_FUNC_rand_enable_locking_fn wn_drbg_enable_locking;
OSSL_FUNC_rand_lock_fn wn_drbg_lock_hint;
OSSL_FUNC_rand_unlock_fn wn_drbg_unlock_hint;
OSSL_FUNC_rand_get_ctx_params_fn wn_drbg_get_ctx_params;
OSSL_FUNC_rand_set_ctx_params_fn wn_drbg_set_ctx_params;
OSSL_FUNC_rand_verify_zeroization_fn wn_drbg_verify_zeroization;
OSSL_FUNC_rand_get_seed_fn wn_drbg_get_seed;
OSSL_FUNC_rand_clear_seed_fn wn_drbg_clear_seed;

/*
 * wn_<id>_functions of a mechanism. GETTABLE and SETTABLE: its own parameters
 * as X-macros; the common ones follow.
 */
#define WN_DRBG_TABLE(id, mech, GETTABLE, SETTABLE)                                        \
    static void *id##_newctx(void *prov, void *parent, const OSSL_DISPATCH *functions)     \
    { return wn_drbg_new(prov, parent, functions, mech); }                                 \
    static const OSSL_PARAM *id##_gettable(void *ctx, void *prov)                          \
    {                                                                                      \
        static const OSSL_PARAM list[] = {                                                 \
            GETTABLE(WN_PARAM_DESC_) WN_DRBG_GET_COMMON(WN_PARAM_DESC_) OSSL_PARAM_END     \
        };                                                                                 \
        (void)ctx;                                                                         \
        (void)prov;                                                                        \
        return list;                                                                       \
    }                                                                                      \
    static const OSSL_PARAM *id##_settable(void *ctx, void *prov)                          \
    {                                                                                      \
        static const OSSL_PARAM list[] = {                                                 \
            SETTABLE(WN_PARAM_DESC_) WN_DRBG_SET_COMMON(WN_PARAM_DESC_) OSSL_PARAM_END     \
        };                                                                                 \
        (void)ctx;                                                                         \
        (void)prov;                                                                        \
        return list;                                                                       \
    }                                                                                      \
    const OSSL_DISPATCH wn_##id##_functions[] = {                                          \
        WN_FN(RAND_NEWCTX, rand_newctx, id##_newctx),                                      \
        WN_FN(RAND_FREECTX, rand_freectx, wn_drbg_free),                                   \
        WN_FN(RAND_INSTANTIATE, rand_instantiate, wn_drbg_instantiate),                    \
        WN_FN(RAND_UNINSTANTIATE, rand_uninstantiate, wn_drbg_uninstantiate),              \
        WN_FN(RAND_GENERATE, rand_generate, wn_drbg_generate),                             \
        WN_FN(RAND_RESEED, rand_reseed, wn_drbg_reseed),                                   \
        WN_FN(RAND_ENABLE_LOCKING, rand_enable_locking, wn_drbg_enable_locking),           \
        WN_FN(RAND_LOCK, rand_lock, wn_drbg_lock_hint),                                    \
        WN_FN(RAND_UNLOCK, rand_unlock, wn_drbg_unlock_hint),                              \
        WN_FN(RAND_GETTABLE_CTX_PARAMS, rand_gettable_ctx_params, id##_gettable),          \
        WN_FN(RAND_SETTABLE_CTX_PARAMS, rand_settable_ctx_params, id##_settable),          \
        WN_FN(RAND_GET_CTX_PARAMS, rand_get_ctx_params, wn_drbg_get_ctx_params),           \
        WN_FN(RAND_SET_CTX_PARAMS, rand_set_ctx_params, wn_drbg_set_ctx_params),           \
        WN_FN(RAND_VERIFY_ZEROIZATION, rand_verify_zeroization, wn_drbg_verify_zeroization), \
        WN_FN(RAND_GET_SEED, rand_get_seed, wn_drbg_get_seed),                             \
        WN_FN(RAND_CLEAR_SEED, rand_clear_seed, wn_drbg_clear_seed),                       \
        WN_FN_END                                                                          \
    };

#endif
