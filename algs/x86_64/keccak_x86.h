/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keccak-p[1600, 24] (FIPS 202 section 3.3) with AVX-512 (F and VL). */
#ifndef WN_KECCAK_X86_H
#define WN_KECCAK_X86_H

#include <stdint.h>

/* One state of 25 words; N = 4 or 8 of them, word i of state j being s[N * i + j]. */
void wn_keccak_p_512(uint64_t *s);
void wn_keccak_p_x4_512(uint64_t *s);
void wn_keccak_p_x8_512(uint64_t *s);

#endif
