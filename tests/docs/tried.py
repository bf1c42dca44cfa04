"""The page of formats that were tried: ``python -m tests.docs.tried`` writes it from the table of the tests."""

from __future__ import annotations

from tests.data.tried import TRIED, Tried
from tests.docs.words import DOCS

PAGE = DOCS / "formats-tried.md"

_HEAD = """# Formats that were tried

Made by `python -m tests.docs.tried` from a table whose every row is a test (`tests/data/test_tried.py`).

Each row is two systems of 12 items, in files that the tool or a library wrote, or that follow the schema that it
documents, in 2026 where no version is named. The scores read must be those that were put in, or round to the numbers
that a tool printed of these very files, with its standard errors where it has them; or the file must be refused with
the words that stand here. No file is claimed by the reader of another format. Readers are named as
`outscore list readers` has them, with the options that the files need.

| format | file made by | read by | checked against |
|---|---|---|---|
"""


def page() -> str:
    """The page as it is to be."""
    return _HEAD + "".join(f"| {one.name} | {one.made} | {_read(one)} | {_checked(one)} |\n" for one in TRIED)


def _read(one: Tried) -> str:
    if one.refused:
        return f"refused: *{one.refused}*".replace("|", "\\|").replace("**", "*\\*")
    words = " ".join([*(["rank"] if one.command == "rank" else []), *one.options])
    return f"`{one.reader}`" + (f", `{words}`" if words else "")


def _checked(one: Tried) -> str:
    if one.refused:
        return "the words of the refusal"
    return one.checked + (f": {', '.join(one.printed)}" if one.printed else "")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
