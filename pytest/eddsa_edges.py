# SPDX-License-Identifier: GPL-3.0-or-later
"""eddsa_edges.py OURS DEFAULT: Ed25519 and Ed448 signatures where the edges are, under two
configurations: public keys and points R of small order or with a part of small order,
encodings that are not the only ones, S at the group's order. Prints how many were compared
and how many of them are good.

Known differences: with a public key of small order wolfCrypt takes no signature, and for
Ed448 it does not multiply by the cofactor, as OpenSSL does (RFC 8032 section 5.2.7 allows
both), so keys with a part of small order are left out there."""
import hashlib
import random
import sys

from libcrypto import Lib

MESSAGES = [b"", *(bytes([n]) * n for n in range(1, 12))]


class Curve:
    """a x^2 + y^2 = 1 + d x^2 y^2 (RFC 8032)."""

    def __init__(self, name, p, a, d, order, base, size):
        self.name, self.p, self.a, self.d = name, p, a, d
        self.order, self.base, self.size = order, base, size

    def add(self, one, other):
        (x1, y1), (x2, y2), p = one, other, self.p
        t = self.d * x1 * x2 * y1 * y2
        return ((x1 * y2 + x2 * y1) * pow(1 + t, -1, p) % p,
                (y1 * y2 - self.a * x1 * x2) * pow(1 - t, -1, p) % p)

    def times(self, n, point):
        result = (0, 1)
        while n:
            if n & 1:
                result = self.add(result, point)
            point, n = self.add(point, point), n >> 1
        return result

    def encode(self, point, more=0):
        """`more`: multiples of p that the encoding has on top."""
        x, y = point
        return (y + more * self.p | (x & 1) << (8 * self.size - 1)).to_bytes(self.size, "little")

    def root(self, n):
        p = self.p
        x = pow(n, (p + 3) // 8 if p % 8 == 5 else (p + 1) // 4, p)
        if (x * x - n) % p and p % 8 == 5:
            x = x * pow(2, (p - 1) // 4, p) % p
        return x if (x * x - n) % p == 0 else None

    def torsion(self):
        """All points whose order divides the cofactor."""
        found, y = {(0, 1)}, 2
        while len(found) < (8 if self.size == 32 else 4):
            x = self.root((y * y - 1) * pow(self.d * y * y - self.a, -1, self.p) % self.p)
            if x is not None:
                point = self.times(self.order, (x, y))
                found |= {self.times(n, point) for n in range(8)}
            y += 1
        return sorted(found)


P1 = 2 ** 255 - 19
P2 = 2 ** 448 - 2 ** 224 - 1
CURVES = [
    Curve("ED25519", P1, -1, -121665 * pow(121666, -1, P1) % P1,
          2 ** 252 + 27742317777372353535851937790883648493,
          (15112221349535400772501151409588531511454012693041857206046113283949847762202,
           4 * pow(5, -1, P1) % P1), 32),
    Curve("ED448", P2, 1, -39081 % P2,
          2 ** 446 - 0x8335dc163bb124b65129c96fde933d8d723a70aadc873d6d54a7bb0d,
          (0x4f1970c66bed0ded221d15a622bf36da9e146570470f1767ea6de324a3d3a46412ae1af72ab66511433b80e18b00938e2626a82bc70cc05e,
           0x693f46716eb6bc248876203756c9c7624bea73736ca3984087789c1e05a0c2d73ad3ff1ce67c39c4fdbd132c4ed7c8ad9808795bf230fa14),
          57)]


def challenge(curve, r, key, message):
    if curve.size == 32:
        digest = hashlib.sha512(r + key + message).digest()
    else:
        digest = hashlib.shake_256(b"SigEd448\0\0" + r + key + message).digest(114)
    return int.from_bytes(digest, "little") % curve.order


def encodings(curve, point):
    """With the sign of x both ways, above p if there is room, with bits that must be zero."""
    whole = curve.encode(point)
    yield whole
    if point[0] == 0:
        yield whole[:-1] + bytes([whole[-1] ^ 0x80])
    if point[1] < (19 if curve.size == 32 else 2 ** 224):
        yield curve.encode(point, 1)
    if curve.size == 57:
        yield whole[:-1] + bytes([whole[-1] | 1])


def cases(curve):
    """(public key, R, S)"""
    torsion = curve.torsion()
    s = random.randrange(curve.order)
    plain = curve.times(s, curve.base)
    for t in torsion:
        for key in encodings(curve, t):
            for u in torsion:
                for r in [curve.encode(curve.add(plain, u)), *encodings(curve, u)]:
                    for scalar in (s, 0, s + curve.order, curve.order):
                        yield key, r, scalar


def signed(curve):
    """Good signatures, by a key with and without a part of small order, and R with one: what
    is good then depends on the message."""
    secret, nonce = (random.randrange(curve.order) for _ in range(2))
    for t in curve.torsion() if curve.size == 32 else [(0, 1)]:
        key = curve.encode(curve.add(curve.times(secret, curve.base), t))
        r = curve.encode(curve.times(nonce, curve.base))
        for message in MESSAGES:
            s = (nonce + challenge(curve, r, key, message) * secret) % curve.order
            yield key, r, s, message
            if s + curve.order < 256 ** curve.size:
                yield key, r, s + curve.order, message
            for u in curve.torsion() if curve.size == 32 else ():
                for odd in [curve.encode(curve.add(curve.times(nonce, curve.base), u)),
                            *encodings(curve, u)]:
                    yield key, odd, s, message


def main():
    sides = Lib(sys.argv[1], "wolfnano"), Lib(sys.argv[2], "default")
    for curve in CURVES:
        count = good = 0
        small = [(*case, MESSAGES[i % len(MESSAGES)]) for i, case in enumerate(cases(curve))]
        every = list(signed(curve))
        for at, (key, r, s, message) in enumerate(small + every):
            signature = r + s.to_bytes(curve.size, "little")
            keys = [side.raw_key("public", curve.name, key) for side in sides]
            assert (keys[0] is None) == (keys[1] is None), (curve.name, key.hex())
            ours, theirs = (side.verify(made, None, message, signature)
                            for side, made in zip(sides, keys))
            if at < len(small):
                assert ours is None, (curve.name, key.hex(), signature.hex())
            else:
                assert ours == theirs, (curve.name, key.hex(), signature.hex(), ours, theirs)
            count += 1
            good += ours is True
        print(curve.name, count, good)


main()
