/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory through the core, so that an application's own allocator, secure
 * heap and leak checker see it. Failure raises ERR_R_MALLOC_FAILURE (from 3.2
 * on the core's own allocator has raised it) and returns NULL. All free
 * functions accept NULL.
 *
 *   wn_malloc, wn_zalloc, wn_free      plain data
 *   wn_clear_free                      secrets: wiped, then freed
 *   wn_ctx_new, wn_ctx_free            operation contexts and keys: zeroed,
 *                                      aligned to WN_CTX_ALIGN (wolfCrypt's
 *                                      structures need 16, malloc of a 32-bit
 *                                      system gives 8), wiped when freed
 *   wn_secure_...                      the same on OpenSSL's secure heap (locked,
 *                                      guarded) if the application made one and
 *                                      it has room
 *   wn_clear                           wipes; never optimised away
 */
#ifndef WN_MEM_H
#define WN_MEM_H

#include "prov.h"

#define WN_CTX_ALIGN 64

#define wn_malloc(prov, size) wn_malloc_at(prov, size, __FILE__, __LINE__)
#define wn_zalloc(prov, size) wn_zalloc_at(prov, size, __FILE__, __LINE__)
#define wn_memdup(prov, p, size) wn_memdup_at(prov, p, size, __FILE__, __LINE__)
#define wn_ctx_new(prov, size) wn_ctx_new_at(prov, size, __FILE__, __LINE__)
#define wn_secure_malloc(prov, size) wn_secure_malloc_at(prov, size, __FILE__, __LINE__)
#define wn_secure_ctx_new(prov, size) wn_secure_ctx_new_at(prov, size, __FILE__, __LINE__)

void *wn_malloc_at(const struct wn_prov *prov, size_t size, const char *file, int line);
void *wn_zalloc_at(const struct wn_prov *prov, size_t size, const char *file, int line);
/* A copy of size bytes at p; NULL (without an error) when p is NULL. */
void *wn_memdup_at(const struct wn_prov *prov, const void *p, size_t size,
                   const char *file, int line);
char *wn_strdup(const struct wn_prov *prov, const char *s);
void wn_free(const struct wn_prov *prov, void *p);
void wn_clear_free(const struct wn_prov *prov, void *p, size_t size);

void *wn_ctx_new_at(const struct wn_prov *prov, size_t size, const char *file, int line);
void wn_ctx_free(const struct wn_prov *prov, void *ctx, size_t size);

void *wn_secure_malloc_at(const struct wn_prov *prov, size_t size, const char *file, int line);
void wn_secure_free(const struct wn_prov *prov, void *p, size_t size);
void *wn_secure_ctx_new_at(const struct wn_prov *prov, size_t size, const char *file, int line);
void wn_secure_ctx_free(const struct wn_prov *prov, void *ctx, size_t size);

void wn_clear(void *p, size_t size);

/* 0 when the n bytes are equal; time depends on n only. */
int wn_memcmp_ct(const void *a, const void *b, size_t n);

#endif
