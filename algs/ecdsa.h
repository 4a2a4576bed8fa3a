/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of ECDSA share (ecdsa.c the operations, ecdsa_nonce.c RFC 6979). */
#ifndef WN_ECDSA_H
#define WN_ECDSA_H

#include "digest.h"
#include "ec.h"

/* k, order_size bytes: the nonce for this digest. */
int wn_ecdsa_nonce(const struct wn_ec_key *key, const struct wn_md_desc *md,
                   const unsigned char *hash, size_t n, unsigned char *k);

#endif
