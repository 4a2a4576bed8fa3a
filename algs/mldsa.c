/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ML-DSA keys; see mldsa.h. */
#include "mldsa.h"

#include <string.h>

#include <wolfssl/wolfcrypt/hash.h>

#include "../provider/rng.h"

#define DESC(n, oid, security, category)                                                  \
    const struct wn_mldsa_desc wn_mldsa##n##_desc = {                                     \
        "ML-DSA-" #n, WC_ML_DSA_##n, oid, security, category, WC_MLDSA_##n##_PUB_KEY_SIZE, \
        WC_MLDSA_##n##_KEY_SIZE, WC_MLDSA_##n##_SIG_SIZE                                  \
    }
/* FIPS 204 table 1: collision strength, claimed security category */
DESC(44, 17, 128, 2);
DESC(65, 18, 192, 3);
DESC(87, 19, 256, 5);

struct wn_mldsa_key *wn_mldsa_key_new(const struct wn_prov *prov, const struct wn_mldsa_desc *desc)
{
    struct wn_mldsa_key *key = wn_zalloc(prov, sizeof(*key));

    if (key != NULL) {
        key->prov = prov;
        key->desc = desc;
        wn_ref_init(&key->ref);
        atomic_init(&key->decoded, NULL);
    }
    return key;
}

static void decoded_free(const struct wn_prov *prov, struct wn_mldsa_decoded *d)
{
    if (d == NULL)
        return;
    /* wolfCrypt frees the private vectors as they are */
    if (d->key.s1 != NULL)
        wn_clear(d->key.s1, (size_t)d->key.params->s1Sz + 2U * d->key.params->s2Sz);
    wc_MlDsaKey_Free(&d->key);
    wn_ctx_free(prov, d, sizeof(*d));
}

void wn_mldsa_key_free(struct wn_mldsa_key *key)
{
    if (key == NULL || !wn_ref_down(&key->ref))
        return;
    decoded_free(key->prov, atomic_load_explicit(&key->decoded, memory_order_relaxed));
    wn_free(key->prov, key->pub);
    wn_clear_free(key->prov, key, sizeof(*key));
}

static struct wn_mldsa_decoded *decoded_new(const struct wn_mldsa_key *key)
{
    struct wn_mldsa_decoded *d = wn_ctx_new(key->prov, sizeof(*d));
    int rc;

    if (d == NULL)
        return NULL;
    rc = wc_MlDsaKey_Init(&d->key, NULL, INVALID_DEVID);
    if (rc == 0)
        rc = wc_MlDsaKey_SetParams(&d->key, key->desc->level);
    if (!WN_WC(key->prov, rc)) {
        decoded_free(key->prov, d);
        return NULL;
    }
    return d;
}

/* skEncode (algorithm 24): rho, K and tr, which is right in a key that was made or checked */
#define PRIV_TR (MLDSA_PUB_SEED_SZ + MLDSA_K_SZ)

static int decoded_finish(const struct wn_mldsa_key *key, struct wn_mldsa_decoded *d)
{
    int rc = 0;

    if (d->key.prvKeySet)
        memcpy(d->tr, d->key.k + PRIV_TR, WN_MLDSA_TR);
    else
        rc = wc_Shake256Hash(d->key.p, (word32)key->desc->pub, d->tr, WN_MLDSA_TR);
    return WN_WC(key->prov, rc) && WN_WC(key->prov, wn_mldsa_fill_caches(&d->key));
}

/* Makes d the key's value. */
static int adopt(struct wn_mldsa_key *key, struct wn_mldsa_decoded *d)
{
    key->pub = wn_memdup(key->prov, d->key.p, key->desc->pub);
    if (key->pub == NULL || !decoded_finish(key, d)) {
        wn_free(key->prov, key->pub);
        key->pub = NULL;
        decoded_free(key->prov, d);
        return 0;
    }
    key->has_private = 1;
    atomic_store_explicit(&key->decoded, d, memory_order_release);
    return 1;
}

int wn_mldsa_key_from_pub(struct wn_mldsa_key *key, const unsigned char *pub)
{
    key->pub = wn_memdup(key->prov, pub, key->desc->pub);
    return key->pub != NULL;
}

int wn_mldsa_key_from_priv(struct wn_mldsa_key *key, const unsigned char *priv)
{
    struct wn_mldsa_decoded *d = decoded_new(key);
    int rc;

    if (d == NULL)
        return 0;
    rc = wc_MlDsaKey_ImportPrivRaw(&d->key, priv, (word32)key->desc->priv);
    if (rc == 0)
        rc = wn_mldsa_public_from_private(&d->key);
    if (rc != 0) {
        decoded_free(key->prov, d);
        WN_RAISE_MSG(key->prov, PROV_R_INVALID_KEY, "%s private key %s", key->desc->name,
                     rc == MEMORY_E ? "cannot be decoded: out of memory"
                                    : "does not match its pubkey part");
        return 0;
    }
    return adopt(key, d);
}

int wn_mldsa_key_from_seed(struct wn_mldsa_key *key, const unsigned char seed[WN_MLDSA_SEED])
{
    struct wn_mldsa_decoded *d = decoded_new(key);

    if (d == NULL)
        return 0;
    if (!WN_WC(key->prov, wc_MlDsaKey_MakeKeyFromSeed(&d->key, seed))) {
        decoded_free(key->prov, d);
        return 0;
    }
    if (!adopt(key, d))
        return 0;
    memcpy(key->seed, seed, WN_MLDSA_SEED);
    key->has_seed = 1;
    return 1;
}

int wn_mldsa_key_generate(struct wn_mldsa_key *key)
{
    unsigned char seed[WN_MLDSA_SEED];
    int ok = wn_rng_bytes(key->prov, seed, sizeof(seed)) && wn_mldsa_key_from_seed(key, seed);

    wn_clear(seed, sizeof(seed));
    return ok;
}

const unsigned char *wn_mldsa_key_priv(const struct wn_mldsa_key *key)
{
    const struct wn_mldsa_decoded *d;

    if (!key->has_private)
        return NULL;
    d = atomic_load_explicit(&key->decoded, memory_order_acquire);
    return d->key.k;
}

/* Whoever comes second to decode a public key drops its own. */
const struct wn_mldsa_decoded *wn_mldsa_key_decoded(struct wn_mldsa_key *key)
{
    struct wn_mldsa_decoded *d = atomic_load_explicit(&key->decoded, memory_order_acquire);
    struct wn_mldsa_decoded *none = NULL;

    if (d != NULL)
        return d;
    d = decoded_new(key);
    if (d == NULL)
        return NULL;
    if (!WN_WC(key->prov, wc_MlDsaKey_ImportPubRaw(&d->key, key->pub, (word32)key->desc->pub))
        || !decoded_finish(key, d)) {
        decoded_free(key->prov, d);
        return NULL;
    }
    if (!atomic_compare_exchange_strong_explicit(&key->decoded, &none, d, memory_order_acq_rel,
                                                 memory_order_acquire)) {
        decoded_free(key->prov, d);
        d = none;
    }
    return d;
}
