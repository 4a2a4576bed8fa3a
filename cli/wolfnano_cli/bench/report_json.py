# SPDX-License-Identifier: GPL-3.0-or-later
"""The result as one document. The table and the page are drawn from it alone.

schema.json beside this file says what each member means.
"""
import hashlib
import json
import os
from statistics import median

from ..errors import UsageError
from . import raw as rawdata
from . import rows as rowdata
from . import stats

SCHEMA = "wolfnano-bench/1"
SCHEMA_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schema.json")


def digest_of(path):
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return ""


def leg_entry(leg):
    return {"id": leg.id, "label": leg.label, "provider": leg.providers[0], **leg.facts,
            "file": leg.file, "sha256": digest_of(leg.file) if leg.file else ""}


def leg_result(cell, leg):
    rates = cell.rates(leg.id)
    if not rates:
        return {"reason": cell.reasons.get(leg.id, "not measured")}
    result = {"rate": median(rates), "rates": [round(rate, 3) for rate in rates],
              "spread": stats.spread(rates)}
    singles = [sample.single for sample in cell.samples[leg.id] if sample.single]
    if singles:
        result["single"] = median(singles)
        result["scaling"] = median(sample.rate / sample.single
                                   for sample in cell.samples[leg.id] if sample.single)
    return result


def ratio_entry(cell, ours, theirs):
    found = stats.ratio(cell.by_round(ours), cell.by_round(theirs))
    if found is None:
        return None
    return {"value": found.value, "low": found.low, "high": found.high,
            "verdict": found.verdict}


def cell_entry(cell, legs, compare, raw):
    entry = {"size": cell.size, "tool": cell.tool,
             "legs": {leg.id: leg_result(cell, leg) for leg in legs},
             "ratio": ratio_entry(cell, *compare)}
    if len(legs) > 2:
        entry["asm_ratio"] = ratio_entry(cell, "wolfnano", "portable")
    if raw is not None and raw.serves(cell):
        entry["raw"] = leg_result(cell, rawdata.LEG)
        entry["raw_ratio"] = ratio_entry(cell, "wolfnano", rawdata.LEG.id)
    return entry


def rows_entry(cells, legs, compare, raw):
    entries, current = [], None
    for cell in cells:
        if current is None or current["id"] != cell.row.id:
            current = {"id": cell.row.id, "label": cell.row.label, "group": cell.row.group,
                       "unit": cell.row.unit, "threads": cell.row.threads, "cells": []}
            entries.append(current)
        current["cells"].append(cell_entry(cell, legs, compare, raw))
    return entries


def summary(rows):
    ratios = [cell["ratio"] for row in rows for cell in row["cells"] if cell["ratio"]]
    count = sum(len(row["cells"]) for row in rows)
    found = {"cells": count, "compared": len(ratios)}
    for verdict in ("faster", "even", "slower"):
        found[verdict] = sum(1 for ratio in ratios if ratio["verdict"] == verdict)
    found["geometric_mean"] = stats.geometric_mean([ratio["value"] for ratio in ratios])
    return found


def document(cells, legs, compare, raw=None, **facts):
    rows = rows_entry(cells, legs, compare, raw)
    doc = {"schema": SCHEMA, **facts, "compare": list(compare),
           "legs": [leg_entry(leg) for leg in legs], "groups": rowdata.GROUPS,
           "rows": rows, "summary": summary(rows)}
    if raw is not None:
        doc["raw"] = raw.about()
    return doc


def write(doc, path):
    text = json.dumps(doc, indent=1, ensure_ascii=False) + "\n"
    write_text(text, path)


def write_text(text, path):
    """Whole file or none: written beside its place, then moved there."""
    if path == "-":
        print(text, end="")
        return
    beside = f"{path}.part"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(beside, path)
    except OSError as err:
        raise UsageError(f"cannot write {path}: {err.strerror}") from err


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            doc = json.load(file)
    except OSError as err:
        raise UsageError(f"cannot read {path}: {err.strerror}") from err
    except ValueError as err:
        raise UsageError(f"{path} is not JSON: {err}") from err
    if not isinstance(doc, dict) or doc.get("schema") != SCHEMA:
        raise UsageError(f"{path} is not a result of this program ({SCHEMA})")
    return doc
