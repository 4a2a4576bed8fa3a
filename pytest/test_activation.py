# SPDX-License-Identifier: GPL-3.0-or-later
"""Activated by configuration, as the default choice or as the only provider:
nothing hangs, recurses or ends badly, whatever a process does first."""
import subprocess

import pytest

from openssl_names import ROOT

FIRST_CALLS = {
    "rand": ("rand", "-hex", "16"),
    "list": ("list", "-providers"),
    "digest": ("dgst", "-sha256"),
    "cipher": ("enc", "-aes-256-cbc", "-K", "00" * 32, "-iv", "00" * 16),
    "rsa": ("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"),
}


@pytest.mark.parametrize("first", FIRST_CALLS)
def test_first_call_of_a_process(prefer, first):
    """The default provider's DRBG fetches AES by the default properties, that is
    from wolfnano: which therefore must not draw random bytes to set it up."""
    done = prefer.run(*FIRST_CALLS[first], input=b"abc", timeout=60)
    assert done.returncode == 0 and b"error" not in done.stderr.lower(), done.stderr.decode()


def test_random_bytes_differ(ours):
    drawn = {ours.text("rand", "-hex", "32") for _ in range(3)}
    assert len(drawn) == 3 and all(len(line) == 65 for line in drawn)


def test_random_bytes_come_from_wolfnano(only):
    """With all generators blocked there are none."""
    names = "CTR-DRBG, HASH-DRBG, HMAC-DRBG, SEED-SRC"
    done = only.with_options(block=names).run("rand", "-hex", "16", timeout=60)
    assert done.returncode != 0 and done.stdout == b""


def run_process(setup, *arguments):
    done = setup.python(ROOT / "pytest/process.py", *arguments, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr == b""
    return done.stdout.decode()


# The steps of process.py, each in a fresh process with this configuration.
STEPS = ("threads", "fork", "fork-after-use", "exit-without-cleanup", "objects-outlive-context",
         "threads-at-exit", "reload", "two-contexts")


@pytest.mark.parametrize("step", STEPS)
def test_process(ours, step):
    assert run_process(ours, step, ours.conf).endswith("done\n")


def python(setup, code):
    """Debian's python3 with this configuration, on the machine's own OpenSSL."""
    return subprocess.run(["/usr/bin/python3", "-c", code], env=setup.environment(),
                          capture_output=True, timeout=120, check=False)


HASHLIB = """
import hashlib, hmac
for name in hashlib.algorithms_guaranteed:
    size = {"length": 20} if name.startswith("shake") else {}
    assert hashlib.new(name, b"abc").hexdigest(**size)
assert hmac.new(b"key", b"abc", "sha256").hexdigest()
print(hashlib.sha256(b"abc").hexdigest(), hashlib.shake_128(b"abc").hexdigest(8))
"""


def test_python_hashlib(ours):
    """CPython refuses to import hashlib in part; SHAKE is what others lacked."""
    if ours.where != "host":
        # its _hashlib and _ssl would run against a sysroot's other libc and SONAME
        pytest.skip("Debian's python3 is linked to the machine's own libcrypto")
    done = python(ours, HASHLIB)
    assert done.returncode == 0 and done.stderr == b"", done.stderr.decode()
    assert done.stdout.decode().startswith("ba7816bf8f01cfea414140de5dae2223b00361a3")


def test_python_ssl(prefer):
    if prefer.where != "host":
        # its _hashlib and _ssl would run against a sysroot's other libc and SONAME
        pytest.skip("Debian's python3 is linked to the machine's own libcrypto")
    done = python(prefer, "import ssl; assert len(ssl.RAND_bytes(20)) == 20;"
                          "ssl.create_default_context()")
    assert done.returncode == 0 and done.stderr == b"", done.stderr.decode()
