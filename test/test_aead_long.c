/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * More than 4 GiB of text, or for CCM of AAD, in one call of the module. (CCM's text
 * comes in one call of EVP and so never has 4 GiB.) The memory is one
 * window mapped again and again, enciphered in place, so that it is enciphered once
 * for each mapping; the expected result comes from the default provider, which does
 * the same to a window of its own, piece by piece (through EVP a piece is less than
 * 2 GiB). CCM cannot be fed piecemeal: there it is put together from the default
 * provider's AES-CBC and AES-CTR (SP 800-38C appendix A).
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <openssl/params.h>

#include "fakecipher.h"
#include "wntest.h"

#define WINDOW ((size_t)16 << 20)
#define MAPPINGS ((size_t)257)
#define LONG (((size_t)4 << 30) + 4567)
#define SHORT ((size_t)12345)

static const unsigned char key[32] = { 7, 1 }, iv[16] = { 6, 2, 9 };
static unsigned char *text, *ref;

/* The window, readable and writable at `mappings` places in a row. */
static unsigned char *map_window(size_t mappings)
{
    int fd = memfd_create("window", 0);
    unsigned char *base;
    size_t i;

    assert_true(fd >= 0 && ftruncate(fd, (off_t)WINDOW) == 0);
    base = mmap(NULL, mappings * WINDOW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                -1, 0);
    assert_true(base != MAP_FAILED);
    for (i = 0; i < mappings; i++)
        assert_true(mmap(base + i * WINDOW, WINDOW, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED);
    close(fd);
    return base;
}

static void fill(unsigned char *window)
{
    uint32_t x = 12345;
    size_t i;

    for (i = 0; i < WINDOW; i += 4) {
        x = x * 1664525 + 1013904223;
        memcpy(window + i, &x, 4);
    }
}

static int setup(void **state)
{
    text = map_window(MAPPINGS);
    ref = map_window(1);
    return wnt_setup(state);
}

static int teardown(void **state)
{
    munmap(text, MAPPINGS * WINDOW);
    munmap(ref, WINDOW);
    return wnt_teardown(state);
}

/* ---- expected ---------------------------------------------------------------------- */

static EVP_CIPHER_CTX *theirs(const char *name, const unsigned char *nonce)
{
    EVP_CIPHER *c = EVP_CIPHER_fetch(wnt_default(), name, NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

    wnt_ok(EVP_EncryptInit_ex2(ctx, c, key, nonce, NULL));
    wnt_ok(EVP_CIPHER_CTX_set_padding(ctx, 0));
    EVP_CIPHER_free(c);
    return ctx;
}

/* n bytes of the reference window, as if it were mapped in a row. */
static void theirs_update(EVP_CIPHER_CTX *ctx, int is_aad, size_t n)
{
    size_t piece;
    int got;

    for (; n > 0; n -= piece) {
        piece = n < WINDOW ? n : WINDOW;
        wnt_ok(EVP_EncryptUpdate(ctx, is_aad ? NULL : ref, &got, ref, (int)piece));
    }
}

static void expect(const char *name, unsigned char tag[16])
{
    EVP_CIPHER_CTX *ctx = theirs(name, iv);
    int got;

    fill(ref);
    if (strcmp(name, "ChaCha20") != 0)
        theirs_update(ctx, 1, SHORT);
    theirs_update(ctx, 0, LONG);
    wnt_ok(EVP_EncryptFinal_ex(ctx, tag, &got));
    if (strcmp(name, "ChaCha20") != 0)
        wnt_ok(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, tag));
    EVP_CIPHER_CTX_free(ctx);
}

struct ccm_ref {
    EVP_CIPHER_CTX *mac, *ctr;
    unsigned char last[16];     /* of the CBC-MAC */
};

/* CBC-MAC over n bytes filled up with zeros. */
static void ccm_mac(struct ccm_ref *r, const unsigned char *in, size_t n)
{
    static unsigned char out[WINDOW + 16];
    unsigned char end[16] = { 0 };
    size_t whole = n - n % 16;
    int got;

    if (whole > 0) {
        wnt_ok(EVP_EncryptUpdate(r->mac, out, &got, in, (int)whole));
        memcpy(r->last, out + whole - 16, 16);
    }
    if (n > whole) {
        memcpy(end, in + whole, n - whole);
        wnt_ok(EVP_EncryptUpdate(r->mac, out, &got, end, 16));
        memcpy(r->last, out, 16);
    }
}

/* B0, and the AAD with its length, of which ten bytes go into the first block. */
static void ccm_head(struct ccm_ref *r)
{
    const size_t aadlen = LONG;
    unsigned char b[32] = { 0x40 | 7 << 3 | 7 };
    size_t n, i, piece;

    memcpy(b + 1, iv, 7);
    for (i = 0, n = SHORT; i < 8; i++, n >>= 8)
        b[15 - i] = (unsigned char)n;
    b[16] = b[17] = 0xff;
    for (i = 0, n = aadlen; i < 8; i++, n >>= 8)
        b[25 - i] = (unsigned char)n;
    memcpy(b + 26, ref, 6);
    ccm_mac(r, b, 32);
    for (n = 6; n < aadlen; n += piece) {
        piece = WINDOW - n % WINDOW < aadlen - n ? WINDOW - n % WINDOW : aadlen - n;
        /* a window less 6 bytes is no whole number of blocks: rotate instead */
        if (piece % 16 != 0 && piece < aadlen - n)
            piece -= piece % 16;
        if (piece == 0) {
            unsigned char seam[16];

            for (i = 0; i < 16; i++)
                seam[i] = ref[(n + i) % WINDOW];
            piece = aadlen - n < 16 ? aadlen - n : 16;
            ccm_mac(r, seam, piece);
        } else {
            ccm_mac(r, ref + n % WINDOW, piece);
        }
    }
}

static void expect_ccm(unsigned char tag[16])
{
    unsigned char ctr0[16] = { 7 }, mask[16] = { 0 };
    struct ccm_ref r;
    int got, i;

    memcpy(ctr0 + 1, iv, 7);
    r.mac = theirs("AES-128-CBC", (const unsigned char[16]){ 0 });
    r.ctr = theirs("AES-128-CTR", ctr0);
    wnt_ok(EVP_EncryptUpdate(r.ctr, mask, &got, mask, 16));
    fill(ref);
    ccm_head(&r);
    ccm_mac(&r, ref, SHORT);
    wnt_ok(EVP_EncryptUpdate(r.ctr, ref, &got, ref, (int)SHORT));
    for (i = 0; i < 16; i++)
        tag[i] = (unsigned char)(r.last[i] ^ mask[i]);
    EVP_CIPHER_CTX_free(r.mac);
    EVP_CIPHER_CTX_free(r.ctr);
}

/* ---- ours ----------------------------------------------------------------------------- */

static struct fake_core fc;

static void encrypt(const char *name, unsigned char tag[16])
{
    OSSL_PARAM set_tag[] = { OSSL_PARAM_octet_string("tag", NULL, 16), OSSL_PARAM_END };
    OSSL_PARAM get_tag[] = { OSSL_PARAM_octet_string("tag", tag, 16), OSSL_PARAM_END };
    struct fake_cipher a;
    size_t len, aadlen, textlen;
    void *ctx;
    int ccm, aead = strcmp(name, "ChaCha20") != 0;

    fake_cipher_find(&fc, &a, name);
    ccm = a.mode == EVP_CIPH_CCM_MODE;
    aadlen = ccm ? LONG : SHORT;
    textlen = ccm ? SHORT : LONG;
    ctx = a.newctx(fc.provctx);
    fill(text);
    if (ccm)
        assert_int_equal(a.set(ctx, set_tag), 1);
    assert_int_equal(a.init[1](ctx, key, a.keylen, iv, ccm ? 7 : a.ivlen, NULL), 1);
    if (ccm)
        assert_int_equal(a.update(ctx, NULL, &len, textlen, NULL, textlen), 1);
    if (aead)
        assert_int_equal(a.update(ctx, NULL, &len, aadlen, text, aadlen), 1);
    assert_int_equal(a.update(ctx, text, &len, textlen, text, textlen), 1);
    assert_true(len == textlen);
    assert_int_equal(a.final(ctx, NULL, &len, 0), 1);
    if (aead)
        assert_int_equal(a.get(ctx, get_tag), 1);
    a.freectx(ctx);
    assert_int_equal(fc.n_reasons, 0);
}

static void compare(const char *name)
{
    unsigned char tag[16] = { 0 }, want[16] = { 0 };

    if (strstr(name, "CCM") != NULL)
        expect_ccm(want);
    else
        expect(name, want);
    fake_init(&fc, "3.0.0");
    assert_int_equal(fake_load(&fc), 1);
    encrypt(name, tag);
    fake_unload(&fc);
    if (strcmp(name, "ChaCha20") != 0)
        assert_memory_equal(tag, want, 16);
    assert_int_equal(memcmp(text, ref, WINDOW), 0);
}

static void gcm(void **state)
{
    (void)state;
    compare("AES-128-GCM");
}

static void ccm(void **state)
{
    (void)state;
    compare("AES-128-CCM");
}

static void chacha20_poly1305(void **state)
{
    (void)state;
    compare("ChaCha20-Poly1305");
}

static void chacha20(void **state)
{
    (void)state;
    compare("ChaCha20");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gcm),
        cmocka_unit_test(ccm),
        cmocka_unit_test(chacha20_poly1305),
        cmocka_unit_test(chacha20),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
