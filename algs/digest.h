/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Digests for the rest of the module: a provider without libcrypto cannot
 * fetch, so HMAC, KDFs and signatures find their digest in this table.
 *
 *   const struct wn_md_desc *d = wn_md_find("SHA2-256");
 *   struct wn_md md;
 *   wn_md_init(&md, d) && wn_md_update(&md, p, n) && wn_md_final(&md, out);
 *   wn_md_clear(&md);
 *
 * A struct wn_md holds no pointer but the descriptor: assigning it duplicates
 * the digest, mid-stream too. The functions cannot fail (they return 1 so that
 * they chain). Lengths are size_t, of any size.
 *
 * The block functions are wolfCrypt's, or our own where it trails; buffering and
 * padding are here (md.c, keccak.c), because that makes lengths, HMAC's cached states,
 * SHAKE's squeezing and KMAC's padding the same for all digests.
 */
#ifndef WN_DIGEST_H
#define WN_DIGEST_H

#include "wolf.h"

#include <wolfssl/wolfcrypt/hash.h>

/* Largest digest and largest block of any digest here (SHAKE-128: 168). */
#define WN_MD_MAX_SIZE 64
#define WN_MD_MAX_BLOCK 168

enum {
    WN_MD_XOF = 1,              /* extendable output: size is not fixed */
    WN_MD_ALGID_ABSENT = 2      /* no parameters in an AlgorithmIdentifier */
};

struct wn_md_desc {
    const char *names;          /* as in alglist.def */
    size_t size, block;         /* bytes; XOF: the default size */
    unsigned flags;
    enum wc_HashType wc;        /* for wolfCrypt calls that take a hash type */
    size_t state_size;          /* bytes of the union below in use */
    size_t head_size;           /* what matters of these between two blocks */
    const struct wn_md_class *class;
    /* class "Merkle-Damgard" */
    void (*blocks)(void *h, const byte *in, size_t n);
    const void *iv;
    /* class "sponge" */
    byte pad;                   /* domain bits and first padding bit */
};

/*
 * FIPS 180-4 and RFC 1321: chaining value, length, open block (last, so that
 * the head alone is the state on a block boundary).
 */
struct wn_mdh {
    union {
        word32 w32[8];
        word64 w64[8];
    } h;
    uint64_t len;               /* bytes so far */
    size_t num;                 /* bytes in buf */
    byte buf[128];              /* a block of the digest is used */
};

/* FIPS 202 section 4. */
struct wn_keccak {
    word64 s[25];
    word32 pos;                 /* bytes of the rate used */
    word32 squeezing;
};

struct wn_md {
    const struct wn_md_desc *desc;
    union wn_md_state {
        struct wn_mdh mdh;
        struct wn_keccak keccak;
        struct {
            struct wn_mdh md5, sha1;
        } md5_sha1;
    } u;
};

struct wn_md_class {
    void (*init)(const struct wn_md_desc *d, union wn_md_state *u);
    void (*update)(const struct wn_md_desc *d, union wn_md_state *u, const byte *in, size_t n);
    /* outlen: desc->size, or anything for an XOF */
    void (*final)(const struct wn_md_desc *d, union wn_md_state *u, byte *out, size_t outlen);
    /* Merkle-Damgard only: the chaining value as digest, no padding */
    void (*output)(const struct wn_md_desc *d, const struct wn_mdh *s, byte *out);
};

extern const struct wn_md_class wn_md_class_sponge, wn_md_class_blake2;

#define WN_MD_LIST(X) \
    X(sha1) X(sha224) X(sha256) X(sha256_192) X(sha384) X(sha512) X(sha512_224) X(sha512_256) \
    X(sha3_224) X(sha3_256) X(sha3_384) X(sha3_512)                                           \
    X(keccak_224) X(keccak_256) X(keccak_384) X(keccak_512)                                   \
    X(keccak_kmac_128) X(keccak_kmac_256) X(shake_128) X(shake_256) X(md5) X(md5_sha1)  \
    X(ripemd160) X(blake2b_512) X(blake2s_256)

#define WN_MD_DECLARE(id) extern const struct wn_md_desc wn_md_##id;
WN_MD_LIST(WN_MD_DECLARE)

/* The digest of that name, alias or dotted OID (case-insensitive), or NULL. */
const struct wn_md_desc *wn_md_find(const char *name);

/* The digest that parameter p names, in *desc; absent (NULL): *desc stays. wn_md_try()
 * gives -1 and raises nothing if there is no such digest here: another provider may have
 * it, or wn_md_raise_unknown() gives 0 and the error. wn_md_take() does that at once. */
int wn_md_try(const struct wn_prov *prov, const OSSL_PARAM *p, const struct wn_md_desc **desc);
int wn_md_raise_unknown(const struct wn_prov *prov, const OSSL_PARAM *p);
int wn_md_take(const struct wn_prov *prov, const OSSL_PARAM *p, const struct wn_md_desc **desc);

/* The canonical (first) name, copied to buf and returned. */
#define WN_MD_NAME_MAX 80
const char *wn_md_name(const struct wn_md_desc *desc, char buf[WN_MD_NAME_MAX]);

/* 1 if name is one of the digest's names. */
int wn_md_is_a(const struct wn_md_desc *desc, const char *name);

static inline int wn_md_init(struct wn_md *md, const struct wn_md_desc *desc)
{
    md->desc = desc;
    desc->class->init(desc, &md->u);
    return 1;
}

static inline int wn_md_update(struct wn_md *md, const void *in, size_t n)
{
    md->desc->class->update(md->desc, &md->u, in, n);
    return 1;
}

/* Writes desc->size bytes; the state must be initialised anew before reuse. */
static inline int wn_md_final(struct wn_md *md, unsigned char *out)
{
    md->desc->class->final(md->desc, &md->u, out, md->desc->size);
    return 1;
}

/* XOFs: the next n bytes of output. The first call ends the input. */
static inline int wn_md_squeeze(struct wn_md *md, unsigned char *out, size_t n)
{
    md->desc->class->final(md->desc, &md->u, out, n);
    return 1;
}

/* init, update, final */
int wn_md_once(const struct wn_md_desc *desc, const void *in, size_t n, unsigned char *out);

void wn_md_clear(struct wn_md *md);

/* Lets wolfCrypt and the sponge choose their CPU paths; at load, before any use. */
void wn_md_setup(uint32_t cpu_flags);

/* The architecture's block functions of SHA-2, or NULL for wolfCrypt's ordinary ones. */
struct wn_sha2_kernel {
    void (*sha256)(void *h, const byte *in, size_t n);
    void (*sha512)(void *h, const byte *in, size_t n);
};
void wn_sha2_choose(struct wn_sha2_kernel *kernel, uint32_t cpu_flags);

void wn_md5_blocks(void *h, const byte *in, size_t n);

/* ---- Keccak for those that need more than a digest (KMAC, cSHAKE) ---------- */

void wn_keccak_setup(uint32_t cpu_flags);
void wn_keccak_init(struct wn_keccak *k);
void wn_keccak_absorb(struct wn_keccak *k, size_t rate, const byte *in, size_t n);
/* Absorbs zeros up to the next block boundary (bytepad). */
void wn_keccak_fill(struct wn_keccak *k);
void wn_keccak_squeeze(struct wn_keccak *k, size_t rate, byte pad, byte *out, size_t n);

/* The architecture's Keccak-p[1600, 24]; the latter xors n blocks of in before each. */
struct wn_keccak_kernel {
    void (*permute)(word64 s[25]);
    void (*absorb)(word64 s[25], const byte *in, size_t n, size_t rate);    /* or NULL */
};
void wn_keccak_choose(struct wn_keccak_kernel *kernel, uint32_t cpu_flags);

#endif
