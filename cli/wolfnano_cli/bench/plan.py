# SPDX-License-Identifier: GPL-3.0-or-later
"""From options to a list of jobs: who is measured, with what, and what cannot be.

A *leg* is one side of the comparison. A *cell* is one row at one size; a *job*
is one process that fills one or more cells (`openssl speed rsa2048` gives four).
"""
import os
from dataclasses import dataclass, field

from ..errors import EnvironmentProblem
from . import rows as rowdata

MODULE = "wolfnano"


@dataclass
class Leg:
    id: str                    # default, wolfnano, portable
    label: str
    providers: tuple           # the first one must do the work
    path: str = ""             # folder of its module
    file: str = ""
    facts: dict = field(default_factory=dict)
    offers: dict = field(default_factory=dict)

    @property
    def options(self):
        found = ["-provider-path", self.path] if self.path else []
        for name in self.providers:
            found += ["-provider", name]
        return found


@dataclass
class Sample:
    rate: float
    count: int
    seconds: float
    waited: float
    round: int = 0
    single: float = 0.0        # threaded rows: one thread's rate


@dataclass(eq=False)
class Cell:
    row: rowdata.Row
    size: int
    tool: str = ""                                 # speed or evpbench
    samples: dict = field(default_factory=dict)    # leg id -> [Sample]
    reasons: dict = field(default_factory=dict)    # leg id -> why there is none

    def rates(self, leg):
        return [sample.rate for sample in self.samples.get(leg, ())]

    def by_round(self, leg):
        return {sample.round: sample.rate for sample in self.samples.get(leg, ())}

    def fail(self, leg, why):
        self.reasons.setdefault(leg, why)


@dataclass
class Job:
    tool: str
    cells: dict                # what a slot is called -> Cell

    @property
    def first(self):
        return next(iter(self.cells.values()))


def find_module_dir(given, tree, modules_dir, provider=MODULE):
    """The folder that holds wolfnano.so, or an error that says where it was looked for."""
    places = [given] if given else []
    if not given:
        places += [os.path.join(tree, "build")] if tree else []
        places += [modules_dir] if modules_dir else []
    for place in places:
        if os.path.isfile(os.path.join(place, provider + ".so")):
            return os.path.abspath(place)
    raise EnvironmentProblem(
        f"no {provider}.so in {' or '.join(places) or 'any known folder'}; build it with "
        "`cmake --preset release && cmake --build --preset release`, or name its folder "
        "with --module-dir")


def make_legs(wanted, module_dir, portable_dir, provider):
    legs = []
    for name in wanted:
        if name == "default":
            legs.append(Leg("default", "default", ("default",)))
        elif name == "wolfnano":
            file = os.path.join(module_dir, provider + ".so") if module_dir else ""
            label = provider if provider != "default" else "default (again)"
            legs.append(Leg("wolfnano", label, (provider,), module_dir or "", file))
        elif portable_dir:
            legs.append(Leg("portable", "portable C", (provider,), portable_dir,
                            os.path.join(portable_dir, provider + ".so")))
    return legs


def verify_leg(leg, target, conf, kinds):
    """Load the leg's provider alone and note what it is and offers; refuse a surprise."""
    try:
        loaded = target.providers(conf, leg.options)
    except EnvironmentProblem as err:
        raise EnvironmentProblem(f"{leg.label}: {err}") from err
    if set(loaded) != set(leg.providers):
        raise EnvironmentProblem(
            f"{leg.label}: openssl loaded {', '.join(loaded) or 'nothing'} where only "
            f"{', '.join(leg.providers)} was asked for")
    about = loaded[leg.providers[0]]
    if about.get("status") != "active":
        raise EnvironmentProblem(f"{leg.label}: the provider is not active")
    leg.facts = {"name": about.get("name", ""), "version": about.get("version", ""),
                 "buildinfo": about.get("build info", "")}
    leg.offers = target.offered(kinds, conf, leg.options)


def missing(row, leg):
    """What LEG does not offer of the things that ROW needs, as words, or None."""
    for kind, name in row.needs:
        if leg.offers.get(kind, {}).get(name) != leg.providers[0]:
            words = {"keymgmt": "keys", "keyexch": "key exchange", "asymcipher": "encryption",
                     "rand": "generator"}
            return f"does not offer {name} ({words.get(kind, kind)})"
    return None


def choose_tool(row, version, preference, evpbench):
    """("speed" or "evpbench", "") or ("", why neither)."""
    speed_can = bool(row.speed) and version[:2] >= row.since
    evp_can = bool(row.evp) and evpbench is not None
    if preference == "evpbench" and evp_can:
        return "evpbench", ""
    if speed_can and (preference != "evpbench" or not row.evp):
        return "speed", ""
    if evp_can and preference != "speed":
        return "evpbench", ""
    if row.speed and not speed_can:
        why = f"openssl speed can do this from {row.since[0]}.{row.since[1]} on"
    else:
        why = "openssl speed cannot do this"
    if preference == "speed":
        return "", why
    return "", f"{why}, and evpbench is not built"


def make_cells(rows, sizes, legs, version, preference, evpbench):
    cells = []
    for row in rows:
        tool, why = choose_tool(row, version, preference, evpbench)
        for size in rowdata.sizes_of(row, sizes):
            cell = Cell(row, size, tool)
            for leg in legs:
                lack = missing(row, leg)
                if lack or why:
                    cell.fail(leg.id, lack or why)
            cells.append(cell)
    return cells


def make_jobs(cells, legs):
    """One job per process; cells of the same `openssl speed` key run share one."""
    jobs, shared = [], {}
    for cell in cells:
        if all(leg.id in cell.reasons for leg in legs):
            continue
        if cell.tool == "speed" and not cell.row.sized:
            if cell.row.speed in shared:
                shared[cell.row.speed].cells[cell.row.pick] = cell
                continue
            shared[cell.row.speed] = Job("speed", {cell.row.pick: cell})
            jobs.append(shared[cell.row.speed])
        else:
            jobs.append(Job(cell.tool, {cell.row.pick: cell}))
    return jobs


def check_calls(cells, legs, evpbench):
    """Run each cipher once with its results looked at.

    `openssl speed` counts a cipher call that failed like one that worked, and
    a failing call is very fast; so what it measures must be known to work.
    """
    if evpbench is None:
        return
    by_row = {}
    for cell in cells:
        if cell.tool == "speed" and cell.row.group == "ciphers" and cell.row.evp:
            by_row.setdefault(cell.row.id, []).append(cell)
    for found in by_row.values():
        for leg in legs:
            # the smallest and the largest size stand for the rest, unless one fails
            ends = list(dict.fromkeys((found[0], found[-1])))
            if not all([check_call(cell, leg, evpbench) for cell in ends]):
                for cell in found[1:-1]:
                    check_call(cell, leg, evpbench)


def check_call(cell, leg, evpbench):
    if leg.id in cell.reasons:
        return True
    error = evpbench.check(cell.row, cell.size, leg)
    if error:
        cell.fail(leg.id, error)
    return not error


def neutral_conf(folder):
    """A configuration file that activates nothing, so that only -provider counts."""
    path = os.path.join(folder, "neutral.cnf")
    with open(path, "w", encoding="ascii") as file:
        file.write("# activates no provider\n")
    return path
