/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * evpbench: operations on keys.
 *
 * Without --fresh one key and one context serve every operation, as in
 * `openssl speed`. With --fresh each operation imports its key first, as a
 * server does that verifies a client's certificate or sends an ephemeral share;
 * "derive" then makes its own key too (ECDHE).
 *
 * RSA and EC sign a 32-byte digest with EVP_PKEY_sign; the others sign a
 * 32-byte message with EVP_DigestSign, the one call that every version from
 * 3.0 to 4.0 has for them.
 */
#include "ops.h"

#include <stdlib.h>
#include <string.h>

#define MESSAGE 32

/* --- making and importing keys --------------------------------------------- */

static int uses_digest_sign(const struct job *job)
{
    return strcmp(job->algorithm, "RSA") != 0 && strcmp(job->algorithm, "EC") != 0;
}

static EVP_PKEY_CTX *keygen_ctx(const struct job *job)
{
    EVP_PKEY_CTX *ctx = lc.EVP_PKEY_CTX_new_from_name(job->libctx, job->algorithm, NULL);
    size_t bits = job->detail != NULL ? strtoul(job->detail, NULL, 10) : 0;
    OSSL_PARAM params[2] = { OSSL_PARAM_END, OSSL_PARAM_END };

    if (ctx == NULL || lc.EVP_PKEY_keygen_init(ctx) <= 0)
        goto err;
    if (strcmp(job->algorithm, "RSA") == 0)
        params[0] = (OSSL_PARAM){ OSSL_PKEY_PARAM_RSA_BITS, OSSL_PARAM_UNSIGNED_INTEGER, &bits,
                                  sizeof(bits), 0 };
    else if (job->detail != NULL)
        params[0] = (OSSL_PARAM){ OSSL_PKEY_PARAM_GROUP_NAME, OSSL_PARAM_UTF8_STRING,
                                  (void *)job->detail, strlen(job->detail), 0 };
    if (lc.EVP_PKEY_CTX_set_params(ctx, params) <= 0)
        goto err;
    return ctx;
err:
    lc.EVP_PKEY_CTX_free(ctx);
    return NULL;
}

static EVP_PKEY *generate(const struct job *job)
{
    EVP_PKEY_CTX *ctx = keygen_ctx(job);
    EVP_PKEY *key = NULL;

    if (ctx != NULL && lc.EVP_PKEY_generate(ctx, &key) <= 0)
        key = NULL;
    lc.EVP_PKEY_CTX_free(ctx);
    return key;
}

static EVP_PKEY *import(const struct job *job, OSSL_PARAM *data, int selection)
{
    EVP_PKEY_CTX *ctx = lc.EVP_PKEY_CTX_new_from_name(job->libctx, job->algorithm, NULL);
    EVP_PKEY *key = NULL;

    if (ctx == NULL || lc.EVP_PKEY_fromdata_init(ctx) <= 0 ||
        lc.EVP_PKEY_fromdata(ctx, &key, selection, data) <= 0)
        key = NULL;
    lc.EVP_PKEY_CTX_free(ctx);
    return key;
}

static int selection_of(const struct job *job)
{
    return job->private_import ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
}

static int make_keys(struct worker *w, int private_import, int with_peer)
{
    struct job *job = w->job;

    job->private_import = private_import;
    if ((job->key = generate(job)) == NULL)
        return 0;
    if (job->fresh && !lc.EVP_PKEY_todata(job->key, selection_of(job), &job->key_data))
        return 0;
    if (!with_peer)
        return 1;
    return (job->peer = generate(job)) != NULL &&
           (!job->fresh || lc.EVP_PKEY_todata(job->peer, EVP_PKEY_PUBLIC_KEY, &job->peer_data));
}

static int prepare_private(struct worker *w)
{
    return make_keys(w, 1, 0);
}

static int prepare_public(struct worker *w)
{
    return make_keys(w, 0, 0);
}

static int prepare_pair(struct worker *w)
{
    return make_keys(w, 1, 1);
}

/* --- the operations on a context that is ready ------------------------------- */

typedef int init_fn(EVP_PKEY_CTX *ctx);
typedef int act_fn(struct worker *w, EVP_PKEY_CTX *ctx);

static int sign_init(EVP_PKEY_CTX *ctx)
{
    return lc.EVP_PKEY_sign_init(ctx);
}

static int verify_init(EVP_PKEY_CTX *ctx)
{
    return lc.EVP_PKEY_verify_init(ctx);
}

static int encrypt_init(EVP_PKEY_CTX *ctx)
{
    return lc.EVP_PKEY_encrypt_init(ctx);
}

static int decrypt_init(EVP_PKEY_CTX *ctx)
{
    return lc.EVP_PKEY_decrypt_init(ctx);
}

static int encap_init(EVP_PKEY_CTX *ctx)
{
    return lc.EVP_PKEY_encapsulate_init(ctx, NULL);
}

static int decap_init(EVP_PKEY_CTX *ctx)
{
    return lc.EVP_PKEY_decapsulate_init(ctx, NULL);
}

static int act_sign(struct worker *w, EVP_PKEY_CTX *ctx)
{
    w->sig_len = MAX_SIZE;
    return lc.EVP_PKEY_sign(ctx, w->sig, &w->sig_len, w->in, MESSAGE);
}

static int act_verify(struct worker *w, EVP_PKEY_CTX *ctx)
{
    return lc.EVP_PKEY_verify(ctx, w->sig, w->sig_len, w->in, MESSAGE);
}

static int act_encrypt(struct worker *w, EVP_PKEY_CTX *ctx)
{
    w->sig_len = MAX_SIZE;
    return lc.EVP_PKEY_encrypt(ctx, w->sig, &w->sig_len, w->in, MESSAGE);
}

static int act_decrypt(struct worker *w, EVP_PKEY_CTX *ctx)
{
    size_t len = MAX_SIZE;

    return lc.EVP_PKEY_decrypt(ctx, w->out, &len, w->sig, w->sig_len) > 0 && len == MESSAGE;
}

static int act_encap(struct worker *w, EVP_PKEY_CTX *ctx)
{
    w->sig_len = MAX_SIZE;
    w->secret_len = MAX_SIZE;
    return lc.EVP_PKEY_encapsulate(ctx, w->sig, &w->sig_len, w->secret, &w->secret_len);
}

static int act_decap(struct worker *w, EVP_PKEY_CTX *ctx)
{
    size_t len = MAX_SIZE;

    return lc.EVP_PKEY_decapsulate(ctx, w->out, &len, w->sig, w->sig_len);
}

static EVP_PKEY_CTX *ready(const struct job *job, EVP_PKEY *key, init_fn *init)
{
    EVP_PKEY_CTX *ctx = lc.EVP_PKEY_CTX_new_from_pkey(job->libctx, key, NULL);

    if (ctx != NULL && init(ctx) > 0)
        return ctx;
    lc.EVP_PKEY_CTX_free(ctx);
    return NULL;
}

/* one action on a context of its own: for the preparation, and for --fresh */
static int act_with(struct worker *w, EVP_PKEY *key, init_fn *init, act_fn *act)
{
    EVP_PKEY_CTX *ctx = key != NULL ? ready(w->job, key, init) : NULL;
    int ok = ctx != NULL && act(w, ctx) > 0;

    if (ctx != NULL)
        w->provider = lc.EVP_PKEY_CTX_get0_provider(ctx);
    lc.EVP_PKEY_CTX_free(ctx);
    return ok;
}

static int keep_ctx(struct worker *w, init_fn *init)
{
    if ((w->pctx = ready(w->job, w->job->key, init)) == NULL)
        return 0;
    w->provider = lc.EVP_PKEY_CTX_get0_provider(w->pctx);
    return 1;
}

static int act_once(struct worker *w, init_fn *init, act_fn *act)
{
    EVP_PKEY *key;
    int ok;

    if (!w->job->fresh)
        return act(w, w->pctx) > 0;
    key = import(w->job, w->job->key_data, selection_of(w->job));
    ok = act_with(w, key, init, act);
    lc.EVP_PKEY_free(key);
    return ok;
}

/* --- keygen ------------------------------------------------------------------ */

static int keygen_setup(struct worker *w)
{
    if ((w->pctx = keygen_ctx(w->job)) == NULL)
        return 0;
    w->provider = lc.EVP_PKEY_CTX_get0_provider(w->pctx);
    return 1;
}

static int keygen_once(struct worker *w)
{
    EVP_PKEY *key = NULL;
    int ok = lc.EVP_PKEY_generate(w->pctx, &key) > 0;

    lc.EVP_PKEY_free(key);
    return ok;
}

/* --- sign and verify ----------------------------------------------------------- */

static int message_sign(struct worker *w, EVP_PKEY *key)
{
    w->sig_len = MAX_SIZE;
    return key != NULL &&
           lc.EVP_DigestSignInit_ex(w->mdctx, NULL, NULL, w->job->libctx, NULL, key, NULL) > 0 &&
           lc.EVP_DigestSign(w->mdctx, w->sig, &w->sig_len, w->in, MESSAGE) > 0;
}

static int message_verify(struct worker *w, EVP_PKEY *key)
{
    return key != NULL &&
           lc.EVP_DigestVerifyInit_ex(w->mdctx, NULL, NULL, w->job->libctx, NULL, key, NULL) > 0 &&
           lc.EVP_DigestVerify(w->mdctx, w->sig, w->sig_len, w->in, MESSAGE) > 0;
}

static int message_once(struct worker *w, int (*act)(struct worker *, EVP_PKEY *))
{
    EVP_PKEY *key;
    int ok;

    if (!w->job->fresh)
        return act(w, w->job->key);
    key = import(w->job, w->job->key_data, selection_of(w->job));
    ok = act(w, key);
    lc.EVP_PKEY_free(key);
    return ok;
}

static int first_signature(struct worker *w)
{
    if (!uses_digest_sign(w->job))
        return act_with(w, w->job->key, sign_init, act_sign);
    w->provider = lc.EVP_PKEY_get0_provider(w->job->key);
    return (w->mdctx = lc.EVP_MD_CTX_new()) != NULL && message_sign(w, w->job->key);
}

static int sign_setup(struct worker *w)
{
    return first_signature(w) && (uses_digest_sign(w->job) || keep_ctx(w, sign_init));
}

static int sign_once(struct worker *w)
{
    if (uses_digest_sign(w->job))
        return message_once(w, message_sign);
    return act_once(w, sign_init, act_sign);
}

static int verify_setup(struct worker *w)
{
    return first_signature(w) && (uses_digest_sign(w->job) || keep_ctx(w, verify_init));
}

static int verify_once(struct worker *w)
{
    if (uses_digest_sign(w->job))
        return message_once(w, message_verify);
    return act_once(w, verify_init, act_verify);
}

/* --- encrypt and decrypt, encapsulate and decapsulate ---------------------------- */

static int encrypt_setup(struct worker *w)
{
    return keep_ctx(w, encrypt_init);
}

static int encrypt_once(struct worker *w)
{
    return act_once(w, encrypt_init, act_encrypt);
}

static int decrypt_setup(struct worker *w)
{
    return act_with(w, w->job->key, encrypt_init, act_encrypt) && keep_ctx(w, decrypt_init);
}

static int decrypt_once(struct worker *w)
{
    return act_once(w, decrypt_init, act_decrypt);
}

static int encap_setup(struct worker *w)
{
    return keep_ctx(w, encap_init);
}

static int encap_once(struct worker *w)
{
    return act_once(w, encap_init, act_encap);
}

static int decap_setup(struct worker *w)
{
    return act_with(w, w->job->key, encap_init, act_encap) && keep_ctx(w, decap_init) &&
           act_decap(w, w->pctx) > 0 && memcmp(w->out, w->secret, w->secret_len) == 0;
}

static int decap_once(struct worker *w)
{
    return act_once(w, decap_init, act_decap);
}

/* --- derive ----------------------------------------------------------------------- */

static int derive_init(EVP_PKEY_CTX *ctx)
{
    return lc.EVP_PKEY_derive_init(ctx);
}

static int act_derive(struct worker *w, EVP_PKEY_CTX *ctx)
{
    size_t len = MAX_SIZE;

    return lc.EVP_PKEY_derive(ctx, w->out, &len);
}

static int act_derive_peer(struct worker *w, EVP_PKEY_CTX *ctx)
{
    EVP_PKEY *peer = import(w->job, w->job->peer_data, EVP_PKEY_PUBLIC_KEY);
    int ok = peer != NULL && lc.EVP_PKEY_derive_set_peer(ctx, peer) > 0 && act_derive(w, ctx) > 0;

    lc.EVP_PKEY_free(peer);
    return ok;
}

static int derive_setup(struct worker *w)
{
    if (w->job->fresh)
        return keygen_setup(w);
    return keep_ctx(w, derive_init) && lc.EVP_PKEY_derive_set_peer(w->pctx, w->job->peer) > 0;
}

static int derive_once(struct worker *w)
{
    EVP_PKEY *own = NULL;
    int ok;

    if (!w->job->fresh)
        return act_derive(w, w->pctx) > 0;
    ok = lc.EVP_PKEY_generate(w->pctx, &own) > 0 && act_with(w, own, derive_init, act_derive_peer);
    lc.EVP_PKEY_free(own);
    return ok;
}

const struct op key_ops[] = {
    { "keygen", "generate a key pair", NULL, keygen_setup, keygen_once },
    { "sign", "sign 32 bytes", prepare_private, sign_setup, sign_once },
    { "verify", "verify that signature", prepare_public, verify_setup, verify_once },
    { "encrypt", "RSA encryption of 32 bytes", prepare_public, encrypt_setup, encrypt_once },
    { "decrypt", "RSA decryption", prepare_private, decrypt_setup, decrypt_once },
    { "encap", "KEM encapsulation", prepare_public, encap_setup, encap_once },
    { "decap", "KEM decapsulation", prepare_private, decap_setup, decap_once },
    { "derive", "key agreement", prepare_pair, derive_setup, derive_once },
    { NULL, NULL, NULL, NULL, NULL },
};
