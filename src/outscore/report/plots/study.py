"""The pictures of a study, drawn from their declarations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Any

from outscore.base.text import clean
from outscore.report.plots.figure import Drawing
from outscore.report.plots.theme import FAINT, INK, SERIES
from outscore.results.study import Figure, FigureOfStudy, Findings


def draw_figure(panel: FigureOfStudy) -> dict[str, Any]:
    """A picture of a study; the colours of values are the same in all of its pictures."""
    result, figure = panel.findings, panel.figure
    return Drawing(result, figure, colours_of(result), result.figures.index(figure)).spec()


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
