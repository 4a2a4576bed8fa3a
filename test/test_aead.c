/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The AEAD ciphers against OpenSSL's default provider: random lengths, pieces,
 * alignments, IV and tag lengths, in place, duplicated mid-message, wrapping
 * counters, all-ones keys.
 */
#include <stdlib.h>
#include <string.h>

#include "aead.h"

#define MAX_LEN 2600

static const char *const names[] = {
    "AES-128-GCM", "AES-192-GCM", "AES-256-GCM", "AES-128-CCM", "AES-192-CCM", "AES-256-CCM",
    "ChaCha20-Poly1305",
};
#define N_NAMES (sizeof(names) / sizeof(names[0]))

struct random_msg {
    struct aead_msg m;
    unsigned char key[32], iv[128];
    unsigned char aad[600], in[MAX_LEN];
};

static size_t random_length(size_t max)
{
    switch (wnt_rand_below(4)) {
    case 0:
        return wnt_rand_below(33);
    case 1:
        return wnt_rand_below(max / 16) * 16;
    default:
        return wnt_rand_below(max + 1);
    }
}

static void random_message(struct random_msg *r, const EVP_CIPHER *c)
{
    int mode = EVP_CIPHER_get_mode(c);

    wnt_rand_bytes(r->key, sizeof(r->key));
    wnt_rand_bytes(r->iv, sizeof(r->iv));
    wnt_rand_bytes(r->aad, sizeof(r->aad));
    wnt_rand_bytes(r->in, sizeof(r->in));
    if (wnt_rand_below(8) == 0)
        memset(r->key, 0xff, sizeof(r->key));
    if (wnt_rand_below(8) == 0)
        memset(r->iv, 0xff, sizeof(r->iv));
    r->m = (struct aead_msg){ r->key, r->iv, r->aad, r->in, 12, 0, 0, 16, 1, 1 };
    r->m.aadlen = wnt_rand_below(3) == 0 ? 0 : random_length(sizeof(r->aad) - 1);
    r->m.len = random_length(MAX_LEN - 1);
    if (mode == EVP_CIPH_GCM_MODE) {
        r->m.ivlen = wnt_rand_below(2) == 0 ? 12 : 1 + wnt_rand_below(128);
        r->m.taglen = 1 + wnt_rand_below(16);
    } else if (mode == EVP_CIPH_CCM_MODE) {
        r->m.ivlen = 7 + wnt_rand_below(7);
        r->m.taglen = 4 + 2 * wnt_rand_below(7);
    } else {
        r->m.taglen = 1 + wnt_rand_below(16);
    }
}

static void encrypt_both(EVP_CIPHER *w, EVP_CIPHER *d, struct random_msg *r,
                         unsigned char *sealed, unsigned char *tag)
{
    unsigned char theirs[MAX_LEN], their_tag[16], *p;
    struct aead_msg m = r->m;
    size_t shift = wnt_rand_below(16);

    m.split = m.copy = 0;
    aead_seal(d, NULL, &m, theirs, their_tag);
    /* ours ends at an unreadable page, and is in place half of the time */
    p = wnt_guarded(m.len + shift);
    m = r->m;
    if (wnt_rand_below(2) == 0) {
        memcpy(p, m.in, m.len);
        m.in = p;
    }
    aead_seal(w, NULL, &m, p, tag);
    assert_memory_equal(p, theirs, m.len);
    assert_memory_equal(tag, their_tag, m.taglen);
    memcpy(sealed, p, m.len);
    wnt_guarded_free(p, m.len + shift);
}

static void decrypt_ours(EVP_CIPHER *w, struct random_msg *r, const unsigned char *sealed,
                         const unsigned char *tag)
{
    unsigned char out[MAX_LEN], bad_tag[16], *p = wnt_guarded(r->m.len);
    struct aead_msg m = r->m;

    memcpy(p, sealed, m.len);
    m.in = p;
    assert_int_equal(aead_open(w, NULL, &m, out, tag), 1);
    assert_memory_equal(out, r->in, m.len);
    if (wnt_rand_below(2) == 0) {
        assert_int_equal(aead_open(w, NULL, &m, p, tag), 1);
        assert_memory_equal(p, r->in, m.len);
        memcpy(p, sealed, m.len);
    }
    memcpy(bad_tag, tag, m.taglen);
    bad_tag[wnt_rand_below(m.taglen)] ^= (unsigned char)(1 << wnt_rand_below(8));
    assert_int_equal(aead_open(w, NULL, &m, out, bad_tag), 0);
    if (m.len > 0 && m.taglen >= 4) {
        p[wnt_rand_below(m.len)] ^= (unsigned char)(1 << wnt_rand_below(8));
        assert_int_equal(aead_open(w, NULL, &m, out, tag), 0);
    }
    wnt_guarded_free(p, r->m.len);
}

static void random_messages(void **state)
{
    struct random_msg r;
    unsigned char sealed[MAX_LEN], tag[16];
    size_t i, round;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        EVP_CIPHER *w = aead_fetch(wnt_wolf(), names[i]), *d = aead_fetch(wnt_default(), names[i]);

        assert_int_equal(EVP_CIPHER_get_flags(w), EVP_CIPHER_get_flags(d));
        assert_int_equal(EVP_CIPHER_get_key_length(w), EVP_CIPHER_get_key_length(d));
        assert_int_equal(EVP_CIPHER_get_iv_length(w), EVP_CIPHER_get_iv_length(d));
        assert_int_equal(EVP_CIPHER_get_block_size(w), EVP_CIPHER_get_block_size(d));
        for (round = 0; round < 400; round++) {
            random_message(&r, w);
            encrypt_both(w, d, &r, sealed, tag);
            decrypt_ours(w, &r, sealed, tag);
        }
        EVP_CIPHER_free(w);
        EVP_CIPHER_free(d);
    }
}

/* ---- known answers ----------------------------------------------------------- */

struct vector {
    unsigned char *key, *iv, *aad, *plain, *sealed, *tag;
    size_t keylen, ivlen, aadlen, len, sealedlen, taglen;
};

/* AAD "*256" stands for the bytes 00 to ff, 256 times. */
static void read_aad(const struct wnt_record *r, struct vector *v)
{
    const char *text = wnt_text(r, "AAD");
    size_t i;

    if (text == NULL || strcmp(text, "*256") != 0) {
        wnt_hex(r, "AAD", &v->aad, &v->aadlen);
        return;
    }
    v->aadlen = 65536;
    v->aad = malloc(v->aadlen);
    for (i = 0; i < v->aadlen; i++)
        v->aad[i] = (unsigned char)i;
}

static void read_vector(const struct wnt_record *r, struct vector *v)
{
    memset(v, 0, sizeof(*v));
    assert_int_equal(wnt_hex(r, "Key", &v->key, &v->keylen), 1);
    assert_int_equal(wnt_hex(r, "IV", &v->iv, &v->ivlen), 1);
    assert_int_equal(wnt_hex(r, "Tag", &v->tag, &v->taglen), 1);
    read_aad(r, v);
    wnt_hex(r, "Plain", &v->plain, &v->len);
    wnt_hex(r, "Sealed", &v->sealed, &v->sealedlen);
}

static void free_vector(struct vector *v)
{
    free(v->key);
    free(v->iv);
    free(v->aad);
    free(v->plain);
    free(v->sealed);
    free(v->tag);
}

static void check_vector(const struct wnt_record *r)
{
    EVP_CIPHER *c = aead_fetch(wnt_wolf(), wnt_text(r, "Cipher"));
    int wrong = wnt_text(r, "Result") != NULL, opened;
    unsigned char *out, tag[16];
    struct aead_msg m = { 0 };
    struct vector v;

    read_vector(r, &v);
    assert_int_equal(v.keylen, EVP_CIPHER_get_key_length(c));
    m = (struct aead_msg){ v.key, v.iv, v.aad, v.plain, v.ivlen, v.aadlen, v.len, v.taglen, 1, 0 };
    out = malloc(v.sealedlen + 1);
    if (!wrong) {
        assert_int_equal(v.len, v.sealedlen);
        aead_seal(c, NULL, &m, out, tag);
        assert_memory_equal(out, v.sealed, v.sealedlen);
        assert_memory_equal(tag, v.tag, v.taglen);
    }
    m.in = v.sealed;
    m.len = v.sealedlen;
    opened = aead_open(c, NULL, &m, out, v.tag);
    if (opened == wrong)
        fail_msg("record at line %d: decryption gave %d", r->line, opened);
    if (opened)
        assert_memory_equal(out, v.plain, v.len);
    free(out);
    free_vector(&v);
    EVP_CIPHER_free(c);
}

static void known_answers(void **state)
{
    static const char *const files[] = { "aes_gcm.txt", "aes_ccm.txt", "chacha20.txt" };
    static const size_t at_least[] = { 30, 60, 3 };
    struct wnt_record r;
    size_t i, n;

    (void)state;
    for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        FILE *f = wnt_vectors(files[i]);

        for (n = 0; wnt_next(f, &r); wnt_record_free(&r))
            if (wnt_text(&r, "Tag") != NULL) {
                check_vector(&r);
                n++;
            }
        fclose(f);
        assert_true(n >= at_least[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(random_messages),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
