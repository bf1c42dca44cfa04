"""A docstring says what a thing is, so that none needs to begin with that word."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.contract.sources import SOURCE, nodes_of


def test_no_docstring_begins_with_what() -> None:
    """Neither of a module, class or function, nor of a name that a string stands below."""
    found: dict[str, list[str]] = {}
    for file in sorted(SOURCE.rglob("*.py")):
        for line, text in _docstrings(file):
            if text.split(maxsplit=1)[:1] == ["What"]:
                found.setdefault(file.relative_to(SOURCE).as_posix(), []).append(f"line {line}: {text.splitlines()[0]}")
    assert not found, f"say what it is, not 'What ...': {found}"


def _docstrings(file: Path) -> Iterator[tuple[int, str]]:
    for node in nodes_of(file):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value
