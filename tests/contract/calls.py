"""Calls of every verb; another package that has one sets ``CALLS["lead"]``, by a module that pytest loads (``-p``)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from outscore.metrics.mean import Mean
from tests.cli.commandline import BASE, NEW, REFERENCES


def scores(seed: int, n: int = 40) -> list[float]:
    return [float(x) for x in np.random.default_rng(seed).normal(0, 1, n).round(2)]


def labels(seed: int, n: int = 40) -> list[str]:
    return [str(x) for x in np.random.default_rng(seed).choice(["x", "y"], n)]


TWO = {"base": scores(1), "new": scores(2)}
THREE = {**TWO, "third": scores(3)}
GOLD = labels(1)
RIGHT = {name: [float(a == b) for a, b in zip(labels(seed), GOLD, strict=True)] for name, seed in (("a", 2), ("b", 3))}
TABLE: dict[str, list[Any]] = {
    "system": [name for name in ("a", "b", "c", "d") for _ in range(40)],
    "item": [str(item) for _ in range(4) for item in range(40)],
    "m": [x for seed in range(4) for x in scores(seed)],
    "h": [x for seed in range(4, 8) for x in scores(seed)],
}
JUDGED = {**TABLE, "h": [x if i % 2 else None for i, x in enumerate(TABLE["h"])]}


def frame(columns: dict[str, Any]) -> Any:
    return pytest.importorskip("pandas").DataFrame(columns)


SETS = {"first": TWO, "second": {"base": scores(4), "new": scores(5)}}
TEXTS = {"base": BASE, "new": NEW}

CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "compare": ((THREE,), {"test": "bootstrap", "n_resamples": 200, "all_pairs": True, "margin": {"mean": 0.3},
                           "posterior": "sign:strength=2"}),
    "rank": ((THREE,), {"correction": "holm", "n_resamples": 200, "blocks": "item"}),
    "score": ((TWO,), {"metrics": [Mean(lower=True)], "interval": "percentile", "n_resamples": 200}),
    "agree": (({"a": labels(2), "b": labels(3), "c": GOLD},), {"coefficients": ["fleiss", "percent"], "disputed": 2,
                                                              "n_resamples": 100}),
    "judge": ((JUDGED,), {"human": "h", "judge": "m", "correction": "none"}),
    "correlate": ((TABLE,), {"human": "h", "coefficients": "spearman", "n_resamples": 50}),
    "power": ((TWO,), {"effect": 0.5, "sizes": [30, 90], "simulations": 20}),
    "advise": ((TWO,), {"alternative": "greater", "alpha": 0.1}),
    "replicate": ((SETS,), {"alternative": "less", "n_resamples": 99}),
    "recheck": (("{printed}", TEXTS), {"references": REFERENCES, "metrics": "bleu", "n_resamples": 99}),
    "history": (("{history}",), {"alpha": 0.1}),
    "sequential": ((RIGHT,), {"margin": 0.1, "order": "random", "orders": 10}),
}  # fmt: skip
"""What each verb is given, and options of which some are no defaults; one that is not here gets three systems."""

IN_FRAMES = ("judge", "correlate")
