"""The pictures of a leaderboard: rank sets beside the scores, who beats whom, and mean ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from outscore.base.errors import inflect
from outscore.results.declared import Writer
from outscore.results.pictures import Chart, RankBars, Signs, Squares
from outscore.results.places import BoardPair, MeanRanks, Place
from outscore.results.result import Score

_CELL, _SMALL_CELL, _ROW, _MOST_NUMBERS = 46, 15, 24, 12
_MOST_ON_A_LINE = 20
_SAID = {"better": "row better", "worse": "row worse", "": "open"}
_SIGNS = Signs(field="outcome", colours={"row better": "blue", "row worse": "orange", "open": "grid"}, legend=True)


def chart_board(
    board: Sequence[Place], scores: Mapping[str, Score], leaders: Sequence[str], by: str, claim: str, w: Writer
) -> Chart:
    """Scores with their intervals, and rank sets, system by system.

    Args:
        board: from the best on; ``scores``: of the systems.
        leaders: who may be the best.
        by: the metric, where there are several.
        claim: what the rank sets hold.
    """
    k, first = len(board), scores[board[0].system]
    ends = tuple(w.name(a.system) for a, b in pairwise(board) if a.tier != b.tier)
    if len(leaders) == 1:
        found = f"{w.name(leaders[0])} leads the {k} systems{by}"
    elif len(leaders) == k:
        found = f"Any of the {k} systems may be the best{by}"
    else:
        found = f"{len(leaders)} of {k} systems may be the best{by}"
    lines = f"a line ends a tier ({len(ends) + 1} tiers)" if ends else "one tier: no line divides the systems"
    arrow = "↑" if first.higher_is_better else "↓"
    rows = [
        {
            "system": w.name(place.system),
            "value": score.score,
            **dict(zip(("low", "high"), score.ci or (None, None), strict=True)),
            "score": f"{w.score(score.score, score.metric)} {w.interval(score.ci, score.metric, of='score')}",
            "rank": place.rank,
            "from": place.best - 0.4,
            "to": place.worst + 0.4,
            "rank set": place.rank_set,
            "letters": place.letters,
            "said": f"{place.rank_set}  {place.letters}",
        }
        for place in board
        for score in [scores[place.system]]
    ]
    return Chart(
        heading="Ranks that the systems can have",
        name="board",
        title=found,
        under=(
            f"right: rank by the score, and the rank set; {claim}",
            f"{lines}; systems that share a letter do not differ significantly",
        ),
        arranged="alone",
        panels=(
            RankBars(axis=f"{w.label(first.metric)} {arrow} with {w.level()} intervals", rows=tuple(rows), tiers=ends),
        ),
    )


def chart_wins(
    board: Sequence[Place], matches: Sequence[BoardPair], by: str, corrected: str, alpha: float, w: Writer
) -> Chart:
    """A square for every two systems.

    Args:
        board: from the best on; ``matches``: every two of them once.
        by: the metric, where there are several; ``corrected``: how p-values were corrected.
        alpha: level.
    """
    k = len(board)
    pairs = {(one.system, one.other): one for match in matches for one in (match, match.mirrored)}
    held = sum(match.verdict != "" for match in matches)
    rows = tuple(
        {
            "row": w.name(a.system),
            "column": w.name(b.system),
            "outcome": _SAID[one.verdict],
            "gain": w.gain(one.gain, one.metric),
            "p": w.p(one.p, ""),
        }
        for a in board
        for b in board
        if a is not b
        for one in [pairs[a.system, b.system]]
    )
    few = k <= _MOST_NUMBERS
    return Chart(
        heading="Who beats whom",
        name="wins",
        title=f"{held} of {inflect(k * (k - 1) // 2, 'pair')} of systems differ{by}",
        under=(f"p ≤ {alpha:g}{corrected}; gain of the row over the column",),
        arranged="alone",
        panels=(
            Squares(
                names=tuple(w.name(place.system) for place in board), rows=rows, down="row", across="column",
                signs=_SIGNS, text="gain" if few else "", tips=("row", "column", "gain", "p", "outcome"),
                step=_CELL if few else _SMALL_CELL, height=_ROW if few else 0,
            ),
        ),
    )  # fmt: skip


def chart_mean_ranks(found: MeanRanks, by: str, alpha: float, w: Writer) -> Chart:
    """Mean ranks on a line, with bars over the systems that lie close together (Demšar 2006, Figure 1)."""
    differ = sum(gap.p_nemenyi <= alpha for gap in found.gaps)
    how = "bars join systems" if len(found.systems) <= _MOST_ON_A_LINE else "systems whose bars overlap lie"
    return Chart(
        heading="Mean ranks",
        name="ranks",
        title=f"{differ} of {len(found.gaps)} pairs differ in mean rank on {w.name(found.ranked_on)}{by}",
        under=(
            f"Friedman {w.p(found.p_value)}; {how} within Nemenyi's critical difference of "
            f"{w.fixed(found.critical_difference, 2)}, alpha {alpha:g}",
            "a pair's answer depends on which other systems are ranked",
        ),
        arranged="alone",
        panels=(found,),
    )
