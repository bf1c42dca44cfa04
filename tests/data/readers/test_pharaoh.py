"""Word alignments through the real readers: where positions begin, sentences without links, look-alikes."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from outscore.base.errors import InputError, OutscoreError, UsageError
from outscore.data import align, read
from outscore.data.collection import Collection
from outscore.metrics import metrics
from tests.data.files import Write
from tests.examples import examples

LINES = "0-0 1-1 2-2\n\n0-1 1-0\n"
NAACL = "0001 1 1 S\n0001 2 3 P\n0003 1 1\n0003 2 2 S 0.9\n0003 0 3 S\n"


def aer(found: Collection, missing: str = "error") -> float:
    """AER of the first system."""
    metric = metrics.make("aer")
    cells = align(found.runs, found.golds, missing=missing).by_run  # type: ignore[arg-type]
    return float(metric.score(metric.statistics(next(iter(cells.values()))).sum(axis=0)))


# Pharaoh


@pytest.mark.parametrize("name", ["a.talp", "a.txt", "a"])
def test_links_are_read_by_position_and_an_empty_line_is_no_links(write: Write, name: str) -> None:
    (run,) = read([write(name, LINES)]).runs
    assert (run.source.reader, run.notation, run.ids) == ("pharaoh", "links", None)
    assert run.outputs == ("0-0 1-1 2-2", "", "0-1 1-0")


def test_possible_links_are_spelled_in_one_way_and_probabilities_are_left_out(write: Write) -> None:
    found = read([write("a", "1-0:0.75 0-0:1e-05\n")], references=[write("gold.talp", "11p42 0?1 2-2\n")])
    assert found.runs[0].outputs == ("0-0 1-0",)
    assert (found.golds[0].references, found.golds[0].notation) == ((("0?1 2-2 11?42",),), "links")


def test_positions_may_count_from_1_in_all_files_or_in_the_gold_only(write: Write) -> None:
    from_0, from_1 = write("a", "0-0 1-2\n0-0\n"), write("b", "1-1 2p3\n1-1 2-2\n")
    both = read([from_1], references=[from_1], reader="pharaoh:base=1")
    assert both.runs[0].outputs == ("0-0 1?2", "0-0 1-1")
    gold = read([from_0], references=[from_1], reader="pharaoh:gold=1")
    assert gold.runs[0].outputs == ("0-0 1-2", "0-0")
    assert gold.golds[0].references == (("0-0 1?2", "0-0 1-1"),)
    assert aer(gold) == pytest.approx(100 * (1 - (2 + 3) / (3 + 3)))


def test_a_position_0_in_a_file_that_counts_from_1_is_an_error(write: Write) -> None:
    with pytest.raises(InputError, match="a:2: found position 0, expected positions from 1; give --reader") as caught:
        read([write("a", "1-1 2-2\n1-0 2-2\n")], reader="pharaoh:base=1")
    assert caught.value.line == 2


def test_a_long_file_without_any_0_is_refused_unless_the_user_says_where_it_begins(write: Write) -> None:
    from_1, from_0 = "1-1 2-2\n" * 20, "0-0 1-1\n" * 20
    says = "no link of 20 sentence pairs has position 0, expected positions from 0; give --reader pharaoh:{}=1"
    with pytest.raises(InputError, match=f"a: {says.format('base')}"):
        read([write("a", from_1)])
    with pytest.raises(InputError, match=f"gold: {says.format('gold')}"):
        read([write("b", from_0)], references=[write("gold", from_1)])
    assert aer(read([write("b", from_0)], references=[write("gold", from_1)], reader="pharaoh:gold=1")) == 0
    assert aer(read([write("b", from_0)], references=[write("gold", from_1)], reader="pharaoh:gold=0")) == 50
    for kept in (from_1.replace("1-1", "1-0", 1), from_1[:-8]):
        assert read([write("a", kept)]).runs[0].outputs == tuple(kept.splitlines())


def test_the_first_position_is_0_or_1() -> None:
    with pytest.raises(UsageError, match="pharaoh:base=2: expected 0 or 1"):
        read(["a"], reader="pharaoh:base=2")
    with pytest.raises(UsageError, match="pharaoh:gold=-1: expected 0 or 1"):
        read(["a"], reader="pharaoh:gold=-1")


@pytest.mark.parametrize("word", ["1", "1-", "1-2-3", "a-b", "1—2", "١-٢", "0-0,", "1-2:x", "9999999999-1"])
def test_one_bad_link_is_an_error_with_its_line(write: Write, word: str) -> None:
    with pytest.raises(InputError, match=r"a:2: found .*, expected links like 0-0") as caught:
        read([write("a", f"0-0 1-1\n0-0 {word}\n1-1 2-2\n")])
    assert caught.value.line == 2


@pytest.mark.parametrize(
    "text",
    [
        "2-1\n0-0\n1-3\n",  # results of matches
        "0-0 1-1 is how links look\nIt ended 0-0\nnothing\n",
        "2020-01-15\n2020-02-01\n",
        "1990-1995\n1996-2001\n",
        "The score was 2-1 .\n0-0 1-1\nWhat a game !\n",
    ],
)
def test_texts_with_hyphened_numbers_are_no_alignments(write: Write, text: str) -> None:
    assert read([write("a.txt", text)]).runs[0].notation == "text"


# NAACL


def test_links_are_joined_by_sentence_and_missing_sentences_have_none(write: Write) -> None:
    (run,) = read([write("a", NAACL)]).runs
    assert (run.source.reader, run.notation) == ("naacl", "links")
    assert (run.ids, run.outputs) == (("1", "2", "3"), ("0-0 1?2", "", "0-0 1-1"))
    (note,) = run.notes
    assert note.code == "no_links"
    assert note.text.endswith("a has no line for 1 sentence, first for 2: taken as sentences without links")


def test_lines_without_s_or_p_are_sure_and_in_any_order_with_marks(write: Write) -> None:
    assert read([write("a", "1 1 1\n1 2 2\n2 1 2\n")]).runs[0].outputs == ("0-0 1-1", "0-1")
    assert read([write("b", "2 1 2 S\n1 2 2 S\n1 1 1 P\n")]).runs[0].outputs == ("0?0 1-1", "0-1")


def test_a_sentence_of_empty_words_only_is_there_without_links(write: Write) -> None:
    (run,) = read([write("a", "1 0 5 S\n2 1 1 S\n")]).runs
    assert (run.ids, run.outputs, run.notes) == (("1", "2"), ("", "0-0"), ())


def test_sentences_that_a_file_lacks_at_its_end_are_given_by_their_number(write: Write) -> None:
    gold = write("gold", "1 1 1 S\n2 1 1 S\n3 1 1 S\n")
    system = write("a", "0001 1 1 S\n")
    with pytest.raises(InputError, match="lacks 2 of 3 items"):
        aer(read([system], references=[gold]))
    found = read([system], references=[gold], reader="naacl:sentences=3")
    assert found.runs[0].outputs == ("0-0", "", "")
    assert aer(found) == pytest.approx(50)
    assert aer(read([system], references=[gold]), missing="zero") == pytest.approx(50)


def test_a_part_of_a_longer_test_set_is_not_filled(write: Write) -> None:
    (run,) = read([write("a", "101 1 1 S\n102 1 1 S\n")]).runs
    assert (run.ids, run.notes) == (("101", "102"), ())


def test_a_numbered_gold_file_fits_lines_of_links(write: Write) -> None:
    found = read([write("a", "0-0 1-2\n\n0-0\n")], references=[write("gold", NAACL)])
    assert aer(found) == pytest.approx(100 * (1 - (2 + 3) / (3 + 3)))


@pytest.mark.parametrize(
    ("content", "reader", "says"),
    [
        ("1 1 1 S\n1 2\n2 1 1 S\n", None, "a:2: found '1 2', expected sentence, source and target position"),
        ("1 1 1 S\n1 x 2 S\n2 1 1 S\n", None, "a:2: found '1 x 2 S'"),
        ("1 1 1 S\n1 2 2 Q\n2 1 1 S\n", None, "a:2: found '1 2 2 Q'"),
        ("0 1 1 S\n1 2 2 S\n", None, "a: names sentence 0, expected 1 to 1; number the sentences from 1"),
        ("1 1 1 S\n7 2 2 S\n", "naacl:sentences=5", "a: names sentence 7, expected 1 to 5; mend naacl:sentences=5"),
        ("\n \n", "naacl", "a: the file has no links"),
    ],
)
def test_a_broken_file_is_refused(write: Write, content: str, reader: str | None, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read([write("a", content)], reader=reader)


def test_the_number_of_sentences_is_none_below_0() -> None:
    with pytest.raises(UsageError, match="naacl:sentences=-1: expected a number of sentences"):
        read(["a"], reader="naacl:sentences=-1")


@pytest.mark.parametrize(
    "text",
    [
        "1 0 5 1\n1 0 6 0\n2 0 5 1\n",  # relevance judgements
        "2 1030303 1\n2 5002 2\n9 77 1\n",  # rankings of passages
        "1 2 3\n4 5 6\n7 8 9\n",  # numbers
        "I have 3 cats\n1 1 1 S\n",
    ],
)
def test_other_tables_of_whole_numbers_are_no_alignments(write: Write, text: str) -> None:
    try:
        (run,) = read([write("a", text)]).runs
    except InputError as error:
        assert "naacl" not in str(error)
    else:
        assert run.notation != "links"


# both


@settings(max_examples=examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(
        st.lists(
            st.sampled_from(["0-0", "1?2", "3p4", "1-1:0.5", "x", "1", "0", "0007", "S", "P", "9" * 30]), max_size=5
        ),
        max_size=6,
    )
)
def test_whatever_is_in_the_file_only_our_errors_are_raised(tmp_path: Path, lines: list[list[str]]) -> None:
    file = tmp_path / "a"
    file.write_text("\n".join(" ".join(words) for words in lines) or " ", encoding="utf-8")
    for reader in (None, "pharaoh", "pharaoh:base=1", "naacl", "naacl:sentences=3"):
        try:
            found = read([str(file)], references=[str(file)], reader=reader)
            data = align(found.runs, found.golds)
            for cell in data.by_run.values():
                metrics.make("aer").statistics(cell)
        except OutscoreError as error:
            assert str(error)


@pytest.mark.data
def test_two_notations_of_the_hansards_give_one_rate(data_root: Path, write: Write) -> None:
    with gzip.open(data_root / "data/align_enfr_hansards/alignments.tsv.gz", "rt", encoding="utf-8") as file:
        names, *rows = [line.rstrip("\n").split("\t") for line in file]
    system = names.index("fastalign-grow-diagonal")
    pharaoh = write("a.talp", "".join(f"{row[system]}\n" for row in rows))
    gold = write("gold.talp", "".join(f"{row[3]} {row[4].replace('-', 'p')}\n" for row in rows))
    assert aer(read([pharaoh], references=[gold])) == pytest.approx(10.4760, abs=5.1e-5)

    def numbered(cell: str, number: str, mark: str) -> str:
        pairs = [link.split("-") for link in cell.split()]
        return "".join(f"{number.zfill(4)} {int(i) + 1} {int(j) + 1}{mark}\n" for i, j in pairs)

    naacl = write("b.wa", "".join(numbered(row[system], row[0], "") for row in rows))
    marked = write("gold.wa", "".join(numbered(row[3], row[0], " S") + numbered(row[4], row[0], " P") for row in rows))
    assert aer(read([naacl], references=[marked])) == pytest.approx(10.4760, abs=5.1e-5)
    assert aer(read([pharaoh], references=[marked])) == pytest.approx(10.4760, abs=5.1e-5)
