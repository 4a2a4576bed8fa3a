# SPDX-License-Identifier: GPL-3.0-or-later
"""`openssl speed` with wolfnano and no other provider, by the command that a user types.

speed counts, prints and ends with status 0 also where an operation failed, so
what it did is looked at: each operation has to have its line with a plausible count.
"""
import re

import pytest

from conftest import BUILDS
from openssl_names import ROOT

CLASSICAL = ("rsa2048", "ecdsap256", "ecdsap384", "ecdsap521", "ecdhp256", "ecdhp384",
             "ecdhx25519", "ecdhx448", "ed25519", "ed448", "ffdh2048")
POST_QUANTUM = ("ML-KEM-768", "X25519MLKEM768", "ML-DSA-65")
# "Doing 256 bits sign ecdsa ops for 1s: 30534 …"; 3.0 says "sign ecdsa's"
LINE = re.compile(r"^Doing (.+?)(?:'s| ops)? for 1s: (\d+) ", re.M)
EXPECTED = {
    "2048 bits private rsa": 1, "2048 bits public rsa": 1, "256 bits sign": 1,
    "256 bits verify": 1, "384 bits sign": 1, "384 bits verify": 1, "521 bits sign": 1,
    "521 bits verify": 1, "256 bits ": 3, "384 bits ": 3, "253 bits sign Ed25519": 1,
    "253 bits verify Ed25519": 1, "253 bits ": 3, "456 bits sign Ed448": 1,
    "456 bits verify Ed448": 1, "448 bits ": 1, "2048 bits  ffdh": 1}


def speed(setup, *names):
    """{operation: count} of one second each, wolfnano alone."""
    done = setup.run("speed", "-seconds", "1", "-provider-path", BUILDS[setup.build],
                     "-provider", "wolfnano", *names, cwd=ROOT,
                     env={"OPENSSL_CONF": "/dev/null"})
    said = done.stderr.decode(errors="replace")
    assert done.returncode == 0, said
    for word in ("failure", "unsupported", "ERROR", "not found"):
        assert word not in said, said
    return {name: int(count) for name, count in LINE.findall(said)}


@pytest.mark.one_build
def test_classical(only):
    counts = speed(only, *CLASSICAL)
    for start, least in EXPECTED.items():
        found = [count for name, count in counts.items() if name.startswith(start)]
        assert len(found) >= least and min(found) > 5, f"{start}: {counts}"


@pytest.mark.one_build
def test_post_quantum(only):
    if not only.at_least("3.5"):
        pytest.skip(f"speed of OpenSSL {only.version} does not know these names")
    counts = speed(only, *POST_QUANTUM)
    assert {name.split()[0] for name in counts} == set(POST_QUANTUM)
    assert len(counts) == 9 and min(counts.values()) > 5, counts
