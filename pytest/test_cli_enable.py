# SPDX-License-Identifier: GPL-3.0-or-later
"""`wolfnano enable` and `disable`: what they make of an openssl.cnf, that they give
it back to the letter, and that no failure or kill at any step leaves one with which
openssl does not work."""
import copy
import ctypes
import errno
import functools
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from openssl_names import ROOT, RUN, clean_environment, installations

COMMAND = ROOT / "cli/wolfnano"
sys.path.insert(0, str(ROOT / "cli"))

from wolfnano_cli import (atomic, conftext, disable, enable, main, opensslcnf,  # noqa: E402
                          switch)
from wolfnano_cli.installation import Health, Installation  # noqa: E402

SMALL = "openssl_conf = init\n[init]\nproviders = list\n[list]\ndefault = one\n[one]\nactivate = 1\n"


def wolfnano(where, *arguments, **env):
    place = [] if where == "host" else ["--openssl", where]
    return subprocess.run(["/usr/bin/python3", COMMAND, *map(str, arguments), *place], text=True,
                          capture_output=True, timeout=100, env=clean_environment(**env),
                          check=False)


def change(where, what, conf, *arguments):
    done = wolfnano(where, what, "--config", conf, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def openssl(where, conf, *arguments, **options):
    return subprocess.run([RUN, where, "openssl", *arguments], text=True, capture_output=True,
                          env=clean_environment(OPENSSL_CONF=str(conf)), timeout=60,
                          check=False, **options)


def active(where, conf):
    done = openssl(where, conf, "list", "-providers")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return set(re.findall(r"^  (\w+)\n", done.stdout, re.M))


def stock(where):
    """The distribution's own file."""
    return Path("/etc/ssl/openssl.cnf" if where == "host" else f"{where}/etc/ssl/openssl.cnf")


@pytest.fixture
def conf(tmp_path):
    path = tmp_path / "openssl.cnf"
    path.write_text(SMALL)
    return path


@pytest.fixture(scope="session")
def release():
    if not (ROOT / "build/wolfnano.so").exists():
        pytest.skip("build/wolfnano.so is not built")
    return ROOT / "build"


# -- with every OpenSSL --------------------------------------------------------------
def test_there_and_back(version, where, release, tmp_path):
    """The distribution's file: prefer, only, prefer, and as it was."""
    conf = tmp_path / "openssl.cnf"
    shutil.copy(stock(where), conf)
    before, place = conf.read_bytes(), ("--module-dir", release)
    assert "prefers wolfnano" in change(where, "enable", conf, *place)
    assert active(where, conf) == {"default", "wolfnano"}
    text = conf.read_bytes()
    assert text.startswith(before)
    assert "nothing was changed" in change(where, "enable", conf, *place)
    assert conf.read_bytes() == text
    change(where, "enable", conf, "--mode", "only", *place)
    assert active(where, conf) == {"base", "wolfnano"} and conf.read_bytes() == text
    change(where, "enable", conf, *place)
    # lines added by hand, below ours: the last section is the one it was, and ours is merged
    conf.write_text(text.decode() + "added = 1\n[wolfnano_sect]\nblock = SHA2-256\n")
    done = openssl(where, conf, "dgst", "-sha256", "/dev/null")
    assert done.returncode and "blocked by configuration" in done.stderr, done.stderr
    assert "added" in opensslcnf.parse(str(conf)).own(opensslcnf.parse(str(stock(where)))
                                                     .last_section)
    conf.write_bytes(text)
    change(where, "disable", conf)
    assert conf.read_bytes() == before and active(where, conf) == {"default"}
    assert os.listdir(tmp_path) == ["openssl.cnf"]
    assert "nothing was changed" in change(where, "disable", conf)


def test_a_module_that_goes_away(version, where, release, tmp_path, conf):
    """Whoever deletes the module and forgets openssl.cnf still has the default provider."""
    shutil.copy(release / "wolfnano.so", tmp_path)
    assert run_with(["enable", "--config", conf, "--module-dir", tmp_path], os) == 0
    (tmp_path / "wolfnano.so").unlink()
    assert openssl(where, conf, "dgst", "-sha256", "/dev/null").returncode == 0
    assert openssl(where, conf, "rand", "-hex", "4").returncode == 0


# -- kinds of files --------------------------------------------------------------------
FILES = {
    "small": SMALL,
    "empty": "",
    "comment-only": "# nothing\n",
    "no-newline": SMALL.rstrip("\n"),
    "blank-lines": SMALL + "\n\n",
    "crlf": SMALL.replace("\n", "\r\n"),
    "bom": "\ufeff" + SMALL,
    "continued-end": SMALL + "[other]\nvalue = 1 \\\n",
    "continued-end-no-newline": SMALL + "[other]\nvalue = 1 \\",
    "no-list": "openssl_conf = init\n[init]\nssl_conf = ssl\n[ssl]\nsystem_default = tls\n"
               "[tls]\nMinProtocol = TLSv1.2\n",
    "commented": "openssl_conf = init\n[init]\nproviders = list\n[list]\ndefault = one\n[one]\n"
                 "# activate = 1\n",
    "legacy-too": SMALL + "[list]\nbase = two\n[two]\nactivate = 1\n",
    "variables": "what = init\nopenssl_conf = $what\n[init]\nproviders = ${default::what}s\n"
                 "[inits]\ndefault = \"one\"\n[one]\nactivate = 1\n",
    "properties": SMALL + "[init]\nalg_section = algs\n[algs]\ndefault_properties = ?fast=yes\n",
    "not-utf8": "# \udce4\n" + SMALL,
    "red-hat": "openssl_conf = openssl_init\n.include = /etc/nowhere/policy.cnf\n[openssl_init]\n"
               "providers = provider_sect\nalg_section = evp_properties\n[evp_properties]\n"
               "[provider_sect]\n##default = default_sect\n[default_sect]\n##activate = 1\n",
    "ubuntu": "HOME = .\nopenssl_conf = openssl_init\n[openssl_init]\nproviders = provider_sect\n"
              "ssl_conf = ssl_sect\n[provider_sect]\ndefault = default_sect\n[default_sect]\n"
              "[ssl_sect]\nsystem_default = tls\n[tls]\nCipherString = DEFAULT:@SECLEVEL=2\n",
    "assigned-elsewhere": SMALL + "[other]\nx = 1\nlist::base = two\ntwo::activate = 1\n",
}


@pytest.mark.parametrize("kind", FILES)
def test_kinds_of_files(kind, conf, release):
    data = FILES[kind].encode("utf-8", "surrogateescape")
    conf.write_bytes(data)
    before = active("host", conf)
    for mode in ("prefer", "only"):
        assert run_with(["enable", "--config", conf, "--module-dir", release, "--mode", mode],
                        os) == 0
        wanted = before | {"wolfnano"} if mode == "prefer" else \
            before - {"default"} | {"wolfnano", "base"}
        assert active("host", conf) == wanted
        assert opensslcnf.mode(activation(conf), "wolfnano") == mode
    assert run_with(["disable", "--config", conf], os) == 0
    assert conf.read_bytes() == data
    assert os.listdir(conf.parent) == ["openssl.cnf"]


def activation(conf, version=(3, 0, 19)):
    return opensslcnf.activation(opensslcnf.parse(str(conf)), version)


def test_properties_are_added_to(conf, release):
    conf.write_text(FILES["properties"])
    change("host", "enable", conf, "--module-dir", release)
    assert activation(conf).properties == "?fast=yes,?provider=wolfnano"


def test_file_that_is_not_there(conf, release):
    conf.unlink()
    change("host", "enable", conf, "--module-dir", release)
    assert active("host", conf) == {"default", "wolfnano"}
    change("host", "enable", conf, "--module-dir", release, "--mode", "only")
    change("host", "disable", conf)
    assert os.listdir(conf.parent) == []


def test_link_mode_and_owner_stay(conf, release, tmp_path):
    (tmp_path / "lib").mkdir()
    link = tmp_path / "lib/openssl.cnf"
    link.symlink_to("../openssl.cnf")
    conf.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(conf, 65534, 65534)
    facts = [getattr(conf.stat(), name) for name in ("st_mode", "st_uid", "st_gid")]
    for what in (("enable", "--module-dir", release), ("disable",)):
        assert run_with([*what, "--config", link], os) == 0
        assert link.is_symlink() and not conf.is_symlink()
        assert [getattr(conf.stat(), name) for name in ("st_mode", "st_uid", "st_gid")] == facts
        if what[0] == "enable":
            ours = tmp_path / "openssl-wolfnano.cnf"
            assert stat.S_IMODE(ours.stat().st_mode) == 0o644


def test_folder_with_odd_name(tmp_path, release):
    folder = tmp_path / "a b$c#d'e"
    folder.mkdir()
    conf = folder / "my.cnf"
    conf.write_text(SMALL)
    shutil.copy(release / "wolfnano.so", folder)
    change("host", "enable", conf, "--module-dir", folder)
    assert active("host", conf) == {"default", "wolfnano"}
    change("host", "disable", conf)
    assert conf.read_text() == SMALL


def test_disable_without_openssl(conf, release, tmp_path):
    """A file that is named is given back even where openssl cannot be started."""
    assert run_with(["enable", "--config", conf, "--module-dir", release], os) == 0
    done = wolfnano("host", "disable", "--config", conf, PATH="/nowhere")
    assert done.returncode == 0 and "no openssl to check it with" in done.stdout, done.stderr
    assert conf.read_text() == SMALL
    assert wolfnano("host", "disable", PATH="/nowhere").returncode == 3


def test_dry_run_changes_nothing(conf, release):
    shown = change("host", "enable", conf, "--module-dir", release, "--dry-run")
    assert "+default_properties = ?provider=wolfnano" in shown
    assert conf.read_text() == SMALL and os.listdir(conf.parent) == ["openssl.cnf"]
    change("host", "enable", conf, "--module-dir", release)
    text = conf.read_text()
    assert "-.include" in change("host", "disable", conf, "--dry-run")
    assert conf.read_text() == text


# -- what it refuses ---------------------------------------------------------------------
REFUSED = {
    "fips": (SMALL + "[init]\nalg_section = a\n[a]\ndefault_properties = fips=yes\n", 1, "FIPS"),
    "fips-mode": (SMALL + "[init]\nalg_section = a\n[a]\nfips_mode = yes\n", 1, "FIPS"),
    "other": (SMALL + "[init]\nalg_section = a\n[a]\ndefault_properties = ?provider=x\n", 1,
              "prefers another provider"),
    "broken": (SMALL + "no equal sign\n", 1, "line 8: no = sign"),
    "blocked": (SMALL + "[wolfnano_sect]\nblock = SHA2-256\n", 1, "openssl would not work so"),
    "option": (SMALL + "[wolfnano_sect]\ncpu = nonsense\n", 1, "wolfnano would not be active"),
    "by-hand": (SMALL + "[list]\nwolfnano = w\n[w]\nmodule = {}/wolfnano.so\nactivate = 1\n", 1,
                "by its own text"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_refused(kind, conf, release):
    text, code, reason = REFUSED[kind]
    text = text.format(release)
    conf.write_text(text)
    done = wolfnano("host", "enable", "--config", conf, "--module-dir", release)
    assert done.returncode == code and reason in done.stderr, (done.returncode, done.stderr)
    assert conf.read_text() == text and os.listdir(conf.parent) == ["openssl.cnf"]


def test_by_hand(conf, release):
    """Activated and preferred by hand: enable is content, disable says what to do."""
    conf.write_text(SMALL + f"[list]\nwolfnano = w\n[w]\nmodule = {release}/wolfnano.so\n"
                    "activate = 1\n[init]\nalg_section = a\n[a]\n"
                    "default_properties = ?provider=wolfnano\n")
    assert "by its own text" in change("host", "enable", conf, "--module-dir", release)
    done = wolfnano("host", "disable", "--config", conf)
    assert done.returncode == 1 and "by hand" in done.stderr


def test_no_module_or_a_bad_one(conf, tmp_path):
    done = wolfnano("host", "enable", "--config", conf, "--module-dir", tmp_path)
    assert done.returncode == 3 and "no wolfnano.so in" in done.stderr
    (tmp_path / "wolfnano.so").write_bytes(b"\x7fELF")
    done = wolfnano("host", "enable", "--config", conf, "--module-dir", tmp_path)
    assert done.returncode == 3 and "cannot be loaded" in done.stderr
    assert conf.read_text() == SMALL


def test_two_at_once(conf, release):
    with atomic.locked(conf.parent):
        done = wolfnano("host", "enable", "--config", conf, "--module-dir", release)
    assert done.returncode == 1 and "another wolfnano" in done.stderr
    assert conf.read_text() == SMALL


# -- failures and kills at every step --------------------------------------------------
NEVER_REACHED = 77


class Steps:
    """Stands for the os module: at the n-th call it does `act` instead."""

    def __init__(self, n, act):
        self.left, self.act = n, act

    def __getattr__(self, name):
        value = getattr(os, name)
        if not callable(value) or isinstance(value, type):
            return value

        def call(*args, **kwargs):
            self.left -= 1
            return self.act(value, args, kwargs) if self.left == 0 else value(*args, **kwargs)
        return call


def die(function, args, kwargs):
    os._exit(99)


def die_amid(function, args, kwargs):
    """A write that the kill cuts short; any other call is done, then the end."""
    if function is os.write:
        args = (args[0], args[1][:len(args[1]) // 2])
    try:
        function(*args, **kwargs)
    finally:
        os._exit(99)


def no_space(function, args, kwargs):
    if function in (os.close, os.unlink):      # these do not run out of space
        return function(*args, **kwargs)
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def always_well(self, conf, clean=True):
    """In place of running openssl: what becomes active by the file."""
    found = opensslcnf.activation(opensslcnf.parse(conf), self.version)
    return Health({name: {"status": "active"} for name in found.active()})


@functools.lru_cache
def host():
    return Installation()


def known_place(_, module_dir):
    place = copy.copy(host())
    place.module_dir = module_dir
    return place


def run_with(arguments, steps, health=always_well):
    """The command's exit status, in a process of its own."""
    host()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        atomic.os = steps
        Installation.health = health
        Installation.load_error = lambda self, file: ""
        enable.Installation = disable.Installation = known_place
        status = main.main([*map(str, arguments), "--quiet"])
        os._exit(NEVER_REACHED if getattr(steps, "left", 0) > 0 else status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


MORE = {
    "enable": ("enable", "--module-dir", None),
    "change": ("enable", "--mode", "only", "--module-dir", None),
    "disable": ("disable",),
}


@pytest.fixture
def prepared(request, conf, release):
    """(arguments, files before, files after) of a change."""
    arguments = [release if word is None else word for word in MORE[request.param]]
    if request.param != "enable":
        assert run_with(["enable", "--config", conf, "--module-dir", release], os) == 0
    before = contents(conf.parent)
    arguments += ["--config", conf]
    assert run_with(arguments, os) == 0
    after = contents(conf.parent)
    return arguments, before, after


def contents(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


def lay(folder, files):
    for path in folder.iterdir():
        path.unlink()
    for name, text in files.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize("prepared", MORE, indirect=True)
@pytest.mark.parametrize("act", (die, die_amid))
def test_killed_at_any_step(prepared, conf, act):
    """openssl.cnf is the old or the new one, and the next run finishes the work."""
    arguments, before, after = prepared
    tried = set()
    for n in range(1, 200):
        lay(conf.parent, before)
        status = run_with(arguments, Steps(n, act))
        if status == NEVER_REACHED:
            break
        assert status == 99
        found = contents(conf.parent)
        text = found["openssl.cnf"]
        assert text in (before["openssl.cnf"], after["openssl.cnf"])
        if str(found) in tried:
            continue
        tried.add(str(found))
        assert active("host", conf) & {"default", "wolfnano"}
        assert openssl("host", conf, "dgst", "-sha256", "/dev/null").returncode == 0
        assert run_with(arguments, os) == 0
        assert contents(conf.parent) == after
    assert 10 < n < 199 and len(tried) > 2


@pytest.mark.parametrize("prepared", MORE, indirect=True)
def test_failure_at_any_step(prepared, conf):
    """All is as it was, nothing is left behind, and the exit status says so."""
    arguments, before, after = prepared
    failed = 0
    for n in range(1, 200):
        lay(conf.parent, before)
        status = run_with(arguments, Steps(n, no_space))
        if status == NEVER_REACHED:
            break
        assert (status, contents(conf.parent)) in ((0, after), (3, before)), (n, status)
        failed += status == 3
    assert n < 199 and failed > 3


@pytest.mark.parametrize("prepared", MORE, indirect=True)
def test_rolled_back_if_openssl_fails_afterwards(prepared, conf):
    arguments, before, after = prepared
    lay(conf.parent, before)

    def ill_with_new(self, path, clean=True):
        health = always_well(self, path, clean)
        if path == str(conf) and contents(conf.parent) == after:
            health.problem = "made up"
        return health
    assert run_with(arguments, os, ill_with_new) == 1
    assert contents(conf.parent) == before


def test_changed_by_somebody_else_meanwhile(conf):
    now = switch.Files.of(str(conf))
    conf.write_text(SMALL + "# edited\n")
    with pytest.raises(Exception, match="changed by somebody else"):
        switch.commit(now.with_texts("x", None), now, Health)
    assert conf.read_text() == SMALL + "# edited\n"


# -- reading configuration files ----------------------------------------------------------
def test_what_a_file_comes_to(tmp_path):
    more = tmp_path / "more"
    more.mkdir()
    (more / "a.cnf").write_text("[s]\nincluded = yes\n")
    (more / "b.txt").write_text("[s]\nincluded = no\n")
    main_file = tmp_path / "main.cnf"
    main_file.write_text(
        "top = 1 # comment\n[ s ]\none = a\\\nb\ntwo = \"x # y\" z\nthree = $one-${two}\n"
        "other::four = ${default::top}\n[t]\nx = 1\n[s]\none = again\n"
        f".include {more}\nafter = in s\n.include = {tmp_path}/none.cnf\n"
        ".pragma = dollarid:on\nfive = a$b\\$c\n")
    config = opensslcnf.parse(str(main_file))
    assert config.own("s") == {"two": "x # y z", "three": "ab-x # y z", "one": "again",
                               "included": "yes", "after": "in s", "five": "a$b$c"}
    assert config.own("other") == {"four": "1"} and config.last_section == "s"
    assert config.missing == [f"{tmp_path}/none.cnf"]


QUIRKS = """a = 1 ; no comment
b = 'it''s' "x\\"y" `z`  # comment
c = \\#\\n\\t| $a ${b} $(a) $default::a ${default::b}
d.e-f = x=y=z
[ two words ]
a = $a
[one]
a = 2
b = $a $ENV::HOME
default::late = yes
 [ two words ] rest
k = trailing\\
   continued
\t\tm\t=\t v \t
"""


@pytest.mark.parametrize("kind", ["quirks", *FILES, *("3.5", "3.6", "4.0", "host")])
def test_values_are_those_of_libcrypto(kind, conf):
    """Read by libcrypto itself, name by name."""
    if kind in ("3.5", "3.6", "4.0", "host"):
        if kind != "host" and kind not in installations():
            pytest.skip(f"OpenSSL {kind} is not installed (see scripts/sysroot)")
        shutil.copy(stock(installations().get(kind, "host")), conf)
    else:
        conf.write_bytes(FILES.get(kind, QUIRKS).encode("utf-8", "surrogateescape"))
    lib = ctypes.CDLL("libcrypto.so.3")
    lib.NCONF_new.restype, lib.NCONF_get_string.restype = ctypes.c_void_p, ctypes.c_char_p
    theirs = ctypes.c_void_p(lib.NCONF_new(None))
    assert lib.NCONF_load(theirs, os.fsencode(conf), None) == 1
    for section, values in opensslcnf.parse(str(conf)).sections.items():
        for name, value in values.items():
            found = lib.NCONF_get_string(theirs, os.fsencode(section), os.fsencode(name))
            assert found == os.fsencode(value), (section, name)
    lib.NCONF_free(theirs)


@pytest.mark.parametrize("text", ("[open\n", "a\n", "a = $none\n", "a = ${b\n"))
def test_unreadable_lines(text, conf):
    """libcrypto cannot read them either."""
    conf.write_text(SMALL + text)
    with pytest.raises(opensslcnf.ConfigError, match="line 8"):
        opensslcnf.parse(str(conf))
    assert "on line 8" in openssl("host", "/dev/null", "ca", "-config", str(conf)).stderr


def test_activate_means_what_the_version_says(conf):
    conf.write_text(SMALL.replace("activate = 1", "activate = 0"))
    assert activation(conf, (3, 0, 0)).providers[0].active
    assert not activation(conf, (3, 5, 0)).providers[0].active
    assert opensslcnf.mode(activation(conf), "wolfnano") == "off"


def test_block_in_text():
    for text in ("", "a", "a\n", "a\n\n", "a\n\n\n"):
        full = conftext.with_block(text, "/x", "s", False)
        assert conftext.without_block(full) == text
        assert conftext.with_block(full + "more\n", "/x", "s", False) == \
            conftext.with_block(conftext.without_block(full + "more\n"), "/x", "s", False)
