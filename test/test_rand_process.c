/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The random generators in threads and processes: shared under the lock, first
 * used by all at once, after forks (also while another thread holds the lock),
 * and in a sandbox.
 */
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/rand.h>

#include "sandbox.h"
#include "wntest.h"

static EVP_RAND_CTX *new_rand(const char *name, EVP_RAND_CTX *parent, const OSSL_PARAM params[])
{
    EVP_RAND *rand = EVP_RAND_fetch(wnt_wolf(), name, NULL);
    EVP_RAND_CTX *r;

    assert_non_null(rand);
    wnt_assert_wolfnano(EVP_RAND_get0_provider(rand));
    r = EVP_RAND_CTX_new(rand, parent);
    EVP_RAND_free(rand);
    wnt_ok(EVP_RAND_instantiate(r, 0, 0, NULL, 0, params));
    return r;
}

/* ---- threads and forks -------------------------------------------------------------- */

#define THREADS 8

struct job {
    OSSL_LIB_CTX *ctx;
    EVP_RAND_CTX *shared;
    unsigned char out[32];
    int ok;
};

static void *use_shared(void *arg)
{
    struct job *job = arg;
    int i;

    job->ok = 1;
    for (i = 0; i < 300 && job->ok; i++)
        job->ok = EVP_RAND_generate(job->shared, job->out, sizeof(job->out), 0, i % 50 == 0,
                                    NULL, 0)
            && EVP_RAND_get_state(job->shared) == EVP_RAND_STATE_READY
            && (i % 40 != 0 || EVP_RAND_reseed(job->shared, 0, NULL, 0, NULL, 0));
    OPENSSL_thread_stop();
    return NULL;
}

static void *first_use(void *arg)
{
    struct job *job = arg;

    job->ok = RAND_bytes_ex(job->ctx, job->out, sizeof(job->out), 0) == 1
        && RAND_priv_bytes_ex(job->ctx, job->out, sizeof(job->out), 0) == 1;
    OPENSSL_thread_stop_ex(job->ctx);
    OPENSSL_thread_stop();
    return NULL;
}

static void run(void *(*f)(void *), const struct job *like)
{
    struct job jobs[THREADS];
    pthread_t threads[THREADS];
    size_t i, j;

    for (i = 0; i < THREADS; i++) {
        jobs[i] = *like;
        assert_int_equal(pthread_create(&threads[i], NULL, f, &jobs[i]), 0);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (i = 0; i < THREADS; i++) {
        assert_int_equal(jobs[i].ok, 1);
        for (j = 0; j < i; j++)
            assert_memory_not_equal(jobs[i].out, jobs[j].out, sizeof(jobs[i].out));
    }
}

/* A primary that threads share, under a seed source. */
static void threads_share(void **state)
{
    static const char *const names[] = { "CTR-DRBG", "HASH-DRBG", "HMAC-DRBG" };
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string("cipher", (char *)"AES-256-CTR", 11),
        OSSL_PARAM_utf8_string("digest", (char *)"SHA256", 6),
        OSSL_PARAM_utf8_string("mac", (char *)"HMAC", 4),
        OSSL_PARAM_END
    };
    size_t i;

    (void)state;
    for (i = 0; i < 3; i++) {
        EVP_RAND_CTX *seed = new_rand("SEED-SRC", NULL, NULL);
        struct job job = { .shared = new_rand(names[i], seed, params) };

        wnt_ok(EVP_RAND_enable_locking(job.shared));
        wnt_ok(EVP_RAND_enable_locking(job.shared));
        run(use_shared, &job);
        EVP_RAND_CTX_free(job.shared);
        EVP_RAND_CTX_free(seed);
    }
    wnt_assert_no_errors();
}

/* Nothing has drawn from this library context when eight threads do at once. */
static void first_use_by_threads(void **state)
{
    int i;

    (void)state;
    for (i = 0; i < 8; i++) {
        struct job job = { .ctx = wnt_new_ctx(NULL, NULL) };

        assert_non_null(job.ctx);
        run(first_use, &job);
        OSSL_LIB_CTX_free(job.ctx);
    }
    wnt_assert_no_errors();
}

/* What a child draws, first from its public generator. */
static void child_bytes(OSSL_LIB_CTX *ctx, unsigned char out[32])
{
    int fd[2], status;
    ssize_t got;
    pid_t pid;

    assert_int_equal(pipe(fd), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        int ok;

        alarm(20);
        ok = RAND_bytes_ex(ctx, out, 32, 0) == 1 && write(fd[1], out, 32) == 32;
        _exit(ok ? 0 : 1);
    }
    close(fd[1]);                       /* or a child that was killed would leave us reading */
    got = read(fd[0], out, 32);
    close(fd[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(got, 32);
}

static void forks_differ(void **state)
{
    OSSL_LIB_CTX *ctx = wnt_new_ctx(NULL, NULL);
    unsigned char out[4][32];
    int i, j;

    (void)state;
    assert_non_null(ctx);
    child_bytes(ctx, out[0]);           /* first use in the child */
    wnt_ok(RAND_bytes_ex(ctx, out[1], 32, 0));
    child_bytes(ctx, out[2]);
    child_bytes(ctx, out[3]);
    wnt_ok(RAND_bytes_ex(ctx, out[1], 32, 0));
    for (i = 0; i < 4; i++)
        for (j = 0; j < i; j++)
            assert_memory_not_equal(out[i], out[j], 32);
    OSSL_LIB_CTX_free(ctx);
}

/*
 * A fork while other threads hold the primary's lock: the child must neither
 * hang nor repeat the parent's bytes. The sanitisers of GCC 12 replace malloc by
 * one whose locks a fork does not release (glibc's does), so there the child
 * hangs in malloc now and then, whatever the generator does.
 */
#ifndef __SANITIZE_ADDRESS__
# ifndef __SANITIZE_THREAD__
#  define FORKS_AMONG_THREADS
# endif
#endif
#ifdef FORKS_AMONG_THREADS
static int busy;

static void *reseed_for_ever(void *arg)
{
    EVP_RAND_CTX *primary = arg;

    while (__atomic_load_n(&busy, __ATOMIC_RELAXED))
        EVP_RAND_reseed(primary, 1, NULL, 0, NULL, 0);
    OPENSSL_thread_stop();
    return NULL;
}

static void fork_while_locked(void **state)
{
    OSSL_LIB_CTX *ctx = wnt_new_ctx(NULL, NULL);
    EVP_RAND_CTX *primary = RAND_get0_primary(ctx);
    unsigned char parent[32], child[32];
    pthread_t threads[2];
    int i;

    (void)state;
    assert_non_null(primary);
    wnt_ok(RAND_bytes_ex(ctx, parent, 32, 0));
    busy = 1;
    for (i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, reseed_for_ever, primary);
    for (i = 0; i < 40; i++) {
        child_bytes(ctx, child);
        wnt_ok(RAND_bytes_ex(ctx, parent, 32, 0));
        assert_memory_not_equal(parent, child, 32);
    }
    __atomic_store_n(&busy, 0, __ATOMIC_RELAXED);
    for (i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    OSSL_LIB_CTX_free(ctx);
}
#endif

/* ---- under seccomp ---------------------------------------------------------------- */

static int draw_again(void *arg)
{
    OSSL_LIB_CTX *ctx = arg;
    unsigned char a[32], b[32];
    EVP_RAND_CTX *primary = RAND_get0_primary(ctx);

    /* the fork makes all reseed; then once more by hand */
    return RAND_bytes_ex(ctx, a, sizeof(a), 0) == 1
        && EVP_RAND_reseed(primary, 1, NULL, 0, NULL, 0)
        && RAND_priv_bytes_ex(ctx, b, sizeof(b), 0) == 1
        && memcmp(a, b, sizeof(a)) != 0;
}

static const long files[] = {
#ifdef SYS_open
    SYS_open,
#endif
    SYS_openat, SYS_read, SYS_lseek, SYS_close, SYS_fcntl, SYS_getpid, SYS_socket,
};

/* sshd's and others' sandboxes: no file may be touched after start-up. */
static void no_files_after_first_use(void **state)
{
    OSSL_LIB_CTX *ctx = wnt_new_ctx(NULL, NULL);
    unsigned char a[32];

    (void)state;
    assert_non_null(ctx);
    wnt_ok(RAND_bytes_ex(ctx, a, sizeof(a), 0));
    wnt_ok(RAND_priv_bytes_ex(ctx, a, sizeof(a), 0));
    in_sandbox(files, sizeof(files) / sizeof(files[0]), SANDBOX_KILL, draw_again, ctx);
    OSSL_LIB_CTX_free(ctx);
}

static int fails_cleanly(void *arg)
{
    static const unsigned char untouched[32];
    unsigned char a[32] = { 0 };

    return RAND_bytes_ex(arg, a, sizeof(a), 0) != 1 && ERR_peek_error() != 0
        && memcmp(a, untouched, sizeof(a)) == 0;
}

/* OpenSSL finds no other source on a kernel that has getrandom(2); then there
 * is an error, and no byte that is not random. */
static void no_getrandom(void **state)
{
    static const long getrandom_call[] = { SYS_getrandom };
    OSSL_LIB_CTX *ctx = wnt_new_ctx(NULL, NULL);

    (void)state;
    assert_non_null(ctx);
    in_sandbox(getrandom_call, 1, SANDBOX_ENOSYS, fails_cleanly, ctx);
    OSSL_LIB_CTX_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share),
        cmocka_unit_test(first_use_by_threads),
        cmocka_unit_test(forks_differ),
#ifdef FORKS_AMONG_THREADS
        cmocka_unit_test(fork_while_locked),
#endif
        cmocka_unit_test(no_files_after_first_use),
        cmocka_unit_test(no_getrandom),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
