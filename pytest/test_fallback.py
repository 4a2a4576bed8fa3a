# SPDX-License-Identifier: GPL-3.0-or-later
"""What wolfCrypt lacks, where wolfnano is preferred and the default provider is loaded
too: it works as without wolfnano. Alone, or with fallback = no, it is refused."""
import pytest

from test_tls import Server, connect, roles

CURVES = ("sect233k1", "sect409r1", "c2pnb163v1", "wap-wsg-idm-ecid-wtls4")
MESSAGE = b"The quick brown fox jumps over the lazy dog"
KEY = "000102030405060708090a0b0c0d0e0f"
MACS = {
    "HMAC": ("digest:SM3", f"hexkey:{KEY}"),
    "CMAC": ("cipher:CAMELLIA-128-CBC", f"hexkey:{KEY}"),
    "GMAC": ("cipher:ARIA-128-GCM", f"hexkey:{KEY}", "hexiv:000102030405060708090a0b"),
}
KDFS = {
    "HKDF": ("digest:SM3", "key:secret", "salt:salt", "info:label"),
    "PBKDF2": ("digest:SM3", "pass:password", "salt:salt", "iter:1000"),
    "X963KDF": ("digest:SM3", "secret:secret", "info:label"),
    "SSKDF": ("mac:HMAC", "digest:SM3", "secret:secret", "salt:salt", "info:label"),
    "TLS1-PRF": ("digest:SM3", "secret:secret", "seed:seed"),
    "KBKDF": ("cipher:CAMELLIA-128-CBC", "mac:CMAC", f"hexkey:{KEY}", "salt:prf"),
    "PKCS12KDF": ("digest:SM3", "hexpass:00700000", "salt:salt", "id:1", "iter:3"),
}


def generate(setup, curve, folder, *options):
    private, public = folder / "private.pem", folder / "public.pem"
    setup.out("genpkey", "-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{curve}", *options,
              "-out", private)
    setup.out("pkey", "-in", private, "-pubout", "-out", public)
    return private, public


def message(folder):
    path = folder / "message"
    path.write_bytes(MESSAGE)
    return path


@pytest.mark.parametrize("curve", CURVES)
def test_keys(prefer, default, tmp_path, curve):
    for makes, takes in ((prefer, default), (default, prefer), (prefer, prefer)):
        private, public = generate(makes, curve, tmp_path)
        for setup in (makes, takes):
            setup.out("pkey", "-in", private, "-check", "-noout")
            setup.out("pkey", "-pubin", "-in", public, "-pubcheck", "-noout")
        shown = [setup.out("pkey", "-in", private, "-text", "-noout") for setup in (makes, takes)]
        assert shown[0] == shown[1]
        text, signature = message(tmp_path), tmp_path / "signature"
        for md in ("sha256", "sm3"):
            makes.out("dgst", f"-{md}", "-sign", private, "-out", signature, text)
            assert b"OK" in takes.out("dgst", f"-{md}", "-verify", public, "-signature", signature,
                                      text)
        secrets = {setup.out("pkeyutl", "-derive", "-inkey", private, "-peerkey", public)
                   for setup in (makes, takes)}
        assert len(secrets) == 1


def test_explicit_parameters(prefer, default, tmp_path):
    private, _ = generate(prefer, "sect233k1", tmp_path, "-pkeyopt", "ec_param_enc:explicit")
    assert b"Field Type" in default.out("pkey", "-in", private, "-text", "-noout")
    default.out("pkey", "-in", private, "-check", "-noout")
    prefer.out("pkey", "-in", private, "-check", "-noout")


@pytest.mark.parametrize("curve", CURVES)
def test_certificates(prefer, default, tmp_path, curve):
    for makes, takes in ((prefer, default), (default, prefer)):
        private, _ = generate(makes, curve, tmp_path)
        cert = tmp_path / "cert.pem"
        makes.out("req", "-x509", "-new", "-key", private, "-subj", "/CN=binary", "-out", cert)
        for setup in (makes, takes):
            assert b"OK" in setup.out("verify", "-CAfile", cert, cert)
        cms = tmp_path / "cms"
        makes.out("cms", "-sign", "-in", message(tmp_path), "-signer", cert, "-inkey", private,
                  "-out", cms, "-outform", "PEM", "-nodetach")
        takes.out("cms", "-verify", "-in", cms, "-inform", "PEM", "-CAfile", cert, "-purpose",
                  "any")


def test_tls(prefer, default, tmp_path):
    """A certificate and a key exchange on a binary curve."""
    if prefer.at_least("4.0"):
        pytest.skip("OpenSSL 4.0 has no binary curves in TLS (RFC 8422) unless built so")
    private, _ = generate(default, "sect233k1", tmp_path)
    cert = tmp_path / "cert.pem"
    default.out("req", "-x509", "-new", "-key", private, "-subj", "/CN=binary", "-out", cert)
    options = ("-tls1_2", "-groups", "sect233k1")
    for client, host in roles(prefer, default):
        with Server(host, cert, private, *options) as server:
            text = connect(client, server, *options, "-CAfile", cert)
        assert "sect233k1" in text and "Verify return code: 0 (ok)" in text


def test_sm2(prefer, default, tmp_path):
    """Keys of SM2 are the default provider's, whoever is preferred."""
    private, signature = tmp_path / "private.pem", tmp_path / "signature"
    prefer.out("genpkey", "-algorithm", "SM2", "-out", private)
    prefer.out("pkeyutl", "-sign", "-rawin", "-digest", "sm3", "-inkey", private, "-in",
               message(tmp_path), "-out", signature)
    default.out("pkeyutl", "-verify", "-rawin", "-digest", "sm3", "-inkey", private, "-in",
                message(tmp_path), "-sigfile", signature)


@pytest.mark.parametrize("md", ["md4", "sm3"])
def test_rsa(prefer, default, tmp_path, md):
    private, public, signature = (tmp_path / name for name in ("private", "public", "signature"))
    default.out("genpkey", "-algorithm", "RSA", "-out", private)
    default.out("pkey", "-in", private, "-pubout", "-out", public)
    legacy = ("-provider", "legacy") if md == "md4" else ()
    words = ("dgst", f"-{md}", *legacy)
    if default.run(*words, "-sign", private, "-out", signature, private).returncode != 0:
        pytest.skip("this OpenSSL does not sign with RSA over it either")
    assert b"OK" in prefer.out(*words, "-verify", public, "-signature", signature, private)
    prefer.out(*words, "-sign", private, "-out", signature, private)
    assert b"OK" in default.out(*words, "-verify", public, "-signature", signature, private)


def test_oaep(prefer, default, tmp_path):
    private, cipher = tmp_path / "private", tmp_path / "cipher"
    default.out("genpkey", "-algorithm", "RSA", "-out", private)
    options = ("-inkey", private, "-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt",
               "rsa_oaep_md:sm3")
    for makes, takes in ((prefer, default), (default, prefer)):
        makes.out("pkeyutl", "-encrypt", *options, "-in", message(tmp_path), "-out", cipher)
        assert takes.out("pkeyutl", "-decrypt", *options, "-in", cipher) == MESSAGE


def mac(name, options):
    return ("mac", *(word for option in options for word in ("-macopt", option)), name)


def kdf(name, options):
    return ("kdf", "-keylen", "32", *(word for option in options for word in ("-kdfopt", option)),
            name)


@pytest.mark.parametrize("name", MACS)
def test_macs(prefer, default, name):
    words = mac(name, MACS[name])
    assert prefer.out(*words, input=MESSAGE) == default.out(*words, input=MESSAGE)


@pytest.mark.parametrize("name", KDFS)
def test_kdfs(prefer, default, name):
    assert prefer.out(*kdf(name, KDFS[name])) == default.out(*kdf(name, KDFS[name]))


def test_legacy_digests(prefer, default):
    words = ("mac", "-provider", "legacy", "-macopt", "digest:WHIRLPOOL", "-macopt", "key:k",
             "HMAC")
    assert prefer.out(*words, input=MESSAGE) == default.out(*words, input=MESSAGE)


def refuses(setup, folder):
    setup.fails("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:sect233k1",
                reason="invalid curve")
    setup.fails(*mac("HMAC", MACS["HMAC"]), input=MESSAGE, reason="unsupported")
    setup.fails(*kdf("HKDF", KDFS["HKDF"]), reason="unsupported")
    private = folder / "private"
    setup.out("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out",
              private)
    setup.out("pkey", "-in", private, "-noout")


def test_alone(only, tmp_path):
    refuses(only, tmp_path)


def test_switched_off(prefer, tmp_path):
    refuses(prefer.with_options(fallback="no"), tmp_path)


def test_strict(prefer, tmp_path):
    """A default property query that insists on wolfnano is heeded."""
    strict = tmp_path / "strict.cnf"
    strict.write_text(prefer.conf_text().replace("?provider=", "provider="))
    done = prefer.run(*mac("HMAC", MACS["HMAC"]), input=MESSAGE, env={"OPENSSL_CONF": strict})
    assert done.returncode != 0 and b"unsupported" in done.stderr
