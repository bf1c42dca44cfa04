"""Tables of a page hold what the model of tables holds: cells as one text, with their tone, rows under their heads."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest

from outscore.report import tables_of
from outscore.report.html.elements import tables_markup
from outscore.report.model import Block, Cell, Column, Table
from tests.report.kinds import KINDS

LONGEST = 20
"""Letters that names have room for."""


@dataclass
class Found:
    """A table of a page: its style, its heads, and of each row the tag, the classes and the text of each cell."""

    style: str
    heads: list[str] = field(default_factory=list)
    rows: list[list[tuple[str, set[str], str]]] = field(default_factory=list)


class Tables(HTMLParser):
    """The tables of a page, without what is only for those who do not see."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tables: list[Found] = []
        self._cell: tuple[str, set[str]] | None = None
        self._text, self._unseen = "", 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "table":
            self.tables.append(Found(style=given.get("style", "")))
        elif tag == "tr":
            self.tables[-1].rows.append([])
        elif tag in ("td", "th"):
            self._cell, self._text = (tag, set(given.get("class", "").split())), ""
        elif given.get("class") == "unseen":
            self._unseen = 1

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._cell is not None:
            self.tables[-1].rows[-1].append((*self._cell, self._text))
            self._cell = None
        elif tag == "thead":
            self.tables[-1].heads = [text for _, _, text in self.tables[-1].rows.pop()]
        elif tag in ("span", "caption"):
            self._unseen = 0

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self._text += data


def written(cell: Cell) -> str:
    return f"{cell.text}{cell.marks}" + (f" {cell.tail}" if cell.tail else "")


@pytest.mark.parametrize("kind", ["two_metrics", "with_runs", "margins_of_many", "rechecked_whole", "advised_whole"])
def test_tables_of_a_page_hold_each_cell_of_the_model_as_one_text(kind: str) -> None:
    result = KINDS[kind]()
    shown = Tables(result.to("html")).tables[:-1]  # the last one is the list of the files that were read
    wanted = tables_of(result)
    assert len(shown) == len(wanted)
    for found, table in zip(shown, wanted, strict=True):
        # names of a long table have a heading to sort by
        untitled = "name" if len(table.rows) >= 9 else ""
        assert found.heads == [column.plain or untitled * (at == 0) for at, column in enumerate(table.columns)]
        rows = [row for row in found.rows if len(row) == len(table.columns)]
        assert [[text for _, _, text in row] for row in rows] == [[written(cell) for cell in row] for row in table.rows]
        for row, cells in zip(rows, table.rows, strict=True):
            assert [tag for tag, _, _ in row] == ["th", *["td"] * (len(row) - 1)]
            for (_, classes, _), cell, column in zip(row, cells, table.columns, strict=True):
                assert ("right" in classes) == (column.align == "right")
                assert ("best" in classes) == cell.bold
                assert {"better", "worse"} & classes == ({cell.tone} if cell.tone else set())
        names = max(len(row[0].text) for row in table.rows)
        assert found.style == f"--names: {min(names, LONGEST)}ch"


@pytest.mark.parametrize(
    ("rows", "columns", "room"),
    [(20, 6, "table whole"), (21, 5, "table two"), (21, 6, "table"), (20, 2, "table whole")],
)
def test_paper_shows_short_tables_whole_and_long_narrow_ones_in_two_columns(rows: int, columns: int, room: str) -> None:
    cells = tuple(tuple(Cell(text=f"{i}.{j}") for j in range(columns)) for i in range(rows))
    table = Table(title="t", columns=tuple(Column(header=f"c{j}") for j in range(columns)), blocks=(Block(rows=cells),))
    assert str(tables_markup([table])).startswith(f'<div class="{room}">')


def test_a_table_with_a_row_that_is_too_short_is_none() -> None:
    with pytest.raises(ValueError, match=r"^table 'gains': a row does not have 2 cells$"):
        Table(
            title="gains",
            columns=(Column(header="a"), Column(header="b")),
            blocks=(Block(rows=((Cell(text="1"), Cell(text="2")), (Cell(text="1"),))),),
        )
