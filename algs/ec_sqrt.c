/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Square roots modulo a prime, for compressed points (SEC 1 section 2.3.4; the
 * algorithm of Tonelli and Shanks, FIPS 186-5 appendix E). Public values only.
 */
#include "ec_ops.h"

struct roots {
    mp_int q, c, t, r, b, e;
};

static int init(struct roots *v)
{
    return mp_init_multi(&v->q, &v->c, &v->t, &v->r, &v->b, &v->e);
}

/* p = 3 modulo 4: r = a^((p + 1) / 4) */
static int simple(struct roots *v, mp_int *a, mp_int *p)
{
    int rc = mp_add_d(p, 1, &v->e);

    if (rc == MP_OKAY)
        rc = mp_div_2d(&v->e, 2, &v->e, NULL);
    return rc == MP_OKAY ? mp_exptmod(a, &v->e, p, &v->r) : rc;
}

/* c = z^q for the first z that is not a square; *s and q: p - 1 = 2^s q, q odd */
static int begin(struct roots *v, mp_int *p, int *s)
{
    mp_digit z;
    int rc = mp_sub_d(p, 1, &v->q);

    *s = 0;
    while (rc == MP_OKAY && mp_iseven(&v->q)) {
        rc = mp_div_2(&v->q, &v->q);
        (*s)++;
    }
    for (z = 2; rc == MP_OKAY && z < 256; z++) {
        rc = mp_sub_d(p, 1, &v->e);
        if (rc == MP_OKAY)
            rc = mp_div_2(&v->e, &v->e);
        if (rc == MP_OKAY)
            rc = mp_set(&v->b, z);
        if (rc == MP_OKAY)
            rc = mp_exptmod(&v->b, &v->e, p, &v->t);
        if (rc == MP_OKAY && !mp_isone(&v->t))
            return mp_exptmod(&v->b, &v->q, p, &v->c);
    }
    return rc == MP_OKAY ? MP_VAL : rc;
}

/* Squarings until t is one, at most m - 1; *i = m when there are more. */
static int order(struct roots *v, mp_int *p, int m, int *i)
{
    int rc = mp_copy(&v->t, &v->b);

    for (*i = 0; rc == MP_OKAY && *i < m && !mp_isone(&v->b); (*i)++)
        rc = mp_sqrmod(&v->b, p, &v->b);
    return rc;
}

static int general(struct roots *v, mp_int *a, mp_int *p)
{
    int m, i, j, rc = begin(v, p, &m);

    if (rc == MP_OKAY)
        rc = mp_exptmod(a, &v->q, p, &v->t);
    if (rc == MP_OKAY)
        rc = mp_add_d(&v->q, 1, &v->e);
    if (rc == MP_OKAY)
        rc = mp_div_2(&v->e, &v->e);
    if (rc == MP_OKAY)
        rc = mp_exptmod(a, &v->e, p, &v->r);
    while (rc == MP_OKAY && !mp_isone(&v->t)) {
        rc = order(v, p, m, &i);
        if (rc == MP_OKAY && i >= m)
            return MP_VAL;      /* a is no square */
        if (rc == MP_OKAY)
            rc = mp_copy(&v->c, &v->b);
        for (j = 0; rc == MP_OKAY && j < m - i - 1; j++)
            rc = mp_sqrmod(&v->b, p, &v->b);
        m = i;
        if (rc == MP_OKAY)
            rc = mp_sqrmod(&v->b, p, &v->c);
        if (rc == MP_OKAY)
            rc = mp_mulmod(&v->t, &v->c, p, &v->t);
        if (rc == MP_OKAY)
            rc = mp_mulmod(&v->r, &v->b, p, &v->r);
    }
    return rc;
}

int wn_ec_sqrt(const struct wn_prov *prov, mp_int *a, mp_int *p, mp_int *root)
{
    struct roots *v = wn_ctx_new(prov, sizeof(*v));
    int rc = v == NULL ? MEMORY_E : init(v);

    if (rc == MP_OKAY && mp_iszero(a))
        mp_zero(&v->r);
    else if (rc == MP_OKAY)
        rc = (p->dp[0] & 3) == 3 ? simple(v, a, p) : general(v, a, p);
    if (rc == MP_OKAY)
        rc = mp_sqrmod(&v->r, p, &v->t);
    if (rc == MP_OKAY)
        rc = mp_cmp(&v->t, a) == MP_EQ ? mp_copy(&v->r, root) : MP_VAL;
    wn_ctx_free(prov, v, sizeof(*v));
    return rc;
}
