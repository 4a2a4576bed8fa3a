# SPDX-License-Identifier: GPL-3.0-or-later
"""Project Wycheproof's vectors, with wolfnano alone, at every CPU level."""
import json
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from openssl_names import ROOT
import wycheproof


@pytest.fixture(scope="session")
def vectors():
    done = subprocess.run([ROOT / "scripts/wycheproof-data"], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        pytest.skip(f"Wycheproof's vectors are not to be had: {done.stderr}")
    return done.stdout.strip()


def run(setup, default, vectors, wanted):
    done = setup.python(ROOT / "pytest/wycheproof.py", setup.conf, "wolfnano", default.conf,
                        vectors, wanted)
    assert done.returncode == 0, done.stderr.decode()
    report = json.loads(done.stdout)
    assert report["openssl"].startswith(setup.version)
    return report["files"]


# In parts, so that one that fails does not hide the others.
PARTS = {
    "ciphers": r"^(aes|chacha)", "macs": r"^(hmac|kmac)", "kdfs": r"^(hkdf|pbkdf)",
    "ecdsa": r"^ecdsa", "ecdh": r"^ecdh", "ecx": r"^(x|ed)", "rsa": r"^rsa",
    "ml-kem": r"^mlkem", "ml-dsa": r"^mldsa",
}


@pytest.mark.parametrize("part", PARTS)
def test_vectors(leveled, default, vectors, part):
    files = run(leveled, default, vectors, PARTS[part])
    states, failed = Counter(), []
    for name, result in files.items():
        if "left out" in result:
            continue
        assert sum(result["states"].values()) == result["tests"], f"{name}: not all were run"
        states.update(result["states"])
        failed += [f"{name} {number}: {remark}"
                   for number, state, remark in result["remarks"] if state == "failed"]
    print(part, dict(states))
    assert not failed, f"{len(failed)} of {sum(states.values())}:\n" + "\n".join(failed[:20])
    assert states, "no file of this part was found"


def test_every_file_is_run_or_left_out(vectors):
    """A file of a later release, or one that no part runs, does not go unseen."""
    for path in Path(vectors).glob("*_test.json"):
        if wycheproof.left_out(path.name):
            continue
        assert any(re.search(wanted, path.name) for wanted in PARTS.values()), path.name
        kinds = {group["type"] for group in json.loads(path.read_text())["testGroups"]}
        assert kinds <= set(wycheproof.HANDLERS), path.name
