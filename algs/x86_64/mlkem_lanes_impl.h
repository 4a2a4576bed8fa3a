/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The matrix of ML-KEM (FIPS 203), LANES polynomials at a time, and beside it, in the
 * last lane, the hash of the public key, whose blocks have to wait for each other.
 * Included after lanes_impl.h, with besides its macros
 *
 *   PERMUTE(s)      Keccak-p[1600, 24] on all lanes
 *   UNLACE(s, o, n) the first 168 bytes of lane j to o + n * j (and up to 24 more)
 */
struct NAME(lanes) {
    _Alignas(64) word64 s[25 * LANES];
    byte out[LANES][MATRIX_ROOM];
};

/* A polynomial from the three blocks of lane j, and more if they do not suffice. */
static void NAME(sample)(wn_mlkem_sampler *sample, sword16 *p, const struct NAME(lanes) *l,
                         unsigned j)
{
    unsigned n = sample(p, MLKEM_N, l->out[j], 3 * RATE_128);
    word64 s[25 + 8];

    if (n == MLKEM_N)
        return;
    NAME(take)(s, l->s, 25, j);
    memset(s + 25, 0xff, sizeof(s) - 25 * sizeof(*s));
    while (n < MLKEM_N) {
        wn_sha3_block(s);
        n += sample(p + n, MLKEM_N - n, (const byte *)s, RATE_128);
    }
}

/* One permutation of all lanes, one block more of the message in the last. */
TARGET static void NAME(step)(word64 *s, struct message *m, const NAME(row) *last, byte *h)
{
    word64 digest[4];
    int hashing = m->blocks > 0;

    if (hashing)
        NAME(absorb)(s, m, last);
    PERMUTE(s);
    if (hashing && m->blocks == 0) {
        NAME(take)(digest, s, 4, LANES - 1);
        memcpy(h, digest, 32);
    }
}

TARGET void NAME(wn_mlkem_matrix)(wn_mlkem_sampler *sample, sword16 *a, unsigned k,
                                  const byte *rho, int transposed, const byte *ek, byte *h)
{
    _Alignas(64) word64 nonce[LANES];
    NAME(row) last, keep;
    struct NAME(lanes) l;
    struct message m = { 0 };
    unsigned at, n, i, total = k * k;
    word64 rest[25];

    if (ek != NULL)
        m = encapsulation_key(ek, k);
    memset(l.s, 0, sizeof(l.s));
    NAME(select)(&last, LANES - 1);
    for (at = 0; at < total; at += n) {
        n = m.blocks > 0 ? LANES - 1 : LANES;
        keep = m.blocks > 0 ? last : (NAME(row)){ 0 };
        n = total - at < n ? total - at : n;
        for (i = 0; i < LANES; i++) {
            unsigned row = (at + i) / k, column = (at + i) % k;

            /* rho || column || row, or the other way round */
            nonce[i] = 0x1f0000 | (transposed ? column << 8 | row : row << 8 | column);
            memset(l.out[i] + 3 * RATE_128, 0xff, 8);
        }
        NAME(start)(l.s, rho, 4, nonce, RATE_128, &keep);
        for (i = 0; i < 3; i++) {
            NAME(step)(l.s, &m, &last, h);
            UNLACE(l.s, l.out[0] + RATE_128 * i, MATRIX_ROOM);
        }
        for (i = 0; i < n; i++)
            NAME(sample)(sample, a + MLKEM_N * (at + i), &l, i);
    }
    if (m.blocks > 0) {
        NAME(take)(rest, l.s, 25, LANES - 1);
        hash_rest(h, rest, &m);
    }
}
