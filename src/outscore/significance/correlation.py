"""How well metrics agree with humans, over systems or over segments: values, bootstrap draws, permutation test.

Deutsch, Dror & Roth 2021 (BOOT-BOTH, PERM-BOTH) and Deutsch, Foster & Freitag 2023 (ties).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import Literal

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.rng import stream
from outscore.engine.design import Design
from outscore.engine.extreme import Alternative, count, tolerance
from outscore.engine.montecarlo import Exceedances
from outscore.metrics import Metric
from outscore.significance import ASYMPTOTIC, EXACT, MONTE_CARLO, Outcome, make_outcome
from outscore.significance.advice import ENOUGH, LOOSE, UNPAIRED
from outscore.significance.coefficients import (
    COEFFICIENTS,
    accuracy,
    calibrated_accuracy,
    correlate_known,
    pairs_of,
    pearson,
)
from outscore.significance.p_values import student_p
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics

Level = Literal["system", "segment", "segment-by-item", "segment-by-system"]
LEVELS: tuple[Level, ...] = ("system", "segment", "segment-by-item", "segment-by-system")

What = Literal["both", "systems", "items"]
"""The units resampled, or permuted: systems and items, systems only, items only."""

MOST_PAIRS = 500_000
"""Pairs that can be calibrated again for every resample."""

_EXCHANGEABLE = "the standardized scores of both metrics are exchangeable within each "
NULLS = {
    "perm-systems": f"{_EXCHANGEABLE}system: both correlate equally with humans over new systems",
    "perm-items": f"{_EXCHANGEABLE}item: for these very systems both correlate equally with humans on new items",
    "perm-both": f"{_EXCHANGEABLE}output: for these very systems it is chance which metric gave which score",
    "williams": "both metrics correlate equally with humans in the population of systems",
}
"""The null hypothesis of each test of two metrics, in words."""

FEW_SYSTEMS = Note(
    code="few_systems",
    text="fewer than 10 systems: a correlation over so few is known poorly, whatever the number of items",
    remedy="judge more systems, or report segment-by-item",
)
UNDEFINED_GROUPS = Note(
    code="undefined_groups",
    text="groups in which the humans or the metric tie everything, or with fewer than two outputs, have no correlation "
    "and are left out of the mean",
    remedy="use the coefficient accuracy, which counts ties",
)
CALIBRATED_TIES = Note(
    code="calibrated_ties",
    text="the threshold below which a metric ties was chosen on these pairs, for each metric, so accuracy is a "
    "little too high",
    remedy="compare metrics by it rather than with other tables",
)
WHOLE_SYSTEMS_EXCHANGED = Note(
    code="whole_systems_exchanged",
    text="a corpus score is no mean of items, so at the level of systems whole scores are permuted",
    remedy="",
)
IDENTICAL_METRICS = Note(
    code="identical_metrics",
    text="both metrics give the same standardized scores everywhere: there is no difference to test, and p = 1",
    remedy="",
)
FEW_TO_EXCHANGE = Note(
    code="few_to_exchange",
    text="with so few systems to permute no outcome could have reached alpha",
    remedy="judge six systems or more, or make a claim about these systems only with --test perm-items",
)


_BY_CHANCE = 1.5  # standard errors of a correlation of shuffled rows
_SHIFTED = 4.0  # standard errors of a correlation by which that of lines one away is larger


@dataclass(frozen=True)
class Draw:
    """One resampled set of systems and items, by their numbers, which may repeat."""

    systems: Int
    items: Int


class MetricMeasure:
    """Scores of every segment and every system by a metric, or by the humans, signed so that more is better.

    Args:
        stats: its statistics.
        known: ``(systems, items)`` outputs that count; by default all.
        metric: scores segments; by default as sums are scored.
    """

    def __init__(self, stats: Statistics, known: Bool | None = None, metric: Metric | None = None) -> None:
        self.stats, self.name = stats, stats.name
        self.score: Callable[[Float], Float] = stats.function if metric is None else metric.score_segments
        self.known = None if known is None or known.all() else known

    @cached_property
    def segments(self) -> Float:
        """Scores of single segments ``(systems, items)``, mean over runs; NaN for those that do not count."""
        of_runs = (self.score(of_system * self.stats.steps) for of_system in self.stats.items)
        found = self.stats.sign * np.stack([scores.mean(axis=0) for scores in of_runs])
        return found if self.known is None else np.where(self.known, found, np.nan)

    @property
    def averages(self) -> bool:
        """The score of a system is the mean of its segments."""
        return self.stats.plain_mean

    def systems(self, items: Int) -> Float:
        """Scores of the systems ``(systems,)`` on these items, which may repeat; NaN for one of which none counts."""
        if self.averages:
            return mean_of_known(self.segments[:, items])
        rows = [items] * len(self.stats.items) if self.known is None else [items[own[items]] for own in self.known]
        sums = [of_runs[:, own].sum(axis=1) for of_runs, own in zip(self.stats.items, rows, strict=True)]
        scores = [self.stats.sign * self.stats.score(of_runs).mean() for of_runs in sums]
        return np.array([score if own.size else np.nan for score, own in zip(scores, rows, strict=True)])


def mean_of_known(values: Float) -> Float:
    """The means ``(rows,)`` of the numbers that are there ``(rows, n)``; NaN for a row without any."""
    missing = np.isnan(values)
    if not missing.any():
        return np.asarray(values.mean(axis=1))
    counts = (~missing).sum(axis=1)
    return np.asarray(np.where(counts > 0, np.nansum(values, axis=1) / np.maximum(counts, 1), np.nan))


@dataclass(frozen=True)
class CorrelationCoefficient:
    """One coefficient at one level.

    Attributes:
        level: ``system``: scores of whole systems; ``segment``: all segments of all systems together;
            ``segment-by-item``: the outputs for an item, mean over items; ``segment-by-system``: the outputs of a
            system, mean over systems.
        name: one of ``COEFFICIENTS``. Of segments ``accuracy`` calibrates the threshold of ties.
    """

    level: Level
    name: str

    @property
    def calibrated(self) -> bool:
        return self.name == "accuracy" and self.level != "system"

    def n_pairs(self, systems: int, items: int) -> int:
        """Pairs that a calibration goes through."""
        sizes = {"segment": (1, systems * items), "segment-by-item": (items, systems)}
        groups, n = sizes.get(self.level, (systems, items))
        return groups * n * (n - 1) // 2

    def rows(self, segments: Float) -> Float:
        """Segments ``(systems, items)`` as rows of what is compared with each other."""
        if self.level == "segment":
            return segments.reshape(1, -1)
        return segments.T if self.level == "segment-by-item" else segments

    def copies(self, draw: Draw) -> Bool:
        """Pairs ``(pairs,)`` of a row that are a system or an item beside its own copy."""
        each = {"segment-by-system": draw.items, "segment": np.add.outer(draw.systems * 2**32, draw.items).ravel()}
        units = each.get(self.level, draw.systems)
        first, second = pairs_of(units.size)
        return np.asarray(units[first] == units[second])

    def values(self, x: Float, y: Float, draw: Draw | None = None) -> Float:
        """The coefficient of each row; of ``accuracy`` over segments one for all."""
        if self.name != "accuracy":
            return correlate_known(COEFFICIENTS[self.name], x, y)
        same = None if draw is None else self.copies(draw)
        if self.calibrated:
            return np.array([calibrated_accuracy(x, y, same)[0]])
        return accuracy(x, y, same=same)

    def average(self, x: Float, y: Float, draw: Draw | None = None) -> float:
        """The mean over rows in which it is defined; NaN if there are none."""
        found = self.values(x, y, draw)
        known = found[np.isfinite(found)]
        return float(known.mean()) if known.size else float("nan")

    def scores(self, measure: MetricMeasure, draw: Draw) -> Float:
        """The scores that are compared, as rows: those of the systems or of the segments of a draw."""
        if self.level == "system":
            return measure.systems(draw.items)[draw.systems][None, :]
        return self.rows(measure.segments[np.ix_(draw.systems, draw.items)])


def draw_all(measure: MetricMeasure) -> Draw:
    """All systems and items, each once."""
    systems, items = measure.segments.shape
    return Draw(np.arange(systems), np.arange(items))


def note_unpaired(
    metrics: Sequence[MetricMeasure], human: MetricMeasure, every: Draw, order: Int | slice
) -> Iterator[Note]:
    """A note where within systems no metric goes with the humans more than rows that were shuffled would.

    Or where one goes much better with those of the line before or after, in the ``order`` of the files.
    """
    within = CorrelationCoefficient("segment-by-system", "pearson")
    judged, *scored = (within.scores(measure, every)[:, order] for measure in (human, *metrics))

    def most(by: int) -> float:
        found = [abs(within.average(of_metric, np.roll(judged, by, axis=1))) for of_metric in scored]
        return max((r for r in found if np.isfinite(r)), default=1.0)

    n, own, other = len(every.items), most(0), max(most(1), most(-1))
    if n >= ENOUGH and own < max(LOOSE, _BY_CHANCE / n**0.5):
        text = f"within systems no metric goes with {human.name!r} from item to item (|r| at most {own:.2f}"
    elif n >= ENOUGH and np.diff(np.arctanh(np.minimum([own, other], 0.999))) > _SHIFTED / n**0.5:
        text = (
            f"scores go with {human.name!r} of the next line better than with that of their own (|r| {other:.2f} for "
        )
        text += f"{own:.2f}"
    else:
        return
    text += f" over {n:,} items), as if rows did not belong together"
    yield replace(UNPAIRED, text=text, remedy="check that rows and lines belong together")


def draws(n_systems: int, design: Design, what: What, settings: Settings) -> Iterator[Draw]:
    """Resampled systems and items; items of a cluster stay together."""
    generator = stream(settings.seed, f"correlation of {what}")
    labels = np.arange(design.n_items) if design.labels is None else design.labels
    members = np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1])
    systems, items = np.arange(n_systems), np.arange(design.n_items)
    for _ in range(settings.n_resamples):
        if what != "items":
            systems = generator.integers(n_systems, size=n_systems)
        if what != "systems":
            items = np.concatenate([members[u] for u in generator.integers(len(members), size=len(members))])
        yield Draw(systems, items)


def permutation(
    first: MetricMeasure,
    second: MetricMeasure,
    human: MetricMeasure,
    of: Sequence[CorrelationCoefficient],
    what: What,
    settings: Settings,
) -> list[Outcome]:
    """Tests of two metrics for each coefficient: permute their standardized scores at random (Deutsch et al. 2021).

    Null hypotheses: see ``NULLS``. Permuted are all scores of a system, of an item (of a cluster together), or single
    scores. Two metrics err on whole systems, each in its own way. Where single scores are permuted these errors
    average out, so that the test speaks of these systems only. All coefficients see the same permutations.
    """
    every = draw_all(human)
    x, y = (_standardized(measure.segments) for measure in (first, second))
    if np.nanmax(np.abs(x - y)) <= tolerance(float(np.nanmax(np.abs(x)))) and first.averages and second.averages:
        return [Outcome(p_value=1.0, p_kind=MONTE_CARLO, notes=(IDENTICAL_METRICS,)) for _ in of]
    # scores of whole systems have a spread of their own to be standardized by
    whole = what == "systems" or not (first.averages and second.averages)
    of_systems = [_standardized(measure.systems(every.items)) for measure in (first, second)]
    judged = {a: a.scores(human, every) for a in of}
    gains = [a.average(a.scores(first, every), judged[a]) - a.average(a.scores(second, every), judged[a]) for a in of]
    found = []
    for swap, of_whole in _draw_swaps(human, what, settings):
        swapped = np.where(swap, y, x), np.where(swap, x, y)
        row = []
        for a in of:
            if a.level != "system":
                one, other = (a.rows(side) for side in swapped)
            elif whole:
                one, other = (np.where(of_whole, q, p)[None, :] for p, q in (of_systems, of_systems[::-1]))
            else:
                one, other = (mean_of_known(side)[None, :] for side in swapped)
            row.append(a.average(one, judged[a]) - a.average(other, judged[a]))
        found.append(row)
    values, exact = np.array(found), _enumerable(what, human, settings)
    return [
        _outcome(
            values[:, i],
            gains[i],
            settings,
            _floor(a, what, whole, human, settings),
            said=(WHOLE_SYSTEMS_EXCHANGED,) if a.level == "system" and whole and what != "systems" else (),
            exact=exact,
        )
        for i, a in enumerate(of)
    ]


def _enumerable(what: What, human: MetricMeasure, settings: Settings) -> bool:
    """Whether all permutations are no more than the resamples that are wanted."""
    return what == "systems" and 2 ** len(human.segments) <= settings.n_resamples


def _draw_swaps(human: MetricMeasure, what: What, settings: Settings) -> Iterator[tuple[Bool, Bool]]:
    """Which scores change places: ``(systems, items)``, and ``(systems,)`` where whole systems do."""
    design, n_systems = human.stats.design, len(human.segments)
    if _enumerable(what, human, settings):
        for chosen in product((False, True), repeat=n_systems):
            of_systems = np.array(chosen)
            yield np.broadcast_to(of_systems[:, None], human.segments.shape), of_systems
        return
    generator = stream(settings.seed, f"exchange of {what}")
    labels = np.arange(design.n_items) if design.labels is None else design.labels
    shape = {"both": (n_systems, design.n_units), "systems": (n_systems, 1), "items": (1, design.n_units)}[what]
    for _ in range(settings.n_resamples):
        swap = np.broadcast_to(generator.random(shape) < 0.5, (n_systems, design.n_units))[:, labels]
        yield swap, swap[:, 0] if what == "systems" else generator.random(n_systems) < 0.5


def run_williams(first: MetricMeasure, second: MetricMeasure, human: MetricMeasure, settings: Settings) -> Outcome:
    """Williams' test of the Pearson correlations over systems, which it takes as independent and normal."""
    every = draw_all(human)
    x, y, h = (measure.systems(every.items)[None, :] for measure in (first, second, human))
    with_first, with_second, between = (float(pearson(a, b)[0]) for a, b in ((x, h), (y, h), (x, y)))
    if not np.isfinite([with_first, with_second, between]).all():
        return Outcome(p_value=None, p_kind=ASYMPTOTIC)
    return williams(with_first, with_second, between, x.size, alternative=settings.alternative)


def williams(first: float, second: float, between: float, n: int, *, alternative: Alternative = "two-sided") -> Outcome:
    """Williams' test of two correlations that share a variable (Williams 1959; Steiger 1980, eq. 7).

    Null hypothesis: both variables correlate equally with the shared one in the population. Assumes n independent
    triples from a trivariate normal law. There is no p-value where n < 4 or a correlation is perfect.

    Args:
        first, second: Pearson correlations with the shared variable; ``between``: with each other.
        n: triples.
        alternative: ``greater``: the first is larger.
    """
    df = n - 3
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    statistic = p = None
    square = (
        0.0 if df < 1 else 2 * (n - 1) / df * max(determinant, 0.0) + (first + second) ** 2 / 4 * (1 - between) ** 3
    )
    if square > tolerance(1.0):
        statistic = (first - second) * math.sqrt((n - 1) * (1 + between) / square)
        p = student_p(statistic, df, alternative)
    elif df >= 1 and abs(first - second) <= tolerance(1.0):
        statistic, p = 0.0, 1.0
    return Outcome(p_value=p, p_kind=ASYMPTOTIC, effect={"statistic": statistic, "df": df})


def note_coefficient(coefficient: CorrelationCoefficient, n_systems: int, n_undefined: int) -> tuple[Note, ...]:
    """The notes that a reader of one coefficient needs."""
    found = [FEW_SYSTEMS] if coefficient.level == "system" and n_systems < 10 else []
    found += [UNDEFINED_GROUPS] if n_undefined else []
    found += [CALIBRATED_TIES] if coefficient.calibrated else []
    return tuple(found)


def _outcome(
    values: Float, gain: float, settings: Settings, floor: float, *, said: tuple[Note, ...], exact: bool
) -> Outcome:
    if not np.isfinite(gain):
        return Outcome(p_value=None, p_kind=EXACT if exact else MONTE_CARLO, notes=said)
    # a permutation without an answer counts against a difference
    values = np.where(np.isfinite(values), values, gain)
    hit = int(count(values, gain, alternative=settings.alternative, slack=tolerance(1.0)))
    said += (FEW_TO_EXCHANGE,) if floor > settings.alpha else ()
    if exact:
        return Outcome(p_value=hit / values.size, p_kind=EXACT, p_min=floor, notes=said)
    return make_outcome(Exceedances(np.array([hit]), np.array([values.size])), p_min=floor, effect={}, notes=said)


def _floor(
    coefficient: CorrelationCoefficient, what: What, whole: bool, human: MetricMeasure, settings: Settings
) -> float:
    """Smallest p-value that the permutations allow: that of no swap, two-sided with its mirror image."""
    systems, units = len(human.segments), human.stats.design.n_units
    swapped = {"both": systems * units, "systems": systems, "items": units}[what]
    if whole and coefficient.level == "system":
        swapped = systems
    mirrored = settings.alternative == "two-sided"
    return float(2.0 ** (mirrored - min(swapped, 1000)))


def _standardized(values: Float) -> Float:
    spread = float(np.nanstd(values))
    centred = values - np.nanmean(values)
    return np.asarray(centred / spread if spread > 0 else centred)
