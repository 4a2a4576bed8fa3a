/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RSA signatures: the context and what its two files share (rsa_sig.c the
 * operations, rsa_sigparam.c parameters and identifiers). */
#ifndef WN_RSA_SIG_H
#define WN_RSA_SIG_H

#include "other_ctx.h"
#include "rsa_pad.h"

/* Numbers of OpenSSL's rsa.h, which is libcrypto's, not the core's. */
enum {
    WN_RSA_PKCS1 = 1,
    WN_RSA_NONE = 3,
    WN_RSA_OAEP = 4,
    WN_RSA_X931 = 5,
    WN_RSA_PSS = 6,
    WN_RSA_TLS = 7
};
enum {
    WN_SALT_DIGEST = -1,
    WN_SALT_AUTO = -2,
    WN_SALT_MAX = -3,
    WN_SALT_AUTO_DIGEST_MAX = -4
};
enum wn_rsa_operation { WN_RSA_SIGN, WN_RSA_VERIFY, WN_RSA_RECOVER };

struct wn_rsa_sig_ctx {
    const struct wn_prov *prov;
    struct wn_rsa_key *key;
    struct wn_other_ctx *other; /* not NULL: another provider does all (other_ctx.h) */
    int how;                    /* the function id of the init that began it */
    enum wn_rsa_operation operation;
    int pad;
    const struct wn_md_desc *md, *mgf1_md;      /* NULL: none yet */
    int mgf1_set;               /* MGF1's digest was named, it no longer follows md */
    int saltlen;                /* or one of WN_SALT_* */
    int min_saltlen;            /* of a restricted key, else -1 */
    int md_fixed;               /* digest may not be changed now */
    int sigalg;                 /* a composite algorithm: everything is fixed */
    int message;                /* sign and verify get a message, not a digest */
    int hashing, begun;         /* md_state runs; it has had input */
    struct wn_md md_state;
    unsigned char *sig;         /* to be verified at the end of a message */
    size_t siglen;
};

/* The DigestInfo prefix of a digest (RFC 8017, 9.2 note 1); length 0 for
 * MD5-SHA1, which has none. NULL: the digest is not for RSA signatures. */
struct wn_rsa_digest {
    const struct wn_md_desc *md;
    unsigned char oid[11];      /* DER contents of the digest's identifier */
    unsigned char oid_len;
    unsigned char sig_oid[11];  /* of "digest with RSA encryption" */
    unsigned char sig_oid_len;
    unsigned char x931;         /* trailer of ANSI X9.31, 0: none */
};
const struct wn_rsa_digest *wn_rsa_digest_find(const struct wn_md_desc *md);

/* Sets the digest; MGF1's follows unless it was named. Raises. */
int wn_rsa_sig_set_md(struct wn_rsa_sig_ctx *ctx, const struct wn_md_desc *md, const char *name);
int wn_rsa_sig_set_md_name(struct wn_rsa_sig_ctx *ctx, const char *name);
/* A digest that wolfCrypt lacks: 1 if another provider goes on with this key. The name is
 * in mdname if it came with the init, else in params. */
int wn_rsa_sig_elsewhere(struct wn_rsa_sig_ctx *ctx, const char *name, const char *mdname,
                         const OSSL_PARAM params[]);
/* The salt length for a signature, or -1 with an error raised. */
int wn_rsa_sig_saltlen(const struct wn_rsa_sig_ctx *ctx);

OSSL_FUNC_signature_set_ctx_params_fn wn_rsa_sig_set_params;
OSSL_FUNC_signature_settable_ctx_params_fn wn_rsa_sig_settable;
OSSL_FUNC_signature_get_ctx_params_fn wn_rsa_sig_get_params;
OSSL_FUNC_signature_gettable_ctx_params_fn wn_rsa_sig_gettable;

/* "pkcs1", "pss", ... or a number; 0: not a padding, nothing raised */
int wn_rsa_pad_mode(const OSSL_PARAM *p);
int wn_rsa_give_pad_mode(const struct wn_prov *prov, OSSL_PARAM *p, int pad);

#endif
