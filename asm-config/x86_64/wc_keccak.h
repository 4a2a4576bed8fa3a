/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The permutations that wolfCrypt's ML-KEM, ML-DSA and SLH-DSA use: sources.cmake
 * renames its calls of sha3_*_avx2 and sha3_*_bmi2 to wn_sha3_*. Four states lie
 * interleaved: word i of state j is s[4 * i + j].
 */
#ifndef WN_WC_KECCAK_H
#define WN_WC_KECCAK_H

#include <stdint.h>

/* Keccak-p[1600, 24] (FIPS 202 section 3.3) on one state and on four. To be set
 * before the first use; they start as wolfCrypt's C and AVX2 code. */
extern void (*wn_sha3_block_p)(uint64_t *s);
extern void (*wn_sha3_blocksx4_p)(uint64_t *s);

void wn_sha3_block(uint64_t *s);
void wn_sha3_blocksx4(uint64_t *s);

/* n blocks of `rate` bytes xored in, each followed by the permutation. */
void wn_sha3_block_n(uint64_t *s, const uint8_t *data, uint32_t n, uint64_t rate);

/*
 * Four states from one seed and a word that differs, which the caller has put into
 * s[4 * k + j], k being the number of words in the seed; then padding and the
 * permutation. SHAKE128 and SHAKE256 of a seed of 32 bytes, SHAKE256 of 64.
 */
void wn_sha3_128_blocksx4_seed(uint64_t *s, uint8_t *seed);
void wn_sha3_256_blocksx4_seed(uint64_t *s, uint8_t *seed);
void wn_sha3_256_blocksx4_seed_64(uint64_t *s, uint8_t *seed);

#endif
