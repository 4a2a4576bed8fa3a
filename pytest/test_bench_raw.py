# SPDX-License-Identifier: GPL-3.0-or-later
"""`wolfnano bench --raw`: wolfCrypt's own benchmark beside the rows at 16 KiB.

A script plays the program, so that figures are known; one test runs the real one
and sees that it still calls its figures what raw.py thinks.
"""
import json
import os
import subprocess

import pytest
import test_bench_cli as cli

from wolfnano_cli import errors
from wolfnano_cli.bench import (measure, plan, raw, report_html, report_json, rows,
                                watch, words)

# what wolfCrypt 5.9.2 prints with -csv -base10
OUTPUT = """------------------------------------------------------------------------------
 wolfSSL version 5.9.2
------------------------------------------------------------------------------
wolfCrypt Benchmark (block bytes 16384, min 1.0 sec each)
This format allows you to easily copy the output to a csv file.

Symmetric Ciphers:

Algorithm,MB/s,Cycles per byte,
RNG SHA-256 DRBG,145.925153,14.363458,
AES-256-GCM-enc,4617.034391,0.453969,
SHA,937.041687,2.236819,
SHA-512/256,908.513179,2.307057,
Benchmark complete
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A benchmark that prints OUTPUT and notes its arguments in calls."""
    monkeypatch.setattr(watch, "waited", lambda pid: None)     # no time is taken off
    path = tmp_path / "benchmark"
    path.write_text(f"""#!/bin/sh
echo "$@" >> {tmp_path}/calls
cat <<'END'
{OUTPUT}END
""")
    path.chmod(0o755)
    return path


def cell_of(ident, size=16384):
    return plan.Cell(next(row for row in rows.ROWS if row.id == ident), size, "speed")


def test_output_is_read():
    assert raw.parse(OUTPUT) == {"RNG SHA-256 DRBG": 145.925153e6, "AES-256-GCM-enc": 4617.034391e6,
                                 "SHA": 937.041687e6, "SHA-512/256": 908.513179e6}


def test_every_row_of_bytes_has_a_figure_or_is_known_to_have_none():
    without = {"aes-192-ccm", "aes-256-ccm", "aes-256-xts", "kmac128", "kmac256",
               "chacha20-poly1305-open", *(f"aes-{bits}-cfb8{way}" for bits in (128, 192, 256)
                                           for way in ("", "-decrypt"))}
    known = {row.id for row in rows.ROWS}
    # openssl speed has no decryption for modes where it is the same as encryption
    unused = {ident for ident in raw.FIGURES if ident not in known}
    assert all(ident.startswith("aes-") and ident.endswith("-decrypt") for ident in unused), unused
    for row in rows.ROWS:
        if row.sized and row.threads == 1:
            assert (row.id in raw.FIGURES) != (row.id in without), row.id


def test_rows_that_share_an_option_share_a_run(program, tmp_path):
    found = raw.Raw(str(program), 0, 16384)
    cells = [cell_of("aes-256-gcm"), cell_of("aes-256-gcm-decrypt"), cell_of("sha1")]
    assert found.measure(cells[0], 0) == (pytest.approx(4617.034391e6 / 16384), "")
    rate, error = found.measure(cells[1], 0)
    assert rate is None and "no figure for AES-256-GCM-dec" in error
    assert found.measure(cells[2], 0)[0] == pytest.approx(937.041687e6 / 16384)
    found.measure(cells[0], 1)
    assert (tmp_path / "calls").read_text().splitlines() == [
        "-csv -base10 -aes-gcm 16384", "-csv -base10 -sha 16384", "-csv -base10 -aes-gcm 16384"]
    assert found.seconds(cells) == pytest.approx(raw.SECONDS * (12.2 + 1.2))
    assert not found.serves(cell_of("aes-256-gcm", 1024))
    assert not found.serves(cell_of("p256-sign", 0))
    assert found.measure(cell_of("aes-256-cfb8"), 0) == (None, raw.NONE)


def test_a_program_that_fails_gives_a_reason(tmp_path):
    path = tmp_path / "benchmark"
    path.write_text("#!/bin/sh\nexit 3\n")
    path.chmod(0o755)
    found = raw.Raw(str(path), 0, 16384)
    assert found.measure(cell_of("sha1"), 0) == (None, f"{raw.NAME} ended with code 3")
    found = raw.Raw(str(tmp_path / "none"), 0, 16384)
    assert found.measure(cell_of("sha1"), 0)[1].startswith(raw.NAME)


def test_the_program_is_looked_for(tmp_path, monkeypatch, program):
    monkeypatch.delenv("WOLFNANO_RAW_BENCHMARK", raising=False)
    with pytest.raises(errors.EnvironmentProblem, match="--raw: there is no .*benchmark"):
        raw.find(None, str(tmp_path))
    (tmp_path / "CMakeCache.txt").write_text("")
    with pytest.raises(errors.EnvironmentProblem, match="--raw: cannot build"):
        raw.find(None, str(tmp_path))
    monkeypatch.setenv("WOLFNANO_RAW_BENCHMARK", str(program))
    assert raw.find(None, str(tmp_path)) == str(program)


def test_size_is_16_kib_where_it_is_measured():
    assert raw.size_for((16, 16384, 65536)) == 16384
    assert raw.size_for((16, 1024)) == 1024


def test_reports(program):
    """Ratios, what is below the aim, and where wolfCrypt trails the default provider."""
    measured = raw.Raw(str(program), 0, 16384)
    legs = cli.legs()
    for leg in legs:
        leg.facts = {"name": leg.label, "version": "1", "buildinfo": "1"}
    cells = [cell_of("sha1"), cell_of("sha1", 16), cell_of("aes-256-gcm"),
             cell_of("aes-256-cfb8")]
    shown = {"sha1": (1.5, 0.9), "aes-256-gcm": (0.5, 2), "aes-256-cfb8": (1, 1)}
    for cell in cells:
        base = 937.041687e6 if cell.row.id == "sha1" else 4617.034391e6
        for leg, share in zip(legs, shown[cell.row.id]):
            cell.samples[leg.id] = [plan.Sample(base / 16384 * share, 9, 1, 0, round_no)
                                    for round_no in range(3)]
    jobs = [plan.Job("speed", {"bytes": cell}) for cell in cells]
    bench = cli.Recorder(jobs, legs, 3)
    bench.raw = measured
    bench.run(cli.NoProgress())
    doc = report_json.document(cells, legs, ("wolfnano", "default"), measured,
                               **{name: cli.sample_document()[name] for name in (
                                   "date", "command", "machine", "openssl", "settings", "noise")})
    cli.check_document(doc)
    sha, gcm, cfb8 = (entry["cells"][0] for entry in doc["rows"] if entry["cells"][0]["size"] > 16)
    assert sha["raw_ratio"]["value"] == pytest.approx(0.9)
    assert sha["raw_ratio"]["verdict"] == "slower"
    assert len(sha["raw"]["rates"]) == 3 and gcm["raw_ratio"]["value"] == pytest.approx(2)
    assert cfb8["raw"] == {"reason": raw.NONE} and cfb8["raw_ratio"] is None
    assert [("raw" in cell) for cell in doc["rows"][0]["cells"]] == [True, False]
    assert doc["raw"]["program"] == str(program) and len(doc["raw"]["sha256"]) == 64
    text = words.raw_lines(doc)
    assert text[0].startswith("Beside wolfCrypt's own benchmark, 16384 bytes: at least 97 % in 1 "
                              "of 2 rows; not in SHA-1 0.90")
    assert text[1] == ("Where wolfCrypt by itself is slower than the default provider: "
                       "SHA-1 0.67")
    assert text[2] == f"No raw figure for AES-256-CFB8: {raw.NONE}"
    page = report_html.page(doc)
    cli.check_page(page)
    assert "raw wolfCrypt" in page and "of raw" in page and "not in SHA-1 0.90" in page
    assert words.raw_lines(cli.sample_document()) == []


def test_from_option_to_table(program, tmp_path):
    """Both sides of the default provider; the table shows the two columns."""
    out = tmp_path / "r.json"
    done = cli.run("--provider", "default", "--raw", "--only", "sha1", "--sizes", "16,16384",
                   "--seconds", "0.03", "--rounds", "2", "--json", str(out),
                   WOLFNANO_RAW_BENCHMARK=str(program))
    assert done.returncode == errors.OK, done.stderr
    doc = json.loads(out.read_text(encoding="utf-8"))
    cli.check_document(doc)
    small, large = doc["rows"][0]["cells"]
    assert "raw" not in small
    # so short a program may have waited for its core most of the time, which is taken off
    assert large["raw"]["rate"] >= 937e6 / 16384
    assert "raw wolfCrypt" in done.stdout and "of raw" in done.stdout
    assert "Beside wolfCrypt's own benchmark, 16384 bytes" in done.stdout
    assert "--raw" in doc["command"]
    again = cli.run("--from", str(out))
    assert "raw wolfCrypt" in again.stdout


@cli.module
def test_names_are_those_that_the_program_prints():
    """The real program's figures, for the options that take little time."""
    if not os.path.isfile(os.path.join(cli.BUILD, "CMakeCache.txt")):
        # only a build folder links one with the module's own objects
        pytest.skip("an installed module comes without wolfCrypt's benchmark")
    program = raw.find(None, cli.BUILD)
    wanted = [entry for entry in raw.FIGURES.values() if entry[0][-1] in (
        "-aes-ctr", "-aes-xts", "-chacha20-poly1305", "-sha512", "-cmac", "-rng")]
    options = sorted({option for options, _ in wanted for option in options})
    text = subprocess.run([program, "-csv", "-base10", *options, "16384"], text=True,
                          capture_output=True, check=True).stdout
    found = raw.parse(text)
    for _, name in wanted:
        assert found.get(name, 0) > 1e6, name
    assert measure.LEG is raw.LEG
