"""Cut-offs of a number known of each item: p, corrections and false positives, held to full enumeration."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.studies.choices.forking_paths import ForkingPaths
from tests.examples import first
from tests.studies.relabelled import Relabelled, error, finding, written

RATIO = "ratio:num=right,den=total"
B = 20_000


def run(data: Any, **options: Any) -> outscore.Findings:
    return outscore.study("covariates", data, jobs=1, **options)


def made(n: int = 10, seed: int = 4) -> dict[str, list[tuple[int, int, int]]]:
    """Right tokens, tokens and difficulty of each item."""
    rng = np.random.default_rng(seed)
    totals, hard = rng.integers(3, 9, n), rng.integers(1, 6, n)
    return {
        system: [(int(r), int(t), int(h)) for r, t, h in zip(rng.binomial(totals, level), totals, hard, strict=True)]
        for system, level in (("base", 0.6), ("new", 0.8))
    }


def table(path: Path, rows: dict[str, list[tuple[int, int, int]]]) -> Any:
    lines = [(s, item, *row[:2]) for s, of_items in rows.items() for item, row in enumerate(of_items)]
    about = [(item, row[2], "text") for item, row in enumerate(rows["new"])]
    items = written(path / "items.csv", "item,hard,kind", about)
    return outscore.read(written(path / "table.csv", "system,item,right,total", lines), items=items)


def micro(of_items: list[Any]) -> float:
    return float(sum(row[0] for row in of_items) / sum(row[1] for row in of_items))


@pytest.mark.parametrize("side", first(["up-to", "from", "both"], "from", others=pytest.mark.slow))
def test_p_corrections_and_false_positives_are_those_of_all_relabellings(tmp_path: Path, side: str) -> None:
    rows, alpha = made(), 0.2
    result = run(
        table(tmp_path, rows),
        metrics=RATIO,
        covariate="hard",
        side=side,
        least=3,
        n_resamples=B,
        alpha=alpha,
    )
    analyses = result.table("cutoffs").records()
    hard = [row[2] for row in rows["new"]]

    def inside(analysis: dict[str, Any]) -> list[bool]:
        return [h <= analysis["cutoff"] if analysis["side"] == "up to" else h >= analysis["cutoff"] for h in hard]

    def score(held: list[bool]) -> Any:
        return lambda of: micro([row for row, there in zip(of, held, strict=True) if there])

    masks = [inside(analysis) for analysis in analyses]
    assert [sum(mask) for mask in masks] == [analysis["n"] for analysis in analyses]
    assert sum(all(mask) for mask in masks) == 1
    twin = Relabelled(rows["new"], rows["base"], [score(mask) for mask in masks])
    assert [analysis["gain"] for analysis in analyses] == pytest.approx(twin.gains)
    for number, analysis in enumerate(analyses):
        assert analysis["p"] == pytest.approx(twin.p(number), abs=error(twin.p(number), B))
        assert analysis["joint"] == pytest.approx(twin.joint()[number], abs=error(twin.joint()[number], B))
    free = finding(result, "0.2, some cut-off")
    counts = [f for f in result.findings if f.kind == "count"]
    assert len(counts) == 4
    assert free.value == pytest.approx(twin.free(alpha), abs=4 * free.error)


def sentences() -> tuple[dict[str, list[str]], list[str]]:
    """Two systems that get words wrong at random, on sentences of 1 to 60 words."""
    rng = np.random.default_rng(6)
    references = [" ".join(f"w{rng.integers(50)}" for _ in range(rng.integers(4, 60))) for _ in range(120)]
    systems = {
        name: [" ".join(w if rng.random() < level else "x" for w in text.split()) for text in references]
        for name, level in (("base", 0.8), ("new", 0.81))
    }
    return systems, references


def test_lengths_are_those_of_the_references() -> None:
    systems, references = sentences()
    result = run(systems, references=references, metrics="chrf", n_resamples=500, versions=200, cutoffs=4)
    lengths = [len(text.split()) for text in references]
    analyses = result.table("cutoffs").records()
    shorter = [sum(n <= one["cutoff"] for n in lengths) for one in analyses]  # type: ignore[operator]
    assert [analysis["n"] for analysis in analyses] == shorter
    assert [analysis["n"] for analysis in analyses] == pytest.approx([30, 60, 90, 120], abs=4)
    short = [i for i, n in enumerate(lengths) if n <= analyses[0]["cutoff"]]  # type: ignore[operator]
    (pair,) = outscore.compare(
        {name: [texts[i] for i in short] for name, texts in systems.items()},
        references=[references[i] for i in short],
        metrics="chrf",
        test="randomization:exact=never",
        n_resamples=2000,
    ).pairs
    assert analyses[0]["gain"] == pytest.approx(pair.gain)
    assert analyses[0]["p"] == pytest.approx(pair.p_value, abs=2 * error(float(pair.p_value or 0), 500))


def test_intervals_of_cut_offs_hold_the_gain_and_shrink() -> None:
    systems, references = sentences()
    result = run(systems, references=references, metrics=["chrf", "ter"], n_resamples=200, versions=100, cutoffs=4)
    for metric in ("chrf", "ter"):
        analyses = [analysis for analysis in result.table("cutoffs").records() if analysis["metric"] == metric]
        widths = [analysis["high"] - analysis["low"] for analysis in analyses]  # type: ignore[operator]
        assert all(analysis["low"] < analysis["gain"] < analysis["high"] for analysis in analyses)  # type: ignore[operator]
        assert widths[-1] == min(widths)
    assert {figure.name for figure in result.figures} == {"chrf", "chrf gains", "ter", "ter gains"}


def test_a_free_cut_off_finds_what_the_normal_law_says(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    lines = [(system, item, rng.normal()) for system in ("base", "new") for item in range(400)]
    ages = written(tmp_path / "ages.csv", "item,age", [(item, item % 97) for item in range(400)])
    data = outscore.read(written(tmp_path / "null.csv", "system,item,score", lines), items=ages)
    result = run(data, metrics="mean:column=score", covariate="age", n_resamples=8000, versions=8000, cutoffs=10)
    free = finding(result, "0.05, some cut-off")
    counted = [found for found in result.findings if found.kind == "share"]
    # 1 in 16,000 fails by chance; ten nested tenths find 19.3% (Armitage et al. 1969)
    assert abs(free.value - free.expected) <= 4 * free.error
    assert counted[0].expected == pytest.approx(0.193, abs=0.02)
    assert "differs" not in {found.verdict for found in counted} and len(counted) == 3
    assert free is counted[0]


def test_cut_offs_can_be_named_and_all_items_are_among_them(tmp_path: Path) -> None:
    data = table(tmp_path, made(40))
    result = run(data, metrics=RATIO, covariate="hard", at="2,3", least=1, n_resamples=100, versions=50)
    assert [analysis["cutoff"] for analysis in result.table("cutoffs").records()] == [2, 3, 5]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "no reference to tell their lengths from: name a column with --covariate"),
        ({"covariate": "hart"}, "did you mean 'hard'"),
        ({"covariate": "kind"}, "kind: expected numbers, got 'text'"),
        ({"covariate": "hard", "at": "1,b"}, "--at: expected numbers, got 'b'"),
        ({"covariate": "hard", "least": 40}, "--least 40 leaves no cut-off"),
        ({"covariate": "hard", "cutoffs": 1}, "--cutoffs"),
        ({"covariate": "hard", "metrics": "auc:gold=kind"}, "parts of them do not show|auc"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(tmp_path: Path, options: dict[str, Any], says: str) -> None:
    data = table(tmp_path, made(40))
    with pytest.raises(UsageError, match=says) as caught:
        run(data, **{"metrics": RATIO, **options})
    assert "\n" not in str(caught.value)


def test_corrected_p_is_no_smaller_than_p() -> None:
    rng = np.random.default_rng(1)
    draws = rng.normal(size=(5, 999))
    analyses = ForkingPaths(
        gains=draws[:, 0] * 2, draws=draws, versions=draws[:, :9], slack=np.full(5, 1e-12), alternative="two-sided"
    )
    assert (analyses.joint >= analyses.p).all() and (analyses.holm >= analyses.p).all()
