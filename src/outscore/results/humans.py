"""The record of human ratings and preferences."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Annotated, Any

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer, flat_row
from outscore.results.details import describe_correction
from outscore.results.methods import describe_intervals
from outscore.results.result import Interval, Result, kinds

_FEW = 12
"""Pairs of systems that stand on the first screen."""
_MOST_NAMES = 3


@dataclass(frozen=True, kw_only=True)
class Wins:
    """How often a system is preferred.

    Attributes:
        expected_wins: mean over the other systems of the proportion of decided judgments it wins; None without any.
        ci: interval at level 1 - alpha.
        n_judgments: ratings of the system, or judgments that it takes part in; ``n_items``: items that were judged.
    """

    system: Annotated[str, Shown("")]
    expected_wins: Annotated[float | None, Shown("expected wins", "percent", ci="ci")]
    ci: Interval | None
    n_judgments: Annotated[int, Shown("judgments", "count")]
    n_items: Annotated[int, Shown("items", "count")]


@dataclass(frozen=True, kw_only=True)
class Preference:
    """One system against another, judged by the same people on the same items.

    Attributes:
        wins, ties, losses: judgments for the system, for neither, for the other one.
        share: proportion of wins among wins and losses; ``ci``: interval at level 1 - alpha.
        p_value: of the sign test over items (or clusters), see ``null``.
        items_won, items_lost: items on which the system wins, or loses, more often than not.
    """

    system: Annotated[str, Shown("")]
    other: Annotated[str, Shown("over")]
    wins: Annotated[int, Shown("wins", "count")]
    ties: Annotated[int, Shown("ties", "count")]
    losses: Annotated[int, Shown("losses", "count")]
    share: Annotated[float | None, Shown("preferred", "percent", ci="ci")]
    ci: Interval | None
    null: str
    p_value: Annotated[float | None, Shown("p, each by itself", "p")]
    p_adjusted: float | None
    items_won: Annotated[int, Shown("items won", "count")]
    items_lost: Annotated[int, Shown("items lost", "count")]

    @property
    def p(self) -> Annotated[float | None, Shown("p", "p")]:
        """The p-value that decides: after the correction where there is one."""
        return self.p_value if self.p_adjusted is None else self.p_adjusted

    @property
    def mirrored(self) -> Preference:
        """The same from the other side."""
        return dataclasses.replace(
            self, system=self.other, other=self.system, wins=self.losses, losses=self.wins,
            share=None if self.share is None else 1 - self.share,
            ci=None if self.ci is None else (1 - self.ci[1], 1 - self.ci[0]),
            items_won=self.items_lost, items_lost=self.items_won,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Rater:
    """One rater: how many ratings, their mean and their deviation (ddof 1)."""

    rater: Annotated[str, Shown("rater")]
    n_ratings: Annotated[int, Shown("ratings", "count")]
    mean: Annotated[float, Shown("mean", "number")]
    deviation: Annotated[float | None, Shown("deviation", "number")]


@kinds.register("humans")
@dataclass(frozen=True, kw_only=True, repr=False)
class Humans(Result):
    """Human judgments of several systems; ``scores`` are the mean ratings, where there are ratings.

    Attributes:
        human: name of the ratings; empty for preferences.
        standardized: ratings were turned into deviations from the rater's mean, in the rater's deviations.
        correction: over all pairs of systems.
        wins: of each system, the expected ones.
        preferences: of every two systems; ``raters``: how each rated.
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
            mean = means.get(wins.system)
            rows.append(flat_row(wins, mean=mean.score if mean else None, mean_ci=mean.ci if mean else None))
        return rows

    def verdict(self, w: Writer) -> Iterator[str]:
        """Who is preferred, and how much of that is shown."""
        if len(self.preferences) == 1:
            yield self._preference(self.preferences[0], w)
            return
        best = max(self.wins, key=lambda one: one.expected_wins or 0.0, default=None)
        if best is None or best.expected_wins is None:
            yield "No judgment decides between two systems."
            return
        ends = f" ({w.level()} CI {_ends(best.ci, w)})" if best.ci else ""
        share = w.percent(best.expected_wins)
        yield f"{w.name(best.system)} is expected to win most: {share} of decided judgments{ends}."
        yield self._differ(w)

    def _preference(self, pair: Preference, w: Writer) -> str:
        """``new is preferred to old in 68% of 40 decided judgments (95% CI 52% to 82%, p = .012).``"""
        if pair.share is None:
            return f"No judgment decides between {w.name(pair.system)} and {w.name(pair.other)}."
        pair = _with_more_first(pair)
        verb = "is preferred to" if self._holds(pair) else "is not shown to be preferred to"
        ends = f"{w.level()} CI {_ends(pair.ci, w)}, " if pair.ci else ""
        decided = w.count(pair.wins + pair.losses, "decided judgment")
        colon = "in" if self._holds(pair) else "or the other way round:"
        share = w.percent(pair.share)
        return f"{w.name(pair.system)} {verb} {w.name(pair.other)} {colon} {share} of {decided} ({ends}{w.p(pair.p)})."

    def _differ(self, w: Writer) -> str:
        """``2 of 3 pairs of systems differ: cedar over ash and cedar over birch.``"""
        held = [pair if pair.items_won > pair.items_lost else pair.mirrored for pair in self.preferences
                if self._holds(pair)]  # fmt: skip
        of = f"{w.count(len(self.preferences), 'pair')} of systems"
        if not held:
            return f"None of {of} is shown to differ."
        named = [f"{w.name(pair.system)} over {w.name(pair.other)}" for pair in held]
        *first, last = named
        said = f": {', '.join(first)}{' and ' * bool(first)}{last}" if len(named) <= _MOST_NAMES else ""
        return f"{len(held)} of {of} {'differs' if len(held) == 1 else 'differ'}{said}."

    def _holds(self, pair: Preference) -> bool:
        """Whether a preference is shown, by p and by the interval of all judgments."""
        alike = pair.ci is not None and pair.ci[0] <= 0.5 <= pair.ci[1]
        return pair.p is not None and pair.p <= self.alpha and not alike

    def views(self, w: Writer) -> Iterator[Any]:
        means = {score.system: score for score in self.scores}
        wins = sorted(self.wins, key=lambda one: one.expected_wins or 0.0, reverse=True)
        rows = [(one, means.get(one.system)) for one in wins]
        ratings = ("score",) if means else ()
        columns = ("system", "expected_wins", *ratings, "n_judgments", "n_items")
        two = len(self.wins) == 2 and not means  # whose one pair says all
        yield w.table("How often a system is preferred", rows, columns, first=not two)
        if self.preferences:
            pairs = [_with_more_first(pair) for pair in self.preferences]
            few, columns = len(pairs) <= _FEW, ("system", "other", "wins", "ties", "losses", "share", "p")
            yield w.table("Pairs of systems", pairs, columns, first=few, by_metric=False, naming=2)
            tested = ("system", "other", "items_won", "items_lost", "p_value")
            yield w.table("Sign tests", pairs, tested, by_metric=False, naming=2)
        if self.raters:
            yield w.table("Raters", self.raters, ("rater", "n_ratings", "mean", "deviation"), by_metric=False)

    def how(self, w: Writer) -> str:
        units = "items" if self.provenance.cluster is None else "clusters"
        pairs = len(self.preferences)
        corrected = f"{w.count(pairs, 'pair')}: p {self._corrected(w)}. " if pairs > 1 else ""
        return f"Sign test over {units} (exact), two-sided. {corrected}{self._size(w)}."

    def _corrected(self, w: Writer) -> str:
        return "not corrected" if self.correction == "none" else f"by {w.name(describe_correction(self.correction))}"

    def _size(self, w: Writer) -> str:
        provenance = self.provenance
        clusters = ""
        if provenance.n_clusters is not None:
            clusters = f" in {w.count(provenance.n_clusters, 'cluster')} ({w.name(provenance.cluster)})"
        raters = f", {w.count(len(self.raters), 'rater')}" if self.raters else ""
        return f"{w.count(provenance.n_items_read, 'item')}{clusters}{raters}"

    def method(self, w: Writer) -> Iterator[str]:
        yield "Expected wins: the mean over the other systems of wins over wins and losses (Koehn 2012)."
        for null in dict.fromkeys(pair.null for pair in self.preferences):
            yield f"Test of each pair: sign test, exact, two-sided. Null hypothesis: {w.name(null)}."
        if len(self.preferences) > 1:
            yield f"{w.count(len(self.preferences), 'pair')}: p {self._corrected(w)}."
        yield "Preferred: wins over wins and losses; ties count for neither."
        if self.standardized:
            yield "Ratings are deviations from the mean of their rater, in standard deviations of that rater."
        clusters = self.provenance.cluster
        units = "items" if clusters is None else f"clusters ({w.name(clusters)})"
        yield (
            f"{w.level()} Wilson intervals of proportions, each by itself, of as many judgments as would vary like "
            f"these {units} (CR2), by Student's t."
        )
        yield from describe_intervals(self, {"mean ratings": [score.ci_method for score in self.scores]}, w)
        yield f"{self._size(w)}; alpha {self.alpha:g}."

    def __repr__(self) -> str:
        return f"<Humans on {inflect(len(self.wins), 'system')}: {len(self.preferences)} pairs>"


def _with_more_first(pair: Preference) -> Preference:
    """The pair from the side of the system that is preferred more often."""
    return pair.mirrored if pair.share is not None and pair.share < 0.5 else pair


def _ends(ci: Interval, w: Writer) -> str:
    return f"{w.percent(ci[0])} to {w.percent(ci[1])}"
