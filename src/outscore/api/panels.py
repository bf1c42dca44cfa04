"""From aligned items to panels: which metrics are meant, their statistics for every system and run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError, shown, suggestion
from outscore.base.items import Items
from outscore.base.notes import Note
from outscore.base.registry import split_specs
from outscore.data.run import Aligned
from outscore.engine.design import Design
from outscore.engine.runtime import Progress
from outscore.metrics import Metric, metrics
from outscore.metrics.mean import Mean
from outscore.significance.experiment import Panel

# columns of these names are, as a rule, better when lower; a mean takes higher as better unless told otherwise
_LOWER = {
    "ter",
    "wer",
    "cer",
    "mer",
    "loss",
    "nll",
    "perplexity",
    "ppl",
    "error",
    "errors",
    "mse",
    "mae",
    "rmse",
    "edits",
}


_PORTION = 500  # distinct outputs that are scored between two signs of progress


@dataclass(frozen=True)
class Measured:
    """One metric on the data: the metric, its panel, and the signature that reproduces it."""

    metric: Metric
    panel: Panel
    signature: str


def chosen_metrics(specs: Sequence[str | Metric] | str | Metric | None, data: Aligned) -> list[Metric]:
    """The metrics meant by names, with the data's own columns as means.

    Raises:
        UsageError: an unknown name, or none given where the data leave it open.
    """
    if specs is None:
        return [_default(data)]
    if isinstance(specs, str | Metric):
        specs = [specs]
    columns = _columns(data)
    chosen: list[Metric] = []
    for spec in specs:
        names = [spec] if isinstance(spec, Metric) else split_specs(spec)
        chosen += [name if isinstance(name, Metric) else _named(name, columns, data) for name in names]
    if not chosen:
        raise UsageError("no metric: name one with -m")
    labels = [metric.label for metric in chosen]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice:
        raise UsageError(f"metric {twice!r} is given twice")
    return chosen


def measure(metric: Metric, data: Aligned, design: Design, progress: Progress | None) -> Measured:
    """The statistics of one metric for every system and run.

    Equal outputs for one item are scored once, however many systems and runs gave them.
    """
    keys = [(system, run) for system in data.systems for run in data.runs[system]]
    cells = [data.cells[key] for key in keys]
    if all(cell.outputs is not None and not cell.columns for cell in cells):
        by_run = _distinct_once(metric, cells, progress)
    else:
        by_run = [metric.statistics(cell) for cell in cells]
    counts = [len(data.runs[system]) for system in data.systems]
    statistics = np.split(np.stack(by_run), np.cumsum(counts)[:-1])
    panel = Panel(
        metric.label,
        statistics,
        metric.score,
        design,
        higher_is_better=metric.higher_is_better,
        per_item=metric.per_item,
        ratio=metric.ratio(),
    )
    return Measured(metric, panel, metric.signature(cells[0]))


def direction_notes(chosen: Sequence[Metric]) -> list[Note]:
    """A warning for columns whose name says that lower is better although higher was taken as better."""
    suspects = [m.column for m in chosen if isinstance(m, Mean) and not m.lower and m.column.lower() in _LOWER]
    if not suspects:
        return []
    return [
        Note(
            code="direction_assumed",
            text=f"higher was taken as better for {shown(suspects)}",
            remedy=f"write mean:column={suspects[0]},lower=true if lower is better",
        )
    ]


def _distinct_once(metric: Metric, cells: Sequence[Items], progress: Progress | None) -> list[Float]:
    outputs = [cell.outputs or () for cell in cells]
    number: dict[tuple[int, str], int] = {}
    # item by item, so that a portion shares its references
    places = np.array(
        [[number.setdefault((i, o), len(number)) for o in same] for i, same in enumerate(zip(*outputs, strict=True))]
    ).T
    distinct = list(number)
    portions = []
    for start in range(0, len(distinct), _PORTION):
        if progress is not None:
            progress(metric.label, start, len(distinct))
        part = distinct[start : start + _PORTION]
        references = tuple([stream[i] for i, _ in part] for stream in cells[0].references)
        labels = {name: [values[i] for i, _ in part] for name, values in cells[0].labels.items()}
        outputs_of_part = [o for _, o in part]
        portions.append(
            metric.statistics(Items(n=len(part), outputs=outputs_of_part, references=references, labels=labels))
        )
    if progress is not None:
        progress(metric.label, len(distinct), len(distinct))
    statistics = np.concatenate(portions)
    return [statistics[place] for place in places]


def _columns(data: Aligned) -> set[str]:
    return set.intersection(*(set(cell.columns) for cell in data.cells.values()))


def _has_texts(data: Aligned) -> bool:
    return all(cell.outputs is not None for cell in data.cells.values())


def _named(name: str, columns: set[str], data: Aligned) -> Metric:
    bare = name.partition(":")[0]
    registered = metrics.knows(bare)
    if name in columns and (not registered or (not _has_texts(data) and not metrics.find(bare).per_item)):
        lower = registered and not metrics.make(bare).higher_is_better
        return Mean(column=name, lower=lower)
    if not registered and columns:
        known = [*metrics.names(), *sorted(columns)]
        raise UsageError(
            f"unknown metric {bare!r}{suggestion(bare, known)} (there are: {', '.join(metrics.names())}; "
            f"columns of the data: {shown(sorted(columns))})"
        )
    return metrics.make(name)


def _default(data: Aligned) -> Metric:
    if _has_texts(data) and all(cell.references for cell in data.cells.values()):
        gold = next(iter(data.cells.values())).references[0]
        return metrics.make("bleu" if any(" " in g.strip() for g in gold) else "accuracy")
    columns = _columns(data)
    if "score" in columns:
        return metrics.make("mean")
    if len(columns) == 1:
        return Mean(column=next(iter(columns)))
    if columns:
        raise UsageError(f"which metric? The data have the columns {shown(sorted(columns))}: name one with -m")
    raise UsageError("the data hold texts without references: add -r REFERENCE_FILE, or give scores")
