# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters that algorithms say they have (`openssl list -verbose`): every one of the
default provider's, by its name, in each OpenSSL version."""
import re

import pytest

KINDS = ("key-managers", "signature-algorithms", "asymcipher-algorithms",
         "key-exchange-algorithms", "kem-algorithms", "kdf-algorithms")
# (names, list, parameter): a library context's property query does nothing where nothing
# is fetched; the rest the default provider lists, but does not give
NOT_OURS = (("CMAC", "retrievable", "engine"), ("CMAC", "generation", "properties"),
            ("ML-KEM", "generation", "properties"), ("MLKEM", "settable", "properties"),
            (r"ED(25519|448)", "retrievable", "instance"),
            (r"ED(25519|448)", "retrievable", "context-string"))


def listed(setup, kind):
    """{names: {list: parameters}}"""
    found, lists, names = {}, {}, ()
    for line in setup.text("list", f"-{kind}", "-verbose").splitlines():
        if match := re.match(r"(?:  |    IDs: )([^ ].*) @ \w+$", line):
            lists = found.setdefault(frozenset(match[1].strip("{ }").split(", ")), {})
        elif match := re.match(r"    (\S.* parameters):$", line):
            names = lists.setdefault(match[1], set())
        elif match := re.match(r"      (\S+):", line):
            names.add(match[1])
    return found


def excused(names, what, parameter):
    return any(parameter == name and part in what and any(re.search(who, n) for n in names)
               for who, part, name in NOT_OURS)


@pytest.mark.one_build
@pytest.mark.parametrize("kind", KINDS)
def test_all_parameters_of_the_default_provider(only, default, kind):
    ours, theirs, compared = listed(only, kind), listed(default, kind), 0
    for names, lists in theirs.items():
        same = next((mine for other, mine in ours.items() if other & names), None)
        if same is None:
            continue            # test_load.py knows which algorithms there are
        for what, parameters in lists.items():
            lacking = {name for name in parameters - same.get(what, set())
                       if not excused(names, what, name)}
            assert not lacking, f"{sorted(names)}, {what}: {sorted(lacking)}"
            compared += len(parameters)
    assert compared > (0 if kind == "kem-algorithms" else 2)


@pytest.mark.one_build
def test_rsa_primes_modulo_8(only, tmp_path):
    """FIPS 186-5; OpenSSL 4.0 names it."""
    if not only.at_least("4.0"):
        pytest.skip(f"OpenSSL {only.version} has no such options")
    out = only.text("genpkey", "-algorithm", "RSA", "-pkeyopt", "bits:1024", "-pkeyopt",
                    "rsa-a:5", "-pkeyopt", "rsa-b:3", "-text")
    for name, residue in (("prime1", 5), ("prime2", 3)):
        digits = re.search(name + r":\n((?: +[0-9a-f:]+\n)+)", out)[1]
        assert int(re.sub(r"[\s:]", "", digits), 16) % 8 == residue
    only.fails("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa-a:2", reason="invalid data")
