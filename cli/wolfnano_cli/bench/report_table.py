# SPDX-License-Identifier: GPL-3.0-or-later
"""The table and the live progress, with Debian's python3-rich."""
import sys

from ..errors import EnvironmentProblem
from . import stats
from .words import columns, facts, headline, leg_label, raw_lines, reasons, verdict

try:
    from rich import box
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Table
    from rich.text import Text
except ImportError as err:
    raise EnvironmentProblem(
        "the Python module rich is missing; install the package python3-rich") from err

PIPE_WIDTH = 200
STYLES = {"faster": "green", "even": "dim", "slower": "bold red"}


def console(stream=None):
    stream = stream or sys.stdout
    if stream.isatty():
        return Console(file=stream, highlight=False)
    return Console(file=stream, highlight=False, width=PIPE_WIDTH, no_color=True)


def rate_text(result, size):
    if "rate" not in result:
        return Text("–", style="dim")
    return Text(stats.human_rate(result["rate"], size))


def ratio_text(found):
    return Text(stats.human_ratio(found), style=STYLES[found["verdict"]] if found else "dim")


def spread_text(cell, compare):
    """The larger of the two sides' spreads: what a difference has to exceed."""
    known = [cell["legs"][leg].get("spread") for leg in reversed(compare)]
    known = [share for share in known if share is not None]
    return Text(stats.human_spread(max(known)) if known else "", style="dim")


def fitting_table(doc, out):
    """The table, without its less important columns where the terminal is narrow."""
    for dropped in ((), ("scaling",), ("scaling", "asm/C"), ("scaling", "asm/C", "spread"),
                    ("scaling", "asm/C", "spread", "portable")):
        found = table(doc, dropped)
        if out.measure(found, options=out.options.update(width=1000)).maximum <= out.width:
            break
    return found


def table(doc, dropped=()):
    ours, theirs, extra = columns(doc)
    if "portable" in dropped:
        extra = []
    heads = ["algorithm", "size", leg_label(doc, theirs), leg_label(doc, ours), "ratio"]
    for leg in extra:
        heads += [leg_label(doc, leg), "asm/C"]
    if "raw" in doc:
        heads += ["raw wolfCrypt", "of raw"]
    heads += ["spread", "scaling"]
    shown = [index for index, head in enumerate(heads) if head not in dropped
             and (head != "scaling" or any(row["threads"] > 1 for row in doc["rows"]))]
    found = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for index in shown:
        found.add_column(heads[index], justify="right" if index else "left", no_wrap=True)
    group = None
    for row in doc["rows"]:
        if row["group"] != group:
            if group is not None:
                found.add_section()
            group = row["group"]
            found.add_row(Text(doc["groups"][group], style="bold"))
        for index, cell in enumerate(row["cells"]):
            line = cell_line(row, cell, index, (ours, theirs, extra), "raw" in doc)
            found.add_row(*(line[place] for place in shown))
    return found


def cell_line(row, cell, index, legs, raw):
    ours, theirs, extra = legs
    mark = "*" if cell["tool"] == "evpbench" else ""
    size = cell["size"]
    line = [Text(f"  {row['label']}{mark}" if index == 0 else ""),
            Text(str(size) if size else "", style="dim"),
            rate_text(cell["legs"][theirs], size), rate_text(cell["legs"][ours], size),
            ratio_text(cell["ratio"])]
    for leg in extra:
        line += [rate_text(cell["legs"][leg], size), ratio_text(cell.get("asm_ratio"))]
    if raw:
        line += [rate_text(cell["raw"], size), ratio_text(cell["raw_ratio"])] \
            if "raw" in cell else [Text(""), Text("")]
    line.append(spread_text(cell, (ours, theirs)))
    scaling = cell["legs"][ours].get("scaling")
    return [*line, Text(f"{scaling:.2f}" if scaling else "")]


def show(doc, out):
    out.print(Text(headline(doc), style="bold"))
    for line in facts(doc):
        out.print(Text(line, style="dim"))
    out.print()
    out.print(fitting_table(doc, out))
    out.print()
    out.print(Text(verdict(doc), style="bold"))
    for line in raw_lines(doc):
        out.print(Text(line), soft_wrap=True)
    if any(cell["tool"] == "evpbench" for row in doc["rows"] for cell in row["cells"]):
        out.print(Text("* measured through EVP with evpbench; the rest with openssl speed",
                       style="dim"))
    why = reasons(doc)
    if why:
        out.print(Text("Not measured:"))
        for text, labels in why:
            out.print(Text(f"  {', '.join(labels)} – {text}"))
    for warning in doc["noise"]["warnings"]:
        out.print(Text(f"Warning: {warning}", style="yellow"))
    out.print(Text(f"Repeat with: {doc['command']}", style="dim"), soft_wrap=True)


# -- progress -------------------------------------------------------------------
class LiveProgress:
    """A bar on stderr; refreshed by hand, so that no thread disturbs the measurement."""

    def __init__(self, total, rounds):
        self.rounds, self.round_no = rounds, 0
        self.bar = Progress(TextColumn("{task.description}"), BarColumn(bar_width=30),
                            TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn(),
                            console=console(sys.stderr), auto_refresh=False, transient=True)
        self.task = self.bar.add_task("starting", total=total)

    def __enter__(self):
        self.bar.start()
        return self

    def __exit__(self, *_):
        self.bar.stop()

    def round(self, number):
        self.round_no = number

    def job(self, job, leg):
        cell = job.first
        name = f"{cell.row.label} {cell.size or ''}".strip()
        self.bar.update(self.task, description=f"round {self.round_no + 1}/{self.rounds}  "
                        f"{name:<34.34} {leg.label:<10}")
        self.bar.refresh()

    def done(self, job):
        self.bar.advance(self.task)

    def tick(self):
        self.bar.refresh()


class PlainProgress:
    """Lines on stderr, for logs: each row of the first round, then one line a round."""

    def __init__(self, total, rounds, legs):
        self.total, self.rounds, self.legs = total, rounds, legs
        self.round_no = self.count = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def round(self, number):
        self.round_no, self.count = number, 0
        print(f"round {number + 1} of {self.rounds}", file=sys.stderr, flush=True)

    def job(self, job, leg):
        pass

    def done(self, job):
        self.count += 1
        if self.round_no:
            return
        for cell in job.cells.values():
            figures = [f"{leg.label} {stats.human_rate(rates[-1], cell.size)}"
                       for leg in self.legs if (rates := cell.rates(leg.id))]
            name = f"{cell.row.label} {cell.size or ''}".strip()
            print(f"  [{self.count}/{self.total // self.rounds}] {name}: "
                  f"{', '.join(figures) or 'no figure'}", file=sys.stderr, flush=True)

    def tick(self):
        pass
