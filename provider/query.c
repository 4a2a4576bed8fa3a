/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The algorithm arrays that OpenSSL queries. Built once per provider context
 * from alglist.def: rows newer than the running core and rows that the
 * configuration leaves out are dropped, and blocked ones get a dispatch table
 * whose context constructor fails with WN_R_BLOCKED (of keys: their generation).
 */
#include "prov.h"

#include <limits.h>
#include <string.h>

#include "alglist.h"
#include "err.h"
#include "mem.h"
#include "names.h"

struct wn_alg {
    int operation;
    const char *names, *properties;
    const OSSL_DISPATCH *functions;
    unsigned since, until;      /* first version with it, first without it again */
};

static const struct wn_alg algorithms[] = {
#define PROPERTIES "provider=wolfnano"
#define WN_ALG(operation, names, functions, since) \
    { OSSL_OP_##operation, names, PROPERTIES, functions, since, UINT_MAX },
#define WN_ALG_UNTIL(operation, names, functions, since, until) \
    { OSSL_OP_##operation, names, PROPERTIES, functions, since, until },
#define WN_ALG_FILE(operation, names, more, functions)                 \
    { OSSL_OP_##operation, names, PROPERTIES "," more, functions, WN_ALWAYS, WN_KEY_FILES_UNTIL },
#include "alglist.def"
#undef WN_ALG
#undef WN_ALG_UNTIL
#undef WN_ALG_FILE
};

#define N_ALGORITHMS (sizeof(algorithms) / sizeof(algorithms[0]))

struct wn_query {
    /* by operation id; each ends with an all-NULL entry */
    OSSL_ALGORITHM *by_operation[OSSL_OP__HIGHEST + 1];
};

/*
 * In every operation's table function 1 creates the object (NEWCTX, NEW) and
 * gets the provider context first.
 */
static void *blocked_new(void *vprov)
{
    const struct wn_prov *prov = vprov;

    WN_RAISE_OWN(prov, WN_R_BLOCKED, NULL);
    return NULL;
}

/*
 * Keys can still be imported, only not generated (secret keys have nothing else
 * than import, and stay where they were imported): where an import fails,
 * libcrypto silently turns to another provider, and the operation that was
 * to be seen failing would never be called.
 */
static void *blocked_gen_init(void *vprov, int selection, const OSSL_PARAM params[])
{
    (void)selection, (void)params;
    return blocked_new(vprov);
}

static OSSL_DISPATCH *blocked_table(const struct wn_prov *prov, const struct wn_alg *alg)
{
    int keys = alg->operation == OSSL_OP_KEYMGMT || alg->operation == OSSL_OP_SKEYMGMT;
    int makes = alg->operation == OSSL_OP_SKEYMGMT ? OSSL_FUNC_SKEYMGMT_IMPORT
                                                   : OSSL_FUNC_KEYMGMT_GEN_INIT;
    OSSL_DISPATCH *out;
    size_t n = 0, i;

    while (alg->functions[n].function_id != 0)
        n++;
    out = wn_memdup(prov, alg->functions, (n + 1) * sizeof(*out));
    for (i = 0; out != NULL && i < n; i++) {
        if (keys && out[i].function_id == makes)
            out[i].function = (void (*)(void))blocked_gen_init;
        else if (!keys && out[i].function_id == 1)
            out[i].function = (void (*)(void))blocked_new;
    }
    return out;
}

/* Key files stay readable: what is to fail are the operations. */
static int blocks(const struct wn_prov *prov, int operation, const char *names)
{
    return operation != OSSL_OP_ENCODER && operation != OSSL_OP_DECODER
        && wn_config_lists(prov->config.block, names);
}

static int offered(const struct wn_prov *prov, const struct wn_alg *alg)
{
    return alg->since <= prov->core_version && prov->core_version < alg->until
        && !wn_config_lists(prov->config.without, alg->names);
}

static int add(const struct wn_prov *prov, struct wn_query *query, const struct wn_alg *alg,
               size_t *used)
{
    OSSL_ALGORITHM **list = &query->by_operation[alg->operation], *entry;
    const OSSL_DISPATCH *functions = alg->functions;

    if (*list == NULL) {
        *list = wn_zalloc(prov, (N_ALGORITHMS + 1) * sizeof(**list));
        if (*list == NULL)
            return 0;
    }
    if (blocks(prov, alg->operation, alg->names)) {
        functions = blocked_table(prov, alg);
        if (functions == NULL)
            return 0;
    }
    entry = &(*list)[used[alg->operation]++];
    entry->algorithm_names = alg->names;
    entry->property_definition = alg->properties;
    entry->implementation = functions;
    return 1;
}

int wn_query_new(struct wn_prov *prov)
{
    size_t used[OSSL_OP__HIGHEST + 1] = { 0 }, i;

    prov->query = wn_zalloc(prov, sizeof(*prov->query));
    if (prov->query == NULL)
        return 0;
    for (i = 0; i < N_ALGORITHMS; i++)
        if (offered(prov, &algorithms[i]) && !add(prov, prov->query, &algorithms[i], used))
            return 0;
    return 1;
}

static void free_list(const struct wn_prov *prov, int operation, OSSL_ALGORITHM *list)
{
    OSSL_ALGORITHM *a;

    for (a = list; a != NULL && a->algorithm_names != NULL; a++)
        if (blocks(prov, operation, a->algorithm_names))
            wn_free(prov, (void *)a->implementation);
    wn_free(prov, list);
}

void wn_query_free(struct wn_prov *prov)
{
    int i;

    if (prov->query == NULL)
        return;
    for (i = 0; i <= OSSL_OP__HIGHEST; i++)
        free_list(prov, i, prov->query->by_operation[i]);
    wn_free(prov, prov->query);
    prov->query = NULL;
}

int wn_query_offers(const struct wn_prov *prov, int operation, const char *name)
{
    const OSSL_ALGORITHM *a = prov->query->by_operation[operation];

    for (; a != NULL && a->algorithm_names != NULL; a++)
        if (wn_name_listed(a->algorithm_names, name))
            return 1;
    return 0;
}

const OSSL_ALGORITHM *wn_query_operation(void *vprov, int operation_id, int *no_cache)
{
    const struct wn_prov *prov = vprov;

    *no_cache = 0;
    if (operation_id < 0 || operation_id > OSSL_OP__HIGHEST)
        return NULL;
    if (operation_id == OSSL_OP_KEYMGMT || operation_id == OSSL_OP_SIGNATURE
        || operation_id == OSSL_OP_ENCODER || operation_id == OSSL_OP_DECODER)
        wn_objects_register(prov);
    return prov->query->by_operation[operation_id];
}
