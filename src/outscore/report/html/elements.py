"""HTML by construction: whatever is not made here is text, and stays text; and the limits of the size of a page.

So it can be sent by mail and opens at once: 1.2 MB in all cases. What does not fit is left out by these rules and the
page says so; the data and the other formats hold everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from outscore.base.text import clean

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
