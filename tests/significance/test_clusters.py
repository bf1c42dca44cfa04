"""Clusters of a gain: how much they matter, which count like few, and those that were not given."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from outscore.base.arrays import Float
from outscore.engine.design import Design
from outscore.metrics.classes import FBeta
from outscore.significance.clusters import clusters_of_gain, find_ignored_clusters, unequal
from outscore.significance.gain import GainContrast
from outscore.significance.means import clusters_of
from outscore.significance.statistics import Statistics
from tests.laws import support
from tests.laws.support import experiment, mean_stats, pairing, settings


@pytest.mark.parametrize("lower", [False, True])
def test_an_item_of_a_corpus_score_enters_clusters_by_what_the_gain_loses_without_it(lower: bool) -> None:
    draw = np.random.default_rng(6)
    labels = np.repeat(np.arange(4), 3)
    counts = [draw.integers(1, 9, (runs, 12, 3)).astype(float) for runs in (2, 3)]
    metric = FBeta(average="micro")
    made = Statistics("f1", counts, metric.score, Design(12, labels), ratio=metric.ratio(), higher_is_better=not lower)

    def f1(rows: Float) -> float:
        tp, fp, fn = rows.sum(axis=0).tolist()
        return float(2 * tp / (2 * tp + fp + fn))

    lost = []
    for i in range(12):
        of_runs = [[f1(run) - f1(np.delete(run, i, axis=0)) for run in system] for system in counts]
        lost.append((-12 if lower else 12) * (np.mean(of_runs[1]) - np.mean(of_runs[0])))
    found = clusters_of_gain(GainContrast(support.experiment(made, settings=support.settings(9)), 0, 1))
    assert found is not None
    assert dataclasses.asdict(found) == pytest.approx(dataclasses.asdict(clusters_of(np.array(lost), labels)))


def test_clusters_of_a_gain_of_means_are_those_of_its_differences() -> None:
    labels = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3])
    d = np.random.default_rng(1).normal(size=10) + labels
    found = clusters_of_gain(pairing(d[None], np.zeros((1, 10)), settings(9), labels))
    assert found is not None and clusters_of_gain(pairing(d[None], 0 * d[None], settings(9))) is None
    of_items = clusters_of(d, labels)
    for name in ("n_clusters", "icc", "design_effect", "n_effective"):
        assert getattr(found, name) == pytest.approx(getattr(of_items, name)), name


@pytest.mark.parametrize(
    ("sizes", "large"),
    [([10] * 20, None), ([10] * 19, 19), ([11, *[10] * 19], 1), ([20, *[10] * 19], 1), ([21, 20, *[1] * 400], None),
     ([100, 90, 80, 70, *[1] * 60], 4), ([30, 20, 10, *[2] * 20], 3), ([30, 20, 10, 9, *[1] * 31], 4),
     ([40, 5, *[1] * 55], 1)],
)  # fmt: skip
def test_clusters_that_count_like_fewer_than_twenty_are_named(sizes: list[int], large: int | None) -> None:
    labels = np.repeat(np.arange(len(sizes)), sizes)
    n = len(labels)
    note = unequal(pairing(np.zeros((1, n)), np.ones((1, n)), settings(9), labels))
    alike = n**2 / sum(m * m for m in sizes)
    if alike >= 20:
        assert note is None
        return
    assert note is not None and f"count like {alike:.1f} of equal size" in note.text
    named = [m for m in sizes if m > n / 20]
    assert large == len(named)
    assert note.text.startswith(
        f"{large} of {len(sizes)} clusters hold{'s' * (large == 1)} {sum(named)} of {n} items: "
    )
    shown = ", ".join(f"'{i + 1}' {m} ({100 * m / n:.0f} %)" for i, m in enumerate(named[:3]))
    assert f"items: {shown}{f' and {large - 3} more' if large > 3 else ''};" in note.text


def test_clusters_that_were_not_given_matter_by_the_largest_effect_of_all_systems() -> None:
    draw = np.random.default_rng(6)
    groups = np.repeat(np.arange(10), 4)
    alone, shared = draw.normal(size=(1, 40)), draw.normal(size=(1, 10)).repeat(4, axis=1)
    whole = experiment(mean_stats([np.zeros((1, 40)), alone, shared, alone]), settings=settings(9))
    own = [clusters_of_gain(pairing(d, 0 * d, settings(9), groups)) for d in (alone, shared)]
    assert own[0] is not None and own[1] is not None and own[1].design_effect > 3 > own[0].design_effect
    names = [str(g) for g in groups]
    columns = {"doc": names, "topic": ["one"] * 40, "article": [str(i) for i in range(40)], "size": names}
    ((column, largest),) = find_ignored_clusters(whole, columns)
    assert column == "doc" and largest == pytest.approx(own[1].design_effect)
    # two of each and one alone: n - 1 names are clusters still
    pairs = {"cluster": [*map(str, range(39)), "0"]}
    assert len(find_ignored_clusters(whole, pairs)) <= 1


def test_of_all_pairs_clusters_matter_by_the_mean_effect_of_systems_less_the_mean_of_all() -> None:
    draw = np.random.default_rng(6)
    groups = np.repeat(np.arange(10), 4)
    values = draw.normal(size=(3, 40)) + 0.8 * draw.normal(size=(3, 10)).repeat(4, axis=1)
    several = experiment(mean_stats(list(values[:, None])), settings=settings(9))
    columns = {"doc": [str(g) for g in groups]}
    effects = [clusters_of(one - values.mean(axis=0), groups).design_effect for one in values]
    ((_, found),) = find_ignored_clusters(dataclasses.replace(several, all_pairs=True), columns)
    assert found == pytest.approx(np.mean(effects))
    ((_, largest),) = find_ignored_clusters(several, columns)
    assert largest == pytest.approx(max(clusters_of(values[s] - values[0], groups).design_effect for s in (1, 2)))
