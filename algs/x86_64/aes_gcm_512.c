/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AES-GCM with VAES and VPCLMULQDQ on zmm; the method is in aes_gcm_impl.h. */
#include "accel_x86.h"
#include "aes_expand.h"
#include "vec512.h"

#define NV 8
#include "aes_gcm_impl.h"
