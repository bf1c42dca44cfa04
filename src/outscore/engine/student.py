"""Student's statistics on the normal scale: the normal ones with the same p-values, of a few or of very many."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.beta import student_cdf
from outscore.engine.normal import normal_ppf

_GRID = np.sinh(np.linspace(0.0, math.asinh(1e4), 2**11))  # statistics whose normal ones are computed
_PART = 2**7  # of the grid, computed at once


def student_to_normal(t: Float, df: int) -> Float:
    """Normal statistics ``(m,)`` with the p-values of these statistics of Student's law."""
    return np.array([-normal_ppf(student_cdf(-one, df)) for one in t.tolist()])


def student_to_normal_by_table(t: Float, df: int) -> Float:
    """As ``student_to_normal`` of many statistics, from a table; those beyond it, as without a standard error, are
    infinite."""
    sizes = np.abs(t)
    largest = float(sizes.max(initial=0.0, where=sizes <= _GRID[-1]))
    parts = int(np.searchsorted(_GRID, largest)) // _PART + 1
    found = np.interp(sizes, _GRID[: parts * _PART], _table(df, parts), right=np.inf)
    return np.asarray(np.copysign(found, t))


@lru_cache(maxsize=256)  # simulations ask for one table on every data set
def _table(df: int, parts: int) -> Float:
    """The normal statistics of the first parts of the grid: the farthest are seldom asked for, and cost as much."""
    before = [_table(df, parts - 1)] if parts > 1 else []
    return np.concatenate([*before, student_to_normal(_GRID[(parts - 1) * _PART : parts * _PART], df)])
