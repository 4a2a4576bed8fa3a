/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels of our own for the modes in which wolfCrypt trails: one table of
 * function pointers, filled once at load from the CPU flags. A NULL entry
 * means "no kernel here, use wolfCrypt"; whole groups (gcm_*, cp_*) are NULL
 * or set together. Portable and non-x86 builds have an all-NULL table.
 *
 * Conventions, for every entry:
 *  - rk, rounds: a wolfCrypt key schedule, i.e. Aes.key and Aes.rounds of a
 *    key set for encryption, or for decryption where the entry says "dec".
 *    The schedule must be the AES-NI one (Aes.use_aesni): check it once when
 *    the key is set and fall back to wolfCrypt otherwise. rounds: 10, 12, 14.
 *  - in == out, or no overlap at all. No alignment is assumed anywhere, and
 *    not one byte outside [in, in + len) or [out, out + len) is touched.
 *  - Lengths are size_t and unlimited; limits of a mode are the caller's to
 *    check. A length of 0 is a no-op (pointers may then be NULL).
 *  - No entry fails, allocates, locks, or branches on secret data.
 *  - Contexts are plain bytes without interior pointers: struct assignment
 *    duplicates them mid-stream; wipe them with wn_clear when done.
 *  - One context is used by one thread at a time.
 */
#ifndef WN_ACCEL_H
#define WN_ACCEL_H

#include <stddef.h>
#include <stdint.h>

#include "rsa_kernel.h"

/*
 * AES-GCM (SP 800-38D). The key part (rk ... hpow) is set by gcm_setkey and
 * survives gcm_setiv, which starts a message. Powers of H are computed when a
 * message first needs them.
 */
struct wn_gcm {
    _Alignas(16) uint8_t rk[15][16];
    uint32_t rounds;
    uint32_t npow;        /* how many powers of H are valid */
    uint8_t hpow[32][16]; /* hpow[32 - i] = H^i, in the kernel's own form */
    uint8_t ctr[16];      /* last counter block used (inc32 comes first) */
    uint8_t ek0[16];      /* E_K(J0), masks the tag: if masked */
    uint8_t y[16];        /* GHASH; bytes of an open block are xored in */
    uint8_t ks[16];       /* keystream of an open block */
    uint64_t aad_len;     /* bytes so far */
    uint64_t len;
    uint32_t masked;
};

/* Poly1305 (RFC 8439 section 2.5). */
struct wn_poly1305 {
    uint64_t h[3];      /* accumulator */
    uint64_t r[2];      /* the key's first half, clamped */
    uint64_t pow[3][8]; /* powers of r, limb by limb, highest first */
    uint8_t s[16];      /* the key's second half */
    uint8_t buf[16];    /* open block */
    uint32_t used;      /* its bytes */
    uint32_t npow;      /* how many powers of r are valid */
};

/* ChaCha20-Poly1305 (RFC 8439 section 2.8). */
struct wn_chapoly {
    uint32_t st[16];  /* ChaCha20 state; st[12] is the next counter */
    uint8_t ks[1024]; /* keystream computed ahead, */
    uint32_t ks_off;  /* its first unused byte, */
    uint32_t ks_end;  /* and its end */
    struct wn_poly1305 poly;
    uint64_t aad_len; /* bytes so far */
    uint64_t len;
};

struct wn_accel {
    /* What serves, for buildinfo: "vaes512", "vaes256", "aesni", ... or NULL */
    const char *aes_path, *gcm_path, *chacha_path, *sha1_path, *rsa_path;

    /*
     * GCM. Order: setkey, then per message setiv, aad*, (enc* | dec*), tag.
     * setkey takes a key of 16, 24 or 32 bytes and an aligned context.
     * Any split of aad and data. setiv takes 1 .. 2^61-1 bytes of IV. The
     * caller bounds aad_len and len (section 5.2.1.1) and compares tags, in
     * constant time, itself. tag writes 16 bytes and may come once per setiv.
     */
    void (*gcm_setkey)(struct wn_gcm *g, const uint8_t *key, size_t keylen);
    void (*gcm_setiv)(struct wn_gcm *g, const uint8_t *iv, size_t ivlen);
    void (*gcm_aad)(struct wn_gcm *g, const uint8_t *aad, size_t len);
    void (*gcm_enc)(struct wn_gcm *g, const uint8_t *in, uint8_t *out, size_t len);
    void (*gcm_dec)(struct wn_gcm *g, const uint8_t *in, uint8_t *out, size_t len);
    void (*gcm_tag)(struct wn_gcm *g, uint8_t tag[16]);

    /*
     * The round keys of FIPS 197, 240 bytes aligned to 16, in the form that
     * wolfCrypt's AES-NI code has; for a key of 16, 24 or 32 bytes. Returns the
     * number of rounds.
     */
    unsigned (*aes_keys)(void *rk, const uint8_t *key, size_t keylen, int enc);

    /*
     * CTR (SP 800-38A 6.5): ctr is the next counter block, 128 bits
     * big-endian with full carry; num (0 .. 15) is the position in ks, the
     * keystream of the last block, 0 = none left. All three are updated, so
     * that they are what EVP shows as IV and "num".
     */
    void (*aes_ctr)(const void *rk, unsigned rounds, uint8_t ctr[16], uint8_t ks[16], unsigned *num,
                    const uint8_t *in, uint8_t *out, size_t len);

    /* ECB, CBC: whole blocks; iv is updated. dec: decryption schedule. */
    void (*aes_ecb_enc)(const void *rk, unsigned rounds, const uint8_t *in, uint8_t *out,
                        size_t blocks);
    void (*aes_ecb_dec)(const void *rk, unsigned rounds, const uint8_t *in, uint8_t *out,
                        size_t blocks);
    void (*aes_cbc_enc)(const void *rk, unsigned rounds, uint8_t iv[16], const uint8_t *in,
                        uint8_t *out, size_t blocks);
    void (*aes_cbc_dec)(const void *rk, unsigned rounds, uint8_t iv[16], const uint8_t *in,
                        uint8_t *out, size_t blocks);

    /*
     * CFB128 and OFB, any split: iv is the shift register, num the number of
     * its bytes already used (0 = none open). Encryption schedule for all.
     */
    void (*aes_cfb_enc)(const void *rk, unsigned rounds, uint8_t iv[16], unsigned *num,
                        const uint8_t *in, uint8_t *out, size_t len);
    void (*aes_cfb_dec)(const void *rk, unsigned rounds, uint8_t iv[16], unsigned *num,
                        const uint8_t *in, uint8_t *out, size_t len);
    void (*aes_ofb)(const void *rk, unsigned rounds, uint8_t iv[16], unsigned *num,
                    const uint8_t *in, uint8_t *out, size_t len);

    /*
     * XTS (IEEE 1619, SP 800-38E): one data unit of len >= 16 bytes, with
     * ciphertext stealing when len is no multiple of 16. rk is the schedule of
     * the first key (dec: its decryption schedule), rk2 the second key's for
     * encryption, which makes the tweak of the data unit's number, iv.
     */
    void (*aes_xts_enc)(const void *rk, const void *rk2, unsigned rounds, const uint8_t iv[16],
                        const uint8_t *in, uint8_t *out, size_t len);
    void (*aes_xts_dec)(const void *rk, const void *rk2, unsigned rounds, const uint8_t iv[16],
                        const uint8_t *in, uint8_t *out, size_t len);

    /*
     * CCM (SP 800-38C 6.1, 6.2): the payload pass, whole blocks. ctr is the
     * next counter block (full 128-bit carry: the caller's length check keeps
     * it inside the counter field), mac the running CBC-MAC; both updated.
     */
    void (*aes_ccm_enc)(const void *rk, unsigned rounds, uint8_t ctr[16], uint8_t mac[16],
                        const uint8_t *in, uint8_t *out, size_t blocks);
    void (*aes_ccm_dec)(const void *rk, unsigned rounds, uint8_t ctr[16], uint8_t mac[16],
                        const uint8_t *in, uint8_t *out, size_t blocks);

    /* CBC-MAC step over whole blocks: mac = E(mac ^ block). CMAC, CCM's AAD. */
    void (*aes_cbcmac)(const void *rk, unsigned rounds, uint8_t mac[16], const uint8_t *in,
                       size_t blocks);

    /*
     * ChaCha20 (RFC 8439 2.4): xors len bytes with the keystream that starts
     * at the block st describes (st[0..3] constants, st[4..11] key, st[12]
     * counter, st[13..15] nonce, host-order words). The counter is 32 bits and
     * wraps without carry into st[13]. st is not changed: the caller advances
     * st[12], and keeps the rest of a last partial block if it wants it (a
     * call with 64 zero bytes gives it).
     */
    void (*chacha20)(const uint32_t st[16], const uint8_t *in, uint8_t *out, size_t len);

    /*
     * ChaCha20-Poly1305. Order: init, then aad*, (enc* | dec*), tag, as GCM.
     * Every message needs init, which is cheap; the nonce has 12 bytes.
     */
    void (*cp_init)(struct wn_chapoly *c, const uint8_t key[32], const uint8_t nonce[12]);
    void (*cp_aad)(struct wn_chapoly *c, const uint8_t *aad, size_t len);
    void (*cp_enc)(struct wn_chapoly *c, const uint8_t *in, uint8_t *out, size_t len);
    void (*cp_dec)(struct wn_chapoly *c, const uint8_t *in, uint8_t *out, size_t len);
    void (*cp_tag)(struct wn_chapoly *c, uint8_t tag[16]);

    /*
     * Poly1305 alone: init with the one-time key r || s, any split, one tag
     * (16 bytes; compared by the caller in constant time).
     */
    void (*poly_init)(struct wn_poly1305 *p, const uint8_t key[32]);
    void (*poly_update)(struct wn_poly1305 *p, const uint8_t *in, size_t len);
    void (*poly_tag)(struct wn_poly1305 *p, uint8_t tag[16]);

    /* SHA-1 (FIPS 180-4 6.1.2): n blocks of 64 bytes into st. */
    void (*sha1_blocks)(uint32_t st[5], const uint8_t *in, size_t n);

    /* RSA primitives (rsa_kernel.h): the first that serves a size is to be used. */
    const struct wn_rsa_kernel *rsa[WN_RSA_KERNELS];
};

/* Read-only once wn_accel_init has returned. */
extern struct wn_accel wn_accel;

/* Fills wn_accel for cpu_flags (WN_CPU_*, provider/cpu.h). Idempotent. */
void wn_accel_init(uint32_t cpu_flags);

/* The same into any table, for tests of each level. */
void wn_accel_fill(struct wn_accel *a, uint32_t cpu_flags);

#endif
