# SPDX-License-Identifier: GPL-3.0-or-later
"""The one module loads into every OpenSSL, says what it is, and lists its
algorithms under exactly the names that the default provider gives them."""
import re

import pytest

from conftest import cpu_levels
from openssl_names import LISTS, ROOT, listing


def info(setup):
    """name -> value of the provider wolfnano, as `openssl list` shows it."""
    done = setup.run("list", "-providers", "-verbose")
    assert done.returncode == 0 and done.stderr == b"", done.stderr.decode()
    text = done.stdout.decode()
    assert "\n  wolfnano\n" in text, text
    block = text.split("\n  wolfnano\n")[1]
    return dict(re.findall(r"^    ([a-z ]+): (.+)$", block, re.M))


def test_says_what_it_is(ours):
    shown = info(ours)
    assert shown["name"] == "wolfnano"
    assert shown["status"] == "active"
    version = re.search(r"project\(wolfnano VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    assert shown["version"] == version[1]
    assert shown["build info"].startswith("wolfSSL 5.9.2, ")
    assert ("portable C" in shown["build info"]) == (ours.build == "none")


def test_loads_without_a_configuration(only):
    """Found by its folder and name, as `openssl speed -provider wolfnano` does."""
    text = only.text("list", "-providers", "-provider-path", only.module.parent,
                     "-provider", "wolfnano", env={"OPENSSL_CONF": "/dev/null"})
    assert re.search(r"wolfnano\n    name: wolfnano\n.*    status: active", text, re.S), text


def test_runs_the_version_it_claims_to(ours):
    """Not the machine's own library in a newer program."""
    text = ours.text("version", "-v")
    assert re.search(rf"Library: OpenSSL {re.escape(ours.version)}\.", text), text


@pytest.mark.parametrize("operation", LISTS)
def test_names_are_those_of_the_default_provider(only, operation):
    known = [set(names) for names in listing(only.where, operation, "default")]
    for names in listing(only.where, operation, "wolfnano", module=only.module):
        same = [group for group in known if group & set(names)]
        # one that this version's default provider has not yet is free to differ
        assert not same or same == [set(names)], f"{only}: {names} here, {same} there"


def test_lists_something_of_every_kind(only):
    for operation in ("digest", "cipher", "mac", "rand"):
        assert listing(only.where, operation, "wolfnano", module=only.module), operation


def test_property_query_chooses_the_provider(prefer, only):
    for query in ("provider=wolfnano", "?provider=wolfnano", "provider=default"):
        assert prefer.out("dgst", "-propquery", query, "-sha256", input=b"abc")
    assert only.out("dgst", "-propquery", "provider=wolfnano", "-sha256", input=b"abc")
    for query in ("provider=default", "fips=yes"):
        only.fails("dgst", "-propquery", query, "-sha256", input=b"abc",
                   reason="unsupported")


def test_blocked_algorithm_fails(ours):
    """So a result that comes out right came from wolfnano."""
    blocked = ours.with_options(block="SHA2-256")
    assert ours.out("dgst", "-sha256", input=b"abc")
    blocked.fails("dgst", "-sha256", input=b"abc", reason="blocked by configuration")
    assert blocked.out("dgst", "-sha512", input=b"abc") == ours.out("dgst", "-sha512",
                                                                  input=b"abc")


def test_left_out_algorithm_is_served_by_others(prefer, only):
    query = ("dgst", "-propquery", "provider=wolfnano", "-sha256")
    without = prefer.with_options(without="SHA2-256")
    assert without.out("dgst", "-sha256", input=b"abc") == prefer.out("dgst", "-sha256",
                                                                      input=b"abc")
    without.fails(*query, input=b"abc", reason="unsupported")
    only.with_options(without="SHA256").fails("dgst", "-sha256", input=b"abc",
                                              reason="unsupported")


def test_left_out_families(only):
    """A word with an asterisk; each kind of algorithm has the name."""
    kinds = ("list", "-signature-algorithms", "-key-managers", "-decoders")

    def names(setup):
        lines = re.findall(r"^.* @ wolfnano.*$", setup.text(*kinds), re.M)
        return set(re.findall(r"[\w-]+", " ".join(lines)))

    there, left = names(only), names(only.with_options(without="slh-DSA-*, ED448*"))
    for name in ("SLH-DSA-SHA2-128s", "SLH-DSA-SHAKE-256f", "ED448"):
        assert name in there and name not in left
    assert {"ED25519", "X448", "ML-DSA-65"} <= there & left
    blocked = only.with_options(block="SHA2-2*")
    blocked.fails("dgst", "-sha224", input=b"abc", reason="blocked by configuration")
    assert blocked.out("dgst", "-sha384", input=b"abc")


def test_bad_option_stops_the_load(only, tmp_path):
    """libcrypto passes over what a configuration cannot activate, so the module
    is loaded by name here, with the options of its section."""
    text = only.with_options(cpu="-avx -nonsense").conf_text()
    head, section = text.split("[wolfnano_section]\nactivate = 1\n")
    conf = tmp_path / "bad.cnf"
    conf.write_text(f"{head}[wolfnano_section]\n{section}")
    only.fails("list", "-providers", "-provider", "wolfnano", env={"OPENSSL_CONF": str(conf)},
               reason="cpu = -avx -nonsense")


def test_masked_features_are_not_in_use(only):
    if only.build == "none":
        assert only.with_options(cpu="-avx2").out("list", "-providers")
        return
    full = info(only)["build info"].split("cpu: ")[1].split()
    for level, mask in cpu_levels().items():
        shown = info(only.with_options(cpu=f'"{mask}"'))["build info"].split("cpu: ")[1].split()
        if mask == "none":
            assert shown == ["portable", "C"]
            continue
        left_out = {word[1:] for word in mask.split()}
        assert not left_out & set(shown), level
        assert set(shown) < set(full) or not left_out & set(full), level
