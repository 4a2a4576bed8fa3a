/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DHKEM's key derivation for X25519 and X448 (RFC 9180 section 7.1.3). */
#ifndef WN_ECX_DHKEM_H
#define WN_ECX_DHKEM_H

#include "ecx.h"

/* Fills an empty key. */
int wn_ecx_dhkem_derive(struct wn_ecx_key *key, const unsigned char *ikm, size_t n);

#endif
