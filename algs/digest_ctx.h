/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The EVP_MD context, shared by digest.c and digest_state.c. */
#ifndef WN_DIGEST_CTX_H
#define WN_DIGEST_CTX_H

#include "digest.h"

enum wn_digest_state { WN_DIGEST_IDLE, WN_DIGEST_UPDATE, WN_DIGEST_SQUEEZE };

/* xoflen where none was given and none is assumed */
#define WN_DIGEST_NO_LENGTH SIZE_MAX

struct wn_digest_ctx {
    const struct wn_prov *prov;
    enum wn_digest_state state;
    size_t size;                /* of the output; XOFs: the "xoflen" */
    size_t next;                /* BLAKE2: the size from the next init on; 0: not set yet */
    struct wn_md md;            /* last: allocated up to desc->state_size only */
};

/* OpenSSL's form of a digest's state (EVP_MD_CTX_serialize, since 4.0). */
OSSL_FUNC_digest_serialize_fn wn_sha2_serialize, wn_keccak_serialize;
OSSL_FUNC_digest_deserialize_fn wn_sha2_deserialize, wn_keccak_deserialize;

#endif
