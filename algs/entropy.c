/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seeds from the core and the kernel; see entropy.h. */
#include "entropy.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../provider/err.h"
#include "../provider/mem.h"

/* Reads of up to 256 bytes are never cut short by a signal. */
#define GETRANDOM_MAX 256

int wn_entropy_system(void *out, size_t n)
{
    unsigned char *to = out;

    while (n > 0) {
        /* not getrandom(): glibc's is a point where a thread may be cancelled */
        long got = syscall(SYS_getrandom, to, n < GETRANDOM_MAX ? n : GETRANDOM_MAX, 0);

        if (got > 0) {
            to += got;
            n -= (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            return 0;
        }
    }
    return 1;
}

/* Through the core without its seed source, which may be ourselves. */
static int from_core(const struct wn_prov *prov, unsigned char *out, size_t n)
{
    unsigned char *pool = NULL;
    size_t got = 0;

    if (prov->core.get_entropy != NULL && prov->core.cleanup_entropy != NULL)
        got = prov->core.get_entropy(prov->handle, &pool, 8 * (int)n, n, n);
    if (got == n)
        memcpy(out, pool, n);
    if (got != 0)
        prov->core.cleanup_entropy(prov->handle, pool, got);
    return got == n;
}

int wn_entropy_bytes(const struct wn_prov *prov, void *out, size_t n)
{
    unsigned char *to = out;
    size_t piece;

    if (wn_entropy_system(out, n))
        return 1;
    for (; n > 0; to += piece, n -= piece) {
        piece = n < 1024 ? n : 1024;
        if (!from_core(prov, to, piece)) {
            WN_RAISE_OWN(prov, WN_R_NO_ENTROPY, NULL);
            return 0;
        }
    }
    return 1;
}

static int core_has_user_entropy(const struct wn_prov *prov)
{
    return prov->core.get_user_entropy != NULL && prov->core.cleanup_user_entropy != NULL;
}

static int core_has_entropy(const struct wn_prov *prov)
{
    return prov->core.get_entropy != NULL && prov->core.cleanup_entropy != NULL;
}

size_t wn_entropy_seed(const struct wn_prov *prov, unsigned char **out, int bits,
                       size_t min, size_t max)
{
    size_t need = ((size_t)bits + 7) / 8, got = 0;

    if (core_has_user_entropy(prov)) {
        got = prov->core.get_user_entropy(prov->handle, out, bits, min, max);
    } else if (core_has_entropy(prov)) {
        got = prov->core.get_entropy(prov->handle, out, bits, min, max);
    } else {
        need = need < min ? min : need;
        *out = need > max ? NULL : wn_secure_malloc(prov, need);
        if (*out != NULL && wn_entropy_system(*out, need))
            return need;
        wn_secure_free(prov, *out, need);
    }
    if (got < min || got > max || got == 0) {
        if (got != 0)
            wn_entropy_done(prov, *out, got);
        WN_RAISE_OWN(prov, WN_R_NO_ENTROPY, NULL);
        return 0;
    }
    return got;
}

void wn_entropy_done(const struct wn_prov *prov, unsigned char *seed, size_t n)
{
    if (core_has_user_entropy(prov))
        prov->core.cleanup_user_entropy(prov->handle, seed, n);
    else if (core_has_entropy(prov))
        prov->core.cleanup_entropy(prov->handle, seed, n);
    else
        wn_secure_free(prov, seed, n);
}
