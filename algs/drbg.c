/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of a deterministic generator (SP 800-90A rev. 1 section 9); see
 * drbg.h. A generator is in the error state while it is seeded, so whatever
 * goes wrong leaves it there; the next request tries to start it again, as
 * OpenSSL's does.
 *
 * It reseeds before a request when a fork, the number of requests, time, or a
 * newer seed of its parent asks for it.
 */
#include "drbg.h"

#include <string.h>

#include <openssl/evp.h>
#include <openssl/randerr.h>

#include "../provider/fork.h"
#include "entropy.h"

#define RESEED_REQUESTS 256
#define RESEED_TIME_INTERVAL 3600

/*
 * Without a personalisation string both providers use this one (with its
 * terminator), so that the same entropy gives the same bytes.
 */
static const char default_pers[] = "OpenSSL NIST SP 800-90A DRBG";

/* ---- locks ------------------------------------------------------------------ */

static uint32_t lock(struct wn_drbg *d)
{
    uint32_t id = wn_fork_id(d->prov);

    if (d->locking)
        wn_lock(&d->lock, id);
    return id;
}

static void unlock(struct wn_drbg *d, uint32_t id)
{
    if (d->locking)
        wn_unlock(&d->lock, id);
}

int wn_drbg_lock_hint(void *ctx)
{
    (void)ctx;
    return 1;
}

void wn_drbg_unlock_hint(void *ctx)
{
    (void)ctx;
}

int wn_drbg_enable_locking(void *vctx)
{
    struct wn_drbg *d = vctx;

    if (d == NULL || d->locking)
        return 1;
    if (d->parent_enable_locking != NULL && !d->parent_enable_locking(d->parent)) {
        WN_RAISE(d->prov, PROV_R_PARENT_LOCKING_NOT_ENABLED);
        return 0;
    }
    d->locking = 1;
    return 1;
}

/* ---- the parent --------------------------------------------------------------- */

static int lock_parent(const struct wn_drbg *d)
{
    if (d->parent_lock == NULL || d->parent_lock(d->parent))
        return 1;
    WN_RAISE(d->prov, PROV_R_UNABLE_TO_LOCK_PARENT);
    return 0;
}

static void unlock_parent(const struct wn_drbg *d)
{
    if (d->parent_unlock != NULL)
        d->parent_unlock(d->parent);
}

static int parent_uint(const struct wn_drbg *d, const char *key, unsigned *v)
{
    OSSL_PARAM params[] = { OSSL_PARAM_uint(key, v), OSSL_PARAM_END };
    int ok;

    if (d->parent_get_ctx_params == NULL || !lock_parent(d))
        return 0;
    ok = d->parent_get_ctx_params(d->parent, params);
    unlock_parent(d);
    return ok;
}

static int parent_strength(const struct wn_drbg *d, unsigned *v)
{
    if (parent_uint(d, OSSL_RAND_PARAM_STRENGTH, v))
        return 1;
    WN_RAISE(d->prov, PROV_R_UNABLE_TO_GET_PARENT_STRENGTH);
    return 0;
}

/* A seed source has no counter, which counts as 0 for ever. */
static unsigned parent_reseeds(const struct wn_drbg *d)
{
    unsigned n = 0;

    if (d->parent_get_ctx_params == wn_drbg_get_ctx_params)
        return atomic_load_explicit(&((struct wn_drbg *)d->parent)->reseed_counter,
                                    memory_order_relaxed);
    return parent_uint(d, OSSL_DRBG_PARAM_RESEED_COUNTER, &n) ? n : 0;
}

static size_t get_entropy(const struct wn_drbg *d, unsigned char **out, unsigned bits,
                          size_t min, size_t max, int prediction_resistance)
{
    unsigned strength;
    size_t n;

    if (d->parent == NULL)
        return wn_entropy_seed(d->prov, out, (int)bits, min, max);
    if (d->parent_get_seed == NULL) {
        WN_RAISE(d->prov, PROV_R_PARENT_CANNOT_SUPPLY_ENTROPY_SEED);
        return 0;
    }
    if (!parent_strength(d, &strength))
        return 0;
    if (d->strength > strength) {
        WN_RAISE(d->prov, PROV_R_PARENT_STRENGTH_TOO_WEAK);
        return 0;
    }
    if (!lock_parent(d))
        return 0;
    /* our address tells us apart from the parent's other children */
    n = d->parent_get_seed(d->parent, out, (int)bits, min, max, prediction_resistance,
                           (const unsigned char *)&d, sizeof(d));
    unlock_parent(d);
    return n;
}

static void done_entropy(const struct wn_drbg *d, unsigned char *entropy, size_t n)
{
    if (entropy == NULL)
        return;
    if (d->parent == NULL) {
        wn_entropy_done(d->prov, entropy, n);
    } else if (d->parent_clear_seed != NULL && lock_parent(d)) {
        d->parent_clear_seed(d->parent, entropy, n);
        unlock_parent(d);
    }
}

/* ---- seeding ------------------------------------------------------------------ */

/* Takes part in the counter after the seeding that is under way. */
static unsigned next_counter(const struct wn_drbg *d)
{
    unsigned n = atomic_load_explicit(&d->reseed_counter, memory_order_relaxed);

    /* 0 would mean that children need not care */
    return n == 0 ? 0 : n + 1 == 0 ? 1 : n + 1;
}

static void seeded(struct wn_drbg *d)
{
    d->state = EVP_RAND_STATE_READY;
    d->generate_counter = 1;
    d->reseed_time = time(NULL);
    d->fork_id = wn_fork_id(d->prov);
    atomic_store_explicit(&d->reseed_counter, next_counter(d), memory_order_relaxed);
    if (d->parent != NULL)
        d->parent_reseed_counter = parent_reseeds(d);
}

static int bad(const struct wn_drbg *d, int reason)
{
    WN_RAISE(d->prov, reason);
    return 0;
}

/* The nonce of a parent that gives nonces; the caller frees it. */
static int get_nonce(const struct wn_drbg *d, unsigned char **nonce, size_t *n)
{
    *n = d->parent_nonce(d->parent, NULL, d->strength, d->min_noncelen, d->max_noncelen);
    *nonce = *n == 0 ? NULL : wn_malloc(d->prov, *n);
    if (*nonce != NULL
        && d->parent_nonce(d->parent, *nonce, d->strength, d->min_noncelen, d->max_noncelen) == *n)
        return 1;
    return bad(d, PROV_R_ERROR_RETRIEVING_NONCE);
}

/* Section 9.1 from the entropy input on; in[2] is the personalisation string. */
static int instantiate_from(struct wn_drbg *d, struct wn_drbg_input in[3],
                            int prediction_resistance)
{
    unsigned bits = d->strength;
    size_t min = d->min_entropylen, max = d->max_entropylen, n;
    unsigned char *entropy = NULL;
    int ok;

    if (in[1].d == NULL && d->min_noncelen > 0) {
        /* no nonce: more entropy from the same source instead (section 8.6.7) */
        bits += d->strength / 2;
        min += d->min_noncelen;
        max += d->max_noncelen;
    }
    n = get_entropy(d, &entropy, bits, min, max, prediction_resistance);
    if (n < min || n > max || entropy == NULL) {
        done_entropy(d, entropy, n);
        return bad(d, PROV_R_ERROR_RETRIEVING_ENTROPY);
    }
    in[0].d = entropy;
    in[0].n = n;
    ok = d->mech->instantiate(d, in) || bad(d, PROV_R_ERROR_INSTANTIATING_DRBG);
    done_entropy(d, entropy, n);
    return ok;
}

static int instantiate(struct wn_drbg *d, unsigned strength, int prediction_resistance,
                       const unsigned char *pers, size_t perslen)
{
    struct wn_drbg_input in[3] = { { NULL, 0 }, { NULL, 0 }, { pers, perslen } };
    unsigned char *nonce = NULL;
    int ok = 1;

    if (strength > d->strength)
        return bad(d, PROV_R_INSUFFICIENT_DRBG_STRENGTH);
    if (pers == NULL) {
        in[2].d = (const unsigned char *)default_pers;
        in[2].n = sizeof(default_pers);
    }
    if (in[2].n > d->max_perslen)
        return bad(d, PROV_R_PERSONALISATION_STRING_TOO_LONG);
    if (d->state == EVP_RAND_STATE_ERROR)
        return bad(d, PROV_R_IN_ERROR_STATE);
    /* instantiated already: OpenSSL's own succeeds, and changes nothing */
    if (d->state == EVP_RAND_STATE_READY)
        return 1;
    d->state = EVP_RAND_STATE_ERROR;
    if (d->strength == 0)
        return bad(d, d->mech->missing) || bad(d, PROV_R_ERROR_INSTANTIATING_DRBG);
    if (d->min_noncelen > 0 && d->parent_nonce != NULL) {
        ok = get_nonce(d, &nonce, &in[1].n);
        in[1].d = nonce;
    }
    ok = ok && instantiate_from(d, in, prediction_resistance);
    wn_clear_free(d->prov, nonce, in[1].n);
    if (ok)
        seeded(d);
    return ok;
}

static void uninstantiate(struct wn_drbg *d)
{
    d->mech->clear(d);
    d->state = EVP_RAND_STATE_UNINITIALISED;
}

/* Ready, or made so from whatever state it is in. */
static int ready(struct wn_drbg *d)
{
    if (d->state == EVP_RAND_STATE_READY)
        return 1;
    if (d->state == EVP_RAND_STATE_ERROR)
        uninstantiate(d);
    if (instantiate(d, d->strength, 0, NULL, 0))
        return 1;
    return bad(d, d->state == EVP_RAND_STATE_ERROR ? PROV_R_IN_ERROR_STATE
                                                   : PROV_R_NOT_INSTANTIATED);
}

/* Section 9.2: the caller's entropy if any, and always our source's. */
static int reseed_from(struct wn_drbg *d, int prediction_resistance,
                       const struct wn_drbg_input *ent, const struct wn_drbg_input *adin)
{
    struct wn_drbg_input in[2] = { *ent, *adin };
    unsigned char *entropy = NULL;
    size_t n;
    int ok;

    if (ent->d != NULL) {
        if (!d->mech->reseed(d, in))
            return bad(d, PROV_R_UNABLE_TO_RESEED);
        in[1].d = NULL;
        in[1].n = 0;
    }
    n = get_entropy(d, &entropy, d->strength, d->min_entropylen, d->max_entropylen,
                    prediction_resistance);
    if (n < d->min_entropylen || n > d->max_entropylen || entropy == NULL) {
        done_entropy(d, entropy, n);
        return bad(d, PROV_R_ERROR_RETRIEVING_ENTROPY);
    }
    in[0].d = entropy;
    in[0].n = n;
    ok = d->mech->reseed(d, in) || bad(d, PROV_R_UNABLE_TO_RESEED);
    done_entropy(d, entropy, n);
    return ok;
}

static int reseed(struct wn_drbg *d, int prediction_resistance,
                  const struct wn_drbg_input *ent, const struct wn_drbg_input *adin)
{
    if (!ready(d))
        return 0;
    if (ent->d != NULL && (ent->n < d->min_entropylen || ent->n > d->max_entropylen)) {
        WN_RAISE_LIB(d->prov, ERR_LIB_RAND,
                     ent->n < d->min_entropylen ? RAND_R_ENTROPY_OUT_OF_RANGE
                                                : RAND_R_ENTROPY_INPUT_TOO_LONG);
        d->state = EVP_RAND_STATE_ERROR;
        return 0;
    }
    if (adin->n > d->max_adinlen)
        return bad(d, PROV_R_ADDITIONAL_INPUT_TOO_LONG);
    d->state = EVP_RAND_STATE_ERROR;
    if (!reseed_from(d, prediction_resistance, ent, adin))
        return 0;
    seeded(d);
    return 1;
}

/* ---- requests ----------------------------------------------------------------- */

static int wants_reseed(const struct wn_drbg *d, uint32_t fork_id)
{
    time_t now;

    if (d->fork_id != fork_id
        || (d->reseed_requests > 0 && d->generate_counter >= d->reseed_requests))
        return 1;
    if (d->reseed_time_interval > 0) {
        now = time(NULL);
        if (now < d->reseed_time || now - d->reseed_time >= d->reseed_time_interval)
            return 1;
    }
    return d->parent != NULL && parent_reseeds(d) != d->parent_reseed_counter;
}

/* Section 9.3. */
static int generate(struct wn_drbg *d, unsigned char *out, size_t n, unsigned strength,
                    int prediction_resistance, const struct wn_drbg_input *adin,
                    uint32_t fork_id)
{
    static const struct wn_drbg_input none;

    if (!ready(d))
        return 0;
    if (strength > d->strength)
        return bad(d, PROV_R_INSUFFICIENT_DRBG_STRENGTH);
    if (n > d->max_request)
        return bad(d, PROV_R_REQUEST_TOO_LARGE_FOR_DRBG);
    if (adin->n > d->max_adinlen)
        return bad(d, PROV_R_ADDITIONAL_INPUT_TOO_LONG);
    if (prediction_resistance || wants_reseed(d, fork_id)) {
        if (!reseed(d, prediction_resistance, &none, adin))
            return bad(d, PROV_R_RESEED_ERROR);
        adin = &none;
    }
    if (!d->mech->generate(d, out, n, adin)) {
        d->state = EVP_RAND_STATE_ERROR;
        wn_clear(out, n);
        return bad(d, PROV_R_GENERATE_ERROR);
    }
    d->generate_counter++;
    return 1;
}

int wn_drbg_generate(void *vctx, unsigned char *out, size_t n, unsigned strength,
                     int prediction_resistance, const unsigned char *adin, size_t adinlen)
{
    struct wn_drbg *d = vctx;
    struct wn_drbg_input in = { adin, adin != NULL ? adinlen : 0 };
    uint32_t id = lock(d);
    int ok = generate(d, out, n, strength, prediction_resistance, &in, id);

    unlock(d, id);
    return ok;
}

int wn_drbg_reseed(void *vctx, int prediction_resistance, const unsigned char *ent, size_t entlen,
                   const unsigned char *adin, size_t adinlen)
{
    struct wn_drbg *d = vctx;
    struct wn_drbg_input in[2] = {
        { ent, ent != NULL ? entlen : 0 }, { adin, adin != NULL ? adinlen : 0 }
    };
    uint32_t id = lock(d);
    int ok = reseed(d, prediction_resistance, &in[0], &in[1]);

    unlock(d, id);
    return ok;
}

static int apply(struct wn_drbg *d, const OSSL_PARAM params[]);

int wn_drbg_instantiate(void *vctx, unsigned strength, int prediction_resistance,
                        const unsigned char *pers, size_t perslen, const OSSL_PARAM params[])
{
    struct wn_drbg *d = vctx;
    uint32_t id = lock(d);
    int ok = apply(d, params)
        && instantiate(d, strength, prediction_resistance, pers, perslen);

    unlock(d, id);
    return ok;
}

int wn_drbg_uninstantiate(void *vctx)
{
    struct wn_drbg *d = vctx;
    uint32_t id = lock(d);

    uninstantiate(d);
    unlock(d, id);
    return 1;
}

int wn_drbg_verify_zeroization(void *vctx)
{
    struct wn_drbg *d = vctx;
    uint32_t id = lock(d);
    int ok = d->mech->is_clear(d);

    unlock(d, id);
    return ok;
}

/* ---- as a parent --------------------------------------------------------------- */

size_t wn_drbg_get_seed(void *vctx, unsigned char **out, int bits, size_t min, size_t max,
                        int prediction_resistance, const unsigned char *adin, size_t adinlen)
{
    struct wn_drbg *d = vctx;
    size_t n = bits >= 0 ? ((size_t)bits + 7) / 8 : 0;
    unsigned char *seed;

    n = n < min ? min : n;
    n = n > max ? max : n;
    seed = wn_secure_malloc(d->prov, n);
    if (seed == NULL)
        return 0;
    if (!wn_drbg_generate(d, seed, n, d->strength, prediction_resistance, adin, adinlen)) {
        wn_secure_free(d->prov, seed, n);
        return 0;
    }
    *out = seed;
    return n;
}

void wn_drbg_clear_seed(void *vctx, unsigned char *seed, size_t n)
{
    struct wn_drbg *d = vctx;

    wn_secure_free(d->prov, seed, n);
}

/* ---- parameters ------------------------------------------------------------------ */

static const char *const get_keys[] = { WN_DRBG_GET(WN_PARAM_KEY_) };
static const char *const set_keys[] = { WN_DRBG_SET(WN_PARAM_KEY_) };

int wn_drbg_take_digest(const struct wn_drbg *d, const OSSL_PARAM *p,
                        const struct wn_md_desc **md)
{
    const struct wn_md_desc *found = *md;

    if (!wn_md_take(d->prov, p, &found))
        return 0;
    if (found != NULL && (found->flags & WN_MD_XOF) != 0)
        return bad(d, PROV_R_XOF_DIGESTS_NOT_ALLOWED);
    *md = found;
    return 1;
}

/* SP 800-57 part 1 rev. 4 table 3, SP 800-90A rev. 1 table 2 */
void wn_drbg_digest_lengths(struct wn_drbg *d, const struct wn_md_desc *md)
{
    d->strength = 64 * (unsigned)(md->size / 8);
    if (d->strength > 256)
        d->strength = 256;
    d->min_entropylen = d->strength / 8;
    d->min_noncelen = d->min_entropylen / 2;
}

int wn_drbg_give_digest(const struct wn_drbg *d, OSSL_PARAM *p, const struct wn_md_desc *md)
{
    char name[WN_MD_NAME_MAX];

    if (p == NULL)
        return 1;
    if (md == NULL)
        return bad(d, PROV_R_MISSING_MESSAGE_DIGEST);
    return wn_param_give_utf8(d->prov, p, wn_md_name(md, name));
}

static int give_common(const struct wn_drbg *d, const struct wn_drbg_get *p)
{
    const struct wn_prov *prov = d->prov;

    return wn_param_give_int(prov, p->state, d->state)
        && wn_param_give_uint(prov, p->strength, d->strength)
        && wn_param_give_size_t(prov, p->min_entropylen, d->min_entropylen)
        && wn_param_give_size_t(prov, p->max_entropylen, d->max_entropylen)
        && wn_param_give_size_t(prov, p->min_noncelen, d->min_noncelen)
        && wn_param_give_size_t(prov, p->max_noncelen, d->max_noncelen)
        && wn_param_give_size_t(prov, p->max_perslen, d->max_perslen)
        && wn_param_give_size_t(prov, p->max_adinlen, d->max_adinlen)
        && wn_param_give_uint(prov, p->reseed_requests, d->reseed_requests)
        && wn_param_give_int64(prov, p->reseed_time, d->reseed_time)
        && wn_param_give_int64(prov, p->reseed_time_interval, d->reseed_time_interval);
}

/* The two that never need the lock; OpenSSL asks for the first before each request. */
static int give_unlocked(struct wn_drbg *d, const struct wn_drbg_get *p)
{
    return wn_param_give_size_t(d->prov, p->max_request, d->max_request)
        && wn_param_give_uint(d->prov, p->reseed_counter,
                              atomic_load_explicit(&d->reseed_counter, memory_order_relaxed));
}

int wn_drbg_get_ctx_params(void *vctx, OSSL_PARAM params[])
{
    struct wn_drbg *d = vctx;
    struct wn_drbg_get p;
    uint32_t id;
    int ok;

    if (params[0].key != NULL && params[1].key == NULL
        && strcmp(params[0].key, OSSL_RAND_PARAM_MAX_REQUEST) == 0)
        return wn_param_give_size_t(d->prov, &params[0], d->max_request);
    if (!wn_params_scan(d->prov, params, get_keys, sizeof(get_keys) / sizeof(get_keys[0]),
                        (OSSL_PARAM **)(void *)&p, 0)
        || !give_unlocked(d, &p))
        return 0;
    id = lock(d);
    ok = d->mech->give(d, &p) && give_common(d, &p);
    unlock(d, id);
    return ok;
}

static int apply(struct wn_drbg *d, const OSSL_PARAM params[])
{
    struct wn_drbg_set p;
    unsigned requests = d->reseed_requests;
    int64_t interval = d->reseed_time_interval;
    int changed;

    if (wn_params_empty(params))
        return 1;
    if (!wn_params_scan(d->prov, params, set_keys, sizeof(set_keys) / sizeof(set_keys[0]),
                        (OSSL_PARAM **)(void *)&p, 0)
        || !wn_param_take_uint(d->prov, p.reseed_requests, &requests)
        || !wn_param_take_int64(d->prov, p.reseed_time_interval, &interval))
        return 0;
    changed = d->mech->set(d, &p);
    if (changed == 0)
        return 0;
    if (changed == 2 && d->state == EVP_RAND_STATE_READY)
        uninstantiate(d);
    d->reseed_requests = requests;
    d->reseed_time_interval = (time_t)interval;
    return 1;
}

int wn_drbg_set_ctx_params(void *vctx, const OSSL_PARAM params[])
{
    struct wn_drbg *d = vctx;
    uint32_t id = lock(d);
    int ok = apply(d, params);

    unlock(d, id);
    return ok;
}

/* ---- contexts ------------------------------------------------------------------- */

static void take_parent(struct wn_drbg *d, const OSSL_DISPATCH *f)
{
    for (; f != NULL && f->function_id != 0; f++) {
        switch (f->function_id) {
        case OSSL_FUNC_RAND_ENABLE_LOCKING:
            d->parent_enable_locking = OSSL_FUNC_rand_enable_locking(f);
            break;
        case OSSL_FUNC_RAND_LOCK:
            d->parent_lock = OSSL_FUNC_rand_lock(f);
            break;
        case OSSL_FUNC_RAND_UNLOCK:
            d->parent_unlock = OSSL_FUNC_rand_unlock(f);
            break;
        case OSSL_FUNC_RAND_GET_CTX_PARAMS:
            d->parent_get_ctx_params = OSSL_FUNC_rand_get_ctx_params(f);
            break;
        case OSSL_FUNC_RAND_NONCE:
            d->parent_nonce = OSSL_FUNC_rand_nonce(f);
            break;
        case OSSL_FUNC_RAND_GET_SEED:
            d->parent_get_seed = OSSL_FUNC_rand_get_seed(f);
            break;
        case OSSL_FUNC_RAND_CLEAR_SEED:
            d->parent_clear_seed = OSSL_FUNC_rand_clear_seed(f);
            break;
        }
    }
}

void *wn_drbg_new(void *vprov, void *parent, const OSSL_DISPATCH *parent_functions,
                  const struct wn_drbg_mech *mech)
{
    const struct wn_prov *prov = vprov;
    struct wn_drbg *d = wn_secure_ctx_new(prov, mech->size());
    unsigned strength;

    if (d == NULL)
        return NULL;
    d->prov = prov;
    d->mech = mech;
    d->state = EVP_RAND_STATE_UNINITIALISED;
    d->parent = parent;
    if (parent != NULL)
        take_parent(d, parent_functions);
    d->max_request = WN_CTR_DRBG_MAX_REQUEST;
    d->max_entropylen = d->max_noncelen = WN_DRBG_MAX_LENGTH;
    d->max_perslen = d->max_adinlen = WN_DRBG_MAX_LENGTH;
    d->generate_counter = 1;
    atomic_init(&d->reseed_counter, 1);
    d->reseed_requests = RESEED_REQUESTS;
    d->reseed_time_interval = RESEED_TIME_INTERVAL;
    d->fork_id = wn_fork_id(prov);
    mech->init(d);
    if (parent != NULL && !parent_strength(d, &strength)) {
        wn_drbg_free(d);
        return NULL;
    }
    return d;
}

void wn_drbg_free(void *vctx)
{
    struct wn_drbg *d = vctx;

    if (d != NULL)
        wn_secure_ctx_free(d->prov, d, d->mech->size());
}
