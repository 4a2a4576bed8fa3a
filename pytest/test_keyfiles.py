# SPDX-License-Identifier: GPL-3.0-or-later
"""pkcs8, pkcs12, enc and dgst with wolfnano alone: what one side wraps, seals or
signs, the other opens or verifies."""
import pytest

from pki import CLASSICAL, first_version

pytestmark = pytest.mark.one_build

KINDS = (*CLASSICAL, "mldsa65", "mlkem768")
PASS_IN, PASS_OUT = ("-passin", "pass:secret"), ("-passout", "pass:secret")
PKCS8 = {
    "default": (),
    "aes128-sha1": ("-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA1", "-iter", "5000"),
    "aes192-sha512": ("-v2", "aes-192-cbc", "-v2prf", "hmacWithSHA512"),
    "aes256-sha384": ("-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA384"),
    "aes256-sha512-256": ("-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA512-256"),
    "des3": ("-v2", "des3"),
    "aes256-cfb": ("-v2", "aes-256-cfb"),
    "scrypt": ("-scrypt", "-scrypt_N", "1024", "-scrypt_r", "8", "-scrypt_p", "2"),
    "pkcs12": ("-v1", "PBE-SHA1-3DES"),
}
PBMAC1 = ("-pbmac1_pbkdf2", "-pbmac1_pbkdf2_md", "sha512", "-macalg", "sha256")
PKCS12 = {
    "default": ((), "3.0"),
    "3des-sha1": (("-keypbe", "PBE-SHA1-3DES", "-certpbe", "PBE-SHA1-3DES", "-macalg", "sha1"),
                  "3.0"),
    "aes128-sha512": (("-keypbe", "AES-128-CBC", "-certpbe", "AES-128-CBC", "-macalg", "sha512",
                       "-iter", "3000"), "3.0"),
    "plain-sha384": (("-keypbe", "NONE", "-certpbe", "NONE", "-macalg", "sha384"), "3.0"),
    "pbmac1": (PBMAC1, "3.4"),
    "nomac": (("-nomac",), "3.0"),
}
CIPHERS = ("aes-128-cbc", "aes-256-cbc", "aes-192-ctr", "aes-256-cfb8", "aes-128-ofb", "des3",
           "chacha20")
DATA = bytes(range(256)) * 77 + b"rest"


def ways(only, default):
    return (only, default), (default, only)


@pytest.fixture
def plain(default, pki):
    """The unencrypted PKCS #8 form that both sides write."""
    def get(kind):
        return default.out("pkcs8", "-topk8", "-nocrypt", "-in", pki.key(kind))
    return get


def skip_unless_known(setup, kind):
    if first_version(kind) > setup.version:
        pytest.skip(f"OpenSSL {setup.version} has no such keys; see test_pq_files.py")


@pytest.mark.parametrize("name", PKCS8)
def test_pkcs8(only, default, pki, plain, name, tmp_path):
    made, expected = tmp_path / "made", plain("p256")
    for maker, reader in ways(only, default):
        for form in ("PEM", "DER"):
            maker.out("pkcs8", "-topk8", *PKCS8[name], "-in", pki.key("p256"), *PASS_OUT,
                      "-outform", form, "-out", made)
            assert reader.out("pkcs8", "-inform", form, "-in", made, *PASS_IN) == expected
            assert reader.out("pkey", "-in", made, *PASS_IN) == expected
    for reader in (only, default):
        done = reader.run("pkcs8", "-inform", "DER", "-in", made, "-passin", "pass:wrong")
        assert done.returncode == 1 and b"PRIVATE" not in done.stdout


@pytest.mark.parametrize("kind", KINDS)
def test_keys_in_pkcs8(only, default, pki, plain, kind, tmp_path):
    skip_unless_known(only, kind)
    made, expected = tmp_path / "made", plain(kind)
    for maker, reader in ways(only, default):
        maker.out("genpkey", "-aes-256-cbc", "-pass", "pass:secret", "-algorithm", "X25519",
                  "-out", made)
        assert b"BEGIN PRIVATE KEY" in reader.out("pkey", "-in", made, *PASS_IN)
        maker.out("pkey", "-aes-128-cbc", "-in", pki.key(kind), *PASS_OUT, "-out", made)
        assert reader.out("pkey", "-in", made, *PASS_IN) == expected
        assert maker.out("pkey", "-in", pki.key(kind), "-text", "-noout") == \
            reader.out("pkey", "-in", pki.key(kind), "-text", "-noout")
        if kind in ("rsa", "p256"):     # the old forms, encrypted with a digest of MD5
            maker.out("pkey", "-traditional", "-aes-128-cbc", "-in", pki.key(kind), *PASS_OUT,
                      "-out", made)
            assert b"Proc-Type: 4,ENCRYPTED" in made.read_bytes()
            assert reader.out("pkey", "-in", made, *PASS_IN) == expected


@pytest.mark.parametrize("name", PKCS12)
def test_pkcs12(only, default, pki, plain, name, tmp_path):
    options, first = PKCS12[name]
    if not only.at_least(first):
        pytest.skip(f"pkcs12 of OpenSSL {only.version} has no PBMAC1")
    made = tmp_path / "made"
    opening = ("pkcs12", "-in", made, "-nodes", "-passin")
    for maker, reader in ways(only, default):
        maker.out("pkcs12", "-export", "-in", pki.cert("p384"), "-inkey", pki.key("p384"),
                  "-certfile", pki.cert("rsa"), "-name", "wolfnano", *options, *PASS_OUT,
                  "-out", made)
        got = reader.out(*opening, "pass:secret")
        for part in (plain("p384"), pki.cert("p384").read_bytes(), pki.cert("rsa").read_bytes()):
            assert part in got
        if name != "nomac":
            reader.fails(*opening, "pass:wrong", reason="invalid password")
            octets = bytearray(made.read_bytes())
            octets[200] ^= 1
            made.write_bytes(octets)
            assert reader.run(*opening, "pass:secret").returncode == 1


@pytest.mark.parametrize("kind", KINDS)
def test_keys_in_pkcs12(only, default, pki, plain, kind, tmp_path):
    skip_unless_known(only, kind)
    made = tmp_path / "made"
    for maker, reader in ways(only, default):
        maker.out("pkcs12", "-export", "-in", pki.cert(kind), "-inkey", pki.key(kind), *PASS_OUT,
                  "-out", made)
        got = reader.out("pkcs12", "-in", made, "-nodes", *PASS_IN)
        assert plain(kind) in got and pki.cert(kind).read_bytes() in got


@pytest.mark.parametrize("cipher", CIPHERS)
def test_enc(only, default, cipher, tmp_path):
    """Keys from PBKDF2 with some digests, and from EVP_BytesToKey."""
    made = tmp_path / "made"
    for maker, reader in ways(only, default):
        for options in (("-pbkdf2",), ("-pbkdf2", "-iter", "2000", "-md", "sha512"),
                        ("-md", "sha256"), ("-md", "md5", "-nosalt", "-a")):
            maker.out("enc", f"-{cipher}", *options, "-pass", "pass:secret", "-out", made,
                      input=DATA)
            assert reader.out("enc", "-d", f"-{cipher}", *options, "-pass", "pass:secret",
                              "-in", made) == DATA


SIGNATURES = {
    "rsa-sha256": ("rsa", ("-sha256",)),
    "rsa-sha1": ("rsa", ("-sha1",)),
    "rsa-sha512-256": ("rsa", ("-sha512-256",)),
    "rsa-pss": ("rsa", ("-sha384", "-sigopt", "rsa_padding_mode:pss", "-sigopt",
                        "rsa_pss_saltlen:-1")),
    "rsa-x931": ("rsa", ("-sha256", "-sigopt", "rsa_padding_mode:x931")),
    "pss-key": ("rsa-pss", ("-sha256",)),
    "p256-sha256": ("p256", ("-sha256",)),
    "p384-sha3": ("p384", ("-sha3-384",)),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_dgst_signatures(only, default, pki, name, tmp_path):
    kind, options = SIGNATURES[name]
    data, made, public = tmp_path / "data", tmp_path / "made", tmp_path / "public"
    data.write_bytes(DATA)
    for maker, reader in ways(only, default):
        maker.out("pkey", "-in", pki.key(kind), "-pubout", "-out", public)
        maker.out("dgst", *options, "-sign", pki.key(kind), "-out", made, data)
        assert reader.out("dgst", *options, "-verify", public, "-signature", made,
                          data) == b"Verified OK\n"
        data.write_bytes(DATA + b"x")
        done = reader.run("dgst", *options, "-verify", public, "-signature", made, data)
        assert done.returncode == 1 and b"failure" in (done.stdout + done.stderr).lower()
        data.write_bytes(DATA)


def test_dgst_macs(only, default, tmp_path):
    data = tmp_path / "data"
    data.write_bytes(DATA)
    for options in (("-sha256", "-hmac", "key"), ("-sha3-512", "-hmac", "key" * 50),
                    ("-sha1", "-mac", "HMAC", "-macopt", "hexkey:0102"),
                    ("-mac", "CMAC", "-macopt", "cipher:aes-128-cbc", "-macopt",
                     "hexkey:000102030405060708090a0b0c0d0e0f"),
                    ("-shake256", "-xoflen", "77"), ("-blake2b512",), ("-ripemd160",)):
        assert only.out("dgst", *options, data) == default.out("dgst", *options, data)
