/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SLH-DSA, all twelve parameter sets (FIPS 205): the key object. Key management is
 * in slhdsa_key.c, signatures are in slhdsa_sig.c.
 *
 * A key is its bytes, SK.seed || SK.prf || PK.seed || PK.root; a private key always
 * has its public half. They are read-only once there. Each operation makes a working
 * copy of wolfCrypt's, which costs two hash blocks where a signature costs 100 000.
 */
#ifndef WN_SLHDSA_H
#define WN_SLHDSA_H

#include <wolfssl/wolfcrypt/wc_slhdsa.h>

#include "key.h"

#define WN_SLHDSA_MAX_N 32

/* id, name, wolfCrypt's parameter set, last byte of the OID 2.16.840.1.101.3.4.3.x,
 * n, bytes of a signature, security category (FIPS 205 table 2) */
#define WN_SLHDSA_SETS(S)                                                         \
    S(sha2_128s, "SLH-DSA-SHA2-128s", SLHDSA_SHA2_128S, 20, 16, 7856, 1)          \
    S(sha2_128f, "SLH-DSA-SHA2-128f", SLHDSA_SHA2_128F, 21, 16, 17088, 1)         \
    S(sha2_192s, "SLH-DSA-SHA2-192s", SLHDSA_SHA2_192S, 22, 24, 16224, 3)         \
    S(sha2_192f, "SLH-DSA-SHA2-192f", SLHDSA_SHA2_192F, 23, 24, 35664, 3)         \
    S(sha2_256s, "SLH-DSA-SHA2-256s", SLHDSA_SHA2_256S, 24, 32, 29792, 5)         \
    S(sha2_256f, "SLH-DSA-SHA2-256f", SLHDSA_SHA2_256F, 25, 32, 49856, 5)         \
    S(shake_128s, "SLH-DSA-SHAKE-128s", SLHDSA_SHAKE128S, 26, 16, 7856, 1)        \
    S(shake_128f, "SLH-DSA-SHAKE-128f", SLHDSA_SHAKE128F, 27, 16, 17088, 1)       \
    S(shake_192s, "SLH-DSA-SHAKE-192s", SLHDSA_SHAKE192S, 28, 24, 16224, 3)       \
    S(shake_192f, "SLH-DSA-SHAKE-192f", SLHDSA_SHAKE192F, 29, 24, 35664, 3)       \
    S(shake_256s, "SLH-DSA-SHAKE-256s", SLHDSA_SHAKE256S, 30, 32, 29792, 5)       \
    S(shake_256f, "SLH-DSA-SHAKE-256f", SLHDSA_SHAKE256F, 31, 32, 49856, 5)

struct wn_slhdsa_desc {
    const char *name;
    enum SlhDsaParam param;
    unsigned char oid;
    size_t n, sig;
    int category;
};

#define WN_SLHDSA_DECLARE_(id, name, param, oid, n, sig, category) \
    extern const struct wn_slhdsa_desc wn_slhdsa_##id##_desc;
WN_SLHDSA_SETS(WN_SLHDSA_DECLARE_)
#undef WN_SLHDSA_DECLARE_

struct wn_slhdsa_key {
    const struct wn_prov *prov;
    const struct wn_slhdsa_desc *desc;
    wn_ref ref;
    int has_public, has_private;        /* the second implies the first */
    unsigned char bytes[4 * WN_SLHDSA_MAX_N];
};

static inline size_t wn_slhdsa_priv_size(const struct wn_slhdsa_desc *desc)
{
    return 4 * desc->n;
}

static inline size_t wn_slhdsa_pub_size(const struct wn_slhdsa_desc *desc)
{
    return 2 * desc->n;
}

static inline const unsigned char *wn_slhdsa_pub(const struct wn_slhdsa_key *key)
{
    return key->bytes + 2 * key->desc->n;
}

struct wn_slhdsa_key *wn_slhdsa_key_new(const struct wn_prov *prov,
                                        const struct wn_slhdsa_desc *desc);
void wn_slhdsa_key_free(struct wn_slhdsa_key *key);

/* slh_keygen_internal (algorithm 18) from SK.seed || SK.prf || PK.seed; 1, or 0 raised */
int wn_slhdsa_key_from_seed(struct wn_slhdsa_key *key, const unsigned char *seed);
int wn_slhdsa_key_generate(struct wn_slhdsa_key *key);
/* Is PK.root what the other three make? 0 without an error if not. */
int wn_slhdsa_key_check(const struct wn_slhdsa_key *key);

/* A working copy; 1, or 0 with an error raised. Clear it in either case. */
int wn_slhdsa_work_init(const struct wn_slhdsa_key *key, SlhDsaKey *work);
void wn_slhdsa_work_clear(SlhDsaKey *work);

#endif
