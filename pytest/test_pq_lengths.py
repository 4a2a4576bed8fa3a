# SPDX-License-Identifier: GPL-3.0-or-later
"""Malformed keys, ciphertexts and signatures of the post-quantum algorithms, of every length:
wolfnano does what the default provider of the same OpenSSL does (pq_lengths.py)."""
import re

import pytest

from openssl_names import ROOT

NAMES = ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "X25519MLKEM768", "X448MLKEM1024",
         "SecP256r1MLKEM768", "SecP384r1MLKEM1024", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87",
         *(f"SLH-DSA-{digest}-{size}{kind}" for digest in ("SHA2", "SHAKE")
           for size in (128, 192, 256) for kind in "fs")]


@pytest.mark.parametrize("name", NAMES)
def test_lengths(only, default, name):
    if not only.at_least("3.5"):
        pytest.skip("the default provider knows these from 3.5 on; test/test_*.c tests without it")
    done = only.python(ROOT / "pytest/pq_lengths.py", only.conf, default.conf, name)
    assert done.returncode == 0, done.stderr.decode()
    assert re.fullmatch(rb"\d{4,} comparisons\n", done.stdout), done.stdout.decode()
