/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * OSSL_PARAM arrays without libcrypto.
 *
 * A parameter set is one X-macro list of (field, type, key):
 *
 *   #define GCM_SET(P)                                         \
 *       P(ivlen, size_t, OSSL_CIPHER_PARAM_AEAD_IVLEN)         \
 *       P(tag, octet_string, OSSL_CIPHER_PARAM_AEAD_TAG)
 *   WN_PARAMS(gcm_set, GCM_SET)
 *
 * which defines gcm_set_list (for settable/gettable functions), gcm_set_keys
 * and `struct gcm_set` with an OSSL_PARAM * for each field. WN_PARAMS_SCAN()
 * walks the caller's array once and fills the struct: fields not present are
 * NULL. A key given twice: the first one counts up to OpenSSL 3.5, later cores
 * refuse it (PROV_R_REPEATED_PARAMETER), and so does the scan there.
 *
 * Types: int uint long size_t int64 uint64 utf8_string utf8_ptr octet_string
 * octet_ptr, bn and integer (signed/unsigned of any size).
 *
 * Getters (wn_param_get_*) read the caller's value, setters (wn_param_set_*)
 * write to it; both convert between integer widths as OSSL_PARAM_get_int() and
 * its kin do, return 1 or 0 and raise nothing. Setters always set return_size;
 * a NULL data pointer is a size query and succeeds.
 */
#ifndef WN_PARAMS_H
#define WN_PARAMS_H

#include <openssl/params.h>

#include "prov.h"

#define WN_PD_int(k) OSSL_PARAM_int(k, NULL)
#define WN_PD_uint(k) OSSL_PARAM_uint(k, NULL)
#define WN_PD_long(k) OSSL_PARAM_long(k, NULL)
#define WN_PD_size_t(k) OSSL_PARAM_size_t(k, NULL)
#define WN_PD_int64(k) OSSL_PARAM_int64(k, NULL)
#define WN_PD_time_t(k) OSSL_PARAM_time_t(k, NULL)
#define WN_PD_uint64(k) OSSL_PARAM_uint64(k, NULL)
#define WN_PD_utf8_string(k) OSSL_PARAM_utf8_string(k, NULL, 0)
#define WN_PD_utf8_ptr(k) OSSL_PARAM_utf8_ptr(k, NULL, 0)
#define WN_PD_octet_string(k) OSSL_PARAM_octet_string(k, NULL, 0)
#define WN_PD_octet_ptr(k) OSSL_PARAM_octet_ptr(k, NULL, 0)
#define WN_PD_bn(k) OSSL_PARAM_BN(k, NULL, 0)
#define WN_PD_integer(k) { (k), OSSL_PARAM_INTEGER, NULL, 0, OSSL_PARAM_UNMODIFIED }

#define WN_PARAM_FIELD_(field, type, key) OSSL_PARAM *field;
#define WN_PARAM_DESC_(field, type, key) WN_PD_##type(key),
#define WN_PARAM_KEY_(field, type, key) key,

#define WN_PARAMS(name, LIST)                                             \
    struct name {                                                         \
        LIST(WN_PARAM_FIELD_)                                             \
    };                                                                    \
    __attribute__((unused))                                               \
    static const OSSL_PARAM name##_list[] = { LIST(WN_PARAM_DESC_) OSSL_PARAM_END }; \
    static const char *const name##_keys[] = { LIST(WN_PARAM_KEY_) }

#define WN_PARAMS_SCAN(prov, name, params, out) \
    WN_PARAMS_SCAN_MULTI(prov, name, params, out, 0)
/* multi: bit i set = field i may be repeated (the caller walks params itself) */
#define WN_PARAMS_SCAN_MULTI(prov, name, params, out, multi)              \
    wn_params_scan(prov, params, name##_keys,                             \
                   sizeof(name##_keys) / sizeof(name##_keys[0]),          \
                   (OSSL_PARAM **)(void *)(1 ? (out) : (struct name *)NULL), multi)

int wn_params_scan(const struct wn_prov *prov, const OSSL_PARAM params[],
                   const char *const keys[], size_t n, OSSL_PARAM **found, uint64_t multi);

/* 1 if there is nothing to do (NULL or empty array). */
static inline int wn_params_empty(const OSSL_PARAM params[])
{
    return params == NULL || params->key == NULL;
}

int wn_param_get_int(const OSSL_PARAM *p, int *v);
int wn_param_get_uint(const OSSL_PARAM *p, unsigned *v);
int wn_param_get_size_t(const OSSL_PARAM *p, size_t *v);
int wn_param_get_int64(const OSSL_PARAM *p, int64_t *v);
int wn_param_get_uint64(const OSSL_PARAM *p, uint64_t *v);
/* Copies the string (utf8_string or utf8_ptr) to buf, terminated; 0 when it does
 * not fit. The caller's string need not be terminated itself. */
int wn_param_get_utf8(const OSSL_PARAM *p, char *buf, size_t size);
/* The bytes inside the caller's array (octet_string or octet_ptr). */
int wn_param_get_octets(const OSSL_PARAM *p, const unsigned char **d, size_t *n);
/* Unsigned integer of any size as big-endian bytes, without leading zeros:
 * *n is the space on entry and the length on return (0 for zero). */
int wn_param_get_bn(const OSSL_PARAM *p, unsigned char *be, size_t *n);
/* Number of bytes wn_param_get_bn() would give. */
int wn_param_bn_size(const OSSL_PARAM *p, size_t *n);

int wn_param_set_int(OSSL_PARAM *p, int v);
int wn_param_set_uint(OSSL_PARAM *p, unsigned v);
int wn_param_set_size_t(OSSL_PARAM *p, size_t v);
int wn_param_set_int64(OSSL_PARAM *p, int64_t v);
int wn_param_set_uint64(OSSL_PARAM *p, uint64_t v);
int wn_param_set_utf8(OSSL_PARAM *p, const char *s);      /* string or pointer */
int wn_param_set_octets(OSSL_PARAM *p, const void *d, size_t n);
/* Unsigned integer from big-endian bytes (leading zeros allowed). */
int wn_param_set_bn(OSSL_PARAM *p, const unsigned char *be, size_t n);

/*
 * The same setters for optional fields: absent (NULL) is success; failure
 * raises PROV_R_FAILED_TO_SET_PARAMETER.
 */
int wn_param_give_int(const struct wn_prov *prov, OSSL_PARAM *p, int v);
int wn_param_give_uint(const struct wn_prov *prov, OSSL_PARAM *p, unsigned v);
int wn_param_give_int64(const struct wn_prov *prov, OSSL_PARAM *p, int64_t v);
int wn_param_give_size_t(const struct wn_prov *prov, OSSL_PARAM *p, size_t v);
int wn_param_give_utf8(const struct wn_prov *prov, OSSL_PARAM *p, const char *s);
int wn_param_give_octets(const struct wn_prov *prov, OSSL_PARAM *p, const void *d, size_t n);
int wn_param_give_bn(const struct wn_prov *prov, OSSL_PARAM *p, const unsigned char *be, size_t n);

/*
 * Getters for optional fields: absent leaves *v as it is and is success;
 * failure raises PROV_R_FAILED_TO_GET_PARAMETER.
 */
int wn_param_take_int(const struct wn_prov *prov, const OSSL_PARAM *p, int *v);
int wn_param_take_uint(const struct wn_prov *prov, const OSSL_PARAM *p, unsigned *v);
int wn_param_take_size_t(const struct wn_prov *prov, const OSSL_PARAM *p, size_t *v);
int wn_param_take_int64(const struct wn_prov *prov, const OSSL_PARAM *p, int64_t *v);
int wn_param_take_uint64(const struct wn_prov *prov, const OSSL_PARAM *p, uint64_t *v);
int wn_param_take_utf8(const struct wn_prov *prov, const OSSL_PARAM *p, char *buf, size_t size);
int wn_param_take_octets(const struct wn_prov *prov, const OSSL_PARAM *p,
                         const unsigned char **d, size_t *n);

#endif
