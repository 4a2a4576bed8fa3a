/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of digests, and the Merkle-Damgard digests' buffering and padding
 * (FIPS 180-4 sections 5 and 6, RFC 1321 section 3) over wolfCrypt's block
 * functions. These are reached through wc_*Update with an empty buffer and
 * whole blocks, which takes wolfCrypt's CPU path on every architecture and
 * leaves nothing but the chaining value to keep.
 */
#include "digest.h"

#include <string.h>

#include <wolfssl/wolfcrypt/ripemd.h>
#include <wolfssl/wolfcrypt/sha.h>
#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/sha3.h>
#include <wolfssl/wolfcrypt/sha512.h>

#include "../provider/names.h"
#include "../provider/params.h"
#include "accel.h"
#include "chunk.h"

/* ---- block functions ------------------------------------------------------ */

/*
 * Whole blocks through a wolfCrypt structure whose only meaningful members are
 * the chaining value and an empty buffer. It is wiped: the chaining value, and
 * what lies in the buffer, is under HMAC as good as the key.
 */
static void through_wolf(void *s, void *digest, size_t hsize, void *h, const byte *in, size_t left,
                         int (*update)(void *s, const byte *in, word32 n))
{
    size_t piece;

    memcpy(digest, h, hsize);
    for (; left > 0; left -= piece, in += piece) {
        piece = left < WN_CHUNK ? left : WN_CHUNK;
        (void)update(s, in, (word32)piece);
    }
    memcpy(h, digest, hsize);
}

#define DEFINE_BLOCKS(name, type, update, block, hsize)                      \
    static int name##_update(void *s, const byte *in, word32 n) { return update(s, in, n); } \
    static void name(void *h, const byte *in, size_t n)                      \
    {                                                                        \
        type s;                                                              \
                                                                             \
        s.buffLen = 0;                                                       \
        s.loLen = s.hiLen = 0;                                               \
        through_wolf(&s, s.digest, hsize, h, in, n * (block), name##_update); \
        wn_clear(&s, sizeof(s));                                             \
    }
DEFINE_BLOCKS(sha1_blocks_wolf, wc_Sha, wc_ShaUpdate, 64, 20)
DEFINE_BLOCKS(sha256_blocks_wolf, wc_Sha256, wc_Sha256Update, 64, 32)
DEFINE_BLOCKS(sha512_blocks_wolf, wc_Sha512, wc_Sha512Update, 128, 64)
DEFINE_BLOCKS(ripemd160_blocks, RipeMd, wc_RipeMdUpdate, 64, 20)

static struct wn_sha2_kernel sha2;

static void sha1_blocks(void *h, const byte *in, size_t n)
{
    if (wn_accel.sha1_blocks != NULL)
        wn_accel.sha1_blocks(h, in, n);
    else
        sha1_blocks_wolf(h, in, n);
}

static void sha256_blocks(void *h, const byte *in, size_t n)
{
    if (sha2.sha256 != NULL)
        sha2.sha256(h, in, n);
    else
        sha256_blocks_wolf(h, in, n);
}

static void sha512_blocks(void *h, const byte *in, size_t n)
{
    if (sha2.sha512 != NULL)
        sha2.sha512(h, in, n);
    else
        sha512_blocks_wolf(h, in, n);
}

/* ---- Merkle-Damgard ------------------------------------------------------- */

static inline void mdh_init(const struct wn_md_desc *d, struct wn_mdh *s)
{
    memcpy(&s->h, d->iv, sizeof(s->h));
    s->len = 0;
    s->num = 0;
}

static inline void mdh_update(const struct wn_md_desc *d, struct wn_mdh *s, const byte *in,
                              size_t n)
{
    size_t block = d->block, take;

    s->len += n;
    if (s->num != 0) {
        take = block - s->num;
        if (n < take) {
            if (n != 0)
                memcpy(s->buf + s->num, in, n);
            s->num += n;
            return;
        }
        memcpy(s->buf + s->num, in, take);
        d->blocks(&s->h, s->buf, 1);
        in += take;
        n -= take;
    }
    if (n >= block) {
        take = n & ~(block - 1);
        d->blocks(&s->h, in, take / block);
        in += take;
        n -= take;
    }
    if (n != 0)
        memcpy(s->buf, in, n);
    s->num = n;
}

/* The 16 bytes at p with a 1 bit after the first n and zeros after it. */
static inline wn_chunk one_bit(const byte *p, size_t n)
{
    static const byte keep[31] = {
        255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
    };
    static const byte bit[31] = { [15] = 0x80 };

    if (n == 0) /* what stands there may be newer than the cache */
        return wn_chunk_load(bit + 15);
    return (wn_chunk_load(p) & wn_chunk_load(keep + 15 - n)) | wn_chunk_load(bit + 15 - n);
}

/* The last one or two blocks: 1 bit, zeros, and the length at the very end. */
static inline void mdh_pad(const struct wn_md_desc *d, struct wn_mdh *s, int little)
{
    size_t block = d->block, lensize = block / 8, at = s->num & ~(size_t)15;
    const word64 bits = s->len << 3, high = lensize == 16 ? wn_be64(s->len >> 61) : 0;
    const wn_chunk zero = { 0 }, length = { high, little ? wn_le64(bits) : wn_be64(bits) };
    wn_chunk c = one_bit(s->buf + at, s->num - at);

    if (s->num >= block - lensize) {
        for (; at < block; at += sizeof(c), c = zero)
            wn_chunk_store(s->buf + at, c);
        d->blocks(&s->h, s->buf, 1);
        at = 0;
    }
    for (; at < block - sizeof(c); at += sizeof(c), c = zero)
        wn_chunk_store(s->buf + at, c);
    wn_chunk_store(s->buf + at, c | length);
    d->blocks(&s->h, s->buf, 1);
}

static inline void store_be64(byte *out, word64 w)
{
    w = wn_be64(w);
    memcpy(out, &w, 8);
}

static inline void store_be32(byte *out, word32 w)
{
#if __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
    w = __builtin_bswap32(w);
#endif
    memcpy(out, &w, 4);
}

static void be32_output(const struct wn_md_desc *d, const struct wn_mdh *s, byte *out)
{
    size_t i;

    for (i = 0; i < d->size / 4; i++)
        store_be32(out + 4 * i, s->h.w32[i]);
}

static void be64_output(const struct wn_md_desc *d, const struct wn_mdh *s, byte *out)
{
    size_t i;

    for (i = 0; i < d->size / 8; i++)
        store_be64(out + 8 * i, s->h.w64[i]);
    if (d->size % 8 != 0)
        store_be32(out + 8 * i, (word32)(s->h.w64[i] >> 32));
}

static void le32_output(const struct wn_md_desc *d, const struct wn_mdh *s, byte *out)
{
    size_t i;

    for (i = 0; i < d->size / 4; i++)
        store_be32(out + 4 * i, __builtin_bswap32(s->h.w32[i]));
}

static void md_init(const struct wn_md_desc *d, union wn_md_state *u)
{
    mdh_init(d, &u->mdh);
}

static void md_update(const struct wn_md_desc *d, union wn_md_state *u, const byte *in, size_t n)
{
    mdh_update(d, &u->mdh, in, n);
}

#define DEFINE_CLASS(kind, little)                                           \
    static void kind##_final(const struct wn_md_desc *d, union wn_md_state *u, byte *out, \
                             size_t outlen)                                  \
    {                                                                        \
        (void)outlen;                                                        \
        mdh_pad(d, &u->mdh, little);                                         \
        kind##_output(d, &u->mdh, out);                                      \
    }                                                                        \
    static const struct wn_md_class kind##_class = {                         \
        md_init, md_update, kind##_final, kind##_output                      \
    };
DEFINE_CLASS(be32, 0)
DEFINE_CLASS(be64, 0)
DEFINE_CLASS(le32, 1)

/* MD5 and SHA-1 side by side (TLS 1.0 and 1.1). */
static void both_init(const struct wn_md_desc *d, union wn_md_state *u)
{
    (void)d;
    mdh_init(&wn_md_md5, &u->md5_sha1.md5);
    mdh_init(&wn_md_sha1, &u->md5_sha1.sha1);
}

static void both_update(const struct wn_md_desc *d, union wn_md_state *u, const byte *in, size_t n)
{
    (void)d;
    mdh_update(&wn_md_md5, &u->md5_sha1.md5, in, n);
    mdh_update(&wn_md_sha1, &u->md5_sha1.sha1, in, n);
}

static void both_final(const struct wn_md_desc *d, union wn_md_state *u, byte *out, size_t outlen)
{
    (void)d;
    (void)outlen;
    mdh_pad(&wn_md_md5, &u->md5_sha1.md5, 1);
    le32_output(&wn_md_md5, &u->md5_sha1.md5, out);
    mdh_pad(&wn_md_sha1, &u->md5_sha1.sha1, 0);
    be32_output(&wn_md_sha1, &u->md5_sha1.sha1, out + wn_md_md5.size);
}

static const struct wn_md_class both_class = { both_init, both_update, both_final, NULL };

/* ---- descriptors ---------------------------------------------------------- */

/* Initial values: RFC 1321 section 3.3, FIPS 180-4 section 5.3. */
static const word32 md5_iv[16] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
static const word32 sha1_iv[16] = {
    0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0
};
static const word32 sha224_iv[16] = {
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4
};
static const word32 sha256_iv[16] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
};
static const word64 sha384_iv[8] = {
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4
};
static const word64 sha512_iv[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179
};
static const word64 sha512_224_iv[8] = {
    0x8c3d37c819544da2, 0x73e1996689dcd4d6, 0x1dfab7ae32ff9c82, 0x679dd514582f9fcf,
    0x0f6d2b697bd44da8, 0x77e36f7304c48942, 0x3f9d85a86a1d36c8, 0x1112e6ad91d692a1
};
static const word64 sha512_256_iv[8] = {
    0x22312194fc2bf72c, 0x9f555fa3c84c64c2, 0x2393b86b6f53b151, 0x963877195940eabd,
    0x96283ee2a88effe3, 0xbe5e1e2553863992, 0x2b0199fc2c85b8aa, 0x0eb72ddc81c52ca2
};

#define MDH_HEAD offsetof(struct wn_mdh, buf)

#define MDH(id, names, size, block, flags, wc, kind, blocks, iv)             \
    const struct wn_md_desc wn_md_##id = {                                   \
        names, size, block, flags, WC_HASH_TYPE_##wc,                        \
        MDH_HEAD + (block), MDH_HEAD, &kind##_class, blocks, iv, 0           \
    };
MDH(md5, "MD5:SSL3-MD5:1.2.840.113549.2.5", 16, 64, 0, MD5, le32, wn_md5_blocks, md5_iv)
MDH(sha1, "SHA1:SHA-1:SSL3-SHA1:1.3.14.3.2.26", 20, 64, WN_MD_ALGID_ABSENT, SHA, be32,
    sha1_blocks, sha1_iv)
MDH(sha224, "SHA2-224:SHA-224:SHA224:2.16.840.1.101.3.4.2.4", 28, 64, WN_MD_ALGID_ABSENT, SHA224,
    be32, sha256_blocks, sha224_iv)
MDH(sha256, "SHA2-256:SHA-256:SHA256:2.16.840.1.101.3.4.2.1", 32, 64, WN_MD_ALGID_ABSENT, SHA256,
    be32, sha256_blocks, sha256_iv)
MDH(sha256_192, "SHA2-256/192:SHA-256/192:SHA256-192", 24, 64, WN_MD_ALGID_ABSENT, NONE, be32,
    sha256_blocks, sha256_iv)
MDH(sha384, "SHA2-384:SHA-384:SHA384:2.16.840.1.101.3.4.2.2", 48, 128, WN_MD_ALGID_ABSENT, SHA384,
    be64, sha512_blocks, sha384_iv)
MDH(sha512, "SHA2-512:SHA-512:SHA512:2.16.840.1.101.3.4.2.3", 64, 128, WN_MD_ALGID_ABSENT, SHA512,
    be64, sha512_blocks, sha512_iv)
MDH(sha512_224, "SHA2-512/224:SHA-512/224:SHA512-224:2.16.840.1.101.3.4.2.5", 28, 128,
    WN_MD_ALGID_ABSENT, SHA512_224, be64, sha512_blocks, sha512_224_iv)
MDH(sha512_256, "SHA2-512/256:SHA-512/256:SHA512-256:2.16.840.1.101.3.4.2.6", 32, 128,
    WN_MD_ALGID_ABSENT, SHA512_256, be64, sha512_blocks, sha512_256_iv)

/* Its initial value is SHA-1's. */
MDH(ripemd160, "RIPEMD-160:RIPEMD160:RIPEMD:RMD160:1.3.36.3.2.1", 20, 64, 0, NONE, le32,
    ripemd160_blocks, sha1_iv)

#define BLAKE2(id, names, size, block)                                       \
    const struct wn_md_desc wn_md_##id = {                                   \
        names, size, block, 0, WC_HASH_TYPE_NONE,                            \
        MDH_HEAD + (block), MDH_HEAD + (block), &wn_md_class_blake2, NULL, NULL, 0 \
    };
BLAKE2(blake2b_512, "BLAKE2B-512:BLAKE2b512:1.3.6.1.4.1.1722.12.2.1.16", 64, 128)
BLAKE2(blake2s_256, "BLAKE2S-256:BLAKE2s256:1.3.6.1.4.1.1722.12.2.2.8", 32, 64)

const struct wn_md_desc wn_md_md5_sha1 = {
    "MD5-SHA1", 36, 64, 0, WC_HASH_TYPE_MD5_SHA,
    sizeof(((struct wn_md *)0)->u.md5_sha1), sizeof(((struct wn_md *)0)->u.md5_sha1),
    &both_class, NULL, NULL, 0
};

/* Domain separation: FIPS 202 section 6 (SHA-3 01, SHAKE 1111), cSHAKE 00. */
#define SPONGE(id, names, size, rate, flags, wc, pad)                        \
    const struct wn_md_desc wn_md_##id = {                                   \
        names, size, rate, flags, WC_HASH_TYPE_##wc,                         \
        sizeof(struct wn_keccak), sizeof(struct wn_keccak), &wn_md_class_sponge, NULL, NULL, pad \
    };
SPONGE(sha3_224, "SHA3-224:2.16.840.1.101.3.4.2.7", 28, 144, WN_MD_ALGID_ABSENT, SHA3_224, 0x06)
SPONGE(sha3_256, "SHA3-256:2.16.840.1.101.3.4.2.8", 32, 136, WN_MD_ALGID_ABSENT, SHA3_256, 0x06)
SPONGE(sha3_384, "SHA3-384:2.16.840.1.101.3.4.2.9", 48, 104, WN_MD_ALGID_ABSENT, SHA3_384, 0x06)
SPONGE(sha3_512, "SHA3-512:2.16.840.1.101.3.4.2.10", 64, 72, WN_MD_ALGID_ABSENT, SHA3_512, 0x06)
SPONGE(keccak_224, "KECCAK-224", 28, 144, WN_MD_ALGID_ABSENT, NONE, 0x01)
SPONGE(keccak_256, "KECCAK-256", 32, 136, WN_MD_ALGID_ABSENT, NONE, 0x01)
SPONGE(keccak_384, "KECCAK-384", 48, 104, WN_MD_ALGID_ABSENT, NONE, 0x01)
SPONGE(keccak_512, "KECCAK-512", 64, 72, WN_MD_ALGID_ABSENT, NONE, 0x01)
SPONGE(keccak_kmac_128, "KECCAK-KMAC-128:KECCAK-KMAC128:CSHAKE-KECCAK-128", 32, 168,
       WN_MD_XOF, NONE, 0x04)
SPONGE(keccak_kmac_256, "KECCAK-KMAC-256:KECCAK-KMAC256:CSHAKE-KECCAK-256", 64, 136,
       WN_MD_XOF, NONE, 0x04)
SPONGE(shake_128, "SHAKE-128:SHAKE128:2.16.840.1.101.3.4.2.11", 16, 168,
       WN_MD_XOF | WN_MD_ALGID_ABSENT, SHAKE128, 0x1f)
SPONGE(shake_256, "SHAKE-256:SHAKE256:2.16.840.1.101.3.4.2.12", 32, 136,
       WN_MD_XOF | WN_MD_ALGID_ABSENT, SHAKE256, 0x1f)

/* ---- look-up and setup ---------------------------------------------------- */

const char *wn_md_name(const struct wn_md_desc *desc, char buf[WN_MD_NAME_MAX])
{
    size_t n = strcspn(desc->names, ":");

    memcpy(buf, desc->names, n);
    buf[n] = '\0';
    return buf;
}

int wn_md_is_a(const struct wn_md_desc *desc, const char *name)
{
    return wn_name_listed(desc->names, name);
}

const struct wn_md_desc *wn_md_find(const char *name)
{
    static const struct wn_md_desc *const all[] = {
#define ENTRY(id) &wn_md_##id,
        WN_MD_LIST(ENTRY)
    };
    size_t i;

    for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (wn_md_is_a(all[i], name))
            return all[i];
    return NULL;
}

#define PARAM_NAME_MAX 64

int wn_md_try(const struct wn_prov *prov, const OSSL_PARAM *p, const struct wn_md_desc **desc)
{
    const struct wn_md_desc *found;
    char name[PARAM_NAME_MAX];

    if (p == NULL)
        return 1;
    if (!wn_param_get_utf8(p, name, sizeof(name))) {
        WN_RAISE(prov, PROV_R_FAILED_TO_GET_PARAMETER);
        return 0;
    }
    found = wn_md_find(name);
    if (found == NULL)
        return -1;
    *desc = found;
    return 1;
}

int wn_md_raise_unknown(const struct wn_prov *prov, const OSSL_PARAM *p)
{
    char name[PARAM_NAME_MAX] = "";

    (void)wn_param_get_utf8(p, name, sizeof(name));
    /* what the default provider's fetch raises */
    wn_raise_at(prov, __FILE__, __LINE__, __func__, ERR_PACK(ERR_LIB_EVP, 0, ERR_R_UNSUPPORTED),
                "digest %s", name);
    return 0;
}

int wn_md_take(const struct wn_prov *prov, const OSSL_PARAM *p, const struct wn_md_desc **desc)
{
    int found = wn_md_try(prov, p, desc);

    return found >= 0 ? found : wn_md_raise_unknown(prov, p);
}

int wn_md_once(const struct wn_md_desc *desc, const void *in, size_t n, unsigned char *out)
{
    struct wn_md md;

    wn_md_init(&md, desc);
    wn_md_update(&md, in, n);
    wn_md_final(&md, out);
    wn_clear(&md, offsetof(struct wn_md, u) + desc->state_size);
    return 1;
}

void wn_md_clear(struct wn_md *md)
{
    wn_clear(md, sizeof(*md));
}

void wn_md_setup(uint32_t cpu_flags)
{
    union {
        wc_Sha256 sha256;
        wc_Sha512 sha512;
        wc_Sha3 sha3;
    } s;

    /* wolfCrypt chooses at the first init; we never call that again */
    (void)wc_InitSha256(&s.sha256);
    (void)wc_InitSha512(&s.sha512);
    (void)wc_InitSha3_256(&s.sha3, NULL, INVALID_DEVID);
    wn_sha2_choose(&sha2, cpu_flags);
    wn_keccak_setup(cpu_flags);
}
