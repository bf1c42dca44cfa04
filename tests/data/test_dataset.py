"""A dataset is never changed: what leaves items out or adds a note gives another, in which everything fits again."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import outscore
from outscore.base.notes import Note
from outscore.data import Dataset

ROWS = "system,item,sample,score,output,reference,domain\n" + "".join(
    f"{system},q{item},{sample},{item + sample},{system}{item}{sample},gold{item},{('even', 'odd')[item % 2]}\n"
    for system in "ab"
    for item in range(4)
    for sample in range(1 if item == 1 else 2)
)


@pytest.fixture
def data(tmp_path: Path) -> Dataset:
    (tmp_path / "scores.csv").write_text(ROWS, encoding="utf-8")
    return outscore.read(str(tmp_path / "scores.csv"))


def without_q0(data: Dataset) -> Dataset:
    def said(dropped: object, n_read: int) -> Note:
        return Note(code="gone", text=f"{dropped} of {n_read}")

    return data.without_items({0: "too long"}, said)


def test_a_dataset_is_shown_in_one_line_that_says_what_it_holds(data: Dataset, tmp_path: Path) -> None:
    """However long the data are: a notebook shows the last value of a cell, a debugger every argument."""
    file = tmp_path / "scores.csv"
    holds = "outputs, references, score, domain"
    assert repr(data) == f"<Dataset: 2 systems (a, b), 4 items; {holds}; from {file}>"
    many = "system,item,score\n" + "".join(f"s{system},{item},1\n" for system in range(9) for item in range(500))
    file.write_text(many, encoding="utf-8")
    assert repr(outscore.read(str(file))) == (
        f"<Dataset: 9 systems (s0, s1, s2, s3, s4 and 4 more), 500 items; score; from {file}>"
    )


def test_what_is_left_out_goes_from_every_sample_column_label_and_count(data: Dataset) -> None:
    left = without_q0(data)
    assert left.items == ("q1", "q2", "q3")
    assert left.labels["domain"] == ("odd", "even", "odd")
    first, second = left.layers["b", "1"]
    assert list(first.outputs or ()) == ["b10", "b20", "b30"]
    assert list(second.outputs or ()) == ["b10", "b21", "b31"]  # q1 has one sample, which stands for its second
    assert second.columns["score"].tolist() == [1, 3, 4]
    assert list(first.references[0]) == ["gold1", "gold2", "gold3"]
    assert first.n == 3
    assert left.sample_counts["b", "1"].tolist() == [1, 2, 2]
    assert left.dropped == {"q0": "too long"}
    assert left.n_items_read == 4


def test_the_dataset_that_items_were_left_out_of_is_as_it_was(data: Dataset) -> None:
    without_q0(data)
    assert data.items == ("q0", "q1", "q2", "q3")
    assert data.dropped == {}
    assert "gone" not in {note.code for note in data.notes}
    with pytest.raises(FrozenInstanceError):
        data.items = ()  # type: ignore[misc]


def test_systems_share_their_references_after_items_were_left_out(data: Dataset) -> None:
    """As many copies as runs and samples would fill the memory."""
    left = without_q0(data)
    assert len({id(cell.references[0]) for cell in left.all_runs}) == 1
    assert all(cell.labels is left.labels for cell in left.all_runs)


def test_a_note_takes_the_place_of_one_of_its_code(data: Dataset) -> None:
    """Else a count of items would stand beside that of the items that were left before."""
    first, again, other = (Note(code=code, text=text) for code, text in (("a", "one"), ("a", "two"), ("b", "three")))
    said = data.with_notes(first, other).with_notes(again).notes
    assert said[-2:] == (other, again)
    assert first not in said
    assert data.with_notes(first).without_notes("a").notes == data.notes


def test_what_was_left_out_of_several_is_said_by_the_name_of_each(data: Dataset) -> None:
    whole = Dataset.joined([("one", without_q0(data)), ("two", data)])
    assert whole.dropped == {"one: q0": "too long"}
    assert whole.n_items_read == 8
    assert whole.sources == data.sources  # both were read from the same file
