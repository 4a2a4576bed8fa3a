/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel_speed [FILTER [OFFSET]]: nanoseconds of one message and GB/s of each
 * kernel, per CPU level, with wolfCrypt's figure first. The lowest of many
 * short measurements counts, since the machine may be shared. FILTER: part of
 * a row's name. OFFSET: misalignment of the data.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/chacha.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>
#include <wolfssl/wolfcrypt/poly1305.h>
#include <wolfssl/wolfcrypt/sha.h>

#include "algs/accel.h"
#include "provider/cpu.h"

static uint8_t in_[65536 + 128] __attribute__((aligned(64)));
static uint8_t out_[65536 + 128 + 2112] __attribute__((aligned(64)));
static uint8_t *in = in_, *out = out_ + 2112; /* no 4 KiB aliasing */
static uint8_t key[64], iv[16], reg[16], ks[16], tag[16], aad[13];
static unsigned num;
static Aes enc, dec;
static XtsAes xts;
static wc_Sha sha;
static ChaCha chacha;
static const struct wn_accel *a;
static struct wn_gcm gcm;
static struct wn_chapoly cp;

#define ENC enc.key, enc.rounds
#define DEC dec.key, dec.rounds

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double lowest(void (*f)(size_t), size_t len)
{
    size_t calls = 1 + 40000 / (len + 300);
    double best = 1e9;

    for (int round = 0; round < 300; round++) {
        double t = seconds();

        for (size_t i = 0; i < calls; i++)
            f(len);
        t = (seconds() - t) / (double)calls;
        if (t < best)
            best = t;
    }
    return best;
}

/* Each row: ours, and wolfCrypt's way to the same. */
static void gcm_message(size_t n, void (*f)(struct wn_gcm *, const uint8_t *, uint8_t *, size_t))
{
    a->gcm_setiv(&gcm, iv, 12);
    a->gcm_aad(&gcm, aad, 13);
    f(&gcm, in, out, n);
    a->gcm_tag(&gcm, tag);
}

static void gcm_enc(size_t n)
{
    gcm_message(n, a->gcm_enc);
}
static void gcm_dec(size_t n)
{
    gcm_message(n, a->gcm_dec);
}
static void gcm_wolf(size_t n)
{
    wc_AesGcmEncrypt(&enc, out, in, (word32)n, iv, 12, tag, 16, aad, 13);
}
static void gcm_key(size_t n)
{
    a->gcm_setkey(&gcm, key, 16);
    gcm_enc(n);
}
static void gcm_key_wolf(size_t n)
{
    wc_AesGcmSetKey(&enc, key, 16);
    gcm_wolf(n);
}
static void ctr(size_t n)
{
    a->aes_ctr(ENC, reg, ks, &num, in, out, n);
}
static void ctr_wolf(size_t n)
{
    wc_AesCtrEncrypt(&enc, out, in, (word32)n);
}
static void ecb(size_t n)
{
    a->aes_ecb_enc(ENC, in, out, n / 16);
}
static void ecb_wolf(size_t n)
{
    wc_AesEcbEncrypt(&enc, out, in, (word32)n);
}
static void ecbd(size_t n)
{
    a->aes_ecb_dec(DEC, in, out, n / 16);
}
static void ecbd_wolf(size_t n)
{
    wc_AesEcbDecrypt(&dec, out, in, (word32)n);
}
static void cbc(size_t n)
{
    a->aes_cbc_enc(ENC, reg, in, out, n / 16);
}
static void cbc_wolf(size_t n)
{
    wc_AesCbcEncrypt(&enc, out, in, (word32)n);
}
static void cbcd(size_t n)
{
    a->aes_cbc_dec(DEC, reg, in, out, n / 16);
}
static void cbcd_wolf(size_t n)
{
    wc_AesCbcDecrypt(&dec, out, in, (word32)n);
}
static void cfb(size_t n)
{
    a->aes_cfb_enc(ENC, reg, &num, in, out, n);
}
static void cfb_wolf(size_t n)
{
    wc_AesCfbEncrypt(&enc, out, in, (word32)n);
}
static void cfbd(size_t n)
{
    a->aes_cfb_dec(ENC, reg, &num, in, out, n);
}
static void cfbd_wolf(size_t n)
{
    wc_AesCfbDecrypt(&enc, out, in, (word32)n);
}
static void ofb(size_t n)
{
    a->aes_ofb(ENC, reg, &num, in, out, n);
}
static void ofb_wolf(size_t n)
{
    wc_AesOfbEncrypt(&enc, out, in, (word32)n);
}
static void xtse(size_t n)
{
    a->aes_xts_enc(enc.key, enc.key, enc.rounds, reg, in, out, n);
}
static void xtse_wolf(size_t n)
{
    wc_AesXtsEncrypt(&xts, out, in, (word32)n, iv, 16);
}
static void xtsd(size_t n)
{
    a->aes_xts_dec(dec.key, enc.key, dec.rounds, reg, in, out, n);
}
static void xtsd_wolf(size_t n)
{
    wc_AesXtsDecrypt(&xts, out, in, (word32)n, iv, 16);
}
static void ccm(size_t n)
{
    a->aes_ccm_enc(ENC, reg, tag, in, out, n / 16);
}
static void ccm_wolf(size_t n)
{
    wc_AesCcmEncrypt(&enc, out, in, (word32)n, iv, 12, tag, 16, NULL, 0);
}
static void chacha20(size_t n)
{
    uint32_t st[16] = { 1, 2, 3 };

    a->chacha20(st, in, out, n);
}
static void chacha20_wolf(size_t n)
{
    wc_Chacha_Process(&chacha, out, in, (word32)n);
}
static void cp_message(size_t n)
{
    a->cp_init(&cp, key, iv);
    a->cp_aad(&cp, aad, 13);
    a->cp_enc(&cp, in, out, n);
    a->cp_tag(&cp, tag);
}
static void cpd_message(size_t n)
{
    a->cp_init(&cp, key, iv);
    a->cp_aad(&cp, aad, 13);
    a->cp_dec(&cp, in, out, n);
    a->cp_tag(&cp, tag);
}
static void cp_wolf(size_t n)
{
    wc_ChaCha20Poly1305_Encrypt(key, iv, aad, 13, in, (word32)n, out, tag);
}
static void poly(size_t n)
{
    static struct wn_poly1305 p;

    a->poly_init(&p, key);
    a->poly_update(&p, in, n);
    a->poly_tag(&p, tag);
}
static void poly_wolf(size_t n)
{
    static Poly1305 p;

    wc_Poly1305SetKey(&p, key, 32);
    wc_Poly1305Update(&p, in, (word32)n);
    wc_Poly1305Final(&p, tag);
}
static void sha1(size_t n)
{
    uint32_t st[5] = { 0 };

    a->sha1_blocks(st, in, n / 64);
}
static void sha1_wolf(size_t n)
{
    wc_ShaUpdate(&sha, in, (word32)n);
}

#define HAS(name, entry)         \
    static int name(void)        \
    {                            \
        return a->entry != NULL; \
    }
HAS(has_aes, aes_ctr)
HAS(has_chacha, chacha20)
HAS(has_cp, cp_init)
HAS(has_poly, poly_init)
HAS(has_sha1, sha1_blocks)

static const struct row {
    const char *name;
    int (*has)(void);
    void (*ours)(size_t), (*wolf)(size_t);
} rows[] = {
    { "gcm-enc", has_aes, gcm_enc, gcm_wolf },
    { "gcm-dec", has_aes, gcm_dec, gcm_wolf },
    { "gcm-newkey", has_aes, gcm_key, gcm_key_wolf },
    { "ctr", has_aes, ctr, ctr_wolf },
    { "ecb-enc", has_aes, ecb, ecb_wolf },
    { "ecb-dec", has_aes, ecbd, ecbd_wolf },
    { "cbc-enc", has_aes, cbc, cbc_wolf },
    { "cbc-dec", has_aes, cbcd, cbcd_wolf },
    { "cfb-enc", has_aes, cfb, cfb_wolf },
    { "cfb-dec", has_aes, cfbd, cfbd_wolf },
    { "ofb", has_aes, ofb, ofb_wolf },
    { "xts-enc", has_aes, xtse, xtse_wolf },
    { "xts-dec", has_aes, xtsd, xtsd_wolf },
    { "ccm-enc", has_aes, ccm, ccm_wolf },
    { "chacha20", has_chacha, chacha20, chacha20_wolf },
    { "chachapoly", has_cp, cp_message, cp_wolf },
    { "chachapoly-dec", has_cp, cpd_message, cp_wolf },
    { "poly1305", has_poly, poly, poly_wolf },
    { "sha1", has_sha1, sha1, sha1_wolf },
};

static void print(const char *name, double t, size_t len)
{
    printf(" %s %.1f ns %.2f", name, t * 1e9, (double)len / t * 1e-9);
    fflush(stdout);
}

static void measure(const struct row *r, struct wn_accel *tables, size_t n_tables)
{
    static const size_t sizes[] = { 16, 64, 256, 512, 1024, 1400, 4096, 16384, 65536 };

    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        printf("%-14s %6zu:", r->name, sizes[s]);
        print("wolf", lowest(r->wolf, sizes[s]), sizes[s]);
        for (size_t i = 0; i < n_tables; i++) {
            static const char *const names[] = { "512", "256", "128", "sse" };

            a = &tables[i];
            if (!r->has())
                continue;
            if (a->gcm_setkey != NULL)
                a->gcm_setkey(&gcm, key, 16);
            print(names[i], lowest(r->ours, sizes[s]), sizes[s]);
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    static struct wn_accel tables[4];
    uint32_t f;

    wn_cpu_choose(0, 0);
    f = wn_cpu_flags();
    wn_accel_fill(&tables[0], f);
    wn_accel_fill(&tables[1], f & ~(uint32_t)(WN_CPU_AVX512 | WN_CPU_IFMA));
    wn_accel_fill(&tables[2],
                  f & ~(uint32_t)(WN_CPU_AVX512 | WN_CPU_VAES | WN_CPU_VPCLMUL | WN_CPU_AVX2));
    if (argc > 2)
        in += atoi(argv[2]) & 63;
    for (int i = 0; i < 64; i++)
        key[i] = (uint8_t)(i * 5);
    wc_AesInit(&enc, NULL, INVALID_DEVID);
    wc_AesInit(&dec, NULL, INVALID_DEVID);
    wc_AesGcmSetKey(&enc, key, 16);
    wc_AesSetKey(&dec, key, 16, iv, AES_DECRYPTION);
    wc_AesXtsInit(&xts, NULL, INVALID_DEVID);
    wc_AesXtsSetKeyNoInit(&xts, key, 32, AES_ENCRYPTION);
    wc_AesXtsSetKeyNoInit(&xts, key, 32, AES_DECRYPTION);
    wc_InitSha(&sha);
    wc_Chacha_SetKey(&chacha, key, 32);
    wc_Chacha_SetIV(&chacha, iv, 0);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (argc < 2 || strstr(rows[i].name, argv[1]) != NULL)
            measure(&rows[i], tables, 3);
    return 0;
}
