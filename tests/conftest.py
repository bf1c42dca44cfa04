"""Fixtures that all tests share."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from outscore.base.errors import flags

# how many of a hundred examples are tried (see tests.examples): "few" by default, all with --hypothesis-profile=many;
# how long one takes depends on what else the machine does
for _name, _share in (("few", 16), ("many", 100)):
    # the few are the same every time, so that a change is not refused for an example that it has nothing to do with
    hypothesis.settings.register_profile(
        _name, hypothesis.settings(), deadline=None, max_examples=_share, derandomize=_name == "few"
    )
hypothesis.settings.load_profile("few")

# thousands of tests are made by the collection and all are kept: looking for garbage among them takes a third of it
gc.disable()

# a process that a test starts would compile three hundred files anew where Python is told to keep no bytecode
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

TESTS = Path(__file__).parent

REQUIRED = bool(os.environ.get("OUTSCORE_DATA_REQUIRED"))
"""A data set that is missing is a failure, not a reason to skip."""


@pytest.fixture(scope="session")
def data_root() -> Path:
    """The folder of the data sets; tests that need it are skipped where OUTSCORE_DATA is not set."""
    root = os.environ.get("OUTSCORE_DATA")
    if not root:
        pytest.skip("OUTSCORE_DATA is not set")
    if not Path(root).is_dir():
        pytest.fail(f"OUTSCORE_DATA is {root!r}, which is no folder")
    return Path(root)


def pytest_configure() -> None:
    """Each process of xdist has a core of its own: whatever takes as many processes or threads as there are cores would
    take those of the others too, and start them for work that is done sooner than they are there.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if worker and hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[int(worker.removeprefix("gw")) % len(cores)]})


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Each process begins with a half of its own, so that most fixtures of a folder are made once, and the one that is
    done first takes from the other.
    """
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getvalue("dist") == "load" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever uses the data sets is marked ``data``, so that it can be chosen and may not be skipped; cases of METEOR
    and of DuckDB are slow.
    """
    for item in items:
        if "data_root" in getattr(item, "fixturenames", ()):
            item.add_marker("data")
        case = getattr(getattr(item, "callspec", None), "id", "")
        # METEOR's process reads its paraphrases of English for ten seconds, a database takes half a second to make
        if ("meteor" in case and "language=" not in item.name) or "duckdb" in case:
            item.add_marker("slow")


@pytest.hookimpl(specname="pytest_collection_modifyitems", trylast=True)
def pytest_keep_a_part(config: pytest.Config, items: list[pytest.Item]) -> None:
    """``OUTSCORE_PART=2/6`` runs every sixth of the tests that were chosen, from the second on: those that take long
    stand beside one another, so that each part has as many of them.
    """
    if part := os.environ.get("OUTSCORE_PART"):
        first, parts = map(int, part.split("/"))
        kept = items[first - 1 :: parts]
        config.hook.pytest_deselected(items=[item for item in items if item not in {*kept}])
        items[:] = kept


def pytest_collection_finish() -> None:
    """What was collected is kept to the end, and not looked through at all; what tests leave behind is looked through
    rarely, as most of it is gone by then.
    """
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)
    gc.enable()


def pytest_sessionfinish() -> None:
    """At its end pytest looks five times through all that is left, for two seconds, to find what was never closed;
    which it has found by then, or will not find.
    """
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if REQUIRED and report.skipped and not hasattr(report, "wasxfail") and item.get_closest_marker("data"):
        report.outcome = "failed"
        report.longrepr = f"skipped although OUTSCORE_DATA_REQUIRED is set: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def _messages_as_written(request: pytest.FixtureRequest) -> Iterator[None]:
    """Messages name options as they are written, by flags; tests of Python see them as Python says."""
    said_in_python = request.path.is_relative_to(TESTS / "verbs") or request.path.is_relative_to(TESTS / "base")
    with nullcontext() if said_in_python else flags():
        yield
