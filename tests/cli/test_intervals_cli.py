"""``--interval`` of ``compare`` and ``score``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import outscore as package
from outscore.base.errors import UsageError
from outscore.significance.interval import intervals
from tests.cli.commandline import outscore, texts, written


def right_or_wrong(folder: Path, domain: bool = False) -> Path:
    rows = [
        f"{system},{i},{int((i * 7 + 3 * (system == 'b')) % 10 < share)}" + (f",{'xy'[i % 2]}" if domain else "")
        for system, share in (("a", 5), ("b", 7))
        for i in range(60)
    ]
    return written(folder / "t.csv", ["system,item,score" + (",domain" if domain else ""), *rows])


def saved(command: str, *arguments: str | Path) -> dict[str, Any]:
    done = outscore(command, *arguments, "-f", "json", "-q")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_an_unknown_option_of_an_interval_is_a_usage_error(tmp_path: Path) -> None:
    done = outscore("compare", right_or_wrong(tmp_path), "--interval", "percentile:quantile=5")
    assert (done.code, done.out) == (2, "")
    assert "expected one of 1, 6, 7" in done.complaint


@pytest.mark.parametrize(
    ("name", "score", "gain"),
    [
        ("auto", "Wilson interval", "Tango score interval"),
        ("jeffreys", "Jeffreys interval", "Tango score interval"),
        ("newcombe", "Wilson interval", "Newcombe interval"),
        ("wald", "Wald interval", "Wald interval"),
        ("percentile:quantile=7", "percentile bootstrap interval", "percentile bootstrap interval"),
    ],
)
def test_an_interval_is_used_for_all_that_it_covers(name: str, score: str, gain: str, tmp_path: Path) -> None:
    found = saved("compare", right_or_wrong(tmp_path), "-m", "accuracy", "--interval", name)
    assert {each["ci_method"] for each in found["scores"]} == {score}
    assert {each["ci_method"] for each in found["pairs"]} == {gain}
    assert found["provenance"]["interval"] == name
    if name != "newcombe":
        alone = saved("score", right_or_wrong(tmp_path), "-m", "accuracy", "--interval", name)
        assert alone["scores"] == found["scores"]


def test_an_interval_that_was_asked_for_goes_before_that_of_the_test(tmp_path: Path) -> None:
    arguments = (right_or_wrong(tmp_path), "-m", "mean", "--test", "t")
    assert saved("compare", *arguments)["pairs"][0]["ci_method"] == "t interval"
    found = saved("compare", *arguments, "--interval", "bca")
    assert found["pairs"][0]["ci_method"] == "bca bootstrap interval"
    assert "Efron 1987; Efron & Tibshirani 1993, §14.3" in found["provenance"]["citations"]


def test_domains_get_the_interval_too(tmp_path: Path) -> None:
    found = saved("score", right_or_wrong(tmp_path, domain=True), "-m", "accuracy", "--interval", "clopper-pearson")
    assert {each["ci_method"] for each in found["buckets"]} == {"Clopper-Pearson interval"}


def test_bands_of_a_family_are_wider_than_those_of_each_metric(tmp_path: Path) -> None:
    arguments = (*texts(tmp_path), "-m", "bleu,chrf,ter", "-n", "400", "--seed", "4")
    bands, single = (saved("compare", *arguments, "--interval", name) for name in ("max-t", "basic"))
    for kind in ("pairs", "scores"):
        for band, alone in zip(bands[kind], single[kind], strict=True):
            assert band["ci_method"] == "simultaneous (max-t) bootstrap interval"
            assert band["ci"][1] - band["ci"][0] > alone["ci"][1] - alone["ci"][0]


@pytest.mark.parametrize("command", ["compare", "score"])
def test_an_interval_that_cannot_be_had_is_one_line_and_exit_2(command: str, tmp_path: Path) -> None:
    done = outscore(command, *texts(tmp_path), "-m", "bleu", "--interval", "wilson")
    assert (done.code, done.out) == (2, "")
    assert done.complaint.endswith("use --interval auto")
    if command == "score":
        done = outscore(command, right_or_wrong(tmp_path), "-m", "accuracy", "--interval", "tango")
        assert done.code == 2
        assert "tango is an interval of a gain; use --interval" in done.complaint


def test_the_python_names_are_those_of_the_command_line() -> None:
    data = {"a": [1, 0, 1, 0] * 10, "b": [1, 1, 1, 0] * 10}
    method = intervals.make("bonett-price")
    by_name, by_object = (package.compare(data, metrics="accuracy", interval=each) for each in ("bonett-price", method))
    assert by_name.pairs == by_object.pairs
    assert by_name.pairs[0].ci_method == "Bonett-Price interval"
    with pytest.raises(UsageError, match="unknown interval"):
        package.score(data, interval="exactly")
