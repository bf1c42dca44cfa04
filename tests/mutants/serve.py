"""The plugin of pytest that tries mutants: tests are collected once, and each mutant is tried in a copy of the process.

A fault within a function is put into the functions that are there; one that is run on import needs the modules anew.
"""

from __future__ import annotations

import ast
import gc
import itertools
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from tests.mutants.cover import Cover, Timed, run
from tests.mutants.faults import faults
from tests.mutants.forked import HungError, Say, forked
from tests.mutants.kept import BROKEN, CAUGHT, SURVIVED, TIMED_OUT, UNCOVERED, Kept, Mutant, Outcome, digest
from tests.mutants.readers import readers_of


class Server:
    """Tries mutants one after the other, until time is up.

    Args:
        copy: the folder of the copied sources that are imported.
        plain: what pytest is asked for in a fresh run, files left out.
        until: the time of ``time.monotonic`` at which no further mutant is begun.
        patience: seconds of work, waiting left out, after which no further test is begun for a mutant.
    """

    def __init__(
        self,
        mutants: Sequence[Mutant],
        kept: Kept,
        cover: Cover,
        copy: Path,
        plain: Sequence[str],
        *,
        until: float,
        patience: float,
        told: Callable[[str], None],
    ) -> None:
        self._mutants, self._kept, self._cover, self._copy, self._plain = mutants, kept, cover, copy, plain
        self._until, self._patience, self._told = until, patience, told
        self._digests = {m.path: digest(copy / m.path) for m in mutants}
        self._catches: dict[str, Counter[str]] = defaultdict(Counter)
        for outcome in kept:
            if outcome.by:
                self._catches[outcome.path][outcome.by] += 1
        self._items: dict[str, pytest.Item] = {}
        self._module: _Module | None = None
        self._functions: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of running the tests."""
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        session.config.pluginmanager.unregister(reporter)
        self._items = {item.nodeid: item for item in session.items}
        read = {path: digest(path) for path in {item.path for item in session.items}}
        for _, items in itertools.groupby(session.items, key=lambda item: item.path):
            group = list(items)
            if self._cover.add(group, read[group[0].path]):
                self._told(f"which functions {group[0].path.name} runs: {len(group)} tests")
            if time.monotonic() > self._until:
                return True
        self._find_functions()
        gc.freeze()
        for number, mutant in enumerate(self._mutants, 1):
            if time.monotonic() > self._until:
                self._told(f"time is up before mutant {number} of {len(self._mutants)}")
                break
            outcome = self._tried(mutant)
            self._kept.put(outcome)
            said = f"{number}/{len(self._mutants)} {outcome.outcome} {outcome.seconds:.1f} s  {mutant.key}"
            self._told(said if outcome.outcome not in (CAUGHT, TIMED_OUT) or number % 50 == 0 else "")
        return True

    def _find_functions(self) -> None:
        root = str(self._copy)
        gc.unfreeze()  # what is frozen is no object that is told of
        for thing in gc.get_objects():
            if isinstance(thing, FunctionType) and thing.__code__.co_filename.startswith(root):
                code = thing.__code__
                self._functions[code.co_filename, code.co_qualname, code.co_firstlineno].append(thing)

    def _tried(self, mutant: Mutant) -> Outcome:
        file = self._copy / mutant.path
        plain = Outcome(
            mutant.key, mutant.path, mutant.kind, mutant.line, digest=self._digests[mutant.path], outcome=UNCOVERED
        )
        tests = self._chosen(mutant)
        if self._module is None or self._module.file != file:
            self._module = _Module(file)
        start = time.perf_counter()
        fault = self._module.faults[mutant.index]
        fault.apply()
        try:
            outcome = self._put_to(tests, plain, self._module) if tests else plain
        finally:
            fault.undo()
        if outcome.by:
            self._catches[mutant.path][outcome.by] += 1
        return replace(outcome, left=len(tests) - outcome.tests, seconds=round(time.perf_counter() - start, 2))

    def _chosen(self, mutant: Mutant) -> list[Timed]:
        """The tests that run the place, the likeliest to fail for their time first."""
        tests = self._cover.of(mutant.path, mutant.scope)
        first: set[str] = set()
        if not tests or not mutant.scope:  # it is run on import
            readers = readers_of(self._copy, mutant.path, mutant.line)
            read = {test.name: test for reader in readers for test in self._cover.of(*reader)}
            tests = list(({test.name: test for test in self._cover.of(mutant.path, "")} | read).values())
            first = set(read)
        catches = self._catches[mutant.path]
        near = (f"tests/{mutant.package}/", "tests/oracles/", "tests/report/test_kinds.py")
        own: tuple[str, ...] = (f"tests/{mutant.package}/test_{Path(mutant.path).parts[2].removesuffix('.py')}",)
        own += () if mutant.scope else ("tests/verbs/test_numbers_of_options.py",)

        def worth(test: Timed) -> float:
            likely = 0.02 + 0.1 * test.name.startswith(near) + 0.2 * test.name.startswith(own) + catches[test.name]
            return likely / (test.seconds + 0.03)

        here = [test for test in tests if test.name in self._items]
        return sorted(here, key=lambda test: (test.name in first, worth(test)), reverse=True)

    def _put_to(self, tests: Sequence[Timed], plain: Outcome, module: _Module) -> Outcome:
        names = [test.name for test in tests]
        longest = 30 + 10 * max(test.seconds for test in tests) + 2 * self._patience
        try:
            changed = _changed(module.code, compile(module.tree, str(module.file), "exec"))
        except SyntaxError:
            return replace(plain, outcome=BROKEN)

        def work(say: Say) -> None:
            gc.disable()
            here = changed is not None and self._patched(changed)
            for result in self._here(names) if here else self._afresh(names, module):
                say(result)
                if sum(os.times()[:4]) > self._patience:
                    break

        try:
            said = forked(work, longest)
        except HungError as hung:
            return replace(plain, outcome=TIMED_OUT, by=names[len(hung.said)], tests=len(hung.said) + 1)
        except RuntimeError as error:
            self._told(str(error))
            return replace(plain, outcome=BROKEN)
        finally:
            module.restore()
        failed = next((name for name, outcome in said if outcome == "failed"), "")
        return replace(plain, outcome=CAUGHT if failed else SURVIVED, by=failed, tests=len(said))

    def _patched(self, changed: dict[tuple[str, str, int], CodeType]) -> bool:
        """Puts other code into the functions that are there; whether it could be."""
        for place, code in changed.items():
            for function in self._functions.get(place, ()):
                if len(function.__code__.co_freevars) != len(code.co_freevars):
                    return False
                function.__code__ = code
        return any(place in self._functions for place in changed)

    def _here(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        items = [self._items[name] for name in names]
        for item, following in zip(items, [*items[1:], None], strict=True):
            outcome = run(item, following)
            yield item.nodeid, outcome
            if outcome == "failed":
                return

    def _afresh(self, names: Sequence[str], module: _Module) -> Iterator[tuple[str, str]]:
        """The same with all modules of the package and of the tests imported anew, the file of the likeliest first."""
        module.write()
        likely: dict[str, float] = defaultdict(float)
        for place, name in enumerate(names, 1):
            likely[_file(name)] += 1 / place
        for file in sorted(likely, key=lambda file: -likely[file]):
            part = [name for name in names if _file(name) == file]
            for name in [n for n in sys.modules if n.split(".")[0] in ("outscore", "tests") and "mutants" not in n]:
                del sys.modules[name]
            only = _Only(part)
            ended = pytest.main([*self._plain, "-x", file], plugins=[only])
            if only.failed:
                yield only.failed, "failed"
                return
            if ended != pytest.ExitCode.OK:
                raise RuntimeError(f"pytest ended with {ended!r} for {part[:3]}")
            yield from ((name, "passed") for name in part)


class _Module:
    """A file of the copied sources: its tree, which may be changed, and the code of its text."""

    def __init__(self, file: Path) -> None:
        self.file, self._source = file, file.read_text(encoding="utf-8")
        self.tree = ast.parse(self._source)
        self.faults = faults(self.tree)
        self.code = compile(self._source, str(file), "exec")

    def write(self) -> None:
        """Puts the tree as it is now into the file."""
        self.file.write_text(ast.unparse(self.tree), encoding="utf-8")

    def restore(self) -> None:
        """Puts the text back, if it is another one."""
        if self.file.read_text(encoding="utf-8") != self._source:
            self.file.write_text(self._source, encoding="utf-8")


class _Only:
    """Runs these tests in this order, and keeps the name of what failed first, a test or the reading of a file."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = {name: number for number, name in enumerate(names)}
        self.failed = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        kept = [item for item in items if item.nodeid in self._names]
        items[:] = sorted(kept, key=lambda item: self._names[item.nodeid])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.failed = self.failed or (report.nodeid if report.failed else "")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or (report.nodeid if report.failed else "")


def _file(name: str) -> str:
    return name.partition("::")[0]


def _changed(was: CodeType, now: CodeType) -> dict[tuple[str, str, int], CodeType] | None:
    """Code of functions that differs, by file, name and line; None where more than functions differ."""
    if _shell(was) != _shell(now):
        return None
    found: dict[tuple[str, str, int], CodeType] = {}
    ahead = [(was, now, True)]
    while ahead:
        one, other, outside = ahead.pop()
        inner = [list(_codes(code)) for code in (one, other)]
        for before, after in itertools.zip_longest(*inner):
            if before is None or after is None or before.co_qualname != after.co_qualname:
                return None if outside else found
            if before == after:
                continue
            is_class = not before.co_flags & 0x2  # CO_NEWLOCALS: a function has names of its own
            if is_class:
                if _shell(before) != _shell(after):
                    return None
            else:
                found[before.co_filename, before.co_qualname, before.co_firstlineno] = after
            ahead.append((before, after, outside and is_class))
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    return (c for c in code.co_consts if isinstance(c, CodeType))


def _shell(code: CodeType) -> tuple[Any, ...]:
    """Code without the functions in it."""
    plain = [(type(c), repr(c)) for c in code.co_consts if not isinstance(c, CodeType)]
    return code.co_code, plain, code.co_names, code.co_varnames


def importable(copy: Path) -> None:
    """Makes this process, and those that it starts, import the copied sources and leave nothing behind."""
    sys.path.insert(0, str(copy))
    sys.dont_write_bytecode = True
    os.environ |= {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
