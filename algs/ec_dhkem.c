/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * P-256, P-384 and P-521 for DHKEM (RFC 9180 sections 4.1 and 7.1.3); see dhkem.h.
 */
#include "ec_dhkem.h"

#include "dhkem.h"

static const struct wn_dhkem_suite suites[] = {
    { 0x10, &wn_md_sha256, 65, 32, 32 },
    { 0x11, &wn_md_sha384, 97, 48, 48 },
    { 0x12, &wn_md_sha512, 133, 66, 66 },
};

static const struct wn_dhkem_suite *suite(const void *vkey)
{
    const struct wn_ec_key *key = vkey;
    size_t i;

    /* curves with code of their own are just these three */
    for (i = 0; key->curve->sp != NULL && i < sizeof(suites) / sizeof(suites[0]); i++)
        if (key->curve->order_size == suites[i].n_sk)
            return &suites[i];
    return NULL;
}

int wn_ec_dhkem_derive(struct wn_ec_key *key, const unsigned char *ikm, size_t n)
{
    unsigned char prk[WN_MD_MAX_SIZE], d[WN_EC_MAX_BYTES];
    const struct wn_dhkem_suite *s = suite(key);
    unsigned counter;
    int ok = 0;

    if (s == NULL) {
        WN_RAISE(key->prov, PROV_R_INVALID_CURVE);
        return 0;
    }
    if (!wn_dhkem_check_ikm(key->prov, s, n))
        return 0;
    wn_dhkem_extract(s, "dkp_prk", ikm, n, prk);
    for (counter = 0; counter < 256 && !ok; counter++) {
        unsigned char octet = (unsigned char)counter;

        wn_dhkem_expand(s, prk, "candidate", &octet, 1, d, s->n_sk);
        if (key->curve->order_bits % 8 != 0)
            d[0] &= (unsigned char)(0xff >> (8 - key->curve->order_bits % 8));
        ok = wn_ec_scalar_in_range(key->curve, d);
    }
    if (!ok)
        WN_RAISE(key->prov, PROV_R_FAILED_TO_GENERATE_KEY);
    ok = ok && wn_ec_set_private(key, d) && wn_ec_make_public(key, &key->x, &key->y);
    key->has_public = ok;
    wn_clear(prk, sizeof(prk));
    wn_clear(d, sizeof(d));
    return ok;
}

static void up(void *key)
{
    wn_ec_key_up(key);
}

static void release(void *key)
{
    wn_ec_key_free(key);
}

static int match(const void *va, const void *vb)
{
    const struct wn_ec_key *a = va, *b = vb;

    return a->curve == b->curve;
}

static int check(const void *vkey, int need_private)
{
    const struct wn_ec_key *key = vkey;

    if (key->curve == NULL || !key->has_public) {
        WN_RAISE(key->prov, PROV_R_NOT_A_PUBLIC_KEY);
        return 0;
    }
    if (need_private && !key->has_private) {
        WN_RAISE(key->prov, PROV_R_NOT_A_PRIVATE_KEY);
        return 0;
    }
    return 1;
}

static int public_key(const void *vkey, unsigned char *out)
{
    const struct wn_ec_key *key = vkey;

    wn_ec_point_write(key->curve, &key->x, &key->y, WN_EC_UNCOMPRESSED, out);
    return 1;
}

static int dh(const void *key, void *peer, unsigned char *out)
{
    return wn_ec_ecdh(key, peer, 0, out);
}

static void *from_public(const void *vlike, const unsigned char *in)
{
    const struct wn_ec_key *like = vlike;
    struct wn_ec_key *key = wn_ec_key_new(like->prov);

    if (key == NULL)
        return NULL;
    key->curve = like->curve;
    key->has_public = wn_ec_point_read(like->prov, key->curve, in, 1 + 2 * key->curve->size,
                                       &key->x, &key->y);
    if (!key->has_public) {
        wn_ec_key_free(key);
        return NULL;
    }
    return key;
}

static void *generate(const void *vlike, const unsigned char *ikm, size_t n)
{
    const struct wn_ec_key *like = vlike;
    struct wn_ec_key *key = wn_ec_key_new(like->prov);

    if (key == NULL)
        return NULL;
    key->curve = like->curve;
    if (!(n != 0 ? wn_ec_dhkem_derive(key, ikm, n) : wn_ec_generate(key))) {
        wn_ec_key_free(key);
        return NULL;
    }
    return key;
}

const struct wn_dhkem_kind wn_ec_dhkem = {
    up, release, suite, match, check, public_key, dh, from_public, generate
};
