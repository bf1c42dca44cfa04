"""Outputs that are probabilities where labels are compared: hardly any could be right."""

from __future__ import annotations

from collections.abc import Sequence

from outscore.base.errors import InputError
from outscore.data.columns import number
from outscore.data.run import Aligned
from outscore.metrics import Metric

_TRUTH = frozenset((0.0, 1.0))
_COMPARES = "exact_match"
"""A metric that compares texts, and so labels."""


def check_labels(metrics: Sequence[Metric], data: Aligned) -> None:
    """Refuses numbers between 0 and 1 as outputs beside gold labels 0 and 1, where labels are compared.

    Raises:
        InputError: with the metric that ranks by them, and what makes labels of them.
    """
    metric = next((m for m in metrics if (m.of_labels and not m.ranked) or m.name == _COMPARES), None)
    streams = next(iter(data.cells.values())).references
    gold = {value for stream in streams for value in _numbers(stream)}
    if metric is None or str(getattr(metric, "column", "")) or not gold or not gold <= _TRUTH:
        return
    for (system, run), cell in data.cells.items():
        values = _numbers(cell.outputs or ())
        between = next((text for text in cell.outputs or () if (number(text) or 0) not in _TRUTH), None)
        if between is None or not all(value is not None and 0 <= value <= 1 for value in values):
            continue
        files = data.files.get((system, run), ())
        raise InputError(
            f"the outputs of {system!r} are numbers between 0 and 1, as {between!r}, and the gold labels 0 and 1: "
            f"{metric.name} would compare them as labels",
            file=files[0] if len(files) == 1 else None,
            remedy="-m auc ranks by them; for labels write 1 from a threshold on and 0 below, as "
            "awk '{print ($1 >= 0.5)}' does with a number a line",
        )


def _numbers(texts: Sequence[str]) -> set[float | None]:
    """The numbers among texts, None for what is none; texts that are empty say nothing."""
    return {number(text) for text in {*texts} if text.strip()}
