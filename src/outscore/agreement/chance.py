"""Agreement of raters who guess: the law of the agreement when there is none beyond chance."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from outscore.agreement import MOST_LABELS, Credit, RatingMeasure
from outscore.agreement.ratings import ENOUGH_DIFFER, LabelTable
from outscore.base.arrays import Float, Int
from outscore.base.lazy import dataclass
from outscore.significance.p_values import normal_p, student_p

ENOUGH_LABELS = 50
"""Labels of every annotator from which the frequencies in the null variance are known well: with four labels each the
normal law rejects at .14."""

ENOUGH = 5.0
"""Expected units with the two rarest labels from which the normal law of the null variance holds its level."""


@dataclass(frozen=True, kw_only=True)
class Guessing:
    """Pairs of ratings of one unit, and what they would say if raters guessed with their frequencies of labels.

    Attributes:
        codes: ``(N,)`` label of each rating of a unit with two or more; ``who``: ``(N,)`` its rater, 0 for all where
            raters are not told apart.
        first, second: ``(P,)`` the two ratings of each pair; ``unit``: ``(P,)`` their unit.
        weight: ``(P,)`` what each pair counts in the observed agreement.
        size: divisor of the weighted sum.
        given: ``(units,)`` ratings of each of these units.
        n_labels: of the scheme; ``credit``: of two labels.
    """

    codes: Int
    who: Int
    first: Int
    second: Int
    unit: Int
    weight: Float
    size: float
    given: Int
    n_labels: int
    credit: Credit

    @cached_property
    def proportions(self) -> Float:
        """``(raters, labels)`` frequencies of the labels of each rater."""
        q = self.n_labels
        counts = np.bincount(self.who * q + self.codes, minlength=q * (int(self.who.max()) + 1)).reshape(-1, q)
        return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))

    @cached_property
    def matrix(self) -> Float:
        """``(labels, labels)`` credit."""
        labels = np.arange(self.n_labels)
        return self.credit(labels[:, None], labels)

    @cached_property
    def _combinations(self) -> tuple[Int, Int, Int]:
        """Which two raters each pair is of ``(P,)``, and these two ``(c,)`` each, the smaller number first."""
        one, two = self.who[self.first], self.who[self.second]
        raters = len(self.proportions)
        found, place = np.unique(np.minimum(one, two) * raters + np.maximum(one, two), return_inverse=True)
        return place.ravel(), found // raters, found % raters

    @property
    def fewest(self) -> int:
        """Labels of the annotator who gave the fewest."""
        counts = np.bincount(self.who)
        return int(counts[counts > 0].min())

    @cached_property
    def graded(self) -> bool:
        """Whether some of the labels given are nearer to each other than others, as numbers are."""
        if self.n_labels > MOST_LABELS:
            return True
        given = self.proportions.any(axis=0)
        return len(np.unique(self.matrix[given][:, given][~np.eye(given.sum(), dtype=np.bool_)])) > 1

    @cached_property
    def rarest(self) -> float:
        """On how many units two raters give by chance the two labels expected least often; of a scale, others than its
        commonest. Units count once: alpha of five raters who guess is covered (800 sets, ± .015) of 60 units, share .15
        by BCa in .907, by score in .968; of 400, share .11 (4.8 units) .931 and .948, .12 (5.8) .935 and .944.
        """
        place, one, two = self._combinations
        total = self.proportions.sum(axis=0)
        shares = 1 - self.proportions[:, [total.argmax()]] if self.graded else self.proportions[:, total > 0]
        units = np.bincount(place, weights=1 / np.bincount(self.unit)[self.unit])
        return float((shares[one].T @ (units[:, None] * shares[two])).min())

    @cached_property
    def spreads(self) -> Float:
        """``(P,)`` variance of the credit of each pair that neither rater's label tells by itself.

        With w̃ the credit less its means over either rater's labels, E w̃² (Fleiss, Cohen & Everitt 1969, eq. 9).
        """
        place, one, two = self._combinations
        a, b, w = self.proportions[one], self.proportions[two], self.matrix
        mean = ((a @ w) * b).sum(axis=1)
        by_first, by_second = (a * (b @ w.T) ** 2).sum(axis=1), (b * (a @ w) ** 2).sum(axis=1)
        return np.asarray((((a @ w**2) * b).sum(axis=1) - by_first - by_second + mean**2)[place])

    @cached_property
    def centre(self) -> float:
        """The sum of credit that guessing gives in the mean, given the labels of every rater."""
        place, one, two = self._combinations
        a, b = self.proportions[one], self.proportions[two]
        each = ((a @ self.matrix) * b).sum(axis=1)
        same = one == two
        if same.any():  # one rating is dealt out, and then another one of those that are left
            n = len(self.codes)
            each = np.where(same, (each * n - (a * np.diag(self.matrix)).sum(axis=1)) / (n - 1), each)
        return float((np.bincount(place, weights=self.weight) * each).sum())

    @property
    def credits(self) -> Float:
        """``(units,)`` the weighted sum of credit of each unit."""
        each = self.weight * self.credit(self.codes[self.first], self.codes[self.second])
        return np.asarray(np.bincount(self.unit, weights=each), dtype=np.float64)

    @property
    def few_differ(self) -> bool:
        """Whether too few units differ to show how far slips go, counted, or by (Σd)² / Σd² of how far they differ.

        Of normal d it is a third of the units, for which the score interval is up to four times as long as t.
        """
        one, other = self.codes[self.first], self.codes[self.second]
        apart = np.bincount(self.unit, weights=self.weight * (self.credit(one, one) - self.credit(one, other)))
        many, few = int((apart > 0).sum()), float(apart.sum() ** 2 / max((apart**2).sum(), 1e-300))
        return many < ENOUGH_DIFFER or few < min(many / 5, 50)

    @property
    def observed(self) -> float:
        """The weighted sum of credit."""
        return float(self.credits.sum())

    def deviation(self, clusters: Int | None) -> float:
        """Standard deviation of the sum of credit where raters guess.

        Pairs are uncorrelated, also those that have a rater in common (Fleiss, Nee & Landis 1979); where ratings count
        unequally, as units have different numbers of them, so does the label that each happens to have. In clusters
        each rater's labels may hang together, and pairs of the same two raters in one cluster covary by the product.

        Args:
            clusters: ``(units,)`` cluster of each unit that has two ratings, if they come in any; raters are then told
                apart.
        """
        variance = float((self.weight**2 * self.spreads).sum()) + self._uneven
        if clusters is not None:
            variance += max(self._between(clusters), 0.0)
        return math.sqrt(max(variance, 0.0))

    def error(self, possible: float, clusters: Int | None) -> float:
        """Standard error of a coefficient with this denominator where raters guess, NaN where it is not known."""
        known = possible > 0 and self.n_labels <= MOST_LABELS
        return self.deviation(clusters) / (self.size * possible) if known else math.nan

    @cached_property
    def _uneven(self) -> float:
        """Variance of the sum of credit from where each rater's labels fall; 0 where all ratings count the same.

        Of labels in random order: sums over ratings of what each label would agree by chance with the other ratings of
        the unit, less their means over the ratings and over the labels of the rater (Hoeffding 1951, eq. 10).
        """
        one, two = self.who[self.first], self.who[self.second]
        rating, other = np.append(self.first, self.second), np.append(two, one)
        weighted = np.append(self.weight, self.weight)[:, None] * (self.proportions @ self.matrix)[other]
        found = 0.0
        for rater, shares in enumerate(self.proportions):
            mine = self.who[rating] == rater
            places, place = np.unique(rating[mine], return_inverse=True)
            if len(places) > 1:
                sums = np.zeros((len(places), self.n_labels))
                np.add.at(sums, place.ravel(), weighted[mine] - (weighted[mine] @ shares)[:, None])
                sums -= sums.mean(axis=0)
                found += len(places) / (len(places) - 1) * float((sums**2 @ shares).sum())
        return found

    def _between(self, clusters: Int) -> float:
        """Covariances of pairs of different units of a cluster."""
        place, one, two = self._combinations
        joint = [self._joint(rater, clusters) for rater in range(len(self.proportions))]
        found = 0.0
        for c, (r, s) in enumerate(zip(one, two, strict=True)):
            weight, where = self.weight[place == c], clusters[self.unit[place == c]]
            together = float((np.bincount(where, weights=weight) ** 2).sum() - (weight**2).sum())
            found += together * float(np.trace(self.matrix @ joint[s] @ self.matrix.T @ joint[r]))
        return found

    def _joint(self, rater: int, clusters: Int) -> Float:
        """``(labels, labels)`` covariance of a rater's labels of two units of a cluster."""
        mine = self.who == rater
        where = clusters[np.repeat(np.arange(len(self.given)), self.given)[mine]]
        counts = np.stack([np.bincount(where, weights=self.codes[mine] == k) for k in range(self.n_labels)])
        pairs = counts @ counts.T - np.diag(counts.sum(axis=1))
        if not (total := pairs.sum()) > 0:
            return np.zeros_like(pairs)
        joint = pairs / total
        return np.asarray(joint - np.outer(joint.sum(axis=1), joint.sum(axis=0)))


def make_guessing(ratings: LabelTable, measure: RatingMeasure, *, apart: bool) -> Guessing | None:
    """The pairs of ratings of units; None where there are none, or the coefficient does not say its credit.

    Args:
        measure: of these ratings.
        apart: every rater guesses with frequencies of labels of their own.
    """
    codes = ratings.codes[ratings.pairable]
    if measure.credit is None or not len(codes):
        return None
    there = codes >= 0
    given = there.sum(axis=1)
    raters = codes.shape[1]
    place = np.where(there, np.cumsum(there).reshape(there.shape) - 1, -1)
    pairs = [
        (np.flatnonzero(both), r, s)
        for r in range(raters)
        for s in range(r + 1, raters)
        if (both := there[:, r] & there[:, s]).any()
    ]
    unit = np.concatenate([units for units, _, _ in pairs])
    weight = 2 / (given - 1) if measure.by_rating else 2 / (given * (given - 1))
    return Guessing(
        codes=codes[there],
        who=np.nonzero(there)[1] if apart else np.zeros(int(there.sum()), dtype=np.int64),
        first=np.concatenate([place[units, r] for units, r, _ in pairs]),
        second=np.concatenate([place[units, s] for units, _, s in pairs]),
        unit=unit,
        weight=weight[unit],
        size=float(given.sum() if measure.by_rating else len(codes)),
        given=given,
        n_labels=len(ratings.labels),
        credit=measure.credit,
    )


@dataclass(frozen=True, kw_only=True)
class BeyondChance:
    """The p-value of no agreement beyond chance.

    Attributes:
        p_value: two-sided; None where the data say nothing of it.
        error: standard error of the coefficient under this hypothesis, NaN where it is not known.
        method: how it was made; ``null``: the hypothesis.
    """

    p_value: float | None
    error: float
    method: str
    null: str = ""


def assess_by_variance(
    chance: Guessing, value: float, possible: float, clusters: Int | None, *, centred: bool
) -> BeyondChance:
    """By the variance under the null hypothesis and the normal law, or Student's of the clusters less one.

    Args:
        centred: test the observed credit less what the labels in these pairs give in the mean; else the coefficient
            itself, which is the same where one set of raters gives every unit as many labels. Elsewhere its chance
            agreement is of labels that weigh otherwise (Fleiss' κ of units with one to five labels, of which 20 % are
            the one and 80 % the other: .11).
        value: the coefficient; ``possible``: its denominator, what agreement beyond chance can come to.
    """
    error = chance.error(possible, clusters)
    df = math.inf if clusters is None else len(np.unique(clusters)) - 1
    if not 0 < error < math.inf or df < 1:
        return BeyondChance(p_value=None, error=math.nan, method="")
    beyond = (chance.observed - chance.centre) / (chance.size * possible) if centred else value
    p = normal_p(beyond / error) if math.isinf(df) else student_p(beyond / error, df)
    return BeyondChance(p_value=max(p, 5e-324), error=error, method="null variance")
