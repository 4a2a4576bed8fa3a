/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cipher kernels of algs/<arch>/ at every CPU level that this machine offers,
 * against the default provider: lengths 0 .. 5000, any split, alignment and
 * place (in place; ending or beginning at an unreadable page), counter wraps,
 * keys and data of all ones, long and split AAD; and known answers.
 */
#include "accel.h"

#include <string.h>

#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/aes.h>

#include "provider/cpu.h"

/* ---- a run of one kernel ---- */

struct run {
    const struct wn_accel *a;
    Aes enc, dec, tweak;
    uint8_t key[32], key2[32], iv[256], aad[700];
    size_t keylen, ivlen, aadlen;
    int decrypt;
    /* state of the kernel */
    uint8_t reg[16], ks[16], tag[16];
    unsigned num;
    struct wn_gcm gcm;
    struct wn_chapoly cp;
};

#define ENC(r) (r)->enc.key, (r)->enc.rounds
#define DEC(r) (r)->dec.key, (r)->dec.rounds

struct mode {
    const char *name; /* of the default provider, with %zu for the key bits */
    size_t unit;      /* lengths and splits are multiples of it */
    size_t ivlen;
    int one_call, aead;
    int (*there)(const struct wn_accel *a);
    void (*begin)(struct run *r);
    void (*update)(struct run *r, const uint8_t *in, uint8_t *out, size_t len);
    void (*end)(struct run *r);
};

static void begin_iv(struct run *r)
{
    memcpy(r->reg, r->iv, 16);
    r->num = 0;
}

static void feed_aad(struct run *r, void (*aad)(struct run *, const uint8_t *, size_t))
{
    static uint8_t *p; /* ends at an unreadable page */

    if (p == NULL)
        p = wnt_guarded(sizeof(r->aad)) + sizeof(r->aad);
    memcpy(p - r->aadlen, r->aad, r->aadlen);
    for (size_t at = 0, n; at < r->aadlen; at += n) {
        n = 1 + wnt_rand_below(r->aadlen - at);
        aad(r, p - r->aadlen + at, n);
    }
}

static int gcm_there(const struct wn_accel *a)
{
    return a->gcm_enc != NULL;
}

static void gcm_aad(struct run *r, const uint8_t *p, size_t n)
{
    r->a->gcm_aad(&r->gcm, p, n);
}

static void gcm_begin(struct run *r)
{
    if (r->gcm.rounds == 0 || wnt_rand_below(2))
        r->a->gcm_setkey(&r->gcm, r->key, r->keylen);
    r->a->gcm_setiv(&r->gcm, r->iv, r->ivlen);
    feed_aad(r, gcm_aad);
}

static void gcm_update(struct run *r, const uint8_t *in, uint8_t *out, size_t len)
{
    (r->decrypt ? r->a->gcm_dec : r->a->gcm_enc)(&r->gcm, in, out, len);
}

static void gcm_end(struct run *r)
{
    r->a->gcm_tag(&r->gcm, r->tag);
}

static int cp_there(const struct wn_accel *a)
{
    return a->cp_enc != NULL;
}

static void cp_aad(struct run *r, const uint8_t *p, size_t n)
{
    r->a->cp_aad(&r->cp, p, n);
}

static void cp_begin(struct run *r)
{
    r->a->cp_init(&r->cp, r->key, r->iv);
    feed_aad(r, cp_aad);
}

static void cp_update(struct run *r, const uint8_t *in, uint8_t *out, size_t len)
{
    (r->decrypt ? r->a->cp_dec : r->a->cp_enc)(&r->cp, in, out, len);
}

static void cp_end(struct run *r)
{
    r->a->cp_tag(&r->cp, r->tag);
}

static int ctr_there(const struct wn_accel *a)
{
    return a->aes_ctr != NULL;
}

static void ctr_update(struct run *r, const uint8_t *in, uint8_t *out, size_t len)
{
    r->a->aes_ctr(ENC(r), r->reg, r->ks, &r->num, in, out, len);
}

static void ecb_update(struct run *r, const uint8_t *in, uint8_t *out, size_t len)
{
    if (r->decrypt)
        r->a->aes_ecb_dec(DEC(r), in, out, len / 16);
    else
        r->a->aes_ecb_enc(ENC(r), in, out, len / 16);
}

static void cbc_update(struct run *r, const uint8_t *in, uint8_t *out, size_t len)
{
    if (r->decrypt)
        r->a->aes_cbc_dec(DEC(r), r->reg, in, out, len / 16);
    else
        r->a->aes_cbc_enc(ENC(r), r->reg, in, out, len / 16);
}

static void cfb_update(struct run *r, const uint8_t *in, uint8_t *out, size_t len)
{
    (r->decrypt ? r->a->aes_cfb_dec : r->a->aes_cfb_enc)(ENC(r), r->reg, &r->num, in, out, len);
}

static void ofb_update(struct run *r, const uint8_t *in, uint8_t *out, size_t len)
{
    r->a->aes_ofb(ENC(r), r->reg, &r->num, in, out, len);
}

static void xts_update(struct run *r, const uint8_t *in, uint8_t *out, size_t len)
{
    if (r->decrypt)
        r->a->aes_xts_dec(r->dec.key, r->tweak.key, r->dec.rounds, r->iv, in, out, len);
    else
        r->a->aes_xts_enc(r->enc.key, r->tweak.key, r->enc.rounds, r->iv, in, out, len);
}

static int chacha_there(const struct wn_accel *a)
{
    return a->chacha20 != NULL;
}

static void chacha_update(struct run *r, const uint8_t *in, uint8_t *out, size_t len)
{
    uint32_t st[16] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 };

    memcpy(st + 4, r->key, 32);
    memcpy(st + 12, r->iv, 16);
    r->a->chacha20(st, in, out, len);
}

static const struct mode modes[] = {
    { "AES-%zu-GCM", 1, 0, 0, 1, gcm_there, gcm_begin, gcm_update, gcm_end },
    { "AES-%zu-CTR", 1, 16, 0, 0, ctr_there, begin_iv, ctr_update, NULL },
    { "AES-%zu-ECB", 16, 0, 0, 0, ctr_there, begin_iv, ecb_update, NULL },
    { "AES-%zu-CBC", 16, 16, 0, 0, ctr_there, begin_iv, cbc_update, NULL },
    { "AES-%zu-CFB", 1, 16, 0, 0, ctr_there, begin_iv, cfb_update, NULL },
    { "AES-%zu-OFB", 1, 16, 0, 0, ctr_there, begin_iv, ofb_update, NULL },
    { "AES-%zu-XTS", 1, 16, 1, 0, ctr_there, begin_iv, xts_update, NULL },
    { "ChaCha20", 1, 16, 1, 0, chacha_there, begin_iv, chacha_update, NULL },
    { "ChaCha20-Poly1305", 1, 12, 0, 1, cp_there, cp_begin, cp_update, cp_end },
};

#define N_MODES (sizeof(modes) / sizeof(modes[0]))

/* ---- the default provider's answer ---- */

static void reference(const struct mode *m, const struct run *r, const uint8_t *in, uint8_t *out,
                      size_t len, uint8_t tag[16])
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    uint8_t key[64], spare[32];
    char name[32];
    EVP_CIPHER *c;
    int n, n2;

    snprintf(name, sizeof(name), m->name, r->keylen * 8);
    c = EVP_CIPHER_fetch(NULL, name, "provider=default");
    assert_non_null(c);
    memcpy(key, r->key, r->keylen);
    if (m->update == xts_update)
        memcpy(key + r->keylen, r->key2, r->keylen);
    assert_int_equal(EVP_CipherInit_ex(ctx, c, NULL, NULL, NULL, 1), 1);
    if (m->begin == gcm_begin)
        assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)r->ivlen, NULL), 1);
    EVP_CIPHER_CTX_set_padding(ctx, 0);
    assert_int_equal(EVP_CipherInit_ex(ctx, NULL, NULL, key, r->iv, 1), 1);
    if (m->aead && r->aadlen > 0)
        assert_int_equal(EVP_CipherUpdate(ctx, NULL, &n, r->aad, (int)r->aadlen), 1);
    n = 0;
    if (len > 0)
        assert_int_equal(EVP_CipherUpdate(ctx, out, &n, in, (int)len), 1);
    assert_int_equal(EVP_CipherFinal_ex(ctx, spare, &n2), 1);
    assert_int_equal(n + n2, len);
    if (m->aead)
        assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, tag), 1);
    EVP_CIPHER_CTX_free(ctx);
    EVP_CIPHER_free(c);
}

/* ---- one message, one way ---- */

static void set_keys(struct run *r)
{
    wc_AesInit(&r->enc, NULL, INVALID_DEVID);
    wc_AesInit(&r->dec, NULL, INVALID_DEVID);
    wc_AesSetKey(&r->enc, r->key, (word32)r->keylen, NULL, AES_ENCRYPTION);
    wc_AesSetKey(&r->dec, r->key, (word32)r->keylen, NULL, AES_DECRYPTION);
    wc_AesInit(&r->tweak, NULL, INVALID_DEVID);
    wc_AesSetKey(&r->tweak, r->key2, (word32)r->keylen, NULL, AES_ENCRYPTION);
}

/* Runs the kernel over `from` and expects `to`. */
static void check(const struct mode *m, struct run *r, const uint8_t *from, const uint8_t *to,
                  size_t len, const uint8_t *tag)
{
    uint8_t *in = accel_place(0, len), *out = wnt_rand_below(2) ? in : accel_place(1, len);
    size_t most = wnt_rand_below(2) ? len : 100; /* long pieces, or many short ones */

    memcpy(in, from, len);
    m->begin(r);
    for (size_t at = 0, n; at < len; at += n) {
        n = m->one_call ? len : m->unit * (1 + wnt_rand_below(most / m->unit + 1));
        if (n > len - at)
            n = len - at;
        m->update(r, in + at, out + at, n);
    }
    if (m->end != NULL)
        m->end(r);
    if (memcmp(out, to, len) != 0 || (m->aead && memcmp(tag, r->tag, 16) != 0))
        fail_msg("%s level %s/%s: length %zu key %zu iv %zu aad %zu %s%s", m->name,
                 r->a->gcm_path ? r->a->gcm_path : "-", r->a->chacha_path ? r->a->chacha_path : "-",
                 len, r->keylen, r->ivlen, r->aadlen, r->decrypt ? "decrypt" : "encrypt",
                 in == out ? " in place" : "");
}

static void free_keys(struct run *r)
{
    wc_AesFree(&r->enc);
    wc_AesFree(&r->dec);
    wc_AesFree(&r->tweak);
}

static void randomize(const struct mode *m, struct run *r)
{
    wnt_rand_bytes(r->key, sizeof(r->key));
    wnt_rand_bytes(r->key2, sizeof(r->key2));
    wnt_rand_bytes(r->iv, sizeof(r->iv));
    wnt_rand_bytes(r->aad, sizeof(r->aad));
    r->keylen = m->there == chacha_there || m->there == cp_there ? 32 : 16 + 8 * wnt_rand_below(3);
    if (m->update == xts_update && r->keylen == 24)
        r->keylen = 32;
    r->ivlen = m->ivlen;
    if (m->begin == gcm_begin) /* SP 800-38D: any length; 12 is the usual one */
        r->ivlen = wnt_rand_below(2) ? 12 : 1 + wnt_rand_below(128);
    r->aadlen = wnt_rand_below(3) == 0 ? 0
                : wnt_rand_below(2)    ? wnt_rand_below(40)
                                       : wnt_rand_below(sizeof(r->aad));
    if (wnt_rand_below(8) == 0) { /* all ones: every carry, and counter wraps */
        memset(r->key, 0xff, sizeof(r->key));
        memset(r->aad, 0xff, sizeof(r->aad));
    }
    if (m->update == ctr_update && wnt_rand_below(2)) {
        memset(r->iv, 0xff, 16);
        if (wnt_rand_below(2))
            r->iv[wnt_rand_below(14)] = (uint8_t)wnt_rand(); /* wraps 32 or 64 bits */
        r->iv[15] = (uint8_t)wnt_rand();
    }
    if (m->update == chacha_update) /* counter near no wrap: the caller's part */
        r->iv[3] = 0;
}

static void one_message(const struct mode *m, size_t len)
{
    static uint8_t text[ACCEL_MAX_LEN], cipher[ACCEL_MAX_LEN];
    static struct run r;
    uint8_t tag[16];

    memset(&r, 0, sizeof(r));
    randomize(m, &r);
    len = len / m->unit * m->unit;
    if (m->update == xts_update && len < 16)
        len += 16;
    wnt_rand_bytes(text, len);
    if (wnt_rand_below(8) == 0)
        memset(text, 0xff, len);
    reference(m, &r, text, cipher, len, tag);
    set_keys(&r);
    for (size_t i = 0; i < accel_n_levels; i++) {
        r.a = &accel_levels[i].a;
        memset(&r.gcm, 0, sizeof(r.gcm)); /* each level has its own form of H */
        if (!m->there(r.a))
            continue;
        r.decrypt = 0;
        check(m, &r, text, cipher, len, tag);
        r.decrypt = 1;
        check(m, &r, cipher, text, len, tag);
    }
    free_keys(&r);
}

static void test_modes(void **state)
{
    (void)state;
    for (size_t m = 0; m < N_MODES; m++) {
        for (size_t len = 0; len <= 600; len++)
            one_message(&modes[m], len);
        for (int i = 0; i < ACCEL_ROUNDS; i++)
            one_message(&modes[m], wnt_rand_below(ACCEL_MAX_LEN));
    }
}

/* ---- what EVP does not offer ---- */

/* GCM's counter wraps after 32 bits (inc32), whatever J0 was. */
static void test_gcm_wrap(void **state)
{
    static uint8_t zero[2048], got[2048], want[2048];
    static struct run r;

    (void)state;
    r.keylen = 16;
    wnt_rand_bytes(r.key, 16);
    set_keys(&r);
    for (size_t i = 0; i < accel_n_levels; i++) {
        uint8_t j0[16];

        r.a = &accel_levels[i].a;
        if (!gcm_there(r.a))
            continue;
        for (unsigned before = 1; before < 80; before++) {
            wnt_rand_bytes(j0, 16);
            memset(j0 + 12, 0xff, 4);
            j0[15] = (uint8_t)(0 - before);
            r.a->gcm_setkey(&r.gcm, r.key, r.keylen);
            r.a->gcm_setiv(&r.gcm, j0, 12);
            memcpy(r.gcm.ctr, j0, 16);
            r.a->gcm_enc(&r.gcm, zero, got, sizeof(got));
            for (size_t b = 0; b < sizeof(want); b += 16) {
                for (int k = 15; k >= 12 && ++j0[k] == 0; k--)
                    ;
                wc_AesEncryptDirect(&r.enc, want + b, j0);
            }
            assert_memory_equal(got, want, sizeof(want));
        }
    }
    free_keys(&r);
}

/* CCM's pass and CBC-MAC against CTR and CBC made of single blocks. */
static void test_ccm_cbcmac(void **state)
{
    static uint8_t text[1024], want[1024], got[1024];
    static struct run r;

    (void)state;
    for (int round = 0; round < 60; round++) {
        uint8_t ctr0[16], mac0[16], ctr[16], mac[16], block[16];
        size_t nb = wnt_rand_below(sizeof(text) / 16 + 1);

        r.keylen = 16 + 8 * wnt_rand_below(3);
        wnt_rand_bytes(r.key, 32);
        set_keys(&r);
        wnt_rand_bytes(text, sizeof(text));
        wnt_rand_bytes(mac0, 16);
        wnt_rand_bytes(ctr0, 16);
        if (round % 3 == 0)
            memset(ctr0, 0xff, 15);
        memcpy(ctr, ctr0, 16);
        memcpy(mac, mac0, 16);
        for (size_t b = 0; b < nb; b++) {
            wc_AesEncryptDirect(&r.enc, block, ctr);
            for (int k = 15; k >= 0 && ++ctr[k] == 0; k--)
                ;
            for (int k = 0; k < 16; k++) {
                want[16 * b + k] = text[16 * b + k] ^ block[k];
                block[k] = mac[k] ^ text[16 * b + k];
            }
            wc_AesEncryptDirect(&r.enc, mac, block);
        }
        for (size_t i = 0; i < accel_n_levels; i++) {
            const struct wn_accel *a = &accel_levels[i].a;
            uint8_t c[16], m[16];

            if (a->aes_ccm_enc == NULL)
                continue;
            memcpy(c, ctr0, 16);
            memcpy(m, mac0, 16);
            a->aes_ccm_enc(ENC(&r), c, m, text, got, nb / 2);
            a->aes_ccm_enc(ENC(&r), c, m, text + nb / 2 * 16, got + nb / 2 * 16, nb - nb / 2);
            assert_memory_equal(got, want, 16 * nb);
            assert_memory_equal(c, ctr, 16);
            assert_memory_equal(m, mac, 16);
            memcpy(c, ctr0, 16);
            memcpy(m, mac0, 16);
            a->aes_ccm_dec(ENC(&r), c, m, got, got, nb);
            assert_memory_equal(got, text, 16 * nb);
            assert_memory_equal(c, ctr, 16);
            assert_memory_equal(m, mac, 16);
            memcpy(m, mac0, 16);
            a->aes_cbcmac(ENC(&r), m, text, nb);
            assert_memory_equal(m, mac, 16);
        }
        free_keys(&r);
    }
}

/* ChaCha20's counter wraps after 32 bits and leaves the nonce alone. */
static void test_chacha_wrap(void **state)
{
    static uint8_t got[4096], want[4096], zero[4096];

    (void)state;
    for (size_t i = 0; i < accel_n_levels; i++) {
        uint32_t st[16];

        if (accel_levels[i].a.chacha20 == NULL)
            continue;
        for (uint32_t before = 0; before < 64; before++) {
            wnt_rand_bytes(st, sizeof(st));
            st[12] = 0 - before;
            accel_levels[i].a.chacha20(st, zero, got, sizeof(got));
            for (size_t b = 0; b < sizeof(want); b += 64, st[12]++)
                accel_levels[i].a.chacha20(st, zero, want + b, 64);
            assert_memory_equal(got, want, sizeof(want));
        }
    }
}

/* Null pointers with length 0, and a context copied in the middle. */
static void test_empty_and_copy(void **state)
{
    static uint8_t text[1000], a1[1000], a2[1000];
    static struct run r;

    (void)state;
    r.keylen = 32;
    wnt_rand_bytes(r.key, 32);
    wnt_rand_bytes(text, sizeof(text));
    set_keys(&r);
    for (size_t i = 0; i < accel_n_levels; i++) {
        const struct wn_accel *a = &accel_levels[i].a;
        uint8_t t1[16], t2[16];

        if (gcm_there(a)) {
            struct wn_gcm g, h;

            a->gcm_setkey(&g, r.key, r.keylen);
            a->gcm_setiv(&g, r.iv, 12);
            a->gcm_aad(&g, NULL, 0);
            a->gcm_enc(&g, NULL, NULL, 0);
            a->gcm_enc(&g, text, a1, 333);
            h = g;
            a->gcm_enc(&g, text + 333, a1 + 333, 667);
            a->gcm_tag(&g, t1);
            a->gcm_enc(&h, text + 333, a2 + 333, 667);
            a->gcm_tag(&h, t2);
            assert_memory_equal(t1, t2, 16);
            assert_memory_equal(a1 + 333, a2 + 333, 667);
        }
        if (cp_there(a)) {
            struct wn_chapoly g, h;

            a->cp_init(&g, r.key, r.iv);
            a->cp_aad(&g, NULL, 0);
            a->cp_enc(&g, NULL, NULL, 0);
            a->cp_enc(&g, text, a1, 333);
            h = g;
            a->cp_enc(&g, text + 333, a1 + 333, 667);
            a->cp_tag(&g, t1);
            a->cp_enc(&h, text + 333, a2 + 333, 667);
            a->cp_tag(&h, t2);
            assert_memory_equal(t1, t2, 16);
            assert_memory_equal(a1 + 333, a2 + 333, 667);
        }
    }
    free_keys(&r);
}

/* ---- known answers ---- */

static const struct kat {
    const char *source;
    size_t mode;
    int decrypt;
    const char *key, *key2, *iv, *aad, *in, *out, *tag;
} kats[] = {
    { "SP 800-38A F.5.1", 1, 0, "2b7e151628aed2a6abf7158809cf4f3c", NULL,
      "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", NULL,
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
      "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
      "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
      "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
      NULL },
    { "SP 800-38A F.2.6 (inverse of F.2.5)", 3, 1,
      "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", NULL,
      "000102030405060708090a0b0c0d0e0f", NULL,
      "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
      "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
      "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
      NULL },
    { "IEEE 1619 vector 15 (ciphertext stealing, 17 bytes)", 6, 0,
      "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0", "bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0",
      "9a785634120000000000000000000000", NULL, "000102030405060708090a0b0c0d0e0f10",
      "6c1625db4671522d3d7599601de7ca09ed", NULL },
    { "GCM specification, test case 4 (McGrew, Viega)", 0, 0, "feffe9928665731c6d6a8f9467308308",
      NULL, "cafebabefacedbaddecaf888", "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
      "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
      "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
      "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091",
      "5bc94fbc3221a5db94fae95ae7121a47" },
    { "GCM specification, test case 5 (8-byte IV)", 0, 0, "feffe9928665731c6d6a8f9467308308", NULL,
      "cafebabefacedbad", "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
      "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
      "61353b4c2806934a777ff51fa22a4755699b2a714fcdc6f83766e5f97b6c7423"
      "73806900e49f24b22b097544d4896b424989b5e1ebac0f07c23f4598",
      "3612d2e79e3b0785561be14aaca2fccb" },
    { "RFC 8439 section 2.4.2", 7, 0,
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", NULL,
      "01000000000000000000004a00000000", NULL,
      "4c616469657320616e642047656e746c656d656e206f662074686520636c6173"
      "73206f66202739393a204966204920636f756c64206f6666657220796f75206f"
      "6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
      "637265656e20776f756c642062652069742e",
      "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"
      "f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8"
      "07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
      "5af90bbf74a35be6b40b8eedf2785e42874d",
      NULL },
    { "RFC 8439 section 2.8.2", 8, 0,
      "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f", NULL,
      "070000004041424344454647", "50515253c0c1c2c3c4c5c6c7",
      "4c616469657320616e642047656e746c656d656e206f662074686520636c6173"
      "73206f66202739393a204966204920636f756c64206f6666657220796f75206f"
      "6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
      "637265656e20776f756c642062652069742e",
      "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
      "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
      "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
      "3ff4def08e4b7a9de576d26586cec64b6116",
      "1ae10b594f09e26a7e902ecbd0600691" },
};

static void test_known_answers(void **state)
{
    static struct run r;

    (void)state;
    for (size_t k = 0; k < sizeof(kats) / sizeof(kats[0]); k++) {
        const struct kat *t = &kats[k];
        uint8_t in[256], out[256], tag[16];
        size_t len;

        memset(&r, 0, sizeof(r));
        r.keylen = accel_hex(r.key, t->key);
        accel_hex(r.key2, t->key2);
        r.ivlen = accel_hex(r.iv, t->iv);
        r.aadlen = accel_hex(r.aad, t->aad);
        len = accel_hex(in, t->in);
        accel_hex(out, t->out);
        accel_hex(tag, t->tag);
        r.decrypt = t->decrypt;
        set_keys(&r);
        for (size_t i = 0; i < accel_n_levels; i++) {
            r.a = &accel_levels[i].a;
            memset(&r.gcm, 0, sizeof(r.gcm));
            if (modes[t->mode].there(r.a))
                check(&modes[t->mode], &r, in, out, len, tag);
        }
        free_keys(&r);
    }
}

/* Each entry is served exactly where its instructions are, groups as one. */
static void test_table(void **state)
{
    struct wn_accel none;

    (void)state;
    wn_accel_fill(&none, 0);
    assert_true(none.gcm_setkey == NULL && none.aes_ctr == NULL && none.chacha20 == NULL &&
                none.sha1_blocks == NULL && none.cp_init == NULL && none.aes_path == NULL);
    for (size_t i = 0; i < accel_n_levels; i++) {
        const struct wn_accel *a = &accel_levels[i].a;
        uint32_t f = accel_levels[i].flags;
        int ni = (f & WN_CPU_AESNI) != 0 && (f & WN_CPU_PCLMUL) != 0;

        assert_int_equal(a->gcm_setkey != NULL, ni);
        assert_int_equal(a->gcm_tag != NULL, ni);
        assert_int_equal(a->aes_ctr != NULL, ni);
        assert_int_equal(a->aes_xts_dec != NULL, ni);
        assert_int_equal(a->aes_ccm_enc != NULL, ni);
        assert_int_equal(a->aes_path != NULL, ni);
        assert_int_equal(a->sha1_blocks != NULL, (f & (WN_CPU_SHA | WN_CPU_AVX2)) != 0);
        assert_int_equal(a->cp_init != NULL, a->cp_tag != NULL);
        assert_int_equal(a->cp_init != NULL, (f & WN_CPU_SSE41) != 0);
        assert_int_equal(a->chacha20 != NULL, (f & WN_CPU_SSE41) != 0);
        assert_int_equal(a->poly_init != NULL, (f & WN_CPU_SSE41) != 0);
    }
    if (accel_levels[0].flags & WN_CPU_AVX512)
        assert_string_equal(accel_levels[0].a.gcm_path, "vaes512");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),          cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_modes),          cmocka_unit_test(test_gcm_wrap),
        cmocka_unit_test(test_ccm_cbcmac),     cmocka_unit_test(test_chacha_wrap),
        cmocka_unit_test(test_empty_and_copy),
    };

    return cmocka_run_group_tests_name("accel", tests, accel_setup, NULL);
}
