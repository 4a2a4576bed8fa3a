/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers of all key types; see key.h. */
#include "key.h"

int wn_security_bits(size_t bits)
{
    /* sizes that the standards name */
    static const struct {
        size_t bits;
        int strength;
    } named[] = {
        { 2048, 112 }, { 3072, 128 }, { 4096, 152 }, { 6144, 176 }, { 7680, 192 },
        { 8192, 200 }, { 15360, 256 },
    };
    /*
     * For all others the estimate of the number field sieve's cost
     * (1.923 cbrt(x ln(x)^2) - 4.69) / ln 2 with x = bits ln 2, rounded to a
     * multiple of 8: entry i is the first size with strength 8 (i + 1).
     */
    static const unsigned short first[] = {
        16, 41, 81, 138, 213, 308, 425, 566, 729, 920, 1137, 1383, 1657, 1963, 2301,
        2671, 3076, 3514, 3991, 4502, 5054, 5642, 6274, 6947, 7681, 8418, 9216, 10064,
        10953, 11893, 12877, 13914, 15361, 16132
    };
    size_t i;

    for (i = 0; i < sizeof(named) / sizeof(named[0]); i++)
        if (bits == named[i].bits)
            return named[i].strength;
    for (i = 0; i < sizeof(first) / sizeof(first[0]) && bits >= first[i]; i++)
        ;
    return 8 * (int)i;
}
