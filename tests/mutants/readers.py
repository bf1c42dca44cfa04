"""Which functions read what a statement outside of functions makes: tests that run them are tried first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def readers_of(source: Path, path: str, line: int) -> list[tuple[str, str]]:
    """File and name of each function, of any file, that reads what is made on import at this line of a file.

    Of the default of an argument it is the function itself; of a constant, a field or a class attribute it is whatever
    names it, and what is made of it on import too; of a field or its annotation also what asks for all fields.

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
    found, is_field = [], scope.endswith(".") and isinstance(statement, ast.AnnAssign)
    for file in sorted(source.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if words.search(text):
            where, tree = file.relative_to(source).as_posix(), ast.parse(text)
            found += [(where, name) for name, one in _functions(tree.body, "") if _names_in(one) & names]
            is_field = is_field or any(_names_in(each.annotation) & names for each in _fields(tree))
    return [*found, *_readers_of_fields(source)] if is_field else found


def _fields(tree: ast.Module) -> Iterator[ast.AnnAssign]:
    classes = (one for one in ast.walk(tree) if isinstance(one, ast.ClassDef))
    return (each for one in classes for each in one.body if isinstance(each, ast.AnnAssign))


@cache
def _readers_of_fields(source: Path) -> list[tuple[str, str]]:
    """What asks for all fields of a dataclass, and what asks that within the same file."""
    found = []
    for file in sorted(source.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if re.search(r"\bfields\(", text):
            every = [(name, _names_in(one)) for name, one in _functions(ast.parse(text).body, "")]
            asking = {name for name, names in every if "fields" in names} | {"fields"}
            where = file.relative_to(source).as_posix()
            found += [(where, name) for name, names in every if asking & names]
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


def _names_in(statement: ast.AST) -> set[str]:
    named = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return named | {node.attr for node in ast.walk(statement) if isinstance(node, ast.Attribute)}
