# SPDX-License-Identifier: GPL-3.0-or-later
"""Post-quantum TLS 1.3 between OpenSSL versions, with wolfnano alone and with the
default provider: every pair, both roles, every group and every kind of certificate,
as far as each libssl goes. Where it does not, that is asserted."""
import pytest

from conftest import Setup, module_of, wanted_builds, wanted_versions
from openssl_names import installations

SIDES = [("only", "3.0"), ("only", "3.5"), ("only", "3.6"), ("only", "4.0"),
         ("default", "3.5"), ("default", "3.6"), ("default", "4.0")]
PAIRS = [(client, server) for client in SIDES for server in SIDES
         if "only" in (client[0], server[0])]
GROUPS = ("MLKEM512", "MLKEM768", "MLKEM1024", "X25519MLKEM768", "SecP256r1MLKEM768",
          "SecP384r1MLKEM1024")
SIGNATURES = ("mldsa44", "mldsa65", "mldsa87")


def pytest_generate_tests(metafunc):
    ids = [f"{a}{b}-{c}{d}" for (a, b), (c, d) in PAIRS]
    metafunc.parametrize("client,server", PAIRS, ids=ids, indirect=True)


def side(request, conf_folder):
    config, version = request.param
    if version not in wanted_versions(request.config) or version not in installations():
        pytest.skip(f"OpenSSL {version} is not installed or not asked for")
    build = wanted_builds(request.config)[0] if config == "only" else None
    if build and not module_of(build).exists():
        pytest.skip(f"{module_of(build)} is not built")
    return Setup(version, installations()[version], config, build, conf_folder)


@pytest.fixture
def client(request, conf_folder):
    return side(request, conf_folder)


@pytest.fixture
def server(request, conf_folder):
    return side(request, conf_folder)


def test_groups(client, server, peers, pki):
    own = {"cert": pki.cert("p256"), "key": pki.key("p256")}
    for group in GROUPS:
        mine, theirs = peers.connected(client, server, {"version": "1.3", "groups": group},
                                       {"ca": pki.cert("p256")}, own)
        assert mine["group"] == theirs["group"] == group
    # a client that offers a share of another group first is told so, and comes again
    mine, _ = peers.connected(client, server, {"version": "1.3"},
                              {"groups": "X25519:X25519MLKEM768"},
                              {"groups": "X25519MLKEM768", **own})
    assert mine["group"] == "X25519MLKEM768"


def test_what_both_prefer(client, server, peers, pki):
    """From 3.5 on nobody has to name a group."""
    own = {"cert": pki.cert("p256"), "key": pki.key("p256")}
    mine, _ = peers.connected(client, server, {"version": "1.3"}, {}, own)
    expected = "X25519MLKEM768" if client.at_least("3.5") and server.at_least("3.5") else "x25519"
    assert mine["group"] == expected


def test_certificates(client, server, peers, pki):
    for kind in SIGNATURES:
        own = {"cert": pki.cert(kind), "key": pki.key(kind)}
        both = {"version": "1.3", "groups": "X25519MLKEM768"}
        trust = {"ca": pki.cert(kind)}
        if client.at_least("3.2") and server.at_least("3.2"):
            mine, theirs = peers.connected(client, server, {**both, "sigalgs": kind, **trust},
                                           own, own)
            assert mine["verify"] == theirs["verify"] == 0
            continue
        # libssl before 3.2 takes no signature algorithms from providers
        mine, theirs = peers.connect(client, server, both, {}, own)
        if not server.at_least("3.2"):
            assert "unknown certificate type" in theirs["error"]
        else:
            assert "no suitable signature algorithm" in theirs["error"]
            assert "handshake failure" in mine["error"]


def test_resumption_and_client_certificates(client, server, peers, pki):
    for kind in ("rsa", "ed25519", "p384"):
        own = {"cert": pki.cert(kind), "key": pki.key(kind), "ca": pki.cert(kind)}
        both = {"version": "1.3", "groups": "SecP256r1MLKEM768"}
        peers.connected(client, server, both, {**own, "save": kind}, own)
        again, _ = peers.connected(client, server, both, {**own, "resume": kind}, own)
        assert again["resumed"] == 1
