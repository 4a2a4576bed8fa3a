/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_KDF "KRB5KDF": the derivation function DR of Kerberos 5 (RFC 3961 section
 * 5.1) with AES (RFC 3962) and three-key Triple DES (RFC 3961 section 6.3.1,
 * random-to-key included unless the 21 random bytes themselves are wanted).
 */
#include "kdf.h"

#include <string.h>

#include <openssl/evp.h>

#include "../provider/alglist.h"
#include "../provider/names.h"
#include "cmac.h"

enum { KEY, CONSTANT, N_BYTES };

struct krb5_ctx {
    struct wn_kdf kdf;
    struct wn_kdf_bytes b[N_BYTES];
    const struct wn_cmac_cipher *cipher;
    int unusable;                   /* a cipher is set, but not one for this */
};
WN_KDF_CHECK(krb5_ctx);

#define KRB5_SET(P)                                                 \
    P(properties, utf8_string, OSSL_KDF_PARAM_PROPERTIES)           \
    P(cipher, utf8_string, OSSL_KDF_PARAM_CIPHER)                   \
    P(key, octet_string, OSSL_KDF_PARAM_KEY)                        \
    P(constant, octet_string, OSSL_KDF_PARAM_CONSTANT)
WN_PARAMS(krb5_set, KRB5_SET);

static int bad(const struct krb5_ctx *c, int reason)
{
    WN_RAISE(c->kdf.prov, reason);
    return 0;
}

/*
 * One block at a time with a zero IV, so ECB, CBC and CTS are the same here.
 * Another cipher can be set, as with OpenSSL; only a derivation fails then.
 */
static int take_cipher(struct krb5_ctx *c, const OSSL_PARAM *p)
{
    static const char *const same[][2] = {
        { "AES-128-ECB:AES-128-CBC-CTS:2.16.840.1.101.3.4.1.1", "AES-128-CBC" },
        { "AES-192-ECB:AES-192-CBC-CTS:2.16.840.1.101.3.4.1.21", "AES-192-CBC" },
        { "AES-256-ECB:AES-256-CBC-CTS:2.16.840.1.101.3.4.1.41", "AES-256-CBC" },
    };
    char name[64];
    size_t i;

    if (p == NULL)
        return 1;
    if (!wn_param_take_utf8(c->kdf.prov, p, name, sizeof(name)))
        return 0;
    c->cipher = wn_cmac_find(name);
    for (i = 0; i < sizeof(same) / sizeof(same[0]); i++)
        if (wn_name_listed(same[i][0], name))
            c->cipher = wn_cmac_find(same[i][1]);
    c->unusable = c->cipher == NULL;
    if (c->cipher != NULL || wn_query_offers(c->kdf.prov, OSSL_OP_CIPHER, name))
        return 1;
    c->kdf.unknown = p;
    return 0;
}

static int krb5_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct krb5_ctx *c = vctx;
    struct krb5_set p;

    return WN_PARAMS_SCAN(c->kdf.prov, krb5_set, params, &p)
        && take_cipher(c, p.cipher)
        && wn_kdf_take(c, KEY, p.key, WN_KDF_STRICT)
        && wn_kdf_take(c, CONSTANT, p.constant, WN_KDF_STRICT);
}

static size_t krb5_out_size(void *vctx)
{
    const struct krb5_ctx *c = vctx;

    return c->cipher != NULL ? c->cipher->keylen : EVP_MAX_KEY_LENGTH;
}

static size_t lcm(size_t a, size_t b)
{
    size_t x = a, y = b, t;

    while (y != 0) {
        t = x % y;
        x = y;
        y = t;
    }
    return a / x * b;
}

/*
 * RFC 3961 section 5.1: the input, again and again, each time rotated 13 bits
 * further to the right, up to a multiple of the block; these blocks added with
 * end-around carry (ones' complement).
 */
static void n_fold(const unsigned char *in, size_t n, unsigned char *out, size_t size)
{
    size_t total = lcm(n, size), i, at, shift;
    unsigned carry = 0, byte;

    memset(out, 0, size);
    for (i = total; i-- > 0;) {
        /* byte i of the long string: 13 * (i / n) bits to the left in the input */
        shift = 13 * (i / n);
        at = (i % n + n - shift / 8 % n) % n;
        byte = ((unsigned)in[(at + n - 1) % n] << (8 - shift % 8) | in[at] >> shift % 8) & 0xff;
        carry += byte + out[i % size];
        out[i % size] = (unsigned char)carry;
        carry >>= 8;
    }
    for (i = size; carry != 0;) {
        i = (i == 0 ? size : i) - 1;
        carry += out[i];
        out[i] = (unsigned char)carry;
        carry >>= 8;
    }
}

/* DR = k-truncate(E(n-fold(constant)) || E(E(...)) || ...) */
static void stretch(struct wn_cmac *cipher, const struct wn_kdf_bytes *constant,
                    unsigned char *out, size_t n)
{
    unsigned char block[WN_CMAC_MAX_BLOCK];
    size_t size = cipher->cipher->block, piece;

    n_fold(constant->d, constant->n, block, size);
    for (; n > 0; n -= piece, out += piece) {
        memset(cipher->mac, 0, size);
        cipher->cipher->run(cipher, block, 1);
        memcpy(block, cipher->mac, size);
        piece = n < size ? n : size;
        memcpy(out, block, piece);
    }
    wn_clear(block, sizeof(block));
}

static unsigned char odd_parity(unsigned char byte)
{
    return (unsigned char)((byte & 0xfe) | (~__builtin_popcount(byte >> 1) & 1));
}

/* RFC 3961 section 6.3.1: 56 random bits to a DES key; 0 if two are the same. */
static int des3_random_to_key(unsigned char key[24])
{
    unsigned char *k, last;
    int i, j;

    for (i = 2; i >= 0; i--) {
        k = key + 8 * i;
        memmove(k, key + 7 * i, 7);
        for (last = 0, j = 0; j < 7; j++)
            last |= (unsigned char)((k[j] & 1) << (j + 1));
        k[7] = last;
        for (j = 0; j < 8; j++)
            k[j] = odd_parity(k[j]);
    }
    return wn_memcmp_ct(key, key + 8, 8) != 0 && wn_memcmp_ct(key + 8, key + 16, 8) != 0;
}

static int krb5_checks(const struct krb5_ctx *c, size_t n, int *raw_des)
{
    int des;

    if (c->cipher == NULL && !c->unusable)
        return bad(c, PROV_R_MISSING_CIPHER);
    if (c->b[KEY].d == NULL)
        return bad(c, PROV_R_MISSING_KEY);
    if (c->b[CONSTANT].d == NULL)
        return bad(c, PROV_R_MISSING_CONSTANT);
    des = c->cipher != NULL && c->cipher->block == 8;
    *raw_des = des && c->b[KEY].n == 24 && n == 21;
    if (n != c->b[KEY].n && !*raw_des)
        return bad(c, PROV_R_WRONG_OUTPUT_BUFFER_SIZE);
    if (c->unusable)
        return bad(c, PROV_R_INVALID_MODE);
    if (c->b[KEY].n != c->cipher->keylen)
        return bad(c, PROV_R_INVALID_KEY_LENGTH);
    /* an empty one has no n-fold; patched releases of OpenSSL refuse it */
    if (c->b[CONSTANT].n == 0 || c->b[CONSTANT].n > c->cipher->block)
        return bad(c, PROV_R_INVALID_CONSTANT_LENGTH);
    return 1;
}

static int krb5_derive(void *vctx, unsigned char *out, size_t n)
{
    struct krb5_ctx *c = vctx;
    struct wn_cmac cipher;
    int raw_des, ok;

    if (!krb5_checks(c, n, &raw_des))
        return 0;
    ok = wn_cmac_set_key(c->kdf.prov, &cipher, c->cipher, c->b[KEY].d);
    if (ok)
        stretch(&cipher, &c->b[CONSTANT], out, n);
    wn_clear(&cipher, sizeof(cipher));
    if (ok && c->cipher->block == 8 && !raw_des && !des3_random_to_key(out)) {
        wn_clear(out, n);
        return bad(c, PROV_R_FAILED_TO_GENERATE_KEY);
    }
    return ok;
}

static void krb5_tell(const void *vctx, struct wn_pb *pb)
{
    const struct krb5_ctx *c = vctx;

    wn_kdf_tell(c, pb, KEY, OSSL_KDF_PARAM_KEY);
    wn_kdf_tell(c, pb, CONSTANT, OSSL_KDF_PARAM_CONSTANT);
}

static const struct wn_kdf_desc krb5_desc = {
    WN_KDF_LAYOUT(krb5_ctx, b), WN_CORE_VERSION(3, 6), NULL, krb5_set_params, krb5_derive,
    krb5_out_size, NULL, krb5_set_list, wn_kdf_size_list,
    "KRB5KDF", krb5_tell
};
WN_KDF_TABLE(krb5, &krb5_desc)
