# SPDX-License-Identifier: GPL-3.0-or-later
"""Ed25519 and Ed448 signatures where the edges are: the default provider's answers, but for
keys of small order (eddsa_edges.py)."""
import re

from openssl_names import ROOT


def test_edges(only, default):
    done = only.python(ROOT / "pytest/eddsa_edges.py", only.conf, default.conf)
    assert done.returncode == 0, done.stderr.decode()
    counts = re.findall(rb"^ED\w+ (\d+) (\d+)$", done.stdout, re.M)
    assert len(counts) == 2 and all(int(count) > 500 and int(good) > 10 for count, good in counts)
