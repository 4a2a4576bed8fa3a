/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wc_slhdsa.c, unchanged, but for messages of any length (wc_long.h). */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/hmac.h>
#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/sha3.h>
#include <wolfssl/wolfcrypt/sha512.h>
#include "wc_long.h"

WN_LONG_UPDATE(wn_long_shake256_update, wc_Shake256_Update, wc_Shake)
WN_LONG_UPDATE(wn_long_sha256_update, wc_Sha256Update, wc_Sha256)
WN_LONG_UPDATE(wn_long_sha512_update, wc_Sha512Update, wc_Sha512)
WN_LONG_UPDATE(wn_long_hmac_update, wc_HmacUpdate, Hmac)
#define wc_Shake256_Update wn_long_shake256_update
#define wc_Sha256Update wn_long_sha256_update
#define wc_Sha512Update wn_long_sha512_update
#define wc_HmacUpdate wn_long_hmac_update

#include "wolfcrypt/src/wc_slhdsa.c"
