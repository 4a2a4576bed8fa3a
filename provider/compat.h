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

#ifndef OSSL_CAPABILITY_TLS_SIGALG_NAME
# define OSSL_CAPABILITY_TLS_SIGALG_CODE_POINT "tls-sigalg-code-point"
# define OSSL_CAPABILITY_TLS_SIGALG_HASH_NAME "tls-sigalg-hash-name"
# define OSSL_CAPABILITY_TLS_SIGALG_HASH_OID "tls-sigalg-hash-oid"
# define OSSL_CAPABILITY_TLS_SIGALG_IANA_NAME "tls-sigalg-iana-name"
# define OSSL_CAPABILITY_TLS_SIGALG_KEYTYPE "tls-sigalg-keytype"
# define OSSL_CAPABILITY_TLS_SIGALG_KEYTYPE_OID "tls-sigalg-keytype-oid"
# define OSSL_CAPABILITY_TLS_SIGALG_MAX_DTLS "tls-max-dtls"
# define OSSL_CAPABILITY_TLS_SIGALG_MAX_TLS "tls-max-tls"
# define OSSL_CAPABILITY_TLS_SIGALG_MIN_DTLS "tls-min-dtls"
# define OSSL_CAPABILITY_TLS_SIGALG_MIN_TLS "tls-min-tls"
# define OSSL_CAPABILITY_TLS_SIGALG_NAME "tls-sigalg-name"
# define OSSL_CAPABILITY_TLS_SIGALG_OID "tls-sigalg-oid"
# define OSSL_CAPABILITY_TLS_SIGALG_SECURITY_BITS "tls-sigalg-sec-bits"
# define OSSL_CAPABILITY_TLS_SIGALG_SIG_NAME "tls-sigalg-sig-name"
# define OSSL_CAPABILITY_TLS_SIGALG_SIG_OID "tls-sigalg-sig-oid"
#endif

#ifndef PROV_R_REPEATED_PARAMETER
# define PROV_R_REPEATED_PARAMETER 252
#endif

#endif
