/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Curves for which wolfCrypt has no code of their own: ec_mont.h, and for those
 * with a cofactor its generic functions (ECC_TIMING_RESISTANT), with the curve given
 * by its numbers and a temporary ecc_key, which is 16 KB and so never on the stack.
 */
#include "ec_mont.h"
#include "ec_ops.h"

#include <string.h>

#include "../provider/rng.h"

/* A temporary key; wiped and freed by drop(). NULL with an error raised. */
static ecc_key *take(const struct wn_prov *prov, const struct wn_ec_curve *curve)
{
    ecc_key *tmp = wn_ctx_new(prov, sizeof(*tmp));

    if (tmp != NULL
        && (wc_ecc_init(tmp) != 0 || wc_ecc_set_custom_curve(tmp, &curve->dp) != 0
            || wc_ecc_set_rng(tmp, wn_rng(prov)) != 0)) {
        wn_ctx_free(prov, tmp, sizeof(*tmp));
        WN_RAISE(prov, ERR_R_INTERNAL_ERROR);
        return NULL;
    }
    return tmp;
}

static void drop(const struct wn_prov *prov, ecc_key *tmp)
{
    wc_ecc_free(tmp);
    wn_ctx_free(prov, tmp, sizeof(*tmp));
}

static int set_point(ecc_point *q, const mp_int *x, const mp_int *y)
{
    int rc = mp_copy(x, q->x);

    if (rc == MP_OKAY)
        rc = mp_copy(y, q->y);
    return rc == MP_OKAY ? mp_set(q->z, 1) : rc;
}

static ecc_key *with_public(const struct wn_ec_key *key)
{
    ecc_key *tmp = take(key->prov, key->curve);

    if (tmp != NULL) {
        tmp->type = ECC_PUBLICKEY;
        if (!WN_WC(key->prov, set_point(&tmp->pubkey, wn_ec_mp(&key->x), wn_ec_mp(&key->y)))) {
            drop(key->prov, tmp);
            return NULL;
        }
    }
    return tmp;
}

static ecc_key *with_private(const struct wn_ec_key *key, const mp_int *d)
{
    ecc_key *tmp = take(key->prov, key->curve);

    if (tmp != NULL) {
        tmp->type = ECC_PRIVATEKEY_ONLY;
        if (!WN_WC(key->prov, mp_copy(d, ecc_get_k(tmp)))) {
            drop(key->prov, tmp);
            return NULL;
        }
    }
    return tmp;
}

/* Numbers of a curve, and a point to work on. */
struct numbers {
    mp_int p, a, b, n;
    ecc_point q, result;
};

static struct numbers *numbers_new(const struct wn_prov *prov, const struct wn_ec_curve *curve)
{
    struct numbers *v = wn_ctx_new(prov, sizeof(*v));
    int rc;

    if (v == NULL)
        return NULL;
    rc = mp_init_multi(&v->p, &v->a, &v->b, &v->n, NULL, NULL);
    if (rc == MP_OKAY)
        rc = mp_init_multi(v->q.x, v->q.y, v->q.z, v->result.x, v->result.y, v->result.z);
    if (rc == MP_OKAY)
        rc = mp_read_radix(&v->p, curve->dp.prime, MP_RADIX_HEX);
    if (rc == MP_OKAY)
        rc = mp_read_radix(&v->a, curve->dp.Af, MP_RADIX_HEX);
    if (rc == MP_OKAY)
        rc = mp_read_radix(&v->b, curve->dp.Bf, MP_RADIX_HEX);
    if (rc == MP_OKAY)
        rc = mp_read_radix(&v->n, curve->dp.order, MP_RADIX_HEX);
    if (!WN_WC(prov, rc)) {
        wn_ctx_free(prov, v, sizeof(*v));
        return NULL;
    }
    return v;
}

static void numbers_free(const struct wn_prov *prov, struct numbers *v)
{
    wn_ctx_free(prov, v, sizeof(*v));
}

int wn_ec_generic_make_key(const struct wn_ec_key *key, WC_RNG *rng, mp_int *d)
{
    struct numbers *v = numbers_new(key->prov, key->curve);
    int rc;

    if (v == NULL)
        return MEMORY_E;
    /* q.x serves as a number with room for the reduction */
    rc = wc_ecc_gen_k(rng, (int)key->curve->order_size, v->q.x, &v->n);
    if (rc == MP_OKAY)
        rc = mp_copy(v->q.x, d);
    numbers_free(key->prov, v);
    return rc;
}

int wn_ec_generic_base(const struct wn_ec_key *key, const mp_int *d, mp_int *x, mp_int *y)
{
    ecc_key *tmp;
    int rc;

    if (wn_ec_mont_serves(key->curve))
        return wn_ec_mont_base(key->curve, d, x, y);
    tmp = with_private(key, d);
    if (tmp == NULL)
        return MEMORY_E;
    rc = wc_ecc_make_pub_ex(tmp, NULL, wn_rng(key->prov));
    if (rc == MP_OKAY)
        rc = mp_copy(tmp->pubkey.x, x);
    if (rc == MP_OKAY)
        rc = mp_copy(tmp->pubkey.y, y);
    drop(key->prov, tmp);
    return rc;
}

/* t = x^3 + ax + b */
static int right_side(const struct numbers *v, const mp_int *x, mp_int *t)
{
    int rc = mp_sqrmod(x, &v->p, t);

    if (rc == MP_OKAY)
        rc = mp_addmod(t, &v->a, &v->p, t);
    if (rc == MP_OKAY)
        rc = mp_mulmod(t, x, &v->p, t);
    if (rc == MP_OKAY)
        rc = mp_addmod(t, &v->b, &v->p, t);
    return rc;
}

/* By ourselves: wc_ecc_is_point() is the SP code's where a curve has that (see on_curve()). */
int wn_ec_generic_on_curve(const struct wn_prov *prov, const struct wn_ec_curve *curve,
                           const mp_int *x, const mp_int *y)
{
    struct numbers *v = numbers_new(prov, curve);
    int rc;

    if (v == NULL)
        return MEMORY_E;
    rc = right_side(v, x, v->q.x);
    if (rc == MP_OKAY)
        rc = mp_sqrmod(y, &v->p, v->q.y);
    if (rc == MP_OKAY && mp_cmp(v->q.x, v->q.y) != MP_EQ)
        rc = IS_POINT_E;
    numbers_free(prov, v);
    return rc;
}

/* y = the square root of x^3 + ax + b with the wanted parity (SEC 1 section 2.3.4) */
int wn_ec_generic_uncompress(const struct wn_prov *prov, const struct wn_ec_curve *curve,
                             const mp_int *x, int odd, mp_int *y)
{
    struct numbers *v = numbers_new(prov, curve);
    mp_int *t, *root;
    int rc;

    if (v == NULL)
        return MEMORY_E;
    t = v->q.x;
    root = v->q.y;
    rc = right_side(v, x, t);
    if (rc == MP_OKAY)
        rc = wn_ec_sqrt(prov, t, &v->p, root);
    if (rc == MP_OKAY && mp_isodd(root) != !!odd)
        rc = mp_iszero(root) ? IS_POINT_E : mp_sub(&v->p, root, root);
    if (rc == MP_OKAY)
        rc = mp_copy(root, y);
    numbers_free(prov, v);
    return rc;
}

/* result = k q for a small k; *finite = 0 at infinity */
static int times(const struct wn_prov *prov, struct numbers *v, mp_digit k, int *finite)
{
    int rc = mp_set(&v->b, k);  /* b is not needed */

    if (rc == MP_OKAY)
        rc = wc_ecc_mulmod_ex2(&v->b, &v->q, &v->result, &v->a, &v->p, &v->n, wn_rng(prov), 1,
                               NULL);
    *finite = rc == MP_OKAY && !wc_ecc_point_is_at_infinity(&v->result);
    return rc == ECC_INF_E ? MP_OKAY : rc;
}

/*
 * A curve with cofactor h (4 here): h Q first, since wolfCrypt takes no scalar
 * longer than the order. If that is infinity, Q has order 2 or 4, and its odd
 * multiples share its x coordinate; such points the ladder does not take.
 */
static int with_cofactor(const struct wn_ec_key *key, int cofactor, ecc_point *q, byte *out,
                         word32 *len, int *done)
{
    const struct wn_ec_curve *curve = key->curve;
    struct numbers *v = numbers_new(key->prov, curve);
    int odd = mp_isodd(wn_ec_mp(&key->d)), finite, rc;

    if (v == NULL)
        return MEMORY_E;
    *done = 0;
    rc = set_point(&v->q, q->x, q->y);
    if (rc == MP_OKAY)
        rc = times(key->prov, v, (mp_digit)curve->dp.cofactor, &finite);
    if (rc == MP_OKAY && finite) {
        if (cofactor)
            rc = set_point(q, v->result.x, v->result.y);
    } else if (rc == MP_OKAY && cofactor) {
        rc = ECC_INF_E;
    } else if (rc == MP_OKAY) {
        *done = 1;
        if (!odd)
            rc = mp_iszero(q->y) ? ECC_INF_E : times(key->prov, v, 2, &finite);
        if (rc == MP_OKAY && !odd && (!finite || (wn_ec_mp(&key->d)->dp[0] & 3) == 0))
            rc = ECC_INF_E;
        if (rc == MP_OKAY)
            rc = mp_to_unsigned_bin_len(odd ? q->x : v->result.x, out, (int)*len);
    }
    numbers_free(key->prov, v);
    return rc;
}

int wn_ec_generic_secret(const struct wn_ec_key *key, const struct wn_ec_key *peer, int cofactor,
                         byte *out, word32 *len)
{
    ecc_key *tmp;
    ecc_point *q;
    int done = 0, rc;

    if (wn_ec_mont_serves(key->curve))
        return wn_ec_mont_secret(key->curve, wn_ec_mp(&key->d), wn_ec_mp(&peer->x),
                                 wn_ec_mp(&peer->y), out);
    tmp = with_private(key, wn_ec_mp(&key->d));
    if (tmp == NULL)
        return MEMORY_E;
    q = &tmp->pubkey;           /* of no other use here */
    rc = set_point(q, wn_ec_mp(&peer->x), wn_ec_mp(&peer->y));
    if (rc == MP_OKAY && key->curve->dp.cofactor != 1)
        rc = with_cofactor(key, cofactor, q, out, len, &done);
    if (rc == MP_OKAY && !done)
        rc = wc_ecc_shared_secret_gen_sync(tmp, q, out, len);
    drop(key->prov, tmp);
    return rc;
}

/* With the nonce k, or a random one; again in the one case in 2^64 or more that r or s is 0. */
static int sign_by_mont(const struct wn_ec_key *key, const byte *hash, word32 n, mp_int *r,
                        mp_int *s, const byte *k)
{
    byte random[WN_EC_MAX_BYTES];
    struct wn_ec_num nonce;
    int rc;

    if (k != NULL)
        return wn_ec_mont_sign(key->curve, hash, n, wn_ec_mp(&key->d), k, r, s);
    do {
        wn_ec_num_init(&nonce);
        rc = wn_ec_generic_make_key(key, wn_rng(key->prov), wn_ec_mp(&nonce));
        if (rc == MP_OKAY && !wn_ec_num_bytes(&nonce, random, key->curve->order_size))
            rc = MP_VAL;
        if (rc == MP_OKAY)
            rc = wn_ec_mont_sign(key->curve, hash, n, wn_ec_mp(&key->d), random, r, s);
    } while (rc == MP_ZERO_E);
    wn_clear(&nonce, sizeof(nonce));
    wn_clear(random, sizeof(random));
    return rc;
}

int wn_ec_generic_sign(const struct wn_ec_key *key, const byte *hash, word32 n, mp_int *r,
                       mp_int *s, const byte *k)
{
    struct numbers *v;
    ecc_key *tmp;
    int rc = 0;

    if (wn_ec_mont_serves(key->curve))
        return sign_by_mont(key, hash, n, r, s, k);
    tmp = with_private(key, wn_ec_mp(&key->d));
    if (tmp == NULL)
        return MEMORY_E;
    v = wn_ctx_new(key->prov, sizeof(*v));  /* wants full-size numbers */
    if (v == NULL)
        rc = MEMORY_E;
    if (rc == 0)
        rc = mp_init_multi(v->q.x, v->q.y, NULL, NULL, NULL, NULL);
    if (rc == 0 && k != NULL)
        rc = wc_ecc_sign_set_k(k, (word32)key->curve->order_size, tmp);
    if (rc == 0)
        rc = wc_ecc_sign_hash_ex(hash, n, wn_rng(key->prov), tmp, v->q.x, v->q.y);
    if (rc == 0)
        rc = mp_copy(v->q.x, r);
    if (rc == 0)
        rc = mp_copy(v->q.y, s);
    if (v != NULL)
        numbers_free(key->prov, v);
    drop(key->prov, tmp);
    return rc;
}

/* Numbers of one verification besides the curve's. */
struct check {
    mp_int e, u, t;
    ecc_point g;
};

/* e: the leftmost bits of the hash, as many as the order has (FIPS 186-5 section 6.4.2) */
static int hash_number(mp_int *e, const byte *hash, word32 n, const mp_int *order)
{
    int bits = mp_count_bits(order), rc;
    word32 bytes = ((word32)bits + 7) / 8;

    rc = mp_read_unsigned_bin(e, hash, n < bytes ? n : bytes);
    if (rc == MP_OKAY && n >= bytes && bits % 8 != 0)
        mp_rshb(e, 8 - bits % 8);
    return rc;
}

/*
 * The x coordinate of P + Q, both affine and finite, to P->x; MP_VAL if the sum
 * is infinity (SEC 1 section 2.2.1). t and u are scratch.
 */
static int affine_sum_x(struct numbers *v, ecc_point *P, const ecc_point *Q, mp_int *t, mp_int *u)
{
    int same = mp_cmp(P->x, Q->x) == MP_EQ, rc;

    if (same && (mp_cmp(P->y, Q->y) != MP_EQ || mp_iszero(P->y)))
        return MP_VAL;
    if (same) {             /* (3 x^2 + a) / (2 y) */
        rc = mp_sqrmod(P->x, &v->p, t);
        if (rc == MP_OKAY)
            rc = mp_mul_d(t, 3, t);
        if (rc == MP_OKAY)
            rc = mp_addmod(t, &v->a, &v->p, t);
        if (rc == MP_OKAY)
            rc = mp_addmod(P->y, P->y, &v->p, u);
    } else {                /* (Qy - Py) / (Qx - Px) */
        rc = mp_submod(Q->y, P->y, &v->p, t);
        if (rc == MP_OKAY)
            rc = mp_submod(Q->x, P->x, &v->p, u);
    }
    if (rc == MP_OKAY)
        rc = mp_invmod(u, &v->p, u);
    if (rc == MP_OKAY)
        rc = mp_mulmod(t, u, &v->p, t);
    if (rc == MP_OKAY)
        rc = mp_sqrmod(t, &v->p, t);
    if (rc == MP_OKAY)
        rc = mp_submod(t, P->x, &v->p, t);
    return rc == MP_OKAY ? mp_submod(t, Q->x, &v->p, P->x) : rc;
}

/* Steps 3 to 7 of FIPS 186-5 section 6.4.2 for r and s within range. */
static int verify_by_steps(const struct wn_ec_key *key, struct numbers *v, struct check *c,
                           mp_int *r, mp_int *s, int *good)
{
    WC_RNG *rng = wn_rng(key->prov);
    int rc = mp_invmod(s, &v->n, &c->t);

    if (rc == MP_OKAY)
        rc = mp_mulmod(&c->e, &c->t, &v->n, &c->e);
    if (rc == MP_OKAY)
        rc = mp_mulmod(r, &c->t, &v->n, &c->u);
    if (rc == MP_OKAY)
        rc = wc_ecc_mulmod_ex2(&c->u, &v->q, &v->result, &v->a, &v->p, &v->n, rng, 1, NULL);
    if (rc == MP_OKAY && !mp_iszero(&c->e)) {
        rc = mp_read_radix(v->q.x, key->curve->dp.Gx, MP_RADIX_HEX);
        if (rc == MP_OKAY)
            rc = mp_read_radix(v->q.y, key->curve->dp.Gy, MP_RADIX_HEX);
        if (rc == MP_OKAY)
            rc = wc_ecc_mulmod_ex2(&c->e, &v->q, &c->g, &v->a, &v->p, &v->n, rng, 1, NULL);
        if (rc == MP_OKAY)
            rc = affine_sum_x(v, &v->result, &c->g, &c->t, &c->u);
        if (rc == MP_VAL)
            return MP_OKAY;     /* infinity: not good */
    }
    if (rc == MP_OKAY)
        rc = mp_mod(v->result.x, &v->n, &c->t);
    if (rc == MP_OKAY)
        *good = mp_cmp(&c->t, r) == MP_EQ;
    return rc;
}

/*
 * wolfCrypt's combined multiplication goes wrong where a partial sum meets a
 * point of its table (Wycheproof has such signatures), and then refuses what is
 * valid. So a refusal counts only if the two products, added by the book, agree.
 */
static int verify_again(const struct wn_ec_key *key, const byte *hash, word32 n, mp_int *r,
                        mp_int *s, int *good)
{
    struct numbers *v = numbers_new(key->prov, key->curve);
    struct check *c = wn_ctx_new(key->prov, sizeof(*c));
    int rc = v != NULL && c != NULL ? MP_OKAY : MEMORY_E;

    if (rc == MP_OKAY)
        rc = mp_init_multi(&c->e, &c->u, &c->t, c->g.x, c->g.y, c->g.z);
    if (rc == MP_OKAY)
        rc = set_point(&v->q, wn_ec_mp(&key->x), wn_ec_mp(&key->y));
    if (rc == MP_OKAY)
        rc = hash_number(&c->e, hash, n, &v->n);
    if (rc == MP_OKAY && mp_cmp(r, &v->n) == MP_LT && mp_cmp(s, &v->n) == MP_LT)
        rc = verify_by_steps(key, v, c, r, s, good);
    if (c != NULL)
        wn_ctx_free(key->prov, c, sizeof(*c));
    if (v != NULL)
        numbers_free(key->prov, v);
    return rc;
}

int wn_ec_generic_verify(const struct wn_ec_key *key, const byte *hash, word32 n, mp_int *r,
                         mp_int *s, int *good)
{
    ecc_key *tmp;
    int rc;

    if (wn_ec_mont_serves(key->curve))
        return wn_ec_mont_verify(key->curve, hash, n, wn_ec_mp(&key->x), wn_ec_mp(&key->y), r, s,
                                 good);
    tmp = with_public(key);
    if (tmp == NULL)
        return MEMORY_E;
    rc = wc_ecc_verify_hash_ex(r, s, hash, n, good, tmp);
    drop(key->prov, tmp);
    if (rc == 0 && !*good && !mp_iszero(r) && !mp_iszero(s))
        rc = verify_again(key, hash, n, r, s, good);
    return rc;
}

int wn_ec_generic_right_order(const struct wn_ec_key *key, int *right)
{
    struct numbers *v = numbers_new(key->prov, key->curve);
    int rc;

    if (v == NULL)
        return MEMORY_E;
    rc = set_point(&v->q, wn_ec_mp(&key->x), wn_ec_mp(&key->y));
    if (rc == MP_OKAY)
        rc = wc_ecc_mulmod_ex2(&v->n, &v->q, &v->result, &v->a, &v->p, &v->n, wn_rng(key->prov),
                               1, NULL);
    *right = rc == MP_OKAY && wc_ecc_point_is_at_infinity(&v->result);
    if (rc == ECC_INF_E) {
        *right = 1;
        rc = MP_OKAY;
    }
    numbers_free(key->prov, v);
    return rc;
}
