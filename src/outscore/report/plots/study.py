"""The pictures of a study, drawn from their declarations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from outscore.base.errors import UsageError, suggestion
from outscore.report.plots import chart
from outscore.report.plots.figure import Drawing
from outscore.report.plots.theme import FAINT, INK, SERIES
from outscore.report.text import clean
from outscore.results import Figure, Findings

_APART: dict[str, Any] = {"scale": dict.fromkeys(("color", "shape", "x", "y", "xOffset", "yOffset"), "independent")}


@chart("study")
@dataclass(frozen=True)
class StudyChart:
    """The pictures of a study, one below the other.

    Attributes:
        figure: name of the one to be drawn; empty for all.
    """

    figure: str = ""

    def draw(self, result: Findings) -> dict[str, Any]:
        """One specification with everything in it."""
        figures = [one for one in result.figures if self.figure in ("", one.name)]
        if not figures:
            names = [one.name for one in result.figures]
            raise UsageError(
                f"the study {result.study!r} has no picture {self.figure!r}{suggestion(self.figure, names)} "
                f"(it has: {', '.join(names) or 'none'})"
            )
        colours = colours_of(result)
        drawn = [Drawing(result, one, colours, number).spec() for number, one in enumerate(figures)]
        return drawn[0] if len(drawn) == 1 else {"vconcat": drawn, "spacing": 40, "align": "none", "resolve": _APART}


def colours_of(result: Findings) -> dict[str, dict[str, str]]:
    """The colour of each value of each field that has colours: the same in all pictures of a study."""
    found: dict[str, dict[str, None]] = {}
    for figure in result.figures:
        for field, values in _assign_colours(result, figure).items():
            found.setdefault(field, {}).update(dict.fromkeys(values))
    kinds = [*SERIES, INK, FAINT]
    return {field: dict(zip(values, cycle(kinds), strict=False)) for field, values in found.items()}


def _assign_colours(result: Findings, figure: Figure) -> dict[str, Sequence[str]]:
    """The values that have colours in one picture, those that it names first, in its order."""
    found: dict[str, list[str]] = {}
    for layer in figure.layers:
        if layer.colour:
            known = found.setdefault(layer.colour, [clean(value) for value in figure.colours])
            where = figure.where
            for row in result.table(layer.table).records():
                if row[layer.colour] is not None and (where is None or row[where[0]] == where[1]):
                    known.append(clean(str(row[layer.colour])))
    return {field: list(dict.fromkeys(values)) for field, values in found.items()}
