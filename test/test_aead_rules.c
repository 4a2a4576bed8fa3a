/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules around AEAD ciphers: orders of calls, what is refused and why, what
 * parameters tell, and that a context is usable after each failure. Where the
 * default provider is a safe model, a script runs on both and must give the same
 * results and reasons.
 */
#include <string.h>

#include "aead.h"

static const unsigned char key[33] = { 1, 2, 3, 4, 5 };    /* key + 1 is another key */
static const unsigned char iv[128] = { 9, 8, 7 };
static const unsigned char aad[20] = { 'a', 'a', 'd' };
static const unsigned char text[50] = { 't', 'e', 'x', 't' };

static const char *const names[] = {
    "AES-128-GCM", "AES-256-GCM", "AES-128-CCM", "AES-256-CCM", "ChaCha20-Poly1305"
};
#define N_NAMES (sizeof(names) / sizeof(names[0]))

/* A fresh context with the cipher and the lengths that suit it. */
static EVP_CIPHER_CTX *fresh(OSSL_LIB_CTX *libctx, const char *name, int enc)
{
    EVP_CIPHER *c = aead_fetch(libctx, name);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

    wnt_ok(EVP_CipherInit_ex2(ctx, c, NULL, NULL, enc, NULL));
    wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL));
    EVP_CIPHER_free(c);
    return ctx;
}

static int is_gcm(const char *name)
{
    return strstr(name, "GCM") != NULL;
}

static int is_ccm(const char *name)
{
    return strstr(name, "CCM") != NULL;
}

/* One whole message; the results of text and final in *ok. */
static int message(EVP_CIPHER_CTX *ctx, const unsigned char *in, size_t len, unsigned char *out)
{
    unsigned char end[16];
    int n, ccm = EVP_CIPHER_CTX_get_mode(ctx) == EVP_CIPH_CCM_MODE;

    if (ccm && !EVP_CipherUpdate(ctx, NULL, &n, NULL, (int)len))
        return 0;
    return EVP_CipherUpdate(ctx, NULL, &n, aad, sizeof(aad))
        && EVP_CipherUpdate(ctx, out, &n, in, (int)len)
        && EVP_CipherFinal_ex(ctx, end, &n);
}

static int set_tag(EVP_CIPHER_CTX *ctx, const void *tag, int n)
{
    return EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, n, (void *)tag) > 0;
}

static int get_tag(EVP_CIPHER_CTX *ctx, void *tag, int n)
{
    return EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, n, tag) > 0;
}

/* text sealed with key, iv and aad by the default provider, tag of 12 bytes */
static void sealed_text(const char *name, unsigned char *out, unsigned char *tag)
{
    EVP_CIPHER *c = aead_fetch(wnt_default(), name);
    struct aead_msg m = { key, iv, aad, text, 12, sizeof(aad), sizeof(text), 12, 0, 0 };

    aead_seal(c, NULL, &m, out, tag);
    EVP_CIPHER_free(c);
}

/* ---- tags ---------------------------------------------------------------------- */

/* Never given one; not given one for this message; after an abandoned one. */
static void decryption_without_tag(void **state)
{
    unsigned char sealed[sizeof(text)], out[sizeof(text)], tag[16];
    size_t i;
    int n, round;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), names[i], 0);

        sealed_text(names[i], sealed, tag);
        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, iv, 0, NULL));
        assert_int_equal(message(ctx, sealed, sizeof(text), out), 0);
        wnt_assert_prov_error(PROV_R_TAG_NOT_SET);
        for (round = 0; round < 2; round++) {
            wnt_ok(EVP_CipherInit_ex2(ctx, NULL, NULL, iv, 0, NULL));
            wnt_ok(set_tag(ctx, tag, 12));
            if (round == 0) {
                wnt_ok(message(ctx, sealed, sizeof(text), out));
                assert_memory_equal(out, text, sizeof(text));
            } else if (is_ccm(names[i])) {
                wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, NULL, sizeof(text)));
            } else {
                wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, aad, 3));
            }
            wnt_assert_no_errors();
            wnt_ok(EVP_CipherInit_ex2(ctx, NULL, NULL, iv, 0, NULL));
            assert_int_equal(message(ctx, sealed, sizeof(text), out), 0);
            wnt_assert_prov_error(PROV_R_TAG_NOT_SET);
        }
        EVP_CIPHER_CTX_free(ctx);
    }
}

/* A length alone (NULL data) is no tag. */
static void tag_length_is_no_tag(void **state)
{
    static const char *const with_length[] = { "AES-128-CCM", "ChaCha20-Poly1305" };
    unsigned char sealed[sizeof(text)], out[sizeof(text)], tag[16];
    size_t i;

    (void)state;
    for (i = 0; i < 2; i++) {
        EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), with_length[i], 0);

        sealed_text(with_length[i], sealed, tag);
        wnt_ok(set_tag(ctx, NULL, 12));
        assert_int_equal(EVP_CIPHER_CTX_get_tag_length(ctx), 12);
        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, iv, 0, NULL));
        assert_int_equal(message(ctx, sealed, sizeof(text), out), 0);
        wnt_assert_prov_error(PROV_R_TAG_NOT_SET);
        EVP_CIPHER_CTX_free(ctx);
    }
}

/* A wrong tag, then, on the same context, the right one. */
static void usable_after_wrong_tag(void **state)
{
    unsigned char sealed[sizeof(text)], out[sizeof(text)], tag[16], bad[16];
    size_t i;
    int n, round;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), names[i], 0);

        sealed_text(names[i], sealed, tag);
        memcpy(bad, tag, sizeof(bad));
        bad[11] ^= 0x80;
        for (round = 0; round < 3; round++) {
            wnt_ok(EVP_CipherInit_ex2(ctx, NULL, round == 0 ? key : NULL, iv, 0, NULL));
            wnt_ok(set_tag(ctx, bad, 12));
            assert_int_equal(message(ctx, sealed, sizeof(text), out), 0);
            if (is_ccm(names[i])) {
                static const unsigned char zeros[sizeof(text)];

                wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
                assert_memory_equal(out, zeros, sizeof(out));
            }
            wnt_assert_no_errors();
            /* the end stays an end */
            assert_int_equal(EVP_CipherFinal_ex(ctx, out, &n), 0);
            ERR_clear_error();
            wnt_ok(EVP_CipherInit_ex2(ctx, NULL, NULL, iv, 0, NULL));
            wnt_ok(set_tag(ctx, tag, 12));
            wnt_ok(message(ctx, sealed, sizeof(text), out));
            assert_memory_equal(out, text, sizeof(text));
            wnt_assert_no_errors();
        }
        EVP_CIPHER_CTX_free(ctx);
    }
}

/* The tag may come at any time before the end: before key and nonce, between, late. */
static void tag_orders(void **state)
{
    unsigned char sealed[sizeof(text)], out[sizeof(text)], tag[16];
    size_t i;
    int when, n;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        sealed_text(names[i], sealed, tag);
        for (when = 0; when < 4; when++) {
            EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), names[i], 0);

            if (is_ccm(names[i]))
                wnt_ok(set_tag(ctx, NULL, 12));
            if (when == 0)
                wnt_ok(set_tag(ctx, tag, 12));
            wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, NULL, 0, NULL));
            if (when == 1)
                wnt_ok(set_tag(ctx, tag, 12));
            wnt_ok(EVP_CipherInit_ex2(ctx, NULL, NULL, iv, 0, NULL));
            if (is_ccm(names[i]))
                wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, NULL, sizeof(text)));
            wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, aad, sizeof(aad)));
            if (when == 2)
                wnt_ok(set_tag(ctx, tag, 12));
            if (when == 3 && is_ccm(names[i])) {
                EVP_CIPHER_CTX_free(ctx);
                continue;
            }
            wnt_ok(EVP_CipherUpdate(ctx, out, &n, sealed, sizeof(text)));
            if (when == 3)
                wnt_ok(set_tag(ctx, tag, 12));
            wnt_ok(EVP_CipherFinal_ex(ctx, out, &n));
            wnt_assert_no_errors();
            EVP_CIPHER_CTX_free(ctx);
        }
    }
}

/* ---- nonces ---------------------------------------------------------------------- */

/* A key and no nonce: nothing works, in either direction. */
static void key_without_nonce(void **state)
{
    unsigned char out[64];
    size_t i;
    int enc, n;

    (void)state;
    for (i = 0; i < N_NAMES; i++)
        for (enc = 0; enc < 2; enc++) {
            EVP_CIPHER_CTX *ctx;

            if (is_gcm(names[i]) && enc)
                continue;       /* draws one, see below */
            ctx = fresh(wnt_wolf(), names[i], enc);
            if (!enc)
                wnt_ok(set_tag(ctx, iv, 12));
            wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, NULL, enc, NULL));
            assert_int_equal(EVP_CipherUpdate(ctx, NULL, &n, aad, sizeof(aad)), 0);
            wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
            assert_int_equal(EVP_CipherUpdate(ctx, out, &n, text, sizeof(text)), 0);
            wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
            assert_int_equal(EVP_CipherFinal_ex(ctx, out, &n), 0);
            wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
            assert_int_equal(EVP_Cipher(ctx, out, text, sizeof(text)), -1);
            wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
            assert_int_equal(EVP_Cipher(ctx, NULL, NULL, 0), -1);
            wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
            EVP_CIPHER_CTX_free(ctx);
        }
}

/* A nonce and no key. */
static void nonce_without_key(void **state)
{
    unsigned char out[64];
    size_t i;
    int n;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), names[i], 1);

        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, NULL, iv, 1, NULL));
        assert_int_equal(EVP_CipherUpdate(ctx, out, &n, text, sizeof(text)), 0);
        wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
        assert_int_equal(EVP_CipherFinal_ex(ctx, out, &n), 0);
        wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, NULL, 1, NULL));
        wnt_ok(message(ctx, text, sizeof(text), out));
        wnt_assert_no_errors();
        EVP_CIPHER_CTX_free(ctx);
    }
}

static unsigned iv_generated(EVP_CIPHER_CTX *ctx)
{
    unsigned v = 77;
    OSSL_PARAM p[] = { OSSL_PARAM_uint("iv-generated", &v), OSSL_PARAM_END };

    wnt_ok(EVP_CIPHER_CTX_get_params(ctx, p));
    return v;
}

/* GCM draws a nonce, which can be read and serves the other side. */
static void gcm_draws_nonce(void **state)
{
    unsigned char drawn[2][12], out[sizeof(text)], back[sizeof(text)], tag[16];
    int i;

    (void)state;
    for (i = 0; i < 2; i++) {
        EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), "AES-256-GCM", 1);
        EVP_CIPHER *d = aead_fetch(wnt_default(), "AES-256-GCM");
        struct aead_msg m = { key, drawn[i], aad, out, 12, sizeof(aad), sizeof(text), 16, 0, 0 };

        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, NULL, 1, NULL));
        assert_int_equal(iv_generated(ctx), 0);
        wnt_ok(message(ctx, text, sizeof(text), out));
        assert_int_equal(iv_generated(ctx), 1);
        wnt_ok(EVP_CIPHER_CTX_get_updated_iv(ctx, drawn[i], 12));
        wnt_ok(get_tag(ctx, tag, 16));
        wnt_assert_no_errors();
        assert_int_equal(aead_open(d, NULL, &m, back, tag), 1);
        assert_memory_equal(back, text, sizeof(text));
        /* a nonce that was given is not called drawn */
        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, NULL, iv, 1, NULL));
        assert_int_equal(iv_generated(ctx), 0);
        EVP_CIPHER_CTX_free(ctx);
        EVP_CIPHER_free(d);
    }
    assert_memory_not_equal(drawn[0], drawn[1], 12);
}

/* Less than 96 random bits are too few, SP 800-38D section 8.2.2. */
static void gcm_draws_no_short_nonce(void **state)
{
    EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), "AES-128-GCM", 1);
    unsigned char out[64];
    int n;

    (void)state;
    wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, 8, NULL));
    wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, NULL, 1, NULL));
    assert_int_equal(EVP_CipherUpdate(ctx, out, &n, text, sizeof(text)), 0);
    wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
    EVP_CIPHER_CTX_free(ctx);
}

/* After the end a nonce is used up, for a second end and with a new key too. */
static void nonce_serves_once(void **state)
{
    unsigned char out[64], tag[16], tag2[16];
    size_t i;
    int n;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), names[i], 1);

        if (is_ccm(names[i]))
            wnt_ok(set_tag(ctx, NULL, 16));
        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, iv, 1, NULL));
        wnt_ok(message(ctx, text, sizeof(text), out));
        if (!is_ccm(names[i])) {
            assert_int_equal(EVP_CipherFinal_ex(ctx, out, &n), 0);
            wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
        }
        wnt_ok(get_tag(ctx, tag, 16));
        assert_int_equal(EVP_CipherUpdate(ctx, out, &n, text, sizeof(text)), 0);
        wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key + 1, NULL, 1, NULL));
        assert_int_equal(EVP_CipherUpdate(ctx, out, &n, text, sizeof(text)), 0);
        wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, iv, 1, NULL));
        wnt_ok(message(ctx, text, sizeof(text), out));
        wnt_ok(get_tag(ctx, tag2, 16));
        assert_memory_equal(tag, tag2, 16);
        wnt_assert_no_errors();
        EVP_CIPHER_CTX_free(ctx);
    }
}

/* Key once, then one nonce per packet, against a fresh context each. */
static void key_once_nonce_per_packet(void **state)
{
    unsigned char out[sizeof(text)], want[sizeof(text)], tag[16], want_tag[16], nonce[12];
    size_t i, packet;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), names[i], 1);
        EVP_CIPHER *d = aead_fetch(wnt_default(), names[i]);

        if (is_ccm(names[i]))
            wnt_ok(set_tag(ctx, NULL, 16));
        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, NULL, 1, NULL));
        for (packet = 0; packet < 20; packet++) {
            struct aead_msg m = { key, nonce, aad, text, 12, sizeof(aad), 0, 16, 0, 0 };

            m.len = wnt_rand_below(sizeof(text) + 1);
            wnt_rand_bytes(nonce, sizeof(nonce));
            wnt_ok(EVP_CipherInit_ex2(ctx, NULL, NULL, nonce, 1, NULL));
            wnt_ok(message(ctx, text, m.len, out));
            wnt_ok(get_tag(ctx, tag, 16));
            aead_seal(d, NULL, &m, want, want_tag);
            assert_memory_equal(out, want, m.len);
            assert_memory_equal(tag, want_tag, 16);
        }
        EVP_CIPHER_CTX_free(ctx);
        EVP_CIPHER_free(d);
    }
}

/* ---- order and lengths ----------------------------------------------------------- */

static void order_of_aad_and_text(void **state)
{
    unsigned char out[64];
    size_t i;
    int n;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), names[i], 1);

        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, iv, 1, NULL));
        if (is_ccm(names[i])) {
            assert_int_equal(EVP_CipherUpdate(ctx, NULL, &n, aad, sizeof(aad)), 0);
            wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
            wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, NULL, sizeof(text)));
            wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, aad, sizeof(aad)));
            assert_int_equal(EVP_CipherUpdate(ctx, NULL, &n, aad, sizeof(aad)), 0);
            wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
            assert_int_equal(EVP_CipherUpdate(ctx, out, &n, text, sizeof(text) - 1), 0);
            wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
        }
        wnt_ok(EVP_CipherUpdate(ctx, out, &n, text, sizeof(text)));
        if (!is_ccm(names[i])) {
            assert_int_equal(EVP_CipherUpdate(ctx, NULL, &n, aad, sizeof(aad)), 0);
            wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
            /* nothing at all is no offence */
            wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, NULL, 0));
            wnt_ok(EVP_CipherUpdate(ctx, out, &n, text, 0));
        }
        wnt_ok(EVP_CipherFinal_ex(ctx, out, &n));
        wnt_assert_no_errors();
        EVP_CIPHER_CTX_free(ctx);
    }
}

/* AAD alone; as OpenSSL 4.0 does it, the end processes the text of CCM that is none. */
static void aad_alone(void **state)
{
    unsigned char tag[16], want[16], out[16];
    size_t i;
    int n;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        struct aead_msg m = { key, iv, aad, NULL, 12, sizeof(aad), 0, 16, 0, 0 };
        EVP_CIPHER *d = aead_fetch(wnt_default(), names[i]);
        EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), names[i], 1);

        aead_seal(d, NULL, &m, out, want);
        if (is_ccm(names[i]))
            wnt_ok(set_tag(ctx, NULL, 16));
        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, iv, 1, NULL));
        if (is_ccm(names[i]))
            wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, NULL, 0));
        wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, aad, sizeof(aad)));
        wnt_ok(EVP_CipherFinal_ex(ctx, out, &n));
        wnt_ok(get_tag(ctx, tag, 16));
        assert_memory_equal(tag, want, 16);
        /* and a decryption does not pass unchecked */
        tag[3] ^= 1;
        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, NULL, NULL, 0, NULL));
        wnt_ok(set_tag(ctx, tag, 16));
        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, iv, 0, NULL));
        if (is_ccm(names[i]))
            wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, NULL, 0));
        wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, aad, sizeof(aad)));
        assert_int_equal(EVP_CipherFinal_ex(ctx, out, &n), 0);
        wnt_assert_no_errors();
        EVP_CIPHER_CTX_free(ctx);
        EVP_CIPHER_free(d);
    }
}

/* EVP_Cipher() in three calls is the same as update and final. */
static void evp_cipher(void **state)
{
    unsigned char sealed[sizeof(text)], out[sizeof(text)], tag[16], got[16];
    size_t i;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), names[i], 1);

        sealed_text(names[i], sealed, tag);
        if (is_ccm(names[i]))
            wnt_ok(set_tag(ctx, NULL, 12));
        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, iv, 1, NULL));
        if (is_ccm(names[i]))
            assert_int_equal(EVP_Cipher(ctx, NULL, NULL, sizeof(text)), sizeof(text));
        assert_int_equal(EVP_Cipher(ctx, NULL, aad, sizeof(aad)), sizeof(aad));
        assert_int_equal(EVP_Cipher(ctx, out, text, sizeof(text)), sizeof(text));
        assert_int_equal(EVP_Cipher(ctx, NULL, NULL, 0), 0);
        wnt_ok(get_tag(ctx, got, 12));
        assert_memory_equal(out, sealed, sizeof(text));
        assert_memory_equal(got, tag, 12);

        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, NULL, NULL, 0, NULL));
        wnt_ok(set_tag(ctx, tag, 12));
        wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, iv, 0, NULL));
        if (is_ccm(names[i]))
            assert_int_equal(EVP_Cipher(ctx, NULL, NULL, sizeof(text)), sizeof(text));
        assert_int_equal(EVP_Cipher(ctx, NULL, aad, sizeof(aad)), sizeof(aad));
        assert_int_equal(EVP_Cipher(ctx, out, sealed, sizeof(text)), sizeof(text));
        if (!is_ccm(names[i]))
            assert_int_equal(EVP_Cipher(ctx, NULL, NULL, 0), 0);
        assert_memory_equal(out, text, sizeof(text));
        wnt_assert_no_errors();
        EVP_CIPHER_CTX_free(ctx);
    }
}

/* CCM's length field bounds the text, SP 800-38C appendix A.1. */
static void ccm_nonce_bounds_text(void **state)
{
    static unsigned char big[65536];
    EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), "AES-128-CCM", 1);
    unsigned char tag[16];
    int n;

    (void)state;
    wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, 13, NULL));
    wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, iv, 1, NULL));
    assert_int_equal(EVP_CipherUpdate(ctx, NULL, &n, NULL, 65536), 0);
    wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
    assert_int_equal(EVP_CipherUpdate(ctx, big, &n, big, 65536), 0);
    wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
    wnt_ok(EVP_CipherUpdate(ctx, big, &n, big, 65535));
    wnt_ok(get_tag(ctx, tag, 12));
    wnt_assert_no_errors();
    EVP_CIPHER_CTX_free(ctx);
}

/* What `openssl speed` does: length and text again, without a new nonce. */
static void ccm_length_restarts(void **state)
{
    unsigned char one[sizeof(text)], two[sizeof(text)];
    EVP_CIPHER_CTX *ctx = fresh(wnt_wolf(), "AES-128-CCM", 1);
    int n;

    (void)state;
    wnt_ok(EVP_CipherInit_ex2(ctx, NULL, key, iv, 1, NULL));
    wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, NULL, sizeof(text)));
    wnt_ok(EVP_CipherUpdate(ctx, one, &n, text, sizeof(text)));
    wnt_ok(EVP_CipherUpdate(ctx, NULL, &n, NULL, sizeof(text)));
    wnt_ok(EVP_CipherUpdate(ctx, two, &n, text, sizeof(text)));
    assert_memory_equal(one, two, sizeof(one));
    wnt_assert_no_errors();
    EVP_CIPHER_CTX_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decryption_without_tag),
        cmocka_unit_test(tag_length_is_no_tag),
        cmocka_unit_test(usable_after_wrong_tag),
        cmocka_unit_test(tag_orders),
        cmocka_unit_test(key_without_nonce),
        cmocka_unit_test(nonce_without_key),
        cmocka_unit_test(gcm_draws_nonce),
        cmocka_unit_test(gcm_draws_no_short_nonce),
        cmocka_unit_test(nonce_serves_once),
        cmocka_unit_test(key_once_nonce_per_packet),
        cmocka_unit_test(order_of_aad_and_text),
        cmocka_unit_test(aad_alone),
        cmocka_unit_test(evp_cipher),
        cmocka_unit_test(ccm_nonce_bounds_text),
        cmocka_unit_test(ccm_length_restarts),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
