"""Score against the size of the training set, with the spread over training sets beside that over test items."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from outscore.base.errors import UsageError, inflect, join
from outscore.results.study import Axis, DataTable, Field, Figure, Layer, Value
from outscore.significance.confidence import needed_for_errors, selection_error
from outscore.significance.resamples import Resamples
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.shared.form import columns, count, hidden, number, points, table, text
from outscore.studies.shared.material import Material
from outscore.studies.training import TrainingSize

_SIZED = re.compile(r"(.+)[._@-]([0-9]+)")
_SETS, _ITEMS = "training sets", "test items"


def grid(study: TrainingSize, material: Material) -> list[Spec]:
    """One cell for each metric."""
    without = [name for name in material.systems if _SIZED.fullmatch(name) is None]
    if without:
        raise UsageError(f"systems are named MODEL.SIZE here, as hmm.1000; these are not: {join(without)}")
    if study.times <= 0:
        raise UsageError("--times: a positive number of standard deviations")
    return [{"metric": stats.name} for stats in material.by_metric]


def cell(study: TrainingSize, material: Material, spec: Spec, seed: int) -> Found:
    """Scores of all runs of each system, and their error by the choice of test items."""
    stats = material.stats(spec["metric"])
    systems = Resamples(material.systems, [stats], 0, replace(material.settings, seed=seed))
    systems = systems.draw(needed_for_errors(systems))
    return {
        "systems": [
            {"scores": scores.tolist(), "items": selection_error(systems, 0, number)}
            for number, scores in enumerate(stats.run_scores)
        ]
    }


def summary(study: TrainingSize, material: Material, cells: Cells) -> Summary:
    """Scores and spreads by size."""
    rows: list[tuple[Value, ...]] = []
    for spec, found in cells:
        systems = zip(material.systems, found["systems"], strict=True)
        rows += sorted((_row(study, spec["metric"], name, one) for name, one in systems), key=_sort_key)
    models = sorted({str(row[1]) for row in rows})
    points = [
        (*row[:3], row[4], *row[8:], _spread_places(row[2], models.index(str(row[1])), len(models))) for row in rows
    ]
    units = dict(zip((stats.name for stats in material.by_metric), material.units, strict=True))
    spreads: list[tuple[Value, ...]] = []
    for row in rows:
        spreads.append((*row[:3], _SETS, row[5], *_spread_interval(row[5], row[3], material.settings.alpha)))
        spreads.append((*row[:3], _ITEMS, row[6], None, None))
    spreads = [(*row, _spread_places(row[2], (_SETS, _ITEMS).index(str(row[3])), 2)) for row in spreads]
    runs = sorted({len(material.runs[name]) for name in material.systems})
    several = f"{runs[0]}" if len(runs) == 1 else f"{runs[0]} to {runs[-1]}"
    many, items = inflect(len(material.systems), "system"), inflect(material.n_items, "item")
    design = f"{many} of {several} runs on {items}, {material.settings.n_resamples} resamples."
    return Summary(
        design=design,
        tables=(
            _scores(rows),
            _figure_table("points", "Points of the picture", points),
            _figure_table("spreads", "Spreads", spreads),
        ),
        figures=tuple(
            figure
            for metric, unit in units.items()
            for figure in _figures(study, metric, unit, [row for row in rows if row[0] == metric], design)
        ),
    )


def _row(study: TrainingSize, metric: str, name: str, found: Any) -> tuple[Value, ...]:
    scores, items = found["scores"], found["items"]
    sized = _SIZED.fullmatch(name)
    model, size = (sized[1], int(sized[2])) if sized else (name, 0)
    n = len(scores)
    mean = sum(scores) / n
    sets = (sum((score - mean) ** 2 for score in scores) / (n - 1)) ** 0.5 if n > 1 else None
    both = None if sets is None or items is None else (sets**2 + items**2) ** 0.5
    wide = None if sets is None else study.times * sets
    ends = (None, None) if wide is None else (mean - wide, mean + wide)
    return (metric, model, size, n, mean, sets, items, both, *ends)


def _figures(
    study: TrainingSize, metric: str, unit: str, rows: Sequence[tuple[Value, ...]], design: str
) -> tuple[Figure, ...]:
    where = ("metric", metric)
    sizes = [float(row[2] or 0) for row in rows]
    x = Axis(title="Items in the training set", scale="log", domain=(min(sizes) / 1.2, max(sizes) * 1.2))
    known = [row for row in rows if isinstance(row[5], float) and isinstance(row[6], float)]
    larger = sum(row[6] > row[5] for row in known)  # type: ignore[operator]
    return (
        Figure(
            name=metric,
            title=_finding(rows, unit),
            where=where,
            subtitle=f"{design}\nIntervals: {study.times:g} standard deviations over training sets to each side",
            x=x,
            y=Axis(title=unit),
            layers=(
                Layer(mark="line", table="points", x="at", y="score", colour="model"),
                *points("points", "at", "score", "model"),
            ),
        ),
        Figure(
            name=f"{metric}-spread",
            title=f"Test items move the score more than training sets in {larger} of {len(known)} cases",
            where=where,
            subtitle=f"{design}\nIntervals: of the deviation over training sets, scores taken for normal",
            x=x,
            y=Axis(title=f"Standard deviation ({unit})"),
            layers=(
                Layer(mark="line", table="spreads", x="at", y="spread", colour="source"),
                *points("spreads", "at", "spread", "source"),
            ),
            facet="model",
            colours=(_SETS, _ITEMS),
        ),
    )


def _spread_places(size: Value, place: int, of: int) -> float:
    """Where a size stands in a picture, so that what has the same size stands side by side."""
    return float(size or 0) * (1 + 0.05 * (place - (of - 1) / 2))


def _spread_interval(spread: Value, runs: Value, alpha: float) -> tuple[float | None, float | None]:
    """The interval of a standard deviation of normal scores, by the chi-squared law."""
    from scipy.stats import chi2

    if not isinstance(spread, float) or not isinstance(runs, int):
        return None, None
    return tuple(  # type: ignore[return-value]
        float(spread * ((runs - 1) / chi2.ppf(share, runs - 1)) ** 0.5) for share in (1 - alpha / 2, alpha / 2)
    )


def _sort_key(row: tuple[Value, ...]) -> tuple[str, int]:
    return str(row[1]), int(row[2] or 0)


def _finding(rows: Sequence[tuple[Value, ...]], unit: str) -> str:
    """The effect of so many times the training data on the score, over all models, in words."""
    gains, times = [], set()
    for model in dict.fromkeys(row[1] for row in rows):
        own = [row for row in rows if row[1] == model]
        gains.append(float(own[-1][4] or 0) - float(own[0][4] or 0))
        times.add(float(own[-1][2] or 0) / float(own[0][2] or 1))
    if len(times) > 1 or times == {1.0}:
        return f"{unit} by size of the training set"
    low, high = f"{min(gains):.2g}", f"{max(gains):.2g}"
    ends = low if low == high else f"{low} to {high}"
    return f"{times.pop():.3g} times the training data change the score by {ends} ({unit})"


_KEY = (*columns("text", metric="Metric", model="Model"), count("size", "Items"))


def _scores(rows: Sequence[tuple[Value, ...]]) -> DataTable:
    return table(
        "scores",
        "Score by size of the training set",
        (
            *_KEY,
            count("runs", "Runs"),
            Field(name="score", title="Mean score", low="low", high="high"),
            *columns("number", sets="s, training sets", items="s, test items", both="s, both", low="low", high="high"),
        ),
        rows,
        about="s: standard deviation of the score of one trained system by choice of its training set, of the test "
        "items, and of both, as if they did not interact. The brackets are as wide as the scores of runs spread.",
    )


def _figure_table(name: str, title: str, rows: Sequence[tuple[Value, ...]]) -> DataTable:
    """A table for a picture."""
    what = {"points": ("score", "Mean score"), "spreads": ("spread", "Standard deviation")}[name]
    own = (text("source", "Chosen anew"),) if name == "spreads" else ()
    return hidden(
        name,
        title,
        (*_KEY, *own, number(what[0], what[1]), *columns("number", low="low", high="high", at="Items, side by side")),
        rows,
    )
