# SPDX-License-Identifier: GPL-3.0-or-later
"""AEAD ciphers and ChaCha20 through libcrypto of every OpenSSL version.

The openssl program has no command for an AEAD cipher but `speed`, so most of this
goes through aead_exchange.py, which runs inside each OpenSSL.
"""
import os
import re

import pytest

from openssl_names import ROOT

AEADS = ("AES-128-GCM", "AES-192-GCM", "AES-256-GCM", "AES-128-CCM", "AES-192-CCM",
         "AES-256-CCM", "ChaCha20-Poly1305")


def test_chacha20_file(ours, default):
    data = os.urandom(100_003)
    key = ("-K", os.urandom(32).hex(), "-iv", "f0ffffff" + os.urandom(12).hex())
    sealed = ours.out("enc", "-chacha20", *key, input=data)
    assert sealed == default.out("enc", "-chacha20", *key, input=data)
    assert ours.out("enc", "-d", "-chacha20", *key, input=sealed) == data


def test_chacha20_control(ours):
    """wolfnano is what works in test_chacha20_file."""
    blocked = ours.with_options(block="ChaCha20")
    blocked.fails("enc", "-chacha20", "-K", "00" * 32, "-iv", "00" * 16, input=b"x",
                  reason="blocked")


@pytest.mark.parametrize("name", ["aes-256-gcm", "aes-128-ccm", "chacha20-poly1305"])
def test_speed(only, name):
    """openssl speed with no other provider."""
    out = only.text("speed", "-evp", name, "-bytes", "1024", "-seconds", "1", "-mr")
    assert float(re.search(r"\+F:\d+:[^:]+:([\d.]+)", out)[1]) > 1e6


@pytest.mark.parametrize("name", AEADS)
def test_exchange(only, default, name):
    """Messages of random shape, each provider opening what the other sealed."""
    done = only.python(ROOT / "pytest/aead_exchange.py", only.conf, default.conf, name, 60)
    assert done.stdout == b"60 messages\n", done.stderr.decode()
