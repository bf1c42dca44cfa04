"""The data that a metric may read of one run: texts, references, and numeric columns, item by item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass


class Absent(str):
    """An empty text that says that there is none: None and NaN in Python, null in JSON."""

    __slots__ = ()


ABSENT = Absent()
MISSING = frozenset(("", "na", "n/a", "nan", "null", "none"))
"""Cells in small letters that say that a number is missing."""


@dataclass(frozen=True, kw_only=True)
class Items:
    """One run of one system on the aligned items, in item order.

    Attributes:
        n: number of items.
        outputs: the system's text or predicted label for each item, if it has any.
        references: streams of references or gold labels, each with one entry per item, ``ABSENT`` for none.
        columns: numeric columns by name, each of shape ``(n,)``; per-item scores are columns too.
        labels: texts that describe the items by name: tokens, document, length ...; the same for every system.
    """

    n: int
    outputs: Sequence[str] | None = None
    references: tuple[Sequence[str], ...] = ()
    columns: Mapping[str, Float] = field(default_factory=dict)
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def absent(self) -> list[int]:
        """Positions of the items that have no output, as opposed to an empty one."""
        outputs = self.outputs or ()
        if not any(issubclass(kind, Absent) for kind in {*map(type, outputs)}):
            return []
        return [i for i, output in enumerate(outputs) if isinstance(output, Absent)]
