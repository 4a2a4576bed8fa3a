# SPDX-License-Identifier: GPL-3.0-or-later
"""hpke_exchange.py OURS DEFAULT: HPKE (RFC 9180) in every mode, with every KEM
and AEAD, under two configurations; each opens what the other sealed, refuses it
changed, and exports the same secret."""
import os
import sys
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint16, c_void_p, create_string_buffer
from ctypes import Structure

from libcrypto import Lib, library

KEMS = {0x10: "EC", 0x11: "EC", 0x12: "EC", 0x20: "X25519", 0x21: "X448"}
KDFS, AEADS = (1, 2, 3), (1, 2, 3)
BASE, PSK, AUTH, PSKAUTH = range(4)
SENDER, RECEIVER = 0, 1


class Suite(Structure):
    _fields_ = [("kem", c_uint16), ("kdf", c_uint16), ("aead", c_uint16)]


class Party:
    """One side's keys and contexts; None stands for a refusal."""

    def __init__(self, lib):
        self.lib, self.c = lib, lib.c
        self.kept = []

    def key(self, suite, seed):
        public, size = create_string_buffer(256), c_size_t(256)
        pkey = c_void_p()
        assert self.c.OSSL_HPKE_keygen(suite, public, byref(size), byref(pkey), seed,
                                       c_size_t(len(seed)), self.lib.ctx, None) == 1, \
            self.lib.errors()
        self.kept.append(pkey)
        return pkey, public.raw[:size.value]

    def context(self, mode, suite, role, psk):
        ctx = c_void_p(self.c.OSSL_HPKE_CTX_new(mode, suite, role, self.lib.ctx, None))
        assert ctx, self.lib.errors()
        if mode in (PSK, PSKAUTH):
            assert self.c.OSSL_HPKE_CTX_set1_psk(ctx, b"name", psk, c_size_t(len(psk))) == 1
        return ctx

    def done(self, ctx):
        self.c.OSSL_HPKE_CTX_free(ctx)
        for key in self.kept:
            self.c.EVP_PKEY_free(key)
        self.kept = []


def exported(party, ctx):
    secret = create_string_buffer(48)
    assert party.c.OSSL_HPKE_export(ctx, secret, c_size_t(48), b"label", c_size_t(5)) == 1
    return secret.raw


def exchange(sender, receiver, mode, suite):
    psk, seed, info, aad, text = (os.urandom(n) for n in (32, 66, 20, 30, 200))
    private, public = receiver.key(suite, seed)
    assert sender.key(suite, seed)[1] == public
    out = sender.context(mode, suite, SENDER, psk)
    into = receiver.context(mode, suite, RECEIVER, psk)
    if mode in (AUTH, PSKAUTH):
        own, own_public = sender.key(suite, os.urandom(66))
        assert sender.c.OSSL_HPKE_CTX_set1_authpriv(out, own) == 1
        assert receiver.c.OSSL_HPKE_CTX_set1_authpub(into, own_public,
                                                     c_size_t(len(own_public))) == 1
    enc, size = create_string_buffer(256), c_size_t(256)
    assert sender.c.OSSL_HPKE_encap(out, enc, byref(size), public, c_size_t(len(public)), info,
                                    c_size_t(len(info))) == 1, sender.lib.errors()
    assert receiver.c.OSSL_HPKE_decap(into, enc, size, private, info,
                                      c_size_t(len(info))) == 1, receiver.lib.errors()
    assert exported(sender, out) == exported(receiver, into)
    sealed, length = create_string_buffer(256), c_size_t(256)
    assert sender.c.OSSL_HPKE_seal(out, sealed, byref(length), aad, c_size_t(len(aad)), text,
                                   c_size_t(len(text))) == 1, sender.lib.errors()
    opened, got = create_string_buffer(256), c_size_t(256)
    changed = bytes([sealed.raw[0] ^ 1]) + sealed.raw[1:length.value]
    assert receiver.c.OSSL_HPKE_open(into, opened, byref(got), aad, c_size_t(len(aad)), changed,
                                     length) != 1
    receiver.lib.refuse()
    got = c_size_t(256)
    assert receiver.c.OSSL_HPKE_open(into, opened, byref(got), aad, c_size_t(len(aad)),
                                     sealed, length) == 1, receiver.lib.errors()
    assert opened.raw[:got.value] == text
    sender.done(out)
    receiver.done(into)


def main():
    ours, theirs = Party(Lib(sys.argv[1], "wolfnano")), Party(Lib(sys.argv[2], "default"))
    c, messages = library(), 0
    c.OSSL_HPKE_CTX_new.restype = c_void_p
    c.OSSL_HPKE_CTX_new.argtypes = [c_int, Suite, c_int, c_void_p, c_char_p]
    for name in set(KEMS.values()):
        ours.lib.fetch("KEM", name)
    for i, kem in enumerate(KEMS):
        for mode in (BASE, PSK, AUTH, PSKAUTH):
            suite = Suite(kem, KDFS[(i + mode) % 3], AEADS[(i + 2 * mode) % 3])
            for pair in ((ours, theirs), (theirs, ours)):
                exchange(*pair, mode, suite)
                messages += 1
    print(messages, "messages")


if __name__ == "__main__":
    main()
