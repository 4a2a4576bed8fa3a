/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * HMAC_DRBG (SP 800-90A rev. 1 section 10.1.2) as a mechanism alone, for
 * EVP_RAND's HMAC-DRBG (rand_hmac.c) and EVP_KDF's HMAC-DRBG-KDF.
 *
 * K is kept as a keyed HMAC only. Nothing here fails or raises; assignment
 * duplicates.
 */
#ifndef WN_DRBG_HMAC_H
#define WN_DRBG_HMAC_H

#include "drbg_ctr.h"
#include "hmac.h"

struct wn_hmac_drbg {
    const struct wn_md_desc *md;
    unsigned char v[WN_MD_MAX_SIZE];
    struct wn_hmac key;
};

/* entropy, nonce, personalisation string; g->md is set and no XOF */
void wn_hmac_drbg_instantiate(struct wn_hmac_drbg *g, const struct wn_drbg_input in[3]);
/* entropy, additional input */
void wn_hmac_drbg_reseed(struct wn_hmac_drbg *g, const struct wn_drbg_input in[2]);
void wn_hmac_drbg_generate(struct wn_hmac_drbg *g, unsigned char *out, size_t n,
                           const struct wn_drbg_input *adin);
/* Wipes K and V; the digest stays. */
void wn_hmac_drbg_clear(struct wn_hmac_drbg *g);
int wn_hmac_drbg_is_clear(const struct wn_hmac_drbg *g);

#endif
