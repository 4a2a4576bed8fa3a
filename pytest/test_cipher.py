# SPDX-License-Identifier: GPL-3.0-or-later
"""openssl enc with the ciphers that are no AEADs, in every OpenSSL version."""
import hashlib

import pytest

KEY = hashlib.sha512(b"key").hexdigest()
IV = hashlib.sha256(b"iv").hexdigest()
# name: bytes of key and of IV; a few of each kind, the C tests have them all
CIPHERS = {f"AES-{bits}-{mode}": (bits // 8, 0 if mode == "ECB" else 16)
           for bits, mode in ((128, "ECB"), (128, "CBC"), (256, "CBC"), (256, "CTR"), (128, "OFB"), (256, "CFB"),
                              (192, "CFB8"), (128, "CFB1"))}
CIPHERS.update({"DES-EDE3-CBC": (24, 8), "DES-EDE3-CFB1": (24, 8), "DES-EDE-CBC": (16, 8)})
TEXT = hashlib.shake_256(b"text").digest(5003)


def arguments(name):
    key, iv = CIPHERS[name]
    return ("enc", f"-{name.lower()}", "-K", KEY[:2 * key], *(("-iv", IV[:2 * iv]) if iv else ()))


@pytest.mark.parametrize("name", CIPHERS)
def test_enc(ours, default, name):
    text = TEXT[:1003] if name.endswith("CFB1") else TEXT
    made = ours.out(*arguments(name), input=text)
    assert made == default.out(*arguments(name), input=text)
    assert ours.out(*arguments(name), "-d", input=made) == text


def test_blocked_cipher_fails(ours):
    """What shows that it is wolfnano that serves in test_enc."""
    ours.with_options(block="AES-256-CBC").fails(
        *arguments("AES-256-CBC"), input=TEXT, reason="blocked by configuration")


def test_wrong_padding(ours):
    made = ours.out(*arguments("AES-128-CBC"), input=b"x" * 20)
    ours.fails(*arguments("AES-128-CBC"), "-d", input=made[:16], reason="bad decrypt")
    ours.fails(*arguments("AES-128-CBC"), "-d", input=made[:17],
               reason="wrong final block length")


def test_opaque_key(ours, default):
    """EVP_SKEY, an option of enc from 3.5 on."""
    if not ours.at_least("3.5"):
        pytest.skip(f"OpenSSL {ours.version} has no EVP_SKEY")
    key = ("enc", "-aes-256-ctr", "-iv", IV[:32], "-skeymgmt", "AES",
           "-skeyopt", f"hexraw-bytes:{KEY[:64]}")
    made = ours.out(*key, input=TEXT)
    assert made == default.out(*arguments("AES-256-CTR"), input=TEXT)
    # blocking the key type shows that the key was wolfnano's
    ours.with_options(block="AES").fails(*key, input=TEXT, reason="blocked by configuration")
