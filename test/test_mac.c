/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MAC through libcrypto: HMAC, CMAC, GMAC, KMAC and Poly1305 against
 * published values and against the default provider, in random pieces, with
 * duplicates, restarts, parameters before and in init, and misuse.
 */
#define OPENSSL_SUPPRESS_DEPRECATED     /* HMAC_Init_ex() and its kin */

#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/hmac.h>
#include <openssl/params.h>

#include "wntest.h"

/* One MAC with what it needs besides the key. */
struct kind {
    const char *mac, *algorithm;        /* digest or cipher, or NULL */
    size_t keylen;                      /* 0: any */
    size_t size;
};

static const struct kind kinds[] = {
    { "HMAC", "MD5", 0, 16 }, { "HMAC", "SHA1", 0, 20 }, { "HMAC", "SHA2-224", 0, 28 },
    { "HMAC", "SHA2-256", 0, 32 }, { "HMAC", "SHA2-384", 0, 48 }, { "HMAC", "SHA2-512", 0, 64 },
    { "HMAC", "SHA2-512/224", 0, 28 }, { "HMAC", "SHA2-512/256", 0, 32 },
    { "HMAC", "SHA3-224", 0, 28 }, { "HMAC", "SHA3-256", 0, 32 }, { "HMAC", "SHA3-384", 0, 48 },
    { "HMAC", "SHA3-512", 0, 64 }, { "HMAC", "MD5-SHA1", 0, 36 },
    { "HMAC", "RIPEMD-160", 0, 20 }, { "HMAC", "BLAKE2B-512", 0, 64 },
    { "HMAC", "BLAKE2S-256", 0, 32 }, { "BLAKE2BMAC", NULL, 33, 64 },
    { "BLAKE2BMAC", NULL, 64, 64 }, { "BLAKE2SMAC", NULL, 1, 32 }, { "BLAKE2SMAC", NULL, 32, 32 },
    { "CMAC", "AES-128-CBC", 16, 16 }, { "CMAC", "AES-192-CBC", 24, 16 },
    { "CMAC", "AES-256-CBC", 32, 16 }, { "CMAC", "DES-EDE3-CBC", 24, 8 },
    { "GMAC", "AES-128-GCM", 16, 16 }, { "GMAC", "AES-192-GCM", 24, 16 },
    { "GMAC", "AES-256-GCM", 32, 16 }, { "KMAC-128", NULL, 0, 32 }, { "KMAC-256", NULL, 0, 64 },
    { "POLY1305", NULL, 32, 16 }
};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static int is(const struct kind *k, const char *mac)
{
    return strcmp(k->mac, mac) == 0;
}

/* A context of either provider, with digest or cipher set. */
static EVP_MAC_CTX *new_ctx(OSSL_LIB_CTX *lib, const char *name, const char *algorithm)
{
    EVP_MAC *mac = EVP_MAC_fetch(lib, name, NULL);
    OSSL_PARAM params[3], *p = params;
    EVP_MAC_CTX *ctx;

    if (mac == NULL)
        fail_msg("%s is missing", name);
    if (lib == wnt_wolf())
        wnt_assert_wolfnano(EVP_MAC_get0_provider(mac));
    ctx = EVP_MAC_CTX_new(mac);
    assert_non_null(ctx);
    if (algorithm != NULL)
        *p++ = OSSL_PARAM_construct_utf8_string(strcmp(name, "HMAC") == 0 ? OSSL_MAC_PARAM_DIGEST
                                                : OSSL_MAC_PARAM_CIPHER, (char *)algorithm, 0);
    *p = OSSL_PARAM_construct_end();
    wnt_ok(EVP_MAC_CTX_set_params(ctx, params));
    EVP_MAC_free(mac);
    return ctx;
}

struct message {
    unsigned char key[200], iv[64], in[2000];
    size_t keylen, ivlen, n;
};

static void random_message(struct message *m, const struct kind *k)
{
    m->keylen = k->keylen != 0 ? k->keylen : 4 + wnt_rand_below(sizeof(m->key) - 4);
    m->ivlen = 1 + wnt_rand_below(sizeof(m->iv));
    m->n = wnt_rand_below(sizeof(m->in));
    wnt_rand_bytes(m->key, m->keylen);
    wnt_rand_bytes(m->iv, m->ivlen);
    wnt_rand_bytes(m->in, m->n);
}

static int init(EVP_MAC_CTX *ctx, const struct kind *k, struct message *m)
{
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };

    if (is(k, "GMAC"))
        params[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, m->iv, m->ivlen);
    return EVP_MAC_init(ctx, m->key, m->keylen, params);
}

static void finish(EVP_MAC_CTX *ctx, const struct kind *k, unsigned char *out)
{
    size_t n = 999;

    wnt_ok(EVP_MAC_final(ctx, NULL, &n, 0));
    assert_int_equal(n, k->size);
    wnt_ok(EVP_MAC_final(ctx, out, &n, k->size));
    assert_int_equal(n, k->size);
}

static void reference(const struct kind *k, struct message *m, unsigned char *out)
{
    EVP_MAC_CTX *ctx = new_ctx(wnt_default(), k->mac, k->algorithm);

    wnt_ok(init(ctx, k, m));
    wnt_ok(EVP_MAC_update(ctx, m->in, m->n));
    finish(ctx, k, out);
    EVP_MAC_CTX_free(ctx);
}

static void known_answers(void **state)
{
    FILE *f = wnt_vectors("mac.txt");
    struct wnt_record r;
    size_t count = 0;

    (void)state;
    for (; wnt_next(f, &r); wnt_record_free(&r), count++) {
        EVP_MAC_CTX *ctx = new_ctx(wnt_wolf(), wnt_text(&r, "Mac"), wnt_text(&r, "Algorithm"));
        unsigned char *key, *in, *want, *iv = NULL, *custom = NULL, got[256];
        size_t keylen, n, len, ivlen, customlen, got_len = 0;
        OSSL_PARAM params[5], *p = params;
        int xof = 1;

        assert_int_equal(wnt_hex(&r, "Key", &key, &keylen), 1);
        assert_int_equal(wnt_hex(&r, "Input", &in, &n), 1);
        assert_int_equal(wnt_hex(&r, "Output", &want, &len), 1);
        if (wnt_hex(&r, "Iv", &iv, &ivlen))
            *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, iv, ivlen);
        if (wnt_hex(&r, "Custom", &custom, &customlen))
            *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, custom, customlen);
        if (wnt_text(&r, "Size") != NULL)
            *p++ = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &len);
        if (wnt_text(&r, "Xof") != NULL)
            *p++ = OSSL_PARAM_construct_int(OSSL_MAC_PARAM_XOF, &xof);
        *p = OSSL_PARAM_construct_end();
        wnt_ok(EVP_MAC_init(ctx, key, keylen, params));
        wnt_ok(EVP_MAC_update(ctx, in, n));
        wnt_ok(EVP_MAC_final(ctx, got, &got_len, sizeof(got)));
        if (got_len != len || memcmp(got, want, len) != 0)
            fail_msg("%s %s", wnt_text(&r, "Mac"), wnt_text(&r, "Output"));
        free(key);
        free(in);
        free(want);
        free(iv);
        free(custom);
        EVP_MAC_CTX_free(ctx);
    }
    fclose(f);
    assert_true(count > 100);
    wnt_assert_no_errors();
}

static void same_list(const OSSL_PARAM *a, const OSSL_PARAM *b)
{
    size_t n = 0, m = 0;

    for (; a != NULL && a[n].key != NULL; n++)
        ;
    for (; b != NULL && b[m].key != NULL; m++) {
        const OSSL_PARAM *p = OSSL_PARAM_locate_const(a, b[m].key);

        assert_non_null(p);
        assert_int_equal(p->data_type, b[m].data_type);
    }
    assert_int_equal(n, m);
}

static void called_alike(const char *name, void *arg)
{
    if (!EVP_MAC_is_a(arg, name))
        fail_msg("one provider only has the name %s", name);
}

static void looks_like_default(void **state)
{
    static const char *const macs[] = { "HMAC", "CMAC", "GMAC", "KMAC-128", "KMAC-256",
                                        "POLY1305", "BLAKE2BMAC", "BLAKE2SMAC" };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(macs) / sizeof(macs[0]); i++) {
        EVP_MAC *w = EVP_MAC_fetch(wnt_wolf(), macs[i], NULL);
        EVP_MAC *d = EVP_MAC_fetch(wnt_default(), macs[i], NULL);

        assert_non_null(w);
        wnt_assert_wolfnano(EVP_MAC_get0_provider(w));
        EVP_MAC_names_do_all(w, called_alike, d);
        EVP_MAC_names_do_all(d, called_alike, w);
        same_list(EVP_MAC_gettable_params(w), EVP_MAC_gettable_params(d));
        same_list(EVP_MAC_gettable_ctx_params(w), EVP_MAC_gettable_ctx_params(d));
        same_list(EVP_MAC_settable_ctx_params(w), EVP_MAC_settable_ctx_params(d));
        EVP_MAC_free(w);
        EVP_MAC_free(d);
    }
    wnt_assert_no_errors();
}

static void update_in_pieces(EVP_MAC_CTX *ctx, const unsigned char *in, size_t n)
{
    size_t piece;

    for (; n > 0; in += piece, n -= piece) {
        piece = 1 + wnt_rand_below(n);
        wnt_ok(EVP_MAC_update(ctx, in, piece));
    }
    wnt_ok(EVP_MAC_update(ctx, in, 0));
}

static void agrees_with_default(void **state)
{
    unsigned char ours[64], theirs[64];
    struct message m;
    size_t i, round;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        EVP_MAC_CTX *ctx = new_ctx(wnt_wolf(), kinds[i].mac, kinds[i].algorithm);

        for (round = 0; round < 100; round++) {
            EVP_MAC_CTX *copy;
            size_t cut;

            random_message(&m, &kinds[i]);
            reference(&kinds[i], &m, theirs);
            cut = wnt_rand_below(m.n + 1);
            wnt_ok(init(ctx, &kinds[i], &m));
            update_in_pieces(ctx, m.in, cut);
            copy = EVP_MAC_CTX_dup(ctx);
            assert_non_null(copy);
            update_in_pieces(copy, m.in + cut, m.n - cut);
            wnt_ok(EVP_MAC_update(ctx, (const void *)"?", 1));
            finish(copy, &kinds[i], ours);
            assert_memory_equal(ours, theirs, kinds[i].size);
            EVP_MAC_CTX_free(copy);
        }
        EVP_MAC_CTX_free(ctx);
        wnt_assert_no_errors();
    }
}

/* Every short length, the data ending at a page's end. */
static void short_lengths(void **state)
{
    unsigned char ours[64], theirs[64];
    struct message m;
    size_t i, n;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        EVP_MAC_CTX *ctx = new_ctx(wnt_wolf(), kinds[i].mac, kinds[i].algorithm);

        for (n = 0; n <= 300; n++) {
            unsigned char *in = wnt_guarded(n);

            random_message(&m, &kinds[i]);
            m.n = n;
            wnt_rand_bytes(m.in, n);
            memcpy(in, m.in, n);
            wnt_ok(init(ctx, &kinds[i], &m));
            wnt_ok(EVP_MAC_update(ctx, in, n));
            finish(ctx, &kinds[i], ours);
            reference(&kinds[i], &m, theirs);
            assert_memory_equal(ours, theirs, kinds[i].size);
            wnt_guarded_free(in, n);
        }
        EVP_MAC_CTX_free(ctx);
    }
    wnt_assert_no_errors();
}

/* Init without a key starts over with the key in use: after final, mid-stream,
 * and directly after init. */
static void restarts(void **state)
{
    unsigned char first[64], again[64];
    struct message m;
    size_t i, round;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        EVP_MAC_CTX *ctx;

        if (is(&kinds[i], "GMAC") || is(&kinds[i], "POLY1305"))
            continue;
        ctx = new_ctx(wnt_wolf(), kinds[i].mac, kinds[i].algorithm);
        random_message(&m, &kinds[i]);
        m.n = 50;
        reference(&kinds[i], &m, first);
        wnt_ok(init(ctx, &kinds[i], &m));
        for (round = 0; round < 3; round++) {
            if (round == 1)
                wnt_ok(EVP_MAC_update(ctx, (const void *)"20 bytes, abandoned.", 20));
            wnt_ok(EVP_MAC_init(ctx, NULL, 0, NULL));
            wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
            finish(ctx, &kinds[i], again);
            assert_memory_equal(first, again, kinds[i].size);
            if (round == 0)
                wnt_ok(EVP_MAC_init(ctx, NULL, 0, NULL));
        }
        EVP_MAC_CTX_free(ctx);
    }
    wnt_assert_no_errors();
}

/* The same through the old HMAC functions, whose digest is wolfnano's. */
static void restarts_old_interface(void **state)
{
    static const char *const digests[] = { "SHA2-256", "SHA3-256" };
    unsigned char first[64], again[64];
    unsigned n;
    size_t i;

    (void)state;
    for (i = 0; i < 2; i++) {
        EVP_MD *md = EVP_MD_fetch(wnt_wolf(), digests[i], NULL);
        HMAC_CTX *ctx = HMAC_CTX_new();

        wnt_assert_wolfnano(EVP_MD_get0_provider(md));
        wnt_ok(HMAC_Init_ex(ctx, "key", 3, md, NULL));
        wnt_ok(HMAC_Update(ctx, (const void *)"data", 4));
        wnt_ok(HMAC_Final(ctx, first, &n));
        wnt_ok(HMAC_Init_ex(ctx, NULL, 0, NULL, NULL));
        wnt_ok(HMAC_Update(ctx, (const void *)"other", 5));
        wnt_ok(HMAC_Init_ex(ctx, NULL, 0, NULL, NULL));
        wnt_ok(HMAC_Update(ctx, (const void *)"data", 4));
        wnt_ok(HMAC_Final(ctx, again, &n));
        assert_memory_equal(first, again, n);
        HMAC_CTX_free(ctx);
        EVP_MD_free(md);
    }
    wnt_assert_no_errors();
}

/* A one-time key and a nonce are good for one message. */
static void refuses_restarts(void **state)
{
    static const struct kind poly = { "POLY1305", NULL, 32, 16 };
    static const struct kind gmac = { "GMAC", "AES-128-GCM", 16, 16 };
    unsigned char out[16], first[16];
    struct message m;
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
    EVP_MAC_CTX *ctx;

    (void)state;
    random_message(&m, &poly);
    ctx = new_ctx(wnt_wolf(), "POLY1305", NULL);
    wnt_ok(init(ctx, &poly, &m));
    wnt_ok(EVP_MAC_init(ctx, NULL, 0, NULL));           /* nothing happened yet */
    wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
    assert_int_equal(EVP_MAC_init(ctx, NULL, 0, NULL), 0);
    wnt_assert_prov_error(ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
    finish(ctx, &poly, out);
    assert_int_equal(EVP_MAC_init(ctx, NULL, 0, NULL), 0);
    wnt_assert_prov_error(ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
    wnt_ok(init(ctx, &poly, &m));
    EVP_MAC_CTX_free(ctx);

    random_message(&m, &gmac);
    ctx = new_ctx(wnt_wolf(), "GMAC", "AES-128-GCM");
    wnt_ok(init(ctx, &gmac, &m));
    wnt_ok(EVP_MAC_init(ctx, NULL, 0, NULL));
    wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
    assert_int_equal(EVP_MAC_init(ctx, NULL, 0, NULL), 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    finish(ctx, &gmac, first);
    assert_int_equal(EVP_MAC_init(ctx, NULL, 0, NULL), 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    params[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, m.iv, m.ivlen);
    wnt_ok(EVP_MAC_init(ctx, NULL, 0, params));         /* the IV anew: the caller's wish */
    wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
    finish(ctx, &gmac, out);
    assert_memory_equal(out, first, 16);
    EVP_MAC_CTX_free(ctx);
    wnt_assert_no_errors();
}

/* Key, digest and cipher as parameters, in one array or several. */
static void keys_as_parameters(void **state)
{
    unsigned char ours[64], theirs[64];
    struct message m;
    size_t i;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        EVP_MAC_CTX *ctx = new_ctx(wnt_wolf(), kinds[i].mac, kinds[i].algorithm);
        OSSL_PARAM params[3], *p = params;

        random_message(&m, &kinds[i]);
        reference(&kinds[i], &m, theirs);
        *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, m.key, m.keylen);
        if (is(&kinds[i], "GMAC"))
            *p++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, m.iv, m.ivlen);
        *p = OSSL_PARAM_construct_end();
        wnt_ok(EVP_MAC_init(ctx, NULL, 0, params));
        wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
        finish(ctx, &kinds[i], ours);
        assert_memory_equal(ours, theirs, kinds[i].size);
        wnt_ok(EVP_MAC_CTX_set_params(ctx, params));
        wnt_ok(EVP_MAC_init(ctx, NULL, 0, NULL));
        wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
        finish(ctx, &kinds[i], ours);
        assert_memory_equal(ours, theirs, kinds[i].size);
        EVP_MAC_CTX_free(ctx);
    }
    wnt_assert_no_errors();
}

static void misuse(void **state)
{
    unsigned char out[64];
    struct message m;
    size_t i, n;

    (void)state;
    for (i = 0; i < N_KINDS; i++) {
        EVP_MAC_CTX *ctx = new_ctx(wnt_wolf(), kinds[i].mac, kinds[i].algorithm);
        int gmac = is(&kinds[i], "GMAC");

        random_message(&m, &kinds[i]);
        /* no key */
        assert_int_equal(EVP_MAC_update(ctx, m.in, 5), 0);
        wnt_assert_prov_error(PROV_R_NO_KEY_SET);
        assert_int_equal(EVP_MAC_final(ctx, out, &n, sizeof(out)), 0);
        wnt_assert_prov_error(PROV_R_NO_KEY_SET);
        if (!gmac && !is(&kinds[i], "POLY1305")) {
            assert_int_equal(EVP_MAC_init(ctx, NULL, 0, NULL), 0);
            wnt_assert_prov_error(PROV_R_NO_KEY_SET);
        }
        /* a wrong key length */
        if (!is(&kinds[i], "HMAC") && strncmp(kinds[i].mac, "BLAKE2", 6) != 0) {
            assert_int_equal(EVP_MAC_init(ctx, m.key, 3, NULL), 0);
            wnt_assert_prov_error(PROV_R_INVALID_KEY_LENGTH);
        }
        /* no room, then room: the context was not spoilt */
        wnt_ok(init(ctx, &kinds[i], &m));
        wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
        memset(out, 0x5a, sizeof(out));
        assert_int_equal(EVP_MAC_final(ctx, out, &n, kinds[i].size - 1), 0);
        assert_true(ERR_peek_error() != 0);
        ERR_clear_error();
        assert_int_equal(out[0], 0x5a);
        finish(ctx, &kinds[i], out);
        /* once only */
        assert_int_equal(EVP_MAC_update(ctx, m.in, 5), 0);
        wnt_assert_prov_error(ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
        assert_int_equal(EVP_MAC_final(ctx, out, &n, sizeof(out)), 0);
        wnt_assert_prov_error(ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
        wnt_ok(init(ctx, &kinds[i], &m));
        EVP_MAC_CTX_free(ctx);
    }
    wnt_assert_no_errors();
}

static int set_text(EVP_MAC_CTX *ctx, const char *key, const char *value)
{
    OSSL_PARAM params[2] = {
        OSSL_PARAM_construct_utf8_string(key, (char *)value, 0), OSSL_PARAM_construct_end()
    };

    return EVP_MAC_CTX_set_params(ctx, params);
}

static void wrong_algorithms(void **state)
{
    unsigned char key[32] = { 1 };
    EVP_MAC_CTX *ctx = new_ctx(wnt_wolf(), "HMAC", NULL);

    (void)state;
    assert_int_equal(EVP_MAC_init(ctx, key, 32, NULL), 0);
    wnt_assert_prov_error(PROV_R_MISSING_MESSAGE_DIGEST);
    assert_int_equal(set_text(ctx, OSSL_MAC_PARAM_DIGEST, "SHA5"), 0);
    wnt_assert_error(ERR_LIB_EVP, ERR_R_UNSUPPORTED);
    wnt_ok(set_text(ctx, OSSL_MAC_PARAM_DIGEST, "shake256"));
    assert_int_equal(EVP_MAC_init(ctx, key, 32, NULL), 0);
    wnt_assert_prov_error(PROV_R_XOF_DIGESTS_NOT_ALLOWED);
    wnt_ok(set_text(ctx, OSSL_MAC_PARAM_DIGEST, "sha-256"));
    assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx), 0);
    assert_int_equal(EVP_MAC_CTX_get_block_size(ctx), 64);
    wnt_ok(EVP_MAC_init(ctx, (const void *)"", 0, NULL));       /* an empty key is a key */
    assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx), 32);
    EVP_MAC_CTX_free(ctx);

    ctx = new_ctx(wnt_wolf(), "CMAC", NULL);
    assert_int_equal(EVP_MAC_init(ctx, key, 16, NULL), 0);
    wnt_assert_error(ERR_LIB_EVP, EVP_R_NO_CIPHER_SET);
    assert_int_equal(set_text(ctx, OSSL_MAC_PARAM_CIPHER, "AES-128-GCM"), 0);
    wnt_assert_prov_error(PROV_R_INVALID_MODE);
    assert_int_equal(set_text(ctx, OSSL_MAC_PARAM_CIPHER, "AES-512-CBC"), 0);
    wnt_assert_error(ERR_LIB_EVP, ERR_R_UNSUPPORTED);
    assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx), 0);
    wnt_ok(set_text(ctx, OSSL_MAC_PARAM_CIPHER, "aes128"));
    wnt_ok(EVP_MAC_init(ctx, key, 16, NULL));
    assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx), 16);
    /* a new cipher counts from the next key on */
    wnt_ok(set_text(ctx, OSSL_MAC_PARAM_CIPHER, "DES3"));
    assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx), 16);
    wnt_ok(EVP_MAC_init(ctx, key, 24, NULL));
    assert_int_equal(EVP_MAC_CTX_get_mac_size(ctx), 8);
    EVP_MAC_CTX_free(ctx);

    ctx = new_ctx(wnt_wolf(), "GMAC", NULL);
    assert_int_equal(EVP_MAC_init(ctx, key, 16, NULL), 0);
    wnt_assert_error(ERR_LIB_EVP, EVP_R_NO_CIPHER_SET);
    assert_int_equal(set_text(ctx, OSSL_MAC_PARAM_CIPHER, "AES-128-CBC"), 0);
    wnt_assert_prov_error(PROV_R_INVALID_MODE);
    wnt_ok(set_text(ctx, OSSL_MAC_PARAM_CIPHER, "id-aes128-GCM"));
    wnt_ok(EVP_MAC_init(ctx, key, 16, NULL));
    /* never without a nonce */
    assert_int_equal(EVP_MAC_update(ctx, key, 16), 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    EVP_MAC_CTX_free(ctx);
    wnt_assert_no_errors();
}

static void gmac_iv_lengths(void **state)
{
    static const struct kind k = { "GMAC", "AES-256-GCM", 32, 16 };
    unsigned char ours[16], theirs[16], iv[129] = { 7 };
    EVP_MAC_CTX *ctx = new_ctx(wnt_wolf(), "GMAC", "AES-256-GCM");
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
    struct message m;

    (void)state;
    random_message(&m, &k);
    for (m.ivlen = 1; m.ivlen <= sizeof(m.iv); m.ivlen++) {
        reference(&k, &m, theirs);
        wnt_ok(init(ctx, &k, &m));
        wnt_ok(EVP_MAC_update(ctx, m.in, m.n));
        finish(ctx, &k, ours);
        assert_memory_equal(ours, theirs, 16);
    }
    params[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, iv, 129);
    assert_int_equal(EVP_MAC_CTX_set_params(ctx, params), 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    params[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, iv, 0);
    assert_int_equal(EVP_MAC_CTX_set_params(ctx, params), 0);
    wnt_assert_prov_error(PROV_R_INVALID_IV_LENGTH);
    params[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, iv, 128);
    wnt_ok(EVP_MAC_CTX_set_params(ctx, params));
    EVP_MAC_CTX_free(ctx);
    wnt_assert_no_errors();
}

static void kmac_parameters(void **state)
{
    unsigned char ours[1000], theirs[1000], key[513], custom[513];
    const char *const names[] = { "KMAC-128", "KMAC-256" };
    size_t i, round;

    (void)state;
    memset(custom, 'c', sizeof(custom));
    for (i = 0; i < 2; i++) {
        EVP_MAC_CTX *w = new_ctx(wnt_wolf(), names[i], NULL);
        EVP_MAC_CTX *d = new_ctx(wnt_default(), names[i], NULL);
        OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
        size_t size, n;

        assert_int_equal(EVP_MAC_CTX_get_mac_size(w), EVP_MAC_CTX_get_mac_size(d));
        assert_int_equal(EVP_MAC_CTX_get_block_size(w), EVP_MAC_CTX_get_block_size(d));
        for (round = 0; round < 60; round++) {
            int xof = (int)wnt_rand_below(2);
            OSSL_PARAM all[] = {
                OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                OSSL_PARAM_construct_int(OSSL_MAC_PARAM_XOF, &xof),
                OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, custom,
                                                  wnt_rand_below(513)),
                OSSL_PARAM_construct_end()
            };
            size_t keylen = 4 + wnt_rand_below(509);

            size = 1 + wnt_rand_below(sizeof(ours));
            wnt_rand_bytes(key, keylen);
            wnt_ok(EVP_MAC_init(w, key, keylen, all));
            wnt_ok(EVP_MAC_init(d, key, keylen, all));
            assert_int_equal(EVP_MAC_CTX_get_mac_size(w), size);
            wnt_ok(EVP_MAC_update(w, key, keylen));
            wnt_ok(EVP_MAC_update(d, key, keylen));
            if (round % 3 == 0) {       /* "xof" and "size" still count */
                wnt_ok(EVP_MAC_finalXOF(w, ours, size));
                wnt_ok(EVP_MAC_finalXOF(d, theirs, size));
            } else {
                wnt_ok(EVP_MAC_final(w, ours, &n, sizeof(ours)));
                assert_int_equal(n, size);
                wnt_ok(EVP_MAC_final(d, theirs, &n, sizeof(theirs)));
            }
            assert_memory_equal(ours, theirs, size);
        }
        assert_int_equal(EVP_MAC_init(w, key, 513, NULL), 0);
        wnt_assert_prov_error(PROV_R_INVALID_KEY_LENGTH);
        size = 0xffffff / 8 + 1;
        params[0] = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size);
        assert_int_equal(EVP_MAC_CTX_set_params(w, params), 0);
        wnt_assert_prov_error(PROV_R_INVALID_OUTPUT_LENGTH);
        params[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, custom, 513);
        assert_int_equal(EVP_MAC_CTX_set_params(w, params), 0);
        wnt_assert_prov_error(PROV_R_INVALID_CUSTOM_LENGTH);
        EVP_MAC_CTX_free(w);
        EVP_MAC_CTX_free(d);
    }
    wnt_assert_no_errors();
}

/* The constant-time MAC of a record gives what plain HMAC gives, for every
 * length that the padding leaves open. */
static void tls_records(void **state)
{
    static const char *const digests[] = { "MD5", "SHA1", "SHA2-224", "SHA2-256", "SHA2-384",
                                           "SHA2-512" };
    unsigned char header[13], record[1200], want[64], got[64];
    size_t i, size, n, len;

    (void)state;
    for (i = 0; i < sizeof(digests) / sizeof(digests[0]); i++) {
        EVP_MAC_CTX *w = new_ctx(wnt_wolf(), "HMAC", digests[i]);
        EVP_MAC_CTX *d = new_ctx(wnt_default(), "HMAC", digests[i]);
        OSSL_PARAM params[] = {
            OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_TLS_DATA_SIZE, &size),
            OSSL_PARAM_construct_end()
        };
        size_t mac;

        wnt_rand_bytes(header, sizeof(header));
        wnt_rand_bytes(record, sizeof(record));
        wnt_ok(EVP_MAC_init(d, (const void *)"a key", 5, NULL));
        mac = EVP_MAC_CTX_get_mac_size(d);
        for (size = mac + 1; size < sizeof(record); size += 1 + wnt_rand_below(40)) {
            size_t most = size - mac - 1, least = most > 255 ? most - 255 : 0;

            for (n = least; n <= most; n += 1 + (size > 500 ? wnt_rand_below(30) : 0)) {
                wnt_ok(EVP_MAC_init(d, NULL, 0, NULL));
                wnt_ok(EVP_MAC_update(d, header, sizeof(header)));
                wnt_ok(EVP_MAC_update(d, record, n));
                wnt_ok(EVP_MAC_final(d, want, &len, sizeof(want)));
                wnt_ok(EVP_MAC_init(w, (const void *)"a key", 5, params));
                wnt_ok(EVP_MAC_update(w, header, sizeof(header)));
                wnt_ok(EVP_MAC_update(w, record, n));
                wnt_ok(EVP_MAC_final(w, got, &len, sizeof(got)));
                assert_int_equal(len, mac);
                if (memcmp(got, want, mac) != 0)
                    fail_msg("%s, %zu of %zu bytes", digests[i], n, size);
            }
        }
        /* what cannot be a record */
        size = 300;
        wnt_ok(EVP_MAC_init(w, (const void *)"a key", 5, params));
        assert_int_equal(EVP_MAC_final(w, got, &len, sizeof(got)), 0);
        wnt_assert_prov_error(ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
        assert_int_equal(EVP_MAC_update(w, header, 12), 0);
        wnt_assert_prov_error(PROV_R_INVALID_INPUT_LENGTH);
        wnt_ok(EVP_MAC_update(w, header, 13));
        assert_int_equal(EVP_MAC_update(w, record, size - mac), 0);
        wnt_assert_prov_error(PROV_R_INVALID_INPUT_LENGTH);
        wnt_ok(EVP_MAC_update(w, record, size - mac - 1));
        wnt_ok(EVP_MAC_final(w, got, &len, sizeof(got)));
        /* and back to plain data */
        size = 0;
        wnt_ok(EVP_MAC_init(w, NULL, 0, params));
        wnt_ok(EVP_MAC_init(d, NULL, 0, NULL));
        wnt_ok(EVP_MAC_update(w, record, 77));
        wnt_ok(EVP_MAC_update(d, record, 77));
        wnt_ok(EVP_MAC_final(w, got, &len, sizeof(got)));
        wnt_ok(EVP_MAC_final(d, want, &len, sizeof(want)));
        assert_memory_equal(got, want, mac);
        EVP_MAC_CTX_free(w);
        EVP_MAC_CTX_free(d);
    }
    wnt_assert_no_errors();
}

/* Output size, salt and personalisation of every length. */
static void blake2_parameters(void **state)
{
    static const struct {
        const char *name;
        size_t size, part;
    } macs[] = { { "BLAKE2BMAC", 64, 16 }, { "BLAKE2SMAC", 32, 8 } };
    unsigned char key[64], salt[17], custom[17], in[300], ours[64], theirs[64];
    OSSL_PARAM params[5];
    size_t i, size, got, n;

    (void)state;
    for (i = 0; i < 2; i++) {
        EVP_MAC_CTX *w = new_ctx(wnt_wolf(), macs[i].name, NULL);
        EVP_MAC_CTX *d = new_ctx(wnt_default(), macs[i].name, NULL);

        for (size = 1; size <= macs[i].size; size++) {
            size_t keylen = 1 + wnt_rand_below(macs[i].size);

            wnt_rand_bytes(key, sizeof(key));
            wnt_rand_bytes(salt, sizeof(salt));
            wnt_rand_bytes(custom, sizeof(custom));
            wnt_rand_bytes(in, sizeof(in));
            n = wnt_rand_below(sizeof(in));
            params[0] = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size);
            params[1] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_SALT, salt,
                                                          wnt_rand_below(macs[i].part + 1));
            params[2] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, custom,
                                                          wnt_rand_below(macs[i].part + 1));
            params[3] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key, keylen);
            params[4] = OSSL_PARAM_construct_end();
            wnt_ok(EVP_MAC_init(w, NULL, 0, params));
            wnt_ok(EVP_MAC_init(d, NULL, 0, params));
            assert_int_equal(EVP_MAC_CTX_get_mac_size(w), size);
            assert_int_equal(EVP_MAC_CTX_get_block_size(w), EVP_MAC_CTX_get_block_size(d));
            wnt_ok(EVP_MAC_update(w, in, n));
            wnt_ok(EVP_MAC_update(d, in, n));
            wnt_ok(EVP_MAC_final(w, ours, &got, sizeof(ours)));
            assert_int_equal(got, size);
            wnt_ok(EVP_MAC_final(d, theirs, &got, sizeof(theirs)));
            assert_memory_equal(ours, theirs, size);
        }
        EVP_MAC_CTX_free(w);
        EVP_MAC_CTX_free(d);
    }
    wnt_assert_no_errors();
}

/* Each wrong parameter by itself; the context keeps what it had. */
static void blake2_refuses(void **state)
{
    static const struct {
        const char *param;
        size_t value;           /* or length */
        int reason;
    } cases[] = {
        { OSSL_MAC_PARAM_SIZE, 0, PROV_R_NOT_XOF_OR_INVALID_LENGTH },
        { OSSL_MAC_PARAM_SIZE, 33, PROV_R_NOT_XOF_OR_INVALID_LENGTH },
        { OSSL_MAC_PARAM_KEY, 0, PROV_R_INVALID_KEY_LENGTH },
        { OSSL_MAC_PARAM_KEY, 33, PROV_R_INVALID_KEY_LENGTH },
        { OSSL_MAC_PARAM_SALT, 9, PROV_R_INVALID_SALT_LENGTH },
        { OSSL_MAC_PARAM_CUSTOM, 9, PROV_R_INVALID_CUSTOM_LENGTH },
    };
    unsigned char bytes[40] = { 1 }, first[32], again[32];
    EVP_MAC_CTX *ctx = new_ctx(wnt_wolf(), "BLAKE2SMAC", NULL);
    size_t i, n;

    (void)state;
    assert_int_equal(EVP_MAC_init(ctx, NULL, 0, NULL), 0);
    wnt_assert_prov_error(PROV_R_NO_KEY_SET);
    assert_int_equal(EVP_MAC_init(ctx, bytes, 33, NULL), 0);
    wnt_assert_prov_error(PROV_R_INVALID_KEY_LENGTH);
    wnt_ok(EVP_MAC_init(ctx, bytes, 32, NULL));
    wnt_ok(EVP_MAC_final(ctx, first, &n, sizeof(first)));
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t value = cases[i].value;
        OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };

        params[0] = strcmp(cases[i].param, OSSL_MAC_PARAM_SIZE) == 0
            ? OSSL_PARAM_construct_size_t(cases[i].param, &value)
            : OSSL_PARAM_construct_octet_string(cases[i].param, bytes, value);
        assert_int_equal(EVP_MAC_CTX_set_params(ctx, params), 0);
        wnt_assert_prov_error(cases[i].reason);
        assert_int_equal(EVP_MAC_init(ctx, NULL, 0, params), 0);
        wnt_assert_prov_error(cases[i].reason);
        wnt_ok(EVP_MAC_init(ctx, NULL, 0, NULL));
        wnt_ok(EVP_MAC_final(ctx, again, &n, sizeof(again)));
        assert_int_equal(n, 32);
        assert_memory_equal(first, again, 32);
    }
    EVP_MAC_CTX_free(ctx);
    wnt_assert_no_errors();
}

static void one_call(void **state)
{
    unsigned char ours[64], theirs[64];
    size_t n = 0;

    (void)state;
    assert_ptr_equal(EVP_Q_mac(wnt_wolf(), "HMAC", NULL, "SHA3-256", NULL, "key", 3,
                               (const void *)"data", 4, ours, sizeof(ours), &n), ours);
    assert_int_equal(n, 32);
    assert_non_null(EVP_Q_mac(wnt_default(), "HMAC", NULL, "SHA3-256", NULL, "key", 3,
                              (const void *)"data", 4, theirs, sizeof(theirs), &n));
    assert_memory_equal(ours, theirs, 32);
    assert_non_null(EVP_Q_mac(wnt_wolf(), "CMAC", NULL, "AES-128-CBC", NULL, "0123456789abcdef",
                              16, (const void *)"data", 4, ours, sizeof(ours), &n));
    assert_int_equal(n, 16);
    wnt_assert_no_errors();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(looks_like_default),
        cmocka_unit_test(agrees_with_default),
        cmocka_unit_test(short_lengths),
        cmocka_unit_test(restarts),
        cmocka_unit_test(restarts_old_interface),
        cmocka_unit_test(refuses_restarts),
        cmocka_unit_test(keys_as_parameters),
        cmocka_unit_test(misuse),
        cmocka_unit_test(wrong_algorithms),
        cmocka_unit_test(gmac_iv_lengths),
        cmocka_unit_test(kmac_parameters),
        cmocka_unit_test(blake2_parameters),
        cmocka_unit_test(blake2_refuses),
        cmocka_unit_test(tls_records),
        cmocka_unit_test(one_call),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
