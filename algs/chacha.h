/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ChaCha20 key stream (RFC 8439 section 2.4) for the ciphers ChaCha20 and
 * ChaCha20-Poly1305.
 *
 * The block counter is 64 bits wide as in OpenSSL: it carries into the first
 * word of the nonce. ChaCha20-Poly1305 bounds its messages before that. A
 * struct wn_chacha holds no pointer; assignment duplicates it.
 */
#ifndef WN_CHACHA_H
#define WN_CHACHA_H

#include <stddef.h>
#include <stdint.h>

#define WN_CHACHA_KEY 32
#define WN_CHACHA_IV 16         /* counter (4, little endian), nonce (12) */
#define WN_CHACHA_BLOCK 64
#define WN_CHACHA_AHEAD 8       /* blocks of key stream that are made at a time */

struct wn_chacha {
    uint32_t st[16];            /* constants, key, counter of the next block to open, nonce */
    unsigned char ks[WN_CHACHA_AHEAD * WN_CHACHA_BLOCK];
    unsigned at, end;           /* unused part of ks; in the open block if there is one */
    unsigned num;               /* bytes used of the open block; 0: none is open */
};

void wn_chacha_set_key(struct wn_chacha *c, const unsigned char key[WN_CHACHA_KEY]);
void wn_chacha_set_iv(struct wn_chacha *c, const unsigned char iv[WN_CHACHA_IV]);
/* The counter and nonce from which the stream goes on with its next block. */
void wn_chacha_get_iv(const struct wn_chacha *c, unsigned char iv[WN_CHACHA_IV]);

/* in == out, or disjoint */
void wn_chacha_crypt(struct wn_chacha *c, unsigned char *out, const unsigned char *in, size_t n);

#endif
