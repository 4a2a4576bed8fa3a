/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds algorithms of other providers; see other.h.
 *
 * The core tells a provider about the others through callbacks that are meant for those
 * that keep a library context of their own (provider-base(7), "child" functions).
 * Registering one calls it for every active provider. wolfnano takes references to them
 * and withdraws it at once: it keeps no list that would have to follow loading and
 * unloading, and nothing has to be undone in teardown.
 */
#include "other.h"

#include <string.h>
#include <strings.h>

#include "err.h"
#include "mem.h"
#include "names.h"

#define MAX_PROVIDERS 16
#define OWN_PROPERTY "wolfnano"

struct snapshot {
    const struct wn_prov *prov;
    size_t n;
    const OSSL_CORE_HANDLE *providers[MAX_PROVIDERS];
    char only[64];              /* the provider that the default query insists on */
};

/*
 * What this thread collects. The callbacks get no pointer to it: until it is withdrawn
 * again a callback may also be called by other threads, which load providers.
 */
static _Thread_local struct snapshot *collecting;

/* Called under the lock of the list of providers. */
static int on_provider(const OSSL_CORE_HANDLE *provider, void *data)
{
    struct snapshot *s = collecting;

    (void)data;
    if (s != NULL && provider != s->prov->handle && s->n < MAX_PROVIDERS
        && s->prov->core.provider_up_ref(provider, 0) > 0)
        s->providers[s->n++] = provider;
    return 1;
}

static int on_removal(const OSSL_CORE_HANDLE *provider, void *data)
{
    (void)provider, (void)data;
    return 1;
}

/* A word of a property clause without blanks and quotes around it; its length. */
static size_t trim(const char **word, size_t n)
{
    while (n > 0 && strchr(" \t'\"", (*word)[0]) != NULL)
        ++*word, n--;
    while (n > 0 && strchr(" \t'\"", (*word)[n - 1]) != NULL)
        n--;
    return n;
}

/* The value of a mandatory "provider=..." in a property query; "" if there is none. */
static void find_provider_clause(const char *query, char *only, size_t size)
{
    size_t n, before, len;

    for (; *query != '\0'; query += n + (query[n] == ',')) {
        const char *name = query, *value;

        n = strcspn(query, ",");
        before = strcspn(query, "=,");
        value = query + before + 1;
        if (before >= n || trim(&name, before) != strlen("provider")
            || strncasecmp(name, "provider", strlen("provider")) != 0)
            continue;
        len = trim(&value, n - before - 1);
        if (len < size) {
            memcpy(only, value, len);
            only[len] = '\0';
        }
    }
}

static int on_properties(const char *query, void *data)
{
    (void)data;
    if (collecting != NULL && query != NULL)
        find_provider_clause(query, collecting->only, sizeof(collecting->only));
    return 1;
}

static int can_find(const struct wn_prov *prov)
{
    const struct wn_core *core = &prov->core;

    return !prov->config.no_fallback && core->provider_register_child != NULL
        && core->provider_deregister_child != NULL && core->provider_name != NULL
        && core->provider_ctx != NULL && core->provider_dispatch != NULL
        && core->provider_up_ref != NULL && core->provider_free != NULL;
}

static void take_snapshot(const struct wn_prov *prov, struct snapshot *s)
{
    const OSSL_CORE_HANDLE *first;
    size_t i;
    int ok;

    memset(s, 0, sizeof(*s));
    s->prov = prov;
    collecting = s;
    ok = prov->core.provider_register_child(prov->handle, on_provider, on_removal, on_properties,
                                            NULL);
    collecting = NULL;
    if (ok)
        prov->core.provider_deregister_child(prov->handle);
    for (i = 1; i < s->n; i++) {
        if (strcmp(prov->core.provider_name(s->providers[i]), "default") == 0) {
            first = s->providers[i];
            memmove(s->providers + 1, s->providers, i * sizeof(first));
            s->providers[0] = first;
        }
    }
}

static void drop_snapshot(struct snapshot *s)
{
    while (s->n > 0)
        s->prov->core.provider_free(s->providers[--s->n], 0);
}

/* ---- algorithms ---------------------------------------------------------------- */

static struct wn_other *other_new(const struct wn_prov *prov, const OSSL_CORE_HANDLE *provider,
                                  void *provctx, const OSSL_DISPATCH *functions)
{
    struct wn_other *other = wn_zalloc(prov, sizeof(*other));

    if (other == NULL)
        return NULL;
    if (prov->core.provider_up_ref(provider, 0) <= 0) {
        wn_free(prov, other);
        return NULL;
    }
    other->prov = prov;
    wn_ref_init(&other->ref);
    other->provider = provider;
    other->provctx = provctx;
    for (; functions->function_id != 0; functions++)
        if (functions->function_id > 0 && functions->function_id < WN_OTHER_IDS)
            other->fn[functions->function_id] = functions->function;
    return other;
}

void wn_other_free(struct wn_other *other)
{
    if (other == NULL || !wn_ref_down(&other->ref))
        return;
    other->prov->core.provider_free(other->provider, 0);
    wn_free(other->prov, other);
}

/* Has that value in the clause "provider=" of the algorithm's properties. */
static int is_of(const OSSL_ALGORITHM *a, const char *value)
{
    char provider[64] = "";

    if (a->property_definition != NULL)
        find_provider_clause(a->property_definition, provider, sizeof(provider));
    return strcasecmp(provider, value) == 0;
}

/* only: "" or the provider that it must be of. Never wolfnano's own, loaded twice. */
static struct wn_other *look_up(const struct wn_prov *prov, const OSSL_CORE_HANDLE *provider,
                                int operation, const char *name, const char *only)
{
    const OSSL_DISPATCH *d = prov->core.provider_dispatch(provider);
    void *provctx = prov->core.provider_ctx(provider);
    OSSL_FUNC_provider_query_operation_fn *query = NULL;
    OSSL_FUNC_provider_unquery_operation_fn *unquery = NULL;
    const OSSL_ALGORITHM *all, *a;
    struct wn_other *found = NULL;
    int no_cache = 0;

    for (; d != NULL && d->function_id != 0; d++) {
        if (d->function_id == OSSL_FUNC_PROVIDER_QUERY_OPERATION)
            query = OSSL_FUNC_provider_query_operation(d);
        else if (d->function_id == OSSL_FUNC_PROVIDER_UNQUERY_OPERATION)
            unquery = OSSL_FUNC_provider_unquery_operation(d);
    }
    all = query != NULL ? query(provctx, operation, &no_cache) : NULL;
    for (a = all; a != NULL && a->algorithm_names != NULL && found == NULL; a++)
        if (wn_name_listed(a->algorithm_names, name) && !is_of(a, OWN_PROPERTY)
            && (only[0] == '\0' || is_of(a, only)))
            found = other_new(prov, provider, provctx, a->implementation);
    if (all != NULL && unquery != NULL)
        unquery(provctx, operation, all);
    return found;
}

static OSSL_FUNC_provider_get_capabilities_fn *capabilities_of(const struct wn_prov *prov,
                                                               const OSSL_CORE_HANDLE *provider)
{
    const OSSL_DISPATCH *d = prov->core.provider_dispatch(provider);

    for (; d != NULL && d->function_id != 0; d++)
        if (d->function_id == OSSL_FUNC_PROVIDER_GET_CAPABILITIES)
            return OSSL_FUNC_provider_get_capabilities(d);
    return NULL;
}

void wn_other_capabilities(const struct wn_prov *prov, const char *capability, OSSL_CALLBACK *cb,
                           void *arg)
{
    /* another wolfnano, loaded as a second module, would ask back */
    static _Thread_local int asking;
    OSSL_FUNC_provider_get_capabilities_fn *get;
    struct snapshot s;
    size_t i;

    if (asking || !can_find(prov))
        return;
    asking = 1;
    take_snapshot(prov, &s);
    for (i = 0; i < s.n; i++) {
        get = capabilities_of(prov, s.providers[i]);
        if (get != NULL
            && (s.only[0] == '\0'
                || strcasecmp(prov->core.provider_name(s.providers[i]), s.only) == 0))
            get(prov->core.provider_ctx(s.providers[i]), capability, cb, arg);
    }
    drop_snapshot(&s);
    asking = 0;
}

int wn_other_find(const struct wn_prov *prov, int operation, const char *name,
                  wn_other_try *try, void *arg)
{
    struct wn_other *other;
    struct snapshot s;
    int done = 0;
    size_t i;

    if (!can_find(prov))
        return 0;
    wn_error_mark(prov);
    take_snapshot(prov, &s);
    for (i = 0; i < s.n && !done; i++) {
        other = look_up(prov, s.providers[i], operation, name, s.only);
        done = other != NULL && try(other, arg);
        wn_other_free(other);
    }
    drop_snapshot(&s);
    wn_error_pop_to_mark(prov);
    return done;
}

struct wn_other *wn_other_sibling(const struct wn_other *other, int operation, const char *name)
{
    return look_up(other->prov, other->provider, operation, name, "");
}
