/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_RAND "SEED-SRC": the operating system's entropy as the root of OpenSSL's
 * generators (EVP_RAND-SEED-SRC(7)). No state but "instantiated", hence no lock
 * and nothing to be wrong after a fork; no file descriptor (see entropy.h).
 */
#include "drbg.h"

#include <string.h>

#include <openssl/evp.h>
#include <openssl/randerr.h>

#include "../provider/alglist.h"
#include "../provider/fn.h"
#include "entropy.h"

#define STRENGTH 1024
#define MAX_REQUEST 128

struct seed_src {
    const struct wn_prov *prov;
    int state;
};

static void *seed_src_newctx(void *vprov, void *parent, const OSSL_DISPATCH *functions)
{
    const struct wn_prov *prov = vprov;
    struct seed_src *s;

    (void)functions;
    if (parent != NULL) {
        WN_RAISE(prov, PROV_R_SEED_SOURCES_MUST_NOT_HAVE_A_PARENT);
        return NULL;
    }
    s = wn_zalloc(prov, sizeof(*s));
    if (s != NULL) {
        s->prov = prov;
        s->state = EVP_RAND_STATE_UNINITIALISED;
    }
    return s;
}

static void seed_src_freectx(void *vctx)
{
    struct seed_src *s = vctx;

    if (s != NULL)
        wn_free(s->prov, s);
}

static int seed_src_instantiate(void *vctx, unsigned strength, int prediction_resistance,
                                const unsigned char *pers, size_t perslen,
                                const OSSL_PARAM params[])
{
    struct seed_src *s = vctx;

    (void)strength;
    (void)prediction_resistance;
    (void)pers;
    (void)perslen;
    (void)params;
    s->state = EVP_RAND_STATE_READY;
    return 1;
}

static int seed_src_uninstantiate(void *vctx)
{
    struct seed_src *s = vctx;

    s->state = EVP_RAND_STATE_UNINITIALISED;
    return 1;
}

static int ready(const struct seed_src *s)
{
    if (s->state != EVP_RAND_STATE_READY)
        WN_RAISE(s->prov, PROV_R_NOT_INSTANTIATED);
    return s->state == EVP_RAND_STATE_READY;
}

/* Additional input is xored in: it cannot harm, and tells callers apart. */
static int fill(const struct seed_src *s, unsigned char *out, size_t n,
                const unsigned char *adin, size_t adinlen)
{
    size_t i;

    if (!wn_entropy_bytes(s->prov, out, n)) {
        wn_clear(out, n);
        return 0;
    }
    for (i = 0; adin != NULL && n > 0 && i < adinlen; i++)
        out[i % n] ^= adin[i];
    return 1;
}

static int seed_src_generate(void *vctx, unsigned char *out, size_t n, unsigned strength,
                             int prediction_resistance, const unsigned char *adin, size_t adinlen)
{
    const struct seed_src *s = vctx;

    (void)prediction_resistance;
    if (!ready(s))
        return 0;
    if (strength > 8 * (uint64_t)n) {
        /* a bit of entropy needs a bit of room */
        WN_RAISE_LIB(s->prov, ERR_LIB_RAND, RAND_R_RANDOM_POOL_OVERFLOW);
        return 0;
    }
    return fill(s, out, n, adin, adinlen);
}

static int seed_src_reseed(void *vctx, int prediction_resistance, const unsigned char *ent,
                           size_t entlen, const unsigned char *adin, size_t adinlen)
{
    (void)prediction_resistance;
    (void)ent;
    (void)entlen;
    (void)adin;
    (void)adinlen;
    return ready(vctx);
}

#define SEED_SRC_GET(P)                             \
    P(state, int, OSSL_RAND_PARAM_STATE)            \
    P(strength, uint, OSSL_RAND_PARAM_STRENGTH)     \
    P(max_request, size_t, OSSL_RAND_PARAM_MAX_REQUEST)
WN_PARAMS(seed_src_get, SEED_SRC_GET);

static const OSSL_PARAM *seed_src_gettable(void *ctx, void *prov)
{
    (void)ctx;
    (void)prov;
    return seed_src_get_list;
}

static int seed_src_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    const struct seed_src *s = vctx;
    struct seed_src_get p;

    return WN_PARAMS_SCAN(s->prov, seed_src_get, params, &p)
        && wn_param_give_int(s->prov, p.state, s->state)
        && wn_param_give_uint(s->prov, p.strength, STRENGTH)
        && wn_param_give_size_t(s->prov, p.max_request, MAX_REQUEST);
}

static int seed_src_verify_zeroization(void *ctx)
{
    (void)ctx;
    return 1;
}

static size_t seed_src_get_seed(void *vctx, unsigned char **out, int bits, size_t min, size_t max,
                                int prediction_resistance, const unsigned char *adin,
                                size_t adinlen)
{
    const struct seed_src *s = vctx;
    size_t n = bits >= 0 ? ((size_t)bits + 7) / 8 : 0;
    unsigned char *seed;

    (void)prediction_resistance;
    n = n < min ? min : n;
    if (n > max) {
        WN_RAISE(s->prov, PROV_R_ENTROPY_SOURCE_STRENGTH_TOO_WEAK);
        return 0;
    }
    seed = wn_secure_malloc(s->prov, n);
    if (seed == NULL)
        return 0;
    if (!fill(s, seed, n, adin, adinlen)) {
        wn_secure_free(s->prov, seed, n);
        return 0;
    }
    *out = seed;
    return n;
}

static void seed_src_clear_seed(void *vctx, unsigned char *seed, size_t n)
{
    const struct seed_src *s = vctx;

    wn_secure_free(s->prov, seed, n);
}

static int seed_src_enable_locking(void *ctx)
{
    (void)ctx;
    return 1;
}

const OSSL_DISPATCH wn_seed_src_functions[] = {
    WN_FN(RAND_NEWCTX, rand_newctx, seed_src_newctx),
    WN_FN(RAND_FREECTX, rand_freectx, seed_src_freectx),
    WN_FN(RAND_INSTANTIATE, rand_instantiate, seed_src_instantiate),
    WN_FN(RAND_UNINSTANTIATE, rand_uninstantiate, seed_src_uninstantiate),
    WN_FN(RAND_GENERATE, rand_generate, seed_src_generate),
    WN_FN(RAND_RESEED, rand_reseed, seed_src_reseed),
    WN_FN(RAND_ENABLE_LOCKING, rand_enable_locking, seed_src_enable_locking),
    WN_FN(RAND_LOCK, rand_lock, wn_drbg_lock_hint),
    WN_FN(RAND_UNLOCK, rand_unlock, wn_drbg_unlock_hint),
    WN_FN(RAND_GETTABLE_CTX_PARAMS, rand_gettable_ctx_params, seed_src_gettable),
    WN_FN(RAND_GET_CTX_PARAMS, rand_get_ctx_params, seed_src_get_ctx_params),
    WN_FN(RAND_VERIFY_ZEROIZATION, rand_verify_zeroization, seed_src_verify_zeroization),
    WN_FN(RAND_GET_SEED, rand_get_seed, seed_src_get_seed),
    WN_FN(RAND_CLEAR_SEED, rand_clear_seed, seed_src_clear_seed),
    WN_FN_END
};
