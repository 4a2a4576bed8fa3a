/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What wolfCrypt's ML-KEM calls for its matrix and noise: sources.cmake renames its
 * calls of mlkem_gen_matrix and mlkem_get_noise to wn_mlkem_*. NULL, at first: its own.
 */
#ifndef WN_WC_MLKEM_HOOKS_H
#define WN_WC_MLKEM_HOOKS_H

#include <wolfssl/wolfcrypt/wc_mlkem.h>

extern void (*wn_mlkem_matrix_p)(sword16 *a, unsigned k, const byte *rho, int transposed);
/* poly: NULL or one polynomial more; see algs/x86_64/mlkem_x86.h */
extern void (*wn_mlkem_noise_p)(unsigned k, sword16 *vec1, sword16 *vec2, sword16 *poly,
                                const byte *seed);

int wn_mlkem_gen_matrix(MLKEM_PRF_T *prf, sword16 *a, int k, byte *seed, int transposed);
int wn_mlkem_get_noise(MLKEM_PRF_T *prf, int k, sword16 *vec1, sword16 *vec2, sword16 *poly,
                       byte *seed);

#endif
