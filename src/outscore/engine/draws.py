"""The record of resampled scores: the first of them, and counts of all of them.

A million resamples of dozens of systems need not be held to know how often a gain was reached. Counts are kept batch by
batch, since resamples of one cyclic block are not independent of each other; quantiles come from the resamples that
are kept, which are all of them unless there are millions of scores.

Three sizes of portions of work are at play. An atom is what one random stream gives, so that its resamples are the same
whoever draws them. A batch is some whole atoms: of cyclic resamples there are 20 to 50, the sample from which the error
is found, of independent ones a single one will do. A part (``Batch``) is what is handled at once, some batches or a
piece of one: it bounds memory, and is what threads take turns with, so that it never changes a number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from outscore.base.arrays import Bool, Float, Int
from outscore.base.lazy import dataclass
from outscore.engine.extreme import Positions, count_positions
from outscore.engine.montecarlo import Exceedances
from outscore.engine.runtime import Runtime

_KEPT_CELLS = 2**22  # scores kept: 32 MiB
_FEWEST_KEPT = 10_000  # resamples of each score, for the quantiles of an interval, whatever memory they take


@dataclass(frozen=True)
class Accumulator:
    """The series that are counted while they are drawn: scores, and differences of two, at marks of each.

    Attributes:
        groups: columns of the scores that are averaged to one, the runs of a system.
        first, second: ``(s,)`` numbers of the groups whose difference is a series; second is -1 for a score alone.
        marks: ``(s, q)`` values that the series is compared with.
        slack: ``(s,)`` how far equal values may lie apart.
        signs: ``(s,)`` what a series is multiplied by, 1 or -1; 1 for all if None.
    """

    groups: tuple[slice, ...]
    first: Int
    second: Int
    marks: Float
    slack: Float
    signs: Float | None = None

    @classmethod
    def nothing(cls) -> Accumulator:
        """Counts nothing."""
        none = np.zeros(0)
        return cls((), none.astype(np.int64), none.astype(np.int64), none.reshape(0, 0), none)

    def count(self, scores: Float, batches: int) -> Int:
        """How many of the scores ``(columns, b)`` lie below each mark, and not above it: ``(batches, s, q, 2)``."""
        found = np.empty((batches, *self.marks.shape, 2), dtype=np.int64)
        if not found.size:
            return found
        means = np.stack([_mean(scores[group]) for group in self.groups])
        # one second at a time: of 31 systems there are 465 differences, of which 30 at most are held so
        for second in sorted(set(self.second.tolist())):
            here = np.flatnonzero(self.second == second)
            values = means[self.first[here]]
            if second >= 0:
                values -= means[second]
            if self.signs is not None and (self.signs[here] < 0).any():
                values *= self.signs[here][:, None]
            found[:, here] = count_positions(values, self.marks[here], self.slack[here], batches)
        return found


def _mean(runs: Float) -> Float:
    return np.asarray(runs[0] if len(runs) == 1 else runs.mean(axis=0))


@dataclass(frozen=True)
class Batch:
    """Resamples that are made at once: atoms of random numbers, how many resamples, and the batches they belong to.

    Either several whole batches, or a piece of one.
    """

    atoms: range
    size: int
    batches: range


@dataclass(frozen=True)
class Draws:
    """Resampled scores.

    Attributes:
        values: ``(columns, kept)`` the first of them.
        sizes: ``(batches,)`` resamples of each batch.
        positions: ``(batches, s, q, 2)`` how the series of the accumulator lie to their marks.
        independent: whether resamples are independent of each other; batches are in any case.
        interrupted: whether fewer were drawn than wanted.
    """

    values: Float
    sizes: Int
    positions: Int
    independent: bool
    interrupted: bool

    def series(self, s: int) -> Positions:
        """The counts of one series of the accumulator."""
        return Positions(self.positions[:, s], self.sizes, self.independent)

    def exceedances(self, counted: Bool) -> Exceedances:
        """How many of the resamples that are kept count ``(kept,)``, batch by batch.

        The last batch of which any are kept may be kept in part.
        """
        ends = np.minimum(np.cumsum(self.sizes), len(counted))
        upto = np.concatenate([[0], np.cumsum(counted)])[ends]
        sizes = np.diff(ends, prepend=0)
        return Exceedances(np.diff(upto, prepend=0)[sizes > 0], sizes[sizes > 0], self.independent)


def collect(
    what: str,
    parts: Sequence[Batch],
    scores: Callable[[Batch], Float],
    accumulator: Accumulator,
    runtime: Runtime,
    *,
    independent: bool,
) -> Draws:
    """Draws all parts.

    Args:
        what: name of the work, for the progress display.
        parts: in order, batch by batch.
        scores: the resampled scores of a part ``(columns, size)``.
        accumulator: what is counted.
        runtime: threads and progress.
        independent: whether the resamples of a part are.

    Raises:
        KeyboardInterrupt: interrupted before the first part was done, or at all where the runtime wants it whole.
    """

    def task(part: Batch) -> tuple[Batch, Float, Int]:
        drawn = scores(part)
        return part, drawn, accumulator.count(drawn, len(part.batches))

    sizes = np.zeros(parts[-1].batches.stop, dtype=np.int64)
    counted = np.zeros((len(sizes), *accumulator.marks.shape, 2), dtype=np.int64)
    kept: list[Float] = []

    def add(done: tuple[Batch, Float, Int]) -> None:
        part, drawn, counts = done
        room = max(_FEWEST_KEPT, _KEPT_CELLS // max(len(drawn), 1))
        if (left := room - int(sizes.sum())) > 0:
            kept.append(drawn[:, :left])
        here = slice(part.batches.start, part.batches.stop)
        sizes[here] += part.size // len(part.batches)
        counted[here] += counts

    interrupted = runtime.gather(what, task, parts, [part.size for part in parts], add)
    done = sizes > 0
    return Draws(np.concatenate(kept, axis=1), sizes[done], counted[done], independent, interrupted)
