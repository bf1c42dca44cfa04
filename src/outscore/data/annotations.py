"""Who gave which label to which unit, from long tables, wide tables, one file for each annotator, or Python objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from shlex import quote
from typing import Any

import numpy as np

from outscore.base.arrays import Int
from outscore.base.errors import InputError, UsageError, join, suggestion
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.choices import ColumnChoice, check_followed, parse_choices
from outscore.data.columns import (
    ITEM,
    RATER,
    WINNER,
    WINNER_NAME,
    WINNER_POSITION,
    ColumnTable,
    holds_preferences,
    texts,
)
from outscore.data.frames import digest_of, grid_from
from outscore.data.indices import may_name_rows, tells_apart
from outscore.data.judgments import parse_preferences
from outscore.data.labels import SETTLED, choose_spelling, note_respelled
from outscore.data.measures import fold, parse_measure
from outscore.data.readers import Sniffed, jsonl, parquet, table
from outscore.data.source import Source, drop_trailing_blank, lines_of, open_source
from outscore.data.specs import match_names, parse_systems, stems
from outscore.data.tallies import advise_matrix, check_counted, find_fractions
from outscore.results.result import SourceFile

ROLES = ("item", "annotator", "label")
_CHOSEN = (*ROLES, WINNER_NAME, WINNER_POSITION)
_UNIT = (*ITEM, "unit", "unit_id")
_LABEL = ("label", "rating", "answer", "annotation", "code", "judgment", "judgement", "score", "value", *WINNER)
_KNOWN = SETTLED | {"gold", "reference", "truth", "id"}
_HEAD = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Annotations:
    """Labels of units by annotators.

    Attributes:
        units: ids; ``annotators``: names.
        labels: every label that was given, in the order of first use.
        codes: ``(units, annotators)`` numbers of labels, -1 where there is none.
        about: columns that describe the units: document, system ...
        named: the annotators have names; otherwise they are numbers of the labels of each unit.
        sources: every file with its digest.
        notes: on the labels.
    """

    units: tuple[str, ...]
    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    codes: Int
    about: Mapping[str, tuple[str, ...]]
    named: bool
    sources: tuple[SourceFile, ...]
    notes: tuple[Note, ...] = ()


@dataclass
class _Collected:
    """Labels as they come, by unit and annotator."""

    units: dict[str, int] = field(default_factory=dict)
    annotators: dict[str, int] = field(default_factory=dict)
    cells: dict[tuple[int, int], str] = field(default_factory=dict)
    about: dict[str, list[str | None]] = field(default_factory=dict)
    varying: set[str] = field(default_factory=set)
    sources: list[SourceFile] = field(default_factory=list)
    named: bool = True
    by_row: bool = False

    def add(self, unit: str, annotator: str, label: str) -> bool:
        """Whether it is the first label that the annotator gives to the unit; empty labels are missing ones."""
        at = (self.units.setdefault(unit, len(self.units)), self.annotators.setdefault(annotator, len(self.annotators)))
        if at in self.cells:
            return False
        if label:
            self.cells[at] = label
        return True

    def describe(self, column: str, units: Sequence[str], values: Sequence[str]) -> None:
        """Notes what a column says of the units; one that says several things of a unit describes something else."""
        said = self.about.setdefault(column, [])
        said += [None] * (len(self.units) - len(said))
        for unit, value in zip(units, values, strict=True):
            at = self.units[unit]
            if said[at] not in (None, value):
                self.varying.add(column)
            said[at] = value

    def build(self) -> Annotations:
        """All that was collected.

        Raises:
            InputError: fewer than two annotators, or no label.
        """
        spelled = choose_spelling([self.cells.values()])
        cells = {place: spelled.get(label, label) for place, label in self.cells.items()}
        labels = {label: code for code, label in enumerate(dict.fromkeys(cells.values()))}
        if not labels:
            raise InputError("there is no label", remedy="check that the right columns were named")
        if len(self.annotators) < 2:
            raise InputError(
                f"there is one annotator, {next(iter(self.annotators))!r}: agreement takes two",
                remedy="name the column of annotators with -c annotator=NAME, or all their columns with --annotators",
            )
        for name in self.varying if self.by_row else ():
            if may_name_rows(name) and tells_apart([value or "" for value in self.about[name]]):
                raise InputError(
                    f"no column is known to name the items, and {name!r} is another in the same row of two files",
                    remedy=f"join the rows by it: -c item={quote(name)}; or leave it out to join them in their order",
                )
        codes = np.full((len(self.units), len(self.annotators)), -1, dtype=np.int64)
        for place, label in cells.items():
            codes[place] = labels[label]
        about = {
            name: tuple(value or "" for value in [*values, *[None] * (len(self.units) - len(values))])
            for name, values in self.about.items()
            if name not in self.varying
        }
        return Annotations(
            units=tuple(self.units),
            annotators=tuple(self.annotators),
            labels=tuple(labels),
            codes=codes,
            about=about,
            named=self.named,
            sources=tuple(self.sources),
            notes=note_respelled(spelled),
        )


def read_annotations(
    files: Sequence[str] | str,
    *,
    annotators: Sequence[str] = (),
    columns: Sequence[str] = (),
    reader: str | None = None,
) -> Annotations:
    """Reads the labels of annotators.

    Args:
        files: tables, long (item, annotator, label, or item, system1, system2, winner, annotator as for ``rank``,
            whose labels are the preferred systems) or wide (a column for each annotator); or ``NAME=FILE`` for each
            annotator: one label a line, or a table of items and labels.
        annotators: the columns of a wide table that hold labels, or patterns of their names.
        columns: ``ROLE=NAME`` for item, annotator or label, where names do not say it; ``NAME+NAME`` joins several;
            of preferences ``winner_name`` or ``winner_position``, as for ``read_judgments``.
        reader: where labels stand in JSON, ``json:rows=PATH,item=PATH,annotator=PATH,label=PATH``.

    Raises:
        UsageError: a column that no table has, or a reader of something else.
        InputError: a file is wrong; the message says where, what was found and how to mend it.
    """
    collected, choices, headers = _Collected(), parse_choices(columns, _CHOSEN), list[str]()
    given = parse_systems([files] if isinstance(files, str) else files)
    for one, stem in zip(given, stems([one.file for one in given]), strict=True):
        source = open_source(one.file)
        grid = _grid_of(source, reader)
        alone = one.system or (stem if len(given) > 1 else None)
        if grid is None:
            _add_lines(collected, source, alone or stem)
            continue
        headers += grid.columns
        _add_grid(collected, grid, annotators, choices, alone)
        collected.sources.append(_source(one.file, grid.reader, source.sha256, grid.n))
    check_followed(choices, [c for c in choices if all(name in headers for name in c.names)], headers)
    return collected.build()


def annotations_from(data: object, *, annotators: Sequence[str] = (), columns: Sequence[str] = ()) -> Annotations:
    """Labels of annotators from Python objects.

    Args:
        data: ``Annotations``; a data frame, long or wide; or a mapping from annotator to labels, None where there is
            none: a list with one for each unit, or a mapping from unit to label.
        annotators, columns: as in ``read_annotations``, for data frames.

    Raises:
        UsageError, InputError: as ``read_annotations``; or an object of another kind.
    """
    if isinstance(data, Annotations | Mapping) and (annotators or columns):
        raise UsageError("annotators and columns are for data frames, and for read_annotations()")
    if isinstance(data, Annotations):
        return data
    collected = _Collected()
    if isinstance(data, Mapping):
        for name, labels in data.items():
            by_unit = labels if isinstance(labels, Mapping) else {i + 1: label for i, label in enumerate(labels)}
            for unit, label in by_unit.items():
                collected.add(str(unit), str(name), _label(label))
        collected.sources.append(_source("data", "python", digest_of(list(data.items())), len(collected.units)))
        return collected.build()
    grid = grid_from(data)
    if grid is None:
        raise UsageError(
            f"data is a {type(data).__name__}; expected a data frame, a mapping from annotator to labels, or what "
            "read_annotations() gives"
        )
    choices = parse_choices(columns, _CHOSEN)
    _add_grid(collected, grid, annotators, choices, None)
    check_followed(choices, [c for c in choices if all(name in grid.columns for name in c.names)], grid.columns)
    collected.sources.append(_source("data", "python", digest_of(list(grid.columns.items())), grid.n))
    return collected.build()


def _grid_of(source: Source, reader: str | None) -> ColumnTable | None:
    """A file as a table; None for plain lines."""
    head = Sniffed(file=source.file, lines=(), start=source.data[:_HEAD])
    if reader is None and parquet.Parquet().sniff(head):
        return parquet.Parquet().grid(source)
    head = Sniffed(file=source.file, lines=tuple(lines_of(source.beginning(_HEAD))))
    if reader is not None or jsonl.JsonLines().sniff(head):
        return jsonl.grid_of_labels(source, reader)
    header = {cell.strip().lower() for cell in head.lines[0].replace("\t", ",").split(",")} if head.lines else set()
    if table.TableReader().sniff(head) or (header & {*RATER} and header & {*_LABEL}):
        return table.grid_of(source, "table")
    return None


def _add_lines(collected: _Collected, source: Source, annotator: str) -> None:
    lines = drop_trailing_blank(source.lines())
    if collected.units and len(lines) != len(collected.units):
        raise InputError(
            f"{len(lines)} labels, and {len(collected.units)} units before it",
            file=source.file,
            remedy="give one label a line for every unit, an empty line where there is none",
        )
    for i, line in enumerate(lines):
        collected.add(str(i + 1), annotator, _label(line))
    collected.sources.append(_source(source.file, "lines", source.sha256, len(lines)))


def _add_grid(
    collected: _Collected,
    grid: ColumnTable,
    annotators: Sequence[str],
    choices: Sequence[ColumnChoice],
    alone: str | None,
) -> None:
    """Adds a table to what was collected; ``alone`` is the annotator whose table it is, if it names none."""
    unit, who, label = (_chosen(grid, choices, role) for role in ROLES)
    units = _name_cells(grid, unit, _UNIT)
    collected.by_row |= units is None
    wide = _match(grid, annotators)
    if wide:
        if units is None:
            check_counted(grid, wide)
        ids = units or [str(i + 1) for i in range(grid.n)]
        again = _find_repeat(ids)
        if again is not None:
            raise grid.error(f"the item {ids[again]!r} comes twice", again, "join columns: -c item=NAME+NAME")
        for name in wide:
            for one, cell in zip(ids, grid.columns[name], strict=True):
                collected.add(one, name, _label(cell))
        _describe(collected, grid, ids, [name for name in grid.columns if name not in wide])
        return
    names, labels = _name_cells(grid, who, RATER), _name_cells(grid, label, _LABEL)
    if label is None and units is not None and holds_preferences(grid.columns):
        pairs, labels = parse_preferences(grid, choices)
        if len(set(zip(units, pairs, strict=True))) > len(set(units)):
            units = [f"{one}/{pair}" for one, pair in zip(units, pairs, strict=True)]
    if labels is None or (units is None and (names is not None or alone is None)):
        known = {"item": units, "annotator": names, "label": labels}
        lacking = [role for role, found in known.items() if found is None]
        *first, last = [f"{role}s" for role in lacking]
        of = f"{', '.join(first)} and {last}" if first else last
        raise grid.error(
            f"no {'columns' if first else 'column'} of {of} among {join(grid.columns, 12)}",
            remedy=_advise(grid, f"name them with {' '.join(f'-c {role}=NAME' for role in lacking)}", unit or ()),
        )
    ids = units or [str(i + 1) for i in range(grid.n)]
    if names is None:
        collected.named = alone is not None
        names = [alone] * grid.n if alone is not None else _slots(ids)
    for row, (one, name, cell) in enumerate(zip(ids, names, labels, strict=True)):
        if not name:
            raise grid.error("an annotator without a name", row, "fill the cell")
        if not collected.add(one, name, cell):
            raise grid.error(
                f"{name!r} labels the item {one!r} twice", row, "keep one label for each annotator and item"
            )
    _describe(collected, grid, ids, grid.columns)


def _advise(grid: ColumnTable, named: str, items: Sequence[str]) -> str:
    """How to say what the columns are, or to write them otherwise."""
    if grid.inside or len(grid.columns) > 2 * grid.n or any(n.code == "keys_not_read" and n.remedy for n in grid.notes):
        more = "if columns are items, or hold nested labels, write item, annotator and label of each in a row"
        return grid.inside or f"{named}; {more}"
    if matrix := advise_matrix(grid):
        return matrix
    alike, cells = _find_alike(grid, items), {name: texts(column) for name, column in grid.columns.items()}
    whole = [n for n in cells if n not in items and n.lower() not in _UNIT and all(map(str.isdecimal, cells[n]))]
    counts = [[*map(int, row)] for row in zip(*map(cells.__getitem__, whole), strict=True)]
    if len(whole) > 2 and min(map(min, counts)) == 0 and max(map(max, counts)) > 1:
        if len({*map(sum, counts)}) == 1:
            return f"counts per category ({join(whole)}) are not read: write item and label in a row for each label"
        named = f"if these are counts per category, write item and label in a row for each label; else {named}"
    found = quote(",".join(alike) or "NAME,NAME")
    return f"{named}, or the columns of annotators, one for each, with --annotators {found}"


def _find_alike(grid: ColumnTable, items: Sequence[str]) -> list[str]:
    """The columns that could be those of annotators: they have labels in common, and no item its own."""
    cells = {name: set(texts(column)) for name, column in grid.columns.items() if name not in items}
    known = {name for name in cells if name.lower() == "label" or _KNOWN & {*fold(name).split("_")}}
    measures = {name for name in cells if parse_measure(f"rater {name}")}  # a rater may be called Max
    for name in {*known, *find_fractions(grid, cells), *(measures if len(cells) - len(measures) > 1 else ())}:
        del cells[name]
    rest = {name: found for name, found in cells.items() if 1 < len(found) < max(grid.n / 2, 3)}
    return [name for name, found in rest.items() if any(found & rest[other] for other in rest if other != name)]


def _describe(collected: _Collected, grid: ColumnTable, ids: Sequence[str], columns: Iterable[str]) -> None:
    for name in columns:
        collected.describe(name, ids, texts(grid.columns[name]))


def _chosen(grid: ColumnTable, choices: Sequence[ColumnChoice], role: str) -> tuple[str, ...] | None:
    """The columns that the user named for a role, where this table has them."""
    return next((c.names for c in choices if c.role == role and all(name in grid.columns for name in c.names)), None)


def _name_cells(grid: ColumnTable, chosen: tuple[str, ...] | None, aliases: Sequence[str]) -> list[str] | None:
    """The cells of the columns that were chosen, joined by ``/``, or of the first that is called by an alias."""
    by_name = {name.lower(): name for name in reversed(grid.columns)}
    names = chosen or next(((by_name[alias],) for alias in aliases if alias in by_name), None)
    if names is None:
        return None
    parts = [[_label(cell) for cell in grid.columns[name]] for name in names]
    return parts[0] if len(parts) == 1 else ["/".join(cells) for cells in zip(*parts, strict=True)]


def _match(grid: ColumnTable, patterns: Sequence[str]) -> list[str]:
    """The columns of annotators in a wide table.

    Raises:
        UsageError: a pattern fits no column, or one of means.
    """
    found: list[str] = []
    for pattern in patterns:
        fitting = [name for name in match_names(grid.columns, pattern) if name not in found]
        if not fitting:
            have = join(grid.columns, 12)
            raise UsageError(
                f"--annotators {pattern}: no such column{suggestion(pattern, grid.columns)}; there are {have}"
            )
        found += fitting
    if derived := [name for name, mean in find_fractions(grid, found).items() if mean or name not in patterns]:
        others = quote(",".join(name for name in found if name not in derived))
        raise UsageError(
            f"--annotators {','.join(patterns)}: {join(derived)} with fractions beside columns of whole numbers, as "
            f"means of ratings are; name the annotators one by one: --annotators {others}"
        )
    return found


def _slots(ids: Sequence[str]) -> list[str]:
    """Numbers of the labels within each unit, for labels of unnamed annotators."""
    seen: dict[str, int] = {}
    slots = []
    for one in ids:
        seen[one] = seen.get(one, 0) + 1
        slots.append(str(seen[one]))
    return slots


def _find_repeat(ids: Sequence[str]) -> int | None:
    """The first row whose id came before."""
    first: dict[str, int] = {}
    return next((row for row, one in enumerate(ids) if first.setdefault(one, row) != row), None)


def _label(cell: Any) -> str:
    """A cell as a label; whole numbers are written without a point, as missing cells turn a column into floats."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return texts([cell])[0].strip()


def _source(file: str, reader: str, sha256: str, n: int) -> SourceFile:
    return SourceFile(file=file, role="annotations", reader=reader, sha256=sha256, n_items=n)
