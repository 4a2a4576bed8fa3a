/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the AEAD ciphers share: AES-GCM, AES-CCM, ChaCha20-Poly1305.
 *
 * Rules of all three that go beyond OpenSSL's default provider:
 *  - a decryption that was never given a tag fails, and so does one whose tag
 *    was given for an earlier message;
 *  - an encryption with a key and no nonce fails (AES-GCM draws a nonce);
 *  - a call that fails leaves the context usable for the next message.
 *
 * A wrong tag is a result and not an error: nothing is raised for it, save
 * where the default provider's update function raises for any failure.
 */
#ifndef WN_AEAD_H
#define WN_AEAD_H

#include "cipher.h"

/* What functions that may find a wrong tag return besides 1 (good) and 0
 * (failed, error raised). */
enum { WN_AEAD_WRONG_TAG = -1 };

/* Turns the above into 1 or 0, as update does it. */
int wn_aead_updated(const struct wn_prov *prov, int result);

/* 1 if p is absent or an octet string (like the default provider: no pointer to
 * one); raises otherwise. Its data may be NULL. */
int wn_aead_octets(const struct wn_prov *prov, const OSSL_PARAM *p);

#define WN_AEAD_FAIL(prov, why) \
    (WN_RAISE_MSG(prov, PROV_R_CIPHER_OPERATION_FAILED, "%s", why), 0)

#endif
