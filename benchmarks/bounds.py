"""The least time that the machine's own rates allow for resampling, whoever does it with these algorithms."""

from __future__ import annotations

import math
from dataclasses import dataclass

from machine import Rates, cores


@dataclass(frozen=True)
class Load:
    """A piece of resampling.

    Attributes:
        engine: ``cyclic``, ``iid`` or ``randomization`` (which is cyclic).
        n: units that are resampled.
        resamples: how many are made.
        columns: columns of statistics, of all systems together.
        scores: scores of each resample.
        pairs: differences of scores that are counted.
        functions: logarithms and the like in a score.
    """

    engine: str
    n: int
    resamples: int
    columns: int
    scores: int
    pairs: int
    functions: int = 0

    def bound(self, rates: Rates) -> float:
        """Seconds on all cores, if nothing but the indispensable were done and all cores were always busy.

        Cyclic: each block of n resamples needs two transforms of each column, there and back, one of the weights, and
        random bits for n indices (or signs) and for an order of the units. Independent: 16 random bits for each cell
        of weights, and the product with the statistics. Both: the functions of the scores, and one difference and one
        comparison for each pair.
        """
        if self.engine == "iid":
            bits = 16.0 * self.resamples * self.n
            alone, together = 0.0, 2.0 * self.resamples * self.n * self.columns / rates.product
        else:
            index = 1.0 if self.engine == "randomization" else math.log2(self.n)
            bits = self.resamples * (index + math.log2(self.n))
            # a transform of n numbers takes time in proportion to n log n
            numbers = self.resamples * (2 * self.columns + 1) * math.log2(self.n) / math.log2(2000)
            alone, together = numbers / rates.transformed, 0.0
        alone += bits / rates.bits
        alone += self.resamples * (self.scores * self.functions / rates.functions + self.pairs / rates.compared)
        return together + alone / cores()
