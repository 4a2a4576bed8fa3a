/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CTR_DRBG (SP 800-90A rev. 1 section 10.2.1) with AES, as a mechanism alone:
 * no seeding, no counting of requests, no locks. It serves EVP_RAND's CTR-DRBG
 * (rand_ctr.c) and the module's own generators (rng.c).
 *
 * The state is V and the round keys; the key itself is not kept. Functions
 * return 1 or 0 and fail only when wolfCrypt does or inputs exceed 4 GiB; then
 * the state must be started anew.
 */
#ifndef WN_DRBG_CTR_H
#define WN_DRBG_CTR_H

#include "aes.h"

/* One of several inputs that a mechanism concatenates; d NULL: absent. */
struct wn_drbg_input {
    const unsigned char *d;
    size_t n;
};

/* Requests larger than this must be split (table 3: 2^19 bits). */
#define WN_CTR_DRBG_MAX_REQUEST ((size_t)1 << 16)

struct wn_ctr_drbg {
    const struct wn_prov *prov;
    size_t keylen;                  /* 16, 24, 32 */
    int df;                         /* derivation function used (section 10.3.2) */
    int hw;                         /* key.hw is the one in use */
    unsigned char v[16];
    union wn_aes_key key;           /* wn_aes_key_size() bytes of it exist */
};

/* What to allocate for one. */
size_t wn_ctr_drbg_size(void);

/* keylen + 16: the length of entropy and limit of other inputs without df. */
static inline size_t wn_ctr_drbg_seedlen(const struct wn_ctr_drbg *g)
{
    return g->keylen + 16;
}

void wn_ctr_drbg_init(struct wn_ctr_drbg *g, const struct wn_prov *prov, size_t keylen, int df);
/* entropy, nonce (df only), personalisation string */
int wn_ctr_drbg_instantiate(struct wn_ctr_drbg *g, const struct wn_drbg_input in[3]);
/* entropy, additional input */
int wn_ctr_drbg_reseed(struct wn_ctr_drbg *g, const struct wn_drbg_input in[2]);
int wn_ctr_drbg_generate(struct wn_ctr_drbg *g, unsigned char *out, size_t n,
                         const struct wn_drbg_input *adin);
/* Wipes the state; keylen and df stay. */
void wn_ctr_drbg_clear(struct wn_ctr_drbg *g);
/* 1 if V and the key are all zero. */
int wn_ctr_drbg_is_clear(const struct wn_ctr_drbg *g);

#endif
