/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameters and controls of the AEAD ciphers and of ChaCha20: each step runs on
 * wolfnano and on the default provider and must give the same result and, on
 * failure, the same reason.
 */
#include <string.h>

#include <openssl/core_names.h>

#include "aead.h"

static const char *const names[] = {
    "AES-128-GCM", "AES-192-GCM", "AES-256-GCM", "AES-128-CCM", "AES-192-CCM", "AES-256-CCM",
    "ChaCha20-Poly1305", "ChaCha20",
};
#define N_NAMES (sizeof(names) / sizeof(names[0]))
#define MAX_N 140

static const unsigned char key[32] = { 1 }, iv[128] = { 2 };

struct pair {
    const char *name;
    EVP_CIPHER *c[2];           /* ours, theirs */
    EVP_CIPHER_CTX *ctx[2];
};

static void pair_open(struct pair *p, const char *name, int enc)
{
    int i;

    p->name = name;
    for (i = 0; i < 2; i++) {
        p->c[i] = aead_fetch(i == 0 ? wnt_wolf() : wnt_default(), name);
        p->ctx[i] = EVP_CIPHER_CTX_new();
        wnt_ok(EVP_CipherInit_ex2(p->ctx[i], p->c[i], NULL, NULL, enc, NULL));
    }
}

static void pair_close(struct pair *p)
{
    int i;

    for (i = 0; i < 2; i++) {
        EVP_CIPHER_CTX_free(p->ctx[i]);
        EVP_CIPHER_free(p->c[i]);
    }
}

/* The two results agree, and the provider's reasons (the last ones queued: OpenSSL
 * from 3.2 on has libcrypto's own before them). */
static void same(const struct pair *p, const int got[2], const unsigned long reason[2],
                 const char *what, long arg)
{
    if (got[0] == got[1] && (got[0] > 0 || reason[1] == 0 || reason[0] == reason[1]))
        return;
    fail_msg("%s %s(%ld): ours %d reason %d, default %d reason %d", p->name, what, arg, got[0],
             ERR_GET_REASON(reason[0]), got[1], ERR_GET_REASON(reason[1]));
}

#define BOTH(p, what, arg, expr)                                            \
    do {                                                                    \
        int got_[2], i_;                                                    \
        unsigned long reason_[2];                                           \
                                                                            \
        for (i_ = 0; i_ < 2; i_++) {                                        \
            EVP_CIPHER_CTX *ctx = (p)->ctx[i_];                             \
                                                                            \
            ERR_clear_error();                                              \
            got_[i_] = (expr);                                              \
            reason_[i_] = ERR_peek_last_error();                            \
            if (got_[i_] > 0 && i_ == 0)                                    \
                wnt_assert_no_errors();                                     \
            ERR_clear_error();                                              \
        }                                                                   \
        same(p, got_, reason_, what, (long)(arg));                          \
    } while (0)

static int ctrl(EVP_CIPHER_CTX *ctx, int type, int n, void *ptr)
{
    return EVP_CIPHER_CTX_ctrl(ctx, type, n, ptr);
}

static void iv_lengths(void **state)
{
    struct pair p;
    size_t i;
    int n;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        pair_open(&p, names[i], 1);
        for (n = 0; n < MAX_N; n++) {
            BOTH(&p, "ivlen", n, ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, n, NULL));
            BOTH(&p, "get ivlen", n, EVP_CIPHER_CTX_get_iv_length(ctx));
        }
        for (n = 0; n < 12; n++)
            BOTH(&p, "CCM L", n, ctrl(ctx, EVP_CTRL_CCM_SET_L, n, NULL));
        BOTH(&p, "get ivlen", -1, EVP_CIPHER_CTX_get_iv_length(ctx));
        for (n = 0; n < 40; n++)
            BOTH(&p, "keylen", n, EVP_CIPHER_CTX_set_key_length(ctx, n));
        BOTH(&p, "get keylen", -1, EVP_CIPHER_CTX_get_key_length(ctx));
        pair_close(&p);
    }
}

static void tag_lengths(void **state)
{
    unsigned char tag[MAX_N] = { 3 };
    struct pair p;
    size_t i;
    int n, enc;

    (void)state;
    for (i = 0; i < N_NAMES; i++)
        for (enc = 0; enc < 2; enc++) {
            pair_open(&p, names[i], enc);
            for (n = 0; n < 20; n++) {
                BOTH(&p, "set tag", n, ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, n, tag));
                BOTH(&p, "get taglen", n, EVP_CIPHER_CTX_get_tag_length(ctx));
                BOTH(&p, "set tag NULL", n, ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, n, NULL));
                BOTH(&p, "get taglen", n, EVP_CIPHER_CTX_get_tag_length(ctx));
            }
            if (!enc)
                for (n = 0; n < 20; n++)
                    BOTH(&p, "get tag", n, ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, n, tag));
            pair_close(&p);
        }
}

/* The tag after a message: every length; then nothing but the lengths allowed. */
static void tag_after_message(void **state)
{
    unsigned char tag[2][32], buf[8];
    static const unsigned char in[8] = { 6 };
    struct pair p;
    size_t i;
    int n, l, j;

    (void)state;
    for (i = 0; i + 1 < N_NAMES; i++)
        for (n = 0; n < 20; n++) {
            pair_open(&p, names[i], 1);
            for (j = 0; j < 2; j++)
                wnt_ok(EVP_CipherInit_ex2(p.ctx[j], NULL, key, iv, 1, NULL));
            BOTH(&p, "update", 8, EVP_CipherUpdate(ctx, buf, &l, in, 8));
            BOTH(&p, "final", 0, EVP_CipherFinal_ex(ctx, buf, &l));
            memset(tag, 0xee, sizeof(tag));
            BOTH(&p, "get tag", n, ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, n, tag[ctx == p.ctx[1]]));
            assert_memory_equal(tag[0], tag[1], 32);
            BOTH(&p, "get taglen", n, EVP_CIPHER_CTX_get_tag_length(ctx));
            pair_close(&p);
        }
}

static int init_with(EVP_CIPHER_CTX *ctx, const char *param, size_t n)
{
    OSSL_PARAM params[] = { OSSL_PARAM_size_t(param, &n), OSSL_PARAM_END };

    return EVP_CipherInit_ex2(ctx, NULL, key, iv, 1, params);
}

static void lengths_in_init(void **state)
{
    static const size_t lengths[] = { 0, 1, 7, 8, 12, 13, 14, 16, 32, 127, 128, 129, SIZE_MAX };
    struct pair p;
    size_t i, j;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        pair_open(&p, names[i], 1);
        for (j = 0; j < sizeof(lengths) / sizeof(lengths[0]); j++) {
            BOTH(&p, "init ivlen", lengths[j], init_with(ctx, "ivlen", lengths[j]));
            BOTH(&p, "init keylen", lengths[j], init_with(ctx, "keylen", lengths[j]));
        }
        pair_close(&p);
    }
}

/* Parameters of the wrong type. */
static void wrong_types(void **state)
{
    static const char *const octets[] = { "tag", "tlsaad", "tlsivfixed", "tlsivinv" };
    char utf8[13] = "abcdefghijkl";
    struct pair p;
    size_t i, j;
    int enc;

    (void)state;
    for (i = 0; i < N_NAMES; i++)
        for (enc = 0; enc < 2; enc++) {
            pair_open(&p, names[i], enc);
            for (j = 0; j < 4; j++) {
                OSSL_PARAM text[] = { OSSL_PARAM_utf8_string(octets[j], utf8, 12), OSSL_PARAM_END };

                BOTH(&p, octets[j], 12, EVP_CIPHER_CTX_set_params(ctx, text));
            }
            {
                OSSL_PARAM text[] = { OSSL_PARAM_utf8_string("ivlen", utf8, 12), OSSL_PARAM_END };

                BOTH(&p, "ivlen text", 12, EVP_CIPHER_CTX_set_params(ctx, text));
            }
            pair_close(&p);
        }
}

/* What the context tells of its IV, before and after one was set. */
static void told_iv(void **state)
{
    static const char *const params[] = { "iv", "updated-iv" };
    unsigned char buf[2][160];
    struct pair p;
    size_t i, j, n;
    int k, set, l;

    (void)state;
    for (i = 0; i < N_NAMES; i++)
        for (set = 0; set < 2; set++) {
            pair_open(&p, names[i], 1);
            for (k = 0; k < 2 && set; k++) {
                wnt_ok(EVP_CipherInit_ex2(p.ctx[k], NULL, key, iv, 1, NULL));
                wnt_ok(EVP_CipherUpdate(p.ctx[k], buf[k], &l, iv, 64));
            }
            for (j = 0; j < 2; j++)
                for (n = 0; n < 40; n++) {
                    memset(buf, 0xcc, sizeof(buf));
                    if (strcmp(names[i], "ChaCha20") == 0)
                        continue;       /* see test_chacha20.c */
                    /* before 4.0 GCM has no IV to tell until it is used, and then
                     * both draw one of their own */
                    if (!set && OPENSSL_version_major() >= 4 && strstr(names[i], "GCM") != NULL)
                        continue;
                    BOTH(&p, params[j], n,
                         (k = ctx == p.ctx[1],
                          EVP_CIPHER_CTX_get_params(ctx, (OSSL_PARAM[]){
                              OSSL_PARAM_octet_string(params[j], buf[k], n), OSSL_PARAM_END })));
                    if (n <= 16)
                        assert_memory_equal(buf[0], buf[1], sizeof(buf[0]));
                }
            pair_close(&p);
        }
}

/* The fixed field of the IV: which lengths pass. */
static void fixed_iv(void **state)
{
    static const unsigned char fixed[MAX_N] = { 5 };
    static const int lengths[] = { -1, 0, 1, 3, 4, 5, 8, 9, 11, 12 };
    struct pair p;
    size_t i, j;
    int enc;

    (void)state;
    for (i = 0; i < N_NAMES; i++)
        for (enc = 0; enc < 2; enc++) {
            for (j = 0; j < sizeof(lengths) / sizeof(lengths[0]); j++) {
                pair_open(&p, names[i], enc);
                /* -1 is a length only for GCM; elsewhere the default provider
                 * reads no byte of it either */
                BOTH(&p, "fixed", lengths[j],
                     ctrl(ctx, EVP_CTRL_AEAD_SET_IV_FIXED, lengths[j], (void *)fixed));
                pair_close(&p);
            }
        }
}

/* More than the IV holds: the default provider writes past it, so ours alone. */
static void fixed_iv_too_long(void **state)
{
    static const unsigned char fixed[MAX_N] = { 5 };
    static const int lengths[] = { 13, 16, 128, 129 };
    struct pair p;
    size_t j;
    int enc;

    (void)state;
    for (enc = 0; enc < 2; enc++) {
        pair_open(&p, "AES-128-GCM", enc);
        for (j = 0; j < 4; j++) {
            assert_true(ctrl(p.ctx[0], EVP_CTRL_AEAD_SET_IV_FIXED, lengths[j], (void *)fixed) <= 0);
            wnt_assert_prov_error(PROV_R_FAILED_TO_GET_PARAMETER);
        }
        /* counting needs 8 bytes, so a shorter IV cannot be one that counts */
        wnt_ok(ctrl(p.ctx[0], EVP_CTRL_AEAD_SET_IVLEN, 7, NULL));
        assert_true(ctrl(p.ctx[0], EVP_CTRL_AEAD_SET_IV_FIXED, -1, (void *)fixed) <= 0);
        wnt_assert_prov_error(PROV_R_FAILED_TO_GET_PARAMETER);
        pair_close(&p);
    }
}

static int described(const OSSL_PARAM *list, const char *name)
{
    return list != NULL && OSSL_PARAM_locate_const(list, name) != NULL;
}

/* Everything that the default provider lists is listed, with the same type. */
static void lists(void **state)
{
    struct pair p;
    size_t i;
    int set;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        pair_open(&p, names[i], 1);
        for (set = 0; set < 2; set++) {
            const OSSL_PARAM *ours = set ? EVP_CIPHER_CTX_settable_params(p.ctx[0])
                                         : EVP_CIPHER_CTX_gettable_params(p.ctx[0]);
            const OSSL_PARAM *theirs = set ? EVP_CIPHER_CTX_settable_params(p.ctx[1])
                                           : EVP_CIPHER_CTX_gettable_params(p.ctx[1]), *t;

            for (t = theirs; t->key != NULL; t++) {
                /* CCM: before 4.0 listed for all AEADs, and ignored */
                if (strstr(names[i], "CCM") != NULL
                    && (strcmp(t->key, "tlsivgen") == 0 || strcmp(t->key, "tlsivinv") == 0
                        || strcmp(t->key, "iv-generated") == 0))
                    continue;
                if (!described(ours, t->key))
                    fail_msg("%s: %s is not listed", names[i], t->key);
                assert_int_equal(OSSL_PARAM_locate_const(ours, t->key)->data_type, t->data_type);
            }
        }
        pair_close(&p);
    }
}

/* A set of parameters of which one is bad changes nothing. */
static void all_or_nothing(void **state)
{
    unsigned char tag[16] = { 1 }, fixed[4] = { 1 };
    size_t ivlen = 13, i;
    struct pair p;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        OSSL_PARAM params[] = {
            OSSL_PARAM_size_t("ivlen", &ivlen), OSSL_PARAM_octet_string("tag", tag, 17),
            OSSL_PARAM_octet_string("tlsivfixed", fixed, 4), OSSL_PARAM_END
        };

        if (strcmp(names[i], "ChaCha20") == 0)
            continue;
        pair_open(&p, names[i], 0);
        BOTH(&p, "get ivlen", 0, EVP_CIPHER_CTX_get_iv_length(ctx));
        assert_true(EVP_CIPHER_CTX_set_params(p.ctx[0], params) <= 0);
        assert_int_not_equal(ERR_peek_error(), 0);
        ERR_clear_error();
        BOTH(&p, "get ivlen", 1, EVP_CIPHER_CTX_get_iv_length(ctx));
        BOTH(&p, "get taglen", 1, EVP_CIPHER_CTX_get_tag_length(ctx));
        pair_close(&p);
    }
}

static void size_queries(void **state)
{
    unsigned char buf[16] = { 0 };
    struct pair p;
    size_t i;
    int l;

    (void)state;
    for (i = 0; i + 1 < N_NAMES; i++) {
        OSSL_PARAM params[] = { OSSL_PARAM_octet_string("tag", NULL, 0), OSSL_PARAM_END };

        pair_open(&p, names[i], 1);
        wnt_ok(EVP_CipherInit_ex2(p.ctx[0], NULL, key, iv, 1, NULL));
        wnt_ok(EVP_CipherUpdate(p.ctx[0], buf, &l, buf, 8));
        wnt_ok(EVP_CipherFinal_ex(p.ctx[0], buf, &l));
        wnt_ok(EVP_CIPHER_CTX_get_params(p.ctx[0], params));
        assert_int_equal(params[0].return_size, strstr(names[i], "CCM") != NULL ? 12 : 16);
        wnt_assert_no_errors();
        pair_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iv_lengths),
        cmocka_unit_test(tag_lengths),
        cmocka_unit_test(tag_after_message),
        cmocka_unit_test(lengths_in_init),
        cmocka_unit_test(wrong_types),
        cmocka_unit_test(told_iv),
        cmocka_unit_test(fixed_iv),
        cmocka_unit_test(fixed_iv_too_long),
        cmocka_unit_test(lists),
        cmocka_unit_test(all_or_nothing),
        cmocka_unit_test(size_queries),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
