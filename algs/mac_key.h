/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MAC keys as EVP_PKEYs; see mac_key.c. */
#ifndef WN_MAC_KEY_H
#define WN_MAC_KEY_H

#include "cmac.h"
#include "key.h"

struct wn_mac_key {
    wn_ref ref;
    const struct wn_prov *prov;
    int is_cmac;
    const struct wn_cmac_cipher *cipher;    /* CMAC; NULL: not yet given */
    unsigned char *priv;                    /* NULL: no key, which an empty one is not */
    size_t len;
};

void wn_mac_key_free(struct wn_mac_key *key);

#endif
