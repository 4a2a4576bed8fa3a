/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The numbers of RSA and Diffie-Hellman keys: wolfCrypt's mp_int with just the
 * digits that the value needs (the full structure takes 4 KB), written once.
 * wolfCrypt's functions read them in place; results go to full ones.
 */
#ifndef WN_NUM_H
#define WN_NUM_H

#include "wolf.h"

#include <wolfssl/wolfcrypt/wolfmath.h>

#include <openssl/core.h>

#define WN_NUM_MAX_BITS 16384
#define WN_NUM_MAX_SIZE (WN_NUM_MAX_BITS / 8)

/* A number from big-endian bytes or from a parameter; NULL with an error. */
mp_int *wn_num_new(const struct wn_prov *prov, const unsigned char *be, size_t n);
mp_int *wn_num_from_param(const struct wn_prov *prov, const OSSL_PARAM *p);
mp_int *wn_num_dup(const struct wn_prov *prov, const mp_int *a);
/* Wipes and frees; NULL is fine. */
void wn_num_free(const struct wn_prov *prov, mp_int *a);
/* The bytes of a number, padded to `size` in front; 0 if it has more. */
int wn_num_bytes(const mp_int *a, unsigned char *be, size_t size);

#endif
