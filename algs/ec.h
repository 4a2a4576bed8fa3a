/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Elliptic curves over prime fields (SEC 1, FIPS 186-5): the key object, and
 * what can be computed with it. Key management is in ec_key.c and ec_gen.c,
 * signatures in ecdsa.c, key exchange in ecdh.c.
 *
 * Numbers are wolfCrypt's mp_int with just the digits a curve needs; its SP code
 * for P-256, P-384 and P-521 reads them in place and writes nothing to them, so
 * an operation on these needs no working copy of the key. Other curves have arithmetic
 * of ours (ec_mont.c), or, with a cofactor, a temporary ecc_key and wolfCrypt's generic code.
 */
#ifndef WN_EC_H
#define WN_EC_H

#include <stdatomic.h>

#include <wolfssl/wolfcrypt/ecc.h>

#include "key.h"
#include "other_ctx.h"

#define WN_EC_MAX_BYTES 66      /* of a field element or a scalar (P-521) */
#define WN_EC_MAX_POINT (1 + 2 * WN_EC_MAX_BYTES)
#define WN_EC_DIGITS ((WN_EC_MAX_BYTES + sizeof(mp_digit) - 1) / sizeof(mp_digit) + 1)

struct wn_ec_num {
    _Alignas(mp_digit) unsigned char space[MP_INT_SIZEOF(WN_EC_DIGITS)];
};

static inline mp_int *wn_ec_mp(const struct wn_ec_num *n)
{
    return (mp_int *)(uintptr_t)n->space;
}

/* Zero, and from n big-endian bytes, of which all but WN_EC_MAX_BYTES are zero. */
void wn_ec_num_init(struct wn_ec_num *num);
int wn_ec_num_read(struct wn_ec_num *num, const unsigned char *be, size_t n);
int wn_ec_num_bytes(const struct wn_ec_num *num, unsigned char *be, size_t n);

enum wn_ec_form {               /* SEC 1 section 2.3.3; as a lead byte */
    WN_EC_COMPRESSED = 2,
    WN_EC_UNCOMPRESSED = 4,
    WN_EC_HYBRID = 6
};

struct wn_ec_sp;                /* wolfCrypt's functions for one of its curves */

struct wn_ec_curve {
    const char *names;          /* as in ec_curves.def; the first is the curve's */
    int bits, order_bits;
    size_t size, order_size;    /* in bytes */
    const struct wn_ec_sp *sp;  /* NULL: ec_generic.c */
    ecc_set_type dp;
    const char *seed;
};

#define WN_EC_CURVE(...) +1
enum {
    WN_EC_CURVES = 0
#include "ec_curves.def"
};
#undef WN_EC_CURVE

const struct wn_ec_curve *wn_ec_curve_find(const char *name);
/* 0 to WN_EC_CURVES - 1 */
size_t wn_ec_curve_index(const struct wn_ec_curve *curve);
#define WN_EC_NAME_MAX 32
const char *wn_ec_curve_name(const struct wn_ec_curve *curve, char buf[WN_EC_NAME_MAX]);
/* Bytes of the longest ECDSA signature: a DER SEQUENCE of two INTEGERs as long as n. */
static inline size_t wn_ec_signature_size(const struct wn_ec_curve *curve)
{
    size_t n = 2 * (2 + (size_t)curve->order_bits / 8 + 1);

    return n + (n < 128 ? 2 : 3);
}
/* A curve's number, padded to n bytes. */
void wn_ec_hex(const char *hex, unsigned char *be, size_t n);
struct wn_ec_explicit {
    /* padded in front */
    unsigned char p[WN_EC_MAX_BYTES], a[WN_EC_MAX_BYTES], b[WN_EC_MAX_BYTES],
        n[WN_EC_MAX_BYTES], gx[WN_EC_MAX_BYTES], gy[WN_EC_MAX_BYTES];
};
/* The curve with these numbers, or NULL; odd: -1, or the parity that stands for gy. */
const struct wn_ec_curve *wn_ec_curve_match(const struct wn_ec_explicit *e, int odd);

struct wn_ec_key {
    const struct wn_prov *prov;
    wn_ref ref;
    const struct wn_ec_curve *curve;    /* NULL: no parameters yet, or those of `other` */
    struct wn_other_key *other;         /* not NULL: the key is there (ec_other.c) */
    int has_public, has_private;
    enum wn_ec_form form;       /* of the public key outside */
    int explicit_encoding;      /* parameters in full instead of the curve's name */
    int from_explicit;          /* and that is how they came */
    int cofactor_mode, no_public;
    int check_type;             /* 0 default, 1 named, 2 named-nist */
    struct wn_ec_num x, y;      /* the public key, affine */
    struct wn_ec_num d;
    /* the only parts that change once the key is in use; see ec_table.c */
    atomic_uint uses;
    _Atomic(void *) table;
};

struct wn_ec_key *wn_ec_key_new(const struct wn_prov *prov);
void wn_ec_key_free(struct wn_ec_key *key);
static inline struct wn_ec_key *wn_ec_key_up(struct wn_ec_key *key)
{
    wn_ref_up(&key->ref);
    return key;
}

OSSL_FUNC_keymgmt_export_fn wn_ec_export;

/*
 * A point from its octets, checked to be on the curve and not infinity; raises.
 * Lengths other than the form's, and coordinates not below p, are refused.
 */
int wn_ec_point_read(const struct wn_prov *prov, const struct wn_ec_curve *curve,
                     const unsigned char *in, size_t n, struct wn_ec_num *x,
                     struct wn_ec_num *y);
size_t wn_ec_point_write(const struct wn_ec_curve *curve, const struct wn_ec_num *x,
                         const struct wn_ec_num *y, enum wn_ec_form form,
                         unsigned char out[WN_EC_MAX_POINT]);
/* 0 < be < n (order_size bytes)? */
int wn_ec_scalar_in_range(const struct wn_ec_curve *curve, const unsigned char *be);

/* Sets the private key from order_size bytes in range; raises EC_R_INVALID_PRIVATE_KEY. */
int wn_ec_set_private(struct wn_ec_key *key, const unsigned char *be);
/* x, y = d G */
int wn_ec_make_public(const struct wn_ec_key *key, struct wn_ec_num *x, struct wn_ec_num *y);
/* A fresh key pair on key->curve. */
int wn_ec_generate(struct wn_ec_key *key);
/* n Q is infinity? For curves with a cofactor. */
int wn_ec_right_order(const struct wn_ec_key *key);
/* out = x coordinate of [cofactor] d Q, curve->size bytes. Raises. */
int wn_ec_ecdh(const struct wn_ec_key *key, struct wn_ec_key *peer, int cofactor,
               unsigned char *out);
/* ECDSA (FIPS 186-5 section 6.4) over the bits of a digest of any length; k: NULL,
 * or the nonce to use. */
int wn_ec_sign(const struct wn_ec_key *key, const unsigned char *hash, size_t n,
               const unsigned char *k, struct wn_ec_num *r, struct wn_ec_num *s);
/* r and s in range. 1 or 0; raises only when the calculation fails. */
int wn_ec_verify(struct wn_ec_key *key, const unsigned char *hash, size_t n,
                 const struct wn_ec_num *r, const struct wn_ec_num *s);

#endif
