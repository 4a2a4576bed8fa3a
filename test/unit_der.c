/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The DER writer and reader: round trips, lengths around the header sizes, and
 * every truncation and non-shortest form refused. */
#include <stdlib.h>
#include <string.h>

#include "provider/der.h"
#include "wntest.h"

static void integers(void **state)
{
    static const struct {
        unsigned char in[4];
        size_t n;
        unsigned char out[8];
        size_t out_n;
    } cases[] = {
        { { 0 }, 0, { 2, 1, 0 }, 3 },
        { { 0, 0 }, 2, { 2, 1, 0 }, 3 },
        { { 0x7f }, 1, { 2, 1, 0x7f }, 3 },
        { { 0x80 }, 1, { 2, 2, 0, 0x80 }, 4 },
        { { 0, 1, 2 }, 3, { 2, 2, 1, 2 }, 4 },
    };
    unsigned char buf[16];
    struct wn_der_w w;
    struct wn_der_r r;
    const unsigned char *be;
    size_t i, n;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        wn_der_w_init(&w, buf, sizeof(buf));
        wn_der_w_integer(&w, cases[i].in, cases[i].n);
        assert_int_equal(w.n, cases[i].out_n);
        assert_memory_equal(wn_der_w_start(&w), cases[i].out, w.n);
        r.p = cases[i].out;
        r.n = cases[i].out_n;
        assert_int_equal(wn_der_r_integer(&r, &be, &n), 1);
        assert_int_equal(r.n, 0);
    }
}

static void bad_integers(void **state)
{
    static const unsigned char cases[][8] = {
        { 2, 0 }, { 2, 1, 0x80 }, { 2, 2, 0, 0x7f }, { 2, 0x81, 1, 5 }, { 2, 0x82, 0, 1, 5 },
        { 2, 0x80, 5, 0, 0 }, { 2, 3, 1, 2 }, { 3, 1, 0 }, { 2, 0xff, 1 },
    };
    static const size_t sizes[] = { 2, 3, 4, 4, 5, 5, 4, 3, 3 };
    const unsigned char *be;
    size_t i, n;

    (void)state;
    for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct wn_der_r r = { cases[i], sizes[i] };

        assert_int_equal(wn_der_r_integer(&r, &be, &n), 0);
        assert_ptr_equal(r.p, cases[i]);        /* did not move */
        assert_int_equal(r.n, sizes[i]);
    }
}

static void oids(void **state)
{
    static const struct {
        const char *dotted;
        unsigned char out[16];
        size_t n;
    } cases[] = {
        { "0.0", { 6, 1, 0 }, 3 },
        { "1.2.840.113549", { 6, 6, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d }, 8 },
        { "2.16.840.1.101.3.4.3.18",
          { 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 0x12 }, 11 },
        { "2.999.127.128", { 6, 5, 0x88, 0x37, 0x7f, 0x81, 0 }, 7 },
    };
    static const char *const bad[] = {
        "", "1", "1.", ".1", "1..2", "3.1", "1.40", "1.2x", "1.2 ", "1.-2",
        "1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18.19.20.21",
    };
    unsigned char buf[40];
    struct wn_der_w w;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        wn_der_w_init(&w, buf, sizeof(buf));
        wn_der_w_oid(&w, cases[i].dotted);
        assert_int_equal(w.n, cases[i].n);
        assert_memory_equal(wn_der_w_start(&w), cases[i].out, w.n);
    }
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        wn_der_w_init(&w, buf, sizeof(buf));
        wn_der_w_oid(&w, bad[i]);
        assert_null(wn_der_w_start(&w));
    }
}

static void lengths(void **state)
{
    static const size_t sizes[] = { 0, 1, 127, 128, 255, 256, 65535, 65536 };
    size_t i, k;

    (void)state;
    for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        unsigned char *data = calloc(1, sizes[i] + 1), *buf = malloc(sizes[i] + 32), *start;
        struct wn_der_w w;
        struct wn_der_r r, in, octets;

        wn_der_w_init(&w, NULL, 0);
        wn_der_w_octets(&w, WN_DER_OCTET_STRING, data, sizes[i]);
        wn_der_w_wrap(&w, WN_DER_SEQUENCE, 0);
        k = w.n;                                /* counted without a buffer */
        wn_der_w_init(&w, buf, k);
        wn_der_w_octets(&w, WN_DER_OCTET_STRING, data, sizes[i]);
        wn_der_w_wrap(&w, WN_DER_SEQUENCE, 0);
        start = wn_der_w_start(&w);
        assert_ptr_equal(start, buf);
        r.p = start;
        r.n = k;
        assert_int_equal(wn_der_r_enter(&r, WN_DER_SEQUENCE, &in), 1);
        assert_int_equal(wn_der_r_enter(&in, WN_DER_OCTET_STRING, &octets), 1);
        assert_int_equal(octets.n, sizes[i]);
        assert_int_equal(wn_der_r_peek(&r), -1);
        r.p = start;
        r.n = k - 1;
        assert_int_equal(wn_der_r_enter(&r, WN_DER_SEQUENCE, &in), 0);
        wn_der_w_init(&w, buf, k - 1);          /* one byte short */
        wn_der_w_octets(&w, WN_DER_OCTET_STRING, data, sizes[i]);
        wn_der_w_wrap(&w, WN_DER_SEQUENCE, 0);
        assert_null(wn_der_w_start(&w));
        free(data);
        free(buf);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(bad_integers),
        cmocka_unit_test(oids),
        cmocka_unit_test(lengths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
