"""Rows that sum up the others and are no items: means, sums, spreads at the ends of a table or a list of numbers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePath
from shlex import quote
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.notes import Note
from outscore.data.columns import ColumnTable
from outscore.results.result import SourceFile

_SURELY = frozenset(("grand total", "macro avg", "micro avg", "weighted avg"))
_MEANS = "all average averages avg mean total totals overall summary aggregate macro micro correct accuracy σ ø"
_MEANS += " mittelwert mittelwerte durchschnitt gesamt insgesamt summe moyenne moyennes somme media promedio suma somma"
_MEANS += " totale gemiddelde totaal"
_TOTALS = _SURELY | {*_MEANS.split(), "all tasks", "gesamtsumme", "mean score", "average score", "total score"}
_PERHAPS = frozenset(("", "nan", "sum", "median", "global"))
_SPREADS = frozenset(
    (
        *("std", "std dev", "stdev", "stddev", "sd", "standard deviation", "se", "sem", "stderr", "standard error"),
        *("std deviation", "std error", "std err", "standardabweichung", "stdabw", "std abw", "standardfehler"),
        *("écart type", "ecart type", "écart-type", "ecart-type", "desviación estándar", "desviacion estandar"),
        *("desviación típica", "deviazione standard", "desvio padrão", "erreur type", "error estándar"),
        *("var", "variance", "varianz", "varianza", "count", "n", "min", "minimum", "max", "maximum", "anzahl"),
        *("effectif", "range", "iqr", "spannweite"),
    )
)
"""Statistics that stand beside a mean in rows that sum up the others, and may hide it from being the last."""
_COUNTS = {"n", "min", "max", "count", "anzahl", "effectif", "minimum", "maximum", "range", "iqr", "spannweite"}
_ASKED = _TOTALS | _SPREADS | {"sum", "median"}
"""Names that no item has among numbered ones."""
_KNOWN = _ASKED | _PERHAPS
SUMS = "the item {!r} is taken for a row that sums up the others: each number is their mean, or sum"
MOVE = "cut the row, or move it among the others if it is an item"
_CUT = "cut the row if it sums up the others"
_OF_PART = re.compile(
    r"\b(sub ?-?totals?|total|totals|sum|mean|avg|average|zwischensumme|summe|gesamt|mittelwert|durchschnitt|schnitt"
    r"|sous ?-?total|moyenne|subtotale?|media|promedio)\b|[øΣ]|小計|合計|平均",
    re.IGNORECASE,
)
_MOST_TOTALS = 12
_FEW_VALUES = 30
_FEW_ROWS, _CHANCE, _MANY_TIMES = 5, 0.001, 10
_TENTH = 0.099
_CLOSE = 0.006
"""How far, in proportions of a value, a rounded mean may be from the mean."""


def check_totals(
    grid: ColumnTable, ids: Sequence[str], columns: Mapping[str, Float], row: Callable[[int], int]
) -> tuple[Note, ...]:
    """Refuses last rows, or a first one, that sum up the others; elsewhere what is called total is an item.

    A row of such a name whose numbers do not sum up may be a weighted mean or an item. Among items that are words it is
    one, too; among numbered items it is a question.

    Args:
        grid: the table.
        ids: the items of one run.
        columns: their numbers, each ``(n,)``.
        row: the row of the table where an item stands.

    Returns:
        A note on each row that was taken for an item although it is called a total.

    Raises:
        InputError: with the line of the row.
    """
    outer = ids[:_MOST_TOTALS], ids[: -_MOST_TOTALS - 1 : -1]
    starts, below = (sum(1 for _ in itertools.takewhile(_KNOWN.__contains__, map(_simplify, rows))) for rows in outer)
    ends = len(ids) - below
    for first, last in dict.fromkeys(((0, len(ids)), (starts, ends))):  # also a sum beside others of known names
        if (total := find_sums(ids[first:last], [values[first:last] for values in columns.values()])) is not None:
            raise grid.error(SUMS.format(ids[first + total]), row(first + total), MOVE)
    if (total := _find_subtotal(ids[starts:ends], [values[starts:ends] for values in columns.values()])) is not None:
        raise grid.error(SUMS.format(ids[starts + total]), row(starts + total), MOVE)
    inside = [i for i in range(starts, ends) if ids[i].lower() in _ASKED]
    if ends - starts < 2 or not columns or (ends - starts == len(ids) and not inside):
        return ()
    others = [values[starts:ends] for values in columns.values()]
    numbered = 2 * sum(any(map(str.isdigit, item)) for item in ids[starts:ends]) > ends - starts
    text = "{!r} is taken for an item, whatever its name, as it stands among others"
    said = [Note(code="total_as_item", text=text.format(ids[i]), remedy=_CUT) for i in inside if numbered]
    for i in (*range(ends, len(ids)), *range(starts)):
        name, values = _simplify(ids[i]), [of_column[i] for of_column in columns.values()]
        sums_up = _sums_up(values, others, name)
        if sums_up or name in _SURELY or (numbered and name in _ASKED):
            raise grid.error(
                f"the item {ids[i]!r} is taken for a row that sums up the others",
                row(i),
                "cut the rows that do, or give the item another id if it is one",
            )
        if name in _TOTALS:
            text = f"{ids[i]!r} is taken for an item: its numbers are neither the sum nor the mean of the others"
            said.append(Note(code="total_as_item", text=text, remedy=_CUT))
    return tuple(said)


def _find_subtotal(items: Sequence[str], columns: Sequence[Float]) -> int | None:
    """A row that by its name, of a group, and its numbers sums up those above it since the last row of such a name."""
    start = 0
    for i, item in enumerate(items):
        if _simplify(item) not in _KNOWN and _OF_PART.search(item.replace("_", " ")):
            above = [x[start:i] for x in columns]
            if columns and i - start > 1 and _sums_up([x[i] for x in columns], above, ""):
                return i
            start = i + 1
    return None


def find_sums(items: Sequence[str], columns: Sequence[Float]) -> int | None:
    """The first or last row if it surely sums up the others; none that is numbered like them, or has a known name."""
    n, stem = len(items), re.compile(r"\d+")
    for row, others in ((n - 1, slice(n - 1)), (0, slice(1, n))) if n > _FEW_ROWS and columns else ():
        if _simplify(items[row]) not in _KNOWN and _are_sums(columns, row, others):
            of_row = stem.sub("", items[row])
            return None if any(stem.sub("", item) == of_row for item in items[others]) else row
    return None


def find_sum_of_lines(columns: Sequence[Float]) -> int | None:
    """The same of rows without ids, one of which may be as large as all others together where they are few and small.

    Args:
        columns: one ``(n,)`` for each system.
    """
    n = len(columns[0]) if columns else 0
    ends = ((n - 1, slice(n - 1)), (0, slice(1, n))) if n > _FEW_ROWS else ()
    return next((row for row, others in ends if _are_sums(columns, row, others, times=_MANY_TIMES)), None)


def sum_of_lines_error(source: SourceFile, row: int, value: float) -> InputError:
    """The error that the first or last number of a list sums up the others."""
    head = source.reader == "table"  # a line of names above
    line = f"{1 + head}d" if row == 0 else "$d"
    shell = f", as by sed {quote(line)} {quote(source.file)} > {quote(f'plain-{PurePath(source.file).name}')}"
    return InputError(
        f"the {'last' if row else 'first'} number, {value:.6g}, is taken for one that sums up the others: it is their "
        "mean, or sum",
        file=source.file,
        remedy=f"cut it{shell if head or source.reader == 'scores' else ''}; or move it among the others if it is an "
        "item",
    )


def _functions(columns: Sequence[Float]) -> Iterator[Callable[[Float], Any]]:
    """Means and sums, and the means in per cent where the numbers are shares."""
    yield from (np.mean, np.sum)
    if all(x.min() >= 0 and x.max() <= 1 for x in columns):
        yield lambda x: 100 * np.mean(x)


def _are_sums(columns: Sequence[Float], row: int, others: slice, times: float = 2) -> bool:
    """Whether these numbers are the means, or sums, of the others, in so many digits that it is no chance.

    Args:
        columns: one ``(n,)`` for each system; ``row``, ``others``: what may be a sum, and of what.
        times: how many times the largest number no item would reach.
    """
    pairs = [(x[others], x[row], _step(x[row])) for x in columns]
    ways = _functions([x for x, _, _ in pairs])
    if not any(all(abs(f(x) - value) < 0.51 * step for x, value, step in pairs) for f in ways):
        return False
    if all(abs(value) > times * np.abs(x).max() for x, value, _ in pairs):  # sums, which no item would reach
        return True
    chance = 1.0
    for x, value, step in pairs:
        found, apart = np.unique(x), x if x is pairs[0][0] else x - pairs[0][0]  # as systems are alike
        if value not in found or len(found) > _FEW_VALUES:  # a grade among few is no sign
            chance *= step / max(step, np.ptp(apart)) * (1 if value in found else len(found) / len(x))
    return bool(chance < _CHANCE)


def _step(value: float) -> float:
    """The place of the last digit of a number: 0.01 of 0.25."""
    return 10.0 ** -len(f"{value:.10g}".partition(".")[2])


def _simplify(item: str) -> str:
    return " ".join(item.lower().partition(" (")[0].replace(".", " ").replace("_", " ").strip(" :").split())


def _sums_up(values: Sequence[float], others: Sequence[Float], name: str) -> bool:
    """Whether the numbers of a row are those that its name says of the others; one number each."""
    if name in ("n", "count", "total", "totals") and {*values} == {float(len(others[0]))}:
        return True
    functions: tuple[Callable[[Float], Any], ...] = (np.nanmean, np.nansum)
    if name == "median":
        functions = (np.nanmedian,)
    elif name in _SPREADS:
        spread = np.nanvar if name.startswith("var") else np.nanstd
        functions = (spread, lambda numbers: spread(numbers, ddof=1)) if name not in _COUNTS else ()
    elif all(np.nanmin(x) >= 0 and np.nanmax(x) <= 1 for x in others if not np.isnan(x).all()):
        functions += (lambda numbers: 100 * np.nanmean(numbers),)
    # of whole numbers and tenths many an item is as near
    rounded = [0.51 * step if (step := _step(value)) < _TENTH else 1e-9 for value in values]
    for found in functions:
        expected = [float(found(of_column)) for of_column in others if not np.isnan(of_column).all()]
        if len(expected) == len(values) and np.all(np.isclose(values, expected, rtol=_CLOSE, atol=rounded)):
            return True
    return False
