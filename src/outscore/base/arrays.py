"""Array aliases and the shape words used in docstrings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Float = NDArray[np.float64]
Int = NDArray[np.int64]
Bool = NDArray[np.bool_]
Array = NDArray[Any]

ScoreFunction = Callable[[Float], Float]
"""Sums of statistics ``(..., k)`` to scores ``(...)``: the only thing the engine knows of a metric."""
