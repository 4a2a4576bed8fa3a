/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DER (X.690), as little of it as signatures, AlgorithmIdentifiers and key
 * files need.
 *
 * Writer: builds from the end of a buffer towards its start, so that lengths
 * are known when headers are written; the finished encoding is the last `n`
 * bytes: w.at .. buffer end. A NULL buffer only counts. Overflow sets w.failed.
 *
 *   unsigned char buf[64];
 *   struct wn_der_w w;
 *   size_t end;
 *   wn_der_w_init(&w, buf, sizeof(buf));
 *   end = wn_der_w_mark(&w);
 *   wn_der_w_integer(&w, s, 32);          // last element first
 *   wn_der_w_integer(&w, r, 32);
 *   wn_der_w_wrap(&w, WN_DER_SEQUENCE, end);
 *
 * Reader: strict DER; every function returns 0 on anything else and advances
 * only on success. Pointers it gives lie inside the input.
 */
#ifndef WN_DER_H
#define WN_DER_H

#include <stddef.h>

enum {
    WN_DER_BOOLEAN = 0x01,
    WN_DER_INTEGER = 0x02,
    WN_DER_BIT_STRING = 0x03,
    WN_DER_OCTET_STRING = 0x04,
    WN_DER_NULL = 0x05,
    WN_DER_OID = 0x06,
    WN_DER_SEQUENCE = 0x30,
    WN_DER_CONTEXT = 0x80,      /* | number; | 0x20 when constructed */
    WN_DER_CONSTRUCTED = 0x20
};

struct wn_der_w {
    unsigned char *start, *end; /* the buffer; both NULL: only count */
    size_t n;                   /* bytes written so far, at the end */
    int failed;
};

void wn_der_w_init(struct wn_der_w *w, unsigned char *buf, size_t size);
size_t wn_der_w_mark(const struct wn_der_w *w);
void wn_der_w_bytes(struct wn_der_w *w, const void *p, size_t n);
/* Header for all that was written since the mark. */
void wn_der_w_wrap(struct wn_der_w *w, unsigned char tag, size_t mark);
/* Unsigned INTEGER from big-endian bytes (leading zeros allowed, n >= 0). */
void wn_der_w_integer(struct wn_der_w *w, const unsigned char *be, size_t n);
void wn_der_w_small(struct wn_der_w *w, unsigned long value);
void wn_der_w_octets(struct wn_der_w *w, unsigned char tag, const void *p, size_t n);
void wn_der_w_null(struct wn_der_w *w);
/* OBJECT IDENTIFIER from its dotted form; one that is not well-formed fails. */
void wn_der_w_oid(struct wn_der_w *w, const char *dotted);
/* Start of the finished encoding (w->n bytes), NULL after a failure. */
unsigned char *wn_der_w_start(const struct wn_der_w *w);

struct wn_der_r {
    const unsigned char *p;
    size_t n;
};

/* The next element must have this tag; *in = its contents. */
int wn_der_r_enter(struct wn_der_r *r, unsigned char tag, struct wn_der_r *in);
/* Tag of the next element, -1 at the end. */
int wn_der_r_peek(const struct wn_der_r *r);
/* Non-negative INTEGER in shortest form: *be without leading zeros. */
int wn_der_r_integer(struct wn_der_r *r, const unsigned char **be, size_t *n);
/* BIT STRING without unused bits. */
int wn_der_r_bits(struct wn_der_r *r, struct wn_der_r *in);

#endif
