/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSA primitives on vector units (algs/<arch>/), entered in wn_accel.rsa.
 *
 * A kernel keeps what it derives from a key (Montgomery constants and copies of
 * the numbers) in a flat context that the key owns: *_size bytes, 0 if the kernel
 * does not serve that size; no pointers inside, to be wiped by the owner. It is
 * read-only once *_init has returned. Numbers are little-endian 64-bit digits,
 * as many as the bits need; in and out are big-endian, as long as the modulus,
 * and may be the same. No function fails.
 */
#ifndef WN_RSA_KERNEL_H
#define WN_RSA_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#define WN_RSA_KERNELS 2        /* at most */

struct wn_rsa_crt {
    const uint64_t *p, *q;      /* both of half the modulus' bits, odd, top bit set */
    const uint64_t *dp, *dq;    /* less than p and q */
    const uint64_t *qinv;       /* less than p */
};

struct wn_rsa_kernel {
    /* The public operation: n odd, `bits` long with its top bit set; e odd, at
     * least 3; in < n. Variable time in e. */
    size_t (*public_size)(size_t bits);
    void (*public_init)(void *ctx, size_t bits, const uint64_t *n);
    void (*public_op)(const void *ctx, uint64_t e, const uint8_t *in, uint8_t *out);

    /* The private operation with the Chinese remainder theorem (RFC 8017
     * section 5.1.2, 2b), for a modulus of `bits`, an even number; in < p * q.
     * Constant time in all but the sizes. */
    size_t (*crt_size)(size_t bits);
    void (*crt_init)(void *ctx, size_t bits, const struct wn_rsa_crt *key);
    void (*crt_op)(const void *ctx, const uint8_t *in, uint8_t *out);
};

#endif
