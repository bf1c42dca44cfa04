"""Comparisons with all that they can hold: pairs of every two systems, every verdict, many systems."""

from __future__ import annotations

from dataclasses import replace

from outscore.results import Comparison, Equivalence, Pair, Score, Scores
from tests.report.kinds import comparisons, scored
from tests.report.kinds.shared import made, note

# fmt: off

def margins_of_all() -> Comparison:
    """Every two of three systems against a margin."""
    plain = comparisons.with_margin()
    one = plain.pairs[1]
    assert one.equivalence is not None
    third = replace(
        one, baseline="birch", gain=0.06098, ci=(0.01712, 0.1048), p_value=0.003411, p_adjusted=0.007113,
        effect={"wins": 30, "losses": 17, "ties": 1, "d_z": 0.4791, "hedges_gz": 0.4713},
        equivalence=replace(one.equivalence, p_equivalent=0.7113, p_equivalent_adjusted=0.7213,
                            p_not_worse=1.41e-07, p_not_worse_adjusted=2.9e-07, ci=(0.02911, 0.09285),
                            detectable_gain=0.05933, power_at_margin=0.6412),
    )
    return replace(plain, pairs=(*plain.pairs, third))


def margins_of_many() -> Comparison:
    """Six systems against a baseline, so many that the sentence counts them, with every verdict."""
    plain = comparisons.with_margin()
    birch, cedar = plain.pairs
    found = birch.equivalence
    assert found is not None

    def pair(name: str, gain: float, p: float, verdict: str, within: float) -> Pair:
        return replace(
            birch, system=name, gain=gain, ci=(round(gain - 0.041, 4), round(gain + 0.043, 4)), p_value=p,
            p_adjusted=round(1.1 * p, 5), verdict=verdict,
            equivalence=replace(found, p_equivalent=within, p_equivalent_adjusted=round(1.05 * within, 5),
                                p_not_worse=round(0.9 * within, 5), p_not_worse_adjusted=round(0.95 * within, 5),
                                ci=(round(gain - 0.031, 4), round(gain + 0.033, 4)),
                                detectable_gain=round(0.06 + gain / 10, 5)),
        )

    more = (
        pair("dill", -0.1312, 0.0007, "worse", 0.9123), pair("elm", -0.0917, 0.0061, "worse", 0.8119),
        pair("fir", 0.0113, 0.6317, "inconclusive", 0.1317), pair("gum", 0.0213, 0.4118, "underpowered", 0.2119),
        pair("hop", 0.0313, 0.3117, "underpowered", 0.3121), pair("ivy", 0.0331, 0.2917, "underpowered", 0.3323),
    )
    base = plain.scores[0]
    scores = [_score(base, name, 0.48 + gain) for name, gain in (
        ("dill", -0.1312), ("elm", -0.0917), ("fir", 0.0113), ("gum", 0.0213), ("hop", 0.0313), ("ivy", 0.0331))]
    return replace(plain, scores=(*plain.scores, *scores), pairs=(birch, cedar, *more), domains=())


def all_of_many() -> Comparison:
    """Every two of four systems under one metric, in runs of other numbers, drawn at random."""
    plain = comparisons.two()
    (one,) = plain.pairs[:1]
    base = plain.scores[0]
    names = ("ash", "birch", "cedar", "dill")
    scores = tuple(replace(_score(base, name, 0.41 + 0.07 * i), runs=("1", "2", "3")[: 1 + i % 3])
                   for i, name in enumerate(names))
    pairs = []
    for j, other in enumerate(names):
        for i, name in enumerate(names[:j]):
            n = 10 * j + i
            pairs.append(replace(
                one, system=other, baseline=name, gain=round(0.07 * (j - i) + n / 1e4, 4),
                ci=(round(0.05 * (j - i) - n / 1e3, 4), round(0.1 * (j - i) + n / 1e3, 4)),
                p_value=round(0.06 / n, 5), p_kind="monte-carlo", p_error=round(0.003 / n, 6), n_resamples=9999,
                p_adjusted=round(0.31 / n, 5), test="bootstrap", verdict="better" if n > 10 else "worse",
                effect={"d_z": n / 100},
            ))
    return replace(plain, scores=scores, pairs=tuple(pairs), correction="holm", domains=(), details=None,
                   provenance=made(cluster="document", n_clusters=12, samples={"ash": (2, 5), "dill": (2, 5),
                                                                               "cedar": (3, 3)}))


def told_apart() -> Comparison:
    """A gain within the margin, one that could hardly be found, a loss, and a metric that only describes."""
    plain = comparisons.with_margin()
    birch, cedar = plain.pairs
    found = cedar.equivalence
    assert found is not None
    ash = plain.scores[0]
    lengths = [replace(_score(ash, name, value), metric="length_ratio", signature="length_ratio", unit="ratio")
               for name, value in (("ash", 0.9713), ("birch", 1.0117), ("cedar", 1.0429))]
    return replace(
        plain, alpha=0.01, correction="holm", domains=(),
        scores=(*plain.scores, *lengths),
        pairs=(
            replace(cedar, notes=("within_margin",), equivalence=replace(found, margin=0.075)),
            replace(birch, verdict="underpowered", p_value=0.3117, p_adjusted=0.3218,
                    equivalence=Equivalence(
                        margin=0.0123, method="Newcombe", p_equivalent=0.2215, p_equivalent_adjusted=0.2316,
                        p_not_worse=0.1117, p_not_worse_adjusted=0.1218, ci=(-0.0313, 0.0317),
                        detectable_gain=None, power_at_margin=0.3377)),
            replace(cedar, metric="length_ratio", gain=0.0716, ci=(0.0513, 0.0917), verdict="described", test="",
                    question="", null="", p_value=None, p_kind="", p_min=None, p_adjusted=None, equivalence=None,
                    effect={}),
        ),
        notes=(note("within_margin"), note("few_differences")),
    )


def scores_of_many() -> Scores:
    """So many that only their range is said."""
    plain = scored.scores()
    base = plain.scores[0]
    more = tuple(_score(base, name, 0.3 + 0.05 * i) for i, name in enumerate(("dill", "elm", "fir", "gum")))
    return replace(plain, scores=(*plain.scores, *more))


def _score(like: Score, system: str, value: float) -> Score:
    return replace(
        like, system=system, score=round(value, 4), ci=(round(value - 0.0611, 4), round(value + 0.0623, 4)),
        run_scores=(round(value + 0.0071, 4),), run_min=round(value - 0.0213, 4), run_max=round(value + 0.0317, 4),
        s_sel=round(0.03 + value / 50, 4),
    )
