"""Whether a number agrees with that of a law or a source: equivalence within a margin that was stated before.

An interval that merely holds the other number does not agree with it: a poor study would agree with everything. So
numbers *agree* where the interval of their difference lies inside the margin, at 90 %, which is two one-sided tests at
.05 (Schuirmann 1987). They *differ* where it does not and the difference is shown, at 99.9 %, as a page compares a
hundred numbers. Otherwise the study *cannot tell*.
"""

from __future__ import annotations

from typing import Literal

Verdict = Literal["agrees", "differs", "cannot tell", ""]

POINT = 0.01
"""Margin of a simulated proportion beside its law: levels, powers and coverages are told in whole per cent."""

POINTS_OF_PRINT = 0.02
"""Margin beside a proportion that a source simulated: no study of 1,000 rounds, as theirs are, can tell less.

Half of the printed number where that is less: twice a level of 1 % is another level.
"""

_EQUIVALENT, _DIFFERENT = 1.645, 3.291
"""Normal quantiles of two one-sided tests at .05, and of an interval at 99.9 %."""
_ROUNDING = 1e-9


def compare_numbers(value: float, other: float, error: float, margin: float) -> Verdict:
    """The verdict on two numbers.

    Args:
        value, other: the numbers.
        error: standard error of their difference; 0 where both were computed.
        margin: difference that does not matter, in the same unit; of a printed number at least half a unit of its
            last digit.
    """
    away = abs(value - other)
    margin += _ROUNDING * max(1.0, abs(other))
    if away + _EQUIVALENT * error <= margin:
        return "agrees"
    return "differs" if away > _DIFFERENT * error else "cannot tell"
