/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wolfCrypt in portable C: no assembly file, no inline assembly. */
#ifndef WN_USER_SETTINGS_H
#define WN_USER_SETTINGS_H
#include "../common.h"

#define WOLFSSL_NO_ASM
#define SP_USE_DIVTI3

#endif
