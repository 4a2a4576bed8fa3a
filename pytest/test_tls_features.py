# SPDX-License-Identifier: GPL-3.0-or-later
"""What TLS can do, between wolfnano and the default provider of the same OpenSSL, in
both roles: wolfnano alone, or also preferred where that makes more than one choice. Of
every connection the two sides' key logs and exported keys are equal."""
import re

import pytest

from pki import CLASSICAL

pytestmark = pytest.mark.one_build

TLS13_SUITES = ("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384",
                "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_CCM_SHA256",
                "TLS_AES_128_CCM_8_SHA256")
EC_GROUPS = ("secp256r1", "secp384r1", "secp521r1", "x25519", "x448")
FFDHE = ("ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192")
BRAINPOOL = ("brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1")
KEMS = ("MLKEM512", "MLKEM768", "MLKEM1024", "X25519MLKEM768", "SecP256r1MLKEM768",
        "SecP384r1MLKEM1024")
PSK = "00112233445566778899aabbccddeeff"


def ways(mine, default):
    """(client, server)"""
    return (mine, default), (default, mine)


@pytest.fixture
def credentials(pki):
    """kind -> options of the side that has the certificate"""
    return lambda kind: {"cert": pki.cert(kind), "key": pki.key(kind)}


def test_groups_of_tls13(ours, default, peers, credentials):
    names = (*EC_GROUPS, *FFDHE, *(f"{name}tls13" for name in BRAINPOOL if ours.at_least("3.2")))
    for group in (*names, *(KEMS if ours.at_least("3.5") else ())):
        for client, server in ways(ours, default):
            mine, theirs = peers.connected(client, server, {"version": "1.3", "groups": group},
                                           {}, credentials("p256"))
            assert mine["group"] == theirs["group"] == group


def test_kems_of_wolfnano(ours, peers, credentials):
    """From 3.0 on."""
    for group in KEMS:
        mine, theirs = peers.connected(ours, ours, {"version": "1.3", "groups": group}, {},
                                       credentials("p384"))
        assert mine["group"] == theirs["group"] == group


def test_groups_of_tls12(ours, default, peers, credentials):
    old = () if ours.at_least("4.0") else ("secp192r1", "secp224r1", "secp256k1")
    for group in (*EC_GROUPS, *BRAINPOOL, *old):
        for client, server in ways(ours, default):
            mine, _ = peers.connected(
                client, server, {"version": "1.2", "groups": group, "level": 0,
                                 "ciphers": "ECDHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0"},
                {}, credentials("rsa"))
            assert mine["group"] == group


# of 4.0, and of the curves that wolfCrypt lacks
ONLY_DEFAULT = r"sect\d+[rk]\d|secp160\w+|secp192k1|secp224k1|curveSM2(MLKEM768)?"


def test_same_groups(only, default):
    """In the same order, which is that of preference."""
    if not only.at_least("3.5"):
        pytest.skip(f"OpenSSL {only.version} does not list groups")
    for tls in ("-tls1_2", "-tls1_3"):
        mine, theirs = (setup.text("list", "-tls-groups", tls).strip().split(":")
                        for setup in (only, default))
        assert mine == [name for name in theirs if not re.fullmatch(ONLY_DEFAULT, name)]


def suites_of(setup, *options):
    return setup.text("ciphers", "-s", *options).strip().split(":")


def test_same_cipher_suites(only, default):
    """TLS asks the providers which ciphers there are."""
    for options in ((), ("-psk",), ("-tls1_2", "-psk", "DEFAULT"), ("-tls1",)):
        assert suites_of(only, *options) == suites_of(default, *options)


def test_every_default_suite_is_driven(only, default):
    """By test_cipher_suites_of_tls12 and _tls13 in all."""
    assert suites_of(only, "-srp", "DEFAULT") == suites_of(default, "-srp", "DEFAULT")
    listed = set(default.text("ciphers", "DEFAULT:@SECLEVEL=0").strip().split(":"))
    driven = set(suites_of(default, "-tls1_2", "-psk", "-srp", "DEFAULT:@SECLEVEL=0"))
    assert listed <= driven | set(TLS13_SUITES)


def of_suite(suite, credentials):
    """Options of the server, and of both, that a suite needs."""
    if "PSK" in suite:
        server = {} if not suite.startswith("RSA") else credentials("rsa")
        return server, {"psk": PSK}
    if "SRP" in suite:
        return credentials("rsa") if "RSA" in suite else {}, {"srp": "secret"}
    return credentials("p256" if "ECDSA" in suite else "rsa"), {}


def test_cipher_suites_of_tls12(ours, default, peers, credentials):
    suites = [name for name in suites_of(default, "-tls1_2", "-psk", "-srp", "DEFAULT:@SECLEVEL=0")
              if not name.startswith("TLS_")]
    assert len(suites) > 44
    for suite in suites:
        alone, both = of_suite(suite, credentials)
        for client, server in ways(ours, default):
            mine, _ = peers.connected(
                client, server, {"version": "1.2", "ciphers": f"{suite}:@SECLEVEL=0",
                                 "level": 0, **both}, {"times": 700}, alone)
            assert mine["cipher"] == suite


def test_cipher_suites_of_tls13(ours, default, peers, credentials):
    for suite in TLS13_SUITES:
        for client, server in ways(ours, default):
            mine, _ = peers.connected(client, server, {"version": "1.3", "suites": suite,
                                                       "level": 0},
                                      {"times": 700}, credentials("rsa"))
            assert mine["cipher"] == suite


@pytest.mark.parametrize("kind", [*CLASSICAL, "mldsa44", "mldsa65", "mldsa87"])
def test_certificates_of_both_sides(only, default, peers, credentials, pki, kind):
    """Each side has one, and both verify."""
    if kind.startswith("mldsa") and not only.at_least("3.5"):
        pytest.skip(f"OpenSSL {only.version} has no such certificates; see test_tls_matrix.py")
    own = {**credentials(kind), "ca": pki.cert(kind)}
    for version in ("1.3",) if kind.startswith("mldsa") else ("1.3", "1.2"):
        for client, server in ways(only, default):
            mine, theirs = peers.connected(client, server, {"version": version}, own, own)
            assert mine["verify"] == theirs["verify"] == 0


def test_signature_algorithms(only, default, peers, credentials):
    for kind, names in {"rsa": ("rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384",
                                "rsa_pss_rsae_sha512"),
                        "rsa-pss": ("rsa_pss_pss_sha256", "rsa_pss_pss_sha512")}.items():
        for name in names:
            for client, server in ways(only, default):
                peers.connected(client, server, {"version": "1.3", "sigalgs": name}, {},
                                credentials(kind))
    for name in ("RSA+SHA256", "RSA+SHA512", "RSA+SHA1", "RSA+SHA224"):
        for client, server in ways(only, default):
            peers.connected(client, server, {"version": "1.2", "level": 0, "sigalgs": name,
                                             "ciphers": "ECDHE-RSA-AES128-SHA:@SECLEVEL=0"},
                            {}, credentials("rsa"))


def test_untrusted_certificates_are_refused(only, default, peers, credentials, pki):
    for client, server in ways(only, default):
        for kind, wrong in (("p256", "rsa"), ("rsa", "p256")):
            mine, _ = peers.connect(client, server, {"version": "1.3"}, {"ca": pki.cert(wrong)},
                                    credentials(kind))
            assert "certificate verify failed" in mine["error"]


@pytest.mark.parametrize("tls", ["1.2", "1.3"])
def test_resumption(only, default, peers, credentials, tls):
    for options in ([], ["no_ticket"]):
        for client, server in ways(only, default):
            both = {"version": tls, "options": options}
            first, _ = peers.connected(client, server, both, {"save": "one"}, credentials("p256"))
            again, _ = peers.connected(client, server, both, {"resume": "one"},
                                       credentials("p256"))
            assert (first["resumed"], again["resumed"]) == (0, 1)
            assert first["exported"] != again["exported"]


def test_early_data(only, default, peers, credentials):
    for suite in TLS13_SUITES[:4]:
        for client, server in ways(only, default):
            own = {**credentials("rsa"), "early": ""}
            both = {"version": "1.3", "suites": suite}
            peers.connected(client, server, both, {"save": "early"}, own)
            _, theirs = peers.connected(client, server, both,
                                        {"resume": "early", "early": "first flight"}, own)
            assert theirs["resumed"] == 1 and theirs["early"] == "first flight"


def test_pre_shared_keys_of_tls13(only, default, peers, credentials):
    for client, server in ways(only, default):
        both = {"version": "1.3", "suites": "TLS_AES_128_GCM_SHA256", "psk": PSK}
        mine, _ = peers.connected(client, server, both)
        assert mine["resumed"] == 1     # TLS 1.3 does not tell them apart
        del both["psk"]
        _, theirs = peers.connect(client, server, both, {"psk": PSK},
                                  {"psk": PSK[::-1], **credentials("p256")})
        assert "binder does not verify" in theirs["error"]


def test_key_update(only, default, peers, credentials):
    for suite in TLS13_SUITES[:4]:
        for client, server in ways(only, default):
            peers.connected(client, server, {"version": "1.3", "suites": suite},
                            {"steps": ["update"] * 3}, credentials("p256"))


def test_renegotiation(only, default, peers, credentials):
    for suite in ("ECDHE-RSA-AES256-GCM-SHA384", "AES128-SHA256", "ECDHE-RSA-CHACHA20-POLY1305"):
        for client, server in ways(only, default):
            both = {"version": "1.2", "ciphers": suite, "options": ["client_renegotiation"]}
            mine, _ = peers.connected(client, server, both, {"steps": ["renegotiate"] * 2},
                                      credentials("rsa"))
            assert len([x for x in mine["keylog"] if x.startswith("CLIENT_RANDOM")]) == 3


def test_extensions(only, default, peers, credentials):
    for client, server in ways(only, default):
        for options in ([], ["no_etm"], ["no_ems"], ["no_etm", "no_ems"]):
            mine, _ = peers.connected(
                client, server, {"version": "1.2", "ciphers": "ECDHE-RSA-AES128-SHA256",
                                 "options": options, "alpn": "h2"}, {}, credentials("rsa"))
            assert mine["alpn"] == "h2"


def test_old_versions(only, default, peers, credentials):
    for version in ("1.0", "1.1"):
        for kind, suite in (("rsa", "AES128-SHA"), ("rsa", "DHE-RSA-AES256-SHA"),
                            ("p256", "ECDHE-ECDSA-AES128-SHA")):
            for client, server in ways(only, default):
                both = {"version": version, "level": 0, "ciphers": f"{suite}:@SECLEVEL=0"}
                mine, _ = peers.connected(client, server, both, {"save": "old"},
                                          credentials(kind))
                assert mine["version"] == ("TLSv1" if version == "1.0" else "TLSv1.1")
                again, _ = peers.connected(client, server, both, {"resume": "old"},
                                           credentials(kind))
                assert again["resumed"] == 1


def test_datagrams(only, default, peers, credentials):
    for version, suites in (("dtls1.2", ("ECDHE-RSA-AES128-GCM-SHA256", "DHE-RSA-AES256-CCM",
                                         "ECDHE-RSA-CHACHA20-POLY1305",
                                         "ECDHE-RSA-AES256-SHA384", "AES128-SHA256")),
                            ("dtls1.0", ("ECDHE-RSA-AES128-SHA", "AES256-SHA"))):
        for suite in suites:
            for client, server in ways(only, default):
                both = {"version": version, "level": 0, "ciphers": f"{suite}:@SECLEVEL=0"}
                mine, _ = peers.connected(client, server, both, {}, credentials("rsa"))
                assert mine["cipher"] == suite
