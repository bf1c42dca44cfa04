"""Results of every kind look as they did: tables cell by cell, JSON, pictures; and three of them in every format.

``OUTSCORE_GOLDEN=write pytest tests/report/test_kinds.py`` writes anew what is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from html.parser import HTMLParser
from typing import Any

import pytest

from outscore.report import tables_of
from outscore.report.model import Cell, Table
from outscore.report.plots import chart_spec, charts_of, picture
from outscore.report.screen import lists_asked, screen_of
from outscore.results.result import Result, kinds
from tests.report.builders import check_golden
from tests.report.kinds import KINDS
from tests.report.many import board_of_many

WHOLE = ("two_metrics", "board", "with_runs")
PAGES = ("with_details", "details_whole", "margins_of_many", "all_of_many", "study", "items_of_each", "replicated_many")
FORMATS = {
    "terminal:columns=100": "txt",
    "markdown": "md",
    "latex": "tex",
    "csv": "csv",
    "sentence": "sentence.txt",
    "methods": "methods.tex",
}
KEPT = "../kinds"
SHARED = ("$schema", "config")
"""Parts of a specification that all pictures have alike."""


@pytest.mark.parametrize("kind", KINDS)
def test_tables_stay_as_they_were(kind: str) -> None:
    screen = screen_of(KINDS[kind]())
    tables = [line for table in screen.tables for line in drawn(table)]
    check_golden(f"{KEPT}/{kind}.tables.txt", "\n".join([*screen.verdict, *tables, screen.how, *screen.method, ""]))


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_screen_is_short_and_says_the_answer_first(kind: str) -> None:
    shown = KINDS[kind]().to("terminal:columns=80")
    check_golden(f"{KEPT}/{kind}.screen.txt", shown)
    lines = shown.splitlines()
    assert len(lines) <= 40
    assert lines[0].strip()
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("kind", KINDS)
def test_json_stays_as_it_was_and_reads_back(kind: str) -> None:
    result = KINDS[kind]()
    check_golden(f"{KEPT}/{kind}.json", result.to_json())
    assert Result.from_json(result.to_json()) == result


@pytest.mark.parametrize("kind", KINDS)
def test_rows_stay_as_they_were(kind: str) -> None:
    """One line for each row, and before them the line that Python shows."""
    result = KINDS[kind]()
    rows = [json.dumps(row, ensure_ascii=False) for row in result.rows()]
    check_golden(f"{KEPT}/{kind}.rows.txt", "\n".join([repr(result), *rows, ""]))


@pytest.mark.parametrize("kind", [kind for kind, make in KINDS.items() if charts_of(make())])
def test_pictures_show_what_they_did(kind: str) -> None:
    """The main one first: words, data, which datum stands where, signs, colours; of pages alone what is declared."""
    shown = [
        asdict(one) if one.of_page else {"heading": one.heading, "words": one.words, **_said(chart_spec([one]))}
        for one in charts_of(KINDS[kind]())
    ]
    check_golden(f"{KEPT}/{kind}.picture.json", json.dumps(shown, ensure_ascii=False, indent=1) + "\n")


def test_every_two_of_many_systems_are_shown_by_signs() -> None:
    (wins,) = (table for table in tables_of(board_of_many()) if table.title.startswith("Who beats whom"))
    check_golden(f"{KEPT}/board_of_many.wins.txt", "\n".join([*drawn(wins), ""]))


@pytest.mark.parametrize("figure", ["board", "wins", "ranks"])
def test_pictures_of_many_systems_have_low_rows_and_small_squares(figure: str) -> None:
    shown = _said(picture(board_of_many(), figure=figure))
    if figure == "wins":
        del shown["data"]  # of 462 squares
    check_golden(f"{KEPT}/board_of_many.{figure}.json", json.dumps(shown, ensure_ascii=False, indent=1) + "\n")


def test_what_all_pictures_have_alike_stays_as_it_was() -> None:
    shown = picture(KINDS["two"]())
    kept = {name: shown[name] for name in SHARED}
    check_golden(f"{KEPT}/shared.json", json.dumps(kept, ensure_ascii=False, indent=1) + "\n")


@pytest.mark.parametrize("kind", ["advised_whole", "audited_whole", "two_metrics", "board_of_metrics", "with_runs"])
def test_narrow_terminals_stay_as_they_were(kind: str) -> None:
    """Columns of words shrink to so many letters, and no farther while others have room."""
    shown = [KINDS[kind]().to(f"terminal:columns={columns}") for columns in (96, 88, 72, 60, 48)]
    check_golden(f"{KEPT}/{kind}.narrow.txt", "\n".join(shown))


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("kind", WHOLE)
def test_formats_stay_as_they_were(kind: str, format_: str) -> None:
    check_golden(f"{KEPT}/{kind}.{FORMATS[format_]}", KINDS[kind]().to(format_))


@pytest.mark.parametrize("kind", [*WHOLE, *PAGES])
def test_pages_say_what_they_did(kind: str) -> None:
    read = _Words()
    read.feed(KINDS[kind]().to("html"))
    check_golden(f"{KEPT}/{kind}.html.txt", "\n".join([*read.words, ""]))


@pytest.mark.parametrize("kind", KINDS)
def test_no_two_columns_hold_the_same(kind: str) -> None:
    """Else they could change places and nobody would see it."""
    for table in tables_of(KINDS[kind]()):
        columns = [[row[i].plain for row in table.rows] for i in range(len(table.columns))]
        alike = [
            (table.columns[i].plain, table.columns[j].plain)
            for i in range(len(columns))
            for j in range(i)
            if columns[i] == columns[j] and any(columns[i])
        ]
        assert not alike, table.title


@pytest.mark.parametrize("kind", KINDS)
def test_the_lists_that_were_asked_for_are_known_without_their_cells(kind: str) -> None:
    result = KINDS[kind]()
    assert lists_asked(result) == list(dict.fromkeys(table.asked for table in tables_of(result) if table.asked))


def test_there_is_a_case_of_every_kind() -> None:
    assert {kind for _, kind in kinds} == {type(make()) for make in KINDS.values()}


def drawn(table: Table) -> Iterator[str]:
    """A table with everything that its model holds, a line each."""
    yield f"\n== {table.title} ({table.naming} naming)"
    for column in table.columns:
        about = [column.align, *([column.spare] if column.spare else []), *(["prose"] if column.prose else [])]
        yield f"   column {column.plain!r} {' '.join(about)}"
    for block in table.blocks:
        if block.heading:
            yield f"-- {block.heading}"
        for row in block.rows:
            yield "   " + " | ".join(map(_cell, row))
    yield from (f" * {line}" for line in table.footnotes)


def _cell(cell: Cell) -> str:
    looks = [*(["bold"] if cell.bold else []), *([cell.tone] if cell.tone else [])]
    return cell.plain + (f" <{' '.join(looks)}>" if looks else "")


def _said(value: Any) -> Any:
    """A specification without what all of them have alike."""
    if isinstance(value, list):
        return [_said(each) for each in value]
    if isinstance(value, dict):
        return {name: _said(each) for name, each in value.items() if name not in SHARED}
    return value


class _Words(HTMLParser):
    """What a page says, a line for each piece of text, and between them what readers work with.

    These are fields, scripts in their order, where the focus goes, the room for names, and what colours tell; scripts,
    styles and drawn pictures say none.
    """

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in ("script", "style", "svg")
        known = {name: value or "" for name, value in attrs}
        told = [f"{name} {known[name]}" for name in ("tabindex", "style", "data-pair") if name in known]
        told += [part for part in known.get("class", "").split() if part in ("better", "worse", "best", "warn")]
        if tag in ("input", "select", "option", "script"):
            told = [f"{name} {known[name]}" for name in ("id", "data-table", "value") if name in known]
        if told or tag == "script":
            self.words.append(f"({' '.join([tag, *told])})")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style", "svg")

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.words.append(" ".join(data.split()))
