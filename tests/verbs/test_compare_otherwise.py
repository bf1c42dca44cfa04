"""Beside a note that changes the answer stands the answer in the way that it advises."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from outscore import UsageError, compare, judge
from outscore.results.details import describe_test


def _runs(seed: int, add: float) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(add, 1, (3, 1)) * 0.1 + rng.normal(add, 1, (3, 60))


def test_beside_multeval_stands_the_test_over_runs_and_items() -> None:
    data = {"a": _runs(1, 0.0), "b": _runs(2, 0.4)}
    (pair,) = compare(data, test="multeval", n_resamples=200).pairs
    (again,) = compare(data, n_resamples=200).pairs
    assert pair.otherwise is not None
    assert (pair.otherwise.note, pair.otherwise.how) == ("multeval_pseudo_replication", "--test auto")
    assert (pair.otherwise.gain, pair.otherwise.ci, pair.otherwise.p_value) == (again.gain, again.ci, again.p)
    assert again.otherwise is None


@pytest.mark.parametrize(("systems", "beside"), [(7, True), (8, False)])
def test_it_is_computed_for_six_pairs_at_most(systems: int, beside: bool) -> None:
    data = {f"s{i}": _runs(i, 0.0)[:, :10] for i in range(systems)}
    found = compare(data, test="multeval", n_resamples=20).pairs
    assert {pair.otherwise is not None for pair in found} == {beside}


@pytest.mark.parametrize(
    ("metrics", "beside"), [(["mean:column=score"], True), (["mean:column=score", "ratio:num=score,den=words"], False)]
)
def test_beside_ignored_clusters_it_stands_where_all_metrics_are_means(metrics: list[str], beside: bool) -> None:
    rows = [
        {"system": s, "item": i, "document": i // 10, "words": 3 + i % 4, "score": (i // 10 * 7 + s * i) % 5}
        for s in range(2)
        for i in range(100)
    ]
    found = compare(pd.DataFrame(rows), metrics=metrics, n_resamples=20)
    assert "clusters_ignored" in {note.code for note in found.notes}
    assert {pair.otherwise is not None for pair in found.pairs} == {beside}


def test_a_mid_p_is_called_no_exact_law() -> None:
    assert describe_test("mcnemar:variant=midp", "exact") == "McNemar mid-p"
    assert describe_test("sign:variant=midp", "exact") == "sign:variant=midp"
    assert describe_test("sign", "exact") == "sign test (exact law)"


def test_a_judge_is_offered_no_zero_for_what_has_no_label() -> None:
    rows = {"a": {"human": [1, 0, None, 1], "judge": [1, 0, 1, 1]}}
    with pytest.raises(UsageError, match="expected one of error, drop"):
        judge(rows, human="human", missing="zero")  # type: ignore[arg-type]
