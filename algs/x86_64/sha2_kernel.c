/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The block functions of SHA-2: wolfCrypt's x86_64 assembly, called without the
 * detour through wc_Sha256Update() and its copy of the state, so that a short
 * message costs little more than its blocks; with BMI2 and without the SHA extensions
 * our own.
 *
 * The assembly takes wolfCrypt's structures but touches only some members:
 *   SHA extensions, AVX1     digest
 *   AVX2 (two blocks a time) digest and, for an odd first block, buffer
 *   SHA-512, all             digest, buffer, data (the input pointer)
 * Where it is more than the digest, it gets a structure on the stack.
 */
#include "../digest.h"

#include <string.h>

#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/sha512.h>

#include "../../provider/cpu.h"

/* As in wolfCrypt's sources; its headers do not declare them. */
#define SHA256_PATHS(X) X(AVX1_Sha) X(SSE2_Sha) X(AVX2) X(AVX1_RORX) X(AVX1)
#define SHA512_PATHS(X) X(AVX2) X(AVX1_RORX) X(AVX1)
#define DECLARE_256(path) \
    extern int Transform_Sha256_##path##_Len(wc_Sha256 *s, const byte *in, word32 len);
#define DECLARE_512(path) \
    extern int Transform_Sha512_##path##_Len(wc_Sha512 *s, word32 len);
SHA256_PATHS(DECLARE_256)
SHA512_PATHS(DECLARE_512)

#define PIECE(left) ((left) < WN_CHUNK ? (left) : WN_CHUNK)

static inline void direct_256(void *h, const byte *in, size_t left,
                              int (*run)(wc_Sha256 *s, const byte *in, word32 len))
{
    size_t piece;

    for (; left > 0; left -= piece, in += piece) {
        piece = PIECE(left);
        run(h, in, (word32)piece);
    }
}

static inline void copied_256(void *h, const byte *in, size_t left,
                              int (*run)(wc_Sha256 *s, const byte *in, word32 len))
{
    wc_Sha256 s;

    memcpy(s.digest, h, sizeof(s.digest));
    direct_256(&s, in, left, run);
    memcpy(h, s.digest, sizeof(s.digest));
    wn_clear(s.digest, sizeof(s.digest));
}

static inline void copied_512(void *h, const byte *in, size_t left,
                              int (*run)(wc_Sha512 *s, word32 len))
{
    size_t piece;
    wc_Sha512 s;

    memcpy(s.digest, h, sizeof(s.digest));
    for (; left > 0; left -= piece, in += piece) {
        piece = PIECE(left);
        s.data = in;
        run(&s, (word32)piece);
    }
    memcpy(h, s.digest, sizeof(s.digest));
    wn_clear(s.digest, sizeof(s.digest));
}

#define DEFINE_256(how, path)                                                \
    static void sha256_##path(void *h, const byte *in, size_t n)             \
    { how##_256(h, in, n * WC_SHA256_BLOCK_SIZE, Transform_Sha256_##path##_Len); }
DEFINE_256(direct, AVX1_Sha)
DEFINE_256(direct, SSE2_Sha)
DEFINE_256(direct, AVX1_RORX)
DEFINE_256(direct, AVX1)
DEFINE_256(copied, AVX2)

#define DEFINE_512(path)                                                     \
    static void sha512_##path(void *h, const byte *in, size_t n)             \
    { copied_512(h, in, n * WC_SHA512_BLOCK_SIZE, Transform_Sha512_##path##_Len); }
SHA512_PATHS(DEFINE_512)

/* sha512_impl.h */
void wn_sha512_avx512(void *h, const byte *in, size_t n);
void wn_sha512_avx2(void *h, const byte *in, size_t n);

/* sha256_impl.h */
void wn_sha256_avx512(void *h, const byte *in, size_t n);
void wn_sha256_avx2(void *h, const byte *in, size_t n);

/* wolfCrypt's own order of preference, and ours where it has two. */
void wn_sha2_choose(struct wn_sha2_kernel *kernel, uint32_t cpu_flags)
{
    int avx = (cpu_flags & WN_CPU_AVX) != 0, avx2 = (cpu_flags & WN_CPU_AVX2) != 0;
    int bmi2 = (cpu_flags & (WN_CPU_BMI1 | WN_CPU_BMI2)) == (WN_CPU_BMI1 | WN_CPU_BMI2);

    kernel->sha256 = NULL;
    kernel->sha512 = NULL;
    if (cpu_flags & WN_CPU_SHA)
        kernel->sha256 = avx ? sha256_AVX1_Sha : sha256_SSE2_Sha;
    else if (bmi2 && (cpu_flags & WN_CPU_AVX512))
        kernel->sha256 = wn_sha256_avx512;
    else if (avx2)
        kernel->sha256 = bmi2 ? wn_sha256_avx2 : sha256_AVX2;
    else if (avx)
        kernel->sha256 = bmi2 ? sha256_AVX1_RORX : sha256_AVX1;
    if (bmi2 && (cpu_flags & WN_CPU_AVX512))
        kernel->sha512 = wn_sha512_avx512;
    else if (avx2)
        kernel->sha512 = bmi2 ? wn_sha512_avx2 : sha512_AVX2;
    else if (avx)
        kernel->sha512 = bmi2 ? sha512_AVX1_RORX : sha512_AVX1;
}
