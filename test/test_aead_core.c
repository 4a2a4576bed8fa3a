/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * AEAD ciphers and ChaCha20, called as libcrypto's core would, on a core of our own:
 * lengths that EVP never passes, failing allocation and entropy, behaviour that
 * depends on the core's version.
 */
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "fakecipher.h"
#include "provider/compat.h"
#include "provider/err.h"
#include "wntest.h"

static const char *const names[] = {
    "AES-128-GCM", "AES-192-GCM", "AES-256-GCM", "AES-128-CCM", "AES-192-CCM", "AES-256-CCM",
    "ChaCha20-Poly1305", "ChaCha20",
};
#define N_NAMES (sizeof(names) / sizeof(names[0]))

static struct fake_core fc;
static const unsigned char key[64] = { 1, 2, 3 }, iv[128] = { 4, 5 };

static void load(const char *version)
{
    fake_init(&fc, version);
    assert_int_equal(fake_load(&fc), 1);
}

static void unload(void)
{
    fake_unload(&fc);
    assert_int_equal(fc.live, 0);
}

static void assert_raised(uint32_t reason)
{
    if (fc.n_reasons != 1 || !fake_raised(&fc, reason))
        fail_msg("%zu errors raised, the last one %#x instead of %u", fc.n_reasons,
                 fc.n_reasons == 0 ? 0 : fc.reasons[fc.n_reasons - 1], reason);
    fc.n_reasons = 0;
}

static size_t ivlen_of(const struct fake_cipher *a, void *ctx)
{
    size_t n = 0;
    OSSL_PARAM params[] = { OSSL_PARAM_size_t("ivlen", &n), OSSL_PARAM_END };

    assert_int_equal(a->get(ctx, params), 1);
    return n;
}

static int set_octets(const struct fake_cipher *a, void *ctx, const char *name, const void *p,
                      size_t n)
{
    OSSL_PARAM params[] = { OSSL_PARAM_octet_string(name, (void *)p, n), OSSL_PARAM_END };

    return a->set(ctx, params);
}

static int get_octets(const struct fake_cipher *a, void *ctx, const char *name, void *p, size_t n)
{
    OSSL_PARAM params[] = { OSSL_PARAM_octet_string(name, p, n), OSSL_PARAM_END };

    return a->get(ctx, params);
}

static void lengths_of_key_and_iv(void **state)
{
    struct fake_cipher a;
    size_t i, n, len;
    int enc;

    (void)state;
    load("3.0.0");
    for (i = 0; i < N_NAMES; i++)
        for (enc = 0; enc < 2; enc++) {
            unsigned char one[48], two[48];
            void *ctx;

            fake_cipher_find(&fc, &a, names[i]);
            ctx = a.newctx(fc.provctx);
            a.ivlen = ivlen_of(&a, ctx);
            assert_int_equal(a.init[1](ctx, key, a.keylen, iv, a.ivlen, NULL), 1);
            assert_int_equal(a.update(ctx, one, &len, sizeof(one), key, 48), 1);
            for (n = 0; n <= 64; n++)
                if (n != a.keylen) {
                    assert_int_equal(a.init[enc](ctx, key, n, NULL, 0, NULL), 0);
                    assert_raised(PROV_R_INVALID_KEY_LENGTH);
                }
            for (n = 0; n <= 200; n++) {
                /* GCM takes what it is given */
                if (a.mode == EVP_CIPH_GCM_MODE ? n > 0 && n <= 128 : n == a.ivlen)
                    continue;
                assert_int_equal(a.init[enc](ctx, NULL, 0, iv, n, NULL), 0);
                assert_raised(PROV_R_INVALID_IV_LENGTH);
            }
            /* the key of before is still there */
            assert_int_equal(a.init[1](ctx, NULL, 0, iv, a.ivlen, NULL), 1);
            assert_int_equal(a.update(ctx, two, &len, sizeof(two), key, 48), 1);
            assert_memory_equal(one, two, 48);
            a.freectx(ctx);
        }
    a.freectx(NULL);
    assert_int_equal(fc.n_reasons, 0);
    unload();
}

/* An update that has no room, or no input, does nothing: the next one goes on as if
 * it had not been. */
static void refused_updates(void **state)
{
    struct fake_cipher a;
    unsigned char one[48], two[48];
    size_t i, room, len;

    (void)state;
    load("3.5.0");
    for (i = 0; i < N_NAMES; i++) {
        void *ctx, *other;

        fake_cipher_find(&fc, &a, names[i]);
        ctx = a.newctx(fc.provctx);
        other = a.newctx(fc.provctx);
        a.ivlen = ivlen_of(&a, ctx);
        assert_int_equal(a.init[1](ctx, key, a.keylen, iv, a.ivlen, NULL), 1);
        assert_int_equal(a.init[1](other, key, a.keylen, iv, a.ivlen, NULL), 1);
        for (room = 0; room < 48; room++) {
            assert_int_equal(a.update(ctx, one, &len, room, key, 48), 0);
            assert_raised(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
            assert_int_equal(a.cipher(ctx, one, &len, room, key, 48), 0);
            assert_raised(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        }
        if (a.mode != EVP_CIPH_CCM_MODE) {
            assert_int_equal(a.update(ctx, one, &len, 48, NULL, 48), 0);
            assert_raised(PROV_R_CIPHER_OPERATION_FAILED);
        }
        assert_int_equal(a.update(ctx, one, &len, 48, key, 48), 1);
        assert_int_equal(len, 48);
        assert_int_equal(a.update(other, two, &len, 48, key, 48), 1);
        assert_memory_equal(one, two, 48);
        a.freectx(ctx);
        a.freectx(other);
    }
    assert_int_equal(fc.n_reasons, 0);
    unload();
}

static void no_memory(void **state)
{
    struct fake_cipher a;
    size_t i;

    (void)state;
    load("3.0.0");
    for (i = 0; i < N_NAMES; i++) {
        void *ctx;

        fake_cipher_find(&fc, &a, names[i]);
        fc.fail_at = fc.allocations + 1;
        assert_null(a.newctx(fc.provctx));
        assert_int_equal(fc.n_reasons, 1);
        fc.n_reasons = 0;
        ctx = a.newctx(fc.provctx);
        assert_non_null(ctx);
        assert_int_equal(a.init[1](ctx, key, a.keylen, iv, ivlen_of(&a, ctx), NULL), 1);
        fc.fail_at = fc.allocations + 1;
        assert_null(a.dupctx(ctx));
        assert_int_equal(fc.n_reasons, 1);
        fc.n_reasons = 0;
        a.freectx(a.dupctx(ctx));
        a.freectx(ctx);
    }
    unload();
}

/* GCM's own IVs need entropy; without it they fail, and what needs none works. */
static void no_entropy(void **state)
{
    struct fake_cipher a;
    unsigned char out[16];
    size_t len;
    void *ctx;

    (void)state;
    fake_init(&fc, "3.0.0");
    fc.no_entropy = 1;
    assert_int_equal(fake_load(&fc), 1);
    fake_cipher_find(&fc, &a, "AES-128-GCM");
    ctx = a.newctx(fc.provctx);
    assert_int_equal(a.init[1](ctx, key, a.keylen, NULL, 0, NULL), 1);
    assert_int_equal(a.update(ctx, out, &len, 16, key, 16), 0);
    assert_raised(WN_R_NO_ENTROPY);
    assert_int_equal(set_octets(&a, ctx, "tlsivfixed", iv, 4), 0);
    assert_raised(WN_R_NO_ENTROPY);
    assert_int_equal(set_octets(&a, ctx, "tlsivfixed", iv, SIZE_MAX), 1);
    assert_int_equal(a.update(ctx, out, &len, 16, key, 16), 1);
    assert_int_equal(a.final(ctx, out, &len, 16), 1);
    assert_int_equal(fc.n_reasons, 0);
    a.freectx(ctx);
    unload();
}

static int lists(const struct fake_cipher *a, const char *name)
{
    const OSSL_DISPATCH *t = fake_algorithm(&fc, OSSL_OP_CIPHER, "AES-128-GCM");
    OSSL_FUNC_cipher_gettable_ctx_params_fn *gettable =
        (OSSL_FUNC_cipher_gettable_ctx_params_fn *)
            fake_function(t, OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS);

    (void)a;
    return OSSL_PARAM_locate_const(gettable(NULL, fc.provctx), name) != NULL;
}

/* 4.0 draws an IV when asked for it, and encrypts with what it told. */
static void gcm_iv_before_use(const struct fake_cipher *a, int draws)
{
    unsigned char told[12], later[12], out[16];
    void *ctx = a->newctx(fc.provctx);
    size_t len;

    assert_int_equal(a->init[1](ctx, key, a->keylen, NULL, 0, NULL), 1);
    assert_int_equal(get_octets(a, ctx, "iv", told, 12), draws);
    if (!draws)
        assert_raised(PROV_R_CIPHER_OPERATION_FAILED);
    assert_int_equal(a->update(ctx, out, &len, 16, key, 16), 1);
    assert_int_equal(get_octets(a, ctx, "updated-iv", later, 12), 1);
    if (draws)
        assert_memory_equal(told, later, 12);
    a->freectx(ctx);
    /* never for decryption */
    ctx = a->newctx(fc.provctx);
    assert_int_equal(a->init[0](ctx, key, a->keylen, NULL, 0, NULL), 1);
    assert_int_equal(get_octets(a, ctx, "iv", told, 12), 0);
    assert_raised(PROV_R_CIPHER_OPERATION_FAILED);
    a->freectx(ctx);
}

/* The same parameter twice: an error from 3.6 on, before that the first one counts. */
static void repeated(const struct fake_cipher *a, int refused)
{
    size_t one = 11, two = 13;
    OSSL_PARAM params[] = { OSSL_PARAM_size_t("ivlen", &one), OSSL_PARAM_size_t("ivlen", &two),
                            OSSL_PARAM_END };
    void *ctx = a->newctx(fc.provctx);

    assert_int_equal(a->set(ctx, params), !refused);
    if (refused)
        assert_raised(PROV_R_REPEATED_PARAMETER);
    assert_int_equal(ivlen_of(a, ctx), refused ? 12 : 11);
    a->freectx(ctx);
}

/* EVP_Cipher(ctx, NULL, NULL, 0): a length of 0 before 4.0, and then the end. */
static void ccm_nothing(int ends)
{
    struct fake_cipher a;
    unsigned char out[1], tag[12];
    void *ctx;
    size_t len;

    fake_cipher_find(&fc, &a, "AES-128-CCM");
    ctx = a.newctx(fc.provctx);
    assert_int_equal(a.init[1](ctx, key, a.keylen, iv, 7, NULL), 1);
    assert_int_equal(a.cipher(ctx, NULL, &len, 0, NULL, 0), 1);
    assert_int_equal(get_octets(&a, ctx, "tag", tag, 12), ends);
    if (!ends) {
        assert_raised(PROV_R_TAG_NOT_SET);
        assert_int_equal(a.update(ctx, out, &len, 0, key, 0), 1);
        assert_int_equal(get_octets(&a, ctx, "tag", tag, 12), 1);
    }
    a.freectx(ctx);
}

static void versions(void **state)
{
    static const char *const cores[] = { "3.0.0", "3.4.1", "3.5.9", "3.6.5", "4.0.3" };
    struct fake_cipher a;
    size_t i;

    (void)state;
    for (i = 0; i < 5; i++) {
        load(cores[i]);
        fake_cipher_find(&fc, &a, "AES-128-GCM");
        assert_int_equal(lists(&a, "tlsivgen"), 1);
        assert_int_equal(lists(&a, "iv-generated"), i >= 1);
        gcm_iv_before_use(&a, i == 4);
        repeated(&a, i >= 3);
        ccm_nothing(i == 4);
        assert_int_equal(fc.n_reasons, 0);
        unload();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_of_key_and_iv),
        cmocka_unit_test(refused_updates),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(no_entropy),
        cmocka_unit_test(versions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
