"""``outscore metrics``: every metric with what one needs to know to use it."""

from __future__ import annotations

import json

import pytest

from outscore.metrics import metrics
from tests.cli.commandline import outscore


def listed() -> dict[str, dict[str, object]]:
    return {each["name"]: each for each in json.loads(outscore("metrics", "-f", "json").out)}


def test_every_entry_says_what_it_is_and_can_be_typed() -> None:
    for name, found in listed().items():
        for key in ("description", "unit", "example", "citation"):
            assert isinstance(found[key], str), (name, key)
            assert found[key], (name, key)
        assert metrics.make(str(found["example"])).name == name


def test_directions_and_options_are_those_of_the_metric() -> None:
    found = listed()
    assert (found["bleu"]["higher_is_better"], found["ter"]["higher_is_better"]) == (True, False)
    options = {o["name"]: o for o in found["bleu"]["options"]}  # type: ignore[attr-defined]
    assert options["tokenize"] == {"name": "tokenize", "required": False, "default": "13a", "choices": None}
    assert options["smooth"]["choices"] == ["exp", "floor", "add-k", "none"]
    needed = {o["name"]: o["required"] for o in found["ratio"]["options"]}  # type: ignore[attr-defined]
    assert needed["num"]
    assert not needed["scale"]
    assert found["ratio"]["higher_is_better"], "its example has lower=true, which is not the default"


def test_one_metric_is_shown_in_full() -> None:
    done = outscore("metrics", "bleu:tokenize=intl")
    assert done.code == 0
    for said in ("Corpus BLEU", "tokenize: sacrebleu's tokenizer", "max_order=4", "-m bleu:tokenize=intl", "Papineni"):
        assert said in " ".join(done.out.split())
    (one,) = json.loads(outscore("metrics", "bleu", "-f", "json").out)
    assert one == listed()["bleu"]


def test_an_unknown_metric_is_a_usage_error_with_a_suggestion() -> None:
    done = outscore("metrics", "bleuu")
    assert (done.code, done.out) == (2, "")
    assert "unknown metric 'bleuu'; did you mean 'bleu'?" in done.complaint


@pytest.mark.parametrize(
    ("name", "own"),
    [("span-f1", "ner"), ("seqeval", "ner"), ("Span_F1", "ner"), ("roc_auc", "auc"), ("acc", "accuracy")],
)
def test_what_others_call_a_metric_shows_it_under_our_name(name: str, own: str) -> None:
    assert outscore("metrics", name).out.startswith(f"{own}\n")


@pytest.mark.parametrize("columns", [40, 80])
def test_the_table_fits_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for arguments in (["metrics"], ["metrics", "bleu"], ["formats"], ["formats", "table"]):
        assert max(map(len, outscore(*arguments).out.splitlines())) <= max(columns, 47), arguments
