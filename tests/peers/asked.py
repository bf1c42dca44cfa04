"""How the tests of this folder ask the public surface for the number that a peer expects."""

from __future__ import annotations

from typing import Any

import numpy as np

import outscore
from outscore.results.comparison import Comparison
from outscore.results.pairs import Overall, Pair


def paired(system: Any, baseline: Any, test: str, **options: Any) -> Pair:
    """The pair of two systems on the same items."""
    data = {"baseline": np.asarray(baseline), "system": np.asarray(system)}
    return outscore.compare(data, test=test, **options).pairs[0]


def apart(system: Any, baseline: Any, test: str, **options: Any) -> Pair:
    """The pair of two independent samples."""
    data = {"baseline": np.asarray(baseline), "system": np.asarray(system)}
    return outscore.compare(data, test=test, unit="run", **options).pairs[0]


def several(groups: Any, test: str, **options: Any) -> tuple[Overall, Comparison]:
    """All systems at once, and the pairs that the test brings."""
    data = {f"s{k}": np.asarray(values) for k, values in enumerate(groups)}
    found = outscore.compare(data, test=test, **options)
    return found.overall[0], found


def p(pair: Pair | Overall) -> float:
    """Its p-value, which is there."""
    assert pair.p_value is not None
    return pair.p_value


def effect(of: Pair | Overall, name: str) -> float:
    """A number that belongs to the test."""
    value = of.statistic if name == "statistic" else of.effect[name]
    assert isinstance(value, int | float)
    return float(value)
