"""The joint law of the gains of several pairs and metrics on one test set: how large the largest of them is by chance.

Each pair brings the p-value of its own test, so that Student's t, McNemar's test or a randomization keep their laws; as
z = Φ⁻¹(1 - p/2) all of them are on one scale. What is drawn is the dependence alone, of the scores' linear parts
(infinitesimal jackknife), which cost one product each however the score is computed. From 1,500 units on the draws are
normal; below, units are resampled and every gain is divided by its standard error in the resample, as long as units
times pairs are some millions at most: the largest of thousands of statistics lies where skewed gains are far from
normal. With fixed standard errors a family of 45 pairs of ten equal systems errs in 6.8 % of sets at 20 units and 6.3 %
at 30 (own t for each; 1,000 sets), by those of the resamples in 3.3 % and 4.1 %; of 45 gains of skewed items 38 % at
20, 15 % at 100 and 8.5 % at 500, as by Bonferroni's bound (43 %, 16 %, 8.2 %), and 2.6 % to 6 % by those of the
resamples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property, reduce
from typing import TypeVar

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.lazy import dataclass
from outscore.base.rng import stream
from outscore.engine.beta import normal_cdf, normal_ppf, student_to_normal, student_to_normal_by_table
from outscore.engine.extreme import Alternative
from outscore.engine.independent import Weights, resample
from outscore.engine.montecarlo import decision_stable
from outscore.engine.weights import ATOM
from outscore.significance import Outcome
from outscore.significance.gain import GainContrast, varies_enough
from outscore.significance.settings import SOON

R = TypeVar("R")

_SLACK = 1e-12
_STILL = 1e-7  # of the standard error of either score; what varies less varies by rounding
_FEW_HITS = 10
_LEAST_LEVEL = 1e-12  # of one interval; 1 less it is still below 1
_ATOMS = 16
_BLOCK = _ATOMS * ATOM  # draws handled at once
_CELLS = 2**20  # numbers held at once
_FEW_STARS = 1 / 8  # of the pairs: more of them are no board
_FIXED_FROM = 1500  # units
_MOST_COLUMNS = 2**22  # units times pairs, up to which standard errors of resamples are affordable


@dataclass(frozen=True)
class Adjusted:
    """The adjustment of its pairs by a family.

    Attributes:
        p: ``(m,)`` adjusted p-values, none below the pair's own.
        alone: the level at which a pair by itself is to be tested, and its interval made, so that the family holds
            alpha; None where the draws are too few to say.
    """

    p: Float
    alone: float | None


@dataclass(frozen=True)
class JointLaw:
    """The law of the largest statistic of a family of pairs, one run of each system.

    Args:
        pairs: of one experiment, none of systems with identical outputs.
        outcomes: of their tests, each with a p-value.
        known: ``largest`` of the same pairs by fewer draws, which begin as these do.
        stops: filled by interruptions, after which little is drawn of any law that shares it.
    """

    pairs: Sequence[GainContrast]
    outcomes: Sequence[Outcome]
    known: Float | None = None
    stops: list[int] = field(default_factory=list)

    def single_step(self, alpha: float) -> Adjusted:
        """The single-step adjustment: each statistic against the largest of all.

        The gains' intervals at level ``alone`` hold all true gains with probability 1 - alpha, and leave out 0 where
        the adjusted p is below alpha, as far as own p and own interval agree (Westfall & Young 1993, §2.6; Hothorn,
        Bretz & Westfall 2008).
        """
        ordered = self._ordered
        # p of at most alpha has fewer draws beyond it than this
        allowed = math.floor(alpha * (len(ordered) + 1) * (1 + _SLACK)) - 1
        alone = None
        if allowed >= 0 and math.isfinite(ordered[-1 - allowed]):
            sides = 2 if self._alternative == "two-sided" else 1
            alone = max(sides * normal_cdf(-float(ordered[-1 - allowed])), _LEAST_LEVEL)
        return Adjusted(p=self.adjust_by(ordered), alone=alone)

    def adjust(self, p: Float) -> Float:
        """The single-step adjustment of p-values ``(m,)`` that these pairs could have had."""
        hits = [
            None if o.exceedances is None else one * o.exceedances.drawn / o.tails
            for o, one in zip(self.outcomes, p.tolist(), strict=True)
        ]
        return _adjust(self._statistics_of(p, hits), p, self._ordered)

    def adjust_by(self, ordered: Float) -> Float:
        """Adjusted p-values by the largest statistic of a family that these pairs are part of, in increasing order."""
        return _adjust(self.statistics, self.own, ordered)

    def decides(self, alpha: float, level: float) -> Bool:
        """``(m,)`` whether more draws could hardly turn the decision on each pair."""
        drawn, exceedances = len(self._ordered), _exceedances(self.statistics, self._ordered)
        stable = {h: decision_stable(h, drawn, alpha, level) for h in set(exceedances.tolist())}
        return np.array([stable[h] for h in exceedances.tolist()])

    def step_down(self) -> Float:
        """Adjusted p-values, each statistic against the largest of those not larger than it.

        No intervals go with it. Source: Westfall & Young 1993, algorithm 2.8.
        """
        order = np.argsort(self.statistics, kind="stable")
        ordered = self.statistics[order] - _SLACK
        pairs, outcomes = ([of[i] for i in order.tolist()] for of in (self.pairs, self.outcomes))
        by_size = replace(self, pairs=pairs, outcomes=outcomes, known=None)

        def count(number: int, size: int) -> Int:
            """``(m + 1,)`` draws of one block that reach each, and how many there are."""
            found, start, largest = np.full(len(order) + 1, size), 0, np.full((size, 1), -np.inf)
            for part in by_size._portions(number):
                reached = np.maximum(np.maximum.accumulate(part[:size], axis=1), largest)
                end = start + reached.shape[1]
                found[start:end] = (reached >= ordered[start:end]).sum(axis=0)
                start, largest = end, reached[:, -1:].copy()
            return found

        total = np.zeros(len(order) + 1, dtype=np.int64)
        self._draw(count, lambda counts: np.add(total, counts, out=total))
        found = np.empty(len(order))
        found[order] = np.maximum.accumulate(((total[:-1] + 1) / (total[-1] + 1))[::-1])[::-1]
        return np.maximum(found, self.own)

    @cached_property
    def own(self) -> Float:
        """``(m,)`` p-values of the pairs, each by itself."""
        return np.array([outcome.p_value for outcome in self.outcomes], dtype=np.float64)

    @cached_property
    def statistics(self) -> Float:
        """``(m,)`` normal statistics with the pairs' own p-values."""
        return self._statistics_of(
            self.own, [None if o.exceedances is None else o.exceedances.total for o in self.outcomes]
        )

    def _statistics_of(self, p: Float, hits: Sequence[float | None]) -> Float:
        """``(m,)`` normal statistics with these p-values.

        A sampled p of fewer than ten resamples knows its size badly, and at its floor not at all: where the studentized
        gain is larger, it takes the place of such a p.

        Args:
            hits: how many resamples each p comes from; None where it was not sampled.
        """
        tails = (p / 2 if self._alternative == "two-sided" else p).tolist()
        own = np.array([-normal_ppf(tail) for tail in tails])
        few = np.array([number is not None and number < _FEW_HITS for number in hits])
        return np.where(few & self._moves, np.maximum(own, self._studentized), own) if few.any() else own

    @cached_property
    def _studentized(self) -> Float:
        """``(m,)`` the gains in their standard errors, on the normal scale."""
        gains = np.array([pair.gain for pair in self.pairs])
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(self._moves, gains / self._errors, 0.0)
        return student_to_normal({"two-sided": np.abs(t), "greater": t, "less": -t}[self._alternative], self._df)

    @cached_property
    def largest(self) -> Float:
        """``(B,)`` the largest statistic of each draw."""
        known = np.empty(0) if self.known is None else self.known
        whole = len(known) // _BLOCK  # a block that was not drawn in full is drawn again
        found = [known[: whole * _BLOCK]]

        def block(number: int, size: int) -> Float:
            if self._stars:
                return self._largest_of_stars(number, size)
            return np.asarray(reduce(np.maximum, (self._largest_of(*part)[:size] for part in self._parts(number))))

        self._draw(block, found.append, whole)
        return np.concatenate(found)

    @cached_property
    def _stars(self) -> list[tuple[int, slice, slice]]:
        """Columns of a system and of those next to each other that it is compared with, and the places of these pairs.

        Empty where a gain does not vary, or is divided by its standard error in the resample, and where pairs are no
        board.
        """
        first, second, _ = self._places
        starts = np.flatnonzero(np.r_[True, (np.diff(second) != 0) | (np.diff(first) != 1)])
        if self._within.any() or not self._moves.all() or len(starts) > _FEW_STARS * len(first):
            return []
        ends = np.r_[starts[1:], len(first)]
        return [
            (int(second[start]), slice(first[start], first[end - 1] + 1), slice(start, end))
            for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        ]

    def _largest_of_stars(self, number: int, size: int) -> Float:
        """``(b,)`` the largest statistic of one block of draws, by the rows of a board: in the order that memory is."""
        moved = np.ascontiguousarray(self._scores(number)[:size].T)
        sign, errors = self._places[2], self._errors
        found = np.full(moved.shape[1], -np.inf)
        for second, firsts, here in self._stars:
            gains = moved[firsts] - moved[second]
            gains *= sign[here, None]
            gains /= errors[here, None]
            np.maximum(found, self._apply_side(gains).max(axis=0), out=found)
        return found

    @cached_property
    def _ordered(self) -> Float:
        return np.sort(self.largest)

    @property
    def _alternative(self) -> Alternative:
        return self.pairs[0].settings.alternative

    @property
    def _n_units(self) -> int:
        return self.pairs[0].n_units

    @cached_property
    def _places(self) -> tuple[Int, Int, Float]:
        """The columns of both systems of each pair, and the direction of its metric."""
        by_metric = self.pairs[0].resamples.by_metric
        starts = np.cumsum([0, *(len(stats.runs) for stats in by_metric)])
        first = [starts[pair.metric_index] + pair.system for pair in self.pairs]
        second = [starts[pair.metric_index] + pair.baseline for pair in self.pairs]
        return np.array(first), np.array(second), np.array([pair.stats.sign for pair in self.pairs])

    @cached_property
    def _contributions(self) -> Float:
        """``(units, columns)`` what each unit adds to the score of each system under each metric, to first order."""
        by_metric = self.pairs[0].resamples.by_metric
        design = by_metric[0].design
        return np.stack([design.centre(one) for stats in by_metric for one in stats.contributions], axis=1)

    @cached_property
    def _errors(self) -> Float:
        """``(m,)`` standard errors of the gains."""
        first, second, _ = self._places
        variance = self._products
        return np.sqrt(np.maximum(variance[first, first] + variance[second, second] - 2 * variance[first, second], 0.0))

    @cached_property
    def _products(self) -> Float:
        """``(columns, columns)`` the covariance of the scores."""
        total = np.zeros((self._contributions.shape[1],) * 2)
        for units in self.pairs[0].stats.design.strata_of_units:
            here = self._contributions[units]
            total += here.T @ here * (len(units) / max(len(units) - 1, 1))
        return total

    @cached_property
    def _moves(self) -> Bool:
        """``(m,)`` whether a gain varies beyond rounding."""
        first, second, _ = self._places
        spread = np.sqrt(np.diag(self._products))
        return np.asarray(self._errors > _STILL * np.maximum(spread[first], spread[second]))

    @property
    def _df(self) -> int:
        return max(self._n_units - len(self.pairs[0].stats.design.strata_of_units), 1)

    def _draw(self, block: Callable[[int, int], R], add: Callable[[R], object], first: int = 0) -> None:
        """Adds every block of draws from the first on, by its number and how many draws of it count; one at least."""
        settings = self.pairs[0].settings
        most = min(settings.n_resamples, SOON) if self.stops else settings.n_resamples
        parts = [(number, min(_BLOCK, most - _BLOCK * number)) for number in range(first, -(-most // _BLOCK))]
        sizes = [size for _, size in parts]
        try:
            if settings.runtime.gather("joint law", lambda part: block(*part), parts, sizes, add):
                self.stops.append(first)
        except KeyboardInterrupt:
            if settings.runtime.whole:
                raise
            self.stops.append(first)
            if not first:
                add(block(*parts[0]))

    def _portions(self, number: int) -> Iterator[Float]:
        """The statistics ``(b, pairs)`` of one block of draws, portion by portion."""
        for values, within in self._parts(number):
            values[:, within] = student_to_normal_by_table(values[:, within], self._df)
            yield values

    def _parts(self, number: int) -> Iterator[tuple[Float, Bool]]:
        """The same, some of them t as yet, and which these are."""
        weights = self._weights(number) if self._within.any() else None
        moved = self._scores(number) if weights is None else weights @ self._contributions
        first, second, sign = self._places
        for start in range(0, len(sign), portion := max(1, _CELLS // _BLOCK)):
            here = slice(start, start + portion)
            gains = moved[:, first[here]] - moved[:, second[here]]
            gains *= sign[here]
            yield self._apply_side(self._standard(gains, weights, here, number)), self._within[here]

    def _largest_of(self, values: Float, within: Bool) -> Float:
        """``(b,)`` the largest of each draw on the normal scale: of t the largest alone is brought to it."""
        largest: Float = values[:, ~within].max(axis=1, initial=-np.inf)
        if within.any():
            np.maximum(largest, student_to_normal_by_table(values[:, within].max(axis=1), self._df), out=largest)
        return largest

    def _standard(self, gains: Float, weights: Float | None, here: slice, number: int) -> Float:
        """Drawn gains ``(b, pairs)`` in their standard errors, of the resample or fixed ones."""
        errors, n = self._errors[here], self._n_units
        found = np.empty_like(gains)
        still = ~self._moves[here]
        np.divide(gains, errors if weights is None else errors * math.sqrt((n - 1) / n), out=found, where=~still)
        if still.any():  # a gain that does not vary hangs together with no other
            found[:, still] = stream(self._seed, f"still gains from {here.start}", number).normal(
                size=(len(gains), int(still.sum()))
            )
        within = self._within[here]
        if weights is not None and within.any():
            start = int(np.count_nonzero(self._within[: here.start]))
            squares = weights @ self._squares[:, start : start + int(within.sum())]
            drawn = gains[:, within]
            squares -= drawn**2 / n
            spread = np.sqrt(np.maximum(squares, 0.0, out=squares) * (n / (n - 1)))
            none = np.where(drawn == 0, 0.0, np.copysign(np.inf, drawn))
            found[:, within] = np.divide(drawn, spread, out=none, where=spread > 0)
        return found

    @cached_property
    def _squares(self) -> Float:
        """``(units, pairs)`` of the gains that are divided by errors of resamples."""
        first, second, _ = (one[self._within] for one in self._places)
        return np.asarray((self._contributions[:, first] - self._contributions[:, second]) ** 2)

    def _weights(self, number: int) -> Float:
        """How often each unit is drawn ``(b, units)``."""
        return np.concatenate([self._resample(atom) for atom in range(number * _ATOMS, (number + 1) * _ATOMS)])

    @cached_property
    def _resample(self) -> Weights:
        return resample(self.pairs[0].stats.design.strata_of_units, self._seed)

    def _scores(self, number: int) -> Float:
        """Normal scores ``(b, columns)`` with the covariance of the systems' scores, around 0."""
        values, vectors = self._axes
        return stream(self._seed, "joint law", number).normal(size=(_BLOCK, len(values))) * values @ vectors.T

    @cached_property
    def _axes(self) -> tuple[Float, Float]:
        """Standard deviations along the axes of the covariance of the scores, and the axes."""
        values, vectors = np.linalg.eigh(self._products)
        return np.sqrt(np.maximum(values, 0.0)), vectors

    @cached_property
    def _within(self) -> Bool:
        """``(m,)`` whether a gain is divided by its standard error in the resample."""
        if self._n_units >= _FIXED_FROM or self._n_units * len(self.pairs) > _MOST_COLUMNS:
            return np.zeros(len(self.pairs), dtype=np.bool_)
        return np.array([varies_enough(pair) for pair in self.pairs]) & self._moves

    @property
    def _seed(self) -> int:
        return self.pairs[0].settings.seed

    def _apply_side(self, values: Float) -> Float:
        if self._alternative == "two-sided":
            return np.abs(values, out=values)
        return values if self._alternative == "greater" else -values


def adjust_side_by_side(laws: Sequence[JointLaw], seed: int) -> list[Float]:
    """Adjusted p-values of the pairs of each of several independent samples, single-step over all of them.

    The order of the draws of each sample is shuffled, as those of equal seeds are the same, by an order of this seed.
    """
    laws = [replace(law, stops=laws[0].stops) for law in laws]
    least = min(len(law.largest) for law in laws)
    orders = [stream(seed, "side by side", i).permutation(len(law.largest))[:least] for i, law in enumerate(laws)]
    largest = np.sort(np.max([law.largest[order] for law, order in zip(laws, orders, strict=True)], axis=0))
    return [law.adjust_by(largest) for law in laws]


def _exceedances(statistics: Float, ordered: Float) -> Int:
    """``(m,)`` draws whose largest statistic reaches these."""
    return np.asarray(len(ordered) - np.searchsorted(ordered, statistics - _SLACK))


def _adjust(statistics: Float, own: Float, ordered: Float) -> Float:
    """(b + 1)/(B + 1), and none below the pair's own p."""
    return np.maximum((_exceedances(statistics, ordered) + 1) / (len(ordered) + 1), own)
