# SPDX-License-Identifier: GPL-3.0-or-later
"""signature_long.py OURS DEFAULT KEY NAME GIB: a message above so many GiB, signed with the
key of the file (DER) under the first configuration and verified under both."""
import ctypes
import os
import sys

from libcrypto import Lib

WINDOW = (16 << 20) + 4096      # pieces of 1 GiB begin at different places in it


def message(size):
    """The window mapped again and again, until the message is there."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int,
                          ctypes.c_int, ctypes.c_long)
    file = os.memfd_create("window")
    os.write(file, os.urandom(WINDOW))
    room = (size // WINDOW + 1) * WINDOW
    start = libc.mmap(None, room, 0, 0x22, -1, 0)           # private, anonymous
    for at in range(start, start + room, WINDOW):
        assert libc.mmap(at, WINDOW, 1, 0x11, file, 0) == at     # shared, fixed
    return (ctypes.c_char * size).from_address(start)


def main():
    ours, theirs = Lib(sys.argv[1], "wolfnano"), Lib(sys.argv[2], "default")
    with open(sys.argv[3], "rb") as file:
        der = file.read()
    name, text = sys.argv[4], message((int(sys.argv[5]) << 30) + 4567)
    how = {"deterministic": 1, "context_string": b"long"}
    ours.fetch("SIGNATURE", name)
    signature = ours.sign(ours.private_key(der), None, text, **how)
    assert signature is not None, ours.errors()
    assert theirs.verify(theirs.private_key(der), None, text, signature, **how), "verification"
    assert ours.verify(ours.private_key(der), None, text, signature, **how), "our verification"
    assert not ours.verify(ours.private_key(der), None,
                           (ctypes.c_char * 4567).from_address(ctypes.addressof(text)), signature,
                           **how), "a shorter message"
    print(len(signature), "bytes")


main()
