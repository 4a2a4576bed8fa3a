# SPDX-License-Identifier: GPL-3.0-or-later
"""req, x509, ca, crl, verify, ocsp, ts and spkac with wolfnano alone: what one side
issues, the other verifies. Where a version's default provider lacks a kind of key,
the other side is the default provider of OpenSSL 3.5."""
import re

import pytest

from conftest import Setup
from openssl_names import installations
from pki import KEYS, first_version

pytestmark = pytest.mark.one_build

# kind of key: what `req -new`, `req -x509` and `x509 -req` get, each time another
OPTIONS = {
    "rsa": (("-sha256",), ("-sha3-384",), ("-sigopt", "rsa_padding_mode:pss", "-sha512")),
    "rsa-pss": ((), ("-sha384",), ("-sha512", "-sigopt", "rsa_pss_saltlen:32")),
    "p256": ((), ("-sha512",), ("-sha1",)),
    "p384": ((), ("-sha384",), ("-sha224",)),
    "ed25519": ((), (), ()),
    "ed448": ((), (), ()),
    "mldsa44": ((), (), ()),
    "mldsa65": ((), (), ()),
    "slhdsa": ((), (), ()),
}
WITH_CA = ("rsa", "rsa-pss", "p384", "ed25519", "mldsa65")
WITH_OCSP = ("rsa", "p256", "ed448", "mldsa65")
CONFIG = """\
[req]
distinguished_name = name
[name]
[ca_certificate]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign,digitalSignature
subjectKeyIdentifier = hash
[leaf]
basicConstraints = CA:FALSE
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = DNS:leaf.example.org
[tsa]
extendedKeyUsage = critical,timeStamping
[ca]
default_ca = ours
[ours]
database = {folder}/index.txt
new_certs_dir = {folder}
serial = {folder}/serial
crlnumber = {folder}/crlnumber
default_md = default
default_days = 9
default_crl_days = 9
policy = any
x509_extensions = leaf
[any]
commonName = supplied
[time]
default_tsa = our_tsa
[our_tsa]
serial = {folder}/tsa_serial
default_policy = 1.2.3.4
digests = sha256, sha512, sha3-256
signer_digest = sha384
ess_cert_id_alg = sha256
"""


class Place:
    """A folder with the configuration of a certification authority."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        (folder / "conf").write_text(CONFIG.format(folder=folder))
        for name, text in (("index.txt", ""), ("index.txt.attr", "unique_subject = no\n"),
                           ("serial", "1000\n"), ("crlnumber", "01\n"), ("tsa_serial", "01\n")):
            (folder / name).write_text(text)

    def __truediv__(self, name):
        return self.folder / name

    def authority(self, maker, kind, key, *options):
        """`maker` makes the CA's self-signed certificate."""
        self.kind, self.key = kind, key
        maker.out("req", "-x509", "-config", self / "conf", "-extensions", "ca_certificate",
                  "-key", key, "-subj", f"/CN=CA {kind}", "-days", "9", *options,
                  "-out", self / "ca.pem")
        return self / "ca.pem"

    def request(self, maker, kind, key, *options):
        maker.out("req", "-new", "-config", self / "conf", "-key", key, "-subj",
                  f"/CN=leaf {kind}", *options, "-out", self / f"{kind}.csr")
        return self / f"{kind}.csr"

    def ca(self, maker, *arguments):
        return maker.text("ca", "-config", self / "conf", "-cert", self / "ca.pem", "-keyfile",
                          self.key, "-batch", "-notext", *arguments)


def ways(only, default, kind):
    """(maker, reader), twice; a reader that knows such keys."""
    other = default
    if first_version(kind) > default.version:
        if "3.5" not in installations():
            pytest.skip("OpenSSL 3.5 is not installed (see scripts/sysroot)")
        other = Setup("3.5", installations()["3.5"], "default", None, default.folder)
    return (only, other), (other, only)


def old(setup, kind):
    """wolfnano brings the kind of key to a version that does not know it."""
    return first_version(kind) > setup.version


@pytest.mark.parametrize("kind", OPTIONS)
def test_certificates(only, default, pki, kind, tmp_path):
    """Request, self-signed certificate, certificate from a request, all fields as text."""
    first, second, third = OPTIONS[kind]
    for i, (maker, reader) in enumerate(ways(only, default, kind)):
        place = Place(tmp_path / str(i))
        root = place.authority(maker, kind, pki.key(kind), *first)
        for way, options in enumerate((second, third)):
            csr = place.request(maker, kind, pki.key(kind), *options)
            done = reader.run("req", "-in", csr, "-verify", "-noout")
            assert b"verify OK" in done.stdout + done.stderr
            leaf = place / f"leaf{way}.pem"
            maker.out("x509", "-req", "-in", csr, "-CA", root, "-CAkey", pki.key(kind),
                      "-CAcreateserial", "-days", "8", "-extfile", place / "conf",
                      "-extensions", "leaf", *options, "-out", leaf)
            assert reader.text("verify", "-auth_level", "0", "-CAfile", root,
                               "-verify_hostname", "leaf.example.org", leaf).endswith(": OK\n")
            assert reader.out("x509", "-in", leaf, "-noout", "-pubkey") == \
                maker.out("x509", "-in", leaf, "-noout", "-pubkey")
        bad = place / "bad.pem"
        bad.write_text(changed_signature(leaf.read_text()))
        for verifier in (maker, reader):
            verifier.fails("verify", "-auth_level", "0", "-CAfile", root, bad,
                           reason="certificate signature failure")
    if not old(only, kind):
        assert only.out("x509", "-in", leaf, "-noout", "-text") == \
            default.out("x509", "-in", leaf, "-noout", "-text")


def changed_signature(pem):
    """A certificate's last bytes are its signature; base64 of them is changed."""
    lines = pem.strip().split("\n")
    at = len(lines) - 3         # the last line may be padding only
    letter = "B" if lines[at][20] == "A" else "A"
    lines[at] = lines[at][:20] + letter + lines[at][21:]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("kind", WITH_CA)
def test_certification_authority(only, default, pki, kind, tmp_path):
    """Issue, revoke, list; the other side checks the list and, by it, certificates."""
    for i, (maker, reader) in enumerate(ways(only, default, kind)):
        place = Place(tmp_path / str(i))
        root = place.authority(maker, kind, pki.key(kind))
        for name in ("p256", kind):
            place.ca(maker, "-in", place.request(reader, name, pki.key(name)),
                     "-out", place / f"{name}.pem")
        place.ca(maker, "-revoke", place / "p256.pem", "-crl_reason", "keyCompromise")
        place.ca(maker, "-gencrl", "-out", place / "crl.pem")
        text = reader.run("crl", "-in", place / "crl.pem", "-CAfile", root, "-noout", "-text")
        assert b"verify OK" in text.stderr and b"Key Compromise" in text.stdout
        checks = ("verify", "-crl_check", "-CAfile", root, "-CRLfile", place / "crl.pem")
        reader.fails(*checks, place / "p256.pem", reason="certificate revoked")
        reader.out(*checks, place / f"{kind}.pem")
        assert re.search(r"^R\t.*\t1000\t.*leaf p256$", (place / "index.txt").read_text(), re.M)


@pytest.mark.parametrize("kind", WITH_OCSP)
def test_ocsp(only, default, pki, kind, tmp_path):
    """A request by one, answered by the other from the index, verified by the first."""
    for i, (maker, reader) in enumerate(ways(only, default, kind)):
        place = Place(tmp_path / str(i))
        root = place.authority(maker, kind, pki.key(kind))
        for name in ("p384", "rsa"):
            place.ca(maker, "-in", place.request(maker, name, pki.key(name)),
                     "-out", place / f"{name}.pem")
        place.ca(maker, "-revoke", place / "rsa.pem")
        request, response = place / "request", place / "response"
        certs = ("-issuer", root, "-cert", place / "p384.pem", "-cert", place / "rsa.pem")
        reader.out("ocsp", *certs, "-reqout", request)
        maker.out("ocsp", "-index", place / "index.txt", "-CA", root, "-rsigner", root,
                  "-rkey", pki.key(kind), "-reqin", request, "-respout", response, "-ndays", "1")
        done = reader.run("ocsp", *certs, "-respin", response, "-CAfile", root, "-no_nonce")
        assert done.returncode == 0 and b"Response verify OK" in done.stderr, done.stderr
        assert re.search(rb"p384.pem: good.*rsa.pem: revoked", done.stdout, re.S)
        octets = bytearray(response.read_bytes())
        octets[octets.index(b"2026" if b"2026" in octets else b"20")] ^= 1
        response.write_bytes(octets)
        done = reader.run("ocsp", *certs, "-respin", response, "-CAfile", root, "-no_nonce")
        assert b"verify OK" not in done.stderr


@pytest.mark.parametrize("kind", ["rsa", "p256"])
def test_timestamps(only, default, pki, kind, tmp_path):
    data = tmp_path / "data"
    data.write_bytes(b"wolfnano" * 1000)
    for i, (maker, reader) in enumerate(ways(only, default, kind)):
        place = Place(tmp_path / str(i))
        root = place.authority(maker, kind, pki.key(kind))
        maker.out("x509", "-req", "-in", place.request(maker, kind, pki.key(kind)), "-CA", root,
                  "-CAkey", pki.key(kind), "-extfile", place / "conf", "-extensions", "tsa",
                  "-out", place / "tsa.pem")
        query, reply = place / "query", place / "reply"
        for digest in ("sha256", "sha3-256"):
            reader.out("ts", "-query", "-data", data, f"-{digest}", "-cert", "-out", query)
            maker.out("ts", "-reply", "-config", place / "conf", "-section", "our_tsa",
                      "-queryfile", query, "-signer", place / "tsa.pem", "-inkey",
                      pki.key(kind), "-out", reply)
            for way in (("-queryfile", query), ("-data", data)):
                assert reader.out("ts", "-verify", *way, "-in", reply,
                                  "-CAfile", root) == b"Verification: OK\n"
            done = reader.run("ts", "-verify", "-data", query, "-in", reply, "-CAfile", root)
            assert done.returncode == 1 and b"message imprint mismatch" in done.stderr


@pytest.mark.parametrize("kind", ["rsa", "p256"])
def test_spkac(only, default, pki, kind, tmp_path):
    made = tmp_path / "spkac"
    for maker, reader in ways(only, default, kind):
        maker.out("spkac", "-key", pki.key(kind), "-digest", "sha256", "-challenge", "abc",
                  "-out", made)
        done = reader.run("spkac", "-in", made, "-verify", "-noout")
        assert done.returncode == 0 and b"Signature OK" in done.stderr, done.stderr
        other = made.read_text().strip()
        made.write_text(other[:-30] + ("B" if other[-30] == "A" else "A") + other[-29:] + "\n")
        assert reader.run("spkac", "-in", made, "-verify", "-noout").returncode == 1


@pytest.mark.parametrize("kind", ["rsa", "p384", "mldsa65"])
def test_key_and_certificate_belong_together(only, default, pki, kind, tmp_path):
    """x509 -CA compares the certificate's key, of one provider, with the private one."""
    place = Place(tmp_path / "place")
    maker, reader = ways(only, default, kind)[0]
    root = place.authority(reader, kind, pki.key(kind))
    csr = place.request(maker, kind, pki.key(kind))
    other = "p256" if kind == "rsa" else "rsa"
    for wrong in (pki.key(other), tmp_path / "same kind"):
        if wrong.name == "same kind":
            reader.out("genpkey", *KEYS[kind], "-out", wrong)
        for setup in (maker, reader):
            done = setup.run("x509", "-req", "-in", csr, "-CA", root, "-CAkey", wrong,
                             "-extfile", place / "conf", "-extensions", "leaf")
            assert done.returncode == 1 and b"CERTIFICATE" not in done.stdout
            assert b"do not match" in done.stderr or b"mismatch" in done.stderr, done.stderr
