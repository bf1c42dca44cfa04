"""Entity F1 is conlleval's and seqeval's, and its partial matches are nervaluate's."""

from __future__ import annotations

import csv
import gzip
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.base.errors import InputError, MissingExtra, UsageError
from outscore.base.items import Items
from outscore.base.notation import NotationError
from outscore.base.notation.tags import Scheme, Span, spans, tags_of
from outscore.data import align, read
from outscore.metrics import metrics
from outscore.metrics.ner import Ner

TYPES = ["PER", "LOC", "creative-work"]


def tags(letters: str = "BI", size: int | None = None) -> st.SearchStrategy[list[str]]:
    """Any tags at all, right or wrong in their scheme."""
    kinds = st.sampled_from(["O", *(f"{letter}-{kind}" for letter in letters for kind in TYPES)])
    return st.lists(kinds, min_size=size or 1, max_size=size or 12)


@st.composite
def corpus(draw: st.DrawFn, letters: str = "BI") -> tuple[list[list[str]], list[list[str]]]:
    gold = draw(st.lists(tags(letters), min_size=1, max_size=6))
    return gold, [draw(st.one_of(st.just(g), tags(letters, len(g)))) for g in gold]


def items_of(gold: list[list[str]], predicted: list[list[str]], labels: dict[str, list[str]] | None = None) -> Items:
    return Items(
        n=len(gold),
        outputs=[" ".join(p) for p in predicted],
        references=([" ".join(g) for g in gold],),
        labels=labels or {},
    )


def score(spec: str, items: Items) -> float:
    (metric,) = metrics.make(spec).prepare([items])
    return float(metric.score(metric.statistics(items).sum(axis=0)))


def seqeval(name: str, gold: list[list[str]], predicted: list[list[str]], **options: Any) -> Any:
    import seqeval.metrics

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # undefined scores and unusual tags
        return getattr(seqeval.metrics, name)(gold, predicted, zero_division=0, **options)


@given(tags("BIES"))
def test_spans_are_conllevals(sentence: list[str]) -> None:
    from seqeval.metrics.sequence_labeling import get_entities

    found = spans(sentence)
    assert [(s.type, s.start, s.end - 1) for s in found] == get_entities(sentence)


@pytest.mark.parametrize(
    ("scheme", "theirs", "letters"),
    [
        ("iob1", "IOB1", "BI"),
        ("iob2", "IOB2", "BI"),
        ("ioe1", "IOE1", "IE"),
        ("ioe2", "IOE2", "IE"),
        ("bioes", "IOBES", "BIES"),
    ],
)
@given(data=st.data())
def test_strict_spans_are_seqevals(scheme: Scheme, theirs: str, letters: str, data: st.DataObject) -> None:
    import seqeval.scheme

    sentence = data.draw(tags(letters))
    (expected,) = seqeval.scheme.Entities([sentence], scheme=getattr(seqeval.scheme, theirs)).entities
    assert list(spans(sentence, scheme)) == [Span(e.tag, e.start, e.end) for e in expected]


@pytest.mark.parametrize("scheme", ["conlleval", "bioes"])
@given(sentence=tags("BIES"))
def test_bilou_is_bioes_with_other_letters(scheme: Scheme, sentence: list[str]) -> None:
    other = [{"E": "L", "S": "U"}.get(tag[0], tag[0]) + tag[1:] for tag in sentence]
    assert spans(other, scheme) == spans(sentence, scheme)


@given(tags("BIES"))
def test_a_letter_behind_the_type_is_read_where_it_is_said(sentence: list[str]) -> None:
    from seqeval.metrics.sequence_labeling import get_entities

    behind = [tag if tag == "O" else f"{tag[2:]}-{tag[0]}" for tag in sentence]
    found = spans(behind, suffix=True)
    assert [(s.type, s.start, s.end - 1) for s in found] == get_entities(behind, suffix=True)
    assert found == spans(sentence)


def test_a_type_with_a_hyphen_keeps_it() -> None:
    assert spans(["B-art-film", "I-art-film"]) == (("art-film", 0, 2),)
    assert spans(["art-film-B", "art-film-I", "B"], suffix=True) == (("art-film", 0, 2), ("_", 2, 3))
    with pytest.raises(NotationError, match=r"'PER-B' is no tag of conlleval.*; suffix=true reads"):
        spans(["PER-B"])
    with pytest.raises(NotationError, match=r"expected O, TYPE-B, TYPE-I$"):
        spans(["B-PER"], "iob2", suffix=True)


def test_the_same_tags_mark_other_spans_in_other_schemes() -> None:
    sentence = ["I-PER", "I-PER", "B-PER", "O", "B-LOC", "E-LOC", "S-LOC"]
    assert spans(sentence) == (("PER", 0, 2), ("PER", 2, 3), ("LOC", 4, 6), ("LOC", 6, 7))
    assert spans(sentence, "bioes") == (("LOC", 4, 6), ("LOC", 6, 7))
    assert spans(sentence[:4], "iob2") == (("PER", 2, 3),)
    assert spans(["B", "I", "O", "I"]) == (("_", 0, 2), ("_", 3, 4))


@pytest.mark.parametrize(
    ("tag", "scheme"),
    [("NN", "conlleval"), ("O-PER", "conlleval"), ("", "conlleval"), ("b-PER", "bioes"), ("S-PER", "iob2")],
)
def test_a_tag_that_a_scheme_does_not_have_is_refused(tag: str, scheme: Scheme) -> None:
    with pytest.raises(NotationError, match="expected O, B-TYPE"):
        spans(["O", tag], scheme)


def test_tags_are_parted_by_single_blanks() -> None:
    assert tags_of("O B-PER") == ("O", "B-PER")
    assert tags_of("") == ()
    with pytest.raises(NotationError, match="tag 2 is empty"):
        tags_of("O  O")


@given(corpus("BIES"))
def test_scores_are_seqevals(pair: tuple[list[list[str]], list[list[str]]]) -> None:
    gold, predicted = pair
    items = items_of(gold, predicted)
    for name in ("f1", "precision", "recall"):
        expected = 100 * seqeval(f"{name}_score", gold, predicted)
        assert score(f"ner:measure={name}", items) == pytest.approx(expected, abs=1e-9)
        weighted = 100 * seqeval(f"{name}_score", gold, predicted, average="weighted")
        assert score(f"ner:average=weighted,measure={name}", items) == pytest.approx(weighted, abs=1e-9)
    each = {m.type: float(m.score(m.statistics(items).sum(axis=0))) for m in _each(items)}
    report = seqeval("classification_report", gold, predicted, output_dict=True)
    for kind, value in each.items():
        assert value == pytest.approx(100 * report[kind]["f1-score"], abs=1e-9)
    assert score("ner:average=macro", items) == pytest.approx(np.mean([*each.values()]) if each else 0, abs=1e-9)


@given(corpus("BI"))
def test_strict_scores_are_seqevals(pair: tuple[list[list[str]], list[list[str]]]) -> None:
    from seqeval.scheme import IOB2

    expected = 100 * seqeval("f1_score", *pair, mode="strict", scheme=IOB2)
    assert score("ner:scheme=iob2", items_of(*pair)) == pytest.approx(expected, abs=1e-9)


def _each(items: Items) -> list[Ner]:
    if not any(tag != "O" for text in items.references[0] for tag in text.split(" ")):
        return []
    found = Ner(average="each").prepare([items])
    assert all(isinstance(m, Ner) for m in found)
    return list(found)  # type: ignore[arg-type]


@pytest.mark.parametrize("match", ["strict", "exact", "partial", "ent_type"])
@given(pair=corpus())
def test_other_matches_are_nervaluates(match: str, pair: tuple[list[list[str]], list[list[str]]]) -> None:
    from nervaluate import Evaluator

    gold, predicted = pair
    theirs = Evaluator(gold, predicted, tags=TYPES, loader="list").evaluate()
    items = items_of(gold, predicted)
    for name in ("f1", "precision", "recall"):
        expected = 100 * getattr(theirs["overall"][match], name)
        assert score(f"ner:match={match},measure={name}", items) == pytest.approx(expected, abs=1e-9)
    for metric in _each(items):
        expected = 100 * theirs["entities"][metric.type][match].f1
        assert score(f"ner:match={match},type={metric.type}", items) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("match", ["partial", "ent_type"])
@given(pair=corpus(), least=st.sampled_from([1, 30, 60, 100]))
def test_the_least_overlap_is_nervaluates(
    match: str, pair: tuple[list[list[str]], list[list[str]]], least: int
) -> None:
    from nervaluate import Evaluator

    theirs = Evaluator(*pair, tags=TYPES, loader="list", min_overlap_percentage=least).evaluate()["overall"][match]
    assert score(f"ner:match={match},overlap={least}", items_of(*pair)) == pytest.approx(100 * theirs.f1, abs=1e-9)


@pytest.mark.parametrize("wrong", ["overlap=50", "match=exact,overlap=50", "match=partial,overlap=101"])
def test_an_overlap_that_changes_nothing_is_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match="1 to 100, and match=partial or ent_type"):
        metrics.make(f"ner:{wrong}")


@given(corpus("BIES"))
def test_surface_scores_are_those_of_spans_of_one_type(pair: tuple[list[list[str]], list[list[str]]]) -> None:
    def surface(sentences: list[list[str]]) -> list[list[str]]:
        # written again as IOB2, because neighbours of two types must stay two spans
        out = [["O"] * len(s) for s in sentences]
        for row, sentence in zip(out, sentences, strict=True):
            for span in spans(sentence):
                row[span.start : span.end] = ["B-X"] + ["I-X"] * (span.end - span.start - 1)
        return out

    expected = 100 * seqeval("f1_score", *map(surface, pair))
    assert score("ner:labelled=false", items_of(*pair)) == pytest.approx(expected, abs=1e-9)


def test_numbers_by_hand() -> None:
    gold = [["B-PER", "I-PER", "O", "B-LOC", "O", "B-ORG"], ["O", "B-PER"]]
    predicted = [["B-PER", "I-PER", "O", "B-ORG", "O", "O"], ["B-PER", "I-PER"]]
    items = items_of(gold, predicted)
    # gold 4, predicted 3; right: the first person alone
    assert score("ner", items) == pytest.approx(100 * 2 / 7)
    assert score("ner:measure=precision", items) == pytest.approx(100 / 3)
    assert score("ner:measure=recall", items) == 25
    assert score("ner:labelled=false", items) == pytest.approx(100 * 4 / 7)  # and the place called an organisation
    assert score("ner:match=partial", items) == pytest.approx(100 * 2 * 2.5 / 7)  # and half of the second person
    assert score("ner:match=ent_type", items) == pytest.approx(100 * 4 / 7)  # both persons
    assert score("ner:type=PER", items) == 50
    assert score("ner:average=macro", items) == pytest.approx(50 / 3)
    np.testing.assert_array_equal(Ner().statistics(items), [[1, 3, 2], [0, 1, 1]])


def test_types_that_only_systems_predict_lower_the_micro_average_and_stay_out_of_the_macro_average() -> None:
    items = items_of([["B-PER", "O"]], [["B-PER", "B-NEW"]])
    assert score("ner", items) == pytest.approx(100 * 2 / 3)
    assert score("ner:average=macro", items) == 100


def test_types_are_those_of_all_items() -> None:
    items = items_of([["B-PER"], ["B-LOC"]], [["B-PER"], ["O"]])
    (metric,) = Ner(average="macro").prepare([items, items])
    np.testing.assert_array_equal(metric.statistics(items), [[0, 0, 0, 1, 1, 1], [0, 1, 0, 0, 0, 0]])
    np.testing.assert_array_equal(Ner(average="macro").statistics(items), metric.statistics(items))
    assert [m.label for m in Ner(average="each").prepare([items])] == ["ner:type=LOC", "ner:type=PER"]


def test_a_type_that_is_not_there_is_refused_with_the_nearest() -> None:
    items = items_of([["B-PER"]], [["B-PER"]])
    with pytest.raises(UsageError, match="did you mean 'PER'"):
        Ner(type="PERS").prepare([items])
    with pytest.raises(InputError, match="mark no span"):
        Ner(average="each").prepare([items_of([["O"]], [["O"]])])


@pytest.mark.parametrize("spec", ["labelled=false,type=PER", "labelled=false,average=macro", "type=PER,average=each"])
def test_options_that_exclude_each_other_are_refused(spec: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        metrics.make(f"ner:{spec}")


def test_another_number_of_tokens_is_refused_with_the_sentence() -> None:
    items = items_of([["O"], ["O", "O"]], [["O"], ["O"]], labels={"tokens": ["Yes", "EU rejects"]})
    with pytest.raises(InputError, match=r"sentence 2 \('EU rejects'\) has 2 gold tags, but 1 predicted; "):
        Ner().prepare([items])
    with pytest.raises(InputError, match="2 gold tags, but 1"):
        Ner().statistics(items)


def test_parts_of_speech_are_refused_with_the_metric_for_them() -> None:
    items = items_of([["DT", "NN"]], [["DT", "NN"]])
    with pytest.raises(InputError, match=r"'DT' is no tag of conlleval.*-m token_accuracy"):
        Ner().prepare([items])


def test_tags_of_an_unknown_scheme_are_named_where_no_gold_was_seen() -> None:
    items = Items(n=2, outputs=["O", "B_LOC O"], references=(), labels={})
    with pytest.raises(InputError, match=r"sentence 2 \('B_LOC O'\): 'B_LOC' is no tag of conlleval"):
        Ner().prepare([items])
    with pytest.raises(InputError, match="one file of gold tags, found 0; give it with -r"):
        Ner().prepare([Items(n=1, outputs=["O"], references=(), labels={})])


def test_signatures_name_every_option_and_the_library() -> None:
    items = items_of([["B-PER"]], [["B-PER"]])
    usual = "measure:f1|type:all|average:micro|scheme:conlleval|match:conlleval|labelled:yes"
    assert Ner().signature(items) == usual
    assert "|type:PER|" in Ner(type="PER").signature(items)
    assert "|match:partial|labelled:yes|nervaluate:" in Ner(match="partial").signature(items)
    assert "|match:partial|overlap:50|" in Ner(match="partial", overlap=50).signature(items)


def test_the_library_is_named_when_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    items = items_of([["B-PER"]], [["B-PER"]])
    monkeypatch.setitem(sys.modules, "nervaluate.entities", None)
    monkeypatch.setitem(sys.modules, "nervaluate", None)
    assert score("ner", items) == 100
    with pytest.raises(MissingExtra, match=r"pip install 'outscore\[ner\]'"):
        Ner(match="partial").statistics(items)


@pytest.mark.data
@pytest.mark.slow
def test_the_systems_of_wnut_2017_have_their_published_scores(data_root: Path, tmp_path: Path) -> None:
    """By their counts, by seqeval and by nervaluate."""
    from nervaluate import Evaluator

    folder = data_root / "data" / "ner_wnut17"
    with gzip.open(folder / "tokens.tsv.gz", "rt", encoding="utf-8", newline="\n") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    with (folder / "expected_scores.tsv").open(encoding="utf-8") as file:
        expected = {row["system"]: row for row in csv.DictReader(file, delimiter="\t")}
    assert len(expected) == 7
    for column in ("gold", *expected):
        lines, before = [], rows[0]["sent"]
        for row in rows:
            lines += [""] * (row["sent"] != before)
            lines.append(f"{row['form']}\t{row[column]}")
            before = row["sent"]
        (tmp_path / f"{column}.conll").write_text("\n".join([*lines, ""]), encoding="utf-8")
    files = [str(tmp_path / f"{name}.conll") for name in expected]
    found = read(files, references=[str(tmp_path / "gold.conll")])
    aligned = align(found.runs, found.golds)
    assert len(aligned.items) == 1287
    types = sorted({span.type for text in found.golds[0].references[0] for span in spans(tags_of(text))})
    for system, row in expected.items():
        items = aligned.by_run[system, "1"]
        correct, gold, predicted = Ner().statistics(items).sum(axis=0)
        counts = [float(row[c]) for c in ("tp", "fp", "fn")]
        assert [correct, predicted - correct, gold - correct] == counts
        for name, key in (("f1", "entity_f1"), ("precision", "precision"), ("recall", "recall")):
            assert score(f"ner:measure={name}", items) == pytest.approx(float(row[key]), abs=1e-4)
        texts = [[text.split(" ") for text in side] for side in (items.references[0], items.outputs or ())]
        assert score("ner", items) == pytest.approx(100 * seqeval("f1_score", *texts), abs=1e-9)
        macro = seqeval("f1_score", *texts, average=None)
        assert score("ner:average=macro", items) == pytest.approx(100 * np.mean(macro), abs=1e-9)
        theirs = Evaluator(*texts, tags=types, loader="list").evaluate()["overall"]
        for match in ("strict", "exact", "partial", "ent_type"):
            assert score(f"ner:match={match}", items) == pytest.approx(100 * theirs[match].f1, abs=1e-9)


def test_a_part_of_the_items_is_averaged_over_its_own_types() -> None:
    gold, predicted = [["B-PER"], ["B-PER"], ["B-LOC"]], [["B-PER"], ["O"], ["B-LOC"]]
    (metric,) = Ner(average="macro").prepare([items_of(gold, predicted)])
    rows = metric.statistics(items_of(gold, predicted))
    assert metric.score(rows[:2].sum(axis=0)) == pytest.approx(100 / 3)
    for part in (slice(0, 2), slice(2, 3), slice(1, 3)):
        own = metric.score_of_part(rows[part])(rows[part].sum(axis=0))
        assert own == pytest.approx(score("ner:average=macro", items_of(gold[part], predicted[part])))


def test_a_part_of_the_items_is_averaged_over_the_types_that_its_gold_has() -> None:
    items = items_of([["B-PER", "O"], ["B-LOC", "O"]], [["B-PER", "B-LOC"], ["B-LOC", "O"]])
    (metric,) = metrics.make("ner:average=macro").prepare([items])
    rows = metric.statistics(items)
    assert metric.score_of_part is not None
    assert float(metric.score_of_part(rows[:1])(rows[0])) == 100
