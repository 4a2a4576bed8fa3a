/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that all KEMs make of their caller's buffers (provider-kem(7)). */
#ifndef WN_KEM_H
#define WN_KEM_H

#include "../provider/err.h"

/* Room of an output: 0 with an error raised if *have is less than need. */
static inline int wn_kem_room(const struct wn_prov *prov, const size_t *have, size_t need,
                              const char *what)
{
    if (have == NULL) {
        WN_RAISE_MSG(prov, PROV_R_NULL_LENGTH_POINTER, "null %s length pointer", what);
        return 0;
    }
    if (*have < need) {
        WN_RAISE_MSG(prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL, "%s buffer too small", what);
        return 0;
    }
    return 1;
}

/*
 * Encapsulation: 1 = go on; 0 = an error was raised; -1 = it was a size query,
 * which is answered (and which fails when nobody wants the answer).
 */
static inline int wn_kem_encapsulate_room(const struct wn_prov *prov, const unsigned char *out,
                                          size_t *outlen, size_t need,
                                          const unsigned char *secret, size_t *secretlen,
                                          size_t secret_need)
{
    if (out == NULL) {
        if (outlen == NULL && secretlen == NULL)
            return 0;
        if (outlen != NULL)
            *outlen = need;
        if (secretlen != NULL)
            *secretlen = secret_need;
        return -1;
    }
    if (secret == NULL) {
        WN_RAISE_MSG(prov, PROV_R_NULL_OUTPUT_BUFFER, "NULL shared-secret buffer");
        return 0;
    }
    return wn_kem_room(prov, outlen, need, "ciphertext")
        && wn_kem_room(prov, secretlen, secret_need, "shared-secret");
}

#endif
