"""Which metrics are meant: by name, with names that users give them, ``chrf2=chrf:order=2``, or what suits the data."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from shlex import quote

import numpy as np

from outscore.base.errors import InputError, UsageError, join, list_known
from outscore.base.notation.tags import TAGS, has_spans
from outscore.base.notes import Note
from outscore.base.registry import options_of, spell, split_specs
from outscore.data.dataset import Dataset, note_many_dropped
from outscore.data.grades import grades_among
from outscore.data.measures import (
    QUALITY,
    either_sign,
    fold,
    is_aside,
    lower_by_name,
    names_a_place,
    only_numbers,
    parse_measure,
    says_direction,
)
from outscore.data.questions import find_called_gold
from outscore.data.readers import readers
from outscore.metrics import Metric, metrics
from outscore.metrics.mean import PREFERENCES, Accuracy, Mean
from outscore.verbs.shared import reading
from outscore.verbs.shared.gold_labels import check_labels, note_cases, note_lines_of_tags
from outscore.verbs.shared.odd_outputs import note_odd_outputs
from outscore.verbs.shared.reading import layers_of, scorable

_DEFAULTS = {
    "conllu": "las",
    "tree": "evalb",
    "links": "aer",
    TAGS: "token_accuracy",
    "ranking": "ndcg",
}
"""The metric of each notation, where none is named."""


_PLAIN = frozenset(("table", "jsonl", "workbook", "parquet", "arrow", "sqlite", "duckdb", "numpy", "python"))
"""Readers of files that anybody may have written."""


def choose_metrics(specs: Sequence[str | Metric] | str | Metric | None, data: Dataset) -> tuple[list[Metric], Dataset]:
    """The metrics meant by names, with the data's own columns as means, and the items that they can score.

    The metrics are prepared for these items.

    Raises:
        UsageError: an unknown name, or none given where the data leave it open.
        InputError: no item is left.
    """
    meant = metrics_from(specs, data)
    check_labels(meant, data)
    if specs is not None:
        data = data.with_notes(*_note_only_column(meant, data))
    data = scorable(meant, data)
    data = data.with_notes(*note_odd_outputs(meant, data), *note_lines_of_tags(meant, data, chosen=specs is None))
    data = data.with_notes(*note_cases(meant, data))
    if specs is None:
        data = data.with_notes(*reading.references_not_read(meant, data))
    data = data.with_notes(*note_many_dropped(data), *_note_directions(meant, specs, data))
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


def _prepare(metric: Metric, data: Dataset) -> tuple[Metric, ...]:
    runs = {(system, run): of for system, runs in layers_of(metric, data).items() for run, of in runs.items()}
    try:
        return keep_title(metric, metric.prepare([layer for layers in runs.values() for layer in layers]))
    except InputError as error:
        for (system, run), layers in runs.items() if error.item is not None else ():  # whose item it is
            try:
                metric.prepare(layers)
            except InputError as own:
                where = "".join(data.files.get((system, run), ())[:1]) or f"system {system!r} (run {run!r})"
                raise InputError(f"{where}: {own if data.by_position else own.with_id(data.items)}") from None
        raise


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
        hint = f"; did you mean {within[0]!r}?" if within else metrics.hint(bare, [*known, *columns])
        raise UsageError(f"unknown metric {bare!r}{hint}{list_known(known, 'metrics')}; columns of the data: {own}")
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
    elif lower_by_name(column) and not lower:
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


def _note_only_column(chosen: Sequence[Metric], data: Dataset) -> tuple[Note, ...]:
    """A note where a metric takes a column as the score that is the only one of numbers, and whose name says nothing.

    Raises:
        UsageError: its name says that it is something else, or outputs may be meant that have no gold yet.
    """
    columns = _columns(data)
    only = columns.pop() if len(columns) == 1 else ""
    said = parse_measure(only)
    for metric in chosen:
        compares = isinstance(metric, Accuracy) and _has_texts(data)
        reads_gold = (compares and data.references) or (metric.ranked and metric.of_labels)
        if getattr(metric, "column", None) != "" or reads_gold or only in {metric.name, *PREFERENCES}:
            continue
        gold = find_called_gold(data.labels) if compares else None
        name = f"-c reference={quote(gold or 'COLUMN')}, in Python .rename(columns={{{gold or 'COLUMN'!r}: 'gold'}}),"
        if gold and not only:
            raise UsageError(f"no gold labels: {name} if {gold!r} holds them, or -r FILE")
        if not only or (said and said.kind == QUALITY):
            continue
        if not said and not compares:
            return (only_numbers(only),)
        raise UsageError(
            f"which scores? No column says how good an output is, and {only!r} is the only one of numbers: "
            + f"{name} to compare the outputs with gold labels, or " * compares
            + f"-m {quote(f'{metric.name}:column={only}')} to take it"
        )
    return ()


def _note_directions(
    meant: Sequence[Metric], specs: Sequence[str | Metric] | str | Metric | None, data: Dataset
) -> Iterator[Note]:
    """A note on means of which more was taken as better although neither their names nor the user say so.

    Formats of programs whose scores have a direction of their own are left alone.
    """
    if not {source.reader for source in data.sources if source.role == "system"} <= _PLAIN:
        return
    taken = next((note for note in data.notes if note.code == "column_as_score"), None)
    if taken is not None and all(metric.higher_is_better for metric in meant):
        turns = all(isinstance(metric, Mean) for metric in meant)
        yield replace(taken, text=f"{taken.text}, higher as better{'; else -m mean:lower=true' if turns else ''}")
    listed = [specs] if isinstance(specs, str | Metric) else specs or ()
    bare = {called for spec in listed if isinstance(spec, str) for _, called in split_names(spec, _columns(data))}
    means = [metric for metric in meant if isinstance(metric, Mean) and metric.direction]
    silent = [m.column for m in means if m.column and (specs is None or m.column in bare)]
    unsaid = [name for name in dict.fromkeys(silent) if not (says_direction(name) or metrics.knows(fold(name)))]
    if unsaid:
        first = f"mean:column={unsaid[0]}"
        yield Note(
            code="direction_assumed",
            text=f"higher was taken as better for {join(unsaid)}, though no name says so; else "
            f"-m {quote(f'{first},lower=true')}",
            remedy=f"-m {quote(first)} says so",
        )


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
        scores = sorted(name for name in columns if not is_aside(name) and not _describes(name, data))
        if scores:
            first = scores[0]
            known = not lower_by_name(first) or _has_metric_of_errors(first)
            mean = spell(_mean_of(first, data) if known else Mean(column=first, lower=True))
            ways = [f"-m {of_texts} scores the outputs", f"-m {mean} takes the scores"]
            if metrics.knows(fold(first)) or either_sign(first):  # what a model said of the outputs is what was wanted
                ways.reverse()
            raise UsageError(
                f"which metric? The data have outputs with references and the scores {join(scores)}: {', '.join(ways)}"
            )
        return of_format if of_format is not None and not isinstance(of_format, Mean) else metrics.make(of_texts)
    if "score" in columns:
        return metrics.make("mean")
    if len(columns) == 1 and not is_aside(next(iter(columns))):
        return _mean_of(next(iter(columns)), data)
    if columns and all(map(is_aside, columns)):
        raise UsageError(_ask_beside(columns, data))
    if columns:
        likely = min(columns, key=lambda name: (_describes(name, data), is_aside(name), name))
        raise UsageError(
            f"which metric? The data have the columns {join(sorted(columns))}: name one with -m, as in "
            f"-m {quote(likely)}"
        )
    left_out = next((note for note in data.notes if note.code == "column_left_out"), None)
    if left_out is not None and not _has_texts(data):
        raise UsageError(
            f"no column of numbers is in all systems: {left_out.text}; {left_out.remedy}, or say which columns are the "
            "same score: -c score=NAME for each"
        )
    raise UsageError(
        "the data hold texts without references: add -r REFERENCE_FILE, in Python references=, or give scores"
    )


def _ask_beside(columns: Collection[str], data: Dataset) -> str:
    """Remedy where no column says by its name how good an output is."""
    name = min((of for of in columns if not _describes(of, data)), default="")
    graded = next((of for of, text in data.texts.items() if grades_among([text.cell])), "")
    gold = find_called_gold(data.labels) if _has_texts(data) and not data.references else None
    if graded:
        remedy = f"-c score={quote(graded)} takes the grades of {graded!r}"
    elif name:
        lower = f"-m {quote(f'mean:column={name},lower=true')} if lower is better"
        remedy = f"name one with -m {quote(f'mean:column={name}')}, or {lower}"
    elif gold:
        remedy = f"-c reference={quote(gold)} compares the outputs with {gold!r}"
    else:
        remedy = "add a column of scores"
    return f"which metric? No column says how good an output is: {join(sorted(columns))}; {remedy}"


def _describes(column: str, data: Dataset) -> bool:
    """Whether a column describes the items: where the gold stands, or what is the same whatever the system answers."""
    if names_a_place(column):
        return True
    said = parse_measure(column)
    if said is not None and said.kind == QUALITY:
        return False
    layers = list(data.by_run.values())
    answers = len({layer.outputs for layer in layers}) > 1
    first = layers[0].columns[column]
    return answers and all(np.array_equal(first, layer.columns[column], equal_nan=True) for layer in layers[1:])


def split_names(text: str, columns: Collection[str] = ()) -> list[tuple[str, str]]:
    """The metrics of a comma list, each with the name that it is given, or the empty string.

    Args:
        text: ``bleu,chrf2=chrf:order=2`` gives ``("", "bleu")`` and ``("chrf2", "chrf:order=2")``.
        columns: names of columns, which may be metrics too and may hold an equals sign.

    Raises:
        UsageError: a name, or what it names, is empty.
    """
    return [_split(spec, columns) for spec in _split_list(text, columns)]


def keep_title(metric: Metric, ready: Sequence[Metric]) -> tuple[Metric, ...]:
    """The metrics that one was prepared to, by the name that it was given.

    Raises:
        UsageError: one name was given to a metric that is several.
    """
    if metric.title == metric.label:
        return tuple(ready)
    if len(ready) > 1:
        raise UsageError(
            f"{metric.title}={metric.label} is {len(ready)} metrics, and has one name: name each of "
            f"{join(one.label for one in ready)}"
        )
    return tuple(one.named(metric.title) for one in ready)


def check_titles(chosen: Sequence[Metric]) -> None:
    """Refuses two metrics of one name.

    Raises:
        UsageError: there are two.
    """
    titles = [metric.title for metric in chosen]
    twice = next((title for title in titles if titles.count(title) > 1), None)
    if twice is None:
        return
    called = list(dict.fromkeys(metric.label for metric in chosen if metric.title == twice))
    if len(called) == 1:
        raise UsageError(f"metric {twice!r} is given twice")
    raise UsageError(f"two metrics are called {twice!r}: {join(called)}; give each a name of its own, NAME=METRIC")


def _split_list(text: str, columns: Collection[str]) -> list[str]:
    found: list[str] = []
    for spec in split_specs(text):
        # what stands behind a metric with options is either an option of it or another metric with a name
        first, *more = spec.split(",")
        found.append(first)
        for part in more:
            found[-1:] = [found[-1], part] if _names_another(part, found[-1], columns) else [f"{found[-1]},{part}"]
    return found


def _names_another(part: str, before: str, columns: Collection[str]) -> bool:
    key, _, value = (piece.strip() for piece in part.partition("="))
    meant = value.partition(":")[0].strip()
    bare = _split(before, columns)[1].partition(":")[0]
    own = {option.name for one in metrics.meanings(bare) for option in options_of(metrics.find(one))}
    return key not in own and (meant in columns or metrics.knows(meant) or bool(metrics.meanings(meant)))


def _split(spec: str, columns: Collection[str]) -> tuple[str, str]:
    head, colon, options = spec.partition(":")
    name, equals, meant = head.partition("=")
    if not equals or spec in columns:
        return "", spec
    name, meant = name.strip(), f"{meant.strip()}{colon}{options}"
    if not name or not meant:
        raise UsageError(f"{spec!r} is no metric with a name: write NAME=METRIC, such as chrf2=chrf:order=2")
    return name, meant
