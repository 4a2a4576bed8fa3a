/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blake2s.c, unchanged, and what algs/blake2.c needs of it; see wc_blake2_more.h. */
#include <stdint.h>

#include <wolfssl/wolfcrypt/settings.h>

/* Input lies anywhere: no words through pointers. */
#undef WOLFSSL_GENERAL_ALIGNMENT
#define WOLFSSL_GENERAL_ALIGNMENT 4

#include "wolfcrypt/src/blake2s.c"

#define START wn_blake2s_start
#define BLOCKS wn_blake2s_blocks
#define WORD word32
#define BLOCK 64
#define STATE blake2s_state
#define COMPRESS blake2s_compress
#define IV blake2s_IV
#define LOAD load32
#include "wc_blake2_more.h"
