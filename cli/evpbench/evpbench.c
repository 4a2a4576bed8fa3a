/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * evpbench: measures one EVP operation of one provider and prints one line of
 * JSON. `wolfnano bench` uses it where `openssl speed` cannot measure: AEAD
 * messages, fresh keys, KEM and signature algorithms on OpenSSL 3.0, threads.
 *
 * Each thread has its own contexts, shares the keys, is pinned to its own core
 * and counts until it is told to stop. The time in which it was runnable but
 * had no core (the scheduler's account, /proc/thread-self/schedstat) is taken
 * off; the time in which it slept, on a lock say, is not.
 *
 * With --count N it times nothing: it does N operations to get caches and the
 * tables of hot keys ready and N more in evpbench_counted(), a function by whose
 * name a profiler can tell them from the rest (`wolfnano bench --share`).
 */
#include "ops.h"

#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_THREADS     64
#define MAX_PROVIDERS   4
#define WARM_UP_SECONDS 0.01

enum { FAILED = 1, USAGE = 2 };

struct options {
    const char *providers[MAX_PROVIDERS];
    int n_providers;
    const char *provider_path, *libcrypto, *op, *algorithm;
    double seconds, longest;
    int threads, check, count;
    int cpus[MAX_THREADS], n_cpus;
    struct job job;
};

struct lane {
    struct worker worker;
    pthread_t thread;
    int cpu; /* or -1 */
    int ok, check, wanted; /* wanted: so many operations, or 0: until told to stop */
    unsigned long long count;
    double elapsed, waited;
};

static atomic_int stop;
static pthread_barrier_t barrier;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double run_queue_wait(void)
{
    FILE *file = fopen("/proc/thread-self/schedstat", "r");
    unsigned long long ran, waited = 0;

    if (file == NULL)
        return 0;
    if (fscanf(file, "%llu %llu", &ran, &waited) != 2)
        waited = 0;
    fclose(file);
    return (double)waited / 1e9;
}

static void pin(int cpu)
{
    cpu_set_t set;

    if (cpu < 0)
        return;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    (void)sched_setaffinity(0, sizeof(set), &set);
}

static int worker_alloc(struct worker *w, struct job *job)
{
    memset(w, 0, sizeof(*w));
    w->job = job;
    /* all of it written once, so that no page fault falls into the measurement */
    w->in = malloc(MAX_SIZE);
    w->out = malloc(MAX_SIZE);
    w->sig = malloc(MAX_SIZE);
    w->secret = malloc(MAX_SIZE);
    if (w->in == NULL || w->out == NULL || w->sig == NULL || w->secret == NULL)
        return 0;
    memset(w->out, 0, MAX_SIZE);
    memset(w->sig, 0, MAX_SIZE);
    memset(w->secret, 0, MAX_SIZE);
    for (size_t i = 0; i < MAX_SIZE; i++)
        w->in[i] = (unsigned char)(i * 167 + 13);
    /* XTS refuses two equal halves, so the key is not a pattern of period 16 */
    for (size_t i = 0; i < sizeof(w->key); i++)
        w->key[i] = (unsigned char)(i * 73 + 7);
    return 1;
}

void worker_free(struct worker *w)
{
    lc.EVP_CIPHER_CTX_free(w->cctx);
    lc.EVP_CIPHER_free(w->cipher);
    lc.EVP_MD_CTX_free(w->mdctx);
    lc.EVP_MD_free(w->md);
    lc.EVP_MAC_CTX_free(w->macctx);
    lc.EVP_MAC_free(w->mac);
    lc.EVP_PKEY_CTX_free(w->pctx);
    lc.EVP_PKEY_free(w->own);
    free(w->in);
    free(w->out);
    free(w->sig);
    free(w->secret);
}

void job_free(struct job *job)
{
    lc.OSSL_PARAM_free(job->key_data);
    lc.OSSL_PARAM_free(job->peer_data);
    lc.EVP_PKEY_free(job->key);
    lc.EVP_PKEY_free(job->peer);
}

const struct op *op_find(const char *name)
{
    const struct op *tables[] = { symmetric_ops, key_ops };

    for (size_t t = 0; t < 2; t++)
        for (const struct op *op = tables[t]; op->name != NULL; op++)
            if (strcmp(op->name, name) == 0)
                return op;
    return NULL;
}

void op_list(void)
{
    const struct op *tables[] = { symmetric_ops, key_ops };

    for (size_t t = 0; t < 2; t++)
        for (const struct op *op = tables[t]; op->name != NULL; op++)
            printf("  %-12s %s\n", op->name, op->help);
}

static int warm_up(struct worker *w)
{
    double until = now() + WARM_UP_SECONDS;

    do {
        if (w->job->op->once(w) != 1)
            return 0;
    } while (now() < until);
    return 1;
}

/* Called by name by profilers, so it is neither inlined nor static. */
int evpbench_counted(struct worker *w, int count);
__attribute__((noinline, noclone)) int evpbench_counted(struct worker *w, int count)
{
    int (*once)(struct worker *) = w->job->op->once;

    for (int i = 0; i < count; i++)
        if (once(w) != 1)
            return 0;
    return 1;
}

static int get_ready(struct lane *lane)
{
    struct worker *w = &lane->worker;
    int (*once)(struct worker *) = w->job->op->once;

    if (w->job->op->setup(w) != 1)
        return 0;
    if (lane->check)
        return once(w) == 1;
    if (lane->wanted == 0)
        return warm_up(w);
    for (int i = 0; i < lane->wanted; i++)
        if (once(w) != 1)
            return 0;
    return 1;
}

static void *lane_main(void *arg)
{
    struct lane *lane = arg;
    struct worker *w = &lane->worker;
    int (*once)(struct worker *) = w->job->op->once;
    unsigned long long count = 0;
    double start, wait0;

    pin(lane->cpu);
    lane->ok = get_ready(lane);
    if (!lane->ok)
        lc_complain(w->job->algorithm);
    pthread_barrier_wait(&barrier);
    wait0 = run_queue_wait();
    start = now();
    if (lane->ok && lane->wanted > 0) {
        if ((lane->ok = evpbench_counted(w, lane->wanted)) == 0)
            lc_complain(w->job->algorithm);
        count = (unsigned long long)lane->wanted;
    }
    while (lane->ok && atomic_load_explicit(&stop, memory_order_relaxed) == 0) {
        if (once(w) != 1) {
            lc_complain(w->job->algorithm);
            lane->ok = 0;
        }
        count++;
    }
    lane->elapsed = now() - start;
    lane->waited = run_queue_wait() - wait0;
    lane->count = count;
    return NULL;
}

static double cpu_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void sleep_for(double seconds)
{
    struct timespec t = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };

    while (nanosleep(&t, &t) != 0 && errno == EINTR)
        continue;
}

/*
 * Let the threads run for o->seconds; on a busy machine longer, until they have
 * had about that much of their cores, but no longer than o->longest.
 */
static void let_run(const struct options *o)
{
    double start = now(), cpu0 = cpu_time(), wanted = o->seconds;

    sleep_for(wanted);
    for (;;) {
        double missing = wanted - (cpu_time() - cpu0) / o->threads;
        double left = o->longest - (now() - start);

        if (missing <= 0.1 * wanted || left <= 0)
            return;
        sleep_for(missing < left ? missing : left);
    }
}

/* A JSON string; names of algorithms and providers need no more than this. */
static void print_string(const char *key, const char *value)
{
    printf("\"%s\":\"", key);
    for (const char *c = value; c != NULL && *c != '\0'; c++)
        if (*c >= ' ' && *c != '"' && *c != '\\')
            putchar(*c);
    printf("\",");
}

static void report(const struct options *o, const struct lane *lanes)
{
    const struct worker *first = &lanes[0].worker;
    double rate = 0, elapsed = 0, waited = 0;
    unsigned long long count = 0;

    for (int i = 0; i < o->threads; i++) {
        double net = lanes[i].elapsed - lanes[i].waited;

        if (net < lanes[i].elapsed * 0.05)
            net = lanes[i].elapsed * 0.05;
        rate += net > 0 ? (double)lanes[i].count / net : 0;
        count += lanes[i].count;
        elapsed += lanes[i].elapsed / o->threads;
        waited += lanes[i].waited / o->threads;
    }
    printf("{\"evpbench\":1,");
    print_string("op", o->op);
    print_string("algorithm", o->algorithm);
    print_string("provider",
                 first->provider != NULL ? lc.OSSL_PROVIDER_get0_name(first->provider) : "");
    print_string("libcrypto", lc.OpenSSL_version(OPENSSL_VERSION));
    printf("\"size\":%zu,\"fresh\":%d,\"threads\":%d,\"count\":%llu,\"seconds\":%.6f,"
           "\"waited\":%.6f,\"rate\":%.3f}\n",
           o->job.size, o->job.fresh, o->threads, count, elapsed, waited, rate);
}

static int measure(struct options *o)
{
    struct lane *lanes = calloc((size_t)o->threads, sizeof(*lanes));
    int ok = lanes != NULL, allocated = 0;

    for (; ok && allocated < o->threads; allocated++) {
        ok = worker_alloc(&lanes[allocated].worker, &o->job);
        lanes[allocated].check = o->check;
        lanes[allocated].wanted = o->count;
        lanes[allocated].cpu = o->n_cpus > 0 ? o->cpus[allocated % o->n_cpus] : -1;
    }
    if (ok && o->job.op->prepare != NULL && o->job.op->prepare(&lanes[0].worker) != 1) {
        lc_complain(o->algorithm);
        ok = 0;
    }
    if (ok) {
        pthread_barrier_init(&barrier, NULL, (unsigned int)o->threads + 1);
        atomic_store(&stop, o->check || o->count > 0);
        for (int i = 0; i < o->threads; i++)
            if (pthread_create(&lanes[i].thread, NULL, lane_main, &lanes[i]) != 0)
                abort();
        pthread_barrier_wait(&barrier);
        if (!o->check && o->count == 0)
            let_run(o);
        atomic_store(&stop, 1);
        for (int i = 0; i < o->threads; i++) {
            pthread_join(lanes[i].thread, NULL);
            ok = ok && lanes[i].ok;
        }
        if (ok)
            report(o, lanes);
    }
    for (int i = 0; i < allocated; i++)
        worker_free(&lanes[i].worker);
    free(lanes);
    return ok;
}

static int run(struct options *o)
{
    OSSL_PROVIDER *loaded[MAX_PROVIDERS] = { NULL };
    OSSL_LIB_CTX *libctx;
    int ok = 0, n = 0;

    if (!lc_open(o->libcrypto))
        return 0;
    if ((o->job.libctx = libctx = lc.OSSL_LIB_CTX_new()) == NULL)
        return 0;
    if (o->provider_path != NULL)
        lc.OSSL_PROVIDER_set_default_search_path(libctx, o->provider_path);
    for (; n < o->n_providers; n++)
        if ((loaded[n] = lc.OSSL_PROVIDER_load(libctx, o->providers[n])) == NULL)
            break;
    if (n < o->n_providers)
        lc_complain(o->providers[n]);
    else
        ok = measure(o);
    job_free(&o->job);
    while (n-- > 0)
        lc.OSSL_PROVIDER_unload(loaded[n]);
    lc.OSSL_LIB_CTX_free(libctx);
    return ok;
}

static void usage(FILE *to)
{
    fprintf(to,
            "usage: evpbench --provider NAME [--provider-path DIR] [--libcrypto FILE]\n"
            "                --op OP --algorithm ALG[/DETAIL] [--size N] [--aad N] [--fresh]\n"
            "                [--seconds S] [--longest S] [--threads N] [--cpus N,N,…]\n"
            "                [--check | --count N]\n"
            "--longest: on a busy machine go on until the threads have run for --seconds\n"
            "ALG: AES-128-GCM, SHA256, HMAC/SHA256, RSA/2048, EC/P-256, X25519, ML-KEM-768, …\n"
            "--fresh: import the key for every operation (derive: make one, too)\n"
            "--check: do the operation once, measure nothing\n"
            "--count: do it N times, and N times more in evpbench_counted(), for a profiler\n"
            "OP:\n");
    if (to == stdout)
        op_list();
}

static int parse_cpus(struct options *o, const char *text)
{
    char *end;

    do {
        long cpu = strtol(text, &end, 10);

        if (end == text || cpu < 0 || cpu >= CPU_SETSIZE || o->n_cpus == MAX_THREADS)
            return 0;
        o->cpus[o->n_cpus++] = (int)cpu;
        text = end + 1;
    } while (*end == ',');
    return *end == '\0';
}

static int split_algorithm(struct options *o, char *text)
{
    char *slash = strchr(text, '/');

    o->algorithm = strdup(text); /* as given, for the report */
    if (slash != NULL) {
        *slash = '\0';
        o->job.detail = slash + 1;
    }
    o->job.algorithm = text;
    return o->algorithm != NULL && text[0] != '\0';
}

static const struct option longs[] = {
    { "provider", 1, NULL, 'p' }, { "provider-path", 1, NULL, 'd' }, { "libcrypto", 1, NULL, 'l' },
    { "op", 1, NULL, 'o' },       { "algorithm", 1, NULL, 'a' },     { "size", 1, NULL, 'n' },
    { "aad", 1, NULL, 'A' },      { "fresh", 0, NULL, 'f' },         { "seconds", 1, NULL, 's' },
    { "longest", 1, NULL, 'L' },  { "threads", 1, NULL, 't' },       { "cpus", 1, NULL, 'c' },
    { "check", 0, NULL, 'k' },    { "count", 1, NULL, 'C' },         { "help", 0, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

static int set_number(struct options *o, int option, const char *text)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end != '\0' || !(value >= 0 && value <= 1e9))
        return 0;
    switch (option) {
    case 'n':
        o->job.size = (size_t)value;
        break;
    case 'A':
        o->job.aad = (size_t)value;
        break;
    case 's':
        o->seconds = value;
        break;
    case 'L':
        o->longest = value;
        break;
    case 'C':
        o->count = (int)value;
        break;
    default:
        o->threads = (int)value;
    }
    return 1;
}

static int set_option(struct options *o, int option, char *text)
{
    switch (option) {
    case 'p':
        if (o->n_providers == MAX_PROVIDERS)
            return 0;
        o->providers[o->n_providers++] = text;
        return 1;
    case 'd':
        o->provider_path = text;
        return 1;
    case 'l':
        o->libcrypto = text;
        return 1;
    case 'o':
        o->op = text;
        return 1;
    case 'a':
        return split_algorithm(o, text);
    case 'f':
        o->job.fresh = 1;
        return 1;
    case 'k':
        o->check = 1;
        return 1;
    case 'c':
        return parse_cpus(o, text);
    case '?':
        return 0;
    default:
        return set_number(o, option, text);
    }
}

static int parse(struct options *o, int argc, char **argv)
{
    int option;

    while ((option = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        if (option == 'h') {
            usage(stdout);
            exit(0);
        }
        if (!set_option(o, option, optarg))
            return 0;
    }
    if (optind != argc || o->n_providers == 0 || o->algorithm == NULL || o->op == NULL)
        return 0;
    if ((o->job.op = op_find(o->op)) == NULL) {
        fprintf(stderr, "evpbench: unknown operation %s\n", o->op);
        return 0;
    }
    return o->threads >= 1 && o->threads <= MAX_THREADS && o->seconds > 0 && o->seconds < 3600 &&
           o->job.size <= MAX_SIZE - 64 && o->job.aad <= 16;
}

int main(int argc, char **argv)
{
    static struct options o = { .seconds = 1.0, .threads = 1 };

    if (!parse(&o, argc, argv)) {
        usage(stderr);
        return USAGE;
    }
    return run(&o) ? 0 : FAILED;
}
