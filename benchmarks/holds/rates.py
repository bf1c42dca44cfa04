"""Rates of errors that stand in columns, as few as one word in a hundred or fewer."""

from __future__ import annotations

from functools import partial

import numpy as np

import outscore
from holds.cell import Cell


def _covered(rng: np.random.Generator, *, lines: int, rate: float, clumped: bool) -> float:
    import pandas as pd

    words = rng.integers(5, 40, lines)
    errors = rng.poisson(rate * words * (rng.gamma(0.5, 2, lines) if clumped else 1))
    table = pd.DataFrame({"system": "a", "item": np.arange(lines), "errors": errors, "words": words})
    ci = outscore.score(table, metrics="ratio:num=errors,den=words,lower=true", n_resamples=999).scores[0].ci
    return float(ci is not None and ci[0] <= rate <= ci[1])


CELLS = tuple(
    Cell(
        point="rates of counts",
        name=f"{rate:.1%} of words{' that clump' * clumped}, {lines} lines",
        measure="coverage",
        nominal=0.95,
        run=partial(_covered, lines=lines, rate=rate, clumped=clumped),
        rounds=600,
    )
    for lines, rate, clumped in (
        (50, 0.003, False),
        (50, 0.003, True),
        (50, 0.01, True),
        (100, 0.01, True),
        (300, 0.003, True),
    )
)
