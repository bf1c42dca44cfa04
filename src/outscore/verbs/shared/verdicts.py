"""One word for each pair: better, worse, equivalent, inconclusive or described; never "equal"."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal

import numpy as np

from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine.extreme import Alternative
from outscore.multiplicity import adjust as corrections
from outscore.results.pairs import Equivalence, Pair
from outscore.significance import notes
from outscore.significance.crossed import Crossed, Variances, run_tables
from outscore.significance.equivalence import SCORE, EquivalenceProcedure, detectable_by, levels_of, procedure
from outscore.significance.p_values import clip_tiny
from outscore.verbs.shared.records import JudgedPair

Ends = tuple[float, float]
Verdict = Literal["better", "worse", "equivalent", "inconclusive", "described", "higher", "lower"]

_TINY = 1e-9
_MOST_RUNS, _FARTHEST = 100, 1e6
"""From here on nobody trains more, or has the items for a gain so much smaller."""
_BOARD = 50  # pairs


@dataclass(frozen=True)
class Decided:
    """The verdict of a pair, how its gain lies to the margin, what must be said of that, and what could be found."""

    verdict: Verdict
    equivalence: Equivalence | None = None
    notes: tuple[Note, ...] = ()
    detectable_gain: float | None = None
    items_needed: int | None = None
    runs_needed: int | None = None

    def complete(self, pair: Pair) -> Pair:
        """The record of the pair with what was decided on it."""
        return replace(
            pair,
            verdict=self.verdict,
            equivalence=self.equivalence,
            detectable_gain=self.detectable_gain,
            items_needed=self.items_needed,
            runs_needed=self.runs_needed,
        )


def decide(
    judged: Sequence[JudgedPair],
    adjusted: Sequence[float | None],
    margins: Sequence[float] | None,
    correction: str,
    said: Sequence[Note] = (),
) -> list[Decided]:
    """The verdicts of all pairs.

    ``better`` and ``worse``, or ``higher`` and ``lower`` where neither is better: the adjusted difference test rejects,
    on that side, and the interval that is shown leaves out 0; where one of the two does and the other does not, a note
    says so. ``equivalent``: neither, and both one-sided tests against the margin reject after adjustment. Otherwise
    ``inconclusive``; whether a gain as large as the margin could have been found at all is said by its power.

    Args:
        judged: outcomes of the pairs; ``adjusted``: their p-values after the correction.
        margins: of each metric, or None.
        correction: of the differences; equivalences and non-inferiorities are families of their own, corrected by the
            same rule (by holm instead of max-t, which is about differences).
        said: notes on the family: where none of its pairs can be significant, that is why p and interval disagree.
    """
    family = "holm" if correction in corrections.JOINT else correction
    found = [None] * len(judged) if margins is None else _equivalences(judged, margins, family)
    decided = [_decide(j, p, e) for j, p, e in zip(judged, adjusted, found, strict=True)]
    if any(note.code == "family_out_of_reach" for note in said):
        decided = [replace(d, notes=tuple(note for note in d.notes if note != notes.P_AND_INTERVAL)) for d in decided]
    tested = sum(j.outcome.p_value is not None for j in judged)
    return [_add_detectable(d, j, tested, family) for d, j in zip(decided, judged, strict=True)]


def _add_detectable(decided: Decided, judged: JudgedPair, tested: int, correction: str) -> Decided:
    """The gain that the design finds with 80 % power, and of a difference that is not shown the items for its own.

    What is shown is left out on boards, for its time. The first depends on how items vary and on the level after
    correction, not on the gain that was seen: power at that gain would be p in other words (Hoenig & Heisey 2001). The
    error falls with the root of the number of items, where it has no part from runs. With a margin the items are those
    that rule out a loss as large if the systems are equal, which a one-sided t test of a gain as large takes, too.
    """
    pair = judged.pair
    shown = decided.verdict != "inconclusive"
    if judged.outcome.p_value is None or judged.unattainable or judged.unmatched or (shown and tested > _BOARD):
        return decided  # where no outcome reaches alpha no gain can be found
    level = _lone_level(pair.settings.alpha, tested, correction)
    by = procedure(pair, judged.test)
    found = by.detectable(level, pair.settings.alternative)
    if found is None or found == math.inf or not (shown or abs(pair.gain) < found):
        return decided  # of a larger gain that is not shown, this approximation has nothing to say
    if shown:
        return replace(decided, detectable_gain=found)
    sought = pair.gain > 0 if pair.settings.alternative == "greater" else pair.gain < 0
    sought |= pair.settings.alternative == "two-sided" and pair.gain != 0
    gain, side, ratio = abs(pair.gain), pair.settings.alternative, found / (abs(pair.gain) or math.inf)
    if (margin := decided.equivalence) is not None:
        gain, side, ratio = margin.margin, "greater", by.ratio_to_margin(margin.margin, level)
        sought = ratio > 1 and not (margin.p_not_worse_adjusted or 0.0) <= pair.settings.alpha
    of_items = min(pair.n_runs) < 2 and sought
    needed = math.ceil(pair.n_items * ratio**2) if of_items and ratio < _FARTHEST else None
    runs = _count_runs(judged, gain, levels_of(level, side)) if sought else None
    return replace(decided, detectable_gain=found, items_needed=needed, runs_needed=runs)


def _count_runs(judged: JudgedPair, gain: float, levels: tuple[float, float]) -> int | None:
    """Runs of each system that would find a gain on as many items, by the components of its variance.

    None where no number up to ``_MOST_RUNS`` does, and of other tests than the default of several runs.
    """
    pair = judged.pair
    if judged.test != Crossed() or min(pair.n_runs) != max(pair.n_runs):
        return None
    parts, items = Variances.of(*run_tables(pair)), pair.n_units

    def share_found(runs: int) -> float:
        return gain / detectable_by(parts.error(runs, items), parts.df(runs, items), levels)

    runs = bisect_left(range(_MOST_RUNS), 1.0, lo=pair.n_runs[0] + 1, key=share_found)
    return runs if runs < _MOST_RUNS else None


def difference(
    p: float | None, shown: tuple[Ends | None, str], side: float, alpha: float, alternative: Alternative = "two-sided"
) -> tuple[Literal["better", "worse", ""], tuple[Note, ...]]:
    """The one decision on a difference, which words, marks and gates follow; and a note where p and interval differ.

    Args:
        p: after the correction.
        shown: the interval of the gain and how it was made; one that is undefined or degenerate has no say.
        side: above 0 where the test favours the system, below 0 where the other one, 0 where that is open.
    """
    ends, method = shown
    rejected = p is not None and p <= alpha
    if p is not None and ends is not None and method != "degenerate" and rejected != (ends[0] > 0 or ends[1] < 0):
        return "", (notes.P_AND_INTERVAL,)
    if rejected and side > 0 and alternative != "less":
        return "better", ()
    return ("worse" if rejected and side < 0 and alternative != "greater" else ""), ()


def citations(found: Sequence[Decided]) -> tuple[str, ...]:
    """The sources of what was done with a margin."""
    methods = {d.equivalence.method for d in found if d.equivalence is not None}
    of_shares = ("Tango 1998", "Connor 1987") if any(method.startswith(SCORE) for method in methods) else ()
    return ("Schuirmann 1987", *of_shares) if methods else ()


def _decide(judged: JudgedPair, adjusted: float | None, found: Equivalence | None) -> Decided:
    if notes.DESCRIBED in {note.code for note in judged.outcome.notes}:
        return Decided("described", found)
    settings, of_margin = judged.pair.settings, None if found is None else found.p_equivalent_adjusted
    within = of_margin is not None and of_margin <= settings.alpha
    side, said = difference(adjusted, judged.interval[:2], _favour(judged), settings.alpha, settings.alternative)
    if side:
        word: Verdict = side if judged.direction is not None else "higher" if side == "better" else "lower"
        return Decided(word, found, (notes.WITHIN_MARGIN,) if within else ())
    return Decided("equivalent" if within else "inconclusive", found, said)


def _favour(judged: JudgedPair) -> float:
    """Which system a significant test favours, 0 where signs or ranks and the gain point to different ones."""
    gain, favours = judged.pair.gain, judged.outcome.favours
    return gain if favours is None or gain * favours > 0 else 0.0


def _equivalences(judged: Sequence[JudgedPair], margins: Sequence[float], correction: str) -> list[Equivalence]:
    family = sum(j.outcome.p_value is not None for j in judged)
    found = []
    for j in judged:
        level = _lone_level(j.pair.settings.alpha, family, correction)
        found.append(_test_margin(j, procedure(j.pair, j.test), margins[j.pair.metric_index], level))
    equivalent = _adjust([e.p_equivalent for e in found], correction)
    not_worse = _adjust([e.p_not_worse for e in found], correction)
    return [
        replace(e, p_equivalent_adjusted=p, p_not_worse_adjusted=q)
        for e, p, q in zip(found, equivalent, not_worse, strict=True)
    ]


def _test_margin(judged: JudgedPair, by: EquivalenceProcedure, margin: float, level: float) -> Equivalence:
    """One pair against its margin, not yet adjusted."""
    alpha, alternative = judged.pair.settings.alpha, judged.pair.settings.alternative
    tests = None if judged.unmatched else by.tost(margin, alpha)
    return Equivalence(
        margin=margin,
        method=by.method,
        p_equivalent=None if tests is None else clip_tiny(tests.p),
        p_equivalent_adjusted=None,
        p_not_worse=None if tests is None else clip_tiny(tests.p_lower),
        p_not_worse_adjusted=None,
        ci=None if tests is None else (tests.low, tests.high),
        detectable_gain=by.detectable(level, alternative),
        power_at_margin=by.power(margin, level, alternative),
    )


@lru_cache(maxsize=8)  # every pair of a family asks
def _lone_level(alpha: float, family: int, correction: str) -> float:
    """The level at which one p-value of a family is significant after correction where no other is."""
    others = np.ones(max(family, 1))
    others[0] = _TINY
    return alpha * _TINY / float(corrections.adjust(others, correction)[0])


def _adjust(p: Sequence[float | None], correction: str) -> list[float | None]:
    """Adjusted p-values; what is undefined stays so and outside the family."""
    values = iter(corrections.adjust([one for one in p if one is not None], correction).tolist())
    return [None if one is None else next(values) for one in p]
