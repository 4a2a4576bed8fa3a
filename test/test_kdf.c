/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_KDF through libcrypto: published vectors, by both providers; names and
 * lists of parameters as the default's; reasons of errors; sizes and what can be
 * asked back; the KDFs that are EVP_PKEYs too.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include "wntest.h"

/* ---- helpers -------------------------------------------------------------------- */

static EVP_KDF_CTX *new_ctx(OSSL_LIB_CTX *lib, const char *name)
{
    EVP_KDF *kdf = EVP_KDF_fetch(lib, name, NULL);
    EVP_KDF_CTX *k;

    if (kdf == NULL) {
        ERR_clear_error();
        return NULL;
    }
    if (lib == wnt_wolf())
        wnt_assert_wolfnano(EVP_KDF_get0_provider(kdf));
    k = EVP_KDF_CTX_new(kdf);
    EVP_KDF_free(kdf);
    assert_non_null(k);
    return k;
}

/* One parameter from text, "hex" before the name for octets in hexadecimal. */
static OSSL_PARAM from_text(EVP_KDF_CTX *k, const char *name, const char *value)
{
    OSSL_PARAM p;

    if (!OSSL_PARAM_allocate_from_text(&p, EVP_KDF_CTX_settable_params(k), name, value,
                                       strlen(value), NULL))
        fail_msg("no parameter %s = %s", name, value);
    return p;
}

static int set_text(EVP_KDF_CTX *k, const char *name, const char *value)
{
    OSSL_PARAM params[2] = { from_text(k, name, value), OSSL_PARAM_END };
    int ok = EVP_KDF_CTX_set_params(k, params);

    OPENSSL_free(params[0].data);
    return ok;
}

/* ---- vectors ------------------------------------------------------------------------ */

static int is_parameter(const char *name)
{
    return strcmp(name, "KDF") != 0 && strcmp(name, "Since") != 0 && strcmp(name, "Output") != 0;
}

/* All parameters together with the derivation, and one by one before it, the
 * latter on a context that is reset and goes on as a duplicate. */
static int check(OSSL_LIB_CTX *lib, const struct wnt_record *r)
{
    EVP_KDF_CTX *k = new_ctx(lib, wnt_text(r, "KDF")), *copy;
    OSSL_PARAM params[33];
    unsigned char *want, *got;
    size_t n, i, used = 0;

    if (k == NULL)
        return 0;
    assert_true(wnt_hex(r, "Output", &want, &n));
    got = wnt_guarded(n);
    for (i = 0; i < r->n; i++)
        if (is_parameter(r->name[i]))
            params[used++] = from_text(k, r->name[i], r->value[i]);
    params[used] = OSSL_PARAM_construct_end();
    if (EVP_KDF_derive(k, got, n, params) <= 0 || memcmp(got, want, n) != 0) {
        ERR_print_errors_fp(stderr);
        fail_msg("line %d", r->line);
    }
    memset(got, 0, n);
    EVP_KDF_CTX_reset(k);
    /* KBKDF takes a MAC only with all that the MAC needs */
    for (i = 0; i < used && strcmp(wnt_text(r, "KDF"), "KBKDF") != 0; i++) {
        OSSL_PARAM one[2] = { params[i], OSSL_PARAM_END };
        size_t same;

        /* those given several times belong together */
        for (same = 0; same < used; same++)
            if (same != i && strcmp(params[same].key, params[i].key) == 0)
                break;
        if (same == used)
            wnt_ok(EVP_KDF_CTX_set_params(k, one));
    }
    copy = k;                   /* OpenSSL's own cannot before 3.1, and KBKDF crashes */
    if (lib == wnt_wolf()) {
        copy = EVP_KDF_CTX_dup(k);
        assert_non_null(copy);
        EVP_KDF_CTX_free(k);
    }
    wnt_ok(EVP_KDF_derive(copy, got, n, params));
    assert_memory_equal(got, want, n);
    EVP_KDF_CTX_free(copy);
    for (i = 0; i < used; i++)
        OPENSSL_free(params[i].data);
    wnt_guarded_free(got, n);
    free(want);
    wnt_assert_no_errors();
    return 1;
}

static int since(const struct wnt_record *r)
{
    const char *version = wnt_text(r, "Since");
    unsigned minor;

    if (version == NULL || OPENSSL_version_major() > 3)
        return 1;
    minor = (unsigned)strtoul(version + 2, NULL, 10);
    return OPENSSL_version_minor() >= minor;
}

static void vectors(void **state)
{
    struct wnt_record r;
    FILE *f = wnt_vectors("kdf.txt");
    int ours = 0, theirs = 0;

    (void)state;
    while (wnt_next(f, &r)) {
        if (since(&r)) {
            if (!check(wnt_wolf(), &r))
                fail_msg("%s, line %d", wnt_text(&r, "KDF"), r.line);
            ours++;
            theirs += check(wnt_default(), &r);
        }
        wnt_record_free(&r);
    }
    fclose(f);
    assert_true(ours >= 170);
    /* PBKDF1 and PVKKDF are the legacy provider's */
    assert_true(theirs >= 164);
}

/* ---- names and lists ------------------------------------------------------------------ */

/* No provider of ours has these: wolfCrypt lacks what they need, or they came
 * after the versions that this one follows. */
static int not_ours(const EVP_KDF *kdf)
{
    static const char *const names[] = { "ARGON2I", "ARGON2D", "ARGON2ID", "SNMPKDF", "SRTPKDF" };
    size_t i;

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (EVP_KDF_is_a(kdf, names[i]))
            return 1;
    return 0;
}

static void find(const char *name, void *found)
{
    EVP_KDF *ours = EVP_KDF_fetch(wnt_wolf(), name, NULL);

    if (ours == NULL)
        fail_msg("no KDF %s", name);
    EVP_KDF_free(ours);
    ++*(int *)found;
}

/* Every entry of one list is in the other, with that type. */
static void contains(const char *what, const EVP_KDF *kdf, const OSSL_PARAM *all,
                     const OSSL_PARAM *some)
{
    for (; some->key != NULL; some++) {
        const OSSL_PARAM *p = all;

        while (p->key != NULL
               && (strcmp(p->key, some->key) != 0 || p->data_type != some->data_type))
            p++;
        if (p->key == NULL)
            fail_msg("%s: %s: %s, type %u", EVP_KDF_get0_name(kdf), what, some->key,
                     some->data_type);
    }
}

static void names_and_lists(EVP_KDF *theirs, void *count)
{
    EVP_KDF *ours;

    if (not_ours(theirs))
        return;
    wnt_ok(EVP_KDF_names_do_all(theirs, find, count));
    ours = EVP_KDF_fetch(wnt_wolf(), EVP_KDF_get0_name(theirs), NULL);
    assert_non_null(ours);
    contains("settable", ours, EVP_KDF_settable_ctx_params(ours),
             EVP_KDF_settable_ctx_params(theirs));
    contains("gettable", ours, EVP_KDF_gettable_ctx_params(ours),
             EVP_KDF_gettable_ctx_params(theirs));
    EVP_KDF_free(ours);
}

static void as_listed_by_default(void **state)
{
    int names = 0;

    (void)state;
    EVP_KDF_do_all_provided(wnt_default(), names_and_lists, &names);
    assert_true(names >= 17);
    wnt_assert_no_errors();
}

/* ---- errors ---------------------------------------------------------------------------- */

struct bad {
    const char *kdf;
    const char *params[14];         /* names and values */
    size_t n;                       /* bytes to derive; 0: setting the last parameter fails */
    int reason;                     /* of ERR_LIB_PROV */
};

/* The same reasons as the default's, which is run beside; reason 0: it has none,
 * or not the same in all versions. */
static const struct bad bads[] = {
    { "HKDF", { "key", "k" }, 16, PROV_R_MISSING_MESSAGE_DIGEST },
    { "HKDF", { "digest", "SHA256" }, 16, PROV_R_MISSING_KEY },
    { "HKDF", { "digest", "SHA256", "key", "k", "mode", "EXTRACT_ONLY" }, 31,
      PROV_R_WRONG_OUTPUT_BUFFER_SIZE },
    { "HKDF", { "digest", "SHA256", "key", "k" }, 255 * 32 + 1, 0 },
    { "HKDF", { "mode", "EXTRACT_AND" }, 0, PROV_R_INVALID_MODE },
    { "TLS13-KDF", { "mode", "EXTRACT_AND_EXPAND" }, 0, PROV_R_INVALID_MODE },
    { "TLS13-KDF", { "mode", "EXPAND_ONLY", "digest", "SHA256" }, 16, 0 },
    { "TLS1-PRF", { "secret", "s", "seed", "s" }, 16, PROV_R_MISSING_MESSAGE_DIGEST },
    { "TLS1-PRF", { "digest", "SHA256", "seed", "s" }, 16, PROV_R_MISSING_SECRET },
    { "TLS1-PRF", { "digest", "SHA256", "secret", "s" }, 16, PROV_R_MISSING_SEED },
    { "PBKDF2", { "salt", "salt" }, 16, PROV_R_MISSING_PASS },
    { "PBKDF2", { "pass", "pass" }, 16, PROV_R_MISSING_SALT },
    { "PBKDF2", { "iter", "0" }, 0, PROV_R_INVALID_ITERATION_COUNT },
    { "PBKDF2", { "pkcs5", "0", "iter", "999" }, 0, PROV_R_INVALID_ITERATION_COUNT },
    { "PBKDF2", { "pkcs5", "0", "salt", "fifteen bytes.." }, 0, PROV_R_INVALID_SALT_LENGTH },
    { "PBKDF2", { "pkcs5", "0", "pass", "p", "salt", "sixteen bytes salt", "iter", "1000" }, 13,
      PROV_R_KEY_SIZE_TOO_SMALL },
    { "SSKDF", { "digest", "SHA256" }, 16, PROV_R_MISSING_SECRET },
    { "SSKDF", { "secret", "s" }, 16, PROV_R_MISSING_MESSAGE_DIGEST },
    { "X963KDF", { "digest", "SHA256" }, 16, PROV_R_MISSING_SECRET },
    { "X963KDF", { "digest", "SHA256", "secret", "s", "mac", "HMAC" }, 16,
      PROV_R_NOT_SUPPORTED },
    { "X942KDF-ASN1", { "digest", "SHA256", "secret", "s" }, 16, PROV_R_MISSING_CEK_ALG },
    { "X942KDF-ASN1", { "cekalg", "AES-128-CBC" }, 0, PROV_R_UNSUPPORTED_CEK_ALG },
    { "KBKDF", { "digest", "SHA256", "mac", "HMAC" }, 16, 0 },
    { "KBKDF", { "key", "k" }, 16, PROV_R_MISSING_MAC },
    { "KBKDF", { "mode", "PIPELINE" }, 0, 0 },
    { "KRB5KDF", { "cipher", "AES-128-CBC" }, 16, PROV_R_MISSING_KEY },
    { "KRB5KDF", { "hexkey", "00" }, 16, PROV_R_MISSING_CIPHER },
    { "KRB5KDF", { "cipher", "AES-128-CBC", "key", "sixteen byte key" }, 16,
      PROV_R_MISSING_CONSTANT },
    { "KRB5KDF", { "cipher", "AES-128-CBC", "key", "sixteen byte key", "constant", "c" }, 15,
      PROV_R_WRONG_OUTPUT_BUFFER_SIZE },
    { "KRB5KDF", { "cipher", "AES-128-XTS", "constant", "c", "key",
                   "thirty-two bytes, for both keys." }, 32, 0 },
    { "SSHKDF", { "key", "k" }, 16, PROV_R_MISSING_MESSAGE_DIGEST },
    { "SSHKDF", { "digest", "SHA256" }, 16, PROV_R_MISSING_KEY },
    { "SSHKDF", { "digest", "SHA256", "key", "k" }, 16, PROV_R_MISSING_XCGHASH },
    { "SSHKDF", { "digest", "SHA256", "key", "k", "xcghash", "x" }, 16,
      PROV_R_MISSING_SESSION_ID },
    { "SSHKDF", { "digest", "SHA256", "key", "k", "xcghash", "x", "session_id", "s" }, 16,
      PROV_R_MISSING_TYPE },
    { "SSHKDF", { "type", "G" }, 0, 0 },
    { "SCRYPT", { "salt", "s" }, 16, PROV_R_MISSING_PASS },
    { "SCRYPT", { "pass", "p" }, 16, PROV_R_MISSING_SALT },
    { "SCRYPT", { "n", "3" }, 0, 0 },
    { "SCRYPT", { "pass", "p", "salt", "s", "n", "1048576", "r", "8", "maxmem_bytes", "1000000" },
      16, 0 },
    { "PKCS12KDF", { "salt", "s", "digest", "SHA1", "id", "1" }, 16, PROV_R_MISSING_PASS },
    { "PKCS12KDF", { "pass", "p", "digest", "SHA1", "id", "1" }, 16, PROV_R_MISSING_SALT },
};

static void fails(OSSL_LIB_CTX *lib, const struct bad *b)
{
    EVP_KDF_CTX *k = new_ctx(lib, b->kdf);
    unsigned char *out = malloc(b->n + 1);
    const char *who = lib == wnt_wolf() ? "wolfnano" : "default";
    size_t i;
    int ok = 1;

    for (i = 0; b->params[i] != NULL; i += 2) {
        ok = set_text(k, b->params[i], b->params[i + 1]);
        if (ok <= 0)
            break;
    }
    if (b->n != 0) {
        if (ok <= 0)
            fail_msg("%s: %s: %s", who, b->kdf, b->params[i]);
        ok = EVP_KDF_derive(k, out, b->n, NULL);
    } else if (ok <= 0 && b->params[i + 2] != NULL) {
        fail_msg("%s: %s: %s", who, b->kdf, b->params[i]);
    }
    if (ok > 0)
        fail_msg("%s: entry %zu (%s): no error", who, (size_t)(b - bads), b->kdf);
    if (b->reason != 0 && ERR_GET_REASON(ERR_peek_error()) != b->reason) {
        ERR_print_errors_fp(stderr);
        fail_msg("%s: entry %zu (%s), not %d", who, (size_t)(b - bads), b->kdf, b->reason);
    }
    /* a failure that says nothing helps nobody */
    if (lib == wnt_wolf() && ERR_peek_error() == 0)
        fail_msg("%s: entry %zu (%s): no reason", who, (size_t)(b - bads), b->kdf);
    ERR_clear_error();
    free(out);
    EVP_KDF_CTX_free(k);
}

static void reasons(void **state)
{
    size_t i;

    (void)state;
    for (i = 0; i < sizeof(bads) / sizeof(bads[0]); i++) {
        fails(wnt_default(), &bads[i]);
        fails(wnt_wolf(), &bads[i]);
    }
}

/* SHAKE never was a digest for HMAC; for hashing OpenSSL 3.4 ended it. */
static void extendable_output(void **state)
{
    static const char *const hmac[] = { "HKDF", "TLS1-PRF", "HMAC-DRBG-KDF", "PBKDF2" };
    static const char *const hash[] = { "SSKDF", "X963KDF", "X942KDF-ASN1", "SSHKDF" };
    int refused = OPENSSL_version_major() > 3 || OPENSSL_version_minor() >= 4;
    EVP_KDF_CTX *k;
    size_t i;

    (void)state;
    for (i = 0; i < 4; i++) {
        k = new_ctx(wnt_wolf(), hmac[i]);
        if (k == NULL)          /* HMAC-DRBG-KDF, before 3.2 */
            continue;
        assert_true(set_text(k, "digest", "SHAKE-256") <= 0);
        assert_int_equal(ERR_GET_REASON(ERR_peek_error()), PROV_R_XOF_DIGESTS_NOT_ALLOWED);
        ERR_clear_error();
        EVP_KDF_CTX_free(k);
    }
    for (i = 0; i < 4; i++) {
        EVP_KDF_CTX *theirs = new_ctx(wnt_default(), hash[i]);

        k = new_ctx(wnt_wolf(), hash[i]);
        assert_int_equal(set_text(k, "digest", "SHAKE-256") <= 0, refused);
        assert_int_equal(set_text(theirs, "digest", "SHAKE-256") <= 0, refused);
        ERR_clear_error();
        EVP_KDF_CTX_free(k);
        EVP_KDF_CTX_free(theirs);
    }
}

/* ---- what can be asked ---------------------------------------------------------------- */

static void sizes(void **state)
{
    static const struct {
        const char *kdf, *params[6];
    } cases[] = {
        { "HKDF", { "digest", "SHA384" } },
        { "HKDF", { "digest", "SHA384", "mode", "EXTRACT_ONLY" } },
        { "HKDF", { "digest", "SHA384", "mode", "EXPAND_ONLY" } },
        { "TLS13-KDF", { "mode", "EXTRACT_ONLY", "digest", "SHA256" } },
        { "TLS1-PRF", { NULL } }, { "PBKDF2", { NULL } }, { "SCRYPT", { NULL } },
        { "SSKDF", { "digest", "SHA256" } }, { "SSKDF", { "mac", "HMAC", "digest", "SHA1" } },
        { "X963KDF", { "digest", "SHA1" } }, { "KBKDF", { NULL } }, { "SSHKDF", { NULL } },
        { "KRB5KDF", { "cipher", "DES-EDE3-CBC" } }, { "KRB5KDF", { "cipher", "AES-256-CBC" } },
        { "X942KDF-ASN1", { "digest", "SHA1", "cekalg", "id-aes256-wrap" } }, { "PKCS12KDF", { NULL } },
    };
    size_t i, j;

    (void)state;
    for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        EVP_KDF_CTX *w = new_ctx(wnt_wolf(), cases[i].kdf), *d;

        d = new_ctx(wnt_default(), cases[i].kdf);
        for (j = 0; cases[i].params[j] != NULL; j += 2) {
            wnt_ok(set_text(w, cases[i].params[j], cases[i].params[j + 1]));
            wnt_ok(set_text(d, cases[i].params[j], cases[i].params[j + 1]));
        }
        if (EVP_KDF_CTX_get_kdf_size(w) != EVP_KDF_CTX_get_kdf_size(d))
            fail_msg("%s (%zu): %zu, not %zu", cases[i].kdf, i, EVP_KDF_CTX_get_kdf_size(w),
                     EVP_KDF_CTX_get_kdf_size(d));
        EVP_KDF_CTX_free(w);
        EVP_KDF_CTX_free(d);
    }
    wnt_assert_no_errors();
}

static void hkdf_getters(void **state)
{
    EVP_KDF_CTX *k = new_ctx(wnt_wolf(), "HKDF");
    unsigned char salt[8] = "", info[8] = "";
    char digest[20] = "", mode[20] = "";
    OSSL_PARAM params[5] = {
        OSSL_PARAM_construct_utf8_string("digest", digest, sizeof(digest)),
        OSSL_PARAM_construct_utf8_string("mode", mode, sizeof(mode)),
        OSSL_PARAM_construct_octet_string("salt", salt, sizeof(salt)),
        OSSL_PARAM_construct_octet_string("info", info, sizeof(info)), OSSL_PARAM_END
    };
    int number = -1;
    OSSL_PARAM as_number[2] = { OSSL_PARAM_construct_int("mode", &number), OSSL_PARAM_END };

    (void)state;
    wnt_ok(set_text(k, "digest", "SHA256"));
    wnt_ok(set_text(k, "mode", "EXPAND_ONLY"));
    wnt_ok(set_text(k, "salt", "salty"));
    wnt_ok(set_text(k, "info", "inform"));
    wnt_ok(EVP_KDF_CTX_get_params(k, params));
    assert_string_equal(digest, "SHA2-256");
    assert_string_equal(mode, "EXPAND_ONLY");
    assert_int_equal(params[2].return_size, 5);
    assert_memory_equal(salt, "salty", 5);
    assert_int_equal(params[3].return_size, 6);
    assert_memory_equal(info, "inform", 6);
    wnt_ok(EVP_KDF_CTX_get_params(k, as_number));
    assert_int_equal(number, EVP_KDF_HKDF_MODE_EXPAND_ONLY);
    EVP_KDF_CTX_free(k);
}

/* Until 3.5 a call without the transcript's hash takes the last one away. */
static void tls13_data(void **state)
{
    OSSL_LIB_CTX *const libs[] = { wnt_wolf(), wnt_default() };
    unsigned char with[2][32], after[2][32];
    int i;

    (void)state;
    for (i = 0; i < 2; i++) {
        EVP_KDF_CTX *k = new_ctx(libs[i], "TLS13-KDF");

        wnt_ok(set_text(k, "mode", "EXPAND_ONLY"));
        wnt_ok(set_text(k, "digest", "SHA256"));
        wnt_ok(set_text(k, "key", "a key"));
        wnt_ok(set_text(k, "prefix", "tls13 "));
        wnt_ok(set_text(k, "label", "a label"));
        wnt_ok(set_text(k, "data", "a hash"));
        wnt_ok(EVP_KDF_derive(k, with[i], 32, NULL));
        wnt_ok(set_text(k, "label", "a label"));
        wnt_ok(EVP_KDF_derive(k, after[i], 32, NULL));
        EVP_KDF_CTX_free(k);
    }
    assert_memory_equal(with[0], with[1], 32);
    assert_memory_equal(after[0], after[1], 32);
}

/* ---- EVP_PKEY --------------------------------------------------------------------------- */

static void set_pkey(EVP_PKEY_CTX *ctx, const char *type, const EVP_MD *md)
{
    if (strcmp(type, "HKDF") == 0) {
        wnt_ok(EVP_PKEY_CTX_set_hkdf_md(ctx, md));
        wnt_ok(EVP_PKEY_CTX_set1_hkdf_salt(ctx, (const unsigned char *)"salt", 4));
        wnt_ok(EVP_PKEY_CTX_set1_hkdf_key(ctx, (const unsigned char *)"secret", 6));
        wnt_ok(EVP_PKEY_CTX_add1_hkdf_info(ctx, (const unsigned char *)"label", 5));
        wnt_ok(EVP_PKEY_CTX_add1_hkdf_info(ctx, (const unsigned char *)" more", 5));
    } else if (strcmp(type, "TLS1-PRF") == 0) {
        wnt_ok(EVP_PKEY_CTX_set_tls1_prf_md(ctx, md));
        wnt_ok(EVP_PKEY_CTX_set1_tls1_prf_secret(ctx, (const unsigned char *)"secret", 6));
        wnt_ok(EVP_PKEY_CTX_add1_tls1_prf_seed(ctx, (const unsigned char *)"seed", 4));
        wnt_ok(EVP_PKEY_CTX_add1_tls1_prf_seed(ctx, (const unsigned char *)" and", 4));
    } else {
        wnt_ok(EVP_PKEY_CTX_set1_pbe_pass(ctx, "password", 8));
        wnt_ok(EVP_PKEY_CTX_set1_scrypt_salt(ctx, (const unsigned char *)"NaCl", 4));
        wnt_ok(EVP_PKEY_CTX_set_scrypt_N(ctx, 64));
        wnt_ok(EVP_PKEY_CTX_set_scrypt_r(ctx, 8));
        wnt_ok(EVP_PKEY_CTX_set_scrypt_p(ctx, 2));
        wnt_ok(EVP_PKEY_CTX_set_scrypt_maxmem_bytes(ctx, 1 << 20));
    }
}

static size_t derived(EVP_PKEY_CTX *ctx, unsigned char *out, size_t n)
{
    if (EVP_PKEY_derive(ctx, out, &n) <= 0)
        return 0;
    return n;
}

static void as_keys(void **state)
{
    static const char *const types[] = { "HKDF", "TLS1-PRF", "SCRYPT" };
    OSSL_LIB_CTX *const libs[] = { wnt_wolf(), wnt_default() };
    unsigned char out[2][60], again[60];
    size_t i, l, len;

    (void)state;
    for (i = 0; i < 3; i++) {
        for (l = 0; l < 2; l++) {
            EVP_MD *md = EVP_MD_fetch(libs[l], "SHA256", NULL);
            EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(libs[l], types[i], NULL), *copy;

            assert_non_null(ctx);
            wnt_ok(EVP_PKEY_derive_init(ctx));
            if (l == 0)
                wnt_assert_wolfnano(EVP_PKEY_CTX_get0_provider(ctx));
            set_pkey(ctx, types[i], md);
            copy = EVP_PKEY_CTX_dup(ctx);
            if (copy == NULL) {         /* OpenSSL's own cannot before 3.1 */
                assert_int_equal(l, 1);
                assert_int_equal(derived(ctx, out[l], 60), 60);
                EVP_PKEY_CTX_free(ctx);
                EVP_MD_free(md);
                continue;
            }
            assert_int_equal(derived(ctx, out[l], 60), 60);
            EVP_PKEY_CTX_free(ctx);
            assert_int_equal(derived(copy, again, 60), 60);
            assert_memory_equal(out[l], again, 60);
            wnt_ok(EVP_PKEY_derive(copy, NULL, &len));
            assert_true(len == SIZE_MAX);
            EVP_PKEY_CTX_free(copy);
            EVP_MD_free(md);
        }
        assert_memory_equal(out[0], out[1], 60);
        wnt_assert_no_errors();
    }
}

/* Extraction alone has the digest's size: more room is fine, less is not. */
static void hkdf_key_size(void **state)
{
    EVP_MD *md = EVP_MD_fetch(wnt_wolf(), "SHA256", NULL);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(wnt_wolf(), "HKDF", NULL);
    unsigned char out[60];
    size_t len = 0;

    (void)state;
    wnt_ok(EVP_PKEY_derive_init(ctx));
    set_pkey(ctx, "HKDF", md);
    wnt_ok(EVP_PKEY_CTX_set_hkdf_mode(ctx, EVP_PKEY_HKDEF_MODE_EXTRACT_ONLY));
    wnt_ok(EVP_PKEY_derive(ctx, NULL, &len));
    assert_int_equal(len, 32);
    assert_int_equal(derived(ctx, out, 60), 32);
    assert_int_equal(derived(ctx, out, 31), 0);
    wnt_assert_prov_error(PROV_R_OUTPUT_BUFFER_TOO_SMALL);
    EVP_PKEY_CTX_free(ctx);
    EVP_MD_free(md);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors),
        cmocka_unit_test(as_listed_by_default),
        cmocka_unit_test(reasons),
        cmocka_unit_test(extendable_output),
        cmocka_unit_test(sizes),
        cmocka_unit_test(hkdf_getters),
        cmocka_unit_test(tls13_data),
        cmocka_unit_test(as_keys),
        cmocka_unit_test(hkdf_key_size),
    };

    return cmocka_run_group_tests(tests, wnt_setup, wnt_teardown);
}
