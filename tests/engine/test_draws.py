"""Differences are counted as differences, batch by batch."""

from __future__ import annotations

import numpy as np
import pytest

from outscore.base.arrays import Float
from outscore.engine.draws import Accumulator, Batch, Draws, collect
from outscore.engine.runtime import Runtime


def test_a_series_is_a_difference_from_any_group_the_first_one_too_or_a_score_alone() -> None:
    scores = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 1.0, 3.5, 4.0], [0.0, 0.5, 9.0, 7.0]])
    groups = tuple(slice(i, i + 1) for i in range(3))
    first, second = np.array([1, 2, 2]), np.array([0, 1, -1])
    marks = np.array([[0.5], [-0.5], [0.5]])
    counts = Accumulator(groups, first, second, marks, np.zeros(3)).count(scores, 1)
    series = [scores[1] - scores[0], scores[2] - scores[1], scores[2]]
    for s, (values, (mark,)) in enumerate(zip(series, marks, strict=True)):
        assert counts[0, s, 0].tolist() == [int((values < mark).sum()), int((values <= mark).sum())]


def test_nothing_is_counted_of_no_series() -> None:
    assert Accumulator.nothing().count(np.zeros((2, 8)), 4).shape == (4, 0, 0, 2)


def test_resamples_that_are_kept_are_counted_batch_by_batch_also_those_of_one() -> None:
    drawn = Draws(np.zeros((1, 5)), np.array([1, 3, 4]), np.zeros((3, 0, 0, 2), dtype=np.int64), True, False)
    found = drawn.exceedances(np.array([True, False, True, True, True]))
    assert (found.counts.tolist(), found.sizes.tolist()) == ([1, 2, 1], [1, 3, 1])
    assert drawn.exceedances(np.array([True])).sizes.tolist() == [1]


@pytest.mark.parametrize(("columns", "kept"), [(1, 12_000), (400, 10_485), (450, 10_000)])
def test_so_many_scores_are_kept_as_memory_holds_but_never_fewer_than_quantiles_want(columns: int, kept: int) -> None:
    parts = [Batch(range(1), 6_000, range(1)), Batch(range(1, 2), 6_000, range(1, 2))]

    def score(part: Batch) -> Float:
        return np.broadcast_to(np.arange(float(part.size)), (columns, part.size))

    found = collect("draws", parts, score, Accumulator.nothing(), Runtime(), independent=True)
    assert (found.values.shape, found.sizes.tolist()) == ((columns, kept), [6_000, 6_000])
