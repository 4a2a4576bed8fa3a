# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of ML-KEM, ML-DSA and SLH-DSA keys on OpenSSL 3.0, which has no such thing of its
own: what wolfnano writes there is byte for byte what the default provider of 3.5
writes, and each side reads the other's."""
import base64

import pytest

from conftest import Setup, module_of
from openssl_names import ROOT, installations

KEMS = ("ML-KEM-512", "ML-KEM-768", "ML-KEM-1024")
SIGNERS = ("ML-DSA-44", "ML-DSA-65", "ML-DSA-87")
HASH_SIGNERS = ("SLH-DSA-SHA2-128f", "SLH-DSA-SHAKE-256f")
FORMS = ("seed-priv", "priv-only", "oqskeypair", "seed-only", "bare-priv", "bare-seed")
MESSAGE = b"The quick brown fox jumps over the lazy dog"
PASS = ("-passin", "pass:secret")


ONLY_TOO = ("test_same_files", "test_certificates", "test_other_keys_are_read_as_before")
NONE_TOO = ("test_certificates", "test_made_here_read_there")


def pytest_generate_tests(metafunc):
    if "how" in metafunc.fixturenames:
        both = metafunc.function.__name__ in ONLY_TOO
        metafunc.parametrize("how", ["prefer", "only"] if both else ["prefer"], scope="session")


@pytest.fixture(autouse=True)
def enough_combinations(request, how, build):
    """Portable C differs below what a file shows."""
    name = request.node.originalname
    if build != "release" and (how == "only" or name not in NONE_TOO):
        pytest.skip("files do not depend on the build")


@pytest.fixture(scope="session")
def old(how, build, conf_folder):
    """wolfnano on OpenSSL 3.0."""
    if "3.0" not in installations() or not module_of(build).exists():
        pytest.skip(f"OpenSSL 3.0 is not installed, or {build} not built")
    return Setup("3.0", installations()["3.0"], how, build, conf_folder)


class New(Setup):
    """The default provider of 3.5, with options in its section."""

    def conf_text(self):
        return super().conf_text() + "".join(f"{k} = {v}\n" for k, v in self.options.items())


@pytest.fixture(scope="session")
def new(conf_folder):
    if "3.5" not in installations():
        pytest.skip("OpenSSL 3.5 is not installed (see scripts/sysroot)")
    return New("3.5", installations()["3.5"], "default", None, conf_folder)


@pytest.fixture(scope="session")
def key(new, conf_folder):
    """A private key of 3.5 in a file, one for each type."""
    made = {}

    def get(name):
        if name not in made:
            made[name] = conf_folder / f"{name}.pem"
            new.out("genpkey", "-algorithm", name, "-out", made[name])
        return made[name]
    return get


def same(first, second, *arguments, **options):
    """The output of both, which is the same."""
    got = first.out(*arguments, **options)
    assert got and got == second.out(*arguments, **options)
    return got


@pytest.mark.parametrize("name", KEMS + SIGNERS + HASH_SIGNERS)
def test_same_files(old, new, key, name, tmp_path):
    public = tmp_path / "public"
    text = same(old, new, "pkey", "-in", key(name), "-text")
    assert text.startswith(key(name).read_bytes() + f"{name} Private-Key:\n".encode()
                           + (b"priv:\n" if name in HASH_SIGNERS else b"seed:\n"))
    same(old, new, "pkey", "-in", key(name), "-outform", "DER")
    public.write_bytes(same(old, new, "pkey", "-in", key(name), "-pubout", "-outform", "DER"))
    text = same(old, new, "pkey", "-pubin", "-in", public, "-text")
    assert text.startswith(b"-----BEGIN PUBLIC KEY-----\n")
    assert f"\n{name} Public-Key:\n".encode() in text


@pytest.mark.parametrize("name", KEMS + SIGNERS + HASH_SIGNERS)
def test_made_here_read_there(old, new, name, tmp_path):
    file = tmp_path / "key"
    for form in ("PEM", "DER"):
        old.out("genpkey", "-algorithm", name, "-outform", form, "-out", file)
        assert same(old, new, "pkey", "-in", file, "-outform", form) == file.read_bytes()


@pytest.mark.parametrize("name", ["ML-KEM-768", "ML-DSA-65"])
@pytest.mark.parametrize("form", FORMS)
def test_forms(old, new, key, name, form, tmp_path):
    """Each form, with the same option on both sides."""
    option, file = name[:6].lower(), tmp_path / "key"
    ours = old.with_options(**{f"{option}.output_formats": form})
    theirs = New(new.version, new.where, new.config, None, new.folder,
                 **{f"{option}.output_formats": form})
    file.write_bytes(same(ours, theirs, "pkey", "-in", key(name), "-outform", "DER"))
    same(old, new, "pkey", "-in", file, "-text", "-noout")
    if form == "bare-seed":
        refuses = old.with_options(**{f"{option}.input_formats": "seed-priv seed-only"})
        refuses.fails("pkey", "-in", file, reason="Could not read key")


def option_pairs(old, new, **options):
    """Both sides with the same options."""
    return (old.with_options(**options),
            New(new.version, new.where, new.config, None, new.folder, **options))


def text_of(setup, file):
    return setup.run("pkey", "-in", file, "-text", "-noout")


@pytest.mark.parametrize("name", ["ML-KEM-512", "ML-DSA-44"])
@pytest.mark.parametrize("value", ["no", "0", "Off", "1", "nonsense"])
def test_retain_seed(old, new, key, name, value, tmp_path):
    """What is read from a file with a seed is written without it."""
    ours, theirs = option_pairs(old, new, **{f"{name[:6].lower()}.retain_seed": value})
    written = same(ours, theirs, "pkey", "-in", key(name), "-outform", "DER")
    assert (len(written) == len(old.out("pkey", "-in", key(name), "-outform", "DER"))) \
        == (value in ("1", "nonsense"))
    same(ours, theirs, "pkey", "-in", key(name), "-text", "-noout")
    file = tmp_path / "made"
    ours.out("genpkey", "-algorithm", name, "-out", file)
    assert len(file.read_bytes()) == len(theirs.out("genpkey", "-algorithm", name))
    same(old, new, "pkey", "-in", file, "-text")


@pytest.mark.parametrize("name", ["ML-KEM-512", "ML-DSA-44"])
@pytest.mark.parametrize("prefer", ["yes", "no"])
def test_prefer_seed(old, new, key, name, prefer, tmp_path):
    """Files with a seed, a private key of another seed in which only the seed's end (ML-KEM's z)
    is right, and one in which that is wrong too."""
    ours, theirs = option_pairs(old, new, **{f"{name[:6].lower()}.prefer_seed": prefer})
    assert (b"seed" in same(ours, theirs, "pkey", "-in", key(name), "-text", "-noout")) \
        == (prefer == "yes")
    same(ours, theirs, "pkey", "-in", key(name), "-outform", "DER")
    file = tmp_path / "key"
    der = bytearray(new.out("pkey", "-in", key(name), "-outform", "DER"))
    seed = 30       # after 2 SEQUENCEs, version, algorithm, 2 more headers
    for at in (0, 40 if name == "ML-KEM-512" else 31):
        der[seed + at] ^= 1
        file.write_bytes(der)
        results = [text_of(setup, file) for setup in (ours, theirs)]
        assert results[0].returncode == results[1].returncode
        assert results[0].stdout == results[1].stdout
        assert (results[0].returncode == 0) == (prefer == "no" and (at == 0 or name != "ML-KEM-512"))


@pytest.mark.parametrize("kind", ["random", "fixed", "none"])
def test_import_pct_type(old, new, key, kind, tmp_path):
    """A private key whose secret vector is not that of its public key."""
    ours, theirs = option_pairs(old, new, **{"ml-kem.import_pct_type": kind,
                                             "ml-kem.output_formats": "priv-only"})
    file = tmp_path / "key"
    der = bytearray(theirs.out("pkey", "-in", key("ML-KEM-512"), "-outform", "DER"))
    at = len(der) - 1632
    der[at:at + 3] = b"\x07\x00\x00" if der[at:at + 3] != b"\x07\x00\x00" else bytes(3)
    for _ in range(2):
        file.write_bytes(der)
        results = [text_of(setup, file) for setup in (ours, theirs)]
        assert results[0].stdout == results[1].stdout
        assert results[0].returncode == results[1].returncode == (kind != "none")
        der[at + 3:at + 6] = bytes(3)


@pytest.mark.parametrize("name, cipher", [("ML-KEM-512", "aes-256-cbc"), ("ML-DSA-87", "des3"),
                                          ("ML-DSA-44", "aes-192-ofb"),
                                          ("SLH-DSA-SHAKE-256f", "aes-256-cbc")])
def test_encrypted(old, new, key, name, cipher, tmp_path):
    file = tmp_path / "key"
    sizes = set()
    for writer, reader in ((old, new), (new, old), (old, old)):
        writer.out("pkey", "-in", key(name), f"-{cipher}", "-passout", "pass:secret", "-out", file)
        octets = file.read_bytes()
        assert octets.startswith(b"-----BEGIN ENCRYPTED PRIVATE KEY-----\n")
        assert reader.out("pkey", "-in", file, *PASS) == key(name).read_bytes()
        # all but salt, IV and data
        der = base64.b64decode(b"".join(octets.split(b"\n")[1:-2]))
        sizes.add((len(octets), der[:36], der[52:84]))
    assert len(sizes) == 1
    assert old.run("pkey", "-in", file, "-passin", "pass:wrong").returncode == 1
    old.fails("pkey", "-in", key(name), "-camellia128", "-passout", "pass:x",
              reason="cannot encrypt a private key")


@pytest.mark.parametrize("name", SIGNERS)
def test_signatures(old, new, key, name, tmp_path):
    message, signature, public = tmp_path / "m", tmp_path / "s", tmp_path / "p"
    message.write_bytes(MESSAGE)
    public.write_bytes(old.out("pkey", "-in", key(name), "-pubout"))
    for signer, verifier in ((old, new), (new, old), (old, old)):
        signer.out("pkeyutl", "-sign", "-rawin", "-inkey", key(name), "-in", message, "-out",
                   signature)
        check = ("pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", public, "-sigfile", signature)
        assert b"Verified Successfully" in verifier.out(*check, "-in", message)
        done = verifier.run(*check, "-in", public)
        assert done.returncode == 1 and b"Verified" not in done.stdout
    for content in (b"", b"x" * 100000):
        message.write_bytes(content)
        old.out("dgst", "-sign", key(name), "-out", signature, message)
        assert b"Verified OK" in old.out("dgst", "-verify", public, "-signature", signature,
                                         message)
    new.out("pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", public, "-sigfile", signature,
            "-in", message)
    old.fails("dgst", "-sha256", "-sign", key(name), message, reason="Explicit digest")
    blocked = old.with_options(block=name)
    assert blocked.run("dgst", "-sign", key(name), message).returncode == 1


def request_conf(setup, folder):
    """A Setup with what "openssl req" wants in its configuration."""
    path = folder / "req.cnf"
    path.write_text(setup.conf_text() + "[req]\ndistinguished_name = name\n[name]\n"
                    "[ca]\nbasicConstraints = critical,CA:true\n")
    return {"OPENSSL_CONF": str(path)}


@pytest.mark.parametrize("name", SIGNERS + HASH_SIGNERS)
def test_certificates(old, new, name, tmp_path):
    ca_key, ca, leaf_key, request, leaf = (tmp_path / n for n in "abcde")
    conf = request_conf(old, tmp_path)
    old.out("req", "-x509", "-newkey", name, "-nodes", "-keyout", ca_key, "-out", ca, "-subj",
            "/CN=ca", "-days", "30", "-extensions", "ca", env=conf)
    old.out("genpkey", "-algorithm", "ML-KEM-768" if name == "ML-DSA-65" else name, "-out",
            leaf_key)
    text = old.text("x509", "-in", ca, "-noout", "-text")
    assert text.count(f"Signature Algorithm: {name}\n") == 2
    assert f"Public Key Algorithm: {name}\n" in text and f"{name} Public-Key:\n" in text
    if name != "ML-DSA-65":     # a key that can sign its own request
        old.out("req", "-new", "-key", leaf_key, "-subj", "/CN=leaf", "-out", request, env=conf)
        assert b"OK" in old.run("req", "-in", request, "-verify", "-noout", env=conf).stderr
        old.out("x509", "-req", "-in", request, "-CA", ca, "-CAkey", ca_key, "-out", leaf)
    else:
        public = tmp_path / "public"
        public.write_bytes(old.out("pkey", "-in", leaf_key, "-pubout"))
        old.out("x509", "-new", "-subj", "/CN=leaf", "-force_pubkey", public, "-CA", ca, "-CAkey",
                ca_key, "-out", leaf)
    for setup in (old, new):
        for file in (ca, leaf):
            assert b": OK" in setup.out("verify", "-check_ss_sig", "-CAfile", ca, file)
        assert setup.out("x509", "-in", leaf, "-noout", "-pubkey") == \
            setup.out("pkey", "-in", leaf_key, "-pubout")
    lines = ca.read_bytes().split(b"\n")
    lines[-4] = lines[-4][::-1]
    leaf.write_bytes(b"\n".join(lines))
    assert b"signature failure" in old.run("verify", "-check_ss_sig", "-CAfile", leaf, leaf).stderr
    # PKCS #12 as a carrier
    bag = tmp_path / "p12"
    old.out("pkcs12", "-export", "-in", ca, "-inkey", ca_key, "-passout", "pass:secret", "-out",
            bag)
    for setup in (old, new):
        found = setup.out("pkcs12", "-in", bag, "-nodes", "-nocerts", *PASS)
        assert ca_key.read_bytes() in found


def test_other_keys_are_read_as_before(old, tmp_path):
    """Our decoders are asked about keys of every type."""
    file = tmp_path / "key"
    for arguments in (("EC", "-pkeyopt", "ec_paramgen_curve:P-256"), ("ED25519",),
                      ("RSA", "-pkeyopt", "rsa_keygen_bits:1024")):
        for form in ("PEM", "DER"):
            old.out("genpkey", "-algorithm", *arguments, "-outform", form, "-out", file)
            assert old.out("pkey", "-in", file, "-outform", form) == file.read_bytes()
    file.write_bytes(b"\x30\x82\x10\x00" + bytes(100))
    old.fails("pkey", "-in", file, reason="Could not read key")


LOAD = """
import os, sys
sys.path.insert(0, sys.argv[1])
from libcrypto import Lib, library
lib = Lib(os.environ["OPENSSL_CONF"], "wolfnano")
lib.fetch("SIGNATURE", "ML-DSA-65")
print(library().OBJ_txt2nid(b"id-ml-dsa-65") == library().OBJ_txt2nid(b"ML-DSA-65") > 0)
"""


def test_loaded_while_it_is_asked(old):
    """A library context loads the module before the default one has read its own
    configuration, which loads it too, and which the first look at an object reads."""
    done = old.python("-c", LOAD, ROOT / "pytest", timeout=120)
    assert done.stdout == b"True\n", done.stderr
