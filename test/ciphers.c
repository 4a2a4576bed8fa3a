/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See ciphers.h. */
#include "ciphers.h"

const char *const cipher_names[] = {
#define SIZES(mode) "AES-128-" mode, "AES-192-" mode, "AES-256-" mode
    SIZES("ECB"), SIZES("CBC"), SIZES("CTR"), SIZES("OFB"), SIZES("CFB"), SIZES("CFB8"),
    SIZES("CFB1"), SIZES("CBC-CTS"), SIZES("WRAP"), SIZES("WRAP-PAD"), SIZES("WRAP-INV"),
    SIZES("WRAP-PAD-INV"), "AES-128-XTS", "AES-256-XTS", "DES-EDE3-ECB", "DES-EDE3-CBC",
    "DES-EDE3-OFB", "DES-EDE3-CFB", "DES-EDE3-CFB8", "DES-EDE3-CFB1", "DES-EDE-ECB",
    "DES-EDE-CBC", "DES-EDE-OFB", "DES-EDE-CFB",
};
const size_t n_ciphers = sizeof(cipher_names) / sizeof(cipher_names[0]);

void cipher_pair_open(struct cipher_pair *p, const char *name)
{
    p->name = name;
    p->wolf = EVP_CIPHER_fetch(wnt_wolf(), name, NULL);
    p->deflt = EVP_CIPHER_fetch(wnt_default(), name, NULL);
    if (p->wolf == NULL || p->deflt == NULL)
        fail_msg("%s: cannot be fetched", name);
    wnt_assert_wolfnano(EVP_CIPHER_get0_provider(p->wolf));
    p->w = EVP_CIPHER_CTX_new();
    p->d = EVP_CIPHER_CTX_new();
    p->keylen = (size_t)EVP_CIPHER_get_key_length(p->deflt);
    p->ivlen = (size_t)EVP_CIPHER_get_iv_length(p->deflt);
    p->block = (size_t)EVP_CIPHER_get_block_size(p->deflt);
    p->mode = EVP_CIPHER_get_mode(p->deflt);
    p->cts = (EVP_CIPHER_get_flags(p->deflt) & EVP_CIPH_FLAG_CTS) != 0;
}

unsigned long cipher_take_error(void)
{
    unsigned long e, found = ERR_peek_error();

    while ((e = ERR_get_error()) != 0)
        if (ERR_GET_LIB(found) != ERR_LIB_PROV && ERR_GET_LIB(e) == ERR_LIB_PROV)
            found = e;
    return found;
}

void cipher_assert_error(int reason)
{
    unsigned long e = cipher_take_error();

    if (ERR_GET_LIB(e) != ERR_LIB_PROV || ERR_GET_REASON(e) != reason)
        fail_msg("expected reason %d, got %d %d", reason, ERR_GET_LIB(e), ERR_GET_REASON(e));
}

void cipher_pair_close(struct cipher_pair *p)
{
    EVP_CIPHER_CTX_free(p->w);
    EVP_CIPHER_CTX_free(p->d);
    EVP_CIPHER_free(p->wolf);
    EVP_CIPHER_free(p->deflt);
}
