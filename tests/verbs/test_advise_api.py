"""Advice: from the data alone, the same whoever is ahead, with reasons and a call that runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.results.advice import Advice
from outscore.results.result import Result
from outscore.significance import tests
from outscore.significance.independent import independent_tests
from outscore.verbs.shared.inputs import align_from

RNG = np.random.default_rng(1)
HARD = RNG.normal(0, 1, 80)
MEANS = {"base": HARD + RNG.normal(0, 0.5, 80), "new": HARD + RNG.normal(0.1, 0.5, 80)}
RIGHT = {"base": (RNG.random(60) < 0.6).astype(float), "new": (RNG.random(60) < 0.8).astype(float)}
RUNS = {"base": HARD + RNG.normal(0, 0.5, (3, 80)), "new": HARD + RNG.normal(0, 0.5, (3, 80))}
TEXTS = {"base": ["a cat sat", "the dog ran home"] * 20, "new": ["the cat sat", "a dog ran home"] * 20}
REFERENCES = ["the cat sat", "the dog ran home"] * 20
CLUSTERED = {
    s: RNG.normal(0, 1, 20).repeat(4) + RNG.normal(0, 0.3, 80) for s in ("base", "new")
}  # strongly dependent within clusters
DOCUMENTS = {"document": [f"d{i // 4}" for i in range(80)], "genre": ["news", "talk"] * 40}


def fact(advice: Advice, name: str) -> Any:
    return next(f for f in advice.facts if f.name == name)


def avoided(advice: Advice, test: str) -> str:
    return " ".join(a.reason for a in advice.avoid if test in a.tests)


@pytest.mark.parametrize(
    ("data", "test", "interval"),
    [(MEANS, "t", "t interval"), (RIGHT, "mcnemar", "Tango score interval"), (RUNS, "crossed", "crossed t interval")],
    ids=["means", "right or wrong", "runs"],
)
def test_the_test_is_that_of_compare(data: Mapping[str, Any], test: str, interval: str) -> None:
    advice = outscore.advise(data)
    compared = outscore.compare(data, n_resamples=100)
    (use,) = advice.use
    assert use.test == compared.pairs[0].test == test
    assert use.null == compared.pairs[0].null
    assert use.interval == compared.pairs[0].ci_method
    assert use.interval.startswith(interval)
    assert f"test chosen: {use.reason}" in {note.text for note in compared.notes}


@pytest.mark.parametrize("data", [MEANS, RIGHT, RUNS, CLUSTERED], ids=["means", "right or wrong", "runs", "clusters"])
def test_advice_is_the_same_when_the_systems_change_places(data: Mapping[str, Any]) -> None:
    there = outscore.advise(data, items=DOCUMENTS if data is CLUSTERED else None)
    back = outscore.advise({"base": data["new"], "new": data["base"]}, items=DOCUMENTS if data is CLUSTERED else None)
    first, second = there.to_dict(), back.to_dict()
    for result in (first, second):
        del result["provenance"]
        for each in result["facts"]:
            each["low"], each["high"] = (
                v if v is None else pytest.approx(v, rel=1e-6) for v in (each["low"], each["high"])
            )
    assert first == second


def test_no_p_value_and_no_score_is_in_it() -> None:
    found = outscore.advise(RIGHT)
    assert not found.scores
    text = json.dumps(found.to_dict())
    assert "p_value" not in text
    assert 'gain":' not in text


def test_every_test_is_used_named_beside_or_avoided_with_a_reason() -> None:
    for data in (MEANS, RIGHT, RUNS):
        found = outscore.advise(data)
        (use,) = found.use
        named = {use.test, *use.beside, *use.others} | {name for avoid in found.avoid for name in avoid.tests}
        assert {*tests.names(), *independent_tests.names()} <= {name.partition(":")[0] for name in named}
        for avoid in found.avoid:
            assert avoid.reason
            assert not set(avoid.tests) & {use.test, *use.beside, *use.others}


def test_reasons_come_with_the_numbers_of_these_data() -> None:
    found = outscore.advise(RUNS)
    bootstrap = next(a for a in found.avoid if "bootstrap" in a.tests)
    assert "takes the runs as fixed" in bootstrap.reason
    assert "share_of_variance_from_runs" in bootstrap.evidence
    share = fact(found, "share_of_variance_from_runs").low
    assert share == pytest.approx(
        outscore.compare(RUNS, n_resamples=100).pairs[0].effect["share_of_variance_from_runs"]
    )
    said = " ".join(found.to("terminal:detail=full").split())
    assert f"share of variance from runs {share:.3f})" in said


def test_facts_are_those_of_plain_numpy() -> None:
    found = outscore.advise(MEANS)
    d = MEANS["new"] - MEANS["base"]
    assert fact(found, "items").low == 80
    assert fact(found, "different").low == 80
    assert fact(found, "skewness").low == pytest.approx(abs(((d - d.mean()) ** 3).mean() / d.std() ** 3), rel=1e-6)
    assert fact(found, "correlation").low == pytest.approx(np.corrcoef(MEANS["new"], MEANS["base"])[0, 1], rel=1e-6)
    assert fact(found, "paired_variance").low == pytest.approx(
        d.var() / (MEANS["new"].var() + MEANS["base"].var()), rel=1e-6
    )


def test_clusters_that_nobody_named_are_found_and_change_the_advice() -> None:
    found = outscore.advise(CLUSTERED, items=DOCUMENTS)
    assert fact(found, "unnamed_clusters").low > 2
    assert fact(found, "clusters").low == 20
    assert found.use[0].test == "t"
    assert "cluster='document'" in found.steps[0].command
    assert "clusters" in avoided(found, "wilcoxon")
    ignored = outscore.advise(CLUSTERED, items=DOCUMENTS, cluster="none")
    assert "cluster=" not in ignored.steps[0].command
    assert fact(ignored, "unnamed_clusters")
    assert "'genre'" in fact(found, "domains").text


def test_rows_that_do_not_belong_together_are_suspected() -> None:
    shuffled = {"base": HARD, "new": RNG.permutation(HARD)[::-1]}
    assert np.corrcoef(shuffled["base"], shuffled["new"])[0, 1] < 0.05
    assert "looks_unpaired" in {note.code for note in outscore.advise(shuffled).notes}
    assert "looks_unpaired" not in {note.code for note in outscore.advise(MEANS).notes}


def test_the_correction_fits_the_family() -> None:
    assert outscore.advise(MEANS).correction_reason.startswith("one comparison")
    several = outscore.advise(MEANS | {"third": HARD})
    assert several.correction == "max-t"
    assert "2 comparisons" in several.correction_reason
    texts = {name: lines * 2 for name, lines in TEXTS.items()}
    metrics = outscore.advise(texts, references=REFERENCES * 2, metrics="bleu,chrf")
    assert metrics.correction == "max-t"
    assert all("correction" not in step.command for step in metrics.steps)  # it is what auto takes


def test_the_call_it_gives_runs() -> None:
    found = outscore.advise(CLUSTERED, items=DOCUMENTS)
    data = align_from(CLUSTERED, references=None, items=DOCUMENTS, missing="error")
    result = eval(found.steps[0].command, {"outscore": outscore, "data": data})
    assert result.provenance.cluster == "document"
    assert result.pairs[0].test == found.use[0].test


def test_several_systems_are_ranked_as_well() -> None:
    third = {**CLUSTERED, "third": next(iter(CLUSTERED.values()))}
    commands = [step.command for step in outscore.advise(third, items=DOCUMENTS).steps]
    assert [command.partition("(")[0] for command in commands] == [
        "outscore.compare",
        "outscore.rank",
        "outscore.audit",
    ]
    data = align_from(third, references=None, items=DOCUMENTS, missing="error")
    board = eval(commands[1], {"outscore": outscore, "data": data})
    assert board.provenance.cluster == "document" and len(board.board("mean")) == 3
    of_two = outscore.advise(CLUSTERED, items=DOCUMENTS).steps
    assert not any("rank" in step.command for step in of_two)


def test_it_is_saved_and_drawn_again_in_every_format() -> None:
    found = outscore.advise(RUNS)
    again = Result.from_json(found.to_json())
    assert isinstance(again, Advice)
    assert again == found
    for name in ("terminal", "markdown", "latex", "csv", "sentence", "json"):
        assert again.to(name) == found.to(name)
        assert "crossed" in found.to(name)
    assert repr(found) == "<Advice for 2 systems: crossed>"


def test_identical_systems_and_tiny_data_get_advice_too() -> None:
    assert outscore.advise({"base": HARD, "new": HARD}).use[0].test
    assert outscore.advise({"base": [1.0, 2.0], "new": [2.0, 1.5]}).use
    assert outscore.advise({"base": [1.0], "new": [2.0]}).use


def test_one_system_has_nothing_to_be_compared_with() -> None:
    with pytest.raises(UsageError, match="at least two"):
        outscore.advise({"base": HARD})
