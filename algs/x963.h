/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The KDF of ANSI X9.63 (SEC 1 section 3.6.1) for the rest of the module. */
#ifndef WN_X963_H
#define WN_X963_H

#include "digest.h"

void wn_x963(const struct wn_md_desc *desc, const void *z, size_t zlen, const void *info,
             size_t infolen, unsigned char *out, size_t n);

#endif
