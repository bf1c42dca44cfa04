"""Named posteriors of the gain of one system over another, by file or family, given a model, a prior and the data.

A posterior is no test: it states the chances that the system is better, that the two are within a region of practical
equivalence (ROPE) of each other, and that it is worse. They add up to 1, and none of them is a p-value or 1 - p.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.registry import Registry, spell
from outscore.engine.draws import Accumulator, Draws
from outscore.engine.extreme import Positions
from outscore.engine.resampling import reweight
from outscore.engine.sampling import Sampling
from outscore.significance import EXACT
from outscore.significance.bayes.gammas import quantile
from outscore.significance.gain import GainContrast
from outscore.significance.independent import IndependentSamples
from outscore.significance.resamples import DrawRequest, Resamples

GAIN = "gain"

CLUSTERED = "takes items as independent; use --posterior bootstrap, which weighs whole clusters, or --cluster none"
NO_ITEM_SCORES = "has no score of its own for each item; use --posterior bootstrap"

NO_TEST = Note(
    code="posterior_is_no_p",
    text=(
        "these are chances under the stated model and prior: they are no p-values, nor 1 - p, no null hypothesis is "
        "tested, and no error rate is held"
    ),
    remedy="",
)
IDENTICAL = Note(
    code="identical_outputs",
    text="the systems have the same statistics on every item: the data cannot tell them apart",
    remedy="check that the right files were given",
)
CONSTANT = Note(
    code="zero_variance",
    text="the difference is the same on every item, so this model finds no spread and has no posterior",
    remedy="of a mean of items use --posterior sign",
)
TOO_FEW = Note(
    code="n_too_small",
    text="one item, or one cluster, shows no spread, so there is no posterior",
    remedy="give more items",
)
FEW_UNITS = Note(
    code="few_items",
    text=(
        "fewer than 30 items or clusters: a Bayesian bootstrap believes in no item but those it saw, so its intervals "
        "are too narrow (95 % ones hold 89 % at n = 10)"
    ),
    remedy="use --posterior t, or more items",
)
ONE_SIDED = Note(
    code="one_side_only",
    text=(
        "no item, or cluster, speaks for the other side: this model then gives that side no chance at all, however "
        "few they are"
    ),
    remedy="use --posterior t or sign, which leave it some, or more items",
)
NOT_THE_MEAN = Note(
    code="posterior_of_signs",
    text="this posterior is about signs or ranks of items: better can have most chance although the gain is below 0",
    remedy="use --posterior t or bootstrap for the gain itself",
)
SKEWED = Note(
    code="skewed",
    text="the differences are skewed for this many items (n < 25 skew²): the normal model fits them badly",
    remedy="compare with --posterior bootstrap",
)
RUNS_FIXED = Note(
    code="runs_fixed",
    text="the runs are taken as fixed: the posterior speaks of these trained models on new items, not of the methods",
    remedy="see the test beside it, which is of new runs and new items",
)
PAIRED = Note(
    code="paired_data",
    text="both systems answered the same items, and this model takes their items for different ones",
    remedy="use --posterior dirichlet, which knows how often both are right",
)
CORRELATION_IS_GIVEN = Note(
    code="correlation_is_given",
    text=(
        "the correlation of the folds is put in, not estimated: rho = n_test/n_total is a rule for cross-validation "
        "(Nadeau & Bengio 2003)"
    ),
    remedy="",
)
UNSTABLE = Note(
    code="decision_unstable",
    text="a chance lies within 2.6 Monte-Carlo errors of 1 - alpha: other resamples could turn what is said of it",
    remedy="use a larger -n/--resamples",
)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The data of one pair from which a method computes a posterior.

    Attributes:
        pair: one system against another under one metric.
        rope: half the width of the region of practical equivalence, in the unit of the gain; 0 for none.
        reweighted: scores under random weights of the units, shared by all pairs.
    """

    pair: GainContrast
    rope: float
    reweighted: Reweighted

    @property
    def alpha(self) -> float:
        """The credible interval holds 1 - alpha."""
        return self.pair.settings.alpha


@dataclass(frozen=True, kw_only=True)
class Posterior:
    """The posterior of one pair under one method.

    Attributes:
        better, within, worse: chances that the system is better, within the ROPE and worse; they add up to 1. None
            where there is no answer, and a note says why.
        kind: ``exact`` (also by numeric integration) or ``monte-carlo``.
        error: largest Monte-Carlo standard error of the three, where they are sampled.
        n_draws: draws from the posterior, where they are sampled.
        mean: posterior mean of the parameter; ``ci`` its equal-tailed credible interval.
        effect: named numbers that belong to the method.
        notes: what a reader must know.
    """

    better: float | None
    within: float | None
    worse: float | None
    kind: str = EXACT
    error: float | None = None
    n_draws: int | None = None
    mean: float | None = None
    ci: tuple[float, float] | None = None
    effect: Mapping[str, float | int | str | None] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    @classmethod
    def undefined(cls, note: Note) -> Posterior:
        """No answer, and why."""
        return cls(better=None, within=None, worse=None, notes=(note,))

    @classmethod
    def nothing_differs(cls) -> Posterior:
        """All belief lies on a difference of 0."""
        return cls(better=0.0, within=1.0, worse=0.0, mean=0.0, ci=(0.0, 0.0), notes=(IDENTICAL,))


class PosteriorLaw(ABC):
    """A continuous posterior law of a difference."""

    @property
    @abstractmethod
    def mean(self) -> float:
        """Its mean."""

    @property
    @abstractmethod
    def spread(self) -> float:
        """About its standard deviation."""

    @abstractmethod
    def above(self, c: float) -> float:
        """The chance that the difference is larger than ``c``."""

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The equal-tailed credible interval."""
        return self.quantile((1 - level) / 2), self.quantile((1 + level) / 2)

    def quantile(self, level: float) -> float:
        """The number that the difference is below with chance ``level``."""
        return quantile(self.above, level, self.mean, self.spread)

    def probabilities(self, rope: float) -> tuple[float, float, float]:
        """The chances that the difference is larger than ``rope``, within [-rope, rope], and smaller than -rope."""
        better, worse = self.above(rope), 1 - self.above(-rope)
        return better, max(0.0, 1 - better - worse), worse


def posterior_of_law(
    law: PosteriorLaw, rope: float, alpha: float, effect: Mapping[str, float | int | str | None], *found: Note
) -> Posterior:
    """The posterior of a gain that has this law, with an interval at level 1 - ``alpha``."""
    better, within, worse = law.probabilities(rope)
    return Posterior(
        better=better,
        within=within,
        worse=worse,
        mean=law.mean,
        ci=law.interval(1 - alpha),
        effect=effect,
        notes=found,
    )


def count_items(strength: float) -> str:
    """``1 item``, ``0.5 items``."""
    return f"{strength:g} item{'' if strength == 1 else 's'}"


@dataclass(frozen=True)
class Method(ABC):
    """One named way from data to a posterior.

    Class attributes:
        model: what is modelled, and what better, within and worse mean.
        formula: what is computed; empty where a method of another package says nothing.
        applies: when it is the right method, and what it assumes.
        needs: what the data must hold for it.
        citation: the source.
        about: what the posterior mean and the credible interval are of: the gain, or another difference, in words.
    """

    name: ClassVar[str]
    model: ClassVar[str]
    formula: ClassVar[str] = ""
    applies: ClassVar[str]
    needs: ClassVar[str]
    citation: ClassVar[str]
    about: ClassVar[str] = GAIN

    @property
    def label(self) -> str:
        """Its name with the options that differ from the defaults."""
        return spell(self)

    @abstractmethod
    def prior(self, rope: float) -> str:
        """The prior, in words."""


@dataclass(frozen=True)
class PairMethod(Method):
    """A method for two systems that answered the same items."""

    def refuses(self, evidence: Evidence) -> str | None:
        """Why the method cannot answer for these data, with what to use instead; None if it can, as by default."""
        return None

    def draws(self, evidence: Evidence) -> Sequence[DrawRequest]:
        """The draws that it needs for data that are not refused."""
        return ()

    @abstractmethod
    def run(self, evidence: Evidence) -> Posterior:
        """The posterior for data that are not refused; what it needs drawn is drawn, unless it was before."""

    def refuses_items(self, evidence: Evidence) -> str | None:
        """Why independent items with scores of their own are not what these data hold; None if they are."""
        pair = evidence.pair
        if not pair.stats.plain_mean:
            return f"{pair.stats.name} {NO_ITEM_SCORES}"
        return f"{self.name} {CLUSTERED}" if pair.clustered else None


@dataclass(frozen=True)
class SampleMethod(Method):
    """A method for two systems that answered items of their own."""

    @abstractmethod
    def refuses(self, samples: IndependentSamples) -> str | None:
        """Why the method cannot answer for these samples, with what to use instead; None if it can."""

    @abstractmethod
    def run(self, samples: IndependentSamples, rope: float) -> Posterior:
        """The posterior for samples that are not refused."""


methods: Registry[Method] = Registry(
    "method",
    "outscore.significance.bayes",
    "outscore.posteriors",
    families={"t": "student", "dirichlet": "table_law", "sign": "table_law"},
)
method = methods.register


@dataclass(frozen=True)
class Reweighted(DrawRequest):
    """The Bayesian bootstrap of every metric that is no mean of items (means have an exact law).

    Units weigh 1 on average, whole clusters where items come in clusters.

    Attributes:
        pairs: numbers of the systems that are compared, and of what each is compared with.
        ropes: for each metric half the width of the region of practical equivalence.
    """

    pairs: tuple[tuple[int, int], ...]
    ropes: tuple[float, ...]

    def draw(self, systems: Resamples, sampling: Sampling) -> Draws:
        scores = [systems.by_metric[p].make_bootstrap_scorer() for p in _no_means(systems)]
        design = systems.design

        def score(weights: Float) -> Float:
            return np.concatenate([of_stats(weights) for of_stats in scores])

        return reweight(np.ones(design.n_units), score, sampling, self._accumulator(systems), cells=design.n_items)

    def gains(self, drawn: Resamples, metric_index: int, system: int, baseline: int) -> tuple[Float, Positions]:
        """Gains ``(kept,)`` of a pair with runs averaged, and how all of them lie to -rope and rope."""
        number = self._series(drawn).index((metric_index, system, baseline))
        accumulator, draws = self._accumulator(drawn), drawn[self]
        first, second = (accumulator.groups[int(side[number])] for side in (accumulator.first, accumulator.second))
        moved = draws.values[first].mean(axis=0) - draws.values[second].mean(axis=0)
        return drawn.by_metric[metric_index].sign * moved, draws.series(number)

    def _series(self, systems: Resamples) -> list[tuple[int, int, int]]:
        return [(p, *pair) for p in _no_means(systems) for pair in self.pairs]

    def _accumulator(self, systems: Resamples) -> Accumulator:
        by_metric, series = systems.by_metric, self._series(systems)
        groups = [(p, s) for p in _no_means(systems) for s in range(len(by_metric[p].runs))]
        ends = np.cumsum([by_metric[p].runs[s] for p, s in groups]).tolist()
        return Accumulator(
            groups=tuple(slice(start, end) for start, end in zip([0, *ends], ends, strict=False)),
            first=np.array([groups.index((p, s)) for p, s, _ in series]),
            second=np.array([groups.index((p, b)) for p, _, b in series]),
            marks=np.array([(-self.ropes[p], self.ropes[p]) for p, _, _ in series]),
            slack=np.array([by_metric[p].slack(s, b) for p, s, b in series]),
            signs=np.array([by_metric[p].sign for p, _, _ in series]),
        )


def _no_means(systems: Resamples) -> list[int]:
    """The numbers of the metrics that are no means of items."""
    return [p for p, stats in enumerate(systems.by_metric) if not stats.plain_mean]
