/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diffie-Hellman key object and primitives; see dh.h. */
#include "dh.h"

#include <string.h>

#include <openssl/dherr.h>

#include <wolfssl/wolfcrypt/sp.h>

#include "../provider/rng.h"

struct wn_dh_key *wn_dh_key_new(const struct wn_prov *prov, int is_dhx)
{
    struct wn_dh_key *key = wn_ctx_new(prov, sizeof(*key));

    if (key != NULL) {
        key->prov = prov;
        key->is_dhx = is_dhx;
        key->gindex = key->pcounter = -1;
        wn_ref_init(&key->ref);
    }
    return key;
}

void wn_dh_key_free(struct wn_dh_key *key)
{
    if (key == NULL || !wn_ref_down(&key->ref))
        return;
    wn_num_free(key->prov, key->p);
    wn_num_free(key->prov, key->g);
    wn_num_free(key->prov, key->q);
    wn_num_free(key->prov, key->j);
    wn_num_free(key->prov, key->pub);
    wn_num_free(key->prov, key->priv);
    wn_free(key->prov, key->seed);
    wn_ctx_free(key->prov, key, sizeof(*key));
}

/* q = (p - 1) / 2 */
static int set_safe_q(struct wn_dh_key *key)
{
    unsigned char be[WN_DH_MAX_SIZE];
    unsigned bit = 0, next;
    size_t i;

    wn_num_bytes(key->p, be, key->size);
    for (i = 0; i < key->size; i++, bit = next) {
        next = be[i] & 1;
        be[i] = (unsigned char)(be[i] >> 1 | bit << 7);
    }
    key->q = wn_num_new(key->prov, be, key->size);
    return key->q != NULL;
}

int wn_dh_key_set_group(struct wn_dh_key *key, const struct wn_dh_group *group)
{
    unsigned char p[WN_DH_MAX_GROUP_SIZE];
    const unsigned char *g, *q;
    size_t g_len = wn_dh_group_g(group, &g), q_len = wn_dh_group_q(group, &q);

    wn_dh_group_p(group, p);
    key->p = wn_num_new(key->prov, p, group->bits / 8);
    key->g = wn_num_new(key->prov, g, g_len);
    if (q_len != 0)
        key->q = wn_num_new(key->prov, q, q_len);
    return key->p != NULL && key->g != NULL && (q_len == 0 || key->q != NULL)
        && wn_dh_key_ready(key);
}

int wn_dh_key_ready(struct wn_dh_key *key)
{
    unsigned char p[WN_DH_MAX_SIZE], g[WN_DH_MAX_SIZE];
    size_t g_len = (size_t)mp_unsigned_bin_size(key->g);

    key->bits = (size_t)mp_count_bits(key->p);
    key->size = (key->bits + 7) / 8;
    if (key->bits > WN_DH_MAX_BITS || g_len > key->size) {
        WN_RAISE_LIB(key->prov, ERR_LIB_DH, DH_R_MODULUS_TOO_LARGE);
        return 0;
    }
    wn_num_bytes(key->p, p, key->size);
    wn_num_bytes(key->g, g, g_len);
    key->group = wn_dh_group_match(p, key->size, g, g_len);
    if (key->group == NULL)
        return 1;
    return key->q != NULL || set_safe_q(key);
}

static int copy(const struct wn_prov *prov, mp_int **to, const mp_int *from)
{
    return from == NULL || (*to = wn_num_dup(prov, from)) != NULL;
}

int wn_dh_key_copy_params(struct wn_dh_key *to, const struct wn_dh_key *from)
{
    if (from->p == NULL || from->g == NULL)
        return 1;
    to->gindex = from->gindex;
    to->pcounter = from->pcounter;
    to->h = from->h;
    to->priv_len = from->priv_len;
    if (from->seed != NULL) {
        to->seed = wn_memdup(to->prov, from->seed, from->seed_len);
        if (to->seed == NULL)
            return 0;
        to->seed_len = from->seed_len;
    }
    return copy(to->prov, &to->p, from->p) && copy(to->prov, &to->g, from->g)
        && copy(to->prov, &to->q, from->q) && copy(to->prov, &to->j, from->j)
        && wn_dh_key_ready(to);
}

/* ---- primitives ------------------------------------------------------------------ */

/* The sp_ functions drop leading zeros; they are put back. */
static int sp_power(size_t bits, const mp_int *base, const unsigned char *e, size_t e_len,
                    const mp_int *p, unsigned char *out)
{
    size_t size = bits / 8;
    word32 n = (word32)size;
    int rc;

    switch (bits) {
    case 2048:
        rc = sp_DhExp_2048(base, e, (word32)e_len, p, out, &n);
        break;
    case 3072:
        rc = sp_DhExp_3072(base, e, (word32)e_len, p, out, &n);
        break;
    default:
        rc = sp_DhExp_4096(base, e, (word32)e_len, p, out, &n);
        break;
    }
    memmove(out + size - n, out, n);
    memset(out, 0, size - n);
    return rc;
}

static int generic_power(const struct wn_dh_key *key, const mp_int *base, const mp_int *exponent,
                         unsigned char *out)
{
    mp_int *result = wn_ctx_new(key->prov, sizeof(*result));
    int rc;

    if (result == NULL)
        return 0;
    rc = mp_init(result);
    if (rc == MP_OKAY)
        rc = mp_exptmod(base, exponent, key->p, result);
    if (rc == MP_OKAY && !wn_num_bytes(result, out, key->size))
        rc = MP_VAL;
    wn_ctx_free(key->prov, result, sizeof(*result));
    return WN_WC(key->prov, rc);
}

size_t wn_dh_private_bits(const struct wn_dh_key *key)
{
    size_t bits = (size_t)key->priv_len;

    if (bits == 0 && key->group != NULL)
        bits = (size_t)key->group->priv_bits;
    if (key->q != NULL && (bits == 0 || bits > (size_t)mp_count_bits(key->q)))
        bits = (size_t)mp_count_bits(key->q);
    return bits == 0 || bits >= key->bits ? key->bits - 1 : bits;
}

int wn_dh_power(const struct wn_dh_key *key, const mp_int *base, const mp_int *exponent,
                unsigned char *out)
{
    unsigned char e[WN_DH_MAX_SIZE];
    size_t e_len = (size_t)mp_unsigned_bin_size(exponent);
    int ok;

    if ((key->bits != 2048 && key->bits != 3072 && key->bits != 4096) || mp_iseven(key->p)
        || e_len > key->size || e_len == 0)
        return generic_power(key, base, exponent, out);
    /* the length that private keys of this group have, not that of this one */
    if (wn_dh_private_bits(key) / 8 >= e_len)
        e_len = (wn_dh_private_bits(key) + 7) / 8;
    wn_num_bytes(exponent, e, e_len);
    memset(out, 0, key->size);
    ok = WN_WC(key->prov, sp_power(key->bits, base, e, e_len, key->p, out));
    wn_clear(e, e_len);
    return ok;
}

/* p = 2q + 1? Then every y in (1, p - 1) is as good as any (SP 800-56A, 5.6.2.3.2). */
static int is_safe_group(const struct wn_dh_key *key)
{
    return key->group != NULL && key->group->kind != WN_DH_RFC5114;
}

int wn_dh_public_ok(const struct wn_dh_key *key, const mp_int *pub)
{
    unsigned char be[WN_DH_MAX_SIZE];
    size_t i;
    int ok;
    mp_int *t;

    if (mp_cmp_d(pub, 1) != MP_GT)
        return 0;
    t = wn_ctx_new(key->prov, sizeof(*t));
    if (t == NULL)
        return 0;
    ok = mp_init(t) == MP_OKAY && mp_sub_d(key->p, 1, t) == MP_OKAY && mp_cmp(pub, t) == MP_LT;
    wn_ctx_free(key->prov, t, sizeof(*t));
    if (!ok || key->q == NULL || is_safe_group(key))
        return ok;
    if (!generic_power(key, pub, key->q, be))
        return 0;
    for (i = 0; i + 1 < key->size; i++)
        ok = ok && be[i] == 0;
    return ok && be[key->size - 1] == 1;
}

/*
 * Private keys: SP 800-56A section 5.6.1.1.4 (testing candidates) in the range
 * [1, min(2^N, q) - 1] with N the group's length; without q, as PKCS #3 has it,
 * N bits of which the highest is set.
 */
static int random_private(struct wn_dh_key *key)
{
    unsigned char be[WN_DH_MAX_SIZE];
    size_t bits = wn_dh_private_bits(key), n = (bits + 7) / 8;
    int found = 0, ok = 1;

    while (!found) {
        wn_num_free(key->prov, key->priv);
        key->priv = NULL;
        ok = wn_rng_bytes(key->prov, be, n);
        if (!ok)
            break;
        be[0] &= 0xff >> (8 * n - bits);
        if (key->q == NULL)
            be[0] |= 1 << ((bits - 1) % 8);
        key->priv = wn_num_new(key->prov, be, n);
        if (key->priv == NULL)
            break;
        found = !mp_iszero(key->priv) && (key->q == NULL || mp_cmp(key->priv, key->q) == MP_LT);
    }
    wn_clear(be, n);
    return found;
}

int wn_dh_key_generate(struct wn_dh_key *key)
{
    unsigned char pub[WN_DH_MAX_SIZE];

    if (key->p == NULL || key->g == NULL || key->bits < WN_DH_MIN_BITS || mp_iseven(key->p)) {
        WN_RAISE_LIB(key->prov, ERR_LIB_DH, DH_R_MODULUS_TOO_SMALL);
        return 0;
    }
    if (!random_private(key) || !wn_dh_power(key, key->g, key->priv, pub))
        return 0;
    wn_num_free(key->prov, key->pub);
    key->pub = wn_num_new(key->prov, pub, key->size);
    return key->pub != NULL;
}
