"""Bracketing scores: against EVALB's own reports, and against a slow count from the definitions."""

from __future__ import annotations

import csv
import gzip
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.base.items import Items
from outscore.base.notation.trees import parse
from outscore.metrics import metrics
from outscore.metrics.evalb import COLLINS, Rules, count, read_rules
from tests.contract.cases.trees import BAD, GOLD, TAGS, WORDS, table, trees

MEASURES = ["f1", "precision", "recall", "exact", "crossing", "no_crossing", "two_or_less", "tagging"]
SUMMARY = {
    "Bracketing Recall": "recall",
    "Bracketing Precision": "precision",
    "Bracketing FMeasure": "f1",
    "Complete match": "exact",
    "Average crossing": "crossing",
    "No crossing": "no_crossing",
    "2 or less crossing": "two_or_less",
    "Tagging accuracy": "tagging",
}


def score(spec: str, outputs: list[str], golds: list[str]) -> float:
    """The score of trees against gold trees."""
    metric = metrics.make(spec)
    items = Items(n=len(golds), outputs=outputs, references=(golds,))
    return float(metric.score(metric.statistics(items).sum(axis=0)))


# the definitions, read off nested lists


def nested(text: str) -> list[object]:
    """A tree as ``[label, child, ...]``; a leaf is ``[tag, word]``."""
    spaced = re.sub(r"([()])", r" \1 ", text).split()

    def read() -> list[object]:
        node: list[object] = []
        while spaced[0] != ")":
            if spaced[0] == "(":
                spaced.pop(0)
                node.append(read())
            else:
                node.append(spaced.pop(0))
        spaced.pop(0)
        return node

    spaced.pop(0)
    return read()


def leaves(node: list[object], deleted: frozenset[str]) -> Iterator[list[object]]:
    if len(node) == 2 and isinstance(node[1], str):
        if node[0] not in deleted:
            yield node
        return
    for child in node[1:]:
        yield from leaves(child, deleted)  # type: ignore[arg-type]


def constituents(node: list[object], order: list[int], rules: Rules) -> Iterator[tuple[str, frozenset[int]]]:
    """Label and leaves of each constituent that counts; ADVP and PRT are one label."""
    if len(node) == 2 and isinstance(node[1], str):
        return
    label = re.split("[-=]", str(node[0]))[0]
    covered = frozenset(order.index(id(leaf)) for leaf in leaves(node, rules.deleted))
    if covered and label not in rules.deleted:
        yield "PRT" if label == "ADVP" else label, covered
    for child in node[1:]:
        yield from constituents(child, order, rules)  # type: ignore[arg-type]


def slow_count(gold: str, test: str, rules: Rules) -> list[int]:
    """Matched, gold and test brackets, crossing ones, words and right tags of trees over the same words."""
    ours, theirs = nested(gold), nested(test)
    words, words_test = (list(leaves(tree, rules.deleted)) for tree in (ours, theirs))
    a = list(constituents(ours, [id(leaf) for leaf in words], rules))
    b = list(constituents(theirs, [id(leaf) for leaf in words_test], rules))
    crossing = sum(any(x & y and x - y and y - x for _, x in a) for _, y in b)
    tags = sum(x[0] == y[0] for x, y in zip(words, words_test, strict=True))
    return [sum((Counter(a) & Counter(b)).values()), len(a), len(b), crossing, len(words), tags]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """Two trees over the same tagged words."""
    words = draw(st.lists(st.sampled_from(list(zip(WORDS, TAGS, strict=True))), min_size=1, max_size=7))
    plain = [(word, tag) for word, tag in words if tag not in COLLINS.deleted] or [("the", "DT")]
    return draw(trees(words)), draw(trees(words if draw(st.booleans()) else plain))


@given(pair=pairs())
def test_counts_are_those_of_the_definitions(pair: tuple[str, str]) -> None:
    gold, test = pair
    found = count(parse(gold), parse(test), COLLINS)
    if found.status == 0:
        assert list(found[:6]) == slow_count(gold, test, COLLINS)
    else:
        words = [[str(leaf[1]) for leaf in leaves(nested(text), COLLINS.deleted)] for text in pair]
        assert not words[1] if found.status == 2 else words[0] != words[1]
        assert not any(found[:6])


def test_doubled_unary_brackets_count_as_often_as_they_are_there() -> None:
    one, two, three = (
        "(S (NP (NN a)) (VP (VB b)))",
        "(S (NP (NP (NN a))) (VP (VB b)))",
        "(S (NP (NP (NP (NN a)))) (VP (VB b)))",
    )
    assert count(parse(two), parse(two), COLLINS)[:3] == (4, 4, 4)
    assert count(parse(one), parse(three), COLLINS)[:3] == (3, 3, 5)
    assert count(parse(three), parse(two), COLLINS)[:3] == (4, 5, 4)


def test_the_wrapper_of_the_treebank_is_no_bracket_and_function_tags_are_no_labels() -> None:
    found = count(parse("( (S (NP-SBJ-1 (NN a)) (VP=2 (VB b))))"), parse("(TOP (S (NP (NN a)) (VP (VB b))))"), COLLINS)
    assert found[:3] == (3, 3, 3)


def test_a_particle_is_an_adverb_and_labels_may_be_left_aside() -> None:
    gold, test = "(S (PRT (RP up)) (NP (NN b)))", "(S (ADVP (RP up)) (VP (NN b)))"
    assert score("evalb", [test], [gold]) == pytest.approx(100 * 2 / 3)
    assert score("evalb:labelled=false", [test], [gold]) == 100


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_knows_better_from_worse_and_is_its_ratio(measure: str) -> None:
    metric = metrics.make(f"evalb:measure={measure}")
    golds = [GOLD[0], GOLD[0], "(S (NP (NN a) (NN b)) (VP (VB c) (NP (NN d) (NN e))))"]
    poor = [BAD[0], BAD[0], "(S (NN a) (X (NN b) (X (X (X (VB c)) (CD d)))) (NN e))"]
    statistics = [metric.statistics(Items(n=3, outputs=o, references=(golds,))) for o in (golds, poor)]
    best, worse = (float(metric.score(rows.sum(axis=0))) for rows in statistics)
    assert best == (0 if measure == "crossing" else 100)
    assert (best > worse) == metric.higher_is_better
    assert best != worse
    numerator, denominator, scale = metric.ratio() or pytest.fail("a ratio")
    sums = statistics[1].sum(axis=0)
    assert scale * (sums @ numerator) / (sums @ denominator) == pytest.approx(worse)
    assert ("100" in metric.unit) == (measure != "crossing")


def test_a_sentence_without_a_parse_is_left_out_as_in_evalb() -> None:
    golds = [GOLD[0], GOLD[1]]
    for nothing in ("", "(())", "(S (NN other) (NN words))"):
        assert (
            score("evalb", [GOLD[0], nothing], golds) == score("evalb:measure=exact", [GOLD[0], nothing], golds) == 100
        )


def test_sentences_with_other_words_are_left_out_and_named(tmp_path: Path) -> None:
    golds = [f"(S (NP (NN w{i})) (VP (VB v)))" for i in range(6)]
    outputs = {"gold": golds, "good": golds, "other": [*golds[:3], "(S (NN x))", "", "(S (NN y) (NN z))"]}
    for name, lines in outputs.items():
        (tmp_path / f"{name}.mrg").write_text("\n".join(lines) + "\n", encoding="utf-8")
    systems = [f"{name}={tmp_path / name}.mrg" for name in ("good", "other")]
    data = outscore.read(systems, references=[str(tmp_path / "gold.mrg")])
    for measure in MEASURES:
        found = outscore.compare(data, metrics=f"evalb:measure={measure},cutoff=2")
        (note,) = (note for note in found.notes if note.code == "left_out_by_metric")
        # the fifth has no parse, which the reader says
        assert "with other words than the gold tree: 'other' has 2 of 6: '4', '6'" in note.text
    alone = outscore.score(outscore.read(systems[:1], references=[str(tmp_path / "gold.mrg")]), metrics="evalb")
    assert "left_out_by_metric" not in [note.code for note in alone.notes]


def test_a_cutoff_leaves_longer_sentences_out() -> None:
    outputs = [BAD[0], GOLD[1]]
    assert score("evalb:cutoff=2", outputs, GOLD) == 100
    assert score("evalb:cutoff=5", outputs, GOLD) == score("evalb", outputs, GOLD) < 100
    with pytest.raises(UsageError, match="cutoff"):
        metrics.make("evalb:cutoff=-1")


def test_counts_of_another_program_give_the_same_scores_as_the_trees() -> None:
    outputs = [BAD[0], GOLD[1], "", "(S (NN x))"]
    golds = [*GOLD, *GOLD]
    rows = table([count(parse(g), parse(o), COLLINS) for g, o in zip(golds, outputs, strict=True)])
    for measure in MEASURES:
        for cutoff in (0, 2):
            metric = metrics.make(f"evalb:measure={measure},cutoff={cutoff}")
            of_trees = metric.statistics(Items(n=4, outputs=outputs, references=(golds,)))
            np.testing.assert_array_equal(metric.statistics(rows), of_trees)


def test_a_file_of_other_sentences_is_refused() -> None:
    golds = [f"(S (NN w{i}) (NN v))" for i in range(30)]
    shifted = {"good": golds, "shifted": [golds[0], *golds[:-1]]}
    with pytest.raises(
        InputError, match=r"evalb leaves out 29 of 30 items of 'shifted' .*first '2': sentences with other"
    ):
        outscore.score(shifted, references=golds, metrics="evalb")
    assert score("evalb", golds[:25] + golds[:5], golds) == 100
    half = outscore.score({"half": [*golds[:15], *golds[:15]]}, references=golds, metrics="evalb")
    assert "left_out_by_metric" in [note.code for note in half.notes]


def test_more_than_half_of_a_few_sentences_is_refused_too() -> None:
    golds = [f"(S (NN w{i}) (NN v))" for i in range(6)]
    with pytest.raises(InputError, match="evalb leaves out 4 of 6 items of 'few'"):
        outscore.score({"few": [*golds[:2], *golds[:4]]}, references=golds, metrics="evalb")
    outscore.score({"half": [*golds[:3], *golds[:3]]}, references=golds, metrics="evalb")


@pytest.mark.parametrize("spec", ["evalb", "evalb:cutoff=1"])
def test_a_file_of_which_nothing_is_left_has_no_score(spec: str) -> None:
    outputs = ["", "(())"] if spec == "evalb" else GOLD
    data = {"good": GOLD, "none": outputs} if spec == "evalb" else {"none": outputs}
    with pytest.raises(InputError, match="evalb leaves out all 2 items of 'none'"):
        outscore.score(data, references=GOLD, metrics=spec)


def test_hostile_depth_is_a_tree_like_any_other() -> None:
    deep = "(S " * 30_000 + "(NN a)" + ")" * 30_000
    assert score("evalb", [deep], ["(S (NN a))"]) == pytest.approx(100 * 2 / 30_001)
    with pytest.raises(InputError, match="item 1 is no tree: 50000 opened and never closed"):
        score("evalb", ["(" * 50_000], ["(S (NN a))"])


# parameter files


def rules_of(tmp_path: Path, text: str) -> Rules:
    file = tmp_path / "my.prm"
    file.write_text(text, encoding="utf-8")
    return read_rules(str(file))


def test_a_parameter_file_says_what_counts(tmp_path: Path) -> None:
    rules = rules_of(
        tmp_path,
        "# a comment\n\nDEBUG 0\nMAX_ERROR 10\nCUTOFF_LEN 40\nLABELED 0  \nDISC_ONLY 0\nDELETE_LABEL TOP\n"
        "DELETE_LABEL .\nDELETE_WORD *\nDELETE_LABEL_FOR_LENGTH -NONE-\nEQ_LABEL T TT\nEQ_WORD This this\n"
        "QUOTE_LABEL ''\n",
    )
    assert rules == Rules(
        labelled=False,
        deleted=frozenset({"TOP", "."}),
        deleted_words=frozenset({"*"}),
        uncounted=frozenset({"-NONE-"}),
        quotes=frozenset({"''"}),
        same_labels=frozenset({frozenset({"T", "TT"})}),
        same_words=frozenset({frozenset({"This", "this"})}),
    )
    metric = f"evalb:parameters={tmp_path / 'my.prm'}"
    gold, test = "(S (A (T This)) (B (X *)) (. .))", "(TOP (S (C (TT this))))"
    assert score(metric, [test], [gold]) == 100
    assert score(f"{metric},labelled=true", [test], [gold]) == 50
    assert score(f"{metric},measure=tagging", [test], [gold]) == 100


def test_a_label_equal_to_a_deleted_one_is_deleted(tmp_path: Path) -> None:
    rules = rules_of(tmp_path, "DELETE_LABEL TOP\nEQ_LABEL TOP S1\n")
    assert count(parse("(S1 (S (NN a)))"), parse("(TOP (S (NN a)))"), rules)[:3] == (1, 1, 1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("DELETE_LABEL\n", r"my.prm:1: DELETE_LABEL has 0 values, expected 1;"),
        ("\nEQ_LABEL A\n", r"my.prm:2: EQ_LABEL has 1 values, expected 2;"),
        ("DELET_LABEL A\n", r"'DELET_LABEL' is no parameter; did you mean 'DELETE_LABEL'\?"),
        ("LABELED yes\n", r"LABELED is 'yes', expected 0 or 1"),
        ("DISC_ONLY 1\n", r"DISC_ONLY 1 is about trees that cross themselves; set it to 0"),
        ("(S (NP (DT the)))\n", r"no parameter"),
    ],
)
def test_a_broken_parameter_file_is_refused_with_file_and_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        rules_of(tmp_path, text)


def test_a_missing_parameter_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none.prm: cannot be read \(No such file or directory\);"):
        score(f"evalb:parameters={tmp_path / 'none.prm'}", GOLD, GOLD)
    (tmp_path / "bytes.prm").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        read_rules(str(tmp_path / "bytes.prm"))


def test_the_signature_names_the_rules(tmp_path: Path) -> None:
    items = Items(n=2, outputs=GOLD, references=(GOLD,))
    assert metrics.make("evalb").signature(items) == "measure:f1|params:COLLINS.prm|labelled:yes|cutoff:no"
    rules_of(tmp_path, "LABELED 0\n")
    own = metrics.make(f"evalb:parameters={tmp_path / 'my.prm'},cutoff=40").signature(items)
    assert re.fullmatch(r"measure:f1\|params:my.prm\|sha256:[0-9a-f]{12}\|labelled:no\|cutoff:40", own)


# EVALB itself


def report(file: Path) -> tuple[list[list[int]], dict[str, dict[str, float]]]:
    """Rows ``[matched, gold, test, crossing, words, tags, length, status]`` and summaries by heading of a report."""
    text = file.read_text(encoding="utf-8")
    rows = [line.split() for line in text.split("====\n")[1].splitlines() if len(line.split()) == 12]
    summaries: dict[str, dict[str, float]] = {}
    for heading, body in re.findall(r"-- (.*) --\n((?:.+\n)+)", text):
        pairs_ = re.findall(r"(.+?)\s*=\s*(\S+)\n", body)
        summaries[heading] = {name: float(value) for name, value in pairs_}
    return [[int(row[i]) for i in (5, 6, 7, 8, 9, 10, 1, 2)] for row in rows], summaries


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "parameters", "expected", "sentences"),
    [
        ("sample", "sample.prm", "sample.rsl", 24),
        ("bug", "new.prm", "bug.rsl-new", 5),
        ("bug", "COLLINS.prm", "bug.rsl-old", 5),
    ],
)
def test_evalbs_own_samples(data_root: Path, name: str, parameters: str, expected: str, sentences: int) -> None:
    folder = data_root / "data/parse_evalb_sample"
    golds = (folder / f"{name}.gld").read_text(encoding="utf-8").splitlines()
    outputs = (folder / f"{name}.tst").read_text(encoding="utf-8").splitlines()
    rules = read_rules(str(folder / parameters))
    rows, summaries = report(folder / expected)
    assert len(rows) == len(golds) == sentences
    for gold, output, row in zip(golds, outputs, rows, strict=True):
        if row[-1]:
            row[4] = 0  # an older EVALB prints the words of sentences that it leaves out
        assert list(count(parse(gold), parse(output), rules)) == row
    for heading, cutoff in (("All", 0), ("len<=40", 40)):
        for label, value in summaries[heading].items():
            if label in SUMMARY and np.isfinite(value):
                spec = f"evalb:parameters={folder / parameters},measure={SUMMARY[label]},cutoff={cutoff}"
                assert score(spec, outputs, golds) == pytest.approx(value, abs=0.00500001), (heading, label)


@pytest.mark.data
def test_collins_is_built_in(data_root: Path) -> None:
    assert read_rules(str(data_root / "data/parse_evalb_sample/COLLINS.prm")) == COLLINS


@pytest.mark.data
@pytest.mark.slow
def test_eighteen_parsers_have_evalbs_counts_in_every_sentence(data_root: Path) -> None:
    folder = data_root / "data/const_pcfg_craft"
    expected: dict[str, list[list[int]]] = {}
    names = ("matched", "gold_brackets", "test_brackets", "crossing", "length")
    with gzip.open(folder / "evalb_counts.tsv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            expected.setdefault(row["system"], []).append([int(row[name]) for name in names])
    golds = trees_of(folder, "gold")
    read = [parse(gold) for gold in golds]
    with (folder / "evalb_summary.tsv").open(encoding="utf-8") as file:
        summary = list(csv.DictReader(file, delimiter="\t"))
    assert len(expected) == len(summary) == 18
    for row in summary:
        outputs = trees_of(folder, row["system"])
        counts = [count(gold, parse(output), COLLINS) for gold, output in zip(read, outputs, strict=True)]
        assert [[*c[:4], c.length] for c in counts] == expected[row["system"]]
        assert not any(c.status for c in counts)
        for label, measure in (("LR", "recall"), ("LP", "precision"), ("F1", "f1"), ("complete_match_pct", "exact")):
            metric = metrics.make(f"evalb:measure={measure}")
            found = float(metric.score(metric.statistics(table(counts)).sum(axis=0)))  # type: ignore[arg-type]
            assert found == pytest.approx(float(row[label]), abs=0.00500001)
    assert score("evalb", outputs, golds) == pytest.approx(float(row["F1"]), abs=0.00500001)


def trees_of(folder: Path, system: str) -> list[str]:
    with gzip.open(folder / f"trees/{system}.mrg.gz", "rt", encoding="utf-8") as file:
        return file.read().splitlines()
