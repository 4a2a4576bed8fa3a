/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raising errors through the core; see err.h. */
#include "err.h"

#include <stdarg.h>

const OSSL_ITEM wn_reason_strings[] = {
#define WN_REASON(name, text) { WN_R_##name, (void *)text },
#include "reasons.def"
#undef WN_REASON
    { 0, NULL }
};

void wn_raise_at(const struct wn_prov *prov, const char *file, int line, const char *func,
                 uint32_t reason, const char *fmt, ...)
{
    va_list args;

    prov->core.new_error(prov->handle);
    prov->core.set_error_debug(prov->handle, file, line, func);
    va_start(args, fmt);
    prov->core.vset_error(prov->handle, reason, fmt, args);
    va_end(args);
}

void wn_error_mark(const struct wn_prov *prov)
{
    if (prov->core.set_error_mark != NULL)
        prov->core.set_error_mark(prov->handle);
}

void wn_error_pop_to_mark(const struct wn_prov *prov)
{
    if (prov->core.pop_error_to_mark != NULL)
        prov->core.pop_error_to_mark(prov->handle);
}

void wn_error_clear_mark(const struct wn_prov *prov)
{
    if (prov->core.clear_last_error_mark != NULL)
        prov->core.clear_last_error_mark(prov->handle);
}
