/* SPDX-License-Identifier: GPL-3.0-or-later */
/* None in portable C. */
#include "rsa_ct.h"

wn_rsa_public_ct_fn *const wn_rsa_public_ct = NULL;
