"""Shares that were simulated, beside what theory says and what a source printed: whether they agree is computed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from outscore.base.errors import UsageError
from outscore.results.study import Finding
from outscore.studies import Spec

ERRORS = 4.0
"""Monte-Carlo errors within which a simulation agrees with theory: 6 of 100,000 true ones are called different."""

ERRORS_OF_PRINT = 3.0
"""Errors within which a printed simulation agrees with the law: 3 of 1,000 true ones are called different."""

_ROUNDING = 1e-12

Verdict = Literal["agrees", "differs", ""]
K = TypeVar("K")


@dataclass(frozen=True, kw_only=True)
class PublishedNumber:
    """A number of a source.

    Attributes:
        value: as printed.
        source: where it stands.
        unit: of its last digit.
        rounds: simulations that it rests on; None for one that was computed.
    """

    value: float
    source: str
    unit: float
    rounds: int | None = None


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

    def agrees_with(self, expected: float, approximate: float = 0.0) -> bool:
        """Whether it lies within four errors of what theory says, plus a proportion of it where that is approximate."""
        error = max(self.error, math.sqrt(max(expected * (1 - expected), 0.0) / self.rounds))
        return abs(self.value - expected) <= ERRORS * error + approximate * expected

    def fits(self, printed: PublishedNumber, expected: float | None) -> bool:
        """Whether the printed number may come from the law, or, where none is known, from that of this simulation.

        Within three errors of the simulations in question; a number that was computed, within half a unit of its last
        digit.
        """
        law = self.value if expected is None else expected
        own = self.error**2 if expected is None else 0.0
        theirs = 0.0 if printed.rounds is None else law * (1 - law) / printed.rounds
        return abs(printed.value - law) <= ERRORS_OF_PRINT * math.sqrt(own + theirs) + printed.unit / 2 + _ROUNDING


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
    """A simulated share beside theory and a printed number.

    Args:
        what: the events whose rate it is.
        expected: value by theory; ``approximate``: relative error that theory may have.
        printed: value in the source.
        reason: note in any case; ``differs``: another where the printed number differs.
    """
    checks = [] if expected is None else [share.agrees_with(expected, approximate)]
    if printed is not None:
        checks.append(share.fits(printed, expected))
    said = [reason] if reason else []
    if printed is not None and not checks[-1] and differs:
        said.append(differs)
    if expected is not None and not checks[0]:
        said.append("The simulation does not bear out what is expected.")
    return Finding(
        what=what,
        value=share.value,
        kind="share",
        error=share.error,
        expected=expected,
        published=None if printed is None else printed.value,
        source="" if printed is None else printed.source,
        verdict=verdict(checks),
        reason=" ".join(said),
    )


def verdict(checks: Sequence[bool]) -> Verdict:
    """``agrees`` where everything does, empty where there is nothing to agree with."""
    return "" if not checks else "agrees" if all(checks) else "differs"


def blocks(rounds: int, size: int) -> list[int]:
    """Rounds of each cell."""
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


def sum_proportions(shares: Iterable[SimulatedProportion]) -> SimulatedProportion:
    """All of them together; there must be one."""
    first, *others = shares
    return sum(others, start=first)


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
