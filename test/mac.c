/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See mac.h. */
#include "mac.h"

#include <string.h>

#include <openssl/core_names.h>
#include <openssl/params.h>

int mac_is(const struct mac_kind *k, const char *mac)
{
    return strcmp(k->mac, mac) == 0;
}

EVP_MAC_CTX *mac_new(OSSL_LIB_CTX *lib, const char *name, const char *algorithm)
{
    EVP_MAC *mac = EVP_MAC_fetch(lib, name, NULL);
    OSSL_PARAM params[3], *p = params;
    EVP_MAC_CTX *ctx;

    if (mac == NULL)
        fail_msg("%s is missing", name);
    if (lib == wnt_wolf())
        wnt_assert_wolfnano(EVP_MAC_get0_provider(mac));
    ctx = EVP_MAC_CTX_new(mac);
    assert_non_null(ctx);
    if (algorithm != NULL)
        *p++ = OSSL_PARAM_construct_utf8_string(strcmp(name, "HMAC") == 0 ? OSSL_MAC_PARAM_DIGEST
                                                : OSSL_MAC_PARAM_CIPHER, (char *)algorithm, 0);
    *p = OSSL_PARAM_construct_end();
    wnt_ok(EVP_MAC_CTX_set_params(ctx, params));
    EVP_MAC_free(mac);
    return ctx;
}

void mac_random(struct mac_message *m, const struct mac_kind *k)
{
    m->keylen = k->keylen != 0 ? k->keylen : 4 + wnt_rand_below(sizeof(m->key) - 4);
    m->ivlen = 1 + wnt_rand_below(sizeof(m->iv));
    m->n = wnt_rand_below(sizeof(m->in));
    wnt_rand_bytes(m->key, m->keylen);
    wnt_rand_bytes(m->iv, m->ivlen);
    wnt_rand_bytes(m->in, m->n);
}

int mac_init(EVP_MAC_CTX *ctx, const struct mac_kind *k, struct mac_message *m)
{
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };

    if (mac_is(k, "GMAC"))
        params[0] = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, m->iv, m->ivlen);
    return EVP_MAC_init(ctx, m->key, m->keylen, params);
}

void mac_finish(EVP_MAC_CTX *ctx, const struct mac_kind *k, unsigned char *out)
{
    size_t n = 999;

    wnt_ok(EVP_MAC_final(ctx, NULL, &n, 0));
    assert_int_equal(n, k->size);
    wnt_ok(EVP_MAC_final(ctx, out, &n, k->size));
    assert_int_equal(n, k->size);
}

void mac_reference(const struct mac_kind *k, struct mac_message *m, unsigned char *out)
{
    EVP_MAC_CTX *ctx = mac_new(wnt_default(), k->mac, k->algorithm);

    wnt_ok(mac_init(ctx, k, m));
    wnt_ok(EVP_MAC_update(ctx, m->in, m->n));
    mac_finish(ctx, k, out);
    EVP_MAC_CTX_free(ctx);
}
