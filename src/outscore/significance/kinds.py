"""The three kinds of named tests, under one roof: of pairs, of independent samples, of several systems at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from outscore.base.errors import UsageError, suggestion
from outscore.base.registry import Registry
from outscore.significance import Named, Test, tests
from outscore.significance.independent import independent_tests
from outscore.significance.omnibus import omnibus_tests

Kind = Literal["paired", "independent", "omnibus"]

KINDS: Mapping[Kind, Registry[Any]] = {"paired": tests, "independent": independent_tests, "omnibus": omnibus_tests}

_WORDS: Mapping[Kind, str] = {
    "paired": "a test of pairs",
    "independent": "a test of independent samples",
    "omnibus": "a test of several systems at once",
}


def all_tests() -> dict[str, tuple[Kind, type[Named]]]:
    """All registered tests by name, with their kinds."""
    return {name: (kind, cls) for kind, registry in KINDS.items() for name, cls in registry}


def kind_of(name: str) -> Kind:
    """The kind of the test of that name; options after a colon do not matter.

    Raises:
        UsageError: no test has that name; the nearest is suggested.
    """
    bare = name.partition(":")[0]
    found = next((kind for kind, registry in KINDS.items() if registry.knows(bare)), None)
    if found is None:
        known = sorted(all_tests())
        raise UsageError(f"unknown test {bare!r}{suggestion(bare, known)} (there are: {', '.join(known)})")
    return found


def make_test(spec: str) -> Named:
    """The test of any kind that a name with options means.

    Raises:
        UsageError: unknown name, unknown option, or a value that does not fit its type.
    """
    made: Named = KINDS[kind_of(spec)].make(spec)
    return made


def make_paired(spec: str) -> Test:
    """The test of pairs that a name with options means.

    Raises:
        UsageError: as ``make_test``, or a test of another kind.
    """
    bare = spec.partition(":")[0]
    if not tests.knows(bare):
        for kind, registry in KINDS.items():
            if registry.knows(bare):
                raise UsageError(f"{bare} is {_WORDS[kind]}, not of pairs; use: outscore test {bare}")
    return tests.make(spec)
