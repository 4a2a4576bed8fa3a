# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured, as data.

`speed` are arguments of `openssl speed`, `pick` says which of its slots counts.
`evp` are (operation, algorithm[, options…]) of evpbench; it is used where
`speed` is empty or the version is older than `since`. `needs` names what a
provider must offer for the row to mean anything: without that check OpenSSL
3.0 would quietly run its built-in legacy RSA, say. `level`: 0 belongs to
--quick, 1 to the default run, 2 must be asked for (--only or --all).
"""
import fnmatch
from dataclasses import dataclass, replace

SIZES = (16, 256, 1024, 8192, 16384)
QUICK_SIZES = (16, 1024, 16384)

GROUPS = {
    "ciphers": "Ciphers",
    "messages": "One message per call",
    "digests": "Digests",
    "macs": "MACs",
    "rand": "Random bytes",
    "pk": "Public key",
    "pqc": "Post-quantum",
    "fresh": "Fresh keys each time",
    "threads": "Two threads",
}
# the rows of the card that wolfNano publishes, for `--builds`
BUILDS = (
    "aes-128-gcm", "aes-256-gcm", "chacha20-poly1305", "sha256", "sha384", "sha3-256",
    "hmac-sha256", "p256-sign", "p256-verify", "p256-derive", "p384-sign", "rsa2048-sign",
    "rsa2048-verify", "ed25519-sign", "ed25519-verify", "x25519-derive", "mlkem768-keygen",
    "mlkem768-encap", "mlkem768-decap", "mldsa65-sign", "mldsa65-verify")


@dataclass(frozen=True)
class Row:
    id: str
    label: str
    group: str
    speed: tuple = ()
    pick: str = "bytes"
    since: tuple = (3, 0)
    evp: tuple = ()
    needs: tuple = ()          # (kind, NAME) pairs
    sized: bool = True
    sizes: tuple = ()          # only these, of those asked for
    threads: int = 1
    level: int = 1

    @property
    def unit(self):
        return "bytes/s" if self.sized else "op/s"


def cipher(name, label, mode_ops, level=1, decrypt_level=None):
    """`openssl speed -evp NAME`, and -decrypt too where DECRYPT_LEVEL is given."""
    needs = (("cipher", name.upper()),)
    enc, dec = mode_ops
    rows = [Row(name, label, "ciphers", ("-evp", name), evp=(enc, name), needs=needs,
                level=level)]
    if decrypt_level is not None:
        rows.append(Row(f"{name}-decrypt", f"{label} decrypt", "ciphers",
                        ("-decrypt", "-evp", name), evp=(dec, name), needs=needs,
                        level=decrypt_level))
    return rows


AEAD = ("aead-enc", "aead-dec")
STREAM = ("stream-enc", "stream-dec")


def digest(name, label, listed=None, level=1):
    return Row(name, label, "digests", ("-evp", name), evp=("digest", name),
               needs=(("digest", listed or name.upper()),), level=level)


def rsa(bits, level):
    needs = {"sign": ("signature",), "verify": ("signature",),
             "encrypt": ("asymcipher",), "decrypt": ("asymcipher",)}
    return [Row(f"rsa{bits}-{what}", f"RSA-{bits} {what}", "pk", (f"rsa{bits}",), what,
                since=(3, 0) if what in ("sign", "verify") else (3, 2),
                evp=(what, f"RSA/{bits}"), sized=False, level=level,
                needs=(("keymgmt", "RSA"), (needs[what][0], "RSA")))
            for what in needs]


def ecdsa(curve, name, level):
    return [Row(f"{name}-{what}", f"ECDSA {curve} {what}", "pk", (f"ecdsa{name}",), what,
                evp=(what, f"EC/{curve}"), sized=False, level=level,
                needs=(("keymgmt", "EC"), ("signature", "ECDSA")))
            for what in ("sign", "verify")]


def ecdh(curve, name, level):
    return Row(f"{name}-derive", f"ECDH {curve}", "pk", (f"ecdh{name}",), "derive",
               evp=("derive", f"EC/{curve}"), sized=False, level=level,
               needs=(("keymgmt", "EC"), ("keyexch", "ECDH")))


def xdh(name, level):
    upper = name.upper()
    return Row(f"{name}-derive", upper, "pk", (f"ecdh{name}",), "derive",
               evp=("derive", upper), sized=False, level=level,
               needs=(("keymgmt", upper), ("keyexch", upper)))


def eddsa(name, level):
    upper = name.upper()
    return [Row(f"{name}-{what}", f"{name.capitalize()} {what}", "pk", (name,), what,
                evp=(what, upper), sized=False, level=level,
                needs=(("keymgmt", upper), ("signature", upper)))
            for what in ("sign", "verify")]


def ffdh(bits, level):
    return Row(f"ffdh{bits}-derive", f"DH ffdhe{bits}", "pk", (f"ffdh{bits}",), "derive",
               evp=("derive", f"DH/ffdhe{bits}"), sized=False, level=level,
               needs=(("keymgmt", "DH"), ("keyexch", "DH")))


def keygen(ident, label, algorithm, listed, level=2):
    return Row(f"{ident}-keygen", f"{label} keygen", "pk", evp=("keygen", algorithm),
               sized=False, needs=(("keymgmt", listed),), level=level)


def kem(ident, name, level):
    return [Row(f"{ident}-{what}", f"{name} {label}", "pqc", (name,), what, since=(3, 2),
                evp=(what, name), sized=False, level=level,
                needs=(("keymgmt", name.upper()), ("kem", name.upper())))
            for what, label in (("keygen", "keygen"), ("encap", "encaps"), ("decap", "decaps"))]


def signature(ident, name, level):
    return [Row(f"{ident}-{what}", f"{name} {what}", "pqc", (name,), what, since=(3, 2),
                evp=(what, name), sized=False, level=level,
                needs=(("keymgmt", name.upper()), ("signature", name.upper())))
            for what in ("keygen", "sign", "verify")]


def fresh(base, ident, label, level=1):
    """BASE with a key imported (derive: and one made) for every operation."""
    return replace(base, id=f"{ident}-fresh", label=label, group="fresh", speed=(),
                   evp=(*base.evp, "--fresh"), level=level)


def twice(base, sizes=(), level=1):
    return replace(base, id=f"{base.id}-threads", label=f"{base.label}, 2 threads",
                   group="threads", speed=(), threads=2, sizes=sizes, level=level)


def message(ident, label, op, algorithm, needs, level=1):
    return Row(ident, label, "messages", evp=(op, *algorithm), needs=needs, level=level)


def build():
    rows = []
    for bits in (128, 192, 256):
        usual = 1 if bits != 192 else 2
        rows += cipher(f"aes-{bits}-gcm", f"AES-{bits}-GCM", AEAD,
                       0 if bits != 192 else 2, decrypt_level=max(usual, 1))
    rows += cipher("aes-128-ccm", "AES-128-CCM", AEAD, 2)
    rows += cipher("aes-192-ccm", "AES-192-CCM", AEAD, 2)
    rows += cipher("aes-256-ccm", "AES-256-CCM", AEAD, 1)
    rows += cipher("chacha20-poly1305", "ChaCha20-Poly1305", STREAM, 0)
    rows += cipher("chacha20", "ChaCha20", STREAM, 2)
    rows += cipher("aes-128-cbc", "AES-128-CBC", STREAM, 1, 1)
    rows += cipher("aes-256-cbc", "AES-256-CBC", STREAM, 0, 0)
    rows += cipher("aes-128-ctr", "AES-128-CTR", STREAM, 1)
    rows += cipher("aes-256-ctr", "AES-256-CTR", STREAM, 0)
    for bits in (128, 192, 256):
        if bits == 192:
            rows += cipher("aes-192-cbc", "AES-192-CBC", STREAM, 2, 2)
            rows += cipher("aes-192-ctr", "AES-192-CTR", STREAM, 2)
        rows += cipher(f"aes-{bits}-ecb", f"AES-{bits}-ECB", STREAM, 2, 2)
        rows += cipher(f"aes-{bits}-cfb", f"AES-{bits}-CFB", STREAM, 2, 2)
        rows += cipher(f"aes-{bits}-cfb8", f"AES-{bits}-CFB8", STREAM, 2, 2)
        rows += cipher(f"aes-{bits}-ofb", f"AES-{bits}-OFB", STREAM, 2)
    rows += cipher("aes-128-xts", "AES-128-XTS", STREAM, 1)
    rows += cipher("aes-256-xts", "AES-256-XTS", STREAM, 0)
    rows += cipher("des-ede3-cbc", "DES-EDE3-CBC", STREAM, 2)

    gcm128, gcm256, chacha = (
        (("cipher", name),) for name in ("AES-128-GCM", "AES-256-GCM", "CHACHA20-POLY1305"))
    tls = ("--aad", "13")
    rows += [
        message("aes-128-gcm-message", "AES-128-GCM seal", "aead-enc",
                ("AES-128-GCM", *tls), gcm128),
        message("aes-256-gcm-message", "AES-256-GCM seal", "aead-enc",
                ("AES-256-GCM", *tls), gcm256, 0),
        message("aes-256-gcm-open", "AES-256-GCM open", "aead-dec",
                ("AES-256-GCM", *tls), gcm256),
        message("aes-256-gcm-record", "AES-256-GCM record (key kept)", "aead-record",
                ("AES-256-GCM", *tls), gcm256),
        message("chacha20-poly1305-message", "ChaCha20-Poly1305 seal", "aead-enc",
                ("ChaCha20-Poly1305", *tls), chacha, 0),
        message("chacha20-poly1305-open", "ChaCha20-Poly1305 open", "aead-dec",
                ("ChaCha20-Poly1305", *tls), chacha),
        message("chacha20-poly1305-record", "ChaCha20-Poly1305 record",
                "aead-record", ("ChaCha20-Poly1305", *tls), chacha),
        message("sha256-message", "SHA-256 in a new context", "digest-new",
                ("SHA256",), (("digest", "SHA256"),)),
        message("hmac-sha256-message", "HMAC-SHA256 with a new key", "mac",
                ("HMAC/SHA256",), (("mac", "HMAC"), ("digest", "SHA256"))),
    ]

    rows += [
        digest("md5", "MD5", level=2), digest("sha1", "SHA-1"),
        digest("sha224", "SHA-224", level=2), digest("sha256", "SHA-256", level=0),
        digest("sha384", "SHA-384"), digest("sha512", "SHA-512"),
        digest("sha512-256", "SHA-512/256", level=2),
        digest("sha3-256", "SHA3-256", level=0), digest("sha3-512", "SHA3-512", level=2),
        digest("shake128", "SHAKE128"), digest("shake256", "SHAKE256", level=2),
    ]
    hmac = Row("hmac-sha256", "HMAC-SHA256", "macs", ("-hmac", "sha256"), level=0,
               evp=("mac-again", "HMAC/SHA256"), needs=(("mac", "HMAC"), ("digest", "SHA256")))
    rows += [
        hmac,
        replace(hmac, id="hmac-sha1", label="HMAC-SHA1", speed=("-hmac", "sha1"), level=2,
                evp=("mac-again", "HMAC/SHA1"), needs=(("mac", "HMAC"), ("digest", "SHA1"))),
        Row("cmac-aes-128", "CMAC AES-128", "macs", ("-cmac", "aes-128-cbc"),
            evp=("mac-again", "CMAC/AES-128-CBC"),
            needs=(("mac", "CMAC"), ("cipher", "AES-128-CBC"))),
        Row("gmac-aes-128", "GMAC AES-128", "macs", evp=("mac", "GMAC/AES-128-GCM"),
            needs=(("mac", "GMAC"), ("cipher", "AES-128-GCM"))),
        Row("kmac128", "KMAC128", "macs", ("kmac128",), since=(3, 2),
            evp=("mac-again", "KMAC128"), needs=(("mac", "KMAC128"),)),
        Row("kmac256", "KMAC256", "macs", ("kmac256",), since=(3, 2), level=2,
            evp=("mac-again", "KMAC256"), needs=(("mac", "KMAC256"),)),
        Row("poly1305", "Poly1305", "macs", evp=("mac", "Poly1305"),
            needs=(("mac", "POLY1305"),)),
        Row("rand", "RAND_bytes", "rand", ("rand",), evp=("rand", "RAND"), level=0,
            needs=(("rand", "CTR-DRBG"),)),
    ]

    rows += rsa(2048, 0) + rsa(3072, 2) + rsa(4096, 1)
    rows += ecdsa("P-256", "p256", 0) + ecdsa("P-384", "p384", 1) + ecdsa("P-521", "p521", 1)
    # not among those of `openssl speed`
    rows += [replace(row, speed=()) for curve, name in (
                 ("secp256k1", "secp256k1"), ("P-224", "p224"), ("brainpoolP256r1", "bp256"),
                 ("brainpoolP384r1", "bp384"))
             for row in (*ecdsa(curve, name, 2), ecdh(curve, name, 2))]
    rows += [ecdh("P-256", "p256", 0), ecdh("P-384", "p384", 1), ecdh("P-521", "p521", 1),
             xdh("x25519", 0), xdh("x448", 1)]
    rows += eddsa("ed25519", 0) + eddsa("ed448", 1)
    rows += [ffdh(2048, 1), ffdh(3072, 2), ffdh(4096, 2),
             keygen("rsa2048", "RSA-2048", "RSA/2048", "RSA"),
             keygen("p256", "P-256", "EC/P-256", "EC", 1),
             keygen("p384", "P-384", "EC/P-384", "EC"),
             keygen("x25519", "X25519", "X25519", "X25519", 1),
             keygen("ed25519", "Ed25519", "ED25519", "ED25519")]
    rows += kem("mlkem512", "ML-KEM-512", 2) + kem("mlkem768", "ML-KEM-768", 0)
    rows += kem("mlkem1024", "ML-KEM-1024", 2)
    rows += kem("x25519mlkem768", "X25519MLKEM768", 1)
    rows += kem("p256mlkem768", "SecP256r1MLKEM768", 2)
    rows += kem("p384mlkem1024", "SecP384r1MLKEM1024", 2)
    rows += kem("x448mlkem1024", "X448MLKEM1024", 2)
    rows += signature("mldsa44", "ML-DSA-44", 2) + signature("mldsa65", "ML-DSA-65", 0)
    rows += signature("mldsa87", "ML-DSA-87", 2)
    rows += signature("slhdsa-shake-128f", "SLH-DSA-SHAKE-128f", 1)
    rows += signature("slhdsa-sha2-128f", "SLH-DSA-SHA2-128f", 2)

    by_id = {row.id: row for row in rows}
    rows += [
        *(fresh(by_id[f"{ident}-{what}"], f"{ident}-{what}", f"{label} import + {what}")
          for ident, label in (("rsa2048", "RSA-2048"), ("p256", "P-256"), ("p384", "P-384"),
                               ("p521", "P-521"), ("ed25519", "Ed25519"), ("ed448", "Ed448"))
          for what in ("sign", "verify")),
        *(fresh(by_id[f"{ident}-derive"], f"{ident}-derive", f"{label}, both keys new")
          for ident, label in (("p256", "ECDHE P-256"), ("p384", "ECDHE P-384"),
                               ("p521", "ECDHE P-521"), ("x25519", "X25519"),
                               ("x448", "X448"))),
        fresh(by_id["mlkem768-encap"], "mlkem768-encap", "ML-KEM-768 import + encaps"),
        fresh(by_id["mlkem768-decap"], "mlkem768-decap", "ML-KEM-768 import + decaps"),
        fresh(by_id["mldsa65-sign"], "mldsa65-sign", "ML-DSA-65 import + sign"),
        fresh(by_id["mldsa65-verify"], "mldsa65-verify", "ML-DSA-65 import + verify"),
        twice(by_id["aes-256-gcm"], (256, 16384)), twice(by_id["sha256"], (256, 16384)),
        twice(by_id["rand"], (16, 1024)), twice(by_id["p256-verify"], level=2),
        twice(by_id["mlkem768-encap"], level=2),
        *(twice(by_id[f"{ident}-sign"])
          for ident in ("rsa2048", "rsa3072", "p256", "p384", "p521", "secp256k1", "ed25519",
                        "ed448", "mldsa44", "mldsa65", "mldsa87", "slhdsa-sha2-128f")),
    ]
    order = list(GROUPS)
    return sorted(rows, key=lambda row: order.index(row.group))


ROWS = build()


def select(patterns, level, rows=None):
    """Rows that PATTERNS (ids, globs, groups, labels) name, or those of LEVEL and below.

    Returns (rows, patterns that match nothing).
    """
    rows = ROWS if rows is None else rows
    if not patterns:
        return [row for row in rows if row.level <= level], []
    chosen, unknown = set(), []
    for pattern in patterns:
        wanted = pattern.lower()
        if wanted in GROUPS:
            # a group means its usual rows, a name or glob means just what it says
            hits = [row for row in rows if row.group == wanted and row.level <= max(level, 1)]
        else:
            hits = [row for row in rows if fnmatch.fnmatchcase(row.id, wanted)
                    or row.label.lower() == wanted]
        if not hits:
            unknown.append(pattern)
        chosen.update(row.id for row in hits)
    return [row for row in rows if row.id in chosen], unknown


def sizes_of(row, sizes):
    if not row.sized:
        return (0,)
    return tuple(size for size in sizes if not row.sizes or size in row.sizes) or row.sizes[:1]
