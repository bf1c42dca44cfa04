"""From what the user typed to runs and gold data."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from shlex import quote

from outscore.base.errors import InputError, UsageError, join, suggestion
from outscore.base.notation import TEXT
from outscore.base.notes import Note
from outscore.data.choices import COLUMNS, FILES, ROW, ColumnChoice, check_followed, parse_choices
from outscore.data.collection import Collection
from outscore.data.columns import LABELS, REFERENCE
from outscore.data.labels import unify_spelling
from outscore.data.readers import Content, Context, Reader, Sniffed, readers
from outscore.data.run import Gold, Run
from outscore.data.same_items import drop_questions
from outscore.data.segmentation import resegment
from outscore.data.shards import join_shards
from outscore.data.sniffing import check_lines, rule_out
from outscore.data.source import STDIN, Source, lines_of, open_source
from outscore.data.specs import (
    SystemFile,
    expand,
    match_names,
    natural,
    parse_systems,
    run_names,
    spell,
    stems,
)

_HEAD = 1 << 16


class _Sources:
    """Files, opened anew each time they are needed: few fit into memory together. What can be read once only is kept:
    the standard input, pipes and devices.
    """

    def __init__(self, files: Sequence[str]) -> None:
        self._several = {file for file in files if files.count(file) > 1 or not os.path.isfile(file)}  # noqa: PTH113  never raises
        self._kept: dict[str, Source] = {}

    def open(self, file: str) -> Source:
        source = self._kept.get(file) or open_source(file)
        if file in self._several:
            self._kept[file] = source
        return source


def read(
    files: Sequence[str],
    *,
    references: Sequence[str] = (),
    items: str | None = None,
    reader: str | None = None,
    columns: Sequence[str] = (),
    measures: Sequence[str] = (),
) -> Collection:
    """Read systems, references and descriptions of the items.

    Args:
        files: ``NAME=FILE``, ``NAME=PATTERN`` (a run per file) or ``FILE``; tables may hold several systems,
            and gold tables are known by their content. ``FILE#PATTERN`` picks systems from a file.
        references: files of references, each a further stream.
        items: a table that describes the items (cluster, domain, document), by id or in the order of plain
            lines.
        reader: name of the format, instead of knowing it by the content.
        columns: ``ROLE=NAME``, what the columns of tables are for where their names do not say it.
        measures: metrics that will be asked for: columns of these names are no systems.

    Raises:
        UsageError: an unknown reader, a system given twice, no files, a column that no table has.
        InputError: a file that cannot be read; the message names file and line.
    """
    forced = None if reader is None else readers.make(reader)
    every = parse_choices(columns)
    choices = tuple(choice for choice in every if choice != FILES)
    given = parse_systems(files)
    streams = [f for pattern in references for f in expand(pattern)]
    _check_stdin([one.file for one in given] + streams + ([items] if items else []))
    gold_contents = [_gold_file(file, "reference", forced, choices) for file in streams]
    if items is not None:
        gold_contents.append(_gold_file(items, "items", forced, _of_rows(choices)))
    has_references = any(map(_has_references, gold_contents))

    named = frozenset(word for measure in measures for word in (measure, *re.split("[,:=]", measure)))
    contents = _contents(given, forced, has_references, choices, named)
    _check_followed(choices, [*gold_contents, *contents])

    selected = [(file, _select(content, file)) for file, content in zip(given, contents, strict=True)]
    _check_picked(given, contents)
    if FILES in every:
        _check_one_run(given, contents)
    golds = [gold for content in (*gold_contents, *contents) for gold in content.golds]
    if ColumnChoice("item", (ROW,)) in choices:  # lines of text are rows, too
        golds = [gold if gold.ids else replace(gold, ids=tuple(map(str, range(1, gold.n + 1)))) for gold in golds]
    selected, gold_files = _leave_out_references(selected, streams, golds)
    of_files = drop_questions([run for _, of_file in selected for run in of_file], golds)
    _check_named(selected)
    said = [*gold_files, *(note for content in (*gold_contents, *contents) for note in content.notes)]
    runs = tuple(run.with_notes(*dict.fromkeys(said)) for run in join_shards(of_files))
    if FILES in every:
        runs = tuple(replace(run, run="1", sample=f"{run.run}.{run.sample}") for run in runs)
    if any("cluster" in gold.labels for gold in golds):  # then those of the outputs are of no matter
        runs = tuple(replace(r, notes=tuple(n for n in r.notes if n.code != "documents_not_used")) for r in runs)
    if not runs:
        nested = [f"{note.text}; {note.remedy}" for note in said if note.code == "keys_not_read" and note.remedy]
        raise InputError(
            f"no system among the files: {join(g.source.file for g in golds)} hold gold data",
            remedy=next(iter(nested), "give the outputs or scores of the systems as NAME=FILE"),
        )
    if any(run.notation != TEXT for run in runs):
        runs, golds = resegment(runs, golds)
    return Collection(*unify_spelling(runs, golds))


def _contents(
    files: Sequence[SystemFile],
    forced: Reader | None,
    has_references: bool,
    choices: tuple[ColumnChoice, ...],
    measures: frozenset[str],
) -> list[Content]:
    """The contents of each file, read in the light of the others."""
    names = [file.file for file in files]
    sources = _Sources(names)
    stem = dict(zip(files, stems(names), strict=True))
    known: dict[tuple[str, bool], Reader] = {}

    def content(file: SystemFile, *, has_references: bool, alone: bool = False, wait: bool = False) -> Content | None:
        source = sources.open(file.file)
        context = Context(
            file=source.file,
            stem=stem[file],
            sha256=source.sha256,
            system=None if file.select else file.system,
            run=None if file.select else file.run,
            has_references=has_references,
            choices=choices,
            measures=measures,
            select=file.select,
            alone=alone,
        )
        if (chosen := forced or known.get((file.file, has_references))) is None:
            chosen = known[file.file, has_references] = choose(source, context)
        return None if wait and chosen.name == "scores" else _content(chosen, source, context)

    # A gold table among the files makes numbers labels: they wait until all files are known.
    waiting = forced is None and not has_references
    first = [content(file, has_references=has_references, wait=waiting) for file in files]
    golds = [gold for found in first if found is not None for gold in found.golds]
    has_references = has_references or any(gold.references for gold in golds)
    done = [
        content(file, has_references=has_references) if found is None else found
        for file, found in zip(files, first, strict=True)
    ]
    if not any(found.runs for found in done if found) and any(set(gold.labels) - LABELS for gold in golds):
        # No file names a system: the columns of the gold tables must be the systems.
        done = [content(file, has_references=has_references, alone=True) for file in files]
    return [found for found in done if found is not None]


def _select(content: Content, file: SystemFile) -> tuple[Run, ...]:
    """The systems that the user picked from a file, under the name that the user gave."""
    if file.select is None:
        return content.runs
    names = list(dict.fromkeys(run.system for run in content.runs))
    picked = sorted(match_names(names, file.select), key=natural)
    if not picked:
        column = file.select in content.headers
        raise InputError(
            f"no system matches {file.select!r}; it holds {join(names) or 'no system'}",
            file=file.file,
            remedy=f"{file.select!r} is a column: give the file without #, and -m {quote(file.select)} for its scores"
            if column
            else suggestion(file.select, names).removeprefix("; ") or "quote patterns, as in NAME='FILE#PATTERN*'",
        )
    if file.system is None:
        return tuple(run for run in content.runs if run.system in picked)
    result = []
    for name, short in zip(picked, run_names(picked), strict=True):
        for run in content.runs:
            if run.system == name:
                parts = [file.run, short if len(picked) > 1 else None, None if run.run == "1" else run.run]
                result.append(replace(run, system=file.system, run=".".join(filter(None, parts)) or "1"))
    return tuple(result)


def _check_picked(files: Sequence[SystemFile], contents: Sequence[Content]) -> None:
    """Refuses one column as a run of two systems, whose patterns differ."""
    picked: dict[tuple[str, str], SystemFile] = {}
    for file, content in zip(files, contents, strict=True):
        for name in match_names(dict.fromkeys(run.system for run in content.runs), file.select or "*"):
            other = picked.setdefault((file.file, name), file)
            if None not in (file.system, other.system) and file.system != other.system and file.select != other.select:
                raise InputError(
                    f"{name!r} is a run of both {other.system!r} and {file.system!r}",
                    file=file.file,
                    remedy="narrow the patterns behind #, so that no run is of two systems",
                )


def choose(source: Source, context: Context) -> Reader:
    """The first reader, by priority, that knows the beginning of the file."""
    start = source.data[:_HEAD]
    head = Sniffed(file=context.file, lines=(), start=start, role=context.role, has_references=context.has_references)
    candidates = _order_readers(context, readers.names(without=rule_out(head)))
    for cls in candidates:
        if cls.binary and (candidate := cls()).sniff(head):
            return candidate
    lines = lines_of(source.beginning(_HEAD))
    if len(source.data) > _HEAD and len(lines) > 1:
        lines.pop()  # cut somewhere inside
    head = replace(head, lines=tuple(lines))
    for cls in candidates:
        if not cls.binary and (candidate := cls()).sniff(head):
            check_lines(head, candidate.name)
            return candidate
    raise InputError(
        "the format is not known, expected a table with a header or JSON lines",
        file=context.file,
        remedy=f"give --reader with one of {', '.join(cls.name for cls in _order_readers(context, readers.names()))}",
    )


def _order_readers(context: Context, names: Sequence[str]) -> list[type[Reader]]:
    """The readers of files in this role, in the order in which they are asked."""
    usable = [cls for cls in map(readers.find, names) if context.role in cls.roles]
    return sorted(usable, key=lambda cls: (cls.priority, cls.name))


def _of_rows(choices: tuple[ColumnChoice, ...]) -> tuple[ColumnChoice, ...]:
    """The choices but ``@columns``: a table that describes the items has a row for each."""
    return tuple(choice for choice in choices if choice.names != (COLUMNS,))


def _gold_file(file: str, role: str, forced: Reader | None, choices: tuple[ColumnChoice, ...]) -> Content:
    source = open_source(file)
    context = Context(
        file=source.file,
        stem=stems([file])[0],
        sha256=source.sha256,
        role="items" if role == "items" else "reference",
        has_references=True,
        choices=choices,
    )
    usable = forced is not None and context.role in forced.roles
    return _content(forced if forced is not None and usable else choose(source, context), source, context)


def _content(reader: Reader, source: Source, context: Context) -> Content:
    content = reader.read(source, context)
    if context.system is not None and content.golds:
        raise InputError(
            f"holds gold data or item descriptions, but was given as the system {context.system!r}",
            file=context.file,
            remedy="give it without a name, add a column 'output' or 'score', or say which one it is: -c output=COLUMN",
        )
    names = list(dict.fromkeys(run.system for run in content.runs))
    if context.system is not None and names not in ([], [context.system]):
        systems = f"{len(names)} systems ({join(names, 3)})" if len(names) > 1 else f"the system {names[0]!r}"
        raise InputError(
            f"holds {systems} but was given as {context.system!r}",
            file=context.file,
            remedy=f"give the file without a name, or pick one: {quote(f'{context.system}={context.file}#{names[0]}')}",
        )
    if context.role != "system" and not (content.golds and (context.role == "items" or _has_references(content))):
        option, wanted = ("--items", "description of items") if context.role == "items" else ("-r", "references")
        raise InputError(
            f"the reader {reader.name!r} finds no {wanted} in it",
            file=context.file,
            remedy=f"give it without {option} if it is a system, or {option} a file of another format",
        )
    if context.role == "system" and content.golds and not content.runs:
        content = replace(content, notes=(*content.notes, _no_system(content, context.file)))
    return content


def _has_references(content: Content) -> bool:
    return any(gold.references for gold in content.golds)


def _no_system(content: Content, file: str) -> Note:
    """A note on a file that was given like one of a system, and is none by what it holds."""
    gold = content.golds[0]
    if gold.references:
        names = [name for name in content.headers if REFERENCE.fullmatch(name.lower())]
        why = f", as it has {join(names)}" if names else ""
        return Note(code="gold_file", text=f"{file} was taken as gold data and no system{why}")
    held = f" ({join(gold.labels, 3)})" if gold.labels else ""
    return Note(
        code="gold_file",
        text=f"{file} was taken as descriptions of the items and no system: no column holds outputs or scores{held}",
        remedy="add a column 'output' or 'score' if it is a system",
    )


_Selected = list[tuple[SystemFile, tuple[Run, ...]]]


def _leave_out_references(
    selected: _Selected, references: Sequence[str], golds: Sequence[Gold]
) -> tuple[_Selected, list[Note]]:
    """The picked runs without files of references, which a pattern brings along, and a note on these."""
    files = {os.path.realpath(file) for file in references if file != STDIN}
    streams = [stream for gold in golds for stream in gold.references]
    same = [
        len(runs) == 1 and file.system is None and os.path.realpath(file.file) in files and runs[0].outputs in streams
        for file, runs in selected
    ]
    if not any(same) or all(same):
        return selected, []
    said = join(file.file for (file, _), one in zip(selected, same, strict=True) if one)
    note = Note(
        code="gold_file",
        text=f"{said} was taken as references and no system, as -r names it",
        remedy="call it a system if it is one, NAME=FILE",
    )
    return [one for one, gold in zip(selected, same, strict=True) if not gold], [note]


def _check_one_run(files: Sequence[SystemFile], contents: Sequence[Content]) -> None:
    """Refuses files that are to be samples, but hold runs; columns that were picked from a file are samples as it is.

    Raises:
        UsageError: naming the first.
    """
    for file, content in zip(files, contents, strict=True):
        own = "1" if file.select or file.run is None else file.run
        if any(run.run != own for run in content.runs):
            raise UsageError(f"--column sample=@file: {file.file} holds runs of its own; name its column of samples")


def _check_named(selected: Sequence[tuple[SystemFile, Sequence[Run]]]) -> None:
    """Refuses a system that a file holds beside the files that the user gave its name: nothing says how they belong.

    Raises:
        UsageError: naming the first.
    """
    named = {file.system for file, _ in selected}
    for file, runs in selected:
        if file.system is None and (both := [run.system for run in runs if run.system in named]):
            files = dict.fromkeys(one.file for one, of in selected if any(run.system == both[0] for run in of))
            together = quote(spell(both[0], files))
            raise UsageError(
                f"the system {both[0]!r} is given by name, and {file.file} holds one that is called so; call the "
                f"one that you name otherwise, or, of files of one system, give all together: {together}"
            )


def _check_followed(choices: Sequence[ColumnChoice], contents: Sequence[Content]) -> None:
    followed = {choice for content in contents for choice in content.followed}
    check_followed(choices, followed, [name for content in contents for name in content.headers])


def _check_stdin(files: Sequence[str]) -> None:
    if files.count(STDIN) > 1:
        raise UsageError("'-' is given more than once; the standard input can be read only once")
