/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The module's own random bytes (keys, nonces, blinding): one generator per
 * thread and provider context, seeded through the core, reseeded after fork().
 * Nothing here may be called while the provider or a context is being made.
 */
#ifndef WN_RNG_H
#define WN_RNG_H

#include "prov.h"

/*
 * n random bytes; 0 with an error raised when the core gives no entropy
 * (output zeroed).
 */
int wn_rng_bytes(const struct wn_prov *prov, void *out, size_t n);

/*
 * Makes prov the source for the calling thread's next wolfCrypt calls that
 * draw random bytes through their WC_RNG, and returns that WC_RNG (stateless,
 * shared; never free it). Call it directly before each such wolfCrypt call.
 */
struct WC_RNG *wn_rng(const struct wn_prov *prov);

int wn_rng_init(struct wn_prov *prov);
void wn_rng_cleanup(struct wn_prov *prov);

#endif
