/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The internal digests and HMAC that other families build on, each against
 * OpenSSL's default provider: random lengths and splits, duplicates, restarts,
 * key lengths round the block size, PBKDF2's loop.
 */
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "algs/hmac.h"
#include "provider/cpu.h"
#include "wntest.h"

static const struct wn_md_desc *const all[] = {
#define ENTRY(id) &wn_md_##id,
    WN_MD_LIST(ENTRY)
};

#define N_ALL (sizeof(all) / sizeof(all[0]))

static int setup(void **state)
{
    uint32_t mask = 0;

    if (!wn_cpu_parse_mask(wnt_cpu(), &mask) || !wn_cpu_choose(mask, 1))
        return -1;
    wn_md_setup(wn_cpu_flags());
    return wnt_setup(state);
}

/* The default provider's digest of that descriptor; NULL if this OpenSSL has none. */
static EVP_MD *theirs_of(const struct wn_md_desc *d)
{
    char name[32];
    EVP_MD *md;
    size_t n = strcspn(d->names, ":");

    memcpy(name, d->names, n);
    name[n] = '\0';
    ERR_set_mark();
    md = EVP_MD_fetch(wnt_default(), name, NULL);
    ERR_pop_to_mark();
    return md;
}

static void find(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < N_ALL; i++) {
        char names[256], *name, *save;

        strcpy(names, all[i]->names);
        for (name = strtok_r(names, ":", &save); name != NULL; name = strtok_r(NULL, ":", &save))
            assert_ptr_equal(wn_md_find(name), all[i]);
    }
    assert_ptr_equal(wn_md_find("sha2-256"), &wn_md_sha256);
    assert_null(wn_md_find("SHA2"));
    assert_null(wn_md_find(""));
    assert_null(wn_md_find("SHA2-256:SHA-256"));
}

static void digests(void **state)
{
    unsigned char in[1024], ours[64], theirs[64];
    size_t i, round;

    (void)state;
    for (i = 0; i < N_ALL; i++) {
        EVP_MD *evp = theirs_of(all[i]);
        EVP_MD_CTX *ctx = EVP_MD_CTX_new();

        for (round = 0; evp != NULL && round < 300; round++) {
            size_t n = wnt_rand_below(sizeof(in)), at = 0, piece;
            struct wn_md md, copy;

            wnt_rand_bytes(in, n);
            wn_md_init(&md, all[i]);
            for (; at < n; at += piece) {
                piece = 1 + wnt_rand_below(n - at);
                wn_md_update(&md, in + at, piece);
                copy = md;
                wn_md_update(&md, "?", 1);
                md = copy;
            }
            if (all[i]->flags & WN_MD_XOF) {
                wn_md_squeeze(&md, ours, 5);
                wn_md_squeeze(&md, ours + 5, sizeof(ours) - 5);
            } else {
                wn_md_final(&md, ours);
            }
            wnt_ok(EVP_DigestInit_ex2(ctx, evp, NULL));
            wnt_ok(EVP_DigestUpdate(ctx, in, n));
            if (all[i]->flags & WN_MD_XOF)
                wnt_ok(EVP_DigestFinalXOF(ctx, theirs, sizeof(theirs)));
            else
                wnt_ok(EVP_DigestFinal_ex(ctx, theirs, NULL));
            assert_memory_equal(ours, theirs,
                                all[i]->flags & WN_MD_XOF ? sizeof(ours) : all[i]->size);
            wn_md_clear(&md);
        }
        EVP_MD_CTX_free(ctx);
        EVP_MD_free(evp);
    }
}

static void default_hmac(const char *digest, const unsigned char *key, size_t keylen,
                         const unsigned char *in, size_t n, unsigned char *out)
{
    EVP_MAC *mac = EVP_MAC_fetch(wnt_default(), "HMAC", NULL);
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
    OSSL_PARAM params[] = {
        OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0), OSSL_PARAM_END
    };

    wnt_ok(EVP_MAC_init(ctx, key, keylen, params));
    wnt_ok(EVP_MAC_update(ctx, in, n));
    wnt_ok(EVP_MAC_final(ctx, out, &n, 64));
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_free(mac);
}

static void hmac(void **state)
{
    unsigned char key[400], in[600], ours[64], again[64], theirs[64];
    size_t i, keylen;

    (void)state;
    for (i = 0; i < N_ALL; i++) {
        EVP_MD *evp = theirs_of(all[i]);

        for (keylen = 0; evp != NULL && keylen <= sizeof(key); keylen++) {
            size_t n = wnt_rand_below(sizeof(in)), cut = wnt_rand_below(n + 1);
            struct wn_hmac h, copy;

            wnt_rand_bytes(key, keylen);
            wnt_rand_bytes(in, n);
            if (all[i]->flags & WN_MD_XOF) {
                assert_int_equal(wn_hmac_init(&h, all[i], key, keylen), 0);
                continue;
            }
            default_hmac(EVP_MD_get0_name(evp), key, keylen, in, n, theirs);
            assert_int_equal(wn_hmac_init(&h, all[i], key, keylen), 1);
            wn_hmac_update(&h, in, cut);
            copy = h;
            wn_hmac_update(&h, in + cut, n - cut);
            wn_hmac_final(&h, ours);
            wn_hmac_restart(&h);
            wn_hmac_update(&h, in, n);
            wn_hmac_final(&h, again);
            assert_memory_equal(ours, theirs, all[i]->size);
            assert_memory_equal(again, theirs, all[i]->size);
            wn_hmac_update(&copy, in + cut, n - cut);
            wn_hmac_final(&copy, again);
            assert_memory_equal(again, theirs, all[i]->size);
            assert_int_equal(wn_hmac_once(all[i], key, keylen, in, n, again), 1);
            assert_memory_equal(again, theirs, all[i]->size);
            wn_hmac_clear(&h);
        }
        EVP_MD_free(evp);
    }
}

/* One block of PBKDF2. */
static void iterate(void **state)
{
    static const unsigned char first[] = "salt\0\0\0\1";
    unsigned char u[64], t[64], theirs[64];
    size_t i;

    (void)state;
    for (i = 0; i < N_ALL; i++) {
        EVP_MD *evp = theirs_of(all[i]);
        struct wn_hmac h;

        if (evp != NULL && (all[i]->flags & WN_MD_XOF) == 0) {
            wn_hmac_init(&h, all[i], "password", 8);
            wn_hmac_update(&h, first, 8);
            wn_hmac_final(&h, u);
            memcpy(t, u, all[i]->size);
            wn_hmac_iterate(&h, u, t, 4999);
            wnt_ok(PKCS5_PBKDF2_HMAC("password", 8, first, 4, 5000, evp, (int)all[i]->size,
                                     theirs));
            assert_memory_equal(t, theirs, all[i]->size);
        }
        EVP_MD_free(evp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(find),
        cmocka_unit_test(digests),
        cmocka_unit_test(hmac),
        cmocka_unit_test(iterate),
    };

    return cmocka_run_group_tests(tests, setup, wnt_teardown);
}
