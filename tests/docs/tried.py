"""The page of formats that were tried: ``python -m tests.docs.tried`` writes it from the table of the tests."""

from __future__ import annotations

from tests.data.tried import TRIED, Tried
from tests.docs.words import DOCS

PAGE = DOCS / "formats-tried.md"

_HEAD = """# Formats that were tried

Made by `python -m tests.docs.tried` from a table whose every row is a test (`tests/data/test_tried.py`).

Each row is two systems of 12 items, in files that the tool or the library wrote, or that follow the schema that it
documents. Both scores must come out as they were put in, or as the tool printed them with its standard error (Inspect,
lm-evaluation-harness); or the file must be refused with the words that stand here. No file is claimed by the reader of
another format. Readers are named as `outscore list readers` has them, with the options that the files need.

| format | written by | reader | options, or the refusal |
|---|---|---|---|
"""


def page() -> str:
    """The page as it is to be."""
    return _HEAD + "".join(f"| {one.name} | {one.made} | `{one.reader}` | {_said(one)} |\n" for one in TRIED)


def _said(one: Tried) -> str:
    if one.refused:
        return f"refused: *{one.refused}*".replace("|", "\\|").replace("**", "*\\*")
    words = " ".join([*(["rank"] if one.command == "rank" else []), *one.options])
    return f"`{words}`" if words else ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
