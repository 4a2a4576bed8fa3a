# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures: the openssl program of every version, with and without wolfnano.

    default         the default provider, for comparison
    prefer          default and wolfnano, default_properties = ?provider=wolfnano
    only            wolfnano and base
    ours            prefer and only, one after the other

    leveled         only, at every CPU level on one OpenSSL version, and as it
                    is on the others

Each is a Setup and runs once per OpenSSL version, with the build for this machine;
those of `only`, `prefer` and `ours` also with portable C on one version, since what
differs between versions is not a build's arithmetic. For example:

    def test_sha256(ours, default):
        assert ours.out("sha256", "-binary", input=b"abc") == \\
            default.out("sha256", "-binary", input=b"abc")

A test that takes several of them gets the same version in all. One with the
mark `one_build` runs with the first build only: what it looks at does not depend
on the arithmetic. `pki` has keys and certificates (pki.py).
"""
import hashlib
import os
import platform
import re
import subprocess
from pathlib import Path

import pytest

from openssl_names import ROOT, clean_environment, command, installations
from tls_pair import Peers

VERSIONS = ("3.0", "3.5", "3.6", "4.0")
BUILDS = {"release": "build", "none": "build-none", "asan": "build-asan",
          "ubsan": "build-ubsan", "tsan": "build-tsan"}
PROVIDERS = {"default": ("default",), "prefer": ("default", "wolfnano"),
             "only": ("wolfnano", "base")}


def pytest_addoption(parser):
    group = parser.getgroup("wolfnano")
    group.addoption("--openssl", default=None, metavar="VERSION,...",
                    help="OpenSSL versions (default: all that are installed)")
    group.addoption("--builds", default=None, metavar="NAME,...",
                    help=f"of {', '.join(BUILDS)} (default: release and none where built)")


def pytest_configure(config):
    config.addinivalue_line("markers", "one_build: not also with portable C")


def module_of(build):
    return ROOT / BUILDS[build] / "wolfnano.so"


class Setup:
    """One openssl program, one configuration, one build of wolfnano."""

    def __init__(self, version, where, config, build, folder, **options):
        self.version, self.where, self.config, self.build = version, where, config, build
        self.folder, self.options = folder, options
        self.module = module_of(build) if build else None
        self.conf = self.write_conf()

    def __repr__(self):
        return f"<OpenSSL {self.version}, {self.config}, {self.build}, {self.options}>"

    def at_least(self, version):
        """Whether this OpenSSL is `version` ("3.4") or newer."""
        return tuple(map(int, self.version.split("."))) >= tuple(map(int, version.split(".")))

    def with_options(self, **options):
        """The same with lines in wolfnano's section: cpu="-avx2", block="AES-128-GCM"."""
        return Setup(self.version, self.where, self.config, self.build, self.folder,
                     **{**self.options, **options})

    def conf_text(self):
        lines = ["openssl_conf = init", "[init]", "providers = providers"]
        if self.config == "prefer":
            lines += ["alg_section = algorithms", "[algorithms]",
                      "default_properties = ?provider=wolfnano"]
        lines += ["[providers]", *(f"{name} = {name}_section" for name in PROVIDERS[self.config])]
        for name in PROVIDERS[self.config]:
            lines += [f"[{name}_section]", "activate = 1"]
            if name == "wolfnano":
                lines += [f"module = {self.module}",
                          *(f"{key} = {value}" for key, value in self.options.items())]
        return "\n".join(lines) + "\n"

    def write_conf(self):
        text = self.conf_text()
        path = self.folder / (hashlib.sha256(text.encode()).hexdigest()[:16] + ".cnf")
        path.write_text(text)
        return path

    @property
    def libcrypto(self):
        return "libcrypto.so.4" if self.at_least("4.0") else "libcrypto.so.3"

    def python(self, script, *arguments, **options):
        """Runs a Python program that uses this OpenSSL through libcrypto.py.
        The interpreter is Debian's, whose libc the sysroots' can replace."""
        options.setdefault("timeout", 900)
        return self.run(script, *arguments, program="/usr/bin/python3",
                        env={"LIBCRYPTO": self.libcrypto, "PYTHONDONTWRITEBYTECODE": "1"},
                        **options)

    def environment(self, **more):
        env = {**command(self.where)[0], "OPENSSL_CONF": str(self.conf)}
        if self.build in ("asan", "ubsan", "tsan"):
            env["ASAN_OPTIONS"] = "detect_leaks=0"
        return clean_environment(**{**env, **more})

    def words(self, *arguments, program="openssl"):
        """The command that runs a program in this installation."""
        preload = runtime_of(self.build) if self.build in ("asan", "ubsan", "tsan") else ""
        return [*command(self.where, program, preload)[1], *map(str, arguments)]

    def run(self, *arguments, program="openssl", env=None, **options):
        """subprocess.run of the openssl program; bytes in and out. Never raises
        for the exit status."""
        options = {"capture_output": True, "timeout": 300, **options}
        return subprocess.run(self.words(*arguments, program=program),
                              env=self.environment(**(env or {})), check=False, **options)

    def start(self, *arguments, program="openssl", env=None, **options):
        """subprocess.Popen of the openssl program, or another."""
        return subprocess.Popen(self.words(*arguments, program=program),
                                env=self.environment(**(env or {})),
                                **options)

    def out(self, *arguments, **options):
        """The standard output of a run that succeeds."""
        done = self.run(*arguments, **options)
        assert done.returncode == 0, \
            f"{self}: openssl {' '.join(map(str, arguments))}: status {done.returncode}\n" \
            f"{done.stderr.decode(errors='replace')}"
        return done.stdout

    def text(self, *arguments, **options):
        return self.out(*arguments, **options).decode()

    def fails(self, *arguments, reason, **options):
        """A run that fails, in good order and with `reason` on standard error."""
        done = self.run(*arguments, **options)
        error = done.stderr.decode(errors="replace")
        assert 0 < done.returncode < 126, f"{self}: status {done.returncode}\n{error}"
        assert reason in error, f"{self}: {error}"
        return error


def runtime_of(build):
    """The sanitiser's library, which has to be loaded before the program's own."""
    library = {"asan": "libasan.so", "ubsan": "libubsan.so", "tsan": "libtsan.so"}[build]
    found = subprocess.run(["gcc", f"-print-file-name={library}"], capture_output=True,
                           text=True, check=True)
    return os.path.realpath(found.stdout.strip())


def wanted_versions(config):
    given = config.getoption("--openssl")
    if not given:
        return VERSIONS
    return [next(iter(installations())) if name == "host" else name for name in given.split(",")]


def wanted_builds(config):
    given = config.getoption("--builds")
    return given.split(",") if given else ["release", "none"]


def cpu_levels():
    """name -> mask, of the build for this machine."""
    path = ROOT / "asm-config" / platform.machine() / "levels.cmake"
    text = path.read_text() if path.exists() else ""
    return dict(re.findall(r'^ +(\w+) +"([^"]+)"', text, re.M))


def cases_of(config):
    """(version, build): the first build on every version, further ones on the one
    that has the most algorithms in common with all."""
    versions, builds = wanted_versions(config), wanted_builds(config)
    one = "3.5" if "3.5" in versions else versions[0]
    return [(version, builds[0]) for version in versions] + [(one, build) for build in builds[1:]]


def leveled_cases(config):
    """(version, build, level): masks are the processor's business, not OpenSSL's,
    so one version is enough for them."""
    versions, builds = wanted_versions(config), wanted_builds(config)
    cases = [(version, build, "full") for version, build in cases_of(config)]
    return cases + [(versions[0], build, level) for build in builds if build != "none"
                    for level in cpu_levels()]


def pytest_generate_tests(metafunc):
    config = metafunc.config
    names = set(metafunc.fixturenames)
    if metafunc.definition.get_closest_marker("one_build"):
        cases = [(version, wanted_builds(config)[0]) for version in wanted_versions(config)]
        metafunc.parametrize("version,build", cases, scope="session")
        return
    if "leveled" in names:
        metafunc.parametrize("version,build,level", leveled_cases(config), scope="session")
        return
    if {"version", "build"} <= names:
        metafunc.parametrize("version,build", cases_of(config), scope="session")
    elif "version" in names:
        metafunc.parametrize("version", wanted_versions(config), scope="session")
    elif "build" in names:
        metafunc.parametrize("build", wanted_builds(config), scope="session")


@pytest.fixture(scope="session")
def conf_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("conf")


@pytest.fixture(scope="session")
def pki(tmp_path_factory, conf_folder):
    from pki import Pki     # which needs this file
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent      # that of all workers of this run
    return Pki(folder / "pki", conf_folder)


@pytest.fixture(scope="session")
def peers():
    made = Peers()
    yield made
    made.close()


@pytest.fixture(scope="session")
def where(request, version):
    """The installation of a version; absent ones are an error if asked for by name."""
    if version in installations():
        return installations()[version]
    if request.config.getoption("--openssl"):
        pytest.fail(f"OpenSSL {version} is not installed (see scripts/sysroot)")
    # what nobody asked for by name may be absent on a developer's machine
    return pytest.skip(f"OpenSSL {version} is not installed (see scripts/sysroot)")


@pytest.fixture(scope="session")
def built(request, build):
    if module_of(build).exists():
        return build
    if request.config.getoption("--builds"):
        pytest.fail(f"{module_of(build)} is not built")
    # likewise: who works on one build need not have the other
    return pytest.skip(f"{module_of(build)} is not built")


@pytest.fixture(scope="session")
def default(version, where, conf_folder):
    return Setup(version, where, "default", None, conf_folder)


@pytest.fixture(scope="session")
def prefer(version, where, built, conf_folder):
    return Setup(version, where, "prefer", built, conf_folder)


@pytest.fixture(scope="session")
def only(version, where, built, conf_folder):
    return Setup(version, where, "only", built, conf_folder)


@pytest.fixture(scope="session")
def leveled(only, level):
    return only if level == "full" else only.with_options(cpu=cpu_levels()[level])


@pytest.fixture(scope="session", params=["prefer", "only"])
def ours(request, version, where, built, conf_folder):
    return Setup(version, where, request.param, built, conf_folder)
