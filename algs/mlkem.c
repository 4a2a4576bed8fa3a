/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ML-KEM keys and operations; see mlkem.h. Section numbers are FIPS 203's. */
#include "mlkem.h"

#include <string.h>

#include <wolfssl/wolfcrypt/hash.h>

#include "../asm-config/wc_mlkem_more.h"
#include "../provider/rng.h"
#include "mlkem_kernel.h"

#define DESC(n, k, bits, security)                                                     \
    const struct wn_mlkem_desc wn_mlkem##n##_desc = {                                  \
        "ML-KEM-" #n, WC_ML_KEM_##n, k, bits, security, WC_ML_KEM_##n##_PUBLIC_KEY_SIZE, \
        WC_ML_KEM_##n##_PRIVATE_KEY_SIZE, WC_ML_KEM_##n##_CIPHER_TEXT_SIZE             \
    }
DESC(512, 2, 512, 128);
DESC(768, 3, 768, 192);
DESC(1024, 4, 1024, 256);

static struct wn_mlkem_kernel kernel;

void wn_mlkem_setup(uint32_t cpu_flags)
{
    wn_mlkem_choose(&kernel, cpu_flags);
}

struct wn_mlkem_key *wn_mlkem_key_new(const struct wn_prov *prov, const struct wn_mlkem_desc *desc)
{
    struct wn_mlkem_key *key = wn_ctx_new(prov, sizeof(*key));

    if (key != NULL) {
        key->prov = prov;
        key->desc = desc;
        wn_ref_init(&key->ref);
        atomic_init(&key->decoded, NULL);
        atomic_init(&key->matrix, NULL);
        atomic_init(&key->hashed, WN_MLKEM_NO_HASH);
    }
    return key;
}

static void decoded_free(const struct wn_prov *prov, struct wn_mlkem_decoded *d)
{
    if (d != NULL) {
        wc_MlKemKey_Free(&d->key);
        wn_ctx_free(prov, d, sizeof(*d));
    }
}

void wn_mlkem_key_free(struct wn_mlkem_key *key)
{
    if (key == NULL || !wn_ref_down(&key->ref))
        return;
    decoded_free(key->prov, atomic_load_explicit(&key->decoded, memory_order_relaxed));
    wn_free(key->prov, atomic_load_explicit(&key->matrix, memory_order_relaxed));
    wn_free(key->prov, key->ek);
    wn_clear_free(key->prov, key->dk, key->desc->dk);
    wn_ctx_free(key->prov, key, sizeof(*key));
}

/* ---- making keys ------------------------------------------------------------------- */

static inline uint64_t load64(const unsigned char *in)
{
    return in[0] | (uint64_t)in[1] << 8 | (uint64_t)in[2] << 16 | (uint64_t)in[3] << 24
        | (uint64_t)in[4] << 32 | (uint64_t)in[5] << 40 | (uint64_t)in[6] << 48
        | (uint64_t)in[7] << 56;
}

/*
 * Are all 12 bit coefficients below q (7.2, "modulus check")? Not secret for ek;
 * for dk the answer is about a malformed key only. Four at a time, 16 bits for each;
 * there are at least two bytes more after them.
 */
static int coefficients_ok(const unsigned char *in, unsigned k)
{
    const uint64_t each = 0x0001000100010001;
    size_t i, n = 384u * k;
    uint64_t w, bad = 0;

    for (i = 0; i < n; i += 6) {
        w = load64(in + i);
        w = (w & 0xfff) | (w << 4 & 0xfff0000) | (w << 8 & 0xfff00000000)
            | (w << 12 & 0xfff000000000000);
        bad |= w + (0x8000 - 3329) * each;      /* the highest bit is set from q on */
    }
    return (bad & 0x8000 * each) == 0;
}

static int invalid(const struct wn_mlkem_key *key, const char *why)
{
    WN_RAISE_MSG(key->prov, PROV_R_INVALID_KEY, "%s key: %s", key->desc->name, why);
    return 0;
}

int wn_mlkem_key_from_ek(struct wn_mlkem_key *key, const unsigned char *ek)
{
    if (!coefficients_ok(ek, key->desc->k))
        return invalid(key, "a coefficient of the public key is not reduced");
    key->ek = wn_memdup(key->prov, ek, key->desc->ek);
    return key->ek != NULL;
}

/* dk = s || ek || H(ek) || z (7.3, "hash check") */
int wn_mlkem_key_from_dk(struct wn_mlkem_key *key, const unsigned char *dk)
{
    const struct wn_mlkem_desc *desc = key->desc;
    const unsigned char *ek = dk + 384 * desc->k, *h = ek + desc->ek;
    unsigned char hash[WC_SHA3_256_DIGEST_SIZE];

    if (!coefficients_ok(dk, desc->k))
        return invalid(key, "a coefficient of the private key is not reduced");
    if (!WN_WC(key->prov, wc_Sha3_256Hash(ek, (word32)desc->ek, hash)))
        return 0;
    if (wn_memcmp_ct(hash, h, sizeof(hash)) != 0)
        return invalid(key, "the private key's hash of the public key is wrong");
    if (!wn_mlkem_key_from_ek(key, ek))
        return 0;
    key->dk = wn_memdup(key->prov, dk, desc->dk);
    return key->dk != NULL;
}

int wn_mlkem_key_from_seed(struct wn_mlkem_key *key, const unsigned char seed[WN_MLKEM_SEED])
{
    const struct wn_mlkem_desc *desc = key->desc;
    struct wn_mlkem_decoded *d = wn_ctx_new(key->prov, sizeof(*d));
    int rc;

    if (d == NULL)
        return 0;
    key->ek = wn_malloc(key->prov, desc->ek);
    if (key->ek == NULL) {
        wn_ctx_free(key->prov, d, sizeof(*d));
        return 0;
    }
    rc = wc_MlKemKey_Init(&d->key, desc->type, NULL, INVALID_DEVID);
    if (rc == 0)
        rc = wc_MlKemKey_MakeKeyWithRandom(&d->key, seed, WN_MLKEM_SEED);
    if (rc != 0) {
        decoded_free(key->prov, d);
        return WN_WC(key->prov, rc);
    }
    /* wc_MlKemKey_EncodePublicKey would hash what it encodes */
    mlkem_to_bytes(key->ek, d->key.pub, (int)desc->k);
    memcpy(key->ek + 384 * desc->k, d->key.pubSeed, WC_ML_KEM_SYM_SZ);
    memcpy(key->seed, seed, WN_MLKEM_SEED);
    key->has_seed = 1;
    atomic_store_explicit(&key->decoded, d, memory_order_release);
    return 1;
}

int wn_mlkem_key_generate(struct wn_mlkem_key *key)
{
    unsigned char seed[WN_MLKEM_SEED];
    int ok = wn_rng_bytes(key->prov, seed, sizeof(seed)) && wn_mlkem_key_from_seed(key, seed);

    wn_clear(seed, sizeof(seed));
    return ok;
}

/* ---- decoded form -------------------------------------------------------------------- */

static struct wn_mlkem_decoded *decode(const struct wn_mlkem_key *key)
{
    const struct wn_mlkem_desc *desc = key->desc;
    struct wn_mlkem_decoded *d = wn_ctx_new(key->prov, sizeof(*d));
    int rc;

    if (d == NULL)
        return NULL;
    rc = wc_MlKemKey_Init(&d->key, desc->type, NULL, INVALID_DEVID);
    if (rc == 0 && key->has_seed)       /* a duplicate: its dk was never encoded */
        rc = wc_MlKemKey_MakeKeyWithRandom(&d->key, key->seed, WN_MLKEM_SEED);
    else if (rc == 0 && key->dk != NULL)
        rc = wn_mlkem_decode_private(&d->key, key->dk);
    else if (rc == 0)
        rc = wn_mlkem_decode_public(&d->key, key->ek);
    if (!WN_WC(key->prov, rc)) {
        decoded_free(key->prov, d);
        return NULL;
    }
    return d;
}

/* The published decoded key; whoever comes second drops its own. */
static struct wn_mlkem_decoded *get_decoded(struct wn_mlkem_key *key)
{
    struct wn_mlkem_decoded *d = atomic_load_explicit(&key->decoded, memory_order_acquire), *none;

    if (d != NULL)
        return d;
    d = decode(key);
    none = NULL;
    if (d != NULL
        && !atomic_compare_exchange_strong_explicit(&key->decoded, &none, d, memory_order_acq_rel,
                                                    memory_order_acquire)) {
        decoded_free(key->prov, d);
        d = none;
    }
    return d;
}

/* ---- H(ek) and A ------------------------------------------------------------------- */

/* The published H(ek), if there is one. */
static int known_hash(struct wn_mlkem_key *key, MlKemKey *local)
{
    if (atomic_load_explicit(&key->hashed, memory_order_acquire) == WN_MLKEM_HASH_READY) {
        memcpy(local->h, key->h, sizeof(local->h));
        local->flags |= MLKEM_FLAG_H_SET;
    }
    return (local->flags & MLKEM_FLAG_H_SET) != 0;
}

/* local->h has been computed. */
static void publish_hash(struct wn_mlkem_key *key, MlKemKey *local)
{
    int none = WN_MLKEM_NO_HASH;

    local->flags |= MLKEM_FLAG_H_SET;
    if (!atomic_compare_exchange_strong_explicit(&key->hashed, &none, WN_MLKEM_HASH_BEING_WRITTEN,
                                                 memory_order_relaxed, memory_order_relaxed))
        return;
    memcpy(key->h, local->h, sizeof(key->h));
    atomic_store_explicit(&key->hashed, WN_MLKEM_HASH_READY, memory_order_release);
}

static int ensure_hash(struct wn_mlkem_key *key, MlKemKey *local)
{
    if (known_hash(key, local))
        return 1;
    if (!WN_WC(key->prov, wc_Sha3_256Hash(key->ek, (word32)key->desc->ek, local->h)))
        return 0;
    publish_hash(key, local);
    return 1;
}

/* A, and with it H(ek) if that is missing too; 0 when wolfCrypt fails. */
static int expand(struct wn_mlkem_key *key, MlKemKey *local, sword16 *a)
{
    unsigned k = key->desc->k;

    if (!known_hash(key, local) && kernel.matrix_hash != NULL) {
        kernel.matrix_hash(a, k, key->ek, local->h);
        publish_hash(key, local);
        return 1;
    }
    if (kernel.matrix != NULL) {
        kernel.matrix(a, k, local->pubSeed);
        return 1;
    }
    return mlkem_gen_matrix(&local->prf, a, (int)k, local->pubSeed, 0) == 0;
}

/* A failed allocation only costs time: wolfCrypt then makes A for itself. */
static void ensure_matrix(struct wn_mlkem_key *key, MlKemKey *local)
{
    sword16 *a, *none = NULL;
    unsigned k = key->desc->k;

    if (local->flags & MLKEM_FLAG_A_SET)
        return;
    a = atomic_load_explicit(&key->matrix, memory_order_acquire);
    if (a == NULL) {
        a = key->prov->core.malloc(k * k * 256 * sizeof(*a), __FILE__, __LINE__);
        if (a == NULL)
            return;
        if (!expand(key, local, a)) {
            wn_free(key->prov, a);
            return;
        }
        if (!atomic_compare_exchange_strong_explicit(&key->matrix, &none, a, memory_order_acq_rel,
                                                     memory_order_acquire)) {
            wn_free(key->prov, a);
            a = none;
        }
    }
    local->a = a;
    local->flags |= MLKEM_FLAG_A_SET;
}

int wn_mlkem_key_get_dk(struct wn_mlkem_key *key, unsigned char *dk)
{
    struct wn_mlkem_decoded *d;
    MlKemKey local;
    int ok;

    if (key->dk != NULL) {
        memcpy(dk, key->dk, key->desc->dk);
        return 1;
    }
    d = get_decoded(key);
    if (d == NULL)
        return 0;
    local = d->key;
    ok = ensure_hash(key, &local)
        && WN_WC(key->prov, wc_MlKemKey_EncodePrivateKey(&local, dk, (word32)key->desc->dk));
    wn_clear(&local, sizeof(local));
    return ok;
}

int wn_mlkem_key_drop_seed(struct wn_mlkem_key *key)
{
    unsigned char *dk = wn_malloc(key->prov, key->desc->dk);

    if (dk == NULL || !wn_mlkem_key_get_dk(key, dk)) {
        wn_clear_free(key->prov, dk, key->desc->dk);
        return 0;
    }
    key->dk = dk;
    wn_clear(key->seed, sizeof(key->seed));
    key->has_seed = 0;
    return 1;
}

/* ---- operations ------------------------------------------------------------------------- */

int wn_mlkem_encapsulate(struct wn_mlkem_key *key, unsigned char *cipher,
                         unsigned char secret[WN_MLKEM_SECRET], const unsigned char *m)
{
    unsigned char random[WN_MLKEM_SECRET];
    struct wn_mlkem_decoded *d;
    MlKemKey local;
    int ok = 0;

    if (m == NULL) {
        if (!wn_rng_bytes(key->prov, random, sizeof(random)))
            return 0;
        m = random;
    }
    d = get_decoded(key);
    if (d != NULL) {
        local = d->key;
        ensure_matrix(key, &local);
        ok = ensure_hash(key, &local)
            && WN_WC(key->prov, wc_MlKemKey_EncapsulateWithRandom(&local, cipher, secret, m,
                                                                  WN_MLKEM_SECRET));
        wn_clear(&local, sizeof(local));
    }
    wn_clear(random, sizeof(random));
    return ok;
}

int wn_mlkem_decapsulate(struct wn_mlkem_key *key, unsigned char secret[WN_MLKEM_SECRET],
                         const unsigned char *cipher)
{
    const struct wn_mlkem_desc *desc = key->desc;
    struct wn_mlkem_decoded *d = get_decoded(key);
    unsigned char rejection[WN_MLKEM_SECRET];
    MlKemKey local;
    int ok;

    if (d == NULL)
        return 0;
    local = d->key;
    if (kernel.hash_pair != NULL && !known_hash(key, &local)) {
        kernel.hash_pair(desc->k, key->ek, local.h, local.z, cipher, desc->cipher, rejection);
        publish_hash(key, &local);
        ensure_matrix(key, &local);
        ok = WN_WC(key->prov, wn_mlkem_decapsulate_with(&local, secret, cipher,
                                                        (word32)desc->cipher, rejection));
        wn_clear(rejection, sizeof(rejection));
    } else {
        ensure_matrix(key, &local);
        ok = ensure_hash(key, &local)
            && WN_WC(key->prov, wc_MlKemKey_Decapsulate(&local, secret, cipher,
                                                        (word32)desc->cipher));
    }
    wn_clear(&local, sizeof(local));
    return ok;
}

int wn_mlkem_pair_works(struct wn_mlkem_key *key)
{
    unsigned char cipher[WN_MLKEM_MAX_CIPHER], sent[WN_MLKEM_SECRET], got[WN_MLKEM_SECRET];
    int ok = wn_mlkem_encapsulate(key, cipher, sent, NULL)
        && wn_mlkem_decapsulate(key, got, cipher)
        && wn_memcmp_ct(sent, got, sizeof(sent)) == 0;

    wn_clear(sent, sizeof(sent));
    wn_clear(got, sizeof(got));
    return ok || invalid(key, "public part fails to match private");
}
