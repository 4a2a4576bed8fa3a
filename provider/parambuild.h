/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds an OSSL_PARAM array for a callback (key export, fromdata):
 *
 *   struct wn_pb pb;
 *   wn_pb_init(&pb, prov);
 *   if (wn_pb_utf8(&pb, "group", "P-256") && wn_pb_octets(&pb, "pub", p, n))
 *       ok = callback(wn_pb_params(&pb), arg);
 *   wn_pb_clear(&pb);
 *
 * Values are copied, so temporaries may go away; wn_pb_clear() wipes them all.
 * Each adder returns 1, or 0 with an error raised; after a failure the others
 * do nothing, so a chain may be checked once, at wn_pb_params() (NULL then).
 */
#ifndef WN_PARAMBUILD_H
#define WN_PARAMBUILD_H

#include <openssl/params.h>

#include "prov.h"

#define WN_PB_MAX 40

struct wn_pb {
    const struct wn_prov *prov;
    OSSL_PARAM params[WN_PB_MAX + 1];
    size_t n;
    int failed;
};

void wn_pb_init(struct wn_pb *pb, const struct wn_prov *prov);
int wn_pb_utf8(struct wn_pb *pb, const char *key, const char *value);
int wn_pb_octets(struct wn_pb *pb, const char *key, const void *value, size_t n);
int wn_pb_int(struct wn_pb *pb, const char *key, int value);
int wn_pb_uint64(struct wn_pb *pb, const char *key, uint64_t value);
int wn_pb_size_t(struct wn_pb *pb, const char *key, size_t value);
/* Unsigned integer from big-endian bytes; at least `width` bytes wide (secrets:
 * the width of the modulus, so that the size tells nothing). */
int wn_pb_bn(struct wn_pb *pb, const char *key, const unsigned char *be, size_t n, size_t width);
OSSL_PARAM *wn_pb_params(struct wn_pb *pb);
void wn_pb_clear(struct wn_pb *pb);

#endif
