/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the MACs share (provider-mac(7)), and how EVP_DigestSign reaches those
 * that exist as "keys" too (mac_key.c, mac_sig.c).
 *
 * A MAC context is IDLE until it has a key, READY for update and final, DONE
 * after final, when only an init makes it READY again. set_ctx_params with a
 * key is as good as an init with it. On a failed init the context is IDLE.
 */
#ifndef WN_MAC_H
#define WN_MAC_H

#include "../provider/fn.h"
#include "../provider/params.h"
#include "wolf.h"

enum wn_mac_state { WN_MAC_IDLE, WN_MAC_READY, WN_MAC_DONE };

/* 1 if READY, else raises. */
static inline int wn_mac_ready(const struct wn_prov *prov, enum wn_mac_state state)
{
    if (state == WN_MAC_READY)
        return 1;
    WN_RAISE(prov, state == WN_MAC_IDLE ? PROV_R_NO_KEY_SET : ERR_R_SHOULD_NOT_HAVE_BEEN_CALLED);
    return 0;
}

/* 1 if size bytes fit, else raises. */
static inline int wn_mac_fits(const struct wn_prov *prov, size_t size, size_t space)
{
    if (size <= space)
        return 1;
    WN_RAISE(prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    return 0;
}

/* The octets of a key parameter; raises. */
static inline int wn_mac_key_param(const struct wn_prov *prov, const OSSL_PARAM *p,
                                   const unsigned char **key, size_t *n)
{
    if (p->data_type == OSSL_PARAM_OCTET_STRING && (p->data != NULL || p->data_size == 0)) {
        *key = p->data != NULL ? p->data : (const unsigned char *)"";
        *n = p->data_size;
        return 1;
    }
    WN_RAISE(prov, PROV_R_FAILED_TO_GET_PARAMETER);
    return 0;
}

struct wn_mac_ops {
    OSSL_FUNC_mac_newctx_fn *newctx;
    OSSL_FUNC_mac_dupctx_fn *dupctx;
    OSSL_FUNC_mac_freectx_fn *freectx;
    OSSL_FUNC_mac_init_fn *init;
    OSSL_FUNC_mac_update_fn *update;
    OSSL_FUNC_mac_final_fn *final;
    OSSL_FUNC_mac_set_ctx_params_fn *set_ctx_params;
    OSSL_FUNC_mac_settable_ctx_params_fn *settable_ctx_params;
    size_t (*size)(void *ctx);
};

extern const struct wn_mac_ops wn_hmac_ops, wn_cmac_ops, wn_poly1305_ops;

#endif
