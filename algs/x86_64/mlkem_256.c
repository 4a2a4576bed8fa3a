/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ML-KEM's matrix with AVX2: three polynomials and the hash of the public key at
 * once. Without the hash, wolfCrypt's own code does the same with four.
 */
#include "mlkem_lanes.h"
#include "simd.h"

#define LANES      4
#define NAME(n)    n##_x4
#define TARGET     __attribute__((target("avx2")))
#define PERMUTE(s) wn_sha3_blocksx4(s)
#define UNLACE(s, o, n) \
    mlkem_redistribute_21_rand_avx2(s, o, (o) + (n), (o) + 2 * (n), (o) + 3 * (n))
#include "lanes_impl.h"
#include "mlkem_lanes_impl.h"

unsigned wn_mlkem_sample_avx2(sword16 *p, unsigned n, const byte *in, unsigned len)
{
    return n == MLKEM_N && len > RATE_128 ? mlkem_rej_uniform_n_avx2(p, n, in, len)
                                          : mlkem_rej_uniform_avx2(p, n, in, len);
}
