# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages above 4 GiB, verified by the default provider of 3.5: what the OpenSSL of
test/test_signature_long.c cannot know. wolfCrypt is given them in pieces of 1 GiB, so
one scheme gets all of it, the others a second piece."""
import pytest

from openssl_names import ROOT


@pytest.mark.one_build
@pytest.mark.parametrize("name, gib", [("SLH-DSA-SHA2-128f", 4), ("SLH-DSA-SHAKE-128f", 1),
                                       ("SLH-DSA-SHA2-256f", 1), ("ML-DSA-44", 1)])
def test_long_message(only, default, name, gib, tmp_path):
    if only.version != "3.5":
        pytest.skip("gigabytes: once is enough, and it needs the default provider of 3.5")
    key = tmp_path / "key.der"
    default.out("genpkey", "-algorithm", name, "-outform", "DER", "-out", key)
    done = only.python(ROOT / "pytest/signature_long.py", only.conf, default.conf, key, name,
                       gib)
    assert done.stdout.endswith(b" bytes\n"), done.stderr.decode()
