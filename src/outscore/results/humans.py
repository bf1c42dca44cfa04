"""The record of human ratings and preferences."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from outscore.base.errors import inflect
from outscore.results.result import Interval, Result, kinds


@dataclass(frozen=True, kw_only=True)
class Wins:
    """How often a system is preferred.

    Attributes:
        expected_wins: mean over the other systems of the proportion of decided judgments it wins; None without any.
        ci: interval at level 1 - alpha.
        n_judgments: ratings of the system, or judgments that it takes part in; ``n_items``: items that were judged.
    """

    system: str
    expected_wins: float | None
    ci: Interval | None
    n_judgments: int
    n_items: int


@dataclass(frozen=True, kw_only=True)
class Preference:
    """One system against another, judged by the same people on the same items.

    Attributes:
        wins, ties, losses: judgments for the system, for neither, for the other one.
        share: proportion of wins among wins and losses; ``ci``: interval at level 1 - alpha.
        p_value: of the sign test over items (or clusters), see ``null``.
        items_won, items_lost: items on which the system wins, or loses, more often than not.
    """

    system: str
    other: str
    wins: int
    ties: int
    losses: int
    share: float | None
    ci: Interval | None
    null: str
    p_value: float | None
    p_adjusted: float | None
    items_won: int
    items_lost: int


@dataclass(frozen=True, kw_only=True)
class Rater:
    """One rater: how many ratings, their mean and their deviation (ddof 1)."""

    rater: str
    n_ratings: int
    mean: float
    deviation: float | None


@kinds.register("humans")
@dataclass(frozen=True, kw_only=True, repr=False)
class Humans(Result):
    """Human judgments of several systems; ``scores`` are the mean ratings, where there are ratings.

    Attributes:
        human: name of the ratings; empty for preferences.
        standardized: ratings were turned into deviations from the rater's mean, in the rater's deviations.
        correction: over all pairs of systems.
    """

    human: str
    standardized: bool
    correction: str
    wins: tuple[Wins, ...]
    preferences: tuple[Preference, ...]
    raters: tuple[Rater, ...] = ()
    command: str = "humans"

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each system."""
        means = {score.system: score for score in self.scores}
        rows = []
        for wins in self.wins:
            row = dataclasses.asdict(wins)
            row["wins_low"], row["wins_high"] = row.pop("ci") or (None, None)
            mean = means.get(wins.system)
            row["mean"] = None if mean is None else mean.score
            row["mean_low"], row["mean_high"] = (mean.ci if mean else None) or (None, None)
            rows.append(row)
        return rows

    def __repr__(self) -> str:
        return f"<Humans on {inflect(len(self.wins), 'system')}: {len(self.preferences)} pairs>"
