"""Test beside test: p of every pair as ``compare`` has it, and rules that ignore the pairing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore import Findings
from outscore.base.errors import OutscoreError

ITEMS, SYSTEMS = 120, ("a", "b", "c", "d")
TESTS = "bootstrap bootstrap:form=percentile t wilcoxon"


@pytest.fixture(scope="module")
def scores() -> np.ndarray[Any, np.dtype[np.float64]]:
    """Four systems that vary together over the items."""
    draw = np.random.default_rng(8)
    shared = draw.normal(size=ITEMS)
    return np.stack([shared + 0.3 * draw.normal(size=ITEMS) + gain for gain in (0, 0.02, 0.12, 0.3)])


def records(found: Findings, name: str) -> list[dict[str, Any]]:
    return [dict(row) for row in found.table(name).records()]


@pytest.fixture(scope="module")
def table(scores: np.ndarray[Any, np.dtype[np.float64]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tests") / "scores.csv"
    lines = [
        f"{name},{i},{value!r}"
        for name, row in zip(SYSTEMS, scores.tolist(), strict=True)
        for i, value in enumerate(row)
    ]
    path.write_text("\n".join(["system,item,score", *lines]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def found(table: Path) -> Findings:
    result = outscore.study(
        "tests", outscore.read(str(table)), metrics="mean:column=score", tests=TESTS, n_resamples=999, jobs=1
    )
    result.check_whole()
    return result


def test_each_p_is_that_of_compare(found: Findings, table: Path) -> None:
    rows = {(row["test"], row["pair"]): row for row in records(found, "pairs")}
    assert len(rows) == len(TESTS.split()) * 6
    for test in TESTS.split():
        peer = outscore.compare(
            outscore.read(str(table)),
            metrics="mean:column=score",
            test=test,
            n_resamples=999,
            all_pairs=True,
            correction="none",
            jobs=1,
        )
        for pair in peer.pairs:
            assert rows[test, f"{pair.system} - {pair.baseline}"]["p"] == pair.p_value
            assert (
                rows[test, f"{pair.system} - {pair.baseline}"]["first"]
                == rows["bootstrap", f"{pair.system} - {pair.baseline}"]["p"]
            )


def test_decisions_and_distances_are_counted(found: Findings) -> None:
    rows = records(found, "pairs")
    p = {test: np.array([row["p"] for row in rows if row["test"] == test], dtype=float) for test in TESTS.split()}
    decided = {row["test"]: row for row in records(found, "decided")}
    for test, own in p.items():
        assert decided[test]["decided"] == int((own <= 0.05).sum())
        if test != "bootstrap":
            assert decided[test]["median"] == pytest.approx(np.median(np.abs(own - p["bootstrap"])))
            assert decided[test]["largest"] == pytest.approx(np.abs(own - p["bootstrap"]).max())
            assert decided[test]["other"] == int(((own <= 0.05) != (p["bootstrap"] <= 0.05)).sum())


def test_rules_that_ignore_the_pairing_decide_by_errors_of_each_system(
    found: Findings, scores: np.ndarray[Any, np.dtype[np.float64]]
) -> None:
    errors = scores.std(axis=1, ddof=1) / np.sqrt(ITEMS)
    means = scores.mean(axis=1)
    pairs = [(s, b) for b in range(4) for s in range(b + 1, 4)]
    gain = np.array([abs(means[s] - means[b]) for s, b in pairs]) / 1.959964
    rules = {
        "unpaired z": [np.hypot(errors[s], errors[b]) for s, b in pairs],
        "score outside interval": [max(errors[s], errors[b]) for s, b in pairs],
        "intervals apart": [errors[s] + errors[b] for s, b in pairs],
    }
    decided = {row["test"]: row["decided"] for row in records(found, "decided")}
    assert {name: decided[name] for name in rules} == {name: int((gain > wide).sum()) for name, wide in rules.items()}
    assert decided["unpaired z"] < decided["t"], "these systems vary together"
    paired = [np.std(scores[s] - scores[b], ddof=1) / np.sqrt(ITEMS) for s, b in pairs]
    ratios = [(errors[s] ** 2 + errors[b] ** 2) / own**2 for (s, b), own in zip(pairs, paired, strict=True)]
    assert found.findings[0].value == pytest.approx(float(np.median(ratios)), rel=1e-9)


def test_a_test_that_refuses_is_left_out_and_said(table: Path) -> None:
    result = outscore.study("tests", outscore.read(str(table)), metrics="mean:column=score", tests="t mcnemar", jobs=1)
    assert "mcnemar left out" in result.design
    assert {row["test"] for row in records(result, "pairs")} == {"t"}
    alone = outscore.study("tests", outscore.read(str(table)), metrics="mean:column=score", tests="mcnemar t", jobs=1)
    assert result.figures and not alone.figures, "nothing to draw the others against"
    assert "mcnemar left out" in alone.design and records(alone, "decided")[0]["median"] is None


def test_pairs_that_share_resamples_move_together_over_seeds(table: Path) -> None:
    data = outscore.read(str(table))
    options: dict[str, Any] = {"metrics": "mean:column=score", "n_resamples": 200, "jobs": 1}
    tests = "bootstrap:exact=never t"
    found = outscore.study("tests", data, tests=tests, repeats=100, **options)
    said = {one.what: one.value for one in found.findings}
    noise = [float(str(value)) for what, value in said.items() if "over seeds" in what or "noise" in what]
    p = np.array([row["p"] for row in records(found, "pairs") if row["test"] == "bootstrap:exact=never"], dtype=float)
    assert noise[0] == pytest.approx(np.sqrt(p * (1 - p) / 200).max(), rel=0.3), "binomial"
    assert noise[1] > 0.08 and noise[1] > noise[2], "pairs with a system in common vary together over the items"
    plain = outscore.study("tests", data, tests=tests, **options)
    assert {one.what: one.value for one in plain.findings} == {
        w: v for w, v in said.items() if "seeds" not in w and "noise" not in w
    }


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"repeats": 1}, "--repeats"),
        ({"tests": "t"}, "two tests"),
        ({"tests": "t nonesuch"}, "nonesuch"),
        ({"alternative": "greater"}, "two-sided"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(options: dict[str, Any], said: str, table: Path) -> None:
    with pytest.raises(OutscoreError) as caught:
        outscore.study("tests", outscore.read(str(table)), metrics="mean:column=score", jobs=1, **options)
    assert said in str(caught.value) and "\n" not in str(caught.value)
