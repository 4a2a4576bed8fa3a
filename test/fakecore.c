/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See fakecore.h. The functions of a core that get no handle (allocation) find
 * the fake core in use through a static. */
#include "fakecore.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

static struct fake_core *in_use;

static int fails(void)
{
    return ++in_use->allocations == in_use->fail_at;
}

static void *fake_malloc(size_t n, const char *file, int line)
{
    (void)file;
    (void)line;
    if (fails())
        return NULL;
    in_use->live++;
    return malloc(n);
}

static void *fake_zalloc(size_t n, const char *file, int line)
{
    void *p = fake_malloc(n, file, line);

    return p == NULL ? NULL : memset(p, 0, n);
}

static void fake_free(void *p, const char *file, int line)
{
    (void)file;
    (void)line;
    if (p != NULL)
        in_use->live--;
    free(p);
}

static void fake_clear_free(void *p, size_t n, const char *file, int line)
{
    if (p != NULL)
        memset(p, 0xdd, n);
    fake_free(p, file, line);
}

static void *fake_realloc(void *p, size_t n, const char *file, int line)
{
    (void)file;
    (void)line;
    if (fails())
        return NULL;
    if (p == NULL)
        in_use->live++;
    return realloc(p, n);
}

static void fake_cleanse(void *p, size_t n)
{
    memset(p, 0, n);
}

static int fake_get_params(const OSSL_CORE_HANDLE *handle, OSSL_PARAM params[])
{
    const struct fake_core *fc = (const void *)handle;
    size_t i;

    for (; params->key != NULL; params++) {
        if (strcmp(params->key, OSSL_PROV_PARAM_CORE_VERSION) == 0)
            *(const char **)params->data = fc->version;
        for (i = 0; fc->config[i] != NULL; i += 2)
            if (strcmp(params->key, fc->config[i]) == 0)
                *(const char **)params->data = fc->config[i + 1];
    }
    return 1;
}

static int fake_thread_start(const OSSL_CORE_HANDLE *handle, OSSL_thread_stop_handler_fn handler,
                             void *arg)
{
    struct fake_core *fc = (void *)handle;

    if (fc->n_threads == sizeof(fc->thread_stop) / sizeof(fc->thread_stop[0]))
        return 0;
    fc->thread_stop[fc->n_threads] = handler;
    fc->thread_arg[fc->n_threads++] = arg;
    return 1;
}

static void fake_new_error(const OSSL_CORE_HANDLE *handle)
{
    (void)handle;
}

static void fake_set_error_debug(const OSSL_CORE_HANDLE *handle, const char *file, int line,
                                 const char *func)
{
    (void)handle;
    (void)file;
    (void)line;
    (void)func;
}

static void fake_vset_error(const OSSL_CORE_HANDLE *handle, uint32_t reason, const char *fmt,
                            va_list args)
{
    struct fake_core *fc = (void *)handle;

    if (fc->n_reasons < sizeof(fc->reasons) / sizeof(fc->reasons[0]))
        fc->reasons[fc->n_reasons++] = reason;
    fc->last_text[0] = '\0';
    if (fmt != NULL)
        vsnprintf(fc->last_text, sizeof(fc->last_text), fmt, args);
}

static size_t give(const OSSL_CORE_HANDLE *handle, unsigned char **out, size_t min)
{
    const struct fake_core *fc = (const void *)handle;

    if (fc->no_entropy || (*out = malloc(min)) == NULL)
        return 0;
    return getrandom(*out, min, 0) == (ssize_t)min ? min : 0;
}

static size_t fake_get_entropy(const OSSL_CORE_HANDLE *handle, unsigned char **out, int entropy,
                               size_t min, size_t max)
{
    size_t need = ((size_t)entropy + 7) / 8;

    return give(handle, out, need < min ? min : need > max ? max : need);
}

static size_t fake_get_nonce(const OSSL_CORE_HANDLE *handle, unsigned char **out, size_t min,
                             size_t max, const void *salt, size_t salt_len)
{
    (void)max;
    (void)salt;
    (void)salt_len;
    return give(handle, out, min);
}

static void fake_cleanup(const OSSL_CORE_HANDLE *handle, unsigned char *buf, size_t n)
{
    (void)handle;
    (void)n;
    free(buf);
}

/* An odd number of bytes at a time, so that callers meet short reads. */
static int fake_bio_read_ex(OSSL_CORE_BIO *bio, void *out, size_t n, size_t *done)
{
    struct fake_bio *b = (struct fake_bio *)bio;

    *done = n < 777 ? n : 777;
    if (*done > b->n - b->at)
        *done = b->n - b->at;
    if (*done > 0)
        memcpy(out, b->d + b->at, *done);
    b->at += *done;
    return *done > 0;
}

static int fake_bio_write_ex(OSSL_CORE_BIO *bio, const void *in, size_t n, size_t *done)
{
    struct fake_bio *b = (struct fake_bio *)bio;

    *done = n < 777 ? n : 777;
    if (*done > b->size - b->n)
        return 0;
    memcpy(b->d + b->n, in, *done);
    b->n += *done;
    return 1;
}

#define F(id, f) { OSSL_FUNC_##id, (void (*)(void))f }
static const OSSL_DISPATCH all[] = {
    F(BIO_READ_EX, fake_bio_read_ex), F(BIO_WRITE_EX, fake_bio_write_ex),
    F(CORE_GET_PARAMS, fake_get_params),
    F(CORE_THREAD_START, fake_thread_start),
    F(CORE_NEW_ERROR, fake_new_error),
    F(CORE_SET_ERROR_DEBUG, fake_set_error_debug),
    F(CORE_VSET_ERROR, fake_vset_error),
    F(CRYPTO_MALLOC, fake_malloc),
    F(CRYPTO_ZALLOC, fake_zalloc),
    F(CRYPTO_FREE, fake_free),
    F(CRYPTO_CLEAR_FREE, fake_clear_free),
    F(CRYPTO_REALLOC, fake_realloc),
    F(CRYPTO_SECURE_MALLOC, fake_malloc),
    F(CRYPTO_SECURE_ZALLOC, fake_zalloc),
    F(CRYPTO_SECURE_CLEAR_FREE, fake_clear_free),
    F(OPENSSL_CLEANSE, fake_cleanse),
    F(GET_ENTROPY, fake_get_entropy),
    F(CLEANUP_ENTROPY, fake_cleanup),
    F(GET_NONCE, fake_get_nonce),
    F(CLEANUP_NONCE, fake_cleanup),
    { 9999, (void (*)(void))fake_cleanup },     /* an id of the future */
    { 0, NULL }
};

void fake_init(struct fake_core *fc, const char *version)
{
    memset(fc, 0, sizeof(*fc));
    fc->version = version;
}

static int hidden(const struct fake_core *fc, int id)
{
    size_t i;

    for (i = 0; fc->hide[i] != 0; i++)
        if (fc->hide[i] == id)
            return 1;
    return 0;
}

int fake_load(struct fake_core *fc)
{
    OSSL_DISPATCH offered[sizeof(all) / sizeof(all[0])];
    OSSL_provider_init_fn *init;
    size_t i, n = 0;

    in_use = fc;
    for (i = 0; all[i].function_id != 0; i++)
        if (!hidden(fc, all[i].function_id))
            offered[n++] = all[i];
    offered[n] = all[i];
    fc->handle = dlopen(getenv("WOLFNANO_SO"), RTLD_NOW | RTLD_LOCAL);
    if (fc->handle == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 0;
    }
    *(void **)&init = dlsym(fc->handle, "OSSL_provider_init");
    if (init == NULL || !init((const OSSL_CORE_HANDLE *)fc, offered, &fc->functions, &fc->provctx)) {
        dlclose(fc->handle);
        fc->handle = NULL;
        return 0;
    }
    return 1;
}

void fake_unload(struct fake_core *fc)
{
    OSSL_FUNC_provider_teardown_fn *teardown;

    if (fc->handle == NULL)
        return;
    in_use = fc;
    while (fc->n_threads > 0) {
        fc->n_threads--;
        fc->thread_stop[fc->n_threads](fc->thread_arg[fc->n_threads]);
    }
    teardown = (OSSL_FUNC_provider_teardown_fn *)
        fake_function(fc->functions, OSSL_FUNC_PROVIDER_TEARDOWN);
    teardown(fc->provctx);
    dlclose(fc->handle);
    fc->handle = NULL;
}

void (*fake_function(const OSSL_DISPATCH *table, int id))(void)
{
    for (; table != NULL && table->function_id != 0; table++)
        if (table->function_id == id)
            return table->function;
    return NULL;
}

static int has_name(const char *names, const char *name)
{
    size_t n, len = strlen(name);

    for (;; names += n + 1) {
        n = strcspn(names, ":");
        if (n == len && strncasecmp(names, name, n) == 0)
            return 1;
        if (names[n] == '\0')
            return 0;
    }
}

const OSSL_DISPATCH *fake_algorithm_with(struct fake_core *fc, int operation, const char *name,
                                         const char *properties)
{
    OSSL_FUNC_provider_query_operation_fn *query = (OSSL_FUNC_provider_query_operation_fn *)
        fake_function(fc->functions, OSSL_FUNC_PROVIDER_QUERY_OPERATION);
    const OSSL_ALGORITHM *a;
    int no_cache = 1;

    in_use = fc;
    for (a = query(fc->provctx, operation, &no_cache); a != NULL && a->algorithm_names != NULL; a++)
        if (has_name(a->algorithm_names, name)
            && strstr(a->property_definition, properties) != NULL)
            return a->implementation;
    return NULL;
}

const OSSL_DISPATCH *fake_algorithm(struct fake_core *fc, int operation, const char *name)
{
    return fake_algorithm_with(fc, operation, name, "");
}

int fake_raised(const struct fake_core *fc, uint32_t reason)
{
    uint32_t last = fc->n_reasons == 0 ? 0 : fc->reasons[fc->n_reasons - 1];

    return last == reason || last == (uint32_t)ERR_PACK(ERR_LIB_PROV, 0, reason);
}
