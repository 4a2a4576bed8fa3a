/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AES-GCM (SP 800-38D) for one vector width: the includer has included a
 * vec*.h and defined NV, the vectors of one batch.
 *
 * GHASH (6.4). Blocks are byte-reversed on load, which turns the standard's
 * reflected bit order into ordinary polynomials, with products that lack one
 * factor x: the powers of H carry it (gcm_setkey). gh_reduce divides by x^128
 * modulo x^128 + x^127 + x^126 + x^121 + 1 in two steps of 64 bits. n blocks
 * are multiplied by H^n .. H^1, summed unreduced, and reduced once.
 *
 * Batches of NV vectors: the AES rounds of one batch are interleaved with the
 * GHASH of ciphertext that is there already (the previous output when
 * encrypting, the input itself when decrypting), with Karatsuba's middle
 * product; what is shorter goes FEW vectors at a time, and the block that masks
 * the tag with the first of them.
 */
#define BATCH      (NV * LANES) /* blocks, and the highest power of H kept */
#define HPOW(g, i) ((g)->hpow[32 - (i)])

struct gh {
    vec lo, mid, hi;
};

CI vec v_rev(vec a)
{
    return v_shuf8(a, v_bcast(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
}

CI vec gh_reduce(const struct gh *a)
{
    const vec poly = v_bcast(_mm_set_epi64x(0, (long long)0xc200000000000000));
    vec m = v_xor3(a->mid, v_swap64(a->lo), v_clmul(a->lo, poly, 0x00));

    return v_xor3(a->hi, v_swap64(m), v_clmul(m, poly, 0x00));
}

CI __m128i gh_close(const struct gh *a)
{
    return v_fold(gh_reduce(a));
}

CI void gh_add(struct gh *a, vec d, vec h)
{
    a->lo = v_xor(a->lo, v_clmul(d, h, 0x00));
    a->hi = v_xor(a->hi, v_clmul(d, h, 0x11));
    a->mid = v_xor3(a->mid, v_clmul(d, h, 0x01), v_clmul(d, h, 0x10));
}

/* One product in each lane. */
CI vec gh_mul(vec d, vec h)
{
    struct gh a = { v_zero(), v_zero(), v_zero() };

    gh_add(&a, d, h);
    return gh_reduce(&a);
}

CI __m128i gh_mul1(const struct wn_gcm *g, __m128i y)
{
    return v_low(gh_mul(v_lane0(y), v_lane0(x_load(HPOW(g, 1)))));
}

/* Doubles the number of powers until there are want: H^(n+i) = H^i H^n. */
CT static void gcm_grow(struct wn_gcm *g, size_t want)
{
    for (unsigned n = g->npow; n < want; n *= 2, g->npow = n) {
        vec h = v_bcast(x_load(HPOW(g, n)));

        for (unsigned i = 0; i < n; i += LANES) {
            vec p = gh_mul(v_loadb(HPOW(g, n) + 16 * i, n - i), h);
            v_storeb(HPOW(g, 2 * n) + 16 * i, p, n - i);
        }
    }
}

/* Adds nb <= BATCH blocks to y. */
CI __m128i gh_blocks(struct wn_gcm *g, __m128i y, const uint8_t *p, size_t nb)
{
    struct gh a = { v_zero(), v_zero(), v_zero() };
    const uint8_t *h = HPOW(g, nb);
    vec first = v_lane0(y);

    if (nb > g->npow)
        gcm_grow(g, nb);
    for (size_t i = 0; i < nb; i += LANES, first = v_zero()) {
        vec d = v_rev(v_loadb(p + 16 * i, nb - i));
        gh_add(&a, v_xor(d, first), v_loadb(h + 16 * i, nb - i));
    }
    return gh_close(&a);
}

CT static void gcm_ghash(struct wn_gcm *g, const uint8_t *p, size_t blocks)
{
    __m128i y = x_bswap(x_load(g->y));

    for (size_t n; blocks > 0; blocks -= n, p += 16 * n) {
        n = blocks < BATCH ? blocks : BATCH;
        y = gh_blocks(g, y, p, n);
    }
    x_store(g->y, x_bswap(y));
}

/* h times x: shift left by one bit, reduce by the bit that falls out. */
CI __m128i gh_double(__m128i h)
{
    const __m128i poly = _mm_set_epi64x((long long)0xc200000000000000, 1);
    __m128i msb = _mm_shuffle_epi32(_mm_srai_epi32(h, 31), 0xff);

    h = _mm_or_si128(_mm_slli_epi64(h, 1), _mm_slli_si128(_mm_srli_epi64(h, 63), 8));
    return _mm_xor_si128(h, _mm_and_si128(msb, poly));
}

/*
 * The first powers are made in registers, two vectors of them: it costs little
 * while the processor still waits for the round keys, and vectors that are stored
 * as they will be loaded do not wait for the store.
 */
CT static void gcm_setkey(struct wn_gcm *g, const uint8_t *key, size_t keylen)
{
    __m128i h[LANES + 1];
    vec p;

    g->rounds = x_expand(g->rk[0], key, keylen);
    h[1] = gh_double(x_bswap(x_aesenc(g->rk[0], g->rounds, _mm_setzero_si128())));
    p = v_lane0(h[1]);
    UNROLL(4)
    for (int i = 2; i <= LANES; i++) {
        h[i] = v_low(gh_mul(v_lane0(h[i / 2]), v_lane0(h[i - i / 2])));
        p = v_after(h[i], p);
    }
    v_store(HPOW(g, LANES), p);
    v_store(HPOW(g, 2 * LANES), gh_mul(p, v_bcast(h[LANES])));
    g->npow = 2 * LANES;
}

/* 7.1 steps 2 and 3: J0. It is encrypted beside the first blocks of text. */
CT static void gcm_setiv(struct wn_gcm *g, const uint8_t *iv, size_t ivlen)
{
    __m128i j0;

    if (ivlen == 12) {
        j0 = _mm_insert_epi32(x_loadn(iv, 12), 0x01000000, 3);
    } else {
        size_t whole = ivlen & ~(size_t)15;

        x_store(g->y, _mm_setzero_si128());
        gcm_ghash(g, iv, ivlen / 16);
        j0 = x_bswap(x_load(g->y));
        if (ivlen > whole)
            j0 = gh_mul1(g, _mm_xor_si128(j0, x_bswap(x_loadn(iv + whole, ivlen - whole))));
        j0 = _mm_xor_si128(j0, _mm_set_epi64x(0, (long long)((uint64_t)ivlen * 8)));
        j0 = x_bswap(gh_mul1(g, j0));
    }
    x_store(g->ctr, j0);
    g->masked = 0;
    x_store(g->y, _mm_setzero_si128());
    g->aad_len = g->len = 0;
}

CT static void gcm_aad(struct wn_gcm *g, const uint8_t *aad, size_t len)
{
    unsigned used = g->aad_len & 15;

    g->aad_len += len;
    for (; used > 0 && len > 0; len--, used = (used + 1) & 15) {
        g->y[used] ^= *aad++;
        if (used == 15)
            x_store(g->y, x_bswap(gh_mul1(g, x_bswap(x_load(g->y)))));
    }
    if (len >= 16)
        gcm_ghash(g, aad, len / 16);
    if ((len & 15) != 0)
        x_store(g->y, _mm_xor_si128(x_load(g->y), x_loadn(aad + (len & ~(size_t)15), len & 15)));
}

struct batch {
    vec ctr;               /* next counters, byte-reversed */
    vec h[NV], hk[NV / 2]; /* H^BATCH .. H^1, and Karatsuba's sums of two */
    __m128i y;
};

CI void batch_begin(struct batch *b, struct wn_gcm *g, __m128i y, vec ctr)
{
    gcm_grow(g, BATCH);
    UNROLL(8)
    for (int j = 0; j < NV; j++)
        b->h[j] = v_load(HPOW(g, BATCH) + 16 * LANES * j);
    UNROLL(8)
    for (int j = 0; j < NV / 2; j++)
        b->hk[j] =
            v_xor(v_low64(b->h[2 * j], b->h[2 * j + 1]), v_high64(b->h[2 * j], b->h[2 * j + 1]));
    b->y = y;
    b->ctr = ctr;
}

/* Vectors 2j and 2j + 1 at p into a, with y in the very first block. */
CI void batch_ghash(struct gh *a, const struct batch *b, const uint8_t *p, int j)
{
    vec d = v_rev(v_load(p + 32 * LANES * j)), e = v_rev(v_load(p + 32 * LANES * j + 16 * LANES));
    vec h = b->h[2 * j], i = b->h[2 * j + 1], k;

    if (j == 0)
        d = v_xor(d, v_lane0(b->y));
    k = v_xor(v_low64(d, e), v_high64(d, e));
    a->lo = v_xor3(a->lo, v_clmul(d, h, 0x00), v_clmul(e, i, 0x00));
    a->hi = v_xor3(a->hi, v_clmul(d, h, 0x11), v_clmul(e, i, 0x11));
    a->mid = v_xor3(a->mid, v_clmul(k, b->hk[j], 0x00), v_clmul(k, b->hk[j], 0x11));
    PIN(a->lo); /* or the compiler keeps all products, to add them at the end */
    PIN(a->mid);
    PIN(a->hi);
}

CI __m128i batch_close(struct gh *a)
{
    a->mid = v_xor3(a->mid, a->lo, a->hi);
    return gh_close(a);
}

/* One batch in to out, and GHASH of the batch at hash, unless it is NULL. */
CI void batch_crypt(struct batch *b, const uint8_t *rk, unsigned rounds, const uint8_t *in,
                    uint8_t *out, const uint8_t *hash)
{
    const vec step = v_bcast(_mm_set_epi64x(0, LANES));
    struct gh a = { v_zero(), v_zero(), v_zero() };
    vec k = v_key(rk), s[NV];

    UNROLL(8)
    for (int j = 0; j < NV; j++, b->ctr = v_add32(b->ctr, step))
        s[j] = v_xor(v_rev(b->ctr), k);
    UNROLL(9)
    for (unsigned r = 1; r < 10; r++) {
        k = v_key(rk + 16 * r);
        UNROLL(8)
        for (int j = 0; j < NV; j++)
            s[j] = v_enc(s[j], k);
        if (hash != NULL && r % 2 == 1 && r < NV) /* what needs y comes last */
            batch_ghash(&a, b, hash, (int)((r + 1) / 2) % (NV / 2));
    }
    for (unsigned r = 10; r < rounds; r++) {
        k = v_key(rk + 16 * r);
        UNROLL(8)
        for (int j = 0; j < NV; j++)
            s[j] = v_enc(s[j], k);
    }
    if (hash != NULL)
        b->y = batch_close(&a);
    k = v_key(rk + 16 * rounds);
    UNROLL(8)
    for (int j = 0; j < NV; j++) {
        vec d = v_load(in + 16 * LANES * j);
        v_store(out + 16 * LANES * j, v_xor(d, v_enclast(s[j], k)));
    }
}

/* As many whole batches as there are; returns the blocks done. */
CI size_t gcm_bulk(struct wn_gcm *g, const uint8_t *in, uint8_t *out, size_t blocks, int enc)
{
    const vec one = v_bcast(_mm_set_epi64x(0, 1));
    struct gh a = { v_zero(), v_zero(), v_zero() };
    const uint8_t *rk = g->rk[0];
    const unsigned rounds = g->rounds;
    __m128i c = x_bswap(x_load(g->ctr));
    size_t nb = blocks;
    struct batch b;

    batch_begin(&b, g, x_bswap(x_load(g->y)), v_add32(v_add32(v_bcast(c), one), v_iota()));
    if (enc) {
        batch_crypt(&b, rk, rounds, in, out, NULL);
        for (in += 16 * BATCH, out += 16 * BATCH; (nb -= BATCH) >= BATCH;
             in += 16 * BATCH, out += 16 * BATCH)
            batch_crypt(&b, rk, rounds, in, out, out - 16 * BATCH);
        UNROLL(8)
        for (int j = 1; j <= NV / 2; j++)
            batch_ghash(&a, &b, out - 16 * BATCH, j % (NV / 2));
        b.y = batch_close(&a);
    } else {
        for (; nb >= BATCH; nb -= BATCH, in += 16 * BATCH, out += 16 * BATCH)
            batch_crypt(&b, rk, rounds, in, out, in);
    }
    blocks -= nb;
    x_store(g->ctr, x_bswap(_mm_add_epi32(c, _mm_cvtsi32_si128((int)(uint32_t)blocks))));
    x_store(g->y, x_bswap(b.y));
    return blocks;
}

/* Fewer blocks than a batch, and after them part of one. */
struct few {
    const uint8_t *in, *h; /* what comes next: data, power of H, */
    uint8_t *out;
    size_t nb; /* whole blocks, */
    vec ctr;   /* counters, byte-reversed; */
    struct gh a;
    vec y;    /* what the first of them is xored with */
    vec last; /* keystream of the last vector */
};

/*
 * nv <= FEW vectors, known to the compiler. All but the last are full; that one may
 * have no whole block. Returns j0 encrypted beside them.
 */
#define FEW 4
CI __m128i few_vectors(struct few *f, const uint8_t *rk, unsigned rounds, int enc, int nv,
                       __m128i j0)
{
    const vec step = v_bcast(_mm_set_epi64x(0, LANES));
    vec k = v_key(rk), s[FEW];
    __m128i e = _mm_xor_si128(j0, v_low(k));
    unsigned r;

#define FEW_ROUND(r)                              \
    do {                                          \
        k = v_key(rk + 16 * (r));                 \
        UNROLL(4)                                 \
        for (int j = 0; j < nv; j++)              \
            s[j] = v_enc(s[j], k);                \
        e = _mm_aesenc_si128(e, v_low(k));        \
    } while (0)

    UNROLL(4)
    for (int j = 0; j < nv; j++, f->ctr = v_add32(f->ctr, step))
        s[j] = v_xor(v_rev(f->ctr), k);
    UNROLL(9)
    for (r = 1; r < 10; r++)
        FEW_ROUND(r);
    if (rounds > 10) {
        FEW_ROUND(10);
        FEW_ROUND(11);
    }
    if (rounds > 12) {
        FEW_ROUND(12);
        FEW_ROUND(13);
    }
#undef FEW_ROUND
    k = v_key(rk + 16 * rounds);
    UNROLL(4)
    for (int j = 0; j < nv; j++) {
        size_t n = j < nv - 1 || f->nb >= LANES ? LANES : f->nb;
        vec d;

        s[j] = v_enclast(s[j], k);
        if (n == 0)
            break;
        d = v_loadb(f->in, n);
        v_storeb(f->out, v_xor(s[j], d), n);
        if (enc)
            d = v_xor(s[j], d);
        gh_add(&f->a, v_xor(v_rev(d), f->y), v_loadb(f->h, n));
        f->y = v_zero();
        f->in += 16 * n;
        f->out += 16 * n;
        f->h += 16 * n;
        f->nb -= n;
    }
    f->last = s[nv - 1];
    return _mm_aesenclast_si128(e, v_low(k));
}

/* 6.5: the keystream block that masks the tag, if no text has made it. */
CI void gcm_mask(struct wn_gcm *g)
{
    if (!g->masked)
        x_store(g->ek0, x_aesenc(g->rk[0], g->rounds, x_load(g->ctr)));
    g->masked = 1;
}

CI __m128i few_all(struct few *f, const uint8_t *rk, unsigned rounds, int enc, size_t vectors,
                   __m128i j0)
{
    for (; vectors > FEW; vectors -= FEW)
        (void)few_vectors(f, rk, rounds, enc, FEW, j0);
    if (vectors == 1)
        return few_vectors(f, rk, rounds, enc, 1, j0);
    if (vectors == 2)
        return few_vectors(f, rk, rounds, enc, 2, j0);
    if (vectors == 3)
        return few_vectors(f, rk, rounds, enc, 3, j0);
    return few_vectors(f, rk, rounds, enc, FEW, j0);
}

/* 0 < len < 16 * BATCH. */
CI void gcm_few(struct wn_gcm *g, const uint8_t *in, uint8_t *out, size_t len, int enc)
{
    const size_t nb = len / 16, total = (len + 15) / 16;
    const __m128i j0 = x_load(g->ctr), c = x_bswap(j0);
    __m128i y = x_load(g->y), s, d;
    struct few f;

    if (nb > g->npow)
        gcm_grow(g, nb);
    f.in = in;
    f.out = out;
    f.h = HPOW(g, nb);
    f.nb = nb;
    f.ctr = v_add32(v_add32(v_bcast(c), v_bcast(_mm_set_epi64x(0, 1))), v_iota());
    f.a.lo = f.a.mid = f.a.hi = v_zero();
    f.y = v_lane0(x_bswap(y));
    s = few_all(&f, g->rk[0], g->rounds, enc, (total + LANES - 1) / LANES, j0);
    if (!g->masked)
        x_store(g->ek0, s);
    g->masked = 1;
    x_store(g->ctr, x_bswap(_mm_add_epi32(c, _mm_cvtsi32_si128((int)total))));
    if (nb > 0)
        y = x_bswap(gh_close(&f.a));
    if ((len &= 15) > 0) {
        s = v_lane(f.last, nb % LANES);
        x_store(g->ks, s);
        d = x_loadn(f.in, len);
        s = x_first(_mm_xor_si128(s, d), len);
        x_storen(f.out, s, len);
        y = _mm_xor_si128(y, enc ? s : d);
    }
    x_store(g->y, y);
}

CI void gcm_crypt(struct wn_gcm *g, const uint8_t *in, uint8_t *out, size_t len, int enc)
{
    unsigned used = g->len & 15;

    if (len == 0)
        return;
    if (g->len == 0 && (g->aad_len & 15) != 0)
        x_store(g->y, x_bswap(gh_mul1(g, x_bswap(x_load(g->y)))));
    g->len += len;
    for (; used > 0 && len > 0; len--, used = (used + 1) & 15) {
        uint8_t c = *in++, o = c ^ g->ks[used];

        *out++ = o;
        g->y[used] ^= enc ? o : c;
        if (used == 15)
            x_store(g->y, x_bswap(gh_mul1(g, x_bswap(x_load(g->y)))));
    }
    if (len >= 16 * BATCH) {
        size_t done;

        gcm_mask(g);
        done = 16 * gcm_bulk(g, in, out, len / 16, enc);
        in += done;
        out += done;
        len -= done;
    }
    if (len > 0)
        gcm_few(g, in, out, len, enc);
}

CT static void gcm_enc(struct wn_gcm *g, const uint8_t *in, uint8_t *out, size_t len)
{
    gcm_crypt(g, in, out, len, 1);
}

CT static void gcm_dec(struct wn_gcm *g, const uint8_t *in, uint8_t *out, size_t len)
{
    gcm_crypt(g, in, out, len, 0);
}

/* 7.1 steps 5 and 6. */
CT static void gcm_tag(struct wn_gcm *g, uint8_t tag[16])
{
    __m128i y = x_bswap(x_load(g->y));

    gcm_mask(g);
    if (((g->len != 0 ? g->len : g->aad_len) & 15) != 0)
        y = gh_mul1(g, y);
    y = _mm_xor_si128(y, _mm_set_epi64x((long long)(g->aad_len * 8), (long long)(g->len * 8)));
    x_store(tag, _mm_xor_si128(x_bswap(gh_mul1(g, y)), x_load(g->ek0)));
}

void VNAME(wn_accel_gcm)(struct wn_accel *a)
{
    a->gcm_setkey = gcm_setkey;
    a->gcm_setiv = gcm_setiv;
    a->gcm_aad = gcm_aad;
    a->gcm_enc = gcm_enc;
    a->gcm_dec = gcm_dec;
    a->gcm_tag = gcm_tag;
}
