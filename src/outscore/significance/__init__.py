"""Named tests of one system against the baseline, one file each or one for a family, and the choice between them.

A test states its null hypothesis in words, says which comparisons it refuses and why, and gives an outcome. It sees a
``GainContrast``: the numbers of two systems under one metric, and the resamples that all tests of them share.
Tests of samples that have no items in common are in ``independent``, tests of several systems at once in ``omnibus``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import zip_longest
from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.registry import Registry, spell
from outscore.engine.extreme import p_from_count
from outscore.engine.montecarlo import Exceedances
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import DrawRequest, Resamples

_SMALLEST = 5e-324
EXACT, MONTE_CARLO, ASYMPTOTIC, SADDLEPOINT = "exact", "monte-carlo", "asymptotic", "saddlepoint"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The outcome of a test for one pair.

    Attributes:
        p_value: None where the test has no answer (then a note says why).
        p_kind: ``exact``, ``monte-carlo``, ``saddlepoint`` (an approximation of an exact tail) or ``asymptotic``.
        p_error: Monte-Carlo standard error, for sampled p-values.
        exceedances: the resamples that count against the null hypothesis, for sampled p-values; in one of ``tails``.
        p_min: smallest p-value that these data could have given, where there is a floor.
        n_resamples: resamples used, if any.
        favours: above 0 where a test that is none of means favours the system, below 0 where it favours the baseline;
            None where the gain itself says so.
        effect: named numbers that belong to the test (statistic, degrees of freedom, counts), for whoever reads them.
        ci: interval of the gain that belongs to the test, if it brings one; ``ci_method`` names it.
        notes: what a reader must know.
    """

    p_value: float | None
    p_kind: str
    p_error: float | None = None
    exceedances: Exceedances | None = field(default=None, compare=False)
    tails: int = 1
    p_min: float | None = None
    n_resamples: int | None = None
    favours: float | None = None
    effect: Mapping[str, float | int | str | None] = field(default_factory=dict)
    ci: tuple[float, float] | None = None
    ci_method: str = ""
    notes: tuple[Note, ...] = ()

    def decides(self, alpha: float) -> bool:
        """Whether more resamples could hardly change the decision at ``alpha``; always so where nothing was sampled."""
        return self.exceedances is None or self.exceedances.decides(alpha / self.tails)

    def p_range(self, level: float) -> tuple[float, float] | None:
        """Interval of the p-value that infinitely many resamples would give; None without a p-value."""
        if self.p_value is None or self.exceedances is None:
            return None if self.p_value is None else (self.p_value, self.p_value)
        low, high = self.exceedances.interval(level)
        return min(1.0, self.tails * low), min(1.0, self.tails * high)

    def __post_init__(self) -> None:
        # a tail below the smallest double is small, not impossible
        for name in ("p_value", "p_min"):
            if getattr(self, name) == 0.0:
                object.__setattr__(self, name, _SMALLEST)


def make_outcome(
    exceedances: Exceedances,
    *,
    doubled: bool = False,
    p_min: float = 0.0,
    effect: Mapping[str, float | int | str | None],
    notes: Sequence[Note],
) -> Outcome:
    """The outcome of a test by resampling.

    Args:
        exceedances: resamples that count against the null hypothesis.
        doubled: they lie in one of two tails.
        p_min: smallest p-value that the test could give, however many resamples there were.
        effect, notes: as in ``Outcome``.
    """
    tails = 2 if doubled else 1
    return Outcome(
        p_value=max(p_min, p_from_count(exceedances.total, exceedances.drawn, doubled=doubled)),
        p_kind=MONTE_CARLO,
        p_error=tails * exceedances.error,
        exceedances=exceedances,
        tails=tails,
        p_min=max(p_min, tails / (exceedances.drawn + 1)),
        n_resamples=exceedances.drawn,
        effect={"exceedances": exceedances.total, **effect},
        notes=tuple(notes),
    )


@dataclass(frozen=True)
class Named(ABC):
    """Base of all tests, whatever data they take: the name, and the description that each gives of itself.

    Class attributes:
        null: the null hypothesis, in words.
        formula: what is computed, two-sided where sides differ; empty where a test of another package says nothing.
        applies: when it is the right test, and what it assumes.
        needs: what the data must hold for it.
        citation: the source.
        also: what others call it, see ``Registry``; ``outside``: what stands beside the test and is no option of it.
    """

    __test__ = False  # pytest: not a test of ours

    name: ClassVar[str]
    null: ClassVar[str]
    formula: ClassVar[str] = ""
    applies: ClassVar[str]
    needs: ClassVar[str]
    citation: ClassVar[str]
    also: ClassVar[tuple[str, ...]] = ()
    outside: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("alternative", "side", "sided", "tail"), "--alternative"),
        **dict.fromkeys(("n", "n_resamples", "resamples", "iterations", "b"), "--resamples"),
        **dict.fromkeys(("d", "effect", "effect_size"), "--effect of power"),
        **dict.fromkeys(("alpha", "level"), "--alpha"),
        "margin": "--margin of compare",
        "seed": "--seed",
    }

    @property
    def label(self) -> str:
        """Its name with the options that differ from the defaults."""
        return spell(self)


@dataclass(frozen=True)
class Test(Named):
    """One named test of a pair of systems that answered the same items."""

    def question(self, pair: GainContrast) -> str:
        """The question that the test answers for this pair, in words."""
        units = "clusters of items" if pair.clustered else "items"
        if pair.has_runs:
            return f"do these trained models differ on new {units}? (runs fixed)"
        return f"do the systems differ on new {units}?"

    def side(self, pair: GainContrast) -> str:
        """Which gains count as extreme: two-sided, greater or less as asked, or what the test does instead."""
        return pair.settings.alternative

    @abstractmethod
    def refuses(self, pair: GainContrast) -> str | None:
        """Why the test cannot answer for this pair, with what to use instead; None if it can."""

    @abstractmethod
    def run(self, pair: GainContrast) -> Outcome:
        """The outcome for a pair that is not refused."""


@dataclass(frozen=True)
class ResamplingTest(Test):
    """A test that may need resamples: it says which, and they are drawn once for all pairs and metrics."""

    def run(self, pair: GainContrast) -> Outcome:
        found = self.compute_directly(pair)
        return self.from_draws(pair.drawing(self.draws(pair))) if found is None else found

    @abstractmethod
    def compute_directly(self, pair: GainContrast) -> Outcome | None:
        """The outcome that needs no resamples, as of an exact law; None where it needs them."""

    @abstractmethod
    def draws(self, pair: GainContrast) -> Sequence[DrawRequest]:
        """The draws that it needs for a pair whose outcome cannot be computed."""

    @abstractmethod
    def from_draws(self, pair: GainContrast) -> Outcome:
        """The outcome from what was drawn."""


def outcomes_of(
    questions: Sequence[tuple[Test, GainContrast]], resamples: Resamples, known: Sequence[Outcome] = ()
) -> tuple[list[Outcome], Resamples]:
    """The outcomes of tests that do not refuse, in order, and the resamples with what all of them needed drawn once.

    Args:
        resamples: of all the pairs.
        known: the answers of the same questions with fewer resamples; those that are exact are not computed again.
    """
    found = [
        before
        if before is not None and before.p_kind == EXACT
        else test.compute_directly(pair)
        if isinstance(test, ResamplingTest)
        else test.run(pair)
        for (test, pair), before in zip_longest(questions, known)
    ]
    sampling = [
        (number, test, pair)
        for number, (test, pair) in enumerate(questions)
        if found[number] is None and isinstance(test, ResamplingTest)
    ]
    resamples = resamples.draw(need for _, test, pair in sampling for need in test.draws(pair))
    for number, test, pair in sampling:
        found[number] = test.from_draws(pair.on(resamples))
    return [one for one in found if one is not None], resamples


tests: Registry[Test] = Registry(
    "test",
    "outscore.significance",
    "outscore.tests",
    families={"t": "student", "z": "student", "mcnemar": "discordant", "sign": "discordant"},
    elsewhere={
        **dict.fromkeys(("tost", "equivalence", "noninferiority"), "equivalence is asked by --margin of compare"),
        **dict.fromkeys(("kappa", "agreement"), "annotators are compared by agree"),
        **dict.fromkeys(("larger", "greater", "less", "onesided", "twosided"), "the side is asked by --alternative"),
        **dict.fromkeys(("bayes", "bayesian"), "there are posterior probabilities: --posterior auto"),
    },
)
test = tests.register
