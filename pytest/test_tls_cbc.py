# SPDX-License-Identifier: GPL-3.0-or-later
"""TLS 1.0 to 1.2 with CBC cipher suites, MAC then encrypt: the records of every
length between wolfnano and the default provider, and one changed on its way."""
import socket
import subprocess
import threading
import time

import pytest

from test_tls import Server, certificate, roles  # noqa: F401 pylint: disable=unused-import

pytestmark = pytest.mark.one_build

SUITES = ("AES128-SHA", "AES256-SHA", "AES128-SHA256", "AES256-SHA256",
          "ECDHE-RSA-AES256-SHA384")
LONGEST = 600        # past every length of padding, and some blocks
APPLICATION_DATA = 23


def versions_of(suite):
    """1.0 and 1.1 know only the first two MACs."""
    return ("-tls1_2", "-tls1_1", "-tls1") if suite.endswith("-SHA") else ("-tls1_2",)


def security(suite):
    return ("-cipher", f"{suite}:@SECLEVEL=0")


class Client:
    """s_client on loopback; say() sends a line and returns the server's."""

    def __init__(self, setup, port, *options):
        self.process = setup.start("s_client", "-quiet", "-connect", f"127.0.0.1:{port}",
                                   *options, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def say(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().rstrip(b"\n")

    def end(self):
        """What it said on standard error before it ended by itself."""
        return self.process.communicate(timeout=60)[1].decode(errors="replace")


def echo_lengths(client, lengths):
    for n in lengths:
        line = bytes(33 + (i * 7 + n) % 90 for i in range(n))
        assert client.say(line) == line[::-1], f"a record of {n + 1} bytes"


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("etm", (False, True), ids=("mte", "etm"))
def test_every_record_length(ours, default, certificate, suite, etm):  # noqa: F811
    cert, key = certificate("rsa")
    extra = () if etm else ("-no_etm",)
    for version in versions_of(suite):
        step = 1 if version == "-tls1_2" and not etm else 29
        for client_setup, host in roles(ours, default)[:2]:
            options = (version, *security(suite), *extra)
            with Server(host, cert, key, *options) as server, \
                    Client(client_setup, server.port, *options) as client:
                echo_lengths(client, range(1, LONGEST, step))


class Tamperer:
    """A wire that changes the last byte of the client's n-th record of data."""

    def __init__(self, port, n):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port, self.n = self.listener.getsockname()[1], n
        self.target = port
        self.threads = [threading.Thread(target=self.run, daemon=True)]
        self.threads[0].start()

    def run(self):
        near, _ = self.listener.accept()
        far = socket.create_connection(("127.0.0.1", self.target))
        threading.Thread(target=self.plain, args=(far, near), daemon=True).start()
        self.records(near, far)

    @staticmethod
    def plain(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def records(self, source, sink):
        stream, seen = source.makefile("rb"), 0
        while len(header := stream.read(5)) == 5:
            body = bytearray(stream.read(int.from_bytes(header[3:], "big")))
            seen += header[0] == APPLICATION_DATA
            if header[0] == APPLICATION_DATA and seen == self.n:
                body[-1] ^= 1
            sink.sendall(header + body)


@pytest.mark.parametrize("suite", SUITES)
def test_tampered_record(ours, default, certificate, suite):  # noqa: F811
    """The last byte is that of the last block: padding and MAC become nonsense."""
    cert, key = certificate("rsa")
    for client_setup, host in roles(ours, default)[:2]:
        options = ("-tls1_2", *security(suite), "-no_etm")
        with Server(host, cert, key, *options) as server:
            # TLS 1.0's empty fragments apart, a line is one record
            wire = Tamperer(server.port, 3)
            with Client(client_setup, wire.port, *options) as client:
                echo_lengths(client, (50, 51))
                client.process.stdin.write(b"x" * 52 + b"\n")
                client.process.stdin.flush()
                end = time.monotonic() + 30
                while client.process.poll() is None and time.monotonic() < end:
                    time.sleep(0.02)
                said = client.end()
        assert "bad record mac" in said, said
