/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the core's dispatch array; see core.h. Unknown ids are ignored, so
 * that newer cores load the same binary. */
#include <string.h>

#include "core.h"

int wn_core_load(struct wn_core *core, const OSSL_DISPATCH *in)
{
    memset(core, 0, sizeof(*core));
    for (; in->function_id != 0; in++) {
        switch (in->function_id) {
#define WN_CORE_CASE(field, id, type)                                     \
        case OSSL_FUNC_##id:                                              \
            core->field = OSSL_FUNC_##type(in);                           \
            break;
        WN_CORE_REQUIRED(WN_CORE_CASE)
        WN_CORE_OPTIONAL(WN_CORE_CASE)
#undef WN_CORE_CASE
        }
    }
#define WN_CORE_CHECK(field, id, type)                                    \
    if (core->field == NULL)                                              \
        return 0;
    WN_CORE_REQUIRED(WN_CORE_CHECK)
#undef WN_CORE_CHECK
    return 1;
}
