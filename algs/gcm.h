/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Galois/Counter Mode over AES (NIST SP 800-38D), for the ciphers AES-GCM and
 * for GMAC: set_key once per key, then per message
 *
 *   start, aad*, crypt*, tag or check
 *
 * in any split. Lengths are size_t and bounded only by section 5.2.1.1, which
 * aad and crypt check. The state has no pointers, so copying wn_gcm_size()
 * bytes duplicates it mid-message.
 *
 * Two forms, chosen by the processor: the kernels of accel.h where there are
 * any, elsewhere wolfCrypt's streaming GCM. wn_gcm_size() tells how many bytes
 * of the union exist; a context that ends with one is allocated no larger.
 */
#ifndef WN_GCM_H
#define WN_GCM_H

#include "accel.h"
#include "wolf.h"

#include <wolfssl/wolfcrypt/aes.h>

#define WN_GCM_TAG 16

struct wn_gcm_soft {
    Aes aes;
    uint64_t aad_len, len;      /* bytes so far; Aes counts in 32 bits only */
};

union wn_gcm_state {
    struct wn_gcm hw;
    struct wn_gcm_soft soft;
};

size_t wn_gcm_size(void);

/* keylen: 16, 24, 32. Raises. */
int wn_gcm_set_key(const struct wn_prov *prov, union wn_gcm_state *g, const unsigned char *key,
                   size_t keylen);

/* Starts a message; ivlen from 1 to 2^30. Raises. */
int wn_gcm_start(const struct wn_prov *prov, union wn_gcm_state *g, const unsigned char *iv,
                 size_t ivlen);

/* 0 without an error if a limit is passed, or for AAD after data. */
int wn_gcm_aad(union wn_gcm_state *g, const unsigned char *aad, size_t n);
int wn_gcm_crypt(union wn_gcm_state *g, int enc, unsigned char *out, const unsigned char *in,
                 size_t n);

/*
 * The end, once per message. tag: for encryption and GMAC; check: for
 * decryption, 1 if the first n bytes of the tag (1 to 16) are those at `tag`.
 */
int wn_gcm_tag(union wn_gcm_state *g, unsigned char tag[WN_GCM_TAG]);
int wn_gcm_check(union wn_gcm_state *g, const unsigned char *tag, size_t n);

#endif
