# SPDX-License-Identifier: GPL-3.0-or-later
"""`wolfnano bench`: reading openssl speed, statistics, options, reports, a real run.

Slots of a real run are a few hundredths of a second here: the figures mean
nothing, the way they take does.
"""
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(HERE)
COMMAND = os.path.join(TREE, "cli", "wolfnano")
BUILD = os.environ.get("WOLFNANO_BUILD", os.path.join(TREE, "build"))
EVPBENCH = os.path.join(BUILD, "evpbench")
sys.path.insert(0, os.path.join(TREE, "cli"))

from wolfnano_cli import errors, openssl  # noqa: E402
from wolfnano_cli.bench import (chart, evp, measure, plan, report_html,  # noqa: E402
                                report_json, rows, speed, stats, watch, words)

VERSIONS = ("3.0", "3.5", "3.6", "4.0")


def run(*args, **env):
    return subprocess.run([COMMAND, "bench", *args], text=True, capture_output=True,
                          env={**os.environ, **env}, timeout=110, check=False)


def sysroots():
    done = subprocess.run([os.path.join(TREE, "scripts", "sysroot"), "--list"], text=True,
                          capture_output=True, check=False)
    return [line.partition(" ")[2] for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def conf(tmp_path_factory):
    return plan.neutral_conf(str(tmp_path_factory.mktemp("conf")))


# -- reading openssl speed ----------------------------------------------------
def stored(version):
    """{arguments: lines} of the stored output of one version."""
    blocks, lines = {}, []
    with open(os.path.join(HERE, "data", "speed", f"{version}.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("# openssl speed -mr -elapsed -seconds 1 "):
                lines = blocks.setdefault(line.rstrip("\n").split("-seconds 1 ")[1], [])
            else:
                lines.append(line.rstrip("\n"))
    return blocks


@pytest.mark.parametrize("release", VERSIONS)
def test_every_stored_output_gives_its_slots(release):
    blocks = stored(release)
    found = {args: [(slot.what, slot.size) for slot in speed.parse(lines)]
             for args, lines in blocks.items()}
    assert found["-bytes 16 -evp aes-128-gcm"] == [("bytes", 16)]
    assert found["-bytes 64 -hmac sha256"] == [("bytes", 64)]
    assert found["-bytes 64 -cmac aes-128-cbc"] == [("bytes", 64)]
    assert found["-bytes 64 rand"] == [("bytes", 64)]
    assert [what for what, _ in found["rsa2048"]][:2] == ["sign", "verify"]
    if release != "3.0":
        assert [what for what, _ in found["rsa2048"]][:4] == ["sign", "verify", "encrypt",
                                                             "decrypt"]
    assert found["ecdsap256"] == [("sign", 0), ("verify", 0)]
    assert found["ecdhx25519"] == [("derive", 0)]
    assert found["ed25519"] == [("sign", 0), ("verify", 0)]
    assert found["ffdh2048"] == [("derive", 0)]
    assert found["-evp nonsense -bytes 16"] == []


@pytest.mark.parametrize("release", ("3.5", "4.0"))
def test_kem_and_signature_algorithms(release):
    blocks = stored(release)
    kem = speed.parse(blocks["X25519MLKEM768"])
    assert [(slot.what, slot.name) for slot in kem] == [
        (what, "X25519MLKEM768") for what in ("keygen", "encap", "decap")]
    signature = speed.parse(blocks["ML-DSA-65"])
    assert [slot.what for slot in signature] == ["keygen", "sign", "verify"]


def test_counts_and_times():
    slots = speed.parse(stored("3.0")["rsa2048"])
    assert (slots[0].count, slots[0].ticks) == (3813, 1.01)
    assert slots[0].rate == pytest.approx(3813 / 1.01)
    gcm = speed.parse(stored("4.0")["-bytes 16 -evp aes-128-gcm"])[0]
    assert gcm.count == 7905763 and gcm.size == 16


def test_waiting_is_taken_off_and_a_late_reader_is_not_believed():
    slot = speed.Slot("bytes", "x", 16, count=1000, ticks=0.5, elapsed=0.5, waited=0.25)
    assert slot.rate == pytest.approx(4000)
    assert slot.trusted
    slot.elapsed, slot.waited = 0.9, 0.0
    assert slot.rate == pytest.approx(2000), "openssl's own time where ours is off"
    assert not slot.trusted
    slot.count = 0
    assert slot.rate == 0


@pytest.mark.parametrize("release", VERSIONS)
def test_error_text_is_short_and_says_what(release):
    text = "\n".join(stored(release)["-evp nonsense -bytes 16"])
    assert openssl.short_error(text) == ("speed: nonsense is an unknown cipher or digest; "
                                         "unsupported: nonsense")
    assert len(openssl.short_error("x" * 500)) <= 110


def test_listing_of_offers():
    offered = openssl.parse_offered(
        "Provided:\n  { 2.16.840, AES-128-GCM, aes-128-gcm } @ wolfnano\n  HMAC @ default\n"
        "    IDs: { 1.2.840.113549.1.1.1, RSA } @ base\n  AES128 => AES-128-CBC\n")
    assert offered["AES-128-GCM"] == "wolfnano" and offered["HMAC"] == "default"
    assert offered["RSA"] == "base" and "AES128" not in offered


# -- statistics -----------------------------------------------------------------
def by_round(*rates):
    return dict(enumerate(rates))


def test_ratio_is_the_quotient_of_the_medians():
    found = stats.ratio(by_round(20, 22, 21), by_round(10, 10.5, 10))
    assert found.value == pytest.approx(2.1) and found.verdict == "faster"
    assert found.low == pytest.approx(1.9) and found.high == pytest.approx(2.1)


@pytest.mark.parametrize("ours, theirs, verdict", [
    (by_round(100, 110, 90), by_round(100, 100, 101), "even"),        # covers 1
    (by_round(101, 101.1, 101), by_round(100, 100, 100), "even"),     # within 2 %
    (by_round(130, 131, 129, 130, 132), by_round(100, 99, 101, 100, 100), "faster"),
    (by_round(80, 81, 79, 80, 82), by_round(100, 99, 101, 100, 100), "slower"),
    (by_round(105), by_round(100), "even"),                           # one round
    (by_round(150), by_round(100), "faster"),
    (by_round(105, 106), by_round(104, 100), "even"),                 # two rounds say little
])
def test_verdict(ours, theirs, verdict):
    assert stats.ratio(ours, theirs).verdict == verdict


def test_portable_is_compared_in_the_rounds_that_it_has():
    found = stats.ratio({0: 40, 1: 10, 2: 42}, {0: 10, 2: 10})
    assert found.value == 4.0 and found.low == pytest.approx(4.0)


def test_nothing_to_compare():
    assert stats.ratio({}, {0: 1}) is None and stats.ratio({0: 1}, {0: 0}) is None
    assert stats.spread([5]) is None and stats.geometric_mean([]) is None
    assert stats.spread([9, 10, 12]) == pytest.approx(0.3)
    assert stats.spread([1, 9, 10, 10, 10, 10, 11, 99]) == pytest.approx(0.2), "trimmed"
    assert stats.geometric_mean([2, 8]) == pytest.approx(4)


def test_figures_for_people():
    assert stats.human_rate(1e6, 16) == "16.0 MB/s"
    assert stats.human_rate(190000, 16384) == "3 113 MB/s"
    assert stats.human_rate(3786.4, 0) == "3 786 /s"
    assert stats.human_rate(107600, 0) == "108 k/s"
    assert stats.human_rate(27.4, 0) == "27.4 /s"
    assert stats.human_rate(None, 0) == "–"


# -- rows and plan -----------------------------------------------------------------
def test_rows_are_sound():
    idents = [row.id for row in rows.ROWS]
    assert len(set(idents)) == len(idents)
    assert set(rows.BUILDS) <= set(idents) and len(rows.BUILDS) == 21
    for row in rows.ROWS:
        assert row.speed or row.evp, row.id
        assert row.needs and all(kind in openssl.LIST_OPTIONS for kind, _ in row.needs), row.id
        assert row.group in rows.GROUPS and row.level in (0, 1, 2)
        assert row.threads == 1 or (row.evp and not row.speed), row.id
        assert len(row.label) < 34, f"{row.label} makes the table wide"


def test_selection():
    assert [row.id for row in rows.select(["sha256"], 1)[0]] == ["sha256"]
    assert {row.id for row in rows.select(["aes-*-gcm"], 1)[0]} == {
        "aes-128-gcm", "aes-192-gcm", "aes-256-gcm"}
    macs = {row.id for row in rows.select(["macs"], 1)[0]}
    assert "hmac-sha256" in macs and "kmac256" not in macs, "a group means its usual rows"
    assert {row.id for row in rows.select(["macs"], 2)[0]} > macs
    assert rows.select(["SHA3-256"], 1)[0][0].id == "sha3-256", "labels, any case"
    assert rows.select(["nonsense", "sha1"], 1)[1] == ["nonsense"]
    quick = rows.select([], 0)[0]
    assert {row.level for row in quick} == {0}
    assert {"ciphers", "digests", "macs", "rand", "pk", "pqc"} <= {row.group for row in quick}


def row(ident):
    return next(found for found in rows.ROWS if found.id == ident)


def test_tool_follows_the_version():
    assert plan.choose_tool(row("mlkem768-encap"), (3, 0, 19), "auto", object())[0] == "evpbench"
    assert plan.choose_tool(row("mlkem768-encap"), (3, 5, 0), "auto", object())[0] == "speed"
    assert plan.choose_tool(row("sha256"), (3, 0, 19), "evpbench", object())[0] == "evpbench"
    tool, why = plan.choose_tool(row("mlkem768-encap"), (3, 0, 19), "auto", None)
    assert tool == "" and "from 3.2 on" in why and "evpbench" in why
    assert plan.choose_tool(row("poly1305"), (3, 5, 0), "speed", object())[0] == ""


def legs():
    mine = plan.Leg("wolfnano", "wolfnano", ("wolfnano",), "/x", "/x/wolfnano.so",
                    offers={"digest": {"SHA256": "wolfnano"}, "keymgmt": {"RSA": "default"}})
    theirs = plan.Leg("default", "default", ("default",),
                      offers={"digest": {"SHA256": "default"}, "keymgmt": {"RSA": "default"},
                              "signature": {"RSA": "default"}})
    return [theirs, mine]


def test_what_another_provider_offers_does_not_count():
    cells = plan.make_cells([row("rsa2048-sign"), row("sha256")], (16, 1024), legs(), (3, 0, 0),
                            "auto", None)
    by = {(cell.row.id, cell.size): cell for cell in cells}
    assert by["rsa2048-sign", 0].reasons == {"wolfnano": "does not offer RSA (keys)"}
    assert by["sha256", 16].reasons == {}
    jobs = plan.make_jobs(cells, legs())
    assert [job.first.row.id for job in jobs] == ["rsa2048-sign", "sha256", "sha256"]


def test_rows_of_one_key_share_a_process():
    everything = [plan.Leg("default", "default", ("default",), offers={
        kind: {name: "default" for other in rows.ROWS for k, name in other.needs if k == kind}
        for kind in openssl.LIST_OPTIONS})]
    wanted = rows.select(["rsa2048-sign", "rsa2048-verify", "rsa2048-decrypt"], 1)[0]
    cells = plan.make_cells(wanted, (16,), everything, (3, 5, 0), "auto", None)
    jobs = plan.make_jobs(cells, everything)
    assert len(jobs) == 1 and set(jobs[0].cells) == {"sign", "verify", "decrypt"}
    assert measure.slots_per_round(jobs, everything) == (3, 1)


def test_time_is_shared_out():
    cell = plan.Cell(row("sha256"), 16, "speed")
    jobs = [plan.Job("speed", {"bytes": cell})] * 200
    both = legs()
    seconds = measure.seconds_for(400, jobs, both, 5)
    assert 0.05 < seconds < 0.5
    assert measure.estimate(jobs, both, 5, seconds) == pytest.approx(400, rel=0.05)
    assert measure.seconds_for(400, jobs[:1], both, 5) == 0.5, "no longer than useful"
    cell.fail("wolfnano", "x")
    assert measure.slots_per_round(jobs, both)[0] == 200


class NoProgress:
    def round(self, number):
        self.number = number

    def job(self, job, leg):
        pass

    def done(self, job):
        pass

    def tick(self):
        pass


class Recorder(measure.Bench):
    def __init__(self, jobs, sides, rounds):
        super().__init__(None, "", sides, jobs, rounds, 0.1, 0, None, [0])
        self.order = []

    def one(self, job, leg, tick):
        self.order.append((job, leg.id))


def test_order_alternates():
    sides = legs()
    portable = plan.Leg("portable", "portable C", ("wolfnano",), "/y")
    bench = Recorder(["a", "b"], sides, 2)
    bench.run(NoProgress())
    assert [leg for _, leg in bench.order] == ["default", "wolfnano", "wolfnano", "default",
                                               "wolfnano", "default", "default", "wolfnano"]
    bench = Recorder(["a"], [*sides, portable], 4)
    bench.run(NoProgress())
    assert [leg for _, leg in bench.order].count("portable") == 2
    assert [leg for _, leg in bench.order].count("wolfnano") == 4


def test_deadline_ends_after_a_whole_round():
    bench = Recorder(["a"], legs(), 5)
    bench.run(NoProgress(), deadline=watch.clock() - 1)
    assert bench.rounds_done == 1 and "1 of 5" in bench.stopped


def test_slots_are_stretched_only_while_on_time():
    bench = Recorder(["a"] * 10, legs(), 1)
    assert bench.stretch() == measure.STRETCH, "no promise of time"
    bench.begun, bench.deadline = watch.clock() - 50, watch.clock() + 50
    bench.jobs_done = 8
    assert bench.stretch() == measure.STRETCH
    bench.jobs_done = 2
    assert bench.stretch() == 1.0


def test_slot_goes_on_until_it_has_had_the_core(conf):
    """Two programs on one core: a stretched slot lasts longer, its rate stays the same."""
    target = openssl.locate(None, conf)
    core = watch.allowed_cpus()[0]
    rival = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        watch.pin(rival.pid, {core})
        run_ = speed.Run(target, ["-bytes", "1024", "-evp", "sha256"], conf, core, 0.1, None, 4.0)
        slots = run_.collect({"bytes"})
    finally:
        rival.kill()
        rival.wait()
    assert run_.error == "" and len(slots) == 1
    slot = slots[0]
    if watch.waited(os.getpid()) is None:
        # without CONFIG_SCHED_INFO nothing can be taken off, and the bench says so
        pytest.skip("this kernel keeps no account of waiting")
    assert slot.waited > 0.02 and slot.elapsed > 0.13
    assert 0 < slot.elapsed - slot.waited < 0.35


def test_implausible_figure_is_refused():
    bench = measure.Bench(None, "", legs(), [], 1, 0.1, 0, None, [0])
    cell = plan.Cell(row("aes-256-ctr"), 16384, "speed")
    bench.keep(cell, legs()[1], plan.Sample(3e7, 3000000, 0.1, 0))
    assert cell.rates("wolfnano") == [] and "implausibly" in cell.reasons["wolfnano"]
    bench.keep(cell, legs()[0], plan.Sample(4e5, 40000, 0.1, 0))
    assert cell.rates("default") == [4e5]


class Calls:
    def __init__(self):
        self.sizes = []

    def check(self, entry, size, leg):
        self.sizes.append((leg.id, size))
        return "" if leg.id == "default" else "AES-256-CTR: fails"


def test_calls_are_known_to_work_before_they_are_timed():
    """openssl speed counts failed cipher calls too; evpbench looks at each result."""
    sides = legs()
    for leg in sides:
        leg.offers["cipher"] = {"AES-256-CTR": leg.id}
    cells = plan.make_cells([row("aes-256-ctr")], (16, 256, 1024), sides, (3, 0, 0), "auto",
                            object())
    calls = Calls()
    plan.check_calls(cells, sides, calls)
    assert calls.sizes == [("default", 16), ("default", 1024), ("wolfnano", 16),
                           ("wolfnano", 1024), ("wolfnano", 256)]
    assert all(cell.reasons == {"wolfnano": "AES-256-CTR: fails"} for cell in cells)


# -- options -----------------------------------------------------------------------
@pytest.mark.parametrize("args, text", [
    (["--only", "nonsense"], "nonsense"),
    (["--sizes", "16,x"], "sizes"),
    (["--sizes", "0"], "sizes"),
    (["--seconds", "0"], "seconds"),
    (["--rounds", "0"], "1 to 1000"),
    (["--json", "/nonexistent/x.json"], "/nonexistent"),
    (["--builds", "--no-portable"], "--no-portable"),
    (["--from", os.path.join(TREE, "LICENSE")], "not JSON"),
    (["--core", "4095"], "--core"),
    (["--unheard-of"], "unrecognized"),
])
def test_wrong_usage(args, text):
    done = run(*args, "--provider", "default") if "--core" in args else run(*args)
    assert done.returncode == errors.USAGE, done.stderr
    assert text in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("args, text", [
    (["--openssl", "/nonexistent"], "neither a program nor a folder"),
    (["--openssl", TREE], "no bin/openssl"),
    (["--openssl", "/bin/true"], "does not answer as OpenSSL"),
    (["--openssl", "9.9"], "scripts/sysroot"),
    (["--module-dir", "/nonexistent"], "no wolfnano.so in /nonexistent"),
])
def test_unusable_environment(args, text):
    done = run(*args)
    assert done.returncode == errors.ENVIRONMENT, done.stderr
    assert text in done.stderr and "Traceback" not in done.stderr


def test_help_and_list():
    text = run("--help").stdout
    assert "examples:" in text and "exit codes:" in text and "--quick" in text
    lines = run("--list").stdout.splitlines()
    assert len(lines) == len(rows.ROWS)
    assert any(line.startswith("mlkem768-encap ") and "from 3.2 on" in line for line in lines)
    assert len(run("--list", "--quick").stdout.splitlines()) < len(lines)


def test_a_provider_that_is_not_what_it_says_is_refused(tmp_path):
    (tmp_path / "wolfnano.so").write_bytes(b"not a module")
    done = run("--module-dir", str(tmp_path), "--only", "sha256")
    assert done.returncode == errors.ENVIRONMENT
    assert "wolfnano" in done.stderr and "Traceback" not in done.stderr


# -- JSON ---------------------------------------------------------------------------
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int,
         "number": (int, float), "null": type(None)}


def conforms(value, schema, root, where="$"):
    """The part of JSON Schema that schema.json uses."""
    known = {"$schema", "title", "description", "type", "required", "properties", "items",
             "const", "enum", "additionalProperties", "$ref", "$defs"}
    assert set(schema) <= known, f"{where}: teach this test {set(schema) - known}"
    if "$ref" in schema:
        return conforms(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root, where)
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds:
        assert isinstance(value, tuple(TYPES[kind] for kind in kinds)), f"{where}: {value!r}"
    assert value == schema.get("const", value), where
    assert "enum" not in schema or value in schema["enum"], f"{where}: {value!r}"
    if isinstance(value, dict):
        for name in schema.get("required", ()):
            assert name in value, f"{where}: no {name}"
        for name, member in value.items():
            inner = schema.get("properties", {}).get(name) or schema.get("additionalProperties")
            if inner:
                conforms(member, inner, root, f"{where}.{name}")
            else:
                assert "properties" not in schema, f"{where}: {name} is not in the schema"
    if isinstance(value, list) and "items" in schema:
        for index, member in enumerate(value):
            conforms(member, schema["items"], root, f"{where}[{index}]")
    return None


def check_document(doc):
    schema = json.loads(run("--json-schema").stdout)
    conforms(doc, schema, schema)
    for entry in doc["rows"]:
        for cell in entry["cells"]:
            for result in cell["legs"].values():
                assert ("rate" in result) != ("reason" in result)


# -- HTML ----------------------------------------------------------------------------
class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.outside, self.open = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "srcset", "data", "action", "xlink:href"):
                self.outside.append((tag, name, value))
        if tag not in ("meta", "input", "br", "link", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()


def check_page(text):
    page = Page()
    page.feed(text)
    assert page.open == [], "every tag is closed"
    assert page.outside == [] and "script" not in page.tags and "link" not in page.tags
    assert not re.search(r"url\(|@import|https?://", text), "nothing is loaded"
    assert "prefers-color-scheme: dark" in text and "svg" in page.tags
    return page


def sample_document():
    """A result as three legs give it, with a row that could not be measured."""
    sides = [*legs(), plan.Leg("portable", "portable C", ("wolfnano",), "/y", "/y/wolfnano.so")]
    for leg in sides:
        leg.facts = {"name": leg.label, "version": "1", "buildinfo": "<&>"}
    cells = []
    for ident, size, figures in (
            ("sha256", 16, {"default": (8e6, 8.1e6, 8e6), "wolfnano": (1e7, 1.1e7, 1e7),
                            "portable": (2e6, 2e6)}),
            ("sha256", 16384, {"default": (8e4,) * 3, "wolfnano": (8e4, 8.01e4, 8e4),
                               "portable": (2e4, 2e4)}),
            ("p256-sign", 0, {"default": (4e4,) * 3, "wolfnano": (3e4,) * 3}),
            ("mlkem768-encap", 0, {"wolfnano": (1e5,) * 3})):
        cell = plan.Cell(row(ident), size, "speed")
        for leg, rates in figures.items():
            step = 2 if leg == "portable" else 1
            cell.samples[leg] = [plan.Sample(rate, 1000, 0.1, 0.0, index * step)
                                 for index, rate in enumerate(rates)]
        for leg in ("default", "wolfnano", "portable"):
            if leg not in figures:
                cell.fail(leg, "does not offer <it>")
        cells.append(cell)
    machine = {**watch.machine(), "core": 1}
    return report_json.document(
        cells, sides, ("wolfnano", "default"), date="2026-01-01T00:00:00+00:00",
        command="wolfnano bench --only 'a b'", machine=machine,
        openssl={"version": "OpenSSL 3.0.19 (Library: OpenSSL 3.0.19)", "program": "openssl",
                 "sysroot": "", "libcrypto": ""},
        settings={"seconds": 0.1, "rounds": 3, "rounds_done": 3, "sizes": [16, 16384],
                  "tool": "auto", "environment": {}},
        noise={"waited_share": 0.0, "steal_share": 0.0, "load_after": [0.0, 0.0, 0.0],
               "warnings": ["busy & noisy"]})


def test_document():
    doc = sample_document()
    check_document(doc)
    assert doc["summary"]["faster"] == 1 and doc["summary"]["even"] == 1
    assert doc["summary"]["slower"] == 1 and doc["summary"]["compared"] == 3
    sha = doc["rows"][1]["cells"][0] if doc["rows"][1]["id"] == "sha256" \
        else doc["rows"][0]["cells"][0]
    assert sha["ratio"]["value"] == pytest.approx(1.25)
    assert sha["asm_ratio"]["value"] == pytest.approx(5)
    assert words.reasons(doc) == [
        ("portable C: does not offer <it>", ["ECDSA P-256 sign"]),
        ("default, portable C: does not offer <it>", ["ML-KEM-768 encaps"])] or \
        words.reasons(doc) == [("portable C, default: does not offer <it>",
                                ["ECDSA P-256 sign", "ML-KEM-768 encaps"])]


def test_page_is_self_contained():
    text = report_html.page(sample_document())
    page = check_page(text)
    assert page.tags.count("svg") == 3, "two sizes and the keys"
    assert "1.25×" in text and "busy &amp; noisy" in text and "does not offer &lt;it&gt;" in text
    assert text.count(" checked>") == 1


def test_axis_always_has_one_on_it():
    for values in ((1.0,), (0.01, 0.5), (3, 400), (0.97, 1.02)):
        bars = [chart.Bar("x", value, value, value, "even", "", "") for value in values]
        axis = chart.Axis(bars)
        assert 1 in axis.ticks()
        assert all(chart.LABEL <= axis.at(value) <= chart.WIDTH - chart.RIGHT + 0.01
                   for value in values)


def test_drawn_again_from_a_file(tmp_path):
    source, target = tmp_path / "a.json", tmp_path / "a.html"
    report_json.write(sample_document(), str(source))
    done = run("--from", str(source), "--html", str(target))
    assert done.returncode == errors.OK, done.stderr
    assert "ECDSA P-256 sign" in done.stdout and "portable C" in done.stdout
    check_page(target.read_text(encoding="utf-8"))
    assert sorted(os.listdir(tmp_path)) == ["a.html", "a.json"], "no half-written files"


# -- the real thing --------------------------------------------------------------------
def test_quick_run(tmp_path):
    """End to end: both sides of the same provider, so that no module is needed."""
    out, page = tmp_path / "r.json", tmp_path / "r.html"
    done = run("--provider", "default", "--quick", "--only", "sha256,ecdsa p-256 sign", "--sizes",
               "16,1024", "--seconds", "0.05", "--rounds", "2", "--json", str(out), "--html",
               str(page))
    assert done.returncode == errors.OK, done.stderr
    doc = json.loads(out.read_text(encoding="utf-8"))
    check_document(doc)
    check_page(page.read_text(encoding="utf-8"))
    assert [entry["id"] for entry in doc["rows"]] == ["sha256", "p256-sign"]
    for entry in doc["rows"]:
        for cell in entry["cells"]:
            assert cell["tool"] == "speed"
            for result in cell["legs"].values():
                assert len(result["rates"]) == 2 and 1e3 < result["rate"] < 1e8
    assert "SHA-256" in done.stdout and "ratio" in done.stdout and "MB/s" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr, "no escapes when not on a terminal"
    assert "round 2 of 2" in done.stderr
    again = doc["command"]
    assert "--seconds 0.05" in again and "--rounds 2" in again and "--core" in again


def test_user_configuration_is_not_read(tmp_path):
    """An openssl.cnf of the user that activates things has no say in what is measured."""
    mine = tmp_path / "openssl.cnf"
    mine.write_text("openssl_conf = x\n[x]\nproviders = p\n[p]\nlegacy = l\n[l]\nactivate = 1\n")
    done = run("--provider", "default", "--only", "md5", "--sizes", "64", "--seconds", "0.02",
               "--rounds", "1", "--json", "-", OPENSSL_CONF=str(mine))
    assert done.returncode == errors.OK, done.stderr
    assert [leg["name"] for leg in json.loads(done.stdout)["legs"]] == [
        "OpenSSL Default Provider"] * 2


def test_wrong_provider_loaded_is_noticed(conf, monkeypatch):
    target = openssl.locate(None, conf)
    leg = plan.Leg("wolfnano", "wolfnano", ("default",))
    plan.verify_leg(leg, target, conf, ["digest"])
    assert leg.offers["digest"]["SHA256"] == "default"
    assert plan.missing(row("sha256"), leg) is None
    monkeypatch.setattr(plan.Leg, "options", ["-provider", "default", "-provider", "legacy"])
    with pytest.raises(errors.EnvironmentProblem, match="where only default"):
        plan.verify_leg(leg, target, conf, ["digest"])


def test_nothing_measured_is_a_failure():
    done = run("--provider", "legacy", "--only", "sha256", "--sizes", "16", "--seconds", "0.02",
               "--rounds", "1")
    assert done.returncode == errors.FAILED
    assert "does not offer SHA256" in done.stdout
    done = run("--provider", "default", "--only", "sha256,mlkem768-encap", "--sizes", "16",
               "--seconds", "0.02", "--rounds", "1", "--strict", "--openssl", "/usr/bin/openssl")
    have = "ML-KEM" in subprocess.run(["openssl", "list", "-kem-algorithms"], text=True,
                                      capture_output=True, check=False).stdout
    assert done.returncode == (errors.OK if have else errors.FAILED)


def test_openssl_of_another_release():
    found = sysroots()
    if not found:
        # the step "sysroots" of scripts/test fetches them before
        pytest.skip("no sysroot has been fetched (scripts/sysroot all)")
    for root in found:
        release = os.path.basename(root).split("-")[1]
        rows = "sha256,rsa2048-sign" if release == "3.0" else "sha256,mlkem768-encap,rsa2048-decrypt"
        done = run("--openssl", root, "--provider", "default", "--only", rows, "--sizes", "64", "--seconds", "0.03",
                   "--rounds", "1", "--json", "-")
        assert done.returncode == errors.OK, done.stderr
        doc = json.loads(done.stdout)
        check_document(doc)
        version = doc["openssl"]["version"]
        assert version.startswith(f"OpenSSL {release}."), version
        assert doc["openssl"]["libcrypto"].startswith(root)
        assert all("rate" in result for entry in doc["rows"] for cell in entry["cells"]
                   for result in cell["legs"].values()), done.stdout
        assert {cell["tool"] for entry in doc["rows"] for cell in entry["cells"]} == {"speed"}


# -- evpbench --------------------------------------------------------------------------
built = pytest.mark.skipif(not os.path.exists(EVPBENCH), reason="evpbench is not built")


def evpbench(*args, provider="default"):
    done = subprocess.run([EVPBENCH, "--provider", provider, *args], text=True,
                          capture_output=True, timeout=60, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


@built
def test_every_row_works_through_evpbench(conf):
    """Each row's operation, done once by the default provider of the machine's OpenSSL."""
    target = openssl.locate(None, conf)
    leg = plan.Leg("default", "default", ("default",))
    plan.verify_leg(leg, target, conf, list(openssl.LIST_OPTIONS))
    tool = evp.EvpBench(EVPBENCH, target, conf)
    wrong, count = {}, 0
    slow = re.compile(r"rsa3072|rsa4096|ffdh[34]|rsa2048-(keygen|encrypt|threads)")
    for entry in rows.ROWS:
        if plan.missing(entry, leg) or not entry.evp or slow.match(entry.id):
            continue
        error = tool.check(entry, 64 if entry.sized else 0, leg)
        count += 1
        if error:
            wrong[entry.id] = error
    assert wrong == {} and count > 70


@built
def test_evpbench_measures_and_names_the_provider():
    code, found, _ = evpbench("--op", "aead-enc", "--algorithm", "AES-128-GCM", "--size", "64",
                              "--aad", "13", "--seconds", "0.03")
    assert code == 0 and found["provider"] == "default" and found["size"] == 64
    assert found["count"] > 100 and 0.02 < found["seconds"] < 5
    assert found["rate"] == pytest.approx(
        found["count"] / max(found["seconds"] - found["waited"], found["seconds"] / 20), rel=0.01)
    code, found, _ = evpbench("--op", "sign", "--algorithm", "EC/P-256", "--fresh",
                              "--threads", "2", "--seconds", "0.03")
    assert code == 0 and found["threads"] == 2 and found["fresh"] == 1 and found["count"] > 2


@built
@pytest.mark.parametrize("args, text", [
    (["--op", "digest", "--algorithm", "NOSUCH"], "NOSUCH: unsupported"),
    (["--op", "stream-enc", "--algorithm", "AES-128-XTS", "--size", "8"], "AES-128-XTS"),
    (["--op", "mac", "--algorithm", "HMAC/NOSUCH"], "HMAC"),
    (["--op", "sign", "--algorithm", "X25519"], "X25519"),
    (["--op", "encap", "--algorithm", "EC/P-256x"], "EC"),
])
def test_evpbench_counts_no_failing_call(args, text):
    """A call that fails ends the measurement; it is never counted as fast."""
    code, found, err = evpbench(*args, "--seconds", "0.02")
    assert code == 1 and found is None and text in err


@built
@pytest.mark.parametrize("args", [
    ["--op", "nonsense", "--algorithm", "x"], ["--op", "digest"],
    ["--op", "digest", "--algorithm", "SHA256", "--threads", "0"],
    ["--op", "digest", "--algorithm", "SHA256", "--seconds", "-1"],
    ["--op", "digest", "--algorithm", "SHA256", "--size", "99999999"],
    ["--op", "digest", "--algorithm", "SHA256", "--cpus", "x"],
])
def test_evpbench_usage(args):
    assert evpbench(*args)[0] == 2


@built
def test_evpbench_takes_the_libcrypto_that_it_is_given(conf):
    found = sysroots()
    if not found:
        # the step "sysroots" of scripts/test fetches them before
        pytest.skip("no sysroot has been fetched (scripts/sysroot all)")
    for root in found:
        target = openssl.locate(os.path.join(root, "usr/bin/openssl"), conf)
        assert target.sysroot == root and target.prefix, "started through its own loader"
        tool = evp.EvpBench(EVPBENCH, target, conf)
        leg = plan.Leg("default", "default", ("default",))
        result, error = tool.measure(row("ed25519-verify-fresh"), 0, leg, 0.03, [0])
        assert error == "" and result["libcrypto"] == target.version_text.split(" (")[0]
        # the machine's own libcrypto would answer too: it must be refused
        target.libcrypto = openssl.locate(None, conf).libcrypto
        result, error = tool.measure(row("sha256"), 64, leg, 0.03, [0])
        assert result is None and error


module = pytest.mark.skipif(not os.path.exists(os.path.join(BUILD, "wolfnano.so")),
                            reason="wolfnano.so is not built")


@built
@module
def test_wolfnano_is_measured(tmp_path):
    out = tmp_path / "r.json"
    done = run("--module-dir", BUILD, "--only", "sha256,sha256-threads,sha256-message",
               "--sizes", "256", "--seconds", "0.03", "--rounds", "2", "--json", str(out))
    assert done.returncode == errors.OK, done.stderr
    doc = json.loads(out.read_text(encoding="utf-8"))
    check_document(doc)
    mine = next(leg for leg in doc["legs"] if leg["id"] == "wolfnano")
    assert mine["provider"] == mine["name"] == "wolfnano" and len(mine["sha256"]) == 64
    assert "wolfSSL" in mine["buildinfo"]
    for entry in doc["rows"]:
        for cell in entry["cells"]:
            assert cell["legs"]["wolfnano"]["rate"] > 0 and cell["ratio"], entry["id"]
    threads = next(entry for entry in doc["rows"] if entry["id"] == "sha256-threads")
    if len(watch.allowed_cpus()) > 1:
        assert threads["cells"][0]["legs"]["wolfnano"]["scaling"] > 0
