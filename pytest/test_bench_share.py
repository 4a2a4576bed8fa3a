# SPDX-License-Identifier: GPL-3.0-or-later
"""`wolfnano bench --share`: instructions of wolfnano's own code beside wolfCrypt's.

A profile of known numbers for the sums; then the real thing for rows that take
little time, against the limits that docs/PERFORMANCE.md states for all.
"""
import json
import platform
import re
import shutil
import subprocess

import pytest
import test_bench_cli as cli

from wolfnano_cli import errors
from wolfnano_cli.bench import rows, share

# as callgrind 3.19 writes it with --compress-strings=no: a file that was inlined (fi),
# assembly without line numbers (???), calls out of the module and back
PROFILE = """# callgrind format
events: Ir
summary: 1000

ob=/usr/lib/x86_64-linux-gnu/libcrypto.so.3
fl=???
fn=EVP_PKEY_sign
0 40
cob=/x/build/wolfnano.so
cfi=build/../algs/ecdsa.c
cfn=wn_ecdsa_sign
calls=40 0
0 935

ob=/x/build/wolfnano.so
fl=build/../algs/ecdsa.c
fn=wn_ecdsa_sign
0 20
fi=/usr/include/x86_64-linux-gnu/bits/string_fortified.h
0 5
cob=/usr/lib/x86_64-linux-gnu/libc.so.6
cfi=./string/memset.S
cfn=memset
calls=1 0
0 15
fe=build/../algs/ecdsa.c
cob=/usr/lib/x86_64-linux-gnu/libcrypto.so.3
cfi=???
cfn=CRYPTO_malloc
calls=1 0
0 45
cfi=build/wolfssl/wolfcrypt/src/sp_x86_64.c
cfn=sp_256_sign
calls=1 0
0 800
cfi=build/../asm-config/x86_64/sp_hot.c
cfn=hot
calls=1 0
0 50

fl=build/wolfssl/wolfcrypt/src/sp_x86_64.c
fn=sp_256_sign
0 700
fi=???
0 100

fn=again
0 0

fl=build/../asm-config/x86_64/sp_hot.c
fn=hot
0 50

ob=/usr/lib/x86_64-linux-gnu/libcrypto.so.3
fl=???
fn=CRYPTO_malloc
0 15
cob=/usr/lib/x86_64-linux-gnu/libc.so.6
cfi=./malloc/malloc.c
cfn=malloc
calls=1 0
0 30

ob=/x/build/evpbench
fl=/x/build/../cli/evpbench/keys.c
fn=sign_once
0 25
cob=/usr/lib/x86_64-linux-gnu/libcrypto.so.3
cfn=EVP_PKEY_sign
calls=1 0
0 975

ob=/usr/lib/x86_64-linux-gnu/libc.so.6
fl=./malloc/malloc.c
fn=malloc
0 30

fl=./string/memset.S
fn=memset
0 15
"""


def test_profile_is_divided():
    profile = share.Profile(PROFILE.splitlines())
    parts = {}
    for (part, _), cost in profile.costs.items():
        parts[part] = parts.get(part, 0) + cost
    assert parts == {share.LIBCRYPTO: 40, share.OWN: 20 + 5 + 15 + 45,
                     share.PRIMITIVE: 700 + 100 + 50, share.PROGRAM: 25}
    assert sum(parts.values()) == profile.total == 1000


@pytest.mark.parametrize("file,part", (
    ("build/../algs/ecdsa.c", share.OWN), ("build/../provider/der.c", share.OWN),
    ("build/../algs/none/keccak_kernel.c", share.PRIMITIVE),
    ("build/../algs/x86_64/rsa_adx.c", share.PRIMITIVE),
    ("build/../asm-config/x86_64/sp_hot.c", share.PRIMITIVE),
    ("build/wolfssl/wolfcrypt/src/sp_int.c", share.PRIMITIVE),
    ("wolfssl-5.9.2/wolfcrypt/src/aes_asm.S", share.PRIMITIVE),
    ("/usr/lib/gcc/x86_64-linux-gnu/12/include/avx2intrin.h", None), ("???", None)))
def test_files_have_a_part(file, part):
    assert share.part_of_file(file) == part


def test_every_public_key_row_has_a_limit():
    limits = {row.id: share.limit_of(row) for row in rows.ROWS if row.group in share.GROUPS}
    assert limits["rsa2048-verify"] == limits["rsa4096-encrypt"] == 0.06
    assert limits["rsa2048-sign"] == limits["p256-verify"] == limits["mldsa65-keygen"] == 0.03
    assert limits["mlkem768-encap"] == limits["x25519mlkem768-decap"] == 0.08


def test_a_share_over_the_limit_is_told(capsys):
    class Found:
        measure = staticmethod(lambda row: share.Share(row, 1, {
            share.OWN: 40, share.PRIMITIVE: 1000, share.LIBCRYPTO: 1}, {(share.OWN, "f"): 40}))

    assert share.run(rows.select(["p256-verify"], 1)[0], Found, details=3) == errors.FAILED
    said = capsys.readouterr().out
    assert "| ECDSA P-256 verify" in said and "4.00%" in said and "3% !" in said
    assert "    f 40" in said
    assert share.run(rows.select(["rsa2048-verify"], 1)[0], Found) == errors.OK


def test_usage():
    done = cli.run("--share", "--only", "sha256")
    assert done.returncode == errors.USAGE and "pk and pqc only" in done.stderr


@cli.built
@cli.module
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.skipif(platform.machine() != "x86_64",
                    reason="names of the parts were looked at on x86_64 only")
def test_own_share_is_within_the_limits():
    wanted = ("rsa2048-verify", "p256-sign", "p256-verify", "p384-derive", "x25519-derive",
              "ed25519-sign", "ffdh2048-derive", "mlkem768-keygen", "mlkem768-encap",
              "mlkem768-decap", "mldsa65-keygen", "mldsa65-verify")
    done = cli.run("--share", "--module-dir", cli.BUILD, "--only", ",".join(wanted))
    assert done.returncode == errors.OK, done.stdout + done.stderr
    lines = [line.split("|") for line in done.stdout.splitlines()[2:]]
    assert len(lines) == len(wanted)
    for line in lines:
        total, libcrypto, own, primitive = (int(re.sub(" ", "", text)) for text in line[2:6])
        assert 0 < own < primitive < total, line
        assert 0 <= total - libcrypto - own - primitive < 200, line     # evpbench itself


@cli.built
@cli.module
def test_evpbench_counts_as_told():
    done = subprocess.run(
        [cli.EVPBENCH, "--provider", "wolfnano", "--provider-path", cli.BUILD, "--op", "sign",
         "--algorithm", "EC/P-256", "--count", "7"], text=True, capture_output=True, check=True)
    assert json.loads(done.stdout)["count"] == 7
