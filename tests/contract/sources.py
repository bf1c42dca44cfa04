"""The source's syntax, read once for all tests that look through it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import outscore

SOURCE = Path(outscore.__file__).parent


@cache
def syntax_of(file: Path) -> ast.Module:
    """Of one file; nobody may change it."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    """Every node of it, as ``ast.walk`` gives them: half a million in all, which take longer to find than to read."""
    return tuple(ast.walk(syntax_of(file)))
