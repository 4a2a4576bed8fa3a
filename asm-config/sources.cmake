# SPDX-License-Identifier: GPL-3.0-or-later
#
# The files of wolfCrypt that every configuration compiles.

set(WN_WOLFCRYPT_SOURCES
    # symmetric
    wolfcrypt/src/aes.c wolfcrypt/src/chacha.c wolfcrypt/src/chacha20_poly1305.c
    wolfcrypt/src/cmac.c wolfcrypt/src/des3.c wolfcrypt/src/hmac.c wolfcrypt/src/poly1305.c
    wolfcrypt/src/hash.c wolfcrypt/src/md5.c wolfcrypt/src/sha.c wolfcrypt/src/sha256.c
    wolfcrypt/src/sha3.c wolfcrypt/src/sha512.c wolfcrypt/src/ripemd.c
    # key derivation
    wolfcrypt/src/kdf.c wolfcrypt/src/pwdbased.c wolfcrypt/src/pkcs12.c
    # public key
    wolfcrypt/src/sp_int.c wolfcrypt/src/wolfmath.c
    wolfcrypt/src/rsa.c wolfcrypt/src/dh.c wolfcrypt/src/ecc.c
    wolfcrypt/src/curve25519.c wolfcrypt/src/fe_operations.c wolfcrypt/src/ge_operations.c
    wolfcrypt/src/curve448.c wolfcrypt/src/fe_448.c wolfcrypt/src/ge_448.c
    # post-quantum
    wolfcrypt/src/wc_mlkem_poly.c       # others: see below
    # what the above need
    wolfcrypt/src/asn.c wolfcrypt/src/coding.c wolfcrypt/src/cpuid.c wolfcrypt/src/error.c
    wolfcrypt/src/logging.c wolfcrypt/src/memory.c wolfcrypt/src/random.c
    wolfcrypt/src/wc_encrypt.c wolfcrypt/src/wc_port.c)

# ed25519.c, ed448.c, wc_mlkem.c, wc_mldsa.c, wc_slhdsa.c, blake2b.c and blake2s.c are
# compiled as part of these.
set(WN_WOLFCRYPT_OWN_SOURCES
    ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/wc_ed25519_more.c
    ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/wc_ed448_more.c
    ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/wc_mlkem_more.c
    ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/wc_mldsa_more.c
    ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/wc_slhdsa_more.c
    ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/wc_blake2b_more.c
    ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/wc_blake2s_more.c)

# Only unrolled entirely do their loops over the working variables keep these in
# registers: a third faster.
set_source_files_properties(
    ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/wc_blake2b_more.c
    ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/wc_blake2s_more.c
    PROPERTIES COMPILE_OPTIONS "-O3;-fno-tree-slp-vectorize")

# SLH-DSA's base_2b (FIPS 205, algorithm 4) shifts bits it no longer needs out of
# an int; harmless, but UndefinedBehaviorSanitizer would end the program there.
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/asm-config/wc_slhdsa_more.c
    PROPERTIES COMPILE_OPTIONS -fno-sanitize=shift)
