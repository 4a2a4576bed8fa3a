# SPDX-License-Identifier: GPL-3.0-or-later
"""One HTML page with everything in it: style and charts inline, nothing loaded.

The size buttons are radio buttons and style rules, so the page needs no script.
"""
import os
from html import escape

from . import chart, stats, words

STYLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.css")


def page(doc):
    with open(STYLE, encoding="utf-8") as file:
        style = file.read()
    title = words.headline(doc)
    body = [f"<h1>{escape(title)}</h1>", subtitle(doc), tiles(doc), warnings(doc),
            by_size(doc), on_keys(doc), heat(doc), figures(doc), beside_raw(doc),
            not_measured(doc),
            method(doc)]
    return ("<!DOCTYPE html>\n"
            '<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(title)}</title>\n<style>\n{style}{size_rules(doc)}</style></head>\n"
            f"<body><main>\n{''.join(part for part in body if part)}\n</main></body></html>\n")


def subtitle(doc):
    machine = doc["machine"]
    facts = [machine["cpu"] or machine["arch"]]
    if machine["virtual"]:
        facts.append("virtual machine")
    facts += [f"{doc['settings']['rounds_done']} rounds of {doc['settings']['seconds']} s",
              doc["date"][:16].replace("T", " ")]
    return f'<p class="sub">{escape(" · ".join(facts))}</p>'


def tiles(doc):
    found = doc["summary"]
    mean = f"{found['geometric_mean']:.2f}×" if found["geometric_mean"] else "–"
    shown = [("", mean, "geometric mean of all ratios"),
             ("faster", found["faster"], "figures faster"),
             ("even", found["even"], "even within the noise"),
             ("slower", found["slower"], "figures slower")]
    return '<div class="tiles">' + "".join(
        f'<div class="tile {kind}"><b>{value}</b><span>{text}</span></div>'
        for kind, value, text in shown) + "</div>"


def warnings(doc):
    return "".join(f'<p class="warn">{escape(text)}</p>' for text in doc["noise"]["warnings"])


# -- charts ---------------------------------------------------------------------
def unit_figures(doc, cell):
    ours, theirs, _ = words.columns(doc)
    size = cell["size"]
    before = stats.human_rate(cell["legs"][theirs]["rate"], size)
    after = stats.human_rate(cell["legs"][ours]["rate"], size)
    number, _, unit = before.rpartition(" ")
    return f"{number} → {after}" if after.endswith(unit) else f"{before} → {after}"


def bar_of(doc, row, cell):
    ours, theirs, extra = words.columns(doc)
    found, marker = cell["ratio"], 0
    for leg in extra:
        rate = cell["legs"][leg].get("rate")
        marker = rate / cell["legs"][theirs]["rate"] if rate else 0
    spread = max((cell["legs"][leg]["spread"] or 0) for leg in (ours, theirs))
    at = f", {cell['size']} bytes" if cell["size"] else ""
    tip = (f"{row['label']}{at}: "
           f"{found['value']:.2f}× (from {found['low']:.2f} to {found['high']:.2f}), "
           f"spread {spread:.0%}")
    if marker:
        tip += f"; portable C {marker:.2f}×"
    star = "*" if cell["tool"] == "evpbench" else ""
    return chart.Bar(row["label"] + star, found["value"], found["low"], found["high"],
                     found["verdict"], unit_figures(doc, cell), tip, marker)


def bars(doc, size):
    return [bar_of(doc, row, cell) for row in doc["rows"] for cell in row["cells"]
            if cell["size"] == size and cell["ratio"]]


def sizes(doc):
    return sorted({cell["size"] for row in doc["rows"] for cell in row["cells"]
                   if cell["size"] and cell["ratio"]})


def size_rules(doc):
    return "".join(f"#size{size}:checked ~ .at{size} {{ display: block; }}\n"
                   for size in sizes(doc))


def legend(doc):
    ours, theirs, extra = words.columns(doc)
    text = (f'<div class="legend"><span><i class="faster"></i>{escape(words.leg_label(doc, ours))}'
            f" faster</span><span><i class=\"even\"></i>even within the noise</span>"
            f'<span><i class="slower"></i>{escape(words.leg_label(doc, theirs))} faster</span>')
    for leg in extra:
        text += (f'<span><i class="marker"></i>{escape(words.leg_label(doc, leg))} build</span>')
    return text + "<span>— range of the rounds</span></div>"


def by_size(doc):
    present = sizes(doc)
    if not present:
        return ""
    parts = ["<h2>By bytes per call</h2>", '<div class="sizes">']
    for size in present:
        checked = " checked" if size == present[-1] else ""
        parts.append(f'<input type="radio" name="size" id="size{size}"{checked}>'
                     f'<label for="size{size}">{size:,} B</label>'.replace(",", " "))
    for size in present:
        parts.append(f'<div class="at at{size} card">{legend(doc)}'
                     + chart.chart(bars(doc, size), f"Ratio at {size} bytes per call") + "</div>")
    parts.append("</div>")
    return "".join(parts)


def on_keys(doc):
    found = bars(doc, 0)
    if not found:
        return ""
    return ('<h2>Operations on keys</h2><div class="card">' + legend(doc)
            + chart.chart(found, "Ratio of operations on keys") + "</div>")


# -- tables -----------------------------------------------------------------------
def heat(doc):
    """Ratio by algorithm and size, coloured: the whole picture at a glance."""
    present = sizes(doc)
    rows = [row for row in doc["rows"] if row["unit"] == "bytes/s"
            and any(cell["ratio"] for cell in row["cells"])]
    if len(present) < 2 or not rows:
        return ""
    head = "".join(f"<th>{size:,} B</th>".replace(",", " ") for size in present)
    lines = []
    for row in rows:
        cells = {cell["size"]: cell for cell in row["cells"]}
        lines.append(f"<tr><td>{escape(row['label'])}</td>"
                     + "".join(heat_cell(cells.get(size)) for size in present) + "</tr>")
    return ('<h2>Ratio at every size</h2><div class="card heat"><table><thead><tr>'
            f"<th>algorithm</th>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>")


def heat_cell(cell):
    if not cell or not cell["ratio"]:
        return '<td class="none">–</td>'
    found = cell["ratio"]
    return (f'<td class="{found["verdict"]}" title="{found["low"]:.2f} – {found["high"]:.2f}">'
            f'<span class="r">{stats.human_ratio(found)}</span></td>')


def figures(doc):
    ours, theirs, extra = words.columns(doc)
    heads = ["algorithm", "bytes", words.leg_label(doc, theirs), words.leg_label(doc, ours),
             "ratio", "range"]
    for leg in extra:
        heads += [words.leg_label(doc, leg), "asm/C"]
    if "raw" in doc:
        heads += ["raw wolfCrypt", "of raw"]
    heads += ["spread", "scaling"]
    threaded = any(row["threads"] > 1 for row in doc["rows"])
    if not threaded:
        heads.remove("scaling")
    parts = ["<h2>All figures</h2><div class=\"card\"><table><thead><tr>"
             + "".join(f"<th>{escape(head)}</th>" for head in heads) + "</tr></thead><tbody>"]
    group = None
    for row in doc["rows"]:
        if row["group"] != group:
            group = row["group"]
            parts.append(f'<tr class="group"><td colspan="{len(heads)}">'
                         f"{escape(doc['groups'][group])}</td></tr>")
        for index, cell in enumerate(row["cells"]):
            parts.append(figure_line(row, cell, index, (ours, theirs, extra), threaded,
                                     "raw" in doc))
    return "".join(parts) + "</tbody></table></div>"


def rate_cell(cell, result):
    if "rate" not in result:
        return f'<td class="none" title="{escape(result["reason"])}">–</td>'
    return f"<td>{stats.human_rate(result['rate'], cell['size'])}</td>"


def ratio_cell(found):
    if not found:
        return '<td class="none">–</td>'
    return f'<td class="{found["verdict"]}"><span class="r">{stats.human_ratio(found)}</span></td>'


def figure_line(row, cell, index, legs, threaded, raw):
    ours, theirs, extra = legs
    found = cell["ratio"]
    known = [cell["legs"][leg].get("spread") for leg in (ours, theirs)]
    known = [share for share in known if share is not None]
    label = row["label"] + ("*" if cell["tool"] == "evpbench" else "")
    parts = [f"<tr><td>{escape(label) if index == 0 else ''}</td>",
             f"<td>{cell['size'] or ''}</td>", rate_cell(cell, cell["legs"][theirs]),
             rate_cell(cell, cell["legs"][ours]),
             ratio_cell(found),
             f"<td>{found['low']:.2f} – {found['high']:.2f}</td>" if found else "<td></td>"]
    for leg in extra:
        parts += [rate_cell(cell, cell["legs"][leg]), ratio_cell(cell.get("asm_ratio"))]
    if raw:
        parts += [rate_cell(cell, cell["raw"]), ratio_cell(cell["raw_ratio"])] \
            if "raw" in cell else ["<td></td>", "<td></td>"]
    parts.append(f"<td>{stats.human_spread(max(known)) if known else ''}</td>")
    if threaded:
        scaling = cell["legs"][ours].get("scaling")
        parts.append(f"<td>{scaling:.2f}</td>" if scaling else "<td></td>")
    return "".join(parts) + "</tr>"


def beside_raw(doc):
    lines = words.raw_lines(doc)
    if not lines:
        return ""
    return ("<h2>Beside wolfCrypt's own benchmark</h2><ul>"
            + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>")


def not_measured(doc):
    why = words.reasons(doc)
    if not why:
        return ""
    lines = "".join(f"<li>{escape(', '.join(labels))} – {escape(text)}</li>"
                    for text, labels in why)
    return f"<h2>Not measured</h2><ul>{lines}</ul>"


def method(doc):
    machine, settings, noise = doc["machine"], doc["settings"], doc["noise"]
    facts = [("processor", machine["cpu"] or machine["arch"]),
             ("its features", " ".join(machine["features"])),
             ("core", f"{machine['core']} of {machine['cores']}"),
             ("kernel", machine["kernel"]),
             ("OpenSSL", doc["openssl"]["version"]),
             ("program", doc["openssl"]["program"])]
    for leg in doc["legs"]:
        about = f"{leg['name']} {leg['version']}"
        if leg["buildinfo"] and leg["buildinfo"] != leg["version"]:
            about += f" ({leg['buildinfo']})"
        if leg["file"]:
            about += f", {leg['file']}, SHA-256 {leg['sha256'][:16]}…"
        facts.append((leg["label"], about))
    if "raw" in doc:
        facts.append(("raw wolfCrypt", f"{doc['raw']['program']}, SHA-256 "
                      f"{doc['raw']['sha256'][:16]}…, {doc['raw']['size']} bytes a call, "
                      f"at least {doc['raw']['seconds']} s a figure"))
    facts += [("waiting for the core", f"{noise['waited_share']:.1%} of the slots, taken off"),
              ("taken by the hypervisor", f"{noise['steal_share']:.1%}"),
              ("load average", f"{machine['load'][0]} before, {noise['load_after'][0]} after")]
    for name, value in settings.get("environment", {}).items():
        facts.append((name, value))
    listed = "".join(f"<dt>{escape(key)}</dt><dd>{escape(str(value))}</dd>"
                     for key, value in facts)
    return ("<h2>How it was measured</h2>"
            "<p class=\"note\">Each side ran with only its own provider loaded, pinned to the "
            f"same core, in turn (A B, B A, …), {settings['rounds_done']} rounds of "
            f"{settings['seconds']} s. Figures are medians; the ratio is the quotient of the "
            "medians, its range comes from the single rounds. A ratio is called even when its "
            "range covers 1 or it is within 2 % of 1. A star means: measured through EVP with "
            "evpbench, where openssl speed cannot.</p>"
            f"<dl>{listed}</dl><p class=\"note\">Repeat with:</p>"
            f"<pre><code>{escape(doc['command'])}</code></pre>")
