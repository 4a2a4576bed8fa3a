# SPDX-License-Identifier: GPL-3.0-or-later
"""Random numbers of the openssl program with nothing but wolfnano, in every way
that a configuration can ask for them."""
import math
import re

import pytest


def bare(setup, command, *words, **options):
    """Without a configuration: wolfnano and no other provider, from the command line."""
    return setup.out(command, "-provider-path", setup.module.parent, "-provider", "wolfnano",
                     *words, env={"OPENSSL_CONF": "/dev/null"}, **options)


def test_wolfnano_is_enough(only):
    first = bare(only, "rand", "-hex", 16).strip()
    assert re.fullmatch(rb"[0-9a-f]{32}", first)
    assert first != bare(only, "rand", "-hex", 16).strip()


def test_first_call_makes_a_key(only):
    assert b"PRIVATE KEY" in only.out("genpkey", "-algorithm", "EC", "-pkeyopt",
                                      "ec_paramgen_curve:P-256")


def test_looks_random(ours):
    octets = ours.out("rand", 1 << 20)
    assert len(octets) == 1 << 20
    expected = len(octets) / 256
    chi = sum((octets.count(value) - expected) ** 2 for value in range(256)) / expected
    # 255 degrees of freedom: a mean of 255, a deviation of the root of 510
    assert abs(chi - 255) < 6 * math.sqrt(510)


@pytest.mark.parametrize("size", [1, 15, 16, 17, 65536, 65537, 200001])
def test_sizes(only, size):
    assert len(only.out("rand", size)) == size


def test_instances_are_ours(ours):
    if not ours.at_least("3.5"):
        listed = ours.text("list", "-random-generators")
    else:
        listed = ours.text("list", "-random-instances", "-verbose")
        for role in ("primary", "public", "private"):
            assert re.search(rf"^{role}:\s+CTR-DRBG\s+@\s+wolfnano", listed, re.M), listed
        return
    for name in ("CTR-DRBG", "HASH-DRBG", "HMAC-DRBG", "SEED-SRC", "TEST-RAND"):
        assert re.search(rf"{name} @ wolfnano", listed), listed


CONFIGURED = {
    "ctr": ("random = CTR-DRBG", "cipher = AES-128-CTR"),
    "hash": ("random = HASH-DRBG", "digest = SHA512"),
    "hmac": ("random = HMAC-DRBG", "digest = SHA256"),
    "seed": ("random = CTR-DRBG", "seed = SEED-SRC"),
    "properties": ("random = HASH-DRBG", "digest = SHA256", "properties = provider=wolfnano"),
}


@pytest.mark.parametrize("name", CONFIGURED)
def test_configured(ours, name, tmp_path):
    conf = tmp_path / "random.cnf"
    text = ours.conf_text().replace("[init]\n", "[init]\nrandom = random_section\n", 1)
    conf.write_text(text + "[random_section]\n" + "\n".join(CONFIGURED[name]) + "\n")
    env = {"OPENSSL_CONF": str(conf)}
    assert ours.out("rand", 32, env=env) != ours.out("rand", 32, env=env)


def test_configured_badly(only, tmp_path):
    """A generator that cannot be: an error, no fall-back to something else."""
    conf = tmp_path / "random.cnf"
    text = only.conf_text().replace("[init]\n", "[init]\nrandom = random_section\n", 1)
    conf.write_text(text + "[random_section]\nrandom = HASH-DRBG\ndigest = NO-SUCH\n")
    assert only.run("rand", 32, env={"OPENSSL_CONF": str(conf)}).returncode != 0


def test_speed_alone(only):
    """openssl speed draws random keys before it measures anything."""
    for words in (("-evp", "aes-256-gcm"), ("rand",)):
        report = bare(only, "speed", "-seconds", 1, "-bytes", 1024, "-mr", *words)
        assert re.search(rb"^\+F:", report, re.M), report
