/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tlsbench LIBSSL CERT KEY CA GROUP SECONDS
 *
 * Makes new TLS 1.3 handshakes (RFC 8446) for SECONDS, both sides in one
 * thread with two memory BIOs between them, and prints one line of JSON:
 *
 *   handshakes  how many
 *   server_us   processor time of the server's side of one, mean, microseconds
 *   client_us   the same of the client's side
 *   provider    the provider that holds the client's key share in the server
 *
 * The client trusts CA (a PEM file) and checks CERT, which CA issued, as it
 * would any server's. No tickets: each handshake is a full one. A server and a
 * client with a core each make 1 / max(server, client) handshakes a second.
 *
 * LIBSSL (a file or a SONAME) is loaded at run time, as 3.0 and 4.0 have
 * different names for it; the configuration (OPENSSL_CONF) says which
 * providers. Exit status 1: OpenSSL's errors are on stderr.
 */
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FUNCTIONS(X)                 \
    X(TLS_server_method)             \
    X(TLS_client_method)             \
    X(SSL_CTX_new)                   \
    X(SSL_CTX_free)                  \
    X(SSL_CTX_ctrl)                  \
    X(SSL_CTX_use_certificate_file)  \
    X(SSL_CTX_use_PrivateKey_file)   \
    X(SSL_CTX_load_verify_locations) \
    X(SSL_CTX_set_verify)            \
    X(SSL_CTX_set_num_tickets)       \
    X(SSL_new)                       \
    X(SSL_free)                      \
    X(SSL_set_bio)                   \
    X(SSL_set_accept_state)          \
    X(SSL_set_connect_state)         \
    X(SSL_do_handshake)              \
    X(SSL_get_error)                 \
    X(SSL_ctrl)                      \
    X(BIO_new)                       \
    X(BIO_s_mem)                     \
    X(BIO_up_ref)                    \
    X(BIO_free)                      \
    X(EVP_PKEY_free)                 \
    X(EVP_PKEY_get0_provider)        \
    X(OSSL_PROVIDER_get0_name)       \
    X(ERR_print_errors_fp)

/* flights of one handshake: hello, the server's, finished, and one to spare */
enum { FAILED = 1, USAGE = 2, MAX_FLIGHTS = 4 };

static struct {
#define MEMBER(name) __typeof__(&(name)) name;
    FUNCTIONS(MEMBER)
#undef MEMBER
} lib;

/* One side: its settings, and the processor time that its handshakes took. */
struct side {
    SSL_CTX *ctx;
    SSL *ssl;
    double seconds;
    int done;
    void (*set_state)(SSL *ssl);
};

static double processor_time(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int load(const char *libssl)
{
    void *handle = dlopen(libssl, RTLD_NOW);

    if (handle == NULL) {
        fprintf(stderr, "tlsbench: %s\n", dlerror());
        return 0;
    }
#define RESOLVE(name)                                               \
    if ((*(void **)&lib.name = dlsym(handle, #name)) == NULL) {     \
        fprintf(stderr, "tlsbench: %s has no %s\n", libssl, #name); \
        return 0;                                                   \
    }
    FUNCTIONS(RESOLVE)
#undef RESOLVE
    return 1;
}

static int common_settings(SSL_CTX *ctx, char *group)
{
    return ctx != NULL &&
           lib.SSL_CTX_ctrl(ctx, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_3_VERSION, NULL) == 1 &&
           lib.SSL_CTX_ctrl(ctx, SSL_CTRL_SET_GROUPS_LIST, 0, group) == 1;
}

static int make_server(struct side *side, const char *cert, const char *key, char *group)
{
    side->set_state = lib.SSL_set_accept_state;
    side->ctx = lib.SSL_CTX_new(lib.TLS_server_method());
    return common_settings(side->ctx, group) && lib.SSL_CTX_set_num_tickets(side->ctx, 0) == 1 &&
           lib.SSL_CTX_use_certificate_file(side->ctx, cert, SSL_FILETYPE_PEM) == 1 &&
           lib.SSL_CTX_use_PrivateKey_file(side->ctx, key, SSL_FILETYPE_PEM) == 1;
}

static int make_client(struct side *side, const char *ca, char *group)
{
    side->set_state = lib.SSL_set_connect_state;
    side->ctx = lib.SSL_CTX_new(lib.TLS_client_method());
    if (!common_settings(side->ctx, group) ||
        lib.SSL_CTX_load_verify_locations(side->ctx, ca, NULL) != 1)
        return 0;
    lib.SSL_CTX_set_verify(side->ctx, SSL_VERIFY_PEER, NULL);
    return 1;
}

static int open_side(struct side *side)
{
    double start = processor_time();

    side->done = 0;
    side->ssl = lib.SSL_new(side->ctx);
    if (side->ssl != NULL)
        side->set_state(side->ssl);
    side->seconds += processor_time() - start;
    return side->ssl != NULL;
}

static void close_side(struct side *side)
{
    double start = processor_time();

    lib.SSL_free(side->ssl);
    side->ssl = NULL;
    side->seconds += processor_time() - start;
}

/* Joins the two: what one writes, the other reads. */
static int join(const struct side *server, const struct side *client)
{
    BIO *up = lib.BIO_new(lib.BIO_s_mem()), *down = lib.BIO_new(lib.BIO_s_mem());

    if (up == NULL || down == NULL || !lib.BIO_up_ref(up) || !lib.BIO_up_ref(down)) {
        lib.BIO_free(up);
        lib.BIO_free(down);
        return 0;
    }
    lib.SSL_set_bio(server->ssl, up, down);
    lib.SSL_set_bio(client->ssl, down, up);
    return 1;
}

/* As far as it goes with what the other side has sent. 0: it has failed. */
static int step(struct side *side)
{
    double start = processor_time();
    int result = lib.SSL_do_handshake(side->ssl);

    side->seconds += processor_time() - start;
    side->done = result == 1;
    return side->done || lib.SSL_get_error(side->ssl, result) == SSL_ERROR_WANT_READ;
}

/* The provider's name goes to PROVIDER; static memory of the library's. */
static int handshake(struct side *server, struct side *client, const char **provider)
{
    EVP_PKEY *share;
    int i;

    if (!open_side(server) || !open_side(client) || !join(server, client))
        return 0;
    for (i = 0; i < MAX_FLIGHTS && !(client->done && server->done); i++)
        if (!step(client) || !step(server))
            return 0;
    if (!client->done || !server->done)
        return 0;
    if (*provider == NULL && lib.SSL_ctrl(server->ssl, SSL_CTRL_GET_PEER_TMP_KEY, 0, &share) == 1) {
        *provider = lib.OSSL_PROVIDER_get0_name(lib.EVP_PKEY_get0_provider(share));
        lib.EVP_PKEY_free(share);
    }
    close_side(server);
    close_side(client);
    return 1;
}

/* Until both sides together took SECONDS; a first handshake is not counted. */
static int measure(struct side *server, struct side *client, double seconds)
{
    const char *provider = NULL;
    unsigned long count;

    if (!handshake(server, client, &provider) || provider == NULL)
        return 0;
    server->seconds = client->seconds = 0;
    for (count = 0; server->seconds + client->seconds < seconds; count++)
        if (!handshake(server, client, &provider))
            return 0;
    printf("{\"handshakes\": %lu, \"server_us\": %.2f, \"client_us\": %.2f, "
           "\"provider\": \"%s\"}\n",
           count, server->seconds / (double)count * 1e6, client->seconds / (double)count * 1e6,
           provider);
    return 1;
}

int main(int argc, char **argv)
{
    struct side server = { 0 }, client = { 0 };
    double seconds;
    const char *failed = NULL;
    char *end;

    if (argc != 7 || (seconds = strtod(argv[6], &end)) <= 0 || *end != '\0') {
        fprintf(stderr, "usage: tlsbench LIBSSL CERT KEY CA GROUP SECONDS\n");
        return USAGE;
    }
    if (!load(argv[1]))
        return FAILED;
    if (!make_server(&server, argv[2], argv[3], argv[5]))
        failed = "the server's settings";
    else if (!make_client(&client, argv[4], argv[5]))
        failed = "the client's settings";
    else if (!measure(&server, &client, seconds))
        failed = "a handshake";
    if (failed != NULL) {
        fprintf(stderr, "tlsbench: %s failed\n", failed);
        lib.ERR_print_errors_fp(stderr);
    }
    lib.SSL_free(server.ssl);
    lib.SSL_free(client.ssl);
    lib.SSL_CTX_free(server.ctx);
    lib.SSL_CTX_free(client.ctx);
    return failed == NULL ? 0 : FAILED;
}
