"""Ten thousand broken files: a reader reads them or says what is wrong, and nothing else ever comes out of it."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outscore.base.errors import InputError, MissingExtra, OutscoreError
from outscore.data import align, read
from outscore.data.readers import readers
from tests.contract.files import binary
from tests.examples import examples, first
from tests.fuzz.mutate import mutate

FILES = 10_000
NAMES = readers.names()


def parquet() -> bytes:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table({"system": ["A", "B"], "item": ["x", "x"], "score": [0.5, 1.0]})
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(table, buffer)
    return buffer.getvalue()


def array() -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.array([0.5, 1.0]))
    return buffer.getvalue()


def inspect_log() -> bytes:
    header = {"version": 2, "status": "success", "eval": {"model": "m/a", "task": "t", "config": {"epochs": 1}}}
    summaries = [
        {"id": i, "epoch": 1, "input": "?", "target": "x", "scores": {"match": {"value": "C"}}} for i in (1, 2)
    ]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("summaries.json", json.dumps(summaries))
    return buffer.getvalue()


ROWS = (["x", "y"], [0.5, 1.0])
BINARY: dict[str, Callable[[], bytes]] = {
    "parquet": parquet,
    "inspect": inspect_log,
    "sqlite": lambda: binary.sqlite(ROWS),
    "arrow": lambda: binary.arrow(ROWS),
    "duckdb": lambda: binary.duckdb(ROWS),
    "workbook": lambda: binary.workbook(ROWS),
    "numpy": array,
}
OPTIONAL = {"duckdb": "duckdb", "workbook": "python_calamine"}
"""Readers whose library may not be there: their files cannot be made then either."""


def seed_of(name: str) -> bytes:
    """A right file of the format."""
    return BINARY[name]() if name in BINARY else readers.find(name).example.encode()


def mutants(name: str, number: int) -> Iterator[bytes]:
    """Broken relatives of a right file."""
    draw = random.Random(f"fuzz {name}")
    others = [seed_of(other) for other in NAMES if other not in OPTIONAL]
    for _ in range(number):
        yield mutate(seed_of(name), draw, others)


# DuckDB takes a second and a half for its broken files
@pytest.mark.parametrize("name", first(NAMES, *(n for n in NAMES if n != "duckdb"), others=pytest.mark.slow))
def test_broken_files_end_in_a_clear_line_or_in_data(name: str, tmp_path: Path) -> None:
    if name in OPTIONAL:
        pytest.importorskip(OPTIONAL[name])
    draw = random.Random(f"roles {name}")
    suffixes = ["", ".txt", ".json", ".jsonl", ".csv", ".tsv", ".conllu", ".eval"]
    said = 0
    for i, raw in enumerate(mutants(name, examples(FILES // len(NAMES) + 1))):
        file = tmp_path / f"f{i}{draw.choice(suffixes)}"
        file.write_bytes(raw)
        given: dict[str, Any] = {"reader": draw.choice([None, name, name])}
        if draw.random() < 0.3 and len(raw) > 1:
            given["references"] = [str(file)]
        try:
            found = read([str(file)], **given)
            align(found.runs, found.golds, missing=draw.choice(["error", "drop", "zero"]))
        except MissingExtra:
            raise
        except OutscoreError as error:
            said += 1
            line = str(error)
            assert line.strip(), raw
            assert "\n" not in line, raw
            if isinstance(error, InputError):
                assert error.remedy, (line, raw)
        except Exception as error:
            error.add_note(f"{name}, file {i}: {raw!r}, {given}")
            raise
        file.unlink()
    assert said, "none of the broken files was refused: they are not broken enough"
