# SPDX-License-Identifier: GPL-3.0-or-later
"""`wolfnano status` and `doctor`, the man page, --help and the Debian package."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from openssl_names import ROOT, clean_environment
from test_cli_enable import SMALL, change, conf, release, wolfnano  # noqa: F401

from wolfnano_cli import __version__, cpupath, main, status  # noqa: E402

PREFER = SMALL + """[list]
wolfnano = w
[w]
activate = 1
module = {}/wolfnano.so
[init]
alg_section = a
[a]
default_properties = ?provider=wolfnano
"""


def shown(where, path, *arguments, **env):
    done = wolfnano(where, "status", "--json", "--config", path, *arguments, **env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def by(facts, provider):
    return {row["name"]: row for row in facts["algorithms"] if row["provider"] == provider}


# -- status ------------------------------------------------------------------------------
def test_status(version, where, release, conf):
    """Prefer: what wolfnano lists comes from it, the rest from the default provider."""
    conf.write_text(PREFER.format(release) + "[w]\nwithout = SHA1\n")
    facts = shown(where, conf)
    assert facts["mode"] == "prefer" and facts["openssl"]["version"].startswith(version + ".")
    assert facts["module"]["version"] == __version__ and facts["module"]["exists"]
    ours, default = by(facts, "wolfnano"), by(facts, "default")
    assert ours["AES-256-GCM"]["path"] == facts["build"]["paths"]["AES"]
    assert {"SHA2-256", "HMAC", "CTR-DRBG", "RSA", "ECDSA", "ML-KEM-768"} <= set(ours)
    assert default["SM3"]["reason"] == "wolfnano does not have it"
    sha1 = next(row for name, row in default.items() if name in ("SHA1", "SHA-1"))
    assert sha1["reason"] == "left out by the option without"


MODES = {
    "prefer": (PREFER, "prefer", "wolfnano first, then default"),
    "off": (SMALL, "off", "wolfnano is not active; default serves"),
    "beside": (PREFER.replace("?provider=wolfnano", "?fast=yes"), "beside", "beside default, without preference"),
    "only": (PREFER.replace("default = one", "base = one"), "only", "wolfnano, with base"),
}


@pytest.mark.parametrize("mode", MODES)
def test_modes(mode, conf, release):
    text, wanted, words = MODES[mode]
    conf.write_text(text.format(release))
    done = wolfnano("host", "status", "--config", conf, "--module-dir", release)
    assert done.returncode == 0, done.stderr
    assert re.search(rf"^mode +{wanted}: .*{words}$", done.stdout, re.M), done.stdout
    assert ("served by wolfnano: " in done.stdout) == (mode != "off")
    if mode == "only":
        assert "not available: " in done.stdout and "SM3" in done.stdout


def test_status_follows_the_environment(conf, release):
    conf.write_text(PREFER.format(release))
    done = wolfnano("host", "status", OPENSSL_CONF=str(conf))
    assert "(from OPENSSL_CONF)" in done.stdout and re.search("^mode +prefer", done.stdout, re.M)
    done = wolfnano("host", "status", OPENSSL_CONF="")
    assert "none (OPENSSL_CONF is empty)" in done.stdout


def test_status_all_names_everything(conf, release):
    conf.write_text(PREFER.format(release))
    done = wolfnano("host", "status", "--all", "--config", conf)
    for name in ("AES-128-XTS", "SHA3-384", "X25519MLKEM768", "CAMELLIA-256-CBC"):
        assert re.search(rf"[ \n]{name}[ \n]", done.stdout), name


def test_features_are_those_of_the_module():
    """The words of cpupath.py are words of provider/cpu.h."""
    words = set(re.findall(r'X\(\w+, "(\w+)"\)', (ROOT / "provider/cpu.h").read_text()))
    used = {word for _, _, choices in cpupath.FAMILIES for needs, _ in choices for word in needs}
    assert used <= words and len(used) > 10


def test_paths():
    line = "wolfSSL 5.9.2, x86_64, cpu: ssse3 sse41 pclmul aesni avx avx2 bmi2"
    assert cpupath.path_of("AES-128-GCM", line) == "AES-NI"
    assert cpupath.path_of("ChaCha20", line) == "AVX2"
    assert cpupath.path_of("HKDF", line) == ""
    assert set(cpupath.paths("wolfSSL 5.9.2, none, cpu: portable C").values()) == {"C"}


def test_condensed():
    assert status.condensed(["A-1", "A-2", "A-3", "A-4", "B-1"]) == ["A-… (4)", "B-1"]


# -- doctor ------------------------------------------------------------------------------
def doctor(path, *arguments, **env):
    done = wolfnano("host", "doctor", "--json", "--config", path, *arguments, **env)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, json.loads(done.stdout)


def test_doctor_is_content(conf, release):
    change("host", "enable", conf, "--module-dir", release)
    code, findings = doctor(conf)
    levels = {each["level"] for each in findings}
    assert code == 0 and "problem" not in levels, findings
    assert any(each["found"].startswith("active: default") for each in findings)


ILLS = {
    "off": (SMALL, "problem", "wolfnano is not active", "wolfnano enable"),
    "absent": (None, "problem", "is not there; wolfnano is not active", "wolfnano enable"),
    "broken": (SMALL + "x\n", "problem", "line 8: no = sign", "mend that line"),
    "no-module": (PREFER.replace("{}", "/nowhere"), "problem", "there is no /nowhere/wolfnano.so",
                  "correct module ="),
    "option": (PREFER + "[w]\ncpu = what\n", "problem", "OpenSSL did not load it", "cpu = what"),
    "block": (PREFER + "[w]\nblock = MD5\n", "warning", "block = MD5", "take it out"),
    "cpu": (PREFER + "[w]\ncpu = -avx512\n", "warning", "cpu = -avx512", "take it out"),
    "beside": (MODES["beside"][0], "warning", "not preferred", "default_properties"),
    "missing-include": (PREFER + ".include /nowhere.cnf\n", "warning", "/nowhere.cnf", "take the"),
    "blocked-digest": (PREFER + "[w]\nblock = SHA256\n", "problem", "blocked by configuration",
                       "wolfnano disable"),
}


@pytest.mark.parametrize("ill", ILLS)
def test_doctor_finds(ill, conf, release):
    text, level, found, advice = ILLS[ill]
    conf.unlink()
    if text is not None:
        conf.write_text(text.format(release))
    code, findings = doctor(conf, *(() if ill == "no-module" else ("--module-dir", release)))
    assert code == (level == "problem"), findings
    assert any(each["level"] == level and found in each["found"] and advice in each["advice"]
               for each in findings), findings


def test_doctor_on_files(conf, release, tmp_path):
    """Permissions, leftovers, a file edited after enable, the environment."""
    folder = tmp_path / "modules"
    folder.mkdir()
    shutil.copy(release / "wolfnano.so", folder)
    change("host", "enable", conf, "--module-dir", folder)
    (folder / "wolfnano.so").chmod(0o666)
    conf.chmod(0o600)
    code, findings = doctor(conf, OPENSSL_MODULES="/nowhere")
    words = "\n".join(each["found"] for each in findings)
    assert code == 1
    for wanted in ("everybody may write", "cannot be read by everybody", "OPENSSL_MODULES="):
        assert wanted in words, words
    (folder / "wolfnano.so").chmod(0o644)
    (tmp_path / ".openssl.cnf.wolfnano-new").write_text("")
    conf.write_text(conf.read_text() + "[init]\nproviders = others\n[others]\nbase = b\n[b]\n"
                    "activate = 1\n")
    code, findings = doctor(conf, "--module-dir", folder)
    words = "\n".join(each["found"] for each in findings)
    assert code == 1 and "was changed since wolfnano enable" in words \
        and "leftover" in words and "wolfnano is not active" in words, words


def test_doctor_on_bad_modules(conf, tmp_path):
    (tmp_path / "wolfnano.so").write_bytes(b"\x7fELF\2\1\1" + bytes(11) + b"\xb7\0" + bytes(44))
    code, findings = doctor(conf, "--module-dir", tmp_path)
    assert code == 1 and "no module for this processor" in findings[-1]["found"]


# -- the command itself ------------------------------------------------------------------
def test_version_is_that_of_the_build():
    cmake = (ROOT / "CMakeLists.txt").read_text()
    assert f"project(wolfnano VERSION {__version__} " in cmake
    assert f"## {__version__}" in (ROOT / "docs/CHANGELOG.md").read_text()


@pytest.mark.parametrize("command", [module.NAME for module in main.COMMANDS])
def test_help_has_examples_and_exit_codes(command, capsys):
    with pytest.raises(SystemExit) as end:
        main.main([command, "--help"])
    shown = capsys.readouterr().out
    assert end.value.code == 0 and "examples:\n" in shown and "exit codes:\n" in shown


def test_man_page_has_every_command_and_option():
    text = (ROOT / "cli/wolfnano.1").read_text().replace("\\-", "-")
    for module in main.COMMANDS:
        assert f"wolfnano {module.NAME}" in text
    for module in main.COMMANDS[:4]:
        parser = argparse.ArgumentParser()
        module.add_arguments(parser)
        for option in re.findall(r"^  (--[a-z-]+)", parser.format_help(), re.M):
            assert option in text, (module.NAME, option)
    if shutil.which("man"):
        done = subprocess.run(["man", "-l", "--warnings", ROOT / "cli/wolfnano.1"], text=True,
                              capture_output=True, env={**os.environ, "MANPAGER": "cat"},
                              check=True)
        assert done.stderr == ""


def test_wrong_usage():
    for arguments in ((), ("nonsense",), ("enable", "--mode", "what")):
        assert wolfnano("host", *arguments).returncode == 2
    done = wolfnano("host", "status", "--openssl", "/nowhere/openssl")
    assert done.returncode == 3 and "neither a program nor a folder" in done.stderr


# -- the package ---------------------------------------------------------------------------
@pytest.fixture(scope="session")
def package(release, tmp_path_factory):
    folder = tmp_path_factory.mktemp("deb")
    done = subprocess.run(["cpack", "-G", "DEB", "--config", release / "CPackConfig.cmake",
                           "-B", folder], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.deb"))


def test_package(package, tmp_path):
    def dpkg(*arguments):
        return subprocess.run(["dpkg-deb", *arguments], text=True, capture_output=True,
                              check=True).stdout
    info = dpkg("--info", package)
    assert re.search(r"Depends: libssl3t64 \| libssl3, .*python3", info), info
    assert "Recommends: python3-rich" in info and f"Version: {__version__}-1" in info
    files = set(re.findall(r"^-\S+ root/root .* \./(\S+)$", dpkg("--contents", package), re.M))
    assert any(name.endswith("/ossl-modules/wolfnano.so") for name in files), files
    assert {"usr/bin/wolfnano", "usr/libexec/wolfnano/evpbench", "usr/share/man/man1/wolfnano.1",
            "usr/share/doc/wolfnano/copyright", "usr/share/doc/wolfnano/docs/GUIDE.md",
            "usr/share/doc/wolfnano/examples/default+wolfnano.cnf"} <= files
    assert all(name.startswith("usr/") and "pycache" not in name for name in files)
    dpkg("--extract", package, tmp_path)
    module = next(tmp_path.glob("usr/lib/*/ossl-modules"))
    path = tmp_path / "openssl.cnf"
    path.write_text(SMALL)
    for what in (("enable", "--module-dir", module), ("doctor",), ("disable",)):
        done = subprocess.run(
            [sys.executable, tmp_path / "usr/bin/wolfnano", *what, "--config", path], text=True,
            capture_output=True, env=clean_environment(), check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert path.read_text() == SMALL
