/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evpbench: loads libcrypto and reports its errors. See lib.h. */
#include "lib.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct libcrypto lc;

static const struct {
    const char *name;
    size_t offset;
} wanted[] = {
#define EVPBENCH_ENTRY(name) { #name, offsetof(struct libcrypto, name) },
    EVPBENCH_FUNCTIONS(EVPBENCH_ENTRY)
#undef EVPBENCH_ENTRY
};

int lc_open(const char *file)
{
    void *handle = dlopen(file != NULL ? file : "libcrypto.so.3", RTLD_NOW);

    if (handle == NULL && file == NULL)
        handle = dlopen("libcrypto.so.4", RTLD_NOW);
    if (handle == NULL) {
        fprintf(stderr, "evpbench: no libcrypto: %s\n", dlerror());
        return 0;
    }
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        void *function = dlsym(handle, wanted[i].name);

        if (function == NULL) {
            fprintf(stderr, "evpbench: libcrypto has no %s\n", wanted[i].name);
            return 0;
        }
        memcpy((char *)&lc + wanted[i].offset, &function, sizeof(function));
    }
    return 1;
}

void lc_complain(const char *what)
{
    const char *data = NULL;
    int flags = 0;
    unsigned long code = lc.ERR_peek_last_error_all(NULL, NULL, NULL, &data, &flags);
    const char *reason = code != 0 ? lc.ERR_reason_error_string(code) : NULL;

    fprintf(stderr, "evpbench: %s", what);
    if (code != 0)
        fprintf(stderr, ": %s", reason != NULL ? reason : "unknown reason");
    if (data != NULL && data[0] != '\0' && (flags & ERR_TXT_STRING) != 0)
        fprintf(stderr, " (%s)", data);
    fputc('\n', stderr);
    lc.ERR_clear_error();
}
