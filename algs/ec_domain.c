/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Domain parameters of EC keys as OSSL_PARAMs (EVP_PKEY-EC(7)): a group's name,
 * or all the numbers of one. Numbers and names that belong to no curve of
 * ec_curves.def are for another provider, if there is one (ec_other.c).
 */
#include "ec_key.h"

#include <string.h>
#include <strings.h>

#include <openssl/ecerr.h>

/* ---- words --------------------------------------------------------------------- */

static const struct {
    enum wn_ec_form form;
    const char *name;
} forms[] = {
    { WN_EC_UNCOMPRESSED, "uncompressed" },
    { WN_EC_COMPRESSED, "compressed" },
    { WN_EC_HYBRID, "hybrid" },
};

const char *wn_ec_form_name(enum wn_ec_form form)
{
    size_t i;

    for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
        if (forms[i].form == form)
            return forms[i].name;
    return "";
}

int wn_ec_take_form(const struct wn_prov *prov, const OSSL_PARAM *p, enum wn_ec_form *form)
{
    char name[16];
    size_t i;

    if (p == NULL)
        return 1;
    if (wn_param_get_utf8(p, name, sizeof(name))) {
        for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
            if (strcasecmp(forms[i].name, name) == 0) {
                *form = forms[i].form;
                return 1;
            }
        }
    }
    WN_RAISE_LIB(prov, ERR_LIB_EC, EC_R_INVALID_FORM);
    return 0;
}

int wn_ec_take_encoding(const struct wn_prov *prov, const OSSL_PARAM *p, int *is_explicit)
{
    char name[16] = "";

    if (p == NULL)
        return 1;
    if (wn_param_get_utf8(p, name, sizeof(name))
        && (strcasecmp(name, OSSL_PKEY_EC_ENCODING_EXPLICIT) == 0
            || strcasecmp(name, OSSL_PKEY_EC_ENCODING_GROUP) == 0)) {
        *is_explicit = strcasecmp(name, OSSL_PKEY_EC_ENCODING_EXPLICIT) == 0;
        return 1;
    }
    WN_RAISE_LIB(prov, ERR_LIB_EC, EC_R_INVALID_ENCODING);
    return 0;
}

static const char *const check_types[] = { "default", "named", "named-nist" };

const char *wn_ec_check_type_name(int type)
{
    return check_types[type];
}

int wn_ec_take_check_type(const struct wn_prov *prov, const OSSL_PARAM *p, int *type)
{
    char name[16];
    int i;

    if (p == NULL)
        return 1;
    if (wn_param_get_utf8(p, name, sizeof(name))) {
        for (i = 0; i < 3; i++) {
            if (strcasecmp(name, check_types[i]) == 0) {
                *type = i;
                return 1;
            }
        }
    }
    WN_RAISE(prov, PROV_R_FAILED_TO_GET_PARAMETER);
    return 0;
}

int wn_ec_is_nist(const struct wn_ec_curve *curve)
{
    return strchr(curve->names, ':') != NULL;
}

/* ---- explicit parameters ---------------------------------------------------------- */

static int take_number(const OSSL_PARAM *p, unsigned char out[WN_EC_MAX_BYTES])
{
    unsigned char be[WN_EC_MAX_BYTES];
    size_t n = sizeof(be);

    memset(out, 0, WN_EC_MAX_BYTES);
    if (p == NULL || !wn_param_get_bn(p, be, &n))
        return 0;
    memcpy(out + WN_EC_MAX_BYTES - n, be, n);
    return 1;
}

/*
 * The generator's coordinates: x, and y if it is there. A compressed one is
 * compared by its parity below, since p is not yet known to be prime.
 */
static int take_generator(const OSSL_PARAM *p, struct wn_ec_explicit *e, int *odd)
{
    const unsigned char *g;
    size_t n, size;

    memset(e->gx, 0, sizeof(e->gx));
    memset(e->gy, 0, sizeof(e->gy));
    *odd = -1;
    if (p != NULL && wn_param_get_octets(p, &g, &n) && n > 1) {
        if ((g[0] & ~1) == WN_EC_COMPRESSED && n - 1 <= WN_EC_MAX_BYTES) {
            memcpy(e->gx + WN_EC_MAX_BYTES - (n - 1), g + 1, n - 1);
            *odd = g[0] & 1;
            return 1;
        }
        size = (n - 1) / 2;
        if ((g[0] == WN_EC_UNCOMPRESSED || (g[0] & ~1) == WN_EC_HYBRID) && n == 1 + 2 * size
            && size <= WN_EC_MAX_BYTES && (g[0] == WN_EC_UNCOMPRESSED
                                           || (g[0] & 1) == (g[n - 1] & 1))) {
            memcpy(e->gx + WN_EC_MAX_BYTES - size, g + 1, size);
            memcpy(e->gy + WN_EC_MAX_BYTES - size, g + 1 + size, size);
            return 1;
        }
    }
    return 0;
}

#define EC_REASON(reason) ERR_PACK(ERR_LIB_EC, 0, reason)
/* raised with a text */
#define UNKNOWN_NUMBERS ERR_PACK(ERR_LIB_PROV, 0, PROV_R_INVALID_CURVE)

/* 0, or the error that says what is not as it should be */
static uint32_t take_explicit(const struct ec_domain_params *p, const struct wn_ec_curve **curve)
{
    struct wn_ec_explicit e;
    char field[32] = "";
    size_t cofactor;
    int odd;

    if (p->field == NULL || p->field->data_type != OSSL_PARAM_UTF8_STRING
        || !wn_param_get_utf8(p->field, field, sizeof(field)))
        return EC_REASON(EC_R_INVALID_FIELD);
    if (strcasecmp(field, "prime-field") != 0)
        return EC_REASON(EC_R_UNSUPPORTED_FIELD);
    if (!take_number(p->a, e.a))
        return EC_REASON(EC_R_INVALID_A);
    if (!take_number(p->b, e.b))
        return EC_REASON(EC_R_INVALID_B);
    if (!take_number(p->p, e.p))
        return EC_REASON(EC_R_INVALID_P);
    if (!take_generator(p->generator, &e, &odd))
        return EC_REASON(EC_R_INVALID_GENERATOR);
    if (!take_number(p->order, e.n))
        return EC_REASON(EC_R_INVALID_GROUP_ORDER);
    *curve = wn_ec_curve_match(&e, odd);
    if (*curve == NULL)
        return UNKNOWN_NUMBERS;
    if (p->cofactor != NULL
        && (!wn_param_get_size_t(p->cofactor, &cofactor)
            || (cofactor != 0 && cofactor != (size_t)(*curve)->dp.cofactor)))
        return EC_REASON(EC_R_UNKNOWN_COFACTOR);
    return 0;
}

int wn_ec_raise_unknown(const struct wn_prov *prov, uint32_t unknown)
{
    wn_raise_at(prov, __FILE__, __LINE__, __func__, unknown,
                unknown == UNKNOWN_NUMBERS ? "explicit parameters of no known curve" : NULL);
    return 0;
}

/*
 * A group's name. Some callers give it without a length (OSSL_PARAM_utf8_string
 * with 0), which OpenSSL's provider takes as terminated.
 */
static const struct wn_ec_curve *take_group(const OSSL_PARAM *p)
{
    char name[80];

    if (p->data_type == OSSL_PARAM_UTF8_STRING && p->data_size == 0 && p->data != NULL)
        return wn_ec_curve_find(p->data);
    return wn_param_get_utf8(p, name, sizeof(name)) ? wn_ec_curve_find(name) : NULL;
}

int wn_ec_take_domain(const struct wn_prov *prov, const OSSL_PARAM params[],
                      const struct wn_ec_curve **curve, int *explicit_encoding,
                      int *from_explicit, uint32_t *unknown)
{
    struct ec_domain_params p;

    *unknown = 0;
    if (!WN_EC_SCAN(prov, ec_domain_params, params, &p))
        return 0;
    if (p.group == NULL) {
        *unknown = take_explicit(&p, curve);
        *from_explicit = 1;
        *explicit_encoding = 1;
        return *unknown == 0;
    }
    *curve = take_group(p.group);
    if (*curve == NULL) {
        *unknown = EC_REASON(EC_R_INVALID_CURVE);
        return 0;
    }
    *from_explicit = 0;
    if (!wn_ec_take_encoding(prov, p.encoding, explicit_encoding)
        || !wn_param_take_int(prov, p.from_explicit, from_explicit))
        return 0;
    *from_explicit = *from_explicit > 0;
    return 1;
}
