# SPDX-License-Identifier: GPL-3.0-or-later
"""The OpenSSL installations to test with, and the names of their algorithms.

`openssl list` prints an algorithm's names of one provider on one line. Two
names mean the same algorithm if the default or legacy provider lists them
together; so a name that wolfnano forgot is still taken to be its business.
"""
import functools
import os
import re
import subprocess
from pathlib import Path

import evp_stanzas

ROOT = Path(__file__).resolve().parent.parent
RUN = str(ROOT / "scripts/run-openssl")

LISTS = {
    "digest": "-digest-algorithms", "cipher": "-cipher-algorithms", "mac": "-mac-algorithms",
    "kdf": "-kdf-algorithms", "rand": "-random-generators", "keymgmt": "-key-managers",
    "signature": "-signature-algorithms", "keyexch": "-key-exchange-algorithms",
    "asymcipher": "-asymcipher-algorithms", "kem": "-kem-algorithms",
}

def clean_environment(**more):
    """Nothing of the caller's that could change what OpenSSL does."""
    kept = {name: os.environ[name] for name in
            ("PATH", "HOME", "LANG", "TMPDIR", "WOLFNANO_CACHE", "XDG_CACHE_HOME")
            if name in os.environ}
    return {**kept, **more}


@functools.lru_cache
def command(where, program="openssl", preload=""):
    """(environment, [word, ...]) with which scripts/run-openssl runs a program. Asked
    once: starting the script takes as long as starting openssl."""
    more = {"RUN_OPENSSL_PRELOAD": preload} if preload else {}
    done = subprocess.run([RUN, "--show", where, program], env=clean_environment(**more),
                          capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    env = dict(line.split("=", 1) for line in lines if line.startswith("OPENSSL_"))
    return env, lines[len(env):]


@functools.lru_cache
def installations():
    """"host" or a sysroot's folder, by version ("3.5"), the host's first."""
    host = subprocess.run(["openssl", "version"], capture_output=True, text=True, check=True,
                          env=clean_environment())
    found = {host.stdout.split()[1][:3]: "host"}
    listed = subprocess.run([ROOT / "scripts/sysroot", "--list"], capture_output=True,
                            text=True, check=True)
    for line in listed.stdout.splitlines():
        version, folder = line.split(" ", 1)
        found.setdefault(version, folder)
    return found


def openssl(where, *arguments, module=None, env=None, **options):
    """subprocess.run of the openssl program of installation `where`, with the
    module's folder as provider path."""
    more = {"OPENSSL_MODULES": str(Path(module).parent)} if module else {}
    base, words = command(where)
    return subprocess.run([*words, *map(str, arguments)],
                          env=clean_environment(**{**base, **more, **(env or {})}),
                          **{"capture_output": True, "timeout": 300, **options}, check=False)


@functools.lru_cache
def served_curves():
    """OIDs of the curves of the key type EC that wolfnano has, from its own list."""
    text = (ROOT / "algs/ec_curves.def").read_text()
    names = re.findall(r'^WN_EC_CURVE\(\w+, \d+, "([^":]+)', text, re.M)
    encoded = [openssl("host", "ecparam", "-name", name, "-outform", "DER").stdout
               for name in names]
    return {evp_stanzas.oid_text(der[2:]) for der in encoded if der}


def listing(where, operation, *providers, module=None):
    """[[name, alias, ...], ...] as the providers list them."""
    arguments = [word for name in providers for word in ("-provider", name)]
    if module:
        arguments = ["-provider-path", str(Path(module).parent), *arguments]
    done = openssl(where, "list", *arguments, LISTS[operation], text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    lines = re.findall(r"^\s+(?:IDs: )?\{? ?(.*?)(?: \})? @ (?:\S+)$", done.stdout, re.M)
    return [line.split(", ") for line in lines]


class Names:
    """What wolfnano serves in OpenSSL `version`, and who else knows a name."""

    def __init__(self, version, module):
        where = installations()[version[:3]]
        self.theirs, self.ours = {}, {}
        for operation in LISTS:
            self.theirs[operation] = listing(where, operation, "default", "legacy")
            self.ours[operation] = listing(where, operation, "wolfnano", module=module)

    def group(self, groups, name):
        for group in groups:
            if name.upper() in map(str.upper, group):
                return group
        return []

    def aliases(self, operation, name):
        known = self.group(self.theirs[operation], name)
        return known or self.group(self.ours[operation], name)

    def known(self, operation, name):
        return bool(self.aliases(operation, name))

    def served(self, operation, name):
        return any(self.group(self.ours[operation], alias)
                   for alias in self.aliases(operation, name))

    def canonical(self, operation, name):
        named = [a for a in self.aliases(operation, name) if not a[0].isdigit()]
        return named[0] if named else name

    def first(self, operation, name):
        """A name by which wolfnano itself lists the algorithm."""
        for alias in [name, *self.aliases(operation, name)]:
            if self.group(self.ours[operation], alias):
                return alias
        return name
