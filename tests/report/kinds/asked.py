"""Results that hold what is there only where it was asked for, and boards of many systems or metrics."""

from __future__ import annotations

from dataclasses import replace

from outscore.results.buckets import Interaction
from outscore.results.comparison import Comparison
from outscore.results.curves import Curve, Decision
from outscore.results.leaderboard import Leaderboard
from outscore.results.overall import WordGain, WordGains
from outscore.results.scores import Scores
from tests.report.kinds import boards, classified, comparisons, rare_comparisons

# fmt: off

def in_buckets() -> Comparison:
    """Gains by domain, which differ, in one pair; another is too small."""
    plain = rare_comparisons.parts_of_many()
    names = [pair.system for pair in plain.pairs[:3]]
    return replace(
        plain, options={"by": "domain"}, pairs=plain.pairs[:3], scores=plain.scores[:4],
        buckets=tuple(bucket for bucket in plain.buckets if bucket.system in names),
        interactions=tuple(
            Interaction(
                system=name, baseline="ash", metric="mean", by="domain", n_buckets=2 + i, p_kind="monte-carlo",
                test=("buckets permuted among items", "signs flipped")[i % 2], statistic=4.13 + i / 7,
                p_value=p, p_error=0.0013 + i / 900, p_adjusted=p and 1.7 * p, n_resamples=1000 + i,
                left_out=("web",) if i else (),
            )
            for i, (name, p) in enumerate(zip(names, (0.0113, 0.3117, None), strict=True))
        ),
    )


def with_words() -> Comparison:
    """Words that one system has right more often."""
    plain = comparisons.two()
    rows = (("the house", 31, 12.0, 19.0, 0.2258, 0.0117), ("a", 47, 39.0, 25.0, -0.2979, 0.0413))
    return replace(plain, words=(WordGains(
        system="birch", baseline="ash", n_tested=317, n_better=5, n_worse=3,
        words=tuple(
            WordGain(system="birch", baseline="ash", words=words, n_references=n, baseline_right=one,
                     system_right=other, gain=gain, ci=(round(gain - 0.11, 4), round(gain + 0.13, 4)), p_adjusted=p)
            for words, n, one, other, gain, p in rows
        ),
    ),))


def with_regions() -> Comparison:
    """What each test rejects: on both sides, on one, and not known."""
    plain = comparisons.clustered()
    birch, cedar = plain.pairs
    known: dict[str, float | int | str | None] = {
        "critical": "gain", "critical_at": 0.0713, "critical_low": -0.0517, "critical_high": 0.0613,
        "critical_size": 0.0471,
    }
    return replace(plain, pairs=(
        replace(birch, effect={**birch.effect, **known}),
        replace(cedar, effect={**cedar.effect, **known, "critical": "wins", "critical_at": 28, "critical_low": None,
                               "critical_high": 33, "critical_size": 0.0293}),
        replace(cedar, system="birch", baseline="cedar", effect={"critical": ""}),
    ))


def with_flips() -> Comparison:
    """Items that decide, asked for by their number."""
    plain = comparisons.with_details()
    return replace(plain, options={"flips": 3}, pairs=plain.pairs[:1])


def decisions() -> Scores:
    """What is decided at each threshold, of two systems."""
    plain = classified.curves()
    return replace(plain, curves=tuple(
        Curve(system=curve.system, run="1", kind="threshold", points=tuple(
            Decision(
                threshold=point.threshold,
                x=round(0.31 + i / 19, 4), x_ci=(round(0.2 + i / 23, 4), round(0.4 + i / 17, 4)),
                y=round(0.93 - i / 29, 4), y_ci=(round(0.83 - i / 31, 4), round(0.97 - i / 37, 4)),
                z=round(0.6 + (i % 7) * (1 + n) / 41, 4), z_ci=(round(0.5 + i / 43, 4), round(0.61 + i / 47, 4)),
                at=((i * 5 + n) % 9, (i * 3) % 8),
            )
            for i, point in enumerate(curve.points)
        ))
        for n, curve in enumerate(plain.curves or ())
    ))


def board_of_metrics() -> Leaderboard:
    """So many metrics that each has a line."""
    plain = boards.board()
    names = ("mean", "bleu", "chrf", "ter", "comet")
    order = {"mean": (0, 1, 2), "bleu": (0, 2, 1), "chrf": (1, 0, 2), "ter": (0, 1, 2), "comet": (2, 0, 1)}
    return replace(
        plain, mean_ranks=(),
        scores=tuple(
            replace(score, metric=name, signature=name, score=round(score.score + i / 19 + j / 7, 4),
                    higher_is_better=name != "ter")
            for i, name in enumerate(names) for j, score in enumerate(plain.scores)
        ),
        places=tuple(
            replace(plain.places[k], system=plain.places[j].system, metric=name, worst=1 + (i + k) % 3)
            for i, name in enumerate(names) for k, j in enumerate(order[name])
        ),
        pairs=tuple(
            replace(pair, metric=name, gain=round(pair.gain * (1 + i / 7), 5),
                    p_adjusted=round(0.0071 * (1 + i + 3 * j), 4),
                    verdict=("better", "inconclusive", "worse")[(i * j) % 3])
            for i, name in enumerate(names) for j, pair in enumerate(plain.pairs)
        ),
    )


def board_of_ten() -> Leaderboard:
    """So many systems that every two are shown by a sign; one of two that are first, with mean ranks by item."""
    plain = boards.board()
    (ranks,) = plain.mean_ranks
    place, score, pair = plain.places[0], plain.scores[0], plain.pairs[0]
    names = [f"s{i}" for i in range(10)]
    return replace(
        plain,
        scores=tuple(replace(score, system=name, score=round(0.91 - i / 31, 4)) for i, name in enumerate(names)),
        places=tuple(
            replace(place, system=name, rank=max(i, 1), best=max(i - 1, 1), worst=i + 2, tier=1 + i // 4,
                    letters="abc"[i // 4], bootstrap=(max(i, 1), i + 2), first=round(0.5 ** (i + 1), 5))
            for i, name in enumerate(names)
        ),
        pairs=tuple(
            replace(pair, system=names[j], baseline=names[i], gain=round((j - i) / -47 + i / 900, 4), ci=None,
                    p_adjusted=round(0.0007 * (1 + i + 11 * (j % 3)), 5),
                    verdict=("worse", "inconclusive", "better")[(i + j) % 3])
            for i in range(10) for j in range(i + 1, 10)
        ),
        mean_ranks=(replace(
            ranks, blocks="item", n_blocks=48, p_value=0.0113, systems=tuple(names), critical_difference=2.31,
            mean_ranks=tuple(round(1.7 + 0.9 * i, 2) for i in range(10)), groups=(tuple(names[:3]), tuple(names[2:5])),
            gaps=(),
        ),),
    )
