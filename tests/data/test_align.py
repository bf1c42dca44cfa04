"""Aligning: by id where there are ids, by position for plain lines, and nothing is dropped silently."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from outscore.base.errors import InputError, UsageError
from outscore.data import align
from outscore.data.frames import runs_from
from outscore.data.run import Gold, Run
from outscore.results.result import SourceFile


def source(file: str, role: str = "system") -> SourceFile:
    return SourceFile(file=file, role=role, reader="test", sha256="0", n_items=0)


def run(system: str, ids: str | None = "x y z", scores: Any = (1, 0, 1), name: str = "1", **more: Any) -> Run:
    return Run(
        system=system,
        run=name,
        ids=tuple(ids.split()) if ids else None,
        columns={} if scores is None else {"score": np.array(scores, dtype=float)},
        source=source(f"{system}.csv"),
        **more,
    )


def gold(ids: str | None, role: str = "reference", **more: Any) -> Gold:
    return Gold(ids=tuple(ids.split()) if ids else None, source=source("gold.csv", role), **more)


def test_items_are_joined_by_id_in_the_order_of_the_first_run() -> None:
    a = run("A", "x y z", (1, 2, 3), outputs=("ax", "ay", "az"))
    b = run("B", "z x y", (30, 10, 20), outputs=("bz", "bx", "by"))
    aligned = align([a, b])
    assert aligned.items == ("x", "y", "z")
    assert aligned.by_run["B", "1"].columns["score"].tolist() == [10, 20, 30]
    assert aligned.by_run["B", "1"].outputs == ("bx", "by", "bz")
    assert aligned.systems == ("A", "B")
    assert aligned.n_items_read == 3


def test_plain_lines_are_joined_by_position() -> None:
    aligned = align([run("A", None), run("B", None)])
    assert aligned.items == ("1", "2", "3")


def test_runs_stand_under_their_system() -> None:
    aligned = align([run("A", name="opt0"), run("B"), run("A", name="opt1")])
    assert aligned.runs == {"A": ("opt0", "opt1"), "B": ("1",)}


def test_counts_of_lines_that_differ_are_both_named() -> None:
    with pytest.raises(InputError, match=r"B.csv: 2 items, but A.csv has 3"):
        align([run("A", None), run("B", None, (1, 1))])


def test_references_of_another_length_are_named() -> None:
    with pytest.raises(InputError, match=r"gold.csv: 2 items, but A.csv has 3"):
        align([run("A", None)], [gold(None, references=(("a", "b"),))])


@pytest.mark.parametrize("missing", ["error", "drop"])
def test_a_run_twice_is_refused(missing: Any) -> None:
    with pytest.raises(InputError, match="run '1' of system 'A' is also in"):
        align([run("A"), run("A")], missing=missing)


def test_ids_and_positions_do_not_mix() -> None:
    with pytest.raises(InputError, match=r"B.csv: has no item ids, but A.csv has them"):
        align([run("A"), run("B", None)])


def test_a_duplicate_id_is_named() -> None:
    with pytest.raises(InputError, match=r"B.csv: duplicate id 'x'"):
        align([run("A"), run("B", "x y x")])


def test_ids_that_differ_are_counted_and_named() -> None:
    with pytest.raises(InputError, match=r"B.csv: system 'B' \(run '1'\) lacks 1 of 3 items, 'z'"):
        align([run("A"), run("B", "x y", (1, 1))])
    with pytest.raises(InputError, match=r"A.csv: system 'A' \(run '1'\) lacks 1 of 4 items, 'w'"):
        align([run("A"), run("B", "x y z w", (1, 1, 1, 1))])


def test_dropping_takes_the_item_from_all_systems_and_says_so() -> None:
    aligned = align([run("A", "x y z", (1, 2, 3)), run("B", "w z x", (4, 3, 1))], missing="drop")
    assert aligned.items == ("x", "z")
    assert aligned.by_run["A", "1"].columns["score"].tolist() == [1, 3]
    assert aligned.by_run["B", "1"].columns["score"].tolist() == [1, 3]
    assert aligned.dropped == {
        "y": "absent from system 'B' (run '1')",
        "w": "absent from system 'A' (run '1')",
    }
    assert aligned.n_items_read == 4
    assert [n.code for n in aligned.notes] == ["dropped_items"]


@pytest.mark.parametrize(("value", "what"), [(np.nan, "missing"), (np.inf, "infinite"), (-np.inf, "infinite")])
def test_a_score_that_is_no_number_names_its_items(value: float, what: str) -> None:
    with pytest.raises(InputError, match=rf"B.csv: 'score' is {what}.*'y'"):
        align([run("A"), run("B", scores=(1, value, 0))])


@pytest.mark.parametrize("ids", ["x y z", None])
def test_missing_scores_are_dropped_in_all_systems(ids: str | None) -> None:
    a = run("A", ids, outputs=("a", "b", "c"))
    aligned = align([a, run("B", ids, (1, np.nan, 0))], missing="drop")
    assert aligned.items == (("x", "z") if ids else ("1", "3"))
    assert aligned.by_run["A", "1"].outputs == ("a", "c")
    assert aligned.by_run["B", "1"].columns["score"].tolist() == [1, 0]
    assert list(aligned.dropped.values()) == ["'score' is missing (NaN) in system 'B' (run '1')"]


def test_five_items_are_named_and_the_rest_counted() -> None:
    ids = " ".join(f"i{k}" for k in range(10))
    with pytest.raises(InputError, match="'i0', 'i1', 'i2', 'i3', 'i4' and 4 more"):
        align([run("A", ids, [np.nan] * 9 + [1.0])])


def test_dropping_everything_is_an_error() -> None:
    with pytest.raises(InputError, match="no item is left"):
        align([run("A", "x y", (1, 0)), run("B", "x z", (1, 0)), run("C", "x y z", (np.nan, 1, 1))], missing="drop")


def test_ids_that_are_long_texts_are_cut_in_errors() -> None:
    with pytest.raises(InputError, match=r"'y{40}…' here, 'x{40}…' there"):
        align([run("A", "x" * 99, (1,)), run("B", "y" * 99, (1,))])


@pytest.mark.parametrize("missing", ["error", "drop", "zero"])
def test_systems_without_a_common_id_are_refused_whatever_is_missing(missing: Any) -> None:
    # scored 0 wherever the other is there, both would be wrong everywhere
    with pytest.raises(InputError, match=r"B.csv: system 'B' .* no item id in common .* in A.csv: 'u'"):
        align([run("A", "x y z"), run("B", "u v w")], missing=missing)


def test_references_are_joined_by_id() -> None:
    streams = (("rz", "rx", "ry"), ("sz", "sx", "sy"))
    aligned = align([run("A")], [gold("z x y", references=streams)])
    assert aligned.by_run["A", "1"].references == (("rx", "ry", "rz"), ("sx", "sy", "sz"))


def test_several_reference_files_are_streams_in_order() -> None:
    golds = [gold(None, references=(("a", "b", "c"),)), gold(None, references=(("d", "e", "f"),))]
    assert align([run("A", None)], golds).by_run["A", "1"].references == (("a", "b", "c"), ("d", "e", "f"))


def test_an_item_that_only_the_references_have_was_left_unanswered() -> None:
    references = gold("x y z w", references=(("1", "1", "1", "1"),))
    with pytest.raises(InputError, match=r"system 'A' .* lacks 1 of 4 items, 'w', which gold.csv has"):
        align([run("A")], [references])
    assert align([run("A")], [references], missing="drop").dropped == {"w": "absent from system 'A' (run '1')"}


def test_descriptions_may_know_more_items_but_not_fewer() -> None:
    more = gold("w x y z", "items", labels={"domain": ("a", "b", "c", "d")})
    assert align([run("A")], [more]).labels == {"domain": ("b", "c", "d")}
    with pytest.raises(InputError, match=r"gold.csv: the description of the items lacks 1 of 3 items, 'z'"):
        align([run("A")], [gold("x y w", "items", labels={"domain": ("a", "b", "c")})])


def test_gold_without_ids_does_not_fit_runs_with_ids() -> None:
    with pytest.raises(
        InputError, match=r": 3 items without ids, but those of A.csv have ids \(3: 'x', 'y', 'z'\); add"
    ):
        align([run("A")], [gold(None, references=(("a", "b", "c"),))])


def test_gold_with_line_numbers_fits_plain_lines() -> None:
    aligned = align([run("A", None)], [gold("2 3 1", references=(("two", "three", "one"),))])
    assert aligned.by_run["A", "1"].references == (("one", "two", "three"),)


def test_gold_with_other_ids_does_not_fit_plain_lines() -> None:
    with pytest.raises(InputError, match="has item ids"):
        align([run("A", None)], [gold("0 1 2", references=(("a", "b", "c"),))])


def test_descriptions_fit_plain_lines_by_their_rows() -> None:
    aligned = align([run("A", None)], [gold("0 1 2", "items", labels={"domain": ("a", "b", "c")})])
    assert aligned.labels == {"domain": ("a", "b", "c")}
    assert [n.code for n in aligned.notes] == ["items_by_row_order"]


def test_contradictory_labels_are_an_error() -> None:
    a = run("A", labels={"cluster": ("1", "1", "2")})
    b = run("B", "z y x", labels={"cluster": ("2", "3", "1")})
    with pytest.raises(InputError, match=r"item 'y' has cluster '3' for system 'B' but '1' for system 'A'"):
        align([a, b])


def test_texts_that_differ_between_systems_describe_no_item() -> None:
    a, b = run("A", labels={"comment": ("p", "q", "r")}), run("B", labels={"comment": ("p", "q", "s")})
    aligned = align([a, b])
    assert aligned.labels == {}
    assert [n.code for n in aligned.notes] == ["label_left_out"]


def test_a_label_in_one_file_holds_for_all() -> None:
    b = run("B", "z y x", labels={"domain": ("c", "b", "a")})
    assert align([run("A"), b]).labels == {"domain": ("a", "b", "c")}


def test_references_inside_the_files_are_shared() -> None:
    a = run("A", outputs=("1", "2", "3"), references=(("p", "q", "r"),))
    aligned = align([run("B", outputs=("1", "2", "3")), a])
    assert aligned.by_run["B", "1"].references == (("p", "q", "r"),)


def test_contradictory_references_are_an_error() -> None:
    a, b = run("A", references=(("p", "q", "r"),)), run("B", references=(("p", "X", "r"),))
    with pytest.raises(InputError, match=r"item 'y' has the reference 'X' for system 'B' but 'q'"):
        align([a, b])


def test_references_given_apart_replace_those_inside_and_it_is_noted() -> None:
    aligned = align([run("A", references=(("p", "q", "r"),))], [gold("x y z", references=(("1", "2", "3"),))])
    assert aligned.by_run["A", "1"].references == (("1", "2", "3"),)
    assert [n.code for n in aligned.notes] == ["references_replaced"]


def test_a_column_that_a_system_lacks_is_left_out_with_a_note() -> None:
    b = Run(
        system="B",
        run="1",
        ids=("x", "y", "z"),
        columns={"score": np.ones(3), "tp": np.array([np.nan, 1, 1])},
        source=source("B.csv"),
    )
    aligned = align([run("A"), b])
    assert set(aligned.by_run["B", "1"].columns) == {"score"}
    assert [n.code for n in aligned.notes] == ["column_left_out"]


_OTHERS = [
    ((83, 71, 90), True),
    ((1, 0, 0), False),
    ((0, 100, 0), True),
    ((-1.2, 45, 100), True),
    ((-96, 90, 95), False),
]


@pytest.mark.parametrize(("other", "noted"), _OTHERS)
def test_mixed_scales_are_noted(other: tuple[float, ...], noted: bool) -> None:
    aligned = align([run("A", scores=(0.8, 0.9, 0.7)), run("B", scores=other)])
    assert ("mixed_scale" in [n.code for n in aligned.notes]) is noted


def test_counts_are_no_mixed_scale() -> None:
    assert align([run("A", scores=(1, 0, 1)), run("B", scores=(2, 1, 3))]).notes == ()


@pytest.mark.parametrize(
    ("mark", "others", "noted"),
    [
        (-1, (0.2, 0.5, 0.9), True),
        (-1, (-0.02, 0.5, 1.0), True),
        (-999, (0, 1, 1), True),
        (99, (1, 5, 3), True),
        (-1, (2, 5, 1), False),  # as far from 1 as 3 is
        (-1, (-0.8, 0.3, 0.9), False),
        (99, (82, 91, 74), False),
        (98, (1, 5, 3), False),
    ],
)
@pytest.mark.parametrize("many", [False, True])
def test_numbers_that_often_stand_for_none_are_noted(
    mark: float, others: tuple[float, ...], noted: bool, many: bool
) -> None:
    ids = " ".join(f"q{i}" for i in range(12))
    scores = [*others * 4]
    marked = [mark] * 6 + scores[6:] if many else [mark, *scores[1:]]
    aligned = align([run("A", ids=ids, scores=scores), run("B", ids=ids, scores=marked)])
    said = [note.text for note in aligned.notes if note.code == "looks_missing"]
    assert bool(said) is (noted and not many)
    if said:
        assert said == [f"'score' is {mark} on 1 item of 'B', counted as any other; no other is near it"]


def test_every_source_is_kept_once() -> None:
    a = run("A")
    b = Run(system="B", run="1", ids=a.ids, columns=a.columns, source=a.source)
    references = gold("x y z", references=(("1", "1", "1"),))
    assert [s.file for s in align([a, b], [references]).sources] == ["A.csv", "gold.csv"]


def test_a_column_of_another_length_is_refused() -> None:
    with pytest.raises(InputError, match=r"columns of \[2, 3\] values"):
        align([run("A", scores=(1, 0))])


def test_nothing_to_align_and_unknown_policies_are_usage_errors() -> None:
    with pytest.raises(UsageError, match="no runs"):
        align([])
    with pytest.raises(UsageError, match="missing='skip'"):
        align([run("A")], missing="skip")  # type: ignore[arg-type]


def test_what_was_dropped_names_who_was_incomplete_and_what_it_cost() -> None:
    items = [f"q{i}" for i in range(10)]
    whole = {"full": dict.fromkeys(items, 1.0)}
    lacking = {"few": dict.fromkeys(items[:7], 1.0), "less": dict.fromkeys(items[1:8], 1.0)}
    (note,) = align(runs_from({**whole, **lacking}), missing="drop").notes
    assert note.text.startswith("4 of 10 items were left out in all systems ('")
    assert "2 absent from system 'few' (run '1'), system 'less' (run '1')" in note.text
    assert "; 1 absent from system 'few' (run '1')" in note.text
    assert "; 1 absent from system 'less' (run '1')" in note.text
