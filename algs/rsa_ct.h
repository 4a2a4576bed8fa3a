/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSA's public operation on a number that must stay secret: a decrypted block, of
 * which the private operation wants to know whether it is right. wolfCrypt's
 * sp_RsaPublic_*() branches on it on its way to Montgomery's form.
 */
#ifndef WN_RSA_CT_H
#define WN_RSA_CT_H

#include <stddef.h>
#include <stdint.h>

#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/wolfmath.h>

/* bits: 2048, 3072 or 4096; in < n and out have bits / 8 bytes; 1 < e. Constant time
 * in `in`. Returns a wolfCrypt code. */
typedef int wn_rsa_public_ct_fn(size_t bits, const byte *in, uint64_t e, const mp_int *n,
                                byte *out);

/* NULL: this configuration has none. */
extern wn_rsa_public_ct_fn *const wn_rsa_public_ct;
wn_rsa_public_ct_fn wn_sp_rsa_public_ct;

#endif
