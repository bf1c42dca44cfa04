"""How many resamples are drawn, by which engine, and in which portions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.engine.cyclic import Cyclic
from outscore.engine.draws import Accumulator, Batch, Draws, collect
from outscore.engine.independent import Independent
from outscore.engine.runtime import Runtime

Engine = Literal["cyclic", "iid"]
ENGINES: tuple[Engine, ...] = ("cyclic", "iid")

SumsToScores = Callable[[Iterator[Float]], Float]
"""Sums ``(b, k)`` of each group of statistics in turn to scores ``(m, b)``; the next sums may overwrite the last."""

FEWEST_BATCHES = 20  # of which the variance between them is taken: it is known to a third (√(2/19)) of itself
_MOST_BATCHES = 50  # to a fifth; what more of them would tell is not worth their counts
_AT_ONCE = 2**14  # cyclic resamples that are handled together: fewer, and threads wait for each other


@dataclass(frozen=True)
class Sampling:
    """How many resamples are drawn, and how.

    Attributes:
        n_resamples: at least so many; cyclic ones come in whole blocks, and in at least twenty batches of them.
        seed: equal seeds, engines and units give equal draws.
        runtime: threads and progress.
        engine: ``cyclic`` or ``iid``.
    """

    n_resamples: int
    seed: int
    runtime: Runtime
    engine: Engine = "cyclic"

    def draw(self, what: str, resamples: Cyclic | Independent, score: SumsToScores, accumulator: Accumulator) -> Draws:
        """Scores of these resamples.

        Args:
            what: name of the work, for the progress display.
            score: the sums of each group in turn to the scores of all ``(m, b)``.
            accumulator: what is counted.
        """

        def scores(part: Batch) -> Float:
            return score(resamples.sums(part.atoms))[:, : part.size]

        if isinstance(resamples, Independent):
            return collect(what, self.portions(resamples.units), scores, accumulator, self.runtime, independent=True)
        return collect(what, self.batches(resamples.atom), scores, accumulator, self.runtime, independent=False)

    @property
    def of_vector(self) -> int:
        """How many resamples one vector of weights should give, so that there are twenty vectors at least."""
        return -(-self.n_resamples // FEWEST_BATCHES)

    def batches(self, atom: int) -> list[Batch]:
        """Batches of whole atoms of so many resamples, several batches or a piece of one at once.

        All batches are of one size, and twenty at least: up to twice as many resamples are drawn as were asked for,
        where units turn in rings that are nearly twice as long as was wanted.
        """
        atoms = max(FEWEST_BATCHES, -(-self.n_resamples // atom))
        of_batch = -(-atoms // _MOST_BATCHES)
        batches = -(-atoms // of_batch)
        at_once = max(1, _AT_ONCE // atom)
        if at_once >= of_batch:
            together = at_once // of_batch
            runs = [range(first, min(first + together, batches)) for first in range(0, batches, together)]
            return [Batch(range(r.start * of_batch, r.stop * of_batch), len(r) * of_batch * atom, r) for r in runs]
        parts = []
        for batch in range(batches):
            end = (batch + 1) * of_batch
            for first in range(batch * of_batch, end, at_once):
                held = range(first, min(first + at_once, end))
                parts.append(Batch(held, len(held) * atom, range(batch, batch + 1)))
        return parts

    def portions(self, units: int) -> list[Batch]:
        """Portions of independent resamples of so many units, all of one batch."""
        parts, left = [], self.n_resamples
        for atoms in self.runtime.blocks(self.n_resamples, units):
            size = min(left, len(atoms) * Independent.atom)
            parts.append(Batch(atoms, size, range(1)))
            left -= size
        return parts
