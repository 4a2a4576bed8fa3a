/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CCM over AES (NIST SP 800-38C). Per message
 *
 *   start, at most one aad, crypt, tag
 *
 * since CCM formats the lengths of the text and of the AAD into its first
 * blocks. The state has no pointers, so copying wn_ccm_size() bytes duplicates
 * it mid-message. Two forms, chosen by the processor: the kernels of accel.h
 * where there are any, elsewhere wolfCrypt's AES (whose own CCM counts in 32 bits
 * and wants everything in one call).
 */
#ifndef WN_CCM_H
#define WN_CCM_H

#include "aes.h"
#include "wolf.h"

#define WN_CCM_TAG 16           /* the longest */

struct wn_ccm {
    _Alignas(16) unsigned char b0[16];  /* the first block of the MAC */
    unsigned char a0[16];       /* counter block 0; once the MAC is begun, mask of the tag */
    unsigned char a1[16];       /* counter block 1 */
    unsigned char mac[16];
    unsigned char mac_begun;
    unsigned char kernels;      /* which form the key has */
    union wn_aes_key key;       /* last: not all of it may be there */
};

size_t wn_ccm_size(void);

/* keylen: 16, 24, 32. Raises. */
int wn_ccm_set_key(const struct wn_prov *prov, struct wn_ccm *c, const unsigned char *key,
                   size_t keylen);

/*
 * The message will have len bytes and a tag of t (4, 6, ... 16). q, 2 to 8, is the
 * length of the length field, 15 - q that of the nonce, which stands in a buffer of
 * 16. 0: len does not fit.
 */
int wn_ccm_start(struct wn_ccm *c, const unsigned char nonce[16], unsigned q, unsigned t,
                 size_t len);

/* All of the AAD; 0: there was some already, or wolfCrypt failed. */
int wn_ccm_aad(struct wn_ccm *c, const unsigned char *aad, size_t n);

/* All of the text, and the tag. 0: wolfCrypt failed. */
int wn_ccm_crypt(struct wn_ccm *c, int enc, unsigned char *out, const unsigned char *in, size_t n,
                 unsigned char tag[WN_CCM_TAG]);

#endif
