# SPDX-License-Identifier: GPL-3.0-or-later
#
# The CPU masks (option "cpu" of the provider's configuration) under which every
# test_*.c runs, so that each assembly path is executed on one machine:
# name, mask. SHA-NI comes before all else in SHA-1 and SHA-256, so that levels
# leave it out; wolfCrypt's own choices: MULX and ADX in public-key code; AVX2, AVX1
# or AES-NI alone in ciphers.
set(WN_CPU_LEVELS
    avx512  "-vaes -vpclmul -ifma -vbmi2 -sha"
    avx2    "-avx512 -vaes -vpclmul -sha"
    vaes    "-avx512"
    nosha   "-avx512 -sha -bmi2 -adx"
    avx     "-avx2 -sha"
    sse     "-avx"
    noaes   "-aesni -pclmul -avx2"
    c       "none")
