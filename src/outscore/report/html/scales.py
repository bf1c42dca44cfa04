"""Scales of the pictures of a page: places are percentages of the width that there is, so that nothing is measured."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from statistics import median

from outscore.base.lazy import dataclass
from outscore.report.html.elements import Markup, element, join
from outscore.report.numbers import to_given

Ends = tuple[float, float]

_TICKS = 5
_MARGIN = 0.03
_FLATTENED = 4  # so many times shorter a scale must become for outliers to leave it
_OUTLIERS = 0.2


@dataclass(frozen=True)
class Ruler:
    """A scale from ``low`` to ``high``."""

    low: float
    high: float

    def at(self, value: float) -> str:
        """The place of a value; what is beyond an end stands at the end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return f"{100 * share:.4g}%"

    def holds(self, value: float) -> bool:
        """Whether a value lies between the ends, or is infinite, as the end of a one-sided interval."""
        return self.low <= value <= self.high or math.isinf(value)

    @property
    def ticks(self) -> list[float]:
        """Round numbers along it."""
        rough = (self.high - self.low) / _TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= rough * (1 - 1e-9))
        return [n * step for n in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]

    def row(self, title: str) -> Markup:
        """Its numbers and its title."""
        texts = [element("text", to_given(round(tick, 12)), x=self.at(tick), y="1em") for tick in self.ticks]
        strip = element("svg", *texts, class_="ticks")
        return element("div", strip, element("span", title) if title else "", class_="axis")

    def strip(self, *marks: Markup) -> Markup:
        """Marks over its grid."""
        return element("svg", *(stroke(self.at(tick)) for tick in self.ticks), *marks, class_="strip")


def stroke(x: str, x2: str = "", kind: str = "") -> Markup:
    """A line through the whole height, or along the middle to another place."""
    y1, y2 = ("50%", "50%") if x2 else ("0", "100%")
    return element("line", x1=x, x2=x2 or x, y1=y1, y2=y2, class_=kind or None)


def scale_of(rows: Iterable[Collection[float]], *, through: Collection[float] = ()) -> Ruler:
    """The scale that holds the numbers of all rows, but for a few that would flatten all others.

    Args:
        rows: the numbers of each, of which infinite ones are passed over.
        through: numbers that it holds in any case.
    """
    finite = [ends for row in rows if (ends := [x for x in row if math.isfinite(x)])]
    if not finite and not through:
        return Ruler(0.0, 1.0)
    middle = median([x for ends in finite for x in ends] or [0.0])
    near = sorted(finite, key=lambda ends: max(abs(x - middle) for x in ends))
    kept = near
    for left_out in range(1, int(len(near) * _OUTLIERS) + 1):
        rest = near[:-left_out]
        if _FLATTENED * _length(rest, through) < _length(near, through):
            kept = rest
            break
    low, high = _ends(kept, through)
    room = _MARGIN * (high - low) or abs(high) or 1.0
    return Ruler(low - room, high + room)


def _ends(rows: Sequence[Sequence[float]], through: Collection[float]) -> Ends:
    found = {*through, *(x for ends in rows for x in ends)}
    return min(found), max(found)


def _length(rows: Sequence[Sequence[float]], through: Collection[float]) -> float:
    low, high = _ends(rows, through)
    return high - low


def beyond(ruler: Ruler, rows: Iterable[Iterable[float]]) -> Markup:
    """How many rows go on beyond the ends, in words."""
    n = sum(not all(map(ruler.holds, row)) for row in rows)
    said = "1 row goes" if n == 1 else f"{n} rows go"
    return element("p", f"{said} on beyond the picture, as the arrows say.", class_="cut") if n else join([])
