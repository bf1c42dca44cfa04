"""From tested pairs of systems to the places of a leaderboard."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.notes import Note
from outscore.multiplicity import adjust as corrections
from outscore.multiplicity.ranks import bootstrap_ranks, letters, rank_sets, tiers
from outscore.results.places import Place
from outscore.significance.resamples import Resamples
from outscore.verbs.shared.records import JudgedPair
from outscore.verbs.shared.verdicts import Verdict

_RANK_CELLS = 2**26  # comparisons of resampled scores that are held at once

RUNS_BY_HOLM = Note(
    code="runs_by_holm",
    text="systems have several runs: each pair is judged over new runs and new items (crossed t), and corrected by "
    "Holm, as shared resamples vary items alone",
    remedy="",
)
NO_JOINT_LEVEL = Note(
    code="no_joint_level",
    text="this correction does not bound the probability of any false claim: rank sets hold the true ranks by less "
    "than their level says",
    remedy="use --correct max-t or holm",
)
ONE_TIER = Note(
    code="one_tier",
    text="no line divides the systems, as a tier ends only where every system above it beats every one below: one pair "
    "across the line that is not significant is enough",
    remedy="read the rank sets and the letters",
)


def places(resamples: Resamples, stats: int, judged: Sequence[JudgedPair], verdicts: Sequence[Verdict]) -> list[Place]:
    """The places under one metric, best first.

    Args:
        resamples: with the bootstrap.
        stats: number of the metric.
        judged, verdicts: of every two systems under this metric.
    """
    held, k = resamples.by_metric[stats], len(resamples.systems)
    better = np.zeros((k, k), dtype=np.bool_)
    for one, verdict in zip(judged, verdicts, strict=True):
        if verdict in ("better", "worse"):
            pair = (one.pair.system, one.pair.baseline)
            better[pair if verdict == "better" else pair[::-1]] = True
    scores = np.array([held.sign * runs.mean() for runs in held.run_scores])
    ranks = _ranks(scores, np.array([[held.slack(s, t) for t in range(k)] for s in range(k)]))
    order = np.lexsort((np.arange(k), ranks))
    sets, groups = rank_sets(better), tiers(-ranks.astype(np.float64), better)
    shown = letters(-ranks.astype(np.float64), better)
    tier = {system: number for number, group in enumerate(groups, 1) for system in group}
    most = _RANK_CELLS // k**2
    resampled = np.stack([resamples.bootstrap_scores(stats, s)[:, :most].mean(axis=0) for s in range(k)], axis=1)
    drawn = bootstrap_ranks(_equalize(held.sign * resampled), 1 - resamples.settings.alpha)
    return [
        Place(
            system=resamples.systems[s], metric=held.name, rank=int(ranks[s]), best=sets.best[s], worst=sets.worst[s],
            tier=tier[s], letters=shown[s], bootstrap=drawn.intervals[s], first=float(drawn.first[s]),
        )
        for s in order.tolist()
    ]  # fmt: skip


def make_notes(found: Sequence[Place], correction: str, asked: str, *, runs: bool) -> list[Note]:
    """Notes on the places of a ranking and on the level of their rank sets; ``runs``: systems have several."""
    said = [RUNS_BY_HOLM] if runs and asked == corrections.AUTO else []
    said += [NO_JOINT_LEVEL] if correction in corrections.EACH_BY_ITSELF else []
    claims = any(place.best > 1 for place in found)
    return [*said, ONE_TIER] if claims and max(place.tier for place in found) == 1 else said


def _ranks(scores: Float, slack: Float) -> Int:
    """``(k,)`` one plus the number of better systems; scores that differ by rounding alone tie."""
    return np.asarray(1 + (scores[None, :] > scores[:, None] + slack).sum(axis=1), dtype=np.int64)


def _equalize(scores: Float) -> Float:
    """The same scores, those that differ by rounding alone made equal."""
    largest = float(np.abs(scores).max())
    if largest == 0 or not math.isfinite(largest):
        return scores
    grid = 1e-12 * largest
    return np.asarray(np.rint(scores / grid))
