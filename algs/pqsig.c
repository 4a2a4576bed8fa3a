/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signature contexts of ML-DSA and SLH-DSA; see pqsig.h. */
#include "pqsig.h"

#include <string.h>

#include <openssl/core_names.h>

#include "../provider/compat.h"
#include "../provider/err.h"
#include "../provider/params.h"

int wn_pqsig_set(const struct wn_prov *prov, struct wn_pqsig *options,
                 const struct wn_pqsig_params *p, size_t entropy_size)
{
    const unsigned char *context = NULL, *entropy = NULL;
    size_t context_len = 0, entropy_len = 0;
    int deterministic = options->deterministic, encoding = options->encoding;

    if (!wn_param_take_octets(prov, p->context, &context, &context_len)
        || !wn_param_take_octets(prov, p->entropy, &entropy, &entropy_len)
        || !wn_param_take_int(prov, p->deterministic, &deterministic)
        || !wn_param_take_int(prov, p->encoding, &encoding))
        return 0;
    if (context_len > sizeof(options->context)) {
        WN_RAISE_MSG(prov, PROV_R_INVALID_DATA, "context string of %zu bytes, at most %d",
                     context_len, WN_PQSIG_CONTEXT);
        return 0;
    }
    if (p->entropy != NULL && entropy_len != entropy_size) {
        WN_RAISE(prov, PROV_R_INVALID_SEED_LENGTH);
        return 0;
    }
    if (p->context != NULL) {
        if (context_len != 0)
            memcpy(options->context, context, context_len);
        options->context_len = context_len;
    }
    if (p->entropy != NULL) {
        memcpy(options->entropy, entropy, entropy_len);
        options->has_entropy = 1;
    }
    options->deterministic = deterministic;
    options->encoding = encoding;
    return 1;
}

#define PQSIG_GET(P) P(algorithm_id, octet_string, OSSL_SIGNATURE_PARAM_ALGORITHM_ID)
WN_PARAMS(pqsig_get, PQSIG_GET);

const OSSL_PARAM *wn_pqsig_gettable(void *vctx, void *vprov)
{
    (void)vctx;
    (void)vprov;
    return pqsig_get_list;
}

int wn_pqsig_get(const struct wn_prov *prov, unsigned char oid, OSSL_PARAM params[])
{
    const unsigned char id[] = { 0x30, 0x0b, 0x06, 0x09, 0x60, 0x86, 0x48,
                                 0x01, 0x65, 0x03, 0x04, 0x03, oid };
    struct pqsig_get p;

    return WN_PARAMS_SCAN(prov, pqsig_get, params, &p)
        && wn_param_give_octets(prov, p.algorithm_id, id, sizeof(id));
}

int wn_pqsig_no_digest(const struct wn_prov *prov, const char *family, const char *mdname)
{
    if (mdname == NULL || mdname[0] == '\0')
        return 1;
    WN_RAISE_MSG(prov, PROV_R_INVALID_DIGEST,
                 "Explicit digest not supported for %s operations", family);
    return 0;
}

int wn_pqsig_key_fits(const struct wn_prov *prov, const char *wanted, const char *given,
                      int has_key)
{
    if (given == NULL && !has_key) {
        WN_RAISE(prov, PROV_R_NO_KEY_SET);
        return 0;
    }
    if (given != NULL && strcmp(wanted, given) != 0) {
        WN_RAISE_MSG(prov, PROV_R_INVALID_KEY, "%s with an %s key", wanted, given);
        return 0;
    }
    return 1;
}
