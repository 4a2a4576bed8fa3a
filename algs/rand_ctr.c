/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_RAND "CTR-DRBG": the mechanism of drbg_ctr.h with OpenSSL's parameters
 * "cipher" (AES-128-CTR, AES-192-CTR, AES-256-CTR) and "use_derivation_function".
 */
#include "drbg.h"

#include <string.h>
#include <strings.h>

#include "../provider/alglist.h"
#include "../provider/fn.h"

struct rand_ctr {
    struct wn_drbg base;
    struct wn_ctr_drbg ctr;         /* last; keylen 0: no cipher yet */
};

static struct wn_ctr_drbg *ctr_of(struct wn_drbg *d)
{
    return &((struct rand_ctr *)d)->ctr;
}

static size_t rand_ctr_size(void)
{
    return offsetof(struct rand_ctr, ctr) + wn_ctr_drbg_size();
}

/* Table 3, with and without derivation function. */
static void set_lengths(struct wn_drbg *d)
{
    const struct wn_ctr_drbg *c = ctr_of(d);
    size_t fixed = c->keylen > 0 ? wn_ctr_drbg_seedlen(c) : WN_DRBG_MAX_LENGTH;

    d->strength = 8 * (unsigned)c->keylen;
    d->min_entropylen = c->df ? c->keylen : fixed;
    d->max_entropylen = c->df ? WN_DRBG_MAX_LENGTH : fixed;
    d->min_noncelen = c->df ? c->keylen / 2 : 0;
    d->max_noncelen = c->df ? WN_DRBG_MAX_LENGTH : 0;
    d->max_perslen = d->max_adinlen = d->max_entropylen;
}

static void rand_ctr_init(struct wn_drbg *d)
{
    wn_ctr_drbg_init(ctr_of(d), d->prov, 0, 1);
    set_lengths(d);
}

/* 0 with an error for what is no AES in counter mode. */
static size_t cipher_keylen(const struct wn_drbg *d, const OSSL_PARAM *p)
{
    static const struct {
        const char *name;
        size_t keylen;
    } ciphers[] = { { "AES-128-CTR", 16 }, { "AES-192-CTR", 24 }, { "AES-256-CTR", 32 } };
    char name[64];
    size_t i, n;

    if (!wn_param_get_utf8(p, name, sizeof(name))) {
        WN_RAISE(d->prov, PROV_R_UNABLE_TO_FIND_CIPHERS);
        return 0;
    }
    n = strlen(name);
    if (n < 3 || strcasecmp(name + n - 3, "CTR") != 0) {
        WN_RAISE(d->prov, PROV_R_REQUIRE_CTR_MODE_CIPHER);
        return 0;
    }
    for (i = 0; i < sizeof(ciphers) / sizeof(ciphers[0]); i++)
        if (strcasecmp(name, ciphers[i].name) == 0)
            return ciphers[i].keylen;
    WN_RAISE(d->prov, PROV_R_UNABLE_TO_FIND_CIPHERS);
    return 0;
}

static int rand_ctr_set(struct wn_drbg *d, const struct wn_drbg_set *p)
{
    struct wn_ctr_drbg *c = ctr_of(d);
    size_t keylen = c->keylen;
    int df = c->df;

    if (p->use_df != NULL && wn_param_get_int(p->use_df, &df) && p->cipher == NULL
        && keylen == 0) {
        WN_RAISE(d->prov, PROV_R_MISSING_CIPHER);
        return 0;
    }
    if (p->cipher != NULL && (keylen = cipher_keylen(d, p->cipher)) == 0)
        return 0;
    df = df != 0;
    if (keylen == c->keylen && df == c->df)
        return 1;
    wn_ctr_drbg_init(c, d->prov, keylen, df);
    set_lengths(d);
    return 2;
}

static int rand_ctr_give(const struct wn_drbg *d, const struct wn_drbg_get *p)
{
    const struct wn_ctr_drbg *c = &((const struct rand_ctr *)d)->ctr;
    const char *name = c->keylen == 16 ? "AES-128-CTR"
                     : c->keylen == 24 ? "AES-192-CTR" : "AES-256-CTR";

    if (p->cipher != NULL && c->keylen == 0) {
        WN_RAISE(d->prov, PROV_R_MISSING_CIPHER);
        return 0;
    }
    return wn_param_give_int(d->prov, p->use_df, c->df)
        && wn_param_give_utf8(d->prov, p->cipher, name);
}

static int rand_ctr_instantiate(struct wn_drbg *d, const struct wn_drbg_input in[3])
{
    return wn_ctr_drbg_instantiate(ctr_of(d), in);
}

static int rand_ctr_reseed(struct wn_drbg *d, const struct wn_drbg_input in[2])
{
    return wn_ctr_drbg_reseed(ctr_of(d), in);
}

static int rand_ctr_generate(struct wn_drbg *d, unsigned char *out, size_t n,
                             const struct wn_drbg_input *adin)
{
    return wn_ctr_drbg_generate(ctr_of(d), out, n, adin);
}

static void rand_ctr_clear(struct wn_drbg *d)
{
    wn_ctr_drbg_clear(ctr_of(d));
}

static int rand_ctr_is_clear(const struct wn_drbg *d)
{
    return wn_ctr_drbg_is_clear(&((const struct rand_ctr *)d)->ctr);
}

static const struct wn_drbg_mech mech = {
    rand_ctr_size, PROV_R_MISSING_CIPHER, rand_ctr_init, rand_ctr_set, rand_ctr_give,
    rand_ctr_instantiate, rand_ctr_reseed, rand_ctr_generate, rand_ctr_clear, rand_ctr_is_clear
};

#define GETTABLE(P) WN_DRBG_CIPHER(P) WN_DRBG_DF(P)
#define SETTABLE(P) WN_DRBG_PROPERTIES(P) WN_DRBG_CIPHER(P) WN_DRBG_DF(P)
WN_DRBG_TABLE(rand_ctr, &mech, GETTABLE, SETTABLE)
