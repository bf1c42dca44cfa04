"""Comparisons and boards of which reports say what they say nowhere else."""

from __future__ import annotations

from dataclasses import replace

from outscore.results.buckets import BucketGain
from outscore.results.comparison import Comparison
from outscore.results.leaderboard import Leaderboard
from outscore.results.pairs import Pair
from tests.report.kinds import boards, comparisons
from tests.report.kinds.fuller_comparisons import _score
from tests.report.kinds.shared import note

# fmt: off

def margins_in_runs() -> Comparison:
    """A system of several runs that is a little better, and as good within the margin."""
    plain = comparisons.with_margin()
    birch, cedar = plain.pairs
    ash, two, third = plain.scores
    assert birch.equivalence is not None
    return replace(
        plain, buckets=(),
        scores=(ash, replace(two, runs=("1", "2"), run_scores=(0.4811, 0.4983), s_test=0.0122, score=0.4897), third),
        pairs=(
            replace(birch, gain=0.0038, ci=(-0.0377, 0.0459), p_value=0.8117, p_adjusted=0.9217,
                    equivalence=replace(birch.equivalence, ci=(-0.0219, 0.0311))),
            cedar,
        ),
    )


def parts_of_many() -> Comparison:
    """Six systems, of which the pictures of parts show the largest gains; parts without intervals."""
    plain = comparisons.two()
    (one, *_) = plain.pairs
    ash = plain.scores[0]
    gains = (("birch", 0.0131), ("cedar", -0.0913), ("dill", 0.0047), ("elm", 0.0717), ("fir", -0.0511),
             ("gum", 0.0611))
    return replace(
        plain, details=None,
        scores=(ash, *(_score(ash, name, 0.48 + gain) for name, gain in gains)),
        pairs=tuple(
            replace(one, system=name, gain=gain, ci=(round(gain - 0.037, 4), round(gain + 0.041, 4)),
                    p_value=round(0.03 + i / 9, 4), p_adjusted=round(0.04 + i / 9, 4), verdict="inconclusive",
                    effect={"d_z": round(gain * 7, 4)})
            for i, (name, gain) in enumerate(gains)
        ),
        buckets=tuple(
            BucketGain(system=name, baseline="ash", metric="mean", by="domain", bucket=domain, n_items=n, ci=None,
                       baseline_score=0.4685, system_score=round(0.4685 + gain + i / 90, 4),
                       gain=round(gain + i / 90, 4))
            for name, gain in gains for i, (domain, n) in enumerate((("news", 20), ("talk", 28)))
        ),
    )


def items_of_each() -> Comparison:
    """Pairs on the items that both systems have, of which scores and gains are."""
    plain = parts_of_many()
    return replace(plain, buckets=(), pairs=tuple(
        replace(pair, n_items=48 - 3 * i, effect={
            "baseline_score": round(0.4711 + i / 70, 4), "score": round(0.4711 + i / 70 + pair.gain, 4),
        })
        for i, pair in enumerate(plain.pairs[:3])
    ))


def items_of_each_of_many() -> Comparison:
    """The same with so many pairs that they are counted."""
    plain = parts_of_many()
    return replace(plain, buckets=(), pairs=tuple(
        replace(pair, n_items=48 - 3 * i, effect={"baseline_score": 0.4711, "score": round(0.4711 + pair.gain, 4)})
        for i, pair in enumerate(plain.pairs)
    ))


def board_led() -> Leaderboard:
    """One system leads, which is certain; another pair is decided just so, and all orders are few."""
    plain = boards.board()
    (ranks,) = plain.mean_ranks
    first, ash, birch = plain.places
    ash_birch, cedar_ash, cedar_birch = plain.pairs
    lower: Pair = replace(ash_birch, gain=-0.0431, ci=(-0.0817, -0.0041), p_value=0.0117, p_adjusted=0.0311,
                          verdict="worse")
    return replace(
        plain, places=(replace(first, worst=1, bootstrap=(1, 2), first=0.9713), ash,
                       replace(birch, best=2)), pairs=(lower, cedar_ash, cedar_birch),
        notes=(note("auto_board_t", mended=False), note("family_out_of_reach"), *plain.notes[1:]),
        mean_ranks=(replace(ranks, groups=(("cedar", "ash"), ("ash", "birch"))),),
    )
