/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_KDF "SSHKDF": RFC 4253 section 7.2. "key" is K as an mpint, as SSH
 * hashes it; "type" one of the letters A to F.
 */
#include "kdf.h"

#include <string.h>

#include "../provider/alglist.h"

enum { KEY, HASH, SESSION_ID, N_BYTES };

struct ssh_ctx {
    struct wn_kdf kdf;
    struct wn_kdf_bytes b[N_BYTES];
    const struct wn_md_desc *md;
    char type;                      /* 0: not set */
};
WN_KDF_CHECK(ssh_ctx);

#define SSH_SET(P)                                                      \
    P(properties, utf8_string, OSSL_KDF_PARAM_PROPERTIES)               \
    P(digest, utf8_string, OSSL_KDF_PARAM_DIGEST)                       \
    P(key, octet_string, OSSL_KDF_PARAM_KEY)                            \
    P(hash, octet_string, OSSL_KDF_PARAM_SSHKDF_XCGHASH)                \
    P(session_id, octet_string, OSSL_KDF_PARAM_SSHKDF_SESSION_ID)       \
    P(type, utf8_string, OSSL_KDF_PARAM_SSHKDF_TYPE)
WN_PARAMS(ssh_set, SSH_SET);

static int bad(const struct ssh_ctx *c, int reason)
{
    WN_RAISE(c->kdf.prov, reason);
    return 0;
}

static int take_type(struct ssh_ctx *c, const OSSL_PARAM *p)
{
    char type[4];

    if (p == NULL)
        return 1;
    if (!wn_param_get_utf8(p, type, sizeof(type)) || strlen(type) != 1 || type[0] < 'A'
        || type[0] > 'F')
        return bad(c, PROV_R_VALUE_ERROR);
    c->type = type[0];
    return 1;
}

static int ssh_set_params(void *vctx, const OSSL_PARAM params[])
{
    struct ssh_ctx *c = vctx;
    struct ssh_set p;

    return WN_PARAMS_SCAN(c->kdf.prov, ssh_set, params, &p)
        && wn_kdf_take_md(c, p.digest, &c->md, 0)
        && take_type(c, p.type)
        && wn_kdf_take(c, KEY, p.key, WN_KDF_STRICT)
        && wn_kdf_take(c, HASH, p.hash, WN_KDF_STRICT)
        && wn_kdf_take(c, SESSION_ID, p.session_id, WN_KDF_STRICT);
}

/* K1 = HASH(K || H || X || session_id), Ki = HASH(K || H || K1 || ... || K(i-1)) */
static void ssh_kdf(const struct ssh_ctx *c, unsigned char *out, size_t n)
{
    unsigned char last[WN_MD_MAX_SIZE];
    struct wn_md start, md;
    size_t done = 0, piece;

    wn_md_init(&start, c->md);
    wn_md_update(&start, c->b[KEY].d, c->b[KEY].n);
    wn_md_update(&start, c->b[HASH].d, c->b[HASH].n);
    md = start;
    wn_md_update(&md, &c->type, 1);
    wn_md_update(&md, c->b[SESSION_ID].d, c->b[SESSION_ID].n);
    for (;;) {
        wn_md_final(&md, last);
        piece = n - done < c->md->size ? n - done : c->md->size;
        memcpy(out + done, last, piece);
        done += piece;
        if (done == n)
            break;
        md = start;
        wn_md_update(&md, out, done);
    }
    wn_md_clear(&start);
    wn_md_clear(&md);
    wn_clear(last, sizeof(last));
}

static int ssh_derive(void *vctx, unsigned char *out, size_t n)
{
    const struct ssh_ctx *c = vctx;

    if (c->md == NULL)
        return bad(c, PROV_R_MISSING_MESSAGE_DIGEST);
    if (c->b[KEY].d == NULL)
        return bad(c, PROV_R_MISSING_KEY);
    if (c->b[HASH].d == NULL)
        return bad(c, PROV_R_MISSING_XCGHASH);
    if (c->b[SESSION_ID].d == NULL)
        return bad(c, PROV_R_MISSING_SESSION_ID);
    if (c->type == 0)
        return bad(c, PROV_R_MISSING_TYPE);
    ssh_kdf(c, out, n);
    return 1;
}

static void ssh_tell(const void *vctx, struct wn_pb *pb)
{
    const struct ssh_ctx *c = vctx;
    const char type[2] = { c->type, '\0' };
    
    wn_kdf_tell(c, pb, KEY, OSSL_KDF_PARAM_KEY);
    wn_kdf_tell(c, pb, HASH, OSSL_KDF_PARAM_SSHKDF_XCGHASH);
    wn_kdf_tell(c, pb, SESSION_ID, OSSL_KDF_PARAM_SSHKDF_SESSION_ID);
    if (c->type != 0)
        wn_pb_utf8(pb, OSSL_KDF_PARAM_SSHKDF_TYPE, type);
}

static const struct wn_kdf_desc ssh_desc = {
    WN_KDF_LAYOUT(ssh_ctx, b), WN_CORE_VERSION(3, 4), NULL, ssh_set_params, ssh_derive,
    NULL, NULL, ssh_set_list, wn_kdf_size_list,
    "SSHKDF", ssh_tell
};
WN_KDF_TABLE(ssh, &ssh_desc)
