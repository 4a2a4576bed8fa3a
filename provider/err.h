/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors go to OpenSSL's error queue through the core. A failure raises once,
 * where it is detected; callers only propagate the 0. Silent by design:
 * has/match, foreign input in decoders, a wrong signature or AEAD tag, and
 * whatever an attacker could use as an oracle.
 *
 *   WN_RAISE(prov, PROV_R_x)                the default provider's reason
 *   WN_RAISE_MSG(prov, PROV_R_x, fmt, ...)  the same with a text
 *   WN_RAISE_LIB(prov, ERR_LIB_EC, EC_R_x)  a reason of another library
 *   WN_RAISE_OWN(prov, WN_R_x, fmt, ...)    our own reasons (reasons.def)
 *
 * Applications test for the PROV_R_* codes of the default provider, so those
 * come first; own reasons are for what it does not know.
 */
#ifndef WN_ERR_H
#define WN_ERR_H

#include <openssl/err.h>
#include <openssl/proverr.h>

#include "prov.h"

enum wn_reason {
    WN_R_NONE = 0,
#define WN_REASON(name, text) WN_R_##name,
#include "reasons.def"
#undef WN_REASON
    WN_R_COUNT
};

#define WN_RAISE(prov, reason) \
    wn_raise_at(prov, __FILE__, __LINE__, __func__, ERR_PACK(ERR_LIB_PROV, 0, reason), NULL)
#define WN_RAISE_MSG(prov, reason, ...) \
    wn_raise_at(prov, __FILE__, __LINE__, __func__, ERR_PACK(ERR_LIB_PROV, 0, reason), __VA_ARGS__)
#define WN_RAISE_LIB(prov, lib, reason) \
    wn_raise_at(prov, __FILE__, __LINE__, __func__, ERR_PACK(lib, 0, reason), NULL)
#define WN_RAISE_OWN(prov, reason, ...) \
    wn_raise_at(prov, __FILE__, __LINE__, __func__, reason, __VA_ARGS__)

/* Format NULL: no text. The format is a printf format (the core's BIO_snprintf). */
void wn_raise_at(const struct wn_prov *prov, const char *file, int line, const char *func,
                 uint32_t reason, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));

/* Speculative calls: mark, then pop on failure or clear the mark on success. */
void wn_error_mark(const struct wn_prov *prov);
void wn_error_pop_to_mark(const struct wn_prov *prov);
void wn_error_clear_mark(const struct wn_prov *prov);

extern const OSSL_ITEM wn_reason_strings[];

#endif
