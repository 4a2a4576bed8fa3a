/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Digests where OpenSSL's versions differ, against a fake core that claims to
 * be each: which are offered under which names, SHAKE without an output
 * length, squeezing, cSHAKE, serialised states, and every failing allocation.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/params.h>

#include "fakecore.h"
#include "provider/compat.h"
#include "wntest.h"

/* The functions of one digest, and a context. */
struct md {
    const OSSL_DISPATCH *table;
    void *ctx;
};

#define CALL(md, id, type) ((OSSL_FUNC_digest_##type##_fn *)fake_function((md)->table, \
                                                          OSSL_FUNC_DIGEST_##id))

static struct md md_new(struct fake_core *fc, const char *name)
{
    struct md md = { fake_algorithm(fc, OSSL_OP_DIGEST, name), NULL };

    if (md.table == NULL)
        fail_msg("%s is not offered to %s", name, fc->version);
    md.ctx = CALL(&md, NEWCTX, newctx)(fc->provctx);
    assert_non_null(md.ctx);
    return md;
}

static void md_free(struct md *md)
{
    CALL(md, FREECTX, freectx)(md->ctx);
}

static void load(struct fake_core *fc, const char *version)
{
    fake_init(fc, version);
    assert_int_equal(fake_load(fc), 1);
}

static void unload(struct fake_core *fc)
{
    fake_unload(fc);
    assert_int_equal(fc->live, 0);
}

static void offered_by_version(void **state)
{
    static const struct {
        const char *name, *version;
        int offered;
    } cases[] = {
        { "KECCAK-256", "3.0.0", 0 }, { "KECCAK-256", "3.2.0", 1 }, { "KECCAK-256", "4.0.0", 1 },
        { "SHA2-256/192", "3.1.0", 0 }, { "SHA256-192", "3.2.0", 1 },
        { "CSHAKE-128", "3.6.0", 0 }, { "CSHAKE256", "4.0.0", 1 },
        { "CSHAKE-KECCAK-128", "3.6.0", 0 }, { "CSHAKE-KECCAK-128", "4.0.0", 1 },
        { "KECCAK-KMAC128", "3.0.0", 1 }, { "KECCAK-KMAC128", "4.0.0", 1 },
        { "SHAKE128", "3.3.0", 1 }, { "SHAKE128", "3.4.0", 1 },
        { "RMD160", "3.0.0", 1 }, { "BLAKE2b512", "3.0.0", 1 }, { "BLAKE2b512", "3.2.0", 1 },
        { "BLAKE2s256", "3.2.0", 1 }, { "BLAKE2s256", "4.0.0", 1 }
    };
    struct fake_core fc;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        load(&fc, cases[i].version);
        assert_int_equal(fake_algorithm(&fc, OSSL_OP_DIGEST, cases[i].name) != NULL,
                         cases[i].offered);
        unload(&fc);
    }
}

static size_t constant_size(const struct md *md)
{
    size_t n = 999;
    OSSL_PARAM params[] = { OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, &n), OSSL_PARAM_END };

    assert_int_equal(CALL(md, GET_PARAMS, get_params)(params), 1);
    return n;
}

/* Up to 3.3 there is a default length, from 3.4 on there is none. */
static void shake_without_length(void **state)
{
    static const struct {
        const char *name, *version;
        size_t size;
    } cases[] = {
        { "SHAKE-128", "3.0.0", 16 }, { "SHAKE-256", "3.0.0", 32 }, { "SHAKE-256", "3.3.0", 32 },
        { "SHAKE-128", "3.4.0", 0 }, { "SHAKE-256", "3.5.9", 0 }, { "SHAKE-256", "4.0.0", 0 },
        { "KECCAK-KMAC-128", "3.0.0", 32 }, { "KECCAK-KMAC-128", "4.0.0", 32 }
    };
    unsigned char out[64];
    struct fake_core fc;
    size_t i, len;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct md md;

        load(&fc, cases[i].version);
        md = md_new(&fc, cases[i].name);
        assert_int_equal(constant_size(&md), cases[i].size);
        assert_int_equal(CALL(&md, INIT, init)(md.ctx, NULL), 1);
        memset(out, 0x5a, sizeof(out));
        len = 77;
        if (cases[i].size != 0) {
            assert_int_equal(CALL(&md, FINAL, final)(md.ctx, out, &len, cases[i].size), 1);
            assert_int_equal(len, cases[i].size);
            assert_int_equal(out[cases[i].size], 0x5a);
        } else {
            assert_int_equal(CALL(&md, FINAL, final)(md.ctx, out, &len, sizeof(out)), 0);
            assert_true(fake_raised(&fc, PROV_R_INVALID_DIGEST_LENGTH));
            assert_int_equal(out[0], 0x5a);
        }
        md_free(&md);
        unload(&fc);
    }
}

static size_t get_size(const struct md *md, const char *key)
{
    size_t n = 999;
    OSSL_PARAM params[] = { OSSL_PARAM_size_t(key, &n), OSSL_PARAM_END };

    assert_int_equal(CALL(md, GET_CTX_PARAMS, get_ctx_params)(md->ctx, params), 1);
    return n;
}

/* "size" is another name for "xoflen" from 3.4 on, and both can be read. */
static void shake_length_parameters(void **state)
{
    size_t n = 40;
    OSSL_PARAM by_size[] = { OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, &n), OSSL_PARAM_END };
    struct fake_core fc;
    struct md md;

    (void)state;
    load(&fc, "3.0.0");
    md = md_new(&fc, "SHAKE-128");
    assert_null(fake_function(md.table, OSSL_FUNC_DIGEST_GET_CTX_PARAMS));
    assert_int_equal(CALL(&md, INIT, init)(md.ctx, by_size), 1);
    md_free(&md);
    unload(&fc);

    load(&fc, "3.5.0");
    md = md_new(&fc, "SHAKE-128");
    assert_int_equal(CALL(&md, INIT, init)(md.ctx, NULL), 1);
    assert_true(get_size(&md, OSSL_DIGEST_PARAM_SIZE) == SIZE_MAX);
    assert_int_equal(CALL(&md, INIT, init)(md.ctx, by_size), 1);
    assert_int_equal(get_size(&md, OSSL_DIGEST_PARAM_SIZE), 40);
    assert_int_equal(get_size(&md, OSSL_DIGEST_PARAM_XOFLEN), 40);
    md_free(&md);
    unload(&fc);
}

/* Any division of the output gives the same bytes; nothing follows a squeeze. */
static void squeezes(void **state)
{
    static const char *const names[] = { "SHAKE-128", "SHAKE-256", "KECCAK-KMAC-256" };
    unsigned char whole[1000], parts[1000];
    struct fake_core fc;
    size_t i, round, at, n, len;

    (void)state;
    load(&fc, "3.5.0");
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        EVP_MD *theirs = EVP_MD_fetch(wnt_default(), names[i], NULL);
        EVP_MD_CTX *evp = EVP_MD_CTX_new();
        struct md md = md_new(&fc, names[i]);

        wnt_ok(EVP_DigestInit_ex2(evp, theirs, NULL));
        wnt_ok(EVP_DigestUpdate(evp, "message", 7));
        wnt_ok(EVP_DigestFinalXOF(evp, whole, sizeof(whole)));
        for (round = 0; round < 50; round++) {
            assert_int_equal(CALL(&md, INIT, init)(md.ctx, NULL), 1);
            assert_int_equal(CALL(&md, UPDATE, update)(md.ctx, (const void *)"message", 7), 1);
            for (at = 0; at < sizeof(parts); at += n) {
                n = wnt_rand_below(sizeof(parts) - at + 1);
                assert_int_equal(CALL(&md, SQUEEZE, squeeze)(md.ctx, parts + at, &len, n), 1);
                assert_int_equal(len, n);
            }
            assert_memory_equal(parts, whole, sizeof(whole));
        }
        assert_int_equal(CALL(&md, UPDATE, update)(md.ctx, (const void *)"x", 1), 0);
        assert_true(fake_raised(&fc, ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED));
        assert_int_equal(CALL(&md, FINAL, final)(md.ctx, parts, &len, 64), 0);
        assert_int_equal(CALL(&md, INIT, init)(md.ctx, NULL), 1);
        assert_int_equal(CALL(&md, UPDATE, update)(md.ctx, (const void *)"x", 1), 1);
        /* asking for nothing does not end the input */
        assert_int_equal(CALL(&md, SQUEEZE, squeeze)(md.ctx, parts, &len, 0), 1);
        assert_int_equal(CALL(&md, UPDATE, update)(md.ctx, (const void *)"x", 1), 1);
        md_free(&md);
        EVP_MD_CTX_free(evp);
        EVP_MD_free(theirs);
    }
    unload(&fc);
}

/* All of digest.txt that the OpenSSL these tests run on does not know. */
static void known_answers(void **state)
{
    FILE *f = wnt_vectors("digest.txt");
    struct wnt_record r;
    struct fake_core fc;
    size_t n = 0;

    (void)state;
    load(&fc, "4.0.0");
    for (; wnt_next(f, &r); wnt_record_free(&r)) {
        const char *function = wnt_text(&r, "Function"), *custom = wnt_text(&r, "Custom");
        unsigned char *in, *want, got[1024];
        OSSL_PARAM params[4], *p = params;
        size_t inl, len, got_len;
        struct md md;

        if (wnt_text(&r, "Copies") != NULL)
            continue;
        md = md_new(&fc, wnt_text(&r, "Digest"));
        assert_int_equal(wnt_hex(&r, "Input", &in, &inl), 1);
        assert_int_equal(wnt_hex(&r, "Output", &want, &len), 1);
        if (fake_function(md.table, OSSL_FUNC_DIGEST_SQUEEZE) != NULL)
            *p++ = OSSL_PARAM_construct_size_t(OSSL_DIGEST_PARAM_XOFLEN, &len);
        if (function != NULL)
            *p++ = OSSL_PARAM_construct_utf8_string(OSSL_DIGEST_PARAM_FUNCTION_NAME,
                                                    (char *)function, 0);
        if (custom != NULL)
            *p++ = OSSL_PARAM_construct_utf8_string(OSSL_DIGEST_PARAM_CUSTOMIZATION,
                                                    (char *)custom, 0);
        *p = OSSL_PARAM_construct_end();
        assert_int_equal(CALL(&md, INIT, init)(md.ctx, params), 1);
        assert_int_equal(CALL(&md, UPDATE, update)(md.ctx, in, inl), 1);
        assert_int_equal(CALL(&md, FINAL, final)(md.ctx, got, &got_len, len), 1);
        assert_int_equal(got_len, len);
        if (memcmp(got, want, len) != 0)
            fail_msg("%s, %s", wnt_text(&r, "Digest"), wnt_text(&r, "Output"));
        md_free(&md);
        free(in);
        free(want);
        n++;
    }
    fclose(f);
    assert_true(n > 80);
    assert_int_equal(fc.n_reasons, 0);
    unload(&fc);
}

static void cshake_refuses(void **state)
{
    char long_custom[513];
    struct fake_core fc;
    struct md md;
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };

    (void)state;
    memset(long_custom, 'c', sizeof(long_custom));
    load(&fc, "4.0.0");
    md = md_new(&fc, "CSHAKE-128");
    params[0] = OSSL_PARAM_construct_utf8_string(OSSL_DIGEST_PARAM_FUNCTION_NAME,
                                                 (char *)"BadName", 0);
    assert_int_equal(CALL(&md, INIT, init)(md.ctx, params), 0);
    assert_true(fake_raised(&fc, PROV_R_INVALID_FUNCTION_NAME));
    params[0] = OSSL_PARAM_construct_utf8_string(OSSL_DIGEST_PARAM_CUSTOMIZATION, long_custom,
                                                 512);
    assert_int_equal(CALL(&md, INIT, init)(md.ctx, params), 0);
    assert_true(fake_raised(&fc, PROV_R_INVALID_CUSTOM_LENGTH));
    params[0] = OSSL_PARAM_construct_utf8_string(OSSL_DIGEST_PARAM_CUSTOMIZATION, long_custom,
                                                 511);
    assert_int_equal(CALL(&md, INIT, init)(md.ctx, params), 1);
    md_free(&md);
    unload(&fc);
}

static void advance(struct md *md, int squeezed, const unsigned char *in, unsigned char *out,
                    size_t n)
{
    size_t len;

    if (!squeezed)
        assert_int_equal(CALL(md, UPDATE, update)(md->ctx, in, 100), 1);
    if (fake_function(md->table, OSSL_FUNC_DIGEST_SQUEEZE) != NULL)
        assert_int_equal(CALL(md, SQUEEZE, squeeze)(md->ctx, out, &len, n), 1);
    else
        assert_int_equal(CALL(md, FINAL, final)(md->ctx, out, &len, n), 1);
}

/* Continues what OpenSSL's default provider began, and its own. */
static void states(void **state)
{
    FILE *f = wnt_vectors("digest_state.txt");
    unsigned char in[512], got[64], own[512];
    struct wnt_record r;
    struct fake_core fc;
    size_t i, records = 0;

    (void)state;
    for (i = 0; i < sizeof(in); i++)
        in[i] = (unsigned char)(7 * i + 1);
    load(&fc, "4.0.0");
    for (; wnt_next(f, &r); wnt_record_free(&r)) {
        size_t bytes = strtoul(wnt_text(&r, "Bytes"), NULL, 10), n, len, own_len = 0;
        const char *text = wnt_text(&r, "Squeezed");
        size_t squeezed = text != NULL ? strtoul(text, NULL, 10) : 0;
        struct md a = md_new(&fc, wnt_text(&r, "Digest")), b = md_new(&fc, wnt_text(&r, "Digest"));
        unsigned char *theirs, *want, skip[256];

        assert_int_equal(wnt_hex(&r, "State", &theirs, &n), 1);
        assert_int_equal(wnt_hex(&r, "Output", &want, &len), 1);
        assert_int_equal(CALL(&a, INIT, init)(a.ctx, NULL), 1);
        assert_int_equal(CALL(&a, DESERIALIZE, deserialize)(a.ctx, theirs, n), 1);
        advance(&a, squeezed != 0, in + bytes, got, len);
        assert_memory_equal(got, want, len);

        assert_int_equal(CALL(&a, INIT, init)(a.ctx, NULL), 1);
        assert_int_equal(CALL(&a, UPDATE, update)(a.ctx, in, bytes), 1);
        if (squeezed != 0)
            assert_int_equal(CALL(&a, SQUEEZE, squeeze)(a.ctx, skip, &own_len, squeezed), 1);
        assert_int_equal(CALL(&a, SERIALIZE, serialize)(a.ctx, NULL, &own_len), 1);
        assert_int_equal(own_len, n);
        own_len = n - 1;
        fc.n_reasons = 0;       /* there is room for 32 */
        assert_int_equal(CALL(&a, SERIALIZE, serialize)(a.ctx, own, &own_len), 0);
        assert_true(fake_raised(&fc, PROV_R_OUTPUT_BUFFER_TOO_SMALL));
        own_len = sizeof(own);
        assert_int_equal(CALL(&a, SERIALIZE, serialize)(a.ctx, own, &own_len), 1);
        assert_int_equal(own_len, n);
        if (strncmp(wnt_text(&r, "Digest"), "SHA2", 4) == 0)
            assert_memory_equal(own, theirs, 8 + 4 + 4 + 32);       /* up to the chaining value */
        if (getenv("WOLFNANO_PRINT_STATES") != NULL) {
            printf("%s %zu %zu ", wnt_text(&r, "Digest"), bytes, squeezed);
            for (i = 0; i < n; i++)
                printf("%02x", own[i]);
            printf("\n");
        }
        assert_int_equal(CALL(&b, INIT, init)(b.ctx, NULL), 1);
        assert_int_equal(CALL(&b, DESERIALIZE, deserialize)(b.ctx, own, n), 1);
        advance(&b, squeezed != 0, in + bytes, got, len);
        assert_memory_equal(got, want, len);

        /* every broken header field */
        for (i = 0; i < 16; i++) {
            own[i] ^= 0x81;
            fc.n_reasons = 0;
            if (CALL(&b, DESERIALIZE, deserialize)(b.ctx, own, n) != 0)
                fail_msg("byte %zu of a %s state is not checked", i, wnt_text(&r, "Digest"));
            assert_true(fake_raised(&fc, PROV_R_INVALID_DATA));
            own[i] ^= 0x81;
        }
        assert_int_equal(CALL(&b, DESERIALIZE, deserialize)(b.ctx, own, n - 1), 0);
        assert_int_equal(CALL(&b, DESERIALIZE, deserialize)(b.ctx, own, n), 1);
        md_free(&a);
        md_free(&b);
        free(theirs);
        free(want);
        records++;
    }
    fclose(f);
    assert_true(records >= 14);
    unload(&fc);
}

static int set_size(struct md *md, size_t size)
{
    OSSL_PARAM params[] = { OSSL_PARAM_size_t(OSSL_DIGEST_PARAM_SIZE, &size), OSSL_PARAM_END };

    return CALL(md, SET_CTX_PARAMS, set_ctx_params)(md->ctx, params);
}

/* A size holds from the next init on, and for all that follow. */
static void blake2_sizes(void **state)
{
    static const struct {
        const char *name, *version;
        size_t most;            /* 0: the size is fixed */
        const char *hash;       /* of "abc", 20 bytes */
    } cases[] = {
        { "BLAKE2B-512", "3.1.0", 0, NULL }, { "BLAKE2S-256", "3.2.0", 0, NULL },
        { "BLAKE2B-512", "3.2.0", 64, "384264f676f39536840523f284921cdc68b6846b" },
        { "BLAKE2S-256", "3.3.0", 32, "5ae3b99be29b01834c3b508521ede60438f8de17" },
        { "BLAKE2B-512", "4.0.0", 64, "384264f676f39536840523f284921cdc68b6846b" }
    };
    struct fake_core fc;
    size_t i, n;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        unsigned char out[64], first[64], *want = NULL;
        struct md md;
        int round;

        load(&fc, cases[i].version);
        md = md_new(&fc, cases[i].name);
        assert_int_equal(fake_function(md.table, OSSL_FUNC_DIGEST_SET_CTX_PARAMS) != NULL,
                         cases[i].most != 0);
        if (cases[i].most != 0) {
            want = OPENSSL_hexstr2buf(cases[i].hash, NULL);
            assert_int_equal(get_size(&md, OSSL_DIGEST_PARAM_SIZE), 0);
            assert_int_equal(CALL(&md, INIT, init)(md.ctx, NULL), 1);
            assert_int_equal(get_size(&md, OSSL_DIGEST_PARAM_SIZE), cases[i].most);
            assert_int_equal(CALL(&md, UPDATE, update)(md.ctx, (const void *)"abc", 3), 1);
            assert_int_equal(set_size(&md, 20), 1);         /* too late for this one */
            assert_int_equal(CALL(&md, FINAL, final)(md.ctx, first, &n, 64), 1);
            assert_int_equal(n, cases[i].most);
            assert_int_equal(set_size(&md, 0), 0);
            assert_true(fake_raised(&fc, PROV_R_INVALID_DIGEST_SIZE));
            assert_int_equal(set_size(&md, cases[i].most + 1), 0);
            assert_true(fake_raised(&fc, PROV_R_INVALID_DIGEST_SIZE));
            assert_int_equal(get_size(&md, OSSL_DIGEST_PARAM_SIZE), 20);
            for (round = 0; round < 2; round++) {
                assert_int_equal(CALL(&md, INIT, init)(md.ctx, NULL), 1);
                assert_int_equal(CALL(&md, UPDATE, update)(md.ctx, (const void *)"abc", 3), 1);
                assert_int_equal(CALL(&md, FINAL, final)(md.ctx, NULL, &n, 0), 1);
                assert_int_equal(n, 20);
                assert_int_equal(CALL(&md, FINAL, final)(md.ctx, out, &n, 19), 0);
                assert_true(fake_raised(&fc, PROV_R_INVALID_DIGEST_SIZE));
                assert_int_equal(CALL(&md, FINAL, final)(md.ctx, out, &n, 64), 1);
                assert_int_equal(n, 20);
                assert_memory_equal(out, want, 20);
            }
            OPENSSL_free(want);
        }
        md_free(&md);
        unload(&fc);
    }
}

static void failing_allocations(void **state)
{
    static const char *const names[] = { "SHA2-256", "SHA3-256", "SHAKE-128", "MD5-SHA1",
                                         "CSHAKE-128", "BLAKE2B-512", "RIPEMD-160" };
    struct fake_core fc;
    size_t i;

    (void)state;
    load(&fc, "4.0.0");
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct md md = md_new(&fc, names[i]);
        long live = fc.live;

        fc.fail_at = fc.allocations + 1;
        assert_null(CALL(&md, NEWCTX, newctx)(fc.provctx));
        assert_int_equal(CALL(&md, INIT, init)(md.ctx, NULL), 1);
        fc.fail_at = fc.allocations + 1;
        assert_null(CALL(&md, DUPCTX, dupctx)(md.ctx));
        assert_int_equal(fc.live, live);
        /* the original is as it was */
        assert_int_equal(CALL(&md, UPDATE, update)(md.ctx, (const void *)"x", 1), 1);
        md_free(&md);
    }
    unload(&fc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offered_by_version),
        cmocka_unit_test(shake_without_length),
        cmocka_unit_test(shake_length_parameters),
        cmocka_unit_test(squeezes),
        cmocka_unit_test(known_answers),
        cmocka_unit_test(cshake_refuses),
        cmocka_unit_test(states),
        cmocka_unit_test(blake2_sizes),
        cmocka_unit_test(failing_allocations),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
