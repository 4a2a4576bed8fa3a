/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands in for wolfCrypt's functions, and tables of points; see ec_hot.h. */
#include "../ec_ops.h"

#include "../ec_hot.h"

#define HOT(bits)                                                                     \
    const struct wn_ec_hot wn_ec_hot_##bits = {                                       \
        WN_EC_HOT_SIZE(bits), wn_ec_hot_build_##bits, wn_ec_hot_verify_##bits,        \
        wn_ec_hot_secret_##bits, wn_ec_hot_secret_once_##bits,                        \
        wn_ec_hot_make_key_##bits, wn_ec_hot_public_of_##bits, wn_ec_hot_sign_##bits, \
        wn_ec_hot_verify_once_##bits                                                  \
    };
HOT(256)
HOT(384)
HOT(521)
