"""ROUGE is that of the rouge-score package, and its counts are those of Lin (2004)."""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outscore.base.errors import MissingExtra, UsageError
from outscore.base.items import Items
from outscore.metrics import metrics
from tests.examples import examples

rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")

WORDS = ["the", "cats", "sat", "running", "mat.", "a", "1.5", "Ünï", "\n"]
sentences = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)
FIELD = {"f": 2, "precision": 0, "recall": 1}


def values(spec: str, outputs: list[str], references: list[list[str]]) -> Any:
    metric = metrics.make(spec)
    statistics = metric.statistics(Items(n=len(outputs), outputs=outputs, references=tuple(references)))
    assert (statistics[:, 1] == 1).all()
    assert float(metric.score(statistics.sum(axis=0))) == pytest.approx(statistics[:, 0].mean(), rel=1e-12)
    return statistics[:, 0]


def shared(kind: str, output: list[str], reference: list[str]) -> tuple[int, int, int]:
    """Matched, output and reference units, by plain loops."""
    if kind == "rougeL":
        table = [[0] * (len(reference) + 1) for _ in range(len(output) + 1)]
        for i, a in enumerate(output):
            for j, b in enumerate(reference):
                table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
        return table[-1][-1], len(output), len(reference)
    n = int(kind[-1])
    first, second = (Counter(tuple(t[i : i + n]) for i in range(len(t) - n + 1)) for t in (output, reference))
    return (first & second).total(), first.total(), second.total()


def by_definition(kind: str, measure: str, output: str, references: list[str]) -> float:
    best = (-1.0, 0.0, 0.0)
    for reference in references:
        words = [re.findall("[a-z0-9]+", text.lower()) for text in (output, reference)]
        matched, of_output, of_reference = shared(kind, *words)
        p, r = (matched / n if n else 0.0 for n in (of_output, of_reference))
        f = 2 * p * r / (p + r) if p + r else 0.0
        if f > best[0]:
            best = (f, p, r)
    return {"f": best[0], "precision": best[1], "recall": best[2]}[measure]


@pytest.mark.parametrize("measure", FIELD)
@pytest.mark.parametrize("kind", ["rouge1", "rouge2", "rouge4", "rougeL"])
@settings(max_examples=examples(40))
@given(output=sentences, references=st.lists(sentences, min_size=1, max_size=3))
def test_rouge_is_its_definition(kind: str, measure: str, output: str, references: list[str]) -> None:
    found = values(f"rouge:type={kind},measure={measure}", [output], [[r] for r in references])
    kept = [r for r in references if r] or [""]
    assert found[0] == pytest.approx(by_definition(kind, measure, output, kept), abs=1e-12)


def test_the_sentences_of_rougelsum_end_at_newlines() -> None:
    reference = "the cat sat\nit rained"
    assert values("rouge:type=rougeLsum", ["it rained\nthe cat sat"], [[reference]]) == [1.0]
    assert values("rouge:type=rougeL", ["it rained\nthe cat sat"], [[reference]]) == pytest.approx(3 / 5)


def test_the_stemmer_matches_inflected_words() -> None:
    assert values("rouge:stemmer=true", ["cats running"], [["cat runs"]]) == [1.0]
    assert values("rouge", ["cats running"], [["cat runs"]]) == [0.0]


def test_short_names_end_where_types_do() -> None:
    assert metrics.make("rouge_9").label == metrics.make("rouge:type=rouge9").label
    with pytest.raises(UsageError, match="unknown metric 'rouge_10'"):
        metrics.make("rouge_10")


def test_the_reference_is_chosen_by_f_whatever_is_measured() -> None:
    references = [["the cat sat on the mat"], ["the"]]
    assert values("rouge:measure=recall", ["the cat"], references) == pytest.approx(1.0)
    assert values("rouge:measure=precision", ["the cat sat"], references) == pytest.approx(1.0)


def test_the_signature_tells_the_type_and_the_version() -> None:
    items = Items(n=2, outputs=["a", "b"], references=(["a", "b"], ["c", ""]))
    found = metrics.make("rouge:stemmer=true").signature(items)
    assert found.startswith("rouge1|nrefs:var|measure:f|stemmer:yes|version:0.1")


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rouge_score.rouge_scorer", None)
    with pytest.raises(MissingExtra, match=r"pip install 'outscore\[rouge\]'"):
        values("rouge", ["a"], [["a"]])


@pytest.mark.data
@pytest.mark.parametrize(
    "spec",
    [
        *("rouge", "rouge:type=rouge2,measure=recall"),
        *(pytest.param(s, marks=pytest.mark.slow) for s in ("rouge:type=rougeL,stemmer=true", "rouge:type=rougeLsum")),
    ],
)
def test_summeval_against_the_package(spec: str, data_root: Path) -> None:
    folder = data_root / "data" / "summ_summeval"
    with gzip.open(folder / "references.jsonl.gz", "rt", encoding="utf-8") as lines:
        golds = {row["doc"]: row["references"] for row in map(json.loads, lines)}
    with gzip.open(folder / "outputs.tsv.gz", "rt", encoding="utf-8", newline="\n") as lines:
        header, *rows = (line.rstrip("\n").split("\t") for line in lines)
    doc, system, summary = (header.index(name) for name in ("doc", "system", "summary"))
    # some of the systems and documents: the package takes a millisecond for each pair of texts
    chosen = [row for row in rows if row[system] in ("M0", "M22")][::5]
    golds_of = {str(name): golds_ for name, golds_ in golds.items()}
    references = [golds_of[row[doc]] for row in chosen]
    assert {len(r) for r in references} == {11}
    metric = metrics.make(spec)
    found = values(spec, [row[summary] for row in chosen], [list(stream) for stream in zip(*references, strict=True)])
    scorer = rouge_scorer.RougeScorer([metric.type], use_stemmer=metric.stemmer)  # type: ignore[attr-defined]
    expected = [
        scorer.score_multi(golds, row[summary])[metric.type][FIELD[metric.measure]]  # type: ignore[attr-defined]
        for golds, row in zip(references, chosen, strict=True)
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert 0.05 < found.mean() < 0.9
