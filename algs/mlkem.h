/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ML-KEM-512, -768 and -1024 (FIPS 203): the key object and the operations that
 * EVP_KEM and the hybrid groups share. Key management is in mlkem_key.c,
 * EVP_KEM in mlkem_kem.c.
 *
 * A key keeps its canonical bytes (ek, and the seed or dk). What an operation needs
 * besides is computed by the first that does, published once and read-only from then
 * on: wolfCrypt's decoded form, of which each operation works on a shallow copy; the
 * matrix A, which generation leaves in the decoded form; and H(ek), which generation
 * has no use for. Memory of an ML-KEM-768 key: 3.6 KB of bytes, 4 KB decoded, 4.6 KB
 * of matrix.
 */
#ifndef WN_MLKEM_H
#define WN_MLKEM_H

#include <wolfssl/wolfcrypt/wc_mlkem.h>

#include "key.h"

#define WN_MLKEM_SEED 64        /* d || z */
#define WN_MLKEM_SECRET 32
#define WN_MLKEM_MAX_CIPHER WC_ML_KEM_MAX_CIPHER_TEXT_SIZE

struct wn_mlkem_desc {
    const char *name;
    int type;                   /* wolfCrypt's */
    unsigned k;                 /* rank */
    int bits, security_bits;
    size_t ek, dk, cipher;      /* bytes of public key, private key, ciphertext */
};

extern const struct wn_mlkem_desc wn_mlkem512_desc, wn_mlkem768_desc, wn_mlkem1024_desc;

/* NIST's security category: 1, 3, 5 (FIPS 203 section 8) */
static inline int wn_mlkem_category(const struct wn_mlkem_desc *desc)
{
    return 2 * (int)desc->k - 3;
}

struct wn_mlkem_decoded {
    MlKemKey key;               /* read-only once published */
};

struct wn_mlkem_key {
    const struct wn_prov *prov;
    const struct wn_mlkem_desc *desc;
    wn_ref ref;
    unsigned char *ek, *dk;     /* NULL: absent; dk: of imported keys only */
    unsigned char seed[WN_MLKEM_SEED];
    int has_seed;
    struct wn_mlkem_decoded *_Atomic decoded;
    sword16 *_Atomic matrix;    /* A, unless it is in the decoded form */
    atomic_int hashed;          /* enum wn_mlkem_hashed */
    unsigned char h[WN_MLKEM_SECRET];
};

/* Of a key's h. Whoever finds it not ready uses a hash of its own. */
enum wn_mlkem_hashed { WN_MLKEM_NO_HASH, WN_MLKEM_HASH_BEING_WRITTEN, WN_MLKEM_HASH_READY };

/* Lets ML-KEM choose its CPU paths; at load, before any use. */
void wn_mlkem_setup(uint32_t cpu_flags);

struct wn_mlkem_key *wn_mlkem_key_new(const struct wn_prov *prov, const struct wn_mlkem_desc *desc);
void wn_mlkem_key_free(struct wn_mlkem_key *key);
static inline struct wn_mlkem_key *wn_mlkem_key_up(struct wn_mlkem_key *key)
{
    wn_ref_up(&key->ref);
    return key;
}

/* All three fill an empty key; 0 with an error raised. Lengths are the caller's
 * to check. */
int wn_mlkem_key_from_seed(struct wn_mlkem_key *key, const unsigned char seed[WN_MLKEM_SEED]);
int wn_mlkem_key_from_dk(struct wn_mlkem_key *key, const unsigned char *dk);
int wn_mlkem_key_from_ek(struct wn_mlkem_key *key, const unsigned char *ek);
/* Leaves a key made from a seed with its dk alone; 0 with an error raised. */
int wn_mlkem_key_drop_seed(struct wn_mlkem_key *key);
/* A random key pair. */
int wn_mlkem_key_generate(struct wn_mlkem_key *key);

static inline int wn_mlkem_has_private(const struct wn_mlkem_key *key)
{
    return key->has_seed || key->dk != NULL;
}

/* dk (desc->dk bytes) of a key that has a private part; raises. */
int wn_mlkem_key_get_dk(struct wn_mlkem_key *key, unsigned char *dk);

/* m: 32 bytes, or NULL for random ones. */
int wn_mlkem_encapsulate(struct wn_mlkem_key *key, unsigned char *cipher,
                         unsigned char secret[WN_MLKEM_SECRET], const unsigned char *m);
/* A forged ciphertext of the right length gives a pseudo-random secret. */
int wn_mlkem_decapsulate(struct wn_mlkem_key *key, unsigned char secret[WN_MLKEM_SECRET],
                         const unsigned char *cipher);

/* Encapsulates and decapsulates once: does the private key belong to the public? */
int wn_mlkem_pair_works(struct wn_mlkem_key *key);

#endif
