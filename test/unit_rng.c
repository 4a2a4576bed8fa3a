/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The module's own generators (provider/rng.h) with a core made of libc, which
 * any number of threads may use at once: threads, forks, several provider
 * contexts, teardown while threads end, no entropy.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox.h"
#include "wntest.h"

#include "algs/entropy.h"
#include "algs/wolf.h"
#include "provider/err.h"
#include "provider/fork.h"
#include "provider/lock.h"
#include "provider/mem.h"
#include "provider/rng.h"

#include <wolfssl/wolfcrypt/random.h>

/* ---- a core --------------------------------------------------------------- */

static _Atomic long live_blocks, seeds, errors;
static _Atomic int no_entropy;
static _Atomic uint32_t last_reason;

static void *t_malloc(size_t n, const char *file, int line)
{
    (void)file;
    (void)line;
    live_blocks++;
    return malloc(n);
}

static void *t_zalloc(size_t n, const char *file, int line)
{
    return memset(t_malloc(n, file, line), 0, n);
}

static void t_free(void *p, const char *file, int line)
{
    (void)file;
    (void)line;
    if (p != NULL)
        live_blocks--;
    free(p);
}

static void t_clear_free(void *p, size_t n, const char *file, int line)
{
    (void)n;
    t_free(p, file, line);
}

static void t_new_error(const OSSL_CORE_HANDLE *handle)
{
    (void)handle;
    errors++;
}

static void t_debug(const OSSL_CORE_HANDLE *handle, const char *file, int line, const char *func)
{
    (void)handle;
    (void)file;
    (void)line;
    (void)func;
}

static void t_vset_error(const OSSL_CORE_HANDLE *handle, uint32_t reason, const char *fmt,
                         va_list args)
{
    (void)handle;
    (void)fmt;
    (void)args;
    last_reason = reason;
}

static size_t t_get_entropy(const OSSL_CORE_HANDLE *handle, unsigned char **out, int bits,
                            size_t min, size_t max)
{
    size_t n = ((size_t)bits + 7) / 8;

    (void)handle;
    if (no_entropy)
        return 0;
    n = n < min ? min : n;
    assert_true(n <= max);
    *out = t_malloc(n, __FILE__, __LINE__);
    seeds++;
    return wn_entropy_system(*out, n) ? n : 0;
}

static void t_cleanup_entropy(const OSSL_CORE_HANDLE *handle, unsigned char *p, size_t n)
{
    (void)handle;
    t_clear_free(p, n, __FILE__, __LINE__);
}

/* thread-stop handlers of the calling thread, run by t_thread_end() */
static _Thread_local struct {
    OSSL_thread_stop_handler_fn handler;
    void *arg;
} handlers[64];
static _Thread_local size_t n_handlers;

static int t_thread_start(const OSSL_CORE_HANDLE *handle, OSSL_thread_stop_handler_fn handler,
                          void *arg)
{
    (void)handle;
    if (n_handlers == sizeof(handlers) / sizeof(handlers[0]))
        return 0;
    handlers[n_handlers].handler = handler;
    handlers[n_handlers++].arg = arg;
    return 1;
}

static void t_thread_end(void)
{
    while (n_handlers > 0) {
        n_handlers--;
        handlers[n_handlers].handler(handlers[n_handlers].arg);
    }
}

static struct wn_prov *new_prov(void)
{
    struct wn_prov *prov = calloc(1, sizeof(*prov));

    prov->core_version = WN_CORE_VERSION(3, 0);
    prov->core.malloc = t_malloc;
    prov->core.zalloc = t_zalloc;
    prov->core.free = t_free;
    prov->core.clear_free = t_clear_free;
    prov->core.new_error = t_new_error;
    prov->core.set_error_debug = t_debug;
    prov->core.vset_error = t_vset_error;
    prov->core.thread_start = t_thread_start;
    prov->core.get_entropy = t_get_entropy;
    prov->core.cleanup_entropy = t_cleanup_entropy;
    assert_true(wn_fork_new(prov));
    assert_true(wn_rng_init(prov));
    return prov;
}

static void free_prov(struct wn_prov *prov)
{
    wn_rng_cleanup(prov);
    wn_fork_free(prov);
    free(prov);
}

static int setup(void **state)
{
    (void)state;
    live_blocks = seeds = errors = 0;
    no_entropy = 0;
    return 0;
}

/* What was not freed or was raised without being asked for. */
static int teardown(void **state)
{
    (void)state;
    t_thread_end();
    if (live_blocks != 0 || errors != 0)
        fprintf(stderr, "%ld blocks left, %ld errors\n", live_blocks, errors);
    return live_blocks != 0 || errors != 0;
}

/* ---- tests ------------------------------------------------------------------ */

static int all_zero(const unsigned char *p, size_t n)
{
    unsigned char any = 0;

    while (n-- > 0)
        any |= *p++;
    return any == 0;
}

static void bytes_differ(void **state)
{
    struct wn_prov *prov = new_prov();
    unsigned char a[3][64], *big = malloc(300001);
    size_t ones = 0, i, j;

    (void)state;
    for (i = 0; i < 3; i++)
        assert_true(wn_rng_bytes(prov, a[i], sizeof(a[i])));
    assert_memory_not_equal(a[0], a[1], 64);
    assert_memory_not_equal(a[1], a[2], 64);
    assert_true(wn_rng_bytes(prov, a[0], 0));
    /* several requests in one call: every 16-byte block is new, bits are balanced */
    big[300000] = 0x5a;
    assert_true(wn_rng_bytes(prov, big, 300000));
    assert_int_equal(big[300000], 0x5a);
    for (i = 0; i < 300000; i++)
        ones += (size_t)__builtin_popcount(big[i]);
    assert_in_range(ones, 1200000 - 6000, 1200000 + 6000);
    for (i = 0; i < 300000; i += 16)
        for (j = 0; j < i && i < 4096; j += 16)
            assert_memory_not_equal(big + i, big + j, 16);
    free(big);
    free_prov(prov);
}

static void wolfcrypt_draws_from_it(void **state)
{
    struct wn_prov *prov = new_prov();
    unsigned char a[64] = { 0 }, b[64] = { 0 };
    long before;
    WC_RNG own;

    (void)state;
    assert_int_equal(wc_RNG_GenerateBlock(wn_rng(prov), a, sizeof(a)), 0);
    assert_int_equal(wc_RNG_GenerateBlock(wn_rng(prov), b, sizeof(b)), 0);
    assert_memory_not_equal(a, b, sizeof(a));
    assert_int_equal(seeds, 1);
    /* one that wolfCrypt makes for itself needs no provider context */
    before = seeds;
    assert_int_equal(wc_InitRng(&own), 0);
    assert_int_equal(wc_RNG_GenerateBlock(&own, b, sizeof(b)), 0);
    assert_false(all_zero(b, sizeof(b)));
    assert_int_equal(seeds, before);
    wc_FreeRng(&own);
    free_prov(prov);
}

static void no_entropy_is_an_error(void **state)
{
    struct wn_prov *prov = new_prov();
    unsigned char a[32];

    (void)state;
    no_entropy = 1;
    memset(a, 0xa5, sizeof(a));
    assert_false(wn_rng_bytes(prov, a, sizeof(a)));
    assert_true(all_zero(a, sizeof(a)));
    assert_int_equal(last_reason, WN_R_NO_ENTROPY);
    assert_int_not_equal(wc_RNG_GenerateBlock(wn_rng(prov), a, sizeof(a)), 0);
    assert_int_equal(errors, 2);
    errors = 0;
    /* and works when entropy comes back */
    no_entropy = 0;
    assert_true(wn_rng_bytes(prov, a, sizeof(a)));
    assert_false(all_zero(a, sizeof(a)));
    /* a core without get_entropy: the kernel's */
    free_prov(prov);
    prov = new_prov();
    prov->core.get_entropy = NULL;
    assert_true(wn_rng_bytes(prov, a, sizeof(a)));
    free_prov(prov);
}

static size_t t_get_pattern(const OSSL_CORE_HANDLE *handle, unsigned char **out, int bits,
                            size_t min, size_t max)
{
    (void)handle;
    assert_true(min == max && (size_t)bits == 8 * min);
    *out = memset(t_malloc(min, __FILE__, __LINE__), 0x3c, min);
    return min;
}

static int takes_the_cores(void *arg)
{
    struct wn_prov *prov = arg;
    unsigned char a[3000], want[3000];

    memset(want, 0x3c, sizeof(want));
    prov->core.get_entropy = t_get_pattern;
    if (!wn_entropy_bytes(prov, a, sizeof(a)) || memcmp(a, want, sizeof(a)) != 0)
        return 0;
    prov->core.get_entropy = NULL;
    return !wn_entropy_bytes(prov, a, sizeof(a)) && last_reason == WN_R_NO_ENTROPY;
}

/* A seed source without getrandom(2). */
static void seed_without_getrandom(void **state)
{
    static const long getrandom_call[] = { SYS_getrandom };
    struct wn_prov *prov = new_prov();

    (void)state;
    in_sandbox(getrandom_call, 1, SANDBOX_ENOSYS, takes_the_cores, prov);
    free_prov(prov);
}

static void reseeds_after_many_requests(void **state)
{
    struct wn_prov *prov = new_prov();
    unsigned char a[1];
    long i;

    (void)state;
    for (i = 0; i < 65536; i++)
        assert_true(wn_rng_bytes(prov, a, 1));
    assert_int_equal(seeds, 1);
    assert_true(wn_rng_bytes(prov, a, 1));
    assert_int_equal(seeds, 2);
    free_prov(prov);
}

/* The child's first 32 bytes, through a pipe. */
static void child_bytes(const struct wn_prov *prov, unsigned char *out, int times)
{
    int fd[2], status;
    pid_t pid;

    assert_int_equal(pipe(fd), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int ok = 1;

        while (times-- > 0)
            ok &= wn_rng_bytes(prov, out, 32);
        ok = ok && write(fd[1], out, 32) == 32;
        _exit(ok ? 0 : 1);
    }
    assert_int_equal(read(fd[0], out, 32), 32);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(fd[0]);
    close(fd[1]);
}

static void forks_differ(int with_page)
{
    struct wn_prov *prov = new_prov();
    unsigned char a[32], b[32], c[32], parent[32];
    uint32_t id;
    void *page = (void *)prov->fork->page;

    if (!with_page)
        prov->fork->page = NULL;
    else
        assert_non_null(page);
    id = wn_fork_id(prov);
    assert_true(id != 0 && id < 1u << 30);
    assert_int_equal(wn_fork_id(prov), id);
    assert_true(wn_rng_bytes(prov, a, sizeof(a)));
    child_bytes(prov, b, 1);
    child_bytes(prov, c, 1);
    assert_true(wn_rng_bytes(prov, parent, sizeof(parent)));
    assert_memory_not_equal(b, c, 32);
    assert_memory_not_equal(b, parent, 32);
    assert_memory_not_equal(c, parent, 32);
    assert_int_equal(wn_fork_id(prov), id);
    assert_int_equal(seeds, 1);
    prov->fork->page = page;
    free_prov(prov);
}

static void forks_differ_by_page(void **state)
{
    (void)state;
    forks_differ(1);
}

static void forks_differ_by_pid(void **state)
{
    (void)state;
    forks_differ(0);
}

struct job {
    struct wn_prov *prov[20];
    size_t n;
    int rounds;
    int ok;
    unsigned char out[32];
};

static void *draw(void *arg)
{
    struct job *job = arg;
    int i;
    size_t j;

    job->ok = 1;
    for (i = 0; i < job->rounds; i++)
        for (j = 0; j < job->n; j++)
            job->ok &= wn_rng_bytes(job->prov[j], job->out, sizeof(job->out));
    t_thread_end();
    return NULL;
}

#define THREADS 8

static void run_threads(struct job *jobs)
{
    pthread_t threads[THREADS];
    size_t i, j;

    for (i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, draw, &jobs[i]), 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (i = 0; i < THREADS; i++) {
        assert_true(jobs[i].ok);
        for (j = 0; j < i; j++)
            assert_memory_not_equal(jobs[i].out, jobs[j].out, sizeof(jobs[i].out));
    }
}

static void threads_have_their_own(void **state)
{
    struct wn_prov *prov = new_prov();
    struct job jobs[THREADS];
    long blocks;
    size_t i;

    (void)state;
    for (i = 0; i < THREADS; i++)
        jobs[i] = (struct job){ .prov = { prov }, .n = 1, .rounds = 500 };
    run_threads(jobs);
    assert_in_range(seeds, 1, THREADS);
    /* later threads take over what ended ones left: the list does not grow */
    blocks = live_blocks;
    for (i = 0; i < 5; i++)
        run_threads(jobs);
    assert_true(live_blocks <= blocks + THREADS);
    free_prov(prov);
}

/* More contexts than the thread-local table has places. */
static void many_contexts(void **state)
{
    struct job jobs[THREADS], *first = &jobs[0];
    size_t i;

    (void)state;
    *first = (struct job){ .n = 20, .rounds = 20 };
    for (i = 0; i < 20; i++)
        first->prov[i] = new_prov();
    for (i = 1; i < THREADS; i++)
        jobs[i] = *first;
    run_threads(jobs);
    assert_in_range(seeds, 20, 20 * THREADS);
    for (i = 0; i < 20; i++)
        free_prov(first->prov[i]);
}

/* A thread keeps its generator while others come and go; one more context
 * made at an address that another had must not find the other's. */
static void contexts_come_and_go(void **state)
{
    unsigned char a[32];
    int i;

    (void)state;
    for (i = 0; i < 100; i++) {
        struct wn_prov *prov = new_prov();

        assert_true(wn_rng_bytes(prov, a, sizeof(a)));
        assert_int_equal(seeds, i + 1);
        if (i % 3 == 0)
            t_thread_end();
        free_prov(prov);
        if (i % 3 == 1)
            t_thread_end();     /* handlers of a context that is gone */
        n_handlers = 0;
    }
}

static void *draw_and_linger(void *arg)
{
    struct job *job = arg;

    job->ok = wn_rng_bytes(job->prov[0], job->out, sizeof(job->out));
    __atomic_store_n(&job->prov[0], NULL, __ATOMIC_RELEASE);
    /* ends while the main thread tears the context down */
    t_thread_end();
    return NULL;
}

static void threads_end_during_teardown(void **state)
{
    int i;

    (void)state;
    for (i = 0; i < 200; i++) {
        struct job job = { .prov = { new_prov() } };
        struct wn_prov *prov = job.prov[0];
        pthread_t thread;

        assert_int_equal(pthread_create(&thread, NULL, draw_and_linger, &job), 0);
        while (__atomic_load_n(&job.prov[0], __ATOMIC_ACQUIRE) != NULL)
            sched_yield();
        free_prov(prov);
        pthread_join(thread, NULL);
        assert_true(job.ok);
    }
}

/* ---- the lock ----------------------------------------------------------------- */

static struct wn_lock lock;
static long counter;

static void *count(void *arg)
{
    uint32_t id = *(uint32_t *)arg;
    int i;

    for (i = 0; i < 20000; i++) {
        wn_lock(&lock, id);
        counter++;
        wn_unlock(&lock, id);
    }
    return NULL;
}

static void lock_excludes(void **state)
{
    pthread_t threads[4];
    uint32_t id = 7;
    size_t i;

    (void)state;
    for (i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, count, &id);
    for (i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(counter, 80000);
    assert_int_equal(lock.word & 3, 0);
}

static void lock_is_free_in_a_child(void **state)
{
    struct wn_prov *prov = new_prov();
    int status;
    pid_t pid;

    (void)state;
    wn_lock(&lock, wn_fork_id(prov));
    pid = fork();
    if (pid == 0) {
        alarm(10);
        wn_lock(&lock, wn_fork_id(prov));
        wn_unlock(&lock, wn_fork_id(prov));
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    wn_unlock(&lock, wn_fork_id(prov));
    free_prov(prov);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bytes_differ, setup, teardown),
        cmocka_unit_test_setup_teardown(wolfcrypt_draws_from_it, setup, teardown),
        cmocka_unit_test_setup_teardown(no_entropy_is_an_error, setup, teardown),
        cmocka_unit_test_setup_teardown(seed_without_getrandom, setup, teardown),
        cmocka_unit_test_setup_teardown(reseeds_after_many_requests, setup, teardown),
        cmocka_unit_test_setup_teardown(forks_differ_by_page, setup, teardown),
        cmocka_unit_test_setup_teardown(forks_differ_by_pid, setup, teardown),
        cmocka_unit_test_setup_teardown(threads_have_their_own, setup, teardown),
        cmocka_unit_test_setup_teardown(many_contexts, setup, teardown),
        cmocka_unit_test_setup_teardown(contexts_come_and_go, setup, teardown),
        cmocka_unit_test_setup_teardown(threads_end_during_teardown, setup, teardown),
        cmocka_unit_test_setup_teardown(lock_excludes, setup, teardown),
        cmocka_unit_test_setup_teardown(lock_is_free_in_a_child, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
