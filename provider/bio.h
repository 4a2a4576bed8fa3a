/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading and writing the BIOs that the core hands to encoders and decoders
 * (provider-base(7)), and the text forms that key files take: PEM (RFC 7468) and
 * labelled hexadecimal. Writers return 1, or 0 with an error raised; what they
 * write may be a private key, so digits are computed in constant time and lines
 * wiped.
 */
#ifndef WN_BIO_H
#define WN_BIO_H

#include "prov.h"

int wn_bio_write(const struct wn_prov *prov, OSSL_CORE_BIO *bio, const void *d, size_t n);
int wn_bio_puts(const struct wn_prov *prov, OSSL_CORE_BIO *bio, const char *s);

/* -----BEGIN label-----, lines of 64 characters */
int wn_bio_pem(const struct wn_prov *prov, OSSL_CORE_BIO *bio, const char *label,
               const unsigned char *d, size_t n);

/* The label's line, then indented lines of 15 octets with colons between them. */
int wn_bio_hex(const struct wn_prov *prov, OSSL_CORE_BIO *bio, const char *label,
               const unsigned char *d, size_t n);

/*
 * The next DER SEQUENCE of at most `limit` bytes, header included, in *der
 * (wn_clear_free it). 1 read, 0 there is no such thing (nothing raised), -1 failed
 * with an error raised.
 */
int wn_bio_read_der(const struct wn_prov *prov, OSSL_CORE_BIO *bio, size_t limit,
                    unsigned char **der, size_t *n);

#endif
