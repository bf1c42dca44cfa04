"""A board of so many systems that its pictures are drawn otherwise."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from outscore.results.leaderboard import Leaderboard
from outscore.results.places import RankGap
from tests.report.kinds import boards

# fmt: off

def board_of_many() -> Leaderboard:
    """So many systems that each has a row of its own in the picture of mean ranks."""
    plain = boards.board()
    names = [f"s{i:02}" for i in range(22)]
    (ranks,) = plain.mean_ranks
    place, score, pair = plain.places[0], plain.scores[0], plain.pairs[0]
    return replace(
        plain,
        scores=tuple(replace(score, system=name) for i, name in enumerate(names)),
        places=tuple(
            replace(place, system=name, rank=i + 1, best=max(i - 1, 1), worst=i + 3, tier=1 + i // 6,
                    letters="abcd"[i // 6], bootstrap=(max(i, 1), i + 2), first=round(0.5 ** (i + 1), 6))
            for i, name in enumerate(names)
        ),
        pairs=tuple(
            replace(pair, system=other, baseline=name, gain=round((0.02 + i / 900) * (-1) ** i, 4),
                    p_adjusted=0.001 * (i + 1), verdict=("better", "worse", "inconclusive")[i % 3])
            for i, (name, other) in enumerate(combinations(names, 2))
        ),
        mean_ranks=(replace(
            ranks, systems=tuple(names), mean_ranks=tuple(1.3 + 0.9 * i for i in range(22)), critical_difference=3.3,
            groups=(tuple(names[:3]), tuple(names[2:6])),
            gaps=tuple(RankGap(system=name, other=other, gap=0.9, p_nemenyi=0.004 * i, p_wilcoxon=0.0041 * i)
                       for i, (name, other) in enumerate(combinations(names, 2), 1)),
        ),),
    )
