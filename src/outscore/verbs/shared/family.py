"""All pairs and metrics of a comparison as one family: the correction, and the level at which their intervals agree."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError, inflect
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.multiplicity import adjust as corrections
from outscore.multiplicity.joint import JointLaw
from outscore.results.set_gains import SetGain
from outscore.significance import notes
from outscore.significance.resamples import Resamples
from outscore.verbs.shared.naming import append_names, pair_name
from outscore.verbs.shared.records import JudgedPair

FEWEST_UNITS = 20
"""Below so many, resamples say little of the joint law: standard errors of resamples hold the level at a great cost."""

_LEVEL = 0.99
"""Of the Monte-Carlo intervals that say whether another seed could turn a decision."""

AUTO_SIZES = (10_000, 40_000, 160_000, 640_000, 1_000_000)
"""Numbers of resamples at which ``auto`` asks whether they are enough."""


@dataclass(frozen=True)
class Family:
    """The pairs with what the correction makes of them.

    Attributes:
        judged: the pairs, their intervals at the level that the family needs.
        adjusted: p-values after the correction; None where there is none, outside the family.
        correction, alpha: over all of them.
        law: the joint law, where the correction is by one.
        notes: what is to be said of the family as a whole.
    """

    judged: list[JudgedPair]
    adjusted: list[float | None]
    correction: str
    alpha: float
    law: JointLaw | None = None
    notes: tuple[Note, ...] = ()

    @property
    def stopped(self) -> int:
        """The draws of the joint law that were done where the user has cut it short; 0 where not."""
        return len(self.law.largest) if self.law is not None and self.law.stops else 0

    def correct(self, p: Float) -> Float:
        """The correction of other p-values ``(m,)`` of the pairs that have one."""
        if self.law is not None:
            tested = [j for j in self.judged if j.outcome.p_value is not None]
            moving = np.array([not j.pair.identical for j in tested])
            return _adjust_all(tested, self.law.adjust(p[moving]))
        return p if self.correction in corrections.JOINT else corrections.adjust(p, self.correction)


def choose_sizes(n_resamples: int | Literal["auto"]) -> tuple[int, ...]:
    """At how many resamples to ask whether they are enough: at those asked for, or at each of ``AUTO_SIZES``."""
    return AUTO_SIZES if n_resamples == "auto" else (n_resamples,)


def correction_for(asked: str, resamples: Resamples) -> str:
    """The correction asked for; ``auto`` is max-t, or Holm where systems have several runs or units are few.

    Raises:
        UsageError: unknown, or max-t with several runs.
    """
    if asked == corrections.AUTO:
        several = len(resamples.by_metric) * len(resamples.pairs) > 1
        return (
            corrections.MAX_T
            if several and not resamples.has_runs and resamples.design.n_units >= FEWEST_UNITS
            else "holm"
        )
    if asked not in corrections.JOINT:
        corrections.adjust([], asked)  # an unknown name is said before any work
    elif resamples.has_runs:
        raise UsageError(f"--correct {asked} is defined for one run of each system; with several runs use holm")
    return asked


def check_correction(asked: str) -> None:
    """Raises UsageError where no correction has that name, before any work."""
    if asked not in (corrections.AUTO, *corrections.JOINT):
        corrections.adjust([], asked)


def family_of(judged: Sequence[JudgedPair], correction: str, alpha: float, before: Family | None = None) -> Family:
    """The adjusted p-values of all pairs that have one, and their intervals.

    With max-t p and interval come from one joint law. With Holm and its kind intervals are at 1 - alpha/m (Bonferroni),
    so that one may hold 0 where the step-down rejects. Corrections that bound no family-wise error leave each interval
    by itself.

    Args:
        before: the same pairs with fewer resamples; what was drawn for the joint law is kept.
    """
    tested = [j for j in judged if j.outcome.p_value is not None]
    own = np.array([j.outcome.p_value for j in tested], dtype=np.float64)
    law = _joint(tested, before) if correction in corrections.JOINT else None
    alone = corrections.level_of_one(alpha, len(tested), correction)
    if law is None and correction in corrections.JOINT:
        alone = alpha  # one pair at most whose outputs differ: p stays its own, and so does the interval
    if law is not None:
        single = law.single_step(alpha)
        adjusted = _adjust_all(tested, single.p if correction == corrections.MAX_T else law.step_down())
        alone = alone if single.alone is None else single.alone
    else:
        adjusted = own if correction in corrections.JOINT else corrections.adjust(own, correction)
    values = iter(adjusted.tolist())
    found = Family(
        judged=[j if alone == alpha or j.outcome.p_value is None else replace(j, level=1 - alone) for j in judged],
        adjusted=[None if j.outcome.p_value is None else next(values) for j in judged],
        correction=correction,
        alpha=alpha,
        law=law,
    )
    judged = list(found.judged)
    for number in find_unsettled(found, _LEVEL):
        judged[number] = judged[number].add_notes((notes.UNSTABLE,))
    return replace(found, judged=judged, notes=_out_of_reach(found))


def find_unsettled(found: Family, level: float) -> list[int]:
    """Numbers of the pairs of which the drawing of resamples could turn the decision, which is on the corrected p.

    All p-values are moved to either end of their Monte-Carlo intervals of that level.
    """
    turned = np.zeros(len(found.judged), dtype=np.bool_)
    tested = [i for i, j in enumerate(found.judged) if j.outcome.p_value is not None]
    if not tested:
        return []
    ends = [found.judged[i].outcome.p_range(level) for i in tested]
    low, high = (found.correct(np.array(one)) for one in zip(*(end for end in ends if end is not None), strict=True))
    turned[tested] = (low <= found.alpha) != (high <= found.alpha)
    if found.law is not None:
        moving = [i for i in tested if not found.judged[i].pair.identical]
        turned[moving] |= ~found.law.decides(found.alpha, level) & (found.law.own <= found.alpha)
    return np.flatnonzero(turned).tolist()


def is_settled(found: Family, times: int) -> bool:
    """Whether no decision hangs on the drawing of resamples.

    All p-values are moved to either end of their Monte-Carlo intervals; over all interim analyses together, 99 of
    100 hold.

    Args:
        times: how often this is asked at most.
    """
    level = 1 - 0.01 / times
    return not find_unsettled(found, level)


def note_unsettled(
    found: Family, plan: Sequence[int], said: Iterable[Note], without: Collection[int] = ()
) -> list[Note]:
    """A note on the pairs whose decision hangs on the drawing after all that the plan allows, unless it was said.

    Args:
        without: numbers of pairs of which something else is said.
    """
    if any(note.code == notes.UNSTABLE.code for note in said):
        return []
    open_ = [number for number in find_unsettled(found, 1 - 0.01 / len(plan)) if number not in without]
    if without and not open_:
        return []
    names = [pair_name(found.judged[number].pair) for number in open_]
    return [append_names(notes.UNSTABLE, names) if names and len(found.judged) > 1 else notes.UNSTABLE]


def _joint(tested: Sequence[JudgedPair], before: Family | None) -> JointLaw | None:
    """The joint law of the pairs whose outputs differ; None where it would be that of one pair."""
    moving = [j for j in tested if not j.pair.identical]
    if len(moving) < 2:
        return None
    known = before.law.largest if before is not None and before.law is not None else None
    return JointLaw([j.pair for j in moving], [j.outcome for j in moving], known)


def _adjust_all(tested: Sequence[JudgedPair], of_moving: Float) -> Float:
    """Adjusted p-values of all pairs from those of systems that differ at all."""
    found = np.ones(len(tested))
    found[[not j.pair.identical for j in tested]] = of_moving
    return found


def _out_of_reach(found: Family) -> tuple[Note, ...]:
    """A note where no outcome on these data, and with so many resamples, could have reached alpha in the family."""
    tested = [j for j in found.judged if j.outcome.p_value is not None]
    if len(tested) < 2 or all(j.pair.identical for j in tested):
        return ()
    floors = np.array([1.0 if j.pair.identical else j.outcome.p_min or 0.0 for j in tested])
    sampled = np.array([j.outcome.exceedances is not None for j in tested])
    # a joint law does not stop at the floor of a sampled p, see ``JointLaw.statistics``
    least = found.correct(np.where(sampled & (found.law is not None), 0.0, floors))
    smallest = float(np.maximum(least, floors).min())
    said = note_out_of_reach(smallest, len(tested), found.alpha, sampled=bool(sampled.any()), floor=float(floors.min()))
    by_holm = len(tested) * float(floors.min())
    if found.law is None or by_holm > found.alpha:
        return said
    # statistics of resamples have heavier tails than exact laws of ranks and signs: more resamples change nothing
    return tuple(replace(note, remedy=f"use --correct holm, by which it can be {by_holm:.2g}") for note in said)


def note_out_of_reach(
    smallest: float, tests: int, alpha: float, *, sampled: bool, floor: float, more: str = "items"
) -> tuple[Note, ...]:
    """The note where the smallest p that there can be after a correction over so many tests is above alpha.

    Args:
        floor: the smallest p before the correction.
    """
    if smallest <= alpha:
        return ()
    most = math.floor(alpha / floor) if floor else 0
    fewer = f", or {f'at most {most}' if most > 1 else 'fewer'} pairs" if floor <= alpha else ""
    return (
        Note(
            code="family_out_of_reach",
            text=f"no pair of this family could have come out significant: after the correction over {tests} pairs the "
            f"smallest p that these data and resamples can give is {smallest:.2g}",
            remedy=f"more resamples (-n), more {more} that differ, or fewer pairs"
            if sampled
            else f"more {more}{fewer}",
        ),
    )


def note_floor(gains: Sequence[SetGain], alpha: float, n_resamples: int) -> list[Note]:
    """A note where Holm takes the smallest p that so many resamples give above alpha."""
    floor, n_sets = 1 / (n_resamples + 1), len({gain.data_set for gain in gains})
    sampled = [gain for gain in gains if gain.p_kind == "monte-carlo" and (gain.p_holm or 0.0) > alpha]
    low = sum(gain.p_value is not None and gain.p_value <= floor for gain in sampled)
    text = (
        f"{inflect(low, 'gain')} had the smallest p that {n_resamples:,} resamples give, "
        f"which Holm over {n_sets} data sets takes above alpha"
    )
    remedy = f"draw more resamples: -n {math.ceil(n_sets / alpha)} or more"
    return [Note(code="family_out_of_reach", text=text, remedy=remedy)] if low else []
