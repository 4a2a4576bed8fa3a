/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves, by name and by numbers; see ec.h. */
#include "ec_ops.h"

#include <string.h>

#include "../provider/names.h"

#define BYTES(bits) (((bits) + 7) / 8)

#define SP_0 NULL
#define SP_256 &wn_ec_sp_256
#define SP_384 &wn_ec_sp_384
#define SP_521 &wn_ec_sp_521

static const struct wn_ec_curve curves[] = {
#define WN_EC_CURVE(id, sp, names, bits, order_bits, cofactor, p, a, b, gx, gy, n, \
                    seed)                                                            \
    { names, bits, order_bits, BYTES(bits), BYTES(order_bits), SP_##sp,             \
      { BYTES(bits), ECC_CURVE_CUSTOM, #id, p, a, b, n, gx, gy, NULL, 0, 0, cofactor }, seed },
#include "ec_curves.def"
#undef WN_EC_CURVE
};

#define N_CURVES (sizeof(curves) / sizeof(curves[0]))

size_t wn_ec_curve_index(const struct wn_ec_curve *curve)
{
    return (size_t)(curve - curves);
}

const struct wn_ec_curve *wn_ec_curve_find(const char *name)
{
    size_t i;

    for (i = 0; i < N_CURVES; i++)
        if (wn_name_listed(curves[i].names, name))
            return &curves[i];
    return NULL;
}

const char *wn_ec_curve_name(const struct wn_ec_curve *curve, char buf[WN_EC_NAME_MAX])
{
    size_t n = strcspn(curve->names, ":");

    memcpy(buf, curve->names, n);
    buf[n] = '\0';
    return buf;
}

static unsigned char nibble(char c)
{
    return (unsigned char)(c <= '9' ? c - '0' : c - 'A' + 10);
}

void wn_ec_hex(const char *hex, unsigned char *be, size_t n)
{
    size_t digits = strlen(hex), i;

    memset(be, 0, n);
    for (i = 0; i < digits / 2; i++)
        be[n - digits / 2 + i] = (unsigned char)(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]));
}

static int same(const char *hex, const unsigned char be[WN_EC_MAX_BYTES])
{
    unsigned char number[WN_EC_MAX_BYTES];

    wn_ec_hex(hex, number, sizeof(number));
    return memcmp(number, be, sizeof(number)) == 0;
}

/* gy, or of a compressed generator (odd is 0 or 1) its parity. */
static int same_y(const char *hex, const unsigned char be[WN_EC_MAX_BYTES], int odd)
{
    return odd < 0 ? same(hex, be) : (nibble(hex[strlen(hex) - 1]) & 1) == odd;
}

const struct wn_ec_curve *wn_ec_curve_match(const struct wn_ec_explicit *e, int odd)
{
    size_t i;

    for (i = 0; i < N_CURVES; i++)
        if (same(curves[i].dp.prime, e->p) && same(curves[i].dp.Af, e->a)
            && same(curves[i].dp.Bf, e->b) && same(curves[i].dp.order, e->n)
            && same(curves[i].dp.Gx, e->gx) && same_y(curves[i].dp.Gy, e->gy, odd))
            return &curves[i];
    return NULL;
}
