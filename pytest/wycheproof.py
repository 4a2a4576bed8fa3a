# SPDX-License-Identifier: GPL-3.0-or-later
"""Project Wycheproof's vectors through libcrypto, for one provider.

    run-openssl VERSION python3 wycheproof.py CONFIG PROVIDER REFERENCE FOLDER [REGEX]

CONFIG activates PROVIDER, and REFERENCE is a configuration that activates the
default provider. Prints one JSON object: for each file what became of its
tests. A test is
    passed       as Wycheproof asks
    like default otherwise, or where Wycheproof leaves the choice, and the
                 default provider does just the same
    n/a          its algorithm is not served by PROVIDER
    failed       none of these
HANDLERS has a row for each type of test group: to add a kind of test is to
add a generator there that yields (what, got, wanted if valid, must fail if
invalid). FILES_LEFT_OUT says why some files have no handler.
"""
import json
import re
import sys
from collections import Counter
from pathlib import Path

from libcrypto import Lib, Unserved, WrongProvider, version

FILES_LEFT_OUT = {
    r"^(a\d+cbc_hs|aead_aes_siv|aegis|aes_(eax|ff1|siv)|ascon|morus|vmac|xchacha|siphashx)":
        "no OpenSSL has the algorithm, or has it in another form",
    r"^(aes_gcm_siv|aria|camellia|seed|sm4|siphash|hmac_sm3|dsa)":
        "not among wolfnano's algorithms",
    r"^(bls|json_web|primality|ec_prime_order)": "not an operation of a provider",
    r"(ecpoint|webcrypto|_jwk|_pem)_test": "the vectors of the _test file, encoded otherwise",
    r"^pbes2": "PBES2 is assembled by libcrypto from PBKDF2 and CBC, tested on their own",
    r"_bitcoin_": "refuses signatures that are valid outside Bitcoin",
    r"_p1363_": "libcrypto has no such form of an ECDSA signature",
    r"sect\d": "curves over binary fields, which wolfnano leaves to others",
    r"^rsa_pss_.*shake": "no OpenSSL of these versions has SHAKE as the digest of PSS",
}


def aead(lib, group, test):
    size = group["keySize"]
    name = {"AES-GCM": f"AES-{size}-GCM", "AES-CCM": f"AES-{size}-CCM",
            "CHACHA20-POLY1305": "ChaCha20-Poly1305"}[group["algorithm"]]
    key, iv, aad, tag = (test[field] for field in ("key", "iv", "aad", "tag"))
    yield "decrypt", lib.aead(name, key, iv, aad, test["ct"], tag, False), test["msg"], True
    yield ("encrypt", lib.aead(name, key, iv, aad, test["msg"], tag, True),
           test["ct"] + tag, False)


def cipher(lib, group, test):
    size, key, iv = group["keySize"], test["key"], test["iv"]
    if group["algorithm"] == "AES-XTS":
        name, iv = f"AES-{size // 2}-XTS", iv.ljust(16, b"\0")
    else:
        name = f"AES-{size}-CBC"
    yield "decrypt", lib.cipher(name, key, iv, test["ct"], False), test["msg"], True
    yield "encrypt", lib.cipher(name, key, iv, test["msg"], True), test["ct"], False


def key_wrap(lib, group, test):
    name = f"AES-{group['keySize']}-WRAP" + {"AES-WRAP": "", "AES-KWP": "-PAD"}[group["algorithm"]]
    yield "unwrap", lib.cipher(name, test["key"], None, test["ct"], False), test["msg"], True
    yield "wrap", lib.cipher(name, test["key"], None, test["msg"], True), test["ct"], False


def mac(lib, group, test):
    algorithm, size = group["algorithm"], group["tagSize"] // 8
    if algorithm == "AES-CMAC":
        got = lib.mac("CMAC", test["key"], test["msg"], cipher=f"AES-{8 * len(test['key'])}-CBC")
    elif algorithm == "AES-GMAC":
        got = lib.mac("GMAC", test["key"], test["msg"], iv=test["iv"],
                      cipher=f"AES-{group['keySize']}-GCM")
    elif algorithm.startswith("KMAC"):
        got = lib.mac(algorithm, test["key"], test["msg"], size=size)
    else:
        got = lib.mac("HMAC", test["key"], test["msg"], digest=digest_name(algorithm[4:]))
    got = got and got[:size]
    yield "tag", got, test["tag"], False
    yield "verify", True if got == test["tag"] else None, True, True


def digest_name(name):
    """Wycheproof's SHA-256, SHA256 or SHA512/256 as OpenSSL's name."""
    name = name.replace("SHA-", "SHA")
    return re.sub(r"^SHA(?=\d{3})", "SHA2-", name) if not name.startswith("SHA3-") else name


def hkdf(lib, group, test):
    got = lib.kdf("HKDF", test["size"], digest=digest_name(group["algorithm"][5:]),
                  key=test["ikm"], salt=test["salt"], info=test["info"])
    yield "okm", got, test["okm"], True


def pbkdf2(lib, group, test):
    got = lib.kdf("PBKDF2", test["dkLen"], digest=digest_name(group["algorithm"][11:]),
                  salt=test["salt"], iter=test["iterationCount"], **{"pass": test["password"]})
    yield "dk", got, test["dk"], True


def need_key(lib, key_type, kind, name=None):
    """Whether keys of the type, and the operation, are served."""
    lib.fetch("KEYMGMT", key_type)
    lib.fetch(kind, name or key_type)


def need_curve(lib, name):
    """NIST's prime curves are a must; others may be n/a."""
    name = {"secp192r1": "prime192v1"}.get(name, name)     # OpenSSL's name
    if name not in ("secp256r1", "secp384r1", "secp521r1") and not lib.has_curve(name):
        raise Unserved(f"curve {name}")


def verification(key_type, name=None, digest=lambda group: digest_name(group["sha"]), **options):
    """A handler for signatures under the group's public key. The key's type
    may depend on the group."""
    def handle(lib, group, test):
        need_key(lib, key_type or group["publicKey"]["curve"].upper().replace("EDWARDS", "ED"),
                 "SIGNATURE", name)
        if key_type == "EC":
            need_curve(lib, group["publicKey"]["curve"])
        key = lib.public_key(bytes.fromhex(group["publicKeyDer"]))
        named = {name: make(group) for name, make in options.items()}
        good = key and lib.verify(key, digest(group), test["msg"], test["sig"], **named)
        yield "verify", good, True, True
    return handle


XDH = {"curve25519": "X25519", "curve448": "X448"}


def exchange(lib, group, test):
    """Both keys are encoded."""
    name = XDH.get(group["curve"])
    need_key(lib, name or "EC", "KEYEXCH", name or "ECDH")
    peer = lib.public_key(test["public"])
    key = lib.private_key(test["private"])
    yield "shared", key and peer and lib.derive(key, peer), test["shared"], True


def raw_exchange(lib, group, test):
    name = XDH[group["curve"]]
    need_key(lib, name, "KEYEXCH")
    key, peer = (lib.raw_key(kind, name, test[kind]) for kind in ("private", "public"))
    yield "shared", key and peer and lib.derive(key, peer), test["shared"], True


# curve: (OID, bytes of a private key)
CURVES = {
    "secp224r1": ("1.3.132.0.33", 28), "secp256r1": ("1.2.840.10045.3.1.7", 32),
    "secp384r1": ("1.3.132.0.34", 48), "secp521r1": ("1.3.132.0.35", 66),
    "secp256k1": ("1.3.132.0.10", 32),
    "brainpoolP224r1": ("1.3.36.3.3.2.8.1.1.5", 28),
    "brainpoolP256r1": ("1.3.36.3.3.2.8.1.1.7", 32),
    "brainpoolP320r1": ("1.3.36.3.3.2.8.1.1.9", 40),
    "brainpoolP384r1": ("1.3.36.3.3.2.8.1.1.11", 48),
    "brainpoolP512r1": ("1.3.36.3.3.2.8.1.1.13", 64),
}


def der(tag, *parts):
    body = b"".join(parts)
    size = len(body)
    if size < 128:
        return bytes([tag, size]) + body
    octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(octets)]) + octets + body


def oid(text):
    first, second, *rest = map(int, text.split("."))
    body = bytes([40 * first + second])
    for value in rest:
        digits = [value & 0x7f]
        while value := value >> 7:
            digits.append(value & 0x7f | 0x80)
        body += bytes(reversed(digits))
    return der(0x06, body)


def pkcs8(algorithm, private):
    return der(0x30, b"\x02\x01\x00", algorithm, der(0x04, private))


def ecdh(lib, group, test):
    """The private key is a number, here wrapped as PKCS#8."""
    need_key(lib, "EC", "KEYEXCH", "ECDH")
    need_curve(lib, group["curve"])
    curve, size = CURVES[group["curve"]]
    number = int.from_bytes(test["private"], "big").to_bytes(size, "big")
    algorithm = der(0x30, oid("1.2.840.10045.2.1"), oid(curve))
    private = pkcs8(algorithm, der(0x30, b"\x02\x01\x01", der(0x04, number)))
    yield from exchange(lib, group, {**test, "private": private})


def rsa_decryption(**options):
    def handle(lib, group, test):
        need_key(lib, "RSA", "ASYM_CIPHER")
        key = lib.private_key(bytes.fromhex(group["privateKeyPkcs8"]))
        named = {name: make(group, test) for name, make in options.items()}
        yield "decrypt", key and lib.decrypt(key, test["ct"], **named), test["msg"], True
    return handle


def rsa_signature(lib, group, test):
    need_key(lib, "RSA", "SIGNATURE")
    key = lib.private_key(bytes.fromhex(group["privateKeyPkcs8"]))
    yield "sign", key and lib.sign(key, digest_name(group["sha"]), test["msg"]), test["sig"], True


ML_OID = {"ML-KEM-512": "4.1", "ML-KEM-768": "4.2", "ML-KEM-1024": "4.3",
          "ML-DSA-44": "3.17", "ML-DSA-65": "3.18", "ML-DSA-87": "3.19"}


def ml_private_key(lib, name, seed=None, expanded=None):
    """RFC 9881 and 9935: PKCS#8 with one of the two forms of the key."""
    algorithm = der(0x30, oid("2.16.840.1.101.3.4." + ML_OID[name]))
    return lib.private_key(pkcs8(algorithm, der(0x80, seed) if seed is not None
                                 else der(0x04, expanded)))


def ml_kem_generation(lib, group, test):
    need_key(lib, group["parameterSet"], "KEM")
    key = ml_private_key(lib, group["parameterSet"], test["seed"])
    yield "ek", key and lib.raw_public(key), test["ek"], True


def ml_kem_encapsulation(lib, group, test):
    need_key(lib, group["parameterSet"], "KEM")
    key = lib.raw_key("public", group["parameterSet"], test["ek"])
    yield ("encapsulate", key and lib.encapsulate(key, ikme=test["m"]), test["c"] + test["K"],
           True)


def ml_kem_decapsulation(lib, group, test):
    need_key(lib, group["parameterSet"], "KEM")
    key = ml_private_key(lib, group["parameterSet"], test.get("seed"), test.get("dk"))
    yield "K", key and lib.decapsulate(key, test["c"]), test.get("K"), True


def ml_dsa_options(test):
    return {"context-string": test["ctx"]} if test.get("ctx") else {}


def ml_dsa_verification(lib, group, test):
    need_key(lib, group["algorithm"], "SIGNATURE")
    key = lib.raw_key("public", group["algorithm"], bytes.fromhex(group["publicKey"]))
    good = key and lib.verify(key, None, test["msg"], test["sig"], **ml_dsa_options(test))
    yield "verify", good, True, True


def ml_dsa_signature(lib, group, test):
    """Deterministic unless the test gives the randomness; of `mu`, where the
    message is not known."""
    need_key(lib, group["algorithm"], "SIGNATURE")
    seed, expanded = (bytes.fromhex(group[name]) if name in group else None
                      for name in ("privateSeed", "privateKey"))
    key = ml_private_key(lib, group["algorithm"], seed, expanded)
    options = {"test-entropy": test["rnd"]} if test.get("rnd") else {"deterministic": 1}
    if "msg" not in test:
        options["mu"] = 1
    got = key and lib.sign(key, None, test.get("msg", test.get("mu")), **options,
                           **ml_dsa_options(test))
    yield "sign", got, test["sig"], True


def pss(key_type):
    return verification(key_type, "RSA", **{
        "pad-mode": lambda group: "pss", "saltlen": lambda group: group["sLen"],
        "mgf1-digest": lambda group: digest_name(group["mgfSha"])})


HANDLERS = {
    "AeadTest": aead, "IndCpaTest": cipher, "KeywrapTest": key_wrap,
    "MacTest": mac, "MacWithIvTest": mac, "HkdfTest": hkdf, "PbkdfTest": pbkdf2,
    "EcdhTest": ecdh, "EcdsaVerify": verification("EC", "ECDSA"),
    "XdhComp": raw_exchange, "XdhAsnComp": exchange,
    "EddsaVerify": verification(None, digest=lambda group: None),
    "RsassaPkcs1Verify": verification("RSA"), "RsassaPkcs1Generate": rsa_signature,
    "RsassaPssVerify": pss("RSA"), "RsassaPssWithParametersVerify": pss("RSA-PSS"),
    "RsaesOaepDecrypt": rsa_decryption(
        **{"pad-mode": lambda group, _: "oaep",
           "digest": lambda group, _: digest_name(group["sha"]),
           "mgf1-digest": lambda group, _: digest_name(group["mgfSha"]),
           "oaep-label": lambda _, test: test["label"]}),
    "RsaesPkcs1Decrypt": rsa_decryption(
        **{"pad-mode": lambda *_: "pkcs1", "implicit-rejection": lambda *_: 0}),
    "MLKEMTest": ml_kem_decapsulation, "MLKEMDecapsValidationTest": ml_kem_decapsulation,
    "MLKEMEncapsTest": ml_kem_encapsulation, "MLKEMKeyGen": ml_kem_generation,
    "MlDsaVerify": ml_dsa_verification, "MlDsaSign": ml_dsa_signature,
}
BINARY = {"key", "iv", "aad", "msg", "ct", "tag", "ikm", "salt", "info", "okm", "password", "dk",
          "sig", "public", "private", "shared", "label", "seed", "ek", "c", "K", "ctx",
          "m", "mu", "rnd"}


def decoded(test):
    return {name: bytes.fromhex(value) if name in BINARY else value
            for name, value in test.items()}


def judge(lib, reference, handler, group, test):
    """(state, remark) of one test."""
    result, unlike = test["result"], []
    for what, got, wanted, must_fail in handler(lib, group, test):
        if result == "valid" and got == wanted:
            continue
        if result == "invalid" and (got is None or not must_fail):
            continue
        unlike.append((what, got))
    if not unlike:
        return "passed", ""
    default = {what: got for what, got, *_ in handler(reference, group, test)}
    for what, got in unlike:
        if got != default[what]:
            return "failed", f"{what}, which is {result}: {shown(got)}; default: " \
                             f"{shown(default[what])}"
    return "like default", f"{result}: {test['comment']} {test['flags']}"


def shown(got):
    return got.hex()[:64] if isinstance(got, bytes) else {None: "refused", True: "ok"}[got]


def run_file(path, lib, reference):
    data = json.loads(path.read_text())
    states, remarks = Counter(), []
    for group in data["testGroups"]:
        group.setdefault("algorithm", data.get("algorithm"))
        handler = HANDLERS[group["type"]]
        for test in map(decoded, group["tests"]):
            try:
                state, remark = judge(lib, reference, handler, group, test)
            except Unserved as missing:
                state, remark = "n/a", str(missing)
            except WrongProvider as other:
                state, remark = "failed", f"served by the provider {other}"
            states[state] += 1
            remarks.append([test["tcId"], state, remark])
    return {"states": states, "remarks": remarks, "tests": data["numberOfTests"]}


def left_out(name):
    return next((reason for pattern, reason in FILES_LEFT_OUT.items()
                 if re.search(pattern, name)), None)


def main(config, provider, default_config, folder, wanted=""):
    lib, reference = Lib(config, provider), Lib(default_config, "default")
    report = {"openssl": version(), "files": {}}
    for path in sorted(Path(folder).glob("*_test.json")):
        if not re.search(wanted, path.name):
            continue
        reason = left_out(path.name)
        report["files"][path.name] = ({"left out": reason} if reason
                                      else run_file(path, lib, reference))
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
