/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RSA key object and primitives; see rsa.h. */
#include "rsa.h"

#include <string.h>

#include <openssl/rsaerr.h>

#include <wolfssl/wolfcrypt/sp.h>
#include <wolfssl/wolfcrypt/sp_int.h>

#include "../provider/rng.h"
#include "accel.h"
#include "rsa_ct.h"

/* OpenSSL's limits (rsa.h): above 3072 bits the exponent has 64 at most. */
#define SMALL_MODULUS_BITS 3072
#define MAX_EXPONENT_BITS 64

/* ---- the key object --------------------------------------------------------- */

struct wn_rsa_key *wn_rsa_key_new(const struct wn_prov *prov, int is_pss)
{
    struct wn_rsa_key *key = wn_ctx_new(prov, sizeof(*key));

    if (key != NULL) {
        key->prov = prov;
        key->is_pss = is_pss;
        wn_ref_init(&key->ref);
    }
    return key;
}

static void kernel_free(struct wn_rsa_key *key)
{
    if (key->public_by != NULL)
        wn_ctx_free(key->prov, key->kernel_public, key->public_by->public_size(key->bits));
    if (key->private_by != NULL)
        wn_ctx_free(key->prov, key->kernel_private, key->private_by->crt_size(key->bits));
    key->public_by = key->private_by = NULL;
    key->kernel_public = key->kernel_private = NULL;
}

void wn_rsa_key_free(struct wn_rsa_key *key)
{
    unsigned i;

    if (key == NULL || !wn_ref_down(&key->ref))
        return;
    kernel_free(key);
    wn_num_free(key->prov, key->n);
    wn_num_free(key->prov, key->e);
    wn_num_free(key->prov, key->d);
    for (i = 0; i < WN_RSA_MAX_PRIMES; i++) {
        wn_num_free(key->prov, key->prime[i].factor);
        wn_num_free(key->prov, key->prime[i].exponent);
        wn_num_free(key->prov, key->prime[i].coefficient);
    }
    wn_ctx_free(key->prov, key, sizeof(*key));
}

static int has_crt(const struct wn_rsa_key *key)
{
    return key->n_primes == 2 && key->prime[0].exponent != NULL
        && key->prime[1].exponent != NULL && key->prime[1].coefficient != NULL;
}

static int is_sp_size(size_t bits)
{
    return bits == 2048 || bits == 3072 || bits == 4096;
}

/* Numbers that the key cannot have. */
static int check_bounds(const struct wn_rsa_key *key)
{
    unsigned i;

    if (key->bits > WN_RSA_MAX_BITS) {
        WN_RAISE_LIB(key->prov, ERR_LIB_RSA, RSA_R_MODULUS_TOO_LARGE);
        return 0;
    }
    for (i = 0; i < key->n_primes; i++) {
        const struct wn_rsa_prime *p = &key->prime[i];

        if (mp_cmp(p->factor, key->n) == MP_GT
            || (p->exponent != NULL && mp_cmp(p->exponent, key->n) == MP_GT)
            || (p->coefficient != NULL && mp_cmp(p->coefficient, key->n) == MP_GT)) {
            WN_RAISE_LIB(key->prov, ERR_LIB_RSA, RSA_R_INVALID_KEYPAIR);
            return 0;
        }
    }
    return 1;
}

/* Two odd primes of exactly half the modulus' length, and CRT numbers below them?
 * Both the sp_ functions and the kernel rely on that. */
static int is_balanced(const struct wn_rsa_key *key)
{
    const struct wn_rsa_prime *p = &key->prime[0], *q = &key->prime[1];
    int half = (int)key->bits / 2;

    return key->d != NULL && has_crt(key) && key->bits % 2 == 0
        && mp_count_bits(p->factor) == half && mp_count_bits(q->factor) == half
        && mp_isodd(p->factor) && mp_isodd(q->factor)
        && mp_cmp(p->exponent, p->factor) == MP_LT && mp_cmp(q->exponent, q->factor) == MP_LT
        && mp_cmp(q->coefficient, p->factor) == MP_LT;
}

/* A number as `n` 64-bit digits, the lowest first. */
static int digits(uint64_t *to, const mp_int *a, size_t n)
{
    unsigned char be[WN_RSA_MAX_SIZE];
    size_t i;

    if (!wn_num_bytes(a, be, 8 * n))
        return 0;
    memset(to, 0, 8 * n);
    for (i = 0; i < 8 * n; i++)
        to[i / 8] |= (uint64_t)be[8 * n - 1 - i] << (i % 8 * 8);
    wn_clear(be, 8 * n);
    return 1;
}

/* 0 with an error raised if memory is short, 1 also if no kernel takes the key. */
static int kernel_public_init(struct wn_rsa_key *key)
{
    uint64_t n[WN_RSA_MAX_BITS / 64];
    const struct wn_rsa_kernel *by;
    size_t i, size;

    for (i = 0; i < WN_RSA_KERNELS; i++) {
        by = wn_accel.rsa[i];
        if (by == NULL || (size = by->public_size(key->bits)) == 0)
            continue;
        if (!digits(n, key->n, (key->bits + 63) / 64)
            || (key->kernel_public = wn_ctx_new(key->prov, size)) == NULL)
            return 0;
        key->public_by = by;
        by->public_init(key->kernel_public, key->bits, n);
        break;
    }
    return 1;
}

static int crt_init(struct wn_rsa_key *key, const struct wn_rsa_kernel *by)
{
    const struct wn_rsa_prime *p = &key->prime[0], *q = &key->prime[1];
    uint64_t d[5][WN_RSA_MAX_BITS / 128];
    const struct wn_rsa_crt crt = { d[0], d[1], d[2], d[3], d[4] };
    size_t n = (key->bits / 2 + 63) / 64;

    if (digits(d[0], p->factor, n) && digits(d[1], q->factor, n) && digits(d[2], p->exponent, n)
        && digits(d[3], q->exponent, n) && digits(d[4], q->coefficient, n)
        && (key->kernel_private = wn_ctx_new(key->prov, by->crt_size(key->bits))) != NULL) {
        key->private_by = by;
        by->crt_init(key->kernel_private, key->bits, &crt);
    }
    wn_clear(d, sizeof(d));
    return key->private_by != NULL;
}

static int kernel_private_init(struct wn_rsa_key *key)
{
    size_t i;

    for (i = 0; i < WN_RSA_KERNELS; i++)
        if (wn_accel.rsa[i] != NULL && wn_accel.rsa[i]->crt_size(key->bits) != 0)
            return crt_init(key, wn_accel.rsa[i]);
    return 1;
}

int wn_rsa_key_ready(struct wn_rsa_key *key)
{
    int usual_e, balanced;

    kernel_free(key);
    key->bits = (size_t)mp_count_bits(key->n);
    key->size = (key->bits + 7) / 8;
    if (!check_bounds(key))
        return 0;
    if (mp_iseven(key->n))
        return 1;
    usual_e = mp_count_bits(key->e) <= MAX_EXPONENT_BITS && !mp_iszero(key->e);
    balanced = is_balanced(key);
    if (is_sp_size(key->bits)) {
        key->sp_public = usual_e ? (int)key->bits : 0;
        key->sp_private = balanced ? (int)key->bits : 0;
    }
    if (key->bits < WN_RSA_MIN_BITS)
        return 1;
    return (!usual_e || mp_iseven(key->e) || mp_isone(key->e) || kernel_public_init(key))
        && (!balanced || kernel_private_init(key));
}

/* ---- primitives -------------------------------------------------------------- */

/* in < n? The input may be secret (a padded message), its order is not. */
static int in_range(const struct wn_rsa_key *key, const unsigned char *in)
{
    unsigned char n[WN_RSA_MAX_SIZE];

    unsigned borrow = 0;
    size_t i;

    if (wn_num_bytes(key->n, n, key->size)) {
        for (i = key->size; i-- > 0;)
            borrow = ((unsigned)in[i] - n[i] - borrow) >> 31;
        if (borrow)
            return 1;
    }
    WN_RAISE_LIB(key->prov, ERR_LIB_RSA, RSA_R_DATA_TOO_LARGE_FOR_MODULUS);
    return 0;
}

/*
 * 0, 1 and n - 1 are their own images (exponents are odd); wc_RsaFunction()
 * refuses them.
 */
static int is_fixed_point(const struct wn_rsa_key *key, const unsigned char *in)
{
    unsigned char n[WN_RSA_MAX_SIZE];
    size_t i;

    if (!wn_num_bytes(key->n, n, key->size))
        return 0;
    n[key->size - 1] ^= 1;      /* n is odd: n - 1 */
    if (memcmp(in, n, key->size) == 0)
        return 1;
    for (i = 0; i + 1 < key->size; i++)
        if (in[i] != 0)
            return 0;
    return in[key->size - 1] <= 1;
}

/* wolfCrypt's structure (33 KB) from our numbers. */
static int fill(RsaKey *to, const struct wn_rsa_key *key, int is_private, int with_crt)
{
    const struct {
        const mp_int *from;
        mp_int *to;
    } numbers[] = {
        { key->n, &to->n },
        { key->e, &to->e },
        { is_private ? key->d : NULL, &to->d },
        { is_private && with_crt ? key->prime[0].factor : NULL, &to->p },
        { is_private && with_crt ? key->prime[1].factor : NULL, &to->q },
        { is_private && with_crt ? key->prime[0].exponent : NULL, &to->dP },
        { is_private && with_crt ? key->prime[1].exponent : NULL, &to->dQ },
        { is_private && with_crt ? key->prime[1].coefficient : NULL, &to->u },
    };
    size_t i;
    int rc = 0;

    to->type = is_private ? RSA_PRIVATE : RSA_PUBLIC;
    for (i = 0; rc == 0 && i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (numbers[i].from != NULL)
            rc = mp_copy(numbers[i].from, numbers[i].to);
    return rc;
}

/* Through a temporary RsaKey; with_crt: use the primes. */
static int generic(const struct wn_rsa_key *key, int type, int with_crt,
                   const unsigned char *in, unsigned char *out)
{
    const struct wn_prov *prov = key->prov;
    RsaKey *tmp;
    word32 n = (word32)key->size;
    int rc;

    if (is_fixed_point(key, in)) {
        memmove(out, in, key->size);
        return 1;
    }
    tmp = wn_ctx_new(prov, sizeof(*tmp));
    if (tmp == NULL)
        return 0;
    rc = wc_InitRsaKey(tmp, NULL);
    if (rc == 0)
        rc = fill(tmp, key, type == RSA_PRIVATE_DECRYPT, with_crt && has_crt(key));
    if (rc == 0)
        rc = wc_RsaFunction(in, n, out, &n, type, tmp, wn_rng(prov));
    wn_ctx_free(prov, tmp, sizeof(*tmp));
    if (rc == 0 && n != key->size)
        rc = RSA_BUFFER_E;
    return WN_WC(prov, rc);
}

static int sp_public(const struct wn_rsa_key *key, const unsigned char *in, unsigned char *out)
{
    word32 n = (word32)key->size;

    switch (key->sp_public) {
    case 2048:
        return sp_RsaPublic_2048(in, n, key->e, key->n, out, &n);
    case 3072:
        return sp_RsaPublic_3072(in, n, key->e, key->n, out, &n);
    default:
        return sp_RsaPublic_4096(in, n, key->e, key->n, out, &n);
    }
}

int wn_rsa_public(const struct wn_rsa_key *key, const unsigned char *in, unsigned char *out)
{
    const struct wn_prov *prov = key->prov;

    if (!in_range(key, in))
        return 0;
    if (key->public_by != NULL) {
        uint64_t e;

        if (!digits(&e, key->e, 1))
            return 0;
        key->public_by->public_op(key->kernel_public, e, in, out);
        return 1;
    }
    if (key->sp_public != 0)
        return WN_WC(prov, sp_public(key, in, out));
    if (mp_iseven(key->n) || mp_iseven(key->e) || mp_cmp(key->n, key->e) != MP_GT
        || (key->bits > SMALL_MODULUS_BITS && mp_count_bits(key->e) > MAX_EXPONENT_BITS)) {
        WN_RAISE_LIB(prov, ERR_LIB_RSA, RSA_R_BAD_E_VALUE);
        return 0;
    }
    return generic(key, RSA_PUBLIC_ENCRYPT, 0, in, out);
}

static int sp_private(const struct wn_rsa_key *key, const unsigned char *in, unsigned char *out)
{
    const struct wn_rsa_prime *p = &key->prime[0], *q = &key->prime[1];
    word32 n = (word32)key->size;

    switch (key->sp_private) {
    case 2048:
        return sp_RsaPrivate_2048(in, n, key->d, p->factor, q->factor, p->exponent, q->exponent,
                                  q->coefficient, key->n, out, &n);
    case 3072:
        return sp_RsaPrivate_3072(in, n, key->d, p->factor, q->factor, p->exponent, q->exponent,
                                  q->coefficient, key->n, out, &n);
    default:
        return sp_RsaPrivate_4096(in, n, key->d, p->factor, q->factor, p->exponent, q->exponent,
                                  q->coefficient, key->n, out, &n);
    }
}

/* wn_rsa_public() for a number that must stay secret, where there is such a one. */
static int public_ct(const struct wn_rsa_key *key, const unsigned char *in, unsigned char *out)
{
    uint64_t e;

    if (key->public_by != NULL || key->sp_public == 0 || wn_rsa_public_ct == NULL)
        return wn_rsa_public(key, in, out);
    return digits(&e, key->e, 1)
        && WN_WC(key->prov, wn_rsa_public_ct(key->bits, in, e, key->n, out));
}

/* Is `result` the e-th root of `in`? */
static int is_root(const struct wn_rsa_key *key, const unsigned char *in,
                   const unsigned char *result, enum wn_rsa_result kind)
{
    unsigned char back[WN_RSA_MAX_SIZE];
    int ok = (kind == WN_RSA_SECRET ? public_ct : wn_rsa_public)(key, result, back)
        && wn_memcmp_ct(back, in, key->size) == 0;

    wn_clear(back, key->size);
    return ok;
}

int wn_rsa_private(const struct wn_rsa_key *key, const unsigned char *in, unsigned char *out,
                   enum wn_rsa_result kind)
{
    const struct wn_prov *prov = key->prov;
    unsigned char result[WN_RSA_MAX_SIZE];
    int ok = 1;

    if (key->d == NULL) {
        WN_RAISE(prov, PROV_R_NOT_A_PRIVATE_KEY);
        return 0;
    }
    if (!in_range(key, in))
        return 0;
    if (key->private_by != NULL)
        key->private_by->crt_op(key->kernel_private, in, result);
    else if (key->sp_private != 0)
        ok = WN_WC(prov, sp_private(key, in, result));
    else
        ok = generic(key, RSA_PRIVATE_DECRYPT, 1, in, result);
    if (ok && has_crt(key) && !is_root(key, in, result, kind))
        /* wrong CRT numbers or a fault: once more with d alone, as OpenSSL does */
        ok = generic(key, RSA_PRIVATE_DECRYPT, 0, in, result);
    if (ok)
        memcpy(out, result, key->size);
    wn_clear(result, key->size);
    return ok;
}
