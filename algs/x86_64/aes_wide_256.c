/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parallel modes of AES with VAES on ymm; the method is in aes_wide_impl.h. */
#include "accel_x86.h"
#include "vec256.h"
#include "aes_wide_impl.h"
