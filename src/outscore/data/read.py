"""From what the user typed to runs and gold data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from outscore.base.errors import InputError, UsageError, shown
from outscore.data.readers import Content, Context, Head, Reader, readers
from outscore.data.run import Gold, Run
from outscore.data.source import STDIN, Source, lines_of, open_source
from outscore.data.specs import expand, parse_systems, stems

_HEAD = 1 << 16


@dataclass(frozen=True)
class Collection:
    """All that was read: runs in the order given, and gold data."""

    runs: tuple[Run, ...]
    golds: tuple[Gold, ...]


def read(
    files: Sequence[str],
    *,
    references: Sequence[str] = (),
    items: str | None = None,
    reader: str | None = None,
) -> Collection:
    """Read systems, references and descriptions of the items.

    Args:
        files: ``NAME=FILE``, ``NAME=PATTERN`` (a run per file) or ``FILE``; tables may hold several systems,
            and gold tables are known by their content.
        references: files of references, each a further stream.
        items: a table that describes the items (cluster, domain, document), by id or in the order of plain
            lines.
        reader: name of the format, instead of knowing it by the content.

    Raises:
        UsageError: an unknown reader, a system given twice, no files.
        InputError: a file that cannot be read; the message names file and line.
    """
    forced = None if reader is None else readers.make(reader)
    given = [(s.system, run, f) for s in parse_systems(files) for f, run in zip(s.files, s.runs, strict=True)]
    streams = [f for pattern in references for f in expand(pattern)]
    _check_stdin([f for _, _, f in given] + streams + ([items] if items else []))

    golds: list[Gold] = []
    for file in streams:
        golds.extend(_gold_file(file, "reference", forced))
    if items is not None:
        golds.extend(_gold_file(items, "items", forced))

    contents: list[Content | None] = []
    waiting: list[tuple[int, Source, Context]] = []
    names = stems([f for _, _, f in given])
    for (system, run, file), stem in zip(given, names, strict=True):
        source = open_source(file)
        context = Context(
            file=source.file,
            stem=stem,
            sha256=source.sha256,
            system=system,
            run=run,
            has_references=any(g.references for g in golds),
        )
        chosen = forced or choose(source, context)
        if forced is None and chosen.name == "scores" and not context.has_references:
            # A gold table among the files would make these numbers labels: wait until all files are known.
            waiting.append((len(contents), source, context))
            contents.append(None)
        else:
            contents.append(_content(chosen, source, context))
    known = golds + [g for c in contents if c is not None for g in c.golds]
    for place, source, context in waiting:
        context = replace(context, has_references=any(g.references for g in known))  # noqa: PLW2901
        contents[place] = _content(choose(source, context), source, context)

    runs = tuple(run for content in contents if content is not None for run in content.runs)
    golds += [g for content in contents if content is not None for g in content.golds]
    if not runs:
        raise InputError(
            f"no system among the files: {shown(g.source.file for g in golds)} hold gold data",
            remedy="give the outputs or scores of the systems as NAME=FILE",
        )
    _check_names(runs)
    return Collection(runs, tuple(golds))


def choose(source: Source, context: Context) -> Reader:
    """The first reader, by priority, that knows the beginning of the file."""
    start = source.data[:_HEAD]
    head = Head(file=context.file, lines=(), start=start, role=context.role, has_references=context.has_references)
    candidates = sorted((cls.priority, name) for name, cls in readers if context.role in cls.roles)
    for _, name in candidates:
        if readers.find(name).binary and (candidate := readers.make(name)).sniff(head):
            return candidate
    lines = lines_of(source.text[:_HEAD])
    if len(source.text) > _HEAD and len(lines) > 1:
        lines.pop()  # cut somewhere inside
    head = replace(head, lines=tuple(lines))
    for _, name in candidates:
        if not readers.find(name).binary and (candidate := readers.make(name)).sniff(head):
            return candidate
    raise InputError(
        "the format is not known, expected a table with a header or JSON lines",
        file=context.file,
        remedy=f"give --reader with one of {', '.join(name for _, name in candidates)}",
    )


def _gold_file(file: str, role: str, forced: Reader | None) -> tuple[Gold, ...]:
    source = open_source(file)
    context = Context(
        file=source.file,
        stem=stems([file])[0],
        sha256=source.sha256,
        role="items" if role == "items" else "reference",
        has_references=True,
    )
    usable = forced is not None and context.role in forced.roles
    return _content(forced if forced is not None and usable else choose(source, context), source, context).golds


def _content(reader: Reader, source: Source, context: Context) -> Content:
    content = reader.read(source, context)
    if context.system is not None and content.golds:
        raise InputError(
            f"holds gold data or item descriptions, but was given as the system {context.system!r}",
            file=context.file,
            remedy="give it without a name, or add a column 'output' or 'score'",
        )
    return content


def _check_stdin(files: Sequence[str]) -> None:
    if files.count(STDIN) > 1:
        raise UsageError("'-' is given more than once; the standard input can be read only once")


def _check_names(runs: Sequence[Run]) -> None:
    seen: dict[tuple[str, str], Run] = {}
    for run in runs:
        before = seen.setdefault((run.system, run.run), run)
        if before is not run:
            raise UsageError(
                f"the system {run.system!r} (run {run.run!r}) is given twice, in {before.source.file} and "
                f"{run.source.file}; name them apart with NAME=FILE, or give runs as NAME='FILES*'"
            )
