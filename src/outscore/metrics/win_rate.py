"""Win rate: how often a judge prefers the system to the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.metrics import Metric, metric, safe_ratio
from outscore.metrics.shared.columns import column, mean_statistics, score_column

_COLUMNS = ("preference", "win")


@metric("win_rate")
@dataclass(frozen=True)
class WinRate(Metric):
    """Mean preference in percent; the preference of an item is 0 for the baseline, 1 for the system, 0.5 for a tie.

    Statistics per item: ``[100 * weight * preference, weight]``. Where nothing is decided the win rate is 50.

    Args:
        column: the column of preferences; by default ``preference``, ``win``, ``win_rate``, ``score``, or the only one.
        weight: a column of weights; by default every item weighs the same.
        ties: ``half``: a tie is half a win; ``drop``: items at exactly 0.5 do not count.
    """

    unit: ClassVar[str] = "percent 0-100"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 100.0)
    citation: ClassVar[str] = "Li et al. 2023, AlpacaEval"
    example: ClassVar[str] = "win_rate:ties=drop"
    per_item: ClassVar[bool] = True

    column: str = ""
    weight: str = ""
    ties: Literal["half", "drop"] = "half"

    def statistics(self, items: Items) -> Float:
        wanted = self.column or next((name for name in _COLUMNS if name in items.columns), "")
        values = score_column(items, wanted, self.name)
        outside = np.flatnonzero((values < 0) | (values > 1))
        if outside.size:
            raise InputError(
                f"win_rate reads preferences from 0 to 1, but item {outside[0] + 1} has {values[outside[0]]:g}",
                item=int(outside[0]),
                remedy="write 0 for the baseline, 1 for the system and 0.5 for a tie",
            )
        weights = np.ones_like(values) if not self.weight else column(items, self.weight, self.name)
        if np.any(weights < 0) or (len(weights) and not np.any(weights > 0)):
            raise InputError(
                f"the weights in column {self.weight!r} must be 0 or more, and not all 0", remedy="mend the weights"
            )
        if self.ties == "drop":
            weights = np.where(values == 0.5, 0.0, weights)
        return mean_statistics(100 * values, weights)

    def score(self, sums: Float) -> Float:
        return safe_ratio(sums[..., 0], sums[..., 1], empty=50.0)
