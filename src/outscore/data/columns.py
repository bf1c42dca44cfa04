"""Columns of tables: what their names mean, and how cells become numbers or texts."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from pathlib import PurePath
from shlex import quote
from types import NoneType
from typing import Any

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError
from outscore.base.items import ABSENT, MISSING
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.grades import ANSWERS, BOOL, as_numbers, describe_reading, grades_among, note_grades
from outscore.data.spellings import DECIMALS, THOUSANDS, Rewrite, advise, are_thousands, find_spelling

SYSTEM = ("system", "model")
ITEM = (
    *("item", "item_id", "itemid", "id", "seg_id", "segment_id", "segment", "seg", "sent_id", "sentence_id"),
    *("sent", "question_id", "qid", "example_id", "instance_id", "problem_id", "query_id"),
    *("item_no", "item_number", "item_index", "item_idx", "case_id", "conversation_id", "utterance_id", "utt_id"),
    *("prompt_id", "task_id", "sent_idx", "index", "sentence", "doc_id", "question"),
)
INDEX = ("", "unnamed: 0")
"""Names that pandas and those who read its files give an index without a name."""
RUN = ("run", "seed", "replicate")
SAMPLE = ("epoch", "trial", "sample", "repeat", "repetition", "generation")
"""Names of draws of one model's answer. The last four may also hold texts, and then describe the item."""
METRIC = ("metric",)
RATER = (
    *("rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id", "coder", "judge", "assessor"),
    *("user", "login"),
)
FIRST = ("system1", "system_1", "system_a", "model_a", "model_1", "first", "left")
SECOND = ("system2", "system_2", "system_b", "model_b", "model_2", "second", "right")
WINNER_NAME, WINNER_POSITION = "winner_name", "winner_position"
"""Columns that say whether their cells are names of systems or places in the row."""
WINNER = ("winner", "preferred", "preference", "choice", WINNER_NAME, WINNER_POSITION)
OUTPUT = ("output", "prediction", "hypothesis", "predicted", "hyp", "pred")
REFERENCE = re.compile(r"(references?|ref|gold|label|target)[ _.:-]?\d*")
REFERENCE_PREFIX = ("ref:", "reference:")
LABELS = frozenset(
    {
        *("cluster", "domain", "document", "doc", "doc_id", "doc_hash", "document_id"),
        *("genre", "category", "group", "passage", "split", "partition"),
        "item_",  # which is called item where the user takes another column as the items
        *("topic", "dataset", "subset", "subject", "language", "lang", "stratum", "source", "pair", "task"),
    }
)
"""Names that always describe the item, even when their values look like numbers."""
NUMBERS = frozenset(
    {
        *("score", "tp", "fp", "fn", "tn", "edits", "errors", "ref_len", "hyp_len", "correct", "acc", "accuracy"),
        *("em", "exact_match", "f1", "reward", "value", "weight", "numerator", "denominator", "matched"),
        *("comet", "bleurt", "bleu", "chrf", "ter", "rouge", "meteor", "bertscore", "wer", "cer", "length"),
    }
)
"""Names that are measurements and not systems, so that a table with nothing else is about one system."""

_EXACT = 2.0**53
_LARGE = _EXACT / 128
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
PERCENT = re.compile(r"[+-]?\d+([.,]\d+)?\s*%")
SHARE = re.compile(r"\d+ ?/ ?\d+")
_WITH_SPREAD = re.compile(r"[+-]?\d+([.,]\d+)?\s*(±|\+/?-|\()\s*\d+([.,]\d+)?\s*%?\)?")
_SPREAD = r"s/ *(±|\+\/?-|\() *[0-9.]+ *%?\)?//g"
_APART = r's/([,;\t] *)"?([0-9.+-]+) *(±|\+\/?-|\(|\/) *([0-9.]+) *%?\)?"?/\1\2\1\4/; 1s/([,;\t] *)"?NAME"?/\1'
_DIVIDE = r's|([,;\t] *)"?(\d+) ?/ ?(\d+)"?(?![^,;\s])|$1.$2/$3|ge'
_POINT = r's/"([+-]?[0-9]*),([0-9]+)"/\1.\2/g; /[;\t]/s/([0-9]),([0-9])/\1.\2/g'
"""Changes of lines: a spread taken out, or set apart; points for commas in quotes, or where these separate no cells."""
_HEADS = {True: ("right ones of so many", r"correct\1total"), False: ("a mean and its standard error", r"mean\1se")}
_MINUS = ("\u2212", "\u2013")  # which mean nothing else before a digit


@dataclass(frozen=True, kw_only=True)
class ColumnTable:
    """A table as columns.

    Attributes:
        columns: cells by header; text only, or typed values (None for missing) where the format has types.
        n: number of rows.
        file: name for messages.
        reader: name of the format.
        typed: texts are never numbers, as in JSON.
        line: line of a row (from 0) in the file, or None.
        described: columns that the user calls descriptions of the items.
        notes: on parts of the file that were not read.
        inside: the option that reads what stands inside values that were not read.
        as_read: what separates the cells of a line, and all columns of the file in their order.
    """

    columns: dict[str, list[Any]]
    n: int
    file: str
    reader: str
    typed: bool
    line: Callable[[int], int | None]
    described: frozenset[str] = frozenset()
    notes: tuple[Note, ...] = ()
    inside: str = ""
    as_read: tuple[str, Sequence[Sequence[Any]]] = ("", ())

    def error(self, message: str, row: int | None = None, remedy: str | None = None, column: str = "") -> InputError:
        """An error at a row of this table, or in its ``column``."""
        line = 1 if row is None and self.line(0) is not None else None if row is None else self.line(row)
        return InputError(message, file=self.file, line=line, remedy=remedy, column=column)


@dataclass(frozen=True)
class Parsed:
    """A column as numbers: ``(n,)`` with NaN for missing and bad cells, how many numbers, the bad rows."""

    values: Float
    n_numbers: int
    bad: list[int]


@dataclass(frozen=True, kw_only=True)
class Roles:
    """Columns of a table by role; ``rest`` is decided by its values."""

    system: str | None
    item: str | None
    run: str | None
    samples: tuple[str, ...]
    metric: str | None
    output: str | None
    references: tuple[str, ...]
    labels: tuple[str, ...]
    rest: tuple[str, ...]


def roles_of(header: Sequence[str], described: frozenset[str] = frozenset()) -> Roles:
    """The roles of columns by their names; upper and lower case are the same, ``described`` ones describe the items."""
    plain = {name.lower(): name for name in reversed(header) if name not in described}

    def first(aliases: Iterable[str]) -> str | None:
        return next((plain[a] for a in aliases if a in plain), None)

    item = first(ITEM) or (header[0] if header and header[0].lower() in INDEX else None)
    chosen = [first(SYSTEM), item, first(RUN), first(METRIC), first(OUTPUT)]
    references = [c for c in header if c not in described and REFERENCE.fullmatch(c.lower())]
    samples = tuple(c for c in header if c not in described and c.lower() in SAMPLE)
    taken = {*chosen, *references, *samples}
    labels = [c for c in header if c not in taken and (c in described or c.lower() in LABELS.union(ITEM))]
    rest = tuple(c for c in header if c not in taken and c not in labels)
    names = dict(zip(("system", "item", "run", "metric", "output"), chosen, strict=True))
    return Roles(**names, samples=samples, references=tuple(references), labels=tuple(labels), rest=rest)


def holds_preferences(headers: Iterable[str]) -> bool:
    """Whether columns of these names hold two systems and the one that was preferred."""
    plain = set(map(plain_header, headers))
    return all(plain.intersection(aliases) for aliases in (FIRST, SECOND, (*WINNER, "winner_model_a")))


def plain_header(name: str) -> str:
    """A header, or a cell that repeats one, in small letters, its words joined alike: model_a for Model A."""
    return "_".join(re.split(r"[ .:-]+", name.strip().lower()))


def is_known(name: str) -> bool:
    """Whether a header cell is one of the names that tables of scores or outputs have."""
    name = name.strip().lower()
    return name in {*SYSTEM, *ITEM, *RUN, *SAMPLE[:2], *METRIC, *OUTPUT, "score"} or bool(REFERENCE.fullmatch(name))


def number(cell: str) -> float | None:
    """The number in a text cell, NaN if the cell says that it is missing, None if it is something else."""
    text = cell.strip().lower()
    if text[:1] in _MINUS and text[1:2].isdecimal():
        text = f"-{text[1:]}"
    if text in MISSING:
        return float("nan")
    if text in BOOL:
        return BOOL[text]
    try:
        # float() takes 1_000 for a thousand, which no program writes into a table.
        return None if "_" in text else float(text)
    except ValueError:
        return None


def numbers(cells: Sequence[Any], *, typed: bool) -> Parsed:
    """A column as numbers, as far as its cells are numbers.

    A whole number of more digits than a float holds, as long identifiers have, is none.

    Args:
        cells: texts, or typed values with None for missing.
        typed: a text is never a number.
    """
    try:
        if not typed and "_" not in "".join(cells):
            values = np.fromiter(map(float, cells), dtype=float, count=len(cells))
            _check_exact(cells, values)
            return Parsed(values, int(np.sum(~np.isnan(values))), [])
        if typed and set(map(type, cells)) <= {int, float, bool}:
            values = np.array(list(map(float, cells)))
            _check_exact(cells, values)
            return Parsed(values, int(np.sum(~np.isnan(values))), [])
    except (ValueError, OverflowError):
        pass  # some cell is no number: find out which
    if typed:
        found = [_parse_typed(cell) for cell in cells]
    else:
        distinct = {cell: number(cell) for cell in set(cells)}
        found = [distinct[cell] for cell in cells]
    cut = [value is not None and is_cut(cell, value) for cell, value in zip(cells, found, strict=True)]
    found = [None if lost else value for value, lost in zip(found, cut, strict=True)]
    bad = [i for i, value in enumerate(found) if value is None]
    values = np.array([np.nan if value is None else value for value in found], dtype=float)
    return Parsed(values, int(np.sum(~np.isnan(values))), bad)


def is_cut(cell: Any, value: float) -> bool:
    """Whether a cell is a large number that has other digits than its float."""
    if not abs(value) >= _LARGE or math.isinf(value):
        return False
    whole, _, rest = str(cell).strip().partition(".") if isinstance(cell, int | str) else ("", "", "")
    plain = whole.lstrip("+-").isdecimal() and (rest.isdecimal() or not rest)
    held = repr(value).partition(".")[2] if abs(value) < _EXACT else ""
    return plain and (int(whole) != int(value) or rest.rstrip("0") != held.rstrip("0"))


def _check_exact(cells: Sequence[Any], values: Float) -> None:
    """Raises ValueError where a whole number lost digits."""
    if any(is_cut(cells[i], float(values[i])) for i in np.flatnonzero(np.abs(values) >= _LARGE).tolist()):
        raise ValueError("digits are lost")


def _parse_typed(cell: Any) -> float | None:
    if cell is None:
        return float("nan")
    try:
        return float(cell) if isinstance(cell, Real) or type(cell).__name__ == "Decimal" else None
    except (OverflowError, ValueError):
        return None


def texts(cells: Sequence[Any]) -> list[str]:
    """A column as texts; a missing value is the empty text ``ABSENT``."""
    if isinstance(cells, list) and set(map(type, cells)) <= {str}:
        return cells
    return [_text(c) for c in cells]


def _text(cell: Any) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if is_na(cell) or (isinstance(cell, float) and math.isnan(cell)):
        return ABSENT
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < _EXACT:
        return str(int(cell))  # 1.0 names what 1 names: a gap in a column makes floats of whole numbers
    return str(cell)


def is_na(cell: Any) -> bool:
    """Whether a cell is None or what pandas writes for it, known by name so that pandas need not be there."""
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")


def number_remedy(cell: str, grid: ColumnTable) -> str:
    """Remedy for a number that is written otherwise; empty for what is none."""
    if PERCENT.fullmatch(cell):
        return f"write {cell.rstrip('% ').replace(',', '.')} without the sign, in all columns alike"
    if (share := bool(SHARE.fullmatch(cell))) or _WITH_SPREAD.fullmatch(cell):
        kind, roles = SHARE if share else _WITH_SPREAD, roles_of(list(grid.columns), grid.described)
        found = [name for name in roles.rest if kind.fullmatch(str(grid.columns[name][0]).strip())]
        once = len({*grid.columns.get(roles.system or "", ())}) == grid.n and roles.item is None
        if once and len(found) == 1 and found != [next(iter(grid.columns))] and not grid.typed:
            of, head = _HEADS[share]
            change = f"{_APART.replace('NAME', re.escape(found[0]).replace('/', '[/]'))}{head}/"
            return f"if each is {of}{_rewrite(grid, change, ' && outscore study printed --means')}"
        if share:
            return f"write shares as numbers{_rewrite(grid, _DIVIDE, by='perl -pe')}"
        return f"write the number alone, without what stands behind it{_rewrite(grid, _SPREAD)}"
    said = comma_remedy(cell)
    return said if _THOUSANDS.fullmatch(cell) or not said else f"{said}{_rewrite(grid, _POINT)}"


def spelling_remedy(grid: ColumnTable, names: Iterable[str]) -> str:
    """Remedy for the first of these columns whose cells are numbers with units, brackets or the like, and those alike.

    Empty where none is.
    """
    read = {name: {cell.strip() for cell in texts(grid.columns[name]) if number(cell) is None} for name in names}
    for cells in read.values():
        spelling = find_spelling(min(cells, default=""))
        if spelling is None or not all(map(spelling.cell.fullmatch, cells)) or (spelling.ranks and len(cells) < 2):
            continue
        alike = [name for name, of in read.items() if of and all(map(spelling.cell.fullmatch, of))]
        return advise({cell for name in alike for cell in read[name]}, spelling, _rewrite_columns(grid, alike))
    return ""


def _rewrite_columns(grid: ColumnTable, names: Sequence[str]) -> Rewrite | None:
    """The command that rewrites these columns of the file; None where a line is more than its cells and marks."""
    delimiter, columns = grid.as_read
    at = tuple(k for k, cells in enumerate(columns, 1) if any(cells is grid.columns[name] for name in names))
    plain = delimiter and not any(delimiter in cell or "\n" in cell for cells in columns for cell in cells)
    return Rewrite(grid.file, at, delimiter) if plain and len(at) == len(names) else None


def _check_thousands(grid: ColumnTable, names: Sequence[str], values: Mapping[str, Float]) -> None:
    """Raises InputError where points may separate thousands in these columns of numbers."""
    found = [name for name in names if name in values and are_thousands(grid.columns[name], values[name])]
    if not found:
        return
    cells = grid.columns[found[0]]
    row = next(i for i, cell in enumerate(cells) if "." in cell)
    whole = next(cell for cell in cells if "." not in cell and cell.strip().lower() not in MISSING)
    rewrite = _rewrite_columns(grid, found)
    ways = [f": {rewrite(change)}" if rewrite else "" for change in (THOUSANDS, DECIMALS)]
    raise grid.error(
        f"column {found[0]!r} holds {cells[row]!r} beside {whole!r}: the point may separate thousands, or decimals",
        row,
        f"if thousands, take it out{ways[0]}; if decimals, write as many everywhere{ways[1]}",
        found[0],
    )


def _rewrite(grid: ColumnTable, change: str, then: str = "", by: str = "sed -E") -> str:
    """The command that changes the lines of a table of text, and what is then done with them."""
    to = quote(f"plain-{PurePath(grid.file).name}")
    return "" if grid.typed else f": {by} {quote(change)} {quote(grid.file)} > {to}{then and f'{then} {to}'}"


def comma_remedy(cell: str) -> str:
    """Remedy for a number that has a comma; empty for what is no such number."""
    if _THOUSANDS.fullmatch(cell.strip()):
        return f"write {cell.replace(',', '')}, or a decimal point: the comma can mean either"
    return "write a decimal point" if "," in cell and number(cell.replace(",", ".", 1)) is not None else ""


def parse_numbers(grid: ColumnTable, column: str) -> Float:
    """A column ``(n,)`` that must hold numbers; missing values are NaN.

    Raises:
        InputError: a cell is no number; the message names line, column and value.
    """
    parsed = numbers(grid.columns[column], typed=grid.typed)
    if parsed.bad:
        value = grid.columns[column][(bad := parsed.bad[0])]
        grades = grades_among(texts(grid.columns[column]), [ANSWERS])
        remedy = describe_reading(column, grades) if grades else number_remedy(str(value).strip(), grid)
        remedy = remedy or spelling_remedy(grid, [column])
        remedy = remedy or "mend the value, or leave it empty if it is missing"
        if (held := number(str(value))) is not None and is_cut(value, held):
            remedy = f"it has more digits than a number holds, which would be {held:.17g}: subtract or divide first"
        elif grid.typed and isinstance(value, str) and number(value) is not None:
            remedy = "write numbers without quotes"
        raise grid.error(f"column {column!r} holds {str(value)[:60]!r}, expected a number", bad, remedy, column)
    return parsed.values


def split_numeric(grid: ColumnTable, names: Sequence[str]) -> tuple[dict[str, Float], dict[str, tuple[str, ...]]]:
    """Columns of numbers and columns of texts among ``names``.

    Raises:
        InputError: a column that is mostly numbers also holds something else.
    """
    columns: dict[str, Float] = {}
    labels: dict[str, tuple[str, ...]] = {}
    for name in names:
        parsed = numbers(grid.columns[name], typed=grid.typed)
        # More numbers than texts is a column of numbers with a slip, not a text that happens to have digits.
        forced = name.lower() in NUMBERS and (parsed.n_numbers > 0 or name.lower() != "length")  # which may be "short"
        if forced or (parsed.n_numbers and parsed.n_numbers >= len(parsed.bad)):
            columns[name] = parsed.values if not parsed.bad else parse_numbers(grid, name)
        else:
            labels[name] = tuple(texts(grid.columns[name]))
    if not grid.typed:
        _check_thousands(grid, names, columns)
    return columns, labels


def grades_of_systems(grid: ColumnTable, names: Sequence[str]) -> tuple[ColumnTable, tuple[Note, ...]]:
    """The same with numbers in columns of grades of one kind, beside texts alone, and a note; beside no gold they are
    no answers.
    """
    more = [BOOL] if grid.typed else []
    plain = [name for name in names if set(map(type, grid.columns[name])) <= {str, NoneType}]
    graded = [name for name in plain if grades_among(filter(None, grid.columns[name]), more)]
    grades = grades_among((cell for name in graded for cell in grid.columns[name] if cell), more)
    if len(graded) < 2 or not grades or split_numeric(grid, [name for name in names if name not in graded])[0]:
        return grid, ()
    read = {name: as_numbers(grid.columns[name], grades, typed=grid.typed) for name in graded}
    return replace(grid, columns={**grid.columns, **read}), (note_grades(graded, grades),)
