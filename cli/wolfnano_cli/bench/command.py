# SPDX-License-Identifier: GPL-3.0-or-later
"""`wolfnano bench`: options, and the way from them to the reports."""
import argparse
import datetime
import os
import shlex
import sys
import tempfile

from .. import errors, openssl
from ..errors import EnvironmentProblem, UsageError
from . import evp, measure, plan, raw, report_html, report_json, share, watch
from . import rows as rowdata

NAME = "bench"
HELP = "measure wolfnano beside the default provider"
DESCRIPTION = """\
Runs `openssl speed` for the default provider and for wolfnano in turn, on one
core, several rounds, and shows the medians side by side. What openssl speed
cannot measure (one AEAD message, fresh keys, two threads, KEM and signature
algorithms before OpenSSL 3.2) is measured through EVP with evpbench, which the
build makes; such rows carry a star."""
EPILOG = """\
ROWS for --only: a name or glob (aes-128-gcm, "aes-*", "*-sign"; see --list) or
a group: ciphers messages digests macs rand pk pqc fresh threads.

examples:
  wolfnano bench                          the usual rows, under ten minutes
  wolfnano bench --quick                  the main rows, under two minutes
  wolfnano bench --only "aes-*-gcm,sha256" --sizes 16,16384
  wolfnano bench --openssl ~/sysroots/trixie --json new.json --html new.html
  wolfnano bench --only "p256-*" --seconds 1 --rounds 9
  wolfnano bench --builds                 assembly against portable C
  wolfnano bench --raw                    and beside wolfCrypt's own benchmark
  wolfnano bench --raw --all --only ciphers,digests,macs --sizes 16384
  wolfnano bench --share --only "p256-*"  instructions: wolfnano's own and wolfCrypt's
  wolfnano bench --provider default       both sides the same: the machine's noise
  wolfnano bench --from new.json --html new.html     draw again, measure nothing

A ratio with ≈ means: within what the machine's noise can do. Spread is
(highest - lowest) / median of the worse side. With --raw, "of raw" is wolfnano
through EVP over the same algorithm in wolfCrypt's benchmark, which calls it
directly: 0.97 and more is the aim, above 1 a kernel of wolfnano's own is faster.

exit codes:
  0  measured (a row that could not be measured says why, below the table)
  1  nothing could be measured, or with --strict: not everything; with --share:
     a share over its limit
  2  wrong usage
  3  openssl, the module or a needed program is missing or unusable
  130 interrupted (what was measured so far is still shown and written)"""

BUDGET = {"quick": 85.0, "default": 400.0}
LIMIT = {"quick": 112.0, "default": 520.0}
ROUNDS = {"quick": 3, "default": 5}
STEERING = ("OPENSSL_ia32cap", "OPENSSL_armcap", "OPENSSL_riscvcap")


def add_arguments(parser):
    what = parser.add_argument_group("what to measure")
    what.add_argument("--openssl", metavar="PATH",
                      help="openssl program, a prefix or unpacked sysroot that holds one, or "
                      "3.5, 3.6, 4.0 where scripts/sysroot has fetched it")
    what.add_argument("--module-dir", metavar="DIR",
                      help="folder of wolfnano.so (default: build/ of this tree, else "
                      "OpenSSL's MODULESDIR)")
    what.add_argument("--portable-dir", metavar="DIR",
                      help="folder of the portable-C build (default: build-none/ of this "
                      "tree where it is there)")
    what.add_argument("--no-portable", action="store_true", help="leave that build out")
    what.add_argument("--builds", action="store_true",
                      help="compare the build with assembly against portable C")
    what.add_argument("--raw", action="store_true",
                      help="measure wolfCrypt's own benchmark, too, in turn with the rows at "
                      "16384 bytes (or the largest of --sizes)")
    what.add_argument("--share", action="store_true",
                      help="count instructions under valgrind instead: what of an operation is "
                      "wolfnano's own code, beside wolfCrypt's (rows of pk and pqc; all of them "
                      "take some minutes)")
    what.add_argument("--functions", type=int, default=0, metavar="N",
                      help="with --share: name the N functions that make up most of wolfnano's own")
    what.add_argument("--provider", default=plan.MODULE, metavar="NAME",
                      help="measure this provider in wolfnano's place")
    what.add_argument("--only", action="append", default=[], metavar="ROWS",
                      help="only these rows, by comma; may be repeated")
    what.add_argument("--all", action="store_true", help="every row there is")
    what.add_argument("--list", action="store_true", help="print the rows and end")
    how = parser.add_argument_group("how to measure")
    how.add_argument("--quick", action="store_true", help="main rows, three sizes, < 2 minutes")
    how.add_argument("--sizes", metavar="N,N,…", type=size_list,
                     help="bytes per call (default: 16,256,1024,8192,16384)")
    how.add_argument("--seconds", type=positive, metavar="S",
                     help="length of one slot (default: what the time allows, at most 0.5)")
    how.add_argument("--rounds", type=rounds, metavar="N", help="default: 5, with --quick 3")
    how.add_argument("--tool", choices=("auto", "speed", "evpbench"), default="auto",
                     help="measure with this tool where it can")
    how.add_argument("--core", type=int, metavar="N", help="pin to this core (default: the "
                     "quietest one)")
    out = parser.add_argument_group("what to write")
    out.add_argument("--json", metavar="FILE", help="write the result as JSON (- for stdout)")
    out.add_argument("--html", metavar="FILE", help="write one self-contained HTML page")
    out.add_argument("--from", dest="source", metavar="FILE",
                     help="measure nothing; show a result written with --json")
    out.add_argument("--json-schema", action="store_true", help="print the JSON's schema and end")
    out.add_argument("--no-table", action="store_true", help="print no table")
    out.add_argument("--strict", action="store_true",
                     help="exit code 1 if any row of wolfnano could not be measured")


def positive(text):
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0.02 <= value <= 600:
        raise argparse.ArgumentTypeError(f"{text}: want seconds from 0.02 to 600")
    return value


def rounds(text):
    if not text.isdigit() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"{text}: want a number from 1 to 1000")
    return int(text)


def size_list(text):
    try:
        sizes = sorted({int(part) for part in text.split(",")})
    except ValueError:
        sizes = [0]
    if not sizes or sizes[0] < 1 or sizes[-1] > 1 << 19:
        raise argparse.ArgumentTypeError(f"{text}: want sizes from 1 to {1 << 19}, by comma")
    return tuple(sizes)


def source_tree():
    """The folder of the source tree that this file lies in, or None when installed."""
    here = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
    return here if os.path.isfile(os.path.join(here, "CMakeLists.txt")) else None


def run(args):
    if args.json_schema:
        with open(report_json.SCHEMA_FILE, encoding="utf-8") as file:
            print(file.read(), end="")
        return errors.OK
    if args.list:
        return list_rows(args)
    check_outputs(args)
    if args.source:
        doc = report_json.read(args.source)
        publish(doc, args)
        return errors.OK
    with tempfile.TemporaryDirectory(prefix="wolfnano-bench-") as folder:
        if args.share:
            return show_shares(args, plan.neutral_conf(folder))
        return Session(args, plan.neutral_conf(folder)).go()


def chosen_rows(args):
    patterns = [part for text in args.only for part in text.split(",") if part]
    if args.builds and not patterns:
        patterns = list(rowdata.BUILDS)
    level = 2 if args.all else 0 if args.quick else 1
    found, unknown = rowdata.select(patterns, level)
    if unknown:
        raise UsageError(f"--only: no row or group is called {', '.join(unknown)} (see --list)")
    return found


def list_rows(args):
    for row in chosen_rows(args) if args.only or args.quick or args.builds else rowdata.ROWS:
        level = ("quick", "usual", "on request")[row.level]
        tool = " ".join(("openssl speed", *row.speed)) if row.speed else "evpbench"
        since = f" from {row.since[0]}.{row.since[1]} on" if row.since != (3, 0) else ""
        print(f"{row.id:<28} {row.group:<9} {level:<11} {row.label}  [{tool}{since}]")
    return errors.OK


def show_shares(args, conf):
    wanted = chosen_rows(args) if args.only else rowdata.ROWS
    chosen = [row for row in wanted if row.group in share.GROUPS]
    if not chosen:
        raise UsageError("--share has the rows of pk and pqc only (see --list)")
    tree = source_tree()
    target = openssl.locate(args.openssl, conf, tree)
    module_dir = plan.find_module_dir(args.module_dir, tree, target.modules_dir(conf))
    program = evp.find(tree, module_dir)
    if program is None:
        raise EnvironmentProblem("--share needs evpbench, which the build makes")
    return share.run(chosen, share.Measurement(program, target, conf, module_dir), args.functions)


def check_outputs(args):
    for path in (args.json, args.html):
        folder = os.path.dirname(os.path.abspath(path)) if path and path != "-" else None
        if folder and not os.path.isdir(folder):
            raise UsageError(f"{path}: there is no folder {folder}")
    if args.builds and args.no_portable:
        raise UsageError("--builds needs the portable build; leave --no-portable out")


def tables():
    """The module that needs python3-rich, imported when it is needed."""
    from . import report_table
    return report_table


def publish(doc, args):
    if args.json:
        report_json.write(doc, args.json)
    if args.html:
        report_json.write_text(report_html.page(doc), args.html)
    if not args.no_table and args.json != "-" and args.html != "-":
        tables().show(doc, tables().console())


class Session:
    """One measurement, from options to document."""

    def __init__(self, args, conf):
        self.args, self.conf = args, conf
        self.mode = "quick" if args.quick else "default"
        self.rows = chosen_rows(args)
        self.sizes = args.sizes or (rowdata.QUICK_SIZES if args.quick else rowdata.SIZES)
        self.tree = source_tree()
        self.begun = watch.clock()
        self.date = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
        self.warnings = []

    def go(self):
        args = self.args
        self.target = openssl.locate(args.openssl, self.conf, self.tree)
        self.set_up_legs()
        self.set_up_core()
        self.evpbench = self.find_evpbench()
        self.cells = plan.make_cells(self.rows, self.sizes, self.legs, self.target.version,
                                     args.tool, self.evpbench)
        plan.check_calls(self.cells, self.legs, self.evpbench)
        self.jobs = plan.make_jobs(self.cells, self.legs)
        self.rounds = args.rounds or ROUNDS[self.mode]
        self.raw = self.find_raw()
        raw_time = self.raw.seconds(self.cells) if self.raw else 0.0
        self.seconds = args.seconds or measure.seconds_for(
            BUDGET[self.mode] - raw_time * self.rounds, self.jobs, self.legs, self.rounds)
        interrupted = self.measure()
        doc = self.document()
        publish(doc, args)
        if interrupted:
            return errors.INTERRUPTED
        return self.verdict(doc)

    # -- preparation ------------------------------------------------------------
    def set_up_legs(self):
        args, module_dir, portable = self.args, None, None
        if args.provider not in ("default", "legacy"):
            module_dir = plan.find_module_dir(
                args.module_dir, self.tree, self.target.modules_dir(self.conf), args.provider)
            portable = self.portable_dir(module_dir)
        if args.builds:
            if not portable:
                raise EnvironmentProblem("--builds: there is no portable build; make it with "
                                         "`cmake --preset none && cmake --build --preset none`, "
                                         "or name its folder with --portable-dir")
            wanted, self.compare = ("portable", "wolfnano"), ("wolfnano", "portable")
        else:
            wanted, self.compare = ("default", "wolfnano", "portable"), ("wolfnano", "default")
        self.legs = plan.make_legs(wanted, module_dir, portable, args.provider)
        kinds = sorted({kind for row in self.rows for kind, _ in row.needs})
        for leg in self.legs:
            plan.verify_leg(leg, self.target, self.conf, kinds)

    def portable_dir(self, module_dir):
        args = self.args
        if args.no_portable:
            return None
        if args.portable_dir:
            return plan.find_module_dir(args.portable_dir, None, None, args.provider)
        beside = os.path.join(self.tree, "build-none") if self.tree else ""
        if os.path.isfile(os.path.join(beside, args.provider + ".so")) and beside != module_dir:
            return beside
        return None

    def set_up_core(self):
        allowed = watch.allowed_cpus()
        if self.args.core is not None and self.args.core not in allowed:
            raise UsageError(f"--core {self.args.core}: this process may use "
                             f"{','.join(str(cpu) for cpu in allowed)}")
        self.machine = watch.machine()
        self.core = self.args.core if self.args.core is not None \
            else watch.quietest_core(allowed)
        self.cpus = evp.cpus_for(self.core, 2)
        self.machine["core"] = self.core
        if self.machine["load"][0] > max(0.5, 0.25 * len(allowed)):
            self.warn(f"the machine is busy (load average {self.machine['load'][0]}); "
                      "figures will vary")
        if self.machine["governor"] not in ("", "performance"):
            self.warn(f"the frequency governor is {self.machine['governor']}; "
                      "performance gives steadier figures")
        if len(self.cpus) < 2:
            self.rows = [row for row in self.rows if row.threads < 2]
        watch.step_aside(self.core)

    def find_evpbench(self):
        folder = self.legs[-1].path if self.legs[-1].id == "wolfnano" else None
        program = evp.find(self.tree, self.args.module_dir or folder)
        if program is None or not self.target.libcrypto:
            return None
        return evp.EvpBench(program, self.target, self.conf)

    def find_raw(self):
        if not self.args.raw:
            return None
        folder = next((leg.path for leg in self.legs if leg.id == "wolfnano"), "")
        return raw.Raw(raw.find(self.tree, folder), self.core, raw.size_for(self.sizes))

    def warn(self, text):
        self.warnings.append(text)
        print(f"wolfnano bench: {text}", file=sys.stderr)

    # -- the run ------------------------------------------------------------------
    def measure(self):
        """Fill the cells; True if interrupted."""
        self.ticks = watch.cpu_ticks()
        self.bench = measure.Bench(self.target, self.conf, self.legs, self.jobs, self.rounds,
                                   self.seconds, self.core, self.evpbench, self.cpus, self.raw)
        expected = measure.estimate(self.jobs, self.legs, self.rounds, self.seconds)
        expected += self.raw.seconds(self.cells) * self.rounds if self.raw else 0.0
        print(f"{self.target.version_text.split(' (')[0]}: {len(self.jobs)} measurements, "
              f"{self.rounds} rounds of {self.seconds} s, about {minutes(expected)}",
              file=sys.stderr)
        deadline = None if self.args.seconds or self.args.rounds \
            else self.begun + LIMIT[self.mode]
        total = len(self.jobs) * self.rounds
        progress = tables().LiveProgress(total, self.rounds) if sys.stderr.isatty() \
            else tables().PlainProgress(total, self.rounds, self.legs)
        try:
            with progress:
                self.bench.run(progress, deadline)
        except KeyboardInterrupt:
            print("interrupted; what was measured so far:", file=sys.stderr)
            return True
        return False

    def document(self):
        bench = self.bench
        waited = bench.waited / bench.measured if bench.measured else 0.0
        stolen = watch.steal_share(self.ticks, watch.cpu_ticks(), self.cpus)
        if waited > 0.05:
            self.warn(f"the measured programs had to wait for their core {waited:.0%} of the "
                      "time; it was taken off, but caches and clock suffered")
        if stolen > 0.01:
            self.warn(f"the hypervisor took {stolen:.0%} of the time")
        if bench.stopped:
            self.warn(bench.stopped)
        return report_json.document(
            self.cells, self.legs, self.compare, self.raw, date=self.date, command=self.repeat(),
            machine=self.machine,
            openssl={"version": self.target.version_text, "program": self.target.program,
                     "sysroot": self.target.sysroot, "libcrypto": self.target.libcrypto},
            settings={"seconds": self.seconds, "rounds": self.rounds,
                      "rounds_done": bench.rounds_done, "sizes": list(self.sizes),
                      "tool": self.args.tool,
                      "environment": {name: os.environ[name] for name in sorted(os.environ)
                                      if name in STEERING or name.startswith("WOLFNANO_")}},
            noise={"waited_share": waited, "steal_share": stolen,
                   "load_after": [round(value, 2) for value in os.getloadavg()],
                   "warnings": self.warnings})

    def repeat(self):
        """The command that repeats this, with every automatic choice spelled out."""
        args, words = self.args, ["wolfnano", "bench"]
        for option, value in (("--openssl", args.openssl), ("--module-dir", args.module_dir),
                              ("--portable-dir", args.portable_dir)):
            if value:
                words += [option, value]
        for option, given in (("--no-portable", args.no_portable), ("--builds", args.builds),
                              ("--raw", args.raw), ("--all", args.all),
                              ("--quick", args.quick)):
            if given:
                words.append(option)
        if args.provider != plan.MODULE:
            words += ["--provider", args.provider]
        for only in args.only:
            words += ["--only", only]
        if args.tool != "auto":
            words += ["--tool", args.tool]
        words += ["--sizes", ",".join(str(size) for size in self.sizes),
                  "--seconds", f"{self.seconds:g}", "--rounds", str(self.rounds),
                  "--core", str(self.core)]
        return shlex.join(words)

    def verdict(self, doc):
        ours = self.compare[0]
        results = [cell["legs"][ours] for row in doc["rows"] for cell in row["cells"]]
        measured = [result for result in results if "rate" in result]
        if not measured:
            print("wolfnano bench: nothing could be measured", file=sys.stderr)
            return errors.FAILED
        if self.args.strict and len(measured) < len(results):
            return errors.FAILED
        return errors.OK


def minutes(seconds):
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min"
