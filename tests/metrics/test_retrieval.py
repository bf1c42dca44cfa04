"""Metrics of rankings are those of ir-measures and trec_eval, query by query, with their ties."""

from __future__ import annotations

import io
import math
import sys

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from outscore.base.errors import InputError, MissingExtra, UsageError
from outscore.base.items import Items
from outscore.base.notation import NotationError
from outscore.base.notation.lists import grades, scores
from outscore.metrics import Metric, metrics
from tests.examples import first

Judged = dict[str, dict[str, int]]
Retrieved = dict[str, dict[str, float]]


def items_of(judged: Judged, retrieved: Retrieved) -> Items:
    def text(numbers: dict[str, int] | dict[str, float]) -> str:
        return "\n".join(f"{document} {number}" for document, number in numbers.items())

    return Items(
        n=len(judged),
        outputs=[text(retrieved.get(query, {})) for query in judged],
        references=([text(judgements) for judgements in judged.values()],),
    )


def values(spec: str, items: Items) -> list[float]:
    return [float(value) for value in metrics.make(spec).statistics(items)[:, 0]]


DOCUMENTS = [f"d{i}" for i in range(12)]


@st.composite
def queries(draw: st.DrawFn) -> tuple[Judged, Retrieved]:
    """Graded judgements, and rankings with ties, with gaps and with documents that nobody judged."""
    judged, retrieved = {}, {}
    for i in range(draw(st.integers(1, 4))):
        document = st.sampled_from(DOCUMENTS)
        judged[f"q{i}"] = draw(st.dictionaries(document, st.integers(-1, 3), min_size=1))
        found = draw(st.dictionaries(document, st.integers(0, 6).map(lambda s: s / 4)))
        if found:
            retrieved[f"q{i}"] = found
    return judged, retrieved


def ranked(retrieved: dict[str, float]) -> list[str]:
    """Documents in the order of trec_eval: by score, then by name, both falling."""
    return sorted(retrieved, key=lambda document: (retrieved[document], document), reverse=True)


def ndcg_by_definition(judged: dict[str, int], retrieved: dict[str, float], cutoff: int) -> float:
    def dcg(gains: list[int]) -> float:
        return sum(max(gain, 0) / math.log2(rank + 2) for rank, gain in enumerate(gains[:cutoff]))

    best = dcg(sorted(judged.values(), reverse=True))
    return dcg([judged.get(d, 0) for d in ranked(retrieved)]) / best if best else 0.0


def average_precision_by_definition(judged: dict[str, int], retrieved: dict[str, float], rel: int) -> float:
    hits, total = 0, 0.0
    for rank, document in enumerate(ranked(retrieved), 1):
        if judged.get(document, 0) >= rel:
            hits += 1
            total += hits / rank
    relevant = sum(grade >= rel for grade in judged.values())
    return total / relevant if relevant else 0.0


def reciprocal_rank_by_definition(judged: dict[str, int], retrieved: dict[str, float], cutoff: int) -> float:
    order = ranked(retrieved)[:cutoff]
    return next((1 / rank for rank, document in enumerate(order, 1) if judged.get(document, 0) >= 1), 0.0)


@given(queries())
def test_values_are_those_of_the_definitions(pair: tuple[Judged, Retrieved]) -> None:
    judged, retrieved = pair
    items = items_of(judged, retrieved)
    each = [(judged[query], retrieved.get(query, {})) for query in judged]
    for cutoff in (1, 3, 10):
        expected = [ndcg_by_definition(j, r, cutoff) for j, r in each]
        assert values(f"ndcg:cutoff={cutoff}", items) == pytest.approx(expected, abs=1e-9)
        expected = [reciprocal_rank_by_definition(j, r, cutoff) for j, r in each]
        assert values(f"mrr:cutoff={cutoff}", items) == pytest.approx(expected, abs=1e-9)
    for rel in (1, 2):
        expected = [average_precision_by_definition(j, r, rel) for j, r in each]
        assert values(f"map:rel={rel}", items) == pytest.approx(expected, abs=1e-9)


MEASURES = {
    "ndcg": "nDCG@10",
    "ndcg:cutoff=none": "nDCG",
    "map": "AP",
    "map:cutoff=2,rel=2": "AP(rel=2)@2",
    "mrr": "RR",
    "mrr:rel=2": "RR(rel=2)",
    "ir:measure=nDCG@5": "nDCG@5",
    "ir:measure=P(rel=2;judged_only=True)@5": "P(rel=2, judged_only=True)@5",
    "ir:measure=R@3": "R@3",
    "ir:measure=RR@2": "RR@2",
    "ir:measure=Judged@3": "Judged@3",
    "ir:measure=nDCG(gains={1:1;2:3;3:7})@5": "nDCG(gains={1:1, 2:3, 3:7})@5",
}


@pytest.mark.parametrize(
    "spec", first(MEASURES, "ndcg", "map:cutoff=2,rel=2", "mrr", "ir:measure=R@3", others=pytest.mark.slow)
)
@given(pair=queries())
def test_whole_files_have_the_scores_of_ir_measures(spec: str, pair: tuple[Judged, Retrieved]) -> None:
    import ir_measures

    judged, retrieved = pair
    # trec_eval never ends where all documents of a query are judged below 0
    assume(all(max(of_query.values()) >= 0 for of_query in judged.values()))
    qrels = "".join(f"{q} 0 {d} {g}\n" for q, documents in judged.items() for d, g in documents.items())
    run = "".join(f"{q} Q0 {d} 1 {s} tag\n" for q, documents in retrieved.items() for d, s in documents.items())
    measure = ir_measures.parse_measure(MEASURES[spec])
    theirs = ir_measures.read_trec_qrels(io.StringIO(qrels)), ir_measures.read_trec_run(io.StringIO(run))  # type: ignore[no-untyped-call]
    expected = ir_measures.calc_aggregate([measure], *theirs)[measure]
    metric = metrics.make(spec)
    statistics = metric.statistics(items_of(judged, retrieved))
    assert metric.score(statistics.sum(axis=0)) == pytest.approx(expected, abs=1e-9)
    assert metric.signature(items_of(judged, retrieved)).startswith(f"{measure}|ir-measures:")


def test_numbers_by_hand() -> None:
    items = items_of({"q": {"a": 3, "b": 0, "c": 1, "d": 2}}, {"q": {"a": 9.0, "b": 8.0, "c": 7.0, "x": 6.0}})
    # gains 3, 0, 1 at ranks 1, 2, 3; at best 3, 2, 1
    expected = (3 + 1 / 2) / (3 + 2 / math.log2(3) + 1 / 2)
    assert values("ndcg", items) == [pytest.approx(expected, abs=1e-12)]
    assert values("map", items) == [pytest.approx((1 / 1 + 2 / 3) / 3, abs=1e-12)]
    assert values("map:rel=2", items) == [pytest.approx(1 / 2, abs=1e-12)]
    assert values("mrr", items) == [1]
    assert values("ir:measure=P@5", items) == [pytest.approx(2 / 5)]


def test_ties_go_to_the_document_with_the_last_name_and_scores_are_read_in_single_precision() -> None:
    tied = items_of({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}})
    assert values("mrr", tied) == [0.5]
    assert values("mrr:cutoff=1", tied) == [0]
    assert values("ir:measure=RR@1", tied) == [1]  # MS MARCO's program breaks them the other way round
    nearly = items_of({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.00000001, "b": 1.0}})
    assert values("mrr", nearly) == [0.5]


def test_a_query_without_documents_counts_0() -> None:
    items = items_of({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}})
    metric: Metric = metrics.make("map")
    assert metric.score(metric.statistics(items).sum(axis=0)) == 0.5
    assert values("ndcg", items_of({"q": {"a": 1}}, {})) == [0]


def test_a_query_without_relevant_documents_counts_0_as_in_trec_eval() -> None:
    items = items_of({"q": {"a": 0, "b": -1}}, {"q": {"a": 2.0, "b": 1.0}})
    assert [values(spec, items) for spec in ("ndcg", "map", "mrr")] == [[0], [0], [0]]


def test_judgements_below_0_are_none_of_0() -> None:
    items = items_of({"q": {"a": 0, "b": -1}}, {"q": {"b": 2.0, "a": 1.0}})
    # only what is judged 0 gains here, and it stands second
    assert values("ir:measure=nDCG(gains={0:1})@5", items) == [pytest.approx(1 / math.log2(3))]


def test_recall_levels_are_rounded_as_in_version_9_of_trec_eval() -> None:
    """.1 of 11 relevant documents is two of them; version 10 takes one, and the precision would be 1."""
    relevant = [f"r{i:02}" for i in range(11)]
    ranking = [relevant[0], "x", "y", "z", relevant[1]]
    found = {document: 9.0 - place for place, document in enumerate(ranking)}
    assert values("ir:measure=IPrec@0.1", items_of({"q": dict.fromkeys(relevant, 1)}, {"q": found})) == [2 / 5]


def test_counts_of_documents_are_means_that_describe_and_the_relevant_retrieved_are_better() -> None:
    items = items_of({"q": {"a": 1, "b": 0}, "r": {"a": 2}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}})
    of = {"NumRet": [3, 0], "NumRel": [1, 0], "NumRelRet": [1, 0], "NumRet(rel=1)": [1, 0]}
    assert {name: values(f"ir:measure={name}", items) for name in of} == of
    made = [metrics.make(f"ir:measure={name}") for name in of]
    assert [(metric.descriptive, metric.direction) for metric in made] == [(True, None)] * 2 + [(False, True)] * 2
    assert not any("0-1" in metric.unit for metric in made)
    assert "0-1" in metrics.make("ir:measure=P@5").unit


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ir:measure=nDGC@10", "did you mean 'nDCG'"),
        ("ir:measure=P", "invalid param cutoff"),
        ("ir:measure=P@", "ir-measures says"),
        ("ir:measure=P(foo=1)@3", "unsupported params"),
        ("ir:measure=P@0", "cutoff of 1 or more"),  # trec_eval would end the program
        ("ir:measure=R@99999999999999999999", "cutoff of 1 or more"),
        ("ir:measure=RBP(p=0.8)", "no program installed"),
    ],
)
def test_a_measure_that_cannot_be_computed_is_refused(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        metrics.make(spec).statistics(items_of({"q": {"a": 1}}, {"q": {"a": 1.0}}))


@pytest.mark.parametrize("spec", ["ndcg:cutoff=0", "map:cutoff=-1", "mrr:cutoff=0", "map:rel=0", "mrr:rel=0"])
def test_cutoffs_and_levels_that_are_none_are_refused(spec: str) -> None:
    with pytest.raises(UsageError, match="1 or more"):
        metrics.make(spec)


def test_what_ir_measures_cannot_compute_of_these_data_is_said() -> None:
    items = items_of({"q": {"a": 1, "b": 0}}, {"q": {"b": 1.0}})
    with pytest.raises(InputError, match="Accuracy has no value for query 1"):
        metrics.make("ir:measure=Accuracy").statistics(items)
    with pytest.raises(InputError, match=r"ir-measures fails \(Argument relevance_level should be positive"):
        metrics.make("ir:measure=P(rel=0)@5").statistics(items)


def test_commas_in_a_measure_are_semicolons_where_commas_part_options() -> None:
    metric = metrics.find("ir")(measure="P(rel=2,judged_only=True)@5")  # type: ignore[call-arg]
    assert metric == metrics.make("ir:measure=P(rel=2;judged_only=True)@5")


def test_the_library_is_named_when_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(MissingExtra, match=r"pip install 'outscore\[ir\]'"):
        values("ndcg", items_of({"q": {"a": 1}}, {"q": {"a": 1.0}}))


def test_rankings_are_lines_of_documents_and_numbers() -> None:
    assert scores("d1 2.5\nd2 1e-3") == {"d1": 2.5, "d2": 1e-3}
    assert grades("d1 2\nd2 -1") == {"d1": 2, "d2": -1}
    assert scores("") == {}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("d1 2\nd1 1", 1, "'d1' is listed twice"),
        ("d1 2\nd2", 1, "found ''"),
        ("d1 x", 0, "expected a score"),
        ("d1 2\nd2 1\nd3 nan", 2, "expected a score"),
        ("d1 inf", 0, "expected a score"),
        ("d1 1\n\nd2 2", 1, "found ''"),
    ],
)
def test_a_ranking_that_is_none_is_refused_with_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        scores(text)
    assert caught.value.line == line


@pytest.mark.parametrize("grade", ["1.5", "", "high", "9999999999"])
def test_relevance_is_a_whole_number(grade: str) -> None:
    with pytest.raises(NotationError, match="whole number"):
        grades(f"d1 {grade}")


def test_statistics_are_values_with_weight_1() -> None:
    items = items_of({"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}, "q2": {"b": 2.0, "a": 1.0}})
    np.testing.assert_array_equal(metrics.make("mrr").statistics(items), [[1, 1], [0.5, 1]])


@pytest.mark.parametrize("spec", ["ndcg", "ndcg:cutoff=none", "map", "mrr"])
def test_a_query_whose_documents_are_all_judged_below_zero_ends(spec: str) -> None:
    metric = metrics.make(spec)
    statistics = metric.statistics(Items(n=1, outputs=["d2 0\nd5 -1"], references=(["d5 -1"],)))
    np.testing.assert_array_equal(statistics, [[0.0, 1.0]])
