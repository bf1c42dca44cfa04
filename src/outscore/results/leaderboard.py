"""The record of a leaderboard: which ranks systems can have, who beats whom, and mean ranks on blocks."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from outscore.base.errors import inflect
from outscore.results.comparison import Pair
from outscore.results.result import Result, kinds
from outscore.results.set_history import SetHistory


@dataclass(frozen=True, kw_only=True)
class Place:
    """One system on the leaderboard of one metric; rank 1 is the best.

    Attributes:
        rank: by the score alone; systems of the same score share the better one.
        best, worst: the rank set. All systems under all metrics together have their true ranks between these with
            probability 1 - alpha, if the correction bounds the family-wise error.
        tier: number of its tier, from 1: every system of an earlier tier is significantly better.
        letters: systems that share a letter do not differ significantly.
        bootstrap: ranks of the central 1 - alpha of the resampled test sets; descriptive.
        first: proportion of the resampled test sets in which it is best, ties split; descriptive.
    """

    system: str
    metric: str
    rank: int
    best: int
    worst: int
    tier: int
    letters: str
    bootstrap: tuple[int, int]
    first: float


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
        chi2: Friedman's, corrected for ties; ``f``: of Iman and Davenport, None where all blocks agree.
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
    chi2: float
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


@kinds.register("rank")
@dataclass(frozen=True, kw_only=True, repr=False)
class Leaderboard(Result):
    """Systems in order, with the ranks that they can have.

    Attributes:
        kind: of the scores: ``scores``, or ``ratings`` of Bradley and Terry from preferences.
        unit: of one item: ``item``, ``data set``, or the name of the clusters of preferences.
        correction: over all pairs of systems and all metrics.
        places: best first, metric by metric.
        pairs: every two systems; ``system`` stands after ``baseline`` in the order of the data.
        mean_ranks: for each metric, where there are blocks.
        effect: named numbers of the ratings (judgments, ties, ν).
        history: earlier comparisons on the same test set; None where no history is kept.
    """

    kind: str
    unit: str
    correction: str
    places: tuple[Place, ...]
    pairs: tuple[Pair, ...]
    mean_ranks: tuple[MeanRanks, ...] = ()
    effect: Mapping[str, float | int | str | None] = field(default_factory=dict)
    history: SetHistory | None = None
    command: str = "rank"

    @property
    def n_judgments(self) -> int | None:
        """The judgments that ratings were made of."""
        return self._counted("judgments")

    @property
    def n_ties(self) -> int | None:
        """The judgments that were ties."""
        return self._counted("ties")

    @property
    def tie_parameter(self) -> float | None:
        """Davidson's ν, where ties are an outcome of their own."""
        found = self.effect.get("tie_parameter")
        return float(found) if isinstance(found, int | float) else None

    def _counted(self, name: str) -> int | None:
        found = self.effect.get(name)
        return found if isinstance(found, int) else None

    def board(self, metric: str) -> tuple[Place, ...]:
        """The places under one metric, best first."""
        return tuple(place for place in self.places if place.metric == metric)

    def leaders(self, metric: str) -> tuple[str, ...]:
        """The systems that can have rank 1."""
        return tuple(place.system for place in self.board(metric) if place.best == 1)

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each system and metric, best first."""
        scores = {(score.system, score.metric): score for score in self.scores}
        rows = []
        for place in self.places:
            row = dataclasses.asdict(place)
            row["bootstrap_low"], row["bootstrap_high"] = row.pop("bootstrap")
            score = scores[place.system, place.metric]
            row["score"], row["n_items"] = score.score, score.n_items
            row["ci_low"], row["ci_high"] = score.ci or (None, None)
            rows.append(row)
        return rows

    def to_dict(self) -> dict[str, Any]:
        """The public JSON contract as plain dictionaries; ``history`` is there only where one is kept."""
        plain = super().to_dict()
        return {key: value for key, value in plain.items() if key != "history" or value is not None}

    def check_whole(self) -> None:
        """Raises TypeError where a place or a pair has no scores."""
        measured = {(score.system, score.metric) for score in self.scores}
        named = {(place.system, place.metric) for place in self.places}
        named |= {(name, pair.metric) for pair in self.pairs for name in (pair.system, pair.baseline)}
        if not named <= measured:
            raise TypeError(f"no scores for {sorted(named - measured)[0]}")

    def __repr__(self) -> str:
        metrics = dict.fromkeys(score.metric for score in self.scores)
        systems = inflect(len({place.system for place in self.places}), "system")
        return f"<Leaderboard of {systems}: {', '.join(metrics)}>"
