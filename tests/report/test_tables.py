"""A table in less room: names without their middles, sentences that end early, columns that become footnotes."""

from __future__ import annotations

import pytest

from outscore.report.layout import fit, lines_of
from outscore.report.model import Block, Cell, Column, Table
from outscore.report.text import wrap


def table(*blocks: Block, columns: tuple[Column, ...], footnotes: tuple[str, ...] = ()) -> Table:
    return Table(title="x", columns=columns, blocks=blocks, footnotes=footnotes)


def block(*rows: tuple[str, ...], metric: str = "") -> Block:
    return Block(metric=metric, rows=tuple(tuple(Cell(text=text) for text in row) for row in rows))


RANK, SYSTEM = Column(header="rank", align="right"), Column(header="system")
TEST = Column(header="test", spare="footnote")


@pytest.mark.parametrize(("most", "short"), [(10, "abcd...nop"), (11, "abcd...mnop")])
def test_a_long_name_keeps_its_head_and_its_tail(most: int, short: str) -> None:
    made = table(block(("1", "abcdefghijklmnop"), ("2", "abcdefghijk"[:most])), columns=(RANK, SYSTEM))
    assert [row[1].text for row in made.shorten_names(most).rows] == [short, "abcdefghijk"[:most]]


def test_words_that_no_layout_fits_have_a_line_for_each_cell() -> None:
    rows = [("alpha", "one two three", "four five six"), ("beta", "seven", "nine")]
    assert lines_of(("name", "about", "more"), rows, 14) == [
        *("alpha", "  about: one", "    two three", "  more: four", "    five six"),
        *("beta", "  about: seven", "  more: nine"),
    ]


def test_names_that_would_be_called_the_same_stay_as_they_are() -> None:
    alike = block(("abcd-1-wxyz", "1"), ("abcd-2-wxyz", "2"))
    made = table(alike, columns=(SYSTEM, RANK))
    assert made.shorten_names(10) == made


def test_a_sentence_is_cut_at_a_word_so_that_its_dots_have_room() -> None:
    said = Column(header="said", prose=True)
    made = table(block(("four four four four five",), ("four four four four",)), columns=(said,)).clip([9], 1, 2)
    assert [row[0].text for row in made.rows] == ["four four four ...", "four four four four"]
    both = table(block(("four four four four five",) * 2), columns=(said, said)).clip([9, 9], 2, 3)
    assert [cell.text for cell in both.rows[0]] == ["four four four four five", "four four four ..."]


def test_a_sentence_is_cut_so_that_the_place_in_it_that_matters_is_seen() -> None:
    text = " ".join(f"w{i}" for i in range(40))
    said = (Column(header="n"), Column(header="said", prose=True))
    for word, first in (("w3", "w0 "), ("w20", "... "), ("w39", "... ")):
        cell = Cell(text=text, place=text.index(word))
        made = table(Block(rows=((Cell(text="1"), cell),)), columns=said).clip([1, 14], 2, 2).rows[0][1].text
        assert made.startswith(first) and word in made.split() and len(wrap(made, 14)) <= 2
    inside = Cell(text="one two three four Heimwerker-Verein five", place=30)
    cut = table(Block(rows=((Cell(text="1"), inside),)), columns=said).clip([1, 14], 2, 2).rows[0][1].text
    assert cut.startswith("... Heimwerker")
    bare = table(Block(rows=((Cell(text="1"), Cell(text="x" * 60 + "y" * 9, place=60)),)), columns=said)
    assert "xyy" in bare.clip([1, 14], 2, 2).rows[0][1].text


def test_a_column_that_leaves_is_told_before_what_stood_below_the_table() -> None:
    first = block(("a", "t"), ("b", "t"), metric="BLEU")
    second = block(("a", "t"), ("b", "sign"), metric="TER")
    made = table(first, second, columns=(SYSTEM, TEST), footnotes=("Below.",)).shorten("footnote")
    assert made.footnotes == ("test: t (BLEU, a on TER); sign (b on TER).", "Below.")


def test_what_stands_elsewhere_leaves_after_what_a_footnote_tells() -> None:
    elsewhere = Column(header="again", spare="elsewhere")
    made = table(block(("a", "t" * 20, "2" * 20)), columns=(SYSTEM, TEST, elsewhere))
    fitting = [fit(made, columns) for columns in (60, 40, 20)]
    assert [one and [column.header for column in one[0].columns] for one in fitting] == [
        ["system", "test", "again"],
        ["system", "again"],
        ["system"],
    ]
