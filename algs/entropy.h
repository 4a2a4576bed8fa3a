/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where seeds come from: the core, so that the source which the user chose for
 * OpenSSL serves here too, and the operating system.
 *
 * No file is opened, no descriptor kept, nothing locked: getrandom(2) works in
 * a child after fork() and in a process that may open nothing any more.
 */
#ifndef WN_ENTROPY_H
#define WN_ENTROPY_H

#include "../provider/prov.h"

/* n bytes of the kernel's generator; 0 (nothing raised) if it has none to give. */
int wn_entropy_system(void *out, size_t n);

/* n bytes for a seed source: the kernel's, else what the core gathers; raises. */
int wn_entropy_bytes(const struct wn_prov *prov, void *out, size_t n);

/*
 * A seed with `bits` of entropy, at least min bytes, at most max, from the core;
 * 0 with an error raised when it gives none. wn_entropy_done() wipes and frees.
 */
size_t wn_entropy_seed(const struct wn_prov *prov, unsigned char **out, int bits,
                       size_t min, size_t max);
void wn_entropy_done(const struct wn_prov *prov, unsigned char *seed, size_t n);

#endif
