"""TSV that a writer of CSV quoted is read as it was meant, and any other as it stands."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from outscore.data.read import read

SAID = ['He said "yes" to me now', '"Yes', '"', "no quote", '""', "it's"]


def outputs_of(path: Path, reader: str | None = None) -> tuple[tuple[str, ...], list[str]]:
    (run,) = read([str(path)], reader=reader).runs
    return run.outputs or (), [note.code for note in run.notes]


@pytest.mark.parametrize("quoting", [0, 1])
def test_quotes_of_a_writer_of_csv_are_left_out_and_said(tmp_path: Path, quoting: int) -> None:
    frame = pd.DataFrame({"system": "a", "item": [f"q{i}" for i in range(len(SAID))], "output": SAID})
    path, wanted = tmp_path / "a.tsv", tuple(SAID)
    frame.to_csv(path, sep="\t", index=False, quoting=quoting)
    assert outputs_of(path) == (wanted, ["quotes_taken"])
    if quoting == 0:
        as_is, notes = outputs_of(path, "table:raw=true")
        assert (as_is[0], notes) == ('"He said ""yes"" to me now"', [])


@pytest.mark.parametrize("raw", ['"Hello."', '"', 'a "b" c', '"a" and "b"', '""', "``a \"\" b''"])
def test_raw_quotes_are_part_of_the_text(tmp_path: Path, raw: str) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(f"system\titem\toutput\na\tq1\t{raw}\na\tq2\tb\n", encoding="utf-8")
    assert outputs_of(path) == ((raw, "b"), [])


def test_a_table_of_both_is_read_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text('system\titem\toutput\na\tq1\t"x ""y"""\na\tq2\tb "c\n', encoding="utf-8")
    assert outputs_of(path) == (('"x ""y"""', 'b "c'), [])
