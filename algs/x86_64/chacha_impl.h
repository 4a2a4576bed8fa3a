/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ChaCha20 (RFC 8439 section 2.3, 2.4) for one vector width: the includer has
 * included a vec*.h. Two shapes:
 *
 *   columns  4 * LANES blocks, one state word in each of 16 vectors; the rate
 *            of long data, and a transposition at the end
 *   rows     2 * LANES blocks, one row of the state in each vector, two
 *            independent sets: the latency of one block, for short data
 *
 * The counter is word 12 and wraps within it (what follows is the caller's).
 *
 * The includer defines CP_TARGET, struct mac and mac_step, a piece of Poly1305 that runs
 * beside the rounds, in execution slots that these leave free.
 */
#define CP_T __attribute__((target(CP_TARGET)))
#define CP_I static inline __attribute__((always_inline, target(CP_TARGET)))

#define WIDE  (4 * LANES) /* blocks of a call of columns */
#define SHORT (2 * LANES) /* blocks of a call of rows */

/* Quarter round (2.1), on whole vectors. */
VI void quarter(vec *a, vec *b, vec *c, vec *d)
{
    *a = v_add32(*a, *b);
    *d = v_rol32(v_xor(*d, *a), 16);
    *c = v_add32(*c, *d);
    *b = v_rol32(v_xor(*b, *c), 12);
    *a = v_add32(*a, *b);
    *d = v_rol32(v_xor(*d, *a), 8);
    *c = v_add32(*c, *d);
    *b = v_rol32(v_xor(*b, *c), 7);
}

/*
 * Quarter rounds i and i + 1, the diagonal shifted by s. Where only 16
 * registers exist, the third row lives in memory: left to itself the compiler
 * moves most of the state there and back.
 */
VI void quarters(vec x[16], int i, int s)
{
    vec *a = &x[i], *e = &x[i + 1], *b = &x[4 + (i + s) % 4], *f = &x[4 + (i + 1 + s) % 4];
    vec *c = &x[8 + (i + 2 * s) % 4], *g = &x[8 + (i + 1 + 2 * s) % 4];
    vec *d = &x[12 + (i + 3 * s) % 4], *h = &x[12 + (i + 1 + 3 * s) % 4];

    quarter(a, b, c, d);
    quarter(e, f, g, h);
    if (LANES < 4)
        __asm__ volatile(""
                         : "+m"(*c), "+m"(*g), "+v"(*a), "+v"(*e), "+v"(*b), "+v"(*f), "+v"(*d),
                           "+v"(*h));
}

/* Word i of block b sits in vector i, element 4l + j, where b = j * LANES + l:
 * so the transposition ends with neighbouring blocks in one vector. */
static const uint32_t block_of[16] = {
    0 * LANES,     1 * LANES,     2 * LANES,     3 * LANES,     0 * LANES + 1, 1 * LANES + 1,
    2 * LANES + 1, 3 * LANES + 1, 0 * LANES + 2, 1 * LANES + 2, 2 * LANES + 2, 3 * LANES + 2,
    0 * LANES + 3, 1 * LANES + 3, 2 * LANES + 3, 3 * LANES + 3,
};

/* 4 x 4 words within each lane. */
VI void transpose4(vec r[4])
{
    vec ab = v_unlo32(r[0], r[1]), AB = v_unhi32(r[0], r[1]);
    vec cd = v_unlo32(r[2], r[3]), CD = v_unhi32(r[2], r[3]);

    r[0] = v_low64(ab, cd);
    r[1] = v_high64(ab, cd);
    r[2] = v_low64(AB, CD);
    r[3] = v_high64(AB, CD);
}

/* WIDE blocks xored from in to out, or the bare keystream if in is NULL; m, if
 * not NULL, takes 0 to 8 steps of 8 * WIDE bytes at text. */
CP_I void columns_(const uint32_t st[16], const uint8_t *in, uint8_t *out, struct mac *m,
                   const uint8_t *text, int steps)
{
    vec x[16], ctr = v_add32(v_bcast32(&st[12]), v_load(block_of));

    UNROLL(16)
    for (int i = 0; i < 16; i++)
        x[i] = i == 12 ? ctr : v_bcast32(&st[i]);
    UNROLL(2)
    for (int r = 0; r < 10; r++) {
        if (m != NULL && r < steps) {
            mac_step(m, text);
            text += 8 * WIDE;
        }
        quarters(x, 0, 0);
        quarters(x, 2, 0);
        quarters(x, 0, 1);
        quarters(x, 2, 1);
    }
    __asm__("" : "+r"(st)); /* or all words would be kept on the stack until now */
    UNROLL(16)
    for (int i = 0; i < 16; i++)
        x[i] = v_add32(x[i], i == 12 ? ctr : v_bcast32(&st[i]));
    UNROLL(4)
    for (int g = 0; g < 4; g++)
        transpose4(x + 4 * g);
    UNROLL(4)
    for (int j = 0; j < 4; j++) {
        vec r[4] = { x[j], x[4 + j], x[8 + j], x[12 + j] };

        v_lanes4(r);
        UNROLL(4)
        for (int i = 0; i < 4; i++) {
            size_t at = 16 * LANES * (4 * (size_t)j + (size_t)i);
            v_store(out + at, in == NULL ? r[i] : v_xor(r[i], v_load(in + at)));
        }
    }
}

CP_T static void columns(const uint32_t st[16], const uint8_t *in, uint8_t *out)
{
    columns_(st, in, out, NULL, NULL, 0);
}

/* Keystream of SHORT blocks. */
VT static void rows_ks(const uint32_t st[16], uint8_t *ks)
{
    vec a[2], b[2], c[2], d[2];
    vec d0 = v_add32(v_bcast(x_load(st + 12)), v_iota());

    UNROLL(2)
    for (int j = 0; j < 2; j++) {
        a[j] = v_bcast(x_load(st));
        b[j] = v_bcast(x_load(st + 4));
        c[j] = v_bcast(x_load(st + 8));
        d[j] = d0 = j == 0 ? d0 : v_add32(d0, v_bcast(_mm_set_epi32(0, 0, 0, LANES)));
    }
    for (int r = 0; r < 20; r++) {
        UNROLL(2)
        for (int j = 0; j < 2; j++)
            quarter(&a[j], &b[j], &c[j], &d[j]);
        UNROLL(2)
        for (int j = 0; j < 2; j++) { /* columns to diagonals; b, the last one ready, stays */
            a[j] = v_left3(a[j]);
            c[j] = v_left1(c[j]);
            d[j] = v_swap64(d[j]);
        }
        r++;
        UNROLL(2)
        for (int j = 0; j < 2; j++)
            quarter(&a[j], &b[j], &c[j], &d[j]);
        UNROLL(2)
        for (int j = 0; j < 2; j++) { /* and back */
            a[j] = v_left1(a[j]);
            c[j] = v_left3(c[j]);
            d[j] = v_swap64(d[j]);
        }
    }
    UNROLL(2)
    for (int j = 1; j >= 0; j--) {
        vec q[4] = { v_add32(a[j], v_bcast(x_load(st))), v_add32(b[j], v_bcast(x_load(st + 4))),
                     v_add32(c[j], v_bcast(x_load(st + 8))), v_add32(d[j], d0) };

        v_lanes4(q);
        UNROLL(4)
        for (int i = 0; i < 4; i++)
            v_store(ks + 16 * LANES * (4 * j + i), q[i]);
        d0 = v_add32(d0, v_bcast(_mm_set_epi32(0, 0, 0, -LANES)));
    }
}

/* Enough keystream for len <= 64 * WIDE bytes; returns the number of blocks. */
VI unsigned some_ks(const uint32_t st[16], uint8_t *ks, size_t len)
{
    if (len <= 64 * SHORT && SHORT > 2) {
        rows_ks(st, ks);
        return SHORT;
    }
    columns(st, NULL, ks);
    return WIDE;
}

VI void xor_bytes(uint8_t *out, const uint8_t *in, const uint8_t *ks, size_t n)
{
    for (; n >= 16 * LANES; n -= 16 * LANES, in += 16 * LANES, ks += 16 * LANES, out += 16 * LANES)
        v_store(out, v_xor(v_load(in), v_load(ks)));
    for (; n >= 16; n -= 16, in += 16, ks += 16, out += 16)
        x_store(out, _mm_xor_si128(x_load(in), x_load(ks)));
    x_storen(out, _mm_xor_si128(x_loadn(in, n), x_loadn(ks, n)), n);
}

VT static void chacha20(const uint32_t st0[16], const uint8_t *in, uint8_t *out, size_t len)
{
    uint8_t ks[64 * WIDE];
    uint32_t st[16];

    if (len == 0)
        return;
    memcpy(st, st0, sizeof(st));
    for (; len >= 64 * WIDE; len -= 64 * WIDE, in += 64 * WIDE, out += 64 * WIDE, st[12] += WIDE)
        columns(st, in, out);
    if (len > 0) {
        size_t used = 64 * (size_t)some_ks(st, ks, len);

        xor_bytes(out, in, ks, len);
        v_wipe(ks, used);
    }
    v_wipe(st, sizeof(st));
}
