/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The core's BIOs, PEM and hexadecimal; see bio.h. */
#include "bio.h"

#include <string.h>

#include "der.h"
#include "err.h"
#include "mem.h"

int wn_bio_write(const struct wn_prov *prov, OSSL_CORE_BIO *bio, const void *d, size_t n)
{
    const unsigned char *p = d;
    size_t done = 0;

    while (n > 0) {
        if (prov->core.bio_write_ex == NULL || !prov->core.bio_write_ex(bio, p, n, &done)
            || done == 0) {
            WN_RAISE(prov, ERR_R_BIO_LIB);
            return 0;
        }
        p += done;
        n -= done;
    }
    return 1;
}

int wn_bio_puts(const struct wn_prov *prov, OSSL_CORE_BIO *bio, const char *s)
{
    return wn_bio_write(prov, bio, s, strlen(s));
}

/* ---- PEM --------------------------------------------------------------------------- */

#define PEM_LINE 48             /* octets that 64 characters hold */

/* Character of a 6 bit value (RFC 4648 section 4), without a look-up. */
static char base64_digit(unsigned v)
{
    unsigned c = v + 'A';

    c += (25 - v) >> 8 & 6;     /* 26: 'a'; the difference wraps when v is larger */
    c -= (51 - v) >> 8 & 75;    /* 52: '0' */
    c -= (61 - v) >> 8 & 15;    /* 62: '+' */
    c += (62 - v) >> 8 & 3;     /* 63: '/' */
    return (char)c;
}

/* One line with its end; returns its length. */
static size_t base64_line(char *out, const unsigned char *d, size_t n)
{
    size_t i, at = 0;

    for (i = 0; i < n; i += 3) {
        unsigned v = (unsigned)d[i] << 16 | (i + 1 < n ? (unsigned)d[i + 1] << 8 : 0)
            | (i + 2 < n ? d[i + 2] : 0);

        out[at++] = base64_digit(v >> 18);
        out[at++] = base64_digit(v >> 12 & 0x3f);
        out[at++] = base64_digit(v >> 6 & 0x3f);
        out[at++] = base64_digit(v & 0x3f);
    }
    if (n % 3 != 0)
        out[at - 1] = '=';
    if (n % 3 == 1)
        out[at - 2] = '=';
    out[at++] = '\n';
    return at;
}

static int pem_boundary(const struct wn_prov *prov, OSSL_CORE_BIO *bio, const char *which,
                        const char *label)
{
    return wn_bio_puts(prov, bio, "-----") && wn_bio_puts(prov, bio, which)
        && wn_bio_puts(prov, bio, label) && wn_bio_puts(prov, bio, "-----\n");
}

int wn_bio_pem(const struct wn_prov *prov, OSSL_CORE_BIO *bio, const char *label,
               const unsigned char *d, size_t n)
{
    char line[PEM_LINE / 3 * 4 + 1];
    int ok = pem_boundary(prov, bio, "BEGIN ", label);

    while (ok && n > 0) {
        size_t now = n < PEM_LINE ? n : PEM_LINE;

        ok = wn_bio_write(prov, bio, line, base64_line(line, d, now));
        d += now;
        n -= now;
    }
    wn_clear(line, sizeof(line));
    return ok && pem_boundary(prov, bio, "END ", label);
}

/* ---- hexadecimal ------------------------------------------------------------------- */

#define HEX_LINE 15
#define HEX_INDENT 4

static char hex_digit(unsigned v)
{
    return (char)(v + '0' + ((9 - v) >> 8 & ('a' - '0' - 10)));
}

int wn_bio_hex(const struct wn_prov *prov, OSSL_CORE_BIO *bio, const char *label,
               const unsigned char *d, size_t n)
{
    char line[HEX_INDENT + 3 * HEX_LINE + 1];
    int ok = wn_bio_puts(prov, bio, label) && wn_bio_puts(prov, bio, "\n");

    memset(line, ' ', HEX_INDENT);
    while (ok && n > 0) {
        size_t now = n < HEX_LINE ? n : HEX_LINE, at = HEX_INDENT, i;

        for (i = 0; i < now; i++) {
            line[at++] = hex_digit(d[i] >> 4);
            line[at++] = hex_digit(d[i] & 0x0f);
            line[at++] = ':';
        }
        if (now == n)
            at--;               /* no colon after the last */
        line[at++] = '\n';
        ok = wn_bio_write(prov, bio, line, at);
        d += now;
        n -= now;
    }
    wn_clear(line, sizeof(line));
    return ok;
}

/* ---- reading ------------------------------------------------------------------------- */

/* Exactly n bytes: 1, or 0 if there are fewer. */
static int read_all(const struct wn_prov *prov, OSSL_CORE_BIO *bio, unsigned char *d, size_t n)
{
    size_t done = 0;

    while (n > 0) {
        if (!prov->core.bio_read_ex(bio, d, n, &done) || done == 0)
            return 0;
        d += done;
        n -= done;
    }
    return 1;
}

/* Reads tag and length octets to head; *body is the length that they tell. */
static int read_header(const struct wn_prov *prov, OSSL_CORE_BIO *bio, unsigned char head[6],
                       size_t *head_n, size_t *body)
{
    size_t octets, i;

    if (!read_all(prov, bio, head, 2) || head[0] != WN_DER_SEQUENCE)
        return 0;
    *head_n = 2;
    *body = head[1];
    if (head[1] < 0x80)
        return 1;
    octets = head[1] & 0x7f;
    if (octets == 0 || octets > 4 || !read_all(prov, bio, head + 2, octets))
        return 0;
    for (*body = 0, i = 0; i < octets; i++)
        *body = *body << 8 | head[2 + i];
    *head_n += octets;
    return 1;
}

int wn_bio_read_der(const struct wn_prov *prov, OSSL_CORE_BIO *bio, size_t limit,
                    unsigned char **der, size_t *n)
{
    unsigned char head[6], *buf;
    size_t head_n, body;

    if (prov->core.bio_read_ex == NULL) {
        WN_RAISE(prov, ERR_R_BIO_LIB);
        return -1;
    }
    if (!read_header(prov, bio, head, &head_n, &body) || head_n > limit || body > limit - head_n)
        return 0;
    buf = wn_malloc(prov, head_n + body);
    if (buf == NULL)
        return -1;
    memcpy(buf, head, head_n);
    if (!read_all(prov, bio, buf + head_n, body)) {
        wn_clear_free(prov, buf, head_n + body);
        return 0;
    }
    *der = buf;
    *n = head_n + body;
    return 1;
}
