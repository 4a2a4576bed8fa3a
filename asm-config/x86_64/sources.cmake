# SPDX-License-Identifier: GPL-3.0-or-later

list(APPEND WN_WOLFCRYPT_SOURCES
    wolfcrypt/src/sp_x86_64_asm.S
    wolfcrypt/src/aes_asm.S
    wolfcrypt/src/aes_gcm_asm.S
    wolfcrypt/src/aes_xts_asm.S
    wolfcrypt/src/chacha_asm.S
    wolfcrypt/src/poly1305_asm.S
    wolfcrypt/src/sha256_asm.S
    wolfcrypt/src/sha512_asm.S
    wolfcrypt/src/sha3_asm.S
    wolfcrypt/src/fe_x25519_asm.S
    wolfcrypt/src/wc_mlkem_asm.S
    wolfcrypt/src/wc_mldsa_asm.S)

# aes.c calls the AES-NI intrinsics (behind a CPUID check). -maes lets the
# compiler accept them; it never makes such an instruction by itself.
set_source_files_properties(${WN_WOLFSSL_DIR}/wolfcrypt/src/aes.c
    PROPERTIES COMPILE_OPTIONS -maes)

# See fe_cmov_table.c.
list(APPEND WN_WOLFCRYPT_OWN_SOURCES ${WN_ARCH_DIR}/fe_cmov_table.c)
set_source_files_properties(${WN_WOLFSSL_DIR}/wolfcrypt/src/ge_operations.c
    PROPERTIES COMPILE_DEFINITIONS fe_cmov_table=wn_fe_cmov_table)

# sp_x86_64.c is compiled inside it.
list(APPEND WN_WOLFCRYPT_OWN_SOURCES ${WN_ARCH_DIR}/sp_hot.c)

# Without AVX-512's rotations the compiler runs out of registers unless it
# schedules with an eye on them: 136 against 142 ns a block of SHA-512.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set_source_files_properties(${CMAKE_SOURCE_DIR}/algs/x86_64/sha512_avx2.c
        ${CMAKE_SOURCE_DIR}/algs/x86_64/sha256_avx2.c
        PROPERTIES COMPILE_OPTIONS "-fschedule-insns;-fsched-pressure")
endif()

# These call the AVX2 and BMI2 Keccak by name; see wc_keccak.h.
list(APPEND WN_WOLFCRYPT_OWN_SOURCES ${WN_ARCH_DIR}/wc_keccak.c)
set(wn_keccak_names sha3_block_bmi2=wn_sha3_block sha3_block_n_bmi2=wn_sha3_block_n)
foreach(name IN ITEMS block block_n blocksx4 128_blocksx4_seed 256_blocksx4_seed
        256_blocksx4_seed_64)
    list(APPEND wn_keccak_names sha3_${name}_avx2=wn_sha3_${name})
endforeach()
set_source_files_properties(
    ${WN_WOLFSSL_DIR}/wolfcrypt/src/wc_mlkem_poly.c
    ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/wc_mldsa_more.c
    ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/wc_slhdsa_more.c
    PROPERTIES COMPILE_DEFINITIONS "${wn_keccak_names}")

# See wc_mlkem_hooks.h.
list(APPEND WN_WOLFCRYPT_OWN_SOURCES ${WN_ARCH_DIR}/wc_mlkem_hooks.c)
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/asm-config/wc_mlkem_more.c
    PROPERTIES COMPILE_DEFINITIONS
    "mlkem_gen_matrix=wn_mlkem_gen_matrix;mlkem_get_noise=wn_mlkem_get_noise")
