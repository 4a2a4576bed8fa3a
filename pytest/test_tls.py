# SPDX-License-Identifier: GPL-3.0-or-later
"""s_client and s_server with certificates of every kind, wolfnano preferred or alone on
one side. What else TLS has is in test_tls_features.py."""
import socket
import subprocess
import tempfile
import time

import pytest

from pki import CLASSICAL

pytestmark = pytest.mark.one_build      # what differs between them is tested without TLS

CERTIFICATES = (*CLASSICAL, "mldsa65")


@pytest.fixture(scope="session")
def certificate(pki):
    """kind -> (certificate, key)"""
    return lambda kind: (pki.cert(kind), pki.key(kind))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """openssl s_server on loopback, that sends back what it gets, reversed. `said` is
    what it printed, after its end."""

    def __init__(self, setup, cert, key, *options, reverse=True):
        self.setup, self.port, self.said = setup, free_port(), ""
        self.log = tempfile.TemporaryFile()     # a pipe would fill up
        self.process = setup.start(
            "s_server", "-accept", f"127.0.0.1:{self.port}", "-cert", cert, "-key", key,
            *(["-rev"] if reverse else []), *options, stdin=subprocess.PIPE,
            stdout=self.log, stderr=subprocess.STDOUT)

    def __enter__(self):
        for _ in range(600):
            if self.process.poll() is not None:
                break
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.05)
        self.__exit__()
        return pytest.fail(f"no server: {self.said}")

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        self.log.seek(0)
        self.said = self.log.read().decode(errors="replace")
        self.log.close()


def connect(client, server, *options):
    """What s_client prints; the echo of a line proves the records."""
    process = client.start("s_client", "-connect", f"127.0.0.1:{server.port}", *options,
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
    process.stdin.write(b"wolfnano\n")
    process.stdin.flush()
    seen, end = b"", time.monotonic() + 60
    while b"onanflow" not in seen and time.monotonic() < end:
        piece = process.stdout.read1(65536)
        if not piece:
            break
        seen += piece
    process.kill()
    seen += process.communicate()[0]
    text = seen.decode(errors="replace")
    assert "onanflow" in text, f"client {client}, server {server.setup}:\n{text}"
    return text


def roles(ours, default):
    return ((ours, default), (default, ours), (ours, ours))


@pytest.mark.parametrize("kind", CERTIFICATES)
def test_certificates(ours, default, certificate, kind):
    if kind == "mldsa65" and not ours.at_least("3.5"):
        pytest.skip(f"OpenSSL {ours.version} knows no ML-DSA certificates")
    cert, key = certificate(kind)
    versions = ("-tls1_3",) if kind == "mldsa65" else ("-tls1_3", "-tls1_2")
    for version in versions:
        for client, host in roles(ours, default):
            with Server(host, cert, key) as server:
                text = connect(client, server, version, "-CAfile", cert)
            assert "Verify return code: 0 (ok)" in text
