"""Gain against confidence: what a study of it is asked, the thresholds it reads, its tables and its picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.base.errors import UsageError, inflect, join
from outscore.base.notes import Note
from outscore.results.result import Interval
from outscore.results.study import Axis, DataTable, Field, Figure, Layer, Value
from outscore.significance.statistics import Statistics
from outscore.studies import Study, option
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import DIFFERENT, SAME, Claim, StudyPair, compare_all_pairs, select_window
from outscore.studies.shared.thresholds import (
    ENOUGH,
    SURE,
    ThresholdCurve,
    fit_curve,
    p_at,
    window_interval,
    window_threshold,
)

ALL = "all pairs"
_POINTS = 60


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


@dataclass(frozen=True)
class OfGains(Study):
    """A study of gain against confidence: which test, which p, which window.

    Class attributes:
        seen: times the largest threshold that a picture goes to the right.
    """

    seen: ClassVar[float] = 2.0

    test: str = option("bootstrap", "Test of each pair, or auto.")
    claim: Claim = option(
        "two-sided",
        "two-sided, or winner: as if named beforehand.",
        "winner: p of the system that scored higher.",
    )
    low: float = option(0.04, "Lower end of the window of p.")
    high: float = option(0.06, "Upper end of the window of p.")
    share: float = option(0.95, "Quantile of the gains in the window.")

    def check(self, material: Material) -> None:
        """Raises UsageError where there is no window, or no pair."""
        if not 0 <= self.low < self.high <= 1 or not 0 < self.share < 1:
            raise UsageError(
                "the window of p goes from --low to --high, both from 0 to 1; --share lies between 0 and 1"
            )
        if len(material.with_runs_apart.systems) < 2:
            raise UsageError("one system has no pairs: give at least two, or several runs")

    def compare_all_pairs(self, material: Material, stats: Statistics, seed: int) -> list[StudyPair]:
        """All pairs of systems, runs apart."""
        return compare_all_pairs(material, stats, self.test, self.claim, seed)

    def readings(self, pairs: Sequence[StudyPair], material: Material) -> list[Reading]:
        """The thresholds of all pairs, then of those of one group and of two where there are both."""
        return [self.reading(name, some, material) for name, some in kinds(pairs)]

    def reading(self, relation: str, pairs: Sequence[StudyPair], material: Material) -> Reading:
        """The thresholds of some pairs."""
        settings = material.settings
        window = self.low, self.high, self.share
        return Reading(
            relation,
            pairs,
            len(select_window(pairs, self.low, self.high)),
            window_threshold(pairs, *window),
            window_interval(pairs, *window, settings.alpha, settings.seed),
            fit_curve(pairs, self.claim, settings.alpha, settings.n_resamples),
        )

    def describe(self, material: Material) -> str:
        """Pairs, test and resamples in words."""
        n = len(material.systems)
        return (
            f"{inflect(n * (n - 1) // 2, 'pair')} of {n} systems, {self.test} ({self.claim}), "
            f"{material.settings.n_resamples} resamples"
        )

    def curve_points(self, curve: ThresholdCurve, end: float) -> list[tuple[float, float]]:
        """Gain and confidence along a curve up to a gain."""
        gains = np.linspace(0, end, _POINTS)
        return [(float(g), 1 - float(p)) for g, p in zip(gains, p_at(gains, curve.scale, self.claim), strict=True)]

    def figure(
        self,
        name: str,
        metric: str,
        title: str,
        unit: str,
        how: str,
        drawn: Sequence[Reading],
        colour: str,
        colours: Iterable[str],
    ) -> Figure:
        """Gain against confidence, cut to where things happen; ``colour`` is a field of the tables drawn."""
        end = self.end(drawn)
        beyond = [pair for one in drawn for pair in one.pairs if pair.gain > end]
        unsure = sum(pair.p is None or pair.p > SURE for pair in beyond)
        says = f"all with p ≤ {SURE:g}" if not unsure else f"{unsure} with p > {SURE:g}"
        cut = f"\n{inflect(len(beyond), 'pair')} with larger gains not shown, {says}" if beyond else ""
        return Figure(
            name=name,
            title=title,
            where=("metric", metric),
            subtitle=f"{how}\nLines: fitted curves; broken: p = {SURE:g}, and where each curve reaches it{cut}",
            x=Axis(title=f"Gain ({unit})", domain=(0.0, end)),
            y=Axis(title="Confidence, 1 − p", domain=(0.0 if self.claim == "two-sided" else 0.5, 1.0)),
            layers=(
                Layer(mark="point", table="points", x="gain", y="confidence", colour=colour),
                Layer(mark="line", table="curves", x="gain", y="confidence", colour=colour),
                Layer(mark="x-rule", table="marks", x="gain", colour=colour),
                Layer(mark="y-rule", table="marks", y="confidence"),
            ),
            colours=tuple(colours),
        )

    def end(self, readings: Sequence[Reading]) -> float:
        """The gain up to which a picture goes."""
        ends = [max(one.curve.last, one.window or 0.0) for one in readings if one.curve is not None]
        largest = max((pair.gain for one in readings for pair in one.pairs), default=0.0)
        return (min(largest, self.seen * max(ends)) if ends else largest) or 1.0

    def notes(self, readings: Sequence[Reading]) -> tuple[Note, ...]:
        """The notes on the thresholds."""
        alike = {(p.winner, p.loser): None for one in readings for p in one.pairs if p.error == 0 and p.gain == 0}
        found = []
        if alike:
            names = join(" and ".join(pair) for pair in alike)
            found.append(
                Note(
                    code="identical_systems",
                    text=f"the same on every item are {names}: such a pair tells nothing, and what one of them adds to "
                    "the others is counted twice",
                    remedy="Leave one of them out.",
                )
            )
        fewest = min(one.inside for one in readings)
        if fewest < ENOUGH:
            found.append(
                Note(
                    code="few_in_the_window",
                    text=f"a window of p holds {inflect(fewest, 'pair')} (fewer than {ENOUGH} where no interval is "
                    "given): a high quantile of so few is about the largest of them",
                    remedy="Trust the curve, which rests on more pairs.",
                )
            )
        return tuple(found)


def kinds(pairs: Sequence[StudyPair]) -> list[tuple[str, Sequence[StudyPair]]]:
    """All pairs, then those of one group and those of two where there are both."""
    several = [(name, [pair for pair in pairs if pair.relation == name]) for name in (SAME, DIFFERENT)]
    return [(ALL, pairs), *several] if all(some for _, some in several) else [(ALL, pairs)]


_WINDOW = (
    Field(name="pairs", title="pairs", kind="count"),
    Field(name="window", title="in the window", kind="count"),
    Field(name="threshold", title="By the window", low="window_low", high="window_high"),
    Field(name="window_low", title="low"),
    Field(name="window_high", title="high"),
)
_CURVE = (
    Field(name="fitted", title="By the curve", low="low", high="high"),
    Field(name="low", title="low"),
    Field(name="high", title="high"),
    Field(name="first", title="5%"),
    Field(name="last", title="95%"),
)
_GAIN = Field(name="gain", title="Gain")
_CONFIDENCE = Field(name="confidence", title="Confidence, 1 − p")
PLAIN = {
    "pairs": (
        "Every pair",
        (
            _GAIN,
            _CONFIDENCE,
            Field(name="p", title="p", kind="p"),
            Field(name="error", title="Standard error"),
            Field(name="correlation", title="Correlation"),
            Field(name="winner", title="Winner", kind="text"),
            Field(name="loser", title="Loser", kind="text"),
        ),
    ),
    "points": ("The pairs that pictures show", (_GAIN, _CONFIDENCE)),
    "curves": ("Fitted curves", (_GAIN, _CONFIDENCE)),
    "marks": ("Where the curves reach p = .05", (_GAIN, _CONFIDENCE)),
}
"""Titles and fields of the tables that only pictures and files show."""


def add_plain_rows(
    rows: dict[str, list[tuple[Value, ...]]], key: tuple[Value, ...], one: Reading, how: OfGains, end: float
) -> None:
    """Adds the pairs, the curve and its threshold to the tables of ``PLAIN``."""
    for p in one.pairs:
        confidence = None if p.p is None else 1 - p.p
        rows["pairs"].append((*key, p.gain, confidence, p.p, p.error, p.correlation, p.winner, p.loser))
        if p.gain <= end:
            rows["points"].append((*key, p.gain, confidence))
    if one.curve is not None:
        rows["curves"] += [(*key, *point) for point in how.curve_points(one.curve, end)]
        rows["marks"].append((*key, one.curve.threshold, 1 - SURE))


def make_plain_tables(keys: tuple[Field, ...], rows: dict[str, list[tuple[Value, ...]]]) -> Iterable[DataTable]:
    """The tables of ``PLAIN``."""
    for name, (title, fields) in PLAIN.items():
        yield DataTable(name=name, title=title, fields=(*keys, *fields), rows=tuple(rows[name]), printed=False)


def threshold_tables(
    keys: tuple[Field, ...], rows: dict[str, list[tuple[Value, ...]]], more: tuple[Field, ...] = ()
) -> tuple[DataTable, ...]:
    """Thresholds by the curve and by the window, behind the fields of the keys; ``more`` stand behind the curve's."""
    return (
        DataTable(
            name="thresholds",
            title=f"The gain at which p = {SURE:g}, by the curve",
            fields=(*keys, *_CURVE, *more),
            rows=tuple(rows["thresholds"]),
            about="By the curve: for the typical pair, with its interval over systems. 5%, 95%: gains that are enough "
            "for so many of the pairs.",
        ),
        DataTable(
            name="window",
            title=f"The gain at which p = {SURE:g}, by a window",
            fields=(*keys, *_WINDOW),
            rows=tuple(rows["window"]),
            about="A high quantile of the gains among the pairs whose p lies in the window: enough for most pairs; the "
            "curve is for the typical one.",
        ),
    )
