/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EVP_MD_CTX_serialize() and _deserialize() (OpenSSL 4.0): a digest's state as
 * bytes, in the default provider's form, so that either provider continues what
 * the other began. All integers are little endian.
 *
 *   SHA-2   "SHA256v1" or "SHA512v1", size, num (32 bits each), chaining value,
 *           length in bits (2 words), open block
 *   Keccak  "KECCAKv1", kind, size, rate, num, padding, phase, 25 lanes, 168
 *           bytes of open block; all but the block are 64 bit
 *
 * Input is checked for what would make the state inconsistent; as in OpenSSL it
 * must come from a trusted place.
 */
#include "digest_ctx.h"

#include <string.h>

/* A cursor that writes or reads. */
struct pen {
    unsigned char *out;
    const unsigned char *in;
};

static void put(struct pen *p, uint64_t v, size_t n)
{
    for (; n > 0; n--, v >>= 8)
        *p->out++ = (unsigned char)v;
}

static uint64_t get(struct pen *p, size_t n)
{
    uint64_t v = 0;
    size_t i;

    for (i = 0; i < n; i++)
        v |= (uint64_t)*p->in++ << 8 * i;
    return v;
}

#define MAGIC_SIZE 8

/* 1 with the size in *outl for a size query or when there is not room: *done. */
static int room(const struct wn_digest_ctx *ctx, const unsigned char *out, size_t *outl,
                size_t need, int *done)
{
    *done = out == NULL;
    if (out == NULL && outl != NULL) {
        *outl = need;
        return 1;
    }
    if (out == NULL || (outl != NULL && *outl < need)) {
        WN_RAISE(ctx->prov, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
        return 0;
    }
    return 1;
}

static int bad_state(const struct wn_digest_ctx *ctx)
{
    WN_RAISE(ctx->prov, PROV_R_INVALID_DATA);
    return 0;
}

static const char *sha2_magic(const struct wn_md_desc *desc)
{
    return desc->block == 128 ? "SHA512v1" : "SHA256v1";
}

static size_t sha2_size(const struct wn_md_desc *desc)
{
    size_t word = desc->block / 16;

    return MAGIC_SIZE + 4 + 4 + 8 * word + 2 * word + desc->block;
}

int wn_sha2_serialize(void *vctx, unsigned char *out, size_t *outl)
{
    const struct wn_digest_ctx *ctx = vctx;
    const struct wn_md_desc *desc = ctx->md.desc;
    const struct wn_mdh *s = &ctx->md.u.mdh;
    size_t word = desc->block / 16, i;
    struct pen p = { out, NULL };
    int done;

    if (!room(ctx, out, outl, sha2_size(desc), &done) || done)
        return done;
    memcpy(out, sha2_magic(desc), MAGIC_SIZE);
    p.out += MAGIC_SIZE;
    put(&p, desc->size, 4);
    put(&p, s->num, 4);
    for (i = 0; i < 8; i++)
        put(&p, word == 8 ? s->h.w64[i] : s->h.w32[i], word);
    put(&p, s->len << 3, word);
    put(&p, word == 8 ? s->len >> 61 : s->len >> 29, word);
    memset(p.out, 0, desc->block);
    memcpy(p.out, s->buf, s->num);
    if (outl != NULL)
        *outl = sha2_size(desc);
    return 1;
}

int wn_sha2_deserialize(void *vctx, const unsigned char *in, size_t inl)
{
    struct wn_digest_ctx *ctx = vctx;
    const struct wn_md_desc *desc = ctx->md.desc;
    size_t word = desc->block / 16, num, i;
    struct wn_mdh *s = &ctx->md.u.mdh;
    struct pen p = { NULL, in };
    uint64_t low, high;

    if (in == NULL || inl != sha2_size(desc) || memcmp(in, sha2_magic(desc), MAGIC_SIZE) != 0)
        return bad_state(ctx);
    p.in += MAGIC_SIZE;
    if (get(&p, 4) != desc->size || (num = get(&p, 4)) >= desc->block)
        return bad_state(ctx);
    s->num = num;
    for (i = 0; i < 8; i++) {
        if (word == 8)
            s->h.w64[i] = get(&p, word);
        else
            s->h.w32[i] = (word32)get(&p, word);
    }
    low = get(&p, word);
    high = get(&p, word);
    s->len = low >> 3 | high << (word == 8 ? 61 : 29);
    memcpy(s->buf, p.in, desc->block);
    ctx->state = WN_DIGEST_UPDATE;
    return 1;
}

/* Phases as OpenSSL numbers them. */
enum { PHASE_INIT, PHASE_ABSORB, PHASE_FINAL, PHASE_SQUEEZE };

#define KECCAK_BLOCK 168
#define KECCAK_STATE_SIZE (MAGIC_SIZE + 6 * 8 + 25 * 8 + KECCAK_BLOCK)

static const char keccak_magic[] = "KECCAKv1";

/* What kind of sponge, and its strength in bits. */
static uint64_t keccak_kind(const struct wn_md_desc *desc)
{
    uint64_t family = desc->pad == 0x01 ? 0x010000 : desc->pad == 0x1f ? 0x020000
        : desc->pad == 0x06 ? 0x040000 : 0x080000;

    return family + 4 * (200 - desc->block);
}

/*
 * Our sponge xors input into the lanes at once, OpenSSL's keeps it in a block
 * until that is full: an open block of zeros has the same meaning. While
 * squeezing, OpenSSL keeps the block being put out and counts what is left.
 */
int wn_keccak_serialize(void *vctx, unsigned char *out, size_t *outl)
{
    const struct wn_digest_ctx *ctx = vctx;
    const struct wn_md_desc *desc = ctx->md.desc;
    const struct wn_keccak *k = &ctx->md.u.keccak;
    int squeezing = ctx->state == WN_DIGEST_SQUEEZE, done;
    struct pen p = { out, NULL };
    size_t i;

    if (!room(ctx, out, outl, KECCAK_STATE_SIZE, &done) || done)
        return done;
    memcpy(out, keccak_magic, MAGIC_SIZE);
    p.out += MAGIC_SIZE;
    put(&p, keccak_kind(desc), 8);
    put(&p, ctx->size, 8);
    put(&p, desc->block, 8);
    put(&p, squeezing ? desc->block - k->pos : k->pos, 8);
    put(&p, desc->pad, 8);
    put(&p, squeezing ? PHASE_SQUEEZE : ctx->state == WN_DIGEST_IDLE ? PHASE_FINAL
        : PHASE_ABSORB, 8);
    for (i = 0; i < 25; i++)
        put(&p, k->s[i], 8);
    memset(p.out, 0, KECCAK_BLOCK);
    for (i = 0; squeezing && i < desc->block / 8; i++)
        put(&p, k->s[i], 8);
    if (outl != NULL)
        *outl = KECCAK_STATE_SIZE;
    return 1;
}

int wn_keccak_deserialize(void *vctx, const unsigned char *in, size_t inl)
{
    struct wn_digest_ctx *ctx = vctx;
    const struct wn_md_desc *desc = ctx->md.desc;
    struct wn_keccak *k = &ctx->md.u.keccak;
    struct pen p = { NULL, in };
    uint64_t num, phase;
    size_t i;

    if (in == NULL || inl != KECCAK_STATE_SIZE || memcmp(in, keccak_magic, MAGIC_SIZE) != 0)
        return bad_state(ctx);
    p.in += MAGIC_SIZE;
    if (get(&p, 8) != keccak_kind(desc) || get(&p, 8) != ctx->size || get(&p, 8) != desc->block
        || (num = get(&p, 8)) > desc->block || get(&p, 8) != desc->pad
        || (phase = get(&p, 8)) > PHASE_SQUEEZE || (phase < PHASE_FINAL && num == desc->block))
        return bad_state(ctx);
    for (i = 0; i < 25; i++)
        k->s[i] = get(&p, 8);
    k->pos = 0;
    k->squeezing = phase == PHASE_SQUEEZE;
    if (phase == PHASE_SQUEEZE)
        k->pos = (word32)(desc->block - num);
    else if (phase != PHASE_FINAL)
        wn_keccak_absorb(k, desc->block, p.in, num);
    ctx->state = phase == PHASE_SQUEEZE ? WN_DIGEST_SQUEEZE
        : phase == PHASE_FINAL ? WN_DIGEST_IDLE : WN_DIGEST_UPDATE;
    return 1;
}
