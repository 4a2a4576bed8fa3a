/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ChaCha20-Poly1305 (RFC 8439 section 2.8) out of chacha_impl.h and
 * poly1305_impl.h. The first keystream call gives the Poly1305 key (2.6) and,
 * since a vector computes several blocks in the time of one, what short
 * messages need. Long ones go in calls of WIDE blocks with Poly1305 beside.
 */
#define STEP_BLOCKS (WIDE / 2) /* 16-byte blocks of a mac_step */

CP_T static void cp_init(struct wn_chapoly *c, const uint8_t key[32], const uint8_t nonce[12])
{
    c->st[0] = 0x61707865; /* "expand 32-byte k" */
    c->st[1] = 0x3320646e;
    c->st[2] = 0x79622d32;
    c->st[3] = 0x6b206574;
    memcpy(c->st + 4, key, 32);
    c->st[12] = 0;
    memcpy(c->st + 13, nonce, 12);
    c->st[12] = some_ks(c->st, c->ks, 64 * SHORT);
    c->ks_end = 64 * c->st[12];
    c->ks_off = 64;
    poly_init(&c->poly, c->ks);
    c->aad_len = c->len = 0;
}

static void cp_aad(struct wn_chapoly *c, const uint8_t *aad, size_t len)
{
    c->aad_len += len;
    poly_update(&c->poly, aad, len);
}

CP_T static void columns_mac(const uint32_t st[16], const uint8_t *in, uint8_t *out, struct mac *m,
                             const uint8_t *text, int steps)
{
    columns_(st, in, out, m, text, steps);
}

/*
 * One call of WIDE blocks (see columns_), and Poly1305 over text: beside it as
 * far as whole steps go, if that is worth it. Returns how much of the text is
 * done, which is all of it if `all` is set.
 */
CP_T static size_t cp_call(struct wn_chapoly *c, const uint8_t *in, uint8_t *out,
                           const uint8_t *text, size_t len, int all)
{
    size_t steps = len / (16 * STEP_BLOCKS), done = 0;
    struct mac m;

    if (steps > 8)
        steps = 8;
    if (steps < 2 || c->poly.used != 0) {
        columns(c->st, in, out);
    } else {
        done = 16 * STEP_BLOCKS * steps;
        mac_begin(&m, &c->poly, steps);
        columns_mac(c->st, in, out, &m, text, (int)steps);
        mac_end(&m, &c->poly);
        v_wipe(&m, sizeof(m));
    }
    c->st[12] += WIDE;
    if (all || c->poly.used != 0) {
        poly_update(&c->poly, text + done, len - done);
        done = len;
    }
    return done;
}

/* n >= 2 calls, with the MAC of text first; returns the text whose MAC is
 * still to do, 64 * WIDE bytes, when encrypting. */
CP_I const uint8_t *cp_bulk(struct wn_chapoly *c, const uint8_t *in, uint8_t *out, size_t n,
                            const uint8_t *text, size_t len, int enc)
{
    struct mac m;
    size_t i = 0;

    if (enc) {
        cp_call(c, in, out, text, len, 1);
        i = 1;
    }
    mac_begin(&m, &c->poly, 8 * (n - i));
    for (; i < n; i++, c->st[12] += WIDE) {
        size_t at = 64 * WIDE * i;

        columns_mac(c->st, in + at, out + at, &m, enc ? out + at - 64 * WIDE : in + at, 8);
    }
    mac_end(&m, &c->poly);
    v_wipe(&m, sizeof(m));
    return out + 64 * WIDE * (n - 1);
}

/* Text whose MAC is still to do. */
struct lag {
    const uint8_t *p;
    size_t n;
};

/* Is one call of rows enough for n bytes, and not too much MAC left beside it? */
CP_I int cp_short(size_t n, size_t lag)
{
    return SHORT > 2 && n <= 64 * SHORT && lag < 64 * SHORT;
}

/*
 * n <= 64 * WIDE bytes, with a call for their keystream. Encrypting, the MAC
 * lags behind; decrypting, it covers a piece before that is decrypted.
 */
CP_I void cp_piece(struct wn_chapoly *c, const uint8_t *in, uint8_t *out, size_t n, struct lag *lag,
                   int enc)
{
    const int direct = n == 64 * WIDE && enc;
    size_t done;

    if (!enc)
        *lag = (struct lag){ in, n };
    if (cp_short(n, lag->n)) {
        done = enc ? 0 : n;
        poly_update(&c->poly, lag->p, done);
        c->ks_end = 64 * some_ks(c->st, c->ks, n);
        c->st[12] += c->ks_end / 64;
    } else {
        done = cp_call(c, direct ? in : NULL, direct ? out : c->ks, lag->p, lag->n, !enc);
        c->ks_end = 64 * WIDE;
    }
    if (!direct)
        xor_bytes(out, in, c->ks, n);
    c->ks_off = (uint32_t)n;
    lag->p += done;
    lag->n = enc ? lag->n - done + n : 0;
}

/*
 * The last n <= 64 * WIDE bytes when encrypting, which follow what lags: one run of
 * Poly1305, beside the keystream as far as there is text, and then over the rest.
 */
CP_I void cp_last(struct wn_chapoly *c, const uint8_t *in, uint8_t *out, size_t n, struct lag lag)
{
    const size_t step = 16 * STEP_BLOCKS, total = (lag.n + n) / step;
    const int direct = n == 64 * WIDE;
    size_t done = lag.n / step < 8 ? lag.n / step : 8;
    struct mac m;

    mac_begin(&m, &c->poly, total);
    columns_mac(c->st, direct ? in : NULL, direct ? out : c->ks, &m, lag.p, (int)done);
    c->st[12] += WIDE;
    c->ks_end = 64 * WIDE;
    c->ks_off = (uint32_t)n;
    if (!direct)
        xor_bytes(out, in, c->ks, n);
    for (; done < total; done++)
        mac_step(&m, lag.p + step * done);
    mac_end(&m, &c->poly);
    v_wipe(&m, sizeof(m));
    poly_update(&c->poly, lag.p + step * total, lag.n + n - step * total);
}

CP_I void cp_crypt(struct wn_chapoly *c, const uint8_t *in, uint8_t *out, size_t len, int enc)
{
    size_t n = c->ks_end - c->ks_off;
    struct lag lag = { out, 0 };

    if (len == 0)
        return;
    if (c->len == 0)
        poly_pad(&c->poly);
    c->len += len;
    if (n > len)
        n = len;
    if (enc)
        lag.n = n;
    else
        poly_update(&c->poly, in, n);
    xor_bytes(out, in, c->ks + c->ks_off, n);
    c->ks_off += (uint32_t)n;
    len -= n;
    in += n;
    out += n;
    n = len / (64 * WIDE);
    if (n >= 2 && (c->poly.used + lag.n) % 16 == 0) {
        lag.p = cp_bulk(c, in, out, n, lag.p, lag.n, enc);
        lag.n = enc ? 64 * WIDE : 0;
        n *= 64 * WIDE;
        len -= n;
        in += n;
        out += n;
    }
    for (; len > 0; len -= n, in += n, out += n) {
        n = len < 64 * WIDE ? len : 64 * WIDE;
        if (MAC_ALONE && enc && n == len && c->poly.used == 0 && !cp_short(n, lag.n)
            && lag.n + n >= 32 * STEP_BLOCKS) {
            cp_last(c, in, out, n, lag);
            return;
        }
        cp_piece(c, in, out, n, &lag, enc);
    }
    poly_update(&c->poly, lag.p, lag.n);
}

CP_T static void cp_enc(struct wn_chapoly *c, const uint8_t *in, uint8_t *out, size_t len)
{
    cp_crypt(c, in, out, len, 1);
}

CP_T static void cp_dec(struct wn_chapoly *c, const uint8_t *in, uint8_t *out, size_t len)
{
    cp_crypt(c, in, out, len, 0);
}

static void cp_tag(struct wn_chapoly *c, uint8_t tag[16])
{
    uint8_t lengths[16];

    poly_pad(&c->poly);
    memcpy(lengths, &c->aad_len, 8);
    memcpy(lengths + 8, &c->len, 8);
    poly_blocks(&c->poly, lengths, 1);
    poly_tag(&c->poly, tag);
}
