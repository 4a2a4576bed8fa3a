# SPDX-License-Identifier: GPL-3.0-or-later
"""pq_lengths.py OURS DEFAULT NAME: keys, ciphertexts, signatures and output buffers of every
length from 0 to one more than right, under two configurations. Prints what differs.

Both accept the same, and refuse with the same reason where the default provider has one of
its own. wolfnano also has one where that says nothing, and leaves the output as it was."""
import ctypes
import sys
from ctypes import byref, c_int, c_size_t, c_void_p, create_string_buffer

from libcrypto import Handle, Lib, library, params, version

PUBLIC, PAIR = 0x86, 0x87           # EVP_PKEY_PUBLIC_KEY, EVP_PKEY_KEYPAIR
ERR_LIB_PROV = 57
FILLER = b"\xa5"
MESSAGE = b"The quick brown fox"


def bound():
    """The functions, with types, which make a call cheap."""
    c = library()
    p, n = c_void_p, c_size_t
    for name, types in {
            "EVP_PKEY_fromdata": (p, p, c_int, p), "EVP_PKEY_fromdata_init": (p,),
            "EVP_PKEY_encapsulate": (p, p, p, p, p), "EVP_PKEY_decapsulate": (p, p, p, p, n),
            "EVP_PKEY_set1_encoded_public_key": (p, p, n), "EVP_PKEY_verify": (p, p, n, p, n),
            "EVP_PKEY_sign": (p, p, p, p, n), "EVP_PKEY_free": (p,),
            "EVP_PKEY_get_octet_string_param": (p, ctypes.c_char_p, p, n, p),
            "EVP_PKEY_keygen_init": (p,), "EVP_PKEY_generate": (p, p), "ERR_clear_error": (),
            "EVP_SIGNATURE_free": (p,), "EVP_PKEY_new": ()}.items():
        getattr(c, name).argtypes = types
    c.ERR_peek_error.restype = ctypes.c_ulong
    c.EVP_PKEY_new.restype = c_void_p
    c.EVP_PKEY_copy_parameters.argtypes = (p, p)
    return c


class Side:
    def __init__(self, conf, provider, name):
        self.c, self.lib, self.name = bound(), Lib(conf, provider), name
        self.lib.fetch("KEYMGMT", name)
        self.factory = Handle(self.c.EVP_PKEY_CTX_new_from_name(self.lib.ctx, name.encode(), None),
                              "EVP_PKEY_CTX_free")
        assert self.c.EVP_PKEY_fromdata_init(self.factory) == 1

    def outcome(self, ok):
        """What the call returned, and the first error's reason if a provider raised it."""
        code = self.c.ERR_peek_error()
        self.c.ERR_clear_error()
        assert ok != 1 or code == 0, "success left an error"
        return ok, code & 0x7fffff if code >> 23 == ERR_LIB_PROV else 0

    def import_key(self, selection, **parts):
        """(key or None, outcome)"""
        key = c_void_p()
        ok = self.c.EVP_PKEY_fromdata(self.factory, byref(key), selection, params(**parts))
        return Handle(key.value, "EVP_PKEY_free"), (self.outcome(ok),)

    def generate(self):
        ctx = Handle(self.c.EVP_PKEY_CTX_new_from_name(self.lib.ctx, self.name.encode(), None),
                     "EVP_PKEY_CTX_free")
        key = c_void_p()
        assert self.c.EVP_PKEY_keygen_init(ctx) == 1
        assert self.c.EVP_PKEY_generate(ctx, byref(key)) == 1
        return Handle(key.value, "EVP_PKEY_free")

    def part(self, key, name):
        out, size = create_string_buffer(8192), c_size_t()
        ok = self.c.EVP_PKEY_get_octet_string_param(key, name.encode(), out, 8192, byref(size))
        self.c.ERR_clear_error()
        return out.raw[:size.value] if ok == 1 else b""

    def operation(self, key, init):
        ctx = self.lib.operation(key)
        assert init(ctx) == 1
        self.lib.check_provider(self.c.EVP_PKEY_CTX_get0_provider(ctx))
        return ctx

    def with_scheme(self, verb):
        scheme = self.lib.fetch("SIGNATURE", self.name)
        options = params(deterministic=1)
        return lambda ctx: getattr(self.c, f"EVP_PKEY_{verb}_message_init")(ctx, scheme, options)


class Comparison:
    """`more`: what only wolfnano accepts."""

    def __init__(self, sides, more=()):
        self.sides, self.more, self.count, self.differences = sides, more, 0, {}

    def __call__(self, what, length, outcomes):
        """Each of (returned, reason) and what else there is to see."""
        self.count += 1
        if (what, length) in self.more:
            assert [outcome[0][0] for outcome in outcomes] == [1, 0], (what, length)
            return
        (ours, our_reason), (theirs, their_reason) = (outcome[0] for outcome in outcomes)
        if ours != theirs or their_reason not in (0, our_reason) \
                or outcomes[0][1:] != outcomes[1][1:]:
            self.differences.setdefault((what, *map(str, outcomes)), []).append(length)

    def lengths(self, what, right, outcome):
        """outcome(side number, length), for each length."""
        for length in range(right + 2):
            self(what, length, [outcome(i, length) for i in range(len(self.sides))])

    def report(self):
        for (what, ours, theirs), at in self.differences.items():
            print(f"{what}: {ours} instead of {theirs} at {len(at)} lengths: {at[:5]}…{at[-1]}")
        print(self.count, "comparisons")


def compare_keys(compare, parts):
    """Each part alone, then wrong ones beside right ones."""
    for name, right in parts.items():
        if not right:
            continue
        data = right + b"\0"
        selection = PUBLIC if name == "pub" else PAIR
        compare.lengths(f"import of {name}", len(right), lambda i, n: compare.sides[i].import_key(
            selection, **{name: data[:n]})[1])
    for odd in parts:
        data = parts[odd] + b"\0"
        rest = {name: value for name, value in parts.items() if value and name != odd}
        for n in (0, 1, len(data) - 2, len(data) - 1, len(data)) if parts[odd] else ():
            compare(f"import of all, {odd}", n, [side.import_key(PAIR, **{**rest, odd: data[:n]})[1]
                                                for side in compare.sides])


def output(length):
    """A buffer of that length within a bigger one; its address; was it written to?"""
    whole = create_string_buffer(FILLER * (length + 64), length + 64)
    return whole, lambda: whole.raw != FILLER * (length + 64)


def compare_kem(compare, keys, parts):
    sides = compare.sides
    c = sides[0].c
    encaps = [side.operation(key, lambda ctx: c.EVP_PKEY_encapsulate_init(ctx, None))
              for side, key in zip(sides, keys)]
    decaps = [side.operation(key, lambda ctx: c.EVP_PKEY_decapsulate_init(ctx, None))
              for side, key in zip(sides, keys)]
    sizes = c_size_t(), c_size_t()
    assert c.EVP_PKEY_encapsulate(encaps[0], None, byref(sizes[0]), None, byref(sizes[1])) == 1
    full, secret_full = sizes[0].value, sizes[1].value
    sent = []
    for encapsulate in encaps:
        wrapped, secret = create_string_buffer(full + 1), create_string_buffer(secret_full)
        assert c.EVP_PKEY_encapsulate(encapsulate, wrapped, byref(sizes[0]), secret,
                                      byref(sizes[1])) == 1
        sent.append((wrapped, secret))

    def unwrap(i, n, room=secret_full):
        out, written = output(secret_full)
        size = c_size_t(room)
        wrapped, secret = sent[i]
        ok = c.EVP_PKEY_decapsulate(decaps[i], out, byref(size), wrapped, n)
        if ok == 1:
            return sides[i].outcome(ok), size.value, out.raw == secret.raw + FILLER * 64
        assert i == 1 or not written(), n       # the default provider writes random bytes
        return sides[i].outcome(ok),
    compare.lengths("decapsulation", full, unwrap)
    compare.lengths("decapsulation to a buffer", secret_full, lambda i, n: unwrap(i, full, n))

    def wrap(i, room, secret_room):
        out, written = output(full)
        out2, written2 = output(secret_full)
        size, size2 = c_size_t(room), c_size_t(secret_room)
        ok = c.EVP_PKEY_encapsulate(encaps[i], out, byref(size), out2, byref(size2))
        if ok == 1:
            return sides[i].outcome(ok), size.value, size2.value
        return sides[i].outcome(ok), written(), written2()
    compare.lengths("encapsulation to a buffer", full, lambda i, n: wrap(i, n, secret_full))
    compare.lengths("secret to a buffer", secret_full, lambda i, n: wrap(i, full, n))
    compare_key_shares(compare, keys, parts["pub"])


def compare_key_shares(compare, keys, share):
    """What a TLS client sends: an encoded key, put into an object with parameters only."""
    c, data = compare.sides[0].c, share + b"\0"

    def put(i, n):
        key = Handle(c.EVP_PKEY_new(), "EVP_PKEY_free")
        assert c.EVP_PKEY_copy_parameters(key, keys[i]) == 1
        return compare.sides[i].outcome(c.EVP_PKEY_set1_encoded_public_key(key, data, n)),
    compare.lengths("key share", len(share), put)


def compare_signatures(compare, keys):
    sides, c = compare.sides, compare.sides[0].c
    signers = [side.operation(key, side.with_scheme("sign")) for side, key in zip(sides, keys)]
    verifiers = [side.operation(key, side.with_scheme("verify")) for side, key in zip(sides, keys)]
    size = c_size_t()
    assert c.EVP_PKEY_sign(signers[0], None, byref(size), MESSAGE, len(MESSAGE)) == 1
    full = size.value
    signature = create_string_buffer(full + 1)
    assert c.EVP_PKEY_sign(signers[0], signature, byref(size), MESSAGE, len(MESSAGE)) == 1
    compare.lengths("signature", full, lambda i, n: (sides[i].outcome(
        c.EVP_PKEY_verify(verifiers[i], signature, n, MESSAGE, len(MESSAGE))),))

    out, written = output(full)

    def sign(i, room):
        size = c_size_t(room)
        ok = c.EVP_PKEY_sign(signers[i], out, byref(size), MESSAGE, len(MESSAGE)) \
            if room < full else 0
        return sides[i].outcome(ok), size.value == room
    compare.lengths("signature to a buffer", full, sign)
    assert not written()


def accepted_by_us(name, parts):
    """The default provider takes no private key of a hybrid with an EC curve, and that of 4.0
    no empty private ML-DSA key beside a seed."""
    if name.startswith("Sec"):
        full = len(parts["priv"])
        return [("import of priv", full), ("import of all, priv", full), ("import of all, pub", 0),
                ("import of all, pub", len(parts["pub"]))]
    return [("import of all, priv", 0)] if name.startswith("ML-DSA") and \
        version().startswith("4.") else []


def main():
    name = sys.argv[3]
    sides = [Side(sys.argv[1], "wolfnano", name), Side(sys.argv[2], "default", name)]
    made = sides[0].generate()
    parts = {part: sides[0].part(made, part) for part in ("seed", "priv", "pub")}
    compare = Comparison(sides, accepted_by_us(name, parts))
    compare_keys(compare, parts)
    keys = [side.generate() for side in sides] if name.startswith("Sec") else \
        [side.import_key(PAIR, **{k: v for k, v in parts.items() if v})[0] for side in sides]
    assert all(keys)
    if "KEM" in name:
        compare_kem(compare, keys, parts)
    else:
        compare_signatures(compare, keys)
    compare.report()


main()
