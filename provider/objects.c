/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The OIDs that OpenSSL before 3.5 lacks, so that it shows names and knows which key
 * a signature is of. Without that the algorithms still work: a failure (a name taken
 * for something else, say) is none of the provider.
 *
 * Not done when the provider is loaded: libcrypto 3.0 takes its configuration for read
 * as soon as a provider that is being activated by it looks at objects, and from then on
 * other threads find no provider. So it is done before the first algorithm of a kind
 * that has OIDs is handed out.
 */
#include "prov.h"

#include <stdatomic.h>
#include <unistd.h>

#include "err.h"
#include "lock.h"

static void register_all(const struct wn_prov *prov)
{
    static const struct {
        const char *oid, *sn, *ln;
        int signature;
    } objects[] = {
        { "2.16.840.1.101.3.4.4.1", "id-alg-ml-kem-512", "ML-KEM-512", 0 },
        { "2.16.840.1.101.3.4.4.2", "id-alg-ml-kem-768", "ML-KEM-768", 0 },
        { "2.16.840.1.101.3.4.4.3", "id-alg-ml-kem-1024", "ML-KEM-1024", 0 },
        { "2.16.840.1.101.3.4.3.17", "id-ml-dsa-44", "ML-DSA-44", 1 },
        { "2.16.840.1.101.3.4.3.18", "id-ml-dsa-65", "ML-DSA-65", 1 },
        { "2.16.840.1.101.3.4.3.19", "id-ml-dsa-87", "ML-DSA-87", 1 },
        { "2.16.840.1.101.3.4.3.20", "id-slh-dsa-sha2-128s", "SLH-DSA-SHA2-128s", 1 },
        { "2.16.840.1.101.3.4.3.21", "id-slh-dsa-sha2-128f", "SLH-DSA-SHA2-128f", 1 },
        { "2.16.840.1.101.3.4.3.22", "id-slh-dsa-sha2-192s", "SLH-DSA-SHA2-192s", 1 },
        { "2.16.840.1.101.3.4.3.23", "id-slh-dsa-sha2-192f", "SLH-DSA-SHA2-192f", 1 },
        { "2.16.840.1.101.3.4.3.24", "id-slh-dsa-sha2-256s", "SLH-DSA-SHA2-256s", 1 },
        { "2.16.840.1.101.3.4.3.25", "id-slh-dsa-sha2-256f", "SLH-DSA-SHA2-256f", 1 },
        { "2.16.840.1.101.3.4.3.26", "id-slh-dsa-shake-128s", "SLH-DSA-SHAKE-128s", 1 },
        { "2.16.840.1.101.3.4.3.27", "id-slh-dsa-shake-128f", "SLH-DSA-SHAKE-128f", 1 },
        { "2.16.840.1.101.3.4.3.28", "id-slh-dsa-shake-192s", "SLH-DSA-SHAKE-192s", 1 },
        { "2.16.840.1.101.3.4.3.29", "id-slh-dsa-shake-192f", "SLH-DSA-SHAKE-192f", 1 },
        { "2.16.840.1.101.3.4.3.30", "id-slh-dsa-shake-256s", "SLH-DSA-SHAKE-256s", 1 },
        { "2.16.840.1.101.3.4.3.31", "id-slh-dsa-shake-256f", "SLH-DSA-SHAKE-256f", 1 },
    };
    size_t i;

    wn_error_mark(prov);
    for (i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
        if (prov->core.obj_create(prov->handle, objects[i].oid, objects[i].sn, objects[i].ln)
            && objects[i].signature)
            /* the signature is over the message itself: no digest */
            prov->core.obj_add_sigid(prov->handle, objects[i].oid, "", objects[i].oid);
    wn_error_pop_to_mark(prov);
}

/*
 * OpenSSL 3.0 keeps its objects without a lock. The first registration in a process is
 * the only one that changes them, so threads that come at once wait for each other.
 */
void wn_objects_register(const struct wn_prov *prov)
{
    static struct wn_lock lock;
    static atomic_int done;
    uint32_t process;           /* not wn_fork_id(), which is one provider context's */

    if (prov->core_version >= WN_KEY_FILES_UNTIL || prov->core.obj_create == NULL
        || prov->core.obj_add_sigid == NULL
        || atomic_load_explicit(&done, memory_order_acquire))
        return;
    /* Looking up one that exists makes libcrypto read its configuration, which may wait
     * for another thread and ask this module for algorithms: before the lock is taken. */
    wn_error_mark(prov);
    prov->core.obj_create(prov->handle, "2.5.4.3", "CN", "commonName");
    wn_error_pop_to_mark(prov);
    process = (uint32_t)getpid();
    wn_lock(&lock, process);
    if (!atomic_load_explicit(&done, memory_order_relaxed)) {
        register_all(prov);
        atomic_store_explicit(&done, 1, memory_order_release);
    }
    wn_unlock(&lock, process);
}
