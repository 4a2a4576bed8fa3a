/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * OSSL_PARAM access; see params.h and OSSL_PARAM(3), OSSL_PARAM_int(3) for the
 * conversion rules that are reproduced here.
 */
#include "params.h"

#include <string.h>

#include "err.h"

/* One store each: glibc's memset() uses a masked vector store for so few bytes, from
 * which nothing can be loaded until it is in the cache; see wn_clear(). */
static void none_found(OSSL_PARAM **found, size_t n)
{
    for (; n > 0; n--, found++) {
        *found = NULL;
        __asm__ __volatile__("" : : : "memory");
    }
}

/* Most keys differ in the first byte already. */
static int same_key(const char *a, const char *b)
{
    return *a == *b && strcmp(a, b) == 0;
}

int wn_params_scan(const struct wn_prov *prov, const OSSL_PARAM params[],
                   const char *const keys[], size_t n, OSSL_PARAM **found, uint64_t multi)
{
    size_t i;

    none_found(found, n);
    if (params == NULL)
        return 1;
    for (; params->key != NULL; params++) {
        for (i = 0; i < n && !same_key(params->key, keys[i]); i++)
            ;
        if (i == n)
            continue;
        if (found[i] == NULL) {
            found[i] = (OSSL_PARAM *)params;
        } else if ((multi >> i & 1) == 0 && prov->core_version >= WN_CORE_VERSION(3, 6)) {
            WN_RAISE_MSG(prov, PROV_R_REPEATED_PARAMETER, "param %s present >1 times", keys[i]);
            return 0;
        }
    }
    return 1;
}

/* Byte i of an n byte native integer, counted from the least significant. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
# define AT(n, i) ((n) - 1 - (i))
#else
# define AT(n, i) (i)
#endif

static int is_integer(const OSSL_PARAM *p)
{
    return p->data_type == OSSL_PARAM_INTEGER || p->data_type == OSSL_PARAM_UNSIGNED_INTEGER;
}

/*
 * Copies a native integer of any size to another. `sign` tells whether src is
 * negative (its missing high bytes are then 0xff). Fails when the value does
 * not fit; dst_signed: the top bit must keep meaning the same sign.
 */
static int copy_integer(void *dst, size_t dn, int dst_signed, const void *src, size_t sn, int sign)
{
    const unsigned char *s = src;
    unsigned char *d = dst, pad = sign ? 0xff : 0, top;
    size_t i;

    if (dn == 0 || sn == 0 || (sign && !dst_signed))
        return 0;
    if (dn == sn && (dn == sizeof(uint32_t) || dn == sizeof(uint64_t))) {
        /* nearly always */
        if (dst_signed && ((s[AT(dn, dn - 1)] ^ pad) & 0x80) != 0)
            return 0;
        if (dn == sizeof(uint32_t))
            memcpy(d, s, sizeof(uint32_t));
        else
            memcpy(d, s, sizeof(uint64_t));
        return 1;
    }
    for (i = dn; i < sn; i++)
        if (s[AT(sn, i)] != pad)
            return 0;
    top = dn <= sn ? s[AT(sn, dn - 1)] : pad;
    if (dst_signed && ((top ^ pad) & 0x80) != 0)
        return 0;
    for (i = 0; i < dn; i++)
        d[AT(dn, i)] = i < sn ? s[AT(sn, i)] : pad;
    return 1;
}

static int get_number(const OSSL_PARAM *p, void *v, size_t n, int is_signed)
{
    int negative;

    if (p == NULL || p->data == NULL || p->data_size == 0 || !is_integer(p))
        return 0;
    negative = p->data_type == OSSL_PARAM_INTEGER
        && (((const unsigned char *)p->data)[AT(p->data_size, p->data_size - 1)] & 0x80) != 0;
    return copy_integer(v, n, is_signed, p->data, p->data_size, negative);
}

static int set_number(OSSL_PARAM *p, const void *v, size_t n, int negative)
{
    if (p == NULL)
        return 0;
    p->return_size = n;
    if (!is_integer(p))
        return 0;
    if (p->data == NULL)
        return 1;
    if (!copy_integer(p->data, p->data_size, p->data_type == OSSL_PARAM_INTEGER, v, n, negative))
        return 0;
    p->return_size = p->data_size;
    return 1;
}

int wn_param_get_int(const OSSL_PARAM *p, int *v)
{
    return get_number(p, v, sizeof(*v), 1);
}

int wn_param_get_uint(const OSSL_PARAM *p, unsigned *v)
{
    return get_number(p, v, sizeof(*v), 0);
}

int wn_param_get_size_t(const OSSL_PARAM *p, size_t *v)
{
    return get_number(p, v, sizeof(*v), 0);
}

int wn_param_get_int64(const OSSL_PARAM *p, int64_t *v)
{
    return get_number(p, v, sizeof(*v), 1);
}

int wn_param_get_uint64(const OSSL_PARAM *p, uint64_t *v)
{
    return get_number(p, v, sizeof(*v), 0);
}

int wn_param_set_int(OSSL_PARAM *p, int v)
{
    return set_number(p, &v, sizeof(v), v < 0);
}

int wn_param_set_uint(OSSL_PARAM *p, unsigned v)
{
    return set_number(p, &v, sizeof(v), 0);
}

int wn_param_set_size_t(OSSL_PARAM *p, size_t v)
{
    return set_number(p, &v, sizeof(v), 0);
}

int wn_param_set_int64(OSSL_PARAM *p, int64_t v)
{
    return set_number(p, &v, sizeof(v), v < 0);
}

int wn_param_set_uint64(OSSL_PARAM *p, uint64_t v)
{
    return set_number(p, &v, sizeof(v), 0);
}

/* The value behind a *_string or *_ptr parameter of the given pair of types. */
static const void *get_pointer(const OSSL_PARAM *p, unsigned string_type, unsigned ptr_type)
{
    if (p == NULL || p->data == NULL)
        return NULL;
    if (p->data_type == string_type)
        return p->data;
    if (p->data_type == ptr_type)
        return *(const void *const *)p->data;
    return NULL;
}

int wn_param_get_utf8(const OSSL_PARAM *p, char *buf, size_t size)
{
    const char *s = get_pointer(p, OSSL_PARAM_UTF8_STRING, OSSL_PARAM_UTF8_PTR);
    size_t len;

    if (s == NULL)
        return 0;
    len = strnlen(s, p->data_size);
    if (len >= size)
        return 0;
    memcpy(buf, s, len);
    buf[len] = '\0';
    return 1;
}

int wn_param_get_octets(const OSSL_PARAM *p, const unsigned char **d, size_t *n)
{
    const void *data = get_pointer(p, OSSL_PARAM_OCTET_STRING, OSSL_PARAM_OCTET_PTR);

    if (data == NULL)
        return 0;
    *d = data;
    *n = p->data_size;
    return 1;
}

int wn_param_bn_size(const OSSL_PARAM *p, size_t *n)
{
    const unsigned char *d;
    size_t len;

    if (p == NULL || p->data == NULL || !is_integer(p))
        return 0;
    d = p->data;
    len = p->data_size;
    if (p->data_type == OSSL_PARAM_INTEGER && len > 0 && (d[AT(len, len - 1)] & 0x80) != 0)
        return 0;               /* negative */
    while (len > 0 && d[AT(p->data_size, len - 1)] == 0)
        len--;
    *n = len;
    return 1;
}

int wn_param_get_bn(const OSSL_PARAM *p, unsigned char *be, size_t *n)
{
    const unsigned char *d;
    size_t len, i;

    if (!wn_param_bn_size(p, &len) || len > *n)
        return 0;
    d = p->data;
    for (i = 0; i < len; i++)
        be[len - 1 - i] = d[AT(p->data_size, i)];
    *n = len;
    return 1;
}

int wn_param_set_bn(OSSL_PARAM *p, const unsigned char *be, size_t n)
{
    unsigned char *d;
    size_t i, need;

    if (p == NULL)
        return 0;
    while (n > 0 && be[0] == 0) {
        be++;
        n--;
    }
    /* a signed integer needs room for the sign bit; zero takes one byte */
    need = n == 0 ? 1 : n + (p->data_type == OSSL_PARAM_INTEGER && (be[0] & 0x80) != 0);
    p->return_size = need;
    if (!is_integer(p))
        return 0;
    if (p->data == NULL)
        return 1;
    if (p->data_size < need)
        return 0;
    d = p->data;
    for (i = 0; i < p->data_size; i++)
        d[AT(p->data_size, i)] = i < n ? be[n - 1 - i] : 0;
    p->return_size = p->data_size;
    return 1;
}

int wn_param_set_utf8(OSSL_PARAM *p, const char *s)
{
    size_t len;

    if (p == NULL)
        return 0;
    p->return_size = 0;
    if (s == NULL)
        return 0;
    len = strlen(s);
    p->return_size = len;
    if (p->data == NULL)
        return p->data_type == OSSL_PARAM_UTF8_STRING || p->data_type == OSSL_PARAM_UTF8_PTR;
    if (p->data_type == OSSL_PARAM_UTF8_PTR) {
        *(const char **)p->data = s;
        return 1;
    }
    if (p->data_type != OSSL_PARAM_UTF8_STRING || p->data_size < len)
        return 0;
    memcpy(p->data, s, len);
    if (p->data_size > len)
        ((char *)p->data)[len] = '\0';
    return 1;
}

int wn_param_set_octets(OSSL_PARAM *p, const void *d, size_t n)
{
    if (p == NULL)
        return 0;
    p->return_size = 0;
    if (d == NULL && (n != 0 || p->data_type != OSSL_PARAM_OCTET_PTR))
        return 0;
    p->return_size = n;
    if (p->data == NULL)
        return 1;
    if (p->data_type == OSSL_PARAM_OCTET_PTR) {
        *(const void **)p->data = d;
        return 1;
    }
    if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size < n)
        return 0;
    memcpy(p->data, d, n);
    return 1;
}

static int given(const struct wn_prov *prov, int ok)
{
    if (!ok)
        WN_RAISE(prov, PROV_R_FAILED_TO_SET_PARAMETER);
    return ok;
}

static int taken(const struct wn_prov *prov, int ok)
{
    if (!ok)
        WN_RAISE(prov, PROV_R_FAILED_TO_GET_PARAMETER);
    return ok;
}

int wn_param_give_int(const struct wn_prov *prov, OSSL_PARAM *p, int v)
{
    return p == NULL || given(prov, wn_param_set_int(p, v));
}

int wn_param_give_uint(const struct wn_prov *prov, OSSL_PARAM *p, unsigned v)
{
    return p == NULL || given(prov, wn_param_set_uint(p, v));
}

int wn_param_give_int64(const struct wn_prov *prov, OSSL_PARAM *p, int64_t v)
{
    return p == NULL || given(prov, wn_param_set_int64(p, v));
}

int wn_param_give_size_t(const struct wn_prov *prov, OSSL_PARAM *p, size_t v)
{
    return p == NULL || given(prov, wn_param_set_size_t(p, v));
}

int wn_param_give_utf8(const struct wn_prov *prov, OSSL_PARAM *p, const char *s)
{
    return p == NULL || given(prov, wn_param_set_utf8(p, s));
}

int wn_param_give_octets(const struct wn_prov *prov, OSSL_PARAM *p, const void *d, size_t n)
{
    return p == NULL || given(prov, wn_param_set_octets(p, d, n));
}

int wn_param_give_bn(const struct wn_prov *prov, OSSL_PARAM *p, const unsigned char *be, size_t n)
{
    return p == NULL || given(prov, wn_param_set_bn(p, be, n));
}

int wn_param_take_int(const struct wn_prov *prov, const OSSL_PARAM *p, int *v)
{
    return p == NULL || taken(prov, wn_param_get_int(p, v));
}

int wn_param_take_uint(const struct wn_prov *prov, const OSSL_PARAM *p, unsigned *v)
{
    return p == NULL || taken(prov, wn_param_get_uint(p, v));
}

int wn_param_take_size_t(const struct wn_prov *prov, const OSSL_PARAM *p, size_t *v)
{
    return p == NULL || taken(prov, wn_param_get_size_t(p, v));
}

int wn_param_take_int64(const struct wn_prov *prov, const OSSL_PARAM *p, int64_t *v)
{
    return p == NULL || taken(prov, wn_param_get_int64(p, v));
}

int wn_param_take_uint64(const struct wn_prov *prov, const OSSL_PARAM *p, uint64_t *v)
{
    return p == NULL || taken(prov, wn_param_get_uint64(p, v));
}

int wn_param_take_utf8(const struct wn_prov *prov, const OSSL_PARAM *p, char *buf, size_t size)
{
    return p == NULL || taken(prov, wn_param_get_utf8(p, buf, size));
}

int wn_param_take_octets(const struct wn_prov *prov, const OSSL_PARAM *p,
                         const unsigned char **d, size_t *n)
{
    return p == NULL || taken(prov, wn_param_get_octets(p, d, n));
}
