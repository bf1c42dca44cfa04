"""How often something happens on null versions of the data, with the error of counting it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from outscore.base.arrays import Bool
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine.beta import normal_ppf
from outscore.results.study import DataTable, Finding
from outscore.significance.notes import ITEMS_ONLY
from outscore.studies.shared.form import METRIC, POINT, Fields, Row, Verdict, compare_numbers, hidden, number, text
from outscore.studies.shared.material import Material


@dataclass(frozen=True)
class Rate:
    """How often something happened on null versions.

    Attributes:
        value: the proportion; ``error``: its Monte-Carlo standard error, never 0.
    """

    value: float
    error: float

    @classmethod
    def of(cls, happened: Bool, n_draws: int) -> Rate:
        """From the versions on which it happened, and the resamples that their p-values rest on."""
        n, hits = len(happened), int(happened.sum())
        away = (hits + 1) / (n + 2)
        return cls(hits / n, math.sqrt(away * (1 - away) * (1 / n + 1 / n_draws)))

    @classmethod
    def mean(cls, rates: Iterable[Rate]) -> Rate:
        """Of rates from independent draws."""
        some = list(rates)
        return cls(
            math.fsum(rate.value for rate in some) / len(some),
            math.sqrt(math.fsum(rate.error**2 for rate in some)) / len(some),
        )

    def to_plain(self) -> list[float]:
        """As values that JSON can hold; ``Rate(*plain)`` is the rate."""
        return [self.value, self.error]

    def ends(self, alpha: float) -> tuple[float, float]:
        """Its interval at level 1 - alpha, from 0 to 1."""
        half = -normal_ppf(alpha / 2) * self.error
        return max(0.0, self.value - half), min(1.0, self.value + half)


def rate_finding(what: str, rate: Rate, expected: float | None, *, at_most: bool = False, reason: str = "") -> Finding:
    """A rate beside its law, or beside what it may be at most."""
    verdict: Verdict = ""
    if expected is not None:
        # what may be at most so much is no further from it than by what is above
        value = max(rate.value, expected) if at_most else rate.value
        verdict = compare_numbers(value, expected, rate.error, POINT)
    return Finding(
        what=what,
        value=rate.value,
        kind="share",
        error=rate.error,
        expected=expected,
        margin=None if expected is None else POINT,
        verdict=verdict,
        reason=reason if verdict == "differs" else "",
    )


def count_findings(pairs: Iterable[tuple[str, Sequence[float]]], alpha: float) -> list[Finding]:
    """How many pairs are significant, for each choice of their p-values."""
    return [Finding(what=what, value=sum(p <= alpha for p in ps), kind="count") for what, ps in pairs]


def choice_findings(cells: Sequence[Mapping[str, Any]], alpha: float, what: str, reason: str) -> list[Finding]:
    """How often a free choice finds something on null versions, and what the corrections leave; means over cells.

    Args:
        cells: each with the rates ``free``, ``after_holm`` and ``after_joint``, and the ``normal`` law of the first;
            those in which nothing ``varies`` are left out.
        what: the choice, in words.
        reason: why rates may differ from theory.
    """
    moving = [cell for cell in cells if cell["varies"]]
    if not moving:
        return []
    rates = {key: Rate.mean(Rate(*cell[key]) for cell in moving) for key in ("free", "after_holm", "after_joint")}
    known = [cell["normal"] for cell in moving if cell["normal"] is not None]
    law = math.fsum(known) / len(known) if len(known) == len(moving) else None
    return [
        rate_finding(f"Null versions with p ≤ {alpha:g}, {what}", rates["free"], law, reason=reason),
        rate_finding("the same after Holm's correction (at most)", rates["after_holm"], alpha, at_most=True),
        rate_finding("the same after joint correction", rates["after_joint"], alpha, reason=reason),
    ]


PAIR = text("pair", "Pair")


def level_table(keys: Sequence[Row], alpha: float, fields: Fields = (METRIC, PAIR), more: Row = ()) -> DataTable:
    """The level behind each key, for a rule in pictures; ``more`` stands behind it."""
    zero = (number("zero", "no gain"),) if more else ()
    return hidden("alpha", "Level", (*fields, number("alpha", "alpha"), *zero), [(*key, alpha, *more) for key in keys])


def notes_on_runs(material: Material) -> list[Note]:
    """That permutations see items only, where a system has several runs."""
    return [ITEMS_ONLY] if any(len(runs) > 1 for runs in material.runs.values()) else []
