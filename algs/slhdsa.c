/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SLH-DSA keys; see slhdsa.h. */
#include "slhdsa.h"

#include <string.h>

#include "../provider/rng.h"

#define DESC(id, name, param, oid, n, sig, category) \
    const struct wn_slhdsa_desc wn_slhdsa_##id##_desc = { name, param, oid, n, sig, category };
WN_SLHDSA_SETS(DESC)

struct wn_slhdsa_key *wn_slhdsa_key_new(const struct wn_prov *prov,
                                        const struct wn_slhdsa_desc *desc)
{
    struct wn_slhdsa_key *key = wn_zalloc(prov, sizeof(*key));

    if (key != NULL) {
        key->prov = prov;
        key->desc = desc;
        wn_ref_init(&key->ref);
    }
    return key;
}

void wn_slhdsa_key_free(struct wn_slhdsa_key *key)
{
    if (key != NULL && wn_ref_down(&key->ref))
        wn_clear_free(key->prov, key, sizeof(*key));
}

int wn_slhdsa_work_init(const struct wn_slhdsa_key *key, SlhDsaKey *work)
{
    int rc = wc_SlhDsaKey_Init(work, key->desc->param, NULL, INVALID_DEVID);

    if (rc == 0 && key->has_private)
        rc = wc_SlhDsaKey_ImportPrivate(work, key->bytes, (word32)wn_slhdsa_priv_size(key->desc));
    else if (rc == 0 && key->has_public)
        rc = wc_SlhDsaKey_ImportPublic(work, wn_slhdsa_pub(key),
                                       (word32)wn_slhdsa_pub_size(key->desc));
    return WN_WC(key->prov, rc);
}

void wn_slhdsa_work_clear(SlhDsaKey *work)
{
    wc_SlhDsaKey_Free(work);
    wn_clear(work, sizeof(*work));
}

int wn_slhdsa_key_from_seed(struct wn_slhdsa_key *key, const unsigned char *seed)
{
    const size_t n = key->desc->n;
    SlhDsaKey work;
    int ok;

    ok = wn_slhdsa_work_init(key, &work)
        && WN_WC(key->prov, wc_SlhDsaKey_MakeKeyWithRandom(&work, seed, (word32)n, seed + n,
                                                           (word32)n, seed + 2 * n, (word32)n));
    if (ok) {
        memcpy(key->bytes, work.sk, 4 * n);
        key->has_public = key->has_private = 1;
    }
    wn_slhdsa_work_clear(&work);
    return ok;
}

int wn_slhdsa_key_generate(struct wn_slhdsa_key *key)
{
    unsigned char seed[3 * WN_SLHDSA_MAX_N];
    int ok = wn_rng_bytes(key->prov, seed, 3 * key->desc->n) && wn_slhdsa_key_from_seed(key, seed);

    wn_clear(seed, sizeof(seed));
    return ok;
}

int wn_slhdsa_key_check(const struct wn_slhdsa_key *key)
{
    SlhDsaKey work;
    int ok = wn_slhdsa_work_init(key, &work) && wc_SlhDsaKey_CheckKey(&work) == 0;

    wn_slhdsa_work_clear(&work);
    return ok;
}
