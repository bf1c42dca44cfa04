"""Fixtures that all tests share."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import hypothesis
import pytest

# how long an example takes depends on what else the machine does
hypothesis.settings.register_profile("untimed", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("untimed")

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever uses the data sets is marked ``data``, so that it can be chosen and may not be skipped."""
    for item in items:
        if "data_root" in getattr(item, "fixturenames", ()):
            item.add_marker("data")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if REQUIRED and report.skipped and not hasattr(report, "wasxfail") and item.get_closest_marker("data"):
        report.outcome = "failed"
        report.longrepr = f"skipped although OUTSCORE_DATA_REQUIRED is set: {report.longrepr}"
    return report
