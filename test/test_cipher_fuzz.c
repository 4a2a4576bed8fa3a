/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Both sides through the same random calls: initialisations with and without
 * key and IV, updates of any length at any alignment, in place where that is
 * allowed, EVP_Cipher(), final, padding on and off, duplicates in mid-stream.
 * After each call return value, output, IV, "num" and, on failure, the reason
 * must agree. Keys and IVs are often all ones or nearly wrap.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>

#include "ciphers.h"

#define MAX_LEN 3000
#define SLACK 64

struct run {
    struct cipher_pair p;
    unsigned char key[64], iv[16];
    unsigned char in[MAX_LEN + SLACK], wout[MAX_LEN + 3 * SLACK], dout[MAX_LEN + 3 * SLACK];
    size_t buffered;            /* bytes an update left behind, upper bound: in place? */
    int enc, padded;
    int fresh;                  /* nothing processed since init */
};

static void random_bytes(unsigned char *p, size_t n)
{
    wnt_rand_bytes(p, n);
    switch (wnt_rand_below(8)) {
    case 0:
        memset(p, 0xff, n);
        break;
    case 1:
        memset(p, 0, n);
        break;
    case 2:                     /* a counter about to carry, far */
        if (n > 1)
            memset(p + 1, 0xff, n - 1);
        break;
    case 3:
        if (n > 4)
            memset(p + n - 4, 0xff, 4);
        break;
    }
}

static size_t random_length(void)
{
    switch (wnt_rand_below(5)) {
    case 0:
        return wnt_rand_below(MAX_LEN);
    case 1:
        return 16 * wnt_rand_below(MAX_LEN / 16);
    case 2:
        return wnt_rand_below(300);
    default:
        return wnt_rand_below(50);
    }
}

/* Results equal, no error on success, and the same reason on failure (where the
 * default provider gives one). */
static void same_result(const struct run *r, const char *call, int w, unsigned long we, int d,
                        unsigned long de)
{
    if (w != d)
        fail_msg("%s %s (%s): %d, default %d", r->p.name, call, r->enc ? "enc" : "dec", w, d);
    if (w > 0)
        assert_int_equal(we, 0);
    else if (ERR_GET_LIB(de) == ERR_LIB_PROV && ERR_GET_REASON(we) != ERR_GET_REASON(de))
        fail_msg("%s %s: reason %d, default %d", r->p.name, call, ERR_GET_REASON(we),
                 ERR_GET_REASON(de));
}

static void same_state(const struct run *r)
{
    unsigned char iv[2][2][16] = { 0 };
    int num[2], i;

    for (i = 0; i < 2; i++) {
        EVP_CIPHER_CTX *ctx = i == 0 ? r->p.w : r->p.d;

        wnt_ok(EVP_CIPHER_CTX_get_updated_iv(ctx, iv[i][0], 16));
        wnt_ok(EVP_CIPHER_CTX_get_original_iv(ctx, iv[i][1], 16));
        num[i] = EVP_CIPHER_CTX_get_num(ctx);
        if (i == 0)
            wnt_assert_no_errors();
        ERR_clear_error();      /* 3.5's default leaves some */
    }
    assert_memory_equal(iv[0], iv[1], sizeof(iv[0]));
    assert_int_equal(num[0], num[1]);
}

/* with: 1 key, 2 IV. The direction changes only along with a key. */
static void init(struct run *r, unsigned with)
{
    OSSL_PARAM cts[2] = { OSSL_PARAM_END, OSSL_PARAM_END };
    static const char *const modes[] = { "CS1", "cs2", "CS3" };
    const unsigned char *key = with & 1 ? r->key : NULL, *iv = with & 2 ? r->iv : NULL;
    unsigned long e;
    int w, d;

    if (with & 1) {
        random_bytes(r->key, r->p.keylen);
        if (memcmp(r->key, r->key + r->p.keylen / 2, r->p.keylen / 2) == 0)
            r->key[0] ^= 1;     /* XTS takes no twins */
        r->enc = (int)wnt_rand_below(2);
    }
    if (with & 2)
        random_bytes(r->iv, r->p.ivlen);
    if (r->p.cts && wnt_rand_below(2) == 0)
        cts[0] = OSSL_PARAM_construct_utf8_string(OSSL_CIPHER_PARAM_CTS_MODE,
                                                  (char *)modes[wnt_rand_below(3)], 0);
    w = EVP_CipherInit_ex2(r->p.w, NULL, key, iv, r->enc, cts);
    e = cipher_take_error();
    d = EVP_CipherInit_ex2(r->p.d, NULL, key, iv, r->enc, cts);
    same_result(r, "init", w, e, d, cipher_take_error());
    r->fresh = 1;
}

static void start(struct run *r)
{
    wnt_ok(EVP_CipherInit_ex2(r->p.w, r->p.wolf, NULL, NULL, 1, NULL));
    wnt_ok(EVP_CipherInit_ex2(r->p.d, r->p.deflt, NULL, NULL, 1, NULL));
    EVP_CIPHER_CTX_set_flags(r->p.w, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    init(r, 3);
    r->padded = 1;
}

static void set_padding(struct run *r)
{
    r->padded = (int)wnt_rand_below(2);
    assert_int_equal(EVP_CIPHER_CTX_set_padding(r->p.w, r->padded),
                     EVP_CIPHER_CTX_set_padding(r->p.d, r->padded));
    ERR_clear_error();
}

/* In place only where no output overtakes input that is still to be read. */
static int may_be_in_place(const struct run *r, size_t n)
{
    return r->p.block == 1 || r->p.cts || r->p.mode == EVP_CIPH_WRAP_MODE
        || (r->fresh && n > 0);
}

/* via: EVP_CipherUpdate or EVP_Cipher; 0 once the context needs a new init. */
static int update(struct run *r, int via_update)
{
    size_t n = random_length(), at = wnt_rand_below(32), to = wnt_rand_below(32);
    unsigned char *wout = r->wout + to, *dout = r->dout + to;
    const unsigned char *win = r->in + at, *din = win;
    int w, d, wn = 0, dn = 0;
    unsigned long e;

    if (r->p.mode == EVP_CIPH_WRAP_MODE && wnt_rand_below(2) == 0)
        n &= ~(size_t)7;
    if (!via_update)
        n -= n % r->p.block;    /* the rest is for test_cipher.c */
    if (strstr(r->p.name, "CFB1") != NULL)
        n %= 200;               /* eight blocks a byte */
    wnt_rand_bytes(r->in, sizeof(r->in));
    memset(r->wout, 0xa5, sizeof(r->wout));
    memset(r->dout, 0xa5, sizeof(r->dout));
    if (may_be_in_place(r, n) && wnt_rand_below(2) == 0) {
        memcpy(wout, win, n);
        memcpy(dout, din, n);
        win = wout;
        din = dout;
    }
    if (via_update) {
        w = EVP_CipherUpdate(r->p.w, wout, &wn, win, (int)n);
        e = cipher_take_error();
        d = EVP_CipherUpdate(r->p.d, dout, &dn, din, (int)n);
    } else {
        w = wn = EVP_Cipher(r->p.w, wout, win, (unsigned)n);
        e = cipher_take_error();
        d = dn = EVP_Cipher(r->p.d, dout, din, (unsigned)n);
    }
    same_result(r, via_update ? "update" : "EVP_Cipher", w, e, d, cipher_take_error());
    r->fresh = 0;
    if (w <= 0)
        return n == 0;
    assert_int_equal(wn, dn);
    assert_memory_equal(wout, dout, wn);
    /* what lies behind the output is untouched (nothing, if in place) */
    if (win != wout && r->p.mode != EVP_CIPH_WRAP_MODE)
        for (; wn < (int)n + SLACK; wn++)
            assert_int_equal(wout[wn], 0xa5);
    same_state(r);
    return 1;
}

static int final(struct run *r)
{
    int w, d, wn = 0, dn = 0;
    unsigned long e;

    memset(r->wout, 0xa5, SLACK);
    w = EVP_CipherFinal_ex(r->p.w, r->wout, &wn);
    e = cipher_take_error();
    d = EVP_CipherFinal_ex(r->p.d, r->dout, &dn);
    same_result(r, "final", w, e, d, cipher_take_error());
    if (!w)
        return 0;
    assert_int_equal(wn, dn);
    assert_memory_equal(r->wout, r->dout, wn);
    same_state(r);
    return 1;
}

static void duplicate(struct run *r)
{
    EVP_CIPHER_CTX *w = EVP_CIPHER_CTX_new(), *d = EVP_CIPHER_CTX_new();
    int n;

    wnt_ok(EVP_CIPHER_CTX_copy(w, r->p.w));
    wnt_ok(EVP_CIPHER_CTX_copy(d, r->p.d));
    EVP_CipherUpdate(r->p.w, r->wout, &n, r->in, 160);  /* must not matter to w */
    ERR_clear_error();
    EVP_CIPHER_CTX_free(r->p.w);
    EVP_CIPHER_CTX_free(r->p.d);
    r->p.w = w;
    r->p.d = d;
}

static void step(struct run *r)
{
    int usable = 1;

    switch (wnt_rand_below(12)) {
    case 0:
        init(r, 3);
        break;
    case 1:
        init(r, (unsigned)wnt_rand_below(4));
        break;
    case 2:
        usable = final(r);
        break;
    case 3:
        set_padding(r);
        break;
    case 4:
        duplicate(r);
        break;
    case 5:
        /* its own word on a one-shot's second call is none of the default's */
        usable = r->p.cts || r->p.mode == EVP_CIPH_WRAP_MODE || update(r, 0);
        break;
    default:
        usable = update(r, 1);
        break;
    }
    if (!usable)
        init(r, 3);
}

static void lockstep(void **state)
{
    struct run *r = calloc(1, sizeof(*r));
    size_t i, round;

    (void)state;
    for (i = 0; i < n_ciphers; i++) {
        cipher_pair_open(&r->p, cipher_names[i]);
        start(r);
        for (round = 0; round < 1000; round++)
            step(r);
        cipher_pair_close(&r->p);
        wnt_assert_no_errors();
    }
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lockstep),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
