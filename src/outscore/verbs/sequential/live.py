"""``Sequential``: a comparison inside an evaluation loop, and interim analyses of streams and replays too."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from typing import Any, Self

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import InputError, UsageError
from outscore.base.notes import Note
from outscore.results.sequences import InterimAnalysis
from outscore.significance.sequential import FINAL, ConfidenceSequence, Decision, Path, decisions
from outscore.significance.sequential.mixture import Bounds, Method, read_bounds, start

ASYMPTOTIC_SEQUENCE = Note(
    code="asymptotic_sequence",
    text=(
        "the sequence rests on the central limit theorem from 100 items on: under the null a 5 % sequence errs in 3 % "
        "of runs, but in 9 to 14 % where differences are very skewed"
    ),
    remedy="give the bounds of the scores (--bounds LOW,HIGH), which make it exact",
)
WHOLE_TEST_SET = Note(
    code="whole_test_set",
    text="the sequence says what the finished run on this test set will show, and nothing of new items",
    remedy="leave out --population for a claim about new items",
)
STEADY_GAIN = Note(
    code="steady_gain",
    text="the differences vary so little beside the bounds of the scores that betting on them gains evidence slowly",
    remedy="use --method mixture, which is asymptotic",
)
GIVEN_ORDER = Note(
    code="given_order",
    text="items are taken in their order as if it were random: sorted by topic or difficulty they break the level",
    remedy="use --order random",
)
GAIN_MOVED = Note(
    code="gain_moved",
    text=(
        "items do not stand in random order here (the mean gain left the sequence on the way), so that its guarantee "
        "does not hold; the gain shown is the nearest one inside"
    ),
    remedy="use --order random",
)


class Sequential:
    """A paired comparison that may be looked at after every item, and stopped at any time.

    The null hypothesis is that the expected gain is 0. Items must arrive in random order. It can be pickled, and saved
    as JSON to go on later.

    Args:
        alpha: level of all interim analyses together.
        margin: gains of less than this, either way, do not matter.
        bounds: lowest and highest score that an item can have; None where there are none, for ``mixture`` alone.
        method: ``auto``, which is ``betting``, or ``mixture``, which is asymptotic.
        population: items of the whole test set, where only the gain on that set is meant; None for new items.
        largest_cluster: each ``update`` is a whole cluster of at most so many items that are not independent; None
            where items are independent.

    Raises:
        UsageError: a value outside its range.

    Example::

        running = outscore.Sequential()
        for item in items:
            state = running.update(system_score=new(item), baseline_score=old(item))
            if state.decision != "undecided":
                break
    """

    def __init__(
        self,
        alpha: float = 0.05,
        margin: float | None = None,
        bounds: Bounds = (0.0, 1.0),
        method: Method = "auto",
        population: int | None = None,
        largest_cluster: int | None = None,
    ) -> None:
        bounds = read_bounds(bounds)
        self._options: dict[str, Any] = {
            "alpha": alpha,
            "margin": margin,
            "bounds": bounds,
            "method": method,
            "population": population,
            "largest_cluster": largest_cluster,
        }
        self._sequence = start(
            alpha=alpha,
            margin=margin,
            bounds=bounds,
            method=method,
            largest=1 if largest_cluster is None else largest_cluster,
            population=population,
        )
        self._bounds, self._population, self._largest = bounds, population, largest_cluster
        self._units: list[tuple[float, int]] = []
        self._best = -math.inf
        self._n = 0
        ends = None if bounds is None else (bounds[0] - bounds[1], bounds[1] - bounds[0])
        self.state = InterimAnalysis(n=0, gain=None, ci=ends, p_value=1.0, e_value=1.0, decision="undecided")
        self.decision: Decision = "undecided"
        """The first that was final, which is better, worse or equivalent, else the one now."""
        self.decided_at: int | None = None
        """Items by which the final decision fell."""

    @property
    def sequence(self) -> ConfidenceSequence:
        """The confidence sequence, which says its name, its null hypothesis and its source."""
        return self._sequence

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on the comparison as it stands."""
        return tuple(sequence_notes(self._sequence.name, self._population, [self.state]))

    def update(self, system_score: Any, baseline_score: Any) -> InterimAnalysis:
        """Takes the scores of one more item, or of several in the order of arrival, and says what is known now.

        Args:
            system_score, baseline_score: numbers, or arrays ``(b,)`` of the same length; one whole cluster where
                ``largest_cluster`` is given.

        Raises:
            InputError: a score that is missing or out of bounds, or more items than there can be.
        """
        system, baseline = (np.atleast_1d(np.asarray(s, dtype=np.float64)) for s in (system_score, baseline_score))
        if system.shape != baseline.shape or system.ndim != 1:
            raise InputError(f"{system.size} scores of the system and {baseline.size} of the baseline do not pair")
        for scores in (system, baseline):
            check_scores(scores, self._bounds, first=self._n + 1)
        if not system.size:
            return self.state
        if self._population is not None and self._n + system.size > self._population:
            raise InputError(f"more items than the population of {self._population}")
        gains = system - baseline
        if self._largest is None:
            return self._add_units(gains, np.ones_like(gains))
        if gains.size > self._largest:
            raise InputError(f"a cluster of {gains.size} items, but largest_cluster={self._largest}")
        return self._add_units(gains.sum(keepdims=True), np.array([float(gains.size)]))

    def _add_units(self, sums: Float, sizes: Float) -> InterimAnalysis:
        self._units += zip(sums.tolist(), sizes.astype(int).tolist(), strict=True)
        path = self._sequence.extend(sums, sizes)
        counts = self._n + np.cumsum(sizes).astype(int)
        made = decisions(path)
        if self.decided_at is None:
            self.decision, self.decided_at = find_final(made, counts.tolist())
        (self.state,) = make_analyses(path, counts, made, [len(sums) - 1], best=self._best)
        self._best = max(self._best, float(path.log_e.max()))
        self._n = int(counts[-1])
        return self.state

    def to_json(self) -> str:
        """All that is needed to go on later: the options, and the gain and size of each item or cluster."""
        sums, sizes = zip(*self._units, strict=True) if self._units else ((), ())
        return json.dumps({**self._options, "gains": sums, "sizes": sizes}, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The comparison that ``to_json`` wrote.

        Raises:
            InputError: the text is no such comparison.
        """
        try:
            saved = json.loads(text)
            sums, sizes = (np.asarray(saved.pop(name), dtype=np.float64) for name in ("gains", "sizes"))
            made = cls(**saved)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError("not a saved Sequential", remedy="give what to_json() wrote") from None
        if len(sums):
            made._add_units(sums, sizes)
        return made


_LARGEST = 700.0
"""Logarithm of the largest e-value that is told from larger ones; e to its power is a float."""


def check_scores(scores: Float, bounds: Bounds, *, first: int = 1, who: str = "") -> None:
    """Refuses scores that are missing or out of bounds.

    Args:
        scores: ``(b,)``; ``first``: the number of the first of these items; ``who``: whose they are.

    Raises:
        InputError: such a score; the message names the item.
    """
    of = f" of {who!r}" if who else ""
    bad = np.flatnonzero(~np.isfinite(scores))
    if bad.size:
        raise InputError(f"item {first + bad[0]}{of} has no score", remedy="skip it for both systems, or score it 0")
    if bounds is None:
        return
    bad = np.flatnonzero((scores < bounds[0]) | (scores > bounds[1]))
    if bad.size:
        raise InputError(
            f"item {first + bad[0]}{of} has the score {scores[bad[0]]:g}, outside {bounds[0]:g} to {bounds[1]:g}",
            remedy="give the lowest and highest score possible (--bounds LOW,HIGH), or --bounds none --method mixture",
        )


def find_final(made: list[Decision], counts: list[int]) -> tuple[Decision, int | None]:
    """The first final decision and the items by then; the last decision and None where none is final."""
    return next(((d, n) for d, n in zip(made, counts, strict=True) if d in FINAL), (made[-1], None))


def make_analyses(
    path: Path, counts: Int, made: list[Decision], at: list[int], *, best: float = -math.inf
) -> list[InterimAnalysis]:
    """Interim analyses after some units of a path.

    Args:
        counts: items after each unit; ``made``: decisions after each; ``at``: numbers of the units.
        best: largest logarithm of an e-value before the path.
    """
    largest = np.maximum(np.maximum.accumulate(path.log_e), best)
    p_values = np.exp(-np.clip(largest, 0.0, _LARGEST))
    e_values = np.exp(np.clip(path.log_e, -_LARGEST, _LARGEST))
    return [
        InterimAnalysis(
            n=int(counts[i]),
            gain=float(np.clip(path.gain[i], path.low[i], path.high[i])),
            observed=float(path.gain[i]),
            ci=(float(path.low[i]), float(path.high[i])) if np.isfinite([path.low[i], path.high[i]]).all() else None,
            p_value=float(p_values[i]),
            e_value=float(e_values[i]),
            decision=made[i],
        )
        for i in at
    ]


def marks_from(every: int | None) -> Callable[[int, int], bool]:
    """Whether an interim analysis falls between two numbers of items: every so many, or at 10, 20, 50, 100 ..."""

    def series(n: int) -> int:
        if every is not None:
            return n // every
        return 0 if n < 10 else 3 * int(math.log10(n)) + sum(n >= m * 10 ** int(math.log10(n)) for m in (1, 2, 5))

    return lambda before, now: series(now) > series(before)


def check_every(every: int | None) -> None:
    """Refuses interim analyses that are not some items apart.

    Raises:
        UsageError: fewer than one item.
    """
    if every is not None and every < 1:
        raise UsageError(f"every={every}: expected 1 item or more")


def sequence_notes(method: str, population: int | None, analyses: Iterable[InterimAnalysis]) -> list[Note]:
    """Notes on a sequence, by its method and its interim analyses."""
    found = []
    if method == "mixture":
        found.append(ASYMPTOTIC_SEQUENCE)
    if population is not None:
        found.append(WHOLE_TEST_SET)
    # at the end of a whole test set both ends are its gain, but for rounding
    pairs = [(k.gain, k.observed) for k in analyses if k.gain is not None and k.observed is not None]
    if not all(math.isclose(*pair, rel_tol=1e-9, abs_tol=1e-9) for pair in pairs):
        found.append(GAIN_MOVED)
    return found
