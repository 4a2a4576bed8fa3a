/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_KDF "X942KDF-ASN1": ANSI X9.42 with ASN.1-encoded OtherInfo, as CMS uses
 * it (RFC 2631 section 2.1.2):
 *
 *   OtherInfo ::= SEQUENCE {
 *       keyInfo SEQUENCE { algorithm OID, counter OCTET STRING (SIZE (4)) },
 *       partyUInfo [0], partyVInfo [1], suppPubInfo [2], suppPrivInfo [3],
 *                                        -- each an OCTET STRING, optional
 *   }
 */
#include "kdf.h"

#include <string.h>

#include "../provider/alglist.h"
#include "../provider/der.h"
#include "../provider/names.h"

#define MAX_LENGTH ((size_t)1 << 30)     /* OpenSSL's limit of each length */

enum { SECRET, ACVP, PARTY_U, PARTY_V, SUPP_PUB, SUPP_PRIV, N_BYTES };

/* Key wrap algorithms, whose OID goes into keyInfo. */
struct cek {
    const char *names;
    unsigned char oid[13];          /* complete DER */
    size_t oidlen, keylen;
};

static const struct cek ceks[] = {
    { "AES-128-WRAP:id-aes128-wrap:AES128-WRAP:2.16.840.1.101.3.4.1.5",
      { 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x05 }, 11, 16 },
    { "AES-192-WRAP:id-aes192-wrap:AES192-WRAP:2.16.840.1.101.3.4.1.25",
      { 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x19 }, 11, 24 },
    { "AES-256-WRAP:id-aes256-wrap:AES256-WRAP:2.16.840.1.101.3.4.1.45",
      { 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x2d }, 11, 32 },
    { "DES3-WRAP:id-smime-alg-CMS3DESwrap:1.2.840.113549.1.9.16.3.6",
      { 0x06, 0x0b, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x03, 0x06 }, 13, 24 },
};

struct x942_ctx {
    struct wn_kdf kdf;
    struct wn_kdf_bytes b[N_BYTES];
    const struct wn_md_desc *md;
    const struct cek *cek;
    int use_keybits;                /* suppPubInfo is the key's length in bits */
};
WN_KDF_CHECK(x942_ctx);

static int bad(const struct x942_ctx *c, int reason)
{
    WN_RAISE(c->kdf.prov, reason);
    return 0;
}

static void x942_init(void *vctx)
{
    ((struct x942_ctx *)vctx)->use_keybits = 1;
}

/* ---- parameters ------------------------------------------------------------- */

/* "secret" and "key" are the same, and so are "partyu-info" and "ukm" */
#define X942_SET(P)                                                     \
    P(properties, utf8_string, OSSL_KDF_PARAM_PROPERTIES)               \
    P(digest, utf8_string, OSSL_KDF_PARAM_DIGEST)                       \
    P(secret, octet_string, OSSL_KDF_PARAM_SECRET)                      \
    P(key, octet_string, OSSL_KDF_PARAM_KEY)                            \
    P(ukm, octet_string, OSSL_KDF_PARAM_UKM)                            \
    P(acvp, octet_string, OSSL_KDF_PARAM_X942_ACVPINFO)                 \
    P(party_u, octet_string, OSSL_KDF_PARAM_X942_PARTYUINFO)            \
    P(party_v, octet_string, OSSL_KDF_PARAM_X942_PARTYVINFO)            \
    P(supp_pub, octet_string, OSSL_KDF_PARAM_X942_SUPP_PUBINFO)         \
    P(supp_priv, octet_string, OSSL_KDF_PARAM_X942_SUPP_PRIVINFO)       \
    P(use_keybits, int, OSSL_KDF_PARAM_X942_USE_KEYBITS)                \
    P(cek, utf8_string, OSSL_KDF_PARAM_CEK_ALG)
WN_PARAMS(x942_set, X942_SET);

static int take_cek(struct x942_ctx *c, const OSSL_PARAM *p)
{
    char name[64];
    size_t i;

    if (p == NULL)
        return 1;
    if (wn_param_get_utf8(p, name, sizeof(name))) {
        for (i = 0; i < sizeof(ceks) / sizeof(ceks[0]); i++) {
            if (wn_name_listed(ceks[i].names, name)) {
                c->cek = &ceks[i];
                return 1;
            }
        }
    }
    return bad(c, PROV_R_UNSUPPORTED_CEK_ALG);
}

static int x942_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct x942_ctx *c = vctx;
    struct x942_set p;
    OSSL_PARAM *secret, *party_u;

    if (!WN_PARAMS_SCAN(c->kdf.prov, x942_set, params, &p)
        || !wn_kdf_either(c, p.secret, p.key, &secret)
        || !wn_kdf_either(c, p.party_u, p.ukm, &party_u)
        || !wn_kdf_take_md(c, p.digest, &c->md, 0)
        || !wn_param_take_int(c->kdf.prov, p.use_keybits, &c->use_keybits)
        || !take_cek(c, p.cek))
        return 0;
    if (p.supp_pub != NULL)
        c->use_keybits = 0;
    return wn_kdf_take(c, SECRET, secret, WN_KDF_KEEPS)
        && wn_kdf_take(c, ACVP, p.acvp, WN_KDF_KEEPS)
        && wn_kdf_take(c, PARTY_U, party_u, WN_KDF_KEEPS)
        && wn_kdf_take(c, PARTY_V, p.party_v, WN_KDF_KEEPS)
        && wn_kdf_take(c, SUPP_PUB, p.supp_pub, WN_KDF_KEEPS)
        && wn_kdf_take(c, SUPP_PRIV, p.supp_priv, WN_KDF_KEEPS);
}

static size_t x942_out_size(void *vctx)
{
    const struct x942_ctx *c = vctx;

    return c->md != NULL ? c->md->size : (size_t)bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
}

/* ---- derivation ---------------------------------------------------------------- */

static void tagged(struct wn_der_w *w, unsigned char number, const unsigned char *d, size_t n)
{
    size_t mark = wn_der_w_mark(w);

    if (d == NULL)
        return;
    wn_der_w_octets(w, WN_DER_OCTET_STRING, d, n);
    wn_der_w_wrap(w, WN_DER_CONTEXT | WN_DER_CONSTRUCTED | number, mark);
}

static void be32(unsigned char out[4], size_t v)
{
    out[0] = (unsigned char)(v >> 24);
    out[1] = (unsigned char)(v >> 16);
    out[2] = (unsigned char)(v >> 8);
    out[3] = (unsigned char)v;
}

/* OtherInfo from its end; *after_counter: how many bytes follow the counter. */
static void other_info(const struct x942_ctx *c, struct wn_der_w *w, size_t *after_counter)
{
    static const unsigned char zeros[4];
    const struct wn_kdf_bytes *b = c->b;
    unsigned char bits[4];
    size_t key_info;

    be32(bits, 8 * c->cek->keylen);
    tagged(w, 3, b[SUPP_PRIV].d, b[SUPP_PRIV].n);
    tagged(w, 2, b[SUPP_PUB].d, b[SUPP_PUB].n);
    tagged(w, 2, c->use_keybits ? bits : NULL, sizeof(bits));
    tagged(w, 1, b[PARTY_V].d, b[PARTY_V].n);
    tagged(w, 0, b[PARTY_U].d, b[PARTY_U].n);
    if (b[ACVP].d != NULL)
        wn_der_w_bytes(w, b[ACVP].d, b[ACVP].n);
    key_info = wn_der_w_mark(w);
    *after_counter = w->n;
    wn_der_w_octets(w, WN_DER_OCTET_STRING, zeros, sizeof(zeros));
    wn_der_w_bytes(w, c->cek->oid, c->cek->oidlen);
    wn_der_w_wrap(w, WN_DER_SEQUENCE, key_info);
    wn_der_w_wrap(w, WN_DER_SEQUENCE, 0);
}

/* Hash(secret || OtherInfo) for each counter, which stands inside of it. */
static void hash(const struct x942_ctx *c, unsigned char *info, size_t infolen,
                 unsigned char *counter, unsigned char *out, size_t n)
{
    unsigned char last[WN_MD_MAX_SIZE];
    struct wn_md start, md;
    size_t piece, i;

    wn_md_init(&start, c->md);
    wn_md_update(&start, c->b[SECRET].d, c->b[SECRET].n);
    for (i = 1; n > 0; n -= piece, out += piece, i++) {
        be32(counter, i);
        md = start;
        wn_md_update(&md, info, infolen);
        wn_md_final(&md, last);
        piece = n < c->md->size ? n : c->md->size;
        memcpy(out, last, piece);
    }
    wn_md_clear(&start);
    wn_md_clear(&md);
    wn_clear(last, sizeof(last));
}

static int x942_checks(const struct x942_ctx *c, size_t n)
{
    const struct wn_kdf_bytes *b = c->b;

    if (c->use_keybits && b[SUPP_PUB].d != NULL)
        return bad(c, PROV_R_INVALID_PUBINFO);
    if (b[ACVP].d != NULL && (b[PARTY_U].d != NULL || b[PARTY_V].d != NULL
                              || b[SUPP_PUB].d != NULL || b[SUPP_PRIV].d != NULL))
        return bad(c, PROV_R_INVALID_DATA);
    if (b[SECRET].d == NULL)
        return bad(c, PROV_R_MISSING_SECRET);
    if (c->md == NULL)
        return bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
    if (c->cek == NULL)
        return bad(c, PROV_R_MISSING_CEK_ALG);
    if (b[PARTY_U].n >= MAX_LENGTH)
        return bad(c, PROV_R_INVALID_UKM_LENGTH);
    if (n == 0 || n > MAX_LENGTH || b[SECRET].n > MAX_LENGTH)
        return bad(c, PROV_R_BAD_LENGTH);
    return 1;
}

static int x942_derive(void *vctx, unsigned char *out, size_t n)
{
    const struct x942_ctx *c = vctx;
    struct wn_der_w w;
    unsigned char *info;
    size_t infolen, after;

    if (!x942_checks(c, n))
        return 0;
    wn_der_w_init(&w, NULL, 0);
    other_info(c, &w, &after);
    infolen = w.n;
    if (w.failed || infolen > MAX_LENGTH)
        return bad(c, PROV_R_BAD_LENGTH);
    info = wn_malloc(c->kdf.prov, infolen);
    if (info == NULL)
        return 0;
    wn_der_w_init(&w, info, infolen);
    other_info(c, &w, &after);
    hash(c, info, infolen, info + infolen - after - 4, out, n);
    wn_clear_free(c->kdf.prov, info, infolen);
    return 1;
}

static void x942_tell(const void *vctx, struct wn_pb *pb)
{
    const struct x942_ctx *c = vctx;
    char name[16] = "";

    wn_kdf_tell(c, pb, SECRET, OSSL_KDF_PARAM_SECRET);
    wn_kdf_tell(c, pb, ACVP, OSSL_KDF_PARAM_X942_ACVPINFO);
    wn_kdf_tell(c, pb, PARTY_U, OSSL_KDF_PARAM_X942_PARTYUINFO);
    wn_kdf_tell(c, pb, PARTY_V, OSSL_KDF_PARAM_X942_PARTYVINFO);
    wn_kdf_tell(c, pb, SUPP_PUB, OSSL_KDF_PARAM_X942_SUPP_PUBINFO);
    wn_kdf_tell(c, pb, SUPP_PRIV, OSSL_KDF_PARAM_X942_SUPP_PRIVINFO);
    if (c->b[SUPP_PUB].d == NULL)
        wn_pb_int(pb, OSSL_KDF_PARAM_X942_USE_KEYBITS, c->use_keybits);
    if (c->cek != NULL) {
        memcpy(name, c->cek->names, strcspn(c->cek->names, ":"));
        wn_pb_utf8(pb, OSSL_KDF_PARAM_CEK_ALG, name);
    }
}

static const struct wn_kdf_desc x942_desc = {
    WN_KDF_LAYOUT(x942_ctx, b), WN_CORE_VERSION(3, 4), x942_init, x942_set_params, x942_derive,
    x942_out_size, NULL, x942_set_list, wn_kdf_size_list,
    "X942KDF-ASN1", x942_tell
};
WN_KDF_TABLE(x942, &x942_desc)
