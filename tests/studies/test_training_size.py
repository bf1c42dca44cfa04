"""``training-size``: scores and both spreads by size of the training set, held to plain loops."""

from __future__ import annotations

import random
import statistics

import pytest

import outscore
from outscore.base.errors import UsageError

N = 60
SIZES, RUNS = (10, 100), 4


def answers(seed: int, right: float) -> list[float]:
    rng = random.Random(seed)
    return [float(rng.random() < right) for _ in range(N)]


@pytest.fixture(scope="module")
def data() -> dict[str, list[list[float]]]:
    rights = {("a", 10): 0.5, ("a", 100): 0.8, ("b", 10): 0.4, ("b", 100): 0.6}
    return {
        f"{model}.{size}": [answers(1000 * size + 10 * run + ord(model), right) for run in range(RUNS)]
        for (model, size), right in rights.items()
    }


def test_scores_and_spreads_are_those_of_plain_loops(data: dict[str, list[list[float]]]) -> None:
    found = outscore.study("training-size", data, metrics="mean", jobs=1, n_resamples=100)
    rows = found.table("scores").records()
    assert [(row["model"], row["size"]) for row in rows] == [("a", 10), ("a", 100), ("b", 10), ("b", 100)]
    for row in rows:
        runs = data[f"{row['model']}.{row['size']}"]
        scores = [sum(run) / N for run in runs]
        sets = statistics.stdev(scores)
        items = statistics.mean(statistics.pstdev(run) / N**0.5 for run in runs)
        assert row["runs"] == RUNS
        assert row["score"] == pytest.approx(statistics.mean(scores))
        assert row["sets"] == pytest.approx(sets)
        assert row["items"] == pytest.approx(items)
        assert row["both"] == pytest.approx((sets**2 + items**2) ** 0.5)
        assert row["high"] == pytest.approx(statistics.mean(scores) + 1.96 * sets)


def test_intervals_of_a_spread_are_those_of_normal_scores(data: dict[str, list[list[float]]]) -> None:
    # oracle: sqrt(3 / chi2) of three degrees of freedom, whose 2.5 % and 97.5 % quantiles any table has
    found = outscore.study("training-size", data, metrics="mean", jobs=1, n_resamples=100)
    for row in found.table("spreads").records():
        if row["source"] == "training sets":
            spread = row["spread"]
            assert isinstance(spread, float)
            assert row["low"] == pytest.approx(spread * (3 / 9.348404) ** 0.5)
            assert row["high"] == pytest.approx(spread * (3 / 0.2157953) ** 0.5)
        else:
            assert row["low"] is None


def test_one_run_has_no_spread_over_training_sets(data: dict[str, list[list[float]]]) -> None:
    single = {name: runs[0] for name, runs in data.items()}
    found = outscore.study("training-size", single, metrics="mean", jobs=1, n_resamples=100)
    assert all(row["sets"] is None and row["low"] is None and row["items"] for row in found.table("scores").records())
    found.check_whole()


def test_a_single_system_will_do(data: dict[str, list[list[float]]]) -> None:
    found = outscore.study("training-size", {"a.10": data["a.10"]}, metrics="mean", jobs=1, n_resamples=100)
    assert len(found.table("scores").rows) == 1


def test_the_title_says_what_more_data_bought(data: dict[str, list[list[float]]]) -> None:
    found = outscore.study("training-size", data, metrics="mean", jobs=1, n_resamples=100)
    of = {(row["model"], row["size"]): float(row["score"] or 0) for row in found.table("scores").records()}
    gains = sorted(of[model, 100] - of[model, 10] for model in "ab")
    assert found.figures[0].title.startswith(
        f"10 times the training data change the score by {gains[0]:.2g} to {gains[1]:.2g} ("
    )


def test_names_without_a_size_and_spreads_of_no_width_are_refused(data: dict[str, list[list[float]]]) -> None:
    with pytest.raises(UsageError, match=r"MODEL\.SIZE.*'a'"):
        outscore.study("training-size", {"a": data["a.10"], "b.1": data["b.10"]}, metrics="mean", jobs=1)
    with pytest.raises(UsageError, match="--times"):
        outscore.study("training-size", data, metrics="mean", times=0.0, jobs=1)
