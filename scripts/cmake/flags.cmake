# SPDX-License-Identifier: GPL-3.0-or-later
#
# Compiler flags. No -march anywhere: the processor is asked at run time.

set(WN_SANITIZE_FLAGS "")
if(WOLFNANO_SANITIZE STREQUAL address)
    set(WN_SANITIZE_FLAGS -fsanitize=address -fno-omit-frame-pointer)
elseif(WOLFNANO_SANITIZE STREQUAL undefined)
    set(WN_SANITIZE_FLAGS -fsanitize=undefined -fno-sanitize-recover=all)
elseif(WOLFNANO_SANITIZE STREQUAL thread)
    set(WN_SANITIZE_FLAGS -fsanitize=thread)
elseif(WOLFNANO_SANITIZE)
    message(FATAL_ERROR "WOLFNANO_SANITIZE is address, undefined or thread")
endif()
# Everything that is linked, test programs too, needs the sanitiser's run time.
add_link_options(${WN_SANITIZE_FLAGS})

set(WN_HARDENING -fstack-protector-strong -fstack-clash-protection)
if(NOT WOLFNANO_SANITIZE)    # the sanitisers have checks of their own for this
    list(APPEND WN_HARDENING "$<$<CONFIG:Release>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
endif()

# For every object, wolfCrypt's included. Hardening costs less than 0.5 % of the
# instructions of a 16-byte SHA-256, and nothing measurable elsewhere. Sections
# of their own let the linker drop what no algorithm uses; the prefix map keeps
# this machine's paths out of __FILE__ and of the debug information.
function(wn_common_flags target)
    target_compile_options(${target} PRIVATE
        -ffunction-sections -fdata-sections
        "$<$<COMPILE_LANGUAGE:C>:${WN_HARDENING}>"
        -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=
        -ffile-prefix-map=${WN_WOLFSSL_DIR}=wolfssl
        "$<$<COMPILE_LANGUAGE:C>:${WN_SANITIZE_FLAGS}>")
endfunction()

# For our own code. Mistakes that are never harmless stop the build.
function(wn_own_flags target)
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
        -Wold-style-definition -Wvla -Wwrite-strings -Wpointer-arith
        -Werror=implicit-function-declaration -Werror=implicit-int
        -Werror=incompatible-pointer-types -Werror=int-conversion
        -Werror=return-type -Werror=format -Werror=uninitialized -Werror=vla
        -Werror=strict-prototypes -Werror=missing-prototypes
        $<$<BOOL:${WOLFNANO_WERROR}>:-Werror>)
endfunction()
