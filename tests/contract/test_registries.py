"""Where a registry finds its entries: in files called like them, or in those of their families."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest

import outscore
from outscore.base.registry import Registry


def _registries() -> list[Registry[Any]]:
    """Every registry, found in the package whose modules it loads or in the file that holds it for others."""
    found: dict[str, Registry[Any]] = {}
    for module in pkgutil.walk_packages(outscore.__path__, "outscore."):
        if module.ispkg or module.name == "outscore.results.result":
            held = vars(importlib.import_module(module.name)).values()
            found |= {each.kind: each for each in held if isinstance(each, Registry)}
    return list(found.values())


REGISTRIES = _registries()


def test_every_registry_is_looked_at() -> None:
    assert {"interval", "test", "metric", "reader", "format"} <= {registry.kind for registry in REGISTRIES}


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.kind)
def test_a_table_of_families_names_those_entries_that_no_file_is_called_like(registry: Registry[Any]) -> None:
    """One that it leaves out is not found by its name; a newcomer in a file of its own needs none."""
    places = {name: cls.__module__ for name, cls in registry if cls.__module__.startswith(f"{registry.package}.")}
    elsewhere = {
        name: place.removeprefix(f"{registry.package}.")
        for name, place in places.items()
        if place != f"{registry.package}.{name.replace('-', '_')}"
    }
    assert dict(registry.families) == elsewhere
