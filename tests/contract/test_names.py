"""A name means one thing: whoever searches for a class finds one."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.contract.sources import SOURCE, nodes_of


def test_no_name_of_a_class_means_two_things() -> None:
    """An underscore before it makes no other name."""
    places: dict[str, list[str]] = defaultdict(list)
    for file in sorted(SOURCE.rglob("*.py")):
        for node in nodes_of(file):
            if isinstance(node, ast.ClassDef):
                places[node.name.lstrip("_")].append(file.relative_to(SOURCE).as_posix())
    twice = {name: found for name, found in places.items() if len(found) > 1}
    assert not twice, f"call one of each another name: {twice}"
