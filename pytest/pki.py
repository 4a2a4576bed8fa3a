# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys and certificates that tests have in common, made once a session, by the
default provider: in the machine's own OpenSSL, or 3.5's what it does not have.

    pki.key("p256")     a private key
    pki.cert("p256")    its certificate: self-signed, of a CA, for localhost; those
                        of keys that cannot sign are issued by "p256"
"""
import contextlib
import fcntl

from conftest import Setup
from openssl_names import installations

KEYS = {
    "rsa": ("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"),
    "rsa-pss": ("-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048"),
    "p256": ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"),
    "p384": ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"),
    "ed25519": ("-algorithm", "ED25519"),
    "ed448": ("-algorithm", "ED448"),
    "dhx": ("-algorithm", "DHX", "-pkeyopt", "dh_rfc5114:2"),
    "mldsa44": ("-algorithm", "ML-DSA-44"),
    "mldsa65": ("-algorithm", "ML-DSA-65"),
    "mldsa87": ("-algorithm", "ML-DSA-87"),
    "slhdsa": ("-algorithm", "SLH-DSA-SHAKE-128f"),
    "mlkem512": ("-algorithm", "ML-KEM-512"),
    "mlkem768": ("-algorithm", "ML-KEM-768"),
}
CLASSICAL = ("rsa", "rsa-pss", "p256", "p384", "ed25519", "ed448")
POST_QUANTUM = ("mldsa", "slhdsa", "mlkem")
NOT_SIGNING = ("dhx", "mlkem512", "mlkem768")
CONFIG = """\
[req]
distinguished_name = name
x509_extensions = ca
[name]
[ca]
basicConstraints = CA:TRUE
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = DNS:localhost,IP:127.0.0.1,email:me@example.org
"""


def first_version(kind):
    """Of the OpenSSL whose default provider has keys of this kind."""
    return "3.5" if kind.startswith(POST_QUANTUM) else "3.0"


class Pki:
    """Made by whichever process needs it first; the others wait for that."""

    def __init__(self, folder, conf_folder):
        self.folder, self.conf_folder = folder, conf_folder
        folder.mkdir(exist_ok=True)

    def maker(self, kind):
        version, where = next((version, where) for version, where in installations().items()
                              if version >= first_version(kind))
        return Setup(version, where, "default", None, self.conf_folder)

    @contextlib.contextmanager
    def alone(self):
        with open(self.folder / "lock", "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def config(self):
        path = self.folder / "req.cnf"
        path.write_text(CONFIG)
        return path

    def key(self, kind):
        path = self.folder / f"{kind}.key"
        with self.alone():
            if not path.exists():
                self.maker(kind).out("genpkey", *KEYS[kind], "-out", path)
        return path

    def cert(self, kind):
        path, key = self.folder / f"{kind}.pem", self.key(kind)
        other = (self.cert("p256"), self.key("p256")) if kind in NOT_SIGNING else None
        with self.alone():
            if not path.exists():
                self.make_cert(kind, key, other, path)
        return path

    def make_cert(self, kind, key, issuer, path):
        maker = self.maker(kind)
        common = ("-subj", f"/CN={kind}", "-days", "9", "-out", path)
        if issuer is None:
            maker.out("req", "-x509", "-config", self.config(), "-key", key, *common)
            return
        public = self.folder / f"{kind}.pub"
        maker.out("pkey", "-in", key, "-pubout", "-out", public)
        maker.out("x509", "-new", "-force_pubkey", public, "-CA", issuer[0], "-CAkey",
                  issuer[1], *common)
