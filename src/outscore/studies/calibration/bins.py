"""Bins of p-values, and the proportion of tests in each that have the right sign, with intervals.

A pool of systems is the true gains of all pairs with the standard errors that a test set leaves them. The test is taken
for a z test with known standard errors: z is gain over standard error, and normal around its true value with variance
1. Its promise is how often the system that scores higher is the better one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.text import read_number
from outscore.significance.p_values import normal_quantile, student_quantile
from outscore.significance.proportions import wilson
from outscore.studies import Claim
from outscore.studies.shared.pairs import z_of

Ends = tuple[float, float]


@dataclass(frozen=True)
class Bins:
    """Bins of p-values that hold their lower end and not their upper one, ``[low, high)``; 1 belongs to the last.

    Attributes:
        edges: from 0 to 1, increasing.
    """

    edges: tuple[float, ...]

    @classmethod
    def of(cls, text: str, option: str) -> Bins:
        """The bins between the numbers of a list such as ``0.01,0.05``; 0 and 1 are added.

        Raises:
            UsageError: no such list.
        """
        try:
            inner = [read_number(part) for part in text.split(",")]
        except ValueError:
            inner = []
        edges = sorted({0.0, 1.0, *inner})
        if not inner or edges != [0.0, *(edge for edge in inner if 0 < edge < 1), 1.0]:
            raise UsageError(f"{option} {text!r}: expected p-values between 0 and 1 that grow, as 0.01,0.02,0.04")
        return cls(tuple(edges))

    def __len__(self) -> int:
        return len(self.edges) - 1

    def assign(self, p: Float) -> Int:
        """The number of the bin of each p-value; -1 where there is none (NaN)."""
        found = np.minimum(np.searchsorted(self.edges, p, side="right") - 1, len(self) - 1)
        return np.asarray(np.where(np.isnan(p), -1, found), dtype=np.int64)

    def ends(self, number: int) -> Ends:
        """Lower and upper end of a bin."""
        return self.edges[number], self.edges[number + 1]

    def name(self, number: int) -> str:
        """As ``0.01-0.02``."""
        low, high = self.ends(number)
        return f"{low:g}-{high:g}"


@dataclass(frozen=True)
class PairTests:
    """Tests of every two systems, on one test set or several.

    Attributes:
        n_systems: k; pairs are the two indices of ``numpy.triu_indices(k, 1)``.
        p: ``(sets, pairs)``, NaN where the test has no answer.
        right: ``(sets, pairs)`` 1 where the system that scored higher on the test set is the better one, 0 where it is
            the worse one, 1/2 where the two are equal on either side.
        independent: whether the test sets are drawn independently of each other, and others like them might have been.
    """

    n_systems: int
    p: Float
    right: Float
    independent: bool

    def select(self, low: float, high: float) -> Bool:
        """The tests with low <= p <= high ``(sets, pairs)``."""
        return np.asarray((self.p >= low) & (self.p <= high))

    def masks(self, bins: Bins) -> list[Bool]:
        """The tests of each bin ``(sets, pairs)``."""
        placed = bins.assign(self.p)
        return [np.asarray(placed == number) for number in range(len(bins))]


@dataclass(frozen=True)
class SignProportion:
    """How many of some tests have the right sign.

    Attributes:
        n: tests; ``ties``: those of two systems that are equal on one side, which count as half right.
        right: the proportion, None without tests.
        wilson: interval as if all tests were independent.
        ci: interval that knows that they share systems and test sets; None where that cannot be told.
        error: standard error of the proportion over test sets, for these very systems; None for one test set.
        middle: median p of the tests.
    """

    n: int
    ties: int
    right: float | None = None
    wilson: Ends | None = None
    ci: Ends | None = None
    error: float | None = None
    middle: float | None = None


def estimate_proportions(judged: PairTests, masks: Sequence[Bool], level: float) -> list[SignProportion]:
    """The proportion of right signs among some tests, for each of several choices of them.

    Tests of pairs that have a system in common depend on each other, and so do tests on one test set. The variance of
    the proportion is that by leaving out each system in turn, with all its pairs, plus that by leaving out each test
    set in turn, each by the jackknife (Efron and Stein 1981: on average too large rather than too small), at least that
    of as many independent tests. How often it exceeds the latter, with Student's quantile for the smaller number of
    systems or test sets, tells how many independent tests these are worth, and Wilson's interval is taken at that
    number (Korn and Graubard 1998). Where all tests are right, or all wrong, the jackknife is blind, and the largest
    such ratio of the other choices is taken.

    Args:
        judged: the tests.
        masks: ``(sets, pairs)`` each.
        level: of the intervals.
    """
    worths = [_effective_number(judged, mask, level) for mask in masks]
    known = [worth for worth in worths if worth is not None]
    return [
        _estimate_proportion(judged, mask, level, worth or max(known, default=None))
        for mask, worth in zip(masks, worths, strict=True)
    ]


def _estimate_proportion(judged: PairTests, mask: Bool, level: float, worth: float | None) -> SignProportion:
    n = int(mask.sum())
    if not n:
        return SignProportion(n=0, ties=0)
    right = judged.right[mask]
    total = float(right.sum())
    return SignProportion(
        n=n,
        ties=int((right == 0.5).sum()),
        right=total / n,
        wilson=_wilson(total / n, n, level),
        ci=None if worth is None else _wilson(total / n, max(1.0, n / worth), level),
        error=math.sqrt(_jackknife_sets(judged, mask)) if judged.independent and len(mask) > 1 else None,
        middle=float(np.median(judged.p[mask])),
    )


def _wilson(share: float, n: float, level: float) -> Ends:
    # written for whole numbers, but it holds for any proportion of any number of tests
    return wilson(share * n, n, level)  # type: ignore[arg-type]


def _effective_number(judged: PairTests, mask: Bool, level: float) -> float | None:
    """How many of these tests are worth an independent one, or None where that cannot be told."""
    n = int(mask.sum())
    share = float(judged.right[mask].mean()) if n else 0.0
    clusters = [judged.n_systems] if judged.n_systems > 2 else []
    clusters += [len(mask)] if judged.independent and len(mask) > 1 else []
    if not 0 < share < 1 or not clusters:
        return None
    simple = share * (1 - share) / n
    variance = _jackknife_systems(judged, mask) + _jackknife_sets(judged, mask)
    wide = student_quantile(level, min(clusters) - 1) / normal_quantile(level)
    return max(1.0, variance / simple) * wide**2


def _jackknife_sets(judged: PairTests, mask: Bool) -> float:
    """Jackknife variance of the proportion over test sets; 0 where they are as they are."""
    if not judged.independent or len(mask) < 2:
        return 0.0
    return _jackknife((judged.right * mask).sum(axis=1), mask.sum(axis=1))


def _jackknife_systems(judged: PairTests, mask: Bool) -> float:
    """Jackknife variance of the proportion over systems, each of which takes all its pairs along."""
    first, second = np.triu_indices(judged.n_systems, 1)
    right, n = (judged.right * mask).sum(axis=0), mask.sum(axis=0)

    def per_system(values: Float | Int) -> Float:
        both = [np.bincount(side, values, judged.n_systems) for side in (first, second)]
        return np.asarray(np.sum(both, axis=0), dtype=np.float64)

    return _jackknife(per_system(right), per_system(n), (float(right.sum()), float(n.sum())))


def _jackknife(right: Float, n: Float | Int, total: tuple[float, float] | None = None) -> float:
    """(G - 1)/G Σ (share without g - their mean)², over the groups that are not all there is."""
    all_right, all_n = (float(right.sum()), float(n.sum())) if total is None else total
    left = all_n - n
    without = (all_right - right)[left > 0] / left[left > 0]
    return float((len(without) - 1) * without.var()) if len(without) else 0.0


_NODES = 96
_FAR = 9.0  # standard deviations beyond which a normal law has no mass worth counting
_CERTAIN, _STEP = 8.0, 0.1  # true gains in standard errors: where the sign is certain, and how finely they are told
_ROUNDS = 500  # of the fit


@dataclass(frozen=True)
class Promise:
    """The prediction of a law for the tests whose p lies in some range.

    Attributes:
        right: proportion of them with the right sign, None where the law has no test there.
        mass: proportion of all tests that lie there.
    """

    right: float | None
    mass: float


@dataclass(frozen=True)
class Pool:
    """Any law of the true gains: a mixture.

    Of a pair with true gain d standard errors, |z| has the density φ(z - d) + φ(z + d), of which the first part has
    the sign of the true gain.

    Attributes:
        d: ``(m,)`` true gains in standard errors, 0 or more; ``weights``: ``(m,)`` how common each is, adding up to 1.
        agree: ``(m,)`` how often the sign that is to be met is that of the true gain: always, unless it is itself that
            of a gain on a test set.
        claim: hypothesis that p tests.
    """

    d: Float
    weights: Float
    agree: Float
    claim: Claim

    @classmethod
    def of(cls, gains: Float, errors: Float, claim: Claim) -> Pool:
        """These very gains ``(pairs,)``, with standard errors above 0."""
        d = np.abs(gains) / errors
        return cls(d, np.full(len(d), 1 / len(d)), np.ones(len(d)), claim)

    @classmethod
    def again(cls, gains: Float, errors: Float, others: Float, claim: Claim) -> Pool:
        """The gains that one test set lets surmise, to be met by the signs on another test set of the same kind.

        The law of the true gains is the one that makes the gains most likely, of any form (Kiefer and Wolfowitz 1956;
        by the EM algorithm on a grid, as in Jiang and Zhang 2009), alike for both signs.

        Args:
            gains, errors: ``(pairs,)`` on the one test set, with standard errors above 0.
            others: ``(pairs,)`` standard errors on the other.
        """
        from scipy.stats import norm

        z = np.minimum(np.abs(gains) / errors, _CERTAIN)
        d = np.arange(0, _CERTAIN + _STEP / 2, _STEP)
        likely = norm.pdf(z[:, None] - d) + norm.pdf(z[:, None] + d)
        weights = np.full(len(d), 1 / len(d))
        for _ in range(_ROUNDS):
            posterior = likely * weights
            weights = (posterior / posterior.sum(axis=1, keepdims=True)).mean(axis=0)
        there = others > 0
        met = norm.cdf(d[:, None] * (errors[there] / others[there])).mean(axis=1) if there.any() else np.ones(len(d))
        return cls(d, weights, np.asarray(met), claim)

    def promise(self, low: float, high: float) -> Promise:
        """Of the tests with low <= p <= high."""
        from scipy.stats import norm

        near, far = _z_range(low, high, self.claim)
        own = norm.cdf(far - self.d) - norm.cdf(near - self.d)
        other = norm.cdf(far + self.d) - norm.cdf(near + self.d)
        right = own * self.agree + other * (1 - self.agree)
        return _promise(float(self.weights @ right), float(self.weights @ (own + other)))

    def proportion_at(self, p: float) -> float:
        """Proportion of right signs at one p-value."""
        from scipy.special import expit

        z = _z(p, self.claim)
        # φ(z - d)/(φ(z - d) + φ(z + d)) = 1/(1 + exp(-2zd)); in logarithms, as both may be tiny
        log_mass = -((z - self.d) ** 2) / 2 + np.log1p(np.exp(-2 * z * self.d))
        mass = self.weights * np.exp(log_mass - log_mass.max())
        own = expit(2 * z * self.d)
        return float(mass @ (own * self.agree + (1 - own) * (1 - self.agree)) / mass.sum())


@dataclass(frozen=True)
class NormalPool:
    """True gains from a normal law with mean 0: P(right sign | z) = Φ(z τ/√(σ² + τ²)), pair by pair.

    Attributes:
        spread: τ.
        errors: ``(pairs,)`` σ, above 0.
        claim: hypothesis that p tests.
    """

    spread: float
    errors: Float
    claim: Claim

    def promise(self, low: float, high: float) -> Promise:
        """Of the tests with low <= p <= high."""
        near, far = _z_range(low, high, self.claim)
        far = min(far, max(near, _FAR * float(self._width.max())))
        nodes, weights = np.polynomial.legendre.leggauss(_NODES)
        z = near + (far - near) * (nodes + 1) / 2
        mass, right = self._density(z[:, None])
        step = weights[:, None] * (far - near) / 2
        return _promise(float((step * mass * right).sum(axis=0).mean()), float((step * mass).sum(axis=0).mean()))

    def proportion_at(self, p: float) -> float:
        """Proportion of right signs at one p-value."""
        mass, right = self._density(np.array([[_z(p, self.claim)]]))
        # far out hardly any pair may have mass: the proportion of those that lie widest
        total = float(mass.sum())
        return float((mass * right).sum() / total) if total > 0 else float(right.max())

    @cached_property
    def _width(self) -> Float:
        """Standard deviation of z ``(pairs,)``."""
        return np.asarray(np.sqrt(1 + (self.spread / self.errors) ** 2))

    def _density(self, z: Float) -> tuple[Float, Float]:
        """Density of |z| and proportion of right signs ``(nodes, pairs)``."""
        from scipy.stats import norm

        right = norm.cdf(z * self.spread / np.sqrt(self.errors**2 + self.spread**2))
        return 2 * norm.pdf(z / self._width) / self._width, right


def bound_proportion(low: float, high: float, claim: Claim) -> float:
    """The largest proportion of tests that any pool can have with low <= p <= high, all gains of the best size."""
    from scipy.stats import norm

    near, far = _z_range(low, high, claim)
    if np.isinf(far):
        return 1.0
    d = np.linspace(0, far, 2001)
    mass = norm.cdf(far - d) - norm.cdf(near - d) + norm.cdf(far + d) - norm.cdf(near + d)
    return float(mass.max())


def _promise(right: float, mass: float) -> Promise:
    return Promise(right / mass if mass > 0 else None, mass)


def _z(p: float, claim: Claim) -> float:
    """Standard errors that the winner is ahead by at this p; never negative, as it has won."""
    return max(0.0, float(z_of(p, claim)))


def _z_range(low: float, high: float, claim: Claim) -> tuple[float, float]:
    return _z(high, claim), _z(low, claim)
