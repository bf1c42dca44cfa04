"""Predictions beside gold labels: those that are never one, and probabilities where labels are compared.

As outputs hardly any probability could be right, and as scores no label would be read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from outscore.base.errors import InputError, join
from outscore.base.notation import TEXT
from outscore.base.notation.tags import TAGS, has_spans
from outscore.base.notes import Note
from outscore.data.columns import number
from outscore.data.dataset import Dataset
from outscore.metrics import Metric
from outscore.verbs.shared.reading import Layers

_MOST = 3
"""Systems, and labels of each, that the note names."""

_TAGS, _ALIKE = 3, 0.9
"""Words of half the lines, at least, that look like tags; share of the lines in which gold and output have as many."""
_TRUTH = frozenset((0.0, 1.0))
_COMPARES = "exact_match"
"""A metric that compares texts, and so labels."""
_RANKS = "-m auc, in Python metrics='auc', ranks by them"
_LABELS = "for labels write 1 from a threshold on and 0 below, as awk '{print ($1 >= 0.5)}' does with a number a line"


def find_never_gold(metric: Metric, by_system: Layers) -> dict[str, tuple[str, int]]:
    """Systems none of whose outputs is any of the gold labels, where a metric compares the two as labels.

    Such a score is 0 whatever the system can do. Of each what is said of it, and a hash of its outputs.
    """
    column: str = getattr(metric, "column", "")
    if not (metric.needs_gold or metric.name == _COMPARES) or metric.ranked or column:
        return {}
    found = {}
    for system, runs in by_system.items():
        items = [layer for layers in runs.values() for layer in layers]
        outputs = _labels(output for layer in items for output in layer.outputs or ())
        gold = _labels(label for stream in items[0].references for label in stream)
        if outputs and gold and not outputs.keys() & gold.keys():
            shown = (join((label[:40] for label in of), _MOST) for of in (gold, outputs))
            labels = "gold: {}; outputs: {}".format(*shown)
            of = hash(tuple(output for layer in items for output in layer.outputs or ()))
            found[system] = f"no output of {system!r} is one of the gold labels ({labels})", of
    # a text that is to be hit word by word may well be missed by one system
    return found if metric.needs_gold or len(found) == len(by_system) else {}


def note_never_gold(found: Mapping[str, tuple[str, int]]) -> tuple[Note, ...]:
    """The note on such systems."""
    said = [text for text, _ in found.values()]
    if not said:
        return ()
    more = f"; nor of {len(said) - _MOST} more systems" if len(said) > _MOST else ""
    return (
        Note(
            code="never_gold",
            text="; ".join(said[:_MOST]) + more,
            remedy="write predictions as the gold labels are written, or name the right columns with -c output=NAME, "
            "-c reference=NAME",
        ),
    )


def note_cases(metrics: Sequence[Metric], data: Dataset) -> tuple[Note, ...]:
    """A note on outputs that are wrong by upper and lower case alone."""
    exact = [m for m in metrics if (m.of_labels and not m.ranked) or m.name == _COMPARES]
    if all(getattr(m, "lowercase", False) or getattr(m, "column", "") for m in exact):
        return ()
    wrong, every = Counter[str](), Counter[str]()
    for (system, _), layers in data.layers.items():
        rows = Counter(row for of in layers for row in zip(of.outputs or (), *of.references, strict=False))
        for row, n in rows.items():
            every[system] += n
            wrong[system] += n * _differ_in_case(*row)
    said = [f"{n} of {every[system]} of {system!r}" for system, n in wrong.items() if n > 0.01 * every[system]]
    if not said:
        return ()
    more = f" and of {len(said) - _MOST} more systems" if len(said) > _MOST else ""
    return (
        Note(
            code="cases_differ",
            text=f"outputs that differ from the gold in letter case alone are wrong: {', '.join(said[:_MOST])}{more}",
            remedy="write both alike, or use -m exact_match:lowercase=true, in Python metrics=, if case means nothing",
        ),
    )


def _differ_in_case(*texts: str) -> bool:
    output, *gold = (" ".join(text.split()) for text in texts)
    return output not in gold and output.lower() in [text.lower() for text in gold]


def note_lines_of_tags(metrics: Sequence[Metric], data: Dataset, *, chosen: bool) -> tuple[Note, ...]:
    """A note on lines that look like the tags of sentences, where a metric takes each for one label, or for a text.

    Args:
        metrics: not those that are meant for tags.
        data: with outputs.
        chosen: they were not named.
    """
    known = data.notation == TAGS
    takes = next((m for m in metrics if (chosen and not known) or (m.of_labels and not m.ranked)), None)
    outputs = [layer.outputs for layer in data.by_run.values() if layer.outputs is not None]
    if takes is None or data.notation not in (TEXT, TAGS) or len(data.references) != 1 or not outputs:
        return ()
    gold = [line.split() for line in data.references[0]]
    lengths = np.array([len(tags) for tags in gold])
    few = len({tag for tags in gold for tag in tags}) < len(set(map(tuple, gold)))
    if not known and (not few or np.mean(lengths >= _TAGS) < 0.5):
        return ()
    alike = np.array([[len(line.split()) for line in of_one] for of_one in outputs]) == lengths
    if alike.mean(axis=1).min() < _ALIKE:
        return ()
    spans = ", ner counts spans" if has_spans(data.references[0]) else ""
    how = "counts a line as right only as a whole" if takes.of_labels else "was chosen, which is for texts"
    return (
        Note(
            code="lines_of_tags",
            text=f"the lines {'are' if known else 'look like'} tags, {lengths.mean():.3g} in each on average: "
            f"{takes.title} {how}; token_accuracy counts each tag{spans}",
            remedy="name the metric that is meant with -m, in Python metrics=",
        ),
    )


def _labels(texts: Iterable[str]) -> dict[str, None]:
    """The distinct labels that are there, in the order of first use."""
    return {label: None for text in dict.fromkeys(texts) if (label := text.strip())}


def check_labels(metrics: Sequence[Metric], data: Dataset) -> None:
    """Refuses numbers between 0 and 1 beside gold labels 0 and 1, where labels are compared.

    Raises:
        InputError: with the metric that ranks by them, and what makes labels of them.
    """
    metric = next((m for m in metrics if (m.of_labels and not m.ranked) or m.name == _COMPARES), None)
    gold = {value for stream in data.references for value in _numbers(stream)}
    if metric is None or str(getattr(metric, "column", "")) or not gold or not gold <= _TRUTH:
        return
    for (system, run), layer in data.by_run.items():
        files = data.files.get((system, run), ())
        file = files[0] if len(files) == 1 else None
        if layer.outputs is None:
            scores = layer.columns.get("score")
            if scores is None or np.isin(scores, (0, 1)).all() or not ((scores >= 0) & (scores <= 1)).all():
                continue
            raise InputError(
                f"the scores of {system!r} are numbers between 0 and 1, and the gold labels 0 and 1: {metric.name} "
                "would take the mean of the scores, and read no label",
                file=file,
                remedy=f"{_RANKS}; -m mean averages them; {_LABELS}",
            )
        values = _numbers(layer.outputs)
        between = next((text for text in layer.outputs if text.strip() and (number(text) or 0) not in _TRUTH), None)
        if between is None or not all(value is not None and 0 <= value <= 1 for value in values):
            continue
        raise InputError(
            f"the outputs of {system!r} are numbers between 0 and 1, as {between!r}, and the gold labels 0 and 1: "
            f"{metric.name} would compare them as labels",
            file=file,
            remedy=f"{_RANKS}; {_LABELS}",
        )


def _numbers(texts: Sequence[str]) -> set[float | None]:
    """The numbers among texts, None for what is none; texts that are empty say nothing."""
    return {number(text) for text in {*texts} if text.strip()}
