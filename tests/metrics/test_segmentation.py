"""Pk and WindowDiff are those of nltk and, of a given window, those of segeval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.base.items import Items
from outscore.metrics import metrics
from tests.cli import commandline
from tests.examples import examples
from tests.oracles.support import Case, cases

segmentation = pytest.importorskip("nltk.metrics.segmentation")

gaps = st.lists(st.tuples(*[st.sampled_from("0001")] * 2), min_size=1, max_size=40)


def rows(spec: str, outputs: list[str], references: list[str]) -> Any:
    return metrics.make(spec).statistics(Items(n=len(outputs), outputs=outputs, references=(references,)))


def score(spec: str, output: str, reference: str) -> float:
    return float(metrics.make(spec).score(rows(spec, [output], [reference]).sum(axis=0)))


@cases("segmentation")
def test_a_text_has_the_numbers_of_nltk_and_of_segeval(case: Case) -> None:
    texts, k, nltk, segeval = case["output"], case["k"], case["nltk"], case["segeval"]
    assert score("pk", texts, case["reference"]) == pytest.approx(nltk["pk"])
    for name in ("pk", "windowdiff"):
        assert score(f"{name}:k={k}", texts, case["reference"]) == pytest.approx(nltk[f"{name}_k"])
        assert rows(f"{name}:k={k}", [texts], [case["reference"]]).tolist() == [segeval[f"{name}_k"]]


@settings(max_examples=examples(80))
@given(both=gaps, k=st.integers(1, 6))
def test_any_text_has_the_numbers_of_nltk(both: list[tuple[str, str]], k: int) -> None:
    output, reference = ("".join(text) for text in zip(*both, strict=True))
    if "0" in reference and len(both) > 1:
        assert score("pk", " ".join(output), reference) == pytest.approx(segmentation.pk(reference, output))
    if k <= len(both):
        assert score(f"pk:k={k}", output, reference) == pytest.approx(segmentation.pk(reference, output, k))
        expected = segmentation.windowdiff(reference, output, k)
        assert score(f"windowdiff:k={k}", output, reference) == pytest.approx(expected)


def test_a_reference_of_boundaries_alone_is_looked_at_in_windows_of_one() -> None:
    assert segmentation.pk("1111", "1010") == 0
    assert score("pk", "1010", "1111") == score("windowdiff", "1010", "1111") == 0.5


def test_texts_count_by_their_windows_or_all_alike() -> None:
    texts = ["0100010", "0", ""], ["0100100", "1", ""]
    assert rows("windowdiff:k=1", texts[0][:2], texts[1][:2]).tolist() == [[2, 7], [1, 1]]
    assert rows("windowdiff", *texts).tolist() == [[2, 6], [1, 1], [0, 0]]
    assert rows("windowdiff:average=macro", *texts).tolist() == [[2 / 6, 1], [1, 1], [0, 0]]
    found = outscore.score({"a": texts[0]}, references=texts[1], metrics=["windowdiff", "windowdiff:average=macro"])
    np.testing.assert_allclose([one.score for one in found.scores], [3 / 7, (2 / 6 + 1) / 2])


@pytest.mark.parametrize(
    ("spec", "output", "said"),
    [
        ("pk", "001", "item 2 has 3 gaps in the output, but 4 in the reference"),
        ("windowdiff", "00x0", "item 2 has '00x0', and windowdiff reads 1 for a boundary and 0 for none"),
        ("pk:k=5", "0010", "pk:k=5: item 2 has 4 gaps, and no window of 5"),
    ],
)
def test_what_is_no_segmentation_ends_in_one_line(tmp_path: Path, spec: str, output: str, said: str) -> None:
    for name, last in (("ref", "0100"), ("a", output)):
        (tmp_path / f"{name}.txt").write_text(f"0001000\n{last}\n", encoding="utf-8")
    found = commandline.outscore("score", tmp_path / "a.txt", "-r", tmp_path / "ref.txt", "-m", spec)
    assert found.code == 3
    assert said in found.err and len(found.err.splitlines()) == 1


def test_other_options_are_refused() -> None:
    with pytest.raises(UsageError, match="pk:k=0: expected 1 or more"):
        metrics.make("pk:k=0")
    with pytest.raises(InputError, match="item 1 has 2 references, and pk compares with one"):
        metrics.make("pk").statistics(Items(n=1, outputs=["01"], references=(["01"], ["10"])))
