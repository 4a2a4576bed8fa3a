/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DHKEM's key derivation for EC keys (RFC 9180 section 7.1.3). */
#ifndef WN_EC_DHKEM_H
#define WN_EC_DHKEM_H

#include "ec.h"

/* Fills an empty key on P-256, P-384 or P-521. */
int wn_ec_dhkem_derive(struct wn_ec_key *key, const unsigned char *ikm, size_t n);

#endif
