# SPDX-License-Identifier: GPL-3.0-or-later
"""s_client, s_server and s_time with wolfnano alone on one side: session files, key
logs, stapled OCSP responses, early data, key update, encrypted client hello."""
import re
import subprocess
import threading
import time

import pytest

from test_tls import Server, connect
from test_x509 import Place

pytestmark = pytest.mark.one_build


def ways(only, default):
    """(client, server)"""
    return (only, default), (default, only)


@pytest.fixture
def credentials(pki):
    return pki.cert("p256"), pki.key("p256")


@pytest.mark.parametrize("tls", ["-tls1_2", "-tls1_3"])
def test_sessions_and_key_logs(only, default, credentials, tls, tmp_path):
    logs = tmp_path / "client.log", tmp_path / "server.log"
    for client, host in ways(only, default):
        for log in logs:
            log.unlink(missing_ok=True)
        with Server(host, *credentials, "-keylogfile", logs[1]) as server:
            session = tmp_path / "session"
            assert "\nNew, " in connect(client, server, tls, "-sess_out", session)
            text = connect(client, server, tls, "-sess_in", session, "-keylogfile", logs[0])
            assert "\nReused, " in text
            mine, theirs = (set(log.read_text().splitlines()[1:]) for log in logs)
            # the server's has both connections
            assert mine and mine < theirs


def talk(client, server, *options, script):
    """What s_client says until its input ends. `script` has pairs (awaited, line): a
    line is typed once the text it awaits has been seen, or the function is true."""
    process = client.start("s_client", "-connect", f"127.0.0.1:{server.port}", *options,
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
    limit = threading.Timer(30, process.kill)
    limit.start()
    seen = b""
    for awaited, line in script:
        while callable(awaited) and not awaited() and process.poll() is None:
            time.sleep(0.02)
        while not callable(awaited) and awaited not in seen \
                and (piece := process.stdout.read1(65536)):
            seen += piece
        process.stdin.write(line)
        process.stdin.flush()
    seen += process.communicate()[0]
    limit.cancel()
    return seen.decode(errors="replace")


def test_early_data(only, default, credentials, tmp_path):
    session, early = tmp_path / "session", tmp_path / "early"
    early.write_bytes(b"first flight")
    for client, host in ways(only, default):
        session.unlink(missing_ok=True)
        # -rev reads no early data, the plain server does
        with Server(host, *credentials, "-early_data", "-num_tickets", "1",
                    reverse=False) as server:
            talk(client, server, "-tls1_3", "-sess_out", session,
                 script=[(lambda: session.exists() and session.stat().st_size, b"")])
            text = talk(client, server, "-tls1_3", "-sess_in", session, "-early_data", early,
                        script=[(b"Early data was", b"")])
        assert "Early data was accepted" in text and "first flight" in server.said


COMMANDS = (("-tls1_3", b"K\n", b"KEYUPDATE"), ("-tls1_3", b"k\n", b"KEYUPDATE"),
            ("-tls1_2", b"R\n", b"RENEGOTIATING"))


def test_key_update_and_renegotiation(only, default, credentials):
    for client, host in ways(only, default):
        for tls, command, answer in COMMANDS:
            with Server(host, *credentials, "-client_renegotiation") as server:
                text = talk(client, server, tls,
                            script=[(b"", b"wolf\n"), (b"flow", command), (answer, b"nano\n"),
                                    (b"onan", b"")])
            assert "onan" in text and answer.decode() in text, text


def test_stapled_ocsp(only, default, pki, tmp_path):
    for i, (client, host) in enumerate(ways(only, default)):
        place = Place(tmp_path / str(i))
        root, leaf, response = (place / name for name in ("ca.pem", "leaf.pem", "response"))
        place.authority(host, "p256", pki.key("p256"))
        place.ca(host, "-in", place.request(host, "rsa", pki.key("rsa")), "-out", leaf)
        host.out("ocsp", "-index", place / "index.txt", "-CA", root, "-rsigner", root, "-rkey",
                 pki.key("p256"), "-issuer", root, "-cert", leaf, "-respout", response,
                 "-ndays", "1", "-noverify")
        for tls in ("-tls1_2", "-tls1_3"):
            with Server(host, leaf, pki.key("rsa"), "-CAfile", root, "-status_file",
                        response) as server:
                text = connect(client, server, tls, "-status", "-CAfile", root)
            assert "OCSP Response Status: successful" in text and "Cert Status: good" in text


def test_s_time(only, default, credentials):
    for client, host in ways(only, default):
        with Server(host, *credentials) as server:
            text = client.text("s_time", "-connect", f"127.0.0.1:{server.port}", "-new", "-time",
                               "1", "-CAfile", credentials[0])
            assert int(re.search(r"^(\d+) connections in", text, re.M)[1]) > 5


def test_encrypted_client_hello(only, default, credentials, pki, tmp_path):
    """HPKE in TLS. The server has another certificate for the hidden name."""
    if not only.at_least("4.0"):
        pytest.skip(f"OpenSSL {only.version} has no ECH")
    config = tmp_path / "ech.pem"
    for client, host in ways(only, default):
        # the KEMs X25519, P-256 and P-521 with AES and ChaCha20
        for suite in ("0x20,1,3", "0x10,1,1", "0x12,3,2"):
            host.out("ech", "-public_name", "example.com", "-suite", suite, "-out", config)
            listed = re.search(r"ECHCONFIG-----\n(.*)-----END", config.read_text(), re.S)[1]
            with Server(host, *credentials, "-servername", "localhost", "-cert2",
                        pki.cert("p384"), "-key2", pki.key("p384"), "-ech_key",
                        config) as server:
                text = connect(client, server, "-servername", "localhost", "-CAfile",
                               pki.cert("p384"), "-ech_config_list", listed.replace("\n", ""))
            assert "ECH: success" in text and "subject=CN=p384" in text
