"""SARI of sentences is that of Hugging Face's evaluate, SARI of a corpus that of easse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from outscore.base.items import Items
from outscore.metrics import metrics
from tests.cli import commandline
from tests.oracles.support import Case, cases


def items_of(case: Case) -> Items:
    most = max(map(len, case["references"]))
    streams = zip(*([*golds, *[""] * (most - len(golds))] for golds in case["references"]), strict=True)
    return Items(
        n=len(case["outputs"]),
        outputs=case["outputs"],
        references=tuple([*stream] for stream in streams),
        labels={"source": case["sources"], "tokens": case["sources"][::-1]},
    )


def score(spec: str, items: Items) -> tuple[Any, float]:
    metric = metrics.make(spec)
    statistics = metric.statistics(items)
    return statistics, float(metric.score(statistics.sum(axis=0)))


@cases("sari")
def test_sentences_are_as_in_evaluate_and_a_corpus_as_in_easse(case: Case) -> None:
    items = items_of(case)
    statistics, mean = score("sari", items)
    assert statistics[:, 0] == pytest.approx(case["evaluate"])
    assert mean == pytest.approx(sum(case["evaluate"]) / items.n)
    assert score("corpus_sari", items)[1] == pytest.approx(case["easse"])


def test_words_are_cut_and_folded_as_the_options_say() -> None:
    items = Items(n=1, outputs=["The mat."], references=(["the mat ."],), labels={"source": ["a mat ."]})
    assert score("sari", items)[1] == 100
    assert score("sari:lowercase=false", items)[1] < 100
    assert score("sari:tokenize=none", items)[1] < 100
    assert metrics.make("sari:lowercase=false").signature(items) == "sari:lowercase=false|nrefs:1"


def test_another_column_may_hold_the_sources() -> None:
    items = Items(n=1, outputs=["b"], references=(["b"],), labels={"source": ["b"], "long": ["a b"]})
    assert score("corpus_sari:source=long", items)[1] != score("corpus_sari", items)[1]


def scores_of(*arguments: str | Path) -> list[float]:
    found = commandline.outscore("score", *arguments, "-f", "json")
    assert found.code == 0, found.err
    return [one["score"] for one in json.loads(found.out)["scores"]]


ROWS = [("1", "the old cat sat .", "the cat sat .", "the cat sat ."), ("2", "it was so .", "it was .", "so it was .")]


def test_sources_stand_in_the_table_or_beside_lines(tmp_path: Path) -> None:
    keys = ("item", "source", "output", "reference")
    rows = [json.dumps(dict(zip(keys, row, strict=True))) for row in ROWS]
    table, sources = commandline.written(tmp_path / "a.jsonl", rows), ["source", *(row[1] for row in ROWS)]
    described = commandline.written(tmp_path / "sources.tsv", sources)
    lines, gold = (commandline.written(tmp_path / f"{i}.txt", [row[i] for row in ROWS]) for i in (2, 3))
    in_table = scores_of(table, "--metric", "sari,corpus_sari")
    assert scores_of(lines, "-r", gold, "--items", described, "-m", "sari,corpus_sari") == in_table
    assert 0 < in_table[0] < 100
    missing = commandline.outscore("score", lines, "-r", gold, "-m", "sari")
    assert missing.code == 3
    assert "sari needs the source of each item, and there is no column 'source' of texts; name" in missing.err
    assert "jq -R '{source: .}' LINES > FILE.jsonl" in missing.err
    assert len(missing.err.splitlines()) == 1
    missing = commandline.outscore("score", lines, "-r", gold, "-m", "sari:source=src.txt")
    assert "jq -R '{\"src.txt\": .}' LINES > FILE.jsonl" in missing.err
