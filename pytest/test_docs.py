# SPDX-License-Identifier: GPL-3.0-or-later
"""What the documents show is what one sees: blocks marked <!-- runs --> are run, in a
folder of their own per document, and links lead somewhere; ALGORITHMS.md is what
alglist.def says and what every OpenSSL lists.

In a block `$ ` begins a command and `> ` goes on with it; the rest is its output,
where … stands for anything, and alone on a line for any lines."""
import importlib.machinery
import importlib.util
import re
import subprocess

import pytest

from openssl_names import LISTS, ROOT, clean_environment, listing
from test_cli_enable import release  # noqa: F401

DOCS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^<!-- runs -->\n```console\n(.*?)^```$", re.S | re.M)
MARK = "=== end of a command ==="


def blocks(path):
    return BLOCK.findall(path.read_text())


def commands(block):
    """[(command, its output)]"""
    result = []
    for line in block.splitlines():
        if line.startswith("$ "):
            result.append([line[2:], []])
        elif line.startswith("> ") and not result[-1][1]:
            result[-1][0] += "\n" + line[2:]
        else:
            result[-1][1].append(line)
    return result


def pattern(lines):
    parts = [r"(?:.*\n)*?" if line == "…" else
             ".*".join(map(re.escape, line.split("…"))) + r"\n" for line in lines]
    return re.compile("".join(parts))


@pytest.mark.parametrize("path", [path for path in DOCS if blocks(path)], ids=lambda p: p.name)
def test_commands_print_what_the_document_shows(path, tmp_path, release):  # noqa: F811
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/wolfnano").symlink_to(ROOT / "cli/wolfnano")
    work = tmp_path / "work"
    work.mkdir()
    (work / "build").symlink_to(release)
    env = clean_environment(HOME=str(tmp_path))
    env["PATH"] = f"{tmp_path}/bin:{env['PATH']}"
    for block in blocks(path):
        steps = commands(block)
        script = "".join(f"{command}\necho '{MARK}'\n" for command, _ in steps)
        done = subprocess.run(["bash"], input=f"exec 2>&1\n{script}", text=True, cwd=work, env=env,
                              stdout=subprocess.PIPE, timeout=100, check=False)
        outputs = done.stdout.split(MARK + "\n")
        for (command, wanted), output in zip(steps, outputs, strict=False):
            assert pattern(wanted).fullmatch(output), f"$ {command}\n{output}"
        assert len(outputs) == len(steps) + 1


def test_some_blocks_run():
    assert sum(len(commands(block)) for path in DOCS for block in blocks(path)) > 15


def anchors(path):
    """GitHub's: small letters, blanks to hyphens, punctuation dropped."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


# written when the figures are there
LATER = {"PERFORMANCE.md"}


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_links_lead_somewhere(path):
    for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
        if re.match(r"https?:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists() or target.name in LATER, link
        if anchor:
            assert anchor in anchors(target), link


def test_every_option_of_the_module_is_described():
    options = re.findall(r'OSSL_PARAM_utf8_ptr\("([\w.-]+)"', (ROOT / "provider/config.c").read_text())
    text = (ROOT / "docs/CONFIGURATION.md").read_text()
    assert len(options) > 3
    for option in options:
        assert f"`{option}`" in text and re.search(rf"^    {option} = |^> {option} = ", text, re.M)
    features = re.findall(r'X\(\w+, "(\w+)"\)', (ROOT / "provider/cpu.h").read_text())
    assert ", ".join(features) in re.sub(r"\s+", " ", text)


# -- ALGORITHMS.md -----------------------------------------------------------------------
def script():
    loader = importlib.machinery.SourceFileLoader("algorithms", str(ROOT / "scripts/algorithms"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("algorithms", loader))
    loader.exec_module(module)
    return module


KINDS = {"digest": "DIGEST", "cipher": "CIPHER", "mac": "MAC", "kdf": "KDF", "rand": "RAND",
         "keymgmt": "KEYMGMT", "signature": "SIGNATURE", "keyexch": "KEYEXCH",
         "asymcipher": "ASYM_CIPHER", "kem": "KEM"}


def test_table_is_up_to_date():
    """scripts/algorithms --write makes it so."""
    made = script()
    text = made.DOC.read_text()
    assert made.document(text) == text


@pytest.mark.parametrize("operation", LISTS)
def test_table_is_what_openssl_lists(operation, version, where, release):  # noqa: F811
    running = tuple(map(int, version.split(".")))
    wanted = {frozenset(map(str.upper, names)) for kind, names, since, until in script().rows()
              if kind == KINDS[operation] and since <= running and (not until or running < until)}
    found = {frozenset(map(str.upper, names)) for names in
             listing(where, operation, "wolfnano", module=release / "wolfnano.so")}
    # libcrypto adds the names that other providers gave the same algorithm
    missing = [set(names) for names in wanted if not any(names <= each for each in found)]
    surplus = [set(names) for names in found if not any(names & each for each in wanted)]
    assert not missing and not surplus
