"""Printed results of other programs: numbers, the rows they stand in, and the file."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from outscore.base.lazy import dataclass
from outscore.data.source import Source

Quantity = Literal["score", "p", "mean", "half_width", "s_sel", "s_opt"]
"""Kind of a printed number: a score, a p-value, the mean of resampled scores, half of an interval, deviations."""

Procedure = Literal["scores", "interval", "bootstrap", "randomization", "multeval"]
"""How the numbers were made: nothing but scores, scores with intervals, a paired test, MultEval's test over runs."""

_NUMBER = re.compile(r"[+-]?\d+(?:[.,](\d+))?(?:[eE][+-]?\d+)?")

REMEDY = "give what sacrebleu 2 printed (text, JSON or LaTeX) or MultEval's table"


@dataclass(frozen=True, kw_only=True)
class Number:
    """A number as it was printed.

    Attributes:
        text: as it stands in the file.
        value: of the number.
        decimals: digits after the point that it was rounded to; None where it was printed in full.
    """

    text: str
    value: float
    decimals: int | None

    def is_of(self, value: float, *, slack: float = 0.0) -> bool:
        """Whether this value is printed so, when it is off by at most ``slack``."""
        if self.decimals is None:
            return math.isclose(value, self.value, rel_tol=1e-12, abs_tol=max(slack, 1e-15))
        return abs(value - self.value) <= 0.5 * 10.0**-self.decimals * (1 + 1e-9) + slack


@dataclass(frozen=True, kw_only=True)
class PrintedRow:
    """One system under one metric; both as the program calls them."""

    system: str
    metric: str
    numbers: Mapping[Quantity, Number]


@dataclass(frozen=True, kw_only=True)
class PrintedFile:
    """Results of one printed file.

    Attributes:
        tool: ``sacrebleu`` or ``MultEval``; ``layout``: how it was printed, in a word or two.
        procedure: how the numbers were made.
        rows: the baseline first.
        signatures: of the metrics, where they were printed: option to value.
        n_resamples: where the file says how many were drawn.
        seed: ``none`` for unseeded; None where the file does not say it.
        source: the file.
    """

    tool: Literal["sacrebleu", "MultEval"]
    layout: str
    procedure: Procedure
    rows: tuple[PrintedRow, ...]
    signatures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    n_resamples: int | None = None
    seed: str | None = None
    source: Source

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in their order."""
        return tuple(dict.fromkeys(row.system for row in self.rows))

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, in their order."""
        return tuple(dict.fromkeys(row.metric for row in self.rows))


def number(text: str, *, whole: bool = False) -> Number | None:
    """A number as it was printed, with a point or, as some countries' settings have it, a comma; None if it is none.

    Args:
        text: as printed.
        whole: it was printed in full, not rounded.
    """
    found = _NUMBER.fullmatch(text.strip())
    if found is None:
        return None
    value = float(found[0].replace(",", "."))
    if not math.isfinite(value):
        return None
    return Number(text=text.strip(), value=value, decimals=None if whole else len(found[1] or ""))
