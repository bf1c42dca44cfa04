"""The record of what another program printed, made again by its rule and set beside ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from outscore.base.errors import inflect
from outscore.results.result import Result, Score, kinds

REMADE = ("same", "within chance", "differs", "not made")
"""The verdicts on a printed number that was made again by its program's own rule."""


@dataclass(frozen=True, kw_only=True)
class Reason:
    """Why two numbers agree or differ.

    Attributes:
        code: which reason; the report has the words, and the manual lists them.
        values: the numbers and names that belong to it.
    """

    code: str
    values: Mapping[str, float | int | str | None] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Rechecked:
    """One printed number.

    Attributes:
        system: as it is called here; ``printed_system``: as it was printed.
        metric: the metric that made it again, with its options; ``printed_metric``: as it was printed.
        quantity: ``score``, ``p``, ``mean`` and ``half_width`` of resampled scores, ``s_sel`` or ``s_opt``.
        printed: the number; ``text``: as it stands in the file.
        remade: by the program's own rule; None where it could not be made.
        outcome: ``same`` to the last digit printed, ``within chance`` of other draws, ``differs``, or ``not made``.
        ours: the number that outscore has in its place; None where it has nothing.
        reasons: why the three agree or differ, in the order in which they are told.
    """

    system: str
    printed_system: str
    metric: str
    printed_metric: str
    quantity: str
    printed: float
    text: str
    remade: float | None
    outcome: str
    ours: float | None
    reasons: tuple[Reason, ...]


@kinds.register("recheck")
@dataclass(frozen=True, kw_only=True, repr=False)
class Recheck(Result):
    """The printed numbers of one file, each made again and explained.

    Attributes:
        tool: ``sacrebleu`` or ``MultEval``; ``layout``: how it had printed them.
        procedure: ``scores``, ``interval``, ``bootstrap``, ``randomization`` or ``multeval``.
        resamples: how many that program drew, given, printed, or taken from its p-values; None where it drew none.
        resamples_from: ``option``, ``file``, ``default`` or ``p-values``.
        seed_of_tool: under which its draws were made again; None for unseeded.
        numbers: in the order of the file.
    """

    tool: str
    layout: str
    procedure: str
    resamples: int | None
    resamples_from: str
    seed_of_tool: int | None
    numbers: tuple[Rechecked, ...]
    scores: tuple[Score, ...] = ()
    command: str = "recheck"

    def count(self, outcome: str) -> int:
        """How many of the printed numbers came out so, see ``REMADE``."""
        return sum(one.outcome == outcome for one in self.numbers)

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary for each printed number; ``reasons`` are codes."""
        return [
            {
                **{name: getattr(one, name) for name in ("system", "metric", "quantity", "printed", "text")},
                **{name: getattr(one, name) for name in ("remade", "outcome", "ours")},
                "reasons": " ".join(reason.code for reason in one.reasons),
            }
            for one in self.numbers
        ]

    def __repr__(self) -> str:
        made = len(self.numbers) - self.count("not made") - self.count("differs")
        return f"<Recheck of {self.tool}: {made} of {inflect(len(self.numbers), 'number')} made again>"
