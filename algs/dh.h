/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finite-field Diffie-Hellman (SP 800-56A rev. 3, RFC 7919, PKCS #3 and X9.42):
 * key object, groups and primitives. Key management is in dh_key.c and
 * dh_gen.c, key exchange in dh_exch.c.
 */
#ifndef WN_DH_H
#define WN_DH_H

#include "key.h"
#include "num.h"

#define WN_DH_MIN_BITS 512
#define WN_DH_MAX_BITS 10000    /* OPENSSL_DH_MAX_MODULUS_BITS */
#define WN_DH_MAX_SIZE ((WN_DH_MAX_BITS + 7) / 8)
#define WN_DH_MAX_GROUP_SIZE 1024

enum wn_dh_kind { WN_DH_FFDHE, WN_DH_MODP, WN_DH_RFC5114 };

struct wn_dh_group {
    const char *name;
    enum wn_dh_kind kind;
    size_t bits;                /* of p */
    int priv_bits;              /* of private keys; 0: as long as q */
    unsigned long c;            /* MODP: the constant c of RFC 3526 */
};

/* All return NULL when there is none. */
const struct wn_dh_group *wn_dh_group_find(const char *name);
const struct wn_dh_group *wn_dh_group_rfc5114(int number);          /* 1 to 3 */
const struct wn_dh_group *wn_dh_group_of_size(size_t bits);         /* ffdhe */
const struct wn_dh_group *wn_dh_group_match(const unsigned char *p, size_t p_len,
                                            const unsigned char *g, size_t g_len);
/* Big-endian numbers of a group: p has bits / 8 bytes; lengths are returned. */
void wn_dh_group_p(const struct wn_dh_group *group, unsigned char *p);
size_t wn_dh_group_g(const struct wn_dh_group *group, const unsigned char **g);
size_t wn_dh_group_q(const struct wn_dh_group *group, const unsigned char **q);

struct wn_dh_key {
    const struct wn_prov *prov;
    wn_ref ref;
    int is_dhx;                 /* key type DHX (X9.42) */
    const struct wn_dh_group *group;    /* NULL: parameters of their own */
    size_t bits, size;          /* of p; size in bytes */
    mp_int *p, *g, *q, *j;      /* q and the cofactor j may be NULL */
    unsigned char *seed;        /* how FIPS 186 parameters were made */
    size_t seed_len;
    int gindex, pcounter, h;    /* -1, -1, 0: unknown */
    int priv_len;               /* bits of private keys, asked for; 0: not */
    mp_int *pub, *priv;
};

struct wn_dh_key *wn_dh_key_new(const struct wn_prov *prov, int is_dhx);
void wn_dh_key_free(struct wn_dh_key *key);
static inline struct wn_dh_key *wn_dh_key_up(struct wn_dh_key *key)
{
    wn_ref_up(&key->ref);
    return key;
}

/* Fills the parameters of an empty key from a named group. */
int wn_dh_key_set_group(struct wn_dh_key *key, const struct wn_dh_group *group);
/* Call when p, g and perhaps q are set: sizes, and which named group they are. */
int wn_dh_key_ready(struct wn_dh_key *key);

/* Bits of private keys: what was asked for, else the group's length, q's or p's. */
size_t wn_dh_private_bits(const struct wn_dh_key *key);

/* out (key->size bytes) = base^exponent mod p, in constant time. Raises. */
int wn_dh_power(const struct wn_dh_key *key, const mp_int *base, const mp_int *exponent,
                unsigned char *out);
/* 1 < pub < p - 1, and pub^q = 1 where q is no (p - 1) / 2 (SP 800-56A, 5.6.2.3). */
int wn_dh_public_ok(const struct wn_dh_key *key, const mp_int *pub);

/* Writes a new private and public key. */
int wn_dh_key_generate(struct wn_dh_key *key);

OSSL_FUNC_keymgmt_validate_fn wn_dh_validate;
OSSL_FUNC_keymgmt_gen_init_fn wn_dh_gen_init, wn_dhx_gen_init;
OSSL_FUNC_keymgmt_gen_set_template_fn wn_dh_gen_set_template;
OSSL_FUNC_keymgmt_gen_set_params_fn wn_dh_gen_set_params;
OSSL_FUNC_keymgmt_gen_settable_params_fn wn_dh_gen_settable, wn_dhx_gen_settable;
OSSL_FUNC_keymgmt_gen_fn wn_dh_gen;
OSSL_FUNC_keymgmt_gen_cleanup_fn wn_dh_gen_cleanup;

/* Copies the parameters, not the keys. */
int wn_dh_key_copy_params(struct wn_dh_key *to, const struct wn_dh_key *from);

#endif
