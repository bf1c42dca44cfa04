"""HTML by construction: whatever is not made here is text, and stays text; tables; and the size of a page.

So it can be sent by mail and opens at once: 1.2 MB in all cases. What does not fit is left out by these rules and the
page says so; the data and the other formats hold everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from outscore.base.errors import inflect
from outscore.base.text import clean
from outscore.report.model import Block, Cell, Column, Row, Table

PAGE = 1_180_000
"""Bytes of a whole page; the data are left out where they would make it larger."""

TABLES, ITEMS = 200_000, 150_000
"""Bytes of all tables, and of all items that are listed."""

PICTURES = 200_000
"""Bytes of all pictures."""

ONE_PICTURE = 90_000
"""Bytes of a picture of lines; one with more in it becomes an image of points of colour."""

LISTED = 100
"""Lines of a list: input files, items left out."""

LABELS = 6
"""Columns that describe an item; of a table of many systems all others do."""

LONGEST = 2_000
"""Characters of a text from outside."""

_VOID = {"input", "meta", "br", "img"}


class Markup(str):
    """HTML that was made here; any other text is escaped where it is put in."""

    __slots__ = ()


def element(tag: str, *inside: str, **attributes: str | int | bool | None) -> Markup:
    """An element with its attributes and what is inside.

    Args:
        tag: name of the element.
        inside: markup as it is; other texts are escaped.
        attributes: ``class_`` and ``for_`` lose their underscore, inner underscores are hyphens; None and False leave
            an attribute out, True gives one without a value; markup is put in as it is.
    """
    said = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in _VOID:
        return Markup(f"<{tag}{said}>")
    return Markup(f"<{tag}{said}>{join(inside)}</{tag}>")


def join(parts: Iterable[str]) -> Markup:
    """Markup and texts, one after the other."""
    return Markup("".join(part if isinstance(part, Markup) else text(part) for part in parts))


def text(value: object) -> Markup:
    """A text that means nothing to a browser; control characters become harmless, very long ones are clipped."""
    return Markup(escape(clip(clean(value))))


def lines(value: str) -> Markup:
    """The same of several lines, which stay lines."""
    return join(part for line in value.split("\n") for part in (line, Markup("\n")))


def _attribute(name: str, value: str | int | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    return f' {name}="{value if isinstance(value, Markup) else escape(clip(clean(value)), quote=True)}"'


def size(text: str) -> int:
    """Bytes of a text on the page."""
    return len(text.encode("utf-8", errors="replace"))


def clip(text: str, most: int = LONGEST) -> str:
    """The text, or its beginning and how much is left out."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most:,} more characters)"


_MANY_ROWS = 9
"""From so many rows on a table can be filtered."""

_WHOLE = 20
"""Rows up to which a table stays whole on paper."""

_NARROW = 5
"""Columns up to which a long table stands in two columns on paper."""

_LONGEST_NAME = 20
"""Letters of a name that stand on one line in any case."""


def tables_markup(tables: Sequence[Table], *, after: int = 0, heading: str = "h3") -> Markup:
    """Tables; the last rows are left out where they would make the page too large, and it says how many.

    Args:
        tables: those of one part of the page.
        after: how many there are before them.
        heading: element of their titles; where it is empty, they are heard only.
    """
    room = TABLES
    parts = []
    for number, table in enumerate(tables, after):
        made, cost = _table(table, number, room, heading)
        room -= cost
        parts.append(made)
    return join(parts)


def _table(table: Table, number: int, room: int, heading: str) -> tuple[Markup, int]:
    """One table with its heading and footnotes, and the bytes of its rows; ``number`` makes its names unique."""
    name = f"table-{number}"
    notes = [element("li", line) for line in table.footnotes][:LISTED]
    if not table.first and any(cell.marks for row in table.rows for cell in row):
        notes.append(element("li", element("b", "!"), " ", element("a", "Notes", href="#changing")))
    parts = [element(heading, table.title)] if heading else []
    cost = 0
    if table.columns:
        bodies, shown, cost = _bodies(table, room)
        parts += [_filter(name, shown), _body(table, name, bodies)]
        if shown < len(table.rows):
            left = f"The first {shown:,} of {inflect(len(table.rows), 'row')}; the data below hold all."
            parts.append(element("p", left, class_="cut"))
    paper = " whole" if len(table.rows) <= _WHOLE else " two" if len(table.columns) <= _NARROW else ""
    return element("div", *parts, element("ul", *notes, class_="notes") if notes else "", class_=f"table{paper}"), cost


def _filter(name: str, shown: int) -> Markup:
    if shown < _MANY_ROWS:
        return Markup()
    box = element("input", type="search", id=f"{name}-filter", class_="filter", data_table=name, autocomplete="off")
    label = element("label", "Filter rows ", box)
    return element("p", label, " ", element("span", class_="count", role="status"), class_="live")


def _body(table: Table, name: str, bodies: list[Markup]) -> Markup:
    many = len(table.rows) >= _MANY_ROWS
    heads = [_head(column, "name" if many and i == 0 else "") for i, column in enumerate(table.columns)]
    caption = element("caption", table.title, class_="unseen")
    inner = element(
        "table", caption, element("thead", element("tr", *heads)), *bodies, id=name, style=_width_of_names(table)
    )
    return element("div", inner, class_="scroll", tabindex=0, role="group", aria_label=table.title)


def _width_of_names(table: Table) -> str:
    """Room for the longest name of the rows, or for most of it, so that names are not broken without need."""
    longest = max((len(row[0].text) for row in table.rows), default=0)
    return f"--names: {min(longest, _LONGEST_NAME)}ch"


def _head(column: Column, nameless: str) -> Markup:
    """A heading; of a long table also that of names, which go without one elsewhere."""
    title = column.header or nameless
    if not title and not column.tail:
        return element("td", class_=column.align)
    tail = [" ", element("span", column.tail, class_="tail")] if column.tail else []
    return element("th", title, *tail, scope="col", class_=column.align)


def _bodies(table: Table, room: int) -> tuple[list[Markup], int, int]:
    """The rows of each block that there is room for, how many they are, and their bytes."""
    bodies, shown, cost = [], 0, 0
    for block in table.blocks:
        rows: list[Markup] = []
        for row in block.rows:
            made = _row(row, table.columns)
            if cost + size(made) > room:
                break
            cost += size(made)
            rows.append(made)
        shown += len(rows)
        if rows:
            bodies.append(element("tbody", *_heading(block, table), *rows))
        if len(rows) < len(block.rows):
            break
    return bodies, shown, cost


def _heading(block: Block, table: Table) -> list[Markup]:
    if not block.heading:
        return []
    cell = element("th", block.heading, colspan=len(table.columns), scope="rowgroup", class_="left")
    return [element("tr", cell, class_="block")]


def _row(row: Row, columns: tuple[Column, ...]) -> Markup:
    cells = [
        element("th" if i == 0 else "td", _cell(cell), scope="row" if i == 0 else None, class_=_classes(cell, column))
        for i, (cell, column) in enumerate(zip(row, columns, strict=True))
    ]
    return element("tr", *cells)


def _classes(cell: Cell, column: Column) -> str | None:
    right = "right" if column.align == "right" else ""
    # a long text may break, but not into a column of single words
    long = "prose" if not right and len(cell.text) > _LONGEST_NAME else ""
    return " ".join(filter(None, (right, long, cell.tone, "best" if cell.bold else ""))) or None


def _cell(cell: Cell) -> Markup:
    # what colour says of a number; words say it themselves
    told = cell.tone and cell.text[:1] in "+-−0123456789"
    said = element("span", " (significant)", class_="unseen") if told else ""
    hung = element("sup", cell.marks) if cell.marks else ""
    tail = element("span", cell.tail, class_="tail") if cell.tail else ""
    return join([cell.text, hung, said, " " if cell.tail else "", tail])
