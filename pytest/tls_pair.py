# SPDX-License-Identifier: GPL-3.0-or-later
"""Connections between any two setups, many in the same two processes (tls_peer.py)."""
import json
import subprocess

from openssl_names import ROOT


class Peer:
    """A process that is one side of one connection after the other."""

    def __init__(self, setup):
        self.setup = setup
        self.process = setup.start(
            ROOT / "pytest/tls_peer.py", setup.conf, program="/usr/bin/python3",
            env={"LIBCRYPTO": setup.libcrypto, "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __repr__(self):
        return repr(self.setup)

    def ask(self, job):
        self.process.stdin.write(json.dumps(job, default=str) + "\n")
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        assert line, f"{self}: ended with status {self.process.wait()}"
        return json.loads(line)

    def close(self):
        self.process.kill()
        self.process.communicate()


class Peers:
    """One for each setup and role; close() ends them."""

    def __init__(self):
        self.made = {}

    def get(self, setup, role):
        key = setup.version, setup.conf, role
        if key not in self.made:
            self.made[key] = Peer(setup)
        return self.made[key]

    def close(self):
        for peer in self.made.values():
            peer.close()

    def connect(self, client, server, both, to_client=None, to_server=None):
        """(what the client says, what the server says); `both` are options of both."""
        one, other = self.get(client, "client"), self.get(server, "server")
        other.ask({"role": "server", **both, **(to_server or {})})
        ready = other.answer()
        if "port" not in ready:
            return {"error": "no server"}, ready
        one.ask({"role": "client", "port": ready["port"], **both, **(to_client or {})})
        result = one.answer()
        return result, other.answer()

    def connected(self, client, server, both, to_client=None, to_server=None):
        """The same, for a connection that comes about and that both see alike."""
        mine, theirs = self.connect(client, server, both, to_client, to_server)
        where = f"client {client}, server {server}, {both} {to_client} {to_server}"
        assert "error" not in mine and "error" not in theirs, f"{where}: {mine}, {theirs}"
        for name in ("version", "cipher", "resumed", "alpn", "exported", "keylog"):
            assert mine[name] == theirs[name], f"{where}: {name}"
        assert mine["keylog"], where
        return mine, theirs
