"""Runs and relevance judgements of TREC: which they are, what they hold, and what is wrong with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from outscore.base.errors import InputError, UsageError
from outscore.data import align, read
from outscore.data.read import choose
from outscore.data.readers import Context, Role
from outscore.data.source import open_source
from outscore.metrics import metrics
from tests.data.files import Write

RUN = "q1 Q0 d7 1 14.2 bm25\nq1 Q0 d3 2 11.9 bm25\nq2 Q0 d1 1 9.5 bm25\n"
QRELS = "q1 0 d7 2\nq1 0 d3 0\nq2 0 d1 1\n"


def test_a_run_holds_a_ranking_for_each_query_and_is_named_by_its_tag(write: Write) -> None:
    (run,) = read([write("a.run", RUN)]).runs
    assert (run.system, run.source.reader, run.notation) == ("bm25", "trec", "ranking")
    assert run.ids == ("q1", "q2")
    assert run.outputs == ("d7 14.2\nd3 11.9", "d1 9.5")


def test_the_name_that_was_given_goes_before_the_tag_and_the_file_name_before_many_tags(write: Write) -> None:
    file = write("a.run", RUN)
    assert read([f"mine={file}"]).runs[0].system == "mine"
    assert read([write("b.run", RUN.replace("9.5 bm25", "9.5 other"))]).runs[0].system == "b"


def test_two_files_with_one_tag_must_be_named(write: Write) -> None:
    with pytest.raises(UsageError, match=r"'bm25'.*is given twice.*NAME=FILE"):
        read([write("a.run", RUN), write("b.run", RUN)])


def test_judgements_are_references_wherever_they_are_given(write: Write) -> None:
    run, qrels = write("a.run", RUN), write("qrels.txt", QRELS)
    for found in (read([run], references=[qrels]), read([run, qrels])):
        (gold,) = found.golds
        assert (gold.ids, gold.references) == (("q1", "q2"), (("d7 2\nd3 0", "d1 1"),))
        assert (gold.source.reader, gold.notation) == ("qrels", "ranking")
        assert [r.system for r in found.runs] == ["bm25"]
    with pytest.raises(InputError, match="was given as the system 'x'"):
        read([f"x={qrels}", run])


def test_lines_of_a_query_may_be_anywhere_and_are_cut_at_any_blanks(write: Write) -> None:
    lines = ["q1\tQ0\td7\t1\t14.2\tbm25", "q2   Q0 d1 1 9.5 bm25 ", "", "q1 Q0 d3 2 11.9 bm25"]
    (run,) = read([write("a.tsv", "\r\n".join(lines))]).runs
    assert run.source.reader == "trec"
    assert run.outputs == ("d7 14.2\nd3 11.9", "d1 9.5")


def test_judgements_of_beir_are_known_by_their_header(write: Write) -> None:
    text = "query-id\tcorpus-id\tscore\nq1\td7\t2\nq1\td3\t0\nq2\td1\t1\n"
    (gold,) = read([write("a.run", RUN)], references=[write("test.tsv", text)]).golds
    assert gold.references == (("d7 2\nd3 0", "d1 1"),)


def test_scores_make_the_order_and_ranks_are_not_read(write: Write) -> None:
    upside_down = "q1 Q0 d3 1 11.9 x\nq1 Q0 d7 2 14.2 x\nq2 Q0 d1 99 9.5 x\n"
    found = read([write("a.run", RUN), write("b.run", upside_down)], references=[write("qrels", QRELS)])
    cells = align(found.runs, found.golds).by_run
    metric = metrics.make("mrr")
    for cell in cells.values():
        assert metric.score(metric.statistics(cell).sum(axis=0)) == 1


def test_a_query_that_a_run_lacks_is_an_error_or_counts_0(write: Write) -> None:
    first, second = write("a.run", RUN), write("b.run", RUN.partition("q2")[0].replace("bm25", "new"))
    found = read([first, second], references=[write("qrels", QRELS)])
    with pytest.raises(InputError, match=r"system 'new' .*lacks 1 of 2 items, 'q2'"):
        align(found.runs, found.golds)
    metric = metrics.make("map")
    aligned = align(found.runs, found.golds, missing="zero")
    scores = [float(metric.score(metric.statistics(cell).sum(axis=0))) for cell in aligned.by_run.values()]
    assert scores == [1, 0.5]
    assert align(found.runs, found.golds, missing="drop").items == ("q1",)


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (RUN + "q2 Q0 d2 2 9.4\n", 4, "found 5 columns, expected 6"),
        (RUN + "q2 Q0 a document 2 9.4 bm25\n", 4, "found 7 columns"),
        (RUN + "q2 Q0 d2 2 high bm25\n", 4, "query 'q2': found 'high' for document 'd2', expected a score"),
        (RUN + "q2 Q0 d2 2 nan bm25\n", 4, "expected a score"),
        (RUN + "q2 Q0 d2 2 1_0 bm25\n", 4, "found '1_0' for document 'd2', expected a score"),  # Python's 10
        (RUN + "q1 Q0 d7 3 9.4 bm25\n", 4, "query 'q1': document 'd7' is listed twice"),
    ],
)
def test_a_line_of_a_run_that_is_wrong_is_named(write: Write, text: str, line: int, found: str) -> None:
    file = write("a.run", text)
    with pytest.raises(InputError, match=found) as caught:
        read([file])
    assert (caught.value.file, caught.value.line) == (file, line)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (QRELS + "q2 0 d2\n", 4, "found 3 columns, expected 4"),
        (QRELS + "q2 0 d2 0.5\n", 4, "query 'q2': found '0.5' for document 'd2', expected a whole number"),
        (QRELS + "q2 0 d2 99999999999\n", 4, "whole number up to 1000000"),  # trec_eval reserves memory for every grade
        (QRELS + "q2 0 d2 1_0\n", 4, "found '1_0' for document 'd2', expected a whole number"),  # Python's 10
        (QRELS + "q2 0 d1 0\n", 4, "'d1' is listed twice"),
    ],
)
def test_a_line_of_judgements_that_is_wrong_is_named(write: Write, text: str, line: int, found: str) -> None:
    file = write("qrels", text)
    with pytest.raises(InputError, match=found) as caught:
        read([write("a.run", RUN)], references=[file])
    assert (caught.value.file, caught.value.line) == (file, line)


def test_a_file_with_nothing_but_blanks_is_refused(write: Write) -> None:
    for reader in ("trec", "qrels"):
        with pytest.raises(InputError, match="no line about a document; "):
            read([write("a", "\n\n")], reader=reader)


@pytest.mark.parametrize("role", ["system", "reference"])
@pytest.mark.parametrize(
    ("text", "reader"),
    [
        (RUN, "trec"),
        (QRELS, "qrels"),
        ("a b c d e f\ng h i j k l\n", "lines"),
        ("he was born 1984\nshe was born 1985\n", "lines"),
        ("0-0 1-1 2-2 3-3\n", "links"),
        ("system\titem\tscore\tdomain\nA\tq1\t1\t2\nB\tq1\t0\t2\n", "table"),
    ],
)
def test_only_files_of_that_form_are_taken_for_them(write: Write, text: str, reader: str, role: Role) -> None:
    file = write("a", text)
    found = choose(open_source(file), Context(file=file, stem="a", sha256="", role=role)).name
    if (reader, role) in (("trec", "reference"), ("links", role)):
        assert found not in ("trec", "qrels", "conll")  # a run is no reference; links are another reader's
    else:
        assert found == reader


def test_words_behind_the_tag_are_no_text(write: Write) -> None:
    with pytest.raises(InputError, match=r"a\.run:1: found 8 columns"):
        read([write("a.run", RUN.replace("bm25\n", "bm25 of today\n"))])


@pytest.mark.parametrize("content", [f"# by bm25\n{RUN}", f"{RUN}# the end\n", f"#\n#ours of 1 2.0 x y\n\n{RUN}"])
def test_comments_in_a_run_are_passed_over(write: Write, content: str) -> None:
    (run,), (plain,) = (read([write(name, text)]).runs for name, text in (("a.run", content), ("b.run", RUN)))
    assert replace(run, source=plain.source) == plain


def test_a_query_may_begin_with_the_mark_of_a_comment(write: Write) -> None:
    (run,) = read([write("a.run", "#1 Q0 d7 1 14.2 bm25\n#1 Q0 d3 2 11.9 bm25\n#2 Q0 d3 1 11.9 bm25\n")]).runs
    assert run.ids == ("#1", "#2")


@pytest.mark.parametrize("comment", ["# made by pooling\n", "# the 2 judges\n", "# ours\n", "#\n"])
@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize("qrels", [QRELS, "query-id\tcorpus-id\tscore\nq1\td7\t1\nq2\td3\t1\n"])
def test_comments_and_blank_lines_among_judgements_are_passed_over(
    write: Write, comment: str, below: bool, qrels: str
) -> None:
    content = f"{qrels}\n{comment}" if below else f"{comment}\n{qrels}"
    (gold,) = read([write("a.run", RUN)], references=[write("q", content)]).golds
    (plain,) = read([write("a.run", RUN)], references=[write("q2", qrels)]).golds
    assert replace(gold, source=plain.source) == plain
