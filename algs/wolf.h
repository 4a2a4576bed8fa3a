/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one header of algs/ that includes wolfSSL's, and where its return codes
 * (`rc`, negative = bad) become OpenSSL's (`ok`, 1 = good).
 */
#ifndef WN_WOLF_H
#define WN_WOLF_H

#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/types.h>
#include <wolfssl/wolfcrypt/error-crypt.h>
#include <wolfssl/version.h>

#include "../provider/err.h"
#include "../provider/mem.h"
#include "../provider/prov.h"

#define WN_WOLFSSL_VERSION LIBWOLFSSL_VERSION_STRING

/* Largest piece of a size_t length that one wolfCrypt call (word32) is given:
 * a multiple of every block size in use. */
#define WN_CHUNK ((size_t)1 << 30)

/*
 * WN_WC(prov, call(...)): 1 if the wolfCrypt call returned 0 or more, else
 * raises "call: code" and gives 0.
 */
#define WN_WC(prov, call) wn_wc(prov, call, #call, __FILE__, __LINE__, __func__)
int wn_wc(const struct wn_prov *prov, int rc, const char *call,
          const char *file, int line, const char *func);

/* Process-wide set-up of wolfCrypt (counted), and the per-provider generator. */
int wn_wolf_init(struct wn_prov *prov);
void wn_wolf_cleanup(struct wn_prov *prov);

#endif
