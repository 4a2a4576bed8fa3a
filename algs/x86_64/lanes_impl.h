/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LANES sponges of FIPS 202 side by side, word i of lane j at s[LANES * i + j].
 * Included once for each number of lanes, with
 *
 *   LANES     how many
 *   NAME(n)   n with a suffix
 *   TARGET    the function attribute
 */
typedef word64 NAME(row) __attribute__((vector_size(8 * LANES), may_alias));

/* Every bit of lane j. */
TARGET static inline void NAME(select)(NAME(row) *mask, unsigned j)
{
    _Alignas(64) word64 words[LANES] = { 0 };

    words[j] = ~(word64)0;
    *mask = *(const NAME(row) *)words;
}

/*
 * Absorbs in all lanes but those of `keep` the seed, `words` of eight bytes, and nonce,
 * which includes the domain's bits and the first of the padding.
 */
TARGET static inline void NAME(start)(word64 *state, const byte *seed, unsigned words,
                                      const word64 *nonce, unsigned rate, const NAME(row) *keep)
{
    NAME(row) *s = (NAME(row) *)state, row;
    unsigned i;

    UNROLL(25)
    for (i = 0; i < 25; i++) {
        if (i < words)
            row = (NAME(row)){ 0 } + load64(seed + 8 * i);
        else if (i == words)
            row = *(const NAME(row) *)nonce;
        else
            row = (NAME(row)){ 0 } + (i == rate / 8 - 1 ? (word64)1 << 63 : 0);
        s[i] = (s[i] & *keep) | (row & ~*keep);
    }
}

/* The next block of a message in the lanes of `in`. */
TARGET static inline void NAME(absorb)(word64 *state, struct message *m, const NAME(row) *in)
{
    NAME(row) *s = (NAME(row) *)state;
    word64 block[RATE_256 / 8];
    unsigned i;

    next_block(block, m);
    for (i = 0; i < RATE_256 / 8; i++)
        s[i] ^= *in & ((NAME(row)){ 0 } + block[i]);
}

/* The first `words` words of lane j. */
static inline void NAME(take)(word64 *to, const word64 *state, unsigned words, unsigned j)
{
    unsigned i;

    for (i = 0; i < words; i++)
        to[i] = state[LANES * i + j];
}
