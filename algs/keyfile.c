/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What encoders and decoders of post-quantum keys share; see keyfile.h.
 *
 * The forms of a private key inside PKCS #8, of RFC 9881 section 6 and RFC 9935
 * section 6 (the first, second and fourth) and older ones:
 *
 *   seed-priv   SEQUENCE { OCTET STRING seed, OCTET STRING expanded key }
 *   priv-only   OCTET STRING expanded key
 *   oqskeypair  OCTET STRING expanded key || public key (which is not looked at)
 *   seed-only   [0] IMPLICIT OCTET STRING seed
 *   bare-priv   the bytes of the expanded key
 *   bare-seed   the bytes of the seed
 *
 * SLH-DSA has only the fifth (RFC 9909 section 6), and nothing to configure.
 * No two of them have the same length, so the length tells the form.
 */
#include "keyfile.h"

#include <string.h>
#include <strings.h>

#include "../provider/alglist.h"
#include "mldsa.h"
#include "mlkem.h"
#include "slhdsa.h"

#define Z 32                    /* bytes of z: FIPS 203 algorithm 19 */

#define MLKEM(n, oid)                                                                      \
    const struct wn_keyfile_type wn_keyfile_mlkem##n = {                                   \
        "ML-KEM-" #n, oid, 1, WN_MLKEM_SEED, WC_ML_KEM_##n##_PRIVATE_KEY_SIZE,             \
        WC_ML_KEM_##n##_PUBLIC_KEY_SIZE, wn_mlkem##n##_keymgmt_functions                   \
    }
#define MLDSA(n, oid)                                                                      \
    const struct wn_keyfile_type wn_keyfile_mldsa##n = {                                   \
        "ML-DSA-" #n, oid, 0, WN_MLDSA_SEED, WC_MLDSA_##n##_KEY_SIZE,                      \
        WC_MLDSA_##n##_PUB_KEY_SIZE, wn_mldsa##n##_keymgmt_functions                       \
    }
MLKEM(512, "2.16.840.1.101.3.4.4.1");
MLKEM(768, "2.16.840.1.101.3.4.4.2");
MLKEM(1024, "2.16.840.1.101.3.4.4.3");
MLDSA(44, "2.16.840.1.101.3.4.3.17");
MLDSA(65, "2.16.840.1.101.3.4.3.18");
MLDSA(87, "2.16.840.1.101.3.4.3.19");
#define SLHDSA(id, name, param, oid, n, sig, category)                                     \
    const struct wn_keyfile_type wn_keyfile_slhdsa_##id = {                                \
        name, "2.16.840.1.101.3.4.3." #oid, 0, 0, 4 * (n), 2 * (n),                        \
        wn_slhdsa_##id##_keymgmt_functions                                                 \
    };
WN_SLHDSA_SETS(SLHDSA)

_Static_assert(sizeof(OSSL_PKEY_PARAM_ML_KEM_SEED) == sizeof(OSSL_PKEY_PARAM_ML_DSA_SEED),
               "both are \"seed\"");

/* ---- key objects --------------------------------------------------------------------- */

/* The function of a dispatch table, as the type of its id. */
#define KEYMGMT(type, id, name) ((OSSL_FUNC_keymgmt_##name##_fn *)find((type)->keymgmt, \
                                                                     OSSL_FUNC_KEYMGMT_##id))

static void (*find(const OSSL_DISPATCH *table, int id))(void)
{
    while (table->function_id != id)
        table++;
    return table->function;
}

int wn_keyfile_get(const struct wn_prov *prov, const struct wn_keyfile_type *type,
                   const void *key, int selection, struct wn_keyfile_parts *parts)
{
    OSSL_PARAM params[4], *p = params;
    unsigned char *at;

    memset(parts, 0, sizeof(*parts));
    parts->size = type->pub + type->priv + type->seed;
    parts->buf = at = wn_malloc(prov, parts->size);
    if (at == NULL)
        return 0;
    *p++ = (OSSL_PARAM)OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, at, type->pub);
    if (WN_SELECTS_PRIVATE(selection)) {
        at += type->pub;
        *p++ = (OSSL_PARAM)OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, at, type->priv);
        at += type->priv;
        *p++ = (OSSL_PARAM)OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ML_DSA_SEED, at, type->seed);
    }
    *p = (OSSL_PARAM)OSSL_PARAM_END;
    /* a key object is read-only in all but what is seen */
    if (!KEYMGMT(type, GET_PARAMS, get_params)((void *)(uintptr_t)key, params))
        return 0;
    if (params[0].return_size == type->pub)
        parts->pub = params[0].data;
    if (WN_SELECTS_PRIVATE(selection) && params[1].return_size == type->priv)
        parts->priv = params[1].data;
    if (WN_SELECTS_PRIVATE(selection) && params[2].return_size == type->seed)
        parts->seed = params[2].data;
    return 1;
}

void wn_keyfile_clear(const struct wn_prov *prov, struct wn_keyfile_parts *parts)
{
    wn_clear_free(prov, parts->buf, parts->size);
    memset(parts, 0, sizeof(*parts));
}

void *wn_keyfile_import(const struct wn_prov *prov, const struct wn_keyfile_type *type,
                        int selection, const OSSL_PARAM params[])
{
    void *key = KEYMGMT(type, NEW, new)((void *)(uintptr_t)prov);

    if (key != NULL && !KEYMGMT(type, IMPORT, import)(key, selection, params)) {
        wn_keyfile_free(type, key);
        return NULL;
    }
    return key;
}

void *wn_keyfile_make(const struct wn_prov *prov, const struct wn_keyfile_type *type,
                      const struct wn_keyfile_parts *parts)
{
    OSSL_PARAM params[4], *p = params;

    /* both end in z, the implicit rejection's secret; said even if the seed is then ignored */
    if (type->kem && parts->seed != NULL && parts->priv != NULL
        && wn_memcmp_ct(parts->seed + type->seed - Z, parts->priv + type->priv - Z, Z) != 0) {
        WN_RAISE_MSG(prov, PROV_R_INVALID_KEY,
                     "private %s key implicit rejection secret does not match seed", type->name);
        return NULL;
    }
#define GIVE(name, field)                                                                   \
    if (parts->field != NULL)                                                               \
        *p++ = (OSSL_PARAM)OSSL_PARAM_octet_string(name, (void *)(uintptr_t)parts->field,   \
                                                   type->field)
    GIVE(OSSL_PKEY_PARAM_ML_DSA_SEED, seed);
    GIVE(OSSL_PKEY_PARAM_PRIV_KEY, priv);
    GIVE(OSSL_PKEY_PARAM_PUB_KEY, pub);
#undef GIVE
    *p = (OSSL_PARAM)OSSL_PARAM_END;
    return wn_keyfile_import(prov, type, OSSL_KEYMGMT_SELECT_KEYPAIR, params);
}

int wn_keyfile_export(const struct wn_keyfile_type *type, void *key, int selection,
                      OSSL_CALLBACK *cb, void *arg)
{
    return KEYMGMT(type, EXPORT, export)(key, selection, cb, arg);
}

void wn_keyfile_free(const struct wn_keyfile_type *type, void *key)
{
    KEYMGMT(type, FREE, free)(key);
}

int wn_keyfile_serves(int selection, int mask)
{
    if (WN_SELECTS_PRIVATE(selection))
        return WN_SELECTS_PRIVATE(mask);
    if (WN_SELECTS_PUBLIC(selection))
        return WN_SELECTS_PUBLIC(mask);
    return selection == 0;
}

void wn_keyfile_w_algorithm(struct wn_der_w *w, const struct wn_keyfile_type *type)
{
    size_t mark = wn_der_w_mark(w);

    wn_der_w_oid(w, type->oid);
    wn_der_w_wrap(w, WN_DER_SEQUENCE, mark);
}

/* ---- forms ------------------------------------------------------------------------------ */

enum form { SEED_PRIV, PRIV_ONLY, OQS_KEYPAIR, SEED_ONLY, BARE_PRIV, BARE_SEED, N_FORMS };

static const struct {
    const char *name;
    int seed;                   /* is it in there? */
} forms[N_FORMS] = {
    { "seed-priv", 1 }, { "priv-only", 0 }, { "oqskeypair", 0 },
    { "seed-only", 1 }, { "bare-priv", 0 }, { "bare-seed", 1 },
};

/*
 * The forms that a configured list names, in its order; without a list all that the
 * type has, in the order above. As with OpenSSL, an abbreviation names the first form that it
 * fits, and what is unknown is passed over. Returns how many; 0 with an error raised.
 */
static size_t order(const struct wn_prov *prov, const struct wn_keyfile_type *type,
                    const char *direction, enum form out[N_FORMS])
{
    static const char separators[] = " \t,";
    const char *list = direction[0] == 'i' ? prov->config.formats[type->kem].input
                                           : prov->config.formats[type->kem].output;
    unsigned taken = 0;
    size_t n = 0, len;
    int i;

    if (type->seed == 0) {
        out[0] = BARE_PRIV;
        return 1;
    }
    if (list == NULL) {
        for (; n < N_FORMS; n++)
            out[n] = (enum form)n;
        return n;
    }
    for (; *(list += strspn(list, separators)) != '\0'; list += len) {
        len = strcspn(list, separators);
        for (i = 0; i < N_FORMS; i++)
            if ((taken >> i & 1) == 0 && strncasecmp(forms[i].name, list, len) == 0) {
                taken |= 1U << i;
                out[n++] = (enum form)i;
                break;
            }
    }
    if (n == 0)                 /* this reason for both families */
        WN_RAISE_MSG(prov, PROV_R_ML_DSA_NO_FORMAT, "no %s private key %s formats are enabled",
                     type->name, direction);
    return n;
}

static int no_form(const struct wn_prov *prov, const struct wn_keyfile_type *type,
                   const char *direction)
{
    WN_RAISE_MSG(prov,
                 type->seed == 0 ? PROV_R_INVALID_KEY_LENGTH
                 : type->kem ? PROV_R_ML_KEM_NO_FORMAT : PROV_R_ML_DSA_NO_FORMAT,
                 "no matching enabled %s private key %s formats", type->name, direction);
    return 0;
}

static void write_form(struct wn_der_w *w, enum form form, const struct wn_keyfile_type *type,
                       const struct wn_keyfile_parts *parts)
{
    size_t mark = wn_der_w_mark(w);

    switch (form) {
    case SEED_PRIV:
        wn_der_w_octets(w, WN_DER_OCTET_STRING, parts->priv, type->priv);
        wn_der_w_octets(w, WN_DER_OCTET_STRING, parts->seed, type->seed);
        wn_der_w_wrap(w, WN_DER_SEQUENCE, mark);
        break;
    case PRIV_ONLY:
        wn_der_w_octets(w, WN_DER_OCTET_STRING, parts->priv, type->priv);
        break;
    case OQS_KEYPAIR:
        wn_der_w_bytes(w, parts->pub, type->pub);
        wn_der_w_bytes(w, parts->priv, type->priv);
        wn_der_w_wrap(w, WN_DER_OCTET_STRING, mark);
        break;
    case SEED_ONLY:
        wn_der_w_octets(w, WN_DER_CONTEXT, parts->seed, type->seed);
        break;
    case BARE_PRIV:
        wn_der_w_bytes(w, parts->priv, type->priv);
        break;
    case BARE_SEED:
    case N_FORMS:
        wn_der_w_bytes(w, parts->seed, type->seed);
        break;
    }
}

int wn_keyfile_w_private(struct wn_der_w *w, const struct wn_prov *prov,
                         const struct wn_keyfile_type *type,
                         const struct wn_keyfile_parts *parts)
{
    enum form wanted[N_FORMS];
    size_t n = order(prov, type, "output", wanted), i;

    if (n == 0)
        return 0;

    for (i = 0; i < n; i++)
        if (parts->seed != NULL || !forms[wanted[i]].seed) {
            write_form(w, wanted[i], type, parts);
            return 1;
        }
    return no_form(prov, type, "output");
}

/* The next element: an octet string (of whatever tag) of exactly n bytes. */
static int octets(struct wn_der_r *r, unsigned char tag, size_t n, const unsigned char **d)
{
    struct wn_der_r in;

    if (!wn_der_r_enter(r, tag, &in) || in.n != n)
        return 0;
    *d = in.p;
    return 1;
}

static int read_form(enum form form, const struct wn_keyfile_type *type, struct wn_der_r r,
                     struct wn_keyfile_parts *parts)
{
    struct wn_der_r in;

    switch (form) {
    case SEED_PRIV:
        return wn_der_r_enter(&r, WN_DER_SEQUENCE, &in) && r.n == 0
            && octets(&in, WN_DER_OCTET_STRING, type->seed, &parts->seed)
            && octets(&in, WN_DER_OCTET_STRING, type->priv, &parts->priv) && in.n == 0;
    case PRIV_ONLY:
        return octets(&r, WN_DER_OCTET_STRING, type->priv, &parts->priv) && r.n == 0;
    case OQS_KEYPAIR:
        return octets(&r, WN_DER_OCTET_STRING, type->priv + type->pub, &parts->priv) && r.n == 0;
    case SEED_ONLY:
        return octets(&r, WN_DER_CONTEXT, type->seed, &parts->seed) && r.n == 0;
    case BARE_PRIV:
        parts->priv = r.p;
        return r.n == type->priv;
    case BARE_SEED:
        parts->seed = r.p;
        return r.n == type->seed;
    case N_FORMS:
        break;
    }
    return 0;
}

int wn_keyfile_r_private(const struct wn_prov *prov, const struct wn_keyfile_type *type,
                         const unsigned char *d, size_t n, struct wn_keyfile_parts *parts)
{
    const struct wn_der_r r = { d, n };
    enum form enabled[N_FORMS];
    size_t count = order(prov, type, "input", enabled), i;

    if (count == 0)
        return 0;

    for (i = 0; i < count; i++) {
        memset(parts, 0, sizeof(*parts));
        if (read_form(enabled[i], type, r, parts))
            return 1;
    }
    return no_form(prov, type, "input");
}
