# SPDX-License-Identifier: GPL-3.0-or-later
"""The provider's own share of an operation, in instructions.

evpbench does the operation some times under valgrind's callgrind; what it executes
there is the same each time, however busy the machine is. The profile names the
source file of each instruction, inlined code included, so the sum falls into

    libcrypto   EVP and what it calls
    own         provider/ and algs/ but for the kernels, and what they call elsewhere
                (libc, and the core's memory and lock functions)
    primitive   wolfCrypt's files and our own kernels (folders of algs/, asm-config), likewise

and "share" is own / primitive. Valgrind has no AVX-512 and no SHA extensions: the
figures are those of a processor with AVX2, BMI2 and ADX.
"""
import fnmatch
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass, field

from .. import errors
from ..errors import EnvironmentProblem
from . import evp, plan
from . import rows as rowdata

COUNTED = "evpbench_counted"
# Nothing of the dynamic linker in the profile; and no REP STOS and MOVS in memset()
# and memcpy(), of which valgrind counts each byte as an instruction.
ENVIRONMENT = {
    "LD_BIND_NOW": "1",
    "GLIBC_TUNABLES": ":".join(f"glibc.cpu.x86_rep_{name}_threshold={1 << 30}"
                               for name in ("stosb", "movsb")),
}
COUNT = 20
ONCE = ("slhdsa-",)         # as the rest would take minutes
OWN, PRIMITIVE, LIBCRYPTO, PROGRAM, SUPPORT = "own", "primitive", "libcrypto", "program", "support"
# own / primitive that is not to be exceeded
LIMITS = (("*mlkem*", 0.08), ("rsa*-verify", 0.06), ("rsa*-encrypt", 0.06), ("*", 0.03))
GROUPS = ("pk", "pqc")


def limit_of(row):
    return next(limit for pattern, limit in LIMITS if fnmatch.fnmatchcase(row.id, pattern))


@dataclass
class Share:
    row: rowdata.Row
    count: int
    parts: dict = field(default_factory=dict)      # part -> instructions of one operation
    functions: dict = field(default_factory=dict)  # (part, function) -> the same
    error: str = ""

    @property
    def total(self):
        return sum(self.parts.values())

    @property
    def share(self):
        return self.parts.get(OWN, 0) / self.parts[PRIMITIVE]

    @property
    def over(self):
        return self.share >= limit_of(self.row)


# -- the profile ---------------------------------------------------------------
OURS = re.compile(r"(?:^|/)(?:algs|provider)/[^/]*$")
KERNELS = re.compile(r"(?:^|/)(?:algs/[^/]+|asm-config|wolfssl[^/]*)/")
PLACE = re.compile(r"(ob|fl|fi|fe|fn|cob|cfi|cfl|cfn|calls)=(.*)")


def part_of_object(name):
    """The part that all of an object is, or None for the module, whose files tell."""
    base = os.path.basename(name)
    if base.startswith("libcrypto") or base == "???":      # ???: its jumps to itself
        return LIBCRYPTO
    if base == plan.MODULE + ".so":
        return None
    return PROGRAM if base == evp.NAME else SUPPORT


def part_of_file(name):
    if KERNELS.search(name):
        return PRIMITIVE
    return OWN if OURS.search(name) else None


class Profile:
    """A callgrind profile with whole names. costs: {(part, function): instructions}.

    What a function calls in libc, and what the module calls in libcrypto, is counted
    with the caller: these are leaves.
    """

    def __init__(self, lines):
        self.costs, self.total = {}, 0
        self.object = self.file = self.line_file = self.function = ""
        self.callee, self.in_call = "", False
        for line in lines:
            place = PLACE.match(line)
            if place:
                self.move(*place.groups())
            elif line[:1].isdigit():    # line of the source, cost
                self.cost(int(line.split()[1]))
            elif line.startswith("summary:"):
                self.total = int(line.split()[1])

    def move(self, key, value):
        if key == "ob":
            self.object = value
        elif key == "fl":
            self.file = self.line_file = value
        elif key in ("fi", "fe"):
            self.line_file = value      # of code that was inlined
        elif key == "fn":
            self.function, self.line_file = value, self.file
        elif key == "cob":
            self.callee = value
        elif key == "calls":
            self.in_call = True         # the next line is what the callee took

    def cost(self, cost):
        part = part_of_object(self.object)
        outer = part
        if part is None:    # headers of the compiler and of libc belong to their user
            part = part_of_file(self.line_file) or part_of_file(self.file) or OWN
        if not self.in_call:
            if part != SUPPORT:
                self.add(part, cost)
            return
        leaf = part_of_object(self.callee or self.object)
        if outer != SUPPORT and leaf == SUPPORT:
            self.add(part, cost)
        elif outer is None and leaf == LIBCRYPTO:
            self.add(part, cost)
            self.add(LIBCRYPTO, -cost)
        self.callee, self.in_call = "", False

    def add(self, part, cost):
        key = part, self.function
        self.costs[key] = self.costs.get(key, 0) + cost


# -- the measurement -------------------------------------------------------------
class Measurement:
    def __init__(self, program, target, conf, module_dir):
        self.evpbench = evp.EvpBench(program, target, conf, **ENVIRONMENT)
        self.leg = plan.make_legs(("wolfnano",), module_dir, None, plan.MODULE)[0]
        self.valgrind = shutil.which("valgrind")
        if self.valgrind is None:
            raise EnvironmentProblem("--share: there is no valgrind (apt install valgrind)")

    def measure(self, row):
        found = Share(row, 1 if row.id.startswith(ONCE) else COUNT)
        with tempfile.TemporaryDirectory(prefix="wolfnano-share-") as folder:
            out = os.path.join(folder, "profile")
            found.error = self.run(row, found.count, out)
            if found.error:
                return found
            with open(out, encoding="utf-8", errors="replace") as file:
                profile = Profile(file)
        for (part, function), cost in profile.costs.items():
            found.parts[part] = found.parts.get(part, 0) + cost / found.count
            found.functions[part, function] = cost / found.count
        if abs(found.total * found.count - profile.total) > 0.01 * profile.total:
            found.error = "the parts of the profile are not its whole"
        elif not found.parts.get(PRIMITIVE):
            found.error = "no primitive in the profile: built without -g?"
        return found

    def run(self, row, count, out):
        tool = [self.valgrind, "-q", "--tool=callgrind", f"--callgrind-out-file={out}",
                f"--toggle-collect={COUNTED}", "--compress-strings=no", "--compress-pos=no"]
        argv = [*tool, *self.evpbench.argv(row, 0, self.leg, "--count", str(count))]
        return self.evpbench.result(argv, self.leg, 1800)[1]


# -- the table --------------------------------------------------------------------
HEAD = ("operation", "instructions", "libcrypto", "own", "primitive", "own / primitive", "limit")


def thousands(number):
    return f"{number:,.0f}".replace(",", " ")


def cells(found):
    parts = [thousands(found.parts.get(part, 0)) for part in (LIBCRYPTO, OWN, PRIMITIVE)]
    return (found.row.label, thousands(found.total), *parts,
            f"{found.share:.2%}", f"{limit_of(found.row):.0%}" + (" !" if found.over else ""))


def line(texts):
    widths = (30, 12, 9, 9, 12, 15, 5)
    first, *rest = (f"{text:<{width}}" if place == 0 else f"{text:>{width}}"
                    for place, (text, width) in enumerate(zip(texts, widths)))
    return " | ".join((f"| {first}", *rest)) + " |"


def largest(found, count):
    """The COUNT functions that make up most of our own share, as words."""
    own = sorted(((cost, name) for (part, name), cost in found.functions.items() if part == OWN),
                 reverse=True)[:count]
    return ", ".join(f"{name} {thousands(cost)}" for cost, name in own)


def run(rows, measurement, details=0):
    """Measures and prints ROWS; the exit code."""
    print(line(HEAD))
    print("|---" + "|--:" * (len(HEAD) - 1) + "|")
    code = errors.OK
    for row in rows:
        found = measurement.measure(row)
        if found.error:
            print(f"wolfnano bench: {row.label}: {found.error}", file=sys.stderr)
        else:
            print(line(cells(found)), flush=True)
        if details and not found.error:
            print(f"    {largest(found, details)}")
        if found.error or found.over:
            code = errors.FAILED
    return code
