# SPDX-License-Identifier: GPL-3.0-or-later
"""One openssl program and how to start it.

Three kinds of target: a program of the running system, a program with its
libraries beside it (a prefix such as /opt/openssl), and an unpacked sysroot of
another distribution release. A sysroot's program must be started through the
sysroot's own dynamic loader, because the host's libc may be older, and with
OPENSSL_CONF and OPENSSL_MODULES set, because the paths compiled into it name
the host's files. Nothing is taken on trust: the version that the program and
its library report is read back.
"""
import glob
import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass, field

from .errors import EnvironmentProblem

# loader, relative to the sysroot, by the first part of the multiarch triplet
LOADERS = {
    "x86_64": "usr/lib64/ld-linux-x86-64.so.2",
    "i386": "usr/lib/ld-linux.so.2",
    "aarch64": "usr/lib/ld-linux-aarch64.so.1",
    "arm": "usr/lib/ld-linux-armhf.so.3",
    "riscv64": "usr/lib/ld-linux-riscv64-lp64d.so.1",
}
RUNS_ON = {"x86_64": {"x86_64", "i386"}, "aarch64": {"aarch64", "arm"},
           "armv7l": {"arm"}, "riscv64": {"riscv64"}, "i686": {"i386"}}
LIST_OPTIONS = {
    "digest": "-digest-algorithms", "cipher": "-cipher-algorithms",
    "mac": "-mac-algorithms", "rand": "-random-generators",
    "signature": "-signature-algorithms", "kem": "-kem-algorithms",
    "asymcipher": "-asymcipher-algorithms", "keymgmt": "-key-managers",
    "keyexch": "-key-exchange-algorithms", "kdf": "-kdf-algorithms",
}
OFFERED = re.compile(r"(\{[^{}]*\}|[^\s{}]+) @ (\S+)")
VERSION = re.compile(r"OpenSSL (\d+)\.(\d+)\.(\d+)")


@dataclass
class OpenSSL:
    program: str
    prefix: list = field(default_factory=list)      # loader and its options
    env_extra: dict = field(default_factory=dict)
    libcrypto: str = ""                             # the file that it uses
    sysroot: str = ""
    version_text: str = ""

    # -- starting it -----------------------------------------------------
    def argv(self, *args):
        return [*self.prefix, self.program, *args]

    def environment(self, conf, clean=False):
        """CONF instead of any openssl.cnf of the machine (None: whatever applies).
        `clean` is as a service sees it, without settings of this shell."""
        dropped = ("SSL_CERT_", "OPENSSL_" if clean else "OPENSSL_ENGINES")
        env = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
        env.update(self.env_extra)
        if conf is not None:
            env["OPENSSL_CONF"] = conf
        env["LC_ALL"] = "C"
        return env

    def run(self, args, conf, timeout=30, clean=False):
        try:
            return subprocess.run(self.argv(*args), env=self.environment(conf, clean),
                                  stdin=subprocess.DEVNULL, text=True,
                                  errors="replace", capture_output=True,
                                  timeout=timeout, check=False)
        except OSError as err:
            raise EnvironmentProblem(f"cannot start {self.program}: {err.strerror}") from err
        except subprocess.TimeoutExpired as err:
            raise EnvironmentProblem(f"{self.program} {args[0]} does not come back") from err

    # -- what it is --------------------------------------------------------
    @property
    def version(self):
        found = VERSION.search(self.version_text)
        return tuple(int(part) for part in found.groups()) if found else (0, 0, 0)

    def modules_dir(self, conf):
        if "OPENSSL_MODULES" in self.env_extra:
            return self.env_extra["OPENSSL_MODULES"]
        out = self.run(["version", "-m"], conf).stdout
        return out.partition('"')[2].rpartition('"')[0]

    def providers(self, conf, options=(), clean=False):
        """{identity: {name, version, status, ...}} as `list -providers` tells."""
        done = self.run(["list", "-providers", "-verbose", *options], conf, clean=clean)
        if done.returncode != 0:
            raise EnvironmentProblem(short_error(done.stderr) or "list -providers failed")
        return parse_providers(done.stdout)

    def offered(self, kinds, conf, options=()):
        """{kind: {NAME IN CAPITALS: provider}} for the given kinds of algorithm."""
        result = {}
        for kind in kinds:
            done = self.run(["list", LIST_OPTIONS[kind], *options], conf)
            result[kind] = parse_offered(done.stdout)
        return result


def parse_providers(text):
    found, current = {}, None
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip())
        word = line.strip()
        if depth == 2:
            current = found.setdefault(word, {})
        elif depth >= 4 and current is not None and ": " in word:
            key, _, value = word.partition(": ")
            current.setdefault(key, value)
    return found


def parse_offered(text):
    names = {}
    for ids, provider in OFFERED.findall(text):
        for name in ids.strip("{} ").split(","):
            names.setdefault(name.strip().upper(), provider)
    return names


def in_words(data):
    """The data of an error, without what says nothing to a person."""
    fetched = re.search(r"Algorithm \((.+?) : \d+\)", data)
    if fetched:
        return f": {fetched.group(1)}"
    return f" ({data})" if data else ""


def short_error(text, limit=110):
    """The most telling line of what openssl printed to stderr, in one line."""
    best = ""
    for line in text.splitlines():
        line = line.strip()
        if not line or line.startswith(("+", "speed: Use -help", "For more")):
            continue
        parts = line.split(":", 8)
        if len(parts) >= 6 and parts[1] == "error":
            # THREAD:error:CODE:library:function:reason:file:line:data
            line = f"{parts[5]}{in_words(parts[8])}" if len(parts) > 8 else parts[5]
        if not best or parts[1:2] == ["error"]:
            best = line if not best else f"{best}; {line}" if line not in best else best
    return best if len(best) <= limit else best[:limit - 1].rstrip() + "…"


# -- finding one -------------------------------------------------------------
def sysroot_of_version(version, tree):
    """The folder of a sysroot that the source tree's scripts/sysroot has unpacked."""
    script = os.path.join(tree, "scripts", "sysroot") if tree else ""
    if os.path.isfile(script):
        done = subprocess.run([script, "--list"], text=True, capture_output=True, check=False)
        for line in done.stdout.splitlines():
            found, _, folder = line.partition(" ")
            if found == version and os.path.isdir(folder):
                return folder
    raise EnvironmentProblem(f"OpenSSL {version} is not at hand; fetch it with "
                             f"`scripts/sysroot {version}`, or give the path of a sysroot")


def locate(where, conf, tree=None):
    """WHERE: None (openssl in PATH), a program, a prefix folder, a sysroot or 3.5, say."""
    if where and re.fullmatch(r"\d+\.\d+", where) and not os.path.exists(where):
        where = sysroot_of_version(where, tree)
    if where is None:
        program = shutil.which("openssl")
        if program is None:
            raise EnvironmentProblem("no openssl program in PATH; install the package openssl")
        found = plain(program)
    elif os.path.isdir(where):
        found = from_folder(os.path.abspath(where))
    elif os.path.isfile(where) or shutil.which(where):
        program = os.path.abspath(where) if os.path.isfile(where) else shutil.which(where)
        root = sysroot_of(program)
        found = from_sysroot(root, program) if root else plain(program)
    else:
        raise EnvironmentProblem(f"--openssl: {where} is neither a program nor a folder")
    check(found, conf)
    return found


def triplet_dirs(root):
    return [path for path in sorted(glob.glob(os.path.join(root, "usr/lib/*-linux-gnu*")))
            if glob.glob(os.path.join(path, "libcrypto.so.*"))]


def sysroot_of(program):
    """The sysroot that PROGRAM lies in, if it is one other than the running system."""
    head, tail = os.path.split(os.path.dirname(os.path.realpath(program)))
    if tail != "bin" or os.path.basename(head) != "usr":
        return None
    root = os.path.dirname(head)
    return root if root != "/" and triplet_dirs(root) else None


def from_folder(folder):
    if os.path.realpath(folder) == "/":
        return plain("/usr/bin/openssl")
    if triplet_dirs(folder) and os.path.exists(os.path.join(folder, "usr/bin/openssl")):
        return from_sysroot(folder, os.path.join(folder, "usr/bin/openssl"))
    for inside in ("bin/openssl", "apps/openssl", "openssl"):
        program = os.path.join(folder, inside)
        if os.path.isfile(program) and os.access(program, os.X_OK):
            return plain(program)
    raise EnvironmentProblem(
        f"--openssl: {folder} holds no usr/bin/openssl with its libraries (a sysroot) "
        "and no bin/openssl")


def from_sysroot(root, program):
    libdir = triplet_dirs(root)[0]
    arch = os.path.basename(libdir).partition("-")[0]
    if arch not in RUNS_ON.get(platform.machine(), {platform.machine()}):
        raise EnvironmentProblem(
            f"{root} is for {arch}; this machine is {platform.machine()}, "
            "and emulated speed says nothing")
    loader = os.path.join(root, LOADERS.get(arch, ""))
    if not os.path.isfile(loader):
        raise EnvironmentProblem(f"{root} has no dynamic loader ({loader})")
    return OpenSSL(
        program=program, sysroot=root,
        prefix=[loader, "--inhibit-cache", "--library-path", libdir],
        env_extra={"OPENSSL_MODULES": os.path.join(libdir, "ossl-modules")},
        libcrypto=sorted(glob.glob(os.path.join(libdir, "libcrypto.so.*")))[-1])


def plain(program):
    found = OpenSSL(program=program)
    base = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    for lib in (() if base in ("/usr", "/") else ("lib64", "lib", ".")):
        folder = os.path.abspath(os.path.join(base, lib))
        if glob.glob(os.path.join(folder, "libcrypto.so.*")):
            found.env_extra["LD_LIBRARY_PATH"] = folder
            modules = os.path.join(folder, "ossl-modules")
            if os.path.isdir(modules):
                found.env_extra["OPENSSL_MODULES"] = modules
            break
    env = dict(os.environ, LD_TRACE_LOADED_OBJECTS="1", **found.env_extra)
    try:
        listing = subprocess.run([program], env=env, text=True, errors="replace",
                                 capture_output=True, timeout=10, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        listing = ""
    used = re.search(r"libcrypto\.so\S* => (\S+)", listing)
    found.libcrypto = used.group(1) if used else ""
    return found


def check(found, conf):
    done = found.run(["version"], conf)
    found.version_text = done.stdout.strip()
    if done.returncode != 0 or found.version < (3, 0, 0):
        said = found.version_text or short_error(done.stderr) or "nothing"
        raise EnvironmentProblem(
            f"{found.program} does not answer as OpenSSL 3.0 or later (it said: {said})")
    numbers = VERSION.findall(found.version_text)
    if len(set(numbers)) > 1:
        raise EnvironmentProblem(
            f"{found.program} runs with another version's library: {found.version_text}")
