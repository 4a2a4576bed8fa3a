/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parallel modes of AES for one vector width: ECB, CTR, CBC and CFB
 * decryption (SP 800-38A), XTS (IEEE 1619, SP 800-38E). The includer has
 * included a vec*.h.
 *
 * NV vectors at a time hide the latency of an AES round; what remains goes
 * vector by vector. In place works because a step reads all its input that a
 * store of the same step could overwrite before that store.
 */
#define NV    8
#define STEP  (16 * LANES) /* bytes of a vector */
#define BATCH (NV * LANES)

/* ---- tweaks of XTS ---- */

/* Each lane times x^n modulo x^128 + x^7 + x^2 + x + 1, n <= 32. */
CI vec xts_mul(vec t, int n)
{
    vec c = v_shr64(t, 64 - n); /* what leaves each half */

    return v_xor3(v_shl64(t, n), v_up64(c), v_clmul(c, v_bcast(_mm_set_epi64x(0, 0x87)), 0x01));
}

/* The same for n = BATCH, which is a whole number of bytes. */
CI vec xts_mul_batch(vec t)
{
    vec c = v_bsrli(t, 16 - BATCH / 8);

    return v_xor(v_bslli(t, BATCH / 8), v_clmul(c, v_bcast(_mm_set_epi64x(0, 0x87)), 0x00));
}

/* ---- AES on vectors ---- */

/*
 * rk for n vectors; dec: the decryption schedule of the equivalent inverse
 * cipher (FIPS 197 section 5.3.5). Between the rounds, the tweaks w advance by
 * a batch, unless w is NULL.
 */
CI void v_aes_and(const uint8_t *rk, unsigned rounds, vec *s, int n, int dec, vec *w)
{
    vec k = v_key(rk);

    UNROLL(8)
    for (int j = 0; j < n; j++)
        s[j] = v_xor(s[j], k);
    UNROLL(9)
    for (unsigned r = 1; r < 10; r++) {
        k = v_key(rk + 16 * r);
        UNROLL(8)
        for (int j = 0; j < n; j++)
            s[j] = dec ? v_dec(s[j], k) : v_enc(s[j], k);
        if (w != NULL && r <= NV) {
            w[r - 1] = xts_mul_batch(w[r - 1]);
            PIN(w[r - 1]);
        }
    }
    for (unsigned r = 10; r < rounds; r++) {
        k = v_key(rk + 16 * r);
        UNROLL(8)
        for (int j = 0; j < n; j++)
            s[j] = dec ? v_dec(s[j], k) : v_enc(s[j], k);
    }
    k = v_key(rk + 16 * rounds);
    UNROLL(8)
    for (int j = 0; j < n; j++)
        s[j] = dec ? v_declast(s[j], k) : v_enclast(s[j], k);
}

CI void v_aes(const uint8_t *rk, unsigned rounds, vec *s, int n, int dec)
{
    v_aes_and(rk, rounds, s, n, dec, NULL);
}

/* ---- ECB ---- */

CI void ecb(const uint8_t *rk, unsigned rounds, const uint8_t *in, uint8_t *out, size_t nb, int dec)
{
    vec s[NV];

    for (; nb >= BATCH; nb -= BATCH, in += NV * STEP, out += NV * STEP) {
        UNROLL(8)
        for (int j = 0; j < NV; j++)
            s[j] = v_load(in + STEP * j);
        v_aes(rk, rounds, s, NV, dec);
        UNROLL(8)
        for (int j = 0; j < NV; j++)
            v_store(out + STEP * j, s[j]);
    }
    for (size_t n; nb > 0; nb -= n, in += 16 * n, out += 16 * n) {
        n = nb < LANES ? nb : LANES;
        s[0] = v_loadb(in, n);
        v_aes(rk, rounds, s, 1, dec);
        v_storeb(out, s[0], n);
    }
}

CT static void ecb_enc(const void *rk, unsigned rounds, const uint8_t *in, uint8_t *out, size_t nb)
{
    if (nb == 1)
        x_store(out, x_aesenc(rk, rounds, x_load(in)));
    else
        ecb(rk, rounds, in, out, nb, 0);
}

CT static void ecb_dec(const void *rk, unsigned rounds, const uint8_t *in, uint8_t *out, size_t nb)
{
    ecb(rk, rounds, in, out, nb, 1);
}

/* ---- CTR ---- */

CI vec v_rev(vec a)
{
    return v_shuf8(a, v_bcast(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
}

/* nb blocks, over which the low 64 bits of c (byte-reversed) do not wrap. */
CI void ctr_run(const uint8_t *rk, unsigned rounds, __m128i c, const uint8_t *in, uint8_t *out,
                size_t nb)
{
    const vec step = v_bcast(_mm_set_epi64x(0, LANES));
    vec ctr = v_add64(v_bcast(c), v_iota()), s[NV];

    for (; nb >= BATCH; nb -= BATCH, in += NV * STEP, out += NV * STEP) {
        UNROLL(8)
        for (int j = 0; j < NV; j++, ctr = v_add64(ctr, step))
            s[j] = v_rev(ctr);
        v_aes(rk, rounds, s, NV, 0);
        UNROLL(8)
        for (int j = 0; j < NV; j++)
            v_store(out + STEP * j, v_xor(s[j], v_load(in + STEP * j)));
    }
    for (size_t n; nb > 0; nb -= n, in += 16 * n, out += 16 * n) {
        n = nb < LANES ? nb : LANES;
        s[0] = v_rev(ctr);
        ctr = v_add64(ctr, step);
        v_aes(rk, rounds, s, 1, 0);
        v_storeb(out, v_xor(s[0], v_loadb(in, n)), n);
    }
}

CT static void ctr(const void *rk, unsigned rounds, uint8_t iv[16], uint8_t ks[16], unsigned *num,
                   const uint8_t *in, uint8_t *out, size_t len)
{
    __m128i c = x_bswap(x_load(iv)), s;
    uint64_t lo = (uint64_t)_mm_cvtsi128_si64(c), hi = (uint64_t)_mm_extract_epi64(c, 1);
    unsigned used = *num;

    for (; used > 0 && len > 0; len--, used = (used + 1) & 15)
        *out++ = *in++ ^ ks[used];
    for (size_t nb = len / 16, n; nb > 0; nb -= n, in += 16 * n, out += 16 * n) {
        n = lo != 0 && nb > -lo ? (size_t)-lo : nb;
        ctr_run(rk, rounds, _mm_set_epi64x((long long)hi, (long long)lo), in, out, n);
        lo += n;
        hi += lo == 0;
    }
    c = _mm_set_epi64x((long long)hi, (long long)lo);
    len &= 15;
    if (len > 0) { /* used is 0 */
        s = x_aesenc(rk, rounds, x_bswap(c));
        x_store(ks, s);
        x_storen(out, _mm_xor_si128(s, x_loadn(in, len)), len);
        used = (unsigned)len;
        lo++;
        hi += lo == 0;
        c = _mm_set_epi64x((long long)hi, (long long)lo);
    }
    x_store(iv, x_bswap(c));
    *num = used;
}

/* ---- CBC and CFB decryption ---- */

CT static void cbc_dec(const void *rk, unsigned rounds, uint8_t iv[16], const uint8_t *in,
                       uint8_t *out, size_t nb)
{
    __m128i prev = x_load(iv), last;
    vec s[NV], first, c;

    for (; nb >= BATCH; nb -= BATCH, in += NV * STEP, out += NV * STEP, prev = last) {
        UNROLL(8)
        for (int j = 0; j < NV; j++)
            s[j] = v_load(in + STEP * j);
        first = v_after(prev, s[0]);
        last = x_load(in + NV * STEP - 16);
        v_aes(rk, rounds, s, NV, 1);
        UNROLL(8)
        for (int j = NV - 1; j > 0; j--) /* downwards: in may be out */
            v_store(out + STEP * j, v_xor(s[j], v_load(in + STEP * j - 16)));
        v_store(out, v_xor(s[0], first));
    }
    for (size_t n; nb > 0; nb -= n, in += 16 * n, out += 16 * n, prev = last) {
        n = nb < LANES ? nb : LANES;
        s[0] = c = v_loadb(in, n);
        last = x_load(in + 16 * n - 16);
        v_aes(rk, rounds, s, 1, 1);
        v_storeb(out, v_xor(s[0], v_after(prev, c)), n);
    }
    x_store(iv, prev);
}

CI __m128i cfb_dec_blocks(const uint8_t *rk, unsigned rounds, __m128i prev, const uint8_t *in,
                          uint8_t *out, size_t nb)
{
    __m128i last;
    vec s[NV], c;

    for (; nb >= BATCH; nb -= BATCH, in += NV * STEP, out += NV * STEP, prev = last) {
        s[0] = v_after(prev, v_load(in));
        UNROLL(8)
        for (int j = 1; j < NV; j++)
            s[j] = v_load(in + STEP * j - 16);
        last = x_load(in + NV * STEP - 16);
        v_aes(rk, rounds, s, NV, 0);
        UNROLL(8)
        for (int j = 0; j < NV; j++)
            v_store(out + STEP * j, v_xor(s[j], v_load(in + STEP * j)));
    }
    for (size_t n; nb > 0; nb -= n, in += 16 * n, out += 16 * n, prev = last) {
        n = nb < LANES ? nb : LANES;
        c = v_loadb(in, n);
        s[0] = v_after(prev, c);
        last = x_load(in + 16 * n - 16);
        v_aes(rk, rounds, s, 1, 0);
        v_storeb(out, v_xor(s[0], c), n);
    }
    return prev;
}

/* While a block is open, iv holds its ciphertext up to num and its keystream
 * from there on. */
CT static void cfb_dec(const void *rk, unsigned rounds, uint8_t iv[16], unsigned *num,
                       const uint8_t *in, uint8_t *out, size_t len)
{
    unsigned used = *num;
    __m128i v;

    for (; used > 0 && len > 0; len--, used = (used + 1) & 15) {
        uint8_t c = *in++;

        *out++ = iv[used] ^ c;
        iv[used] = c;
    }
    if (len > 0) { /* used is 0 */
        v = cfb_dec_blocks(rk, rounds, x_load(iv), in, out, len / 16);
        in += len & ~(size_t)15;
        out += len & ~(size_t)15;
        used = len & 15;
        if (used > 0) {
            __m128i c = x_loadn(in, used);

            v = x_aesenc(rk, rounds, v);
            x_storen(out, _mm_xor_si128(v, c), used);
            v = _mm_or_si128(c, _mm_xor_si128(v, x_first(v, used)));
        }
        x_store(iv, v);
    }
    *num = used;
}

/* ---- XTS ---- */

XI __m128i xts_mul1(__m128i t)
{
    const __m128i poly = _mm_set_epi64x(1, 0x87); /* sign of low half: bit 64 */
    __m128i sign = _mm_shuffle_epi32(_mm_srai_epi32(t, 31), 0x13);

    return _mm_xor_si128(_mm_add_epi64(t, t), _mm_and_si128(sign, poly));
}

/* T, T x, T x^2, ... */
CI vec xts_lanes(__m128i t)
{
    vec v = v_bcast(t), c = v_shr64i(v);

    return v_xor3(v_shl64i(v), v_up64(c), v_clmul(c, v_bcast(_mm_set_epi64x(0, 0x87)), 0x01));
}

/* n vectors with the tweaks t; w, if not NULL, advances meanwhile. */
CI void xts_step(const uint8_t *rk, unsigned rounds, const vec *t, vec *w, const uint8_t *in,
                 uint8_t *out, int n, int dec)
{
    vec s[NV];

    UNROLL(8)
    for (int j = 0; j < n; j++)
        s[j] = v_xor(t[j], v_load(in + STEP * j));
    v_aes_and(rk, rounds, s, n, dec, w);
    UNROLL(8)
    for (int j = 0; j < n; j++)
        v_store(out + STEP * j, v_xor(s[j], t[j]));
}

/* Whole blocks; returns the tweak that comes next. */
CI __m128i xts_blocks(const uint8_t *rk, unsigned rounds, __m128i first, const uint8_t *in,
                      uint8_t *out, size_t nb, int dec)
{
    vec s, t[NV], w[NV];

    w[0] = xts_lanes(first);
    if (nb >= 2 * BATCH) {
        UNROLL(8)
        for (int j = 1; j < NV; j++)
            w[j] = xts_mul(w[0], LANES * j);
        for (; nb >= 2 * BATCH; nb -= BATCH, in += NV * STEP, out += NV * STEP) {
            UNROLL(8)
            for (int j = 0; j < NV; j++)
                t[j] = w[j];
            xts_step(rk, rounds, t, w, in, out, NV, dec);
        }
    }
    UNROLL(4)
    for (int n = NV; n > 0; n /= 2) { /* 8, 4, 2 and 1 vectors, as needed */
        if (nb < (size_t)n * LANES)
            continue;
        t[0] = w[0];
        UNROLL(8)
        for (int j = 1; j < n; j++)
            t[j] = xts_mul(w[0], LANES * j);
        w[0] = xts_mul(w[0], LANES * n);
        xts_step(rk, rounds, t, NULL, in, out, n, dec);
        nb -= (size_t)n * LANES;
        in += n * STEP;
        out += n * STEP;
    }
    if (nb > 0) {
        s = v_xor(w[0], v_loadb(in, nb));
        v_aes(rk, rounds, &s, 1, dec);
        v_storeb(out, v_xor(s, w[0]), nb);
    }
    return v_lane(w[0], nb);
}

CI __m128i xts_one(const uint8_t *rk, unsigned rounds, __m128i t, __m128i b, int dec)
{
    vec s = v_lane0(_mm_xor_si128(b, t));

    v_aes(rk, rounds, &s, 1, dec);
    return _mm_xor_si128(v_low(s), t);
}

/* n <= 4 blocks, known to the compiler: an AES round of one block has less latency
 * than one of a wide vector. */
CI void xts_few(const uint8_t *rk, unsigned rounds, __m128i t, const uint8_t *in, uint8_t *out,
                int n, int dec)
{
    __m128i s[4], w[4], k = x_load(rk);

    UNROLL(4)
    for (int j = 0; j < n; j++, t = xts_mul1(t)) {
        w[j] = t;
        s[j] = _mm_xor_si128(_mm_xor_si128(x_load(in + 16 * j), t), k);
    }
    UNROLL(9)
    for (unsigned r = 1; r < 10; r++) {
        k = x_load(rk + 16 * r);
        UNROLL(4)
        for (int j = 0; j < n; j++)
            s[j] = dec ? _mm_aesdec_si128(s[j], k) : _mm_aesenc_si128(s[j], k);
    }
    for (unsigned r = 10; r < rounds; r++) {
        k = x_load(rk + 16 * r);
        UNROLL(4)
        for (int j = 0; j < n; j++)
            s[j] = dec ? _mm_aesdec_si128(s[j], k) : _mm_aesenc_si128(s[j], k);
    }
    k = x_load(rk + 16 * rounds);
    UNROLL(4)
    for (int j = 0; j < n; j++) {
        s[j] = dec ? _mm_aesdeclast_si128(s[j], k) : _mm_aesenclast_si128(s[j], k);
        x_store(out + 16 * j, _mm_xor_si128(s[j], w[j]));
    }
}

/* IEEE 1619 sections 5.3.2 and 5.4.2. */
CI void xts(const uint8_t *rk, const uint8_t *rk2, unsigned rounds, const uint8_t iv[16],
            const uint8_t *in, uint8_t *out, size_t len, int dec)
{
    __m128i t = x_aesenc(rk2, rounds, x_load(iv)), next, b, part;
    size_t tail = len & 15, nb = len / 16;

    if (tail == 0) {
        if (nb == 1)
            xts_few(rk, rounds, t, in, out, 1, dec);
        else if (nb == 2)
            xts_few(rk, rounds, t, in, out, 2, dec);
        else if (nb == 3)
            xts_few(rk, rounds, t, in, out, 3, dec);
        else if (nb == 4)
            xts_few(rk, rounds, t, in, out, 4, dec);
        else
            xts_blocks(rk, rounds, t, in, out, nb, dec);
        return;
    }
    if (nb == 0) /* the caller's error: no data unit of XTS is that short */
        return;
    /* the last whole block and the tail after it, in this order or swapped */
    t = xts_blocks(rk, rounds, t, in, out, nb - 1, dec);
    in += 16 * (nb - 1);
    out += 16 * (nb - 1);
    next = xts_mul1(t);
    part = x_loadn(in + 16, tail);
    b = xts_one(rk, rounds, dec ? next : t, x_load(in), dec);
    x_storen(out + 16, b, tail);
    b = _mm_or_si128(part, _mm_xor_si128(b, x_first(b, tail)));
    x_store(out, xts_one(rk, rounds, dec ? t : next, b, dec));
}

CT static void xts_enc(const void *rk, const void *rk2, unsigned rounds, const uint8_t iv[16],
                       const uint8_t *in, uint8_t *out, size_t len)
{
    xts(rk, rk2, rounds, iv, in, out, len, 0);
}

CT static void xts_dec(const void *rk, const void *rk2, unsigned rounds, const uint8_t iv[16],
                       const uint8_t *in, uint8_t *out, size_t len)
{
    xts(rk, rk2, rounds, iv, in, out, len, 1);
}

void VNAME(wn_accel_aes)(struct wn_accel *a)
{
    a->aes_ecb_enc = ecb_enc;
    a->aes_ecb_dec = ecb_dec;
    a->aes_ctr = ctr;
    a->aes_cbc_dec = cbc_dec;
    a->aes_cfb_dec = cfb_dec;
    a->aes_xts_enc = xts_enc;
    a->aes_xts_dec = xts_dec;
}
