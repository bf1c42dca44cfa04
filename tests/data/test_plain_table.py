"""The quick way through plain tables gives the cells that the careful way gives, or nothing."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from outscore.data.readers import table as plain_table
from outscore.data.readers.table import plain_columns

CELL = st.text(st.sampled_from("ab0.-é日\u2028 "), max_size=3)


@given(
    rows=st.lists(st.lists(CELL, min_size=3, max_size=3), min_size=1, max_size=9),
    end=st.sampled_from(["\n", "\r\n"]),
    piece=st.integers(1, 40),
)
def test_cells_are_those_of_the_csv_module(rows: list[list[str]], end: str, piece: int) -> None:
    text = "".join(",".join(row) + end for row in [["x", "y", "z"], *rows])
    usual, plain_table._PIECE = plain_table._PIECE, piece
    try:
        found = plain_columns(text.encode(), b",", 3)
    finally:
        plain_table._PIECE = usual
    _, *wanted = csv.reader(io.StringIO(text, newline=""))
    assert found == [list(column) for column in zip(*wanted, strict=True)]


@given(raw=st.binary(max_size=30))
def test_any_bytes_give_even_columns_or_none(raw: bytes) -> None:
    found = plain_columns(b"a,b\n" + raw, b",", 2)
    if found is not None and found[0]:
        assert len(found[0]) == len(found[1])
        assert raw.decode()


def test_what_is_not_plain_is_left_to_the_careful_way() -> None:
    for odd in ('"q",1', "1,2,3", "1", "\r1,2", "1\0,2", "", "1,2\n\n3,4"):
        assert plain_columns(f"a,b\n1,2\n{odd}\n3,4\n".encode(), b",", 2) is None, odd
    assert plain_columns(b"a,b\n\xff,1\n", b",", 2) is None
    assert plain_columns(b"a\n1\n", b",", 1) is None
    assert plain_columns(b'a\tb\n"1\t2"\n', b"\t", 2) == [['"1'], ['2"']]
