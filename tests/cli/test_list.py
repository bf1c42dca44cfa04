"""``outscore list``: everything that has a name, by kind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from outscore.agreement import coefficients
from outscore.base.registry import options_of
from outscore.cli.kinds import KINDS
from outscore.data.readers import readers
from outscore.metrics import metrics
from outscore.multiplicity import adjust
from outscore.power.plans import plans
from outscore.results.result import formats
from outscore.significance.bayes import methods
from outscore.significance.choose import KINDS as KINDS_OF_TESTS
from outscore.significance.choose import all_tests
from outscore.significance.interval import intervals
from outscore.studies import studies
from tests.cli.commandline import outscore

NAMES: dict[str, Callable[[], list[str]]] = {
    "metrics": metrics.names,
    "tests": lambda: list(all_tests()),
    "intervals": intervals.names,
    "corrections": adjust.names,
    "posteriors": methods.names,
    "coefficients": coefficients.names,
    "plans": plans.names,
    "studies": studies.names,
    "readers": readers.names,
    "formats": formats.names,
}
"""Asked for when a test runs, as other tests register things of their own."""
KEYS = {
    "metrics": ("unit", "example", "citation"),
    "tests": ("null", "formula", "applies", "needs", "citation"),
    "intervals": ("formula", "applies", "needs", "citation"),
    "posteriors": ("model", "formula", "applies", "needs", "citation"),
    "coefficients": ("corrects", "formula", "citation"),
    "studies": ("question", "citation", "example"),
    "readers": ("example",),
}
"""Keys that are empty of none, beside the description."""


def of_kind(kind: str) -> dict[str, dict[str, object]]:
    return {each["name"]: each for each in json.loads(outscore("list", kind, "-f", "json").out)}


def test_the_kinds_are_named_with_their_numbers() -> None:
    found = {each["name"]: each for each in json.loads(outscore("list", "-f", "json").out)}
    assert {name: each["number"] for name, each in found.items()} == {name: len(NAMES[name]()) for name in KINDS}
    text = outscore("list").out.splitlines()
    for name, each in found.items():
        assert any(line.split()[:2] == [name, str(each["number"])] for line in text)


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_is_its_registry(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    found = of_kind(kind)
    assert list(found) == NAMES[kind]()
    for name, each in found.items():
        assert all(each[key] for key in ("description", *KEYS.get(kind, ()))), name
    done = outscore("list", kind)
    assert (done.code, done.err) == (0, "")
    assert set(NAMES[kind]()) <= set(done.out.split())


@pytest.mark.parametrize("kind", KINDS)
def test_one_of_each_kind_is_shown_in_full(kind: str) -> None:
    for name in NAMES[kind]():
        done = outscore("list", kind, name)
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith(f"{name}\n\n")
        (one,) = json.loads(outscore("list", kind, name, "-f", "json").out)
        said = re.sub(r"\W+", " ", done.out)
        for key in ("citation", "formula", "question"):
            assert re.sub(r"\W+", " ", str(one.get(key, ""))) in said
    assert one == of_kind(kind)[name]


@pytest.mark.parametrize("kind", KINDS)
def test_what_does_not_exist_is_a_usage_error(kind: str) -> None:
    done = outscore("list", kind, "quux")
    assert (done.code, done.out) == (2, "")
    few = done.complaint.startswith(f"outscore: error: unknown {KINDS[kind].one} 'quux' (there are: ")
    assert few or done.complaint == f"outscore: error: unknown {KINDS[kind].one} 'quux' (all: outscore list {kind})"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["metric"], "no kind 'metric'; did you mean 'metrics'?"),
        (["bleu"], "no kind 'bleu'; did you mean 'list metrics bleu'?"),
        (["formats", "lines"], "'lines' is no format; did you mean 'list readers lines'?"),
        (["metrics", "bleuu"], "unknown metric 'bleuu'; did you mean 'bleu'?"),
        (["tests", "welsh"], "unknown test 'welsh'; did you mean 'welch'?"),
        (["intervals", "wilsen"], "unknown interval 'wilsen'; did you mean 'wilson'?"),
        (["readers", "jsonll"], "unknown reader 'jsonll'; did you mean 'jsonl'?"),
    ],
)
def test_a_slip_is_a_usage_error_with_a_suggestion(arguments: list[str], said: str) -> None:
    done = outscore("list", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.complaint


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_that_is_typed_as_a_command_leads_to_its_list(kind: str) -> None:
    done = outscore(kind)
    assert (done.code, done.out) == (2, "")
    assert f"no command {kind!r}; did you mean 'list {kind}'?" in done.err


def test_the_example_of_a_metric_can_be_typed() -> None:
    for name, found in of_kind("metrics").items():
        assert metrics.make(str(found["example"])).name == name


def test_directions_and_options_are_those_of_the_metric() -> None:
    found = of_kind("metrics")
    assert (found["bleu"]["higher_is_better"], found["ter"]["higher_is_better"]) == (True, False)
    options = {o["name"]: o for o in found["bleu"]["options"]}  # type: ignore[attr-defined]
    assert options["tokenize"] == {"name": "tokenize", "required": False, "default": "13a", "choices": None}
    assert options["smooth"]["choices"] == ["exp", "floor", "add-k", "none"]
    needed = {o["name"]: o["required"] for o in found["ratio"]["options"]}  # type: ignore[attr-defined]
    assert needed["num"]
    assert not needed["scale"]
    assert found["ratio"]["higher_is_better"], "its example has lower=true, which is not the default"


def test_one_metric_is_shown_in_full() -> None:
    done = outscore("list", "metrics", "bleu:tokenize=intl")
    assert done.code == 0
    for said in ("Corpus BLEU", "tokenize: sacrebleu's tokenizer", "max_order=4", "-m bleu:tokenize=intl", "Papineni"):
        assert said in " ".join(done.out.split())
    (one,) = json.loads(outscore("list", "metrics", "bleu", "-f", "json").out)
    assert one == of_kind("metrics")["bleu"]


@pytest.mark.parametrize(
    ("name", "own"),
    [("span-f1", "ner"), ("seqeval", "ner"), ("Span_F1", "ner"), ("roc_auc", "auc"), ("acc", "accuracy")],
)
def test_what_others_call_a_metric_shows_it_under_our_name(name: str, own: str) -> None:
    assert outscore("list", "metrics", name).out.startswith(f"{own}\n")


@pytest.mark.parametrize(
    ("kind", "name", "own"),
    [("readers", "json", "jsonl"), ("readers", "csv", "table"), ("readers", "xlsx", "workbook"),
     ("formats", "md", "markdown"), ("formats", "tex", "latex"), ("formats", "json", "json"),
     ("metrics", "sacrebleu", "bleu")],
)  # fmt: skip
def test_what_others_call_a_thing_and_a_suffix_show_it_though_another_kind_has_the_name(
    kind: str, name: str, own: str
) -> None:
    assert outscore("list", kind, name).out.startswith(f"{own}\n")


def test_readers_and_formats_say_what_they_are_for() -> None:
    for name, each in of_kind("readers").items():
        cls = readers.find(name)
        assert (each["description"], each["example"], tuple(each["roles"])) == (cls.description, cls.example, cls.roles)  # type: ignore[arg-type]
    for name, each in of_kind("formats").items():
        assert each["suffixes"] == list(formats.find(name).suffixes)
        assert each["example"] == f"-f {name}"
    assert of_kind("readers")["parquet"]["extra"] == "parquet"
    assert "Example:\n  system,item,score\n  A,q1,1\n" in outscore("list", "readers", "table").out
    assert "color=false" in outscore("list", "formats", "terminal").out


def test_intervals_say_what_they_cover() -> None:
    assert {each["covers"] for each in of_kind("intervals").values()} == {"gain", "score", "both"}
    text = " ".join(outscore("list", "intervals", "percentile:quantile=7").out.split())
    for said in ("quantile: definition of a sample quantile", "Covers: gains and scores", "Options: quantile=6"):
        assert said in text


def test_coefficients_say_what_they_correct_for() -> None:
    assert "Corrects for: labels dealt out at random" in outscore("list", "coefficients", "krippendorff").out
    assert "distance=nominal" in outscore("list", "coefficients").out


def test_tests_stand_under_their_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert [each["kind"] for each in of_kind("tests").values()] == [kind for kind, _ in all_tests().values()]
    text = outscore("list", "tests").out
    assert max(map(len, text.splitlines())) <= 80
    pairs, rest = text.split("Tests of independent samples")
    independent, several = rest.split("Tests of several systems")
    for part, registry in zip((pairs, independent, several), KINDS_OF_TESTS.values(), strict=True):
        first = {line.split()[0] for line in part.splitlines() if line.strip()}
        assert set(registry.names()) <= first


def test_one_test_is_shown_with_all_that_is_known_of_it() -> None:
    said = " ".join(outscore("list", "tests", "brunner-munzel:variant=t").out.split())
    for words in ("variant=auto", "Null hypothesis: a number", "When it applies:", "What it needs:", "Neubert"):
        assert words in said
    options = {o["name"]: o for o in of_kind("tests")["permutation"]["options"]}  # type: ignore[attr-defined]
    assert options["statistic"]["choices"] == ["studentized", "mean"]


def test_studies_say_what_they_take_and_can_be_told() -> None:
    for name, each in of_kind("studies").items():
        options = each["options"]
        assert isinstance(options, list)
        assert [option["name"] for option in options] == [field.name for field in options_of(studies.find(name))]
        assert each["takes"] in ("systems", "sets", "runs", "nothing")
    assert outscore("study").out == outscore("list", "studies").out


@pytest.mark.parametrize("columns", [40, 80])
def test_the_table_fits_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for arguments in ([], ["metrics"], ["metrics", "bleu"], ["readers"], ["readers", "table"], ["formats"]):
        assert max(map(len, outscore("list", *arguments).out.splitlines())) <= max(columns, 47), arguments
