/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_RAND "HMAC-DRBG": the mechanism of drbg_hmac.h with any digest of fixed
 * size.
 *
 * OpenSSL up to 3.6 also wants the parameter "mac", which can only be HMAC.
 */
#include "drbg.h"

#include <strings.h>

#include "../provider/alglist.h"
#include "../provider/fn.h"
#include "drbg_hmac.h"

struct rand_hmac {
    struct wn_drbg base;
    int mac;                        /* "mac" was given or need not be */
    struct wn_hmac_drbg g;          /* g.md NULL: no digest yet */
};

static struct rand_hmac *hmac_of(struct wn_drbg *d)
{
    return (struct rand_hmac *)d;
}

static size_t rand_hmac_size(void)
{
    return sizeof(struct rand_hmac);
}

static void rand_hmac_init(struct wn_drbg *d)
{
    hmac_of(d)->mac = d->prov->core_version >= WN_CORE_VERSION(4, 0);
}

static int rand_hmac_set(struct wn_drbg *d, const struct wn_drbg_set *p)
{
    struct rand_hmac *h = hmac_of(d);
    const struct wn_md_desc *md = h->g.md;
    char mac[16];

    if (!wn_drbg_take_digest(d, p->digest, &md))
        return 0;
    if (p->mac != NULL
        && (!wn_param_get_utf8(p->mac, mac, sizeof(mac)) || strcasecmp(mac, "HMAC") != 0)) {
        WN_RAISE(d->prov, PROV_R_INVALID_MAC);
        return 0;
    }
    h->mac |= p->mac != NULL;
    if (h->mac && md != NULL)
        wn_drbg_digest_lengths(d, md);
    if (md == h->g.md)
        return 1;
    h->g.md = md;
    return 2;
}

static int rand_hmac_give(const struct wn_drbg *d, const struct wn_drbg_get *p)
{
    const struct rand_hmac *h = (const struct rand_hmac *)d;

    if (p->mac != NULL && !h->mac) {
        WN_RAISE(d->prov, PROV_R_MISSING_MAC);
        return 0;
    }
    return wn_param_give_utf8(d->prov, p->mac, "HMAC")
        && wn_drbg_give_digest(d, p->digest, h->g.md);
}

static int rand_hmac_instantiate(struct wn_drbg *d, const struct wn_drbg_input in[3])
{
    wn_hmac_drbg_instantiate(&hmac_of(d)->g, in);
    return 1;
}

static int rand_hmac_reseed(struct wn_drbg *d, const struct wn_drbg_input in[2])
{
    wn_hmac_drbg_reseed(&hmac_of(d)->g, in);
    return 1;
}

static int rand_hmac_generate(struct wn_drbg *d, unsigned char *out, size_t n,
                              const struct wn_drbg_input *adin)
{
    wn_hmac_drbg_generate(&hmac_of(d)->g, out, n, adin);
    return 1;
}

static void rand_hmac_clear(struct wn_drbg *d)
{
    wn_hmac_drbg_clear(&hmac_of(d)->g);
}

static int rand_hmac_is_clear(const struct wn_drbg *d)
{
    return wn_hmac_drbg_is_clear(&((const struct rand_hmac *)d)->g);
}

static const struct wn_drbg_mech mech = {
    rand_hmac_size, PROV_R_MISSING_MAC, rand_hmac_init, rand_hmac_set, rand_hmac_give,
    rand_hmac_instantiate, rand_hmac_reseed, rand_hmac_generate, rand_hmac_clear,
    rand_hmac_is_clear
};

#define GETTABLE(P) WN_DRBG_MAC(P) WN_DRBG_DIGEST(P)
#define SETTABLE(P) WN_DRBG_PROPERTIES(P) WN_DRBG_DIGEST(P) WN_DRBG_MAC(P)
WN_DRBG_TABLE(rand_hmac, &mech, GETTABLE, SETTABLE)
