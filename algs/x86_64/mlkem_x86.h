/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ML-KEM's expansion of seeds, four or eight at once; see mlkem_lanes_impl.h. */
#ifndef WN_MLKEM_X86_H
#define WN_MLKEM_X86_H

#include "../mlkem_kernel.h"

/*
 * SampleNTT (FIPS 203, algorithm 7) from step 5 on: at most n coefficients below q
 * from `len` bytes, a multiple of 24; returns how many. Up to 63 bytes beyond `in`'s
 * end are read.
 */
typedef unsigned wn_mlkem_sampler(sword16 *p, unsigned n, const byte *in, unsigned len);
wn_mlkem_sampler wn_mlkem_sample_avx2, wn_mlkem_sample_vbmi2;

/* A of rho, transposed or not; where ek is not NULL, H(ek) besides. */
void wn_mlkem_matrix_x4(wn_mlkem_sampler *sample, sword16 *a, unsigned k, const byte *rho,
                        int transposed, const byte *ek, byte *h);
void wn_mlkem_matrix_x8(wn_mlkem_sampler *sample, sword16 *a, unsigned k, const byte *rho,
                        int transposed, const byte *ek, byte *h);

/*
 * 2k polynomials of algorithm 8's noise, to vec1 and vec2, and with `poly` one
 * more; vec2 then has eta2 instead of eta1 (algorithms 13 and 14).
 */
void wn_mlkem_noise_x8(unsigned k, sword16 *vec1, sword16 *vec2, sword16 *poly, const byte *seed);

void wn_mlkem_hash_pair_x8(unsigned k, const byte *ek, byte *h, const byte *z, const byte *c,
                           size_t c_len, byte *j);

#endif
