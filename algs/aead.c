/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See aead.h. */
#include "aead.h"

int wn_aead_updated(const struct wn_prov *prov, int result)
{
    if (result == WN_AEAD_WRONG_TAG)
        WN_RAISE(prov, PROV_R_CIPHER_OPERATION_FAILED);
    return result == 1;
}

int wn_aead_octets(const struct wn_prov *prov, const OSSL_PARAM *p)
{
    if (p == NULL || p->data_type == OSSL_PARAM_OCTET_STRING)
        return 1;
    WN_RAISE(prov, PROV_R_FAILED_TO_GET_PARAMETER);
    return 0;
}
