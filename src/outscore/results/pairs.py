"""The records of a comparison: pairs of systems, other answers, margins; and their flat rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer, flat_row
from outscore.results.details import describe_test
from outscore.results.plain import from_plain
from outscore.results.result import Interval

Numbers = Mapping[str, float | int | str | None]
"""Named numbers of a test beside its p-value; any test may bring names of its own."""

Side = Literal["better", "worse"]
DECIDED: Mapping[str, Side] = {"better": "better", "worse": "worse", "higher": "better", "lower": "worse"}
"""Verdicts on a difference that is shown, with the side of the system; higher and lower where neither is better."""
RANKS = "rank_difference"
"""The number of a pair by which a test of mean ranks goes: how many ranks the system is better."""

T = TypeVar("T")


def read_numbers(record: type[T], among: Numbers) -> T | None:
    """The record whose fields are among the named numbers; None where they are not, or are of other types."""
    names = record.__annotations__.keys()
    try:
        return from_plain(record, {name: among[name] for name in names})  # type: ignore[no-any-return]
    except (KeyError, TypeError):
        return None


@dataclass(frozen=True)
class WinCounts:
    """Items on which a system does better than its baseline, worse, and as well."""

    wins: int
    losses: int
    ties: int


@dataclass(frozen=True)
class OwnScores:
    """Scores on the items of one pair, where pairs have items of their own."""

    score: float | None
    baseline_score: float | None


@dataclass(frozen=True)
class PreferenceOdds:
    """The odds and the chance that a system is preferred to its baseline, by their ratings."""

    odds: float | None
    chance_preferred: float | None


@dataclass(frozen=True)
class Region:
    """Where a test rejects: its statistic is at most ``critical_low`` or at least ``critical_high``, if not None.

    Attributes:
        critical: name of the statistic; ``critical_at``: the observed value.
        critical_size: probability of the region under the null hypothesis, below alpha where the statistic is discrete.
    """

    critical: str
    critical_at: int | float | None
    critical_low: int | float | None
    critical_high: int | float | None
    critical_size: float


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Another answer that stands beside the main one, with the question that it answers.

    Attributes:
        test: name of the test.
        question: that it answers, in words.
        p_value, p_kind, p_error: as in ``Pair``.
    """

    test: str
    question: Annotated[str, Shown("question", "prose")]
    p_value: Annotated[float | None, Shown("p", "p", error="p_error")]
    p_kind: str
    p_error: float | None

    @property
    def named(self) -> Annotated[str, Shown("test", "prose")]:
        """The test in words."""
        return describe_test(self.test, self.p_kind)


@dataclass(frozen=True, kw_only=True)
class Equivalence:
    """How a gain lies to a margin that was fixed beforehand; None stands for what these data cannot tell.

    Attributes:
        margin: the largest gain or loss that does not matter, in the metric's own unit.
        method: the procedure, as a rule that of the interval of the gain.
        p_equivalent: of the null hypothesis that the gain is as large as the margin, on either side; the larger of two
            one-sided p-values.
        p_not_worse: of the null hypothesis that the system is worse by the margin or more.
        p_equivalent_adjusted, p_not_worse_adjusted: after the correction, each over its own family.
        ci: interval of the gain at level 1 - 2 alpha by the same procedure.
        detectable_gain: smallest true gain that the difference test would find with a power of 80 %.
        power_at_margin: its power to find a true gain as large as the margin.
    """

    margin: Annotated[float, Shown("margin", "given")]
    method: str
    p_equivalent: Annotated[float | None, Shown("p within", "p")]
    p_equivalent_adjusted: Annotated[float | None, Shown("adjusted", "p")]
    p_not_worse: Annotated[float | None, Shown("p not worse", "p")]
    p_not_worse_adjusted: Annotated[float | None, Shown("adjusted", "p")]
    ci: Interval | None
    detectable_gain: Annotated[float | None, Shown("detects", "amount")]
    power_at_margin: float | None


@dataclass(frozen=True, kw_only=True)
class Otherwise:
    """The same gain computed the other way that a note advises.

    Attributes:
        note: code of the note; ``how``: the other way, as the remedy of the note says it.
        gain, ci: as in ``Pair``; ``p_value``: the one that decides.
    """

    note: str
    how: str
    gain: float
    ci: Interval | None
    p_value: float | None


class ConfidenceInterval(NamedTuple):
    """Both ends of an interval, by the names that scipy has for them."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One system against another, as a rule the baseline, under one metric.

    Attributes:
        system: the one judged; ``baseline``: the one that it is compared with.
        gain: score of the system minus score of the other, signed so that positive is better.
        ci: interval of the gain at level 1 - alpha, or None where it is undefined; ``ci_method`` says how it was made.
        test: name of the test; ``question``: what it answers; ``null``: its null hypothesis in words. Empty where the
            metric describes.
        alternative: ``two-sided``, ``greater`` (the system is better), ``less``, or what the test does instead.
        statistic: of the test: t, z, U, W+, a ratio of odds ..., or the gain where that is what is resampled; None
            where it is infinite.
        p_value: raw p-value, never 0 from sampling; None where the test has no answer.
        p_kind: ``exact``, ``monte-carlo``, ``saddlepoint`` or ``asymptotic``.
        p_error: Monte-Carlo standard error of p; None unless sampled.
        p_min: smallest p-value that the test could have given on these data; None where it has no floor.
        p_adjusted: p after the correction over the family; ``p_value`` when there is none.
        n_items: items used; ``n_resamples``: resamples drawn, None where none were.
        effect: named effect sizes and counts; reports read ``counts``, ``own_scores``, ``preference`` and ``region``.
        also: outcomes of other tests, labelled with their questions.
        notes: codes of the notes that concern this pair.
        verdict: ``better``, ``worse`` (``higher``, ``lower`` where neither is), ``equivalent``, ``inconclusive``, or
            ``described`` for a metric that is no claim; empty in results of versions that gave none, which also told
            apart what is ``underpowered``.
        equivalence: where a margin was given.
        detectable_gain: the smallest true gain that this test on so many items finds with a power of 80 %, by design,
            whatever was seen. None where it is not known, where a gain as large is seen and not shown, and, of pairs
            that are not inconclusive, where more than 50 are tested.
        items_needed: of a difference that is not shown, how many items would find the gain that was seen, or with a
            margin rule out a loss as large where the systems are equal; of several runs ``runs_needed`` of each system.
            None where they are not known.
        otherwise: the answer that a note advises to look for, where it was computed on the way.
    """

    system: Annotated[str, Shown("")]
    baseline: Annotated[str, Shown("against")]
    metric: str
    gain: Annotated[float, Shown("gain", "gain", ci="ci", tested=True, bar=True)]
    ci: Interval | None
    ci_method: str
    test: str
    question: str
    null: str
    alternative: str
    statistic: float | None = None
    p_value: Annotated[float | None, Shown("p, each by itself", "p", error="p_error")]
    p_kind: str
    p_error: float | None
    p_min: Annotated[float | None, Shown("smallest p", "p")]
    p_adjusted: Annotated[float | None, Shown("p adjusted", "p")]
    n_items: Annotated[int, Shown("items", "count")]
    n_resamples: Annotated[int | None, Shown("resamples", "count")]
    effect: Numbers
    also: tuple[Answer, ...] = ()
    notes: tuple[str, ...] = ()
    verdict: Annotated[str, Shown("verdict")] = ""
    equivalence: Equivalence | None = None
    detectable_gain: float | None = None
    items_needed: int | None = None
    runs_needed: int | None = None
    otherwise: Otherwise | None = None

    @property
    def p(self) -> Annotated[float | None, Shown("p", "p")]:
        """The p-value that decides: after the correction where there is one."""
        return self.p_value if self.p_adjusted is None else self.p_adjusted

    @property
    def pvalue(self) -> float | None:
        """The same by the name that scipy has for it."""
        return self.p

    def confidence_interval(self) -> ConfidenceInterval:
        """The interval of the gain at the level of the result, as results of scipy give it; NaN where undefined."""
        return ConfidenceInterval(*(self.ci or (math.nan, math.nan)))

    def confidence_interval_at(self, level: float | None, alpha: float) -> ConfidenceInterval:
        """The same of a result with this alpha, for those who name the level.

        Raises:
            UsageError: it is not that of the result.
        """
        if level is not None and not math.isclose(level, 1 - alpha):
            raise UsageError(
                f"the interval was made at a level of {1 - alpha:g}: give compare() alpha={1 - level:.6g} for another"
            )
        return self.confidence_interval()

    @property
    def own_items(self) -> Annotated[int, Shown("items", "count")]:
        """How many items of its own a pair has, beside a score, which has others."""
        return self.n_items

    @property
    def named_test(self) -> Annotated[str, Shown("test", "prose", spare="footnote")]:
        """The test in words."""
        return describe_test(self.test, self.p_kind)

    @property
    def counts(self) -> WinCounts | None:
        return read_numbers(WinCounts, self.effect)

    @property
    def own_scores(self) -> OwnScores | None:
        return read_numbers(OwnScores, self.effect)

    @property
    def preference(self) -> PreferenceOdds | None:
        return read_numbers(PreferenceOdds, self.effect)

    @property
    def region(self) -> Region | None:
        return read_numbers(Region, self.effect)


@dataclass(frozen=True, kw_only=True)
class Overall:
    """All systems under one metric, tested at once.

    Attributes:
        test, question, null: as in ``Pair``; statistic, p_value, p_kind, p_error, n_resamples likewise.
        unit: of one number, a ``run`` or an ``item``; ``n_units``: the items that all
            share, or the numbers of all systems together.
        effect: named numbers that belong to the test (degrees of freedom, mean ranks).
        notes: codes of the notes that concern this answer.
    """

    metric: str
    test: str
    question: str
    null: str
    statistic: float | None = None
    p_value: Annotated[float | None, Shown("p", "p", error="p_error")]
    p_kind: str
    p_error: float | None
    n_resamples: int | None
    n_systems: int
    n_units: int
    unit: str
    effect: Numbers
    notes: tuple[str, ...] = ()


def flatten_overall(overall: Overall) -> dict[str, Any]:
    """A flat dictionary of an answer about all systems."""
    row = flat_row(overall, **overall.effect)
    del row["effect"]
    return row


def flatten_margin(found: Equivalence | None) -> dict[str, Any]:
    """The columns of a row that a margin adds."""
    if found is None:
        return {}
    row = vars(found).copy()
    return row | {f"equivalence_{name}": row.pop(name) for name in ("method", "ci")}


def tables_of_regions(pairs: Sequence[Pair], apart: tuple[str, ...], w: Writer) -> Iterator[Any]:
    """For which values of its statistic each test rejects, where that was asked for and is known.

    Args:
        apart: columns beside the system.
    """
    rows = [pair for pair in pairs if "critical" in pair.effect]
    if not rows:
        return
    columns: list[str | Shown] = [
        "system", *apart,
        Shown("statistic", "prose", value=lambda p: _describe_statistic(p.region, w)),
        Shown("rejects where it is", "prose", value=lambda p: _describe_region(p.region, w)),
        Shown("size", "p", value=lambda p: (p.region and p.region.critical_size) or ""),
        "p_value",
    ]  # fmt: skip
    said = "Each test by itself, at alpha. size: probability of that under the null hypothesis."
    yield w.table("Critical regions", rows, columns, asked="--critical", footnotes=(said,), naming=1 + len(apart))


def _describe_statistic(region: Region | None, w: Writer) -> str:
    return f"{region.critical} = {w.number(region.critical_at, 4)}" if region else ""


def _describe_region(region: Region | None, w: Writer) -> str:
    if region is None:
        return "its law is not at hand"
    ends = (("at most", region.critical_low), ("at least", region.critical_high))
    return " or ".join(f"{side} {w.number(end, 4)}" for side, end in ends if end is not None) or "nothing"


# in the saved result for whoever checks it, but not what a reader of a table looks for
_HIDDEN = {"exceedances", "hedges_gz", "se_jackknife", "bias", *Region.__annotations__}
_EFFECTS = {"n_different": "items that differ", "d_z": "d_z", "se": "SE"}


def list_effects(pair: Pair, w: Writer) -> Iterator[str]:
    """Names with numbers, and with their intervals where these are there."""
    effect = pair.effect
    if pair.statistic not in (None, pair.gain, *effect.values()):
        effect = {"statistic": pair.statistic, **effect}
    for name, value in effect.items():
        if name in _HIDDEN or name.removesuffix("_ci_low").removesuffix("_ci_high") in effect.keys() - {name}:
            continue
        ends = [effect[end] for end in (f"{name}_ci_low", f"{name}_ci_high") if end in effect]
        interval = f" [{', '.join(w.number(end) for end in ends)}]" if ends else ""
        yield f"{_EFFECTS.get(name, w.name(name).replace('_', ' '))} {w.number(value)}{interval}"
    if pair.detectable_gain is not None and pair.verdict != "inconclusive" and not pair.equivalence:
        yield f"finds gains of {w.unit(pair.metric, pair.detectable_gain, up=True)} or more with 80% power"


def name_described(pairs: Sequence[Pair], w: Writer) -> str:
    """The metrics of these pairs that describe beside others, if any do."""
    described = dict.fromkeys(w.label(pair.metric) for pair in pairs if pair.verdict == "described")
    return f" Described, not tested: {', '.join(described)}." if described else ""
