"""Names, items and numbers that all systems have in common; never by guessing."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from shlex import quote

from outscore.base import limits
from outscore.base.arrays import Float
from outscore.base.errors import InputError, begin, inflect, join
from outscore.base.notes import Note
from outscore.data.exports import LANGFUSE
from outscore.data.gaps import describe_causes, describe_remedies, name_holder, no_common_items_error, zero_is_bad_in
from outscore.data.run import Gold, Run

_UTTERANCES = ("kaldi", "trn")
_MOST = 3
"""Systems that are named one by one."""
_RUN = re.compile(r"(?i)(.+?)(?:[-._ ]?(run|seed|trial)|[-._ ](?:opt|rep|restart|init)?)[-._ ]?([0-9]+)")
_INVISIBLE = ("Cf", "Cc")
"""Classes of characters that a table does not show: marks of direction, joiners, soft hyphens."""


def group_by_system(runs: Sequence[Run]) -> dict[str, list[Run]]:
    """The runs of each system, in the order given.

    Raises:
        InputError: two systems have names that look the same: they differ in blanks, or in how letters are coded. Both
            are given as they are written.
    """
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(run.system, []).append(run)
    limits.check("systems", len(found), "the data", runs[0].source.file if runs else None)
    looks: dict[str, str] = {}
    for system, (first, *_) in found.items():
        other = looks.setdefault(_normalize(system), system)
        if other != system:
            raise InputError(
                f"the systems {_escape(other)} and {_escape(system)} look the same",
                file=first.source.file,
                remedy="give a system one name everywhere, and two systems names that differ in what is seen",
            )
    return found


def _escape(name: str) -> str:
    """A name with escapes for whatever cannot be seen; messages have one blank where there are several."""
    return ascii(name).replace("  ", " \\x20")


def _normalize(name: str) -> str:
    """A name as it is seen: letters composed, no invisible characters, one blank where there are several."""
    plain = unicodedata.normalize("NFC", name)
    visible = "".join(
        " " if c.isspace() else c for c in plain if c.isspace() or unicodedata.category(c) not in _INVISIBLE
    )
    return " ".join(visible.split())


def copies(runs: Sequence[Run]) -> list[Note]:
    """A note where files of a system's runs have the same content, as a pattern that catches copies makes them."""
    by_content: dict[tuple[str, str], dict[str, str]] = {}
    for run in runs:
        by_content.setdefault((run.system, run.source.sha256), {}).setdefault(run.source.file, run.run)
    found = [(system, files) for (system, _), files in by_content.items() if len(set(files.values())) > 1]
    if not found:
        return []
    said = "; ".join(f"{join(files)} of {system!r}" for system, files in found[:_MOST])
    more = f"; and {len(found) - _MOST} more" if len(found) > _MOST else ""
    return [
        Note(
            code="runs_alike",
            text=f"files of several runs have the same content: {said}{more}",
            remedy="narrow the pattern if they are copies: runs that vary in nothing say nothing of new runs",
        )
    ]


def note_runs_as_systems(runs: Sequence[Run]) -> list[Note]:
    """A note where some systems, beside others, are named like the runs of one: ``base.run1``, ``base.run2``.

    Without such a word, files of two systems have the same numbers, from 0 or 1: ``base.0``, ``base.1``, ``new.0``, ...
    """
    files = {run.system: run.source.file for run in runs}
    stems: dict[tuple[str, ...], dict[str, str]] = {}
    for name in files:
        if named := _RUN.fullmatch(name):
            stems.setdefault(named.group(1, 2), {})[name] = named[3]
    apart = len(set(files.values())) == len(files)
    times = Counter(tuple(of.values()) for of in stems.values() if apart and {"0", "1"} & {*of.values()})
    found = {s: of for s, of in stems.items() if 1 < len(of) < len(files) and (s[1] or times[tuple(of.values())] > 1)}
    if not found:
        return []
    (stem, _), of = next(iter(found.items()))
    pattern = "*".join(files[next(iter(of))].rsplit(next(iter(of.values())), 1))
    together = f"{stem}={quote(pattern)}" if len({files[name] for name in of}) > 1 else "by a column run"
    return [
        Note(
            code="runs_as_systems",
            text=f"{'; '.join(map(join, list(found.values())[:_MOST]))} are named like runs of one system, but each "
            "is taken for a system of its own",
            remedy=f"give the runs of a system together: {together}",
        )
    ]


def check_runs(runs: Sequence[Run]) -> None:
    """Each system and run is there once, its columns are of one length, and all are in one format, with ids or without.

    Raises:
        InputError: naming the file that does not fit.
    """
    group_by_system(runs)
    first = runs[0]
    seen: dict[tuple[str, str, str], Run] = {}
    for run in runs:
        before = seen.setdefault((run.system, run.run, run.sample), run)
        if before is not run:
            raise InputError(
                f"run {run.run!r} of system {run.system!r} is also in {before.source.file}",
                file=run.source.file,
                remedy="give each system and each of its runs once",
            )
        if (run.ids is None) != (first.ids is None):
            with_ids, without = (run, first) if first.ids is None else (first, run)
            raise InputError(
                f"has no item ids, but {with_ids.source.file} has them",
                file=without.source.file,
                remedy="give all systems with item ids (a table or JSON lines) or all as plain lines",
            )
        lengths = {len(column) for column in run.columns.values()}
        lengths |= {len(stream) for stream in (*run.labels.values(), *run.references)}
        lengths |= set() if run.outputs is None else {len(run.outputs)}
        if lengths - {run.n} or run.n == 0:
            raise InputError(
                f"system {run.system!r}, run {run.run!r} has columns of {sorted(lengths | {run.n})} values",
                file=run.source.file,
                remedy="give every column one value per item",
            )
        if run.notation != first.notation:
            raise InputError(
                f"holds {run.notation}, but {first.source.file} holds {first.notation}",
                file=run.source.file,
                remedy="give all systems in one format",
            )
        _check_unique(run)


def _check_unique(holder: Run | Gold) -> None:
    if holder.ids is None or len(set(holder.ids)) == len(holder.ids):
        return
    seen: set[str] = set()
    again = next(i for i in holder.ids if i in seen or seen.add(i))  # type: ignore[func-returns-value]
    raise InputError(f"duplicate id {again!r}", file=holder.source.file, remedy="make ids unique")


def check_shared(runs: Sequence[Run], golds: Sequence[Gold], more: Iterable[str] = ()) -> None:
    """Refuses what has no id in common with the first run, or ``more``: no item could be kept, and all be scored 0.

    Raises:
        InputError: with the first ids of both.
    """
    first = runs[0]
    if first.ids is None:
        return
    known = {*first.ids, *more}
    holders: list[Run | Gold] = [*runs[1:], *golds]
    for holder in holders:
        if holder.ids and known.isdisjoint(holder.ids):
            near = difference(holder.ids, first.ids)
            raise no_common_items_error(holder, first, [near] if near else _advise_columns(runs))


def match_by_position(
    runs: Sequence[Run], golds: Sequence[Gold], items: tuple[str, ...], notes: list[Note]
) -> list[Gold]:
    """The gold data of runs without ids: all counts are equal, and ids are line numbers or gone.

    Args:
        runs, golds: as in ``align``.
        items: line numbers as ids.
        notes: what there is to say of gold data that went by the order of their rows is added here.

    Raises:
        InputError: unequal counts, or ids that are no line numbers.
    """
    first = runs[0]
    result = []
    holders: list[Run | Gold] = [*runs[1:], *golds]
    for holder in holders:
        if holder.n != first.n:
            raise InputError(
                f"{holder.n} items, but {first.source.file} has {first.n}",
                file=holder.source.file,
                remedy="give every system the same items, in the same order",
            )
        if isinstance(holder, Run):
            continue
        _check_unique(holder)
        if holder.ids is not None and set(holder.ids) != set(items):
            if holder.source.role != "items":
                raise InputError(
                    f"has item ids ({join(holder.ids, 2)}), but {first.source.file} has none",
                    file=holder.source.file,
                    remedy="give the outputs with ids too, or remove the id column to go by position",
                )
            notes.append(
                Note(
                    code="items_by_row_order",
                    text=f"the rows of {holder.source.file} describe the items in the order of the lines, "
                    "because the outputs have no ids",
                    remedy="give the outputs with item ids",
                )
            )
            holder = replace(holder, ids=None)  # noqa: PLW2901
        result.append(holder)
    return result


def match_by_id(
    runs: Sequence[Run], golds: Sequence[Gold], systems: int, *, drop: bool
) -> tuple[tuple[str, ...], dict[str, str]]:
    """The ids that all have, in the order of the first run, and with ``drop`` those that were left out, with why.

    Raises:
        InputError: ids twice, gold data without ids, or without ``drop`` an item that somebody lacks.
    """
    first = runs[0]
    assert first.ids is not None
    every = dict.fromkeys(first.ids)
    lacked: dict[str, list[str]] = {}
    for gold in golds:
        _check_unique(gold)
        if gold.ids is None:
            raise _no_ids_error(gold, first)
    for run in runs[1:]:
        if run.ids is not first.ids:
            every |= dict.fromkeys(run.ids or ())
    holders: list[Run | Gold] = [*runs, *golds]
    for holder in holders:
        if isinstance(holder, Gold) and holder.references:
            # An item that only the references have was left unanswered by all: it may not vanish silently.
            every |= dict.fromkeys(holder.ids or ())
    for holder in holders:
        ids = set(holder.ids or ())
        if ids >= every.keys():
            continue
        name = name_holder(holder)
        lacking = [item for item in every if item not in ids]
        if lacking and not drop:
            why, mended = describe_causes(holder.notes if isinstance(holder, Run) else (), holder.source.file)
            other = next(h for h in holders if lacking[0] in set(h.ids or ()))
            said = f", all of {join(tasks)}" if (tasks := find_missing_tasks(lacking, ids)) else ""
            near = difference(holder.ids or (), other.ids or ())
            raise InputError(
                f"{name} lacks {len(lacking)} of {len(every)} items{said}, {join(map(begin, lacking), 3)}, "
                f"which {other.source.file} has{why}",
                file=holder.source.file,
                remedy=near
                or "; or ".join(
                    [*_advise_columns(runs), *mended, describe_remedies(systems, zero=zero_is_bad_in(runs))]
                ),
            )
        for item in lacking:
            lacked.setdefault(item, []).append(name)
    dropped = {item: f"absent from {first_few(names)}" for item, names in lacked.items()}
    return tuple(item for item in every if item not in dropped), dropped


def _no_ids_error(gold: Gold, first: Run) -> InputError:
    """The error of gold data without ids beside systems with them."""
    assert first.ids is not None
    file, other = gold.source.file, first.source.file
    if gold.source.reader != "lines":
        return InputError(
            f"{inflect(gold.n, 'item')} without ids, but those of {other} have ids "
            f"({len(first.ids)}: {join(first.ids, 3)})",
            file=file,
            remedy="add a column 'item' with the same ids, or give all files without ids, in the same order",
        )
    own = f"; {other} holds references of its own: leave -r out to use them" if first.references else ""
    how = f"make a table of it with the columns item and reference, where item holds ids such as {first.ids[0]!r}"
    if first.source.reader in _UTTERANCES:
        how = f"write the id first in each of its lines, as in '{first.ids[0]} TEXT'"
        if first.source.reader == "kaldi" and gold.n == len(first.ids):
            command = f"awk '{{print $1}}' {quote(other)} | paste -d' ' - {quote(file)} > {quote(f'{file}.ids')}"
            how += f" ({command} does so if both have the same order)"
    return InputError(
        f"holds {gold.n} plain lines, and {other} {len(first.ids)} items with ids: nothing says which line belongs to "
        "which item",
        file=file,
        remedy=how + own,
    )


def _advise_columns(runs: Sequence[Run]) -> list[str]:
    """Remedies for a column that may leave few items in common: a seed as the run, a trace as the item."""
    said = (note for run in runs for note in run.notes if note.code in ("seed_as_run", LANGFUSE))
    return list(dict.fromkeys(f"{note.text}: {note.remedy}" for note in said))


def first_few(names: Sequence[str]) -> str:
    """A list of systems or files for a message, cut after three."""
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(names[:_MOST]) + more


def difference(ids: Collection[str], others: Collection[str]) -> str:
    """How the ids of one file differ from those of another with none in common, where that is all; else empty."""
    if not ids or not others or not set(ids).isdisjoint(others):
        return ""
    if _overlap((item.casefold() for item in ids), (item.casefold() for item in others)):
        return "the ids differ only in case: write them alike"
    if _overlap((item.strip() for item in ids), (item.strip() for item in others)):
        return "the ids differ only in blanks around them: write them alike"
    for long, short, where in ((ids, others, "here"), (others, ids, "there")):
        low, high = min(long), max(long)  # what these begin with, all between them do
        end = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
        prefix = low[:end] if len(long) > 1 else ""
        for end in range(len(prefix), 0, -1):
            if _overlap((item[end:] for item in long), short):
                return f"the ids differ by {prefix[:end]!r} before each of those {where}: write them alike"
    return ""


def find_missing_tasks(lacking: Collection[str], held: Collection[str]) -> list[str]:
    """The tasks of which a file has no item, where it lacks nothing else: ids of joined tasks are ``task/id``."""
    tasks = {item.partition("/")[0]: None for item in lacking if "/" in item}
    whole = [task for task in tasks if not any(item.startswith(f"{task}/") for item in held)]
    apart = tuple(f"{task}/" for task in whole)
    return whole if whole and held and all(item.startswith(apart) for item in lacking) else []


def _overlap(ids: Iterable[str], others: Iterable[str]) -> bool:
    """Whether most of the fewer ids are among the others."""
    some, more = set(ids), set(others)
    return 2 * len(some & more) > min(len(some), len(more))


def no_common_column_error(runs: Sequence[Run]) -> InputError:
    """The error of systems without outputs that have no column of numbers in common."""
    different = {frozenset(run.columns): run for run in reversed(runs)}
    first, *others = reversed(different.values())
    scorers = {run.source.reader for run in runs} == {"inspect"}
    said = "; ".join(
        f"{run.system!r} has {join(run.scored_by if name == 'score' else name for name in run.columns)} "
        f"({run.source.file})"
        for run in (first, *others[: _MOST - 1])
    )
    more = "; and so on" if len(others) >= _MOST else ""
    return InputError(
        f"no {'scorer' if scorers else 'column of numbers'} is in all: {said}{more}",
        remedy="score all logs alike, as with inspect score"
        if scorers
        else "give the scores one name in all files, or say it for each, as -c score=NAME",
    )


def note_score_columns(runs: Sequence[Run]) -> list[Note]:
    """A note where columns of other names are compared as scores, as they are the only numbers in their files."""
    names: dict[str, dict[str, None]] = {}
    for run in runs:
        names.setdefault(run.scored_by, {})[run.system] = None
    if len(names) < 2:
        return []
    said = "; ".join(f"{name!r} of {join(systems, 3)}" for name, systems in names.items())
    return [
        Note(
            code="scores_by_other_names",
            text=f"the columns that are compared as scores have other names in other files: {said}",
            remedy="check that they hold the same; name the column of each file with -c score=NAME",
        )
    ]


def note_mixed_scale(runs: Sequence[Run], columns: dict[str, list[Float]]) -> list[Note]:
    """One note per column in which some systems look like 0-1 and others like 0-100."""
    notes = []
    for name, cells in columns.items():
        small, large = {}, {}
        for run, values in zip(runs, cells, strict=True):
            low, high = float(values.min()), float(values.max())
            if low >= 0 and 0 < high <= 1:
                small[run.system] = float(values.mean())
            elif -high < low and 10 < high <= 100:  # some measures fall below 0
                large[run.system] = float(values.mean())
        if small and large and min(large.values()) > 10 * max(small.values()):
            notes.append(
                Note(
                    code="mixed_scale",
                    text=f"{name!r} looks like 0-1 for {join(small, 3)}, like 0-100 for {join(large, 3)}",
                    remedy="bring all systems to one scale",
                )
            )
    return notes
