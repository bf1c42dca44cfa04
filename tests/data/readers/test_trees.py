"""Trees and EVALB's reports through the real readers: layouts, sentences without a parse, broken files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from outscore.base.errors import InputError, OutscoreError
from outscore.data import align, read
from outscore.metrics import metrics
from tests.data.files import Write
from tests.examples import examples

ONE = "(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat))))"
TWO = "(TOP (NP (NN rain)))"
INDENTED = """
( (S
    (NP (DT the) (NN cat))
    (VP (VBD sat)))
)

( (NP (NN rain)))
"""


def trees(file: str) -> tuple[str, ...] | None:
    """The outputs of a file that is known to hold trees."""
    (run,) = read([file]).runs
    assert (run.source.reader, run.notation) == ("trees", "tree")
    return run.outputs


@pytest.mark.parametrize("name", ["a.mrg", "a.txt", "a", "a.tst"])
def test_trees_are_one_a_line_or_indented(write: Write, name: str) -> None:
    assert trees(write(name, f"{ONE}\n{TWO}\n")) == (ONE, TWO)
    indented = ("( (S (NP (DT the) (NN cat)) (VP (VBD sat))) )", "( (NP (NN rain)))")
    assert trees(write(name, INDENTED)) == indented
    assert trees(write(name, INDENTED.replace("\n", "\r\n"))) == indented


def test_indented_lines_of_whole_trees_are_a_tree_a_line(write: Write) -> None:
    assert trees(write("a", f"  {ONE}\n {TWO}\n")) == (ONE, TWO)


def test_a_no_break_space_is_part_of_a_word(write: Write) -> None:
    assert trees(write("a", f"(S (CD 10\u00a0000) (NN x))\n{ONE}\n")) == ("(S (CD 10\u00a0000) (NN x))", ONE)


def test_sentences_without_a_parse_keep_their_place_and_are_said(write: Write) -> None:
    (run,) = read([write("a", f"{ONE}\n\n(())\n(TOP (S (NP (DT the)\n{TWO}\n{ONE}\n{ONE}\n")]).runs
    assert run.outputs == (ONE, "", "", "", TWO, ONE, ONE)
    (note,) = run.notes
    assert note.code == "no_parse"
    assert "a has no parse for 3 of 7 sentences (1 broken tree), first in line 2: as in EVALB" in note.text


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        (
            f"{ONE}\n(TOP (NP (NN rain))\n{TWO}\n",
            2,
            "broken tree: 1 opened and never closed: the text ends in column 19",
        ),
        (f"{ONE}\n{TWO})\n{ONE}\n", 2, "broken tree: a bracket closes that was never opened in column 21"),
        (f"{ONE}\n(TOP (NP the cat))\n{TWO}\n", 2, "found 'the' in column 10|found 'the', expected .* in column 10"),
        (f"{ONE}\n\n{TWO}\n", 2, "no tree in the gold file"),
        (f"{ONE}\n(())\n{TWO}\n", 2, "no tree in the gold file"),
        (f"( (S\n    (NP (NN a))\n    (VP (VB b) c)\n))\n{ONE}\n{TWO}\n", 3, "found 'c'.* in column 16"),
        (f"( (S\n    (NP (NN a))\n{ONE}\n{TWO}\n", 2, "broken tree: 2 opened and never closed"),
    ],
)
def test_a_broken_gold_tree_is_an_error_with_its_line(write: Write, content: str, line: int, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        read([write("a", f"{ONE}\n")], references=[write("gold", content)])
    assert caught.value.line == line


def test_a_blank_line_at_the_end_of_the_gold_is_no_tree(write: Write) -> None:
    found = read([write("a", f"{ONE}\n{TWO}\n")], references=[write("gold", f"{ONE}\n{TWO}\n\n")])
    assert found.golds[0].references == ((ONE, TWO),)
    assert found.golds[0].notation == "tree"


def test_a_file_that_is_mostly_broken_is_an_error(write: Write) -> None:
    with pytest.raises(InputError, match="a:1: broken tree: found 'the'"):
        read([write("a", f"the cat sat\nit rains\n{ONE}\n")], reader="trees")


@pytest.mark.parametrize(
    "text",
    [
        "(He left.)\nIt was (almost) late.\n(laughs loudly) Why?\n",
        "(applause)\n(laughs loudly)\n(applause)\n",
        "(1) First of all.\n(2) Second.\n",
        "(()) is a list in a list\n((())) too\n",
        "(" * 300 + "\n" + "(" * 300 + "\n",
        "(defun f (x) (* x x))\n(f 2)\n(print (f 3))\n",
        "(())\n\n",
    ],
)
def test_sentences_with_brackets_are_no_trees(write: Write, text: str) -> None:
    (run,) = read([write("a.txt", text)]).runs
    assert (run.notation, run.outputs) == ("text", tuple(text.splitlines()))


@settings(max_examples=examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.lists(st.sampled_from(["(", ")", " ", "\n", "a", "NP", "(DT the)", "\n("]), max_size=30).map("".join))
@example("(" * 20_000)
@example("(S " * 20_000 + ")" * 20_000)
@example("(S (NN a))\n" + ")" * 20_000)
def test_whatever_is_in_the_file_only_our_errors_are_raised(tmp_path: Path, text: str) -> None:
    file = tmp_path / "a"
    file.write_text(text or " ", encoding="utf-8")
    for reader in (None, "trees", "evalb"):
        for references in ([], [str(file)]):
            try:
                found = read([str(file)], references=references, reader=reader)
                data = align(found.runs, found.golds)
                for cell in data.by_run.values():
                    metrics.make("evalb").statistics(cell)
            except OutscoreError as error:
                assert str(error)


# EVALB's reports

REPORT = """  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
   1    4    0  100.00 100.00     4      4    4      0      4     4   100.00
2 : Length unmatch (4|3)
   2    5    1    0.00   0.00     0      0    0      0      4     0     0.00
   3    4    0   50.00  66.67     2      4    3      1      4     3    75.00
============================================================================
                 75.00  85.71      6      8    7     1      8     7    87.50
=== Summary ===

-- All --
Number of sentence        =      3
"""


def test_a_report_is_read_as_counts(write: Write) -> None:
    (run,) = read([write("a.rsl", REPORT)]).runs
    assert run.ids is None
    columns = {name: values.tolist() for name, values in run.columns.items()}
    assert columns == {
        "length": [4, 5, 4],
        "status": [0, 1, 0],
        "matched": [4, 0, 2],
        "gold_brackets": [4, 0, 4],
        "test_brackets": [4, 0, 3],
        "crossing": [0, 0, 1],
        "words": [4, 0, 4],
        "tags": [4, 0, 3],
    }
    (note,) = run.notes
    assert note.code == "evalb_skipped"
    assert "EVALB left 1 of 3 sentences out of the sums" in note.text


def test_a_report_of_a_run_that_was_stopped_or_has_no_rule_at_its_end_is_read(write: Write) -> None:
    head = "\n".join(REPORT.splitlines()[:3])
    (run,) = read([write("a", f"{head}\n   1    4    0  1 1 4 4 4 0 4 4 100.00\n")]).runs
    assert (run.n, run.notes) == (1, ())


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("   3    4    0", "   4    4    0", r"a:7: found '4    4    0 .*expected the 12 numbers of sentence 3;"),
        ("   3    4    0   50.00", "   3    4    0   50.00 x", r"a:7: "),
        ("   3    4    0", "-<1>---(wn1=  4, bn1=  4)-\n   3    4    0", r"a:7: found '-<1>.*without -d"),
    ],
)
def test_a_broken_report_is_refused_with_its_line(write: Write, old: str, new: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read([write("a", REPORT.replace(old, new))])


def test_a_report_without_sentences_is_refused(write: Write) -> None:
    head = "".join(f"{line}\n" for line in REPORT.splitlines()[:3])
    with pytest.raises(InputError, match="the table has no sentences"):
        read([write("a", head + "=" * 76 + "\n")])
    with pytest.raises(InputError, match="no table of sentences"):
        read([write("a", head.replace("=", "-"))])


@pytest.mark.data
def test_a_report_gives_the_scores_of_the_trees_it_was_made_of(data_root: Path) -> None:
    folder = data_root / "data/parse_evalb_sample"
    parameters = folder / "sample.prm"
    trees = read([str(folder / "sample.tst")], references=[str(folder / "sample.gld")])
    report = read([f"sample={folder / 'sample.rsl'}"])
    assert [run.source.reader for run in (*trees.runs, *report.runs)] == ["trees", "evalb"]
    ours, theirs = (align(found.runs, found.golds).by_run["sample", "1"] for found in (trees, report))
    for measure in ("f1", "exact", "crossing", "tagging"):
        metric = metrics.make(f"evalb:parameters={parameters},measure={measure},cutoff=40")
        np.testing.assert_array_equal(metric.statistics(ours), metric.statistics(theirs))
    assert float(metrics.make("evalb").score(metrics.make("evalb").statistics(theirs).sum(axis=0))) == pytest.approx(
        200 * 86 / (98 + 95)
    )
