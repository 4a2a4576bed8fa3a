/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The module's own random bytes (keys, nonces, blinding): one CTR_DRBG for each
 * thread and provider context, seeded through the core, reseeded after fork().
 * A thread's generator is its own, so no call takes a lock; it is wiped when
 * the thread ends and reused by a later one.
 *
 * Nothing here may be called while the provider or a context is being made.
 */
#ifndef WN_RNG_H
#define WN_RNG_H

#include "prov.h"

#define WN_RNG_STRENGTH 256     /* bits */

/*
 * n random bytes; 0 with an error raised when there is no entropy (output
 * zeroed). Good for secret and public values alike: what was given out says
 * nothing about what was given before or will be (SP 800-90A).
 */
int wn_rng_bytes(const struct wn_prov *prov, void *out, size_t n);

/*
 * The WC_RNG to hand to wolfCrypt: draws from wn_rng_bytes(prov). One for all
 * threads, it has no state and lives as long as prov; never free it.
 *
 * A WC_RNG that wolfCrypt makes for itself (wc_InitRng inside a function that
 * was given none) belongs to no provider context: it asks the kernel each time.
 */
struct WC_RNG *wn_rng(const struct wn_prov *prov);

int wn_rng_init(struct wn_prov *prov);
void wn_rng_cleanup(struct wn_prov *prov);

#endif
