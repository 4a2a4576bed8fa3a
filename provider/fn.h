/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Typed entries of OSSL_DISPATCH tables: WN_FN(DIGEST_INIT, digest_init, f)
 * compiles only if f is an OSSL_FUNC_digest_init_fn, so no implementation needs
 * a separate forward declaration, and a wrong prototype cannot hide in a cast.
 */
#ifndef WN_FN_H
#define WN_FN_H

#include "compat.h"

#define WN_FN(id, type, f) \
    { OSSL_FUNC_##id, (void (*)(void))_Generic((f), OSSL_FUNC_##type##_fn *: (f)) }
#define WN_FN_END { 0, NULL }

#endif
