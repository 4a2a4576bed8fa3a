/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Triple DES key schedules. wolfCrypt makes one bit by bit, which costs as much
 * as enciphering a kilobyte, and leaves the bits on the stack.
 *
 * Every bit of a DES schedule is one bit of the key (FIPS 46-3, appendix 1), so
 * the schedule of a key is the xor of the schedules of its single bits. Those 56
 * are taken from wolfCrypt once per process; after that a schedule is 56 masked
 * xors, in constant time.
 */
#include "des3_key.h"

#include <pthread.h>
#include <string.h>

/* The lowest bit of each byte is parity. */
#define BYTE_BITS 7
#define N_BITS (DES_KEYLEN * BYTE_BITS)

typedef word32 quad __attribute__((vector_size(16)));
#define N_QUADS (DES_KS_SIZE * sizeof(word32) / sizeof(quad))

static pthread_once_t once = PTHREAD_ONCE_INIT;
static quad of_bit[N_BITS][N_QUADS];
static int made;

static void make_table(void)
{
    unsigned bit;
    Des des;

    for (bit = 0; bit < N_BITS; bit++) {
        unsigned char key[DES_KEYLEN] = { 0 };

        key[bit / BYTE_BITS] = (unsigned char)(2u << bit % BYTE_BITS);
        if (wc_Des_SetKey(&des, key, NULL, DES_ENCRYPTION) != 0)
            return;
        memcpy(of_bit[bit], des.key, sizeof(of_bit[bit]));
    }
    made = 1;
}

/* One DES schedule, backwards (pairs of words) for decryption. */
static void schedule(word32 *out, const unsigned char *key, int backwards)
{
    const quad (*table)[N_QUADS] = of_bit;
    quad acc[N_QUADS], mask;
    unsigned byte, bit, i, bits;
    word32 words[DES_KS_SIZE];

    memset(acc, 0, sizeof(acc));
    for (byte = 0; byte < DES_KEYLEN; byte++)
        for (bits = key[byte], bit = 0; bit < BYTE_BITS; bit++, table++) {
            bits >>= 1;
            mask = (quad){ 0, 0, 0, 0 } - (bits & 1);
#pragma GCC unroll 8
            for (i = 0; i < N_QUADS; i++)
                acc[i] ^= (*table)[i] & mask;
        }
    memcpy(words, acc, sizeof(words));
    for (i = 0; i < DES_KS_SIZE; i += 2) {
        out[i] = words[backwards ? DES_KS_SIZE - 2 - i : i];
        out[i + 1] = words[backwards ? DES_KS_SIZE - 1 - i : i + 1];
    }
    wn_clear(words, sizeof(words));
    wn_clear(acc, sizeof(acc));
}

int wn_des3_set_key(const struct wn_prov *prov, Des3 *des, const unsigned char key[DES3_KEYLEN],
                    int dir)
{
    int dec = dir == DES_DECRYPTION;

    pthread_once(&once, make_table);
    if (!WN_WC(prov, wc_Des3Init(des, NULL, INVALID_DEVID)))
        return 0;
    if (!made)
        return WN_WC(prov, wc_Des3_SetKey(des, key, NULL, dir));
    schedule(des->key[0], key + (dec ? 16 : 0), dec);
    schedule(des->key[1], key + 8, !dec);
    schedule(des->key[2], key + (dec ? 0 : 16), dec);
    des->keySet = 1;
    return 1;
}
