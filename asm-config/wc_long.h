/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages of any length for EdDSA and SLH-DSA, whose functions in wolfCrypt take a
 * word32: where they say that a message has WN_LONG_MESSAGE bytes, it is a struct
 * wn_long_message instead. These functions do nothing with a message but hand it to a
 * hash, once or twice; wc_*_more.c have that call feed what the struct tells, in
 * pieces. No other input of them can have that length.
 */
#ifndef WN_WC_LONG_H
#define WN_WC_LONG_H

#include <stddef.h>

#define WN_LONG_MESSAGE 0xffffffffU

struct wn_long_message {
    const unsigned char *data;
    size_t n;
};

/* wolfCrypt's `update`, and `name` that takes long messages too. */
#define WN_LONG_UPDATE(name, update, hash)                                    \
    static inline int name(hash *h, const byte *in, word32 n)                 \
    {                                                                         \
        const size_t piece = (size_t)1 << 30;   /* of whole blocks */         \
        struct wn_long_message m;                                             \
        int ret = 0;                                                          \
                                                                              \
        if (n != WN_LONG_MESSAGE)                                             \
            return update(h, in, n);                                          \
        for (m = *(const struct wn_long_message *)(const void *)in;           \
             ret == 0 && m.n > piece; m.data += piece, m.n -= piece)          \
            ret = update(h, m.data, (word32)piece);                           \
        return ret == 0 ? update(h, m.data, (word32)m.n) : ret;               \
    }

#endif
