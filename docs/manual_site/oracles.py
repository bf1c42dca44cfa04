"""Which families of expected numbers hold a test, read from ``tests/oracles``.

A family covers a test if a test function about it makes that test by its name, or calls a formula or an exact law that
the test uses.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

_LAWS = ("outscore.engine.exact", "outscore.engine.saddlepoint")
# what nearly every formula uses, and what only counts the work that an exact law would take
_COMMON = ("outscore.significance.p_values", "outscore.significance.means.t_from")
_WORK = ("_cost", "_size")
# what functions that are no formulas take or give
_DATA = ("GainContrast", "IndependentSamples", "Groups", "Evidence", "Settings", "Outcome")
_MAKERS = (
    "outscore.significance.tests",
    "outscore.significance.independent.independent_tests",
    "outscore.significance.omnibus.omnibus_tests",
    "tests.laws.support.p_values",
)


@dataclass(frozen=True)
class Family:
    """One file of expected numbers.

    Attributes:
        name: of the file, without its suffix.
        by: the programs or the way by which the numbers were computed.
        modules: the modules of tests that hold them.
    """

    name: str
    by: str
    modules: tuple[str, ...]


@dataclass
class _Said:
    """What a definition at the top of a module mentions."""

    families: set[str] = field(default_factory=set)
    objects: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    makes: bool = False

    def add(self, other: _Said) -> None:
        self.families |= other.families
        self.objects |= other.objects
        self.words |= other.words
        self.makes |= other.makes


class Oracles:
    """The families of ``tests/oracles`` below the root of a checkout."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "tests" / "oracles"

    def of(self, cls: type[Any]) -> list[Family]:
        """The families that cover a registered test, by name."""
        formulas = set(_formulas(cls))
        found: dict[str, set[str]] = {}
        for module, said in self._tests:
            if said.objects & formulas or (said.makes and cls.name in said.words):
                for name in said.families:
                    found.setdefault(name, set()).add(module)
        return [Family(name, self._by(name), tuple(sorted(modules))) for name, modules in sorted(found.items())]

    def _by(self, name: str) -> str:
        return str(json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))["computed_by"])

    @cached_property
    def _tests(self) -> list[tuple[str, _Said]]:
        return [(path.name, said) for path in sorted(self.folder.glob("test_*.py")) for said in _read(path)]


def _read(path: Path) -> Iterator[_Said]:
    """What every test function of a module mentions, itself or through the definitions that it uses."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported: dict[str, str] = {}
    parts: dict[str, ast.stmt] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(("outscore", "tests.laws")):
            imported |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.FunctionDef):
            parts[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            parts |= {n.id: node for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)}
    for name, part in parts.items():
        if name.startswith("test_"):
            said = _Said()
            seen: set[str] = set()
            waiting: list[ast.AST] = [part]
            while waiting:
                for mentioned in ast.walk(waiting.pop()):
                    said.add(_mention(mentioned, imported))
                    if isinstance(mentioned, ast.Name) and mentioned.id in parts and mentioned.id not in seen:
                        seen.add(mentioned.id)
                        waiting.append(parts[mentioned.id])
            yield said


def _mention(node: ast.AST, imported: dict[str, str]) -> _Said:
    said = _Said()
    match node:
        case ast.Call(func=ast.Name(id="cases" | "family"), args=[ast.Constant(value=str(name))]):
            said.families.add(name)
        case ast.Name(id=name) if imported.get(name) in _MAKERS:
            said.makes = True
        case ast.Attribute(value=ast.Name(id=module), attr=attribute) if module in imported:
            said.objects.add(_home(f"{imported[module]}.{attribute}"))
        case ast.Name(id=name) if name in imported:
            said.objects.add(_home(imported[name]))
        case ast.Constant(value=str(word)):
            said.words.add(word.partition(":")[0])
    return said


def _home(dotted: str) -> str:
    """Where an object is defined; empty if there is none of that name, or it is a module."""
    module, _, name = dotted.rpartition(".")
    try:
        return _path(getattr(importlib.import_module(module), name, None)) if dotted.startswith("outscore.") else ""
    except ImportError:
        return ""


def _path(thing: object) -> str:
    if isinstance(thing, types.FunctionType | type):
        return f"{thing.__module__}.{thing.__qualname__}"
    wrapped = getattr(thing, "__wrapped__", None)
    return _path(wrapped) if wrapped is not None else ""


def _formulas(cls: type[Any]) -> Iterator[str]:
    """The formulas and exact laws that the methods of a class call, themselves or through others of its floor.

    A formula takes numbers and arrays; what takes a pair, samples or groups is looked through for those that it calls.
    """
    waiting: list[object] = [inspect.unwrap(_function(member)) for member in vars(cls).values()]
    seen: set[int] = set()
    while waiting:
        thing = waiting.pop()
        path = _path(thing)
        if id(thing) in seen or not path.startswith("outscore."):
            continue
        seen.add(id(thing))
        if path.startswith("outscore.significance.") and isinstance(thing, types.FunctionType) and _takes_data(thing):
            waiting += [inspect.unwrap(_function(used)) for used in _used(thing)]
        elif path.startswith(("outscore.significance.", *_LAWS)) and not _aside(path):
            yield path


def _aside(path: str) -> bool:
    """Whether a thing of the floor of tests is no formula of one of them."""
    return path.startswith(_COMMON) or path.endswith((*_WORK, *_DATA))


def _takes_data(function: types.FunctionType) -> bool:
    """Whether a function sees more of a comparison than numbers: by its annotations, or as a method."""
    return "self" in function.__annotations__ or any(
        name in str(hint) for key, hint in function.__annotations__.items() if key != "return" for name in _DATA
    )


def _function(member: Any) -> Any:
    for attribute in ("fget", "func", "__func__"):
        member = getattr(member, attribute, None) or member
    return member


def _used(function: types.FunctionType) -> Iterator[object]:
    """The objects of other modules, and of its own, that a function names."""
    names = set(_names(function.__code__))
    for name in names:
        thing = function.__globals__.get(name)
        if isinstance(thing, types.ModuleType):
            yield from (vars(thing)[attribute] for attribute in names if attribute in vars(thing))
        elif thing is not None:
            yield thing


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)
