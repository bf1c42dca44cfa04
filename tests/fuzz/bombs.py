"""Small files that ask for very much, and ``python -m tests.fuzz.bombs FOLDER``: each read by a process of its own."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import sqlite3
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

import numpy as np

_WRITE: Literal["w"] = "w"  # of bytes, as archives do
_MB = 1_000_000
_HEADER = json.dumps({"version": 2, "status": "success", "eval": {"model": "m/a", "task": "t"}})
_XML = '<?xml version="1.0"?>'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns"


def _repeated(pack: Callable[[bytes], bytes], text: bytes = b"0.5\n") -> bytes:
    """Two gigabytes, in parts that are packed once: readers join them."""
    return pack(text * (10 * _MB // len(text))) * 200


def _zip(members: dict[str, str | Iterable[bytes]]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            plain = zipfile.ZipInfo(name)
            plain.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            with archive.open(plain, _WRITE, force_zip64=True) as member:
                for part in [content.encode()] if isinstance(content, str) else content:
                    member.write(part)
    return stream.getvalue()


def _log(**members: str | Iterable[bytes]) -> bytes:
    return _zip({"header.json": _HEADER, **{f"{name}.json": content for name, content in members.items()}})


def _xlsx(*rows: bytes, shared: Iterable[bytes] = ()) -> bytes:
    kinds = f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>'
    link = '<Relationship Id="{1}" Type="{0}/{1}" Target="{2}"/>'
    links = f'<Relationships xmlns="{_PACKAGE}/relationships">{{}}</Relationships>'
    parts = (("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml"))
    book = (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet name="s" sheetId="1" r:id="worksheet"/></sheets>'
    )
    sheet = f'{_XML}<worksheet xmlns="{_MAIN}"><sheetData>'.encode()
    return _zip({
        "[Content_Types].xml": _XML + kinds,
        "_rels/.rels": _XML + links.format(link.format(_OFFICE, "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f"{_XML}{book}</workbook>",
        "xl/_rels/workbook.xml.rels": _XML + links.format("".join(link.format(_OFFICE, *part) for part in parts)),
        "xl/sharedStrings.xml": [f'{_XML}<sst xmlns="{_MAIN}">'.encode(), *shared, b"</sst>"],
        "xl/worksheets/sheet1.xml": [sheet, *rows, b"</sheetData></worksheet>"],
    })  # fmt: skip


def _ods(rows: int, columns: int, text: str = "") -> bytes:
    kind = "string" if text else "float"
    cell = f'<t:table-cell o:value-type="{kind}" o:value="1" t:number-columns-repeated="{columns}"'
    cell += f"><p:p>{text}</p:p></t:table-cell>" if text else "/>"
    row = f'<t:table-row t:number-rows-repeated="{rows}">{cell}</t:table-row>'
    names = " ".join(f'xmlns:{one[0]}="{_DOCUMENT}:{one}:1.0"' for one in ("office", "table", "paragraph"))
    body = f'<o:body><o:spreadsheet><t:table t:name="s">{row}</t:table></o:spreadsheet></o:body>'
    content = f"{_XML}<o:document-content {names}>{body}</o:document-content>"
    return _zip({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content})


def _parquet() -> bytes:
    import pyarrow
    import pyarrow.parquet

    stream = io.BytesIO()
    columns = {"system": "a", "item": "q", "score": 0.5}
    table = pyarrow.table({name: pyarrow.repeat(value, 20 * _MB) for name, value in columns.items()})
    pyarrow.parquet.write_table(table, stream, compression="zstd")
    return stream.getvalue()


def _texts(rows: int) -> Any:
    """A table that holds one long text once, and names it in every row."""
    import pyarrow

    named = pyarrow.array(np.zeros(rows, np.int32))
    texts = {name: pyarrow.DictionaryArray.from_arrays(named, [text]) for name, text in _LONG.items()}
    return pyarrow.table({**texts, "score": np.zeros(rows)})


_LONG = {"system": "a", "item": "a" * 10 * _MB}


def _texts_of_parquet() -> bytes:
    import pyarrow.parquet

    stream = io.BytesIO()
    # as Parquet has them: that it is a dictionary stands in the pages, not in the schema
    pyarrow.parquet.write_table(_texts(20_000), stream, compression="zstd", store_schema=False)
    return stream.getvalue()


def _arrow(table: Any, times: int = 1) -> bytes:
    import pyarrow.ipc

    stream = io.BytesIO()
    options = pyarrow.ipc.IpcWriteOptions(compression="zstd")
    with pyarrow.ipc.new_file(stream, table.schema, options=options) as file:
        for _ in range(times):
            file.write_table(table)
    return stream.getvalue()


def _zeros() -> Any:
    import pyarrow

    return pyarrow.table({"score": np.zeros(10 * _MB)})


def _npz() -> bytes:
    head = io.BytesIO()
    shape = {"descr": "<f8", "fortran_order": False, "shape": (20 * _MB,)}
    np.lib.format.write_array_header_1_0(head, shape)
    return _zip({"a.npy": [head.getvalue(), *[bytes(_MB)] * 160]})


def _npy() -> bytes:
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
    return head.getvalue() + bytes(80)


_ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c)"


def _sqlite(query: str) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"create view scores as {query}")
        connection.commit()
        return connection.serialize()


def _duckdb() -> bytes:
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "x.duckdb")
        with duckdb.connect(str(file)) as connection:
            connection.execute("create view scores as select i as item, 0.5 as score from range(1000000000) t(i)")
        return file.read_bytes()


def _wide() -> bytes:
    names = b",".join(b"s%d" % i for i in range(300_000))
    return b"item,%s\nq1,%s\n" % (names, b",".join([b"1"] * 300_000))


def _zstd() -> bytes:
    from outscore.data.source import zstd_library

    return _repeated(zstd_library("a bomb", "zstd").compress)


_CORNERS = (
    b'<row r="1"><c r="A1" t="str"><v>item</v></c></row>',
    b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
)
_UNNAMED = (b"<row><c><v>1</v></c></row>", b'<row r="1048576">', b"<c><v>1</v></c>" * 9000, b"</row>")

_TEXT = (b"<si><t>", *[b"a" * _MB] * 10, b"</t></si>")

BOMBS: dict[str, Callable[[], bytes]] = {
    "lines.gz": lambda: _repeated(gzip.compress),
    "lines.bz2": lambda: _repeated(bz2.compress),
    "lines.xz": lambda: _repeated(lzma.compress),
    "lines.zst": _zstd,
    "line.gz": lambda: _repeated(gzip.compress, b"aa "),
    "line.txt": lambda: b"a" * 11 * _MB,
    "objects.json.gz": lambda: gzip.compress(b"[" + b"{}," * 6 * _MB + b"{}]", 1),
    "deep.json": lambda: b"[" * 5 * _MB,
    "deeper.json": lambda: b'{"a":' * _MB,
    "digits.json": lambda: b'[{"system": "a", "item": "1", "score": ' + b"9" * 5 * _MB + b"}]",
    "log.eval": lambda: _log(summaries=[b"[" * _MB] * 100),
    "members.eval": lambda: _log(**{f"samples/{i}_epoch_1": "" for i in range(101)}),
    "cells.xlsx": lambda: _xlsx(*[b"<row>" + b"<c><v>1</v></c>" * 1000 + b"</row>"] * 1000),
    "corners.xlsx": lambda: _xlsx(*_CORNERS),
    "unnamed.xlsx": lambda: _xlsx(*_UNNAMED),
    "texts.xlsx": lambda: _xlsx(*[b'<row><c t="s"><v>0</v></c></row>'] * 20_000, shared=_TEXT),
    "texts.ods": lambda: _ods(20_000, 1, "a" * 10 * _MB),
    "columns.ods": lambda: _ods(1, 10**9),
    "rows.ods": lambda: _ods(1_000_000, 16_000),
    "rows.parquet": _parquet,
    "rows.arrow": lambda: _arrow(_zeros(), 20),
    "texts.parquet": _texts_of_parquet,
    "texts.arrow": lambda: _arrow(_texts(20_000)),
    "array.npz": _npz,
    "array.npy": _npy,
    "endless.sqlite": lambda: _sqlite(f"{_ENDLESS} select x as item, 0.5 as score from c"),
    "long.sqlite": lambda: _sqlite(f"{_ENDLESS} select hex(zeroblob(100000000)) as item, 0.5 as score from c"),
    "rows.duckdb": _duckdb,
    "wide.csv": _wide,
    "systems.csv": lambda: b"system,item,score\n" + b"".join(b"s%d,1,1\n" % i for i in range(200_000)),
    "keys.jsonl": lambda: b"".join(b'{"system":"a","item":"%d","k%d":1}\n' % (i, i) for i in range(19_000)),
}


def main(folder: str) -> None:
    """Reads each file of the folder and prints exit code, milliseconds of CPU, MB at the peak, and what was said."""
    import resource

    import outscore.data
    import outscore.verbs.score.run  # noqa: F401  what every process needs is there before it is measured
    from outscore.cli.main import main as command

    for file in sorted(Path(folder).iterdir()):
        said, into = os.pipe()
        child = os.fork()
        if not child:
            resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
            os.dup2(into, 2)
            sys.stderr = os.fdopen(2, "w", encoding="utf-8")
            try:
                command(["score", str(file)])
                code = 0
            except SystemExit as end:
                code = int(end.code or 0)
            sys.stderr.flush()
            os._exit(code)
        os.close(into)
        with os.fdopen(said, encoding="utf-8") as stream:
            text = stream.read().strip().replace("\n", " ")
        _, status, used = os.wait4(child, 0)
        milliseconds = 1000 * (used.ru_utime + used.ru_stime)
        done = os.waitstatus_to_exitcode(status)
        print(file.name, done, round(milliseconds), round(used.ru_maxrss / 1024), text, sep="\t", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
