/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ChaCha20-Poly1305 (RFC 8439 section 2.8) out of chacha_impl.h and
 * poly1305_impl.h. The first keystream call gives the Poly1305 key (2.6) and,
 * since a vector computes several blocks in the time of one, what short
 * messages need. Long ones go in calls of WIDE blocks with Poly1305 beside.
 */
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

/* len bytes by keystream at hand. */
CP_I void cp_piece(struct wn_chapoly *c, const uint8_t *in, uint8_t *out, size_t len, int enc)
{
    if (!enc)
        poly_update(&c->poly, in, len);
    xor_bytes(out, in, c->ks + c->ks_off, len);
    c->ks_off += (uint32_t)len;
    if (enc)
        poly_update(&c->poly, out, len);
}

CP_T static void columns_mac(const uint32_t st[16], const uint8_t *in, uint8_t *out, struct mac *m,
                             const uint8_t *text)
{
    columns_(st, in, out, m, text);
}

/* Calls of WIDE blocks; Poly1305 runs one call behind when encrypting. */
CP_I void cp_bulk(struct wn_chapoly *c, const uint8_t *in, uint8_t *out, size_t calls, int enc)
{
    struct mac m;
    size_t i = 0;

    if (enc) {
        columns(c->st, in, out);
        c->st[12] += WIDE;
        i++;
    }
    if (i < calls) {
        mac_begin(&m, &c->poly, 8 * (calls - i));
        for (; i < calls; i++, c->st[12] += WIDE) {
            const uint8_t *text = in + 64 * WIDE * i;

            if (enc)
                text = out + 64 * WIDE * (i - 1);
            columns_mac(c->st, in + 64 * WIDE * i, out + 64 * WIDE * i, &m, text);
        }
        mac_end(&m, &c->poly);
        x_wipe(&m, sizeof(m));
    }
    if (enc)
        poly_blocks(&c->poly, out + 64 * WIDE * (calls - 1), 4 * WIDE);
}

CP_I void cp_crypt(struct wn_chapoly *c, const uint8_t *in, uint8_t *out, size_t len, int enc)
{
    size_t n = c->ks_end - c->ks_off;

    if (len == 0)
        return;
    if (c->len == 0)
        poly_pad(&c->poly);
    c->len += len;
    if (n > len)
        n = len;
    cp_piece(c, in, out, n, enc);
    len -= n;
    in += n;
    out += n;
    if (len >= 64 * WIDE && c->poly.used == 0) {
        n = len / (64 * WIDE);
        cp_bulk(c, in, out, n, enc);
        n *= 64 * WIDE;
        len -= n;
        in += n;
        out += n;
    }
    for (; len > 0; len -= n, in += n, out += n) {
        n = len < 64 * WIDE ? len : 64 * WIDE;
        c->ks_end = 64 * some_ks(c->st, c->ks, n);
        c->st[12] += c->ks_end / 64;
        c->ks_off = 0;
        cp_piece(c, in, out, n, enc);
    }
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
