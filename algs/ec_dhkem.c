/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DeriveKeyPair of DHKEM over P-256, P-384 and P-521 (RFC 9180 section 7.1.3),
 * with the labelled HKDF of section 4.
 */
#include "ec_dhkem.h"

#include <string.h>

#include "hmac.h"

static const struct wn_dhkem_kem {
    int bits;
    unsigned char id, mask;
    const struct wn_md_desc *md;
} kems[] = {
    { 256, 0x10, 0xff, &wn_md_sha256 },
    { 384, 0x11, 0xff, &wn_md_sha384 },
    { 521, 0x12, 0x01, &wn_md_sha512 },
};

static void suite_and_label(struct wn_hmac *h, const struct wn_dhkem_kem *kem, const char *label)
{
    unsigned char suite[5] = { 'K', 'E', 'M', 0, kem->id };

    wn_hmac_update(h, "HPKE-v1", 7);
    wn_hmac_update(h, suite, sizeof(suite));
    wn_hmac_update(h, label, strlen(label));
}

/* LabeledExpand(prk, "candidate", counter, n) */
static void candidate(const struct wn_dhkem_kem *kem, const unsigned char *prk,
                      unsigned char counter, unsigned char *out, size_t n)
{
    unsigned char length[2] = { 0, (unsigned char)n }, block[WN_MD_MAX_SIZE], i = 0;
    size_t done = 0, take;
    struct wn_hmac h;

    wn_hmac_init(&h, kem->md, prk, kem->md->size);
    while (done < n) {
        i++;
        if (i > 1)
            wn_hmac_update(&h, block, kem->md->size);
        wn_hmac_update(&h, length, sizeof(length));
        suite_and_label(&h, kem, "candidate");
        wn_hmac_update(&h, &counter, 1);
        wn_hmac_update(&h, &i, 1);
        wn_hmac_final(&h, block);
        wn_hmac_restart(&h);
        take = n - done < kem->md->size ? n - done : kem->md->size;
        memcpy(out + done, block, take);
        done += take;
    }
    wn_hmac_clear(&h);
    wn_clear(block, sizeof(block));
}

int wn_ec_dhkem_derive(struct wn_ec_key *key, const unsigned char *ikm, size_t n)
{
    unsigned char prk[WN_MD_MAX_SIZE], d[WN_EC_MAX_BYTES];
    size_t size = key->curve->order_size, i;
    const struct wn_dhkem_kem *kem = NULL;
    struct wn_hmac h;
    int counter, ok = 0;

    for (i = 0; i < sizeof(kems) / sizeof(kems[0]); i++)
        if (key->curve->sp != NULL && key->curve->bits == kems[i].bits)
            kem = &kems[i];
    if (kem == NULL) {
        WN_RAISE(key->prov, PROV_R_INVALID_CURVE);
        return 0;
    }
    if (n < size) {
        WN_RAISE_MSG(key->prov, PROV_R_INVALID_INPUT_LENGTH, "ikm length is :%zu, should be at "
                     "least %zu", n, size);
        return 0;
    }
    wn_hmac_init(&h, kem->md, "", 0);
    suite_and_label(&h, kem, "dkp_prk");
    wn_hmac_update(&h, ikm, n);
    wn_hmac_final(&h, prk);
    wn_hmac_clear(&h);
    for (counter = 0; counter < 256 && !ok; counter++) {
        candidate(kem, prk, (unsigned char)counter, d, size);
        d[0] &= kem->mask;
        ok = wn_ec_scalar_in_range(key->curve, d);
    }
    ok = ok && wn_ec_set_private(key, d) && wn_ec_make_public(key, &key->x, &key->y);
    key->has_public = ok;
    wn_clear(prk, sizeof(prk));
    wn_clear(d, sizeof(d));
    if (counter == 256 && !ok)
        WN_RAISE(key->prov, PROV_R_FAILED_TO_GENERATE_KEY);
    return ok;
}
