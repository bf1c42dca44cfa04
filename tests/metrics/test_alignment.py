"""Alignment error rate, precision, recall and F: against plain loops, textbook numbers and published ones."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.errors import InputError, UsageError
from outscore.base.items import Items
from outscore.base.notation.lists import parse, spell
from outscore.metrics import metrics
from tests.contract.cases.links import GOLDS, OUTPUTS


def score(spec: str, outputs: list[str], *golds: list[str]) -> float:
    """The score of links against one or more streams of gold links."""
    metric = metrics.make(spec)
    return float(metric.score(metric.statistics(Items(n=len(outputs), outputs=outputs, references=golds)).sum(axis=0)))


def slow_counts(outputs: list[str], golds: list[str]) -> tuple[int, int, int, int]:
    """Links, sure links, links that are sure, links that are allowed, one by one."""
    links = sure = right = allowed = 0
    for output, gold in zip(outputs, golds, strict=True):
        found = {word.replace("?", "-") for word in output.split()}
        certain = {word for word in gold.split() if "-" in word}
        possible = {word.replace("?", "-").replace("p", "-") for word in gold.split()}
        links += len(found)
        sure += len(certain)
        right += sum(link in certain for link in found)
        allowed += sum(link in possible for link in found)
    return links, sure, right, allowed


@given(pairs=st.lists(st.tuples(OUTPUTS, GOLDS), min_size=1, max_size=6), alpha=st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_scores_are_those_of_the_definitions(pairs: list[tuple[str, str]], alpha: float) -> None:
    outputs, golds = ([pair[i] for pair in pairs] for i in (0, 1))
    links, sure, right, allowed = slow_counts(outputs, golds)
    aer = 1 - (right + allowed) / (links + sure) if links + sure else 0.0
    precision, recall = allowed / links if links else 0.0, right / sure if sure else 0.0
    assert score("aer", outputs, golds) == pytest.approx(100 * aer)
    assert score("alignment:measure=precision", outputs, golds) == pytest.approx(100 * precision)
    assert score("alignment:measure=recall", outputs, golds) == pytest.approx(100 * recall)
    weighted = alpha / precision + (1 - alpha) / recall if precision and recall else 0.0
    f = 1 / weighted if weighted else 0.0
    assert score(f"alignment:alpha={alpha}", outputs, golds) == pytest.approx(100 * f if precision * recall else 0.0)


def test_f_of_one_kind_of_link_is_one_minus_aer() -> None:
    outputs, golds = ["0-0 1-1 2-2", "0-1"], ["0-0 1-1 2-3", "0-0 1-1"]
    assert score("alignment", outputs, golds) == pytest.approx(100 - score("aer", outputs, golds))


def test_a_sure_link_is_possible_however_often_it_is_written() -> None:
    assert score("aer", ["0-0 0-0"], ["0-0 0?0"]) == 0
    assert score("alignment:measure=precision", ["0-0 1-1"], ["0p0 1-1"]) == 100
    assert score("alignment:measure=recall", ["0-0"], ["0p0 1-1"]) == 0


def test_links_of_a_second_gold_file_are_possible_links() -> None:
    outputs, sure, possible = ["0-0 1-1 2-2"], ["0-0"], ["1-1"]
    assert score("aer", outputs, sure, possible) == score("aer", outputs, ["0-0 1?1"])
    assert score("aer", outputs, sure, possible) < score("aer", outputs, sure)


def test_what_is_no_link_is_named_by_its_item() -> None:
    with pytest.raises(
        InputError, match=r"the output of item 2 holds no links: .*; write blanks between links"
    ) as said:
        score("aer", ["1-1", "1-x"], ["1-1", "1-1"])
    assert said.value.item == 1


def test_weights_of_precision_are_from_0_to_1() -> None:
    with pytest.raises(UsageError, match="alpha"):
        metrics.make("alignment:alpha=1.5")


@given(text=GOLDS)
def test_links_are_spelled_as_they_are_read(text: str) -> None:
    found = parse(text)
    assert parse(spell(found.sure, found.possible)) == found
    assert found.sure <= found.possible


@pytest.mark.data
@pytest.mark.slow
def test_thirteen_aligners_of_the_hansards_have_the_published_rates(data_root: Path) -> None:
    folder = data_root / "data/align_enfr_hansards"
    with gzip.open(folder / "alignments.tsv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    golds = [f"{row['sure']} {row['possible'].replace('-', 'p')}" for row in rows]
    with (folder / "expected_aer.tsv").open(encoding="utf-8") as file:
        expected = list(csv.DictReader(file, delimiter="\t"))
    assert (len(rows), len(expected)) == (447, 13)
    for row in expected:
        outputs = [pair[row["system"]] for pair in rows]
        assert score("aer", outputs, golds) == pytest.approx(float(row["aer"]), abs=5.1e-5)
        assert score("alignment:measure=precision", outputs, golds) == pytest.approx(
            float(row["precision"]), abs=5.1e-5
        )
        assert score("alignment:measure=recall", outputs, golds) == pytest.approx(float(row["recall"]), abs=5.1e-5)
        assert sum(len(parse(output).possible) for output in outputs) == int(row["n_links"])
    sure, possible = [row["sure"] for row in rows], [row["possible"] for row in rows]
    assert score("aer", outputs, sure, possible) == pytest.approx(float(row["aer"]), abs=5.1e-5)
