/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What wolfCrypt's ML-DSA (FIPS 204) calls for its matrix and masks. NULL, at first:
 * its own functions. Set before the first use. See wc_mldsa_more.c.
 */
#ifndef WN_WC_MLDSA_HOOKS_H
#define WN_WC_MLDSA_HOOKS_H

#include <wolfssl/wolfcrypt/wc_mldsa.h>

/* ExpandA (algorithm 32): k x l polynomials of the 32 bytes rho. */
extern void (*wn_mldsa_matrix_p)(sword32 *a, unsigned k, unsigned l, const byte *rho);
/* ExpandMask (algorithm 34): l polynomials of the 64 bytes rho, which are secret. */
extern void (*wn_mldsa_mask_p)(sword32 *y, unsigned l, const byte *rho, word16 kappa,
                               unsigned gamma1_bits);

#endif
