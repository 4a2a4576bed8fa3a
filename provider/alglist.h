/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dispatch tables that alglist.def names, declared once. */
#ifndef WN_ALGLIST_H
#define WN_ALGLIST_H

#include "compat.h"

#define WN_ALG(operation, names, functions, since) extern const OSSL_DISPATCH functions[];
#define WN_ALG_UNTIL(operation, names, functions, since, until) \
    WN_ALG(operation, names, functions, since)
#define WN_ALG_FILE(operation, names, properties, functions) \
    extern const OSSL_DISPATCH functions[];
#include "alglist.def"
#undef WN_ALG
#undef WN_ALG_UNTIL
#undef WN_ALG_FILE

#endif
