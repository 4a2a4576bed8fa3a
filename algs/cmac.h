/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CMAC (NIST SP 800-38B) over AES and three-key Triple DES, for EVP_MAC and
 * the KDFs.
 *
 *   const struct wn_cmac_cipher *cipher = wn_cmac_find("AES-128-CBC");
 *   struct wn_cmac c;
 *   wn_cmac_set_key(prov, &c, cipher, key);        // cipher->keylen bytes; raises
 *   wn_cmac_update(&c, p, n); wn_cmac_final(&c, out);      // cipher->block bytes
 *   wn_cmac_restart(&c); ...                               // same key
 *   wn_cmac_clear(&c);
 *
 * The structure has no pointers into itself and nothing on a heap: copying
 * wn_cmac_size() bytes duplicates it, and no more need be allocated.
 */
#ifndef WN_CMAC_H
#define WN_CMAC_H

#include "aes.h"

#include <wolfssl/wolfcrypt/des3.h>

#define WN_CMAC_MAX_BLOCK 16

struct wn_cmac;

struct wn_cmac_cipher {
    const char *names;
    size_t keylen, block;
    int (*set_key)(const struct wn_prov *prov, struct wn_cmac *c, const unsigned char *key);
    /* the CBC-MAC step over n > 0 blocks: c->mac = E(c->mac ^ block) */
    void (*run)(struct wn_cmac *c, const unsigned char *in, size_t n);
};

struct wn_cmac {
    const struct wn_cmac_cipher *cipher;
    size_t num;                 /* bytes in buf; 1 to a block once there was data */
    unsigned char k1[WN_CMAC_MAX_BLOCK], k2[WN_CMAC_MAX_BLOCK];
    unsigned char mac[WN_CMAC_MAX_BLOCK], buf[WN_CMAC_MAX_BLOCK];
    union {
        union wn_aes_key aes;
        Des3 des;
    } key;                      /* last: the rest may not be allocated */
};

/* Bytes of struct wn_cmac that exist. */
size_t wn_cmac_size(void);

/* By one of the names of the CBC cipher; NULL: none of ours. */
const struct wn_cmac_cipher *wn_cmac_find(const char *name);

/* That of a cipher parameter, in *cipher; absent (NULL): *cipher stays. As with
 * digests (digest.h), wn_cmac_try() gives -1 for ciphers that are not wolfnano's. */
int wn_cmac_try(const struct wn_prov *prov, const OSSL_PARAM *p,
                const struct wn_cmac_cipher **cipher);
int wn_cmac_raise_unknown(const struct wn_prov *prov, const OSSL_PARAM *p);
int wn_cmac_take(const struct wn_prov *prov, const OSSL_PARAM *p,
                 const struct wn_cmac_cipher **cipher);

int wn_cmac_set_key(const struct wn_prov *prov, struct wn_cmac *c,
                    const struct wn_cmac_cipher *cipher, const unsigned char *key);
void wn_cmac_restart(struct wn_cmac *c);
void wn_cmac_update(struct wn_cmac *c, const unsigned char *in, size_t n);
void wn_cmac_final(struct wn_cmac *c, unsigned char *out);
void wn_cmac_clear(struct wn_cmac *c);

#endif
