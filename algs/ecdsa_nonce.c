/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deterministic ECDSA nonces (RFC 6979 section 3.2; FIPS 186-5 A.3.3), for any
 * digest and any length of what is signed.
 */
#include "ecdsa.h"

#include <string.h>

#include "hmac.h"

/* bits2int and, with reduce, mod n once (2^order_bits is below 2 n) */
static void bits_to_scalar(const struct wn_ec_curve *curve, const unsigned char *in, size_t n,
                           unsigned char *out, int reduce)
{
    unsigned char order[WN_EC_MAX_BYTES], less[WN_EC_MAX_BYTES];
    size_t size = curve->order_size, i;
    unsigned shift = (unsigned)(8 * size - (size_t)curve->order_bits), borrow = 0, mask;

    memset(out, 0, size);
    if (n < size) {
        memcpy(out + size - n, in, n);
    } else {
        for (i = size; i-- > 0;)
            out[i] = (unsigned char)(in[i] >> shift
                                     | (shift != 0 && i > 0 ? in[i - 1] << (8 - shift) : 0));
    }
    if (!reduce)
        return;
    wn_ec_hex(curve->dp.order, order, size);
    for (i = size; i-- > 0;) {
        unsigned v = (unsigned)out[i] - order[i] - borrow;

        less[i] = (unsigned char)v;
        borrow = (v >> 8) & 1;
    }
    mask = borrow - 1;          /* all ones: the difference is right */
    for (i = 0; i < size; i++)
        out[i] = (unsigned char)((out[i] & ~mask) | (less[i] & mask));
}

/* K = HMAC_K(V || octet || x || h), V = HMAC_K(V) */
static void mix(const struct wn_md_desc *md, unsigned char *K, unsigned char *V,
                unsigned char octet, const unsigned char *x, const unsigned char *h, size_t n)
{
    struct wn_hmac m;

    wn_hmac_init(&m, md, K, md->size);
    wn_hmac_update(&m, V, md->size);
    wn_hmac_update(&m, &octet, 1);
    if (x != NULL) {
        wn_hmac_update(&m, x, n);
        wn_hmac_update(&m, h, n);
    }
    wn_hmac_final(&m, K);
    wn_hmac_once(md, K, md->size, V, md->size, V);
    wn_hmac_clear(&m);
}

int wn_ecdsa_nonce(const struct wn_ec_key *key, const struct wn_md_desc *md,
                   const unsigned char *hash, size_t n, unsigned char *k)
{
    unsigned char K[WN_MD_MAX_SIZE], V[WN_MD_MAX_SIZE], x[WN_EC_MAX_BYTES], h[WN_EC_MAX_BYTES];
    unsigned char t[WN_EC_MAX_BYTES + WN_MD_MAX_SIZE];
    size_t size = key->curve->order_size, have;

    if (!wn_ec_num_bytes(&key->d, x, size))
        return 0;
    bits_to_scalar(key->curve, hash, n, h, 1);
    memset(V, 1, md->size);
    memset(K, 0, md->size);
    mix(md, K, V, 0, x, h, size);
    mix(md, K, V, 1, x, h, size);
    for (;;) {
        for (have = 0; have < size; have += md->size) {
            wn_hmac_once(md, K, md->size, V, md->size, V);
            memcpy(t + have, V, md->size);
        }
        bits_to_scalar(key->curve, t, size, k, 0);
        if (wn_ec_scalar_in_range(key->curve, k))
            break;
        mix(md, K, V, 0, NULL, NULL, 0);
    }
    wn_clear(K, sizeof(K));
    wn_clear(V, sizeof(V));
    wn_clear(x, sizeof(x));
    wn_clear(t, sizeof(t));
    return 1;
}
