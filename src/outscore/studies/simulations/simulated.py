"""Proportions that were simulated, beside what a law says and what a source printed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeVar

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.jobs.tasks import check_cells
from outscore.results.study import Finding
from outscore.studies import Spec
from outscore.studies.shared.form import POINT, POINTS_OF_PRINT, Verdict, compare_numbers

ERRORS = 4.0
"""Monte-Carlo errors within which a simulation lies of its law; 6 of 100,000 do not."""

K = TypeVar("K")


@dataclass(frozen=True, kw_only=True)
class PublishedNumber:
    """A number of a source.

    Attributes:
        value: as printed.
        source: where it stands.
        unit: of its last digit.
        rounds: simulations that it rests on; None for one that was computed.
        margin: difference that does not matter beside rounding; None for that of printed simulations, and no more
            than rounding where it was computed.
    """

    value: float
    source: str
    unit: float
    rounds: int | None = None
    margin: float | None = None

    @property
    def allowed(self) -> float:
        """The whole margin, rounding in it; beside a small number no more than half of it."""
        simulated = min(POINTS_OF_PRINT, self.value / 2) if self.rounds else 0.0
        return (simulated if self.margin is None else self.margin) + self.unit / 2


@dataclass(frozen=True, kw_only=True)
class SimulatedProportion:
    """Events counted among independent rounds of a simulation; proportions of different rounds add."""

    hits: int
    rounds: int

    def __add__(self, other: SimulatedProportion) -> SimulatedProportion:
        return SimulatedProportion(hits=self.hits + other.hits, rounds=self.rounds + other.rounds)

    @property
    def value(self) -> float:
        return self.hits / self.rounds

    @property
    def error(self) -> float:
        """Its Monte-Carlo standard error; not 0 where the event came in no round, or in every one."""
        p = (self.hits + 0.5) / (self.rounds + 1)
        return math.sqrt(p * (1 - p) / self.rounds)

    @property
    def ends(self) -> tuple[float, float]:
        """The value, two errors down and up."""
        return max(0.0, self.value - 2 * self.error), min(1.0, self.value + 2 * self.error)

    def error_about(self, law: float) -> float:
        """Its standard error where the law holds, or its own, whichever is larger."""
        return max(self.error, math.sqrt(max(law * (1 - law), 0.0) / self.rounds))

    def is_near(self, law: float) -> bool:
        """Whether it lies within four errors of a law."""
        return abs(self.value - law) <= ERRORS * self.error_about(law)

    def compare(self, law: float, margin: float) -> Verdict:
        """The verdict beside a law."""
        return compare_numbers(self.value, law, self.error_about(law), margin)

    def compare_printed(self, printed: PublishedNumber, law: float | None) -> Verdict:
        """The verdict on a printed number: beside the law, or, where none is known, beside this simulation."""
        best = self.value if law is None else law
        own = self.error**2 if law is None else 0.0
        theirs = best * (1 - best) / printed.rounds if printed.rounds else 0.0
        return compare_numbers(printed.value, best, math.sqrt(own + theirs), printed.allowed)


def make_finding(
    what: str,
    share: SimulatedProportion,
    *,
    expected: float | None = None,
    approximate: float = 0.0,
    printed: PublishedNumber | None = None,
    reason: str = "",
    differs: str = "",
) -> Finding:
    """A simulated share beside a law and a printed number.

    Args:
        what: the events whose rate it is.
        expected: value by a law; ``approximate``: relative error that the law may have.
        printed: value in the source.
        reason: note in any case; ``differs``: another where the printed number differs.
    """
    margin = None if expected is None else POINT + approximate * expected
    verdict: Verdict = "" if expected is None or margin is None else share.compare(expected, margin)
    said = [reason] if reason else []
    lawless = verdict == "differs"
    if printed is not None:
        margin, verdict = printed.allowed, share.compare_printed(printed, expected)
        said += [differs] if differs and verdict == "differs" else []
    if lawless:
        said.append("The simulation does not follow the law.")
    return Finding(
        what=what,
        value=share.value,
        kind="share",
        error=share.error,
        expected=expected,
        published=None if printed is None else printed.value,
        source="" if printed is None else printed.source,
        margin=margin,
        verdict=verdict,
        reason=" ".join(said),
    )


def blocks(rounds: int, size: int) -> list[int]:
    """Rounds of each cell."""
    check_cells(rounds / size)
    return [min(size, rounds - done) for done in range(0, rounds, size)]


def check_proportion(value: float, option: str) -> float:
    """A proportion that lies between 0 and 1.

    Raises:
        UsageError: it does not.
    """
    if not 0 < value < 1:
        raise UsageError(f"{option} {value:g}: expected a number between 0 and 1")
    return value


def check_rounds(rounds: int) -> None:
    """Raises UsageError where there are too few rounds to say anything."""
    if rounds < 1:
        raise UsageError(f"--rounds {rounds}: expected 1 or more")


def in_blocks(kinds: Iterable[Spec], rounds: int, size: int) -> list[Spec]:
    """The cells of each kind, of no more than so many rounds."""
    return [
        {**kind, "block": block, "rounds": some} for kind in kinds for block, some in enumerate(blocks(rounds, size))
    ]


def add_proportions(counted: Iterable[tuple[K, int, int]]) -> dict[K, SimulatedProportion]:
    """Proportions by their keys, from what events came how often in how many rounds of each cell."""
    found: dict[K, SimulatedProportion] = {}
    for key, hits, rounds in counted:
        new = SimulatedProportion(hits=hits, rounds=rounds)
        found[key] = found[key] + new if key in found else new
    return found
