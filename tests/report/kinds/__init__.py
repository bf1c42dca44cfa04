"""Results of every kind, written out with numbers that are all different: nothing is computed, nothing is drawn.

What they look like is kept in ``tests/golden/kinds``; a change of what results hold is a change here, not there.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import getmembers, isfunction
from pkgutil import iter_modules

from outscore.results.result import Result
from tests.report.findings import findings


def _made_here() -> dict[str, Callable[[], Result]]:
    modules = [import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__) if m.name != "shared"]
    return {name: make for module in modules for name, make in getmembers(module, isfunction) if _of(make, module)}


def _of(make: object, module: object) -> bool:
    here = getattr(make, "__module__", "") == getattr(module, "__name__", None)
    return here and not getattr(make, "__name__", "_").startswith("_")


KINDS: dict[str, Callable[[], Result]] = {"study": findings, **_made_here()}
"""A maker for every case, by its name."""
