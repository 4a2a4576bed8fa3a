/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one in asm-config/x86_64/sp_hot.c. */
#include "../rsa_ct.h"

wn_rsa_public_ct_fn *const wn_rsa_public_ct = wn_sp_rsa_public_ct;
