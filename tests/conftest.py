"""Fixtures that all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data_root() -> Path:
    """The folder of the data sets; tests that need it are skipped where OUTSCORE_DATA is not set."""
    root = os.environ.get("OUTSCORE_DATA")
    if not root:
        pytest.skip("OUTSCORE_DATA is not set")
    return Path(root)
