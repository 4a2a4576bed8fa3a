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
 * the digest, mid-stream too. Functions return 1 or 0 and raise nothing; they
 * fail only when wolfCrypt does.
 */
#ifndef WN_DIGEST_H
#define WN_DIGEST_H

#include "wolf.h"

#include <wolfssl/wolfcrypt/hash.h>

/* Largest digest and largest block of any digest here (SHA3-224: 144). */
#define WN_MD_MAX_SIZE 64
#define WN_MD_MAX_BLOCK 144

enum {
    WN_MD_XOF = 1               /* extendable output: size is not fixed */
};

struct wn_md_desc {
    const char *names;          /* as in alglist.def */
    size_t size, block;         /* bytes */
    unsigned flags;
    size_t state_size;          /* of the wolfCrypt structure */
    int (*init)(void *state);   /* these three return wolfCrypt codes */
    int (*update)(void *state, const byte *in, word32 n);
    int (*final)(void *state, byte *out);
    enum wc_HashType wc;        /* for wolfCrypt calls that take a hash type */
};

struct wn_md {
    const struct wn_md_desc *desc;
    union {
        wc_Sha sha;
        wc_Sha256 sha256;
        wc_Sha512 sha512;
    } u;
};

/* The digest of that name, alias or dotted OID (case-insensitive), or NULL. */
const struct wn_md_desc *wn_md_find(const char *name);

int wn_md_init(struct wn_md *md, const struct wn_md_desc *desc);
int wn_md_update(struct wn_md *md, const void *in, size_t n);
/* Writes desc->size bytes; the state must be initialised anew before reuse. */
int wn_md_final(struct wn_md *md, unsigned char *out);
void wn_md_clear(struct wn_md *md);

#endif
