"""Bins of p-values, and the proportion of tests in each that have the right sign, with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.significance.p_values import normal_quantile, student_quantile
from outscore.significance.proportions import wilson

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
            inner = [float(part) for part in text.split(",")]
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
