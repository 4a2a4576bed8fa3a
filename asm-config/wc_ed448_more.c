/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ed448.c, unchanged, but for messages of any length (wc_long.h). */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/sha3.h>
#include "wc_long.h"

WN_LONG_UPDATE(wn_long_shake256_update, wc_Shake256_Update, wc_Shake)
#define wc_Shake256_Update wn_long_shake256_update

#include "wolfcrypt/src/ed448.c"
