/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The provider context: one per OSSL_PROVIDER, i.e. per library context that
 * loads the module. Made by OSSL_provider_init(), read-only afterwards (the
 * random generator's state apart, which guards itself), freed by teardown.
 * Every context and key of algs/ holds a `const struct wn_prov *` as its first
 * field; OpenSSL keeps the provider alive as long as any of them exists.
 */
#ifndef WN_PROV_H
#define WN_PROV_H

#include <stddef.h>
#include <stdint.h>

#include "compat.h"
#include "config.h"
#include "core.h"

/* Comparable OpenSSL version number: WN_CORE_VERSION(3, 5) <= prov->core_version. */
#define WN_CORE_VERSION(major, minor) (((major) << 8) | (minor))
#define WN_ALWAYS 0
/* From this one on the base provider reads and writes ML-KEM and ML-DSA keys. */
#define WN_KEY_FILES_UNTIL WN_CORE_VERSION(3, 5)

struct wn_query;        /* query.c: the algorithm arrays */
struct wn_rng_state;    /* algs/rng.c: the per-thread generators */
struct wn_fork;         /* fork.c: notices forks */

struct wn_prov {
    const OSSL_CORE_HANDLE *handle;
    struct wn_core core;
    unsigned core_version;          /* of the running libcrypto */
    unsigned core_patch;            /* its third number */
    struct wn_config config;
    struct wn_query *query;
    struct wn_fork *fork;
    struct wn_rng_state *rng;
    int wolf_ready;                 /* wolfCrypt_Init() counted this context */
    char buildinfo[256];
};

/* query.c */
int wn_query_new(struct wn_prov *prov);
void wn_query_free(struct wn_prov *prov);
OSSL_FUNC_provider_query_operation_fn wn_query_operation;
/* 1 if an algorithm of that name is offered (operation: OSSL_OP_*). */
int wn_query_offers(const struct wn_prov *prov, int operation, const char *name);

/* objects.c: makes OpenSSL know the OIDs of what is offered, once a process */
void wn_objects_register(const struct wn_prov *prov);

/* capabilities.c */
OSSL_FUNC_provider_get_capabilities_fn wn_get_capabilities;

#endif
