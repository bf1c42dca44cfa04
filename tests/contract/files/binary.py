"""Files that are no text: arrays, databases, workbooks, Arrow. All but those of NumPy and SQLite need a library."""

from __future__ import annotations

import contextlib
import io
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import pytest
from hypothesis import strategies as st

from tests.contract.files import FILES, File, Held

Table = tuple[list[str], list[float]]
IDS = st.lists(st.integers(0, 999).map(lambda i: f"q{i}"), min_size=1, max_size=6, unique=True)
SCORES = st.integers(-8, 8).map(lambda i: i / 4)


def of_table(name: str, write: Callable[[Table], bytes], suffix: str) -> None:
    """Files with the columns item and score of one system."""

    @st.composite
    def files(draw: st.DrawFn) -> File:
        ids = draw(IDS)
        values = draw(st.lists(SCORES, min_size=len(ids), max_size=len(ids)))
        held = Held(system="sys", run="1", ids=tuple(ids), columns={"score": tuple(values)})
        return File(name=f"sys{suffix}", data=write((ids, values)), runs=(held,))

    FILES[name] = files()


@st.composite
def numpy(draw: st.DrawFn) -> File:
    values = draw(st.lists(SCORES, min_size=1, max_size=6))
    stream = io.BytesIO()
    np.save(stream, np.array(values))
    ids = tuple(str(i + 1) for i in range(len(values)))
    return File(
        name="sys.npy",
        data=stream.getvalue(),
        runs=(Held(system="sys", run="1", ids=ids, columns={"score": tuple(values)}),),
    )


def sqlite(table: Table) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table scores (item text, score real)")
        connection.executemany("insert into scores values (?, ?)", zip(*table, strict=True))
        connection.commit()
        return connection.serialize()


def duckdb(table: Table) -> bytes:
    library = pytest.importorskip("duckdb")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "x.duckdb")
        with library.connect(str(file)) as connection:
            connection.execute("create table scores (item text, score double)")
            connection.executemany("insert into scores values (?, ?)", list(zip(*table, strict=True)))
        return file.read_bytes()


def arrow(table: Table) -> bytes:
    library, ipc = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.ipc")
    stream = io.BytesIO()
    made = library.table(dict(zip(("item", "score"), table, strict=True)))
    with ipc.new_file(stream, made.schema) as writer:
        writer.write_table(made)
    return stream.getvalue()


_NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def workbook(table: Table, sheets: tuple[str, ...] = ("scores",)) -> bytes:
    """A workbook of Excel, whose sheets all hold the table."""
    pytest.importorskip("python_calamine")
    texts = "".join(
        f'<row><c t="inlineStr"><is><t>{escape(item)}</t></is></c><c><v>{score}</v></c></row>'
        for item, score in zip(*table, strict=True)
    )
    head = "".join(f'<c t="inlineStr"><is><t>{name}</t></is></c>' for name in ("item", "score"))
    sheet = f'<worksheet xmlns="{_NAMESPACE}"><sheetData><row>{head}</row>{texts}</sheetData></worksheet>'
    names = "".join(f'<sheet name="{n}" sheetId="{i}" r:id="r{i}"/>' for i, n in enumerate(sheets, 1))
    links = "".join(
        f'<Relationship Id="r{i}" Type="{_OFFICE}/worksheet" Target="worksheets/s{i}.xml"/>'
        for i in range(1, len(sheets) + 1)
    )
    types = f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>'
    root = f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    parts = {
        "[Content_Types].xml": types,
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{root}</Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_NAMESPACE}" xmlns:r="{_OFFICE}"><sheets>{names}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{links}</Relationships>',
    } | {f"xl/worksheets/s{i}.xml": sheet for i in range(1, len(sheets) + 1)}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return stream.getvalue()


FILES["numpy"] = numpy()
of_table("sqlite", sqlite, ".db")
of_table("duckdb", duckdb, ".duckdb")
of_table("arrow", arrow, ".feather")
of_table("workbook", workbook, ".xlsx")
