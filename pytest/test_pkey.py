# SPDX-License-Identifier: GPL-3.0-or-later
"""Public-key work of the openssl program: what wolfnano makes, the default provider
takes, and the other way round; what is wrong, both refuse."""
import pytest

from conftest import wanted_versions
from openssl_names import ROOT

MESSAGE = b"The quick brown fox jumps over the lazy dog"

# name: (arguments of genpkey, [arguments of pkeyutl -sign], first version)
RSA = ("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
SHA256 = ("-rawin", "-digest", "sha256")
PSS = ("-pkeyopt", "rsa_padding_mode:pss", "-pkeyopt", "rsa_pss_saltlen:digest")
SIGNERS = {
    "RSA": (RSA, [SHA256, ("-rawin", "-digest", "sha512", *PSS),
                  ("-rawin", "-digest", "sha3-256"), ("-rawin", "-digest", "ripemd160")], "3.0"),
    "RSA-PSS": (("-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048"), [SHA256], "3.0"),
    **{curve: (("-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{curve}"), [SHA256], "3.0")
       for curve in ("P-224", "P-256", "P-384", "P-521", "secp256k1", "brainpoolP256r1",
                     "brainpoolP384t1")},
    "ED25519": (("-algorithm", "ED25519"), [("-rawin",)], "3.0"),
    "ED448": (("-algorithm", "ED448"), [("-rawin",)], "3.0"),
    **{name: (("-algorithm", name), [("-rawin",)], "3.5")
       for name in ("ML-DSA-44", "ML-DSA-65", "ML-DSA-87")},
    **{name: (("-algorithm", name), [("-rawin",), ("-rawin", "-pkeyopt", "deterministic:1")], "3.5")
       for name in ("SLH-DSA-SHA2-128f", "SLH-DSA-SHAKE-128f")},
}
EXCHANGES = {
    "X25519": ("-algorithm", "X25519"),
    "X448": ("-algorithm", "X448"),
    "P-256": ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"),
    "P-384": ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"),
    "P-521": ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"),
    "brainpoolP512r1": ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:brainpoolP512r1"),
    "ffdhe2048": ("-algorithm", "DH", "-pkeyopt", "group:ffdhe2048"),
}
PADDINGS = {
    "pkcs1": ("-pkeyopt", "rsa_padding_mode:pkcs1"),
    "oaep": ("-pkeyopt", "rsa_padding_mode:oaep"),
    "oaep-sha256": ("-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", "rsa_oaep_md:sha256",
                    "-pkeyopt", "rsa_mgf1_md:sha1", "-pkeyopt", "rsa_oaep_label:616263"),
}


@pytest.fixture(autouse=True)
def enough_combinations(request, version, build):
    """Portable C differs below what OpenSSL sees: one version is enough for it."""
    if build != "release" and version != wanted_versions(request.config)[0]:
        pytest.skip("portable C runs with one version of OpenSSL")


class Pair:
    """A private key in a file, and its public half as `setup` writes it."""

    def __init__(self, setup, arguments, folder, name):
        self.private, self.public = folder / f"{name}.pem", folder / f"{name}.pub"
        setup.out("genpkey", *arguments, "-out", self.private)
        setup.out("pkey", "-in", self.private, "-pubout", "-out", self.public)


def pairs(ours, default, arguments, folder):
    return [Pair(ours, arguments, folder, "ours"), Pair(default, arguments, folder, "default")]


@pytest.mark.parametrize("name", SIGNERS)
def test_signatures_both_ways(ours, default, name, tmp_path):
    arguments, ways, first = SIGNERS[name]
    if not ours.at_least(first):
        pytest.skip(f"OpenSSL {ours.version} has no key files for {name}")
    message, signature, bad = tmp_path / "m", tmp_path / "s", tmp_path / "b"
    message.write_bytes(MESSAGE)
    for pair in pairs(ours, default, arguments, tmp_path):
        assert default.out("pkey", "-in", pair.private, "-pubout") == pair.public.read_bytes()
        assert ours.out("pkey", "-in", pair.private, "-pubout") == pair.public.read_bytes()
        for way in ways:
            check = ("-verify", "-pubin", "-inkey", pair.public, "-in", message, *way)
            for signer, verifier in ((ours, default), (default, ours), (ours, ours)):
                signer.out("pkeyutl", "-sign", "-inkey", pair.private, "-in", message, *way,
                           "-out", signature)
                assert b"Verified Successfully" in verifier.out(
                    "pkeyutl", *check, "-sigfile", signature)
            octets = bytearray(signature.read_bytes())
            octets[-1] ^= 1
            bad.write_bytes(octets)
            for verifier in (ours, default):
                done = verifier.run("pkeyutl", *check, "-sigfile", bad)
                assert done.returncode == 1 and b"Verified" not in done.stdout


@pytest.mark.parametrize("name", EXCHANGES)
def test_secrets_both_ways(ours, default, name, tmp_path):
    mine, other = pairs(ours, default, EXCHANGES[name], tmp_path)

    def secret(setup, private, public):
        return setup.out("pkeyutl", "-derive", "-inkey", private, "-peerkey", public)
    secrets = {secret(setup, *keys) for setup in (ours, default)
               for keys in ((mine.private, other.public), (other.private, mine.public))}
    assert len(secrets) == 1 and len(secrets.pop()) >= 32


@pytest.mark.parametrize("padding", PADDINGS)
def test_rsa_encryption_both_ways(ours, default, padding, tmp_path):
    options, message, sealed = PADDINGS[padding], tmp_path / "m", tmp_path / "c"
    message.write_bytes(MESSAGE)
    for pair in pairs(ours, default, RSA, tmp_path):
        for sealer, opener in ((ours, default), (default, ours)):
            sealer.out("pkeyutl", "-encrypt", "-pubin", "-inkey", pair.public, "-in", message,
                       *options, "-out", sealed)
            assert opener.out("pkeyutl", "-decrypt", "-inkey", pair.private, "-in", sealed,
                              *options) == MESSAGE
    octets = bytearray(sealed.read_bytes())
    octets[100] ^= 1
    sealed.write_bytes(octets)
    for opener in (ours, default):
        done = opener.run("pkeyutl", "-decrypt", "-inkey", pair.private, "-in", sealed, *options)
        assert done.stdout != MESSAGE
        if padding != "pkcs1":
            assert done.returncode != 0 and b"oaep decoding error" in done.stderr


@pytest.mark.parametrize("name", ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"])
def test_kem_both_ways(ours, default, name, tmp_path):
    if not ours.at_least("3.5"):
        pytest.skip(f"OpenSSL {ours.version} has no key files for {name}")
    wrapped, secret = tmp_path / "w", tmp_path / "s"
    for pair in pairs(ours, default, ("-algorithm", name), tmp_path):
        for sender, receiver in ((ours, default), (default, ours)):
            sender.out("pkeyutl", "-encap", "-pubin", "-inkey", pair.public, "-out", wrapped,
                       "-secret", secret)
            receiver.out("pkeyutl", "-decap", "-inkey", pair.private, "-in", wrapped,
                         "-secret", tmp_path / "got")
            assert (tmp_path / "got").read_bytes() == secret.read_bytes()
            assert len(secret.read_bytes()) == 32


# name: (arguments of genpkey, arguments of pkeyutl, bytes of the secret)
KEMS = {
    "RSA": (RSA, ("-kemop", "RSASVE"), 256),
    **{curve: (EXCHANGES[curve], ("-kemop", "DHKEM"), size)
       for curve, size in (("P-256", 32), ("P-384", 48), ("P-521", 64), ("X25519", 32),
                           ("X448", 64))},
}


@pytest.mark.parametrize("name", KEMS)
def test_classic_kem_both_ways(ours, default, name, tmp_path):
    arguments, operation, size = KEMS[name]
    if not ours.at_least("3.5"):
        pytest.skip(f"pkeyutl of OpenSSL {ours.version} cannot encapsulate")
    wrapped, secret, got = tmp_path / "w", tmp_path / "s", tmp_path / "got"
    for pair in pairs(ours, default, arguments, tmp_path):
        for sender, receiver in ((ours, default), (default, ours), (ours, ours)):
            sender.out("pkeyutl", "-encap", *operation, "-pubin", "-inkey", pair.public,
                       "-out", wrapped, "-secret", secret)
            receiver.out("pkeyutl", "-decap", "-inkey", pair.private, "-in", wrapped,
                         "-secret", got)
            assert got.read_bytes() == secret.read_bytes()
            assert len(secret.read_bytes()) == size
        wrapped.write_bytes(wrapped.read_bytes()[1:])
        for receiver in (ours, default):
            reason = "bad length" if name == "RSA" else "invalid key"
            receiver.fails("pkeyutl", "-decap", "-inkey", pair.private, "-in", wrapped,
                           "-secret", got, reason=reason)


BLOCKED = {"RSA": "RSA", "P-256": "ECDSA", "ED25519": "ED25519", "ED448": "ED448",
           "ML-DSA-65": "ML-DSA-65", "SLH-DSA-SHA2-128f": "SLH-DSA-SHA2-128f"}


@pytest.mark.parametrize("name", BLOCKED)
def test_wolfnano_does_the_work(ours, name, tmp_path):
    """With wolfnano's operation made to fail, signing fails."""
    arguments, ways, first = SIGNERS[name]
    if not ours.at_least(first):
        pytest.skip(f"OpenSSL {ours.version} has no key files for {name}")
    pair = Pair(ours, arguments, tmp_path, "key")
    message = tmp_path / "m"
    message.write_bytes(MESSAGE)
    sign = ("pkeyutl", "-sign", "-inkey", pair.private, "-in", message, *ways[0])
    assert ours.out(*sign)
    done = ours.with_options(block=BLOCKED[name]).run(*sign)
    assert 0 < done.returncode < 126 and done.stdout == b""


def test_hpke(only, default):
    """HPKE draws on all of a provider: the KEM, HKDF and the AEAD."""
    if not only.at_least("3.2"):
        pytest.skip(f"OpenSSL {only.version} has no HPKE")
    done = only.python(ROOT / "pytest/hpke_exchange.py", only.conf, default.conf)
    assert done.stdout == b"40 messages\n", done.stderr.decode()


@pytest.mark.one_build
@pytest.mark.parametrize("name", ["ML-KEM-768", "ML-DSA-65"])
@pytest.mark.parametrize("option", ["retain_seed=no", "prefer_seed=no", "retain_seed=yes"])
def test_seed_options(only, default, name, option, tmp_path):
    """They may come after the module was loaded; base then reads and writes the files."""
    if not only.at_least("3.5"):
        pytest.skip("-provparam came with 3.5; test_pq_files.py has the options before it")
    key, option = tmp_path / "key", f"{name[:6].lower()}.{option}"
    default.out("genpkey", "-algorithm", name, "-out", key)
    outputs = []
    for setup, given in ((only, f"wolfnano:{option}"), (default, option)):
        made = setup.out("genpkey", "-algorithm", name, "-provparam", given, "-outform", "DER")
        outputs.append((len(made), setup.out("pkey", "-provparam", given, "-in", key)))
    assert outputs[0] == outputs[1]


@pytest.mark.one_build
@pytest.mark.parametrize("form", ["compressed", "hybrid", "uncompressed"])
def test_point_form_of_a_key_file_stays(only, default, form):
    """As it was read it is written again, the public key by itself, too."""
    for curve in ("P-256", "brainpoolP320t1"):
        made = default.out("genpkey", "-algorithm", "EC", "-pkeyopt", f"group:{curve}")
        key = default.out("pkey", "-ec_conv_form", form, "-outform", "DER", input=made)
        assert only.out("pkey", "-inform", "DER", "-outform", "DER", input=key) == key
        for options in (("-text", "-noout"), ("-pubout",)):
            assert only.out("pkey", "-inform", "DER", *options, input=key) == \
                default.out("pkey", "-inform", "DER", *options, input=key)
        public = default.out("pkey", "-inform", "DER", "-pubout", input=key)
        assert only.out("pkey", "-pubin", "-pubout", input=public) == public
