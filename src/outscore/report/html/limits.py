"""Limits of the size of a page, so that it can be sent by mail and opens at once: 1.2 MB in all cases.

What does not fit is left out by these rules and the page says so; the data and the other formats hold everything.
"""

from __future__ import annotations

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


def size(text: str) -> int:
    """Bytes of a text on the page."""
    return len(text.encode("utf-8", errors="replace"))


def clip(text: str, most: int = LONGEST) -> str:
    """The text, or its beginning and how much is left out."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most:,} more characters)"
