/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See aead.h. */
#include "aead.h"

int wn_aead_updated(const struct wn_prov *prov, int result)
{
    if (result == WN_AEAD_WRONG_TAG)
        WN_RAISE(prov, PROV_R_CIPHER_OPERATION_FAILED);
    return result == 1;
}
