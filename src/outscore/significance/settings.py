"""The analyst's choices that every test sees."""

from __future__ import annotations

import math
from dataclasses import field

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.rng import DEFAULT_SEED
from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.engine.runtime import Runtime
from outscore.engine.sampling import ENGINES, Engine, Sampling

Ends = tuple[float, float]

_LEAST = 1e-150  # level, as far as its square can be computed with
SOON = 1000
"""Resamples that are still drawn of anything after an interruption: whoever stops waits no longer."""


@dataclass(frozen=True)
class Settings:
    """Sides, level, sampling and seed of one comparison, and how the work is done.

    Raises:
        UsageError: a value outside its range.
    """

    alternative: Alternative = "two-sided"
    alpha: float = 0.05
    n_resamples: int = 10_000
    seed: int = DEFAULT_SEED
    engine: Engine = "cyclic"
    runtime: Runtime = field(default_factory=Runtime)

    def __post_init__(self) -> None:
        if not _LEAST <= self.alpha < 1:
            raise UsageError(f"alpha={self.alpha}: expected a number between 0 and 1, such as 0.05")
        if self.alpha > 0.5:
            raise UsageError(
                f"alpha={self.alpha}: it is the error that a test may have, {round(1 - self.alpha, 6)} where intervals "
                f"are to hold {self.alpha:.6g}"
            )
        if self.n_resamples < 1 or self.seed < 0 or self.runtime.jobs < 1:
            raise UsageError("resamples are 1 or more, jobs 1 or more, the seed 0 or more")
        if self.alternative not in ALTERNATIVES:
            raise UsageError(f"alternative={self.alternative!r}: expected one of {', '.join(ALTERNATIVES)}")
        if self.engine not in ENGINES:
            raise UsageError(f"engine={self.engine!r}: expected one of {', '.join(ENGINES)}")
        if self.alternative != "two-sided" and self.alpha >= 0.5:
            raise UsageError(f"alpha={self.alpha}: a one-sided test needs one below 0.5")

    @property
    def coverage(self) -> float:
        """Coverage of the two-sided interval of which one end, or both, are shown beside a test at level alpha.

        A one-sided interval at level 1 - alpha has one end of the two-sided interval at level 1 - 2 alpha.
        """
        return 1 - self.alpha if self.alternative == "two-sided" else 1 - 2 * self.alpha

    def one_sided(self, ends: Ends, limits: Ends = (-math.inf, math.inf)) -> Ends:
        """The interval that belongs to the test: of a one-sided test the other end is the limit that gains have."""
        low, high = ends
        if self.alternative == "less":
            return min(limits[0], high), high
        return low, max(limits[1], low) if self.alternative == "greater" else high

    @property
    def sampling(self) -> Sampling:
        """How resamples are drawn."""
        return Sampling(self.n_resamples, self.seed, self.runtime, self.engine)
