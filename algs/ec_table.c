/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When a public key gets a table (ec_hot.h). Uses are counted in the key object;
 * one thread, the one that counts the fourth, builds, while others go on
 * without; the table is published by compare-and-exchange, then only read, and
 * goes with the key. No locks. A key used once or twice, as those of most TLS
 * handshakes, costs two atomic operations. All tables of the process together
 * are bounded; when they are used up, keys go on without.
 */
#include "ec_ops.h"

#define BUILD_AT 4
#define MAX_BYTES ((size_t)16 << 20)    /* about 2000 keys of P-256 */

static atomic_size_t total;

static int reserve(size_t size)
{
    size_t before = atomic_fetch_add_explicit(&total, size, memory_order_relaxed);

    if (before + size <= MAX_BYTES)
        return 1;
    atomic_fetch_sub_explicit(&total, size, memory_order_relaxed);
    return 0;
}

static void *build(const struct wn_ec_key *key, const struct wn_ec_hot *hot)
{
    void *table;

    if (!reserve(hot->size))
        return NULL;
    wn_error_mark(key->prov);   /* no table is no error */
    table = wn_ctx_new(key->prov, hot->size);
    wn_error_pop_to_mark(key->prov);
    if (table == NULL || hot->build(table, wn_ec_mp(&key->x), wn_ec_mp(&key->y)) != 0) {
        wn_ctx_free(key->prov, table, hot->size);
        atomic_fetch_sub_explicit(&total, hot->size, memory_order_relaxed);
        return NULL;
    }
    return table;
}

const void *wn_ec_table(struct wn_ec_key *key)
{
    const struct wn_ec_hot *hot = key->curve->sp->hot;
    void *table = atomic_load_explicit(&key->table, memory_order_acquire), *none = NULL;

    if (table != NULL || hot->size == 0)
        return table;
    if (atomic_load_explicit(&key->uses, memory_order_relaxed) >= BUILD_AT
        || atomic_fetch_add_explicit(&key->uses, 1, memory_order_relaxed) + 1 != BUILD_AT)
        return NULL;
    table = build(key, hot);
    if (table == NULL
        || atomic_compare_exchange_strong_explicit(&key->table, &none, table,
                                                   memory_order_acq_rel, memory_order_acquire))
        return table;
    wn_ctx_free(key->prov, table, hot->size);
    atomic_fetch_sub_explicit(&total, hot->size, memory_order_relaxed);
    return none;
}

/* Of a key that nobody else uses: freed, or given another point. */
void wn_ec_table_drop(struct wn_ec_key *key)
{
    void *table = atomic_exchange_explicit(&key->table, NULL, memory_order_acq_rel);

    atomic_store_explicit(&key->uses, 0, memory_order_relaxed);
    if (table == NULL)
        return;
    wn_ctx_free(key->prov, table, key->curve->sp->hot->size);
    atomic_fetch_sub_explicit(&total, key->curve->sp->hot->size, memory_order_relaxed);
}
