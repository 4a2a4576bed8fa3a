/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conventions and helpers of all key types (provider-keymgmt(7)).
 *
 * A key object is canonical bytes. It is written while it is made (import,
 * generation, set_params of a key not yet in use) and read-only from the first
 * operation on, so any number of threads share it without a lock; operations
 * hold a counted reference and a working copy of their own.
 */
#ifndef WN_KEY_H
#define WN_KEY_H

#include "../provider/fn.h"
#include "../provider/parambuild.h"
#include "../provider/params.h"
#include "../provider/ref.h"
#include "wolf.h"

#define WN_SELECTS_PRIVATE(s) (((s) & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0)
#define WN_SELECTS_PUBLIC(s) (((s) & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0)
#define WN_SELECTS_KEYPAIR(s) (((s) & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0)
#define WN_SELECTS_DOMAIN(s) (((s) & OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS) != 0)
#define WN_SELECTS_OTHER(s) (((s) & OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS) != 0)

/*
 * keymgmt_load: a decoder or store hands over an object it made by a reference,
 * which is the address of a variable that holds the pointer; taking it empties
 * the variable.
 */
static inline void *wn_key_take_reference(const void *reference, size_t size)
{
    void **slot, *key;

    if (size != sizeof(key))
        return NULL;
    slot = (void **)(uintptr_t)reference;
    key = *slot;
    *slot = NULL;
    return key;
}

/*
 * Security strength in bits of RSA and finite-field keys with a modulus of
 * `bits` (SP 800-56B rev. 2 appendix D, FIPS 140-2 IG 7.5), as OpenSSL rounds it.
 */
int wn_security_bits(size_t bits);

/*
 * NIST's security category of a key that a quantum computer breaks: 0, a parameter of
 * OpenSSL 3.6. It is the first of a list of gettable parameters, so that before 3.6
 * the list begins behind it and the parameter is not given.
 */
#define WN_KEY_CATEGORY(P) P(category, int, OSSL_PKEY_PARAM_SECURITY_CATEGORY)

static inline int wn_key_has_category(const struct wn_prov *prov)
{
    return prov->core_version >= WN_CORE_VERSION(3, 6);
}

static inline const OSSL_PARAM *wn_key_gettable(const struct wn_prov *prov, const OSSL_PARAM *list)
{
    return wn_key_has_category(prov) ? list : list + 1;
}

static inline int wn_key_give_category(const struct wn_prov *prov, OSSL_PARAM *p)
{
    return !wn_key_has_category(prov) || wn_param_give_int(prov, p, 0);
}

/*
 * Gives the caller's export callback the parameters that were built, then
 * wipes and frees them. 0 when one of them could not be built.
 */
static inline int wn_key_export_done(struct wn_pb *pb, OSSL_CALLBACK *cb, void *arg)
{
    OSSL_PARAM *params = wn_pb_params(pb);
    int ok = params != NULL && cb(params, arg);

    wn_pb_clear(pb);
    return ok;
}

#endif
