/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation through the core and wiping; see mem.h. */
#include "mem.h"

#include <string.h>

#include "err.h"

static void *checked(const struct wn_prov *prov, void *p, const char *file, int line)
{
    if (p == NULL && prov->core_version < WN_CORE_VERSION(3, 2))
        wn_raise_at(prov, file, line, "malloc",
                    ERR_PACK(ERR_LIB_PROV, 0, ERR_R_MALLOC_FAILURE), NULL);
    return p;
}

void *wn_malloc_at(const struct wn_prov *prov, size_t size, const char *file, int line)
{
    /* malloc(0) may be NULL in OpenSSL; NULL means failure to our callers */
    return checked(prov, prov->core.malloc(size != 0 ? size : 1, file, line), file, line);
}

void *wn_zalloc_at(const struct wn_prov *prov, size_t size, const char *file, int line)
{
    return checked(prov, prov->core.zalloc(size != 0 ? size : 1, file, line), file, line);
}

void *wn_memdup_at(const struct wn_prov *prov, const void *p, size_t size,
                   const char *file, int line)
{
    void *copy;

    if (p == NULL)
        return NULL;
    copy = wn_malloc_at(prov, size, file, line);
    if (copy != NULL)
        memcpy(copy, p, size);
    return copy;
}

char *wn_strdup(const struct wn_prov *prov, const char *s)
{
    return s == NULL ? NULL : wn_memdup(prov, s, strlen(s) + 1);
}

void wn_free(const struct wn_prov *prov, void *p)
{
    if (p != NULL)
        prov->core.free(p, __FILE__, __LINE__);
}

void wn_clear_free(const struct wn_prov *prov, void *p, size_t size)
{
    if (p != NULL)
        prov->core.clear_free(p, size, __FILE__, __LINE__);
}

/*
 * Layout: [raw ... padding ... | raw pointer][context, aligned]. The raw
 * pointer stands directly in front of the context.
 */
#define CTX_OVERHEAD (WN_CTX_ALIGN - 1 + sizeof(void *))

static void *align_ctx(unsigned char *raw)
{
    uintptr_t at;

    if (raw == NULL)
        return NULL;
    at = ((uintptr_t)raw + CTX_OVERHEAD) & ~(uintptr_t)(WN_CTX_ALIGN - 1);
    ((void **)at)[-1] = raw;
    return (void *)at;
}

void *wn_ctx_new_at(const struct wn_prov *prov, size_t size, const char *file, int line)
{
    return align_ctx(wn_zalloc_at(prov, size + CTX_OVERHEAD, file, line));
}

void wn_ctx_free(const struct wn_prov *prov, void *ctx, size_t size)
{
    void *raw;

    if (ctx == NULL)
        return;
    raw = ((void **)ctx)[-1];
    wn_clear(ctx, size);
    prov->core.free(raw, __FILE__, __LINE__);
}

void *wn_secure_malloc_at(const struct wn_prov *prov, size_t size, const char *file, int line)
{
    void *p = NULL;

    if (prov->core.secure_malloc != NULL && prov->core.secure_clear_free != NULL) {
        /* a full secure heap is no reason to fail */
        wn_error_mark(prov);
        p = prov->core.secure_malloc(size != 0 ? size : 1, file, line);
        wn_error_pop_to_mark(prov);
    }
    return p != NULL ? p : wn_malloc_at(prov, size, file, line);
}

/* OpenSSL's function tells from the address which heap the block is from. */
void wn_secure_free(const struct wn_prov *prov, void *p, size_t size)
{
    if (p != NULL && prov->core.secure_malloc != NULL && prov->core.secure_clear_free != NULL)
        prov->core.secure_clear_free(p, size, __FILE__, __LINE__);
    else
        wn_clear_free(prov, p, size);
}

void *wn_secure_ctx_new_at(const struct wn_prov *prov, size_t size, const char *file, int line)
{
    void *raw = wn_secure_malloc_at(prov, size + CTX_OVERHEAD, file, line);

    return raw == NULL ? NULL : align_ctx(memset(raw, 0, size + CTX_OVERHEAD));
}

void wn_secure_ctx_free(const struct wn_prov *prov, void *ctx, size_t size)
{
    if (ctx != NULL)
        wn_secure_free(prov, ((void **)ctx)[-1], size + CTX_OVERHEAD);
}

/*
 * Small buffers are cleared by plain stores: glibc's memset() uses one masked
 * vector store for them on AVX-512 machines, and what stands beside a buffer on
 * the stack (the registers that the caller is about to restore) can then not be
 * loaded until that store is in the cache, some 20 ns later.
 */
void wn_clear(void *p, size_t size)
{
    typedef uint64_t vec16 __attribute__((vector_size(16)));
    const vec16 zero = { 0 };
    unsigned char *d = p;

    if (size > 512) {
        memset(d, 0, size);
        size = 0;
    }
    for (; size >= sizeof(zero); size -= sizeof(zero), d += sizeof(zero)) {
        memcpy(d, &zero, sizeof(zero));
        __asm__ __volatile__("" : : : "memory");
    }
    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), d += sizeof(uint64_t)) {
        memset(d, 0, sizeof(uint64_t));
        __asm__ __volatile__("" : : : "memory");
    }
    for (; size > 0; size--, d++) {
        *d = 0;
        __asm__ __volatile__("" : : : "memory");
    }
    /* the compiler must assume that p is read here, so the stores stay */
    __asm__ __volatile__("" : : "r"(p) : "memory");
}

int wn_memcmp_ct(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    uint64_t diff = 0, v, w;

    for (; n >= sizeof(v); n -= sizeof(v), x += sizeof(v), y += sizeof(v)) {
        memcpy(&v, x, sizeof(v));
        memcpy(&w, y, sizeof(w));
        diff |= v ^ w;
        /* diff may be anything now, so there is no use in stopping early */
        __asm__ __volatile__("" : "+r"(diff));
    }
    for (; n > 0; n--) {
        diff |= *x++ ^ *y++;
        __asm__ __volatile__("" : "+r"(diff));
    }
    return diff != 0;
}
