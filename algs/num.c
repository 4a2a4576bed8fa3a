/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of keys; see num.h. */
#include "num.h"

#include "../provider/err.h"
#include "../provider/mem.h"
#include "../provider/params.h"

static size_t num_size(size_t digits)
{
    return MP_INT_SIZEOF(digits);
}

static mp_int *num_alloc(const struct wn_prov *prov, size_t bytes)
{
    size_t digits = bytes / sizeof(mp_digit) + 1;
    mp_int *a;

    if (bytes > WN_NUM_MAX_SIZE) {
        WN_RAISE(prov, PROV_R_INVALID_KEY_LENGTH);
        return NULL;
    }
    a = wn_ctx_new(prov, num_size(digits));
    if (a != NULL && mp_init_size(a, (int)digits) != MP_OKAY) {
        wn_ctx_free(prov, a, num_size(digits));
        WN_RAISE(prov, ERR_R_INTERNAL_ERROR);
        return NULL;
    }
    return a;
}

mp_int *wn_num_new(const struct wn_prov *prov, const unsigned char *be, size_t n)
{
    mp_int *a;

    while (n > 0 && be[0] == 0) {
        be++;
        n--;
    }
    a = num_alloc(prov, n);
    if (a != NULL && n > 0 && !WN_WC(prov, mp_read_unsigned_bin(a, be, (word32)n))) {
        wn_num_free(prov, a);
        return NULL;
    }
    return a;
}

mp_int *wn_num_from_param(const struct wn_prov *prov, const OSSL_PARAM *p)
{
    unsigned char be[WN_NUM_MAX_SIZE];
    size_t n = sizeof(be);
    mp_int *a;

    if (!wn_param_get_bn(p, be, &n)) {
        WN_RAISE(prov, PROV_R_FAILED_TO_GET_PARAMETER);
        return NULL;
    }
    a = wn_num_new(prov, be, n);
    wn_clear(be, n);
    return a;
}

mp_int *wn_num_dup(const struct wn_prov *prov, const mp_int *a)
{
    mp_int *copy = num_alloc(prov, (size_t)mp_unsigned_bin_size(a));

    if (copy != NULL && !WN_WC(prov, mp_copy(a, copy))) {
        wn_num_free(prov, copy);
        return NULL;
    }
    return copy;
}

void wn_num_free(const struct wn_prov *prov, mp_int *a)
{
    if (a != NULL)
        wn_ctx_free(prov, a, num_size(a->size));
}

int wn_num_bytes(const mp_int *a, unsigned char *be, size_t size)
{
    return mp_to_unsigned_bin_len(a, be, (int)size) == MP_OKAY;
}
