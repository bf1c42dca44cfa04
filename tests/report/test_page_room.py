"""What a page leaves out for want of room: it says so, and where the rest is."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from html import unescape

import pytest

from outscore.base.notes import Note
from outscore.report import tables_of
from outscore.report.html import elements as limits
from outscore.report.html.elements import tables_markup
from outscore.report.model import Block, Cell, Column, Table
from outscore.results.comparison import Comparison
from outscore.results.details import Details, ItemGain, ItemText
from tests.report.builders import comparison, pair, score, two_systems
from tests.report.kinds import KINDS


def with_item(text: str) -> Comparison:
    key = {"system": "big", "baseline": "base", "metric": "bleu"}
    item = ItemGain(**key, item="7", influence=0.1, baseline_score=None, system_score=None)
    said = ItemText(item="7", labels={}, references=(text,), outputs={})
    return replace(two_systems(), details=Details(items=(item,), texts=(said,)))


def with_long_names() -> Comparison:
    """Names of so much chance that packing does not make them short."""
    names = ["".join(hashlib.sha256(f"{one}{i}".encode()).hexdigest() for i in range(28)) for one in "abcd"]
    scores = [score("base", 27.0), *(score(name, 27.0 + i) for i, name in enumerate(names))]
    return comparison(scores, [pair(name, 1.0 + i, 0.001 * i) for i, name in enumerate(names, 1)])


def test_a_long_text_ends_with_how_much_is_left_out() -> None:
    page = unescape(with_item("a" * (limits.LONGEST + 1_234)).to("html"))
    assert f"{'a' * limits.LONGEST} … (1,234 more characters)" in page
    assert "a more characters" not in unescape(with_item("a" * limits.LONGEST).to("html"))


def test_columns_of_a_wide_table_are_named_up_to_a_number_and_counted() -> None:
    made = with_item("gold")
    assert made.details is not None
    (said,) = made.details.texts
    for number in (limits.LABELS, limits.LABELS + 19):
        text = replace(said, labels={f"column {i}": f"value {i}" for i in range(number)})
        page = replace(made, details=replace(made.details, texts=(text,))).to("html")
        assert page.count(": value ") == limits.LABELS
        assert ("and 19 more columns" in page) == (number > limits.LABELS)


def test_items_are_left_out_and_counted_only_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    made = with_item("gold")
    assert made.details is not None
    (one,) = made.details.items
    many = replace(made, details=replace(made.details, items=tuple(replace(one, item=f"q{i}") for i in range(40))))
    assert "left out to keep the page small" not in many.to("html")
    monkeypatch.setattr(limits, "ITEMS", 5_000)
    page = many.to("html")
    shown = page.count('class="item better')
    assert 1 < shown < 39
    assert f"{40 - shown} more items left out to keep the page small" in page


def test_items_take_150_kilobytes_of_a_page_at_most() -> None:
    made = with_item("gold")
    assert made.details is not None
    (one,) = made.details.items
    items = tuple(replace(one, item=f"q{i}") for i in range(2_000))
    page = replace(made, details=replace(made.details, items=items)).to("html")
    listed = page[page.index('class="item better') : page.rindex('class="item better')]
    assert 140_000 < len(listed) < 150_000


def test_notes_beyond_the_list_are_counted_at_its_end() -> None:
    notes = tuple(Note(code=f"n{i}", text=f"note number {i}") for i in range(limits.LISTED + 2))
    page = replace(two_systems(), notes=notes).to("html")
    last = page.index(f"note number {limits.LISTED - 1}".capitalize())
    assert last < page.index("And 2 more notes, which the data hold.")


def test_files_beyond_the_list_are_counted_below_it() -> None:
    made = two_systems()
    (file,) = made.provenance.inputs
    files = tuple(replace(file, file=f"file {i}.txt") for i in range(limits.LISTED + 3))
    page = replace(made, provenance=replace(made.provenance, inputs=files)).to("html")
    assert page.index(f"file {limits.LISTED - 1}.txt") < page.index("And 3 more files, which the data hold.")
    assert f"file {limits.LISTED}.txt" not in page


def test_tables_share_their_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of all tables together stay within it, and each says how many of its rows there are."""
    tables = tables_of(KINDS["margins_of_many"]())
    assert sum(1 for table in tables if len(table.rows) > 2) > 2
    whole = str(tables_markup(tables))
    assert "The first " not in whole
    for most in (1_500, 3_000, 6_000):
        monkeypatch.setattr(limits, "TABLES", most)
        page = str(tables_markup(tables))
        rows = [part.partition("</table>")[0].split("</thead>")[1] for part in page.split("<table ")[1:]]
        size = sum(len(part.encode()) for part in rows)
        assert most - 700 < size < most + 300
        said = re.findall(r"The first (\d+) of (\d+) rows", page)
        cut = [(part.count("<tr"), len(table.rows)) for part, table in zip(rows, tables, strict=True)]
        assert said == [(str(shown), str(of)) for shown, of in cut if shown < of]


@pytest.mark.slow
def test_tables_and_items_have_room_of_their_own() -> None:
    """Of 180 kB tables are shown whole and items are not."""
    row = (Cell(text="x" * 1_000),)
    table = Table(title="t", columns=(Column(header="h"),), blocks=(Block(rows=(row,) * 170),))
    assert "The first " not in tables_markup([table])
    made = with_item("y" * 1_900)
    assert made.details is not None
    (item,), (text,) = made.details.items, made.details.texts
    items = tuple(replace(item, item=f"q{i}") for i in range(90))
    texts = tuple(replace(text, item=f"q{i}") for i in range(90))
    page = replace(made, details=Details(items=items, texts=texts)).to("html")
    assert page.count("y" * 1_900) < 90


def test_no_page_is_larger_than_its_limit_while_data_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The data stay from some limit on, soon after it has room for them; a long verdict takes room too."""
    made = with_long_names()
    whole = len(made.to("html").encode())
    monkeypatch.setattr(limits, "PAGE", 0)
    bare = len(made.to("html").encode())
    seen: list[bool] = []
    for most in range(bare, whole + 10_000, 500):
        monkeypatch.setattr(limits, "PAGE", most)
        page = made.to("html")
        seen.append("data:application/gzip" in page)
        assert len(page.encode()) <= most
        assert seen[-1] == ("All numbers in full precision" in page)
    assert seen == sorted(seen)
    assert seen[-1]
    assert not seen[0]
