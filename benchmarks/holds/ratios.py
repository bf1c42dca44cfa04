"""Scores of sums whose denominators differ between the systems: level and power of the default test, and coverage."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import outscore
from holds.cell import Cell

_DRAWS = 999
_POINT = "scores of sums"
Rows = Any
Sets = Callable[[np.random.Generator], tuple[Rows, Rows]]
"""Numerators and denominators ``(items, 2)`` of two systems."""


def _pair(base: Rows, new: Rows, **options: Any) -> Any:
    import pandas as pd

    n = len(base)
    data = pd.DataFrame(
        {
            "system": ["base"] * n + ["new"] * n,
            "item": [*range(n)] * 2,
            "num": np.concatenate([base[:, 0], new[:, 0]]),
            "den": np.concatenate([base[:, 1], new[:, 1]]),
        }
    )
    return outscore.compare(data, metrics="ratio:num=num,den=den", n_resamples=_DRAWS, **options).pairs[0]


def _rejects(sets: Sets, test: str = "auto") -> Callable[[np.random.Generator], float]:
    def run(rng: np.random.Generator) -> float:
        try:
            p = _pair(*sets(rng), test=test).p_value
        except outscore.UsageError:  # a version without this test
            return math.nan
        return float(p <= 0.05) if p is not None else math.nan

    return run


def _covers(sets: Sets, truth: float = 0.0) -> Callable[[np.random.Generator], float]:
    def run(rng: np.random.Generator) -> float:
        ci = _pair(*sets(rng)).ci
        return float(ci[0] <= truth <= ci[1]) if ci is not None else math.nan

    return run


def _f1(n: int, *, second: tuple[float, float] = (0.9, 1.1)) -> Sets:
    """Recall and false claims a gold entity of .45 and .05 against others: 2 tp over claims and gold."""

    def make(rng: np.random.Generator) -> tuple[Rows, Rows]:
        gold = 1 + rng.poisson(2, n)

        def system(recall: float, wrong: float) -> Rows:
            tp = rng.binomial(gold, recall)
            return np.stack([2.0 * tp, tp + rng.poisson(wrong * gold) + gold], axis=1)

        return system(0.45, 0.05), system(*second)

    return make


def _precision(n: int, claims: int) -> Sets:
    """One claim an item against several, three of five right in both systems."""

    def make(rng: np.random.Generator) -> tuple[Rows, Rows]:
        return tuple(  # type: ignore[return-value]
            np.stack([rng.binomial(each, 0.6, n), np.full(n, each)], axis=1).astype(float) for each in (1, claims)
        )

    return make


def _lengths(n: int, spread: float = 0.0, longest: tuple[int, int] = (0, 1)) -> Sets:
    """Errors over words of segments, of which lengths vary on the log scale, or some are so many times longer."""

    def make(rng: np.random.Generator) -> tuple[Rows, Rows]:
        words = np.maximum(1, np.rint(rng.lognormal(math.log(12) - spread**2 / 2, spread, n)))
        words[: longest[0]] *= longest[1]

        def system() -> Rows:
            return np.stack([rng.binomial(words.astype(int), rng.beta(0.75, 4.25, n)), words], axis=1).astype(float)

        return system(), system()

    return make


def _rare(n: int, proportion: float) -> Sets:
    """F1 of entities that few sentences hold."""

    def make(rng: np.random.Generator) -> tuple[Rows, Rows]:
        gold = np.where(rng.random(n) < proportion, 1 + rng.poisson(1, n), 0)

        def system() -> Rows:
            tp = rng.binomial(gold, 0.7)
            wrong = rng.binomial(gold, 0.2) + (rng.random(n) < proportion / 10)
            return np.stack([2.0 * tp, tp + wrong + gold], axis=1)

        return system(), system()

    return make


def _few_claims(n: int, rate: float, right: float) -> Sets:
    """Claims of equal precision, of which one system makes so many an item and the other one."""

    def make(rng: np.random.Generator) -> tuple[Rows, Rows]:
        claims = [rng.poisson(often, n) for often in (1.0, rate)]
        claims[1][0] += not claims[1].any()
        base, new = (np.stack([rng.binomial(one, right), one], axis=1).astype(float) for one in claims)
        return base, new

    return make


def _near_one(n: int) -> Callable[[np.random.Generator], float]:
    """Whether the interval of an F1 of .98 covers it."""

    def run(rng: np.random.Generator) -> float:
        import pandas as pd

        gold = rng.poisson(2, n)
        tp = rng.binomial(gold, 0.98)
        counts = {"tp": tp, "fp": rng.binomial(gold, 0.02), "fn": gold - tp}
        data = pd.DataFrame({"system": "a", "item": range(n), **counts})
        ci = outscore.score(data, metrics="f1:average=micro", n_resamples=_DRAWS).scores[0].ci
        return float(ci is not None and ci[0] <= 0.98 <= ci[1])

    return run


_UNEVEN = (
    ("error rate, 50 segments, sd 1.5 of log length", _lengths(50, 1.5)),
    ("error rate, 200 segments, sd 1.5 of log length", _lengths(200, 1.5)),
    ("error rate, 300 segments, 3 of them 100 times longer", _lengths(300, longest=(3, 100))),
    ("equal F1, entities in 10 % of 100 sentences", _rare(100, 0.1)),
)

CELLS = (
    *(
        Cell(_POINT, f"equal F1, P/R .90/.45 against .45/.90, {n} items, default", "level", 0.05, _rejects(_f1(n)))
        for n in (40, 150)
    ),
    *(
        Cell(
            _POINT,
            f"equal precision, 1 claim an item against {claims}, 150 items, default",
            "level",
            0.05,
            _rejects(_precision(150, claims)),
        )
        for claims in (5, 8)
    ),
    Cell(
        _POINT,
        "equal precision, 1 claim an item against 5, 150 items, plain randomization by name",
        "level",
        0.05,
        _rejects(_precision(150, 5), "randomization"),
    ),
    Cell(
        _POINT,
        "F1 of .60 against .64, as many claims, 150 items, default",
        "power",
        None,
        _rejects(_f1(150, second=(0.5, 0.05))),
    ),
    Cell(
        _POINT,
        "F1 of .60 against .64, as many claims, 150 items, plain randomization by name",
        "power",
        None,
        _rejects(_f1(150, second=(0.5, 0.05)), "randomization"),
    ),
    *(
        Cell(_POINT, f"gain of equal F1, {n} items, default interval", "coverage", 0.95, _covers(_f1(n)))
        for n in (30, 50, 100, 200)
    ),
    *(Cell(_POINT, f"{name}, default interval of the gain", "coverage", 0.95, _covers(sets)) for name, sets in _UNEVEN),
    *(
        Cell(
            _POINT,
            f"equal precision .95, .05 claims an item against 1, 300 items, default{more}",
            measure,
            nominal,
            run,
        )
        for more, measure, nominal, run in (
            ("", "level", 0.05, _rejects(_few_claims(300, 0.05, 0.95))),
            (" interval", "coverage", 0.95, _covers(_few_claims(300, 0.05, 0.95))),
        )
    ),
    Cell(_POINT, "F1 of .98, 50 sentences with 100 entities, default interval", "coverage", 0.95, _near_one(50)),
)
