/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RSA signatures over digests that another provider has; see other_ctx.h. */
#include "rsa_sig.h"

/* The settings that differ from those a context begins with. */
static void tell(const struct wn_rsa_sig_ctx *ctx, struct wn_pb *pb)
{
    char name[WN_MD_NAME_MAX];

    wn_pb_int(pb, OSSL_SIGNATURE_PARAM_PAD_MODE, ctx->pad);
    if (ctx->pad == WN_RSA_PSS)
        wn_pb_int(pb, OSSL_SIGNATURE_PARAM_PSS_SALTLEN, ctx->saltlen);
    if (ctx->pad == WN_RSA_PSS && ctx->mgf1_set)
        wn_pb_utf8(pb, OSSL_SIGNATURE_PARAM_MGF1_DIGEST, wn_md_name(ctx->mgf1_md, name));
    if (ctx->md != NULL && !ctx->message)
        wn_pb_utf8(pb, OSSL_SIGNATURE_PARAM_DIGEST, wn_md_name(ctx->md, name));
}

int wn_rsa_sig_elsewhere(struct wn_rsa_sig_ctx *ctx, const char *name, const char *mdname,
                         const OSSL_PARAM params[])
{
    struct wn_other_key_try t = {
        .keymgmt = ctx->key != NULL && ctx->key->is_pss ? "RSA-PSS" : "RSA",
        .export = wn_rsa_export, .key = ctx->key, .how = ctx->how, .mdname = mdname,
        .params = params
    };
    char own[WN_MD_NAME_MAX];
    struct wn_pb pb;
    int found;

    if (ctx->key == NULL || ctx->sigalg || ctx->begun || wn_md_find(name) != NULL)
        return 0;
    if (ctx->message)           /* over a digest of ours, with MGF1 over another's */
        t.mdname = wn_md_name(ctx->md, own);
    wn_pb_init(&pb, ctx->prov);
    tell(ctx, &pb);
    t.before = wn_pb_params(&pb);
    found = t.before != NULL && wn_other_sig_find(ctx->prov, "RSA", &t);
    wn_pb_clear(&pb);
    if (!found)
        return 0;
    wn_other_ctx_free(ctx->other);
    ctx->other = t.out;
    return 1;
}
