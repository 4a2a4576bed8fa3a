# SPDX-License-Identifier: GPL-3.0-or-later
#
# What "cmake --install" puts where beside the module, and the Debian package that
# "cpack -G DEB" makes of it in the build folder. One package serves every Debian
# that has OpenSSL 3 and a libc no older than that of the build machine.

include(GNUInstallDirs)

install(PROGRAMS cli/wolfnano TYPE BIN)
install(TARGETS evpbench RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/wolfnano)
install(DIRECTORY cli/wolfnano_cli DESTINATION ${CMAKE_INSTALL_DATADIR}/wolfnano
    FILES_MATCHING PATTERN "*.py" PATTERN "*.css" PATTERN "*.json"
    PATTERN __pycache__ EXCLUDE)
install(FILES cli/wolfnano.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
set(WN_DOC_DIR ${CMAKE_INSTALL_DATADIR}/doc/wolfnano)
install(FILES README.md DESTINATION ${WN_DOC_DIR})
install(DIRECTORY docs DESTINATION ${WN_DOC_DIR} FILES_MATCHING PATTERN "*.md")
install(DIRECTORY conf/ DESTINATION ${WN_DOC_DIR}/examples FILES_MATCHING PATTERN "*.cnf"
    PATTERN "*.conf")
install(FILES scripts/debian/copyright DESTINATION ${WN_DOC_DIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME wolfnano)
set(CPACK_PACKAGE_VENDOR "wolfnano")
set(CPACK_PACKAGE_CONTACT "wolfnano developers <wolfnano@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "OpenSSL 3 provider with wolfCrypt's assembly")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"One module, wolfnano.so, that OpenSSL 3.0 and later load to serve ciphers, digests,
MACs, key derivation and public-key algorithms, post-quantum ones included. Programs
need no change.

Installing it changes nothing. The command wolfnano makes it active (wolfnano enable),
and shows what that comes to (wolfnano status, wolfnano doctor).")
set(CPACK_SET_DESTDIR ON)           # the module's folder is an absolute path
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libssl3t64 | libssl3, openssl (>= 3.0), python3 (>= 3.9)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-rich")
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)                  # adds libc6, in the version that the symbols need
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
else()
    string(PREPEND CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), ")
endif()
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/scripts/debian/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
include(CPack)
