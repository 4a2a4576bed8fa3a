/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * BLAKE2's start and compression (RFC 7693 sections 3.1 to 3.3) as functions of
 * their own, over the static ones of wolfCrypt's blake2b.c or blake2s.c, whose
 * own interface copies all input, takes no salt and no personalisation. In:
 *   START, BLOCKS  the names to define
 *   WORD, BLOCK    type of a word, bytes of a block
 *   STATE, COMPRESS, IV, LOAD  wolfCrypt's
 */
void START(void *h, const byte *param);
void BLOCKS(void *h, uint64_t count, const byte *in, size_t n, int last);

/* Not ForceZero(), whose memory fence takes as long as half a block. */
static void wipe(void *p, size_t n)
{
    XMEMSET(p, 0, n);
    __asm__ __volatile__("" : : "r"(p) : "memory");
}

/* h: the initial value for a parameter block of eight words. */
void START(void *h, const byte *param)
{
    WORD *words = (WORD *)h;
    int i;

    for (i = 0; i < 8; i++)
        words[i] = IV[i] ^ LOAD(param + (size_t)i * sizeof(WORD));
}

/* n blocks into h; count: bytes hashed after the first of them; last: it ends the message. */
__attribute__((flatten))        /* or the working variables live in memory */
void BLOCKS(void *h, uint64_t count, const byte *in, size_t n, int last)
{
    WORD m[16], v[16];
    STATE s;

    XMEMCPY(s.h, h, sizeof(s.h));
    s.f[0] = last ? ~(WORD)0 : 0;
    s.f[1] = 0;
    for (; n > 0; n--, in += BLOCK, count += BLOCK) {
        s.t[0] = (WORD)count;
        s.t[1] = (WORD)(sizeof(WORD) == 8 ? 0 : count >> 32);
        COMPRESS(&s, in, m, v);
    }
    XMEMCPY(h, s.h, sizeof(s.h));
    wipe(s.h, sizeof(s.h));
    wipe(m, sizeof(m));
    wipe(v, sizeof(v));
}
