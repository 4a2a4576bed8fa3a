/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What ML-KEM (FIPS 203) spends its time in, where a processor can do it for many
 * seeds or messages at once. A NULL entry means: use wolfCrypt's function. Entries
 * compute exactly what wolfCrypt's do, cannot fail, and do not branch on secrets.
 */
#ifndef WN_MLKEM_KERNEL_H
#define WN_MLKEM_KERNEL_H

#include <stdint.h>

#include <wolfssl/wolfcrypt/wc_mlkem.h>

struct wn_mlkem_kernel {
    /* A, k x k polynomials, of the 32 bytes rho (algorithm 13, steps 3 to 7). */
    void (*matrix)(sword16 *a, unsigned k, const byte *rho);
    /* A of the encapsulation key ek, and H(ek), 32 bytes. */
    void (*matrix_hash)(sword16 *a, unsigned k, const byte *ek, byte *h);
    /* H(ek), and J(z || c), 32 bytes: z is secret. */
    void (*hash_pair)(unsigned k, const byte *ek, byte *h, const byte *z, const byte *c,
                      size_t c_len, byte *j);
};

/* For this processor; also sets what wolfCrypt calls. At load, before any use. */
void wn_mlkem_choose(struct wn_mlkem_kernel *kernel, uint32_t cpu_flags);

#endif
