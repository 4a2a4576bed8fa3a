/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * More than 4 GiB in one call, which EVP never asks for (its lengths are int) but
 * a provider is told a size_t: the module on a core of our own, compared with the
 * default provider. The input is zeros that take no memory, the output a window
 * of a few MiB mapped over and over; what stays visible is the end.
 *
 * One mode does it in full; of the others it is the pieces of 1 GiB, as which
 * wolfCrypt gets its input, that might be wrong, and those show sooner.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <openssl/core_names.h>

#include "fakecore.h"
#include "wntest.h"

#define MIB ((size_t)1 << 20)
#define WINDOW (16 * MIB)
#define BEFORE 5                /* bytes in an update of their own, first */
#define TAIL 4096
static const size_t above_4g = ((size_t)4 << 30) + 3 * MIB, above_1g = ((size_t)1 << 30) + 3 * MIB;

static const unsigned char key[32] = { 1, 2, 3 }, iv[16] = { 0xff, 0xff, 0xff, 0xff };

static unsigned char *zeros(size_t total)
{
    void *p = mmap(NULL, total, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    assert_ptr_not_equal(p, MAP_FAILED);
    madvise(p, total, MADV_HUGEPAGE);   /* one huge page of zeros serves all */
    return p;
}

static unsigned char *repeated_window(size_t room)
{
    int fd = memfd_create("window", 0);
    size_t at;
    unsigned char *p = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                            -1, 0);

    assert_true(fd >= 0 && p != MAP_FAILED && ftruncate(fd, (off_t)WINDOW) == 0);
    for (at = 0; at + WINDOW <= room; at += WINDOW)
        assert_ptr_equal(mmap(p + at, WINDOW, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_FIXED | MAP_POPULATE, fd, 0), p + at);
    close(fd);
    return p;
}

/* One update of BEFORE bytes, one of the rest; returns the output's length. */
static size_t in_one_call(const char *name, int enc, const unsigned char *in, size_t total,
                          unsigned char *out)
{
    struct fake_core fc;
    const OSSL_DISPATCH *t;
    OSSL_FUNC_cipher_update_fn *update;
    size_t first = 0, rest = 0;
    void *ctx;
    int id = enc ? OSSL_FUNC_CIPHER_ENCRYPT_INIT : OSSL_FUNC_CIPHER_DECRYPT_INIT;

    fake_init(&fc, "3.0.0");
    assert_int_equal(fake_load(&fc), 1);
    t = fake_algorithm(&fc, OSSL_OP_CIPHER, name);
    update = (OSSL_FUNC_cipher_update_fn *)fake_function(t, OSSL_FUNC_CIPHER_UPDATE);
    ctx = ((OSSL_FUNC_cipher_newctx_fn *)fake_function(t, OSSL_FUNC_CIPHER_NEWCTX))(fc.provctx);
    assert_int_equal(((OSSL_FUNC_cipher_encrypt_init_fn *)fake_function(t, id))(
                         ctx, key, 16, iv, strstr(name, "ECB") == NULL ? 16 : 0, NULL), 1);
    assert_int_equal(update(ctx, out, &first, total, in, BEFORE), 1);
    assert_int_equal(update(ctx, out + first, &rest, total + 16, in + BEFORE, total - BEFORE), 1);
    ((OSSL_FUNC_cipher_freectx_fn *)fake_function(t, OSSL_FUNC_CIPHER_FREECTX))(ctx);
    fake_unload(&fc);
    assert_int_equal(fc.n_reasons, 0);
    return first + rest;
}

/* iv + n, big-endian */
static void advance(unsigned char v[16], uint64_t n)
{
    int i;

    for (i = 15; i >= 0; i--, n >>= 8) {
        n += v[i];
        v[i] = (unsigned char)n;
    }
}

/*
 * The TAIL bytes of output before `end` by the default provider, starting with
 * the state that is reached after `skip` bytes of zeros: CTR's counter, CBC
 * decryption's last ciphertext; nothing in ECB.
 */
static void expect(const char *name, int enc, size_t skip, size_t end, unsigned char *tail)
{
    static const unsigned char in[MIB];
    static unsigned char out[MIB + 16];
    EVP_CIPHER *c = EVP_CIPHER_fetch(wnt_default(), name, NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    unsigned char start[16];
    size_t at;
    int n = 0;

    memcpy(start, iv, sizeof(start));
    if (skip > 0 && EVP_CIPHER_get_mode(c) == EVP_CIPH_CTR_MODE)
        advance(start, skip / 16);
    else if (skip > 0)
        memset(start, 0, sizeof(start));
    wnt_ok(EVP_CipherInit_ex2(ctx, c, key, start, enc, NULL));
    EVP_CIPHER_CTX_set_padding(ctx, 0);
    for (at = skip; at < end; at += (size_t)n) {
        wnt_ok(EVP_CipherUpdate(ctx, out, &n, in, end - at < MIB ? (int)(end - at) : (int)MIB));
        assert_true(n >= TAIL);
    }
    memcpy(tail, out + n - TAIL, TAIL);
    EVP_CIPHER_CTX_free(ctx);
    EVP_CIPHER_free(c);
}

static void check(const char *name, int enc, size_t total, int chains)
{
    size_t room = (total / WINDOW + 2) * WINDOW;
    unsigned char *in = zeros(total), *out = repeated_window(room), tail[TAIL];
    size_t n = in_one_call(name, enc, in, total, out);

    /* a padded message's last block waits when it is decrypted */
    assert_int_equal(n, enc ? total : total - 16);
    expect(name, enc, chains ? 0 : n - TAIL, n, tail);
    if (memcmp(out + n - TAIL, tail, TAIL) != 0)
        fail_msg("%s: wrong after %zu bytes", name, n - TAIL);
    munmap(in, total);
    munmap(out, room);
    wnt_assert_no_errors();
}

static void ctr(void **state)
{
    (void)state;
    check("AES-128-CTR", 1, above_4g, 0);
}

static void cbc_decryption(void **state)
{
    (void)state;
    check("AES-128-CBC", 0, above_1g, 0);
}

static void cbc_encryption(void **state)
{
    (void)state;
    check("AES-128-CBC", 1, above_1g, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctr),
        cmocka_unit_test(cbc_decryption),
        cmocka_unit_test(cbc_encryption),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
