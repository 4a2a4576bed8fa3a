# SPDX-License-Identifier: GPL-3.0-or-later
#
# Where wolfSSL's source is. Sets WN_WOLFSSL_DIR and WN_WOLFSSL_VERSION.

set(given "${WOLFNANO_WOLFSSL}")
if(NOT given)
    set(given "$ENV{WOLFNANO_WOLFSSL}")
endif()
set(WN_WOLFSSL_DIR "${given}")
if(NOT EXISTS "${WN_WOLFSSL_DIR}/wolfssl/version.h")
    message(FATAL_ERROR "No wolfSSL source. Give its folder: -DWOLFNANO_WOLFSSL=FOLDER")
endif()
file(STRINGS ${WN_WOLFSSL_DIR}/wolfssl/version.h WN_WOLFSSL_VERSION
     REGEX "LIBWOLFSSL_VERSION_STRING")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" WN_WOLFSSL_VERSION "${WN_WOLFSSL_VERSION}")
