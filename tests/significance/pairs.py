"""Two systems whose numbers several files compare."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import outscore
from outscore.engine.extreme import ALTERNATIVES
from outscore.results.pairs import Pair

RNG = np.random.default_rng(7)
A, B = RNG.normal(0, 1, 25), RNG.normal(0.4, 1, 25)


RIGHT_A, RIGHT_B = (RNG.random(80) < 0.5).astype(float), (RNG.random(80) < 0.65).astype(float)


RUNS_A, RUNS_B = RNG.normal(0, 1, (3, 20)), RNG.normal(0.3, 1, (4, 20))


every_side = pytest.mark.parametrize("alternative", ALTERNATIVES)


def verdict(a: Any, b: Any, test: str, **options: Any) -> Pair:
    """``b`` against the baseline ``a``."""
    return outscore.compare({"base": a, "new": b}, test=test, **options).pairs[0]


RNG = np.random.default_rng(7)
