# SPDX-License-Identifier: GPL-3.0-or-later
#
# Where wolfSSL's source is: the option WOLFNANO_WOLFSSL, else the environment
# variable of that name, else what scripts/fetch-wolfssl finds or fetches.
# Sets WN_WOLFSSL_DIR and WN_WOLFSSL_VERSION.

set(WN_WOLFSSL_GIVEN "${WOLFNANO_WOLFSSL}")
if(NOT WN_WOLFSSL_GIVEN)
    set(WN_WOLFSSL_GIVEN "$ENV{WOLFNANO_WOLFSSL}")
endif()

execute_process(
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/scripts/fetch-wolfssl ${WN_WOLFSSL_GIVEN}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    OUTPUT_VARIABLE WN_WOLFSSL_DIR OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE WN_FETCH_RESULT)
if(NOT WN_FETCH_RESULT EQUAL 0)
    message(FATAL_ERROR "There is no wolfSSL source to build with; the lines above say why.")
endif()

file(STRINGS ${WN_WOLFSSL_DIR}/wolfssl/version.h WN_WOLFSSL_VERSION
     REGEX "LIBWOLFSSL_VERSION_STRING")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" WN_WOLFSSL_VERSION "${WN_WOLFSSL_VERSION}")
message(STATUS "wolfSSL ${WN_WOLFSSL_VERSION}: ${WN_WOLFSSL_DIR}")
