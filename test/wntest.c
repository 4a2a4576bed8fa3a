/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See wntest.h. */
#include "wntest.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <openssl/conf.h>

static OSSL_LIB_CTX *wolf, *deflt;
static OSSL_PROVIDER *deflt_provider;

const char *wnt_cpu(void)
{
    const char *mask = getenv("WOLFNANO_CPU");

    return mask != NULL ? mask : "";
}

OSSL_LIB_CTX *wnt_new_ctx(const char *options, const char *also)
{
    char path[] = "/tmp/wolfnano-test-XXXXXX";
    const char *modules = getenv("WOLFNANO_MODULES");
    int fd = mkstemp(path), ok;
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();

    if (f == NULL || modules == NULL || ctx == NULL)
        fail_msg("no temporary file, no WOLFNANO_MODULES, or no library context");
    fprintf(f, "openssl_conf = top\n[top]\nproviders = providers\n[providers]\nwolfnano = wn\n");
    if (also != NULL)
        fprintf(f, "%s = other\n[other]\nactivate = 1\n", also);
    fprintf(f, "[wn]\nmodule = %s/wolfnano.so\nactivate = 1\n", modules);
    if (wnt_cpu()[0] != '\0' && (options == NULL || strstr(options, "cpu =") == NULL))
        fprintf(f, "cpu = %s\n", wnt_cpu());
    fprintf(f, "%s\n", options != NULL ? options : "");
    fclose(f);
    ok = OSSL_LIB_CTX_load_config(ctx, path);
    unlink(path);
    /* a provider that fails to load does not always fail the configuration */
    if (!ok || !OSSL_PROVIDER_available(ctx, "wolfnano")) {
        OSSL_LIB_CTX_free(ctx);
        return NULL;
    }
    return ctx;
}

int wnt_setup(void **state)
{
    (void)state;
    wolf = wnt_new_ctx(NULL, NULL);
    deflt = OSSL_LIB_CTX_new();
    deflt_provider = OSSL_PROVIDER_load(deflt, "default");
    if (wolf == NULL || deflt_provider == NULL) {
        ERR_print_errors_fp(stderr);
        return -1;
    }
    wnt_assert_no_errors();
    return 0;
}

int wnt_teardown(void **state)
{
    (void)state;
    OSSL_PROVIDER_unload(deflt_provider);
    OSSL_LIB_CTX_free(deflt);
    OSSL_LIB_CTX_free(wolf);
    return 0;
}

OSSL_LIB_CTX *wnt_wolf(void)
{
    return wolf;
}

OSSL_LIB_CTX *wnt_default(void)
{
    return deflt;
}

void wnt_no_errors_at(const char *file, int line)
{
    if (ERR_peek_error() == 0)
        return;
    ERR_print_errors_fp(stderr);
    print_error("errors left on the queue\n");
    _fail(file, line);
}

void wnt_error_at(int lib, int reason, const char *file, int line)
{
    unsigned long e = ERR_peek_error();

    if (ERR_GET_LIB(e) == lib && ERR_GET_REASON(e) == reason) {
        ERR_clear_error();
        return;
    }
    ERR_print_errors_fp(stderr);
    print_error("expected library %d reason %d, got %d %d\n", lib, reason,
                ERR_GET_LIB(e), ERR_GET_REASON(e));
    _fail(file, line);
}

static uint64_t seed, rng_state;

static void rng_start(void)
{
    const char *text = getenv("WOLFNANO_TEST_SEED");

    seed = text != NULL ? strtoull(text, NULL, 0) : 1;
    rng_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

void wnt_ok_at(int ok, const char *text, const char *file, int line)
{
    if (ok == 1)
        return;
    ERR_print_errors_fp(stderr);
    print_error("%s gave %d (WOLFNANO_TEST_SEED=%llu, WOLFNANO_CPU=%s)\n", text, ok,
                (unsigned long long)seed, wnt_cpu());
    _fail(file, line);
}

uint32_t wnt_rand(void)
{
    if (rng_state == 0)
        rng_start();
    /* xorshift64*: reproducible on every machine */
    rng_state ^= rng_state >> 12;
    rng_state ^= rng_state << 25;
    rng_state ^= rng_state >> 27;
    return (uint32_t)(rng_state * UINT64_C(0x2545f4914f6cdd1d) >> 32);
}

void wnt_rand_bytes(void *out, size_t n)
{
    unsigned char *p = out;

    while (n-- > 0)
        *p++ = (unsigned char)(wnt_rand() >> 8);
}

size_t wnt_rand_below(size_t n)
{
    return n == 0 ? 0 : (size_t)(((uint64_t)wnt_rand() << 16 ^ wnt_rand()) % n);
}

static size_t guarded_size(size_t n, size_t page)
{
    return (n + page - 1) / page * page + page;
}

unsigned char *wnt_guarded(size_t n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), all = guarded_size(n, page);
    unsigned char *p = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED || mprotect(p + all - page, page, PROT_NONE) != 0)
        fail_msg("mmap");
    return p + all - page - n;
}

void wnt_guarded_free(unsigned char *p, size_t n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), all = guarded_size(n, page);

    munmap(p + n + page - all, all);
}

unsigned char *wnt_unhex(const char *hex, size_t *n)
{
    unsigned char *out = malloc(strlen(hex) / 2 + 1);
    unsigned digit, nibbles = 0, byte = 0;

    *n = 0;
    for (; *hex != '\0'; hex++) {
        if (isspace((unsigned char)*hex) || *hex == '"')
            continue;
        if (sscanf((char[]){ *hex, '\0' }, "%x", &digit) != 1)
            fail_msg("not a hexadecimal digit: %c", *hex);
        byte = byte << 4 | digit;
        if (++nibbles % 2 == 0)
            out[(*n)++] = (unsigned char)byte;
    }
    if (nibbles % 2 != 0)
        fail_msg("odd number of hexadecimal digits");
    return out;
}

FILE *wnt_vectors(const char *file)
{
    char path[512];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", WN_TEST_VECTORS, file);
    f = fopen(path, "r");
    if (f == NULL)
        fail_msg("cannot open %s", path);
    return f;
}

static char *trimmed(const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    return strndup(from, (size_t)(to - from));
}

static void add_field(struct wnt_record *r, char *name, char *value)
{
    if (r->n == sizeof(r->name) / sizeof(r->name[0]))
        fail_msg("a vector record has too many fields");
    r->name[r->n] = name;
    r->value[r->n++] = value;
}

int wnt_next(FILE *f, struct wnt_record *r)
{
    char *line = NULL, *equals;
    size_t room = 0;

    memset(r, 0, sizeof(*r));
    while (getline(&line, &room, f) >= 0) {
        char *end = line + strlen(line);

        if (line[0] == '#')
            continue;
        if (line[0] == '[' && r->n == 0) {
            add_field(r, strdup("[section]"), trimmed(line + 1, strchr(line, ']')));
            break;
        }
        equals = strchr(line, '=');
        if (equals == NULL) {
            if (r->n > 0)
                break;          /* a blank line ends the record */
            continue;
        }
        add_field(r, trimmed(line, equals), trimmed(equals + 1, end));
    }
    free(line);
    return r->n > 0;
}

void wnt_record_free(struct wnt_record *r)
{
    while (r->n > 0) {
        free(r->name[--r->n]);
        free(r->value[r->n]);
    }
}

const char *wnt_text(const struct wnt_record *r, const char *name)
{
    size_t i;

    for (i = 0; i < r->n; i++)
        if (strcmp(r->name[i], name) == 0)
            return r->value[i];
    return NULL;
}

int wnt_hex(const struct wnt_record *r, const char *name, unsigned char **d, size_t *n)
{
    const char *text = wnt_text(r, name);

    if (text == NULL)
        return 0;
    *d = wnt_unhex(text, n);
    return 1;
}
