"""The records and pictures of a leaderboard: places, two systems beside one another, and mean ranks on blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, Literal

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer
from outscore.results.pairs import DECIDED, Pair
from outscore.results.pictures import Chart, RankBars, Signs, Squares
from outscore.results.result import Interval, Score
from outscore.results.sentences import arrow_of


@dataclass(frozen=True, kw_only=True)
class Place:
    """One system on the leaderboard of one metric; rank 1 is the best.

    Attributes:
        rank: by the score alone; systems of the same score share the better one.
        best, worst: the rank set. All systems under all metrics together have their true ranks between these with
            probability 1 - alpha, if the correction bounds the family-wise error.
        tier: number of its tier, from 1: every system of an earlier tier is significantly better.
        letters: systems that share a letter do not differ significantly; none where the metric is described alone.
        bootstrap: ranks of the central share 1 - alpha of the resampled test sets; descriptive.
        first: proportion of the resampled test sets in which it is best, ties split; descriptive.
    """

    system: Annotated[str, Shown("system", marked=True)]
    metric: str
    rank: Annotated[int, Shown("rank", "whole")]
    best: int
    worst: int
    tier: Annotated[int, Shown("tier", "whole")]
    letters: Annotated[str, Shown("letters")]
    bootstrap: tuple[int, int]
    first: Annotated[float, Shown("resampled first", "percent")]

    @property
    def rank_set(self) -> Annotated[str | None, Shown("may be", "whole", bar="span")]:
        """``2–5``, or ``1``; None where the metric is described alone."""
        return describe_range(self.best, self.worst) if self.letters else None

    @property
    def span(self) -> tuple[float, float, float] | None:
        """The rank within the rank set."""
        return (self.best, self.rank, self.worst) if self.letters else None

    @property
    def resampled(self) -> Annotated[str, Shown("resampled ranks", "whole")]:
        """``2–5``, or ``1``."""
        return describe_range(*self.bootstrap)


@dataclass(frozen=True, kw_only=True)
class RankGap:
    """Two systems by their ranks on blocks.

    Attributes:
        system: the one of the better mean rank; ``other``: the other one.
        gap: mean rank of the other minus that of the system.
        p_nemenyi: of the gap, adjusted over all pairs; it depends on which other systems are ranked.
        p_wilcoxon: of Wilcoxon's test of the scores on the blocks, of these two systems alone, adjusted by Holm.
    """

    system: str
    other: str
    gap: float
    p_nemenyi: float
    p_wilcoxon: float


@dataclass(frozen=True, kw_only=True)
class MeanRanks:
    """Systems by their mean ranks on blocks (data sets, domains, documents, items), by Friedman's test.

    Attributes:
        blocks: their name; ``n_blocks``: how many.
        null: the null hypothesis, in words.
        statistic: Friedman's χ², corrected for ties; ``f``: of Iman and Davenport, None where all blocks agree.
        df, df_blocks: degrees of freedom of F; ``df`` is that of χ² too.
        p_value: by all orders within blocks where they can be enumerated, else of F; ``p_kind`` says which.
        kendall_w: agreement of the blocks, between 0 and 1.
        critical_difference: of Nemenyi: mean ranks of any two systems that lie as far apart, or farther, differ.
        systems: from the best mean rank on; ``mean_ranks``: theirs.
        groups: largest sets of systems whose mean ranks all lie less than the critical difference apart.
        gaps: one for every two systems.
    """

    metric: str
    blocks: str
    n_blocks: int
    null: str
    statistic: float
    f: float | None
    df: int
    df_blocks: int
    p_value: float
    p_kind: str
    kendall_w: float
    critical_difference: float
    systems: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    groups: tuple[tuple[str, ...], ...]
    gaps: tuple[RankGap, ...]

    @property
    def ranked_on(self) -> str:
        """``14 data sets``; ``14 values of category`` for a column."""
        if self.blocks in ("item", "data set", "domain"):
            return inflect(self.n_blocks, self.blocks)
        return f"{self.n_blocks} values of {self.blocks}"

    def verdict(self, w: Writer, alpha: float) -> str:
        """Whether mean ranks differ, whose is the best, and how many lie too close to it."""
        differ = "differ" if self.p_value <= alpha else "are not shown to differ"
        best = self.mean_ranks[0]
        near = sum(rank - best < self.critical_difference for rank in self.mean_ranks) - 1
        close = f"within the critical difference of {w.fixed(self.critical_difference)}"
        others = f"{near} {'other lies' if near == 1 else 'others lie'} {close}" if near else f"no other lies {close}"
        return (
            f"Mean ranks on {w.name(self.ranked_on)} {differ} (Friedman, {w.p(self.p_value)}): "
            f"{w.name(self.systems[0])} has the best, {w.fixed(best)}; {others}."
        )

    def method(self, w: Writer, alpha: float) -> Iterator[str]:
        """Friedman's test, and how pairs of systems were compared."""
        law = "all orders" if self.p_kind == "exact" else f"F with {self.df} and {self.df_blocks} df"
        f = "" if self.f is None else f", Iman-Davenport F {w.number(self.f)}"
        by = {name: sum(getattr(gap, name) <= alpha for gap in self.gaps) for name in ("p_nemenyi", "p_wilcoxon")}
        yield (
            f"Mean ranks of {w.label(self.metric)} on {w.name(self.ranked_on)}, Friedman: {w.p(self.p_value)} ({law}); "
            f"χ² {w.number(self.statistic)}{f}, Kendall's W {w.score(self.kendall_w)}. "
            f"Null hypothesis: {w.name(self.null)}."
        )
        yield (
            f"Critical difference of Nemenyi: {w.fixed(self.critical_difference)}. {by['p_nemenyi']} of "
            f"{w.count(len(self.gaps), 'pair')} differ by Nemenyi, {by['p_wilcoxon']} by Wilcoxon with Holm, which "
            "does not depend on the pool."
        )


@dataclass(frozen=True, kw_only=True)
class _RankedSystem:
    """A system by its mean rank, with the signs of the groups that it belongs to."""

    system: Annotated[str, Shown("")]
    metric: str
    mean_rank: Annotated[float, Shown("mean rank", "fixed")]
    groups: Annotated[str, Shown("within the CD")]


def tables_of_mean_ranks(found: Sequence[MeanRanks], w: Writer) -> Iterator[Any]:
    """Mean ranks and which of them lie close together, a table for each kind of blocks."""
    for ranked_on in dict.fromkeys(one.ranked_on for one in found):
        rows = [
            _RankedSystem(
                system=system,
                metric=one.metric,
                mean_rank=rank,
                groups=" ".join(_sign(g) for g, group in enumerate(one.groups) if system in group),
            )
            for one in found
            if one.ranked_on == ranked_on
            for system, rank in zip(one.systems, one.mean_ranks, strict=True)
        ]
        said = "within the CD: systems that share a sign lie less than the critical difference apart."
        columns = ("system", "mean_rank", "groups")
        yield w.table(f"Mean ranks on {w.name(ranked_on)}", rows, columns, footnotes=(said,))


def _sign(number: int) -> str:
    """A ... Z, then numbers."""
    return chr(ord("A") + number) if number < 26 else str(number + 1)


@dataclass(frozen=True, kw_only=True)
class BoardPair:
    """Two systems of a board, as a rule the one that stands higher first.

    Attributes:
        gain: of the system over the other one; ``ci``: its interval; ``p``: after the correction.
        preferred: chance that the system is preferred, of ratings.
        verdict: ``better`` or ``worse``, of the system; empty where that is open.
    """

    system: Annotated[str, Shown("")]
    other: Annotated[str, Shown("over")]
    metric: str
    gain: Annotated[float, Shown("gain", "gain", ci="ci", bar=True)]
    ci: Interval | None
    p: Annotated[float | None, Shown("p", "p")]
    preferred: Annotated[float | None, Shown("preferred", "percent")]
    verdict: Literal["better", "worse", ""]

    @property
    def mirrored(self) -> BoardPair:
        """The same from the other side."""
        return BoardPair(
            system=self.other, other=self.system, metric=self.metric, gain=-self.gain,
            ci=None if self.ci is None else (-self.ci[1], -self.ci[0]), p=self.p,
            preferred=None if self.preferred is None else 1 - self.preferred, verdict=_MIRRORED[self.verdict],
        )  # fmt: skip


def match_of(pair: Pair) -> BoardPair:
    """A pair of a comparison as two systems of a board."""
    return BoardPair(
        system=pair.system, other=pair.baseline, metric=pair.metric, gain=pair.gain, ci=pair.ci, p=pair.p,
        preferred=pair.preference.chance_preferred if pair.preference else None,
        verdict=DECIDED.get(pair.verdict, ""),
    )  # fmt: skip


_MIRRORED: dict[str, Literal["better", "worse", ""]] = {"better": "worse", "worse": "better", "": ""}


def describe_range(low: int, high: int) -> str:
    """``2–5``, or ``1``."""
    return str(low) if low == high else f"{low}–{high}"


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
    arrow = f"{arrow_of(first)} ".lstrip()
    lines = f"a line ends a tier ({len(ends) + 1} tiers)" if ends else "one tier: no line divides the systems"
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
            RankBars(axis=f"{w.label(first.metric)} {arrow}with {w.level()} intervals", rows=tuple(rows), tiers=ends),
        ),
    )


def chart_wins(
    systems: Sequence[str], matches: Sequence[BoardPair], by: str, corrected: str, alpha: float, w: Writer
) -> Chart:
    """A square for every two systems.

    Args:
        systems: from the best on; ``matches``: the pairs of them that were compared, once each.
        by: the metric, where there are several; ``corrected``: how p-values were corrected.
        alpha: level.
    """
    k = len(systems)
    lacking = k * (k - 1) // 2 - len(matches)
    pairs = {(one.system, one.other): one for match in matches for one in (match, match.mirrored)}
    held = sum(match.verdict != "" for match in matches)
    rows = tuple(
        {
            "row": w.name(a),
            "column": w.name(b),
            "outcome": _SAID[one.verdict],
            "gain": w.gain(one.gain, one.metric),
            "p": w.p(one.p, ""),
        }
        for a in systems
        for b in systems
        if (one := pairs.get((a, b))) is not None
    )
    few = k <= _MOST_NUMBERS
    return Chart(
        heading="Who beats whom",
        name="wins",
        title=f"{held} of {inflect(len(matches), 'pair')} of systems differ{by}",
        under=(
            f"p ≤ {alpha:g}{corrected}; gain of the row over the column",
            f"{inflect(lacking, 'pair')} not compared" if lacking else "",
        ),
        arranged="alone",
        panels=(
            Squares(
                names=tuple(map(w.name, systems)), rows=rows, down="row", across="column",
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
