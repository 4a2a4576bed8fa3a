/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ed25519.c, unchanged, but for messages of any length (wc_long.h). */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/sha512.h>
#include "wc_long.h"

WN_LONG_UPDATE(wn_long_sha512_update, wc_Sha512Update, wc_Sha512)
#define wc_Sha512Update wn_long_sha512_update

#include "wolfcrypt/src/ed25519.c"
