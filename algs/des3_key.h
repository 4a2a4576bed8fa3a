/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Triple DES key schedules, quickly; see des3_key.c. */
#ifndef WN_DES3_KEY_H
#define WN_DES3_KEY_H

#include "wolf.h"

#include <wolfssl/wolfcrypt/des3.h>

/* What wc_Des3_SetKey(des, key, NULL, dir) does; raises. */
int wn_des3_set_key(const struct wn_prov *prov, Des3 *des, const unsigned char key[DES3_KEYLEN],
                    int dir);

#endif
