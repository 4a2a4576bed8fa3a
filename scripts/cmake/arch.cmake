# SPDX-License-Identifier: GPL-3.0-or-later
#
# Which folder of asm-config/ is built. Sets WN_ARCH and WN_ARCH_DIR.

set(WN_ARCH ${WOLFNANO_ARCH})
if(WN_ARCH STREQUAL auto)
    string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" WN_ARCH)
    if(WN_ARCH MATCHES "^(x86_64|amd64)$")
        set(WN_ARCH x86_64)
    elseif(WN_ARCH MATCHES "^(aarch64|arm64)$")
        set(WN_ARCH aarch64)
    endif()
endif()

if(WOLFNANO_ARCH STREQUAL auto
   AND NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/${WN_ARCH}/sources.cmake)
    message(STATUS "No assembly configuration for \"${WN_ARCH}\" yet: portable C")
    set(WN_ARCH none)
endif()

set(WN_ARCH_DIR ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/${WN_ARCH})
if(NOT EXISTS ${WN_ARCH_DIR}/sources.cmake)
    file(GLOB known RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/asm-config
         ${CMAKE_CURRENT_SOURCE_DIR}/asm-config/*/sources.cmake)
    list(TRANSFORM known REPLACE "/sources.cmake" "")
    list(JOIN known ", " known)
    message(FATAL_ERROR
        "There is no configuration for \"${WN_ARCH}\" (asm-config/${WN_ARCH}/).\n"
        "Configurations: ${known}. Portable C, without any assembly, "
        "builds everywhere: -DWOLFNANO_ARCH=none")
endif()
message(STATUS "wolfCrypt configuration: asm-config/${WN_ARCH}")
