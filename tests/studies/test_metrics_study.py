"""The choice of a metric: p by metric, corrections, and false positives on null versions, held to full enumeration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.studies.choices.forking_paths import p_by_normal_law
from tests.studies.relabelled import Relabelled, error, finding, written

RATIO, EXACT = "ratio:num=right,den=total", "mean:column=exact"
B = 20_000


def run(data: Any, **options: Any) -> outscore.Findings:
    return outscore.study("metrics", data, jobs=1, **options)


def rows(n: int = 9, seed: int = 5, runs: int = 1) -> dict[str, list[Any]]:
    """For each system and run right tokens, tokens and whether all are right, of each item."""
    rng = np.random.default_rng(seed)
    totals = rng.integers(3, 9, n)
    made = {}
    for system, level in (("base", 0.6), ("new", 0.8)):
        for run in range(runs):
            right = rng.binomial(totals, level)
            made[f"{system}.{run}"] = [(int(r), int(t), int(r == t)) for r, t in zip(right, totals, strict=True)]
    return made


def table(path: Path, made: dict[str, list[Any]], units: list[int] | None = None) -> Any:
    lines = [
        (*name.split("."), item, *row, units[item] if units else item)
        for name, of_items in made.items()
        for item, row in enumerate(of_items)
    ]
    return outscore.read(written(path / "table.csv", "system,run,item,right,total,exact,document", lines))


def micro(of_items: list[Any]) -> float:
    return float(sum(row[0] for row in of_items) / sum(row[1] for row in of_items))


def exact(of_items: list[Any]) -> float:
    return float(sum(row[2] for row in of_items) / len(of_items))


def held_to(result: outscore.Findings, twin: Relabelled, alpha: float) -> None:
    records = result.table("gains").records()
    assert [r["gain"] for r in records] == pytest.approx(twin.gains)
    for analysis, record in enumerate(records):
        assert record["p"] == pytest.approx(twin.p(analysis), abs=error(twin.p(analysis), B))
        assert record["joint"] == pytest.approx(twin.joint()[analysis], abs=error(twin.joint()[analysis], B))
    smaller, larger = sorted(record["p"] for record in records)  # type: ignore[type-var]
    assert sorted(r["holm"] for r in records) == pytest.approx([min(1, 2 * smaller), max(min(1, 2 * smaller), larger)])  # type: ignore[type-var, operator]
    free = finding(result, "smallest p")
    assert free.value == pytest.approx(twin.free(alpha), abs=4 * free.error)


def test_p_corrections_and_false_positives_are_those_of_all_relabellings(tmp_path: Path) -> None:
    made, alpha = rows(), 0.2
    result = run(table(tmp_path, made), metrics=[RATIO, EXACT], n_resamples=B, alpha=alpha)
    held_to(result, Relabelled(made["new.0"], made["base.0"], [micro, exact]), alpha)


def test_whole_clusters_are_exchanged(tmp_path: Path) -> None:
    made, alpha, units = rows(16), 0.2, [item // 2 for item in range(16)]
    result = run(
        table(tmp_path, made, units),
        metrics=[RATIO, EXACT],
        n_resamples=B,
        alpha=alpha,
        cluster="document",
    )
    held_to(result, Relabelled(made["new.0"], made["base.0"], [micro, exact], units), alpha)


def test_all_runs_of_an_item_move_together(tmp_path: Path) -> None:
    made, alpha = rows(runs=2), 0.2
    result = run(table(tmp_path, made), metrics=[RATIO, EXACT], n_resamples=B, alpha=alpha)
    pooled = {
        s: [tuple(np.add(a, b)) for a, b in zip(made[f"{s}.0"], made[f"{s}.1"], strict=True)] for s in ("new", "base")
    }
    held_to(result, Relabelled(pooled["new"], pooled["base"], [micro, lambda of: exact(of) / 2]), alpha)
    assert "runs_fixed" in {note.code for note in result.notes}


def correlated(path: Path, rho: float, n: int = 200) -> Any:
    """Two systems that are alike, under two metrics whose gains have this correlation."""
    rng = np.random.default_rng(3)
    first = rng.normal(size=(2, n))
    other = rho * first + np.sqrt(1 - rho**2) * rng.normal(size=(2, n))
    lines = [
        (system, item, first[s, item], other[s, item]) for s, system in enumerate(("base", "new")) for item in range(n)
    ]
    return outscore.read(written(path / "two.csv", "system,item,good,poor", lines))


@pytest.mark.parametrize("rho", [0.0, 0.9])
def test_a_free_choice_finds_what_the_normal_law_says(tmp_path: Path, rho: float) -> None:
    result = run(
        correlated(tmp_path, rho),
        metrics=["mean:column=good", "mean:column=poor"],
        n_resamples=8000,
        versions=8000,
        seed=3,
    )
    free = finding(result, "smallest p")
    # 1 in 16,000 fails by chance
    assert abs(free.value - free.expected) <= 4 * free.error
    assert free.verdict == "agrees" and free.margin == 0.01
    assert free.expected == pytest.approx(0.0975 if rho == 0 else 0.0704, abs=0.006)
    assert finding(result, "the same after joint").verdict == "agrees"
    assert finding(result, "the same after Holm").value <= 0.05 + 4 * finding(result, "the same after Holm").error


@pytest.mark.data
def test_the_normal_law_is_that_of_the_oracle(data_root: Path) -> None:
    cases = json.loads((data_root / "oracle" / "free_choice_fpr.json").read_text(encoding="utf-8"))["cases"]
    for case in cases:
        k, rho = case["input"]["k"], case["input"]["rho"]
        law = np.full((k, k), float(rho))
        np.fill_diagonal(law, 1.0)
        for alpha, expected in zip(case["input"]["alphas"], case["expected"]["prob_min_p_le"], strict=True):
            assert p_by_normal_law(law, alpha, "two-sided") == pytest.approx(expected, abs=2e-4)


def test_identical_systems_have_p_of_1_and_no_part_in_the_rates(tmp_path: Path) -> None:
    made = rows()
    made["same.0"] = made["base.0"]
    result = run(table(tmp_path, made), metrics=[RATIO, EXACT], n_resamples=200, versions=200)
    (same,) = [row for row in result.table("p").records() if row["pair"] == "same - base"]
    assert {value for name, value in same.items() if name != "pair"} == {1.0}
    alone = run(table(tmp_path, rows()), metrics=[RATIO, EXACT], n_resamples=200, versions=200)
    assert finding(result, "smallest p").value == finding(alone, "smallest p").value


def test_a_ranking_metric_sees_the_same_exchanges(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    gold = rng.integers(0, 2, 40)
    lines = [
        (system, item, gold[item], round(gold[item] * d + rng.normal(), 3))
        for system, d in (("base", 0.5), ("new", 1.5))
        for item in range(40)
    ]
    data = outscore.read(written(tmp_path / "ranks.csv", "system,item,gold,score", lines))
    both = run(data, metrics=["auc", "average_precision"], n_resamples=4000, versions=500)
    for metric, record in zip(["auc", "average_precision"], both.table("gains").records(), strict=True):
        (pair,) = outscore.compare(data, metrics=metric, test="randomization:exact=never", n_resamples=4000).pairs
        assert record["gain"] == pytest.approx(pair.gain)
        assert record["p"] == pytest.approx(pair.p_value, abs=2 * error(float(pair.p_value or 0), 4000))
    assert both.table("correlations").records()[0]["with:average_precision"] > 0.5  # type: ignore[operator]


def test_all_pairs_have_a_row_each(tmp_path: Path) -> None:
    made = {**rows(), "third.0": rows(seed=8)["new.0"]}
    data = table(tmp_path, made)
    for which, pairs in (("baseline", 2), ("all", 3)):
        found = run(data, metrics=[RATIO, EXACT], n_resamples=100, versions=50, pairs=which)
        assert len(found.table("p").rows) == found.n_cells == pairs


def test_one_metric_or_one_system_is_refused(tmp_path: Path) -> None:
    data = table(tmp_path, rows())
    with pytest.raises(UsageError, match="one metric leaves no choice"):
        run(data, metrics=[RATIO])
    alone = table(tmp_path, {"new.0": rows()["new.0"]})
    with pytest.raises(UsageError, match="has no pairs"):
        run(alone, metrics=[RATIO, EXACT])
    with pytest.raises(UsageError, match="--versions"):
        run(data, metrics=[RATIO, EXACT], versions=1)
