/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ML-DSA's matrix and masks (FIPS 204), eight polynomials at once; see wc_mldsa_hooks.h. */
#ifndef WN_MLDSA_X86_H
#define WN_MLDSA_X86_H

#include <wolfssl/wolfcrypt/wc_mldsa.h>

void wn_mldsa_matrix_512(sword32 *a, unsigned k, unsigned l, const byte *rho);
void wn_mldsa_mask_512(sword32 *y, unsigned l, const byte *rho, word16 kappa, unsigned gamma1_bits);

#endif
