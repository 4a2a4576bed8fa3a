/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of names as alglist.def has them: "NAME:ALIAS:...:OID". */
#ifndef WN_NAMES_H
#define WN_NAMES_H

#include <string.h>
#include <strings.h>

/* 1 if name is one of the list, whatever the case. */
static inline int wn_name_listed(const char *names, const char *name)
{
    size_t len = strlen(name), n;

    for (;; names += n + 1) {
        n = strcspn(names, ":");
        if (n == len && strncasecmp(names, name, n) == 0)
            return 1;
        if (names[n] == '\0')
            return 0;
    }
}

#endif
