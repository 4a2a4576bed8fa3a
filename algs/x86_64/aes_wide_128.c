/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parallel modes of AES with AES-NI, SSE4.1 (and PCLMULQDQ for XTS); the method is in aes_wide_impl.h. */
#include "accel_x86.h"
#include "vec128.h"
#include "aes_wide_impl.h"
