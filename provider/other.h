/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Algorithms of the other providers of the same library context.
 *
 * OpenSSL chooses a provider once, when HMAC, RSA or EC is fetched, and asks no second
 * one when the digest or the curve then turns out to be unknown. So wolfnano asks
 * itself: it looks for the algorithm in the other active providers, "default" first,
 * and hands one object over to the first that can do it. Nothing happens before wolfnano
 * would have raised an error; nothing is remembered between two such cases.
 *
 * A struct wn_other is one algorithm of one provider, counted. It holds a reference to
 * the provider, which therefore outlives all contexts and keys made through it, whatever
 * is unloaded meanwhile. It is read-only: threads may share it.
 *
 * Finding providers takes the lock of OpenSSL's list of providers, so it must not be done
 * inside provider_query_operation or under a lock of ours.
 */
#ifndef WN_OTHER_H
#define WN_OTHER_H

#include "prov.h"
#include "ref.h"

#define WN_OTHER_IDS 64         /* function ids of one operation are below */

struct wn_other {
    const struct wn_prov *prov;
    wn_ref ref;
    const OSSL_CORE_HANDLE *provider;
    void *provctx;
    void (*fn[WN_OTHER_IDS])(void);     /* by function id */
};

/* A function of the algorithm; NULL: it has none of that id. */
#define WN_OTHER_FN(other, id, type) \
    ((OSSL_FUNC_##type##_fn *)(other)->fn[OSSL_FUNC_##id])

/* Tries to do what is wanted with `other`; to keep it, takes a reference. 1: done. */
typedef int wn_other_try(struct wn_other *other, void *arg);

/*
 * Tries the algorithm (one of its names) of each other provider in turn, until one
 * succeeds. 1: done. 0: none did, or fallback is off; nothing is on the error queue
 * that was not there before. A default property query that insists on a provider
 * ("provider=x", not "?provider=x") is heeded.
 */
int wn_other_find(const struct wn_prov *prov, int operation, const char *name,
                  wn_other_try *try, void *arg);
/* Another algorithm of the same provider, counted; NULL: it has none. */
struct wn_other *wn_other_sibling(const struct wn_other *other, int operation, const char *name);

/* Calls cb with what the other providers say to a capability (provider-base(7)). Like
 * wn_other_find() it heeds the option and the default property query. */
void wn_other_capabilities(const struct wn_prov *prov, const char *capability, OSSL_CALLBACK *cb,
                           void *arg);

static inline struct wn_other *wn_other_up(struct wn_other *other)
{
    wn_ref_up(&other->ref);
    return other;
}
void wn_other_free(struct wn_other *other);

#endif
