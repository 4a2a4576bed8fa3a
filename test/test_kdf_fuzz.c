/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every KDF against the default provider with random parameters, good and bad,
 * in one call or several, on fresh, reset and duplicated contexts: the same
 * results, sizes and failures, and where the default provider names a reason,
 * ours is the same.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include "wntest.h"

enum kind { BYTES, TEXT, NUMBER, BIG };

struct field {
    const char *key;
    enum kind kind;
    size_t most;                /* BYTES: longest value */
    const char *choices[16];    /* TEXT, NUMBER: values (NULL ends) */
    unsigned rare;              /* one context in so many lacks it; 0 none */
};

#define DIGESTS "SHA1", "SHA256", "SHA2-512", "SHA3-256", "MD5", "SHA384"
#define ALL_DIGESTS DIGESTS, "SHA512-224", "sha224", "NO-SUCH-DIGEST", "MD5-SHA1", \
    "RIPEMD160", "BLAKE2B-512", "BLAKE2s256"

struct kdf {
    const char *name;
    size_t longest;             /* output */
    const struct field fields[16];
};

static const struct kdf kdfs[] = {
    { "HKDF", 900, {
        { "digest", TEXT, 0, { ALL_DIGESTS }, 20 }, { "mode", TEXT, 0, { "EXTRACT_AND_EXPAND",
          "EXTRACT_ONLY", "EXPAND_ONLY", "expand_only", "EXPAND" }, 2 },
        { "key", BYTES, 200, { NULL }, 30 }, { "salt", BYTES, 150, { NULL }, 2 },
        { "info", BYTES, 300, { NULL }, 2 }, { "info", BYTES, 60, { NULL }, 2 } } },
    { "TLS13-KDF", 70, {
        { "digest", TEXT, 0, { DIGESTS }, 30 },
        { "mode", TEXT, 0, { "EXTRACT_ONLY", "EXPAND_ONLY", "EXPAND_ONLY", "EXTRACT_AND_EXPAND" },
          30 },
        { "key", BYTES, 64, { NULL }, 5 }, { "salt", BYTES, 64, { NULL }, 2 },
        { "prefix", BYTES, 20, { NULL }, 10 }, { "label", BYTES, 250, { NULL }, 10 },
        { "data", BYTES, 260, { NULL }, 3 } } },
    { "TLS1-PRF", 300, {
        { "digest", TEXT, 0, { DIGESTS, "MD5-SHA1", "md5-sha1", "SHA224", "NO-SUCH-DIGEST" }, 20 },
        { "secret", BYTES, 130, { NULL }, 20 }, { "seed", BYTES, 100, { NULL }, 20 },
        { "seed", BYTES, 100, { NULL }, 2 } } },
    { "PBKDF2", 100, {
        { "digest", TEXT, 0, { ALL_DIGESTS }, 4 }, { "pass", BYTES, 150, { NULL }, 30 },
        { "salt", BYTES, 70, { NULL }, 30 },
        { "iter", NUMBER, 0, { "1", "2", "3", "100", "999", "1000", "0" }, 30 },
        { "pkcs5", NUMBER, 0, { "0", "1" }, 2 } } },
    { "PKCS12KDF", 150, {
        { "digest", TEXT, 0, { DIGESTS, "SHA512-256", "SHA3-512", "NO-SUCH-DIGEST" }, 30 },
        { "pass", BYTES, 300, { NULL }, 30 }, { "salt", BYTES, 300, { NULL }, 30 },
        { "id", NUMBER, 0, { "1", "2", "3", "0", "255", "-1" }, 30 },
        { "iter", NUMBER, 0, { "1", "2", "17", "0" }, 10 } } },
    { "SSKDF", 300, {
        { "digest", TEXT, 0, { DIGESTS, "SHA224", "SHA512-224", "NO-SUCH-DIGEST", "MD5-SHA1" },
          20 },
        { "mac", TEXT, 0, { "HMAC", "KMAC128", "KMAC-256", "hmac", "CMAC" }, 2 },
        { "secret", BYTES, 200, { NULL }, 4 }, { "key", BYTES, 50, { NULL }, 2 },
        { "info", BYTES, 200, { NULL }, 3 }, { "salt", BYTES, 520, { NULL }, 2 },
        { "maclen", NUMBER, 0, { "20", "28", "32", "48", "64", "33" }, 2 } } },
    { "X963KDF", 300, {
        { "digest", TEXT, 0, { DIGESTS, "SHA224", "SHA512-224", "NO-SUCH-DIGEST", "MD5-SHA1" },
          20 },
        { "secret", BYTES, 200, { NULL }, 4 }, { "key", BYTES, 50, { NULL }, 2 },
        { "info", BYTES, 200, { NULL }, 3 } } },
    { "X942KDF-ASN1", 200, {
        { "digest", TEXT, 0, { DIGESTS, "NO-SUCH-DIGEST", "SHA224" }, 20 },
        { "secret", BYTES, 200, { NULL }, 4 }, { "key", BYTES, 50, { NULL }, 2 },
        { "cekalg", TEXT, 0, { "AES-128-WRAP", "id-aes192-wrap", "AES-256-WRAP", "DES3-WRAP",
          "AES-128-CBC" }, 30 },
        { "ukm", BYTES, 70, { NULL }, 2 }, { "partyu-info", BYTES, 140, { NULL }, 2 },
        { "partyv-info", BYTES, 300, { NULL }, 2 }, { "supp-pubinfo", BYTES, 40, { NULL }, 4 },
        { "supp-privinfo", BYTES, 40, { NULL }, 2 },
        { "use-keybits", NUMBER, 0, { "0", "1" }, 2 },
        { "acvp-info", BYTES, 40, { NULL }, 4 } } },
    { "KBKDF", 300, {
        { "mac", TEXT, 0, { "HMAC", "HMAC", "CMAC", "hmac", "POLY1305" }, 30 },
        { "digest", TEXT, 0, { DIGESTS, "SHA224", "NO-SUCH-DIGEST" }, 30 },
        { "cipher", TEXT, 0, { "AES-128-CBC", "AES-256-CBC", "AES192", "NO-SUCH-CIPHER" }, 30 },
        { "mode", TEXT, 0, { "counter", "FEEDBACK", "feedback", "COUNTER", "other" }, 2 },
        { "key", BYTES, 32, { NULL }, 30 }, { "salt", BYTES, 80, { NULL }, 3 },
        { "info", BYTES, 80, { NULL }, 3 }, { "seed", BYTES, 40, { NULL }, 4 },
        { "use-l", NUMBER, 0, { "0", "1" }, 2 }, { "use-separator", NUMBER, 0, { "0", "1" }, 2 } } },
    { "SSHKDF", 300, {
        { "digest", TEXT, 0, { DIGESTS, "SHA224", "NO-SUCH-DIGEST" }, 30 },
        { "key", BYTES, 200, { NULL }, 30 }, { "xcghash", BYTES, 70, { NULL }, 30 },
        { "session_id", BYTES, 70, { NULL }, 30 },
        { "type", TEXT, 0, { "A", "B", "C", "D", "E", "F", "G", "AB", "@" }, 20 } } },
    { "SCRYPT", 100, {
        { "pass", BYTES, 100, { NULL }, 30 }, { "salt", BYTES, 100, { NULL }, 30 },
        { "n", BIG, 0, { "2", "4", "16", "64", "1024", "3", "0", "1", "1099511627776" }, 0 },
        { "r", NUMBER, 0, { "1", "2", "3", "8", "9", "40", "0" }, 5 },
        { "p", NUMBER, 0, { "1", "2", "5", "0", "1073741824" }, 5 },
        { "maxmem_bytes", BIG, 0, { "100000000", "2000000", "1000" }, 3 } } },
    { "KRB5KDF", 40, {
        { "cipher", TEXT, 0, { "AES-128-CBC", "AES-256-CBC", "AES-192-CBC", "DES-EDE3-CBC",
          "aes256", "AES-128-ECB", "AES-256-CBC-CTS" }, 30 },
        { "key", BYTES, 33, { NULL }, 30 }, { "constant", BYTES, 18, { NULL }, 30 } } },
};

#define N_KDFS (sizeof(kdfs) / sizeof(kdfs[0]))

/* ---- random parameters -------------------------------------------------------- */

struct values {
    OSSL_PARAM params[20];
    size_t n;
    union {
        unsigned char bytes[600];
        char text[40];
        int number;
        uint64_t big;
    } store[20];
};

static size_t some_length(size_t most)
{
    static const size_t special[] = { 0, 1, 8, 15, 16, 17, 20, 21, 24, 32, 48, 64 };
    size_t n = wnt_rand_below(2) ? special[wnt_rand_below(12)] : wnt_rand_below(most + 1);

    return n > most ? most : n;
}

static void add(struct values *v, const struct field *f)
{
    OSSL_PARAM *p = &v->params[v->n];
    size_t n_choices = 0, n;
    const char *choice;

    while (n_choices < 16 && f->choices[n_choices] != NULL)
        n_choices++;
    choice = n_choices != 0 ? f->choices[wnt_rand_below(n_choices)] : NULL;
    switch (f->kind) {
    case BYTES:
        n = some_length(f->most);
        /* OpenSSL's PKCS12KDF fails when password and salt are both empty */
        if (n == 0 && strcmp(f->key, "salt") == 0)
            n = 1;
        /* an empty one is refused by ours, and by OpenSSL's later releases */
        if (n == 0 && strcmp(f->key, "constant") == 0)
            n = 1;
        wnt_rand_bytes(v->store[v->n].bytes, n);
        *p = OSSL_PARAM_construct_octet_string(f->key, v->store[v->n].bytes, n);
        break;
    case TEXT:
        strcpy(v->store[v->n].text, choice);
        *p = OSSL_PARAM_construct_utf8_string(f->key, v->store[v->n].text, 0);
        break;
    case NUMBER:
        v->store[v->n].number = atoi(choice);
        *p = OSSL_PARAM_construct_int(f->key, &v->store[v->n].number);
        break;
    case BIG:
        v->store[v->n].big = strtoull(choice, NULL, 10);
        *p = OSSL_PARAM_construct_uint64(f->key, &v->store[v->n].big);
        break;
    }
    v->n++;
}

static void random_values(struct values *v, const struct kdf *kdf, int few)
{
    const struct field *f;

    v->n = 0;
    for (f = kdf->fields; f->key != NULL; f++)
        if (few ? wnt_rand_below(3) == 0 : f->rare == 0 || wnt_rand_below(f->rare) != 0)
            add(v, f);
    v->params[v->n] = OSSL_PARAM_construct_end();
}

/* ---- comparison ----------------------------------------------------------------- */

static EVP_KDF_CTX *new_ctx(OSSL_LIB_CTX *ctx, const char *name)
{
    EVP_KDF *kdf = EVP_KDF_fetch(ctx, name, NULL);
    EVP_KDF_CTX *k;

    assert_non_null(kdf);
    if (ctx == wnt_wolf())
        wnt_assert_wolfnano(EVP_KDF_get0_provider(kdf));
    k = EVP_KDF_CTX_new(kdf);
    EVP_KDF_free(kdf);
    assert_non_null(k);
    return k;
}

static void show(const struct kdf *kdf, const struct values *v)
{
    size_t i;

    fprintf(stderr, "%s:", kdf->name);
    for (i = 0; i < v->n; i++) {
        const OSSL_PARAM *p = &v->params[i];

        if (p->data_type == OSSL_PARAM_UTF8_STRING)
            fprintf(stderr, " %s=%s", p->key, (char *)p->data);
        else if (p->data_type == OSSL_PARAM_OCTET_STRING)
            fprintf(stderr, " %s[%zu]", p->key, p->data_size);
        else if (p->data_type == OSSL_PARAM_INTEGER)
            fprintf(stderr, " %s=%d", p->key, *(int *)p->data);
        else
            fprintf(stderr, " %s=%llu", p->key, *(unsigned long long *)p->data);
    }
    fprintf(stderr, "\n");
}

/*
 * Where ours differs on purpose: OpenSSL names no reason or reports what its
 * own inner calls (EVP_MAC, EVP_CIPHER, HMAC) ran into.
 */
static int same_reason(const struct kdf *kdf, unsigned long theirs, unsigned long ours)
{
    (void)kdf;
    if (ours == 0)
        return 0;
    if (theirs == 0 || ERR_GET_LIB(theirs) != ERR_LIB_PROV)
        return 1;
    return ERR_GET_REASON(theirs) == ERR_GET_REASON(ours);
}

static void compare(const struct kdf *kdf, const struct values *v, const char *what, int ours,
                    int theirs, unsigned long our_error, unsigned long their_error)
{
    if ((ours > 0) == (theirs > 0)
        && (ours > 0 ? our_error == 0 : same_reason(kdf, their_error, our_error)))
        return;
    show(kdf, v);
    fail_msg("%s %s: ours %d (%s), default %d (%s)", kdf->name, what, ours,
             our_error != 0 ? ERR_reason_error_string(our_error) : "-", theirs,
             their_error != 0 ? ERR_reason_error_string(their_error) : "-");
}

struct both {
    EVP_KDF_CTX *k[2];          /* ours, the default's */
};

static int set(struct both *b, const struct kdf *kdf, const struct values *v)
{
    unsigned long e[2];
    int ok[2], i;

    for (i = 0; i < 2; i++) {
        ERR_clear_error();
        ok[i] = EVP_KDF_CTX_set_params(b->k[i], v->params);
        e[i] = ERR_peek_error();
    }
    compare(kdf, v, "set", ok[0], ok[1], e[0], e[1]);
    return ok[0] > 0;
}

static int derive(struct both *b, const struct kdf *kdf, const struct values *v, size_t n,
                  const OSSL_PARAM *params)
{
    unsigned char out[2][1000];
    unsigned long e[2];
    size_t size[2];
    int ok[2], i;

    for (i = 0; i < 2; i++) {
        memset(out[i], 0xaa, sizeof(out[i]));
        ERR_clear_error();
        ok[i] = EVP_KDF_derive(b->k[i], out[i], n, params);
        e[i] = ERR_peek_error();
        size[i] = EVP_KDF_CTX_get_kdf_size(b->k[i]);
    }
    compare(kdf, v, "derive", ok[0], ok[1], e[0], e[1]);
    if (ok[0] > 0 && memcmp(out[0], out[1], sizeof(out[0])) != 0) {
        show(kdf, v);
        fail_msg("%s: other output (%zu bytes)", kdf->name, n);
    }
    if (ok[0] > 0 && size[0] != size[1]) {
        show(kdf, v);
        fail_msg("%s: size %zu, not %zu", kdf->name, size[0], size[1]);
    }
    return ok[0] > 0;
}

static size_t output_length(const struct kdf *kdf, const struct values *v)
{
    static const size_t likely[] = { 16, 20, 24, 32, 48, 64, 21 };
    const OSSL_PARAM *key = OSSL_PARAM_locate_const(v->params, "key");

    /* Kerberos derives keys as long as the one it has */
    if (strcmp(kdf->name, "KRB5KDF") == 0 && key != NULL && wnt_rand_below(5) != 0)
        return key->data_size;
    return wnt_rand_below(3) ? likely[wnt_rand_below(7)] : wnt_rand_below(kdf->longest + 1);
}

/* One context of each, through a life of sets and derivations. */
static int round_of(const struct kdf *kdf)
{
    struct both b = { { new_ctx(wnt_wolf(), kdf->name), new_ctx(wnt_default(), kdf->name) } };
    struct values first, more;
    size_t n;
    int good = 0, i;

    random_values(&first, kdf, 0);
    n = output_length(kdf, &first);
    if (wnt_rand_below(2)) {
        good += derive(&b, kdf, &first, n, first.params);
    } else if (set(&b, kdf, &first)) {
        good += derive(&b, kdf, &first, n, NULL);
        good += derive(&b, kdf, &first, output_length(kdf, &first), NULL);
    }
    /* a second life, from which what failed before must have left no trace */
    for (i = 0; i < 2; i++)
        EVP_KDF_CTX_reset(b.k[i]);
    random_values(&more, kdf, 0);
    if (set(&b, kdf, &more))
        good += derive(&b, kdf, &more, output_length(kdf, &more), NULL);
    for (i = 0; i < 2; i++)
        EVP_KDF_CTX_free(b.k[i]);
    ERR_clear_error();
    return good;
}

static void as_the_default(void **state)
{
    size_t i;
    int round, good;

    (void)state;
    for (i = 0; i < N_KDFS; i++) {
        good = 0;
        for (round = 0; round < 400; round++)
            good += round_of(&kdfs[i]);
        /* or the comparison is of failures only */
        if (good < 10)
            fail_msg("%s: only %d derivations succeeded", kdfs[i].name, good);
    }
}

/* A copy has the original's values and goes its own way. */
static void duplicates(void **state)
{
    unsigned char a[64], b[64], c[64];
    struct values v;
    size_t i;
    int round, good;

    (void)state;
    for (i = 0; i < N_KDFS; i++) {
        for (round = 0, good = 0; round < 3000 && good < 20; round++) {
            EVP_KDF_CTX *k = new_ctx(wnt_wolf(), kdfs[i].name), *copy;
            size_t n = 32;

            random_values(&v, &kdfs[i], 0);
            if (EVP_KDF_CTX_set_params(k, v.params) > 0
                && (EVP_KDF_derive(k, a, n, NULL) > 0
                    || EVP_KDF_derive(k, a, n = 16, NULL) > 0
                    || EVP_KDF_derive(k, a, n = 24, NULL) > 0)) {
                good++;
                ERR_clear_error();
                copy = EVP_KDF_CTX_dup(k);
                assert_non_null(copy);
                EVP_KDF_CTX_reset(k);
                wnt_ok(EVP_KDF_derive(copy, b, n, NULL));
                assert_memory_equal(a, b, n);
                assert_false(EVP_KDF_derive(k, c, n, NULL) > 0);
                EVP_KDF_CTX_free(copy);
            }
            EVP_KDF_CTX_free(k);
            ERR_clear_error();
        }
        if (good != 20)
            fail_msg("%s: %d", kdfs[i].name, good);
    }
}

/* A call that fails changes nothing, whatever of it was good. */
static void failed_sets_change_nothing(void **state)
{
    unsigned char a[64], b[64];
    struct values v, bad;
    size_t i;
    int round, good;

    (void)state;
    for (i = 0; i < N_KDFS; i++) {
        for (round = 0, good = 0; round < 3000 && good < 20; round++) {
            EVP_KDF_CTX *k = new_ctx(wnt_wolf(), kdfs[i].name);
            size_t n = 32;

            random_values(&v, &kdfs[i], 0);
            random_values(&bad, &kdfs[i], 0);
            /* the last of them is of the wrong type */
            if (bad.n > 0) {
                bad.params[bad.n - 1].data_type = OSSL_PARAM_REAL;
                if (EVP_KDF_CTX_set_params(k, v.params) > 0
                    && (EVP_KDF_derive(k, a, n, NULL) > 0
                        || EVP_KDF_derive(k, a, n = 16, NULL) > 0
                        || EVP_KDF_derive(k, a, n = 24, NULL) > 0)
                    && EVP_KDF_CTX_set_params(k, bad.params) <= 0) {
                    good++;
                    assert_int_not_equal(ERR_peek_error(), 0);
                    ERR_clear_error();
                    wnt_ok(EVP_KDF_derive(k, b, n, NULL));
                    assert_memory_equal(a, b, n);
                }
            }
            EVP_KDF_CTX_free(k);
            ERR_clear_error();
        }
        if (good != 20)
            fail_msg("%s: %d", kdfs[i].name, good);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_default),
        cmocka_unit_test(duplicates),
        cmocka_unit_test(failed_sets_change_nothing),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
