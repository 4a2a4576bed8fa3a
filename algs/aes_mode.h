/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AES in the block and stream modes: the context and what the files of the
 * single modes share. Every mode comes in two forms, on kernels and on
 * wolfCrypt (see aes.h); which one serves is decided when the key is set.
 */
#ifndef WN_AES_MODE_H
#define WN_AES_MODE_H

#include "aes.h"
#include "cipher.h"

#define WN_AES_BLOCK 16

struct wn_aes_ctx {
    struct wn_cipher_ctx c;
    union wn_aes_key k;         /* wn_aes_key_size() bytes of it */
};

/* struct wn_mode_desc's impl */
struct wn_aes_mode {
    int inverse;                /* decryption needs the inverse cipher's round keys */
    wn_cipher_run *hw[2];       /* on kernels: decrypt, encrypt */
    wn_cipher_run *soft[2];     /* on wolfCrypt */
};

extern const struct wn_aes_mode wn_aes_cbc;

size_t wn_aes_ctx_size(void);
int wn_aes_mode_set_key(struct wn_cipher_ctx *c);

/* wolfCrypt's ECB for any number of bytes; out == in allowed. */
int wn_aes_soft_ecb(const struct wn_prov *prov, Aes *aes, int enc, unsigned char *out,
                    const unsigned char *in, size_t n);

static inline union wn_aes_key *wn_aes_key_of(struct wn_cipher_ctx *c)
{
    return &((struct wn_aes_ctx *)c)->k;
}

/* dst = a ^ b, whole blocks; dst may be a or b. */
static inline void wn_xor_blocks(unsigned char *dst, const unsigned char *a,
                                 const unsigned char *b, size_t n)
{
    uint64_t x[2], y[2];

    for (; n >= WN_AES_BLOCK; n -= WN_AES_BLOCK) {
        __builtin_memcpy(x, a, sizeof(x));
        __builtin_memcpy(y, b, sizeof(y));
        x[0] ^= y[0];
        x[1] ^= y[1];
        __builtin_memcpy(dst, x, sizeof(x));
        dst += WN_AES_BLOCK;
        a += WN_AES_BLOCK;
        b += WN_AES_BLOCK;
    }
}

/*
 * One mode at one key size: descriptor aes<bits>_<id>_desc and table
 * wn_aes<bits>_<id>_functions. iv, block: bytes; the rest: the shared entries.
 */
#define WN_AES_TABLE(id, bits, evp, flags, iv, block, impl, ...)             \
    static const struct wn_mode_desc aes##bits##_##id##_desc = {             \
        { EVP_CIPH_##evp##_MODE, flags, bits / 8, iv, block },               \
        wn_aes_ctx_size, wn_aes_mode_set_key, &impl                          \
    };                                                                       \
    WN_CIPHER_TABLE(aes##bits##_##id, aes##bits##_##id##_desc, wn_cipher_newctx, \
                    aes##bits##_##id##_desc.base, __VA_ARGS__)

#define WN_AES_EACH_SIZE(X) X(128) X(192) X(256)

#endif
