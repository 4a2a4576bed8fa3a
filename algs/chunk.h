/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks of 16 bytes as one value. Padding and counter blocks are put together in it
 * and stored at once, because what loads them as one vector would wait until several
 * smaller stores are in the cache.
 */
#ifndef WN_CHUNK_H
#define WN_CHUNK_H

#include <stdint.h>
#include <string.h>

typedef uint64_t wn_chunk __attribute__((vector_size(16)));

static inline wn_chunk wn_chunk_load(const void *p)
{
    wn_chunk c;

    memcpy(&c, p, sizeof(c));
    return c;
}

static inline void wn_chunk_store(void *p, wn_chunk c)
{
    memcpy(p, &c, sizeof(c));
}

/* Words as they stand in memory. */
static inline uint64_t wn_be64(uint64_t w)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return w;
#else
    return __builtin_bswap64(w);
#endif
}

static inline uint64_t wn_le64(uint64_t w)
{
    return __builtin_bswap64(wn_be64(w));
}

#endif
