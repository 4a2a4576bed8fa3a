/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Secret-dependence tests after ctgrind: a test program runs itself under valgrind
 * with secrets marked as undefined, and memcheck reports each branch and each
 * address that is made of them.
 */
#ifndef WN_TEST_CTGRIND_H
#define WN_TEST_CTGRIND_H

#if __has_include(<valgrind/memcheck.h>)
# include <valgrind/memcheck.h>
#else
# define VALGRIND_MAKE_MEM_UNDEFINED(p, n) ((void)(p))
# define VALGRIND_MAKE_MEM_DEFINED(p, n) ((void)(p))
# define WN_CTGRIND_NO_HEADER
#endif

/* No valgrind to build for, or a sanitiser, whose checks branch on secrets themselves. */
#if defined(WN_CTGRIND_NO_HEADER) || defined(WN_SANITIZED)
# define WN_CTGRIND_CANNOT 1
#else
# define WN_CTGRIND_CANNOT 0
#endif

#define WN_CTGRIND_FOUND  9     /* something depends on a secret */
#define WN_CTGRIND_ABSENT 127   /* there is no valgrind */

/*
 * `program what` under valgrind; its exit code, or one of the above. Findings that
 * `suppressions` (a file; NULL for none) names do not count.
 */
int wn_ctgrind(const char *program, const char *what, const char *suppressions);

#endif
