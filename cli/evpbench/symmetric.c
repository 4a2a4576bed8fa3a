/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * evpbench: ciphers, AEAD messages, digests, MACs and random bytes, each
 * through the EVP calls that an application makes for one message.
 */
#include "ops.h"

#include <string.h>

#define AEAD_NONCE 12
#define AEAD_TAG   16

/* --- ciphers ------------------------------------------------------------- */

static int cipher_fetch(struct worker *w, int encrypt)
{
    w->cipher = lc.EVP_CIPHER_fetch(w->job->libctx, w->job->algorithm, NULL);
    if (w->cipher == NULL || (w->cctx = lc.EVP_CIPHER_CTX_new()) == NULL)
        return 0;
    w->provider = lc.EVP_CIPHER_get0_provider(w->cipher);
    w->encrypt = encrypt;
    w->mode = lc.EVP_CIPHER_get_mode(w->cipher);
    w->iv_len = lc.EVP_CIPHER_get_iv_length(w->cipher);
    return 1;
}

static int stream_start(struct worker *w, int encrypt)
{
    if (!cipher_fetch(w, encrypt))
        return 0;
    if (!lc.EVP_CipherInit_ex2(w->cctx, w->cipher, w->key, w->iv, encrypt, NULL))
        return 0;
    return lc.EVP_CIPHER_CTX_set_padding(w->cctx, 0);
}

static int stream_enc_setup(struct worker *w)
{
    return stream_start(w, 1);
}

static int stream_dec_setup(struct worker *w)
{
    return stream_start(w, 0);
}

static int stream_once(struct worker *w)
{
    int len = 0;

    return lc.EVP_CipherUpdate(w->cctx, w->out, &len, w->in, (int)w->job->size) &&
           (size_t)len == w->job->size;
}

/* --- AEAD: one message, tag included -------------------------------------- */

static int aead_init(struct worker *w, const unsigned char *key)
{
    if (w->mode == EVP_CIPH_CCM_MODE) {
        /* CCM wants its lengths before the key */
        if (lc.EVP_CIPHER_CTX_ctrl(w->cctx, EVP_CTRL_AEAD_SET_IVLEN, AEAD_NONCE, NULL) <= 0 ||
            lc.EVP_CIPHER_CTX_ctrl(w->cctx, EVP_CTRL_AEAD_SET_TAG, AEAD_TAG,
                                   w->encrypt ? NULL : w->tag) <= 0)
            return 0;
    }
    return lc.EVP_CipherInit_ex2(w->cctx, NULL, key, w->iv, w->encrypt, NULL);
}

static int aead_message(struct worker *w, const unsigned char *key)
{
    const struct job *job = w->job;
    int len = 0, last = 0;

    if (!aead_init(w, key))
        return 0;
    if (w->mode == EVP_CIPH_CCM_MODE &&
        !lc.EVP_CipherUpdate(w->cctx, NULL, &len, NULL, (int)job->size))
        return 0;
    if (job->aad > 0 && !lc.EVP_CipherUpdate(w->cctx, NULL, &len, w->iv, (int)job->aad))
        return 0;
    if (!w->encrypt && w->mode != EVP_CIPH_CCM_MODE &&
        lc.EVP_CIPHER_CTX_ctrl(w->cctx, EVP_CTRL_AEAD_SET_TAG, AEAD_TAG, w->tag) <= 0)
        return 0;
    if (!lc.EVP_CipherUpdate(w->cctx, w->out, &len, w->in, (int)job->size) ||
        (size_t)len != job->size)
        return 0;
    if ((w->encrypt || w->mode != EVP_CIPH_CCM_MODE) &&
        !lc.EVP_CipherFinal_ex(w->cctx, w->out + len, &last))
        return 0;
    return !w->encrypt ||
           lc.EVP_CIPHER_CTX_ctrl(w->cctx, EVP_CTRL_AEAD_GET_TAG, AEAD_TAG, w->tag) > 0;
}

static int aead_start(struct worker *w)
{
    if (!cipher_fetch(w, 1) || !lc.EVP_CipherInit_ex2(w->cctx, w->cipher, NULL, NULL, 1, NULL))
        return 0;
    return aead_message(w, w->key);
}

static int aead_dec_setup(struct worker *w)
{
    if (!aead_start(w))
        return 0;
    memcpy(w->in, w->out, w->job->size); /* the ciphertext; its tag is in w->tag */
    w->encrypt = 0;
    return lc.EVP_CipherInit_ex2(w->cctx, w->cipher, NULL, NULL, 0, NULL);
}

static int aead_once(struct worker *w)
{
    return aead_message(w, w->key);
}

/* TLS-like: the key stays, each record has its nonce */
static int aead_nonce_once(struct worker *w)
{
    if (++w->iv[0] == 0)
        w->iv[1]++;
    return aead_message(w, NULL);
}

/* --- digests and MACs ------------------------------------------------------ */

static int digest_setup(struct worker *w)
{
    w->md = lc.EVP_MD_fetch(w->job->libctx, w->job->algorithm, NULL);
    if (w->md == NULL || (w->mdctx = lc.EVP_MD_CTX_new()) == NULL)
        return 0;
    w->provider = lc.EVP_MD_get0_provider(w->md);
    return 1;
}

static int digest_once(struct worker *w)
{
    unsigned int len = 0;

    return lc.EVP_DigestInit_ex2(w->mdctx, w->md, NULL) &&
           lc.EVP_DigestUpdate(w->mdctx, w->in, w->job->size) &&
           lc.EVP_DigestFinal_ex(w->mdctx, w->out, &len);
}

/* a new context for each message, as a one-shot helper makes it */
static int digest_new_once(struct worker *w)
{
    EVP_MD_CTX *keep = w->mdctx;
    int ok;

    if ((w->mdctx = lc.EVP_MD_CTX_new()) == NULL) {
        w->mdctx = keep;
        return 0;
    }
    ok = digest_once(w);
    lc.EVP_MD_CTX_free(w->mdctx);
    w->mdctx = keep;
    return ok;
}

static size_t mac_key_len(const struct job *job)
{
    if (job->detail != NULL && strstr(job->detail, "128") != NULL)
        return 16;
    return 32;
}

static int mac_setup(struct worker *w)
{
    struct job *job = w->job;
    OSSL_PARAM params[3] = { OSSL_PARAM_END, OSSL_PARAM_END, OSSL_PARAM_END };
    int n = 0;

    w->mac = lc.EVP_MAC_fetch(job->libctx, job->algorithm, NULL);
    if (w->mac == NULL || (w->macctx = lc.EVP_MAC_CTX_new(w->mac)) == NULL)
        return 0;
    w->provider = lc.EVP_MAC_get0_provider(w->mac);
    if (job->detail != NULL) {
        const char *key =
            strcmp(job->algorithm, "HMAC") == 0 ? OSSL_MAC_PARAM_DIGEST : OSSL_MAC_PARAM_CIPHER;

        params[n++] = (OSSL_PARAM){ key, OSSL_PARAM_UTF8_STRING, (void *)job->detail,
                                    strlen(job->detail), 0 };
    }
    if (strcmp(job->algorithm, "GMAC") == 0)
        params[n++] =
            (OSSL_PARAM){ OSSL_MAC_PARAM_IV, OSSL_PARAM_OCTET_STRING, w->iv, AEAD_NONCE, 0 };
    return lc.EVP_MAC_init(w->macctx, w->key, mac_key_len(job), params);
}

static int mac_message(struct worker *w, const unsigned char *key, size_t key_len)
{
    OSSL_PARAM iv[2] = { { OSSL_MAC_PARAM_IV, OSSL_PARAM_OCTET_STRING, w->iv, AEAD_NONCE, 0 },
                         OSSL_PARAM_END };
    const OSSL_PARAM *params = strcmp(w->job->algorithm, "GMAC") == 0 ? iv : NULL;
    size_t len = 0;

    return lc.EVP_MAC_init(w->macctx, key, key_len, params) &&
           lc.EVP_MAC_update(w->macctx, w->in, w->job->size) &&
           lc.EVP_MAC_final(w->macctx, w->out, &len, MAX_SIZE);
}

static int mac_once(struct worker *w)
{
    return mac_message(w, w->key, mac_key_len(w->job));
}

static int mac_again_once(struct worker *w)
{
    return mac_message(w, NULL, 0);
}

/* --- random bytes ----------------------------------------------------------- */

static int rand_setup(struct worker *w)
{
    EVP_RAND_CTX *ctx = lc.RAND_get0_public(w->job->libctx);

    if (ctx == NULL)
        return 0;
    w->provider = lc.EVP_RAND_get0_provider(lc.EVP_RAND_CTX_get0_rand(ctx));
    return 1;
}

static int rand_once(struct worker *w)
{
    return lc.RAND_bytes_ex(w->job->libctx, w->out, w->job->size, 0) == 1;
}

const struct op symmetric_ops[] = {
    { "stream-enc", "EncryptUpdate on one keyed context", NULL, stream_enc_setup, stream_once },
    { "stream-dec", "DecryptUpdate on one keyed context", NULL, stream_dec_setup, stream_once },
    { "aead-enc", "one message: key and nonce, encrypt, tag", NULL, aead_start, aead_once },
    { "aead-dec", "one message: key and nonce, tag, decrypt", NULL, aead_dec_setup, aead_once },
    { "aead-record", "one record: nonce only, encrypt, tag", NULL, aead_start, aead_nonce_once },
    { "digest", "one message on a kept context", NULL, digest_setup, digest_once },
    { "digest-new", "one message, context made and freed", NULL, digest_setup, digest_new_once },
    { "mac", "one message: key, data, tag", NULL, mac_setup, mac_once },
    { "mac-again", "one message under the key already set", NULL, mac_setup, mac_again_once },
    { "rand", "RAND_bytes", NULL, rand_setup, rand_once },
    { NULL, NULL, NULL, NULL, NULL },
};
