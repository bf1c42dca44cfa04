"""Which functions read what a statement outside of functions makes: tests that run them are tried first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def readers_of(source: Path, path: str, line: int) -> list[tuple[str, str]]:
    """File and name of each function, of any file, that reads what is made on import at this line of a file.

    Of the default of an argument it is the function itself; of a constant, a field or a class attribute it is whatever
    names it, and what is made of it on import too.

    Args:
        source: the folder of the sources; ``path`` of a file in it.
    """
    body = ast.parse((source / path).read_text(encoding="utf-8")).body
    scope, statement = next(_around(body, line, ""), ("", None))
    if statement is None or isinstance(statement, _FUNCTIONS):
        return [(path, scope)] if statement else []
    names = _made_by(statement)
    for other in body:  # in their order, as each is made of those before it
        if not isinstance(other, (*_FUNCTIONS, ast.ClassDef)) and _names_in(other) & names:
            names |= _made_by(other)
    words = re.compile(rf"\b({'|'.join(names)})\b") if names else re.compile("(?!)")
    found = []
    for file in sorted(source.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if words.search(text):
            where = file.relative_to(source).as_posix()
            found += [(where, name) for name, one in _functions(ast.parse(text).body, "") if _names_in(one) & names]
    return found


def _around(body: Sequence[ast.stmt], line: int, scope: str) -> Iterator[tuple[str, ast.stmt]]:
    for statement in body:
        if statement.lineno <= line <= (statement.end_lineno or line):
            if isinstance(statement, ast.ClassDef):
                yield from _around(statement.body, line, f"{scope}{statement.name}.")
            else:
                yield scope + getattr(statement, "name", ""), statement


def _functions(body: Sequence[ast.stmt], scope: str) -> Iterator[tuple[str, ast.stmt]]:
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            yield from _functions(statement.body, f"{scope}{statement.name}.")
        elif isinstance(statement, _FUNCTIONS):
            yield scope + statement.name, statement


def _made_by(statement: ast.stmt) -> set[str]:
    return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _names_in(statement: ast.stmt) -> set[str]:
    named = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return named | {node.attr for node in ast.walk(statement) if isinstance(node, ast.Attribute)}
