"""A few clusters that hold most of the items are few, however many others there are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import outscore


def noted(sizes: list[int]) -> set[str]:
    """Notes of a comparison over clusters of these sizes."""
    pandas = pytest.importorskip("pandas")
    n, rng = sum(sizes), np.random.default_rng(1)
    columns: dict[str, Any] = {"item": range(n), "document": np.repeat(np.arange(len(sizes)), sizes)}
    frames = [pandas.DataFrame({"system": name, "score": rng.normal(size=n), **columns}) for name in ("a", "b")]
    return set(outscore.compare(pandas.concat(frames), metrics="mean", cluster="document").pairs[0].notes)


@pytest.mark.parametrize(
    ("sizes", "code"),
    [
        ([100] * 2 + [5] * 40, "unequal_clusters"),  # 8.5 % at a level of 5 %, intraclass correlation .3
        ([300] * 2 + [3] * 100, "unequal_clusters"),  # 10 %
        ([50] * 3 + [5] * 60, None),  # 5.6 %
        ([10] * 40, None),
        ([100] + [5] * 20, "few_clusters"),
    ],
)
def test_clusters_that_count_like_few_are_noted(sizes: list[int], code: str | None) -> None:
    assert noted(sizes) & {"few_clusters", "unequal_clusters"} == ({code} if code else set())
