/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSA key generation (FIPS 186-5 appendix A.1.3: random probable primes; for
 * more than two primes RFC 8017 section 3) and key checks (SP 800-56B rev. 2
 * section 6.4). The primality test and the arithmetic are wolfCrypt's.
 */
#include <string.h>

#include <openssl/rsaerr.h>

#include "rsa_key.h"

#include "../provider/rng.h"

/* FIPS 186-5 table B.1 asks for 4 rounds (error 2^-112) at 1024 bit primes and
 * 10 at 512; more cost little, since composites fail in the first. */
#define PRIME_ROUNDS 12

/* Temporaries of full size, wiped with wn_ctx_free. */
struct wn_rsa_work {
    mp_int t[6];
};

static struct wn_rsa_work *work_new(const struct wn_prov *prov)
{
    struct wn_rsa_work *w = wn_ctx_new(prov, sizeof(*w));
    size_t i;

    for (i = 0; w != NULL && i < sizeof(w->t) / sizeof(w->t[0]); i++)
        mp_init(&w->t[i]);
    return w;
}

static void work_free(const struct wn_prov *prov, struct wn_rsa_work *w)
{
    wn_ctx_free(prov, w, sizeof(*w));
}

/* ---- checks ------------------------------------------------------------------- */

static int bad(const struct wn_rsa_key *key, int reason)
{
    WN_RAISE_LIB(key->prov, ERR_LIB_RSA, reason);
    return 0;
}

static int is_prime(const struct wn_rsa_key *key, const mp_int *a)
{
    int prime = 0;

    return mp_prime_is_prime_ex(a, PRIME_ROUNDS, &prime, wn_rng(key->prov)) == MP_OKAY
        && prime;
}

/* SP 800-56B section 6.4.2: an odd composite modulus, an odd exponent above 1 */
static int check_public(const struct wn_rsa_key *key)
{
    if (key->n == NULL || key->e == NULL)
        return bad(key, RSA_R_VALUE_MISSING);
    if (mp_iseven(key->e) || mp_cmp_d(key->e, 1) != MP_GT)
        return bad(key, RSA_R_PUB_EXPONENT_OUT_OF_RANGE);
    if (mp_iseven(key->n) || is_prime(key, key->n))
        return bad(key, RSA_R_INVALID_MODULUS);
    return 1;
}

static int check_private(const struct wn_rsa_key *key)
{
    if (key->n == NULL || key->d == NULL)
        return bad(key, RSA_R_VALUE_MISSING);
    return (mp_cmp_d(key->d, 1) == MP_GT && mp_cmp(key->d, key->n) == MP_LT)
        || bad(key, RSA_R_INVALID_KEYPAIR);
}

/* The numbers of prime i against n, e and d; *product collects the primes. */
static int check_prime(const struct wn_rsa_key *key, unsigned i, mp_int *product,
                       struct wn_rsa_work *w)
{
    const struct wn_rsa_prime *p = &key->prime[i];
    mp_int *less_one = &w->t[1], *t = &w->t[2];

    if (!is_prime(key, p->factor))
        return bad(key, i == 0   ? RSA_R_P_NOT_PRIME
                        : i == 1 ? RSA_R_Q_NOT_PRIME
                                 : RSA_R_MP_R_NOT_PRIME);
    if (mp_sub_d(p->factor, 1, less_one) != MP_OKAY
        || mp_mulmod(key->d, key->e, less_one, t) != MP_OKAY)
        return bad(key, ERR_R_INTERNAL_ERROR);
    if (mp_cmp_d(t, 1) != MP_EQ)
        return bad(key, RSA_R_D_E_NOT_CONGRUENT_TO_1);
    if (p->exponent != NULL
        && (mp_mod(key->d, less_one, t) != MP_OKAY || mp_cmp(t, p->exponent) != MP_EQ))
        return bad(key, i == 0   ? RSA_R_DMP1_NOT_CONGRUENT_TO_D
                        : i == 1 ? RSA_R_DMQ1_NOT_CONGRUENT_TO_D
                                 : RSA_R_MP_EXPONENT_NOT_CONGRUENT_TO_D);
    /* q^-1 mod p for the second prime, else (earlier primes)^-1 mod this one */
    if (p->coefficient != NULL) {
        const mp_int *modulus = i == 1 ? key->prime[0].factor : p->factor;
        const mp_int *value = i == 1 ? p->factor : product;

        if (mp_mod(value, modulus, t) != MP_OKAY
            || mp_mulmod(t, p->coefficient, modulus, t) != MP_OKAY || mp_cmp_d(t, 1) != MP_EQ)
            return bad(key, i == 1 ? RSA_R_IQMP_NOT_INVERSE_OF_Q
                                   : RSA_R_MP_COEFFICIENT_NOT_INVERSE_OF_R);
    }
    return mp_mul(product, p->factor, product) == MP_OKAY || bad(key, ERR_R_INTERNAL_ERROR);
}

static int check_pair(const struct wn_rsa_key *key)
{
    struct wn_rsa_work *w;
    unsigned i;
    int ok = 1;

    if (key->n == NULL || key->e == NULL || key->d == NULL || key->n_primes < 2)
        return bad(key, RSA_R_VALUE_MISSING);
    if (mp_iseven(key->e) || mp_cmp_d(key->e, 1) != MP_GT)
        return bad(key, RSA_R_BAD_E_VALUE);
    w = work_new(key->prov);
    if (w == NULL)
        return 0;
    mp_set(&w->t[0], 1);
    for (i = 0; ok && i < key->n_primes; i++)
        ok = check_prime(key, i, &w->t[0], w);
    if (ok && mp_cmp(&w->t[0], key->n) != MP_EQ)
        ok = bad(key, key->n_primes == 2 ? RSA_R_N_DOES_NOT_EQUAL_P_Q
                                         : RSA_R_N_DOES_NOT_EQUAL_PRODUCT_OF_PRIMES);
    work_free(key->prov, w);
    return ok;
}

int wn_rsa_validate(const void *vkey, int selection, int type)
{
    const struct wn_rsa_key *key = vkey;

    (void)type;                 /* quick and thorough are the same here */
    if ((selection & WN_RSA_SELECTIONS) == 0)
        return 1;
    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == OSSL_KEYMGMT_SELECT_KEYPAIR)
        return check_pair(key);
    return (!WN_SELECTS_PRIVATE(selection) || check_private(key))
        && (!WN_SELECTS_PUBLIC(selection) || check_public(key));
}

/* ---- generation -------------------------------------------------------------------- */

struct wn_rsa_gen_ctx {
    const struct wn_prov *prov;
    int is_pss;
    struct wn_rsa_pss pss;
    size_t bits, primes;
    unsigned residue[2];        /* of p and q modulo 8; 0: any */
    mp_int *e;
    OSSL_CALLBACK *cb;
    void *cb_arg;
};

#define RSA_GEN(P)                                   \
    P(bits, size_t, OSSL_PKEY_PARAM_RSA_BITS)        \
    P(primes, size_t, OSSL_PKEY_PARAM_RSA_PRIMES)    \
    P(e, bn, OSSL_PKEY_PARAM_RSA_E)                  \
    P(a, uint, OSSL_PKEY_PARAM_RSA_A)                \
    P(b, uint, OSSL_PKEY_PARAM_RSA_B)
WN_PARAMS(rsa_gen_set, RSA_GEN);

const OSSL_PARAM *wn_rsa_gen_settable(void *vgen, void *vprov)
{
    (void)vgen;
    (void)vprov;
    return rsa_gen_set_list;
}

const OSSL_PARAM *wn_rsapss_gen_settable(void *vgen, void *vprov)
{
    static const OSSL_PARAM list[] = {
        RSA_GEN(WN_PARAM_DESC_) RSA_PSS_PARAMS(WN_PARAM_DESC_) OSSL_PARAM_END
    };

    (void)vgen;
    (void)vprov;
    (void)rsa_pss_params_list;
    return list;
}

static int take_residue(const struct wn_prov *prov, const OSSL_PARAM *p, unsigned *residue)
{
    if (!wn_param_take_uint(prov, p, residue))
        return 0;
    if (*residue == 0 || (*residue < 8 && (*residue & 1) != 0))
        return 1;
    WN_RAISE(prov, PROV_R_INVALID_DATA);
    return 0;
}

int wn_rsa_gen_set_params(void *vgen, const OSSL_PARAM params[])
{
    struct wn_rsa_gen_ctx *gen = vgen;
    struct rsa_gen_set p;
    size_t bits = gen->bits, primes = gen->primes;
    unsigned a = gen->residue[0], b = gen->residue[1];
    mp_int *e;

    if (!WN_PARAMS_SCAN(gen->prov, rsa_gen_set, params, &p)
        || !wn_param_take_size_t(gen->prov, p.bits, &bits)
        || !wn_param_take_size_t(gen->prov, p.primes, &primes)
        || !take_residue(gen->prov, p.a, &a) || !take_residue(gen->prov, p.b, &b)
        || (gen->is_pss && !wn_rsa_pss_take(gen->prov, params, &gen->pss)))
        return 0;
    if (bits < WN_RSA_MIN_BITS) {
        WN_RAISE(gen->prov, PROV_R_KEY_SIZE_TOO_SMALL);
        return 0;
    }
    if (p.e != NULL) {
        e = wn_num_from_param(gen->prov, p.e);
        if (e == NULL)
            return 0;
        wn_num_free(gen->prov, gen->e);
        gen->e = e;
    }
    gen->bits = bits;
    gen->primes = primes;
    gen->residue[0] = a;
    gen->residue[1] = b;
    return 1;
}

void wn_rsa_gen_cleanup(void *vgen)
{
    struct wn_rsa_gen_ctx *gen = vgen;

    if (gen == NULL)
        return;
    wn_num_free(gen->prov, gen->e);
    wn_free(gen->prov, gen);
}

static void *gen_init(const struct wn_prov *prov, int selection, const OSSL_PARAM params[],
                      int is_pss)
{
    static const unsigned char f4[] = { 1, 0, 1 };
    struct wn_rsa_gen_ctx *gen;

    if (!WN_SELECTS_KEYPAIR(selection) || (gen = wn_zalloc(prov, sizeof(*gen))) == NULL)
        return NULL;
    gen->prov = prov;
    gen->is_pss = is_pss;
    gen->bits = 2048;
    gen->primes = 2;
    gen->e = wn_num_new(prov, f4, sizeof(f4));
    if (gen->e == NULL || !wn_rsa_gen_set_params(gen, params)) {
        wn_rsa_gen_cleanup(gen);
        return NULL;
    }
    return gen;
}

void *wn_rsa_gen_init(void *prov, int selection, const OSSL_PARAM params[])
{
    return gen_init(prov, selection, params, 0);
}

void *wn_rsapss_gen_init(void *prov, int selection, const OSSL_PARAM params[])
{
    return gen_init(prov, selection, params, 1);
}

/* Tells the application how it goes (BN_generate_prime(3)); 0: it wants to stop. */
static int progress(const struct wn_rsa_gen_ctx *gen, int what, int count)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_int(OSSL_GEN_PARAM_POTENTIAL, &what),
        OSSL_PARAM_int(OSSL_GEN_PARAM_ITERATION, &count),
        OSSL_PARAM_END
    };

    return gen->cb == NULL || gen->cb(params, gen->cb_arg);
}

/*
 * A random prime of exactly `bits` bits, the two highest set (so that two of
 * them make a modulus of full length), with e and r - 1 coprime; r modulo 8 is
 * `residue` (FIPS 186-5 appendix A.1.3 step 4.3), or odd if that is 0. 1, or a
 * negative wolfCrypt code; 0: the application stopped it, or no randomness.
 */
static int random_prime(const struct wn_rsa_gen_ctx *gen, size_t bits, unsigned residue,
                        mp_int *r, struct wn_rsa_work *w)
{
    unsigned char buf[WN_RSA_MAX_SIZE];
    size_t bytes = (bits + 7) / 8;
    unsigned spare = (unsigned)(8 * bytes - bits);
    int rc = 0, prime = 0, count;

    for (count = 0; rc == 0 && !prime; count++) {
        if ((count % 16 == 0 && !progress(gen, 0, count))
            || !wn_rng_bytes(gen->prov, buf, bytes))
            return 0;
        buf[0] &= 0xff >> spare;
        if (spare == 7) {       /* the top two bits lie in two bytes */
            buf[0] |= 0x01;
            buf[1] |= 0x80;
        } else {
            buf[0] |= 0xc0 >> spare;
        }
        buf[bytes - 1] = (unsigned char)(residue != 0 ? (buf[bytes - 1] & 0xf8) | residue
                                                      : buf[bytes - 1] | 1U);
        rc = mp_read_unsigned_bin(r, buf, (word32)bytes);
        if (rc == 0)
            rc = mp_sub_d(r, 1, &w->t[4]);
        if (rc == 0)
            rc = mp_gcd(&w->t[4], gen->e, &w->t[5]);
        if (rc == 0 && mp_cmp_d(&w->t[5], 1) == MP_EQ)
            rc = mp_prime_is_prime_ex(r, PRIME_ROUNDS, &prime, wn_rng(gen->prov));
    }
    wn_clear(buf, bytes);
    return rc == 0 ? 1 : rc;
}

/* |p - q| > 2^(bits/2 - 100), FIPS 186-5 appendix A.1.3 step 5.4 */
static int far_apart(const mp_int *p, const mp_int *q, size_t bits, struct wn_rsa_work *w)
{
    int rc = mp_cmp(p, q) == MP_LT ? mp_sub(q, p, &w->t[4]) : mp_sub(p, q, &w->t[4]);

    return rc == MP_OKAY && mp_count_bits(&w->t[4]) > (int)(bits / 2) - 100;
}

/* The primes, longest first, until their product n (t[0]) has exactly gen->bits. */
static int make_primes(const struct wn_rsa_gen_ctx *gen, struct wn_rsa_key *key,
                       struct wn_rsa_work *w)
{
    size_t each = gen->bits / gen->primes, longer = gen->bits % gen->primes, bits = 0;
    unsigned i, k;
    int rc, fits;

    mp_set(&w->t[0], 1);
    for (i = 0; i < gen->primes; i++) {
        size_t size = each + (i < longer);

        bits += size;
        do {
            rc = random_prime(gen, size, i < 2 ? gen->residue[i] : 0, &w->t[1], w);
            if (rc != 1)
                return rc;
            for (k = 0, fits = 1; k < i; k++)
                fits = fits && mp_cmp(&w->t[1], key->prime[k].factor) != MP_EQ;
            if (gen->primes == 2 && i == 1)
                fits = fits && far_apart(key->prime[0].factor, &w->t[1], gen->bits, w);
            if ((rc = mp_mul(&w->t[0], &w->t[1], &w->t[2])) != MP_OKAY)
                return rc;
            fits = fits && (size_t)mp_count_bits(&w->t[2]) == bits;
        } while (!fits);
        if ((rc = mp_copy(&w->t[2], &w->t[0])) != MP_OKAY)
            return rc;
        key->prime[i].factor = wn_num_dup(gen->prov, &w->t[1]);
        if (key->prime[i].factor == NULL || !progress(gen, 3, (int)i))
            return 0;
        key->n_primes = i + 1;
    }
    return 1;
}

/*
 * t[1] = d = e^-1 mod lcm(r_i - 1). The inversion is not constant time, so it
 * works on a random multiple of e.
 */
static int make_d(const struct wn_rsa_gen_ctx *gen, const struct wn_rsa_key *key,
                  struct wn_rsa_work *w)
{
    mp_int *lcm = &w->t[2], *blind = &w->t[3], *t = &w->t[4];
    unsigned i;
    int rc = MP_OKAY;

    mp_set(lcm, 1);
    for (i = 0; rc == MP_OKAY && i < key->n_primes; i++) {
        rc = mp_sub_d(key->prime[i].factor, 1, &w->t[1]);
        if (rc == MP_OKAY)
            rc = mp_gcd(lcm, &w->t[1], t);
        if (rc == MP_OKAY)
            rc = mp_div(&w->t[1], t, blind, NULL);
        if (rc == MP_OKAY)
            rc = mp_mul(lcm, blind, lcm);
    }
    while (rc == MP_OKAY) {
        rc = mp_rand(blind, mp_get_digit_count(lcm), wn_rng(gen->prov));
        if (rc == MP_OKAY)
            rc = mp_mulmod(gen->e, blind, lcm, t);
        /* a multiple that shares a factor with the lcm: try another */
        if (rc == MP_OKAY && mp_invmod(t, lcm, &w->t[1]) == MP_OKAY)
            return mp_mulmod(&w->t[1], blind, lcm, &w->t[1]);
    }
    return rc;
}

/* Exponent and coefficient of prime i; t[0] holds n, t[1] holds d. */
static int make_crt(const struct wn_rsa_gen_ctx *gen, struct wn_rsa_key *key, unsigned i,
                    struct wn_rsa_work *w)
{
    struct wn_rsa_prime *p = &key->prime[i];
    const mp_int *modulus = i == 1 ? key->prime[0].factor : p->factor;
    mp_int *t = &w->t[2], *u = &w->t[3];
    unsigned k;
    int rc = mp_sub_d(p->factor, 1, t);

    if (rc == MP_OKAY)
        rc = mp_mod(&w->t[1], t, u);
    if (rc != MP_OKAY || (p->exponent = wn_num_dup(gen->prov, u)) == NULL || i == 0)
        return rc;
    if (i == 1) {
        rc = mp_mod(p->factor, modulus, t);
    } else {
        mp_set(t, 1);
        for (k = 0; rc == MP_OKAY && k < i; k++)
            rc = mp_mulmod(t, key->prime[k].factor, modulus, t);
    }
    /* the inverse by Fermat's theorem, in constant time: t^(modulus - 2) */
    if (rc == MP_OKAY)
        rc = mp_sub_d(modulus, 2, u);
    if (rc == MP_OKAY)
        rc = mp_exptmod(t, u, modulus, t);
    if (rc == MP_OKAY)
        p->coefficient = wn_num_dup(gen->prov, t);
    return rc;
}

/* A signature with the new key must verify (FIPS 140-3 IG 10.3.A). */
static int pair_works(const struct wn_rsa_key *key)
{
    unsigned char in[WN_RSA_MAX_SIZE] = { 0 }, out[WN_RSA_MAX_SIZE];

    in[key->size - 1] = 2;
    return wn_rsa_private(key, in, out, WN_RSA_SIGNATURE) && wn_rsa_public(key, out, out)
        && memcmp(in, out, key->size) == 0;
}

static int generate(const struct wn_rsa_gen_ctx *gen, struct wn_rsa_key *key,
                    struct wn_rsa_work *w)
{
    unsigned i;
    int rc = make_primes(gen, key, w);

    if (rc == 0)
        return 0;
    key->n = wn_num_dup(gen->prov, &w->t[0]);
    key->e = wn_num_dup(gen->prov, gen->e);
    if (key->n == NULL || key->e == NULL)
        return 0;
    if (rc == 1)
        rc = make_d(gen, key, w);
    if (rc == 0 && (key->d = wn_num_dup(gen->prov, &w->t[1])) == NULL)
        return 0;
    for (i = 0; rc == 0 && i < key->n_primes; i++)
        rc = make_crt(gen, key, i, w);
    for (i = 0; i < key->n_primes; i++)
        if (key->prime[i].exponent == NULL || (i > 0 && key->prime[i].coefficient == NULL))
            return 0;
    return WN_WC(gen->prov, rc) && wn_rsa_key_ready(key) && pair_works(key);
}

/* OpenSSL's limits on the number of primes (ossl_rsa_multip_cap). */
static size_t most_primes(size_t bits)
{
    return bits < 1024 ? 2 : bits < 4096 ? 3 : bits < 8192 ? 4 : 5;
}

void *wn_rsa_gen(void *vgen, OSSL_CALLBACK *cb, void *cb_arg)
{
    struct wn_rsa_gen_ctx *gen = vgen;
    struct wn_rsa_key *key;
    struct wn_rsa_work *w;
    int ok = 0;

    if (gen->bits > WN_RSA_MAX_BITS) {
        WN_RAISE_LIB(gen->prov, ERR_LIB_RSA, RSA_R_MODULUS_TOO_LARGE);
        return NULL;
    }
    if (gen->primes < 2 || gen->primes > most_primes(gen->bits)) {
        WN_RAISE_LIB(gen->prov, ERR_LIB_RSA, RSA_R_KEY_PRIME_NUM_INVALID);
        return NULL;
    }
    if (mp_iseven(gen->e) || mp_cmp_d(gen->e, 1) != MP_GT
        || (size_t)mp_count_bits(gen->e) >= gen->bits) {
        WN_RAISE_LIB(gen->prov, ERR_LIB_RSA, RSA_R_PUB_EXPONENT_OUT_OF_RANGE);
        return NULL;
    }
    gen->cb = cb;
    gen->cb_arg = cb_arg;
    key = wn_rsa_key_new(gen->prov, gen->is_pss);
    w = work_new(gen->prov);
    if (key != NULL && w != NULL) {
        key->pss = gen->pss;
        ok = generate(gen, key, w);
    }
    work_free(gen->prov, w);
    if (!ok) {
        wn_rsa_key_free(key);
        return NULL;
    }
    return key;
}
