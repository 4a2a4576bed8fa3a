# SPDX-License-Identifier: GPL-3.0-or-later
"""What the table and the page both say about a result, in words."""


def leg_label(doc, ident):
    return next((leg["label"] for leg in doc["legs"] if leg["id"] == ident), ident)


def columns(doc):
    ours, theirs = doc["compare"]
    legs = [leg["id"] for leg in doc["legs"]]
    extra = [leg for leg in legs if leg not in (ours, theirs)]
    return ours, theirs, extra


def reasons(doc):
    """[(text, [labels])]: what could not be measured, rows with the same cause together."""
    causes = {}
    for row in doc["rows"]:
        for cell in row["cells"]:
            for leg, result in cell["legs"].items():
                if "reason" in result:
                    labels, legs = causes.setdefault(result["reason"], ([], []))
                    for found, value in ((labels, row["label"]), (legs, leg_label(doc, leg))):
                        if value not in found:
                            found.append(value)
    return [(f"{', '.join(legs)}: {why}", labels) for why, (labels, legs) in causes.items()]


def raw_lines(doc):
    """How wolfnano stands to wolfCrypt's own benchmark, and wolfCrypt to the default provider."""
    if "raw" not in doc:
        return []
    cells = [(row["label"], cell) for row in doc["rows"] for cell in row["cells"]
             if cell.get("raw_ratio")]
    size, target = doc["raw"]["size"], doc["raw"]["target"]
    below = [f"{label} {cell['raw_ratio']['value']:.2f} ({cell['raw_ratio']['low']:.2f} to "
             f"{cell['raw_ratio']['high']:.2f})"
             for label, cell in cells if cell["raw_ratio"]["value"] < target]
    lines = [f"Beside wolfCrypt's own benchmark, {size} bytes: at least {target * 100:.0f} % in "
             f"{len(cells) - len(below)} of {len(cells)} rows"
             + (f"; not in {', '.join(below)}" if below else "")]
    without = {}
    for row in doc["rows"]:
        for cell in row["cells"]:
            if "reason" in cell.get("raw", {}):
                without.setdefault(cell["raw"]["reason"], []).append(row["label"])
    weak = []
    for label, cell in cells:
        default = cell["legs"].get("default", {}).get("rate")
        if default and cell["raw"]["rate"] / default < target:
            weak.append((cell["raw"]["rate"] / default, label))
    if weak:
        lines.append("Where wolfCrypt by itself is slower than the default provider: "
                     + ", ".join(f"{label} {share:.2f}" for share, label in sorted(weak)))
    lines += [f"No raw figure for {', '.join(labels)}: {why}" for why, labels in without.items()]
    return lines


def headline(doc):
    ours, theirs, _ = columns(doc)
    return (f"{leg_label(doc, ours)} beside {leg_label(doc, theirs)} – "
            f"{' '.join(doc['openssl']['version'].split()[:2])}")


def facts(doc):
    machine, settings = doc["machine"], doc["settings"]
    lines = [f"{machine['cpu'] or machine['arch']}, core {machine['core']} of "
             f"{machine['cores']}" + (", virtual machine" if machine["virtual"] else "")
             + f"; {settings['rounds_done']} rounds of {settings['seconds']} s; {doc['date']}"]
    for leg in doc["legs"]:
        if leg["file"]:
            about = f"{leg['name']} {leg['version']}".strip()
            lines.append(f"{leg['label']}: {about}, {leg['file']}")
    return lines


def verdict(doc):
    ours, theirs, _ = columns(doc)
    found = doc["summary"]
    if not found["compared"]:
        return "Nothing could be compared."
    return (f"{leg_label(doc, ours)} against {leg_label(doc, theirs)}: faster in "
            f"{found['faster']}, even in {found['even']}, slower in {found['slower']} of "
            f"{found['compared']} figures; geometric mean {found['geometric_mean']:.2f}")
