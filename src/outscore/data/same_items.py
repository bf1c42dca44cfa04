"""Items: whether files speak of the same ones, whatever ids or lines they share, and the order in which they are drawn.

They and runs are drawn and summed by what they are, not by where they stand in files. Items stand by their ids, as
plain strings. Without ids they stand by digests of their content: of the references, then of these, the descriptions
and all that the systems answered. Neither names nor the order of systems, files and columns have a part in it, so that
the same data give the same draws; items of equal digests are alike. Runs stand by names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from zlib import crc32

import numpy as np

from outscore.base.arrays import Array, Int
from outscore.base.errors import InputError
from outscore.base.items import Absent
from outscore.base.notes import Note
from outscore.data.dataset import Dataset
from outscore.data.run import Gold, Questions, Run
from outscore.data.specs import natural

_SHOWN = 60
_FEW = 0.05
"""Proportion of the tokens that may be written in another way, as brackets are by some programs."""

Holder = Run | Gold


def drop_questions(runs: Sequence[Run], golds: Sequence[Gold]) -> tuple[Run, ...]:
    """The runs without what was asked, once it is known to be the same in all files; with notes on small differences.

    Args:
        runs: as the readers give them, the parts of a system not yet joined.
        golds: references.

    Raises:
        InputError: naming two files, the first item that differs, and what each says of it.
    """
    holders: list[Holder] = [*runs, *golds]
    if all(holder.asked is None for holder in holders):
        return tuple(runs)
    _check_metric(runs)
    _check_questions(runs)
    said = _check_tokens(runs, golds)
    result = [replace(run, asked=None) for run in runs]
    return (result[0].with_notes(*said), *result[1:])


def _find_questions(holders: Sequence[Holder]) -> Iterator[tuple[Holder, Questions]]:
    return ((holder, holder.asked) for holder in holders if holder.asked is not None)


def _check_metric(runs: Sequence[Run]) -> None:
    """Refuses scores of which the files show that other metrics gave them."""
    first: tuple[Holder, str] | None = None
    for run, asked in _find_questions(runs):
        if not asked.metric:
            continue
        first = first or (run, asked.metric)
        if asked.metric != first[1] and run.source.file != first[0].source.file:
            raise InputError(
                f"holds scores of {asked.metric}, but {first[0].source.file} holds scores of {first[1]}",
                file=run.source.file,
                remedy="score all systems with one model",
            )


def _check_questions(runs: Sequence[Run]) -> None:
    """Refuses items of the same id that have another target, or are of another task and ask something else.

    A task may put the same question to each system in other words, and may give its choices in another order.
    """
    parts: dict[str, set[str]] = {}
    for run in runs:
        parts.setdefault(run.system, set()).add(run.part)
    known: dict[tuple[str, str], tuple[Run, Questions, int]] = {}
    for run in runs:
        asked = run.asked
        if asked is None or run.ids is None or not (asked.inputs and asked.targets):
            continue
        part = run.part if len(parts[run.system]) > 1 else ""
        others = []
        for i, item in enumerate(run.ids):
            before = known.setdefault((part, item), (run, asked, i))
            if before[0] is not run:
                others.append((i, *before))
        _check_shared(run, asked, others)


def _check_shared(run: Run, asked: Questions, others: Sequence[tuple[int, Run, Questions, int]]) -> None:
    """The same of one run: ``others`` are its items that an earlier run has, too, and where."""
    unlike: tuple[str, str, str, Run, Questions] | None = None
    n_unlike = 0
    for i, other, of_other, j in others:
        item = (run.ids or ())[i]
        here, there = asked.inputs[i], of_other.inputs[j]
        target, its_target = asked.targets[i], of_other.targets[j]
        letters = here == there and {len(target), len(its_target)} == {1} and (target + its_target).isalpha()
        if target and its_target and target != its_target and not letters:
            raise _difference_error(item, "target", target, its_target, run, asked, other, of_other)
        if here != there:
            n_unlike += 1
            unlike = unlike or (item, here, there, other, of_other)
    if unlike and 2 * n_unlike > len(others) and unlike[4].task != asked.task:
        item, here, there, other, of_other = unlike
        raise _difference_error(item, "input", here, there, run, asked, other, of_other)


def _difference_error(
    item: str, what: str, here: str, there: str, run: Run, asked: Questions, other: Run, of_other: Questions
) -> InputError:
    same = asked.task == of_other.task
    tasks = f"both of task {asked.task!r}" if same else f"of task {asked.task!r} here and {of_other.task!r} there"
    return InputError(
        f"item {item!r} has the {what} {_short(here)}, but {_short(there)} in {other.source.file} ({tasks})",
        file=run.source.file,
        remedy="give logs of one task and one data set; where the question is the same nonetheless, compare tables "
        "made of them: outscore convert LOG -o NAME.csv",
    )


def _check_tokens(runs: Sequence[Run], golds: Sequence[Gold]) -> list[Note]:
    """Refuses tags of other tokens than those of the gold, or of the first system, sentence by sentence.

    Returns:
        Notes where only a few tokens are written in another way. Sentences of other lengths are left to the metric.
    """
    holders = [(h, asked) for h, asked in _find_questions([*golds, *runs]) if asked.tokens]
    notes = []
    for holder, asked in holders[1:]:
        first, of_first = holders[0]
        n, unlike = 0, []
        for i, (ours, theirs) in enumerate(zip(asked.tokens, of_first.tokens, strict=False)):
            if len(ours) == len(theirs):
                n += len(ours)
                unlike += [(i, k) for k, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b]
        if not unlike or len(asked.tokens) != len(of_first.tokens):
            continue
        i, k = unlike[0]
        said = (
            f"{asked.tokens[i][k]!r} here and {of_first.tokens[i][k]!r} in {first.source.file}:{of_first.lines[i][k]}"
        )
        if len(unlike) > _FEW * n:
            raise InputError(
                f"{len(unlike)} of {n} tokens are not those of {first.source.file}: the first is {said}",
                file=holder.source.file,
                line=asked.lines[i][k],
                remedy="give the tags of the same text, every token as the gold has it",
            )
        text = f"{holder.source.file}:{asked.lines[i][k]}: {len(unlike)} of {n} tokens differ, the first is {said}"
        notes.append(Note(code="tokens_differ", text=text, remedy="check that both tag the same text"))
    return notes


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}...")


def in_order(data: Dataset) -> Dataset:
    """The same items, in the order in which they are drawn."""
    every = range(len(data.items))
    order = _by_content(data).tolist() if data.by_position else sorted(every, key=data.items.__getitem__)
    if order == list(every):
        return data
    places = np.arange(len(order)) if data.places is None else data.places
    return replace(data, places=places).on_items(order)


def runs_by_name(data: Dataset) -> Dataset:
    """The same data with the runs of each system in the order of their names."""
    return replace(data, runs={system: tuple(sorted(names, key=natural)) for system, names in data.runs.items()})


def _by_content(data: Dataset) -> Int:
    gold = np.zeros(len(data.items), dtype=np.uint64)
    for texts in data.references:
        gold += _mix(_checksum(texts))
    order = np.argsort(gold)
    same = np.diff(gold[order]) == 0
    if not same.any():
        return order
    alike = np.sort(order[np.append(same, False) | np.append(False, same)])
    rest = np.zeros_like(gold)
    rest[alike] = _digest(list(_columns(data, alike)), len(alike))
    return np.lexsort((rest, gold))


def _checksum(texts: Sequence[str]) -> Array:
    """A number for each text that only few others have."""
    known = {text: crc32(text.encode(errors="surrogatepass")) for text in set(texts)}
    return np.fromiter(map(known.__getitem__, texts), np.uint64, len(texts))


def _columns(data: Dataset, rows: Int) -> Iterator[Array]:
    """All that there is of some items, as numbers that are equal where it is."""
    streams = [*data.references, *data.labels.values()]
    streams += [layer.outputs for layer in data.all_runs if layer.outputs is not None]
    every = len(rows) == len(data.items)
    for texts in streams:
        yield _number(texts if every else [texts[i] for i in rows.tolist()])
    for values in (
        *(column for layer in data.all_runs for column in layer.columns.values()),
        *data.sample_counts.values(),
    ):
        yield (values[rows] + 0.0).view(np.uint64)  # -0 is 0


def _number(texts: Sequence[str]) -> Array:
    """The place of each text among all that there are, one less for those that are absent."""
    known = {text: 2 * place + 1 for place, text in enumerate(sorted(set(texts)))}
    numbers = np.fromiter(map(known.__getitem__, texts), np.uint64, len(texts))
    if Absent in set(map(type, texts)):
        numbers -= np.fromiter((isinstance(text, Absent) for text in texts), np.uint64, len(texts))
    return numbers


def _digest(columns: Sequence[Array], n: int) -> Array:
    """One number for each of n items ``(n,)``, the same in whatever order columns and items stand.

    Columns are told apart by all their items, each seen with what all columns say of it.
    """
    rows = sum(map(_mix, columns), start=np.zeros(n, dtype=np.uint64))
    marked = (column + _mix(_mix(column ^ rows).sum()) for column in columns)
    return sum(map(_mix, marked), start=np.zeros_like(rows))


def _mix(values: Array) -> Array:
    """Bijection of 64 bits in which each bit changes half of all (Steele, Lea & Flood 2014)."""
    with np.errstate(over="ignore"):
        values = (values ^ (values >> 30)) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> 27)) * np.uint64(0x94D049BB133111EB)
        return np.asarray(values ^ (values >> 31))
