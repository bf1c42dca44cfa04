"""Which tests run which functions, and how long each takes: made once for each file of tests, and kept."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.mutants.forked import HungError, Say, forked

_LONGEST = 600.0
"""Seconds for all tests of a file."""


@dataclass(frozen=True)
class Timed:
    """A test that passes, and the seconds that it takes with nothing in its way but the tracing."""

    name: str
    seconds: float


def run(item: pytest.Item, following: pytest.Item | None) -> str:
    """``passed``, ``failed`` or ``skipped``."""
    before = item.session.testsfailed
    skipped: list[bool] = []

    class Accumulator:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            skipped.append(report.skipped)

    watch = Accumulator()
    item.config.pluginmanager.register(watch)
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    item.config.pluginmanager.unregister(watch)
    return "failed" if item.session.testsfailed > before else "skipped" if any(skipped) else "passed"


class Cover:
    """The tests that run each function of the sources."""

    def __init__(self, folder: Path, source: Path) -> None:
        self._folder = folder / "cover"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._source = source
        self._by_place: dict[str, list[Timed]] = defaultdict(list)

    def add(self, items: Sequence[pytest.Item], read: str) -> bool:
        """Takes in the tests of one file; whether they had to be run for it.

        Args:
            items: the tests; ``read``: digest of the file that they were read from, which may be another by now.
        """
        file = items[0].path
        kept = self._folder / ("-".join(file.parts[-3:]) + ".json")
        known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
        fresh = known.get("digest") != read
        if fresh:
            known = {"digest": read, **self._measured(items)}
            kept.write_text(json.dumps(known), encoding="utf-8")
        for name, (seconds, places) in known["tests"].items():
            test = Timed(name, seconds)
            for place in places:
                self._by_place[known["places"][place]].append(test)
        return fresh

    def of(self, path: str, scope: str) -> list[Timed]:
        """The tests that run a function, or, where it is none, any function of the file."""
        if scope:
            return self._by_place.get(f"{path} {scope}", [])
        found = {t.name: t for place, tests in self._by_place.items() if place.startswith(f"{path} ") for t in tests}
        return list(found.values())

    def _measured(self, items: Sequence[pytest.Item]) -> dict[str, Any]:
        def work(say: Say) -> None:
            for item, following in zip(items, [*items[1:], None], strict=True):
                say([item.nodeid, *self._traced(item, following)])

        try:
            said = forked(work, _LONGEST)
        except HungError as hung:
            said = hung.said
        places: dict[str, int] = {}
        tests = {
            name: [round(seconds, 3), [places.setdefault(place, len(places)) for place in ran]]
            for name, outcome, seconds, ran in said
            if outcome == "passed"
        }
        return {"tests": tests, "places": list(places)}

    def _traced(self, item: pytest.Item, following: pytest.Item | None) -> tuple[str, float, list[str]]:
        seen: dict[int, CodeType] = {}

        def trace(frame: FrameType, event: str, argument: object) -> None:
            seen[id(frame.f_code)] = frame.f_code

        start = time.perf_counter()
        threading.settrace(trace)
        sys.settrace(trace)
        try:
            outcome = run(item, following)
        finally:
            sys.settrace(None)
        return outcome, time.perf_counter() - start, sorted(self._places(seen.values()))

    def _places(self, codes: Iterable[CodeType]) -> set[str]:
        root = f"{self._source}/"
        return {
            f"{code.co_filename.removeprefix(root)} {code.co_qualname.partition('.<locals>')[0]}"
            for code in codes
            if code.co_filename.startswith(root)
        }
