/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RSA paddings (RFC 8017; X9.31 as ISO/IEC 14888-2 scheme 3 has it). An encoded
 * message `em` has k bytes, the length of the modulus.
 *
 * The pad functions write all of em. They and the check functions of signatures
 * raise an error and return 0 on failure, with the reasons that OpenSSL gives.
 * The check functions of encryption are constant time in em: what they find,
 * shows only in the mask or length that they return.
 */
#ifndef WN_RSA_PAD_H
#define WN_RSA_PAD_H

#include "rsa.h"

/* EMSA-PKCS1-v1_5 block around `in` (9.2), and back: *out points into em. */
int wn_rsa_pad_type1(const struct wn_prov *prov, unsigned char *em, size_t k,
                     const unsigned char *in, size_t n);
int wn_rsa_unpad_type1(const struct wn_prov *prov, const unsigned char *em, size_t k,
                       const unsigned char **out, size_t *n);

/* X9.31 block around `in`, and back. */
int wn_rsa_pad_x931(const struct wn_prov *prov, unsigned char *em, size_t k,
                    const unsigned char *in, size_t n);
int wn_rsa_unpad_x931(const struct wn_prov *prov, const unsigned char *em, size_t k,
                      const unsigned char **out, size_t *n);

/* EMSA-PSS (9.1) with a random salt of saltlen bytes; bits: of the modulus. */
int wn_rsa_pad_pss(const struct wn_prov *prov, unsigned char *em, size_t bits,
                   const unsigned char *hash, const struct wn_md_desc *md,
                   const struct wn_md_desc *mgf1_md, size_t saltlen);
#define WN_RSA_SALT_ANY (-1)
/* saltlen: what it must be, or WN_RSA_SALT_ANY */
int wn_rsa_check_pss(const struct wn_prov *prov, const unsigned char *em, size_t bits,
                     const unsigned char *hash, const struct wn_md_desc *md,
                     const struct wn_md_desc *mgf1_md, int saltlen);

/* RSAES-PKCS1-v1_5 (7.2.1) */
int wn_rsa_pad_type2(const struct wn_prov *prov, unsigned char *em, size_t k,
                     const unsigned char *in, size_t n);
/* RSAES-OAEP (7.1.1) */
int wn_rsa_pad_oaep(const struct wn_prov *prov, unsigned char *em, size_t k,
                    const unsigned char *in, size_t n, const unsigned char *label,
                    size_t labellen, const struct wn_md_desc *md,
                    const struct wn_md_desc *mgf1_md);

/*
 * Decryption: em is spoilt. Copies the message to out (outsize bytes), sets
 * *outlen, and returns all ones if the padding was right and the message fits,
 * else 0 with out and *outlen unchanged.
 */
size_t wn_rsa_unpad_type2(unsigned char *em, size_t k, unsigned char *out, size_t *outlen,
                          size_t outsize);
size_t wn_rsa_unpad_oaep(unsigned char *em, size_t k, unsigned char *out, size_t *outlen,
                         size_t outsize, const unsigned char *label, size_t labellen,
                         const struct wn_md_desc *md, const struct wn_md_desc *mgf1_md);

/*
 * Implicit rejection (draft-irtf-cfrg-rsa-guidance): as above, but a wrong
 * padding gives a pseudo-random message of pseudo-random length, the same one
 * for the same key and ciphertext. Always 1. cipher: the k bytes decrypted.
 */
int wn_rsa_unpad_type2_implicit(const struct wn_rsa_key *key, const unsigned char *cipher,
                                const unsigned char *em, unsigned char *out, size_t *outlen,
                                size_t outsize);

/*
 * TLS premaster secret of 48 bytes (RFC 5246 section 7.4.7.1): a wrong padding
 * or version gives random bytes. 0 only when no random bytes are to be had, or
 * k is too small.
 */
#define WN_TLS_PREMASTER 48
int wn_rsa_unpad_tls(const struct wn_prov *prov, const unsigned char *em, size_t k,
                     unsigned char out[WN_TLS_PREMASTER], unsigned version, unsigned alternative);

#endif
