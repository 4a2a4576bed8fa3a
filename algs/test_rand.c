/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_RAND "TEST-RAND": no random generator. It hands out what a test gave it,
 * or with "generate" the same sequence each time (EVP_RAND-TEST-RAND(7)).
 */
#include "drbg.h"

#include <limits.h>
#include <string.h>

#include <openssl/evp.h>

#include "../provider/alglist.h"
#include "../provider/fn.h"
#include "../provider/fork.h"

#define FIRST_STATE 221953166u      /* OpenSSL's, so that the sequence is the same */

struct test_rand {
    const struct wn_prov *prov;
    int state, locking;
    struct wn_lock lock;
    unsigned strength, generate;
    size_t max_request;
    unsigned char *entropy, *nonce;
    size_t entropylen, at, noncelen;    /* at: entropy given out already */
    uint32_t sequence;
};

static void *test_rand_newctx(void *vprov, void *parent, const OSSL_DISPATCH *functions)
{
    const struct wn_prov *prov = vprov;
    struct test_rand *t = wn_zalloc(prov, sizeof(*t));

    (void)parent;
    (void)functions;
    if (t != NULL) {
        t->prov = prov;
        t->state = EVP_RAND_STATE_UNINITIALISED;
        t->max_request = INT_MAX;
    }
    return t;
}

static void test_rand_freectx(void *vctx)
{
    struct test_rand *t = vctx;

    if (t == NULL)
        return;
    wn_free(t->prov, t->entropy);
    wn_free(t->prov, t->nonce);
    wn_free(t->prov, t);
}

#define TEST_RAND_SET(P)                                            \
    P(entropy, octet_string, OSSL_RAND_PARAM_TEST_ENTROPY)          \
    P(nonce, octet_string, OSSL_RAND_PARAM_TEST_NONCE)              \
    P(strength, uint, OSSL_RAND_PARAM_STRENGTH)                     \
    P(max_request, size_t, OSSL_RAND_PARAM_MAX_REQUEST)             \
    P(generate, uint, OSSL_RAND_PARAM_GENERATE)
WN_PARAMS(test_rand_set, TEST_RAND_SET);

static const OSSL_PARAM *test_rand_settable(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return test_rand_set_list;
}

/* A copy of the parameter's bytes instead of *d; absent: as it was. */
static int replace(const struct wn_prov *prov, const OSSL_PARAM *p, unsigned char **d, size_t *n)
{
    const unsigned char *bytes = NULL;
    unsigned char *copy;
    size_t len = 0;

    if (p == NULL)
        return 1;
    if (!wn_param_take_octets(prov, p, &bytes, &len))
        return 0;
    copy = wn_memdup(prov, bytes, len);
    if (copy == NULL)
        return 0;
    wn_free(prov, *d);
    *d = copy;
    *n = len;
    return 1;
}

static int test_rand_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct test_rand *t = vctx;
    struct test_rand_set p;
    unsigned strength = t->strength, generate = t->generate;
    size_t max_request = t->max_request;

    if (wn_params_empty(params))
        return 1;
    if (!WN_PARAMS_SCAN(t->prov, test_rand_set, params, &p)
        || !wn_param_take_uint(t->prov, p.strength, &strength)
        || !wn_param_take_uint(t->prov, p.generate, &generate)
        || !wn_param_take_size_t(t->prov, p.max_request, &max_request)
        || !replace(t->prov, p.entropy, &t->entropy, &t->entropylen)
        || !replace(t->prov, p.nonce, &t->nonce, &t->noncelen))
        return 0;
    if (p.entropy != NULL)
        t->at = 0;
    t->strength = strength;
    t->generate = generate;
    t->max_request = max_request;
    return 1;
}

static int strong(const struct test_rand *t, unsigned strength)
{
    if (strength > t->strength)
        WN_RAISE(t->prov, PROV_R_INSUFFICIENT_DRBG_STRENGTH);
    return strength <= t->strength;
}

static int test_rand_instantiate(void *vctx, unsigned strength, int prediction_resistance,
                                 const unsigned char *pers, size_t perslen,
                                 const OSSL_PARAM params[])
{
    struct test_rand *t = vctx;

    (void)prediction_resistance;
    (void)pers;
    (void)perslen;
    if (!test_rand_set_ctx_params(t, params) || !strong(t, strength))
        return 0;
    t->state = EVP_RAND_STATE_READY;
    t->at = 0;
    t->sequence = FIRST_STATE;
    return 1;
}

static int test_rand_uninstantiate(void *vctx)
{
    struct test_rand *t = vctx;

    t->at = 0;
    t->state = EVP_RAND_STATE_UNINITIALISED;
    return 1;
}

/* Marsaglia's 32-bit xorshift (Journal of Statistical Software 8(14), 2003);
 * the low byte of each number counts. */
static void sequence(struct test_rand *t, unsigned char *out, size_t n)
{
    for (; n > 0; n--) {
        t->sequence ^= t->sequence << 13;
        t->sequence ^= t->sequence >> 17;
        t->sequence ^= t->sequence << 5;
        *out++ = (unsigned char)t->sequence;
    }
}

static int test_rand_generate(void *vctx, unsigned char *out, size_t n, unsigned strength,
                              int prediction_resistance, const unsigned char *adin, size_t adinlen)
{
    struct test_rand *t = vctx;

    (void)prediction_resistance;
    (void)adin;
    (void)adinlen;
    if (!strong(t, strength))
        return 0;
    if (t->generate) {
        sequence(t, out, n);
        return 1;
    }
    if (n > t->entropylen - t->at) {
        WN_RAISE_OWN(t->prov, WN_R_NO_ENTROPY, NULL);
        return 0;
    }
    if (n > 0)
        memcpy(out, t->entropy + t->at, n);
    t->at += n;
    return 1;
}

static int test_rand_reseed(void *ctx, int prediction_resistance, const unsigned char *ent,
                            size_t entlen, const unsigned char *adin, size_t adinlen)
{
    (void)ctx;
    (void)prediction_resistance;
    (void)ent;
    (void)entlen;
    (void)adin;
    (void)adinlen;
    return 1;
}

static size_t test_rand_nonce(void *vctx, unsigned char *out, unsigned strength, size_t min,
                              size_t max)
{
    struct test_rand *t = vctx;
    size_t n;

    if (!strong(t, strength))
        return 0;
    if (t->generate) {
        if (out != NULL)
            sequence(t, out, min);
        return min;
    }
    if (t->nonce == NULL)
        return 0;
    n = t->noncelen > max ? max : t->noncelen;
    if (out != NULL)
        memcpy(out, t->nonce, n);
    return n;
}

#define TEST_RAND_GET(P)                                    \
    P(state, int, OSSL_RAND_PARAM_STATE)                    \
    P(strength, uint, OSSL_RAND_PARAM_STRENGTH)             \
    P(max_request, size_t, OSSL_RAND_PARAM_MAX_REQUEST)     \
    P(generate, uint, OSSL_RAND_PARAM_GENERATE)
WN_PARAMS(test_rand_get, TEST_RAND_GET);

static const OSSL_PARAM *test_rand_gettable(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return test_rand_get_list;
}

static int test_rand_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct test_rand *t = vctx;
    struct test_rand_get p;

    return WN_PARAMS_SCAN(t->prov, test_rand_get, params, &p)
        && wn_param_give_int(t->prov, p.state, t->state)
        && wn_param_give_uint(t->prov, p.strength, t->strength)
        && wn_param_give_size_t(t->prov, p.max_request, t->max_request)
        && wn_param_give_uint(t->prov, p.generate, t->generate);
}

static int test_rand_verify_zeroization(void *ctx)
{
    (void)ctx;
    return 1;
}

/* The test's own bytes, not a copy: there is no clear_seed. */
static size_t test_rand_get_seed(void *vctx, unsigned char **out, int bits, size_t min,
                                 size_t max, int prediction_resistance,
                                 const unsigned char *adin, size_t adinlen)
{
    struct test_rand *t = vctx;

    (void)bits;
    (void)min;
    (void)prediction_resistance;
    (void)adin;
    (void)adinlen;
    *out = t->entropy;
    return t->entropylen > max ? max : t->entropylen;
}

static int test_rand_enable_locking(void *vctx)
{
    struct test_rand *t = vctx;

    if (t != NULL)
        t->locking = 1;
    return 1;
}

static int test_rand_lock(void *vctx)
{
    struct test_rand *t = vctx;

    if (t != NULL && t->locking)
        wn_lock(&t->lock, wn_fork_id(t->prov));
    return 1;
}

static void test_rand_unlock(void *vctx)
{
    struct test_rand *t = vctx;

    if (t != NULL && t->locking)
        wn_unlock(&t->lock, wn_fork_id(t->prov));
}

const OSSL_DISPATCH wn_test_rand_functions[] = {
    WN_FN(RAND_NEWCTX, rand_newctx, test_rand_newctx),
    WN_FN(RAND_FREECTX, rand_freectx, test_rand_freectx),
    WN_FN(RAND_INSTANTIATE, rand_instantiate, test_rand_instantiate),
    WN_FN(RAND_UNINSTANTIATE, rand_uninstantiate, test_rand_uninstantiate),
    WN_FN(RAND_GENERATE, rand_generate, test_rand_generate),
    WN_FN(RAND_RESEED, rand_reseed, test_rand_reseed),
    WN_FN(RAND_NONCE, rand_nonce, test_rand_nonce),
    WN_FN(RAND_ENABLE_LOCKING, rand_enable_locking, test_rand_enable_locking),
    WN_FN(RAND_LOCK, rand_lock, test_rand_lock),
    WN_FN(RAND_UNLOCK, rand_unlock, test_rand_unlock),
    WN_FN(RAND_GETTABLE_CTX_PARAMS, rand_gettable_ctx_params, test_rand_gettable),
    WN_FN(RAND_SETTABLE_CTX_PARAMS, rand_settable_ctx_params, test_rand_settable),
    WN_FN(RAND_GET_CTX_PARAMS, rand_get_ctx_params, test_rand_get_ctx_params),
    WN_FN(RAND_SET_CTX_PARAMS, rand_set_ctx_params, test_rand_set_ctx_params),
    WN_FN(RAND_VERIFY_ZEROIZATION, rand_verify_zeroization, test_rand_verify_zeroization),
    WN_FN(RAND_GET_SEED, rand_get_seed, test_rand_get_seed),
    WN_FN_END
};
