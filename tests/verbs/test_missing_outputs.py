"""``correlate`` where some outputs have no number: of each measure they are left out, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau, pearsonr

import outscore
from outscore.base.errors import InputError, UsageError
from tests.cli.commandline import outscore as command

RNG = np.random.default_rng(20)
SYSTEMS, ITEMS = "abcdef", 25
HUMAN = RNG.normal(size=(len(SYSTEMS), 1)) + RNG.normal(size=(len(SYSTEMS), ITEMS))
NEAR, FAR = (HUMAN + RNG.normal(0, s, HUMAN.shape) for s in (0.5, 1.5))
GAPS: dict[str, list[tuple[int, int]]] = {"human": [(0, 3), (2, 5), (2, 6)], "near": [(1, 7)], "far": []}


def frame(*, gaps: bool = True, systems: str = SYSTEMS) -> pd.DataFrame:
    values = {"human": HUMAN.copy(), "near": NEAR.copy(), "far": FAR.copy()}
    for name, cells in GAPS.items() if gaps else ():
        for cell in cells:
            values[name][cell] = np.nan
    rows = [
        {"system": s, "item": f"q{i}", **{name: v[SYSTEMS.index(s), i] for name, v in values.items()}}
        for s in systems
        for i in range(ITEMS)
    ]
    return pd.DataFrame(rows)


def known(*names: str) -> Any:
    """The outputs of which every one of these columns has a number; by default all columns."""
    found = np.ones(HUMAN.shape, dtype=bool)
    for name in names or GAPS:
        for cell in GAPS[name]:
            found[cell] = False
    return found


def twin(level: str, x: Any, y: Any, of: Callable[[Any, Any], Any]) -> float:
    """The coefficient in plain loops, over the outputs that have all numbers, as mt-metrics-eval leaves out None."""
    kept = known()
    if level == "system":
        own = ((x, known("near", "far")), (y, known("human")))
        means = [[float(np.mean(v[s][there[s]])) for s in range(len(SYSTEMS))] for v, there in own]
        return float(of(*means)[0])
    if level == "segment":
        return float(of(x[kept], y[kept])[0])
    rows = [(x[:, i][kept[:, i]], y[:, i][kept[:, i]]) for i in range(ITEMS)]
    if level == "segment-by-system":
        rows = [(x[s][kept[s]], y[s][kept[s]]) for s in range(len(SYSTEMS))]
    return float(np.mean([of(a, b)[0] for a, b in rows]))


def test_an_output_without_a_number_is_left_out_and_no_other() -> None:
    levels = ["system", "segment", "segment-by-item", "segment-by-system"]
    found = outscore.correlate(frame(), human="human", levels=levels, n_resamples=50)
    for record in found.correlations:
        values = {"near": NEAR, "far": FAR}[record.metric]
        of: Any = {"pearson": pearsonr, "kendall": kendalltau}[record.coefficient]
        assert record.value == pytest.approx(twin(record.level, values, HUMAN, of)), record
        if record.level == "segment":
            assert record.group_size == len(SYSTEMS) * ITEMS - 4
    note = next(note for note in found.notes if note.code == "outputs_left_out")
    assert "4 of 150 outputs" in note.text
    assert "(1 of 'a', 1 of 'b', 2 of 'c'; items 'q3', 'q5', 'q6' and 1 more)" in note.text


def test_scores_are_by_humans_of_what_they_judged_and_by_metrics_of_the_same_outputs() -> None:
    found = outscore.correlate(frame(), human="human", n_resamples=50)
    for score in found.scores:
        own = known(*(["human"] if score.metric == "human" else ["near", "far"]))[SYSTEMS.index(score.system)]
        values = {"human": HUMAN, "near": NEAR, "far": FAR}[score.metric][SYSTEMS.index(score.system)]
        assert score.n_items == own.sum()
        assert score.score == pytest.approx(values[own].mean())


def test_rows_that_are_not_there_are_as_numbers_that_are_missing() -> None:
    whole = frame()
    gone = whole.isna().any(axis=1)
    blank = whole.copy()
    blank.loc[gone, ["human", "near", "far"]] = np.nan
    found = [outscore.correlate(f, human="human", n_resamples=50).correlations for f in (blank, whole[~gone])]
    assert [c.value for c in found[0]] == pytest.approx([c.value for c in found[1]])


TEXTS = pd.DataFrame(
    [
        {
            "system": s,
            "item": f"q{i}",
            "output": " ".join(words),
            "reference": f"the cat {i} sat on the mat",
            "human": h,
        }
        for i in range(30)
        for s, words, h in (
            ("a", ["the", "cat", str(i), "sat", "on", "a", "mat"], 3.0 + i % 3),
            ("b", ["the", "cat", str(i), "sat", "on", "the", ["mat", "rug"][i % 2]], 4.0 - i % 2),
            ("c", ["cat", str(i), "on", "mat", "the", "mat"], 1.0 + i % 2),
            ("d", ["the", "cat", "sat", "on", "the", ["mat", "hat", "cat"][i % 3]], 2.0 + i % 2),
        )
    ]
)


@pytest.mark.parametrize("row", ["cell", "row"])
def test_a_corpus_score_is_of_all_outputs_that_are_there(row: str) -> None:
    """Without the human's number the output still counts in BLEU; without the row it does not, and that is `!`."""
    data = TEXTS.copy()
    gone = (data.system == "b") & (data["item"] <= "q19")
    data.loc[gone, "human"] = np.nan
    data = data if row == "cell" else data[~gone]
    found = outscore.correlate(data, human="human", metrics="bleu", missing="pairwise", n_resamples=20)
    bleu = next(s for s in found.scores if (s.system, s.metric) == ("b", "bleu"))
    every = outscore.score(data[data.system == "b"].drop(columns="human"), metrics="bleu").scores[0]
    assert bleu.score == pytest.approx(every.score)
    assert bleu.n_items == 30 - (row == "row") * gone.sum()
    (note,) = (note for note in found.notes if note.code in ("outputs_left_out", "outputs_missing"))
    assert note.rank == ("claim" if row == "cell" else "answer")
    assert ("on all outputs" if row == "cell" else "each on other items") in note.text
    human = next(s for s in found.scores if (s.system, s.metric) == ("b", "human"))
    assert human.score == pytest.approx(data.human[data.system == "b"].mean())


def test_items_without_a_reference_go_with_gaps() -> None:
    """What is left out of all systems moves the gaps along."""
    gaps = TEXTS.copy()
    gaps.loc[gaps.system.eq("c") & gaps["item"].eq("q25"), "human"] = np.nan
    without = gaps[gaps["item"] != "q2"]
    gaps.loc[gaps["item"] == "q2", "reference"] = None
    found = [outscore.correlate(f, human="human", metrics="bleu", n_resamples=20).correlations for f in (gaps, without)]
    assert [c.value for c in found[0]] == pytest.approx([c.value for c in found[1]])


def test_accuracy_counts_the_pairs_of_outputs_that_are_there() -> None:
    found = outscore.correlate(
        frame(), human="human", metrics=["near", "far"], levels="segment-by-item", coefficients="accuracy",
        n_resamples=20,
    )  # fmt: skip
    kept, right, pairs = known(), 0, 0
    for i in range(ITEMS):
        for s in range(len(SYSTEMS)):
            for t in range(s):
                if kept[s, i] and kept[t, i]:
                    pairs += 1
                    right += bool((HUMAN[s, i] > HUMAN[t, i]) == (NEAR[s, i] > NEAR[t, i]))
    # real numbers do not tie, so the best threshold is 0
    assert found.correlations[0].epsilon == 0
    assert found.correlations[0].value == pytest.approx(right / pairs)


@pytest.mark.parametrize(
    "test", ["perm-systems", *(pytest.param(t, marks=pytest.mark.slow) for t in ("perm-items", "perm-both"))]
)
def test_metrics_are_tested_on_the_same_outputs(test: Any) -> None:
    found = outscore.correlate(frame(), human="human", test=test, n_resamples=99)
    whole = outscore.correlate(frame(gaps=False), human="human", test=test, n_resamples=99)
    for gain, other in zip(found.pairs, whole.pairs, strict=True):
        assert gain.p_value == pytest.approx(other.p_value, abs=0.25)
    twins = frame()
    twins["far"] = twins["near"]
    assert {g.p_value for g in outscore.correlate(twins, human="human", test=test, n_resamples=99).pairs} == {1.0}


def test_drop_and_error_are_choices(tmp_path: Path) -> None:
    file = tmp_path / "judged.csv"
    frame().to_csv(file, index=False)
    done = command("correlate", file, "--human", "human", "--missing", "error", "-n", "20")
    assert done.code == 3
    assert "'human' is missing" in done.err
    dropped = command("correlate", file, "--human", "human", "--missing", "drop", "-n", "20")
    assert "6 systems, 21 items" in " ".join(dropped.out.split())
    kept = command("correlate", file, "--human", "human", "-n", "20")
    assert "6 systems, 25 items" in " ".join(kept.out.split())
    assert "4 of 150 outputs lack a number" in " ".join(kept.out.split())


def test_two_systems_are_correlated_over_all_outputs() -> None:
    """Two systems have no correlation of their own, and within an item it is 1 or -1 whatever the metric."""
    data = frame(gaps=False, systems="ab")
    found = outscore.correlate(data, human="human", n_resamples=50)
    assert {c.level for c in found.correlations} == {"segment"}
    assert any(note.code == "fewer_levels" for note in found.notes)
    pearson = next(c for c in found.correlations if c.metric == "far" and c.coefficient == "pearson")
    assert pearson.value == pytest.approx(pearsonr(HUMAN[:2].ravel(), FAR[:2].ravel())[0])
    with pytest.raises(UsageError, match="level system compares systems, and there are 2"):
        outscore.correlate(data, human="human", levels="system")


def test_a_system_that_nobody_scored_is_named() -> None:
    data = frame()
    data.loc[data.system == "d", "near"] = np.nan
    with pytest.raises(InputError, match="'d' has no item with all of"):
        outscore.correlate(data, human="human", n_resamples=20)


def test_clusters_go_with_gaps() -> None:
    data = frame()
    data["document"] = [f"d{int(item[1:]) % 6}" for item in data["item"]]
    found = outscore.correlate(data, human="human", cluster="document", n_resamples=50)
    assert all(c.ci is not None and c.ci[0] <= (c.value or 0.0) <= c.ci[1] for c in found.correlations)
