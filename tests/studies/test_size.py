"""Gain against confidence on test sets of several sizes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore import Findings
from outscore.base.errors import UsageError
from outscore.studies.gain.by_size import law
from outscore.studies.gain.readings import Reading, Subset, subset_of
from outscore.studies.gain.thresholds import ThresholdCurve
from tests.studies.grouped import grouped


def study(data: object, **options: Any) -> Findings:
    given = {"metrics": "mean", "n_resamples": 999, "jobs": 1, "test": "t", **options}
    return outscore.study("gain:by=size", data, **given)


def exponent(found: Findings) -> Any:
    return next(one for one in found.findings if one.what.startswith("exponent"))


def thresholds(found: Findings, column: str) -> list[float]:
    table = "window" if column == "pairs" else "thresholds"
    rows = [row for row in found.table(table).records() if row["relation"] == "all pairs"]
    return [float(str(row[column])) for row in rows]


def repeated(times: int = 8, n: int = 100) -> dict[str, Any]:
    """The same items again and again: what is known of them, and nothing else, makes thresholds fall."""
    scores, _ = grouped(n, groups=1, members=10)
    return {name: np.tile(values, times) for name, values in scores.items()}


def test_thresholds_fall_with_the_root_of_the_size() -> None:
    found = study(repeated(), sizes="100,200,400,800")
    assert exponent(found).value == pytest.approx(-0.5, abs=0.02)
    assert exponent(found).verdict == "agrees"
    rooted = thresholds(found, "rooted")
    assert max(rooted) / min(rooted) < 1.08  # the pairs near p = .05 are not the same at all sizes
    (largest,) = (one for one in found.findings if one.what.startswith("largest"))
    level = np.exp(np.mean(np.log(rooted)))
    assert largest.value == pytest.approx(np.abs(np.array(rooted) / level - 1).max())


def test_thresholds_are_those_of_gain_on_the_first_items() -> None:
    scores, group_of = grouped(400)
    found = study(scores, groups=group_of, sizes="0.25,all")
    for size in (100, 400):
        first = {name: values[:size] for name, values in scores.items()}
        alone = outscore.study("gain", first, metrics="mean", test="t", groups=group_of, n_resamples=999, jobs=1)
        wanted = {row["relation"]: row for row in alone.table("thresholds").records()}
        for row in found.table("thresholds").records():
            if row["items"] == size:
                same = wanted[row["relation"]]
                assert {key: row[key] for key in same} == pytest.approx(same)


def test_sizes_are_doubled_unless_they_are_said() -> None:
    def sizes(n: int, **options: Any) -> list[float]:
        scores, _ = grouped(n, members=2)
        return [float(str(row["items"])) for row in study(scores, **options).table("thresholds").records()]

    assert sizes(1000) == [100, 200, 400, 1000]
    assert sizes(120) == [15, 30, 60, 120]
    assert sizes(1000, sizes="all, 0.1,50") == [50, 100, 1000]


def test_clusters_are_kept_whole_and_items_are_taken_in_order() -> None:
    clusters = np.array([2, 2, 2, 0, 0, 1, 1, 1, 1, 3])
    everything = np.arange(10)
    assert subset_of(everything, clusters, 4).tolist() == [0, 1, 2]  # 3 items are as near as 5, and fewer
    assert subset_of(everything, clusters, 6).tolist() == [0, 1, 2, 3, 4]
    assert subset_of(everything, clusters, 9).tolist() == list(range(9))
    assert subset_of(everything, None, 3).tolist() == [0, 1, 2]
    for size in range(1, 11):
        drawn = subset_of(everything, clusters, size, np.random.default_rng(size))
        assert all(set(drawn) >= set(np.flatnonzero(clusters == c)) for c in clusters[drawn])


def test_random_parts_of_one_draw_are_nested() -> None:
    clusters = np.repeat(np.arange(30), 3)
    for labels in (None, clusters):
        parts = [set(subset_of(np.arange(90), labels, n, np.random.default_rng(4)).tolist()) for n in (9, 30, 60, 90)]
        assert all(small < large for small, large in pairwise(parts))


def test_draws_are_put_together() -> None:
    scores, _ = grouped(200, members=2)
    once, thrice = (study(scores, sizes="50,all", pick="random", draws=draws) for draws in (1, 3))
    assert thresholds(once, "pairs") == [6, 6]
    assert thresholds(thrice, "pairs") == [18, 6]
    assert thrice.n_cells == 4


def test_the_error_of_the_exponent_is_that_of_plain_loops() -> None:
    rng = np.random.default_rng(0)
    sizes, draws, of_items = [100, 200, 800], 3, 0.04
    logs = rng.normal(size=(3, 6)) / 10 - np.log(sizes)[:, None] / 2
    parts = []
    for n, one in zip(sizes, logs, strict=True):
        scale = float(np.exp(one.mean()))
        without = {str(s): float(value) for s, value in enumerate(one)}
        curve = ThresholdCurve(scale, 1.96 * scale, None, None, 9, scale, scale, 0.1, without)
        parts.append(Subset(str(n), n, [Reading("all pairs", [], 0, None, None, curve)], {"all pairs": of_items}))
    found = law(parts, "all pairs", 0.05, draws)
    assert found is not None and found.error is not None and found.high is not None

    def slope(y: Any) -> float:
        return float(stats.linregress(np.log(sizes), y).slope)

    over_systems = 5 * np.var([slope(logs[:, s]) for s in range(6)])
    x = np.log(sizes) - np.mean(np.log(sizes))
    variance = of_items**2 * 800
    over_items = 0.0
    for i, n in enumerate(sizes):
        for j, m in enumerate(sizes):
            shared = variance / 800
            covariance = shared + (variance / max(n, m) - shared) / draws
            over_items += x[i] * x[j] / (x @ x) ** 2 * covariance
    assert found.exponent == pytest.approx(slope(logs.mean(axis=1)))
    assert found.error == pytest.approx(np.sqrt(over_systems + over_items))
    assert found.high - found.exponent == pytest.approx(stats.t.ppf(0.975, 5) * found.error)


def test_pictures_draw_the_law_and_the_curves() -> None:
    scores, group_of = grouped(400)
    found = study(scores, groups=group_of)
    found.check_whole()
    against, curves = found.figures
    assert (against.x.scale, against.y.scale) == ("log", "log")
    assert {row["relation"] for row in found.table("laws").records()} == {"same group", "different groups"}
    assert curves.colours == ("100 items", "200 items", "400 items")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sizes": "5"}, "neither all"),
        ({"sizes": "many"}, "neither all"),
        ({"sizes": "50"}, "two sizes or more"),
        ({"draws": 2}, "--pick random"),
        ({"cluster": "passage", "sizes": "10,all"}, "at least 8 items or clusters"),
    ],
)
def test_what_cannot_be_done_is_refused(options: dict[str, Any], message: str) -> None:
    scores, _ = grouped(100, members=2)
    items = {"passage": np.repeat(np.arange(20), 5).astype(str).tolist()}
    with pytest.raises(UsageError, match=message):
        study(scores, items=items, **{"cluster": "none", **options})


@pytest.mark.slow
def test_the_interval_of_the_exponent_covers_the_law() -> None:
    covered = []
    for seed in range(60):
        scores, _ = grouped(800, groups=1, members=8, alike=0.5, step=0.04, seed=seed)
        ci = exponent(study(scores, seed=seed, sizes="100,200,400,800")).ci
        covered.append(ci[0] <= -0.5 <= ci[1])
    # 95 % wanted; of 60 draws fewer than 52 cover once in 1,000 runs
    assert sum(covered) >= 52
