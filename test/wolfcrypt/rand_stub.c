/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wolfCrypt's random hook for programs that link wolfCrypt without the
 * provider: its own self-test and benchmark.
 */
#include <sys/random.h>

struct WC_RNG;
int wn_rand_block(struct WC_RNG *rng, unsigned char *out, unsigned int sz);

int wn_rand_block(struct WC_RNG *rng, unsigned char *out, unsigned int sz)
{
    (void)rng;
    while (sz > 0) {
        ssize_t got = getrandom(out, sz > 256 ? 256 : sz, 0);

        if (got < 0)
            return -1;
        out += got;
        sz -= (unsigned int)got;
    }
    return 0;
}
