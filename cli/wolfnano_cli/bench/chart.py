# SPDX-License-Identifier: GPL-3.0-or-later
"""A bar chart of ratios as inline SVG.

One line per row: a bar from 1 to the ratio on a logarithmic axis, a whisker for
its interval, a diamond where portable C stands, and the two figures at the
right. Colours come from the page's style sheet, so light and dark both work.
"""
import math
from dataclasses import dataclass
from html import escape

WIDTH, LABEL, RIGHT, LINE, TOP, BOTTOM = 920, 232, 208, 25, 26, 8
TICKS = (0.02, 0.05, 0.1, 0.2, 0.33, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass
class Bar:
    label: str
    value: float
    low: float
    high: float
    verdict: str
    figures: str       # "3 012 → 3 340 MB/s"
    tip: str
    marker: float = 0  # portable C against the same base, 0 for none


class Axis:
    """Logarithmic, always with 1 and some room to either side in it."""

    def __init__(self, bars):
        inside = [bar.value for bar in bars] + [bar.marker for bar in bars if bar.marker > 0]
        self.least = min([0.66, *(value * 0.9 for value in inside)])
        self.most = max([1.6, *(value * 1.1 for value in inside)])
        self.scale = (WIDTH - LABEL - RIGHT) / math.log(self.most / self.least)

    def at(self, value):
        value = min(max(value, self.least), self.most)
        return LABEL + math.log(value / self.least) * self.scale

    def ticks(self):
        chosen = []
        for tick in sorted(TICKS, key=lambda tick: abs(math.log(tick))):
            if self.least <= tick <= self.most \
                    and all(abs(self.at(tick) - self.at(other)) > 44 for other in chosen):
                chosen.append(tick)
        return sorted(chosen)


def tick_text(tick):
    return f"{tick:g}×"


def chart(bars, title):
    axis = Axis(bars)
    height = TOP + LINE * len(bars) + BOTTOM
    parts = [f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">']
    for tick in axis.ticks():
        x = axis.at(tick)
        kind = "one" if tick == 1 else "grid"
        parts.append(f'<line class="{kind}" x1="{x:.1f}" y1="{TOP - 4}" x2="{x:.1f}" '
                     f'y2="{height - BOTTOM}"/>'
                     f'<text class="tick" x="{x:.1f}" y="{TOP - 10}">{tick_text(tick)}</text>')
    for index, bar in enumerate(bars):
        parts.append(line(bar, axis, TOP + LINE * index))
    parts.append("</svg>")
    return "\n".join(parts)


def line(bar, axis, top):
    middle = top + LINE / 2
    one, end = axis.at(1), axis.at(bar.value)
    left, width = min(one, end), max(abs(end - one), 1.5)
    low, high = axis.at(bar.low), axis.at(bar.high)
    ratio_x = max(one, end, high) + 7
    anchor = "start"
    if bar.value < 1 and not bar.verdict == "even":
        ratio_x, anchor = min(end, low) - 7, "end"
    parts = [f'<g class="{bar.verdict}"><title>{escape(bar.tip)}</title>',
             f'<rect class="hover" x="0" y="{top}" width="{WIDTH}" height="{LINE}"/>',
             f'<text class="label" x="{LABEL - 14}" y="{middle + 4:.1f}">{escape(bar.label)}</text>',
             f'<rect class="bar" x="{left:.1f}" y="{top + 5}" width="{width:.1f}" '
             f'height="{LINE - 10}" rx="2"/>']
    if high - low > 2:
        parts.append(f'<line class="whisker" x1="{low:.1f}" y1="{middle}" x2="{high:.1f}" '
                     f'y2="{middle}"/>')
    if bar.marker > 0:
        x = axis.at(bar.marker)
        parts.append(f'<path class="marker" d="M{x:.1f} {middle - 5.5}l5.5 5.5l-5.5 5.5'
                     'l-5.5 -5.5z"/>')
    sign = "≈ " if bar.verdict == "even" else ""
    digits = 1 if bar.value >= 9.995 else 2
    parts.append(f'<text class="ratio" x="{ratio_x:.1f}" y="{middle + 4:.1f}" '
                 f'text-anchor="{anchor}">{sign}{bar.value:.{digits}f}×</text>')
    parts.append(f'<text class="figures" x="{WIDTH - 4}" y="{middle + 4:.1f}">'
                 f'{escape(bar.figures)}</text></g>')
    return "".join(parts)
