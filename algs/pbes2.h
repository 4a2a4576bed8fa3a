/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Encryption of private keys under a passphrase: EncryptedPrivateKeyInfo (RFC 5958
 * section 3) with PBES2 (RFC 8018 section 6.2), PBKDF2 with HMAC-SHA-256, 2048
 * iterations and 16 bytes of salt, which is what OpenSSL 3.5 writes.
 */
#ifndef WN_PBES2_H
#define WN_PBES2_H

#include "../provider/prov.h"

/* The cipher of that name, if it is one that we serve and that can be named in
 * such a file (ECB, CBC, CFB and OFB modes with an OID); NULL with an error raised. */
const OSSL_ALGORITHM *wn_pbes2_cipher(const struct wn_prov *prov, const char *name);

/* Encrypts n bytes at d; *out is allocated. 0 with an error raised. */
int wn_pbes2_encrypt(const struct wn_prov *prov, const OSSL_ALGORITHM *cipher,
                     OSSL_PASSPHRASE_CALLBACK *cb, void *arg, const unsigned char *d, size_t n,
                     unsigned char **out, size_t *out_n);

#endif
