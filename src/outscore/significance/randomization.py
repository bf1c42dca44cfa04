"""Randomization (permutation, sign-flip, "approximate randomization"): exact where it can be had, else sampled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.notes import Note
from outscore.engine import exact, extreme
from outscore.engine.exact import Law
from outscore.engine.montecarlo import standard_error_plus_one
from outscore.significance import EXACT, MONTE_CARLO, Outcome, Test, notes, test
from outscore.significance.experiment import Pairing


@test("randomization")
@dataclass(frozen=True)
class Randomization(Test):
    """Exchange the two systems' outputs on each item (cluster) at random; how often is the gain as large?

    All runs of an item move together; the statistic is the gain of the statistics averaged over runs. The law is
    exact where it can be had: sums of whole numbers by a dynamic programme, ratios of two whole sums by one in two
    dimensions, any metric by enumeration when few items differ.

    Args:
        exact: ``auto`` takes the exact law where it is affordable, ``never`` samples.
    """

    null: ClassVar[str] = "the two systems' outputs are exchangeable within each item"
    citation: ClassVar[str] = "Fisher 1935; Noreen 1989; Riezler & Maxwell 2005; Zmigrod et al. 2022"

    exact: Literal["auto", "never"] = "auto"

    def refuses(self, pair: Pairing) -> str | None:
        return None

    def run(self, pair: Pairing) -> Outcome:
        if pair.identical:
            return Outcome(p_value=1.0, p_kind=EXACT, p_min=1.0, notes=(notes.IDENTICAL,))
        law = exact_law(pair) if self.exact == "auto" else None
        found: list[Note] = [notes.ITEMS_ONLY] if pair.has_runs else []
        side = pair.settings.alternative
        # what is exchanged is the gain of averaged statistics, near the mean of the runs' gains but not the same
        pooled: dict[str, float | int | str | None] = {"pooled_gain": pair.pooled_gain} if pair.has_runs else {}
        if law is not None:
            p, floor = (
                extreme.tail_mass(law.support, law.mass, v, alternative=side, slack=pair.slack)
                for v in (pair.pooled_gain, _most_extreme(law, side))
            )
            return Outcome(p_value=p, p_kind=EXACT, p_min=floor, effect=pooled, notes=tuple(found))
        draws = pair.randomized
        hits = int(extreme.count(draws, pair.pooled_gain, alternative=side, slack=pair.slack))
        sides = 2 if side == "two-sided" else 1
        return Outcome(
            p_value=extreme.p_from_count(hits, len(draws)),
            p_kind=MONTE_CARLO,
            p_error=standard_error_plus_one(hits, len(draws)),
            p_min=max(1 / (len(draws) + 1), min(1.0, sides * 0.5**pair.n_different)),
            n_resamples=len(draws),
            effect={"exceedances": hits, **pooled},
            notes=tuple(found),
        )


def exact_law(pair: Pairing) -> Law | None:
    """The randomization law of ``pair.pooled_gain``, or None where only sampling is affordable."""
    return next(_laws(pair), None) if pair.panel.of_sums else None


def _laws(pair: Pairing) -> Iterator[Law]:
    a, b, units = pair.whole
    if pair.panel.plain_mean:
        moved = (a - b)[:, 0]
        if exact.flip_cost(moved) <= exact.MOST_UPDATES:
            yield exact.flip_law(moved).scaled(float(units[0]) / pair.n_items)
    if exact.swap_size(a, b) <= exact.MOST_ASSIGNMENTS:
        yield _oriented(exact.swap_law(a, b, lambda sums: pair.panel.function(sums * units)), pair)
    if pair.panel.ratio is not None:
        yield from _ratio_law(pair, a, b, units)


def _ratio_law(pair: Pairing, a: Float, b: Float, units: Float) -> Iterator[Law]:
    assert pair.panel.ratio is not None
    numerator, denominator, scale = pair.panel.ratio
    # runs were summed, not averaged: a ratio does not mind, and the sums stay whole
    a_num, a_den, b_num, b_den = (
        rows * (units / units.min()) @ weights for rows in (a, b) for weights in (numerator, denominator)
    )
    if not all(np.array_equal(s, np.rint(s)) for s in (a_num, a_den, b_num, b_den)):
        return
    if exact.ratio_swap_cost(a_num, a_den, b_num, b_den) <= exact.MOST_UPDATES // 10:
        yield _oriented(exact.ratio_swap_law(a_num, a_den, b_num, b_den, scale), pair)


def _oriented(law: Law, pair: Pairing) -> Law:
    """The law of the gain from that of the difference of scores."""
    return law if pair.panel.sign > 0 else Law(-law.support[::-1], law.mass[::-1])


def _most_extreme(law: Law, side: extreme.Alternative) -> float:
    ends = float(law.support[0]), float(law.support[-1])
    if side == "two-sided":
        return max(ends, key=abs)
    return ends[1] if side == "greater" else ends[0]
