# SPDX-License-Identifier: GPL-3.0-or-later
"""Which code serves an algorithm on a processor with given features.

The provider's build info ends with the features in use. The choices below are
those of algs/x86_64/ and of wolfCrypt, in their order; the first whose features
are all there is taken. A combination (HMAC, ECDSA with a digest, a key derivation
function) runs its parts, each on its own path.
"""
import re

C = ((), "C")
AESNI = ("ssse3", "sse41", "aesni", "pclmul")
VAES = (*AESNI, "avx2", "vaes", "vpclmul")
MULX = (("bmi2", "adx"), "assembly with MULX and ADX")

# (family, pattern of names, choices)
FAMILIES = (
    ("AES", r"AES|CTR-DRBG|GMAC|CMAC",
     (((*VAES, "avx512"), "VAES, 512 bits"), (VAES, "VAES, 256 bits"),
      (AESNI, "AES-NI"), C)),
    ("ChaCha20, Poly1305", r"CHACHA|POLY1305",
     ((("avx512", "ifma"), "AVX-512 IFMA"), (("avx512",), "AVX-512"), (("avx2",), "AVX2"),
      (("ssse3", "sse41"), "SSE4.1"), C)),
    ("SHA-1", r"SHA-?1$",
     ((("ssse3", "sse41", "sha"), "SHA-NI"), (("avx512", "bmi1", "bmi2"), "AVX-512"),
      (("avx2", "bmi1", "bmi2"), "AVX2 with RORX"), C)),
    ("SHA-224, SHA-256", r"SHA2-(224|256)$|SHA2-256/|SLH-DSA-SHA2",
     ((("sha",), "SHA-NI"), (("avx512", "bmi1", "bmi2"), "AVX-512"),
      (("avx2", "bmi1", "bmi2"), "AVX2 with RORX"), (("avx2",), "AVX2"),
      (("avx", "bmi1", "bmi2"), "AVX with RORX"), (("avx",), "AVX"), C)),
    ("SHA-384, SHA-512", r"SHA2-(384|512)",
     ((("avx512", "bmi1", "bmi2"), "AVX-512"), (("avx2", "bmi1", "bmi2"), "AVX2 with RORX"),
      (("avx2",), "AVX2"), (("avx", "bmi1", "bmi2"), "AVX with RORX"), (("avx",), "AVX"), C)),
    ("SHA-3, SHAKE, KMAC", r"SHA3|C?SHAKE|KECCAK|KMAC|SLH-DSA-SHAKE",
     ((("avx512",), "AVX-512"), (("bmi1", "bmi2"), "BMI2"), C)),
    ("RSA", r"RSA", ((("avx512", "ifma"), "AVX-512 IFMA"), MULX, ((), "assembly"))),
    ("DH (2048 to 4096 bits)", r"DH$|DHX$", (MULX, ((), "assembly"))),
    ("P-256, P-384, P-521", r"EC$|ECDSA|ECDH$", (MULX, ((), "assembly"))),
    ("X25519, Ed25519", r"X25519$|ED25519", (MULX, ((), "assembly"))),
    ("X448, Ed448", r"X448$|ED448", (C,)),
    ("ML-KEM", r"ML-KEM|SecP|X25519ML|X448ML|SECP",
     ((("avx512", "avx2", "vbmi2"), "AVX2, matrix and noise with AVX-512 VBMI2"),
      (("avx512", "avx2"), "AVX2, Keccak with AVX-512"), (("avx2",), "AVX2"), C)),
    ("ML-DSA", r"ML-DSA",
     ((("avx512", "avx2"), "AVX2, matrix, masks and Keccak with AVX-512"), (("avx2",), "AVX2"), C)),
    ("MD5, DES", r"MD5|DES", (C,)),
)


def features(buildinfo):
    """("x86_64", ["aesni", "avx", ...]) of the provider's build info."""
    found = re.fullmatch(r"wolfSSL \S+, (\w+), cpu: (.*)", buildinfo)
    if not found:
        return "", []
    return found[1], [] if found[2] == "portable C" else found[2].split()


def choice(choices, arch, present):
    if arch != "x86_64":
        return "C"
    return next(word for needed, word in choices if set(needed) <= set(present))


def paths(buildinfo):
    """{family: path}"""
    arch, present = features(buildinfo)
    return {family: choice(choices, arch, present) for family, _, choices in FAMILIES}


def path_of(name, buildinfo):
    """The path of one algorithm; "" for one that is a combination of others."""
    arch, present = features(buildinfo)
    for _, pattern, choices in FAMILIES:
        if re.match(pattern, name, re.I):
            return choice(choices, arch, present)
    return ""
