/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See wc_mlkem_hooks.h. */
#include "wc_mlkem_hooks.h"

void (*wn_mlkem_matrix_p)(sword16 *a, unsigned k, const byte *rho, int transposed);
void (*wn_mlkem_noise_p)(unsigned k, sword16 *vec1, sword16 *vec2, sword16 *poly,
                         const byte *seed);

int wn_mlkem_gen_matrix(MLKEM_PRF_T *prf, sword16 *a, int k, byte *seed, int transposed)
{
    if (wn_mlkem_matrix_p == NULL)
        return mlkem_gen_matrix(prf, a, k, seed, transposed);
    wn_mlkem_matrix_p(a, (unsigned)k, seed, transposed);
    return 0;
}

int wn_mlkem_get_noise(MLKEM_PRF_T *prf, int k, sword16 *vec1, sword16 *vec2, sword16 *poly,
                       byte *seed)
{
    if (wn_mlkem_noise_p == NULL)
        return mlkem_get_noise(prf, k, vec1, vec2, poly, seed);
    wn_mlkem_noise_p((unsigned)k, vec1, vec2, poly, seed);
    return 0;
}
