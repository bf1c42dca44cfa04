"""From a dataset to statistics: which metrics are meant, their statistics for every system and run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from shlex import quote

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, UsageError, join, suggestion
from outscore.base.notation.tags import TAGS, has_spans
from outscore.base.notes import Note
from outscore.base.registry import options_of, spell
from outscore.data.dataset import Dataset
from outscore.data.measures import costs_by_name, either_sign, fold, is_aside, lower_by_name
from outscore.data.readers import readers
from outscore.engine.design import Design
from outscore.jobs import Progress
from outscore.metrics import Metric, metrics
from outscore.metrics.mean import Mean
from outscore.metrics.ratio import Ratio
from outscore.metrics.shared.names import check_titles, keep_title, split_names
from outscore.metrics.shared.texts import WithoutTextsError
from outscore.significance import notes
from outscore.significance.ranked import RankedStatistics
from outscore.significance.statistics import Statistics
from outscore.verbs.shared import reading
from outscore.verbs.shared.extraction import Cache, extract
from outscore.verbs.shared.gold_labels import check_labels, note_never_gold
from outscore.verbs.shared.naming import prefix_names
from outscore.verbs.shared.reading import Layers, layers_of, one_answer_each, scorable

_FEW_IN_STRATUM = 10
_FEW_OF_CLASS = 5

_MOST_RUNS = 3
"""Runs that a note names one by one."""

_DEFAULTS = {
    "conllu": "las",
    "tree": "evalb",
    "links": "aer",
    TAGS: "token_accuracy",
    "ranking": "ndcg",
}
"""The metric of each notation, where none is named."""


@dataclass(frozen=True)
class Measured:
    """One metric on the data.

    Attributes:
        metric: the metric, prepared for the data.
        stats: its numbers.
        signature: what reproduces them.
        runs: the names of each system's runs.
        notes: what a reader must know of these numbers.
    """

    metric: Metric
    stats: Statistics
    signature: str
    runs: Mapping[str, tuple[str, ...]]
    notes: tuple[Note, ...] = ()


def choose_metrics(specs: Sequence[str | Metric] | str | Metric | None, data: Dataset) -> tuple[list[Metric], Dataset]:
    """The metrics meant by names, with the data's own columns as means, and the items that they can score.

    The metrics are prepared for these items.

    Raises:
        UsageError: an unknown name, or none given where the data leave it open.
        InputError: no item is left.
    """
    meant = metrics_from(specs, data)
    check_labels(meant, data)
    data = scorable(meant, data)
    if specs is None:
        data = data.with_notes(*reading.references_not_read(meant, data))
    chosen = [ready for metric in meant for ready in _prepare(metric, data)]
    check_titles(chosen)
    return chosen, data


def metrics_from(specs: Sequence[str | Metric] | str | Metric | None, data: Dataset) -> list[Metric]:
    """The metrics of these names, not yet prepared for the data.

    Raises:
        UsageError: see ``choose_metrics``.
    """
    if specs is None:
        return [_default(data)]
    columns = _columns(data)
    meant: list[Metric] = []
    for spec in [specs] if isinstance(specs, str | Metric) else specs:
        if isinstance(spec, Metric):
            meant.append(spec)
            continue
        for name, wanted in split_names(spec, columns):
            made = _name_mean(wanted, columns, data)
            meant.append(made.named(name) if name else made)
    if not meant:
        raise UsageError("no metric: name one with -m")
    return [_name_only_column(metric, data) for metric in meant]


def measure(
    metric: Metric,
    data: Dataset,
    design: Design,
    progress: Progress | None,
    *,
    jobs: int = 1,
    cache: Cache | None = None,
) -> Measured:
    """The statistics of one prepared metric for every system and run, averaged over the samples of each item."""
    by_system = layers_of(metric, data)
    if data.sample_counts and metric.ranked:
        one_answer_each(data, f"{metric.name} ranks the items by one answer to each")
    keys = [(system, run, len(layers)) for system, runs in by_system.items() for run, layers in runs.items()]
    flat = [layer for of_system in by_system.values() for layers in of_system.values() for layer in layers]
    try:
        by_layer: Sequence[Float] = extract(metric, flat, jobs=jobs, cache=cache, progress=progress)
    except InputError:
        _raise_with_item(metric, by_system, data)
        raise
    by_layer = reading.count_missing_as_lowest(metric, data, flat, by_layer)
    left = iter(by_layer)
    by_run = [data.average(system, run, [next(left) for _ in range(k)]) for system, run, k in keys]
    counts = [len(of_system) for of_system in by_system.values()]
    statistics = np.split(np.stack(by_run), np.cumsum(counts)[:-1])
    kind, score = (RankedStatistics, metric.score_weighted) if metric.ranked else (Statistics, metric.score)
    stats = kind(
        metric.title,
        statistics,
        score,
        design,
        higher_is_better=metric.higher_is_better,
        per_item=metric.per_item,
        ratio=metric.ratio(),
        averaged=metric.as_average(),
        score_of_part=None if metric.ranked else metric.score_of_part,
        limits=_limits(metric, data, by_layer),
    )
    runs = {system: tuple(of_system) for system, of_system in by_system.items()}
    said = (*_note_left_out(metric, by_system, by_layer, data.items), *note_never_gold(metric, by_system))
    return Measured(metric, stats, metric.signature(flat[0]), runs, said)


def _limits(metric: Metric, data: Dataset, by_layer: Sequence[Float]) -> tuple[float, float] | None:
    """The limits of the metric; a mean of items whose samples are all right or wrong lies between 0 and 1 too.

    Of one answer to each item the statistics show that by itself; averages over samples do not show it.
    """
    if metric.limits is not None or not (data.sample_counts and metric.per_item):
        return metric.limits
    right_or_wrong = all(np.isin(s[..., 0], (0.0, 1.0)).all() and (s[..., 1] == 1.0).all() for s in by_layer)
    return (0.0, 1.0) if right_or_wrong else None


def _note_left_out(
    metric: Metric, by_system: Layers, statistics: Sequence[Float], items: Sequence[str]
) -> tuple[Note, ...]:
    """A note on the items that the metric passed over in some sample, run by run."""
    runs = [(system, run, layers) for system, of_system in by_system.items() for run, layers in of_system.items()]
    said, rows = [], iter(statistics)
    for system, run, layers in runs:
        of_run = [next(rows) for _ in layers]
        if metric.leaves_out and not any(one.any() for one in of_run):
            raise InputError(
                f"{metric.name} leaves out all {len(items)} items of {system!r} (run {run!r}): {metric.leaves_out} "
                "and what has no answer",
                remedy="give the outputs of the same items, in the same order",
            )
        where = sorted({i for layer, own in zip(layers, of_run, strict=True) for i in metric.find_left_out(layer, own)})
        if 2 * len(where) > len(items):  # a score of the few that are left would be of another file
            raise InputError(
                f"{metric.name} leaves out {len(where)} of {len(items)} items of {system!r} (run {run!r}), first "
                f"{items[where[0]]!r}: {metric.leaves_out}",
                remedy="give the outputs of the same items, in the same order and tokenization",
            )
        if where:
            named = f"{system!r}{f' (run {run!r})' if len(by_system[system]) > 1 else ''}"
            said.append(f"{named} has {len(where)} of {len(items)}: {join((items[i] for i in where), 3)}")
    if not said:
        return ()
    more = f"; and {len(said) - _MOST_RUNS} more runs have some" if len(said) > _MOST_RUNS else ""
    return (
        Note(
            code="left_out_by_metric",
            text=f"{metric.name} leaves out {metric.leaves_out}: {'; '.join(said[:_MOST_RUNS])}{more}",
            remedy="mend these items, lest systems be compared on different ones",
        ),
    )


def _raise_with_item(metric: Metric, by_system: Layers, data: Dataset) -> None:
    """Counts run by run until one is refused, to say whose item it is.

    Raises:
        InputError: the same, with the system and the id of the item, or its number in the whole run.
    """
    for system, runs in by_system.items():
        for run, layers in runs.items():
            try:
                for layer in layers:
                    metric.statistics(layer)
            except WithoutTextsError as error:
                options = _find_reader_of_texts(data)
                if not options:
                    raise
                where = f"system {system!r} (run {run!r}): {metric.name} reads texts, and only scores were read"
                raise InputError(where, remedy=f"read the texts too: --reader {options}") from error
            except InputError as error:
                said = str(error) if data.by_position else error.with_id(data.items)
                raise InputError(f"system {system!r} (run {run!r}): {said}") from None


def _find_reader_of_texts(data: Dataset) -> str:
    """The reader by which the files of all systems give their outputs, too; empty where there is none."""
    own = {source.reader for source in data.sources if source.role == "system"}
    return readers.find(*own).with_texts if len(own) == 1 and readers.knows(*own) else ""


def measuring_notes(measured: Iterable[Measured]) -> list[Note]:
    """The notes on numbers before any test: of items left out, of strata, of a direction assumed."""
    measured = list(measured)
    only_described = any(m.metric.descriptive for m in measured) and not all(m.metric.descriptive for m in measured)
    means = [m.metric for m in measured if isinstance(m.metric, Mean) and not (only_described and m.metric.descriptive)]
    # a name that says that lower is better, or may be, although higher was taken as better
    unsure = [m.column for m in means if not m.lower and (lower_by_name(m.column) or costs_by_name(m.column))]
    suspects = list(dict.fromkeys(unsure))
    ratios = [m.metric for m in measured if isinstance(m.metric, Ratio) and not m.metric.lower]
    suspects += [spell(m) for m in ratios if any(map(lower_by_name, m.num.split("+")))]
    found = [note for one in measured for note in one.notes]
    designs = [one.stats.design for one in measured]
    sizes = [[len(units) for units in d.strata_of_units] for d in designs if d.stratified]
    if sizes and min(sizes[0]) < _FEW_IN_STRATUM:
        small = [size for size in sizes[0] if size < _FEW_IN_STRATUM]
        said = f"{len(small)} of {len(sizes[0])} strata, the smallest of {min(small)}"
        found.append(prefix_names(notes.SMALL_STRATA, [said]))
    rare = [said for one in measured if (said := _rare_classes(one.stats))]
    if rare:
        found.append(prefix_names(notes.RARE_CLASSES, rare))
    if not suspects:
        return found
    first = suspects[0] if suspects[0].startswith("ratio:") else f"mean:column={suspects[0]}"
    return [
        *found,
        Note(
            code="direction_assumed",
            text=f"higher was taken as better for {join(suspects)}",
            remedy=f"write {first},lower=true if lower is better",
        ),
    ]


def _rare_classes(stats: Statistics) -> str:
    """Classes with few gold items, where an average gives all classes the same weight; empty where there are none."""
    if stats.averaged is None:
        return ""
    counts = stats.averaged.gold_items(stats.items[0][0] * stats.units).tolist()
    named = zip(stats.averaged.counting, counts, strict=True)
    rare = [f"{name!r} with {n}" for name, n in sorted(named, key=lambda each: each[1]) if n < _FEW_OF_CLASS]
    more = f" and {len(rare) - _MOST_RUNS} more" if len(rare) > _MOST_RUNS else ""
    return f"{stats.name} ({', '.join(rare[:_MOST_RUNS])}{more})" if rare else ""


def _prepare(metric: Metric, data: Dataset) -> tuple[Metric, ...]:
    runs = [layers for runs in layers_of(metric, data).values() for layers in runs.values()]
    return keep_title(metric, metric.prepare([layer for layers in runs for layer in layers]))


def _columns(data: Dataset) -> set[str]:
    return set.intersection(*(set(layer.columns) for layer in data.by_run.values()))


def _has_texts(data: Dataset) -> bool:
    return all(layer.outputs is not None for layer in data.by_run.values())


def _name_mean(name: str, columns: set[str], data: Dataset) -> Metric:
    bare = name.partition(":")[0]
    registered = metrics.knows(bare)
    if name in columns and (not registered or not (_has_texts(data) or _finds_columns(bare))):
        return _mean_of(name, data)
    if not registered and bare in columns:
        options = name.partition(":")[2]
        raise UsageError(f"the column {bare!r} takes no options: write mean:column={bare},{options}")
    partly = next((note.text for note in data.notes if note.code == "column_left_out" and repr(bare) in note.text), "")
    if not registered and partly:
        of_all = join(sorted(columns)) if columns else "none"
        raise UsageError(f"{bare!r} is no metric, and no column of all systems: {partly}; columns of all: {of_all}")
    # what others call a metric may as well be a slip in the name of a column
    within = [column for column in sorted(columns) if bare.lower() in column.lower()]
    if not registered and columns and (within or not metrics.meanings(bare)):
        data.check_numbers(bare)
        known, own = metrics.names(), join(sorted(columns))
        hint = f"; did you mean {within[0]!r}?" if within else suggestion(bare, [*known, *columns])
        raise UsageError(f"unknown metric {bare!r}{hint} (there are: {', '.join(known)}; columns of the data: {own})")
    return metrics.make(name)


def _finds_columns(name: str) -> bool:
    """Whether a metric can read a column of scores by itself; then it means more than the mean of one."""
    return any(option.name == "column" for option in options_of(metrics.find(name)))


def _mean_of(column: str, data: Dataset) -> Mean:
    """The mean of a column; lower is better where a metric of its name has it so, or by the sign of scores of errors.

    Raises:
        UsageError: its name says that less is better, and no metric has that name: what is meant is said with it.
    """
    lower = _has_metric_of_errors(column)
    if either_sign(column):
        lower = all(bool(np.all(~(layer.columns[column] < 0))) for layer in data.by_run.values())
    elif lower_by_name(column) and not lower and fold(column) != "mqm":
        raise UsageError(
            f"which direction? By its name, less of {column!r} is better: "
            f"-m {quote(f'mean:column={column},lower=true')}; -m {quote(f'mean:column={column}')} if higher is better"
        )
    return Mean(column=column, lower=lower)


def _has_metric_of_errors(column: str) -> bool:
    name = fold(column)
    return metrics.knows(name) and not metrics.make(name).higher_is_better


def _name_only_column(metric: Metric, data: Dataset) -> Metric:
    """A mean of the only column there is as that of the column's name, which may say the direction."""
    columns = _columns(data)
    if not isinstance(metric, Mean) or metric.column or metric.lower or {"mean", "score"} & columns:
        return metric
    only = columns.pop() if len(columns) == 1 else ""
    if not (lower_by_name(only) or either_sign(only)):
        return metric
    return replace(metric, column=only, lower=_mean_of(only, data).lower)


def _metric_of_format(data: Dataset) -> Metric | None:
    """The metric that files of this format are about, where all systems' files are of one."""
    own = {source.reader for source in data.sources if source.role == "system"}
    if len(own) != 1 or own == {"python"} or not readers.knows(*own):
        return None
    spec = readers.find(*own).metric
    return metrics.make(spec) if spec else None


def _default(data: Dataset) -> Metric:
    if data.notation == TAGS and has_spans(text for c in data.by_run.values() for s in c.references for text in s):
        return metrics.make("ner")
    if data.notation in _DEFAULTS:
        return metrics.make(_DEFAULTS[data.notation])
    columns = _columns(data)
    with_gold = _has_texts(data) and all(layer.references for layer in data.by_run.values())
    of_format = _metric_of_format(data)
    if isinstance(of_format, Mean) and of_format.column in columns:
        return _mean_of(of_format.column, data)
    if with_gold:
        gold = data.references[0]
        of_texts = "bleu" if any(" " in g.strip() for g in gold) else "accuracy"
        scores = sorted(name for name in columns if not is_aside(name))
        if scores:
            first = scores[0]
            known = not lower_by_name(first) or _has_metric_of_errors(first)
            mean = spell(_mean_of(first, data) if known else Mean(column=first, lower=True))
            raise UsageError(
                f"which metric? The data have outputs with references and the scores {join(scores)}: -m {of_texts} "
                f"scores the outputs, -m {mean} takes the scores"
            )
        return of_format if of_format is not None and not isinstance(of_format, Mean) else metrics.make(of_texts)
    if "score" in columns:
        return metrics.make("mean")
    if len(columns) == 1 and not is_aside(next(iter(columns))):
        return _mean_of(next(iter(columns)), data)
    if columns and all(map(is_aside, columns)):
        name = min(columns)
        raise UsageError(
            f"which metric? No column says how good an output is: {join(sorted(columns))}; name one with "
            f"-m {quote(f'mean:column={name}')}, or -m {quote(f'mean:column={name},lower=true')} if lower is better"
        )
    if columns:
        raise UsageError(f"which metric? The data have the columns {join(sorted(columns))}: name one with -m")
    left_out = next((note for note in data.notes if note.code == "column_left_out"), None)
    if left_out is not None and not _has_texts(data):
        raise UsageError(
            f"no column of numbers is in all systems: {left_out.text}; {left_out.remedy}, or say which columns are the "
            "same score: -c score=NAME for each"
        )
    raise UsageError(
        "the data hold texts without references: add -r REFERENCE_FILE, in Python references=, or give scores"
    )
