# SPDX-License-Identifier: GPL-3.0-or-later
"""README's post-quantum TLS: conf/nginx-pq.conf on the machine's nginx and OpenSSL."""
import os
import shutil
import signal
import subprocess
import time

import pytest

from conftest import Setup
from openssl_names import ROOT, installations
from test_tls import free_port

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


@pytest.fixture(scope="module")
def server(tmp_path_factory, conf_folder):
    """Its port. The configuration is the one that README names, with another port."""
    if NGINX is None:
        pytest.skip("nginx is not installed (Debian: apt install nginx-light)")
    folder = tmp_path_factory.mktemp("nginx")
    version, where = next(iter(installations().items()))
    host = Setup(version, where, "prefer", "release", conf_folder)
    if not host.module.exists():
        pytest.skip("the release build is not built")
    port = free_port()
    for name in ("conf", "build"):
        (folder / name).mkdir()
    text = (ROOT / "conf/nginx-pq.conf").read_text()
    assert text.count(":8443") == 1
    (folder / "conf/nginx-pq.conf").write_text(text.replace(":8443", f":{port}"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost", "-keyout",
                    "build/key.pem", "-out", "build/cert.pem"], cwd=folder, check=True,
                   capture_output=True)
    done = subprocess.run([NGINX, "-p", folder / "build", "-c", "../conf/nginx-pq.conf"],
                          env=host.environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    yield port
    pid = int((folder / "build/nginx.pid").read_text())
    os.kill(pid, signal.SIGTERM)
    for _ in range(100):
        if not (folder / "build/nginx.pid").exists():
            break
        time.sleep(0.05)


def connect(setup, port, *options):
    return setup.run("s_client", "-connect", f"127.0.0.1:{port}", *options,
                     stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("newer", ["3.5", "3.6", "4.0"])
def test_others_agree_on_it(server, newer, conf_folder):
    """OpenSSL's default provider, which prefers this group and which knows its name."""
    if newer not in installations():
        pytest.skip(f"OpenSSL {newer} is not installed (see scripts/sysroot)")
    client = Setup(newer, installations()[newer], "default", None, conf_folder)
    done = connect(client, server)
    assert b"Negotiated TLS1.3 group: X25519MLKEM768\n" in done.stdout
    # plain X25519 for those who have nothing else; what is not configured, never
    assert b"X25519, 253 bits" in connect(client, server, "-groups", "X25519").stdout
    assert b"handshake failure" in connect(client, server, "-groups", "P-256").stderr


def test_debian_12_agrees_on_it(server, conf_folder):
    version, where = next(iter(installations().items()))
    client = Setup(version, where, "prefer", "release", conf_folder)
    done = connect(client, server, "-brief", "-groups", "X25519MLKEM768")
    assert b"CONNECTION ESTABLISHED" in done.stderr and b"TLSv1.3" in done.stderr


def test_speaks_http(server, conf_folder):
    """Several requests, so that both of a worker's directions are used."""
    version, where = next(iter(installations().items()))
    client = Setup(version, where, "prefer", "release", conf_folder)
    done = client.run("s_client", "-quiet", "-connect", f"127.0.0.1:{server}",
                      input=b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert done.stdout.count(b"post-quantum TLS\n") == 2
