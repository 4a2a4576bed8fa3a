/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helper of the tests of falling back to another provider. */
#ifndef WN_TEST_FALLBACK_H
#define WN_TEST_FALLBACK_H

#include "wntest.h"

/* wolfnano with these options (NULL: none) and the default provider, and default
 * properties, such as "?provider=wolfnano". */
static inline OSSL_LIB_CTX *fallback_ctx(const char *options, const char *properties)
{
    OSSL_LIB_CTX *lib = wnt_new_ctx(options, "default");

    assert_non_null(lib);
    wnt_ok(EVP_set_default_properties(lib, properties));
    return lib;
}

#endif
