/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSA (RFC 8017): the key object, and the two primitives on byte strings of the
 * modulus' length. Padding is in rsa_pad.c, signatures in rsa_sig.c, encryption
 * in rsa_enc.c, key management in rsa_key.c.
 *
 * Numbers are wolfCrypt's mp_int with just the digits they need, written once;
 * the functions for 2048, 3072 and 4096 bits (sp_*) read them in place, so that
 * an operation needs no working copy of the key. Other sizes go through a
 * temporary RsaKey. Where the processor allows, a kernel of our own (rsa_kernel.h)
 * serves keys of two equally long primes and usual exponents instead.
 */
#ifndef WN_RSA_H
#define WN_RSA_H

#include <wolfssl/wolfcrypt/rsa.h>

#include "digest.h"
#include "key.h"
#include "num.h"
#include "rsa_kernel.h"

#define WN_RSA_MIN_BITS 512
#define WN_RSA_MAX_BITS WN_NUM_MAX_BITS
#define WN_RSA_MAX_SIZE (WN_RSA_MAX_BITS / 8)
#define WN_RSA_MAX_PRIMES 10    /* names of OSSL_PARAMs end there */

/* Restrictions of an RSA-PSS key (RFC 4055 section 3.1, RSASSA-PSS-params). */
struct wn_rsa_pss {
    int restricted;
    const struct wn_md_desc *md, *mgf1_md;
    int saltlen;                /* minimum */
};

/* One prime factor r, its exponent d mod (r - 1), and its coefficient: for the
 * second prime q the inverse of q mod p, none for the first, for later ones the
 * inverse of the product of the earlier primes (RFC 8017 section 3.2). */
struct wn_rsa_prime {
    mp_int *factor, *exponent, *coefficient;
};

struct wn_rsa_key {
    const struct wn_prov *prov;
    wn_ref ref;
    int is_pss;                 /* key type RSA-PSS */
    struct wn_rsa_pss pss;
    size_t bits, size;          /* of the modulus; size in bytes */
    mp_int *n, *e, *d;          /* NULL: absent */
    unsigned n_primes;
    struct wn_rsa_prime prime[WN_RSA_MAX_PRIMES];
    int sp_public, sp_private;  /* bits, if the sp_ functions take this key */
    /* the kernels that take it, if any, and what they keep */
    const struct wn_rsa_kernel *public_by, *private_by;
    void *kernel_public, *kernel_private;
};

struct wn_rsa_key *wn_rsa_key_new(const struct wn_prov *prov, int is_pss);
void wn_rsa_key_free(struct wn_rsa_key *key);
OSSL_FUNC_keymgmt_export_fn wn_rsa_export;
static inline struct wn_rsa_key *wn_rsa_key_up(struct wn_rsa_key *key)
{
    wn_ref_up(&key->ref);
    return key;
}

/* Call when all numbers are in place: sizes, and which functions to use.
 * 0 with an error raised if the key cannot be an RSA key. */
int wn_rsa_key_ready(struct wn_rsa_key *key);

/*
 * RSAEP/RSAVP1 and RSADP/RSASP1 (RFC 8017 section 5): in and out are key->size
 * bytes and may be the same. 0 with an error raised: input not below the
 * modulus (RSA_R_DATA_TOO_LARGE_FOR_MODULUS), key out of bounds. The private
 * operation checks its result with the public one, so that a fault in it or in
 * the CRT numbers gives no signature that would betray the key. For a result that
 * is secret, a decrypted block, that check takes constant time too.
 */
enum wn_rsa_result { WN_RSA_SIGNATURE, WN_RSA_SECRET };
int wn_rsa_public(const struct wn_rsa_key *key, const unsigned char *in, unsigned char *out);
int wn_rsa_private(const struct wn_rsa_key *key, const unsigned char *in, unsigned char *out,
                   enum wn_rsa_result kind);

#endif
