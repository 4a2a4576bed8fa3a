/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entry point, provider parameters and teardown (provider-base(7)).
 *
 * Nothing here or in anything it calls draws random bytes or fetches: OpenSSL
 * may be loading the module on behalf of its own random generator.
 */
#include <stdlib.h>
#include <string.h>

#include "../algs/wolf.h"
#include "cpu.h"
#include "err.h"
#include "fn.h"
#include "fork.h"
#include "mem.h"
#include "params.h"
#include "rng.h"

/* WN_VERSION and WN_ARCH come from CMake. */

#define PROV_GET(P)                                  \
    P(name, utf8_ptr, OSSL_PROV_PARAM_NAME)          \
    P(version, utf8_ptr, OSSL_PROV_PARAM_VERSION)    \
    P(buildinfo, utf8_ptr, OSSL_PROV_PARAM_BUILDINFO) \
    P(status, int, OSSL_PROV_PARAM_STATUS)
WN_PARAMS(prov_get, PROV_GET);

static const OSSL_PARAM *prov_gettable(void *vprov)
{
    (void)vprov;
    return prov_get_list;
}

static int prov_get_params(void *vprov, OSSL_PARAM params[])
{
    const struct wn_prov *prov = vprov;
    struct prov_get p;

    return WN_PARAMS_SCAN(prov, prov_get, params, &p)
        && wn_param_give_utf8(prov, p.name, "wolfnano")
        && wn_param_give_utf8(prov, p.version, WN_VERSION)
        && wn_param_give_utf8(prov, p.buildinfo, prov->buildinfo)
        && wn_param_give_int(prov, p.status, 1);
}

static const OSSL_ITEM *prov_reason_strings(void *vprov)
{
    (void)vprov;
    return wn_reason_strings;
}

/* Serves RAND_bytes() by itself where configuration names it as random_provider. */
static int prov_random_bytes(void *vprov, int which, void *out, size_t n, unsigned strength)
{
    const struct wn_prov *prov = vprov;

    (void)which;
    if (strength > WN_RNG_STRENGTH) {
        WN_RAISE(prov, PROV_R_INSUFFICIENT_DRBG_STRENGTH);
        return 0;
    }
    return wn_rng_bytes(prov, out, n);
}

static void prov_teardown(void *vprov)
{
    struct wn_prov *prov = vprov;

    if (prov == NULL)
        return;
    wn_wolf_cleanup(prov);
    wn_fork_free(prov);
    wn_query_free(prov);
    prov->core.free(prov, __FILE__, __LINE__);
}

static const OSSL_DISPATCH prov_functions[] = {
    WN_FN(PROVIDER_TEARDOWN, provider_teardown, prov_teardown),
    WN_FN(PROVIDER_GETTABLE_PARAMS, provider_gettable_params, prov_gettable),
    WN_FN(PROVIDER_GET_PARAMS, provider_get_params, prov_get_params),
    WN_FN(PROVIDER_QUERY_OPERATION, provider_query_operation, wn_query_operation),
    WN_FN(PROVIDER_GET_REASON_STRINGS, provider_get_reason_strings, prov_reason_strings),
    WN_FN(PROVIDER_GET_CAPABILITIES, provider_get_capabilities, wn_get_capabilities),
    WN_FN(PROVIDER_RANDOM_BYTES, provider_random_bytes, prov_random_bytes),
    WN_FN_END
};

/* "3.5.9" -> WN_CORE_VERSION(3, 5), 9 */
static unsigned core_version(const struct wn_prov *prov, unsigned *patch)
{
    const char *text = NULL;
    char *end;
    unsigned long major, minor = 0;
    OSSL_PARAM wanted[] = {
        OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_CORE_VERSION, &text, 0),
        OSSL_PARAM_END
    };

    *patch = 0;
    if (!prov->core.get_params(prov->handle, wanted) || text == NULL)
        return WN_CORE_VERSION(3, 0);
    major = strtoul(text, &end, 10);
    if (*end == '.')
        minor = strtoul(end + 1, &end, 10);
    if (*end == '.')
        *patch = (unsigned)strtoul(end + 1, NULL, 10);
    return major > 255 || minor > 255 ? WN_CORE_VERSION(3, 0) : WN_CORE_VERSION(major, minor);
}

static void describe_build(struct wn_prov *prov)
{
    static const char head[] = "wolfSSL " WN_WOLFSSL_VERSION ", " WN_ARCH ", cpu: ";
    uint32_t flags = wn_cpu_flags();

    memcpy(prov->buildinfo, head, sizeof(head));
    if (flags != 0)
        wn_cpu_describe(flags, prov->buildinfo + sizeof(head) - 1,
                        sizeof(prov->buildinfo) - sizeof(head) + 1);
    else
        memcpy(prov->buildinfo + sizeof(head) - 1, "portable C", sizeof("portable C"));
}

static int prov_start(struct wn_prov *prov)
{
    prov->core_version = core_version(prov, &prov->core_patch);
    if (!wn_config_load(prov, &prov->config))
        return 0;
    if (!wn_cpu_choose(prov->config.cpu_mask, prov->config.cpu_given)) {
        WN_RAISE_OWN(prov, WN_R_CPU_CHOICE_FIXED, NULL);
        return 0;
    }
    describe_build(prov);
    if (!wn_query_new(prov) || !wn_fork_new(prov) || !wn_wolf_init(prov))
        return 0;
    return 1;
}

OSSL_provider_init_fn OSSL_provider_init __attribute__((visibility("default")));

int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                       const OSSL_DISPATCH **out, void **provctx)
{
    struct wn_core core;
    struct wn_prov *prov;

    if (!wn_core_load(&core, in))
        return 0;
    prov = core.zalloc(sizeof(*prov), __FILE__, __LINE__);
    if (prov == NULL)
        return 0;
    prov->handle = handle;
    prov->core = core;
    if (!prov_start(prov)) {
        prov_teardown(prov);
        return 0;
    }
    *out = prov_functions;
    *provctx = prov;
    return 1;
}
