/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of EC keys: what can be read, and the few that can be set (EVP_PKEY-EC(7)). */
#include "ec_key.h"
#include "ec_ops.h"

#include <string.h>

#include <openssl/ecerr.h>

/* ---- get --------------------------------------------------------------------------- */

#define EC_CHAR2(P)                                                  \
    P(char2_m, int, OSSL_PKEY_PARAM_EC_CHAR2_M)                      \
    P(char2_type, utf8_string, OSSL_PKEY_PARAM_EC_CHAR2_TYPE)        \
    P(char2_tp, int, OSSL_PKEY_PARAM_EC_CHAR2_TP_BASIS)              \
    P(char2_k1, int, OSSL_PKEY_PARAM_EC_CHAR2_PP_K1)                 \
    P(char2_k2, int, OSSL_PKEY_PARAM_EC_CHAR2_PP_K2)                 \
    P(char2_k3, int, OSSL_PKEY_PARAM_EC_CHAR2_PP_K3)

#define EC_GET(P)                                                    \
    WN_KEY_CATEGORY(P)                                               \
    P(bits, int, OSSL_PKEY_PARAM_BITS)                               \
    P(security_bits, int, OSSL_PKEY_PARAM_SECURITY_BITS)             \
    P(max_size, int, OSSL_PKEY_PARAM_MAX_SIZE)                       \
    P(default_digest, utf8_string, OSSL_PKEY_PARAM_DEFAULT_DIGEST)   \
    P(encoded, octet_string, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY)     \
    P(from_explicit, int, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS) \
    EC_DOMAIN_FORM(P)                                                \
    EC_CHAR2(P)                                                      \
    EC_PUBLIC(P)                                                     \
    P(qx, bn, OSSL_PKEY_PARAM_EC_PUB_X)                              \
    P(qy, bn, OSSL_PKEY_PARAM_EC_PUB_Y)                              \
    EC_PRIVATE(P)                                                    \
    EC_OTHER(P)                                                      \
    P(degree, int, OSSL_PKEY_PARAM_EC_FIELD_DEGREE)                  \
    P(check_type, utf8_string, OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE)
WN_PARAMS(ec_get, EC_GET);

const OSSL_PARAM *wn_ec_gettable(void *vprov)
{
    return wn_key_gettable(vprov, ec_get_list);
}

/* SP 800-57 part 1, table 2, which OpenSSL applies to all curves. */
static int security_bits(int order_bits)
{
    static const int levels[][2] = {
        { 512, 256 }, { 384, 192 }, { 256, 128 }, { 224, 112 }, { 160, 80 }
    };
    size_t i;

    for (i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
        if (order_bits >= levels[i][0])
            return levels[i][1];
    return order_bits / 2;
}

static int give_hex(const struct wn_ec_key *key, OSSL_PARAM *p, const char *hex)
{
    unsigned char be[WN_EC_MAX_BYTES];

    if (p == NULL)
        return 1;
    wn_ec_hex(hex, be, sizeof(be));
    return wn_param_give_bn(key->prov, p, be, sizeof(be));
}

static int give_generator(const struct wn_ec_key *key, OSSL_PARAM *p)
{
    const struct wn_ec_curve *curve = key->curve;
    unsigned char be[WN_EC_MAX_BYTES], point[WN_EC_MAX_POINT];
    struct wn_ec_num x, y;

    if (p == NULL)
        return 1;
    wn_ec_hex(curve->dp.Gx, be, curve->size);
    wn_ec_num_read(&x, be, curve->size);
    wn_ec_hex(curve->dp.Gy, be, curve->size);
    wn_ec_num_read(&y, be, curve->size);
    return wn_param_give_octets(key->prov, p, point,
                                wn_ec_point_write(curve, &x, &y, key->form, point));
}

static int give_seed(const struct wn_ec_key *key, OSSL_PARAM *p)
{
    size_t n = strlen(key->curve->seed) / 2;
    unsigned char seed[32];

    if (p == NULL || n == 0)
        return 1;
    wn_ec_hex(key->curve->seed, seed, n);
    return wn_param_give_octets(key->prov, p, seed, n);
}

static int give_domain(const struct wn_ec_key *key, struct ec_get *p)
{
    const struct wn_ec_curve *curve = key->curve;
    const struct wn_prov *prov = key->prov;
    char name[WN_EC_NAME_MAX];
    unsigned char h = (unsigned char)curve->dp.cofactor;

    return wn_param_give_utf8(prov, p->group, wn_ec_curve_name(curve, name))
        && wn_param_give_utf8(prov, p->encoding,
                              key->explicit_encoding ? OSSL_PKEY_EC_ENCODING_EXPLICIT
                                                     : OSSL_PKEY_EC_ENCODING_GROUP)
        && wn_param_give_utf8(prov, p->form, wn_ec_form_name(key->form))
        && wn_param_give_utf8(prov, p->field, "prime-field")
        && wn_param_give_int(prov, p->from_explicit, key->from_explicit)
        && give_hex(key, p->p, curve->dp.prime) && give_hex(key, p->a, curve->dp.Af)
        && give_hex(key, p->b, curve->dp.Bf) && give_hex(key, p->order, curve->dp.order)
        && wn_param_give_bn(prov, p->cofactor, &h, 1) && give_generator(key, p->generator)
        && give_seed(key, p->seed);
}

static int give_point(const struct wn_ec_key *key, OSSL_PARAM *p, enum wn_ec_form form)
{
    unsigned char point[WN_EC_MAX_POINT];

    return p == NULL
        || wn_param_give_octets(key->prov, p, point,
                                wn_ec_point_write(key->curve, &key->x, &key->y, form, point));
}

static int give_number(const struct wn_ec_key *key, OSSL_PARAM *p, const struct wn_ec_num *num,
                       size_t n)
{
    unsigned char be[WN_EC_MAX_BYTES];
    int ok;

    if (p == NULL)
        return 1;
    ok = wn_ec_num_bytes(num, be, n) && wn_param_give_bn(key->prov, p, be, n);
    wn_clear(be, n);
    return ok;
}

/* In as many bytes as the order has, whatever the value, as OpenSSL gives it. */
static int give_private(const struct wn_ec_key *key, OSSL_PARAM *p)
{
    size_t n = key->curve->order_size;

    if (p != NULL && p->data != NULL && p->data_size > n)
        p->data_size = n;
    return give_number(key, p, &key->d, n);
}

static int give_keypair(const struct wn_ec_key *key, struct ec_get *p)
{
    if (p->encoded != NULL && !key->has_public) {
        WN_RAISE(key->prov, PROV_R_NOT_A_PUBLIC_KEY);
        return 0;
    }
    if (key->has_public
        && (!give_point(key, p->encoded, WN_EC_UNCOMPRESSED) || !give_point(key, p->pub, key->form)
            || !give_number(key, p->qx, &key->x, key->curve->size)
            || !give_number(key, p->qy, &key->y, key->curve->size)))
        return 0;
    return !key->has_private || give_private(key, p->priv);
}

int wn_ec_get_params(void *vkey, OSSL_PARAM params[])
{
    const struct wn_ec_key *key = vkey;
    const struct wn_prov *prov = key->prov;
    struct ec_get p;

    if (key->other != NULL)
        return wn_ec_other_get_params(key, params);
    if (key->curve == NULL) {
        WN_RAISE(prov, PROV_R_NO_PARAMETERS_SET);
        return 0;
    }
    return WN_EC_SCAN(prov, ec_get, params, &p)
        && wn_key_give_category(prov, p.category)
        && wn_param_give_int(prov, p.bits, key->curve->order_bits)
        && wn_param_give_int(prov, p.degree, key->curve->bits)
        && wn_param_give_int(prov, p.security_bits, security_bits(key->curve->order_bits))
        && wn_param_give_int(prov, p.max_size, (int)wn_ec_signature_size(key->curve))
        && wn_param_give_utf8(prov, p.default_digest, "SHA256")
        && wn_param_give_utf8(prov, p.check_type, wn_ec_check_type_name(key->check_type))
        && wn_param_give_int(prov, p.cofactor_mode, key->cofactor_mode)
        && (!key->no_public || wn_param_give_int(prov, p.include_public, 0))
        && give_domain(key, &p) && give_keypair(key, &p);
}

/* ---- set --------------------------------------------------------------------------- */

#define EC_SET(P)                                                    \
    P(cofactor_mode, int, OSSL_PKEY_PARAM_USE_COFACTOR_ECDH)         \
    P(encoded, octet_string, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY)     \
    P(encoding, utf8_string, OSSL_PKEY_PARAM_EC_ENCODING)            \
    P(form, utf8_string, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT) \
    P(seed, octet_string, OSSL_PKEY_PARAM_EC_SEED)                   \
    P(include_public, int, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC)        \
    P(check_type, utf8_string, OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE)
WN_PARAMS(ec_set, EC_SET);

const OSSL_PARAM *wn_ec_settable(void *vprov)
{
    (void)vprov;
    return ec_set_list;
}

/* ECDH's cofactor does nothing where it is one. */
int wn_ec_set_cofactor_mode(struct wn_ec_key *key, int mode)
{
    if (mode != 0 && mode != 1) {
        WN_RAISE(key->prov, PROV_R_INVALID_MODE);
        return 0;
    }
    if (key->curve->dp.cofactor != 1)
        key->cofactor_mode = mode;
    return 1;
}

/*
 * A peer's share in TLS. RFC 8422 section 5.4.1 allows the uncompressed form;
 * the compressed one is taken as OpenSSL takes it, the hybrid one is not.
 */
static int take_encoded(struct wn_ec_key *key, const OSSL_PARAM *p)
{
    struct wn_ec_num x, y;
    const unsigned char *d;
    size_t n;

    if (p == NULL)
        return 1;
    if (!wn_param_take_octets(key->prov, p, &d, &n))
        return 0;
    if (n > 0 && (d[0] & ~1) == WN_EC_HYBRID) {
        WN_RAISE_LIB(key->prov, ERR_LIB_EC, EC_R_INVALID_ENCODING);
        return 0;
    }
    if (!wn_ec_point_read(key->prov, key->curve, d, n, &x, &y))
        return 0;
    wn_ec_table_drop(key);
    key->x = x;
    key->y = y;
    key->has_public = 1;
    key->form = (enum wn_ec_form)(d[0] & ~1);
    return 1;
}

int wn_ec_set_params(void *vkey, const OSSL_PARAM params[])
{
    struct wn_ec_key *key = vkey;
    int is_explicit, type, mode, include;
    enum wn_ec_form form = 0;
    struct ec_set p;

    if (key != NULL && key->other != NULL)
        return wn_ec_other_set_params(key, params);
    if (key == NULL || !WN_EC_SCAN(key->prov, ec_set, params, &p))
        return 0;
    if (wn_params_empty(params))
        return 1;
    if (key->curve == NULL) {
        WN_RAISE(key->prov, PROV_R_NO_PARAMETERS_SET);
        return 0;
    }
    is_explicit = key->explicit_encoding;
    type = key->check_type;
    mode = key->cofactor_mode;
    include = !key->no_public;
    if (!wn_ec_take_form(key->prov, p.form, &form)
        || !wn_ec_take_encoding(key->prov, p.encoding, &is_explicit)
        || !wn_ec_take_check_type(key->prov, p.check_type, &type)
        || !wn_param_take_int(key->prov, p.include_public, &include)
        || !wn_param_take_int(key->prov, p.cofactor_mode, &mode)
        || !wn_ec_set_cofactor_mode(key, mode) || !take_encoded(key, p.encoded))
        return 0;
    if (form != 0)
        key->form = form;
    key->explicit_encoding = is_explicit;
    key->check_type = type;
    key->no_public = !include;
    return 1;
}
