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
    found = drawn.exceedances(np.array([True]))
    assert (found.counts.tolist(), found.sizes.tolist()) == ([1], [1])


@pytest.mark.parametrize(("columns", "kept"), [(1, 12_000), (400, 10_485), (450, 10_000)])
def test_so_many_scores_are_kept_as_memory_holds_but_never_fewer_than_quantiles_want(columns: int, kept: int) -> None:
    parts = [Batch(range(1), 6_000, range(1)), Batch(range(1, 2), 6_000, range(1, 2))]

    def score(part: Batch) -> Float:
        return np.broadcast_to(np.arange(float(part.size)), (columns, part.size))

    found = collect("draws", parts, score, Accumulator.nothing(), Runtime(), independent=True)
    assert (found.values.shape, found.sizes.tolist()) == ((columns, kept), [6_000, 6_000])


def test_of_a_single_column_four_million_scores_are_kept() -> None:
    size = 2**22 + 6
    part = Batch(range(1), size, range(1))

    def score(part: Batch) -> Float:
        return np.broadcast_to(np.zeros(1), (1, part.size))

    found = collect("draws", [part], score, Accumulator.nothing(), Runtime(), independent=True)
    assert (found.values.shape, found.sizes.tolist()) == ((1, 2**22), [size])


def test_signs_turn_the_series_that_they_belong_to_alone() -> None:
    """Two runs of one system, whose mean is its score, and a baseline; the third series is a score, turned."""
    scores = np.array([[1.0, 5.0, 2.0], [3.0, 7.0, 2.0], [1.5, 7.0, 2.5]])
    groups = (slice(0, 2), slice(2, 3))
    marks = np.array([[0.4, -0.6], [0.4, -0.6], [-6.5, -1.75]])
    signs = np.array([1.0, -1.0, -1.0])
    held = Accumulator(groups, np.array([0, 0, 1]), np.array([1, 1, -1]), marks, np.zeros(3), signs)
    gains = np.array([0.5, -1.0, -0.5])
    series = np.stack([gains, -gains, -scores[2]])
    expected = [
        [[int((values < mark).sum()), int((values <= mark).sum())] for mark in at]
        for values, at in zip(series, marks, strict=True)
    ]
    assert held.count(scores, 1)[0].tolist() == expected


def test_batches_of_a_part_share_its_resamples_and_a_part_may_be_a_piece_of_one() -> None:
    parts = [Batch(range(2), 8, range(2)), Batch(range(2, 3), 3, range(2, 3)), Batch(range(3, 4), 1, range(2, 3))]
    drawn = {8: [0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0], 3: [1.0, 1.0, 0.0], 1: [1.0]}

    def score(part: Batch) -> Float:
        return np.array([drawn[part.size]])

    counter = Accumulator((slice(0, 1),), np.array([0]), np.array([-1]), np.array([[1.0]]), np.zeros(1))
    found = collect("draws", parts, score, counter, Runtime(), independent=True)
    assert found.sizes.tolist() == [4, 4, 4]
    assert found.positions[:, 0, 0].tolist() == [[1, 4], [3, 4], [1, 4]]
    assert found.values.tolist() == [[*drawn[8], *drawn[3], *drawn[1]]]


@pytest.mark.parametrize(("sizes", "kept"), [([9_999, 5], 10_000), ([10_000, 1], 10_000), ([1], 1), ([1, 1], 2)])
def test_the_last_score_that_there_is_room_for_is_kept_and_a_batch_of_one_counts(sizes: list[int], kept: int) -> None:
    parts = [Batch(range(i, i + 1), size, range(i, i + 1)) for i, size in enumerate(sizes)]

    def score(part: Batch) -> Float:
        return np.broadcast_to(np.zeros(1), (450, part.size))

    found = collect("draws", parts, score, Accumulator.nothing(), Runtime(), independent=True)
    assert (found.values.shape, found.sizes.tolist()) == ((450, kept), sizes)


def test_of_an_interrupted_drawing_the_batches_that_were_done_stay() -> None:
    parts = [Batch(range(i, i + 1), 4, range(i, i + 1)) for i in range(3)]

    def score(part: Batch) -> Float:
        if part.atoms.start == 2:
            raise KeyboardInterrupt
        return np.full((1, 4), float(part.atoms.start))

    found = collect("draws", parts, score, Accumulator.nothing(), Runtime(), independent=True)
    assert (found.values.tolist(), found.sizes.tolist(), found.interrupted) == ([[0.0] * 4 + [1.0] * 4], [4, 4], True)
