/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Key management of EC keys (provider-keymgmt(7), EVP_PKEY-EC(7)): import,
 * export, comparison, checks. See key.h for what may be written when.
 */
#include "ec_key.h"

#include <string.h>

#include <openssl/ecerr.h>

#include "../provider/alglist.h"

#define EC_SELECTIONS (OSSL_KEYMGMT_SELECT_KEYPAIR | OSSL_KEYMGMT_SELECT_ALL_PARAMETERS)

static void *wn_ec_new(void *prov)
{
    return wn_ec_key_new(prov);
}

static void wn_ec_free(void *vkey)
{
    wn_ec_key_free(vkey);
}

static void *wn_ec_load(const void *reference, size_t size)
{
    return wn_key_take_reference(reference, size);
}

static const char *wn_ec_operation_name(int operation)
{
    return operation == OSSL_OP_KEYEXCH ? "ECDH" : operation == OSSL_OP_SIGNATURE ? "ECDSA" : NULL;
}

static int wn_ec_has(const void *vkey, int selection)
{
    const struct wn_ec_key *key = vkey;

    if (key != NULL && key->other != NULL)
        return wn_ec_other_has(key, selection);
    return key != NULL
        && (!WN_SELECTS_PUBLIC(selection) || key->has_public)
        && (!WN_SELECTS_PRIVATE(selection) || key->has_private)
        && (!WN_SELECTS_DOMAIN(selection) || key->curve != NULL);
}

static int same_number(const struct wn_ec_num *a, const struct wn_ec_num *b)
{
    unsigned char x[WN_EC_MAX_BYTES], y[WN_EC_MAX_BYTES];
    int same = wn_ec_num_bytes(a, x, sizeof(x)) && wn_ec_num_bytes(b, y, sizeof(y))
        && wn_memcmp_ct(x, y, sizeof(x)) == 0;

    wn_clear(x, sizeof(x));
    wn_clear(y, sizeof(y));
    return same;
}

static int wn_ec_match(const void *va, const void *vb, int selection)
{
    const struct wn_ec_key *a = va, *b = vb;

    if (a->other != NULL || b->other != NULL)
        return wn_ec_other_match(a, b, selection);
    if (WN_SELECTS_DOMAIN(selection) && (a->curve == NULL || a->curve != b->curve))
        return 0;
    if (!WN_SELECTS_KEYPAIR(selection))
        return 1;
    if (a->curve != b->curve)
        return 0;
    if (WN_SELECTS_PUBLIC(selection) && a->has_public && b->has_public)
        return same_number(&a->x, &b->x) && same_number(&a->y, &b->y);
    return WN_SELECTS_PRIVATE(selection) && a->has_private && b->has_private
        && same_number(&a->d, &b->d);
}

/* ---- import ---------------------------------------------------------------------- */

#define EC_IMPORT(P) EC_PRIVATE(P) EC_PUBLIC(P) EC_OTHER(P)                        \
    P(form, utf8_string, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT)               \
    P(from_explicit, int, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS)         \
    P(check_type, utf8_string, OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE)
WN_PARAMS(ec_import_params, EC_IMPORT);

static int take_public(struct wn_ec_key *key, const OSSL_PARAM *p)
{
    const unsigned char *d;
    size_t n;

    if (p == NULL)
        return 1;
    if (!wn_param_take_octets(key->prov, p, &d, &n)
        || !wn_ec_point_read(key->prov, key->curve, d, n, &key->x, &key->y))
        return 0;
    key->has_public = 1;
    return 1;
}

static int take_private(struct wn_ec_key *key, const OSSL_PARAM *p)
{
    unsigned char be[WN_EC_MAX_BYTES] = { 0 };
    size_t size, n;
    int ok;

    if (p == NULL)
        return 1;
    size = n = key->curve->order_size;
    if (!wn_param_get_bn(p, be, &n)) {
        WN_RAISE_LIB(key->prov, ERR_LIB_EC, EC_R_INVALID_PRIVATE_KEY);
        return 0;
    }
    memmove(be + size - n, be, n);
    memset(be, 0, size - n);
    ok = wn_ec_set_private(key, be);
    wn_clear(be, sizeof(be));
    return ok;
}

static int take_other(struct wn_ec_key *key, const struct ec_import_params *p)
{
    int mode = key->cofactor_mode, include = !key->no_public;

    if (!wn_param_take_int(key->prov, p->cofactor_mode, &mode)
        || (p->cofactor_mode != NULL && !wn_ec_set_cofactor_mode(key, mode))
        || !wn_param_take_int(key->prov, p->include_public, &include)
        || !wn_ec_take_form(key->prov, p->form, &key->form)
        || !wn_ec_take_check_type(key->prov, p->check_type, &key->check_type))
        return 0;
    key->no_public = !include;
    return 1;
}

/*
 * An EC_KEY that libcrypto hands over, one of a key file say, has its public key in the
 * form it was read in, while the form named beside it is the group's: the former is what
 * is written again. Only libcrypto says whether a key was read with explicit parameters.
 * OpenSSL before 3.0.8 handed over all points compressed.
 */
static void keep_form(struct wn_ec_key *key, const struct ec_import_params *p)
{
    const unsigned char *d;
    size_t n;

    if (p->form != NULL && p->from_explicit != NULL && p->pub != NULL
        && (key->prov->core_version > WN_CORE_VERSION(3, 0) || key->prov->core_patch >= 8)
        && wn_param_get_octets(p->pub, &d, &n) && n > 1)
        key->form = (enum wn_ec_form)(d[0] & ~1);
}

static int wn_ec_import(void *vkey, int selection, const OSSL_PARAM params[])
{
    struct wn_ec_key *key = vkey;
    const struct wn_ec_curve *curve;
    struct ec_import_params p;
    int is_explicit = 0, from_explicit = 0;
    uint32_t unknown = 0;

    if (key == NULL || !WN_SELECTS_DOMAIN(selection)
        || !WN_EC_SCAN(key->prov, ec_import_params, params, &p))
        return 0;
    if (!wn_ec_take_domain(key->prov, params, &curve, &is_explicit, &from_explicit, &unknown))
        return unknown != 0 && (wn_ec_other_import(key, selection, params)
                                || wn_ec_raise_unknown(key->prov, unknown));
    key->curve = curve;
    key->explicit_encoding = is_explicit;
    key->from_explicit = from_explicit;
    if (WN_SELECTS_KEYPAIR(selection)
        && (!take_public(key, p.pub)
            || (WN_SELECTS_PRIVATE(selection) && !take_private(key, p.priv))))
        return 0;
    if (WN_SELECTS_OTHER(selection) && !take_other(key, &p))
        return 0;
    if (WN_SELECTS_KEYPAIR(selection))
        keep_form(key, &p);
    return 1;
}

/* ---- export ---------------------------------------------------------------------- */

static void build_other(struct wn_pb *pb, const struct wn_ec_key *key)
{
    wn_pb_utf8(pb, OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE, wn_ec_check_type_name(key->check_type));
    if (key->no_public)
        wn_pb_int(pb, OSSL_PKEY_PARAM_EC_INCLUDE_PUBLIC, 0);
    wn_pb_int(pb, OSSL_PKEY_PARAM_USE_COFACTOR_ECDH, key->cofactor_mode);
}

static void build_keypair(struct wn_pb *pb, const struct wn_ec_key *key, int selection)
{
    unsigned char point[WN_EC_MAX_POINT], d[WN_EC_MAX_BYTES];
    size_t n = key->curve->order_size;

    if (key->has_public)
        wn_pb_octets(pb, OSSL_PKEY_PARAM_PUB_KEY, point,
                     wn_ec_point_write(key->curve, &key->x, &key->y, key->form, point));
    if (key->has_private && WN_SELECTS_PRIVATE(selection) && wn_ec_num_bytes(&key->d, d, n)) {
        wn_pb_bn(pb, OSSL_PKEY_PARAM_PRIV_KEY, d, n, n);
        wn_clear(d, n);
    }
}

int wn_ec_export(void *vkey, int selection, OSSL_CALLBACK *cb, void *arg)
{
    const struct wn_ec_key *key = vkey;
    char name[WN_EC_NAME_MAX];
    struct wn_pb pb;

    if (key != NULL && key->other != NULL)
        return wn_ec_other_export(key, selection, cb, arg);
    if (key == NULL || key->curve == NULL || !WN_SELECTS_DOMAIN(selection)
        || (WN_SELECTS_PRIVATE(selection) && !WN_SELECTS_PUBLIC(selection)))
        return 0;
    wn_pb_init(&pb, key->prov);
    wn_pb_utf8(&pb, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, wn_ec_form_name(key->form));
    wn_pb_utf8(&pb, OSSL_PKEY_PARAM_EC_ENCODING,
               key->explicit_encoding ? OSSL_PKEY_EC_ENCODING_EXPLICIT
                                      : OSSL_PKEY_EC_ENCODING_GROUP);
    wn_pb_int(&pb, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS, key->from_explicit);
    wn_pb_utf8(&pb, OSSL_PKEY_PARAM_GROUP_NAME, wn_ec_curve_name(key->curve, name));
    if (WN_SELECTS_KEYPAIR(selection))
        build_keypair(&pb, key, selection);
    if (WN_SELECTS_OTHER(selection))
        build_other(&pb, key);
    return wn_key_export_done(&pb, cb, arg);
}

#define EC_LIST_1(P) EC_PRIVATE(P)
#define EC_LIST_2(P) EC_PUBLIC(P)
#define EC_LIST_3(P) EC_PRIVATE(P) EC_PUBLIC(P)
#define EC_LIST_4(P) EC_DOMAIN(P)
#define EC_LIST_5(P) EC_PRIVATE(P) EC_DOMAIN(P)
#define EC_LIST_6(P) EC_PUBLIC(P) EC_DOMAIN(P)
#define EC_LIST_7(P) EC_PRIVATE(P) EC_PUBLIC(P) EC_DOMAIN(P)
#define EC_LIST_8(P) EC_OTHER(P)
#define EC_LIST_9(P) EC_LIST_1(P) EC_OTHER(P)
#define EC_LIST_10(P) EC_LIST_2(P) EC_OTHER(P)
#define EC_LIST_11(P) EC_LIST_3(P) EC_OTHER(P)
#define EC_LIST_12(P) EC_LIST_4(P) EC_OTHER(P)
#define EC_LIST_13(P) EC_LIST_5(P) EC_OTHER(P)
#define EC_LIST_14(P) EC_LIST_6(P) EC_OTHER(P)
#define EC_LIST_15(P) EC_LIST_7(P) EC_OTHER(P)
#define EC_LISTS(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define EC_LIST_DEFINE(i) \
    static const OSSL_PARAM ec_list_##i[] = { EC_LIST_##i(WN_PARAM_DESC_) OSSL_PARAM_END };
EC_LISTS(EC_LIST_DEFINE)

static const OSSL_PARAM *wn_ec_types(int selection)
{
#define EC_LIST_NAME(i) ec_list_##i,
    static const OSSL_PARAM *const lists[] = { NULL, EC_LISTS(EC_LIST_NAME) };

    return lists[!!WN_SELECTS_PRIVATE(selection) + 2 * !!WN_SELECTS_PUBLIC(selection)
                 + 4 * !!WN_SELECTS_DOMAIN(selection) + 8 * !!WN_SELECTS_OTHER(selection)];
}

/* ---- checks and copies -------------------------------------------------------------- */

static int pair_fits(const struct wn_ec_key *key)
{
    struct wn_ec_num x, y;

    if (!wn_ec_make_public(key, &x, &y))
        return 0;
    if (same_number(&x, &key->x) && same_number(&y, &key->y))
        return 1;
    WN_RAISE_LIB(key->prov, ERR_LIB_EC, EC_R_INVALID_PRIVATE_KEY);
    return 0;
}

/*
 * Range and curve equation were checked when the key was made; what is left is
 * the order of a public key on a curve with a cofactor, and the pair.
 */
static int wn_ec_validate(const void *vkey, int selection, int type)
{
    const struct wn_ec_key *key = vkey;
    int keypair = (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == OSSL_KEYMGMT_SELECT_KEYPAIR;

    if ((selection & EC_SELECTIONS) == 0)
        return 1;
    if (key->other != NULL)
        return wn_ec_other_validate(key, selection, type);
    if (WN_SELECTS_DOMAIN(selection) && key->curve == NULL)
        return 0;
    if (WN_SELECTS_DOMAIN(selection) && key->check_type == 2 && !wn_ec_is_nist(key->curve))
        return 0;
    if ((WN_SELECTS_PUBLIC(selection) && !key->has_public)
        || (WN_SELECTS_PRIVATE(selection) && !key->has_private)) {
        WN_RAISE_LIB(key->prov, ERR_LIB_EC, ERR_R_PASSED_NULL_PARAMETER);
        return 0;
    }
    if (WN_SELECTS_PUBLIC(selection) && type != OSSL_KEYMGMT_VALIDATE_QUICK_CHECK
        && !wn_ec_right_order(key)) {
        WN_RAISE_LIB(key->prov, ERR_LIB_EC, EC_R_WRONG_ORDER);
        return 0;
    }
    return !keypair || pair_fits(key);
}

static void *wn_ec_dup(const void *vkey, int selection)
{
    const struct wn_ec_key *key = vkey;
    struct wn_ec_key *copy;

    if (key->other != NULL)
        return wn_ec_other_dup(key, selection);
    /* no keys without parameters */
    if (!WN_SELECTS_DOMAIN(selection)
        && ((WN_SELECTS_PUBLIC(selection) && key->has_public)
            || (WN_SELECTS_PRIVATE(selection) && key->has_private)))
        return NULL;
    copy = wn_ec_key_new(key->prov);
    if (copy == NULL)
        return NULL;
    if (WN_SELECTS_DOMAIN(selection)) {
        copy->curve = key->curve;
        copy->explicit_encoding = key->explicit_encoding;
        copy->from_explicit = key->from_explicit;
    }
    if (WN_SELECTS_PUBLIC(selection)) {
        copy->has_public = key->has_public;
        copy->x = key->x;
        copy->y = key->y;
    }
    if (WN_SELECTS_PRIVATE(selection)) {
        copy->has_private = key->has_private;
        copy->d = key->d;
    }
    if (WN_SELECTS_OTHER(selection)) {
        copy->form = key->form;
        copy->no_public = key->no_public;
    }
    copy->cofactor_mode = key->cofactor_mode;
    copy->check_type = key->check_type;
    return copy;
}

const OSSL_DISPATCH wn_ec_keymgmt_functions[] = {
    WN_FN(KEYMGMT_NEW, keymgmt_new, wn_ec_new),
    WN_FN(KEYMGMT_FREE, keymgmt_free, wn_ec_free),
    WN_FN(KEYMGMT_LOAD, keymgmt_load, wn_ec_load),
    WN_FN(KEYMGMT_GET_PARAMS, keymgmt_get_params, wn_ec_get_params),
    WN_FN(KEYMGMT_GETTABLE_PARAMS, keymgmt_gettable_params, wn_ec_gettable),
    WN_FN(KEYMGMT_SET_PARAMS, keymgmt_set_params, wn_ec_set_params),
    WN_FN(KEYMGMT_SETTABLE_PARAMS, keymgmt_settable_params, wn_ec_settable),
    WN_FN(KEYMGMT_HAS, keymgmt_has, wn_ec_has),
    WN_FN(KEYMGMT_MATCH, keymgmt_match, wn_ec_match),
    WN_FN(KEYMGMT_VALIDATE, keymgmt_validate, wn_ec_validate),
    WN_FN(KEYMGMT_IMPORT, keymgmt_import, wn_ec_import),
    WN_FN(KEYMGMT_IMPORT_TYPES, keymgmt_import_types, wn_ec_types),
    WN_FN(KEYMGMT_EXPORT, keymgmt_export, wn_ec_export),
    WN_FN(KEYMGMT_EXPORT_TYPES, keymgmt_export_types, wn_ec_types),
    WN_FN(KEYMGMT_DUP, keymgmt_dup, wn_ec_dup),
    WN_FN(KEYMGMT_QUERY_OPERATION_NAME, keymgmt_query_operation_name, wn_ec_operation_name),
    WN_FN(KEYMGMT_GEN_INIT, keymgmt_gen_init, wn_ec_gen_init),
    WN_FN(KEYMGMT_GEN_SET_TEMPLATE, keymgmt_gen_set_template, wn_ec_gen_set_template),
    WN_FN(KEYMGMT_GEN_SET_PARAMS, keymgmt_gen_set_params, wn_ec_gen_set_params),
    WN_FN(KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable_params, wn_ec_gen_settable),
    WN_FN(KEYMGMT_GEN, keymgmt_gen, wn_ec_gen),
    WN_FN(KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup, wn_ec_gen_cleanup),
    WN_FN_END
};
