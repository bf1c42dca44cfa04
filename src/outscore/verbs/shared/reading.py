"""Inputs of a metric: the columns it reads of each system and run, and the items that it can score."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import InputError, OutscoreError, UsageError, join
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.base.notation.conllu import CONLLU, NO_HEAD, sentences
from outscore.base.notation.trees import TREE, on_one_line
from outscore.base.notation.trees import parse as parse_tree
from outscore.base.notes import Note
from outscore.data.dataset import Dataset
from outscore.data.gaps import best_zero_error, missing_numbers
from outscore.metrics import Metric
from outscore.metrics.mean import Mean
from outscore.metrics.shared.columns import score_column

Layers = Mapping[str, Mapping[str, tuple[Items, ...]]]
"""By system and run the samples, one of each item in every layer."""


def scorable(metrics: Sequence[Metric], data: Dataset) -> Dataset:
    """The items that all of these metrics can score: those with a gold, where one is read.

    Items without a number that a metric reads are left out where the user wants that. An empty gold of texts is counted
    in a note.

    Raises:
        InputError: a number or an output is missing that a metric reads, a number would be the best of all as 0, or no
            item is left.
    """
    gaps = _gaps(data)
    bare = data.items_without_gold(labels=True)
    unanswered = data.items_without_output()
    if not gaps and not bare and not data.filled and not unanswered:
        return data
    reads = [(metric, _reads(metric, data)) for metric in metrics]
    for metric, read in reads:
        _check_filled(metric, read.columns, data)
    columns: dict[str, Metric] = {}
    for metric, read in reads:
        columns |= {name: metric for name in read.columns if name in gaps and name not in columns}
    _check_whole(columns, data)
    data = data.with_numbers(columns)
    of_gold = [metric for metric, read in reads if read.gold]
    if of_gold and unanswered:
        data = data.with_outputs()
    if not bare or not of_gold:
        return data
    data = data.with_gold(labels=any(metric.needs_gold for metric in of_gold))
    empty = data.items_without_gold(labels=True)
    return data.with_notes(_empty_gold(of_gold, data, empty)) if empty else data


def _check_whole(columns: Mapping[str, Metric], data: Dataset) -> None:
    """Refuses numbers that are missing from what is read, unless their items may be dropped.

    Raises:
        InputError: with the file, the items, or the subsets of the test set that have no such number at all.
    """
    if data.missing == "drop":
        return
    domains = data.labels.get("domain", ())
    for name, metric in columns.items():
        wrong = [
            (key, layer.columns[name], ~np.isfinite(layer.columns[name]))
            for key, layers in data.layers.items()
            for layer in layers
        ]
        wrong = [(key, values, gaps) for key, values, gaps in wrong if gaps.any()]
        if wrong:
            known = np.any([np.isfinite(layer.columns[name]) for layer in data.all_runs], axis=0)
            # a part of which one system alone has no number was asked of it, too
            lacked = set(domains) - {domain for domain, some in zip(domains, known, strict=bool(domains)) if some}
            key, values, _ = wrong[0]
            files = data.files.get(key, ())
            raise missing_numbers(
                name,
                values,
                data.items,
                of=_name_run(*key),
                file=files[0] if len(files) == 1 else None,
                systems=len(data.systems),
                zero=metric.higher_is_better,
                parts=domains if lacked else None,
                beside=[(_name_run(*other), of_other) for other, _, of_other in wrong],
                notes=data.notes,
            )


def _check_filled(metric: Metric, columns: Iterable[str], data: Dataset) -> None:
    """Refuses numbers that were taken for 0 where that is the best there is, or drops their items from the sums.

    Raises:
        InputError: naming the first run that has such.
        UsageError: an additive model was fitted to numbers of which the metric is no mean.
    """
    for filled in data.filled:
        if filled.column not in columns:
            continue
        if data.missing == "additive":
            if not isinstance(metric, Mean) or metric.weight:
                own = "" if filled.column == "score" else f":column={filled.column}"
                text = f"--missing additive models single numbers, and {metric.label} is no plain mean of them"
                raise UsageError(f"{text}: use -m mean{own}")
            continue
        best = not metric.higher_is_better
        if not best:
            numbers = [layer.columns[filled.column] for layer in data.all_runs]
            best = max(n.max() for n in numbers) <= 0 > min(n.min() for n in numbers)
        lacking, dropped = set(filled.items), False
        rows = [item in lacking for item in data.items]
        with contextlib.suppress(OutscoreError):
            layers = layers_of(metric, data)[filled.system].get(filled.run, ())
            dropped = not (metric.ranked or all(metric.statistics(of)[rows].any(axis=1).all() for of in layers))
        if best or dropped:
            raise best_zero_error(metric.label, filled, systems=len(data.systems), best=best)


def _name_run(system: str, run: str) -> str:
    return f"system {system!r} (run {run!r})"


def _empty_gold(metrics: Sequence[Metric], data: Dataset, empty: Sequence[int]) -> Note:
    return Note(
        code="empty_gold",
        text=(
            f"{len(empty)} of {len(data.items)} items have an empty gold, scored as {join(m.name for m in metrics)} "
            f"has it: {join((data.items[i] for i in empty), 3)}"
        ),
        remedy="take out items whose gold is missing: in Python give None, in JSON null",
    )


def count_missing_as_lowest(
    metric: Metric, data: Dataset, layers: Sequence[Items], statistics: Sequence[Float]
) -> Sequence[Float]:
    """The statistics of layers, in which outputs that are not there have the lowest score of a metric of outputs."""
    return (
        _lowest(metric, layers, statistics) if data.items_without_output() and _reads(metric, data).gold else statistics
    )


def _lowest(metric: Metric, layers: Iterable[Items], statistics: Sequence[Float]) -> list[Float]:
    """Statistics in which outputs that are not there have the lowest score, also where nothing was the right answer.

    Args:
        metric: reads outputs and gold.
        layers: of each run or sample.
        statistics: of each layer, ``(n, k)``, counted as if such outputs were empty.
    """
    found = []
    for layer, counts in zip(layers, statistics, strict=True):
        where = layer.absent() if metric.per_item and metric.higher_is_better else []
        mended = counts.copy() if where else counts
        if where:
            mended[where, 0] = (metric.limits or (0.0, 0.0))[0] * counts[where, 1]
        found.append(mended)
    return found


def references_not_read(metrics: Sequence[Metric], data: Dataset) -> tuple[Note, ...]:
    """A note where references stand beside scores, and nothing reads them."""
    layers = list(data.by_run.values())
    if any(layer.outputs is not None or not layer.references for layer in layers):
        return ()
    if some_read_gold(metrics, data):
        return ()
    return (
        Note(
            code="references_not_read",
            text="the references (or gold labels) were not read: a score of each item is given, and no output",
            remedy="name a metric that reads both with -m, as auc does of beliefs in a label, or leave them out",
        ),
    )


def fill_gaps(metrics: Sequence[Metric], data: Dataset) -> tuple[Dataset, Bool]:
    """The data with some number for each that is missing in what these metrics read, and where all are known.

    Returns:
        The data, and ``(systems, items)`` outputs that are there, of which no number is missing, in any run.

    Raises:
        InputError: a system has no output of which all are known.
    """
    gaps, unanswered = _gaps(data), data.items_without_output()
    known = np.ones((len(data.systems), len(data.items)), dtype=np.bool_)
    if not gaps and not unanswered:
        return data, known
    reads = [_reads(metric, data) for metric in metrics]
    read = {name for one in reads for name in one.columns} & gaps
    if any(one.gold for one in reads):
        for (system, _), where in unanswered.items():
            known[data.systems.index(system), where] = False

    def fill(layer: Items) -> Items:
        columns = dict(layer.columns)
        for name in read:
            there = np.isfinite(columns[name])
            columns[name] = np.where(there, columns[name], columns[name][there][0] if there.any() else 0.0)
        return replace(layer, columns=columns)

    for (system, _), layers in data.layers.items():
        for layer in layers:
            for name in read:
                known[data.systems.index(system)] &= np.isfinite(layer.columns[name])
    empty = [system for system, own in zip(data.systems, known, strict=True) if not own.any()]
    if empty:
        raise InputError(
            f"{join(empty)} {'has' if len(empty) < 2 else 'have'} no item with all of {join(sorted(read)) or 'output'}",
            remedy="leave out what nobody scored: --exclude SYSTEM, or name other metrics with -m",
        )
    return replace(data.with_runs(fill), missing="zero"), known  # scores of what is not there are not looked at


def _gaps(data: Dataset) -> set[str]:
    """Columns in which some number is missing."""
    return {name for layer in data.all_runs for name, values in layer.columns.items() if not np.isfinite(values).all()}


def some_read_gold(metrics: Sequence[Metric], data: Dataset) -> bool:
    """Whether some of these metrics reads the references, or gold labels."""
    return any(_reads(metric, data).gold for metric in metrics)


@dataclass
class _Read:
    """Columns that a metric was seen to read, and whether it read the gold."""

    columns: dict[str, None] = field(default_factory=dict)
    gold: bool = False


class _WatchedColumns(dict[str, Float]):
    """Columns that note which of them were read; missing numbers are filled, lest the metric refuse them."""

    def __init__(self, columns: Mapping[str, Float], read: _Read) -> None:
        super().__init__()
        self.read = read
        for name, values in columns.items():
            known = values[np.isfinite(values)]
            self[name] = np.where(np.isfinite(values), values, known[0] if len(known) else 1.0)

    def __getitem__(self, name: str) -> Float:
        self.read.columns[name] = None
        return super().__getitem__(name)


class _Streams(tuple[Sequence[str], ...]):
    """Streams of gold that note whether they were read; to ask whether there are any is not to read them."""

    read: _Read

    def __iter__(self) -> Iterator[Sequence[str]]:
        self.read.gold = True
        return super().__iter__()

    def __getitem__(self, index: int) -> Sequence[str]:  # type: ignore[override]  # no metric takes slices
        self.read.gold = True
        return super().__getitem__(index)


def _reads(metric: Metric, data: Dataset) -> _Read:
    """Find what a metric reads of the data by watching it at the first item: what it reads goes by names alone."""
    read = _Read()

    def watch(layer: Items) -> Items:
        streams = _Streams(layer.references)
        streams.read = read
        return replace(layer, references=streams, columns=_WatchedColumns(layer.columns, read))

    with contextlib.suppress(OutscoreError):  # whatever else is wrong is said when it is counted
        for runs in layers_of(metric, data.on_items([0]).with_runs(watch)).values():
            metric.statistics(next(iter(runs.values()))[0])
    return read


def layers_of(metric: Metric, data: Dataset) -> dict[str, dict[str, tuple[Items, ...]]]:
    """Items that the metric reads, by system and run: one for each layer of samples.

    A metric of samples reads all of them together; where nothing was called a sample, runs are taken as such.
    """
    by_system = {s: {run: data.layers[s, run] for run in data.runs[s]} for s in data.systems}
    if not metric.of_samples:
        return by_system
    if data.sample_counts:
        return {
            s: {
                run: (_samples(metric, layers, data, data.sample_counts.get((s, run))),) for run, layers in runs.items()
            }
            for s, runs in by_system.items()
        }
    return {
        s: {"samples": (_samples(metric, [layer for (layer,) in runs.values()], data),)}
        for s, runs in by_system.items()
    }


def one_answer_each(data: Dataset, what: str) -> None:
    """Refuses several samples of an item where they cannot be averaged.

    Args:
        what: the reason, in words.

    Raises:
        InputError: an item has several samples.
    """
    if data.sample_counts:
        raise InputError(
            f"{what}, but there are several samples of items",
            remedy="give one sample of each item, or compare another metric",
        )


def _samples(metric: Metric, runs: Sequence[Items], data: Dataset, counts: Float | None = None) -> Items:
    """Counts of samples and of right ones for each item; a system with one run holds such counts itself.

    Args:
        runs: the layers of samples, or runs taken as such.
        data: where they come from, for messages.
        counts: how many layers are an item's own, ``(n,)``; by default all.

    Raises:
        InputError: a sample that is neither right nor wrong.
    """
    if len(runs) == 1:
        return runs[0]
    right = np.stack([score_column(run, getattr(metric, "column", ""), metric.name) for run in runs])
    wrong = np.argwhere((right != 0) & (right != 1))
    if len(wrong):
        run, item = wrong[0]
        raise InputError(
            f"{metric.name} counts samples that are right (1) or wrong (0), "
            f"but item {item + 1 if data.by_position else repr(data.items[item])} has {right[run, item]:g}",
            remedy="give 0/1 scores, one for each sample",
        )
    counts = np.full(right.shape[1], float(len(runs))) if counts is None else counts
    right = np.where(counts > np.arange(len(runs))[:, None], right, 0.0)
    columns = {"n_samples": counts, "n_correct": right.sum(axis=0)}
    return replace(runs[0], outputs=None, columns=columns)


def reference_text(text: str, notation: str) -> str:
    """A reference: the words of parsed sentences, a tree on one line, any other text as it is."""
    if notation == CONLLU:
        return " ".join(form for sentence in sentences(text) for form in sentence.forms)
    return on_one_line(text) if notation == TREE else text


def output_text(text: str, reference: str, notation: str) -> str:
    """An output: of parsed sentences the words that hang otherwise than in the reference, any other as references.

    ``dog ← saw (obj), gold: ← ran (nsubj)``: the word, its head and relation, and those of the reference.
    """
    if notation != CONLLU or not reference:
        return reference_text(text, notation)
    ours, gold = _links(text), _links(reference)
    if [form for form, _, _ in ours] != [form for form, _, _ in gold]:
        return f"other words than the reference: {reference_text(text, notation)}"
    pairs = zip(ours, gold, strict=True)
    wrong = [f"{one[0]} ← {one[2]}, gold: ← {right[2]}" for one, right in pairs if one != right]
    return "\n".join(wrong) or "as the reference"


def _links(text: str) -> list[tuple[str, int, str]]:
    """Each word, the place of its head among all words (0 or less for none), and this head with the relation."""
    found: list[tuple[str, int, str]] = []
    for sentence in sentences(text):
        start, forms = len(found), ("root", *sentence.forms)
        for form, head, relation in zip(sentence.forms, sentence.heads, sentence.deprels, strict=True):
            name = "none" if head == NO_HEAD else forms[head]
            found.append((form, start + head if head > 0 else head, f"{name} ({relation})"))
    return found


def lengths_of(data: Dataset) -> tuple[float, ...]:
    """Words of each item in the first reference; none where there is no reference."""
    return tuple(float(len(words)) for words in reference_words(data))


def reference_words(data: Dataset) -> list[list[str]]:
    """The words of each item in the first reference; none where there is no reference."""
    first = next(iter(data.by_run.values()))
    return [split_words(text, data.notation) for text in first.references[0]] if first.references else []


def split_words(text: str, notation: str) -> list[str]:
    """The words of a text; of a parsed sentence or a tree those that it has."""
    if notation == CONLLU:
        return [form for sentence in sentences(text) for form in sentence.forms]
    return list(parse_tree(text).words) if notation == TREE else text.split()
