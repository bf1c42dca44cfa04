"""Every two systems of a study: the gain of the one that scored higher, and how sure a test is of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.engine.design import Design
from outscore.engine.extreme import Alternative
from outscore.metrics.mean import Mean
from outscore.results.plain import finite_or_none
from outscore.significance import Test, outcomes_of, tests
from outscore.significance.choose import choose
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.studies import Claim
from outscore.studies.shared.material import Material

SAME, DIFFERENT = "same group", "different groups"

_NOTHING = 1e-12  # proportion of two systems' variance that the variance of their difference is, where they are alike


@dataclass(frozen=True)
class StudyPair:
    """Two systems.

    Attributes:
        winner, loser: names; the winner scored higher, or stands later where both scored the same.
        gain: of the winner, 0 or more, in the metric's unit.
        p: None where the test has no answer.
        relation: ``same group`` or ``different groups``.
        error: jackknife standard error of the gain; 0 where the systems are alike on every item, None where unknown.
        correlation: of what the two systems get for each item (jackknife pseudo-values); None where it is undefined.
    """

    winner: str
    loser: str
    gain: float
    p: float | None
    relation: str
    error: float | None = None
    correlation: float | None = None

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> StudyPair:
        """The pair that ``to_plain`` wrote."""
        return cls(**found)

    def to_plain(self) -> dict[str, Any]:
        """As values that JSON can hold."""
        return dict(vars(self))


def compare_all_pairs(material: Material, stats: Statistics, test: str, claim: Claim, seed: int) -> list[StudyPair]:
    """All pairs of systems under one metric, from resamples that they share.

    Args:
        test: name of a test with its options, or ``auto``.

    Returns:
        The pairs, each system with those before it, in the order of the systems.

    Raises:
        UsageError: fewer than two systems, or the test refuses a pair.
    """
    if len(material.systems) < 2:
        raise UsageError(f"one system ({material.systems[0]!r}) has no pairs: give at least two")
    # from the lowest score to the highest: the later of two is the winner, so one side tells all pairs
    order = np.argsort([stats.sign * runs.mean() for runs in stats.run_scores], kind="stable").tolist()
    side: Alternative = "two-sided" if claim == "two-sided" else "greater"
    settings = replace(material.settings, seed=seed, alternative=side)
    names = [material.systems[s] for s in order]
    ordered = stats.replace_statistics([stats.items[s] for s in order], stats.design)
    systems = Resamples(names, [ordered], 0, settings, all_pairs=True)
    errors, correlations = errors_of(ordered)
    made = None if test == "auto" else tests.make(test)
    p = p_values([GainContrast(systems, 0, *pair) for pair in systems.pairs], made, systems)
    found = {}
    for (winner, loser), own in zip(systems.pairs, p, strict=True):
        same = material.groups[order[winner]] == material.groups[order[loser]]
        found[tuple(sorted((order[winner], order[loser])))] = StudyPair(
            winner=names[winner],
            loser=names[loser],
            gain=abs(ordered.gain(winner, loser)),
            p=own,
            relation=SAME if same else DIFFERENT,
            error=finite_or_none(errors[winner, loser]),
            correlation=finite_or_none(correlations[winner, loser]),
        )
    return [found[pair] for pair in sorted(found)]


def contrast_of(baseline: Float, system: Float, like: Statistics, settings: Settings) -> GainContrast:
    """A system against a baseline, by statistics ``(runs, items, k)`` of a kind, with resamples of their own."""
    held = like.replace_statistics([baseline, system], like.design)
    return GainContrast(Resamples(("baseline", "system"), [held], 0, settings), 0, 1)


def contrast_of_scores(baseline: Float, system: Float, settings: Settings) -> GainContrast:
    """The same of the scores of items ``(runs, items)``, whose mean is compared."""
    held = [np.stack([scores, np.ones_like(scores)], axis=-1) for scores in (baseline, system)]
    like = Statistics("mean", held, Mean().score, Design(baseline.shape[1]), per_item=True)
    return contrast_of(held[0], held[1], like, settings)


def items_of(stats: Statistics) -> Float:
    """Contributions to the score of each system ``(systems, units)``: pseudo-values, centred within strata."""
    values = [runs.mean(axis=0) for runs in stats.pseudo_values]
    return np.stack([stats.design.centre(of_system) for of_system in values])


def errors_of(stats: Statistics) -> tuple[Float, Float]:
    """Of every two systems the standard error of their gain, and the correlation of their items ``(systems, systems)``.

    The variance of a difference is that of both systems less twice their covariance: systems that are right and wrong
    on the same items have small errors.
    """
    values = items_of(stats)
    n = values.shape[1]
    products = values @ values.T
    own = np.diag(products)
    both = own[:, None] + own
    squares = both - 2 * products
    squares[squares <= _NOTHING * both] = 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.sqrt(squares / max(n * (n - 1), 1)), products / np.sqrt(own[:, None] * own)


def select_window(pairs: Sequence[StudyPair], low: float, high: float) -> list[StudyPair]:
    """The pairs whose p lies in [low, high]."""
    return [pair for pair in pairs if pair.p is not None and low <= pair.p <= high]


def z_of(p: Float | float, claim: Claim) -> Float:
    """Standard errors that the winner is ahead by, from p."""
    from scipy import special

    return np.asarray(-special.ndtri(np.asarray(p) / (2 if claim == "two-sided" else 1)))


def p_values(pairs: Sequence[GainContrast], made: Test | None, systems: Resamples) -> list[float | None]:
    """The p of pairs by one test, or by the one that suits each, from resamples that they share.

    Raises:
        UsageError: the test refuses a pair.
    """
    questions = [(choose(pair).test if made is None else made, pair) for pair in pairs]
    for test, pair in questions:
        if refusal := test.refuses(pair):
            raise UsageError(refusal)
    return [outcome.p_value for outcome in outcomes_of(questions, systems)[0]]
