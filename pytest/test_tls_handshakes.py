# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/tls-handshakes and the program behind it, build/tlsbench."""
import json
import os
import re
import subprocess

import pytest

from conftest import module_of
from openssl_names import ROOT

HYBRID = "X25519MLKEM768"
LINE = re.compile(r"^((?!certificate)\w+), (\w+(?:-\w+)?) +(\S+) \+ (\S+) +(\S+) +(\S+) \+ (\S+) +(\S+) +(\S+)$", re.M)

pytestmark = pytest.mark.one_build


@pytest.fixture(scope="module")
def tlsbench(built):
    path = module_of(built).parent / "tlsbench"
    if not path.exists():
        pytest.skip(f"{path} is not built")
    return path


@pytest.fixture(scope="module")
def libssl(version):
    return "libssl.so.4" if version == "4.0" else "libssl.so.3"


def measure(where, built, *arguments):
    return subprocess.run([ROOT / "scripts/tls-handshakes", *arguments, where], text=True,
                          env={**os.environ, "WOLFNANO_SO": str(module_of(built))},
                          capture_output=True, timeout=300, check=False)


def test_table(version, where, built, tlsbench):
    """A row for each certificate and group. What the default provider lacks, 3.0's
    groups and ML-DSA in libssl, is a dash and no failure."""
    done = measure(where, built, "--rounds", "1", "--seconds", "0.02")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(f"OpenSSL {version}.")
    rows = {found[0:2]: found[2:] for found in LINE.findall(done.stdout)}
    assert len(rows) == 8, done.stdout
    for (cert, group), cells in rows.items():
        old = version == "3.0" and group == HYBRID
        expected = [not old] * 3 + [not (old and cert == "mldsa65")] * 3 + [not old]
        assert [cell != "-" for cell in cells] == expected, done.stdout
        if not old:
            server, client, rate = (float(cell.removesuffix("/s")) for cell in cells[3:6])
            assert rate == pytest.approx(1e6 / max(server, client), rel=0.02, abs=1), done.stdout
            ratio = rate / float(cells[2].removesuffix("/s"))
            assert float(cells[6]) == pytest.approx(ratio, rel=0.01, abs=0.01), done.stdout


def test_only_the_rows_asked_for(where, built, tlsbench):
    done = measure(where, built, "--only", "^p256", "--rounds", "1", "--seconds", "0.02")
    assert [found[0:2] for found in LINE.findall(done.stdout)] == [("p256", "X25519"),
                                                                   ("p256", "P-256")]
    assert measure(where, built, "--round").returncode == 2


def run(setup, tlsbench, *arguments):
    done = setup.run(*arguments, program=str(tlsbench))
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_who_holds_the_key_share(default, prefer, tlsbench, libssl, pki):
    cert, key = pki.cert("p256"), pki.key("p256")
    for setup, provider in ((default, "default"), (prefer, "wolfnano")):
        status, out, error = run(setup, tlsbench, libssl, cert, key, cert, "P-256", "0.02")
        assert status == 0, error
        found = json.loads(out)
        assert found["provider"] == provider
        assert found["handshakes"] > 0
        assert found["server_us"] > 0 and found["client_us"] > 0


def test_what_cannot_be_measured(prefer, tlsbench, libssl, pki):
    cert, key, other = pki.cert("p256"), pki.key("p256"), pki.cert("p384")
    for status, reason, *arguments in (
            (1, "certificate verify failed", libssl, cert, key, other, "P-256", "0.02"),
            (1, "key values mismatch", libssl, cert, pki.key("p384"), cert, "P-256", "0.02"),
            (1, "the server's settings failed", libssl, cert, key, cert, "P-255", "0.02"),
            (1, "libabsent.so", "libabsent.so", cert, key, cert, "P-256", "0.02"),
            (1, "has no TLS_server_method", prefer.libcrypto, cert, key, cert, "P-256", "0.02"),
            (2, "usage: tlsbench", libssl, cert, key, cert, "P-256", "0"),
            (2, "usage: tlsbench", libssl, cert, key, cert, "P-256", "1s"),
            (2, "usage: tlsbench", libssl, cert, key, cert, "P-256")):
        found, out, error = run(prefer, tlsbench, *arguments)
        assert (found, out) == (status, ""), error
        assert reason in error
