"""Reads a family of expected numbers and compares every required key with it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outscore.base.arrays import Float

HERE = Path(__file__).parent
Case = dict[str, Any]


def family(name: str) -> dict[str, Any]:
    """The whole JSON file."""
    loaded: dict[str, Any] = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def cases(name: str) -> Callable[[Any], Any]:
    """Decorator: one test per case of the family, as the argument ``case``, its tolerance inside."""
    loaded = family(name)
    params = [
        pytest.param({**case, "tolerance": loaded.get("tolerance") or {}}, id=f"{name}-{case['id']}")
        for case in loaded["cases"]
    ]
    return pytest.mark.parametrize("case", params)


def agree(case: Case, computed: dict[str, Any], skip: tuple[str, ...] = ()) -> None:
    """Every expected key that is a requirement is in ``computed`` and within the family's tolerance."""
    tolerance = case["tolerance"]
    _agree(computed, case["expected"], tolerance.get("rel", 0.0), tolerance.get("abs", 0.0), case["id"], skip)


def close(value: float, expected: float, rel: float, absolute: float = 0.0) -> bool:
    """|x - e| <= abs + rel |e|, the rule of the oracles."""
    return abs(value - expected) <= absolute + rel * abs(expected)


def _agree(computed: Any, expected: Any, rel: float, absolute: float, path: str, skip: tuple[str, ...]) -> None:
    if isinstance(expected, dict) and set(expected) != {"float", "exact"}:
        for key, value in expected.items():
            informative = key.startswith(("crosscheck_", "published")) or key.endswith("_for_information")
            if informative or key in skip:
                continue
            assert key in computed, f"{path}: {key} is not computed"
            _agree(computed[key], value, rel, absolute, f"{path}/{key}", skip)
    elif isinstance(expected, dict):
        _agree(computed, expected["float"], rel, absolute, path, skip)
    elif isinstance(expected, list):
        assert len(computed) == len(expected), path
        for i, (one, other) in enumerate(zip(computed, expected, strict=True)):
            _agree(one, other, rel, absolute, f"{path}[{i}]", skip)
    elif expected is None:
        assert computed is None or math.isnan(computed), f"{path}: {computed} where it should be undefined"
    elif isinstance(expected, bool | str):
        assert computed == expected, path
    else:
        assert close(float(computed), expected, rel, absolute), f"{path}: {computed!r}, expected {expected!r}"


def on_lattice(*samples: list[float]) -> tuple[list[Float], float]:
    """Decimals as written, brought to integers, with the unit: value = integer * unit."""
    exact = [[Fraction(str(v)) for v in sample] for sample in samples]
    denominator = math.lcm(*(v.denominator for sample in exact for v in sample))
    return [np.array([float(v * denominator) for v in sample]) for sample in exact], 1 / denominator
