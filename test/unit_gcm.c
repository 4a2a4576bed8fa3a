/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lengths above 4 GiB in the form of GCM that builds on wolfCrypt's streaming
 * functions, which count in 32 bits. Messages of a few hundred bytes are made to
 * look longer; the expected tag comes from hashing the block of lengths as data
 * (SP 800-38D section 7.1, steps 5 and 6). Also the limits of section 5.2.1.1.
 */
#include <string.h>

#include "algs/gcm.h"
#include "wntest.h"

#define TEXT 400

static const struct wn_prov prov;       /* no error is raised here */

static void put_be64(unsigned char *p, uint64_t v)
{
    int i;

    for (i = 7; i >= 0; i--, v >>= 8)
        p[i] = (unsigned char)v;
}

/* GHASH value and E(J0), as wolfCrypt's streaming state has them. */
static void expected_tag(Aes *aes, uint64_t aad_len, uint64_t len, unsigned char plain[16],
                         unsigned char reversed[16])
{
    unsigned char lengths[16], *ek0 = aes->streamData, *y = aes->streamData + 32;
    int i;

    put_be64(lengths, aad_len * 8);
    put_be64(lengths + 8, len * 8);
    aes->aSz = aes->cSz = 0;
    assert_int_equal(wc_AesGcmDecryptUpdate(aes, NULL, NULL, 0, lengths, 16), 0);
    for (i = 0; i < 16; i++) {
        plain[i] = (unsigned char)(y[i] ^ ek0[i]);
        reversed[i] = (unsigned char)(y[15 - i] ^ ek0[i]);
    }
}

static void one(size_t keylen, size_t aadlen, size_t n, uint64_t more_aad, uint64_t more)
{
    static union wn_gcm_state g, h;
    unsigned char key[32], iv[12], aad[TEXT], in[TEXT], out[TEXT] = { 0 }, junk[TEXT];
    unsigned char tag[16], plain[16], reversed[16], *right;
    size_t padded_aad = (aadlen + 15) / 16 * 16, padded = (n + 15) / 16 * 16;

    wnt_rand_bytes(key, sizeof(key));
    wnt_rand_bytes(iv, sizeof(iv));
    memset(aad, 0, sizeof(aad));
    wnt_rand_bytes(aad, aadlen);
    wnt_rand_bytes(in, n);
    wnt_ok(wn_gcm_set_key(&prov, &g, key, keylen));
    h = g;
    wnt_ok(wn_gcm_start(&prov, &g, iv, sizeof(iv)));
    wnt_ok(wn_gcm_aad(&g, aad, aadlen));
    wnt_ok(wn_gcm_crypt(&g, 1, out, in, n));
    g.soft.aad_len += more_aad;
    g.soft.len += more;
    wnt_ok(wn_gcm_tag(&g, tag));
    /* the same GHASH input, completed with zeros by hand */
    wnt_ok(wn_gcm_start(&prov, &h, iv, sizeof(iv)));
    wnt_ok(wn_gcm_aad(&h, aad, padded_aad));
    wnt_ok(wn_gcm_crypt(&h, 0, junk, out, padded));
    expected_tag(&h.soft.aes, aadlen + more_aad, n + more, plain, reversed);
    right = memcmp(tag, plain, 16) == 0 ? plain : reversed;
    assert_memory_equal(tag, right, 16);
    /* and decryption accepts that tag and no other */
    wnt_ok(wn_gcm_start(&prov, &g, iv, sizeof(iv)));
    wnt_ok(wn_gcm_aad(&g, aad, aadlen));
    wnt_ok(wn_gcm_crypt(&g, 0, junk, out, n));
    assert_memory_equal(junk, in, n);
    g.soft.aad_len += more_aad;
    g.soft.len += more;
    h = g;
    wnt_ok(wn_gcm_check(&g, tag, 16));
    tag[wnt_rand_below(16)] ^= 1;
    assert_int_equal(wn_gcm_check(&h, tag, 16), 0);
}

static void long_lengths(void **state)
{
    static const size_t keylens[] = { 16, 24, 32 };
    int i;

    (void)state;
    for (i = 0; i < 300; i++) {
        size_t aadlen = wnt_rand_below(3) == 0 ? 0 : wnt_rand_below(TEXT);
        size_t n = wnt_rand_below(3) == 0 ? 0 : wnt_rand_below(TEXT);
        uint64_t big = (uint64_t)wnt_rand() << 32 | wnt_rand();

        /* multiples of 16, so that open blocks stay where they are */
        one(keylens[i % 3], aadlen, n, aadlen == 0 ? 0 : (big & 0xffffffffff0),
            n == 0 ? 0 : (big >> 20 & 0xffffffff0));
        one(keylens[i % 3], aadlen, n, 0, 0);
    }
}

static void limits(void **state)
{
    static union wn_gcm_state g;
    unsigned char buf[64] = { 0 };

    (void)state;
    wnt_ok(wn_gcm_set_key(&prov, &g, buf, 16));
    wnt_ok(wn_gcm_start(&prov, &g, buf, 12));
    g.soft.aad_len = (UINT64_C(1) << 61) - 33;
    assert_int_equal(wn_gcm_aad(&g, buf, 33), 0);
    wnt_ok(wn_gcm_aad(&g, buf, 32));
    assert_int_equal(wn_gcm_aad(&g, buf, 1), 0);
    g.soft.len = (UINT64_C(1) << 36) - 64;
    assert_int_equal(wn_gcm_crypt(&g, 1, buf, buf, 33), 0);
    wnt_ok(wn_gcm_crypt(&g, 1, buf, buf, 32));
    assert_int_equal(wn_gcm_crypt(&g, 1, buf, buf, 1), 0);
    wnt_ok(wn_gcm_crypt(&g, 1, buf, buf, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_lengths),
        cmocka_unit_test(limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
