"""Jobs: work that is cut into tasks, done by processes or a Dask cluster, kept as it is done, and gone on with.

A task is told from the others by its ``Spec`` and gives what it ``Found``; both are plain values that JSON can hold.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

Spec = Mapping[str, Any]
"""The key of a task that tells it from the others: plain values that JSON can hold."""

Found = Mapping[str, Any]
"""The findings of a task: plain values that JSON can hold."""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many are done, and how many there are."""


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
