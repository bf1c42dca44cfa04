"""Hooks into other programs give the numbers that the verbs give; other programs were run with them by hand.

``gain_over`` ran in Inspect 0.3.285, ``clustered_error`` in lm-eval 0.4.13: their tables held these numbers.
``compute`` ran in evaluate 0.4.6.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import InputError
from outscore.hooks import clustered_error, compute, gain_over

GOLD = ["a", "b", "c", "a"] * 10
OLD = [label if i % 3 else "b" for i, label in enumerate(GOLD)]
NEW = [label if i % 7 else "c" for i, label in enumerate(GOLD)]


def test_compute_gives_each_score_with_its_interval() -> None:
    found = compute(predictions=NEW, references=GOLD, metrics=["accuracy", "f1"])
    scores = outscore.score({"new": NEW}, references=GOLD, metrics=["accuracy", "f1"]).scores
    assert found == {
        name: value
        for one in scores
        if one.ci
        for name, value in zip(
            (one.metric, f"{one.metric}_low", f"{one.metric}_high"), (one.score, *one.ci), strict=True
        )
    }
    assert found["accuracy"] == np.mean([a == b for a, b in zip(NEW, GOLD, strict=True)])


def test_compute_gives_the_gain_over_a_baseline() -> None:
    clusters = {"cluster": [i // 4 for i in range(len(GOLD))]}
    found = compute(predictions=NEW, references=GOLD, baseline=OLD, metrics="accuracy", items=clusters)
    pair = outscore.compare({"x": OLD, "y": NEW}, references=GOLD, metrics="accuracy", items=clusters).pairs[0]
    assert pair.ci is not None
    assert found["accuracy_gain"] == pair.gain
    assert (found["accuracy_gain_low"], found["accuracy_gain_high"]) == pair.ci
    assert found["accuracy_p"] == pair.p_value


def test_compute_takes_several_references_of_each_item() -> None:
    several = [[label, "z"] for label in GOLD]
    assert compute(predictions=NEW, references=several, metrics="exact_match")["exact_match"] == pytest.approx(
        0.875, abs=0.05
    )
    with pytest.raises(InputError, match="different numbers of references"):
        compute(predictions=NEW[:2], references=[["a"], ["a", "b"]])


def test_compute_takes_arrays_as_trainers_give_them() -> None:
    new, gold = np.array([0, 1, 1, 0] * 9), np.array([0, 1, 0, 0] * 9)
    assert compute(predictions=new, references=gold, metrics="accuracy") == compute(
        predictions=new.tolist(), references=gold.tolist(), metrics="accuracy"
    )


@pytest.mark.parametrize("metrics", [None, "accuracy"])
def test_compute_gives_no_score_that_leaves_the_references_unread(metrics: str | None) -> None:
    """Fractions are scores of items, not predictions."""
    with pytest.raises(InputError, match="were not read: a score of each item is given"):
        compute(predictions=[0.3, 0.4, 0.1] * 9, references=["a", "b", "a"] * 9, metrics=metrics)


def test_compute_stands_in_a_module_of_evaluate() -> None:
    evaluate: Any = pytest.importorskip("evaluate")
    datasets: Any = pytest.importorskip("datasets")

    class Module(evaluate.Metric):  # type: ignore[misc]
        def _info(self) -> Any:
            text = datasets.Value("string")
            features = datasets.Features({"predictions": text, "references": text})
            return evaluate.MetricInfo(description="", citation="", features=features)

        def _compute(self, **given: Any) -> dict[str, float]:
            return compute(**given)

    module, expected = Module(), compute(predictions=NEW, references=GOLD, metrics="accuracy")
    assert module.compute(predictions=NEW, references=GOLD, metrics="accuracy") == expected
    module.add_batch(predictions=NEW, references=GOLD)
    assert module.compute(metrics="accuracy") == expected


def test_the_error_of_clusters_is_cr2_for_the_harness() -> None:
    scores = [1.0, 0.0, 1.0, 1.0, 0.0, 0.0]
    of_clusters = np.array([0.0, 1.0, -1.0])  # sums of the residuals in the clusters of two
    expected = np.sqrt((of_clusters**2 / (1 - 2 / 6)).sum()) / 6
    assert clustered_error(list(zip(scores, "xxyyzz", strict=True))) == pytest.approx(expected)


@pytest.fixture
def metric_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The metric, in an Inspect that has only what it asks for; the log of a run that was right on even items."""
    scorer = ModuleType("inspect_ai.scorer")
    scorer.metric = lambda name, scores: lambda made: made  # type: ignore[attr-defined]
    scorer.value_to_float = lambda: lambda value: {"C": 1.0, "I": 0.0}[value]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "inspect_ai", ModuleType("inspect_ai"))
    monkeypatch.setitem(sys.modules, "inspect_ai.scorer", scorer)

    def right(item: int) -> object:
        return "CI"[item % 2]

    def make(scorers: tuple[str, ...] = ("match",), value: Callable[[int], object] = right, **options: Any) -> Any:
        samples = [
            {"id": i, "epoch": 1, "input": "?", "scores": {s: {"value": value(i)} for s in scorers}} for i in range(20)
        ]
        header = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m", "config": {}}}
        (tmp_path / "log.json").write_text(json.dumps(header | {"samples": samples}), encoding="utf-8")
        return gain_over(str(tmp_path / "log.json"), **options)

    return make


def sample(item: int, value: object, scorer: str | None = None) -> SimpleNamespace:
    score = SimpleNamespace(value=value)
    return SimpleNamespace(sample_id=item, score=score, scorer=scorer, sample_metadata={"passage": item // 4})


def test_inspect_prints_the_gain_over_a_log(metric_of: Callable[..., Any]) -> None:
    scores = [sample(i, "CCCI"[i % 4]) for i in range(24)]
    old, new = [1 - i % 2 for i in range(20)], [int(i % 4 < 3) for i in range(20)]
    for options in ({}, {"cluster": "passage"}):
        found = metric_of(**options)(scores)
        clusters = {"cluster": [i // 4 for i in range(20)]} if options else None
        pair = outscore.compare({"old": old, "new": new}, items=clusters).pairs[0]
        assert pair.ci is not None
        expected = dict(zip(("low", "high"), pair.ci, strict=True))
        assert found == {"gain": pair.gain, "p": pair.p_value, "items": 20, **expected}


def test_a_scorer_is_not_compared_with_another_one_of_the_log(metric_of: Callable[..., Any]) -> None:
    """Inspect gives the metrics of a task the scores of each of its scorers."""
    compare = metric_of(("match", "other"), column="other")
    assert compare([sample(i, "C", "match") for i in range(20)])["items"] == 0
    assert compare([sample(i, "C", "other") for i in range(20)])["gain"] == 0.5
    assert compare([sample(i, "C", "new_name") for i in range(20)])["items"] == 0
    alone = metric_of()
    assert alone([sample(i, "C", "includes") for i in range(20)])["items"] == 0
    assert alone([sample(i, "C", "match") for i in range(20)])["gain"] == 0.5


def test_of_a_scorer_with_several_values_the_named_one_is_compared(metric_of: Callable[..., Any]) -> None:
    """A dictionary was taken for 0."""
    compare = metric_of(("multi",), lambda i: {"right": "CI"[i % 2], "length": i}, column="multi.right")
    assert compare([sample(i, {"right": "C", "length": i}, "multi") for i in range(20)])["gain"] == 0.5


def test_samples_without_a_cluster_are_not_taken_for_one(metric_of: Callable[..., Any]) -> None:
    """Which other ones they depend on is not known: no interval, as the verbs refuse them."""
    scores = [sample(i, "CCCI"[i % 4]) for i in range(20)]
    scores[3].sample_metadata = {}
    found = metric_of(cluster="passage")(scores)
    assert (found["gain"], found["items"]) == (0.25, 20)
    assert np.isnan([found[name] for name in ("low", "high", "p")]).all()


def test_a_misspelled_cluster_is_told(metric_of: Callable[..., Any]) -> None:
    scores = [sample(i, "CCCI"[i % 4]) for i in range(20)]
    with pytest.warns(UserWarning, match="no sample has metadata 'pasage'; there are 'passage'"):
        found = metric_of(cluster="pasage")(scores)
    assert found["gain"] == 0.25
    for one in scores[:8]:
        one.sample_metadata = {"passage": None}  # no passage that the eight of them share
    assert np.isnan(metric_of(cluster="passage")(scores)["p"])


def test_epochs_are_averaged_as_those_of_the_log(metric_of: Callable[..., Any]) -> None:
    found = metric_of()([sample(i, value) for value in "CI" for i in range(20)])
    assert (found["gain"], found["items"]) == (0.0, 20)  # half of both epochs, half of the items


def test_what_inspect_makes_of_epochs_is_not_compared_with_their_mean(tmp_path: Path) -> None:
    """The same answers again have no gain, where Inspect takes the best of four."""
    inspect_ai: Any = pytest.importorskip("inspect_ai")
    dataset: Any = pytest.importorskip("inspect_ai.dataset")
    scorers: Any = pytest.importorskip("inspect_ai.scorer")
    models: Any = pytest.importorskip("inspect_ai.model")
    solvers: Any = pytest.importorskip("inspect_ai.solver")

    @solvers.solver  # type: ignore[untyped-decorator]
    def answer() -> Any:
        async def solve(state: Any, _: Any) -> Any:
            said = "yes" if (state.sample_id + state.epoch) % 3 else "no"
            state.output = models.ModelOutput.from_content("mockllm/model", said)
            return state

        return solve

    def run(*metrics: Any) -> Any:
        task = inspect_ai.Task(
            dataset=dataset.MemoryDataset([dataset.Sample(id=i, input="?", target="yes") for i in range(10)]),
            solver=answer(),
            scorer=scorers.match(),
            metrics=[scorers.accuracy(), *metrics],
            epochs=inspect_ai.Epochs(4, "max"),
        )
        [log] = inspect_ai.eval(task, model="mockllm/model", log_dir=str(tmp_path), display="none")
        return log

    again = run(gain_over(run().location))
    found = {name: one.value for score in again.results.scores for name, one in score.metrics.items()}
    means = [np.mean([one.scores["match"].value == "C" for one in again.samples if one.id == i]) for i in range(10)]
    assert found["accuracy"] > np.mean(means)
    assert (found["gain"], found["items"]) == (pytest.approx(0), 10)


def test_an_evaluation_is_not_lost_for_a_log_of_other_items(metric_of: Callable[..., Any]) -> None:
    nothing = metric_of()([sample(i, "C") for i in range(30, 40)])
    assert nothing["items"] == 0
    assert np.isnan([nothing[name] for name in ("gain", "low", "high", "p")]).all()


def test_a_score_that_is_not_named_is_refused_before_anything_runs(metric_of: Callable[..., Any]) -> None:
    with pytest.raises(InputError, match="several scores; there are 'match', 'other'"):
        metric_of(("match", "other"))
    with pytest.raises(InputError, match="no score 'exact'"):
        metric_of(column="exact")
    assert metric_of(("match", "other"), column="other")([sample(0, "C")])["gain"] == 0
