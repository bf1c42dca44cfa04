"""Entries that share a module with their family are found by a table, which names no others."""

from __future__ import annotations

from typing import Any

import pytest

from outscore.agreement import coefficients
from outscore.base.registry import Registry
from outscore.data.readers import readers
from outscore.metrics import metrics
from outscore.power.plans import plans
from outscore.report.plots import charts
from outscore.results.result import formats, kinds
from outscore.significance import tests
from outscore.significance.bayes import methods
from outscore.significance.independent import independent_tests
from outscore.significance.interval import intervals
from outscore.significance.omnibus import omnibus_tests
from outscore.studies import studies

REGISTRIES: list[Registry[Any]] = [
    metrics, readers, tests, independent_tests, omnibus_tests, intervals, methods, coefficients, plans, studies,
    formats, charts, kinds,
]  # fmt: skip


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: str(registry.kind))
def test_the_table_of_families_names_only_what_is_not_in_a_module_of_its_own_name(registry: Registry[Any]) -> None:
    package = f"{registry.package}."
    modules = {
        name: cls.__module__.removeprefix(package) for name, cls in registry if cls.__module__.startswith(package)
    }
    needed = {name: module for name, module in modules.items() if module != name.replace("-", "_")}
    assert registry.families.items() <= needed.items()
