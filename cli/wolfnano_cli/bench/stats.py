# SPDX-License-Identifier: GPL-3.0-or-later
"""Median, spread, ratio, and when a ratio means nothing.

A cell has one rate per round and leg. What is shown is the median. The ratio is
the quotient of the medians, so that it can be checked against the table; its
interval comes from the quotients of each round by itself (both legs ran within
a second of each other there): their range, without the lowest and the highest
from eight rounds on, and widened where few rounds leave much to chance. A ratio
whose interval covers 1, or that is within 2 % of 1, is called even ("≈"): with
both sides the same, that leaves few differences that are none.
"""
import math
from dataclasses import dataclass
from statistics import median

SINGLE_ROUND_NOISE = 0.10    # assumed where one round gives no spread
NO_DIFFERENCE = 0.02
WIDEN = {2: 3.0, 3: 2.0, 4: 1.5}
TRIM_FROM = 8


@dataclass
class Ratio:
    value: float
    low: float
    high: float
    even: bool

    @property
    def verdict(self):
        if self.even:
            return "even"
        return "faster" if self.value > 1 else "slower"


def inner(values):
    """Lowest and highest, leaving out one on either side from TRIM_FROM values on."""
    ordered = sorted(values)
    if len(ordered) >= TRIM_FROM:
        ordered = ordered[1:-1]
    return ordered[0], ordered[-1]


def spread(values):
    """(highest - lowest) / median; None where there is nothing to compare."""
    if len(values) < 2:
        return None
    low, high = inner(values)
    middle = median(values)
    return (high - low) / middle if middle else None


def ratio(ours, theirs):
    """How many times as fast OURS is as THEIRS ({round: rate} each), or None."""
    if not ours or not theirs or not all((*ours.values(), *theirs.values())):
        return None
    value = median(ours.values()) / median(theirs.values())
    pairs = [rate / theirs[round_no] for round_no, rate in ours.items() if round_no in theirs]
    if len(pairs) < 2:
        low, high = value * (1 - SINGLE_ROUND_NOISE), value * (1 + SINGLE_ROUND_NOISE)
    else:
        low, high = inner(pairs)
        wider = WIDEN.get(len(pairs), 1.0)
        low = max(0.0, value - wider * max(0.0, value - low))
        high = value + wider * max(0.0, high - value)
    even = low <= 1 <= high or abs(value - 1) < NO_DIFFERENCE
    return Ratio(value, low, high, even)


def geometric_mean(values):
    values = [value for value in values if value and value > 0]
    if not values:
        return None
    return math.exp(sum(math.log(value) for value in values) / len(values))


def human_rate(rate, size):
    """A rate as people read it: MB/s for sized rows, operations per second else."""
    if rate is None:
        return "–"
    if size:
        return f"{three_digits(rate * size / 1e6)} MB/s"
    if rate >= 99_950:
        return f"{three_digits(rate / 1e3)} k/s"
    return f"{three_digits(rate)} /s"


def three_digits(value):
    if value >= 9.995:
        return f"{value:,.0f}".replace(",", " ") if value >= 99.95 else f"{value:.1f}"
    return f"{value:.2f}"


def human_ratio(found):
    """FOUND: a Ratio or the same as a dictionary."""
    if found is None:
        return "–"
    value, even = ((found["value"], found["verdict"] == "even") if isinstance(found, dict)
                   else (found.value, found.even))
    text = f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"
    return f"≈ {text}" if even else text


def human_spread(share):
    return "" if share is None else f"{share * 100:.0f} %"
