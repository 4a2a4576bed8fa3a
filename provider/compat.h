/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ids, parameter names and function types that OpenSSL gained after the 3.0
 * headers this module is built with. The only place with version conditionals:
 * one binary serves 3.0 to 4.x, and a core that does not know an id skips it.
 * Numbers are those of OpenSSL's public core_dispatch.h and core_names.h.
 */
#ifndef WN_COMPAT_H
#define WN_COMPAT_H

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/proverr.h>

#ifndef OSSL_FUNC_DIGEST_SQUEEZE
# define OSSL_FUNC_DIGEST_SQUEEZE 14
OSSL_CORE_MAKE_FUNC(int, digest_squeeze,
    (void *dctx, unsigned char *out, size_t *outl, size_t outsz))
#endif
#ifndef OSSL_FUNC_DIGEST_COPYCTX
# define OSSL_FUNC_DIGEST_COPYCTX 15
OSSL_CORE_MAKE_FUNC(void, digest_copyctx, (void *outctx, void *inctx))
#endif

#ifndef OSSL_CIPHER_PARAM_ENCRYPT_THEN_MAC
# define OSSL_CIPHER_PARAM_ENCRYPT_THEN_MAC "encrypt-then-mac"
#endif
#ifndef OSSL_CIPHER_PARAM_DECRYPT_ONLY
# define OSSL_CIPHER_PARAM_DECRYPT_ONLY "decrypt-only"
#endif

#ifndef PROV_R_REPEATED_PARAMETER
# define PROV_R_REPEATED_PARAMETER 252
#endif

#endif
