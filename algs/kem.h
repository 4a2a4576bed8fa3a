/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What KEMs share: checks of their caller's buffers, and the choice of an operation
 * (provider-kem(7)). */
#ifndef WN_KEM_H
#define WN_KEM_H

#include <strings.h>

#include "../provider/err.h"
#include "../provider/params.h"

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

/* A size query of encapsulation; it fails when nobody wants the answer. */
static inline int wn_kem_answer_sizes(size_t *outlen, size_t need, size_t *secretlen,
                                      size_t secret_need)
{
    if (outlen != NULL)
        *outlen = need;
    if (secretlen != NULL)
        *secretlen = secret_need;
    return outlen != NULL || secretlen != NULL;
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
    if (out == NULL)
        return -wn_kem_answer_sizes(outlen, need, secretlen, secret_need);
    if (secret == NULL) {
        WN_RAISE_MSG(prov, PROV_R_NULL_OUTPUT_BUFFER, "NULL shared-secret buffer");
        return 0;
    }
    return wn_kem_room(prov, outlen, need, "ciphertext")
        && wn_kem_room(prov, secretlen, secret_need, "shared-secret");
}

/* A key type's only operation is its default one from 3.5 on; before, it is to be chosen. */
static inline int wn_kem_has_default_op(const struct wn_prov *prov)
{
    return prov->core_version >= WN_CORE_VERSION(3, 5);
}

/* OSSL_KEM_PARAM_OPERATION, which may be absent: is it `op`? Raises. */
static inline int wn_kem_take_op(const struct wn_prov *prov, const OSSL_PARAM *p, const char *op)
{
    char name[16];

    if (p == NULL || (wn_param_get_utf8(p, name, sizeof(name)) && strcasecmp(name, op) == 0))
        return 1;
    WN_RAISE(prov, PROV_R_INVALID_MODE);
    return 0;
}

#endif
