/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TLS records of CBC ciphers ("tls-version", "tls-mac-size"): what wolfnano
 * makes of a record against what the default provider makes of it, for every
 * padding byte, length, version and MAC size, right and wrong.
 */
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/prov_ssl.h>

#include "ciphers.h"

#define MAX_RECORD 1200

static const unsigned versions[] = {
    SSL3_VERSION, TLS1_VERSION, TLS1_1_VERSION, TLS1_2_VERSION, DTLS1_VERSION, DTLS1_2_VERSION,
    DTLS1_BAD_VER
};
#define N_VERSIONS (sizeof(versions) / sizeof(versions[0]))
static const char *const names[] = { "AES-128-CBC", "AES-256-CBC", "DES-EDE3-CBC" };
#define N_NAMES (sizeof(names) / sizeof(names[0]))

static const unsigned char key[32] = { 1, 2, 3, 4 }, iv[16] = { 5, 6, 7 };

static int has_explicit_iv(unsigned version)
{
    return version != SSL3_VERSION && version != TLS1_VERSION;
}

/* Sets key, direction and record parameters on a context. */
static void open_record(EVP_CIPHER_CTX *ctx, EVP_CIPHER *c, int enc, unsigned version,
                        size_t macsize)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_TLS_VERSION, &version),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_TLS_MAC_SIZE, &macsize),
        OSSL_PARAM_END
    };

    wnt_ok(EVP_CipherInit_ex2(ctx, c, key, iv, enc, NULL));
    wnt_ok(EVP_CIPHER_CTX_set_params(ctx, params));
}

static const unsigned char *mac_of(EVP_CIPHER_CTX *ctx, size_t macsize)
{
    unsigned char *mac = NULL;
    OSSL_PARAM params[] = {
        OSSL_PARAM_octet_ptr(OSSL_CIPHER_PARAM_TLS_MAC, &mac, macsize), OSSL_PARAM_END
    };

    wnt_ok(EVP_CIPHER_CTX_get_params(ctx, params));
    assert_int_equal(params[0].return_size, macsize);
    return mac;
}

static void encrypts_as_the_default_does(void **state)
{
    unsigned char w[MAX_RECORD + 64], d[MAX_RECORD + 64];
    struct cipher_pair p;
    size_t i, v, n;
    int wn, dn;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        cipher_pair_open(&p, names[i]);
        for (v = 0; v < N_VERSIONS; v++) {
            open_record(p.w, p.wolf, 1, versions[v], 0);
            open_record(p.d, p.deflt, 1, versions[v], 0);
            for (n = 0; n < 300; n++) {
                wnt_rand_bytes(w, n);
                memcpy(d, w, n);
                wnt_ok(EVP_CipherUpdate(p.w, w, &wn, w, (int)n));
                wnt_ok(EVP_CipherUpdate(p.d, d, &dn, d, (int)n));
                assert_int_equal(wn, dn);
                assert_memory_equal(w, d, wn);
            }
        }
        cipher_pair_close(&p);
    }
    wnt_assert_no_errors();
}

/* A record's plaintext: explicit IV, data, MAC, padding; then CBC by the default. */
struct record {
    unsigned char bytes[MAX_RECORD];
    size_t len, data, macsize;  /* data: its length, without IV and MAC */
    unsigned version;
};

static void build(struct record *r, struct cipher_pair *p, unsigned version, size_t data,
                  size_t macsize, unsigned pad)
{
    size_t body = (has_explicit_iv(version) ? p->block : 0) + data + macsize;

    r->len = body + pad + 1;
    assert_true(r->len <= sizeof(r->bytes) && r->len % p->block == 0);
    r->data = data;
    r->macsize = macsize;
    r->version = version;
    wnt_rand_bytes(r->bytes, body);
    memset(r->bytes + body, (int)pad, pad + 1);
}

static void encrypt(struct record *r, struct cipher_pair *p)
{
    int n;

    EVP_CIPHER_CTX_reset(p->d);
    wnt_ok(EVP_CipherInit_ex2(p->d, p->deflt, key, iv, 1, NULL));
    EVP_CIPHER_CTX_set_padding(p->d, 0);
    wnt_ok(EVP_CipherUpdate(p->d, r->bytes, &n, r->bytes, (int)r->len));
    assert_int_equal(n, r->len);
    EVP_CIPHER_CTX_reset(p->d);
}

/*
 * Decrypts on both sides and compares all they say. real: the MAC in the
 * record; *good: was it handed out? Returns the update's result.
 */
static int decrypt(struct cipher_pair *p, const struct record *r, const unsigned char *real,
                   int *good)
{
    unsigned char w[MAX_RECORD + 64], d[MAX_RECORD + 64];
    const unsigned char *wmac, *dmac;
    int wn = -1, dn = -1, wr, dr;

    memcpy(w, r->bytes, r->len);
    memcpy(d, r->bytes, r->len);
    open_record(p->w, p->wolf, 0, r->version, r->macsize);
    open_record(p->d, p->deflt, 0, r->version, r->macsize);
    wr = EVP_CipherUpdate(p->w, w, &wn, w, (int)r->len);
    if (!wr)
        wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
    wnt_assert_no_errors();
    dr = EVP_CipherUpdate(p->d, d, &dn, d, (int)r->len);
    ERR_clear_error();
    if (wr != dr)
        fail_msg("%s: %d, default %d (version %x, length %zu, MAC %zu)", p->name, wr, dr,
                 r->version, r->len, r->macsize);
    *good = 0;
    if (!wr)
        return 0;
    assert_int_equal(wn, dn);
    assert_memory_equal(w, d, r->len);
    wmac = mac_of(p->w, r->macsize);
    dmac = mac_of(p->d, r->macsize);
    if (r->macsize == 0)
        return 1;
    *good = memcmp(wmac, real, r->macsize) == 0;
    assert_int_equal(*good, memcmp(dmac, real, r->macsize) == 0);
    return 1;
}

/* Every padding byte for which the record is a whole number of blocks. */
static void decrypts_every_padding(void **state)
{
    static const size_t macs[] = { 0, 16, 20, 28, 32, 48, 64 };
    unsigned char mac[64];
    struct cipher_pair p;
    struct record r;
    size_t i, v, m, data, start;
    unsigned pad;
    int good, ok;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        cipher_pair_open(&p, names[i]);
        for (v = 0; v < N_VERSIONS; v++) {
            start = has_explicit_iv(versions[v]) ? p.block : 0;
            for (m = 0; m < sizeof(macs) / sizeof(macs[0]); m++)
                for (pad = 0; pad < 256; pad++) {
                    data = p.block - (macs[m] + pad + 1) % p.block
                        + p.block * wnt_rand_below(20);
                    if (data % p.block == 0 && wnt_rand_below(2) == 0)
                        data = 0;
                    build(&r, &p, versions[v], data, macs[m], pad);
                    memcpy(mac, r.bytes + start + data, macs[m]);
                    encrypt(&r, &p);
                    ok = decrypt(&p, &r, mac, &good);
                    if (versions[v] == SSL3_VERSION && pad >= p.block)
                        assert_int_equal(good, 0);      /* not minimal */
                    else
                        assert_int_equal(macs[m] == 0 ? ok : good, 1);
                }
        }
        cipher_pair_close(&p);
    }
    wnt_assert_no_errors();
}

/* One wrong byte anywhere in the padding, the length byte included. */
static void tampered_padding_spoils_the_mac(void **state)
{
    static const size_t macs[] = { 0, 20, 32, 48 };
    unsigned char mac[64], first[64] = { 0 };
    struct cipher_pair p;
    struct record r;
    size_t i, m, data, at;
    unsigned pad;
    int good, ok;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        cipher_pair_open(&p, names[i]);
        for (m = 0; m < 4; m++)
            for (pad = 0; pad < 256; pad += 1 + (unsigned)wnt_rand_below(9)) {
                data = p.block - (macs[m] + pad + 1) % p.block + p.block * wnt_rand_below(3);
                build(&r, &p, TLS1_2_VERSION, data, macs[m], pad);
                memcpy(mac, r.bytes + p.block + data, macs[m]);
                at = r.len - 1 - wnt_rand_below(pad + 1);
                r.bytes[at] ^= (unsigned char)(1u << wnt_rand_below(8));
                encrypt(&r, &p);
                ok = decrypt(&p, &r, mac, &good);
                /* a shorter padding may be right by chance: pad 0 made 0 again */
                assert_int_equal(ok, macs[m] > 0 || ok);
                assert_int_equal(good, 0);
            }
        /* the replacement is not the same twice */
        build(&r, &p, TLS1_2_VERSION, p.block - (32 + 1) % p.block, 32, 0);
        r.bytes[r.len - 1] = 200;
        encrypt(&r, &p);
        decrypt(&p, &r, mac, &good);
        memcpy(first, mac_of(p.w, 32), 32);
        decrypt(&p, &r, mac, &good);
        assert_memory_not_equal(first, mac_of(p.w, 32), 32);
        cipher_pair_close(&p);
    }
    wnt_assert_no_errors();
}

/* Lengths 0, 1, 2 blocks with any bytes: too short, underflowing, nonsense. */
static void short_and_random_records(void **state)
{
    static const size_t macs[] = { 0, 10, 16, 20, 64, 65, 1000 };
    struct cipher_pair p;
    struct record r = { .len = 0 };
    size_t i, m, round;
    int good;

    (void)state;
    for (i = 0; i < N_NAMES; i++) {
        cipher_pair_open(&p, names[i]);
        for (m = 0; m < sizeof(macs) / sizeof(macs[0]); m++)
            for (round = 0; round < 400; round++) {
                unsigned char none[1000] = { 0 };

                r.version = versions[wnt_rand_below(N_VERSIONS)];
                r.macsize = macs[m];
                /* without its explicit IV a record makes the default run away */
                r.len = p.block * ((size_t)has_explicit_iv(r.version) + wnt_rand_below(8));
                wnt_rand_bytes(r.bytes, sizeof(r.bytes));
                encrypt(&r, &p);
                decrypt(&p, &r, none, &good);
            }
        r.version = TLS1_2_VERSION;
        r.len = 0;
        open_record(p.w, p.wolf, 0, r.version, 20);
        assert_int_equal(EVP_CipherUpdate(p.w, r.bytes, &good, r.bytes, 0), 0);
        wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
        cipher_pair_close(&p);
    }
    wnt_assert_no_errors();
}

static void update_fails(EVP_CIPHER_CTX *ctx, unsigned char *out, const unsigned char *in, int n)
{
    int got;

    assert_int_equal(EVP_CipherUpdate(ctx, out, &got, in, n), 0);
    wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
}

static void misuse(void **state)
{
    unsigned char buf[200] = { 0 }, other[200];
    EVP_CIPHER *c = EVP_CIPHER_fetch(wnt_wolf(), "AES-128-CBC", NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    int n, enc;

    (void)state;
    for (enc = 0; enc < 2; enc++) {
        open_record(ctx, c, enc, TLS1_2_VERSION, 20);
        update_fails(ctx, other, buf, 64);              /* not in place */
        update_fails(ctx, NULL, NULL, 64);
        assert_int_equal(EVP_CipherFinal_ex(ctx, buf, &n), 0);
        wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
        if (!enc)
            update_fails(ctx, buf, buf, 63);            /* no whole blocks */
        EVP_CIPHER_CTX_set_padding(ctx, 0);
        update_fails(ctx, buf, buf, 64);
        EVP_CIPHER_CTX_set_padding(ctx, 1);
    }
    open_record(ctx, c, 0, TLS1_3_VERSION, 20);
    update_fails(ctx, buf, buf, 64);
    /* and back to plain CBC */
    open_record(ctx, c, 1, 0, 0);
    wnt_ok(EVP_CipherUpdate(ctx, other, &n, buf, 20));
    assert_int_equal(n, 16);
    wnt_ok(EVP_CipherFinal_ex(ctx, other + 16, &n));
    assert_int_equal(n, 16);
    EVP_CIPHER_CTX_free(ctx);
    EVP_CIPHER_free(c);
    wnt_assert_no_errors();
}

/* The MAC survives duplication and the original. */
static void duplicate_keeps_the_mac(void **state)
{
    EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();
    unsigned char mac[20];
    struct cipher_pair p;
    struct record r;
    int good;

    (void)state;
    cipher_pair_open(&p, "AES-256-CBC");
    build(&r, &p, TLS1_2_VERSION, 100, 20, 7);
    memcpy(mac, r.bytes + 16 + 100, 20);
    encrypt(&r, &p);
    assert_int_equal(decrypt(&p, &r, mac, &good), 1);
    wnt_ok(EVP_CIPHER_CTX_copy(copy, p.w));
    EVP_CIPHER_CTX_reset(p.w);
    assert_memory_equal(mac_of(copy, 20), mac, 20);
    EVP_CIPHER_CTX_free(copy);
    cipher_pair_close(&p);
    wnt_assert_no_errors();
}

/* A stream cipher has no padding: the MAC is simply the end of the record. */
static void stream_records(void **state)
{
    unsigned char w[100] = { 0 }, d[100] = { 0 };
    struct cipher_pair p;
    int wn, dn;

    (void)state;
    cipher_pair_open(&p, "AES-128-CTR");
    open_record(p.w, p.wolf, 0, TLS1_2_VERSION, 20);
    open_record(p.d, p.deflt, 0, TLS1_2_VERSION, 20);
    wnt_ok(EVP_CipherUpdate(p.w, w, &wn, w, 100));
    wnt_ok(EVP_CipherUpdate(p.d, d, &dn, d, 100));
    assert_int_equal(wn, 80);
    assert_int_equal(dn, 80);
    assert_memory_equal(w, d, 100);
    assert_memory_equal(mac_of(p.w, 20), mac_of(p.d, 20), 20);
    assert_int_equal(EVP_CipherUpdate(p.w, w, &wn, w, 19), 0);
    wnt_assert_prov_error(PROV_R_CIPHER_OPERATION_FAILED);
    cipher_pair_close(&p);
    wnt_assert_no_errors();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encrypts_as_the_default_does),
        cmocka_unit_test(decrypts_every_padding),
        cmocka_unit_test(tampered_padding_spoils_the_mac),
        cmocka_unit_test(short_and_random_records),
        cmocka_unit_test(misuse),
        cmocka_unit_test(duplicate_keeps_the_mac),
        cmocka_unit_test(stream_records),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
