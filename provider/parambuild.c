/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See parambuild.h. */
#include "parambuild.h"

#include <string.h>

#include "err.h"
#include "mem.h"
#include "params.h"

void wn_pb_init(struct wn_pb *pb, const struct wn_prov *prov)
{
    memset(pb, 0, sizeof(*pb));
    pb->prov = prov;
}

/* A new parameter with a zeroed value of `room` bytes, or NULL. */
static OSSL_PARAM *add(struct wn_pb *pb, const char *key, unsigned type, size_t size, size_t room)
{
    OSSL_PARAM *p = &pb->params[pb->n];

    if (pb->failed)
        return NULL;
    if (pb->n == WN_PB_MAX) {
        WN_RAISE(pb->prov, ERR_R_INTERNAL_ERROR);
        pb->failed = 1;
        return NULL;
    }
    p->data = wn_zalloc(pb->prov, room);
    if (p->data == NULL) {
        pb->failed = 1;
        return NULL;
    }
    p->key = key;
    p->data_type = type;
    p->data_size = size;
    p->return_size = OSSL_PARAM_UNMODIFIED;
    pb->n++;
    return p;
}

int wn_pb_utf8(struct wn_pb *pb, const char *key, const char *value)
{
    size_t n = strlen(value);
    OSSL_PARAM *p = add(pb, key, OSSL_PARAM_UTF8_STRING, n, n + 1);

    if (p != NULL)
        memcpy(p->data, value, n);
    return p != NULL;
}

int wn_pb_octets(struct wn_pb *pb, const char *key, const void *value, size_t n)
{
    OSSL_PARAM *p = add(pb, key, OSSL_PARAM_OCTET_STRING, n, n + 1);

    if (p != NULL && n > 0)
        memcpy(p->data, value, n);
    return p != NULL;
}

int wn_pb_int(struct wn_pb *pb, const char *key, int value)
{
    OSSL_PARAM *p = add(pb, key, OSSL_PARAM_INTEGER, sizeof(value), sizeof(value));

    return p != NULL && wn_param_set_int(p, value);
}

int wn_pb_uint64(struct wn_pb *pb, const char *key, uint64_t value)
{
    OSSL_PARAM *p = add(pb, key, OSSL_PARAM_UNSIGNED_INTEGER, sizeof(value), sizeof(value));

    return p != NULL && wn_param_set_uint64(p, value);
}

int wn_pb_size_t(struct wn_pb *pb, const char *key, size_t value)
{
    OSSL_PARAM *p = add(pb, key, OSSL_PARAM_UNSIGNED_INTEGER, sizeof(value), sizeof(value));

    return p != NULL && wn_param_set_size_t(p, value);
}

int wn_pb_bn(struct wn_pb *pb, const char *key, const unsigned char *be, size_t n, size_t width)
{
    OSSL_PARAM *p;

    if (width < n)
        width = n;
    if (width == 0)
        width = 1;
    p = add(pb, key, OSSL_PARAM_UNSIGNED_INTEGER, width, width);
    return p != NULL && wn_param_set_bn(p, be, n);
}

OSSL_PARAM *wn_pb_params(struct wn_pb *pb)
{
    return pb->failed ? NULL : pb->params;
}

void wn_pb_clear(struct wn_pb *pb)
{
    while (pb->n > 0) {
        OSSL_PARAM *p = &pb->params[--pb->n];

        wn_clear_free(pb->prov, p->data, p->data_size);
    }
    memset(pb, 0, sizeof(*pb));
}
