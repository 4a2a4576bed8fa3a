/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EVP_MD through libcrypto: the served digests against the default provider,
 * in random pieces, duplicated mid-stream, re-initialised. */
#include <string.h>

#include "wntest.h"

static const char *const names[] = { "SHA1", "SHA2-224", "SHA2-256", "SHA2-384", "SHA2-512" };

static void agrees_with_default(void **state)
{
    unsigned char in[4096], ours[EVP_MAX_MD_SIZE], theirs[EVP_MAX_MD_SIZE];
    size_t i, round;

    (void)state;
    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        EVP_MD *w = EVP_MD_fetch(wnt_wolf(), names[i], NULL);
        EVP_MD *d = EVP_MD_fetch(wnt_default(), names[i], NULL);
        EVP_MD_CTX *ctx = EVP_MD_CTX_new(), *copy = EVP_MD_CTX_new();

        assert_non_null(w);
        wnt_assert_wolfnano(EVP_MD_get0_provider(w));
        assert_int_equal(EVP_MD_get_size(w), EVP_MD_get_size(d));
        assert_int_equal(EVP_MD_get_block_size(w), EVP_MD_get_block_size(d));
        assert_int_equal(EVP_MD_get_flags(w), EVP_MD_get_flags(d));
        for (round = 0; round < 200; round++) {
            size_t n = wnt_rand_below(sizeof(in)), at = 0, half = wnt_rand_below(n + 1);
            unsigned len = 0;

            wnt_rand_bytes(in, n);
            wnt_ok(EVP_DigestInit_ex2(ctx, w, NULL));
            while (at < half) {
                size_t piece = 1 + wnt_rand_below(half - at);

                wnt_ok(EVP_DigestUpdate(ctx, in + at, piece));
                at += piece;
            }
            wnt_ok(EVP_MD_CTX_copy_ex(copy, ctx));
            wnt_ok(EVP_DigestUpdate(ctx, "x", 1));
            wnt_ok(EVP_DigestUpdate(copy, in + at, n - at));
            wnt_ok(EVP_DigestFinal_ex(copy, ours, &len));
            assert_int_equal(len, EVP_MD_get_size(d));
            wnt_ok(EVP_Digest(in, n, theirs, NULL, d, NULL));
            assert_memory_equal(ours, theirs, len);
        }
        EVP_MD_CTX_free(ctx);
        EVP_MD_CTX_free(copy);
        EVP_MD_free(w);
        EVP_MD_free(d);
        wnt_assert_no_errors();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_default),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
