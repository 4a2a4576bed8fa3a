/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generation of EC keys and of EC parameters (provider-keymgmt(7), EVP_PKEY-EC(7)). */
#include "ec_key.h"

#include <string.h>

#include "ec_dhkem.h"

#define EC_SELECTIONS (OSSL_KEYMGMT_SELECT_KEYPAIR | OSSL_KEYMGMT_SELECT_ALL_PARAMETERS)

struct wn_ec_gen {
    const struct wn_prov *prov;
    int selection;
    const struct wn_ec_curve *curve;
    int is_explicit, from_explicit;
    enum wn_ec_form form;
    int cofactor_mode, check_type;
    struct wn_ec_other_gen *other;  /* not NULL: on a curve of another provider */
    unsigned char *ikm;         /* for DHKEM's DeriveKeyPair */
    size_t ikm_len;
};

#define EC_GEN(P)                                                    \
    P(group, utf8_string, OSSL_PKEY_PARAM_GROUP_NAME)                \
    P(cofactor_mode, int, OSSL_PKEY_PARAM_USE_COFACTOR_ECDH)         \
    P(encoding, utf8_string, OSSL_PKEY_PARAM_EC_ENCODING)            \
    P(form, utf8_string, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT) \
    P(field, utf8_string, OSSL_PKEY_PARAM_EC_FIELD_TYPE)             \
    P(p, bn, OSSL_PKEY_PARAM_EC_P)                                   \
    P(a, bn, OSSL_PKEY_PARAM_EC_A)                                   \
    P(b, bn, OSSL_PKEY_PARAM_EC_B)                                   \
    P(generator, octet_string, OSSL_PKEY_PARAM_EC_GENERATOR)         \
    P(order, bn, OSSL_PKEY_PARAM_EC_ORDER)                           \
    P(cofactor, bn, OSSL_PKEY_PARAM_EC_COFACTOR)                     \
    P(seed, octet_string, OSSL_PKEY_PARAM_EC_SEED)

#define EC_GEN_ALL(P) EC_GEN(P)                                      \
    P(ikm, octet_string, OSSL_PKEY_PARAM_DHKEM_IKM)

static const OSSL_PARAM settable_old[] = { EC_GEN(WN_PARAM_DESC_) OSSL_PARAM_END };   /* before 3.2 */
static const OSSL_PARAM settable[] = { EC_GEN_ALL(WN_PARAM_DESC_) OSSL_PARAM_END };

#define EC_GEN_READ(P) EC_GEN_ALL(P)                                 \
    P(check_type, utf8_string, OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE)
WN_PARAMS(ec_gen_set, EC_GEN_READ);

const OSSL_PARAM *wn_ec_gen_settable(void *vgen, void *vprov)
{
    const struct wn_prov *prov = vprov;

    (void)vgen;
    return prov->core_version < WN_CORE_VERSION(3, 2) ? settable_old : settable;
}

static int take_ikm(struct wn_ec_gen *gen, const OSSL_PARAM *p)
{
    const unsigned char *d;
    unsigned char *copy;
    size_t n;

    if (p == NULL)
        return 1;
    if (!wn_param_take_octets(gen->prov, p, &d, &n) || (copy = wn_memdup(gen->prov, d, n)) == NULL)
        return 0;
    wn_clear_free(gen->prov, gen->ikm, gen->ikm_len);
    gen->ikm = copy;
    gen->ikm_len = n;
    return 1;
}

/* Nobody else: the error. */
static int set_other(struct wn_ec_gen *gen, const OSSL_PARAM params[], uint32_t unknown)
{
    struct wn_ec_other_gen *other = NULL;
    struct wn_pb pb;

    wn_pb_init(&pb, gen->prov);
    wn_pb_utf8(&pb, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, wn_ec_form_name(gen->form));
    if (gen->check_type != 0)       /* OpenSSL's provider leaks it */
        wn_pb_utf8(&pb, OSSL_PKEY_PARAM_EC_GROUP_CHECK_TYPE,
                   wn_ec_check_type_name(gen->check_type));
    if (gen->cofactor_mode != 0)
        wn_pb_int(&pb, OSSL_PKEY_PARAM_USE_COFACTOR_ECDH, gen->cofactor_mode);
    if (gen->is_explicit)
        wn_pb_utf8(&pb, OSSL_PKEY_PARAM_EC_ENCODING, OSSL_PKEY_EC_ENCODING_EXPLICIT);
    if (wn_pb_params(&pb) != NULL)
        other = wn_ec_other_gen_find(gen->prov, gen->selection, wn_pb_params(&pb), params);
    wn_pb_clear(&pb);
    if (other == NULL)
        return wn_ec_raise_unknown(gen->prov, unknown);
    wn_ec_other_gen_free(gen->other);
    gen->other = other;
    return 1;
}

int wn_ec_gen_set_params(void *vgen, const OSSL_PARAM params[])
{
    struct wn_ec_gen *gen = vgen, v;
    struct ec_gen_set p;
    uint32_t unknown = 0;

    if (gen == NULL || !WN_EC_SCAN(gen->prov, ec_gen_set, params, &p))
        return 0;
    v = *gen;
    if ((p.group != NULL || p.field != NULL)
        && !wn_ec_take_domain(gen->prov, params, &v.curve, &v.is_explicit, &v.from_explicit,
                              &unknown))
        return unknown != 0 && set_other(gen, params, unknown);
    if (gen->other != NULL && p.group == NULL && p.field == NULL)
        return wn_ec_other_gen_set(gen->other, params);
    if (!wn_ec_take_form(gen->prov, p.form, &v.form)
        || !wn_ec_take_check_type(gen->prov, p.check_type, &v.check_type)
        || !wn_param_take_int(gen->prov, p.cofactor_mode, &v.cofactor_mode)
        || !wn_ec_take_encoding(gen->prov, p.encoding, &v.is_explicit))
        return 0;
    if (v.cofactor_mode < -1 || v.cofactor_mode > 1) {
        WN_RAISE(gen->prov, PROV_R_INVALID_MODE);
        return 0;
    }
    if (!take_ikm(gen, p.ikm))
        return 0;
    v.ikm = gen->ikm;
    v.ikm_len = gen->ikm_len;
    wn_ec_other_gen_free(gen->other);
    v.other = NULL;
    *gen = v;
    return 1;
}

void wn_ec_gen_cleanup(void *vgen)
{
    struct wn_ec_gen *gen = vgen;

    if (gen == NULL)
        return;
    wn_ec_other_gen_free(gen->other);
    wn_clear_free(gen->prov, gen->ikm, gen->ikm_len);
    wn_free(gen->prov, gen);
}

void *wn_ec_gen_init(void *vprov, int selection, const OSSL_PARAM params[])
{
    const struct wn_prov *prov = vprov;
    struct wn_ec_gen *gen;

    if ((selection & EC_SELECTIONS) == 0 || (gen = wn_zalloc(prov, sizeof(*gen))) == NULL)
        return NULL;
    gen->prov = prov;
    gen->selection = selection;
    gen->form = WN_EC_UNCOMPRESSED;
    if (!wn_ec_gen_set_params(gen, params)) {
        wn_ec_gen_cleanup(gen);
        return NULL;
    }
    return gen;
}

int wn_ec_gen_set_template(void *vgen, void *vtemplate)
{
    struct wn_ec_gen *gen = vgen;
    const struct wn_ec_key *template = vtemplate;

    if (gen != NULL && template != NULL && template->other != NULL) {
        wn_ec_other_gen_free(gen->other);
        gen->other = wn_ec_other_gen_like(template, gen->selection);
        return gen->other != NULL;
    }
    if (gen == NULL || template == NULL || template->curve == NULL)
        return 0;
    wn_ec_other_gen_free(gen->other);
    gen->other = NULL;
    gen->curve = template->curve;
    gen->is_explicit = template->explicit_encoding;
    gen->from_explicit = template->from_explicit;
    return 1;
}

void *wn_ec_gen(void *vgen, OSSL_CALLBACK *cb, void *arg)
{
    const struct wn_ec_gen *gen = vgen;
    struct wn_ec_key *key;
    int ok = 1;

    if (gen->other != NULL)
        return wn_ec_other_gen(gen->prov, gen->other, cb, arg);
    /* too quick for progress reports */
    if (gen->curve == NULL) {
        WN_RAISE(gen->prov, PROV_R_NO_PARAMETERS_SET);
        return NULL;
    }
    key = wn_ec_key_new(gen->prov);
    if (key == NULL)
        return NULL;
    key->curve = gen->curve;
    key->explicit_encoding = gen->is_explicit;
    key->from_explicit = gen->from_explicit;
    key->form = gen->form;
    key->check_type = gen->check_type;
    if (gen->cofactor_mode != -1)
        ok = wn_ec_set_cofactor_mode(key, gen->cofactor_mode);
    /* one half is not to be had alone */
    if (ok && WN_SELECTS_KEYPAIR(gen->selection))
        ok = gen->ikm_len != 0 ? wn_ec_dhkem_derive(key, gen->ikm, gen->ikm_len)
                               : wn_ec_generate(key);
    if (!ok) {
        wn_ec_key_free(key);
        return NULL;
    }
    return key;
}
