"""The axes of declared pictures: where they end, what is written along them, and how numbers read under the mouse."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from outscore.base.text import clean
from outscore.report.plots.theme import ROW, WIDTH
from outscore.results.study import Axis, Kind

_LETTER = 6.5  # points that a letter of a label takes on average
_LOG_MARGIN = 0.04  # of the length of a logarithmic axis, beyond the outermost numbers
_BETWEEN = 8  # points between two labels of an axis
_MARGIN = 8  # points between the ends of an axis and the outermost marks
_FEWEST_TICKS, _MOST_TICKS = 3, 9
_WIDEST = 900
_FORMATS: dict[Kind, str] = {"count": ",", "share": ".1~%", "p": ".3~r", "number": ",.4~r", "text": ""}


def numbers(
    axis: Axis, found: Sequence[float], *, grid: bool, titled: bool = True, bars: bool = False
) -> dict[str, Any]:
    """The encoding of an axis of numbers.

    Args:
        axis: as it is declared.
        found: every number that is drawn along it.
        grid: whether lines go through the picture at its ticks.
        titled: whether its title is written.
        bars: whether bars grow along it, which begin at 0.
    """
    scale: dict[str, Any] = {"type": axis.scale, "nice": bars and axis.domain is None}
    if axis.scale != "log":
        scale["zero"] = bars
    # flush labels at the ends would run into their neighbours, and long ones into each other
    drawn: dict[str, Any] = {
        "title": clean(axis.title) if titled and axis.title else None,
        "grid": grid,
        "labelFlush": False,
        "labelOverlap": True,
        "labelSeparation": _BETWEEN,
    }
    if axis.domain is not None:
        scale |= {"domain": list(axis.domain), "clamp": False}
    elif axis.scale == "log":
        scale["domain"] = _log_domain(found)
    elif not bars:
        scale["padding"] = _MARGIN
    if axis.scale == "log":
        drawn |= {"values": log_ticks(*scale["domain"]), "format": ",.3~r"}
    if axis.percent:
        drawn["format"] = "~%"
    return {"type": "quantitative", "scale": scale, "axis": drawn}


def names(axis: Axis, found: Sequence[str], *, upright: bool, titled: bool = True) -> dict[str, Any]:
    """The encoding of an axis of names, in their order; ``upright`` on the vertical axis."""
    drawn: dict[str, Any] = {"title": clean(axis.title) if titled and axis.title else None, "labelAngle": 0}
    if not upright and found and max(map(len, found)) * _LETTER > breadth(found) / len(found):
        drawn |= {"labelAngle": -35, "labelAlign": "right", "labelLimit": 180}
    return {"type": "nominal", "sort": None, "scale": {"domain": list(found)}, "axis": drawn}


def breadth(found: Sequence[str], most: int = WIDTH) -> int:
    """Width of a picture with these names below it."""
    return min(max(most, ROW * len(found)), _WIDEST)


def length(found: Sequence[str], abreast: int) -> int:
    """Height of a picture with these names beside it, each with so many marks below one another."""
    return max(3, len(found)) * max(ROW, 12 * abreast + 8)


def log_ticks(low: float, high: float) -> list[float]:
    """Round numbers along a logarithmic axis: as many of 1, 2 and 5, or of 1 and 3, or powers of ten, as can be read.

    Args:
        low, high: its ends, above 0.
    """
    for digits in ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
        found = _round_numbers(low, high, digits)
        if len(found) <= _MOST_TICKS:
            break
    else:
        found = found[:: -(-len(found) // _MOST_TICKS)]
    if len(found) >= _FEWEST_TICKS:
        return found
    return _round_numbers(low, high, (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9)) or [low, high]


def read_as(kind: Kind) -> dict[str, str]:
    """How a value of that kind reads under the mouse."""
    return {"type": "nominal"} if kind == "text" else {"type": "quantitative", "format": _FORMATS[kind]}


def _round_numbers(low: float, high: float, digits: Iterable[float]) -> list[float]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    # written and read again, so that 3 * 10**-1 is 0.3
    found = sorted({float(f"{digit * 10.0**power:.6g}") for power in powers for digit in digits})
    return [number for number in found if low <= number <= high]


def _log_domain(found: Sequence[float]) -> list[float]:
    above = [math.log10(number) for number in found if number > 0] or [0.0, 1.0]
    low, high = min(above), max(above)
    margin = _LOG_MARGIN * ((high - low) or 1)
    return [10 ** (low - margin), 10 ** (high + margin)]
