/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blake2b.c, unchanged, and what algs/blake2.c needs of it; see wc_blake2_more.h. */
#include <stdint.h>

#include <wolfssl/wolfcrypt/settings.h>

/* Input lies anywhere: no words through pointers. */
#undef WOLFSSL_GENERAL_ALIGNMENT
#define WOLFSSL_GENERAL_ALIGNMENT 4

#include "wolfcrypt/src/blake2b.c"

#define START wn_blake2b_start
#define BLOCKS wn_blake2b_blocks
#define WORD word64
#define BLOCK 128
#define STATE blake2b_state
#define COMPRESS blake2b_compress
#define IV blake2b_IV
#define LOAD load64
#include "wc_blake2_more.h"
