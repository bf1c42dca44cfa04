"""The three kinds of named tests, under one roof: of pairs, of independent samples, of several systems at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from outscore.base.errors import UsageError
from outscore.base.registry import Registry, choose_one, join_options
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
        UsageError: as ``make_test``.
    """
    return _resolve(name)[0]


def make_test(spec: str) -> Named:
    """The test of any kind that a name with options means.

    Raises:
        UsageError: unknown name, unknown option, or a value that does not fit its type.
    """
    kind, meant = _resolve(spec)
    made: Named = KINDS[kind].make(meant)
    return made


def make_paired(spec: str) -> Test:
    """The test of pairs that a name with options means.

    Raises:
        UsageError: as ``make_test``, or a test of another kind.
    """
    bare = spec.partition(":")[0]
    of_pairs = [] if tests.knows(bare) else tests.meanings(bare)
    if not tests.knows(bare) and (not of_pairs or any(registry.knows(bare) for registry in KINDS.values())):
        kind, meant = _resolve(bare)
        instead = f"--test {' or '.join(of_pairs)} is; for that one" if of_pairs else "use"
        raise UsageError(f"{bare} is {_WORDS[kind]}, not of pairs; {instead}: outscore compare --test {meant}")
    return tests.make(spec)


def _resolve(spec: str) -> tuple[Kind, str]:
    """The kind of a test, and its own name with options.

    Raises:
        UsageError: no test has that name, and the nearest is suggested; or several have it.
    """
    bare, _, options = spec.partition(":")
    found = next((kind for kind, registry in KINDS.items() if registry.knows(bare)), None)
    if found is not None:
        return found, spec
    meant = {one: kind for kind, registry in KINDS.items() for one in registry.meanings(bare)}
    if not meant:
        raise tests.unknown(bare, sorted(all_tests()))
    one = choose_one(f"the test {bare!r}", list(meant))
    return meant[one], join_options(one, options)
