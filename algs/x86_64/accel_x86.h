/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each kernel file gives to accel.c: a function that enters its kernels
 * into a table. The suffix is the vector width in bits.
 */
#ifndef WN_ACCEL_X86_H
#define WN_ACCEL_X86_H

#include "../accel.h"

void wn_accel_gcm_128(struct wn_accel *a);
void wn_accel_gcm_256(struct wn_accel *a);
void wn_accel_gcm_512(struct wn_accel *a);
void wn_accel_aes_128(struct wn_accel *a);
void wn_accel_aes_256(struct wn_accel *a);
void wn_accel_aes_512(struct wn_accel *a);
void wn_accel_aes_serial(struct wn_accel *a);
void wn_accel_aes_keys(struct wn_accel *a);
void wn_accel_chacha_128(struct wn_accel *a);
void wn_accel_chacha_256(struct wn_accel *a);
void wn_accel_chacha_512(struct wn_accel *a);
void wn_accel_chacha_512_ifma(struct wn_accel *a);
void wn_accel_sha1(struct wn_accel *a);
void wn_accel_sha1_avx512(struct wn_accel *a);
void wn_accel_sha1_avx2(struct wn_accel *a);
void wn_accel_rsa_adx(struct wn_accel *a);
void wn_accel_rsa_ifma(struct wn_accel *a);

#endif
