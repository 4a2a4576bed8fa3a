/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removing RSA encryption paddings in constant time; see rsa_pad.h. Whether a
 * padding is right must not show in time, memory accesses or errors: that would
 * be the oracle of Bleichenbacher (CRYPTO 1998) or Manger (CRYPTO 2001).
 */
#include <string.h>

#include "../provider/rng.h"
#include "ct.h"
#include "hmac.h"
#include "rsa_mgf1.h"
#include "rsa_pad.h"

/*
 * Moves the last `len` (secret) bytes of buf to its start, without showing len:
 * a logarithmic shifter, each step of which touches every byte.
 */
static void shift_to_front(unsigned char *buf, size_t n, size_t len)
{
    size_t distance = n - len, step, i;

    for (step = 1; step < n; step <<= 1) {
        size_t move = ~wn_ct_is_zero(distance & step);

        for (i = 0; i + step < n; i++)
            buf[i] = (unsigned char)wn_ct_select(move, buf[i + step], buf[i]);
    }
}

/* If good, out = the last len bytes of buf and *outlen = len; else unchanged. */
static size_t deliver(size_t good, unsigned char *buf, size_t n, size_t len, unsigned char *out,
                      size_t *outlen, size_t outsize)
{
    size_t i, limit = outsize < n ? outsize : n;

    good &= wn_ct_ge(outsize, len);
    /* the distance must be in range even when the padding is wrong */
    len = wn_ct_select(good, len, 0);
    shift_to_front(buf, n, len);
    for (i = 0; i < limit; i++)
        out[i] = (unsigned char)wn_ct_select(good & wn_ct_lt(i, len), buf[i], out[i]);
    *outlen = wn_ct_select(good, len, *outlen);
    return good;
}

/* Mask: 00 02, at least eight non-zero bytes, 00. *at = where the message begins. */
static size_t parse_type2(const unsigned char *em, size_t k, size_t *at)
{
    size_t good = wn_ct_is_zero(em[0]) & wn_ct_eq(em[1], 2), found = 0, zero = 0, i;

    for (i = 2; i < k; i++) {
        size_t is_zero = wn_ct_is_zero(em[i]);

        zero = wn_ct_select(~found & is_zero, i, zero);
        found |= is_zero;
    }
    *at = zero + 1;
    return good & wn_ct_ge(zero, 10);
}

size_t wn_rsa_unpad_type2(unsigned char *em, size_t k, unsigned char *out, size_t *outlen,
                          size_t outsize)
{
    size_t at, good = parse_type2(em, k, &at);

    return deliver(good, em, k, k - at, out, outlen, outsize);
}

size_t wn_rsa_unpad_oaep(unsigned char *em, size_t k, unsigned char *out, size_t *outlen,
                         size_t outsize, const unsigned char *label, size_t labellen,
                         const struct wn_md_desc *md, const struct wn_md_desc *mgf1_md)
{
    size_t h = md->size, dblen, i, good, found = 0, one = 0;
    unsigned char *seed = em + 1, *db = em + 1 + h, hash[WN_MD_MAX_SIZE];
    struct wn_md state;

    if (k < 2 * h + 2)
        return 0;               /* says nothing about the message */
    dblen = k - h - 1;
    wn_rsa_mgf1_xor(mgf1_md, db, dblen, seed, h);
    wn_rsa_mgf1_xor(mgf1_md, seed, h, db, dblen);
    wn_md_init(&state, md);
    wn_md_update(&state, label, labellen);
    wn_md_final(&state, hash);
    good = wn_ct_is_zero(em[0]) & wn_ct_is_zero((size_t)wn_memcmp_ct(db, hash, h));
    for (i = h; i < dblen; i++) {
        size_t is_one = wn_ct_eq(db[i], 1), is_zero = wn_ct_is_zero(db[i]);

        one = wn_ct_select(~found & is_one, i, one);
        found |= is_one;
        good &= found | is_zero;
    }
    good &= found;
    return deliver(good, db, dblen, dblen - one - 1, out, outlen, outsize);
}

/* ---- implicit rejection --------------------------------------------------------- */

#define LENGTH_TRIES 128

/* IRPRF of the draft, section 7.1: HMAC-SHA256(key, i || label || bits) blocks. */
static void irprf(const unsigned char key[32], const char *label, unsigned char *out, size_t n)
{
    size_t bits = 8 * n, i, use;
    struct wn_hmac h;
    unsigned char block[32], be[2];

    wn_hmac_init(&h, &wn_md_sha256, key, 32);
    for (i = 0; n > 0; i++, out += use, n -= use) {
        wn_hmac_restart(&h);
        be[0] = (i >> 8) & 0xff;
        be[1] = i & 0xff;
        wn_hmac_update(&h, be, 2);
        wn_hmac_update(&h, label, strlen(label));
        be[0] = (bits >> 8) & 0xff;
        be[1] = bits & 0xff;
        wn_hmac_update(&h, be, 2);
        wn_hmac_final(&h, block);
        use = n < sizeof(block) ? n : sizeof(block);
        memcpy(out, block, use);
    }
    wn_hmac_clear(&h);
    wn_clear(block, sizeof(block));
}

/* The last of 128 candidates below the longest message there can be, or 0. */
static size_t synthetic_length(const unsigned char kdk[32], size_t k)
{
    unsigned char candidates[2 * LENGTH_TRIES];
    size_t longest = k - 10, mask = longest, len = 0, i;

    for (i = 1; i < 16; i <<= 1)
        mask |= mask >> i;
    irprf(kdk, "length", candidates, sizeof(candidates));
    for (i = 0; i < sizeof(candidates); i += 2) {
        size_t c = ((size_t)candidates[i] << 8 | candidates[i + 1]) & mask;

        len = wn_ct_select(wn_ct_lt(c, longest), c, len);
    }
    wn_clear(candidates, sizeof(candidates));
    return len;
}

int wn_rsa_unpad_type2_implicit(const struct wn_rsa_key *key, const unsigned char *cipher,
                                const unsigned char *em, unsigned char *out, size_t *outlen,
                                size_t outsize)
{
    unsigned char d[WN_RSA_MAX_SIZE], synthetic[WN_RSA_MAX_SIZE], hash[32], kdk[32];
    size_t k = key->size, at, good, i, len;
    struct wn_md state;

    /* KDK = HMAC(SHA-256(d), ciphertext): section 7.2 of the draft */
    wn_num_bytes(key->d, d, k);
    wn_md_init(&state, &wn_md_sha256);
    wn_md_update(&state, d, k);
    wn_md_final(&state, hash);
    wn_hmac_once(&wn_md_sha256, hash, sizeof(hash), cipher, k, kdk);
    irprf(kdk, "message", synthetic, k);
    good = parse_type2(em, k, &at);
    good &= wn_ct_ge(outsize, k - at);
    len = wn_ct_select(good, k - at, synthetic_length(kdk, k));
    for (i = 0; i < k; i++)
        synthetic[i] = (unsigned char)wn_ct_select(good, em[i], synthetic[i]);
    deliver(~(size_t)0, synthetic, k, len, out, outlen, outsize);
    wn_md_clear(&state);
    wn_clear(d, k);
    wn_clear(synthetic, k);
    wn_clear(hash, sizeof(hash));
    wn_clear(kdk, sizeof(kdk));
    return 1;
}

int wn_rsa_unpad_tls(const struct wn_prov *prov, const unsigned char *em, size_t k,
                     unsigned char out[WN_TLS_PREMASTER], unsigned version, unsigned alternative)
{
    unsigned char random[WN_TLS_PREMASTER];
    const unsigned char *secret = em + k - WN_TLS_PREMASTER;
    size_t good, i;
    unsigned sent;

    if (!wn_rng_bytes(prov, random, sizeof(random)))
        return 0;
    good = wn_ct_is_zero(em[0]) & wn_ct_eq(em[1], 2);
    for (i = 2; em + i < secret - 1; i++)
        good &= ~wn_ct_is_zero(em[i]);
    good &= wn_ct_is_zero(secret[-1]);
    sent = (unsigned)secret[0] << 8 | secret[1];
    good &= wn_ct_eq(sent, version) | (alternative != 0 ? wn_ct_eq(sent, alternative) : 0);
    for (i = 0; i < WN_TLS_PREMASTER; i++)
        out[i] = (unsigned char)wn_ct_select(good, secret[i], random[i]);
    wn_clear(random, sizeof(random));
    return 1;
}
