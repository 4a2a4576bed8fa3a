# SPDX-License-Identifier: GPL-3.0-or-later
"""cms and smime with wolfnano alone: what it signs or seals, the default provider
verifies or opens, and the other way round; what is changed, both refuse."""
import re

import pytest

from pki import first_version

pytestmark = pytest.mark.one_build

MESSAGE = b"The quick brown fox\r\njumps over the lazy dog\r\n" * 40
TEXT = ("-binary", "-outform", "DER")
# name: (kind of key, options of cms -sign)
SIGNERS = {
    "rsa": ("rsa", ()),
    "rsa-sha512-noattr": ("rsa", ("-md", "sha512", "-noattr")),
    "rsa-pkcs1-pss": ("rsa", ("-keyopt", "rsa_padding_mode:pss")),
    "rsa-pss-mgf1": ("rsa", ("-md", "sha384", "-keyopt", "rsa_padding_mode:pss",
                             "-keyopt", "rsa_mgf1_md:sha256", "-keyopt", "rsa_pss_saltlen:20")),
    "rsa-pss": ("rsa-pss", ("-keyopt", "rsa_padding_mode:pss")),
    "p256": ("p256", ()),
    "p384-sha3": ("p384", ("-md", "sha3-384")),
    "p256-cades": ("p256", ("-cades", "-md", "sha512")),
    "ed25519": ("ed25519", ("-md", "sha512")),
    "ed448": ("ed448", ("-md", "sha512")),
    "mldsa65": ("mldsa65", ("-md", "sha512")),
    "mldsa87": ("mldsa87", ("-md", "sha256")),
    "slhdsa": ("slhdsa", ("-md", "sha256")),
}


def limit(setup, name):
    """Why this OpenSSL's cms, whichever provider it has, cannot sign so; or ""."""
    hashless = not name.startswith(("rsa", "p"))
    if hashless and not setup.at_least("3.2"):
        return "error:"         # it gives every signature a digest
    if first_version(name) == "3.5" and not setup.at_least("3.5"):
        return "error:"
    if name == "p384-sha3" and not setup.at_least("3.2"):
        return "unsupported signature algorithm"
    if name == "ed448" and setup.at_least("4.0"):
        return "Error adding SignerInfo"    # it wants SHAKE256 of 64 bytes there, and asks for 32
    return ""


# name: (kind of key, options after -recip, options of cms -encrypt, first version)
RECIPIENTS = {
    "rsa": ("rsa", (), ("-aes-128-cbc",), "3.0"),
    "rsa-des3": ("rsa", (), ("-des3",), "3.0"),
    "rsa-oaep": ("rsa", ("-keyopt", "rsa_padding_mode:oaep"), ("-aes-256-cbc",), "3.0"),
    "rsa-oaep-label": ("rsa", ("-keyopt", "rsa_padding_mode:oaep", "-keyopt",
                               "rsa_oaep_md:sha256", "-keyopt", "rsa_oaep_label:0102"),
                       ("-aes-192-cbc",), "3.0"),
    "rsa-gcm": ("rsa", (), ("-aes-256-gcm",), "3.0"),
    "p256": ("p256", (), ("-aes-256-cbc",), "3.0"),
    "p384-sha384": ("p384", ("-keyopt", "ecdh_kdf_md:sha384"), ("-aes-128-gcm",), "3.0"),
    "p256-cofactor": ("p256", ("-keyopt", "ecdh_cofactor_mode:1"),
                      ("-aes-128-cbc", "-aes256-wrap"), "3.0"),
    "p256-des3": ("p256", (), ("-des3",), "3.0"),
    "dhx": ("dhx", (), ("-aes-128-cbc",), "3.0"),
    "dhx-des3": ("dhx", (), ("-des3", "-des3-wrap"), "3.0"),
    "mlkem512": ("mlkem512", (), ("-aes-128-gcm",), "3.6"),
    "mlkem768": ("mlkem768", ("-recip_kdf", "HKDF-SHA384", "-recip_ukm", "0102030405"),
                 ("-aes-256-cbc", "-kekcipher", "AES-192-WRAP"), "3.6"),
}
KEY = "000102030405060708090a0b0c0d0e0f"


@pytest.fixture
def message(tmp_path):
    path = tmp_path / "message"
    path.write_bytes(MESSAGE)
    return path


def ways(only, default):
    return (only, default), (default, only)


def changed(path, at=-5):
    """The file with one bit of it different."""
    octets = bytearray(path.read_bytes())
    octets[at] ^= 1
    bad = path.with_suffix(".bad")
    bad.write_bytes(octets)
    return bad


def test_alone(only):
    """No other provider has any of what follows."""
    assert re.findall(r"^  (\w+)$", only.text("list", "-providers"), re.M) == ["base", "wolfnano"]


@pytest.mark.parametrize("name", SIGNERS)
def test_signatures(only, default, pki, name, message, tmp_path):
    kind, options = SIGNERS[name]
    key, cert, signed = pki.key(kind), pki.cert(kind), tmp_path / "signed"
    sign = ("cms", "-sign", "-in", message, "-signer", cert, "-inkey", key, *options, *TEXT,
            "-out", signed)
    check = ("cms", "-verify", "-binary", "-inform", "DER", "-CAfile", cert, "-purpose", "any",
             "-in")
    if limit(only, name):
        for signer in (only, default):
            signer.fails(*sign, reason=limit(only, name))
        return
    for signer, verifier in ways(only, default):
        signer.out(*sign, "-nodetach")
        assert verifier.out(*check, signed) == MESSAGE
        signer.out(*sign)
        verifier.out(*check, signed, "-content", message)
    for verifier in (only, default):
        verifier.fails(*check, changed(signed), "-content", message, reason="erification failure")
        verifier.fails(*check, signed, "-content", cert, reason="erification failure")


def test_several_signers(only, default, pki, message, tmp_path):
    """One after the other, by each of the two; all of them are verified."""
    signed, more = tmp_path / "signed", tmp_path / "more"
    for first, second in ways(only, default):
        first.out("cms", "-sign", "-in", message, "-nodetach", *TEXT, "-out", signed,
                  "-signer", pki.cert("rsa"), "-inkey", pki.key("rsa"),
                  "-signer", pki.cert("p256"), "-inkey", pki.key("p256"))
        second.out("cms", "-resign", "-in", signed, "-inform", "DER", *TEXT, "-out", more,
                   "-signer", pki.cert("p384"), "-inkey", pki.key("p384"))
        trusted = tmp_path / "trusted"
        trusted.write_bytes(b"".join(pki.cert(kind).read_bytes()
                                     for kind in ("rsa", "p256", "p384")))
        for verifier in (only, default):
            assert verifier.out("cms", "-verify", "-in", more, "-inform", "DER", "-binary",
                                "-CAfile", trusted, "-purpose", "any") == MESSAGE
            text = verifier.text("cms", "-cmsout", "-print", "-noout", "-in", more,
                                 "-inform", "DER")
            assert text.count("signatureAlgorithm:") >= 3


@pytest.mark.parametrize("name", RECIPIENTS)
def test_recipients(only, default, pki, name, message, tmp_path):
    kind, recipient, options, first = RECIPIENTS[name]
    if not only.at_least(first):
        pytest.skip(f"cms of OpenSSL {only.version} knows no KEM recipients")
    key, cert, sealed = pki.key(kind), pki.cert(kind), tmp_path / "sealed"
    opening = ("cms", "-decrypt", "-inform", "DER", "-binary", "-inkey", key, "-recip", cert)
    for sealer, opener in ways(only, default):
        sealer.out("cms", "-encrypt", "-in", message, *TEXT, *options, "-recip", cert,
                   *recipient, "-out", sealed)
        assert opener.out(*opening, "-in", sealed) == MESSAGE
    refused = [opener.run(*opening, "-in", changed(sealed, -len(MESSAGE) // 2)) for opener in (only, default)]
    assert refused[0].returncode == refused[1].returncode
    assert refused[0].stdout == refused[1].stdout != MESSAGE


def test_recipients_of_all_kinds(only, default, pki, message, tmp_path):
    """One message for a certificate, a secret key and a password, opened by each."""
    sealed = tmp_path / "sealed"
    means = (("-recip", pki.cert("p256"), "-inkey", pki.key("p256")),
             ("-secretkey", KEY, "-secretkeyid", "c0ffee"), ("-pwri_password", "secret"))
    wrong = (("-recip", pki.cert("p384"), "-inkey", pki.key("p384")),
             ("-secretkey", KEY[::-1], "-secretkeyid", "c0ffee"), ("-pwri_password", "secrets"))
    # a password's key is wrapped by the content's cipher, which has to be CBC for that
    for cipher, n in (("-aes-256-cbc", 3), ("-des3", 3), ("-aes-128-gcm", 2)):
        for sealer, opener in ways(only, default):
            to = [word for mean in means[1:n] for word in mean]
            sealer.out("cms", "-encrypt", "-in", message, *TEXT, cipher, *to,
                       "-recip", pki.cert("p256"), "-out", sealed)
            for mean in means[:n]:
                assert opener.out("cms", "-decrypt", "-in", sealed, "-inform", "DER",
                                  *mean) == MESSAGE
        for mean in wrong[:n]:
            for opener in (only, default):
                done = opener.run("cms", "-decrypt", "-in", sealed, "-inform", "DER", *mean)
                assert 0 < done.returncode < 126 and b"quick" not in done.stdout


def test_encrypted_data(only, default, message, tmp_path):
    sealed = tmp_path / "sealed"
    for sealer, opener in ways(only, default):
        sealer.out("cms", "-EncryptedData_encrypt", "-in", message, *TEXT, "-aes-128-cbc",
                   "-secretkey", KEY, "-out", sealed)
        assert opener.out("cms", "-EncryptedData_decrypt", "-in", sealed, "-inform", "DER",
                          "-secretkey", KEY) == MESSAGE


@pytest.mark.parametrize("digest", ["sha256", "sha3-512", "sha1"])
def test_digested_data(only, default, digest, message, tmp_path):
    made = tmp_path / "made"
    for maker, reader in ways(only, default):
        maker.out("cms", "-digest_create", "-in", message, *TEXT, "-md", digest, "-out", made)
        assert reader.out("cms", "-digest_verify", "-in", made, "-inform", "DER") == MESSAGE
    for reader in (only, default):
        reader.fails("cms", "-digest_verify", "-in", changed(made), "-inform", "DER",
                     reason="verification failure")


@pytest.mark.parametrize("kind", ["rsa", "p256"])
def test_smime(only, default, pki, kind, message, tmp_path):
    """PKCS #7, in MIME: signed and, with RSA, which alone it knows for that, sealed."""
    key, cert, made = pki.key(kind), pki.cert(kind), tmp_path / "made"
    for maker, reader in ways(only, default):
        for options in ((), ("-nodetach",), ("-noattr", "-md", "sha384")):
            maker.out("smime", "-sign", "-in", message, "-signer", cert, "-inkey", key,
                      *options, "-out", made)
            assert reader.out("smime", "-verify", "-in", made, "-CAfile", cert) == MESSAGE
        made.write_bytes(made.read_bytes().replace(b"quick", b"quiet"))
        if kind == "rsa":
            for cipher in ("-aes-256-cbc", "-des3"):
                maker.out("smime", "-encrypt", "-in", message, "-binary", cipher, "-out", made,
                          cert)
                assert reader.out("smime", "-decrypt", "-in", made, "-recip", cert, "-inkey",
                                  key) == MESSAGE


BLOCKED = {"rsa": "RSA", "p256": "ECDSA", "ed25519": "ED25519", "mldsa65": "ML-DSA-65"}


@pytest.mark.parametrize("kind", BLOCKED)
def test_wolfnano_does_the_work(only, pki, kind, message):
    """With its signatures made to fail, nothing is signed."""
    if limit(only, kind):
        pytest.skip("not with this OpenSSL's cms, see test_signatures")
    arguments = ("cms", "-sign", "-in", message, "-signer", pki.cert(kind), "-inkey",
                 pki.key(kind), *SIGNERS[kind][1], *TEXT)
    assert only.out(*arguments)
    done = only.with_options(block=BLOCKED[kind]).run(*arguments)
    assert 0 < done.returncode < 126 and done.stdout == b""
