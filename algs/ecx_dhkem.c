/* SPDX-License-Identifier: GPL-3.0-or-later */
/* X25519 and X448 for DHKEM (RFC 9180 sections 4.1 and 7.1.3); see dhkem.h. */
#include "ecx_dhkem.h"

#include <string.h>

#include "dhkem.h"

static const struct wn_dhkem_suite x25519_suite = { 0x20, &wn_md_sha256, 32, 32, 32 };
static const struct wn_dhkem_suite x448_suite = { 0x21, &wn_md_sha512, 56, 56, 56 };

static const struct wn_dhkem_suite *suite(const void *vkey)
{
    const struct wn_ecx_key *key = vkey;

    switch (key->desc->type) {
    case WN_X25519:
        return &x25519_suite;
    case WN_X448:
        return &x448_suite;
    default:
        return NULL;
    }
}

int wn_ecx_dhkem_derive(struct wn_ecx_key *key, const unsigned char *ikm, size_t n)
{
    const struct wn_dhkem_suite *s = suite(key);
    unsigned char prk[WN_MD_MAX_SIZE];

    if (s == NULL) {            /* Ed25519, Ed448 */
        WN_RAISE(key->prov, PROV_R_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE);
        return 0;
    }
    if (!wn_dhkem_check_ikm(key->prov, s, n))
        return 0;
    wn_dhkem_extract(s, "dkp_prk", ikm, n, prk);
    wn_dhkem_expand(s, prk, "sk", NULL, 0, key->priv, s->n_sk);
    wn_ecx_clamp(key->desc->type, key->priv);   /* as generated keys are here */
    wn_clear(prk, sizeof(prk));
    key->has_private = 1;
    key->has_public = WN_WC(key->prov, key->desc->make_public(key->pub, key->priv));
    return key->has_public;
}

static void up(void *key)
{
    wn_ecx_key_up(key);
}

static void release(void *key)
{
    wn_ecx_key_free(key);
}

static int match(const void *va, const void *vb)
{
    const struct wn_ecx_key *a = va, *b = vb;

    return a->desc == b->desc;
}

static int check(const void *vkey, int need_private)
{
    const struct wn_ecx_key *key = vkey;

    if (!need_private || key->has_private)
        return 1;
    WN_RAISE(key->prov, PROV_R_NOT_A_PRIVATE_KEY);
    return 0;
}

static int public_key(const void *vkey, unsigned char *out)
{
    const struct wn_ecx_key *key = vkey;

    if (!key->has_public) {
        WN_RAISE(key->prov, PROV_R_NOT_A_PUBLIC_KEY);
        return 0;
    }
    memcpy(out, key->pub, key->desc->len);
    return 1;
}

static int dh(const void *vkey, void *vpeer, unsigned char *out)
{
    const struct wn_ecx_key *key = vkey, *peer = vpeer;

    if (!key->has_private || !peer->has_public) {
        WN_RAISE(key->prov, PROV_R_MISSING_KEY);
        return 0;
    }
    if (!wn_ecx_shared_secret(key->desc, out, key->priv, peer->pub)) {
        WN_RAISE(key->prov, PROV_R_FAILED_DURING_DERIVATION);
        return 0;
    }
    return 1;
}

static void *from_public(const void *vlike, const unsigned char *in)
{
    const struct wn_ecx_key *like = vlike;
    struct wn_ecx_key *key = wn_ecx_key_new(like->prov, like->desc);

    if (key != NULL) {
        memcpy(key->pub, in, like->desc->len);
        key->has_public = 1;
    }
    return key;
}

static void *generate(const void *vlike, const unsigned char *ikm, size_t n)
{
    const struct wn_ecx_key *like = vlike;
    struct wn_ecx_key *key = wn_ecx_key_new(like->prov, like->desc);

    if (key != NULL
        && !(n != 0 ? wn_ecx_dhkem_derive(key, ikm, n) : wn_ecx_key_generate(key))) {
        wn_ecx_key_free(key);
        return NULL;
    }
    return key;
}

const struct wn_dhkem_kind wn_ecx_dhkem = {
    up, release, suite, match, check, public_key, dh, from_public, generate
};
