/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diffie-Hellman parameters and keys: generation (named groups, safe primes as
 * PKCS #3 uses them, FIPS 186-4 appendix A.1.1.2 and A.2.1 for X9.42), and
 * their checks (SP 800-56A rev. 3 section 5.5.2 and 5.6.2).
 */
#include <string.h>

#include <openssl/dherr.h>

#include "../provider/rng.h"
#include "dh.h"
#include "digest.h"

#define PRIME_ROUNDS 40         /* FIPS 186-4 table C.1, with a margin */

struct wn_dh_work {
    mp_int t[4];
};

static struct wn_dh_work *work_new(const struct wn_prov *prov)
{
    struct wn_dh_work *w = wn_ctx_new(prov, sizeof(*w));
    size_t i;

    for (i = 0; w != NULL && i < sizeof(w->t) / sizeof(w->t[0]); i++)
        mp_init(&w->t[i]);
    return w;
}

static int is_prime(const struct wn_prov *prov, const mp_int *a)
{
    int prime = 0;

    return mp_prime_is_prime_ex(a, PRIME_ROUNDS, &prime, wn_rng(prov)) == MP_OKAY && prime;
}

/* ---- checks --------------------------------------------------------------------- */

static int bad(const struct wn_prov *prov, int reason)
{
    WN_RAISE_LIB(prov, ERR_LIB_DH, reason);
    return 0;
}

static int check_params_with(const struct wn_dh_key *key, struct wn_dh_work *w)
{
    const struct wn_prov *prov = key->prov;
    mp_int *less_one = &w->t[0], *t = &w->t[1];

    if (mp_sub_d(key->p, 1, less_one) != MP_OKAY)
        return bad(prov, ERR_R_INTERNAL_ERROR);
    if (mp_cmp_d(key->g, 1) != MP_GT || mp_cmp(key->g, less_one) != MP_LT)
        return bad(prov, DH_R_NOT_SUITABLE_GENERATOR);
    if (mp_iseven(key->p) || !is_prime(prov, key->p))
        return bad(prov, DH_R_CHECK_P_NOT_PRIME);
    if (key->q == NULL) {
        if (mp_div_2(less_one, t) != MP_OKAY || !is_prime(prov, t))
            return bad(prov, DH_R_CHECK_P_NOT_SAFE_PRIME);
        return 1;
    }
    if (!is_prime(prov, key->q))
        return bad(prov, DH_R_CHECK_Q_NOT_PRIME);
    if (mp_mod(less_one, key->q, t) != MP_OKAY || !mp_iszero(t))
        return bad(prov, DH_R_CHECK_INVALID_Q_VALUE);
    if (key->j != NULL
        && (mp_mul(key->q, key->j, t) != MP_OKAY || mp_cmp(t, less_one) != MP_EQ))
        return bad(prov, DH_R_CHECK_INVALID_J_VALUE);
    if (mp_exptmod(key->g, key->q, key->p, t) != MP_OKAY || mp_cmp_d(t, 1) != MP_EQ)
        return bad(prov, DH_R_NOT_SUITABLE_GENERATOR);
    return 1;
}

static int check_params(const struct wn_dh_key *key)
{
    struct wn_dh_work *w;
    int ok;

    if (key->p == NULL || key->g == NULL)
        return bad(key->prov, DH_R_NO_PARAMETERS_SET);
    if (key->group != NULL)
        return 1;
    if (key->bits < WN_DH_MIN_BITS)
        return bad(key->prov, DH_R_MODULUS_TOO_SMALL);
    w = work_new(key->prov);
    ok = w != NULL && check_params_with(key, w);
    wn_ctx_free(key->prov, w, sizeof(*w));
    return ok;
}

static int check_private(const struct wn_dh_key *key)
{
    return key->priv != NULL && !mp_iszero(key->priv)
        && mp_count_bits(key->priv) <= (int)wn_dh_private_bits(key)
        && (key->q == NULL || mp_cmp(key->priv, key->q) == MP_LT);
}

static int check_pair(const struct wn_dh_key *key)
{
    unsigned char got[WN_DH_MAX_SIZE], pub[WN_DH_MAX_SIZE];

    return key->priv != NULL && key->pub != NULL && wn_dh_power(key, key->g, key->priv, got)
        && wn_num_bytes(key->pub, pub, key->size) && memcmp(got, pub, key->size) == 0;
}

int wn_dh_validate(const void *vkey, int selection, int type)
{
    const struct wn_dh_key *key = vkey;

    (void)type;
    if (WN_SELECTS_DOMAIN(selection) && !check_params(key))
        return 0;
    if (WN_SELECTS_KEYPAIR(selection) && (key->p == NULL || key->g == NULL))
        return bad(key->prov, DH_R_NO_PARAMETERS_SET);
    if (WN_SELECTS_PUBLIC(selection)
        && (key->pub == NULL || !wn_dh_public_ok(key, key->pub)))
        return bad(key->prov, DH_R_INVALID_PUBKEY);
    if (WN_SELECTS_PRIVATE(selection) && !check_private(key))
        return bad(key->prov, DH_R_NO_PRIVATE_VALUE);
    return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != OSSL_KEYMGMT_SELECT_KEYPAIR
        || check_pair(key);
}

/* ---- generation: parameters of the generator -------------------------------------------- */

enum wn_dh_gen_type { TYPE_GENERATOR, TYPE_FIPS186_2, TYPE_FIPS186_4, TYPE_GROUP };
#define MAX_SEED WN_MD_MAX_SIZE

struct wn_dh_gen_ctx {
    const struct wn_prov *prov;
    int selection, is_dhx;
    enum wn_dh_gen_type type;
    const struct wn_dh_group *group;
    const struct wn_dh_key *like;       /* template: ours while the caller holds it */
    size_t pbits, qbits;
    int generator, priv_len, gindex;
    const struct wn_md_desc *md;        /* FIPS 186; NULL: by the size of q */
    unsigned char seed[MAX_SEED];       /* FIPS 186; of length 0: a random one */
    size_t seed_len;
    OSSL_CALLBACK *cb;
    void *cb_arg;
};

#define DH_GEN(P)                                        \
    P(type, utf8_string, OSSL_PKEY_PARAM_FFC_TYPE)       \
    P(group, utf8_string, OSSL_PKEY_PARAM_GROUP_NAME)    \
    P(priv_len, int, OSSL_PKEY_PARAM_DH_PRIV_LEN)        \
    P(pbits, size_t, OSSL_PKEY_PARAM_FFC_PBITS)
#define DH_GEN_PKCS3(P) P(generator, int, OSSL_PKEY_PARAM_DH_GENERATOR)
#define DH_GEN_X942(P)                                   \
    P(qbits, size_t, OSSL_PKEY_PARAM_FFC_QBITS)          \
    P(md, utf8_string, OSSL_PKEY_PARAM_FFC_DIGEST)       \
    P(md_props, utf8_string, OSSL_PKEY_PARAM_FFC_DIGEST_PROPS) \
    P(gindex, int, OSSL_PKEY_PARAM_FFC_GINDEX)           \
    P(seed, octet_string, OSSL_PKEY_PARAM_FFC_SEED)      \
    P(pcounter, int, OSSL_PKEY_PARAM_FFC_PCOUNTER)       \
    P(h, int, OSSL_PKEY_PARAM_FFC_H)
#define DH_GEN_ALL(P) DH_GEN(P) DH_GEN_PKCS3(P) DH_GEN_X942(P)
WN_PARAMS(dh_gen_set, DH_GEN_ALL);

const OSSL_PARAM *wn_dh_gen_settable(void *vgen, void *vprov)
{
    static const OSSL_PARAM list[] = {
        DH_GEN(WN_PARAM_DESC_) DH_GEN_PKCS3(WN_PARAM_DESC_) OSSL_PARAM_END
    };

    (void)vgen;
    (void)vprov;
    (void)dh_gen_set_list;
    return list;
}

const OSSL_PARAM *wn_dhx_gen_settable(void *vgen, void *vprov)
{
    static const OSSL_PARAM list[] = {
        DH_GEN(WN_PARAM_DESC_) DH_GEN_X942(WN_PARAM_DESC_) OSSL_PARAM_END
    };

    (void)vgen;
    (void)vprov;
    return list;
}

static int take_type(const struct wn_dh_gen_ctx *gen, const OSSL_PARAM *p,
                     enum wn_dh_gen_type *type)
{
    char name[16];

    if (!wn_param_take_utf8(gen->prov, p, name, sizeof(name)))
        return 0;
    if (strcmp(name, "default") == 0)
        *type = gen->is_dhx ? TYPE_FIPS186_2 : TYPE_GENERATOR;
    else if (strcmp(name, "group") == 0)
        *type = TYPE_GROUP;
    else if (strcmp(name, "generator") == 0 && !gen->is_dhx)
        *type = TYPE_GENERATOR;
    else if (strcmp(name, "fips186_4") == 0 && gen->is_dhx)
        *type = TYPE_FIPS186_4;
    else if (strcmp(name, "fips186_2") == 0 && gen->is_dhx)
        *type = TYPE_FIPS186_2;
    else {
        WN_RAISE(gen->prov, ERR_R_PASSED_INVALID_ARGUMENT);
        return 0;
    }
    return 1;
}

static int take_seed(struct wn_dh_gen_ctx *gen, const OSSL_PARAM *p)
{
    const unsigned char *seed;
    size_t n;

    if (p == NULL)
        return 1;
    if (!wn_param_get_octets(p, &seed, &n) || n > sizeof(gen->seed)) {
        WN_RAISE(gen->prov, PROV_R_INVALID_SEED_LENGTH);
        return 0;
    }
    memcpy(gen->seed, seed, n);
    gen->seed_len = n;
    return 1;
}

/* The counter and h are results of a generation: they are taken, and not needed. */
int wn_dh_gen_set_params(void *vgen, const OSSL_PARAM params[])
{
    struct wn_dh_gen_ctx *gen = vgen, v = *gen;
    struct dh_gen_set p;
    int unused;
    char name[32];

    if (!WN_PARAMS_SCAN(gen->prov, dh_gen_set, params, &p))
        return 0;
    if (gen->is_dhx ? p.generator != NULL
                    : p.qbits != NULL || p.md != NULL || p.gindex != NULL || p.seed != NULL) {
        WN_RAISE(gen->prov, ERR_R_PASSED_INVALID_ARGUMENT);
        return 0;
    }
    if ((p.type != NULL && !take_type(gen, p.type, &v.type))
        || !wn_param_take_size_t(gen->prov, p.pbits, &v.pbits)
        || !wn_param_take_size_t(gen->prov, p.qbits, &v.qbits)
        || !wn_param_take_int(gen->prov, p.generator, &v.generator)
        || !wn_param_take_int(gen->prov, p.priv_len, &v.priv_len)
        || !wn_param_take_int(gen->prov, p.gindex, &v.gindex)
        || !wn_param_take_int(gen->prov, p.pcounter, &unused)
        || !wn_param_take_int(gen->prov, p.h, &unused) || !take_seed(&v, p.seed)
        || !wn_md_take(gen->prov, p.md, &v.md))
        return 0;
    if (p.group != NULL) {
        if (!wn_param_take_utf8(gen->prov, p.group, name, sizeof(name))
            || (v.group = wn_dh_group_find(name)) == NULL) {
            WN_RAISE(gen->prov, ERR_R_PASSED_INVALID_ARGUMENT);
            return 0;
        }
    }
    *gen = v;
    return 1;
}

static void *gen_init(const struct wn_prov *prov, int selection, const OSSL_PARAM params[],
                      int is_dhx)
{
    struct wn_dh_gen_ctx *gen;

    if ((selection & (OSSL_KEYMGMT_SELECT_KEYPAIR | OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS)) == 0
        || (gen = wn_zalloc(prov, sizeof(*gen))) == NULL)
        return NULL;
    gen->prov = prov;
    gen->selection = selection;
    gen->is_dhx = is_dhx;
    gen->type = is_dhx ? TYPE_FIPS186_2 : TYPE_GENERATOR;
    gen->pbits = 2048;
    gen->qbits = 224;
    gen->generator = 2;
    gen->gindex = -1;
    if (!wn_dh_gen_set_params(gen, params)) {
        wn_dh_gen_cleanup(gen);
        return NULL;
    }
    return gen;
}

void *wn_dh_gen_init(void *prov, int selection, const OSSL_PARAM params[])
{
    return gen_init(prov, selection, params, 0);
}

void *wn_dhx_gen_init(void *prov, int selection, const OSSL_PARAM params[])
{
    return gen_init(prov, selection, params, 1);
}

void wn_dh_gen_cleanup(void *vgen)
{
    struct wn_dh_gen_ctx *gen = vgen;

    if (gen == NULL)
        return;
    wn_dh_key_free((struct wn_dh_key *)gen->like);
    wn_free(gen->prov, gen);
}

int wn_dh_gen_set_template(void *vgen, void *vkey)
{
    struct wn_dh_gen_ctx *gen = vgen;
    struct wn_dh_key *key = vkey;

    if (gen == NULL || key == NULL)
        return 0;
    wn_dh_key_up(key);
    wn_dh_key_free((struct wn_dh_key *)gen->like);
    gen->like = key;
    return 1;
}

/* ---- generation: making them ----------------------------------------------------------- */

static int progress(const struct wn_dh_gen_ctx *gen, int what, int count)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_int(OSSL_GEN_PARAM_POTENTIAL, &what),
        OSSL_PARAM_int(OSSL_GEN_PARAM_ITERATION, &count),
        OSSL_PARAM_END
    };

    return gen->cb == NULL || gen->cb(params, gen->cb_arg);
}

static int store(const struct wn_prov *prov, mp_int **to, const mp_int *from)
{
    return (*to = wn_num_dup(prov, from)) != NULL;
}

/* Odd primes for a quick look at both q and 2q + 1. */
static const unsigned short small[] = {
    3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
    101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193,
    197, 199, 211, 223, 227, 229, 233, 239, 241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307,
    311, 313, 317, 331, 337, 347, 349, 353, 359, 367, 373, 379, 383, 389, 397, 401, 409, 419, 421,
    431, 433, 439, 443, 449, 457, 461, 463, 467, 479, 487, 491, 499, 503, 509, 521, 523, 541
};

/* 1 if no small prime divides q or 2q + 1. */
static int maybe_safe(const mp_int *q)
{
    mp_digit r;
    size_t i;

    for (i = 0; i < sizeof(small) / sizeof(small[0]); i++)
        if (mp_mod_d(q, small[i], &r) != MP_OKAY || r == 0 || r == (small[i] - 1u) / 2)
            return 0;
    return 1;
}

/* The residue that makes g a generator of the subgroup of order q (PKCS #3 as
 * OpenSSL has it): p = 23 mod 24 for 2, 59 mod 60 for 5. */
static int residue_ok(const mp_int *p, int generator)
{
    mp_digit r;

    if (generator == 2)
        return mp_mod_d(p, 24, &r) == MP_OKAY && r == 23;
    if (generator == 5)
        return mp_mod_d(p, 60, &r) == MP_OKAY && r == 59;
    return 1;
}

/*
 * A safe prime of gen->pbits: random odd q, walked in steps of 12 (so that
 * p = 2q + 1 keeps p mod 24), until q and 2q + 1 are prime.
 */
static int make_safe_prime(const struct wn_dh_gen_ctx *gen, struct wn_dh_key *key,
                           struct wn_dh_work *w)
{
    unsigned char be[WN_DH_MAX_SIZE];
    size_t bits = gen->pbits - 1, n = (bits + 7) / 8;
    mp_int *q = &w->t[0], *p = &w->t[1];
    int rc = MP_OKAY, count = 0, step = gen->generator == 5 ? 30 : 12, tries;

    while (rc == MP_OKAY) {
        if (!wn_rng_bytes(gen->prov, be, n))
            return 0;
        be[0] &= 0xff >> (8 * n - bits);
        be[0] |= 1 << ((bits - 1) % 8);
        if (bits % 8 == 1)
            be[1] |= 0x80;
        else
            be[0] |= 1 << ((bits - 2) % 8);
        be[n - 1] |= 1;
        rc = mp_read_unsigned_bin(q, be, (word32)n);
        /* to the residue first, by steps of 2, then walk */
        for (tries = 0; rc == MP_OKAY && tries < 60; tries++) {
            rc = mp_mul_d(q, 2, p);
            if (rc == MP_OKAY)
                rc = mp_add_d(p, 1, p);
            if (rc == MP_OKAY && residue_ok(p, gen->generator))
                break;
            if (rc == MP_OKAY)
                rc = mp_add_d(q, 2, q);
        }
        for (tries = 0; rc == MP_OKAY && tries < 4096; tries++) {
            if (mp_count_bits(q) != (int)bits)
                break;
            if (maybe_safe(q)) {
                if (count++ % 8 == 0 && !progress(gen, 0, count))
                    return 0;
                rc = mp_mul_d(q, 2, p);
                if (rc == MP_OKAY)
                    rc = mp_add_d(p, 1, p);
                if (rc == MP_OKAY && is_prime(gen->prov, q) && is_prime(gen->prov, p)) {
                    unsigned char g = (unsigned char)gen->generator;

                    key->g = wn_num_new(gen->prov, &g, 1);
                    return progress(gen, 3, 0) && key->g != NULL
                        && store(gen->prov, &key->p, p);
                }
            }
            if (rc == MP_OKAY)
                rc = mp_add_d(q, (mp_digit)step, q);
        }
    }
    return WN_WC(gen->prov, rc);
}

/* seed = seed + 1 mod 2^(8 n) */
static void increment(unsigned char *seed, size_t n)
{
    while (n-- > 0 && ++seed[n] == 0)
        ;
}

static void hash(const struct wn_md_desc *md, const unsigned char *in, size_t n,
                 unsigned char *out)
{
    struct wn_md state;

    wn_md_init(&state, md);
    wn_md_update(&state, in, n);
    wn_md_final(&state, out);
}

/* What FIPS 186 makes p, q and g from. Its second edition takes q from two hashes,
 * starts p one later, and moves the seed on by blocks of SHA-1 whatever the hash is. */
struct fips186 {
    const struct wn_md_desc *md;
    int second, given;                  /* given: the seed is the caller's */
    size_t l, n;                        /* bits of p, octets of q */
    unsigned char seed[MAX_SEED];
    size_t seed_len;
};

static int fips186_init(struct fips186 *f, const struct wn_dh_gen_ctx *gen)
{
    size_t l = gen->pbits, n = gen->qbits;
    int ok;

    f->second = gen->type == TYPE_FIPS186_2;
    f->md = gen->md != NULL ? gen->md
            : n <= 160      ? &wn_md_sha1
            : n <= 224      ? &wn_md_sha224
                            : &wn_md_sha256;
    if (f->second)
        ok = l >= 512 && (n == 160 || n == 224 || n == 256);
    else    /* SP 800-56A rev. 3 table 1, and what came before */
        ok = (l == 1024 && n == 160) || (l == 2048 && (n == 224 || n == 256));
    f->l = f->second ? (l + 63) / 64 * 64 : l;
    f->n = n / 8;
    f->given = gen->seed_len != 0;
    f->seed_len = f->second ? f->n : f->given ? gen->seed_len : f->md->size;
    if (!ok || f->md->size < f->n || f->l <= n || (f->given && gen->seed_len < f->n)) {
        WN_RAISE_LIB(gen->prov, ERR_LIB_DH, DH_R_BAD_FFC_PARAMETERS);
        return 0;
    }
    memcpy(f->seed, gen->seed, f->given ? f->seed_len : 0);
    return 1;
}

/* The octets of q, from the seed: FIPS 186-4, A.1.1.2 steps 6 and 7; 186-2, 2.2 step 2. */
static void octets_of_q(const struct fips186 *f, unsigned char *q)
{
    unsigned char u[WN_MD_MAX_SIZE], v[WN_MD_MAX_SIZE], next[MAX_SEED];
    size_t i;

    hash(f->md, f->seed, f->seed_len, u);
    if (!f->second) {
        memcpy(q, u + f->md->size - f->n, f->n);
    } else {
        memcpy(next, f->seed, f->seed_len);
        increment(next, f->seed_len);
        hash(f->md, next, f->seed_len, v);
        for (i = 0; i < f->n; i++)
            q[i] = u[i] ^ v[i];
    }
    q[0] |= 0x80;
    q[f->n - 1] |= 1;
}

/* q from the seed that was given, or from random ones until it is prime. */
static int make_q(const struct wn_dh_gen_ctx *gen, struct fips186 *f, mp_int *q)
{
    unsigned char octets[WN_MD_MAX_SIZE];
    int count = 0, rc;

    for (;;) {
        if (!progress(gen, 0, count++)
            || (!f->given && !wn_rng_bytes(gen->prov, f->seed, f->seed_len)))
            return 0;
        octets_of_q(f, octets);
        rc = mp_read_unsigned_bin(q, octets, (word32)f->n);
        if (rc != MP_OKAY)
            return WN_WC(gen->prov, rc);
        if (is_prime(gen->prov, q))
            return 1;
        if (f->given && !f->second)
            return bad(gen->prov, DH_R_BAD_FFC_PARAMETERS);
        f->given = 0;
    }
}

/* Step 10 and 11: p with q dividing p - 1; *counter says where. 0 without an error:
 * none within 4 L tries. */
static int make_p(const struct wn_dh_gen_ctx *gen, const struct fips186 *f, struct wn_dh_work *w,
                  int *counter)
{
    unsigned char v[WN_DH_MAX_SIZE + WN_MD_MAX_SIZE], at[MAX_SEED];
    size_t n = f->l / 8, size = f->md->size, blocks = (n + size - 1) / size, i;
    size_t steps = f->second ? (f->l - 1) / 160 + 1 : blocks;
    mp_int *q = &w->t[0], *p = &w->t[1], *t = &w->t[2];
    int rc;

    memcpy(at, f->seed, f->seed_len);
    if (f->second)
        increment(at, f->seed_len);
    for (*counter = 0; *counter < (int)(4 * f->l); ++*counter) {
        unsigned char *end = v + blocks * size;

        for (i = 1; i <= steps; i++) {
            increment(at, f->seed_len);
            if (i <= blocks)
                hash(f->md, at, f->seed_len, end - i * size);
        }
        /* X = W + 2^(L-1); p = X - (X mod 2q - 1) */
        end[-(ptrdiff_t)n] |= 0x80;
        rc = mp_read_unsigned_bin(p, end - n, (word32)n);
        if (rc == MP_OKAY)
            rc = mp_mul_d(q, 2, t);
        if (rc == MP_OKAY)
            rc = mp_mod(p, t, &w->t[3]);
        if (rc == MP_OKAY)
            rc = mp_sub(p, &w->t[3], p);
        if (rc == MP_OKAY)
            rc = mp_add_d(p, 1, p);
        if (rc != MP_OKAY)
            return WN_WC(gen->prov, rc);
        if (mp_count_bits(p) == (int)f->l && is_prime(gen->prov, p))
            return 1;
    }
    return 0;
}

/* A.2.3 step 9: what a counter and an index make of the seed. */
static int hash_for_g(const struct fips186 *f, int gindex, unsigned count, mp_int *w)
{
    unsigned char u[WN_MD_MAX_SIZE];
    const unsigned char end[3] = { (unsigned char)gindex, (unsigned char)(count >> 8),
                                   (unsigned char)count };
    struct wn_md md;

    wn_md_init(&md, f->md);
    wn_md_update(&md, f->seed, f->seed_len);
    wn_md_update(&md, (const unsigned char *)"ggen", 4);
    wn_md_update(&md, end, sizeof(end));
    wn_md_final(&md, u);
    return mp_read_unsigned_bin(w, u, (word32)f->md->size);
}

/* g = h^((p - 1) / q), the first h that gives one: from 2 on (A.2.1), or made of the
 * seed and an index (A.2.3), so that it can be verified. */
static int make_g(const struct wn_dh_gen_ctx *gen, const struct fips186 *f, struct wn_dh_key *key,
                  struct wn_dh_work *w)
{
    mp_int *e = &w->t[2], *g = &w->t[3], *h = &w->t[0];
    int rc = mp_sub_d(key->p, 1, g), canonical = gen->gindex >= 0 && !f->second;
    unsigned count;

    key->gindex = gen->gindex;
    if (rc == MP_OKAY)
        rc = mp_div(g, key->q, e, NULL);
    for (count = 1; rc == MP_OKAY && count < 255; count++) {
        if (canonical)
            rc = hash_for_g(f, gen->gindex, count, h);
        else
            mp_set(h, (mp_digit)(key->h = (int)count + 1));
        if (rc == MP_OKAY)
            rc = mp_exptmod(h, e, key->p, g);
        if (rc == MP_OKAY && mp_cmp_d(g, 1) == MP_GT)
            return store(gen->prov, &key->g, g) && store(gen->prov, &key->j, e);
    }
    return WN_WC(gen->prov, rc) && bad(gen->prov, DH_R_NOT_SUITABLE_GENERATOR);
}

static int make_fips186(const struct wn_dh_gen_ctx *gen, struct wn_dh_key *key,
                        struct wn_dh_work *w)
{
    struct fips186 f;

    if (!fips186_init(&f, gen))
        return 0;
    for (;;) {
        if (!make_q(gen, &f, &w->t[0]))
            return 0;
        if (make_p(gen, &f, w, &key->pcounter))
            break;
        if (f.given && !f.second)
            return bad(gen->prov, DH_R_BAD_FFC_PARAMETERS);
        f.given = 0;
        if (!progress(gen, 1, 0))
            return 0;
    }
    if (!store(gen->prov, &key->q, &w->t[0]) || !store(gen->prov, &key->p, &w->t[1])
        || (key->seed = wn_memdup(gen->prov, f.seed, f.seed_len)) == NULL)
        return 0;
    key->seed_len = f.seed_len;
    return progress(gen, 3, 1) && make_g(gen, &f, key, w);
}

static int make_params(const struct wn_dh_gen_ctx *gen, struct wn_dh_key *key)
{
    const struct wn_dh_group *group = gen->group;
    struct wn_dh_work *w;
    int ok;

    if (group == NULL && gen->type == TYPE_GROUP)
        group = wn_dh_group_of_size(gen->pbits);
    if (group != NULL)
        return wn_dh_key_set_group(key, group);
    if (gen->type == TYPE_GROUP) {
        WN_RAISE(gen->prov, PROV_R_INVALID_KEY_LENGTH);
        return 0;
    }
    if (gen->pbits < WN_DH_MIN_BITS || gen->pbits > WN_DH_MAX_BITS) {
        WN_RAISE_LIB(gen->prov, ERR_LIB_DH, gen->pbits < WN_DH_MIN_BITS
                                                ? DH_R_MODULUS_TOO_SMALL
                                                : DH_R_MODULUS_TOO_LARGE);
        return 0;
    }
    if (gen->type == TYPE_GENERATOR && (gen->generator < 2 || gen->generator > 255)) {
        WN_RAISE_LIB(gen->prov, ERR_LIB_DH, DH_R_BAD_GENERATOR);
        return 0;
    }
    w = work_new(gen->prov);
    ok = w != NULL && (gen->type == TYPE_GENERATOR ? make_safe_prime(gen, key, w)
                                                   : make_fips186(gen, key, w));
    wn_ctx_free(gen->prov, w, sizeof(*w));
    return ok && wn_dh_key_ready(key);
}

void *wn_dh_gen(void *vgen, OSSL_CALLBACK *cb, void *cb_arg)
{
    struct wn_dh_gen_ctx *gen = vgen;
    struct wn_dh_key *key = wn_dh_key_new(gen->prov, gen->is_dhx);
    int ok;

    if (key == NULL)
        return NULL;
    gen->cb = cb;
    gen->cb_arg = cb_arg;
    if (gen->like != NULL)
        ok = wn_dh_key_copy_params(key, gen->like);
    else if (gen->group != NULL || gen->type == TYPE_GROUP || WN_SELECTS_DOMAIN(gen->selection))
        ok = make_params(gen, key);
    else
        ok = bad(gen->prov, DH_R_NO_PARAMETERS_SET);
    if (ok && gen->priv_len > 0)
        key->priv_len = gen->priv_len;
    if (ok && WN_SELECTS_KEYPAIR(gen->selection))
        ok = wn_dh_key_generate(key);
    if (!ok) {
        wn_dh_key_free(key);
        return NULL;
    }
    return key;
}
