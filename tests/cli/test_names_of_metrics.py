"""Metrics by names of the user's own: ``-m chrf2=chrf:order=2``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from outscore import UsageError, compare
from outscore.metrics import Metric
from outscore.metrics.chrf import Chrf
from tests.cli.commandline import BASE, NEW, REFERENCES, outscore

DATA = {"base": BASE, "new": NEW}


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    for name, lines in (("ref", REFERENCES), ("base", BASE), ("new", NEW)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return ["-r", str(tmp_path / "ref.txt"), f"base={tmp_path}/base.txt", f"new={tmp_path}/new.txt"]


def _json(*arguments: str) -> dict[str, Any]:
    done = outscore("compare", *arguments, "-f", "json", "-q")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_a_renamed_metric_gives_the_same_numbers_and_signature(texts: list[str]) -> None:
    """Resampled p-values and intervals too: nothing is drawn by the name."""
    plain = _json(*texts, "-m", "bleu,chrf:word_order=2", "--test", "randomization", "-n", "200")
    named = _json(*texts, "-m", "bleu,chrf++=chrf:word_order=2", "--test", "randomization", "-n", "200")
    for part in ("scores", "pairs"):
        assert {one["metric"] for one in named[part]} == {"bleu", "chrf++"}
        strip = [{k: v for k, v in one.items() if k != "metric"} for one in plain[part]]
        assert [{k: v for k, v in one.items() if k != "metric"} for one in named[part]] == strip
    assert named["scores"][-1]["signature"] == plain["scores"][-1]["signature"]


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("bleu:lowercase=true,b2=bleu", ["bleu:lowercase=true", "b2"]),
        ("a=bleu:lowercase=true,tokenize=intl,b=chrf:word_order=1,beta=3", ["a", "b"]),
        ("a = bleu, chrf", ["a", "chrf"]),
    ],
)
def test_a_name_behind_options_is_no_option(typed: str, names: list[str]) -> None:
    result = compare(DATA, references=REFERENCES, metrics=typed, n_resamples=100)
    assert list(dict.fromkeys(pair.metric for pair in result.pairs)) == names


def test_python_names_metrics_in_a_list_and_as_objects() -> None:
    metrics: list[str | Metric] = ["bleu", "c=chrf:word_order=2", Chrf().named("plain")]
    result = compare(DATA, references=REFERENCES, metrics=metrics, n_resamples=100)
    assert [score.metric for score in result.scores][::2] == ["bleu", "c", "plain"]


def test_a_column_can_have_a_name_and_its_direction() -> None:
    scores = {"base": [1.0, 2.0, 3.0, 5.0] * 5, "new": [1.0, 1.0, 2.0, 4.0] * 5}
    (pair,) = compare(scores, metrics="errors=mean:lower=true", n_resamples=100).pairs
    assert pair.metric == "errors" and pair.gain == 0.75


def test_margins_and_gates_go_by_the_name(texts: list[str]) -> None:
    named = ["-m", "bleu,c2=chrf:word_order=2", "--margin", "bleu=200,c2=300", "--fail-unless", "equivalent"]
    done = outscore("compare", *texts, *named)
    assert done.code == 0, done.err
    done = outscore("compare", *texts, "-m", "bleu,c2=chrf", "--margin", "bleu=1,chrf=1")
    assert done.code == 2 and "'chrf', which is none of the metrics" in done.complaint
    done = outscore("compare", *texts, "-m", "c2=chrf", "--margin", "c2=0.001", "--fail-unless", "equivalent")
    assert done.code == 1 and "c2" in done.complaint


def test_histories_keep_the_name(texts: list[str], tmp_path: Path) -> None:
    past = ["--history", str(tmp_path / "past.jsonl")]
    for _ in range(2):
        assert outscore("compare", *texts, "-m", "c2=chrf:word_order=2", *past).code == 0
    done = outscore("history", *past)
    assert done.code == 0 and "c2" in done.out


def test_the_cache_knows_a_metric_by_any_name(texts: list[str], tmp_path: Path) -> None:
    for typed in ("chrf", "mine=chrf"):
        outscore("compare", *texts, "-m", typed, "--cache", str(tmp_path / "cache"))
        assert len(list((tmp_path / "cache").iterdir())) == 2


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("x=bleu,x=chrf", "two metrics are called 'x': 'bleu', 'chrf'; give each a name of its own"),
        ("bleu,bleu=chrf", "two metrics are called 'bleu'"),
        ("x=bleu,x=bleu", "metric 'x' is given twice"),
        ("=bleu", "no metric with a name: write NAME=METRIC"),
        ("x=", "no metric with a name: write NAME=METRIC"),
        ("x=bleuu", "unknown metric 'bleuu'; did you mean 'bleu'?"),
        ("f=f1:average=each", "and has one name: name each of 'f1:of="),
        ("bleu:tokenise=intl", "no option 'tokenise'; did you mean 'tokenize'?"),
    ],
)
def test_what_cannot_be_a_name_is_said_in_one_line(typed: str, said: str) -> None:
    labels = {"base": ["a", "b", "c"] * 10, "new": ["a", "c", "b"] * 10}
    with pytest.raises(UsageError) as error:
        compare(labels, references=["a", "b", "c"] * 10, metrics=typed)
    assert said in str(error.value) and "\n" not in str(error.value)
