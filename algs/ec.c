/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EC key object, points, and the operations on whichever code a curve has; see ec.h. */
#include "ec_ops.h"

#include <string.h>

#include <openssl/ecerr.h>

#include "../provider/rng.h"

/* ---- numbers ---------------------------------------------------------------- */

void wn_ec_num_init(struct wn_ec_num *num)
{
    mp_init_size(wn_ec_mp(num), WN_EC_DIGITS);
}

int wn_ec_num_read(struct wn_ec_num *num, const unsigned char *be, size_t n)
{
    for (; n > WN_EC_MAX_BYTES; be++, n--)
        if (be[0] != 0)
            return 0;
    wn_ec_num_init(num);
    return n == 0 || mp_read_unsigned_bin(wn_ec_mp(num), be, (word32)n) == MP_OKAY;
}

int wn_ec_num_bytes(const struct wn_ec_num *num, unsigned char *be, size_t n)
{
    return mp_to_unsigned_bin_len(wn_ec_mp(num), be, (int)n) == MP_OKAY;
}

/* ---- the key object ----------------------------------------------------------- */

struct wn_ec_key *wn_ec_key_new(const struct wn_prov *prov)
{
    struct wn_ec_key *key = wn_ctx_new(prov, sizeof(*key));

    if (key != NULL) {
        key->prov = prov;
        key->form = WN_EC_UNCOMPRESSED;
        wn_ref_init(&key->ref);
    }
    return key;
}

void wn_ec_key_free(struct wn_ec_key *key)
{
    if (key == NULL || !wn_ref_down(&key->ref))
        return;
    wn_ec_table_drop(key);
    wn_other_key_free(key->other);
    wn_ctx_free(key->prov, key, sizeof(*key));
}

/* ---- points -------------------------------------------------------------------- */

static int below(const char *limit, const unsigned char *be, size_t n)
{
    unsigned char max[WN_EC_MAX_BYTES];

    wn_ec_hex(limit, max, n);
    return memcmp(be, max, n) < 0;
}

/*
 * The portable SP code compares a sum that may be not fully reduced, and so refuses a few
 * points (on P-521 those with x^2 = -3, Wycheproof's ecdh_secp521r1 55): a refusal is
 * looked at again.
 */
static int on_curve(const struct wn_prov *prov, const struct wn_ec_curve *curve,
                    const struct wn_ec_num *x, const struct wn_ec_num *y)
{
    const mp_int *px = wn_ec_mp(x), *py = wn_ec_mp(y);

    return (curve->sp != NULL && curve->sp->on_curve(px, py) == 0)
        || wn_ec_generic_on_curve(prov, curve, px, py) == 0;
}

static int read_compressed(const struct wn_prov *prov, const struct wn_ec_curve *curve, int odd,
                           const unsigned char *in, struct wn_ec_num *x, struct wn_ec_num *y)
{
    int rc;

    wn_ec_num_init(y);
    if (!wn_ec_num_read(x, in, curve->size))
        return 0;
    rc = curve->sp != NULL
        ? curve->sp->uncompress(wn_ec_mp(x), odd, wn_ec_mp(y))
        : wn_ec_generic_uncompress(prov, curve, wn_ec_mp(x), odd, wn_ec_mp(y));
    /* the SP code takes the root without asking whether there is one */
    if (rc == 0 && on_curve(prov, curve, x, y) && mp_isodd(wn_ec_mp(y)) == !!odd)
        return 1;
    WN_RAISE_LIB(prov, ERR_LIB_EC, EC_R_INVALID_COMPRESSED_POINT);
    return 0;
}

int wn_ec_point_read(const struct wn_prov *prov, const struct wn_ec_curve *curve,
                     const unsigned char *in, size_t n, struct wn_ec_num *x, struct wn_ec_num *y)
{
    size_t size = curve->size;
    int form = n == 0 ? -1 : in[0] & ~1, odd = n != 0 && (in[0] & 1);

    if (n == 0) {
        WN_RAISE_LIB(prov, ERR_LIB_EC, EC_R_BUFFER_TOO_SMALL);
        return 0;
    }
    if (form == 0 && !odd && n == 1) {
        WN_RAISE_LIB(prov, ERR_LIB_EC, EC_R_POINT_AT_INFINITY);
        return 0;
    }
    if ((form != WN_EC_COMPRESSED && form != WN_EC_UNCOMPRESSED && form != WN_EC_HYBRID)
        || (form == WN_EC_UNCOMPRESSED && odd)
        || n != 1 + (form == WN_EC_COMPRESSED ? size : 2 * size)
        || !below(curve->dp.prime, in + 1, size)
        || (form != WN_EC_COMPRESSED && !below(curve->dp.prime, in + 1 + size, size))
        || (form == WN_EC_HYBRID && (in[2 * size] & 1) != odd)) {
        WN_RAISE_LIB(prov, ERR_LIB_EC, EC_R_INVALID_ENCODING);
        return 0;
    }
    if (form == WN_EC_COMPRESSED)
        return read_compressed(prov, curve, odd, in + 1, x, y);
    if (wn_ec_num_read(x, in + 1, size) && wn_ec_num_read(y, in + 1 + size, size)
        && on_curve(prov, curve, x, y))
        return 1;
    WN_RAISE_LIB(prov, ERR_LIB_EC, EC_R_POINT_IS_NOT_ON_CURVE);
    return 0;
}

size_t wn_ec_point_write(const struct wn_ec_curve *curve, const struct wn_ec_num *x,
                         const struct wn_ec_num *y, enum wn_ec_form form,
                         unsigned char out[WN_EC_MAX_POINT])
{
    size_t size = curve->size;

    out[0] = (unsigned char)form;
    if (form != WN_EC_UNCOMPRESSED && mp_isodd(wn_ec_mp(y)))
        out[0] |= 1;
    if (!wn_ec_num_bytes(x, out + 1, size))
        return 0;
    if (form == WN_EC_COMPRESSED)
        return 1 + size;
    return wn_ec_num_bytes(y, out + 1 + size, size) ? 1 + 2 * size : 0;
}

/* ---- private keys ----------------------------------------------------------------- */

/* In time that does not depend on the number. */
int wn_ec_scalar_in_range(const struct wn_ec_curve *curve, const unsigned char *be)
{
    unsigned char n[WN_EC_MAX_BYTES];
    unsigned borrow = 0, any = 0;
    size_t i;

    wn_ec_hex(curve->dp.order, n, curve->order_size);
    for (i = curve->order_size; i-- > 0;) {
        borrow = (((unsigned)be[i] - n[i] - borrow) >> 8) & 1;
        any |= be[i];
    }
    return borrow == 1 && any != 0;
}

int wn_ec_set_private(struct wn_ec_key *key, const unsigned char *be)
{
    if (!wn_ec_scalar_in_range(key->curve, be)) {
        WN_RAISE_LIB(key->prov, ERR_LIB_EC, EC_R_INVALID_PRIVATE_KEY);
        return 0;
    }
    key->has_private = wn_ec_num_read(&key->d, be, key->curve->order_size);
    return key->has_private;
}

static int take_point(ecc_point *q, struct wn_ec_num *x, struct wn_ec_num *y)
{
    wn_ec_num_init(x);
    wn_ec_num_init(y);
    return mp_copy(q->x, wn_ec_mp(x)) == MP_OKAY && mp_copy(q->y, wn_ec_mp(y)) == MP_OKAY
        ? MP_OKAY : MP_VAL;
}

static void init_point(ecc_point *q)
{
    mp_init(q->x);
    mp_init(q->y);
    mp_init(q->z);
}

int wn_ec_make_public(const struct wn_ec_key *key, struct wn_ec_num *x, struct wn_ec_num *y)
{
    ecc_point q;
    int rc;

    if (key->curve->sp == NULL) {
        wn_ec_num_init(x);
        wn_ec_num_init(y);
        return WN_WC(key->prov, wn_ec_generic_base(key, wn_ec_mp(&key->d), wn_ec_mp(x),
                                                   wn_ec_mp(y)));
    }
    init_point(&q);
    rc = key->curve->sp->base(wn_ec_mp(&key->d), &q);
    if (rc == MP_OKAY)
        rc = take_point(&q, x, y);
    return WN_WC(key->prov, rc);
}

int wn_ec_generate(struct wn_ec_key *key)
{
    ecc_point q;
    int rc;

    wn_ec_num_init(&key->d);
    if (key->curve->sp == NULL) {
        rc = wn_ec_generic_make_key(key, wn_rng(key->prov), wn_ec_mp(&key->d));
        key->has_private = WN_WC(key->prov, rc);
        key->has_public = key->has_private && wn_ec_make_public(key, &key->x, &key->y);
        return key->has_public;
    }
    init_point(&q);
    rc = key->curve->sp->make_key(wn_rng(key->prov), wn_ec_mp(&key->d), &q);
    if (rc == MP_OKAY)
        rc = take_point(&q, &key->x, &key->y);
    key->has_private = key->has_public = WN_WC(key->prov, rc);
    return key->has_public;
}

int wn_ec_right_order(const struct wn_ec_key *key)
{
    int right = 0;

    if (key->curve->dp.cofactor == 1)
        return 1;
    return WN_WC(key->prov, wn_ec_generic_right_order(key, &right)) && right;
}

/* ---- operations --------------------------------------------------------------------- */

int wn_ec_ecdh(const struct wn_ec_key *key, struct wn_ec_key *peer, int cofactor,
               unsigned char *out)
{
    word32 len = (word32)key->curve->size;
    const void *table;
    ecc_point q;
    int rc;

    if (key->curve->sp == NULL) {
        rc = wn_ec_generic_secret(key, peer, cofactor, out, &len);
    } else if ((table = wn_ec_table(peer)) != NULL) {
        rc = key->curve->sp->hot->secret(table, wn_ec_mp(&key->d), out);
    } else if (key->curve->sp->hot->secret_once != NULL) {
        rc = key->curve->sp->hot->secret_once(wn_ec_mp(&peer->x), wn_ec_mp(&peer->y),
                                              wn_ec_mp(&key->d), out);
    } else {
        init_point(&q);
        mp_copy(wn_ec_mp(&peer->x), q.x);
        mp_copy(wn_ec_mp(&peer->y), q.y);
        mp_set(q.z, 1);
        rc = key->curve->sp->secret(wn_ec_mp(&key->d), &q, out, &len);
    }
    if (rc == 0)
        return 1;
    WN_RAISE_LIB(key->prov, ERR_LIB_EC,
                 rc == ECC_INF_E ? EC_R_POINT_AT_INFINITY : EC_R_POINT_ARITHMETIC_FAILURE);
    return 0;
}

/*
 * The leftmost order_bits of a digest of any length, in a form of which
 * wolfCrypt takes just these bits: as many bytes as n has, left-aligned, and at
 * least as many as it wants (WC_MIN_DIGEST_SIZE).
 */
static size_t digest_bits(const struct wn_ec_curve *curve, const unsigned char *hash, size_t n,
                          unsigned char out[WN_EC_MAX_BYTES])
{
    size_t size = curve->order_size, i;
    unsigned shift = (unsigned)(8 * size - (size_t)curve->order_bits);

    memset(out, 0, WN_EC_MAX_BYTES);
    if (n >= size) {
        memcpy(out, hash, size);
    } else {
        memcpy(out + size - n, hash, n);
        for (i = 0; shift != 0 && i < size; i++)
            out[i] = (unsigned char)(out[i] << shift
                                     | (i + 1 < size ? out[i + 1] >> (8 - shift) : 0));
    }
    return size < WC_MIN_DIGEST_SIZE ? WC_MIN_DIGEST_SIZE : size;
}

int wn_ec_sign(const struct wn_ec_key *key, const unsigned char *hash, size_t n,
               const unsigned char *k, struct wn_ec_num *r, struct wn_ec_num *s)
{
    const struct wn_ec_curve *curve = key->curve;
    unsigned char e[WN_EC_MAX_BYTES];
    struct wn_ec_num nonce;
    int rc;

    n = digest_bits(curve, hash, n, e);
    wn_ec_num_init(r);
    wn_ec_num_init(s);
    if (curve->sp == NULL)
        return WN_WC(key->prov, wn_ec_generic_sign(key, e, (word32)n, wn_ec_mp(r), wn_ec_mp(s),
                                                   k));
    wn_ec_num_init(&nonce);
    if (k != NULL)
        wn_ec_num_read(&nonce, k, curve->order_size);
    rc = curve->sp->sign(e, (word32)n, wn_rng(key->prov), wn_ec_mp(&key->d), wn_ec_mp(r),
                         wn_ec_mp(s), k != NULL ? wn_ec_mp(&nonce) : NULL);
    wn_clear(&nonce, sizeof(nonce));
    return WN_WC(key->prov, rc);
}

int wn_ec_verify(struct wn_ec_key *key, const unsigned char *hash, size_t n,
                 const struct wn_ec_num *r, const struct wn_ec_num *s)
{
    const struct wn_ec_curve *curve = key->curve;
    unsigned char e[WN_EC_MAX_BYTES];
    const void *table;
    int good = 0, rc;

    n = digest_bits(curve, hash, n, e);
    if (curve->sp == NULL)
        rc = wn_ec_generic_verify(key, e, (word32)n, wn_ec_mp(r), wn_ec_mp(s), &good);
    else if ((table = wn_ec_table(key)) != NULL)
        rc = curve->sp->hot->verify(table, e, (word32)n, wn_ec_mp(r), wn_ec_mp(s), &good);
    else
        rc = curve->sp->verify(e, (word32)n, wn_ec_mp(&key->x), wn_ec_mp(&key->y), wn_ec_mp(r),
                               wn_ec_mp(s), &good);
    return WN_WC(key->prov, rc) && good == 1;
}
