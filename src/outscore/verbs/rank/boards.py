"""From tested pairs of systems to the places of a leaderboard, and their ranks on blocks: data sets, domains, items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import InputError, UsageError
from outscore.base.notes import Note
from outscore.data.dataset import Dataset
from outscore.multiplicity import adjust as corrections
from outscore.multiplicity.adjust import adjust
from outscore.multiplicity.ranks import bootstrap_ranks, letters, rank_sets, tiers
from outscore.results.pairs import DECIDED, Pair
from outscore.results.places import MeanRanks, Place, RankGap
from outscore.results.plain import finite_or_none
from outscore.significance import ASYMPTOTIC, EXACT
from outscore.significance.notes import UNSTABLE
from outscore.significance.omnibus import block_ranks, permutation_p
from outscore.significance.omnibus.friedman import FriedmanTest, critical_difference, friedman, rank_gaps
from outscore.significance.p_values import clip_tiny
from outscore.significance.resamples import Resamples
from outscore.significance.wilcoxon import wilcoxon
from outscore.verbs.shared.inputs import label_column
from outscore.verbs.shared.measured import Measured
from outscore.verbs.shared.records import JudgedPair
from outscore.verbs.shared.sets import round_to_integers
from outscore.verbs.shared.verdicts import Verdict

_RANK_CELLS = 2**26  # comparisons of resampled scores, for which fewer of them are ranked on large boards

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


def places(
    resamples: Resamples, metric_index: int, judged: Sequence[JudgedPair], verdicts: Sequence[Verdict]
) -> list[Place]:
    """The places under one metric, best first.

    Args:
        resamples: with the bootstrap.
        metric_index: number of the metric.
        judged, verdicts: of every two systems under this metric.
    """
    held, k = resamples.by_metric[metric_index], len(resamples.systems)
    better = np.zeros((k, k), dtype=np.bool_)
    for one, verdict in zip(judged, verdicts, strict=True):
        if verdict in DECIDED:
            pair = (one.pair.system, one.pair.baseline)
            better[pair if verdict in ("better", "higher") else pair[::-1]] = True
    scores = np.array([held.sign * runs.mean() for runs in held.run_scores])
    ranks = _ranks(scores, np.array([[held.slack(s, t) for t in range(k)] for s in range(k)]))
    order = np.lexsort((np.arange(k), ranks))
    sets, groups = rank_sets(better), tiers(-ranks.astype(np.float64), better)
    shown = letters(-ranks.astype(np.float64), better) if {*verdicts} != {"described"} else [""] * k
    tier = {system: number for number, group in enumerate(groups, 1) for system in group}
    most = _RANK_CELLS // k**2
    resampled = np.stack([resamples.bootstrap_scores(metric_index, s)[:, :most].mean(axis=0) for s in range(k)], axis=1)
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


def lead_is_safe(board: Sequence[Place], pairs: Sequence[Pair]) -> list[bool]:
    """Whether, of each pair, the other decision would leave the systems that may be first as they are."""
    best = {(place.system, place.metric): place.best for place in board}
    lower = ((pair.system if (pair.gain or 0) < 0 else pair.baseline) for pair in pairs)
    # who is beaten by nobody may be first: it is by one more, or by one less
    turning = (2 if pair.verdict in DECIDED else 1 for pair in pairs)
    return [best[low, pair.metric] != turns for pair, low, turns in zip(pairs, lower, turning, strict=True)]


def set_apart(pair: Pair) -> Pair:
    """The pair, told for the record that its decision hangs on the drawing."""
    return replace(pair, notes=tuple("others_unstable" if c == UNSTABLE.code else c for c in pair.notes))


def note_others(unstable: int, of: int) -> Note:
    """On pairs whose decision hangs on the drawing; among thousands there are always some."""
    return Note(
        code="others_unstable",
        text=f"other resamples could turn {unstable:,} of {of:,} pairs, none of which decides who may be first: alpha "
        "lies inside the 99 % Monte-Carlo interval of p",
        remedy=UNSTABLE.remedy,
    )


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


ITEM = "item"
"""The column that makes every item a block of its own."""


def blocks_of(data: Dataset, wanted: str | None) -> tuple[str, tuple[str, ...]] | None:
    """The column whose values are blocks, and the block of each item; ``domain`` unasked, None without any.

    Raises:
        UsageError: no such column, or it holds one value.
    """
    if wanted == ITEM and ITEM not in data.labels:
        return ITEM, data.items
    found = label_column(data, wanted, wanted or "domain", "--blocks")
    if found and len(set(found[1])) < 2:
        if wanted is None:
            return None
        raise UsageError(f"--blocks {found[0]!r}: all items have the same value; mean ranks need two blocks or more")
    return found


def block_scores(measured: Measured, blocks: Sequence[str]) -> Float:
    """Scores ``(blocks, systems)`` under one metric, signed so that more is better; means over runs.

    Raises:
        InputError: a block has no score.
    """
    stats = measured.stats
    names = list(dict.fromkeys(blocks))
    if len(names) == len(blocks) and stats.plain_mean:
        per_item = [items[..., 0].mean(axis=0) * stats.steps[0] for items in stats.items]
        return np.asarray(stats.sign * np.stack(per_item, axis=1))
    labels = np.asarray(blocks, dtype=str)
    scores = np.empty((len(names), len(stats.runs)))
    for b, name in enumerate(names):
        here = np.flatnonzero(labels == name)
        part = stats.restrict(here)
        scores[b] = [stats.sign * runs.mean() for runs in part.run_scores]
    unscored = np.flatnonzero(~np.isfinite(scores).all(axis=1))
    if unscored.size:
        raise InputError(
            f"{stats.name} has no score on {names[unscored[0]]!r} alone", remedy="give larger --blocks, or none"
        )
    return scores


def mean_ranks(metric: str, blocks: str, systems: Sequence[str], scores: Float, alpha: float) -> MeanRanks:
    """Friedman's test of systems by their scores ``(blocks, systems)``, more is better, and all pairs after it.

    Demšar 2006; the pairs also by Wilcoxon's test, which does not depend on the other systems (Benavoli et al. 2016).
    """
    values = round_to_integers(scores, float(np.abs(scores).max()))
    n, k = values.shape
    found = friedman(values)
    exact = 1.0 if found.degenerate else permutation_p(block_ranks(values))
    pairs = list(combinations(range(k), 2))
    signed = [wilcoxon(values[:, i] - values[:, j]).p for i, j in pairs]
    gaps = zip(pairs, rank_gaps(values), adjust(signed, "holm").tolist(), strict=True)
    order = np.argsort(found.mean_ranks, kind="stable").tolist()
    difference = critical_difference(n, k, 1 - alpha)
    return MeanRanks(
        metric=metric,
        blocks=blocks,
        n_blocks=n,
        null=FriedmanTest.null.replace("item", "block"),
        statistic=found.chi2,
        f=finite_or_none(found.f),
        df=found.df,
        df_blocks=found.df_blocks,
        p_value=clip_tiny(found.p_f if exact is None else exact),
        p_kind=ASYMPTOTIC if exact is None else EXACT,
        kendall_w=found.kendall_w,
        critical_difference=difference,
        systems=tuple(systems[s] for s in order),
        mean_ranks=tuple(found.mean_ranks[s] for s in order),
        groups=tuple(
            tuple(systems[s] for s in order[start:end])
            for start, end in _groups([found.mean_ranks[s] for s in order], difference)
        ),
        gaps=tuple(
            RankGap(
                system=systems[j if gap.gap > 0 else i],
                other=systems[i if gap.gap > 0 else j],
                gap=abs(gap.gap),
                p_nemenyi=clip_tiny(gap.p_nemenyi),
                p_wilcoxon=p,
            )
            for (i, j), gap, p in gaps
        ),
    )


def _groups(ranks: Sequence[float], difference: float) -> list[tuple[int, int]]:
    """Slices ``(start, end)`` of sorted mean ranks that lie less than ``difference`` apart; none within another."""
    found: list[tuple[int, int]] = []
    for start, rank in enumerate(ranks):
        end = sum(other - rank < difference for other in ranks)
        if end - start > 1 and (not found or end > found[-1][1]):
            found.append((start, end))
    return found
