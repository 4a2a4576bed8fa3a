/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signatures of messages above 4 GiB, of which wolfCrypt is told in pieces of 1 GiB
 * (asm-config/wc_long.h); where a scheme does nothing new beyond the first piece, above
 * 1 GiB. The memory is one window mapped again and again, of a size that makes pieces
 * begin at different places in it. EdDSA is compared with the default provider. Of
 * SLH-DSA, which this libcrypto need not know, the first part of a signature is:
 * R = PRF_msg(SK.prf, opt_rand, M) (FIPS 205 section 11), the second hash is compared
 * by pytest/test_signature_long.py.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

#include "provider/compat.h"
#include "wntest.h"

#define WINDOW (((size_t)16 << 20) + 4096)
#define ABOVE_4G (((size_t)4 << 30) + 4567)
#define ABOVE_1G (((size_t)1 << 30) + 4567)

static unsigned char *text;
static size_t room;

static int setup(void **state)
{
    int fd = memfd_create("window", 0);
    uint32_t x = 12345;
    size_t at;

    assert_true(fd >= 0 && ftruncate(fd, (off_t)WINDOW) == 0);
    room = (ABOVE_4G / WINDOW + 1) * WINDOW;
    text = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(text != MAP_FAILED);
    for (at = 0; at < room; at += WINDOW)
        assert_true(mmap(text + at, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0)
                    != MAP_FAILED);
    close(fd);
    for (at = 0; at < WINDOW; at += 4) {
        x = x * 1664525 + 1013904223;
        memcpy(text + at, &x, 4);
    }
    return wnt_setup(state);
}

static int teardown(void **state)
{
    munmap(text, room);
    return wnt_teardown(state);
}

static size_t sign(OSSL_LIB_CTX *lib, EVP_PKEY *key, const OSSL_PARAM *params, size_t n,
                   unsigned char *sig, size_t size)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();

    wnt_ok(EVP_DigestSignInit_ex(ctx, NULL, NULL, lib, NULL, key, params));
    wnt_ok(EVP_DigestSign(ctx, sig, &size, text, n));
    EVP_MD_CTX_free(ctx);
    return size;
}

static int verify(OSSL_LIB_CTX *lib, EVP_PKEY *key, size_t n, const unsigned char *sig, size_t len)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    int ok;

    wnt_ok(EVP_DigestVerifyInit_ex(ctx, NULL, NULL, lib, NULL, key, NULL));
    ok = EVP_DigestVerify(ctx, sig, len, text, n);
    EVP_MD_CTX_free(ctx);
    return ok;
}

/* ---- EdDSA -------------------------------------------------------------------------- */

/* The same signature as the default provider's, good for this length alone. */
static void compare(const char *name, size_t priv_len, size_t n)
{
    unsigned char priv[57] = { 3, 1, 4 }, ours[114], theirs[114];
    EVP_PKEY *a = EVP_PKEY_new_raw_private_key_ex(wnt_wolf(), name, NULL, priv, priv_len);
    EVP_PKEY *b = EVP_PKEY_new_raw_private_key_ex(wnt_default(), name, NULL, priv, priv_len);
    size_t len;

    wnt_assert_wolfnano(EVP_PKEY_get0_provider(a));
    len = sign(wnt_wolf(), a, NULL, n, ours, sizeof(ours));
    assert_int_equal(sign(wnt_default(), b, NULL, n, theirs, sizeof(theirs)), len);
    assert_memory_equal(ours, theirs, len);
    assert_int_equal(verify(wnt_wolf(), a, n, ours, len), 1);
    assert_int_equal(verify(wnt_wolf(), a, n & 0xffff, ours, len), 0);
    EVP_PKEY_free(a);
    EVP_PKEY_free(b);
    wnt_assert_no_errors();
}

static void ed25519(void **state)
{
    (void)state;
    compare("ED25519", 32, ABOVE_4G);
}

static void ed448(void **state)
{
    (void)state;
    compare("ED448", 57, ABOVE_1G);
}

/* ---- SLH-DSA ------------------------------------------------------------------------- */

/* SHAKE256(SK.prf || opt_rand || M') */
static void prf_shake(const unsigned char *prf, const unsigned char *opt, size_t k, size_t n,
                      unsigned char *r)
{
    EVP_MD *md = EVP_MD_fetch(wnt_default(), "SHAKE256", NULL);
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();

    wnt_ok(EVP_DigestInit_ex2(ctx, md, NULL));
    wnt_ok(EVP_DigestUpdate(ctx, prf, k));
    wnt_ok(EVP_DigestUpdate(ctx, opt, k));
    wnt_ok(EVP_DigestUpdate(ctx, "\0", 2));
    wnt_ok(EVP_DigestUpdate(ctx, text, n));
    wnt_ok(EVP_DigestFinalXOF(ctx, r, k));
    EVP_MD_CTX_free(ctx);
    EVP_MD_free(md);
}

/* HMAC-SHA2(SK.prf, opt_rand || M'), its first bytes */
static void prf_hmac(const char *md, const unsigned char *prf, const unsigned char *opt, size_t k,
                     size_t n, unsigned char *r)
{
    OSSL_PARAM params[] = { OSSL_PARAM_utf8_string("digest", (char *)(uintptr_t)md, strlen(md)),
                            OSSL_PARAM_END };
    EVP_MAC *mac = EVP_MAC_fetch(wnt_default(), "HMAC", NULL);
    EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
    unsigned char out[64];
    size_t len;

    wnt_ok(EVP_MAC_init(ctx, prf, k, params));
    wnt_ok(EVP_MAC_update(ctx, opt, k));
    wnt_ok(EVP_MAC_update(ctx, (const unsigned char *)"\0", 2));
    wnt_ok(EVP_MAC_update(ctx, text, n));
    wnt_ok(EVP_MAC_final(ctx, out, &len, sizeof(out)));
    memcpy(r, out, k);
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_free(mac);
}

static EVP_PKEY *slhdsa_key(const char *name, size_t k, unsigned char *priv)
{
    unsigned char seed[72] = { 2, 7, 1 };
    OSSL_PARAM params[] = { OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_SLH_DSA_SEED, seed, 3 * k),
                            OSSL_PARAM_END };
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), name, NULL);
    EVP_PKEY *key = NULL;
    size_t len;

    wnt_ok(EVP_PKEY_keygen_init(ctx));
    wnt_ok(EVP_PKEY_CTX_set_params(ctx, params));
    wnt_ok(EVP_PKEY_generate(ctx, &key));
    EVP_PKEY_CTX_free(ctx);
    wnt_assert_wolfnano(EVP_PKEY_get0_provider(key));
    wnt_ok(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PRIV_KEY, priv, 4 * k, &len));
    assert_int_equal(len, 4 * k);
    return key;
}

/* k: "n" of FIPS 205; md: that of HMAC, NULL for SHAKE */
static void slhdsa(const char *name, size_t k, const char *md, size_t n)
{
    static unsigned char sig[35664];
    int deterministic = 1;
    OSSL_PARAM params[] = { OSSL_PARAM_int(OSSL_SIGNATURE_PARAM_DETERMINISTIC, &deterministic),
                            OSSL_PARAM_END };
    unsigned char priv[96], r[24];
    EVP_PKEY *key = slhdsa_key(name, k, priv);
    size_t len = sign(wnt_wolf(), key, params, n, sig, sizeof(sig));

    assert_int_equal(len, EVP_PKEY_get_size(key));
    if (md == NULL)
        prf_shake(priv + k, priv + 2 * k, k, n, r);
    else
        prf_hmac(md, priv + k, priv + 2 * k, k, n, r);
    assert_memory_equal(sig, r, k);
    assert_int_equal(verify(wnt_wolf(), key, n, sig, len), 1);
    assert_int_equal(verify(wnt_wolf(), key, n & 0xffff, sig, len), 0);
    EVP_PKEY_free(key);
    wnt_assert_no_errors();
}

static void slhdsa_shake(void **state)
{
    (void)state;
    slhdsa("SLH-DSA-SHAKE-128f", 16, NULL, ABOVE_1G);
}

static void slhdsa_sha256(void **state)
{
    (void)state;
    slhdsa("SLH-DSA-SHA2-128f", 16, "SHA256", ABOVE_4G);
}

static void slhdsa_sha512(void **state)
{
    (void)state;
    slhdsa("SLH-DSA-SHA2-192f", 24, "SHA512", ABOVE_1G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ed25519),      cmocka_unit_test(ed448),
        cmocka_unit_test(slhdsa_shake), cmocka_unit_test(slhdsa_sha256),
        cmocka_unit_test(slhdsa_sha512),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
