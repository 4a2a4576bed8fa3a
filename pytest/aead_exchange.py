# SPDX-License-Identifier: GPL-3.0-or-later
"""aead_exchange.py OURS DEFAULT NAME COUNT: messages of random shape under two
configurations; each side opens what the other sealed and refuses it changed."""
import os
import random
import sys

from libcrypto import Lib

IV_LENGTHS = {"GCM": range(1, 129), "CCM": range(7, 14), "305": (12,)}
TAG_LENGTHS = {"GCM": range(4, 17), "CCM": range(4, 17, 2), "305": range(4, 17)}


def key_length(name):
    return int(name.split("-")[1]) // 8 if name.startswith("AES") else 32


def changed(data):
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1:]


def exchange(sealer, opener, name):
    key = os.urandom(key_length(name))
    iv = os.urandom(random.choice(IV_LENGTHS[name[-3:]]))
    aad, plain = (os.urandom(random.randrange(n)) for n in (300, 4000))
    tag = bytes(random.choice(TAG_LENGTHS[name[-3:]]))
    sealed = sealer.aead(name, key, iv, aad, plain, tag, True)
    assert sealed is not None, (name, "encryption", sealer.errors())
    text, tag = sealed[:len(plain)], sealed[len(plain):]
    assert opener.aead(name, key, iv, aad, text, tag, False) == plain, (name, "decryption")
    assert opener.aead(name, key, iv, aad, text, changed(tag), False) is None, (name, "tag")
    assert opener.aead(name, key, iv, aad + b"x", text, tag, False) is None, (name, "AAD")
    if text:
        assert opener.aead(name, key, iv, aad, changed(text), tag, False) is None, (name, "text")


def main():
    ours, theirs = Lib(sys.argv[1], "wolfnano"), Lib(sys.argv[2], "default")
    name, count = sys.argv[3], int(sys.argv[4])
    for i in range(count):
        exchange(*((ours, theirs) if i % 2 else (theirs, ours)), name)
    print(count, "messages")


if __name__ == "__main__":
    main()
