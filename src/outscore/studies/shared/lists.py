"""Lists of numbers as options hold them, with commas."""

from __future__ import annotations

import math

from outscore.base.errors import UsageError


def parse_numbers(text: str, option: str, low: float, high: float) -> list[float]:
    """Numbers of an option, with commas between them.

    Raises:
        UsageError: one is no number, or not from ``low`` to ``high``, or there is none.
    """
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if not values or not all(low <= value <= high for value in values):
        range_ = f"from {low:g} on" if math.isinf(high) else f"from {low:g} to {high:g}"
        raise UsageError(f"{option} {text!r}: expected numbers {range_} with commas, as in 10,50")
    return values


def parse_integers(text: str, option: str, low: int, high: float) -> list[int]:
    """Whole numbers of an option, with commas between them, each once, in order.

    Raises:
        UsageError: as in ``parse_numbers``, or one is not whole.
    """
    values = parse_numbers(text, option, low, high)
    if not all(value.is_integer() for value in values):
        raise UsageError(f"{option} {text!r}: expected whole numbers")
    return sorted({int(value) for value in values})
