"""The analyst's choices that every test sees."""

from __future__ import annotations

from dataclasses import dataclass, field

from outscore.base.rng import DEFAULT_SEED
from outscore.engine.extreme import Alternative
from outscore.engine.runtime import Runtime


@dataclass(frozen=True)
class Settings:
    """Sides, level, sampling and seed of one comparison, and how the work is done."""

    alternative: Alternative = "two-sided"
    alpha: float = 0.05
    n_resamples: int = 10_000
    seed: int = DEFAULT_SEED
    runtime: Runtime = field(default_factory=Runtime)
