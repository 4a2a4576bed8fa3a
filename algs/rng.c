/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random bytes for the module's own use; see provider/rng.h. */
#include "../provider/rng.h"

#include <string.h>

#include "wolf.h"

#include <wolfssl/wolfcrypt/random.h>

/* The provider whose generator serves this thread's next wolfCrypt calls. */
static _Thread_local const struct wn_prov *current;

int wn_rng_bytes(const struct wn_prov *prov, void *out, size_t n)
{
    unsigned char *to = out, *pool = NULL;
    size_t got;

    while (n > 0) {
        size_t want = n < 4096 ? n : 4096;

        got = prov->core.get_entropy == NULL ? 0
            : prov->core.get_entropy(prov->handle, &pool, 8 * (int)want, want, want);
        if (got < want) {
            WN_RAISE_OWN(prov, WN_R_NO_ENTROPY, NULL);
            memset(out, 0, (size_t)(to - (unsigned char *)out) + n);
            return 0;
        }
        memcpy(to, pool, want);
        prov->core.cleanup_entropy(prov->handle, pool, got);
        to += want;
        n -= want;
    }
    return 1;
}

/* wolfCrypt's CUSTOM_RAND_GENERATE_BLOCK: 0 is success. */
int wn_rand_block(unsigned char *out, unsigned int n)
{
    return current != NULL && wn_rng_bytes(current, out, n) ? 0 : RNG_FAILURE_E;
}

WC_RNG *wn_rng(const struct wn_prov *prov)
{
    static WC_RNG stateless;

    current = prov;
    return &stateless;
}

int wn_rng_init(struct wn_prov *prov)
{
    (void)prov;
    return 1;
}

void wn_rng_cleanup(struct wn_prov *prov)
{
    (void)prov;
}
