"""Files can be read one after the other: none is long, and none needs another that needs it, at whatever place."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tests.contract.sources import SOURCE, nodes_of


def test_no_files_import_each_other_in_a_circle() -> None:
    """Imports within functions count, where a circle hides; so do those for type checkers alone.

    The package itself only passes on what is in it, by name and late: it is no file that needs it.
    """
    files = {_module(file): file for file in SOURCE.rglob("*.py")}
    needs = {name: _imports(file, files) - {name} for name, file in files.items()}
    for name, found in needs.items():
        # a verb is declared without its work, which is imported when it is called
        found.discard(f"{name}.run")
    needs["outscore"] = set()
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        raise AssertionError(f"a circle of imports: {' <- '.join(error.args[1])}") from None


def test_no_file_has_more_than_four_hundred_lines() -> None:
    long = {str(file): n for file in SOURCE.rglob("*.py") if (n := len(file.read_text("utf-8").splitlines())) > 400}
    assert not long


def _module(file: Path) -> str:
    parts = ("outscore", *file.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(file: Path, files: dict[str, Path]) -> set[str]:
    """The files that one names in its imports; those of packages on the way to them hold no more than names."""
    found = set()
    for node in nodes_of(file):
        if isinstance(node, ast.ImportFrom) and node.module in files:
            assert node.module is not None
            found |= {name if (name := f"{node.module}.{a.name}") in files else node.module for a in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in files}
    return found
