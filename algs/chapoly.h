/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The AEAD construction of RFC 8439 section 2.8. Per message
 *
 *   start, aad*, crypt*, tag
 *
 * in any split. The state has no pointers, so copying wn_chapoly_size() bytes
 * duplicates it mid-message. Two forms, chosen by the processor: the kernels of
 * accel.h where there are any, elsewhere wolfCrypt's ChaCha20 and Poly1305
 * (whose own AEAD functions count in 32 bits).
 */
#ifndef WN_CHAPOLY_H
#define WN_CHAPOLY_H

#include "accel.h"
#include "chacha.h"
#include "wolf.h"

#include <wolfssl/wolfcrypt/poly1305.h>

#define WN_CHAPOLY_NONCE 12
#define WN_CHAPOLY_TAG 16

struct wn_chapoly_soft {
    struct wn_chacha stream;
    Poly1305 poly;
    uint64_t aad_len, len;
};

union wn_chapoly_state {
    struct wn_chapoly hw;
    struct wn_chapoly_soft soft;
};

size_t wn_chapoly_size(void);

void wn_chapoly_start(union wn_chapoly_state *c, const unsigned char key[WN_CHACHA_KEY],
                      const unsigned char nonce[WN_CHAPOLY_NONCE]);
/* 0 without an error if a limit is passed, or for AAD after data. */
int wn_chapoly_aad(union wn_chapoly_state *c, const unsigned char *aad, size_t n);
int wn_chapoly_crypt(union wn_chapoly_state *c, int enc, unsigned char *out,
                     const unsigned char *in, size_t n);
/* Once per message. */
void wn_chapoly_tag(union wn_chapoly_state *c, unsigned char tag[WN_CHAPOLY_TAG]);

#endif
