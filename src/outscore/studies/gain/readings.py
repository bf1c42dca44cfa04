"""Gain against confidence: the thresholds of some pairs, their tables and their picture."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

import numpy as np

from outscore.base.arrays import Int
from outscore.base.errors import UsageError, inflect, join
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.results.result import Interval
from outscore.results.study import Axis, DataTable, Figure, Finding, Layer, Value
from outscore.significance.statistics import Statistics
from outscore.studies import Cells, Claim, Found, Summary
from outscore.studies.gain import GainStudy
from outscore.studies.gain.thresholds import (
    ENOUGH,
    SURE,
    ThresholdCurve,
    fit_curve,
    items_error,
    p_at,
    select_informative,
    window_interval,
    window_threshold,
)
from outscore.studies.shared.form import (
    Fields,
    Row,
    columns,
    count,
    ends,
    hidden,
    number,
    p_value,
    table,
    text,
)
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import DIFFERENT, SAME, StudyPair, compare_all_pairs, select_window

ALL = "all pairs"
_POINTS = 60
_SEEN = {"whole": 2.0, "size": 1.3, "domain": 1.6}  # times the largest threshold that a picture goes to the right


@dataclass(frozen=True)
class Reading:
    """The thresholds of some pairs.

    Attributes:
        relation: which pairs: all, those of one group, those of different groups.
        pairs: all of them.
        inside: how many have their p in the window; ``window``: the quantile of their gains; ``ends``: its interval.
        curve: fitted; None where no pair tells it.
    """

    relation: str
    pairs: Sequence[StudyPair]
    inside: int
    window: float | None
    ends: Interval | None
    curve: ThresholdCurve | None

    def row_by_window(self) -> tuple[Value, ...]:
        """Pairs, those in the window, the quantile of their gains and its interval."""
        return (len(self.pairs), self.inside, self.window, *(self.ends or (None, None)))

    def row_by_curve(self) -> tuple[Value, ...]:
        """The threshold of the curve with its interval, and the gains that are enough for 5 % and 95 % of the pairs."""
        c = self.curve
        return (None,) * 5 if c is None else (c.threshold, c.low, c.high, c.first, c.last)


def check(study: GainStudy, material: Material) -> None:
    """Raises UsageError where there is no window, or no pair, or options do not go together."""
    if not 0 <= study.low < study.high <= 1 or not 0 < study.share < 1:
        raise UsageError("the window of p goes from --low to --high, both from 0 to 1; --share lies between 0 and 1")
    if len(material.with_runs_apart.systems) < 2:
        raise UsageError("one system has no pairs: give at least two, or several runs")
    if study.by == "whole" and (study.sizes or study.pick == "random"):
        raise UsageError("--sizes and --pick are for parts of the test set: --by size or --by domain")
    if study.by != "whole" and (study.classes == "each" or study.at):
        raise UsageError("--classes each and --at are for the whole test set, not for --by size or --by domain")
    if study.draws < 1 or (study.draws > 1 and (study.pick == "first" or study.by != "size")):
        raise UsageError(
            "--draws is 1 or more; there is one first part, so more than 1 go with --by size --pick random"
        )


def read_thresholds(study: GainStudy, material: Material, pairs: Sequence[StudyPair]) -> list[Reading]:
    """The thresholds of all pairs, then of those of one group and of two where there are both."""
    settings, window = material.settings, (study.low, study.high, study.share)
    return [
        Reading(
            relation,
            some,
            len(select_window(some, study.low, study.high)),
            window_threshold(some, *window),
            window_interval(some, *window, settings.alpha, settings.seed),
            fit_curve(some, study.claim, settings.alpha, settings.n_resamples),
        )
        for relation, some in kinds(pairs)
    ]


@dataclass
class GainSummary:
    """The summary of the gains, put together metric by metric.

    Attributes:
        study, material: runs of a system are systems of their own; ``how``: all in words.
        metric, unit: that is added to.
        rows: of the tables, by their names.
    """

    study: GainStudy
    material: Material
    how: str
    metric: str = ""
    unit: str = ""
    rows: defaultdict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    figures: list[Figure] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def add_readings(self, drawn: Sequence[tuple[str, Reading]]) -> None:
        """Pairs, curves and their thresholds, as the tables of ``PLAIN`` have them, each behind the name of a part."""
        end = self.end([one for _, one in drawn])
        for name, one in drawn:
            key = self.metric, name
            for p in one.pairs:
                confidence = None if p.p is None else 1 - p.p
                row = (*key, p.gain, confidence, p.p, p.error, p.correlation, p.winner, p.loser)
                self.rows["pairs"].append(row)
                if p.gain <= end:
                    self.rows["points"].append((*key, p.gain, confidence))
            if one.curve is not None:
                gains = np.linspace(0, end, _POINTS)
                at = p_at(gains, one.curve.scale, self.study.claim)
                self.rows["curves"] += [(*key, float(g), 1 - float(p)) for g, p in zip(gains, at, strict=True)]
                self.rows["marks"].append((*key, one.curve.threshold, 1 - SURE))

    def draw_curves(self, name: str, title: str, drawn: Sequence[Reading], colour: str, colours: Iterable[str]) -> None:
        """Gain against confidence, cut to where things happen; ``colour`` is a field of the tables drawn."""
        end = self.end(drawn)
        beyond = [pair for one in drawn for pair in one.pairs if pair.gain > end]
        unsure = sum(pair.p is None or pair.p > SURE for pair in beyond)
        says = f"all with p ≤ {SURE:g}" if not unsure else f"{unsure} with p > {SURE:g}"
        cut = f"\n{inflect(len(beyond), 'pair')} with larger gains not shown, {says}" if beyond else ""
        figure = Figure(
            name=name,
            title=title,
            where=("metric", self.metric),
            subtitle=f"{self.how}\nLines: fitted curves; broken: p = {SURE:g}, and where each curve reaches it{cut}",
            x=Axis(title=f"Gain ({self.unit})", domain=(0.0, end)),
            y=Axis(title="Confidence, 1 − p", domain=(0.0 if self.study.claim == "two-sided" else 0.5, 1.0)),
            layers=(
                Layer(mark="point", table="points", x="gain", y="confidence", colour=colour),
                Layer(mark="line", table="curves", x="gain", y="confidence", colour=colour),
                Layer(mark="x-rule", table="marks", x="gain", colour=colour),
                Layer(mark="y-rule", table="marks", y="confidence"),
            ),
            colours=tuple(colours),
        )
        self.figures.append(figure)

    def end(self, readings: Sequence[Reading]) -> float:
        """The gain up to which a picture goes."""
        ends = [max(one.curve.last, one.window or 0.0) for one in readings if one.curve is not None]
        largest = max((pair.gain for one in readings for pair in one.pairs), default=0.0)
        return (min(largest, _SEEN[self.study.by] * max(ends)) if ends else largest) or 1.0

    def add_notes(self, readings: Sequence[Reading]) -> None:
        """The notes on the thresholds."""
        alike = {(p.winner, p.loser): None for one in readings for p in one.pairs if p.error == 0 and p.gain == 0}
        if alike:
            names = join(" and ".join(pair) for pair in alike)
            self.notes.append(
                Note(
                    code="identical_systems",
                    text=f"the same on every item are {names}: such a pair tells nothing, and what one of them adds to "
                    "the others is counted twice",
                    remedy="Leave one of them out.",
                )
            )
        fewest = min(one.inside for one in readings)
        if fewest < ENOUGH:
            self.notes.append(
                Note(
                    code="few_in_the_window",
                    text=f"a window of p holds {inflect(fewest, 'pair')} (fewer than {ENOUGH} where no interval is "
                    "given): a high quantile of so few is about the largest of them",
                    remedy="Trust the curve, which rests on more pairs.",
                )
            )


def summarize(
    study: GainStudy,
    material: Material,
    cells: Cells,
    where: str,
    add: Callable[[GainSummary, Cells], None],
    tables: Callable[[GainSummary], Iterable[DataTable]],
) -> Summary:
    """Thresholds, what makes or moves them, curves and all pairs; ``add`` adds what is said of one metric."""
    apart = material.with_runs_apart
    n = len(apart.systems)
    how = (
        f"{inflect(n * (n - 1) // 2, 'pair')} of {n} systems, {study.test} ({study.claim}), "
        f"{material.settings.n_resamples} resamples, {where}"
    )
    drawn = GainSummary(study, apart, how)
    for stats, unit in zip(material.by_metric, material.units, strict=True):
        drawn.metric, drawn.unit = stats.name, unit
        add(drawn, [(spec, found) for spec, found in cells if spec["metric"] == stats.name])
    return Summary(
        design=f"{how}.",
        tables=tuple(tables(drawn)),
        figures=tuple(drawn.figures),
        findings=tuple(drawn.findings),
        notes=tuple(drawn.notes),
    )


def kinds(pairs: Sequence[StudyPair]) -> list[tuple[str, Sequence[StudyPair]]]:
    """All pairs, then those of one group and those of two where there are both; or each class of two pairs or more."""
    if any(pair.relation not in (SAME, DIFFERENT) for pair in pairs):
        classes = {name: [p for p in pairs if p.relation == name] for name in sorted({p.relation for p in pairs})}
        return [(ALL, pairs), *((name, some) for name, some in classes.items() if len(some) > 1)]
    several = [(name, [pair for pair in pairs if pair.relation == name]) for name in (SAME, DIFFERENT)]
    return [(ALL, pairs), *several] if all(some for _, some in several) else [(ALL, pairs)]


_WINDOW = (
    *columns("count", pairs="pairs", window="in the window"),
    *ends(number("threshold", "By the window"), "window_"),
)
_CURVE = (*ends(number("fitted", "By the curve")), *columns("number", first="5%", last="95%"))
_GAIN = columns("number", gain="Gain", confidence="Confidence, 1 − p")
_PAIR = (
    p_value("p", "p"),
    *columns("number", error="Standard error", correlation="Correlation"),
    *columns("text", winner="Winner", loser="Loser"),
)


def make_plain_tables(keys: Fields, rows: Mapping[str, list[Row]]) -> Iterable[DataTable]:
    """The tables that only pictures and files show."""
    return (
        hidden("pairs", "Every pair", (*keys, *_GAIN, *_PAIR), rows["pairs"]),
        hidden("points", "The pairs that pictures show", (*keys, *_GAIN), rows["points"]),
        hidden("curves", "Fitted curves", (*keys, *_GAIN), rows["curves"]),
        hidden("marks", "Where the curves reach p = .05", (*keys, *_GAIN), rows["marks"]),
    )


def threshold_tables(keys: Fields, rows: Mapping[str, list[Row]], more: Fields = ()) -> tuple[DataTable, ...]:
    """Thresholds by the curve and by the window, behind the fields of the keys; ``more`` stand behind the curve's."""
    return (
        table(
            "thresholds",
            f"The gain at which p = {SURE:g}, by the curve",
            (*keys, *_CURVE, *more),
            rows["thresholds"],
            about="By the curve: for the typical pair, with its interval over systems. 5%, 95%: gains that are enough "
            "for so many of the pairs.",
        ),
        table(
            "window",
            f"The gain at which p = {SURE:g}, by a window",
            (*keys, *_WINDOW),
            rows["window"],
            about="A high quantile of the gains among the pairs whose p lies in the window: enough for most pairs; the "
            "curve is for the typical one.",
        ),
    )


FEWEST = 8
"""Units that a part of a test set has at least."""

ROOTED = number("rooted", "× √n")


@dataclass(frozen=True)
class Subset:
    """A part of a test set.

    Attributes:
        label: its name.
        items: in it.
        readings: thresholds, of all pairs first.
        errors: standard error, over items, of the logarithm of the threshold of each relation; None where unknown.
    """

    label: str
    items: int
    readings: Sequence[Reading]
    errors: Mapping[str, float | None]

    def reading(self, relation: str) -> Reading | None:
        """The thresholds of these pairs."""
        return next((one for one in self.readings if one.relation == relation), None)

    def row_by_curve(self) -> list[tuple[Value, ...]]:
        """Items, relation, thresholds by the curve, the last times √items."""
        root = float(np.sqrt(self.items))
        return [
            (self.items, r.relation, *r.row_by_curve(), None if r.curve is None else r.curve.threshold * root)
            for r in self.readings
        ]

    def row_by_window(self) -> list[tuple[Value, ...]]:
        """Items, relation, thresholds by the window."""
        return [(self.items, one.relation, *one.row_by_window()) for one in self.readings]


KEYS = (count("items", "items"), text("relation", "Pairs"))
"""The fields that the rows of a part start with."""


def subset_of(items: Int, clusters: Int | None, size: int, generator: np.random.Generator | None = None) -> Int:
    """A part of a test set of about so many items, with clusters kept whole.

    Args:
        items: numbers of the items to choose from, in order.
        clusters: number of the cluster of each item of the whole test set, or None.
        size: items that are wanted; with clusters the nearest number that whole ones allow.
        generator: of a random part; the first items, or clusters, without. Parts from generators that are alike are
            nested.

    Returns:
        Numbers of the items of the part, in order.
    """
    if clusters is None:
        chosen = items if generator is None else generator.permutation(items)
        return np.sort(chosen[:size])
    of_items = clusters[items]
    names, firsts, counts = np.unique(of_items, return_index=True, return_counts=True)
    order = np.argsort(firsts) if generator is None else generator.permutation(len(names))
    reached = np.cumsum(counts[order])
    last = int(np.argmin(np.abs(reached - size)))
    return items[np.isin(of_items, names[order[: last + 1]])]


def pairs_on(items: Int, material: Material, metric: str, study: GainStudy, seed: int) -> Found:
    """The cell of one part: every two systems under one metric on these items, and what the items leave open."""
    part = material.with_runs_apart.restrict(items)
    stats = part.stats(metric)
    pairs = compare_all_pairs(part, stats, study.test, study.claim, seed)
    return {
        "pairs": [pair.to_plain() for pair in pairs],
        "items": part.n_items,
        "errors": _errors_over_items(study.claim, pairs, part, stats),
    }


def _errors_over_items(
    claim: Claim, pairs: Sequence[StudyPair], part: Material, stats: Statistics
) -> dict[str, float | None]:
    """For all pairs, and for each relation where there are two, what the items of a part leave open; see ``Subset``."""
    number = {name: i for i, name in enumerate(part.systems)}
    found = {}
    for relation, some in kinds(pairs):
        used = select_informative(some, claim, part.settings.n_resamples)
        found[relation] = items_error(stats, [(number[pair.winner], number[pair.loser]) for pair in used])
    return found


def parse_size(text: str, n: int) -> int:
    """Items of a size as the user writes it, of so many.

    Raises:
        UsageError: no size, too few or too many.
    """
    said = text.strip()
    try:
        size = n if said == "all" else round(float(said) * n) if "." in said else int(said)
    except ValueError:
        size = 0
    if not FEWEST <= size <= n:
        raise UsageError(
            f"--sizes: {said!r} is neither all, nor a number from {FEWEST} to {n}, nor such a proportion as 0.5"
        )
    return size


def add_parts(drawn: GainSummary, parts: Sequence[Subset], labelled: bool) -> None:
    """Thresholds of parts, behind their labels where asked for, and what pictures draw of all their pairs."""
    for part in parts:
        key = (drawn.metric, part.label) if labelled else (drawn.metric,)
        drawn.rows["thresholds"] += [(*key, *row) for row in part.row_by_curve()]
        drawn.rows["window"] += [(*key, *row) for row in part.row_by_window()]
    drawn.add_readings([(part.label, part.readings[0]) for part in parts])
