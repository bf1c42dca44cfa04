"""From a dataset to statistics: those of every metric that is meant, for every system and run."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import numpy as np

from outscore.base.arrays import Float, Int
from outscore.base.errors import InputError, join
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.registry import spell
from outscore.data.dataset import Dataset
from outscore.data.exports import OVERLAP
from outscore.data.measures import costs_by_name, lower_by_name
from outscore.data.readers import readers
from outscore.data.same_items import in_order, runs_by_name
from outscore.engine.design import Design
from outscore.engine.runtime import Runtime
from outscore.jobs import Progress, cores
from outscore.metrics import Metric
from outscore.metrics.mean import Mean
from outscore.metrics.ratio import Ratio
from outscore.metrics.shared.columns import WithoutTextsError
from outscore.significance import notes
from outscore.significance.ranked import RankedStatistics
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.verbs.shared import reading
from outscore.verbs.shared.extraction import Cache, extract
from outscore.verbs.shared.gold_labels import find_never_gold, note_never_gold
from outscore.verbs.shared.inputs import check_tasks, design_of
from outscore.verbs.shared.meant_metrics import choose_metrics
from outscore.verbs.shared.naming import append_names

if TYPE_CHECKING:
    from outscore.results.correlation import Correlation
from outscore.verbs.shared.reading import Layers, layers_of, one_answer_each

_FEW_IN_STRATUM = 10
_TASKS = ("task", "dataset", "subset", "domain")

_MOST_RUNS = 3
"""Runs that a note names one by one."""


@dataclass(frozen=True)
class Measured:
    """One metric on the data.

    Attributes:
        metric: the metric, prepared for the data.
        stats: its numbers.
        signature: what reproduces them.
        runs: the names of each system's runs.
        notes: what a reader must know of these numbers.
        never_gold: as ``find_never_gold`` gives it.
    """

    metric: Metric
    stats: Statistics
    signature: str
    runs: Mapping[str, tuple[str, ...]]
    notes: tuple[Note, ...] = ()
    never_gold: Mapping[str, tuple[str, int]] = field(default_factory=dict)


def measure(
    metric: Metric,
    data: Dataset,
    design: Design,
    progress: Progress | None,
    *,
    order: Int | None = None,
    jobs: int = 1,
    cache: Cache | None = None,
) -> Measured:
    """The statistics of one prepared metric for every system and run, averaged over the samples of each item.

    They are counted as the items stand in the data, and then put into another ``order``, which ``design`` is of.
    """
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
    whole = np.stack(by_run)
    statistics = np.split(whole if order is None else whole[:, order], np.cumsum(counts)[:-1])
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
        by_chance=metric.error_by_chance if metric.of_labels else None,
    )
    runs = {system: tuple(of_system) for system, of_system in by_system.items()}
    never = find_never_gold(metric, by_system)
    said = (*_note_left_out(metric, by_system, by_layer, data.items), *note_never_gold(never))
    return Measured(metric, stats, metric.signature(flat[0]), runs, said, never)


def _limits(metric: Metric, data: Dataset, by_layer: Sequence[Float]) -> tuple[float, float] | None:
    """The limits of the metric, or those that its statistics show.

    A mean of items whose samples are all right or wrong lies between 0 and 1: of one answer to each item that is seen
    later, in averages over samples it is not. A ratio of counts has no value below 0.
    """
    if metric.limits is not None:
        return metric.limits
    if metric.per_item:
        found = bool(data.sample_counts) and all(np.isin(s, (0, 1)).all() and (s[..., 1] == 1).all() for s in by_layer)
        return (0.0, 1.0) if found else None
    counts = metric.ratio() is not None and all((s >= 0).all() and (s == np.rint(s)).all() for s in by_layer)
    return (0.0, math.inf) if counts else None


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
            remedy="mend these items; else systems are compared on different ones",
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
    means = [m.metric for m in measured if isinstance(m.metric, Mean) and m.metric.direction is not None]
    # a name that says that lower is better, or may be, although higher was taken as better
    unsure = [m.column for m in means if not m.lower and (lower_by_name(m.column) or costs_by_name(m.column))]
    suspects = list(dict.fromkeys(unsure))
    ratios = [m.metric for m in measured if isinstance(m.metric, Ratio) and not m.metric.lower]
    suspects += [spell(m) for m in ratios if any(map(lower_by_name, m.num.split("+")))]
    found = [note for one in measured for note in one.notes]
    logs = [m.column for m in means if m.column in ("gm_map", "gm_bpref")]
    if logs:
        text = f"{join(logs)} of a query is a logarithm: trec_eval's value for all queries is exp of the mean"
        found.append(Note(code="sentence_scores", text=text))
    designs = [one.stats.design for one in measured]
    sizes = [[len(units) for units in d.strata_of_units] for d in designs if d.stratified]
    if sizes and min(sizes[0]) < _FEW_IN_STRATUM:
        small = [size for size in sizes[0] if size < _FEW_IN_STRATUM]
        said = f"{len(small)} of {len(sizes[0])} strata, the smallest of {min(small)}"
        found.append(append_names(notes.SMALL_STRATA, [said]))
    rare = [said for one in measured if (said := _rare_classes(one.metric, one.stats))]
    if rare:
        found.append(append_names(notes.RARE_CLASSES, rare))
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


def note_direction(human: str, found: Iterable[Correlation]) -> Iterator[Note]:
    """A note where all metrics, or most if humans may count errors, go against them, and one by more than chance."""
    signed = [one for one in found if one.value is not None and one.coefficient != "accuracy"]
    against = [one for one in signed if (one.value or 0.0) < 0]
    enough = len(signed) // 2 if lower_by_name(human) else len(signed) - 1
    if len(against) > enough and any(one.ci and one.ci[1] < 0 for one in against):
        named = join(dict.fromkeys(one.metric for one in against))
        of, whose = ("all", "") if len(against) == len(signed) else ("most", f" ({named})")
        yield Note(
            code="all_negative",
            text=f"{of} correlations with {human!r} are negative{whose}, as if lower were better in one of both",
            remedy="say so: --human mean:column=NAME,lower=true, or the like after -m",
        )


def _rare_classes(metric: Metric, stats: Statistics) -> str:
    """Classes with few gold items, where each counts as much as any other; empty where there are none."""
    every, of = [runs[0] * stats.steps for runs in stats.items], stats.averaged
    if of is None:
        each = sorted(pair for items in every for pair in metric.gold_items(items))
        named = iter(dict(reversed(each)).items())
    else:
        named = zip(of.counting, of.gold_items(every[0]).tolist(), strict=True)
    rare = [f"{name!r} with {n}" for name, n in sorted(named, key=lambda each: each[1]) if n < metric.few_of_class]
    more = f" and {len(rare) - _MOST_RUNS} more" if len(rare) > _MOST_RUNS else ""
    return f"{stats.name} ({', '.join(rare[:_MOST_RUNS])}{more})" if rare else ""


Meant = Sequence[str | Metric] | str | Metric | None
"""Metrics as a user names them; None for the one that suits the data."""


def runtime_of(jobs: int | None, progress: Progress | None) -> Runtime:
    """How the work of a verb is done: on as many threads as there are cores, unless said."""
    return Runtime(jobs=cores() if jobs is None else jobs, progress=progress)


@dataclass(frozen=True)
class Measurements:
    """Systems that have their items in common, under every metric; nothing is counted before ``measured`` is read.

    Attributes:
        read: their items as they stand in the files.
        data: the same in the order in which they are drawn.
        design: what hangs together among the items.
        metrics: prepared for these items.
        runtime: how the counting is done; ``cache`` keeps what was counted.
    """

    read: Dataset
    data: Dataset
    design: Design
    metrics: tuple[Metric, ...]
    runtime: Runtime
    cache: Cache | None

    @classmethod
    def of(
        cls,
        data: Dataset,
        metrics: Meant,
        runtime: Runtime,
        *,
        cluster: str | None = None,
        strata: str | None = None,
        cache: str | os.PathLike[str] | None = None,
        as_read: bool = False,
    ) -> Measurements:
        """Aligned systems under the metrics that are meant; items that these cannot score are left out where asked.

        They are put into the order in which they are drawn, unless that of the files is the question (``as_read``).

        Raises:
            UsageError: an unknown metric or column.
        """
        chosen, read = choose_metrics(metrics, data)
        read = runs_by_name(read.in_file_order())
        averaged = f"average the folds of each {quote(str(cluster))},"  # in clusters no test takes them for independent
        read = read.without_notes(OVERLAP) if any(averaged in note.remedy for note in read.notes) else read
        suites = [metric for metric in chosen if metric.name == "suite"]
        if len(suites) == len(chosen):  # no metric pools the tasks
            read = read.without_notes("tasks_joined")
        data = read if as_read else in_order(read)
        kept, design = None if cache is None else Cache(Path(cache)), design_of(data, cluster, strata)
        for suite in suites:
            check_tasks(suite, data, design)
        return cls(read, data, design, tuple(chosen), runtime, kept)

    @cached_property
    def measured(self) -> tuple[Measured, ...]:
        """Every metric on the items.

        Raises:
            InputError: a metric cannot read the items.
        """
        return tuple(map(self.measure, self.metrics))

    def measure(self, metric: Metric) -> Measured:
        """One prepared metric on the items.

        Raises:
            InputError: it cannot read them.
        """
        made, order = self.runtime, None if self.data is self.read else self.data.places
        return measure(metric, self.read, self.design, made.progress, order=order, jobs=made.jobs, cache=self.cache)

    def notes(self, option: str, used: str | None) -> list[Note]:
        """``measuring_notes``, and that tasks are pooled, of which a large one counts for more, and its labels for all.

        Args:
            option: tells tasks apart; ``used``: the column that it names.
        """
        told = used == "none" or "tasks_joined" in {note.code for note in self.data.notes}
        told |= "suite" in {metric.name for metric in self.metrics}
        found = measuring_notes(self.measured)
        for name in _TASKS:
            n = len(set(self.data.labels.get(name, ())))
            several, new = 1 < n <= len(self.data.items) / 2, name not in (used, self.design.cluster) and not told
            own = self._tell_own_labels(name) if several else ""
            if several and (new or own):
                apart, how = (f"; {option} {name} tells them apart", "or") if new else ("", "use")
                text = f"items of {n} values of {name!r} are pooled{own}{apart}"
                remedy = (
                    f"{how} outscore replicate --set {name}, which weighs them alike, or of scores -m suite:task={name}"
                )
                return [Note(code="tasks_joined", text=text, remedy=remedy), *found]
        return found

    def _tell_own_labels(self, column: str) -> str:
        """Labels that a value of a column lacks, 10 of them expected by all items, where classes weigh alike."""
        averaged = [m.stats.name for m in self.measured if m.stats.averaged and m.metric.needs_gold]
        if not averaged or len(self.data.references) != 1:
            return ""
        gold, values = self.data.references[0], self.data.labels[column]
        rows, of, fewest = Counter(zip(gold, values, strict=True)), Counter(values).items(), 10 * len(gold)
        own = [g for g, k in Counter(gold).items() if any(not rows[g, v] and k * size >= fewest for v, size in of)]
        return f", and {averaged[0]} averages over labels that some lack ({join(own, 3)})" if own else ""

    @property
    def by_metric(self) -> list[Statistics]:
        """The numbers of every metric."""
        return [m.stats for m in self.measured]

    def resamples(self, settings: Settings, baseline: int = 0, *, all_pairs: bool = False) -> Resamples:
        """The same numbers, ready for tests and intervals; nothing is drawn yet."""
        return Resamples(self.data.systems, self.by_metric, baseline, settings, all_pairs=all_pairs)
