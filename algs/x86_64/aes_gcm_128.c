/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AES-GCM with AES-NI and PCLMULQDQ, SSE4.1; the method is in aes_gcm_impl.h. */
#include "accel_x86.h"
#include "aes_expand.h"
#include "vec128.h"

#define NV 8
#include "aes_gcm_impl.h"
