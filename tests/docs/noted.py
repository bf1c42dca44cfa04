"""The page of all notes: ``python -m tests.docs.noted`` writes it from the source, where each is declared."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from outscore.base.notes import Note
from tests.docs.words import DOCS

PAGE = DOCS / "notes.md"
SOURCE = DOCS.parent / "src" / "outscore"

_SIGNS = {"answer": "!", "claim": "-", "record": ""}
_HEAD = """# Every note

Made by `python -m tests.docs.noted` from the source.

A note is a warning that travels with the result; in JSON and Python it has this code. `!` changes the answer, and makes
`--strict` end with exit code 1; `-` limits what can be claimed; the others are for the record, and `-v` shows them.
`...` stands for what is named in the data at hand. [Reading the table](reading-the-table.md) is the introduction.

| code | | what it says | what to do |
|---|---|---|---|
"""

Said = tuple[str, str, str]
"""Code, text and remedy."""


def page() -> str:
    """The page as it is to be."""
    found: dict[str, Said] = {}
    for file in sorted(SOURCE.rglob("*.py")):
        for said in _notes(file):
            # of one code in several places the longest words say most
            if said[0] not in found or len(said[1]) > len(found[said[0]][1]):
                found[said[0]] = said
    return _HEAD + "".join(
        f"| `{code}` | {_SIGNS[Note(code=code, text='').rank]} | {_cell(text)} | {_cell(remedy)} |\n"
        for code, text, remedy in sorted(found.values())
    )


def _notes(file: Path) -> Iterator[Said]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        given = {one.arg: one.value for one in node.keywords}
        if node.func.id == "_reason" and isinstance(node.args[0], ast.Constant):
            yield f"auto_{_words(node.args[0])}", _words(node.args[1]), ""
        elif node.func.id == "Note" and isinstance(given.get("code"), ast.Constant):
            yield _words(given["code"]), _words(given.get("text")), _words(given.get("remedy"))


def _words(node: ast.expr | None) -> str:
    """Literal text, with ``...`` for what is put in."""
    match node:
        case None:
            return ""
        case ast.Constant(value=value):
            return str(value)
        case ast.JoinedStr(values=values):
            return "".join(map(_words, values))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _words(left) + _words(right)
        case ast.IfExp(body=body):
            return _words(body)
    return "..."


def _cell(text: str) -> str:
    if not text.strip(". "):
        return "as the data are" if text else ""
    return " ".join(text.replace("|", "\\|").replace("<", "\\<").replace("*", "\\*").replace("... ...", "...").split())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
