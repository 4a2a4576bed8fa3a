/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the signature contexts of ML-DSA and SLH-DSA have in common: the options of
 * FIPS 204 section 5.2 and FIPS 205 section 10.2, and AlgorithmIdentifiers.
 */
#ifndef WN_PQSIG_H
#define WN_PQSIG_H

#include <stddef.h>

#include <openssl/core.h>

#include "../provider/prov.h"

#define WN_PQSIG_ENTROPY 32             /* the most that a test may give */
#define WN_PQSIG_CONTEXT 255

enum { WN_PQSIG_RAW, WN_PQSIG_PURE };   /* OSSL_SIGNATURE_PARAM_MESSAGE_ENCODING */

struct wn_pqsig {
    int encoding, deterministic;
    int has_entropy;
    unsigned char entropy[WN_PQSIG_ENTROPY];
    unsigned char context[WN_PQSIG_CONTEXT];
    size_t context_len;
};

/* Members of the parameters that wn_pqsig_set() takes; any may be NULL. */
#define WN_PQSIG_SET(P)                                             \
    P(context, octet_string, OSSL_SIGNATURE_PARAM_CONTEXT_STRING)   \
    P(entropy, octet_string, OSSL_SIGNATURE_PARAM_TEST_ENTROPY)     \
    P(deterministic, int, OSSL_SIGNATURE_PARAM_DETERMINISTIC)       \
    P(encoding, int, OSSL_SIGNATURE_PARAM_MESSAGE_ENCODING)

struct wn_pqsig_params {
    const OSSL_PARAM *context, *entropy, *deterministic, *encoding;
};

/* Entropy must have entropy_size bytes. 0 with an error raised and nothing changed. */
int wn_pqsig_set(const struct wn_prov *prov, struct wn_pqsig *options,
                 const struct wn_pqsig_params *p, size_t entropy_size);

/*
 * The AlgorithmIdentifier of NIST's signature 2.16.840.1.101.3.4.3.`oid`, which has no
 * parameters (RFC 9881 section 2, RFC 9909 section 3); and the list of what is given.
 */
int wn_pqsig_get(const struct wn_prov *prov, unsigned char oid, OSSL_PARAM params[]);
const OSSL_PARAM *wn_pqsig_gettable(void *vctx, void *vprov);

/* The schemes hash by themselves: 0 with an error raised if a digest is named. */
int wn_pqsig_no_digest(const struct wn_prov *prov, const char *family, const char *mdname);

/*
 * May a context of `wanted` start with a key of `given` (NULL: none), having one
 * already or not? 0 with an error raised.
 */
int wn_pqsig_key_fits(const struct wn_prov *prov, const char *wanted, const char *given,
                      int has_key);

#endif
