"""What a comparison finds in the history of its test set, through the public functions."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.arrays import Float
from outscore.base.errors import InputError, UsageError
from outscore.multiplicity.online import PROCEDURES, online_levels
from outscore.results.comparison import Comparison
from outscore.results.history import PairInHistory, SetHistory
from outscore.results.leaderboard import Leaderboard
from tests.cli.commandline import BASE, NEW, REFERENCES

N = 40
RNG = np.random.default_rng(0)
ITEM = RNG.normal(size=N)
SYSTEMS: dict[str, Float] = {f"s{k}": ITEM + RNG.normal(size=N) + (k % 3 == 0) for k in range(8)}


def compared(history: Any, *names: str, data: Mapping[str, Any] | None = None, **how: Any) -> Comparison:
    """``s0`` with these systems; numbers by id unless ``data`` are given."""
    ids = {name: {f"q{i}": float(v) for i, v in enumerate(SYSTEMS[name])} for name in ("s0", *names)}
    return outscore.compare(data or ids, history=history, **{"test": "t", "n_resamples": 99, **how})


def ranked(history: Any, *names: str, **how: Any) -> Leaderboard:
    """A board of ``s0`` and these systems, numbers by id."""
    ids = {name: {f"q{i}": float(v) for i, v in enumerate(SYSTEMS[name])} for name in ("s0", *names)}
    return outscore.rank(ids, history=history, **{"test": "t", "n_resamples": 99, **how})


def history_of(result: Comparison | Leaderboard) -> SetHistory:
    assert result.history is not None
    return result.history


def said(result: Comparison | Leaderboard) -> dict[str, str]:
    return {note.code: note.text for note in result.notes}


def test_without_a_history_nothing_is_kept_and_nothing_is_said() -> None:
    result = compared(None, "s1")
    assert result.history is None
    assert "history" not in result.to_dict()
    assert "test_set_history" not in said(result)


class Days:
    """A clock that is a day later whenever somebody asks it."""

    day = 0

    @classmethod
    def now(cls, zone: tzinfo) -> datetime:
        cls.day += 1
        return datetime(2026, 1, cls.day, tzinfo=zone)


def test_looks_are_counted_from_one_comparison_to_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outscore.verbs.history.kept.datetime", Days)
    file = tmp_path / "h.db"
    first = compared(file, "s1", "s2")
    assert "for the first time; 2 uses added" in said(first)["test_set_history"]
    second = compared(file, "s3")
    assert (
        "used 2 times before (mean 2; the last: s2 against s0 under mean, 2026-01-01)"
        in said(second)["test_set_history"]
    )
    assert history_of(second).before == {"mean": 2}
    assert [pair.number for pair in history_of(second).pairs] == [3]
    (known,) = outscore.history(file).test_sets
    assert (known.n_uses, known.test_set.n_items, known.test_set.known_by) == (3, N, "items")
    assert known.families == {"mean": 3}
    times = [use.comparison.created for use in outscore.history(file).uses]
    assert (known.first, known.last) == (min(times), max(times))
    assert known.first < known.last
    remedies = [[note.remedy for note in found.notes if note.code == "test_set_history"] for found in (first, second)]
    assert remedies == [["decide over all uses by --correct-history alpha-spending"]] * 2
    (alone,) = (note for note in compared(tmp_path / "one.db", "s1").notes if note.code == "test_set_history")
    (twice,) = (note for note in compared(tmp_path / "one.db", "s2").notes if note.code == "test_set_history")
    assert (alone.remedy, bool(twice.remedy)) == ("", True)


def test_the_same_comparison_is_no_new_look_whatever_the_names(tmp_path: Path) -> None:
    file = tmp_path / "h.db"
    compared(file, "s1")
    shuffled = dict(reversed([(f"q{i}", float(v)) for i, v in enumerate(SYSTEMS["s1"])]))
    base = {f"q{i}": float(v) for i, v in enumerate(SYSTEMS["s0"])}
    again = compared(file, data={"other": base, "name": shuffled})
    assert [pair.seen_before for pair in history_of(again).pairs] == [True]
    assert "0 uses added, and 1 pair had been compared just so" in said(again)["test_set_history"]
    assert len(outscore.history(file).uses) == 1


def test_another_seed_is_a_new_look_only_where_it_draws(tmp_path: Path) -> None:
    file = tmp_path / "h.db"
    for seed in (1, 2):
        compared(file, "s1", seed=seed)
    assert len(outscore.history(file).uses) == 1
    for seed in (1, 2):
        compared(file, "s1", seed=seed, test="bootstrap")
    assert len(outscore.history(file).uses) == 3


def test_a_test_set_is_known_by_items_and_references_in_any_order(tmp_path: Path) -> None:
    file = tmp_path / "h.db"
    order = list(range(len(REFERENCES)))[::-1]
    for at in (list(range(len(REFERENCES))), order):
        texts = {"base": [BASE[i] for i in at], "new": [NEW[i] for i in at]}
        outscore.compare(texts, references=[REFERENCES[i] for i in at], n_resamples=99, history=file)
    found = outscore.history(file)
    assert len(found.test_sets) == 1
    assert len(found.uses) == 1, "lines that moved together are the same outputs"
    changed = ["another", *REFERENCES[1:]]
    outscore.compare({"base": BASE, "new": NEW}, references=changed, n_resamples=99, history=file)
    assert len(outscore.history(file).test_sets) == 2


def test_a_column_that_is_added_changes_no_look_under_another(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    file = tmp_path / "h.db"
    rows = [
        {"system": name, "item": i, "comet": float(v), "other": float(i)}
        for name in ("s0", "s1")
        for i, v in enumerate(SYSTEMS[name])
    ]
    for columns in (["comet"], ["comet", "other"]):
        frame = pandas.DataFrame(rows)[["system", "item", *columns]]
        outscore.compare(frame, metrics="comet", n_resamples=99, history=file)
    assert len(outscore.history(file).uses) == 1


def test_scores_without_ids_are_told_apart_by_a_name_alone(tmp_path: Path) -> None:
    data = {name: SYSTEMS[name].tolist() for name in ("s0", "s1")}
    result = compared(tmp_path / "h.db", data=data)
    assert "test_set_unknown" in said(result)
    named = compared(outscore.History(file=tmp_path / "h.db", test_set="mine"), data=data)
    assert "test_set_unknown" not in said(named)
    assert [one.test_set.known_by for one in outscore.history(tmp_path / "h.db").test_sets] == [
        "number of items",
        "name",
    ]


def test_dropped_items_make_another_test_set_and_it_is_said(tmp_path: Path) -> None:
    data = {name: {f"q{i}": float(v) for i, v in enumerate(SYSTEMS[name])} for name in ("s0", "s1")}
    del data["s1"]["q3"]
    result = compared(tmp_path / "h.db", data=data, missing="drop")
    assert "test_set_cut" in said(result)


@pytest.mark.parametrize("texts", [False, True])
def test_a_test_set_that_has_grown_is_known_by_its_first_items(texts: bool, tmp_path: Path) -> None:
    def look(n: int, history: Any, ids: str = "q") -> str:
        if texts:
            gold = [f"{ids}{i} {REFERENCES[i % len(REFERENCES)]}" for i in range(n)]
            systems: Any = {"a": gold, "b": [line.upper() for line in gold]}
            return said(outscore.compare(systems, references=gold, n_resamples=99, history=history)).get(
                "test_set_cut", ""
            )
        data = {name: {f"{ids}{i}": float(v) for i, v in enumerate(SYSTEMS[name][:n])} for name in ("s0", "s1")}
        return said(compared(history, data=data)).get("test_set_cut", "")

    file = tmp_path / "h.db"
    assert not look(10, file) and not look(40, file, "other")
    assert "its first 10 items are a test set of an earlier use" in look(20, file)
    assert "its first 10, 20 items are a test set of an earlier use" in look(40, file)
    assert not look(30, file, "else")
    assert not look(40, outscore.History(file=file, test_set="mine"))


@pytest.mark.parametrize("name", PROCEDURES)
def test_pairs_are_decided_at_the_levels_of_their_places(name: str, tmp_path: Path) -> None:
    asked = outscore.History(file=tmp_path / "h.db", correction=name)
    pairs: list[PairInHistory] = []
    for systems in (["s1"], ["s2", "s3"], ["s4"], ["s5", "s6", "s7"]):
        pairs += history_of(compared(asked, *systems)).pairs
    p = [pair.p_value for pair in pairs]
    assert None not in p
    levels = online_levels([v for v in p if v is not None], name, 0.05)
    assert [pair.level for pair in pairs] == levels.tolist()
    assert [pair.rejected for pair in pairs] == (np.array(p) <= levels).tolist()
    # what was decided is kept, and deciding again gives the same
    for correction in (None, name):
        uses = outscore.history(tmp_path / "h.db", correction=correction).uses
        assert [use.level for use in uses] == levels.tolist()
        assert [use.rejected for use in uses] == [pair.rejected for pair in pairs]


@pytest.mark.parametrize("form", ["terminal", "markdown", "html", "sentence", "latex", "methods", "methods:plain=true"])
def test_every_text_takes_back_what_the_correction_over_the_history_does_not_show(form: str, tmp_path: Path) -> None:
    asked = outscore.History(file=tmp_path / "h.db", correction="alpha-spending")
    told = "all uses of this test set (alpha spending) no difference is shown: s6 against s0 (p = .019, level 0.00722)"
    shown = compared(asked, "s1")
    taken_back = compared(asked, "s6")
    again = ranked(asked, "s6")
    assert told in " ".join(taken_back.to(form).split())
    assert "no difference is shown: s" in " ".join(again.to(form).split())
    assert "no difference is shown" not in " ".join(shown.to(form).split())


def test_a_gate_goes_by_what_is_shown_over_all_uses(tmp_path: Path) -> None:
    """By itself s0 outscores s6 (p = .019); the level of a second use is 0.00722."""
    asked = outscore.History(file=tmp_path / "h.db", correction="alpha-spending")
    data = {name: {f"q{i}": float(v) for i, v in enumerate(SYSTEMS[name])} for name in ("s6", "s0")}
    assert compared(asked, data=data).gate("better"), "a first use at 0.0304"
    compared(other := outscore.History(file=tmp_path / "two.db", correction="alpha-spending"), "s1")
    taken_back = compared(other, data=data, margin=0.01)
    assert [pair.system for pair in taken_back.gate("better").failing] == ["s0"]
    assert "not shown over all uses of the test set" in taken_back.to("junit:gate=better")
    assert taken_back.gate("not-worse"), "its own p decides about the margin"
    assert compared(tmp_path / "two.db", data=data).gate("better"), "no correction was asked for"


def test_a_repeated_pair_keeps_its_level(tmp_path: Path) -> None:
    asked = outscore.History(file=tmp_path / "h.db", correction="lond")
    first = history_of(compared(asked, "s3")).pairs[0]
    compared(asked, "s1", "s2")
    again = history_of(compared(asked, "s3")).pairs[0]
    assert (again.number, again.level, again.rejected) == (first.number, first.level, first.rejected)


def test_families_have_sequences_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "h.db"
    numbers = [
        history_of(compared(outscore.History(file=file, family=family), system)).pairs[0].number
        for family, system in (("one", "s1"), ("one", "s2"), ("two", "s3"), (None, "s4"))
    ]
    assert numbers == [1, 2, 1, 1]
    assert {use.comparison.family for use in outscore.history(file, family="two").uses} == {"two"}


def test_notes_say_what_the_levels_rest_on(tmp_path: Path) -> None:
    file = tmp_path / "h.db"
    assert "uses_depend" in said(compared(outscore.History(file=file, correction="saffron"), "s1"))
    mixed = said(compared(outscore.History(file=file, correction="alpha-spending"), "s2"))
    assert "procedures_mixed" in mixed
    assert "uses_depend" not in mixed
    few = compared(
        outscore.History(file=tmp_path / "g.db", correction="alpha-spending"), *(f"s{k}" for k in range(1, 8)),
        test="bootstrap", n_resamples=20, engine="iid",
    )  # fmt: skip
    assert "level_out_of_reach" in said(few)


def test_a_result_with_its_history_is_saved_and_read_again(tmp_path: Path) -> None:
    result = compared(outscore.History(file=tmp_path / "h.db", correction="lond"), "s1", "s2")
    assert Comparison.from_json(result.to_json()) == result
    uses = outscore.history(tmp_path / "h.db", correction="lord")
    assert outscore.Uses.from_json(uses.to_json()) == uses
    assert len(uses.rows()) == 2
    assert uses.rows()[0]["level"] == uses.uses[0].level


def test_histories_are_carried_over_once(tmp_path: Path) -> None:
    mine, yours, text = tmp_path / "mine.db", tmp_path / "yours.db", tmp_path / "uses.jsonl"
    compared(mine, "s1", "s2")
    compared(yours, "s2", "s3")
    assert outscore.export_history(mine, text) == 2
    assert outscore.import_history(yours, text) == (1, 1)
    assert outscore.import_history(yours, text) == (0, 2)
    names = [use.comparison.system for use in outscore.history(yours).uses]
    assert names == ["s2", "s3", "s1"], "what comes in later changes no earlier place"
    assert outscore.check_history(yours) == (3, [])
    outscore.export_history(yours, text)
    outscore.import_history(tmp_path / "new.db", text)
    assert outscore.history(tmp_path / "new.db").uses == outscore.history(yours).uses


def test_a_wrong_line_brings_nothing_in(tmp_path: Path) -> None:
    compared(tmp_path / "h.db", "s1", "s2")
    outscore.export_history(tmp_path / "h.db", tmp_path / "uses.jsonl")
    with (tmp_path / "uses.jsonl").open("a", encoding="utf-8") as out:
        out.write("{}\n")
    with pytest.raises(InputError, match=r"uses\.jsonl:4: "):
        outscore.import_history(tmp_path / "new.db", tmp_path / "uses.jsonl")
    assert not (tmp_path / "new.db").exists()


def test_uses_are_decided_anew_at_a_level_below_one_alone(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="alpha=1: expected a number between 0 and 1"):
        outscore.history(tmp_path / "uses.db", alpha=1)


def test_unknown_names_are_refused_before_anything_is_computed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean 'lond'"):
        compared(outscore.History(file=tmp_path / "h.db", correction="lon"), "s1")
    compared(tmp_path / "h.db", "s1")
    for wrong in ({"test_set": "x"}, {"family": "maen"}, {"correction": "holm"}, {"alpha": 0.0}):
        with pytest.raises(UsageError):
            outscore.history(tmp_path / "h.db", **wrong)


def test_a_damaged_history_is_said_before_anything_is_computed(tmp_path: Path) -> None:
    (tmp_path / "h.db").write_text("no database", encoding="utf-8")

    def never(*_: object) -> None:
        raise AssertionError("computed")

    with pytest.raises(InputError, match="left as it is"):
        compared(tmp_path / "h.db", "s1", progress=never)


def test_a_use_that_its_index_has_and_the_file_has_not_is_damage(tmp_path: Path) -> None:
    """SQLite finds no fault in it where it does not look at all of it."""
    file = tmp_path / "h.db"
    compared(file, "s1")
    with closing(sqlite3.connect(file)) as connection:
        (key,) = connection.execute("SELECT key FROM use").fetchone()
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'use'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = bytearray(file.read_bytes())
    at = data.index(key.encode(), (page - 1) * size)
    data[at] ^= 1
    file.write_bytes(data)
    with pytest.raises(InputError, match=r"damaged .*changed after it was recorded.* left as it is"):
        compared(file, "s1")
    assert file.read_bytes() == data


def test_every_two_systems_of_a_board_are_a_look(tmp_path: Path) -> None:
    file = tmp_path / "h.db"
    board = ranked(file, "s1", "s2")
    assert "for the first time; 3 uses added" in said(board)["test_set_history"]
    assert [(p.system, p.baseline, p.number) for p in history_of(board).pairs] == [
        ("s1", "s0", 1),
        ("s2", "s0", 2),
        ("s2", "s1", 3),
    ]
    uses = outscore.history(file).uses
    assert [use.comparison.p_value for use in uses] == [pair.p_value for pair in board.pairs]
    assert {use.comparison.correction for use in uses} == {board.correction}


def test_boards_and_comparisons_share_their_looks(tmp_path: Path) -> None:
    file = tmp_path / "h.db"
    compared(file, "s1")
    board = ranked(file, "s1", "s2")
    assert [pair.seen_before for pair in history_of(board).pairs] == [True, False, False]
    assert "1 time before (mean 1" in said(board)["test_set_history"]
    again = history_of(compared(file, "s2"))
    assert [pair.seen_before for pair in again.pairs] == [True]
    assert len(outscore.history(file).uses) == 3


def test_pairs_of_a_board_are_decided_at_the_levels_of_their_places(tmp_path: Path) -> None:
    board = ranked(outscore.History(file=tmp_path / "h.db", correction="lond"), "s1", "s2", "s3")
    pairs = history_of(board).pairs
    levels = online_levels([pair.p_value for pair in pairs if pair.p_value is not None], "lond", 0.05)
    assert [pair.level for pair in pairs] == levels.tolist()
    assert "javanmard" in " ".join(board.provenance.citations).lower()
    assert Leaderboard.from_json(board.to_json()) == board
    shown = board.to("terminal")
    assert shown.index("Over all uses of this test set (LOND)") > shown.index("may be")


def test_a_board_without_a_history_says_nothing_of_one(tmp_path: Path) -> None:
    board = ranked(None, "s1", "s2")
    assert "history" not in board.to_dict()
    assert "test_set_history" not in said(board)


def test_a_damaged_history_stops_a_board_before_anything_is_computed(tmp_path: Path) -> None:
    (tmp_path / "h.db").write_text("no database", encoding="utf-8")

    def never(*_: object) -> None:
        raise AssertionError("computed")

    with pytest.raises(InputError, match="left as it is"):
        ranked(tmp_path / "h.db", "s1", progress=never)


@pytest.mark.parametrize("verb", [compared, ranked])
def test_the_error_of_an_interrupted_look_says_that_the_history_does_not_know_it(verb: Any, tmp_path: Path) -> None:
    """It shows a p, and with --quiet no note; the error is on stderr all the same."""

    def stop(what: str, done: int, of: int) -> None:
        if of > 10_000 and done >= of / 8:
            raise KeyboardInterrupt

    how: dict[str, Any] = {"test": "bootstrap:exact=never", "n_resamples": 40_000, "jobs": 1, "progress": stop}
    with pytest.raises(outscore.Interrupted, match=r"^interrupted; the history does not know of this look$") as stopped:
        verb(tmp_path / "h.db", "s1", **how)
    assert "not_recorded" in said(stopped.value.result)
    with pytest.raises(outscore.Interrupted, match=r"^interrupted$"):
        verb(None, "s1", **how)
