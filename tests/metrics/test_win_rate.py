"""Win rates: ties, weights, and the published leaderboard of AlpacaEval."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import outscore
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.metrics import metrics

PREFERENCES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=9)


def score(spec: str, **columns: list[float]) -> float:
    arrays = {name: np.array(values, dtype=float) for name, values in columns.items()}
    metric = metrics.make(spec)
    return float(metric.score(metric.statistics(Items(n=len(next(iter(arrays.values()))), columns=arrays)).sum(axis=0)))


@given(preferences=PREFERENCES)
def test_a_tie_is_half_a_win_or_does_not_count(preferences: list[float]) -> None:
    decided = [p for p in preferences if p != 0.5]
    assert score("win_rate", preference=preferences) == pytest.approx(100 * sum(preferences) / len(preferences))
    expected = 100 * sum(decided) / len(decided) if decided else 50
    assert score("win_rate:ties=drop", preference=preferences) == pytest.approx(expected)


@given(pairs=st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.integers(1, 4)), min_size=1, max_size=9))
def test_weights_multiply_items(pairs: list[tuple[float, int]]) -> None:
    repeated = [p for p, weight in pairs for _ in range(weight)]
    columns = {"preference": [p for p, _ in pairs], "w": [float(weight) for _, weight in pairs]}
    for ties in ("half", "drop"):
        expected = score(f"win_rate:ties={ties}", preference=repeated)
        assert score(f"win_rate:ties={ties},weight=w", **columns) == pytest.approx(expected)


@pytest.mark.parametrize("weights", [[0, 0], [-1, 2]])
def test_weights_that_weigh_nothing_are_refused(weights: list[float]) -> None:
    with pytest.raises(InputError, match="the weights in column 'w' must be 0 or more, and not all 0; "):
        score("win_rate:weight=w", preference=[0, 1], w=weights)


@pytest.mark.parametrize("name", ["preference", "win", "win_rate", "score", "judged"])
def test_the_column_is_found_by_its_name_or_because_it_is_the_only_one(name: str) -> None:
    assert score("win_rate", **{name: [1.0, 0.0, 1.0, 1.0]}) == 75


def test_a_named_column_goes_before_preference() -> None:
    assert score("win_rate:column=human", preference=[0, 0], human=[1, 1]) == 100


@pytest.mark.parametrize("bad", [2.0, 1.01, -0.01])
def test_preferences_on_the_scale_of_annotators_are_refused(bad: float) -> None:
    with pytest.raises(InputError, match=f"preferences from 0 to 1, but item 2 has {bad:g}; "):
        score("win_rate", preference=[1, bad])


@pytest.mark.data
def test_the_leaderboard_of_alpaca_eval_comes_out(data_root: Path) -> None:
    folder = data_root / "data" / "pref_alpaca_eval1"
    preferences: dict[str, list[float]] = {}
    with gzip.open(folder / "preferences.tsv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["preference"]:
                preferences.setdefault(row["system"], []).append(float(row["preference"]))
    with (folder / "published_leaderboard.csv").open(encoding="utf-8") as table:
        published = {row[""]: float(row["win_rate"]) for row in csv.DictReader(table)}
    shared = published.keys() & preferences.keys()
    assert len(shared) == 52
    for system in shared:
        assert score("win_rate", preference=preferences[system]) == pytest.approx(published[system], abs=1e-9)


def test_a_gain_of_a_win_rate_is_told_in_points() -> None:
    found = outscore.compare({"a": [0.0, 1.0] * 20, "b": [1.0, 1.0] * 20}, metrics="win_rate")
    assert found.sentence.startswith("b outscores a by 50.0 points of win_rate (95% CI ")
