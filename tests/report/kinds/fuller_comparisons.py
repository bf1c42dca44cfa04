"""Comparisons with all that they can hold: pairs of every two systems, every verdict, many systems."""

from __future__ import annotations

import math
from dataclasses import replace

from outscore.results.comparison import Comparison
from outscore.results.correlation import Correlations
from outscore.results.details import ItemText, SubsetGain
from outscore.results.history import KnownSet, PairInHistory, SetHistory
from outscore.results.leaderboard import Leaderboard
from outscore.results.pairs import Equivalence, Pair
from outscore.results.places import RankGap
from outscore.results.result import Score
from outscore.results.scores import Scores
from tests.report.kinds import boards, comparisons, metrics_and_people, scored
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
        pair("fir", 0.0113, 0.6317, "inconclusive", 0.1317), pair("gum", 0.0213, 0.4118, "inconclusive", 0.2119),
        pair("hop", 0.0313, 0.3117, "inconclusive", 0.3121), pair("ivy", 0.0331, 0.2917, "inconclusive", 0.3323),
    )
    base = plain.scores[0]
    scores = [_score(base, name, 0.48 + gain) for name, gain in (
        ("dill", -0.1312), ("elm", -0.0917), ("fir", 0.0113), ("gum", 0.0213), ("hop", 0.0313), ("ivy", 0.0331))]
    return replace(plain, scores=(*plain.scores, *scores), pairs=(birch, cedar, *more), buckets=())


def all_of_many() -> Comparison:
    """Every two of four systems under one metric, in runs of other numbers, drawn at random."""
    plain = comparisons.two()
    (one,) = plain.pairs[:1]
    base = plain.scores[0]
    names = ("ash", "birch", "cedar", "dill")
    scores = tuple(_score(base, name, 0.41 + 0.07 * i) for i, name in enumerate(names))
    scores = (
        scores[0], replace(scores[1], runs=("1", "2"), run_scores=(0.4711, 0.4889), s_test=0.0126, median_run="2"),
        replace(scores[2], runs=("1", "2", "3"), run_scores=(0.5613, 0.5501, 0.5386), s_test=0.0114), scores[3],
    )
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
    return replace(plain, scores=scores, pairs=tuple(pairs), correction="holm", buckets=(), details=None,
                   provenance=made(cluster="document", n_clusters=12, samples={"ash": (2, 5), "dill": (2, 5),
                                                                               "cedar": (3, 3)}))


def details_whole() -> Comparison:
    """Two pairs in several runs, with parts by length and by document, and items in words."""
    plain = comparisons.with_details()
    found = plain.details
    (one,), (ash, birch) = plain.pairs, plain.scores
    assert found is not None
    cedar = replace(
        one, system="cedar", gain=0.0713, ci=(0.0112, 0.1314), p_value=0.0213, p_adjusted=0.0426, verdict="better",
        effect={"wins": 12, "losses": 3, "ties": 1, "d_z": 0.5117},
    )
    items = tuple(replace(gain, system="cedar", influence=round(0.9 * gain.influence, 5),
                          system_score=round((gain.system_score or 0.0) + 0.0123, 4)) for gain in found.items[:3])
    parts = [
        SubsetGain(system="cedar", baseline="ash", metric="mean", by=by, part=part, n_items=n, gain=gain, ci=ci)
        for by, part, n, gain, ci in (
            ("length", "1–4 words", 5, 0.0317, (-0.0213, 0.0847)), ("length", "5–12 words", 11, 0.0893, None),
            ("document", "d1", 7, 0.0612, (0.0117, 0.1107)), ("document", "d2", 9, 0.0791, (0.0218, 0.1364)),
        )
    ]
    texts = tuple(
        ItemText(item=gain.item, labels={"document": f"d{i}", "domain": f"news {i}"},
                 references=(f"gold of {gain.item}", f"another gold of {gain.item}", f"gold of {gain.item}"),
                 outputs={"ash": f"ash says {i}", "birch": f"birch says {i}", "cedar": f"cedar says {i}"})
        for i, gain in enumerate(found.items[:4])
    )
    (held, *_) = found.histograms
    return replace(
        plain, pairs=(one, cedar),
        scores=(
            ash, replace(birch, run_scores=(0.4812, 0.4931, 0.5103), runs=("1", "2", "3"), s_test=0.0147),
            replace(_score(ash, "cedar", 0.5209), run_scores=(0.5098, 0.5211, 0.5318), runs=("1", "2", "3"),
                    s_test=0.0113),
        ),
        provenance=made(correction="holm", n_items_read=18, cluster="document", n_clusters=5,
                        dropped={"q16": "no reference", "q17": "missing in cedar"}),
        details=replace(
            found, items=(*found.items, *items), texts=texts, n_clusters_left_out=3, parts=(*found.parts, *parts),
            histograms=(held, replace(held, system="cedar", resampled="clusters", counts=held.counts[::-1])),
        ),
    )


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
        plain, alpha=0.01, correction="holm", buckets=(),
        scores=(*plain.scores, *lengths),
        pairs=(
            replace(cedar, notes=("within_margin",), equivalence=replace(found, margin=0.075)),
            replace(birch, verdict="inconclusive", p_value=0.3117, p_adjusted=0.3218,
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


def board_whole() -> Leaderboard:
    """Two metrics, one of them better where it is lower, by data sets; gaps that differ and gaps that do not."""
    plain = boards.board()
    (ranks,) = plain.mean_ranks
    gaps = tuple(
        RankGap(system=gap.system, other=gap.other, gap=0.5 + i, p_nemenyi=(0.3117, 0.0413, 0.0071)[i],
                p_wilcoxon=(0.4219, 0.0521, 0.0093)[i])
        for i, gap in enumerate(ranks.gaps)
    )
    low = [replace(score, metric="ter", unit="TER", higher_is_better=False, signature="ter",
                   score=round(80 - 50 * score.score, 2), ci=(round(77.1 - 50 * score.score, 2),
                                                              round(83.3 - 50 * score.score, 2)))
           for score in plain.scores]
    orders = {"birch": (1, 1, 1, "a"), "cedar": (2, 2, 3, "b"), "ash": (3, 2, 3, "b")}
    places = tuple(
        replace(place, metric="ter", rank=orders[place.system][0], best=orders[place.system][1],
                worst=orders[place.system][2], tier=orders[place.system][1], letters=orders[place.system][3],
                bootstrap=(orders[place.system][1], 3), first=0.7 / orders[place.system][0])
        for place in sorted(plain.places, key=lambda place: orders[place.system][0])
    )
    pairs = tuple(
        replace(pair, metric="ter", gain=round(1.7 + i / 3, 3), ci=(round(0.9 + i / 3, 3), round(2.6 + i / 3, 3)),
                p_value=0.01 * (i + 1), p_adjusted=0.021 * (i + 1), verdict="better" if i < 2 else "inconclusive",
                effect={"d_z": 0.3 + i / 10})
        for i, pair in enumerate(plain.pairs)
    )
    return replace(
        plain, unit="data set", correction="holm", scores=(*plain.scores, *low), places=(*plain.places, *places),
        pairs=(*plain.pairs, *pairs),
        mean_ranks=(
            replace(ranks, blocks="data set", n_blocks=7, gaps=gaps, groups=(("cedar", "ash"),), p_kind="asymptotic"),
            replace(ranks, metric="ter", blocks="data set", n_blocks=7, f=None, statistic=4.51, kendall_w=0.61,
                    p_value=0.0004, groups=(), systems=("birch", "cedar", "ash"), mean_ranks=(1.2, 2.1, 2.7),
                    critical_difference=0.31),
        ),
    )


def one_sided() -> Comparison:
    """Intervals without one of their ends."""
    plain = comparisons.with_margin()
    birch, cedar = plain.pairs
    return replace(plain, alternative="greater", buckets=(), pairs=(
        replace(birch, alternative="greater", ci=(-0.0389, math.inf), equivalence=None, verdict="inconclusive"),
        replace(cedar, alternative="less", ci=(-math.inf, 0.0917), equivalence=None),
    ))


def in_history() -> Comparison:
    """Decided over the looks at a test set, one of them made before, one without a p-value."""
    plain = margins_of_all()
    numbers = ((3, True, 0.0412, 0.0121, False), (4, False, 0.0023, 0.0113, True), (None, False, None, None, None))
    looks = tuple(
        PairInHistory(system=pair.system, baseline=pair.baseline, metric=pair.metric, family=f"family {i}",
                      number=number, seen_before=seen, p_value=p, level=at, rejected=rejected)
        for i, (pair, (number, seen, p, at, rejected)) in enumerate(zip(plain.pairs, numbers, strict=True))
    )
    known = KnownSet(digest="7" * 64, name="wmt22", known_by="name", n_items=48)
    kept = SetHistory(file="looks.db", test_set=known, before={"family 1": 2}, procedure="alpha-spending",
                      pairs=looks)
    return replace(plain, history=kept)


def board_in_history() -> Leaderboard:
    """A board whose pairs are looks at a known test set."""
    plain, kept = boards.board(), in_history().history
    assert kept is not None
    return replace(plain, history=replace(kept, procedure="saffron"))


def correlations_whole() -> Correlations:
    """Calibrated thresholds, a sampled p-value, a metric that is better, redrawn systems only."""
    plain = metrics_and_people.correlations()
    one, two, *_ = plain.correlations
    return replace(
        plain, alpha=0.1, resampled="systems", notes=(note("few_systems"), note("ties_calibrated", mended=False)),
        correlations=(
            replace(one, coefficient="accuracy", epsilon=0.0213, value=0.6317, ci=(0.5113, 0.7519), n_groups=17,
                    n_undefined=3, notes=("ties_calibrated", "few_systems")),
            replace(two, coefficient="accuracy", value=0.5917, ci=(0.4721, 0.7112), n_groups=16, n_undefined=4),
            replace(one, level="segment", value=None, ci=None, notes=()),
        ),
        pairs=(
            replace(plain.pairs[0], gain=0.0413, ci=(0.0117, 0.0713), p_value=0.0231, p_kind="monte-carlo",
                    p_error=0.0047, p_adjusted=0.0462, n_resamples=1000),
            replace(plain.pairs[1], gain=None, ci=None, p_value=None, p_adjusted=None, test="williams",
                    null="the correlations are the same", p_kind="asymptotic"),
        ),
    )


def correlations_of_one() -> Correlations:
    """One of each, so that nothing is corrected."""
    plain = correlations_whole()
    return replace(plain, correlations=plain.correlations[:1], pairs=plain.pairs[:1])


def _score(like: Score, system: str, value: float) -> Score:
    return replace(
        like, system=system, score=round(value, 4), ci=(round(value - 0.0611, 4), round(value + 0.0623, 4)),
        run_scores=(round(value + 0.0071, 4),), run_min=round(value - 0.0213, 4), run_max=round(value + 0.0317, 4),
        s_sel=round(0.03 + value / 50, 4),
    )
