# SPDX-License-Identifier: GPL-3.0-or-later

# One of the two is empty, as the word size decides.
list(APPEND WN_WOLFCRYPT_SOURCES
    wolfcrypt/src/sp_c64.c
    wolfcrypt/src/sp_c32.c)
