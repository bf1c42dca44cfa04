"""A few clusters that hold most of the items are few, however many others there are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import outscore


def compared(sizes: list[int]) -> outscore.Comparison:
    """A comparison over clusters of these sizes, numbered."""
    pandas = pytest.importorskip("pandas")
    n, rng = sum(sizes), np.random.default_rng(1)
    columns: dict[str, Any] = {"item": range(n), "document": np.repeat(np.arange(len(sizes)), sizes)}
    frames = [pandas.DataFrame({"system": name, "score": rng.normal(size=n), **columns}) for name in ("a", "b")]
    return outscore.compare(pandas.concat(frames), metrics="mean", cluster="document")


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
    noted = set(compared(sizes).pairs[0].notes)
    assert noted & {"few_clusters", "unequal_clusters"} == ({code} if code else set())


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([5] * 20 + [300, 100] + [5] * 20, "2 of 42 clusters hold 400 of 600 items: '20' 300 (50 %), '21' 100 (17 %)"),
        ([300] + [1] * 400, "1 of 401 clusters holds 300 of 700 items: '0' 300 (43 %)"),
        ([60] * 5 + [2] * 30, "5 of 35 clusters hold 300 of 360 items: '0' 60 (17 %)"),
    ],
)
def test_the_largest_clusters_are_named(sizes: list[int], said: str) -> None:
    (note,) = [note for note in compared(sizes).notes if note.code == "unequal_clusters"]
    assert note.text.startswith(said)


def test_of_many_large_clusters_three_are_named() -> None:
    (note,) = [note for note in compared([60] * 5 + [2] * 30).notes if note.code == "unequal_clusters"]
    assert ": '0' 60 (17 %), '1' 60 (17 %), '2' 60 (17 %) and 2 more; all together count like 7.2 of" in note.text


@pytest.mark.parametrize(
    ("sizes", "alike"),
    [
        ([30] * 3 + [5] * 9, "6.2"),
        ([90] * 3 + [4] * 37, "7.0"),
        ([10] * 29, "29.0"),
        ([10] * 30, None),
    ],
)
def test_max_t_in_clusters_that_count_like_fewer_than_30_is_noted(sizes: list[int], alike: str | None) -> None:
    pandas = pytest.importorskip("pandas")
    n, rng = sum(sizes), np.random.default_rng(1)
    columns: dict[str, Any] = {"item": range(n), "document": np.repeat(np.arange(len(sizes)), sizes)}
    frames = [pandas.DataFrame({"system": name, "score": rng.normal(size=n), **columns}) for name in ("a", "b", "c")]
    asked: dict[str, Any] = {"metrics": "mean", "cluster": "document"}
    for verb in (outscore.compare, outscore.score):
        found = verb(pandas.concat(frames), **asked, interval="max-t", n_resamples=99)
        said = [note for note in found.notes if note.code == "max_t_in_clusters"]
        assert len(said) == (alike is not None)
        assert all(note.rank == "answer" and f"count like {alike} of equal size" in note.text for note in said)
        assert "max_t_in_clusters" not in {note.code for note in verb(pandas.concat(frames), **asked).notes}
