/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EncryptedPrivateKeyInfo; see pbes2.h. Ciphers are reached as OpenSSL reaches them,
 * through their dispatch tables. */
#include "pbes2.h"

#include <string.h>

#include "../provider/der.h"
#include "../provider/err.h"
#include "../provider/mem.h"
#include "../provider/names.h"
#include "../provider/params.h"
#include "../provider/rng.h"
#include "pbkdf2.h"

#define ITERATIONS 2048
#define SALT 16
#define MAX_PASSPHRASE 1024     /* PEM_BUFSIZE */
#define MAX_KEY 64
#define MAX_IV 16
#define MAX_BLOCK 32
#define MAX_OID 64

/* OpenSSL's EVP_CIPH_*_MODE; those whose only parameter is the IV */
enum { MODE_ECB = 1, MODE_OFB = 4 };

struct shape {
    unsigned mode;
    size_t key, iv;
};

static void (*find(const OSSL_ALGORITHM *cipher, int id))(void)
{
    const OSSL_DISPATCH *f = cipher->implementation;

    while (f->function_id != id && f->function_id != 0)
        f++;
    return f->function;
}
#define CIPHER(cipher, id, name) ((OSSL_FUNC_cipher_##name##_fn *)find(cipher, \
                                                                     OSSL_FUNC_CIPHER_##id))

static int get_shape(const OSSL_ALGORITHM *cipher, struct shape *s)
{
    OSSL_PARAM params[] = {
        OSSL_PARAM_uint(OSSL_CIPHER_PARAM_MODE, &s->mode),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, &s->key),
        OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, &s->iv),
        OSSL_PARAM_END
    };

    memset(s, 0, sizeof(*s));
    return CIPHER(cipher, GET_PARAMS, get_params)(params) && s->mode >= MODE_ECB
        && s->mode <= MODE_OFB && s->key <= MAX_KEY && s->iv <= MAX_IV;
}

/* The dotted OID in a list of names, copied to oid; 0 if it has none. */
static int get_oid(const char *names, char oid[MAX_OID])
{
    size_t n;

    for (;; names += n + 1) {
        n = strcspn(names, ":");
        if (strspn(names, "0123456789.") == n && n > 0 && n < MAX_OID) {
            memcpy(oid, names, n);
            oid[n] = '\0';
            return 1;
        }
        if (names[n] == '\0')
            return 0;
    }
}

const OSSL_ALGORITHM *wn_pbes2_cipher(const struct wn_prov *prov, const char *name)
{
    char oid[MAX_OID];
    struct shape s;
    int no_cache;
    const OSSL_ALGORITHM *a = wn_query_operation((void *)(uintptr_t)prov, OSSL_OP_CIPHER, &no_cache);

    for (; a != NULL && a->algorithm_names != NULL; a++)
        if (wn_name_listed(a->algorithm_names, name))
            break;
    if (a != NULL && a->algorithm_names != NULL && get_oid(a->algorithm_names, oid)
        && get_shape(a, &s))
        return a;
    WN_RAISE_MSG(prov, PROV_R_INVALID_CIPHER, "%s cannot encrypt a private key", name);
    return NULL;
}

/* Encrypts the n bytes at d with padding; out has room for MAX_BLOCK more. */
static int run_cipher(const struct wn_prov *prov, const OSSL_ALGORITHM *cipher,
                      const struct shape *s, const unsigned char *key, const unsigned char *iv,
                      const unsigned char *d, size_t n, unsigned char *out, size_t *out_n)
{
    void *ctx = CIPHER(cipher, NEWCTX, newctx)((void *)(uintptr_t)prov);
    size_t head = 0, tail = 0, room = n + MAX_BLOCK;
    int ok = ctx != NULL
        && CIPHER(cipher, ENCRYPT_INIT, encrypt_init)(ctx, key, s->key, s->iv != 0 ? iv : NULL,
                                                      s->iv, NULL)
        && CIPHER(cipher, UPDATE, update)(ctx, out, &head, room, d, n)
        && CIPHER(cipher, FINAL, final)(ctx, out + head, &tail, room - head);

    if (ctx != NULL)
        CIPHER(cipher, FREECTX, freectx)(ctx);
    *out_n = head + tail;
    return ok;
}

/* The AlgorithmIdentifier, in front of the encrypted data */
static void write_params(struct wn_der_w *w, const char *oid, const unsigned char *salt,
                         const unsigned char *iv, size_t iv_n)
{
    size_t whole = wn_der_w_mark(w), kdf;

    wn_der_w_octets(w, WN_DER_OCTET_STRING, iv, iv_n);
    wn_der_w_oid(w, oid);
    wn_der_w_wrap(w, WN_DER_SEQUENCE, whole);
    kdf = wn_der_w_mark(w);
    wn_der_w_null(w);
    wn_der_w_oid(w, "1.2.840.113549.2.9");              /* hmacWithSHA256 */
    wn_der_w_wrap(w, WN_DER_SEQUENCE, kdf);
    wn_der_w_small(w, ITERATIONS);
    wn_der_w_octets(w, WN_DER_OCTET_STRING, salt, SALT);
    wn_der_w_wrap(w, WN_DER_SEQUENCE, kdf);
    wn_der_w_oid(w, "1.2.840.113549.1.5.12");           /* id-PBKDF2 */
    wn_der_w_wrap(w, WN_DER_SEQUENCE, kdf);
    wn_der_w_wrap(w, WN_DER_SEQUENCE, whole);
    wn_der_w_oid(w, "1.2.840.113549.1.5.13");           /* id-PBES2 */
    wn_der_w_wrap(w, WN_DER_SEQUENCE, whole);
}

static int derive(const struct wn_prov *prov, OSSL_PASSPHRASE_CALLBACK *cb, void *arg,
                  const unsigned char *salt, unsigned char *key, size_t n)
{
    char passphrase[MAX_PASSPHRASE];
    size_t len = 0;
    int ok = cb != NULL && cb(passphrase, sizeof(passphrase), &len, NULL, arg)
        && len <= sizeof(passphrase);

    if (ok)
        wn_pbkdf2(wn_md_find("SHA2-256"), passphrase, len, salt, SALT, ITERATIONS, key, n);
    else
        WN_RAISE(prov, PROV_R_UNABLE_TO_GET_PASSPHRASE);
    wn_clear(passphrase, sizeof(passphrase));
    return ok;
}

int wn_pbes2_encrypt(const struct wn_prov *prov, const OSSL_ALGORITHM *cipher,
                     OSSL_PASSPHRASE_CALLBACK *cb, void *arg, const unsigned char *d, size_t n,
                     unsigned char **out, size_t *out_n)
{
    unsigned char key[MAX_KEY], salt[SALT], iv[MAX_IV], *data, *buf;
    size_t room = n + MAX_BLOCK, data_n, size = room + 256;
    char oid[MAX_OID];
    struct wn_der_w w;
    struct shape s;
    int ok;

    data = wn_malloc(prov, room);
    buf = data == NULL ? NULL : wn_malloc(prov, size);
    ok = buf != NULL && get_oid(cipher->algorithm_names, oid) && get_shape(cipher, &s)
        && wn_rng_bytes(prov, salt, sizeof(salt)) && wn_rng_bytes(prov, iv, sizeof(iv))
        && derive(prov, cb, arg, salt, key, s.key)
        && run_cipher(prov, cipher, &s, key, iv, d, n, data, &data_n);
    wn_clear(key, sizeof(key));
    if (ok) {
        wn_der_w_init(&w, buf, size);
        wn_der_w_octets(&w, WN_DER_OCTET_STRING, data, data_n);
        write_params(&w, oid, salt, iv, s.iv);
        wn_der_w_wrap(&w, WN_DER_SEQUENCE, 0);
        *out = wn_memdup(prov, wn_der_w_start(&w), w.n);
        *out_n = w.n;
        ok = *out != NULL;
    }
    wn_free(prov, buf);
    wn_free(prov, data);
    return ok;
}
