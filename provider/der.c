/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DER writer and reader; see der.h. Clauses are those of X.690. */
#include "der.h"

#include <stdlib.h>
#include <string.h>

#define WN_DER_MAX_ARCS 20

void wn_der_w_init(struct wn_der_w *w, unsigned char *buf, size_t size)
{
    w->start = buf;
    w->end = buf != NULL ? buf + size : NULL;
    w->n = 0;
    w->failed = 0;
}

size_t wn_der_w_mark(const struct wn_der_w *w)
{
    return w->n;
}

void wn_der_w_bytes(struct wn_der_w *w, const void *p, size_t n)
{
    if (w->failed)
        return;
    if (w->start != NULL) {
        if ((size_t)(w->end - w->start) - w->n < n) {
            w->failed = 1;
            return;
        }
        if (n > 0)
            memcpy(w->end - w->n - n, p, n);
    }
    w->n += n;
}

static void put(struct wn_der_w *w, unsigned char byte)
{
    wn_der_w_bytes(w, &byte, 1);
}

/* 8.1.3, definite form, fewest octets (10.1) */
static void put_header(struct wn_der_w *w, unsigned char tag, size_t length)
{
    unsigned char octets = 0;

    if (length < 0x80) {
        put(w, (unsigned char)length);
    } else {
        for (; length > 0; length >>= 8, octets++)
            put(w, length & 0xff);
        put(w, 0x80 | octets);
    }
    put(w, tag);
}

void wn_der_w_wrap(struct wn_der_w *w, unsigned char tag, size_t mark)
{
    put_header(w, tag, w->n - mark);
}

void wn_der_w_octets(struct wn_der_w *w, unsigned char tag, const void *p, size_t n)
{
    wn_der_w_bytes(w, p, n);
    put_header(w, tag, n);
}

void wn_der_w_integer(struct wn_der_w *w, const unsigned char *be, size_t n)
{
    size_t mark = w->n;

    while (n > 0 && be[0] == 0) {
        be++;
        n--;
    }
    wn_der_w_bytes(w, be, n);
    /* a leading zero keeps the number positive (8.3.3), and zero is one octet */
    if (n == 0 || (be[0] & 0x80) != 0)
        put(w, 0);
    put_header(w, WN_DER_INTEGER, w->n - mark);
}

void wn_der_w_small(struct wn_der_w *w, unsigned long value)
{
    unsigned char be[sizeof(value)];
    size_t i;

    for (i = sizeof(be); i-- > 0; value >>= 8)
        be[i] = value & 0xff;
    wn_der_w_integer(w, be, sizeof(be));
}

void wn_der_w_null(struct wn_der_w *w)
{
    put_header(w, WN_DER_NULL, 0);
}

/* 8.19: base 128, the first two arcs in one number */
void wn_der_w_oid(struct wn_der_w *w, const char *dotted)
{
    unsigned long arc[WN_DER_MAX_ARCS];
    size_t mark = w->n, n = 0;
    char *end;

    do {
        if (n == WN_DER_MAX_ARCS || *dotted < '0' || *dotted > '9') {
            w->failed = 1;
            return;
        }
        arc[n++] = strtoul(dotted, &end, 10);
        dotted = end + 1;
    } while (*end == '.');
    if (*end != '\0' || n < 2 || arc[0] > 2 || (arc[0] < 2 && arc[1] > 39)) {
        w->failed = 1;
        return;
    }
    arc[1] += 40 * arc[0];
    while (n-- > 1) {
        put(w, arc[n] & 0x7f);
        while ((arc[n] >>= 7) != 0)
            put(w, 0x80 | (arc[n] & 0x7f));
    }
    put_header(w, WN_DER_OID, w->n - mark);
}

unsigned char *wn_der_w_start(const struct wn_der_w *w)
{
    return w->failed || w->start == NULL ? NULL : w->end - w->n;
}

int wn_der_r_peek(const struct wn_der_r *r)
{
    return r->n == 0 ? -1 : r->p[0];
}

/* Length octets at r; advances over them. */
static int get_length(struct wn_der_r *r, size_t *length)
{
    size_t octets, v = 0;

    if (r->n == 0)
        return 0;
    octets = r->p[0] & 0x7f;
    if ((r->p[0] & 0x80) == 0) {
        *length = octets;
        octets = 0;
    } else {
        size_t i;

        if (octets == 0 || octets > sizeof(size_t) || r->n - 1 < octets || r->p[1] == 0)
            return 0;
        for (i = 1; i <= octets; i++)
            v = v << 8 | r->p[i];
        if (v < 0x80)
            return 0;
        *length = v;
    }
    r->p += octets + 1;
    r->n -= octets + 1;
    return 1;
}

int wn_der_r_enter(struct wn_der_r *r, unsigned char tag, struct wn_der_r *in)
{
    struct wn_der_r at = *r;
    size_t length;

    if (at.n == 0 || at.p[0] != tag)
        return 0;
    at.p++;
    at.n--;
    if (!get_length(&at, &length) || length > at.n)
        return 0;
    in->p = at.p;
    in->n = length;
    r->p = at.p + length;
    r->n = at.n - length;
    return 1;
}

int wn_der_r_integer(struct wn_der_r *r, const unsigned char **be, size_t *n)
{
    struct wn_der_r at = *r, in;

    if (!wn_der_r_enter(&at, WN_DER_INTEGER, &in) || in.n == 0 || (in.p[0] & 0x80) != 0)
        return 0;
    if (in.p[0] == 0) {
        if (in.n > 1 && (in.p[1] & 0x80) == 0)
            return 0;           /* 8.3.2: not the shortest form */
        in.p++;
        in.n--;
    }
    *be = in.p;
    *n = in.n;
    *r = at;
    return 1;
}

int wn_der_r_bits(struct wn_der_r *r, struct wn_der_r *in)
{
    struct wn_der_r at = *r;

    if (!wn_der_r_enter(&at, WN_DER_BIT_STRING, in) || in->n == 0 || in->p[0] != 0)
        return 0;
    in->p++;
    in->n--;
    *r = at;
    return 1;
}
