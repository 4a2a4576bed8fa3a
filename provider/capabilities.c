/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TLS-GROUP and TLS-SIGALG (provider-base(7), CAPABILITIES), from groups.def
 * and sigalgs.def: exactly those whose key management is served here, by the
 * running version and configuration; and the groups of other providers on EC curves
 * that are passed on to them (algs/ec_other.c), since libssl takes a group only from
 * the provider that it fetches the group's key type from.
 */
#include "other.h"
#include "params.h"
#include "prov.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

#include <openssl/params.h>
#include <openssl/tls1.h>

struct range {
    int min, max;               /* wire versions; -1: not at all, 0: no limit */
};

static const struct range TLS_ANY = { TLS1_VERSION, 0 }, TLS12 = { TLS1_VERSION, TLS1_2_VERSION },
    TLS13 = { TLS1_3_VERSION, 0 }, DTLS_ANY = { 0xfeff, 0 }, DTLS12 = { 0xfeff, 0xfefd },
    NO_DTLS = { -1, -1 };

struct group {
    const char *tls_name, *name, *algorithm;
    unsigned id, bits;
    const struct range *tls, *dtls;
    int is_kem;
    unsigned since, until;      /* first version with it, first without it again */
};

static const struct group groups[] = {
#define WN_GROUP_UNTIL(tls_name, name, algorithm, id, bits, tls, dtls, is_kem, since, until) \
    { tls_name, name, algorithm, id, bits, &tls, &dtls, is_kem, since, until },
#define WN_GROUP(tls_name, name, algorithm, id, bits, tls, dtls, is_kem, since) \
    WN_GROUP_UNTIL(tls_name, name, algorithm, id, bits, tls, dtls, is_kem, since, UINT_MAX)
#include "groups.def"
#undef WN_GROUP
#undef WN_GROUP_UNTIL
};

struct sigalg {
    const char *iana_name, *name, *oid;
    unsigned code_point, bits;
    unsigned since;
};

static const struct sigalg sigalgs[] = {
#define WN_SIGALG(iana_name, name, oid, code_point, bits, since) \
    { iana_name, name, oid, code_point, bits, since },
#include "sigalgs.def"
#undef WN_SIGALG
};

static int give_group(const struct group *g, OSSL_CALLBACK *cb, void *arg)
{
    struct group v = *g;
    struct range tls = *g->tls, dtls = *g->dtls;
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(OSSL_CAPABILITY_TLS_GROUP_NAME, (char *)g->tls_name,
                               strlen(g->tls_name) + 1),
        OSSL_PARAM_utf8_string(OSSL_CAPABILITY_TLS_GROUP_NAME_INTERNAL, (char *)g->name,
                               strlen(g->name) + 1),
        OSSL_PARAM_utf8_string(OSSL_CAPABILITY_TLS_GROUP_ALG, (char *)g->algorithm,
                               strlen(g->algorithm) + 1),
        OSSL_PARAM_uint(OSSL_CAPABILITY_TLS_GROUP_ID, &v.id),
        OSSL_PARAM_uint(OSSL_CAPABILITY_TLS_GROUP_SECURITY_BITS, &v.bits),
        OSSL_PARAM_int(OSSL_CAPABILITY_TLS_GROUP_MIN_TLS, &tls.min),
        OSSL_PARAM_int(OSSL_CAPABILITY_TLS_GROUP_MAX_TLS, &tls.max),
        OSSL_PARAM_int(OSSL_CAPABILITY_TLS_GROUP_MIN_DTLS, &dtls.min),
        OSSL_PARAM_int(OSSL_CAPABILITY_TLS_GROUP_MAX_DTLS, &dtls.max),
        OSSL_PARAM_int(OSSL_CAPABILITY_TLS_GROUP_IS_KEM, &v.is_kem),
        OSSL_PARAM_END
    };

    return cb(params, arg);
}

static int give_sigalg(const struct sigalg *s, OSSL_CALLBACK *cb, void *arg)
{
    struct sigalg v = *s;
    struct range tls = TLS13, dtls = NO_DTLS;
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(OSSL_CAPABILITY_TLS_SIGALG_IANA_NAME, (char *)s->iana_name,
                               strlen(s->iana_name) + 1),
        OSSL_PARAM_utf8_string(OSSL_CAPABILITY_TLS_SIGALG_NAME, (char *)s->name,
                               strlen(s->name) + 1),
        OSSL_PARAM_utf8_string(OSSL_CAPABILITY_TLS_SIGALG_OID, (char *)s->oid,
                               strlen(s->oid) + 1),
        OSSL_PARAM_uint(OSSL_CAPABILITY_TLS_SIGALG_CODE_POINT, &v.code_point),
        OSSL_PARAM_uint(OSSL_CAPABILITY_TLS_SIGALG_SECURITY_BITS, &v.bits),
        OSSL_PARAM_int(OSSL_CAPABILITY_TLS_SIGALG_MIN_TLS, &tls.min),
        OSSL_PARAM_int(OSSL_CAPABILITY_TLS_SIGALG_MAX_TLS, &tls.max),
        OSSL_PARAM_int(OSSL_CAPABILITY_TLS_SIGALG_MIN_DTLS, &dtls.min),
        OSSL_PARAM_int(OSSL_CAPABILITY_TLS_SIGALG_MAX_DTLS, &dtls.max),
        OSSL_PARAM_END
    };

    return cb(params, arg);
}

struct passing_on {
    const struct wn_prov *prov;
    OSSL_CALLBACK *cb;
    void *arg;
    int failed;
};

#define GROUP_GET(P)                                     \
    P(algorithm, utf8_string, OSSL_CAPABILITY_TLS_GROUP_ALG) \
    P(id, uint, OSSL_CAPABILITY_TLS_GROUP_ID)
WN_PARAMS(group_get, GROUP_GET);

/* One group of another provider: an EC curve, and none of ours? */
static int pass_on_group(const OSSL_PARAM params[], void *arg)
{
    struct passing_on *p = arg;
    struct group_get found;
    char algorithm[8];
    unsigned id;
    size_t i;

    if (!WN_PARAMS_SCAN(p->prov, group_get, params, &found) || found.algorithm == NULL
        || !wn_param_get_utf8(found.algorithm, algorithm, sizeof(algorithm))
        || strcasecmp(algorithm, "EC") != 0 || found.id == NULL
        || !wn_param_get_uint(found.id, &id))
        return 1;
    for (i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        if (groups[i].id == id)
            return 1;
    p->failed |= !p->cb(params, p->arg);
    return !p->failed;
}

int wn_get_capabilities(void *vprov, const char *capability, OSSL_CALLBACK *cb, void *arg)
{
    struct wn_prov *prov = vprov;
    struct passing_on others = { prov, cb, arg, 0 };
    size_t i;

    if (strcasecmp(capability, "TLS-GROUP") == 0) {
        for (i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
            if (groups[i].since <= prov->core_version && prov->core_version < groups[i].until
                && wn_query_offers(prov, OSSL_OP_KEYMGMT, groups[i].algorithm)
                && !give_group(&groups[i], cb, arg))
                return 0;
        if (wn_query_offers(prov, OSSL_OP_KEYMGMT, "EC"))
            wn_other_capabilities(prov, capability, pass_on_group, &others);
        return !others.failed;
    }
    if (strcasecmp(capability, "TLS-SIGALG") == 0) {
        for (i = 0; i < sizeof(sigalgs) / sizeof(sigalgs[0]); i++)
            if (sigalgs[i].since <= prov->core_version
                && wn_query_offers(prov, OSSL_OP_SIGNATURE, sigalgs[i].name)
                && !give_sigalg(&sigalgs[i], cb, arg))
                return 0;
        return 1;
    }
    return 0;
}
