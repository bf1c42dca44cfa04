"""Thousands of tables, each with one slip: whatever comes out, no system, item or column is gone without its name.

A slip either ends in an error, or what it leaves out is named (items at least counted) in what is printed.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import outscore
from outscore.base.errors import OutscoreError

QUICK, ALL = 150, 5_000
SEED = "slips"

SYSTEMS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta")
DESCRIBED = ("domain", "question", "group")
TOKENS = [
    "54%", "1,5", "1.027,3", "", " ", "x", "-", "nan", "n/a", "1e999", "0", "1", "0.5", "true", "one two", "[1]",
    "q03", "alpha", "beta ", "$5", "1_0", "0x1", "½", "\u00a0", "7 %", "No",
]  # fmt: skip
HEADERS = [
    "", "id", "index", "doc_id", "run", "seed", "task", "group", "score", "label", "gold", "reference", "output",
    "epoch", "sample", "trial", "metric", "system", "model", "ITEM", "54", "x y", "domain", "cluster", "length",
    "item", "alpha", "Beta", "third", "source", "pair", "token", "category", "f1", "prediction", "topic",
]  # fmt: skip

Cell = Any
"""A text, or any value of JSON."""


@dataclass
class Table:
    """One file: what stands in it, and which of its columns were made for what.

    Attributes:
        name: of the file; ``given`` is what the command line calls it.
        header, rows: its cells.
        roles: what each column was made for: item, system, scores (of the system that the header names), score, other.
    """

    name: str
    given: str
    header: list[str]
    rows: list[list[Cell]]
    roles: list[str]
    headless: bool = False

    def column(self, role: str) -> list[Cell]:
        """The cells that were made for a role."""
        return [row[i] for i in self.places(role) for row in self.rows if i < len(row)]

    def places(self, role: str) -> list[int]:
        """The columns that were made for a role."""
        return [i for i, one in enumerate(self.roles) if one == role]


@dataclass
class Case:
    """Files, how they are read, and what was done to one of them."""

    tables: list[Table]
    form: str
    kind: str
    missing: Any
    slip: str = ""


def case_of(draw: random.Random) -> Case:
    """A right table of any kind, before its slip."""
    kind = draw.choice(["long", "wide", "wide", "files", "gold"])
    form = draw.choice(["csv", "csv", "tsv", "jsonl"])
    systems = draw.sample(SYSTEMS, draw.choice([2, 3, 4, 7]))
    items = [f"q{i:02}" for i in range(draw.choice([5, 12, 24]))]
    more = draw.sample(DESCRIBED, draw.choice([0, 0, 1, 2]))
    about = {name: [draw.choice(["red", "blue"]) for _ in items] for name in more}

    def score() -> str:
        return draw.choice(["0", "1"]) if kind != "gold" else draw.choice(["yes", "no", "unsure"])

    case = Case([], form, kind, draw.choice(["error", "error", "drop", "zero"]))
    if kind == "long":
        second = draw.random() < 0.3
        rows = [
            [s, item, score(), *([f"{draw.random():.3f}"] if second else []), *(about[name][i] for name in more)]
            for s in systems
            for i, item in enumerate(items)
        ]
        header = ["system", "item", "score", *(["third"] if second else []), *more]
        roles = ["system", "item", "score", *(["score"] if second else []), *["other"] * len(more)]
        case.tables.append(Table("table", "", header, rows, roles))
    elif kind == "files":
        bare = draw.random() < 0.5
        for s in systems:
            rows = [[item, score(), *(about[name][i] for name in more)] for i, item in enumerate(items)]
            roles = ["item", "score", *["other"] * len(more)]
            case.tables.append(Table(s, "" if bare else f"{s}=", ["item", "score", *more], rows, roles))
    else:
        gold = [score()] if kind == "gold" else []
        rows = [
            [item, *(score() for _ in gold), *(score() for _ in systems), *(about[name][i] for name in more)]
            for i, item in enumerate(items)
        ]
        roles = ["item", *["gold"] * len(gold), *["scores"] * len(systems), *["other"] * len(more)]
        case.tables.append(Table("table", "", ["item", *["gold"] * len(gold), *systems, *more], rows, roles))
    return case


def slipped(case: Case, draw: random.Random) -> Case:
    """The same with one slip in one of its files."""
    table = draw.choice(case.tables)
    kinds: dict[str, Callable[[Table, random.Random], None]] = {
        "cell": a_cell, "column": a_column, "header": a_header, "row": a_row, "id": an_id, "head": no_head
    }  # fmt: skip
    case.slip = draw.choices(list(kinds), [4, 3, 4, 3, 3, 1])[0]
    for one in case.tables if case.slip == "head" else [table]:
        kinds[case.slip](one, draw)
    return case


def a_cell(table: Table, draw: random.Random) -> None:
    row = draw.choice(table.rows)
    row[draw.randrange(len(row))] = draw.choice([*TOKENS, [1], {"a": 1}, None, 0.5, True])


def a_column(table: Table, draw: random.Random) -> None:
    """Most or all cells of a column are spelled as they should not be."""
    place, share = draw.randrange(len(table.header)), draw.choice([0.3, 0.6, 0.9, 1.0])
    ways: list[Callable[[Cell], Cell]] = [
        lambda c: f"{c}%", lambda c: f"{c},0", lambda c: "", lambda c: "x", lambda c: [c], str
    ]  # fmt: skip
    spelled = draw.choice(ways)
    for row in table.rows:
        if draw.random() < share:
            row[place] = spelled(row[place])


def a_header(table: Table, draw: random.Random) -> None:
    table.header[draw.randrange(len(table.header))] = draw.choice(HEADERS)


def a_row(table: Table, draw: random.Random) -> None:
    place = draw.randrange(len(table.rows))
    match draw.randrange(6):
        case 0:
            del table.rows[place]
        case 1:
            table.rows.insert(place, list(draw.choice(table.rows)))
        case 2:
            table.rows[place] = table.rows[place][:-1]
        case 3:
            table.rows[place] = [*table.rows[place], "1"]
        case 4:
            table.rows.insert(place, list(table.header))
        case 5:
            table.rows.insert(place, [])


def an_id(table: Table, draw: random.Random) -> None:
    names = table.places(draw.choice([role for role in ("item", "system") if table.places(role)]))
    row = draw.choice(table.rows)
    row[names[0]] = draw.choice(["q99", "", "q01", "q01 ", "Q01", "1", "alpha", "alpha ", "Alpha", row[names[0]] + "x"])


def no_head(table: Table, draw: random.Random) -> None:
    table.headless = True


def written(table: Table, form: str, folder: Path) -> str:
    """The argument for a table, which is written as a file."""
    path = folder / f"{table.name}.{form}"
    if form == "jsonl":
        text = "".join(f"{json_line(table.header, row)}\n" for row in table.rows)
    else:
        buffer = io.StringIO()
        rows = [] if table.headless else [table.header]
        if form == "csv":
            csv.writer(buffer, lineterminator="\n").writerows([*rows, *table.rows])
        else:
            buffer.writelines("\t".join(map(str, row)) + "\n" for row in [*rows, *table.rows])
        text = buffer.getvalue()
    path.write_text(text, encoding="utf-8")
    return f"{table.given}{path}"


def json_line(header: Sequence[str], row: Sequence[Cell]) -> str:
    """An object, in which a key may stand twice."""
    pairs = [f"{json.dumps(name)}: {json.dumps(typed(cell))}" for name, cell in zip(header, row, strict=False)]
    return f"{{{', '.join(pairs)}}}" if pairs else ""


def typed(cell: Cell) -> Cell:
    """Numbers as JSON writes them."""
    return float(cell) if isinstance(cell, str) and cell.replace(".", "", 1).isdecimal() and cell.isascii() else cell


def lost(case: Case, folder: Path) -> list[str]:
    """What is neither in the result nor named in it; nothing where the files are refused."""
    files = [written(table, case.form, folder) for table in case.tables]
    try:
        data = outscore.read(files, missing=case.missing)
        result = outscore.compare(data, n_resamples=20, jobs=1)
    except OutscoreError as error:
        assert str(error).strip(), "refused without a word"
        assert "\n" not in str(error)
        return []
    notes = " ".join(f"{note.text} {note.remedy}" for note in result.notes)
    shown = {*data.systems, *(score.metric for score in result.scores)}
    cells = next(iter(data.by_run.values()))
    found = []
    for name, others in wanted_systems(case):
        if not {name.strip(), *others} & shown and not any(one in notes for one in (repr(name), *others)):
            found.append(f"system {name!r}")
    for name in wanted_columns(case):
        kept = name in shown or name in cells.columns or name.lower() in ("score", "run", "seed")
        kept |= name in ("output", "prediction") and cells.outputs is not None
        if not kept and repr(name) not in notes:
            found.append(f"column {name!r}")
    items = wanted_items(case)
    if data.by_position:
        rows = {len([row for row in table.rows if row]) for table in case.tables}
        found += [] if max(rows) == len(data.items) + len(data.dropped) else [f"{rows} rows, {len(data.items)} items"]
    else:
        gone = items - {*data.items} - {run for _, run in data.by_run}  # beside another 'question' ids may be seeds
        counted = not gone or any(str(len(gone)) in note.text.split() for note in result.notes)
        found += [] if counted else [f"items {sorted(gone)}"]
    text = " ".join(result.to("terminal").split()) if not found else ""
    for name in data.systems if text else ():
        assert name.strip() in text, name
    return found


def wanted_systems(case: Case) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every system that is in the files, and what else it may go by: the column or the file that holds it."""
    for table in case.tables:
        if case.kind == "files":
            header = table.header[table.places("score")[0]]
            file = f"{table.name}.{case.form} was taken"
            yield table.name, (file,) if table.given or header.lower() == "score" else (file, header)
        elif case.kind == "long":
            column = table.places("system")[0]
            if table.header[column].lower() in ("system", "model"):
                for name in {str(row[column]) for row in table.rows if column < len(row)}:
                    yield name, ()
        else:
            yield from ((table.header[i], ()) for i in table.places("scores"))


def wanted_columns(case: Case) -> Iterator[str]:
    """Every column of numbers that is in the files, whatever it is called."""
    for table in case.tables:
        yield from (table.header[i] for i in table.places("score"))


def wanted_items(case: Case) -> set[str]:
    cells = [cell for table in case.tables for cell in table.column("item")]
    return {str(cell).lower() if isinstance(cell, bool) and case.form == "jsonl" else str(cell) for cell in cells}


def all_lost(numbers: Sequence[int], folder: Path) -> dict[int, list[str]]:
    """What is lost, by the number of the case, with what makes it known."""
    found = {}
    for i in numbers:
        draw = random.Random(f"{SEED} {i}")
        case = slipped(case_of(draw), draw)
        here = folder / str(i)
        here.mkdir()
        try:
            gone = lost(case, here)
        except Exception as error:
            error.add_note(f"case {i}: {case}")
            raise
        if gone:
            found[i] = [f"{case.kind} {case.form}, {case.slip}, {case.missing}", *gone, str(case.tables[0].header)]
    return found


def test_no_slip_in_a_table_costs_a_name(tmp_path: Path) -> None:
    assert all_lost(range(QUICK), tmp_path) == {}


@pytest.mark.nightly
def test_no_slip_in_thousands_of_tables_costs_a_name(tmp_path: Path) -> None:
    assert all_lost(range(ALL), tmp_path) == {}
