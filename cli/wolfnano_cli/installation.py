# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to one openssl program: its folders, its configuration file, the
module that it would load, and whether it works with a given configuration."""
import os
import re
import tempfile
from dataclasses import dataclass, field

from . import openssl, opensslcnf
from .errors import CommandError, EnvironmentProblem

MODULE = "wolfnano"
SHA256_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def add_arguments(parser):
    parser.add_argument("--openssl", metavar="PATH", help="openssl program, or the prefix or "
                        "sysroot that holds one (default: openssl in PATH)")
    parser.add_argument("--module-dir", metavar="DIR", help="folder of wolfnano.so, if not "
                        "OpenSSL's own (openssl version -m)")


def source_tree():
    """The folder of the source tree that this file lies in, or None when installed."""
    here = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
    return here if os.path.isfile(os.path.join(here, "CMakeLists.txt")) else None


@dataclass
class Health:
    """How an openssl program does with one configuration."""
    providers: dict = field(default_factory=dict)
    problem: str = ""

    def active(self):
        return [name for name, facts in self.providers.items()
                if facts.get("status") == "active"]


class Installation:
    def __init__(self, where=None, module_dir=None):
        self.openssl = openssl.locate(where, os.devnull, source_tree())
        self.module_dir = os.path.abspath(module_dir) if module_dir else None
        out = self.openssl.run(["version", "-d", "-m"], os.devnull, clean=True).stdout
        folders = dict(re.findall(r'^(\w+): "(.*)"$', out, re.M))
        self.folder = folders.get("OPENSSLDIR", "")
        self.modules = self.openssl.env_extra.get("OPENSSL_MODULES") or folders.get(
            "MODULESDIR", "")

    @property
    def version(self):
        return self.openssl.version

    @property
    def version_text(self):
        return ".".join(map(str, self.version))

    # -- which configuration ---------------------------------------------------
    def own_config(self):
        """The file that this OpenSSL reads where nothing else is said."""
        if self.openssl.sysroot:
            return os.path.join(self.openssl.sysroot, "etc/ssl/openssl.cnf")
        return os.path.join(self.folder, "openssl.cnf")

    def effective_config(self):
        """The file that it reads in this environment; "" for none."""
        return os.environ.get("OPENSSL_CONF", self.own_config())

    # -- which module ------------------------------------------------------------
    def module_file(self, options=None):
        """The file that would be loaded, given the options of the section."""
        named = (options or {}).get("module", "")
        folder = self.module_dir or os.environ.get("OPENSSL_MODULES") or self.modules
        if not named:
            return os.path.join(folder, MODULE + ".so")
        return os.path.join(folder, named)      # stays as it is where absolute

    def chosen_module(self):
        """(file, value for `module =` or None): what `enable` shall activate."""
        folder = self.module_dir or self.modules
        file = os.path.join(folder, MODULE + ".so")
        if not os.path.isfile(file):
            raise EnvironmentProblem(
                f"no {MODULE}.so in {folder}; install it (cmake --install build, or the Debian "
                "package), or name its folder with --module-dir")
        return file, file if self.module_dir else None

    # -- does it work --------------------------------------------------------------
    def health(self, conf, clean=True):
        """Runs openssl with configuration file CONF (None: the environment's)."""
        found = Health()
        try:
            found.providers = self.openssl.providers(conf, clean=clean)
        except CommandError as err:
            found.problem = f"openssl list -providers: {err}"
            return found
        for args, wanted in ((["dgst", "-sha256", "/dev/null"], SHA256_OF_NOTHING),
                             (["rand", "-hex", "16"], "")):
            done = self.openssl.run(args, conf, clean=clean)
            if done.returncode != 0 or wanted not in done.stdout:
                why = openssl.short_error(done.stderr) or f"exit status {done.returncode}"
                found.problem = f"openssl {' '.join(args)}: {why}"
                return found
        return found

    def load_error(self, file):
        """Why the module `file` cannot be loaded on its own; "" if it can."""
        folder, name = os.path.split(file)
        with tempfile.NamedTemporaryFile("w", suffix=".cnf") as neutral:
            done = self.openssl.run(
                ["list", "-providers", "-provider-path", folder, "-provider",
                 name.removesuffix(".so"), "-provider", "base"], neutral.name, clean=True)
        if done.returncode == 0:
            return ""
        return openssl.short_error(done.stderr, 300) or f"exit status {done.returncode}"

    def read_config(self, path):
        """(Config, Activation) of a file; an absent one is an empty one."""
        if not path or not os.path.exists(path):
            config = opensslcnf.Config()
        else:
            try:
                config = opensslcnf.parse(path)
            except OSError as err:
                raise EnvironmentProblem(f"{path}: {err.strerror}") from err
        return config, opensslcnf.activation(config, self.version)


def provider_line(providers):
    """default 3.0.19, wolfnano 0.1.0"""
    return ", ".join(f"{name} {facts.get('version', '')}".rstrip()
                     for name, facts in providers.items())
