# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of this machine, which use its OpenSSL, with nothing but OPENSSL_CONF:
Python, curl, and OpenSSH where its server is at hand."""
import getpass
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from conftest import Setup, wanted_builds, wanted_versions
from openssl_names import ROOT, installations
from test_tls import Server, free_port

CACHE = Path(os.environ.get("WOLFNANO_CACHE") or Path(os.environ.get(
    "XDG_CACHE_HOME", Path.home() / ".cache")) / "wolfnano")


@pytest.fixture(params=["only", "prefer"])
def host(request, conf_folder):
    """wolfnano in the machine's own OpenSSL."""
    version, where = next(iter(installations().items()))
    setup = Setup(version, where, request.param, wanted_builds(request.config)[0], conf_folder)
    if version not in wanted_versions(request.config) or not setup.module.exists():
        pytest.skip("the machine's own OpenSSL is not asked for, or wolfnano not built")
    return setup


@pytest.fixture
def plain(conf_folder):
    version, where = next(iter(installations().items()))
    return Setup(version, where, "default", None, conf_folder)


@pytest.mark.parametrize("kind", ["rsa", "p384", "ed25519"])
def test_python(host, plain, pki, kind):
    arguments = (ROOT / "pytest/application.py", pki.cert(kind), pki.key(kind))
    mine, theirs = (setup.text(*arguments, program="/usr/bin/python3").splitlines()
                    for setup in (host, plain))
    assert mine[0] == theirs[0]
    assert (mine[1], theirs[1]) == ("wolfnano", "default")


@pytest.mark.parametrize("kind", ["rsa", "p256"])
def test_curl(host, plain, pki, kind):
    curl = shutil.which("curl")
    if curl is None:
        # an application, not a tool that tests need: scripts/setup does not install it
        pytest.skip("curl is not installed")
    for client, server in ((host, plain), (plain, host)):
        with Server(server, pki.cert(kind), pki.key(kind), "-www", reverse=False) as web:
            for tls in ("1.2", "1.3"):
                text = client.text("-s", "--cacert", pki.cert(kind), "--tls-max", tls,
                                   "-w", "%{ssl_verify_result} %{http_code}",
                                   f"https://localhost:{web.port}/", program=curl)
                assert text.endswith("0 200") and f"TLSv{tls}" in text
            done = client.run("-s", "--cacert", pki.cert("p384"),
                              f"https://localhost:{web.port}/", program=curl)
            assert done.returncode == 60        # the certificate is not trusted
    # without verification of these signatures nothing is fetched
    blocked = host.with_options(block="RSA" if kind == "rsa" else "ECDSA")
    with Server(plain, pki.cert(kind), pki.key(kind), "-www", reverse=False) as web:
        done = blocked.run("-s", "-k", f"https://localhost:{web.port}/", program=curl)
        assert done.returncode == 35 and done.stdout == b""


def find_sshd():
    """Installed, or a package that was unpacked into the cache for this."""
    sshd = shutil.which("sshd", path=f"/usr/sbin:{CACHE}/openssh/usr/sbin")
    if sshd is None or shutil.which("ssh") is None:
        pytest.skip(f"no OpenSSH server (Debian: openssh-server and libwrap0, installed, or "
                    f"unpacked into {CACHE}/openssh with dpkg -x)")
    if os.geteuid() == 0 and subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none",
                                             "/mnt"], check=False, capture_output=True).returncode:
        pytest.skip("root may not mount here, which its sshd needs (see AS_ROOT)")
    return sshd


# As root sshd wants a user and a folder of its own: they are there in a mount
# namespace, which ends with it.
AS_ROOT = """
mount -t tmpfs none /run && mkdir /run/sshd
cp /etc/passwd "$1/passwd" && echo "sshd:x:65533:65534::/run/sshd:/bin/false" >> "$1/passwd"
mount --bind "$1/passwd" /etc/passwd
shift
exec "$@"
"""
# type of key: [(cipher, MAC, key exchange)]
SSH = {
    "rsa": [("aes128-gcm@openssh.com", "", "curve25519-sha256"),
            ("chacha20-poly1305@openssh.com", "", "ecdh-sha2-nistp256"),
            ("aes256-ctr", "hmac-sha2-256-etm@openssh.com", "diffie-hellman-group14-sha256"),
            ("aes128-cbc", "hmac-sha1", "diffie-hellman-group-exchange-sha256")],
    "ecdsa": [("aes256-gcm@openssh.com", "", "ecdh-sha2-nistp521")],
    "ed25519": [("aes128-ctr", "hmac-sha2-512", "sntrup761x25519-sha512@openssh.com")],
}


class Sshd:
    """A server on loopback that logs the caller in with the key id_TYPE in `folder`."""

    def __init__(self, setup, sshd, folder, key):
        self.folder, self.key, self.port = folder, folder / f"id_{key}", free_port()
        conf = folder / "sshd_config"
        conf.write_text(
            f"HostKey {self.key}\nAuthorizedKeysFile {self.key}.pub\nStrictModes no\n"
            "PidFile none\nPermitRootLogin yes\nCiphers +aes128-cbc\n"
            f"ListenAddress 127.0.0.1:{self.port}\n"
            "ForceCommand cat\n")
        words = [sshd, "-D", "-e", "-f", conf]
        if os.geteuid() == 0:
            words = ["unshare", "-m", "sh", "-c", AS_ROOT, "sh", folder, *words]
        self.log = open(folder / "log", "wb")
        library = Path(sshd).parents[1] / "lib/x86_64-linux-gnu"
        self.process = subprocess.Popen(
            words, stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL,
            env=setup.environment(**({"LD_LIBRARY_PATH": str(library)}
                                     if str(sshd).startswith(str(CACHE)) else {})))

    def __enter__(self):
        for _ in range(400):
            if b"Server listening" in (self.folder / "log").read_bytes():
                return self
            time.sleep(0.02)
        return pytest.fail((self.folder / "log").read_text())

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate()
        self.log.close()

    def cat(self, client, data, *options):
        """What comes back through ssh."""
        done = client.run(
            "-F", "none", "-p", str(self.port), "-i", self.key, "-o", "IdentitiesOnly=yes",
            "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o",
            "RekeyLimit=600K", *options, f"{getpass.getuser()}@127.0.0.1", program="ssh",
            input=data, timeout=60)
        assert done.returncode == 0, done.stderr.decode() + (self.folder / "log").read_text()
        return done.stdout


@pytest.mark.parametrize("host", ["only"], indirect=True)
@pytest.mark.parametrize("key", SSH)
def test_ssh(host, plain, key, tmp_path):
    """In both roles, and past a change of keys."""
    sshd, data = find_sshd(), os.urandom(900000)
    subprocess.run(["ssh-keygen", "-q", "-t", key, "-N", "", "-f", tmp_path / f"id_{key}"],
                   check=True, env=host.environment())
    for client, server in ((host, plain), (plain, host)):
        with Sshd(server, sshd, tmp_path, key) as near:
            for cipher, mac, exchange in SSH[key]:
                options = ("-c", cipher, *(("-m", mac) if mac else ()))
                assert near.cat(client, data, *options, "-o",
                                f"KexAlgorithms={exchange}") == data
