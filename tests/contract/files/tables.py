"""Tables: the same content as CSV, TSV, JSON lines and Parquet."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow
import pyarrow.parquet
from hypothesis import strategies as st

from outscore.data.readers import Role
from tests.contract.files import FILES, File, Held, anything, columns, names, texts

Rows = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Table:
    """Rows of cells, None where one is missing, and what they mean."""

    rows: Rows
    role: Role = "system"
    runs: tuple[Held, ...] = ()
    golds: tuple[Held, ...] = ()

    def file(self, name: str, lines: Sequence[str] = (), data: bytes = b"") -> File:
        return File(name=name, lines=tuple(lines), data=data, role=self.role, runs=self.runs, golds=self.golds)


@st.composite
def long(draw: st.DrawFn, cell: st.SearchStrategy[str], *, typed: bool) -> Table:
    """A row for each item of each run of each system, in any order."""
    item, system, output = (draw(st.sampled_from(n)) for n in (("item", "ID"), ("system", "Model"), ("output", "pred")))
    n_references = draw(st.integers(0, 2))
    has_output, has_run = draw(st.booleans()), draw(st.booleans())
    ids = [f"{name}'" for name in draw(names(1, 4))]  # a whole word may sum up the others
    n = len(ids)
    shared: list[dict[str, Any]] = [{"domain": draw(cell)} for _ in ids]
    for row in shared:
        row |= {f"reference{k + 1}": draw(cell) for k in range(n_references)}
        if typed:  # a text of digits is a text only there
            row["comment of it"] = draw(cell)
    rows = []
    for name in draw(names(1, 3)):
        for run in draw(names(1, 2)) if has_run else ["1"]:
            score, other = draw(columns(n)), draw(columns(n))
            for i in range(n):
                row = {system: name, item: ids[i], **shared[i], "score": score[i], "Ünï-F1": other[i]}
                row |= {"run": run} if has_run else {}
                row |= {output: draw(cell)} if has_output else {}
                rows.append(row)
    order = draw(st.permutations(list(rows[0])))
    rows = [{name: row[name] for name in order} for row in draw(st.permutations(rows))]
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row[system], row.get("run", "1")), []).append(row)
    runs = tuple(
        Held(
            system=key[0],
            run=key[1],
            ids=tuple(row[item] for row in group),
            outputs=tuple(row[output] for row in group) if has_output else None,
            references=tuple(tuple(row[name] for row in group) for name in order if name.startswith("reference")),
            columns={name: tuple(row[name] for row in group) for name in ("score", "Ünï-F1")},
            labels={name: tuple(row[name] for row in group) for name in ("domain", "comment of it") if name in rows[0]},
        )
        for key, group in groups.items()
    )
    return Table(rows, runs=runs)


@st.composite
def wide(draw: st.DrawFn, cell: st.SearchStrategy[str]) -> Table:
    """A row for each item, a column of scores for each system."""
    ids = [f"{name}'" for name in draw(names(2, 5))]
    systems = [f"q{name}q" for name in draw(names(1, 3))]  # a word, as sd, may speak of the numbers; none has a q
    values = {system: draw(columns(len(ids))) for system in systems}
    domains = tuple(draw(cell) for _ in ids)
    rows = [
        {"item": ids[i], "domain": domains[i], **{system: values[system][i] for system in systems}}
        for i in range(len(ids))
    ]
    runs = tuple(
        Held(system=s, run="1", ids=tuple(ids), columns={"score": values[s]}, labels={"domain": domains})
        for s in systems
    )
    return Table(rows, runs=runs)


@st.composite
def gold(draw: st.DrawFn, cell: st.SearchStrategy[str]) -> Table:
    """A row for each item with its gold label and what describes it."""
    ids = draw(names(1, 5))
    right, domains = (tuple(draw(cell) for _ in ids) for _ in range(2))
    rows = [{"item": item, "gold": g, "domain": d} for item, g, d in zip(ids, right, domains, strict=True)]
    held = Held(ids=tuple(ids), references=(right,), labels={"domain": domains})
    return Table(rows, role=draw(st.sampled_from(["system", "reference", "items"])), golds=(held,))


def tables(cell: st.SearchStrategy[str], *, typed: bool) -> st.SearchStrategy[Table]:
    return st.one_of(long(cell, typed=typed), long(cell, typed=typed), wide(cell), gold(cell))


def plain(cell: str | float | None) -> str:
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return cell or ""


def quoted(cell: str, *, always: bool) -> str:
    """A cell of CSV (RFC 4180)."""
    return '"' + cell.replace('"', '""') + '"' if always or set(cell) & set(',"\r\n') else cell


def delimited(rows: Rows, delimiter: str, write: Callable[[str], str]) -> list[str]:
    return [delimiter.join(write(plain(cell)) for cell in line) for line in (rows[0], *(row.values() for row in rows))]


@st.composite
def table(draw: st.DrawFn) -> File:
    if draw(st.booleans()):
        found = draw(tables(texts(), typed=False))
        return found.file(draw(st.sampled_from(["sys.tsv", "sys.txt", "sys"])), delimited(found.rows, "\t", str))
    found = draw(tables(anything(), typed=False))
    always = draw(st.booleans())
    lines = delimited(found.rows, ",", lambda cell: quoted(cell, always=always))
    return found.file(draw(st.sampled_from(["sys.csv", "sys.txt", "sys"])), lines)


@st.composite
def jsonl(draw: st.DrawFn) -> File:
    found = draw(tables(anything(), typed=True))
    ascii_ = draw(st.booleans())
    rows = [{name: cell for name, cell in row.items() if cell is not None or draw(st.booleans())} for row in found.rows]
    if draw(st.booleans()):
        rows = [row | {"nested": {"score": [1]}} for row in rows]
    name = draw(st.sampled_from(["sys.jsonl", "sys.ndjson", "sys.txt", "sys"]))
    return found.file(name, [json.dumps(row, ensure_ascii=ascii_) for row in rows])


@st.composite
def parquet(draw: st.DrawFn) -> File:
    found = draw(tables(anything(), typed=True))
    cells = {name: [row[name] for row in found.rows] for name in found.rows[0]}
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(
        pyarrow.table(cells), buffer, compression=draw(st.sampled_from(["none", "snappy", "zstd"]))
    )
    return found.file(draw(st.sampled_from(["sys.parquet", "sys"])), data=buffer.getvalue())


FILES["table"] = table()
FILES["jsonl"] = jsonl()
FILES["parquet"] = parquet()
