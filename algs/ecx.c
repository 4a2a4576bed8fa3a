/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The key object of X25519, X448, Ed25519 and Ed448, and the joints to
 * wolfCrypt; see ecx.h. All wolfCrypt keys here are temporaries on the stack. */
#include "ecx.h"

#include <string.h>

#include <wolfssl/wolfcrypt/curve25519.h>
#include <wolfssl/wolfcrypt/curve448.h>
#include <wolfssl/wolfcrypt/ed25519.h>
#include <wolfssl/wolfcrypt/ed448.h>
#include <wolfssl/wolfcrypt/fe_448.h>

#include "../provider/rng.h"

/* decodeScalar25519 and decodeScalar448, RFC 7748 section 5 */
void wn_ecx_clamp(enum wn_ecx_type type, unsigned char *k)
{
    if (type == WN_X25519) {
        k[0] &= 0xf8;
        k[31] = (k[31] & 0x7f) | 0x40;
    } else {
        k[0] &= 0xfc;
        k[55] |= 0x80;
    }
}

static int x25519_public(unsigned char *pub, const unsigned char *priv)
{
    unsigned char k[CURVE25519_KEYSIZE];
    int rc;

    memcpy(k, priv, sizeof(k));
    wn_ecx_clamp(WN_X25519, k);
    rc = wc_curve25519_make_pub(sizeof(k), pub, sizeof(k), k);
    wn_clear(k, sizeof(k));
    return rc;
}

static int x448_public(unsigned char *pub, const unsigned char *priv)
{
    static const unsigned char base[CURVE448_KEY_SIZE] = { 5 };
    unsigned char k[CURVE448_KEY_SIZE];
    int rc;

    memcpy(k, priv, sizeof(k));
    wn_ecx_clamp(WN_X448, k);
    rc = curve448(pub, k, base);
    wn_clear(k, sizeof(k));
    return rc;
}

static int ed25519_public(unsigned char *pub, const unsigned char *priv)
{
    ed25519_key key;
    int rc = wc_ed25519_init(&key);

    if (rc == 0)
        rc = wc_ed25519_import_private_only(priv, ED25519_KEY_SIZE, &key);
    if (rc == 0)
        rc = wc_ed25519_make_public(&key, pub, ED25519_PUB_KEY_SIZE);
    wn_clear(&key, sizeof(key));
    return rc;
}

static int ed448_public(unsigned char *pub, const unsigned char *priv)
{
    ed448_key key;
    int rc = wc_ed448_init(&key);

    if (rc == 0)
        rc = wc_ed448_import_private_only(priv, ED448_KEY_SIZE, &key);
    if (rc == 0)
        rc = wc_ed448_make_public(&key, pub, ED448_PUB_KEY_SIZE);
    wn_clear(&key, sizeof(key));
    return rc;
}

const struct wn_ecx_desc wn_x25519_desc = {
    WN_X25519, "X25519", 32, 253, 128, 32, x25519_public
};
const struct wn_ecx_desc wn_x448_desc = {
    WN_X448, "X448", 56, 448, 224, 56, x448_public
};
const struct wn_ecx_desc wn_ed25519_desc = {
    WN_ED25519, "ED25519", 32, 256, 128, 64, ed25519_public
};
const struct wn_ecx_desc wn_ed448_desc = {
    WN_ED448, "ED448", 57, 456, 224, 114, ed448_public
};

struct wn_ecx_key *wn_ecx_key_new(const struct wn_prov *prov, const struct wn_ecx_desc *desc)
{
    struct wn_ecx_key *key = wn_ctx_new(prov, sizeof(*key));

    if (key != NULL) {
        key->prov = prov;
        key->desc = desc;
        wn_ref_init(&key->ref);
    }
    return key;
}

void wn_ecx_key_free(struct wn_ecx_key *key)
{
    if (key != NULL && wn_ref_down(&key->ref))
        wn_ctx_free(key->prov, key, sizeof(*key));
}

int wn_ecx_key_generate(struct wn_ecx_key *key)
{
    const struct wn_ecx_desc *desc = key->desc;

    if (!wn_rng_bytes(key->prov, key->priv, desc->len))
        return 0;
    if (desc->type == WN_X25519 || desc->type == WN_X448)
        wn_ecx_clamp(desc->type, key->priv);
    key->has_private = 1;
    key->has_public = WN_WC(key->prov, desc->make_public(key->pub, key->priv));
    return key->has_public;
}

/*
 * wolfCrypt 5.9.2's x86_64 assembly multiplies wrongly at u = 2 where bit 253 of
 * the scalar is clear (Wycheproof has the case). Scalars are multiples of 8, so
 * adding the point of order two, (0, 0), does not change the product, and it
 * takes u to 1/u (RFC 7748, section 4.1: the curve's equation): use 1/2 for 2.
 */
static void avoid_two(unsigned char u[32])
{
    static const unsigned char two[32] = { 2 };

    if (memcmp(u, two, 32) != 0)
        return;
    memset(u, 0xff, 32);    /* 2^254 - 9 */
    u[0] = 0xf7;
    u[31] = 0x3f;
}

int wn_ecx_shared_secret(const struct wn_ecx_desc *desc, unsigned char *out,
                         const unsigned char *priv, const unsigned char *peer)
{
    static const unsigned char zero[WN_ECX_MAX];
    unsigned char k[WN_ECX_MAX], u[WN_ECX_MAX];
    int rc;

    memcpy(k, priv, desc->len);
    wn_ecx_clamp(desc->type, k);
    memcpy(u, peer, desc->len);
    if (desc->type == WN_X25519) {
        u[31] &= 0x7f;          /* decodeUCoordinate masks the top bit */
        avoid_two(u);
        rc = wc_curve25519_generic(32, out, 32, k, 32, u);
    } else {
        rc = curve448(out, k, u);
    }
    wn_clear(k, sizeof(k));
    return rc == 0 && wn_memcmp_ct(out, zero, desc->len) != 0;
}
