/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Key management of the hybrid groups (provider-keymgmt(7)); see hybrid.h. */
#include "hybrid.h"

#include <string.h>
#include <strings.h>

#include "../provider/alglist.h"
#include "../provider/rng.h"
#include "ec.h"
#include "ecx.h"

/* ---- the curves ------------------------------------------------------------------- */

static int ecx_generate(const struct wn_prov *prov, const struct wn_ecx_desc *desc,
                        unsigned char *priv, unsigned char *pub)
{
    return wn_rng_bytes(prov, priv, desc->len) && WN_WC(prov, desc->make_public(pub, priv));
}

static int ecx_derive(const struct wn_prov *prov, const struct wn_ecx_desc *desc,
                      unsigned char *secret, const unsigned char *priv,
                      const unsigned char *peer)
{
    if (wn_ecx_shared_secret(desc, secret, priv, peer))
        return 1;
    WN_RAISE(prov, PROV_R_FAILED_DURING_DERIVATION);
    return 0;
}

#define ECX_CURVE(id, n)                                                             \
    static int id##_generate(const struct wn_prov *prov, unsigned char *priv, unsigned char *pub) \
    { return ecx_generate(prov, &wn_##id##_desc, priv, pub); }                       \
    static int id##_make_public(const struct wn_prov *prov, unsigned char *pub,      \
                                const unsigned char *priv)                           \
    { return WN_WC(prov, wn_##id##_desc.make_public(pub, priv)); }                   \
    static int id##_derive(const struct wn_prov *prov, unsigned char *secret,        \
                           const unsigned char *priv, const unsigned char *peer)     \
    { return ecx_derive(prov, &wn_##id##_desc, secret, priv, peer); }                \
    static const struct wn_hybrid_curve id##_curve = {                               \
        n, n, n, id##_generate, id##_make_public, id##_derive                        \
    };
ECX_CURVE(x25519, 32)
ECX_CURVE(x448, 56)

/* A key on the curve; given priv, with that private key. */
static struct wn_ec_key *ec_key(const struct wn_prov *prov, const char *curve,
                                const unsigned char *priv)
{
    struct wn_ec_key *key = wn_ec_key_new(prov);

    if (key == NULL)
        return NULL;
    key->curve = wn_ec_curve_find(curve);
    if (priv != NULL && !wn_ec_set_private(key, priv)) {
        wn_ec_key_free(key);
        return NULL;
    }
    return key;
}

static int ec_generate(const struct wn_prov *prov, const char *curve, unsigned char *priv,
                       unsigned char *pub)
{
    struct wn_ec_key *key = ec_key(prov, curve, NULL);
    int ok = key != NULL && wn_ec_generate(key)
        && wn_ec_num_bytes(&key->d, priv, key->curve->order_size)
        && wn_ec_point_write(key->curve, &key->x, &key->y, WN_EC_UNCOMPRESSED, pub) != 0;

    wn_ec_key_free(key);
    return ok;
}

static int ec_make_public(const struct wn_prov *prov, const char *curve, unsigned char *pub,
                          const unsigned char *priv)
{
    struct wn_ec_key *key = ec_key(prov, curve, priv);
    struct wn_ec_num x, y;
    int ok;

    wn_ec_num_init(&x);
    wn_ec_num_init(&y);
    ok = key != NULL && wn_ec_make_public(key, &x, &y)
        && wn_ec_point_write(key->curve, &x, &y, WN_EC_UNCOMPRESSED, pub) != 0;
    wn_ec_key_free(key);
    return ok;
}

static int ec_derive(const struct wn_prov *prov, const char *curve, unsigned char *secret,
                     const unsigned char *priv, const unsigned char *peer)
{
    struct wn_ec_key *key = ec_key(prov, curve, priv), *other = ec_key(prov, curve, NULL);
    int ok = key != NULL && other != NULL
        && wn_ec_point_read(prov, key->curve, peer, 1 + 2 * key->curve->size, &other->x, &other->y)
        && (other->has_public = 1, wn_ec_ecdh(key, other, 0, secret));

    wn_ec_key_free(key);
    wn_ec_key_free(other);
    return ok;
}

#define EC_CURVE(id, name, n)                                                        \
    static int id##_generate(const struct wn_prov *prov, unsigned char *priv, unsigned char *pub) \
    { return ec_generate(prov, name, priv, pub); }                                   \
    static int id##_make_public(const struct wn_prov *prov, unsigned char *pub,      \
                                const unsigned char *priv)                           \
    { return ec_make_public(prov, name, pub, priv); }                                \
    static int id##_derive(const struct wn_prov *prov, unsigned char *secret,        \
                           const unsigned char *priv, const unsigned char *peer)     \
    { return ec_derive(prov, name, secret, priv, peer); }                            \
    static const struct wn_hybrid_curve id##_curve = {                               \
        1 + 2 * (n), n, n, id##_generate, id##_make_public, id##_derive              \
    };
EC_CURVE(p256, "P-256", 32)
EC_CURVE(p384, "P-384", 48)

const struct wn_hybrid_desc wn_secp256r1mlkem768_desc = {
    "SecP256r1MLKEM768", &wn_mlkem768_desc, &p256_curve, 1
};
const struct wn_hybrid_desc wn_secp384r1mlkem1024_desc = {
    "SecP384r1MLKEM1024", &wn_mlkem1024_desc, &p384_curve, 1
};
const struct wn_hybrid_desc wn_x25519mlkem768_desc = {
    "X25519MLKEM768", &wn_mlkem768_desc, &x25519_curve, 0
};
const struct wn_hybrid_desc wn_x448mlkem1024_desc = {
    "X448MLKEM1024", &wn_mlkem1024_desc, &x448_curve, 0
};

/* ---- the key object ----------------------------------------------------------------- */

static struct wn_hybrid_key *key_new(const struct wn_prov *prov,
                                     const struct wn_hybrid_desc *desc)
{
    struct wn_hybrid_key *key = wn_ctx_new(prov, sizeof(*key));

    if (key != NULL) {
        key->prov = prov;
        key->desc = desc;
        wn_ref_init(&key->ref);
    }
    return key;
}

void wn_hybrid_key_free(struct wn_hybrid_key *key)
{
    if (key == NULL || !wn_ref_down(&key->ref))
        return;
    wn_mlkem_key_free(key->mlkem);
    wn_ctx_free(key->prov, key, sizeof(*key));
}

static size_t pub_size(const struct wn_hybrid_desc *desc)
{
    return desc->mlkem->ek + desc->curve->pub_len;
}

static size_t priv_size(const struct wn_hybrid_desc *desc)
{
    return desc->mlkem->dk + desc->curve->priv_len;
}

#define MAX_PUB (WC_ML_KEM_MAX_PUBLIC_KEY_SIZE + WN_HYBRID_MAX_PUB)
#define MAX_PRIV (WC_ML_KEM_MAX_PRIVATE_KEY_SIZE + WN_HYBRID_MAX_PRIV)

static void get_pub(const struct wn_hybrid_key *key, unsigned char *out)
{
    const struct wn_hybrid_desc *desc = key->desc;

    memcpy(out + wn_hybrid_mlkem_at(desc, desc->curve->pub_len), key->mlkem->ek,
           desc->mlkem->ek);
    memcpy(out + wn_hybrid_curve_at(desc, desc->mlkem->ek), key->pub, desc->curve->pub_len);
}

static int get_priv(const struct wn_hybrid_key *key, unsigned char *out)
{
    const struct wn_hybrid_desc *desc = key->desc;

    memcpy(out + wn_hybrid_curve_at(desc, desc->mlkem->dk), key->priv, desc->curve->priv_len);
    return wn_mlkem_key_get_dk(key->mlkem,
                               out + wn_hybrid_mlkem_at(desc, desc->curve->priv_len));
}

static int set_pub(struct wn_hybrid_key *key, const unsigned char *in)
{
    const struct wn_hybrid_desc *desc = key->desc;
    struct wn_mlkem_key *mlkem = wn_mlkem_key_new(key->prov, desc->mlkem);

    if (mlkem == NULL
        || !wn_mlkem_key_from_ek(mlkem, in + wn_hybrid_mlkem_at(desc, desc->curve->pub_len))) {
        wn_mlkem_key_free(mlkem);
        return 0;
    }
    memcpy(key->pub, in + wn_hybrid_curve_at(desc, desc->mlkem->ek), desc->curve->pub_len);
    key->mlkem = mlkem;
    return 1;
}

static int set_priv(struct wn_hybrid_key *key, const unsigned char *in)
{
    const struct wn_hybrid_desc *desc = key->desc;
    const unsigned char *priv = in + wn_hybrid_curve_at(desc, desc->mlkem->dk);
    struct wn_mlkem_key *mlkem = wn_mlkem_key_new(key->prov, desc->mlkem);

    if (mlkem == NULL
        || !wn_mlkem_key_from_dk(mlkem, in + wn_hybrid_mlkem_at(desc, desc->curve->priv_len))
        || !desc->curve->make_public(key->prov, key->pub, priv)) {
        wn_mlkem_key_free(mlkem);
        return 0;
    }
    memcpy(key->priv, priv, desc->curve->priv_len);
    key->has_private = 1;
    key->mlkem = mlkem;
    return 1;
}

static int generate(struct wn_hybrid_key *key)
{
    struct wn_mlkem_key *mlkem = wn_mlkem_key_new(key->prov, key->desc->mlkem);

    if (mlkem == NULL || !wn_mlkem_key_generate(mlkem)
        || !key->desc->curve->generate(key->prov, key->priv, key->pub)) {
        wn_mlkem_key_free(mlkem);
        return 0;
    }
    key->mlkem = mlkem;
    key->has_private = 1;
    return 1;
}

/* ---- EVP --------------------------------------------------------------------------- */

static void wn_hybrid_free(void *vkey)
{
    wn_hybrid_key_free(vkey);
}

static int wn_hybrid_has(const void *vkey, int selection)
{
    const struct wn_hybrid_key *key = vkey;

    return key != NULL && (!WN_SELECTS_PUBLIC(selection) || key->mlkem != NULL)
        && (!WN_SELECTS_PRIVATE(selection) || key->has_private);
}

static int wn_hybrid_match(const void *va, const void *vb, int selection)
{
    const struct wn_hybrid_key *a = va, *b = vb;

    if (a->desc != b->desc || !WN_SELECTS_KEYPAIR(selection))
        return a->desc == b->desc;
    if (a->mlkem == NULL || b->mlkem == NULL)
        return a->mlkem == b->mlkem;
    return memcmp(a->mlkem->ek, b->mlkem->ek, a->desc->mlkem->ek) == 0
        && memcmp(a->pub, b->pub, a->desc->curve->pub_len) == 0;
}

#define HYBRID_KEYPAIR(P)                                \
    P(pub, octet_string, OSSL_PKEY_PARAM_PUB_KEY)        \
    P(priv, octet_string, OSSL_PKEY_PARAM_PRIV_KEY)
WN_PARAMS(hybrid_keypair, HYBRID_KEYPAIR);

static const OSSL_PARAM *wn_hybrid_types(int selection)
{
    return WN_SELECTS_KEYPAIR(selection) ? hybrid_keypair_list : NULL;
}

/* The octets of p, absent or empty: NULL. 0 with an error raised if the length is wrong. */
static int take_octets(const struct wn_hybrid_key *key, const OSSL_PARAM *p, size_t want,
                       const unsigned char **d)
{
    size_t n = 0;

    *d = NULL;
    if (!wn_param_take_octets(key->prov, p, d, &n))
        return 0;
    if (n == want)
        return 1;
    *d = NULL;
    if (n != 0)
        WN_RAISE(key->prov, PROV_R_INVALID_KEY_LENGTH);
    return n == 0;
}

static int wn_hybrid_import(void *vkey, int selection, const OSSL_PARAM params[])
{
    struct wn_hybrid_key *key = vkey;
    const unsigned char *pub, *priv;
    unsigned char own[MAX_PUB];
    struct hybrid_keypair p;

    if (key == NULL || key->mlkem != NULL || !WN_SELECTS_KEYPAIR(selection)
        || !WN_PARAMS_SCAN(key->prov, hybrid_keypair, params, &p))
        return 0;
    if (!WN_SELECTS_PRIVATE(selection))
        p.priv = NULL;
    if (!take_octets(key, p.pub, pub_size(key->desc), &pub)
        || !take_octets(key, p.priv, priv_size(key->desc), &priv))
        return 0;
    if (pub == NULL && priv == NULL) {
        WN_RAISE(key->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    if (priv == NULL)
        return set_pub(key, pub);
    if (!set_priv(key, priv))
        return 0;
    get_pub(key, own);
    if (pub != NULL && memcmp(pub, own, pub_size(key->desc)) != 0) {
        WN_RAISE_MSG(key->prov, PROV_R_INVALID_KEY, "%s public key does not match private",
                     key->desc->name);
        return 0;
    }
    return 1;
}

static int wn_hybrid_export(void *vkey, int selection, OSSL_CALLBACK *cb, void *arg)
{
    const struct wn_hybrid_key *key = vkey;
    unsigned char buf[MAX_PRIV];
    struct wn_pb pb;
    int ok = 1;

    if (key == NULL || !WN_SELECTS_KEYPAIR(selection))
        return 0;
    if (key->mlkem == NULL) {
        WN_RAISE(key->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    wn_pb_init(&pb, key->prov);
    if (WN_SELECTS_PUBLIC(selection)) {
        get_pub(key, buf);
        wn_pb_octets(&pb, OSSL_PKEY_PARAM_PUB_KEY, buf, pub_size(key->desc));
    }
    if (WN_SELECTS_PRIVATE(selection) && key->has_private) {
        ok = get_priv(key, buf);
        wn_pb_octets(&pb, OSSL_PKEY_PARAM_PRIV_KEY, buf, priv_size(key->desc));
        wn_clear(buf, sizeof(buf));
    }
    if (!ok) {
        wn_pb_clear(&pb);
        return 0;
    }
    return wn_key_export_done(&pb, cb, arg);
}

#define HYBRID_GET(P)                                            \
    P(bits, int, OSSL_PKEY_PARAM_BITS)                           \
    P(security_bits, int, OSSL_PKEY_PARAM_SECURITY_BITS)         \
    P(max_size, int, OSSL_PKEY_PARAM_MAX_SIZE)                   \
    P(category, int, OSSL_PKEY_PARAM_SECURITY_CATEGORY)          \
    P(encoded, octet_string, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY) \
    HYBRID_KEYPAIR(P)
WN_PARAMS(hybrid_get, HYBRID_GET);

static const OSSL_PARAM *wn_hybrid_gettable(void *vprov)
{
    (void)vprov;
    return hybrid_get_list;
}

static int give_keys(const struct wn_hybrid_key *key, const struct hybrid_get *p)
{
    unsigned char buf[MAX_PRIV];
    int ok = 1;

    if (key->mlkem != NULL && (p->pub != NULL || p->encoded != NULL)) {
        get_pub(key, buf);
        ok = wn_param_give_octets(key->prov, p->pub, buf, pub_size(key->desc))
            && wn_param_give_octets(key->prov, p->encoded, buf, pub_size(key->desc));
    }
    if (ok && p->priv != NULL && key->has_private) {
        ok = get_priv(key, buf)
            && wn_param_give_octets(key->prov, p->priv, buf, priv_size(key->desc));
        wn_clear(buf, sizeof(buf));
    }
    return ok;
}

static int wn_hybrid_get_params(void *vkey, OSSL_PARAM params[])
{
    const struct wn_hybrid_key *key = vkey;
    const struct wn_hybrid_desc *desc = key->desc;
    struct hybrid_get p;

    return WN_PARAMS_SCAN(key->prov, hybrid_get, params, &p)
        && wn_param_give_int(key->prov, p.bits, desc->mlkem->bits)
        && wn_param_give_int(key->prov, p.security_bits, desc->mlkem->security_bits)
        && wn_param_give_int(key->prov, p.category, wn_mlkem_category(desc->mlkem))
        && wn_param_give_int(key->prov, p.max_size,
                             (int)(desc->mlkem->cipher + desc->curve->pub_len))
        && give_keys(key, &p);
}

#define HYBRID_SET(P) P(encoded, octet_string, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY)
WN_PARAMS(hybrid_set, HYBRID_SET);

static const OSSL_PARAM *wn_hybrid_settable(void *vprov)
{
    (void)vprov;
    return hybrid_set_list;
}

static int wn_hybrid_set_params(void *vkey, const OSSL_PARAM params[])
{
    struct wn_hybrid_key *key = vkey;
    const unsigned char *pub;
    struct hybrid_set p;
    size_t n;

    if (!WN_PARAMS_SCAN(key->prov, hybrid_set, params, &p))
        return 0;
    if (p.encoded == NULL)
        return 1;
    if (key->mlkem != NULL) {
        WN_RAISE_MSG(key->prov, PROV_R_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE,
                     "keys of %s cannot be mutated", key->desc->name);
        return 0;
    }
    if (!wn_param_get_octets(p.encoded, &pub, &n) || n != pub_size(key->desc)) {
        WN_RAISE(key->prov, PROV_R_INVALID_KEY);
        return 0;
    }
    return set_pub(key, pub);
}

static void *wn_hybrid_dup(const void *vkey, int selection)
{
    const struct wn_hybrid_key *key = vkey;
    struct wn_hybrid_key *copy = key_new(key->prov, key->desc);
    unsigned char buf[MAX_PRIV];
    int ok = copy != NULL;

    if (ok && key->mlkem != NULL && WN_SELECTS_PRIVATE(selection) && key->has_private) {
        ok = get_priv(key, buf) && set_priv(copy, buf);
        wn_clear(buf, sizeof(buf));
    } else if (ok && key->mlkem != NULL && WN_SELECTS_KEYPAIR(selection)) {
        get_pub(key, buf);
        ok = set_pub(copy, buf);
    }
    if (!ok) {
        wn_hybrid_key_free(copy);
        return NULL;
    }
    return copy;
}

/* ---- generation ---------------------------------------------------------------------- */

struct wn_hybrid_gen {
    const struct wn_prov *prov;
    const struct wn_hybrid_desc *desc;
    int selection;
};

#define HYBRID_GEN(P)                                    \
    P(group, utf8_string, OSSL_PKEY_PARAM_GROUP_NAME)    \
    P(properties, utf8_string, OSSL_PKEY_PARAM_PROPERTIES)
WN_PARAMS(hybrid_gen_set, HYBRID_GEN);

static const OSSL_PARAM *wn_hybrid_gen_settable(void *vgen, void *vprov)
{
    (void)vgen;
    (void)vprov;
    return hybrid_gen_set_list + 1;
}

/* libssl names the group, which is empty here, before it generates (3.0 to 3.4). */
static int wn_hybrid_gen_set_params(void *vgen, const OSSL_PARAM params[])
{
    struct wn_hybrid_gen *gen = vgen;
    struct hybrid_gen_set p;
    char group[32];

    if (gen == NULL || !WN_PARAMS_SCAN(gen->prov, hybrid_gen_set, params, &p))
        return 0;
    if (p.group != NULL
        && (!wn_param_get_utf8(p.group, group, sizeof(group))
            || (group[0] != '\0' && strcasecmp(group, gen->desc->name) != 0))) {
        WN_RAISE(gen->prov, ERR_R_PASSED_INVALID_ARGUMENT);
        return 0;
    }
    return 1;
}

static void wn_hybrid_gen_cleanup(void *vgen)
{
    struct wn_hybrid_gen *gen = vgen;

    if (gen != NULL)
        wn_free(gen->prov, gen);
}

static void *gen_init(const struct wn_prov *prov, int selection, const OSSL_PARAM params[],
                      const struct wn_hybrid_desc *desc)
{
    struct wn_hybrid_gen *gen;

    if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == OSSL_KEYMGMT_SELECT_PUBLIC_KEY
        || (gen = wn_zalloc(prov, sizeof(*gen))) == NULL)
        return NULL;
    gen->prov = prov;
    gen->desc = desc;
    gen->selection = selection;
    if (!wn_hybrid_gen_set_params(gen, params)) {
        wn_hybrid_gen_cleanup(gen);
        return NULL;
    }
    return gen;
}

static void *wn_hybrid_gen(void *vgen, OSSL_CALLBACK *cb, void *arg)
{
    struct wn_hybrid_gen *gen = vgen;
    struct wn_hybrid_key *key = key_new(gen->prov, gen->desc);

    (void)cb;
    (void)arg;
    if (key != NULL && WN_SELECTS_KEYPAIR(gen->selection) && !generate(key)) {
        wn_hybrid_key_free(key);
        return NULL;
    }
    return key;
}

#define HYBRID_KEYMGMT(id)                                                           \
    static void *id##_new(void *prov) { return key_new(prov, &wn_##id##_desc); }     \
    static void *id##_gen_init(void *prov, int selection, const OSSL_PARAM params[]) \
    { return gen_init(prov, selection, params, &wn_##id##_desc); }                   \
    const OSSL_DISPATCH wn_##id##_keymgmt_functions[] = {                            \
        WN_FN(KEYMGMT_NEW, keymgmt_new, id##_new),                                   \
        WN_FN(KEYMGMT_GEN_INIT, keymgmt_gen_init, id##_gen_init),                    \
        HYBRID_KEYMGMT_COMMON,                                                       \
        WN_FN_END                                                                    \
    };
#define HYBRID_KEYMGMT_COMMON                                                        \
    WN_FN(KEYMGMT_FREE, keymgmt_free, wn_hybrid_free),                               \
    WN_FN(KEYMGMT_GET_PARAMS, keymgmt_get_params, wn_hybrid_get_params),             \
    WN_FN(KEYMGMT_GETTABLE_PARAMS, keymgmt_gettable_params, wn_hybrid_gettable),     \
    WN_FN(KEYMGMT_SET_PARAMS, keymgmt_set_params, wn_hybrid_set_params),             \
    WN_FN(KEYMGMT_SETTABLE_PARAMS, keymgmt_settable_params, wn_hybrid_settable),     \
    WN_FN(KEYMGMT_HAS, keymgmt_has, wn_hybrid_has),                                  \
    WN_FN(KEYMGMT_MATCH, keymgmt_match, wn_hybrid_match),                            \
    WN_FN(KEYMGMT_IMPORT, keymgmt_import, wn_hybrid_import),                         \
    WN_FN(KEYMGMT_IMPORT_TYPES, keymgmt_import_types, wn_hybrid_types),              \
    WN_FN(KEYMGMT_EXPORT, keymgmt_export, wn_hybrid_export),                         \
    WN_FN(KEYMGMT_EXPORT_TYPES, keymgmt_export_types, wn_hybrid_types),              \
    WN_FN(KEYMGMT_DUP, keymgmt_dup, wn_hybrid_dup),                                  \
    WN_FN(KEYMGMT_GEN_SET_PARAMS, keymgmt_gen_set_params, wn_hybrid_gen_set_params), \
    WN_FN(KEYMGMT_GEN_SETTABLE_PARAMS, keymgmt_gen_settable_params, wn_hybrid_gen_settable), \
    WN_FN(KEYMGMT_GEN, keymgmt_gen, wn_hybrid_gen),                                  \
    WN_FN(KEYMGMT_GEN_CLEANUP, keymgmt_gen_cleanup, wn_hybrid_gen_cleanup)

HYBRID_KEYMGMT(x25519mlkem768)
HYBRID_KEYMGMT(x448mlkem1024)
HYBRID_KEYMGMT(secp256r1mlkem768)
HYBRID_KEYMGMT(secp384r1mlkem1024)
