/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * asm-config/x86_64/inverse.h against libcrypto: random and extreme moduli and
 * numbers; what has no inverse must do no harm.
 */
#include <openssl/bn.h>

#include "asm-config/x86_64/inverse.h"
#include "wntest.h"

static void invert(uint64_t *out, const uint64_t *a, const uint64_t *m, int bits, int public)
{
    if (bits == 256)
        wn_inverse(out, a, m, 256, public);
    else if (bits == 384)
        wn_inverse(out, a, m, 384, public);
    else
        wn_inverse(out, a, m, 521, public);
}

static void set_modulus(BIGNUM *m, int bits, int i)
{
    if (i % 3 == 0) {
        BN_rand(m, bits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ODD);
        return;
    }
    BN_one(m);                          /* 2^bits - odd */
    BN_lshift(m, m, bits);
    BN_sub_word(m, i % 3 == 1 ? 1 : (BN_ULONG)(2 * i + 1));
}

static void set_number(BIGNUM *a, const BIGNUM *m, int bits, int i)
{
    switch (i % 5) {
    case 0:
        BN_set_word(a, (BN_ULONG)(i / 5));
        break;
    case 1:
        BN_copy(a, m);
        BN_sub_word(a, (BN_ULONG)(i / 5 + 1));
        break;
    case 2:
        BN_one(a);
        BN_lshift(a, a, i % bits);
        break;
    case 3:
        BN_rand(a, 1 + i % (bits - 1), BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY);
        break;
    default:
        BN_rand_range(a, m);
    }
}

static void test_inverse(void **state)
{
    static const int sizes[] = { 256, 384, 521 };
    BIGNUM *m = BN_new(), *a = BN_new(), *want = BN_new(), *got = BN_new();
    BN_CTX *bn = BN_CTX_new();
    int bits, words, i, public;
    size_t k;

    (void)state;
    for (k = 0; k < 3; k++) {
        bits = sizes[k];
        words = (bits + 63) / 64;
        for (i = 0; i < 3000; i++) {
            uint64_t mw[9], aw[9], out[9];

            set_modulus(m, bits, i);
            set_number(a, m, bits, i);
            BN_nnmod(a, a, m, bn);
            BN_bn2lebinpad(m, (unsigned char *)mw, 8 * words);
            BN_bn2lebinpad(a, (unsigned char *)aw, 8 * words);
            if (BN_is_zero(a))
                BN_zero(want);
            else if (BN_mod_inverse(want, a, m, bn) == NULL)
                continue;               /* not coprime: whatever comes out */
            for (public = 0; public < 2; public++) {
                invert(out, aw, mw, bits, public);
                BN_lebin2bn((unsigned char *)out, 8 * words, got);
                assert_int_equal(BN_cmp(got, want), 0);
            }
        }
    }
    ERR_clear_error();
    BN_free(m), BN_free(a), BN_free(want), BN_free(got);
    BN_CTX_free(bn);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_inverse) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
