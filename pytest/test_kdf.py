# SPDX-License-Identifier: GPL-3.0-or-later
"""`openssl kdf`, and what uses KDFs out of sight: encrypted keys and files."""
import pytest

CASES = {
    "HKDF": ("HKDF", "digest:SHA256", "key:secret", "salt:salt", "info:label"),
    "HKDF-expand": ("HKDF", "digest:SHA384", "hexkey:" + "0b" * 48, "info:label",
                    "mode:EXPAND_ONLY"),
    "TLS13-KDF": ("TLS13-KDF", "mode:EXPAND_ONLY", "digest:SHA256", "key:secret",
                  "prefix:tls13 ", "label:derived", "data:hash"),
    "TLS1-PRF": ("TLS1-PRF", "digest:MD5-SHA1", "secret:secret", "seed:master secret",
                 "seed:more"),
    "PBKDF2": ("PBKDF2", "digest:SHA512", "pass:password", "salt:salt", "iter:1000"),
    "SCRYPT": ("SCRYPT", "pass:password", "salt:NaCl", "n:1024", "r:8", "p:16"),
    "SSKDF": ("SSKDF", "digest:SHA1", "secret:secret", "info:label"),
    "SSKDF-HMAC": ("SSKDF", "mac:HMAC", "digest:SHA1", "secret:secret", "salt:salt", "info:label"),
    "SSKDF-KMAC": ("SSKDF", "mac:KMAC-256", "secret:secret", "salt:salt", "info:label",
                   "maclen:40"),
    "X963KDF": ("X963KDF", "digest:SHA224", "secret:secret", "info:label"),
    "X942KDF": ("X942KDF", "digest:SHA256", "secret:secret", "cekalg:id-aes128-wrap",
                "ukm:label"),
    "KBKDF": ("KBKDF", "digest:SHA256", "mac:HMAC", "key:secret", "salt:prf", "info:label"),
    "KBKDF-CMAC": ("KBKDF", "cipher:AES-256-CBC", "mac:CMAC", "mode:FEEDBACK",
                   "key:thirty-two bytes for the AES key", "seed:16 bytes of seed"),
    "SSHKDF": ("SSHKDF", "digest:SHA1", "key:secret", "xcghash:hash", "session_id:id", "type:C"),
    "PKCS12KDF": ("PKCS12KDF", "digest:SHA1", "hexpass:00700000", "salt:salt", "id:1", "iter:3"),
}
LENGTHS = {"X942KDF": (16,), "KBKDF-CMAC": (10, 100), "SSKDF-KMAC": (40,)}


def derivation(case, length):
    name, *options = CASES[case]
    return ("kdf", "-keylen", length, "-binary",
            *(word for option in options for word in ("-kdfopt", option)), name)


@pytest.mark.parametrize("case", CASES)
def test_as_the_default(ours, default, case):
    for length in LENGTHS.get(case, (1, 16, 131)):
        done = default.run(*derivation(case, length))
        if done.returncode != 0:
            pytest.fail(f"the default provider: {done.stderr.decode()}")
        assert ours.out(*derivation(case, length)) == done.stdout


@pytest.mark.parametrize("case,cipher", [("KRB5KDF", "AES-128-CBC"), ("KRB5KDF", "AES-256-CBC"),
                                         ("KRB5KDF", "DES-EDE3-CBC")])
def test_kerberos(ours, default, case, cipher):
    length = {"AES-128-CBC": 16, "AES-256-CBC": 32, "DES-EDE3-CBC": 24}[cipher]
    words = ("kdf", "-keylen", length, "-kdfopt", f"cipher:{cipher}", "-kdfopt",
             "hexkey:" + "".join(f"{octet:02x}" for octet in range(length)), "-kdfopt",
             "hexconstant:0000000155", case)
    assert ours.out(*words) == default.out(*words)


@pytest.mark.parametrize("words,reason", [
    (("-kdfopt", "key:k", "HKDF"), "missing message digest"),
    (("-kdfopt", "digest:SHA256", "HKDF"), "missing key"),
    (("-kdfopt", "digest:NO-SUCH", "-kdfopt", "key:k", "HKDF"), "unsupported"),
    (("-kdfopt", "pass:p", "-kdfopt", "salt:s", "-kdfopt", "iter:0", "PBKDF2"), ""),
])
def test_reasons(ours, default, words, reason):
    for setup in (default, ours):
        setup.fails("kdf", "-keylen", 16, *words, reason=reason)


# How a private key is encrypted: PBES2 with PBKDF2 or scrypt, PKCS #12's KDF.
SCHEMES = {
    "pbkdf2": ("-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA512", "-iter", "3000"),
    "pbkdf2-sha1": ("-v2", "des3", "-v2prf", "hmacWithSHA1"),
    "scrypt": ("-scrypt", "-scrypt_N", "1024", "-scrypt_r", "8", "-scrypt_p", "1"),
    "pkcs12": ("-v1", "PBE-SHA1-3DES"),
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_encrypted_keys_both_ways(ours, default, scheme, tmp_path):
    plain, sealed = tmp_path / "plain.pem", tmp_path / "sealed.pem"
    default.out("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256",
                "-out", plain)
    for writer, reader in ((ours, default), (default, ours)):
        writer.out("pkcs8", "-topk8", "-in", plain, "-out", sealed, "-passout", "pass:secret",
                   *SCHEMES[scheme])
        assert b"ENCRYPTED" in sealed.read_bytes()
        assert reader.out("pkey", "-in", sealed, "-passin", "pass:secret") == plain.read_bytes()
        done = reader.run("pkey", "-in", sealed, "-passin", "pass:wrong")
        assert done.returncode == 1


def test_encrypted_files_both_ways(ours, default):
    words = ("enc", "-aes-256-ctr", "-pbkdf2", "-iter", "2000", "-pass", "pass:secret")
    for writer, reader in ((ours, default), (default, ours)):
        sealed = writer.out(*words, "-salt", input=b"message")
        assert reader.out(*words, "-d", input=sealed) == b"message"
