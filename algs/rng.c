/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The generators behind provider/rng.h.
 *
 * Each provider context has a list of generators that only grows; an entry
 * belongs to one thread (`owner`) or to none. A thread finds its own through a
 * small thread-local table, keyed by a number that no two provider contexts of
 * a process ever share, so that an entry of a context that is gone can never be
 * mistaken for a live one. The thread-local table needs no destructor: the core
 * calls thread_stop() when a thread ends, and teardown frees the whole list.
 *
 * OpenSSL tears a provider down before it forgets the provider's thread-stop
 * handlers, so a thread may end while its generators are freed. The handler
 * therefore gets the number, not a pointer, and looks it up among the live
 * contexts under a lock. That lock is taken when threads end and contexts are
 * made or freed, never when bytes are drawn.
 */
#include "../provider/rng.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../provider/fork.h"
#include "../provider/lock.h"
#include "drbg_ctr.h"
#include "entropy.h"

#include <wolfssl/wolfcrypt/random.h>

#define RESEED_REQUESTS (1u << 16)
#define RESEED_SECONDS 3600

struct generator {
    struct generator *next;         /* set before it is published */
    _Atomic uintptr_t owner;        /* a thread (see self()), 0 none */
    int seeded;
    uint32_t fork_id;
    uint32_t requests;
    time_t seeded_at;
    struct wn_ctr_drbg drbg;        /* last; wn_ctr_drbg_size() bytes */
};

struct wn_rng_state {
    uint64_t number;
    _Atomic(struct generator *) list;
    WC_RNG wc;                      /* heap: the provider context */
    struct wn_rng_state *next;      /* among the live ones */
};

static struct wn_rng_state *live;
static struct wn_lock live_lock;
static uint64_t last_number;

#define SLOTS 8
static _Thread_local struct {
    uint64_t number;
    struct generator *generator;
} slots[SLOTS];

/* Tells living threads apart. */
static uintptr_t self(void)
{
    return (uintptr_t)slots;
}

/* Off the hot path a system call does not matter. */
static uint32_t lock_live(void)
{
    uint32_t id = (uint32_t)getpid() & 0x3fffffff;

    wn_lock(&live_lock, id);
    return id;
}

static void unlock_live(uint32_t id)
{
    wn_unlock(&live_lock, id);
}

/* ---- generators of threads ------------------------------------------------- */

static size_t generator_size(void)
{
    return offsetof(struct generator, drbg) + wn_ctr_drbg_size();
}

static struct generator *find(const struct wn_rng_state *state, uintptr_t owner)
{
    struct generator *g;

    for (g = atomic_load_explicit(&state->list, memory_order_acquire); g != NULL; g = g->next)
        if (atomic_load_explicit(&g->owner, memory_order_relaxed) == owner)
            return g;
    return NULL;
}

static struct generator *take_free(const struct wn_rng_state *state)
{
    struct generator *g;
    uintptr_t none;

    for (g = atomic_load_explicit(&state->list, memory_order_acquire); g != NULL; g = g->next) {
        none = 0;
        if (atomic_compare_exchange_strong_explicit(&g->owner, &none, self(),
                                                    memory_order_acquire, memory_order_relaxed))
            return g;
    }
    return NULL;
}

static struct generator *make(const struct wn_prov *prov)
{
    struct generator *g = wn_secure_ctx_new(prov, generator_size());

    if (g == NULL)
        return NULL;
    wn_ctr_drbg_init(&g->drbg, prov, 32, 1);
    atomic_init(&g->owner, self());
    g->next = atomic_load_explicit(&prov->rng->list, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&prov->rng->list, &g->next, g,
                                                  memory_order_release, memory_order_relaxed))
        ;
    return g;
}

static void release(struct generator *g)
{
    wn_ctr_drbg_clear(&g->drbg);
    g->seeded = 0;
    atomic_store_explicit(&g->owner, 0, memory_order_release);
}

static void thread_stop(void *arg)
{
    uint64_t number = (uintptr_t)arg;
    struct wn_rng_state *state;
    struct generator *g;
    uint32_t lock = lock_live();

    for (state = live; state != NULL && (uintptr_t)state->number != number; state = state->next)
        ;
    if (state != NULL && (g = find(state, self())) != NULL)
        release(g);
    unlock_live(lock);
    if ((uintptr_t)slots[number % SLOTS].number == number)
        slots[number % SLOTS].number = 0;
}

/* The first use by a thread, or one of more than SLOTS contexts in turn. */
static struct generator *acquire(const struct wn_prov *prov)
{
    struct generator *g = find(prov->rng, self());
    uint64_t number = prov->rng->number;

    if (g == NULL) {
        g = take_free(prov->rng);
        if (g == NULL)
            g = make(prov);
        if (g == NULL)
            return NULL;
        /* without it the generator is wiped with the provider context */
        if (prov->core.thread_start != NULL)
            prov->core.thread_start(prov->handle, thread_stop, (void *)(uintptr_t)number);
    }
    slots[number % SLOTS].number = number;
    slots[number % SLOTS].generator = g;
    return g;
}

static struct generator *mine(const struct wn_prov *prov)
{
    uint64_t number = prov->rng->number;

    if (slots[number % SLOTS].number == number)
        return slots[number % SLOTS].generator;
    return acquire(prov);
}

/* ---- bytes ------------------------------------------------------------------ */

/* 384 bits: the entropy input and, from the same source, the nonce (SP 800-90A 8.6.7). */
static int seed(const struct wn_prov *prov, struct generator *g, uint32_t fork_id)
{
    const struct {
        struct generator *self;
        uint64_t number;
        uint32_t fork_id;
        char text[12];          /* no padding behind it: that is undefined */
    } pers = { g, prov->rng->number, fork_id, "wolfnano" };
    unsigned char *entropy;
    size_t n = wn_entropy_seed(prov, &entropy, 384, 48, 1024);
    struct wn_drbg_input in[3] = { { entropy, n }, { NULL, 0 }, { NULL, 0 } };

    g->seeded = 0;
    if (n == 0)
        return 0;
    in[2].d = (const unsigned char *)&pers;
    in[2].n = sizeof(pers);
    g->seeded = wn_ctr_drbg_instantiate(&g->drbg, in);
    wn_entropy_done(prov, entropy, n);
    g->fork_id = fork_id;
    g->requests = 0;
    g->seeded_at = time(NULL);
    return g->seeded;
}

static int fresh(const struct generator *g, uint32_t fork_id)
{
    time_t now = time(NULL);

    return g->seeded && g->fork_id == fork_id && g->requests < RESEED_REQUESTS
        && now >= g->seeded_at && now - g->seeded_at < RESEED_SECONDS;
}

static int draw(const struct wn_prov *prov, struct generator *g, unsigned char *out, size_t n)
{
    uint32_t fork_id = wn_fork_id(prov);

    if (!fresh(g, fork_id) && !seed(prov, g, fork_id))
        return 0;
    g->requests++;
    return wn_ctr_drbg_generate(&g->drbg, out, n, NULL);
}

int wn_rng_bytes(const struct wn_prov *prov, void *out, size_t n)
{
    struct generator *g = mine(prov);
    unsigned char *to = out;
    size_t done, piece;

    for (done = 0; done < n; done += piece) {
        piece = n - done < WN_CTR_DRBG_MAX_REQUEST ? n - done : WN_CTR_DRBG_MAX_REQUEST;
        if (g == NULL || !draw(prov, g, to + done, piece)) {
            wn_clear(out, n);
            return 0;
        }
    }
    return 1;
}

/* wolfCrypt's CUSTOM_RAND_GENERATE_BLOCK: 0 is success. */
int wn_rand_block(struct WC_RNG *rng, unsigned char *out, unsigned int n)
{
    const struct wn_prov *prov = rng->heap;
    int ok = prov != NULL ? wn_rng_bytes(prov, out, n) : wn_entropy_system(out, n);

    return ok ? 0 : RNG_FAILURE_E;
}

WC_RNG *wn_rng(const struct wn_prov *prov)
{
    return &prov->rng->wc;
}

/* ---- provider contexts ------------------------------------------------------ */

int wn_rng_init(struct wn_prov *prov)
{
    struct wn_rng_state *state = wn_zalloc(prov, sizeof(*state));
    uint32_t lock;

    if (state == NULL)
        return 0;
    state->wc.heap = prov;
    lock = lock_live();
    state->number = ++last_number;
    state->next = live;
    live = state;
    unlock_live(lock);
    prov->rng = state;
    return 1;
}

void wn_rng_cleanup(struct wn_prov *prov)
{
    struct wn_rng_state **at, *state = prov->rng;
    struct generator *g, *next;
    uint32_t lock;

    if (state == NULL)
        return;
    lock = lock_live();
    for (at = &live; *at != NULL && *at != state; at = &(*at)->next)
        ;
    if (*at != NULL)
        *at = state->next;
    unlock_live(lock);
    for (g = atomic_load_explicit(&state->list, memory_order_acquire); g != NULL; g = next) {
        next = g->next;
        wn_secure_ctx_free(prov, g, generator_size());
    }
    wn_free(prov, state);
    prov->rng = NULL;
}
