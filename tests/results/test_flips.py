"""The items that decide: which they are, in what order, and what differs in their texts."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import outscore
from outscore.results.comparison import Comparison
from outscore.results.flips import compare_texts, mark
from tests.cli.commandline import outscore as command

GOLD = [f"the cat {i} sat on the mat" for i in range(30)]
BASE = [text.replace("cat", "dog") if i % 3 == 0 else text for i, text in enumerate(GOLD)]
NEW = [text.replace("mat", "hat") if i % 5 == 0 else text for i, text in enumerate(GOLD)]


def compared(**how: object) -> Comparison:
    how = {"metrics": "exact_match", "flips": 6, "n_resamples": 100, **how}
    return outscore.compare({"base": BASE, "new": NEW}, references=[GOLD], **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("side", [1, -1])
def test_half_speak_for_the_difference_and_come_first_and_half_against_it(side: int) -> None:
    gains = [side * gain for gain in (-0.9, 0.8, -0.1, *[0.4] * 20)]
    made = outscore.compare({"a": [0.0] * 23, "b": gains}, flips=4)
    assert [flip.item for flip in made.flips(4)] == ["2", "4", "1", "3"]
    assert [flip.item for flip in made.flips(1)] == ["2"]


def test_half_speak_for_the_system_and_half_against_it() -> None:
    found = compared().flips(6)
    assert [flip.influence > 0 for flip in found].count(True) == 3
    assert all(flip.baseline_score != flip.system_score for flip in found)
    assert [len(compared().flips(n)) for n in (0, 1, 4)] == [0, 1, 4]


def test_where_one_side_has_few_the_other_fills_up() -> None:
    scores = {"a": [0.0] * 12, "b": [-1.0] + [1.0 + i for i in range(11)]}
    found = outscore.compare(scores, flips=6).flips(6)
    assert [flip.influence > 0 for flip in found] == [True] * 5 + [False]
    high = outscore.compare({"a": [0.0] * 12, "b": [5.0, *[0.0] * 11]}, flips=6).flips(4)
    assert [flip.item for flip in high] == ["1"], "where both score alike nothing is decided"


def test_right_or_wrong_items_weigh_the_same_and_ties_nothing() -> None:
    rng = np.random.default_rng(1)
    base = (rng.random(100) < 0.7).astype(float)
    new = base.copy()
    new[[3, 5, 8]] = 1 - new[[3, 5, 8]]
    made = outscore.compare({"base": base, "new": new}, metrics="accuracy", flips=9)
    assert {flip.item for flip in made.flips(9)} == {"4", "6", "9"}
    assert {abs(flip.influence) for flip in made.flips(9)} == {1 / 100}
    assert "all of the same weight" in made.sentence


def test_what_leaves_no_difference_or_makes_most_of_it_is_said_to_do_so() -> None:
    rest = [0.1, -0.1] * 10
    for first, said in ((2.0, "without item 1 there would be no difference"),
                        (0.3, "without item 1 there would be no difference")):  # fmt: skip
        made = outscore.compare({"a": [0.0] * 21, "b": [first, *rest]}, flips=3)
        assert said in made.sentence
    most = outscore.compare({"a": [0.0] * 21, "b": [1.5, *[0.05] * 20]}, flips=3)
    assert "most of the difference comes from item 1." in most.sentence
    many = outscore.compare({"a": [0.0] * 21, "b": [0.3, *[0.25] * 20]}, flips=3)
    assert "no single item decides: item 1 does most for b, 6% of the difference." in many.sentence


@pytest.mark.parametrize("side", [1, -1])
def test_the_largest_item_that_is_named_pulls_as_the_difference_does(side: int) -> None:
    gains = [side * gain for gain in (-0.9, 0.8, *[0.4] * 20)]  # the largest of all speaks against it
    made = outscore.compare({"a": [0.0] * 22, "b": gains}, flips=4)
    assert (
        f"no single item decides: item 2 does most for {'b' if side > 0 else 'a'}, 10% of the difference."
        in made.sentence
    )
    assert made.flips(4)[0].item == "2"


@pytest.mark.parametrize("adds", [True, False])
def test_texts_are_cut_so_that_the_difference_is_seen(adds: bool) -> None:
    same = " ".join(f"w{i}" for i in range(60))
    gold = [f"{same} cat {i} {same}" for i in range(12)]
    base = [text.replace("cat", "dog") for text in gold] if adds else [text.replace("cat ", "") for text in gold]
    made = outscore.compare({"base": base, "new": gold}, references=gold, metrics="exact_match", flips=2)
    shown = made.to("terminal:columns=80")
    assert shown.count("{+cat+}") == 2 and shown.count("[-dog-]") == 2 * adds
    assert shown.count("... w5") >= 6, "the reference is cut at the same place"


def test_a_flip_has_its_texts_scores_and_labels() -> None:
    made = compared(items={"topic": [f"t{i}" for i in range(30)]})
    flip = next(flip for flip in made.flips() if flip.item == "4")
    assert (flip.system, flip.baseline, flip.metric) == ("new", "base", "exact_match")
    assert (flip.baseline_output, flip.system_output, flip.references) == (BASE[3], NEW[3], (GOLD[3],))
    assert (flip.baseline_score, flip.system_score, flip.labels) == (0.0, 1.0, {"topic": "t3"})
    assert flip.differing[0] == [("the ", False), ("dog", True), (" 3 sat on the mat", False)] or flip.differing[0] == [
        ("the", False), (" ", False), ("dog", True), (" ", False), ("3 sat on the mat", False),
    ]  # fmt: skip


def test_each_pair_and_metric_has_its_own() -> None:
    systems = {"base": BASE, "new": NEW, "gold": GOLD}
    made = outscore.compare(systems, references=[GOLD], metrics=["exact_match", "chrf"], flips=3, n_resamples=100)
    of = [(flip.metric, flip.system) for flip in made.flips(3)]
    assert {key: of.count(key) for key in of} == {
        (metric, system): 3 for metric in ("exact_match", "chrf") for system in ("new", "gold")
    }
    table = made.to("terminal:columns=120")
    assert "output of the baseline" in table and "output of the system" in table


def test_a_result_without_items_says_how_to_keep_them() -> None:
    with pytest.raises(outscore.UsageError, match="compare with flips=7"):
        outscore.compare({"a": [0.0, 1.0], "b": [1.0, 1.0]}).flips(7)
    with pytest.raises(outscore.UsageError, match="flips"):
        outscore.compare({"a": [0.0, 1.0], "b": [1.0, 1.0]}, flips=-1)


def test_those_that_were_asked_for_stand_on_the_first_screen_and_none_that_a_page_keeps() -> None:
    made = compared(flips=12)
    first = made.to("terminal:columns=60")
    assert len(first.splitlines()) <= 40 and "more:" in first
    shown = made.to("terminal:columns=60,all=true")
    assert all(f"\n{flip.item} " in shown for flip in made.flips(12))
    assert "[-dog-]" in shown and "{+hat+}" in shown
    of_page = compared(flips="auto")
    assert "Items that differ most" not in of_page.to("terminal")
    assert of_page.to("terminal:detail=full").count("[-dog-]") == 6
    assert Comparison.from_json(made.to_json()).flips(12) == made.flips(12)


@pytest.mark.parametrize(
    ("one", "other", "marked"),
    [
        ("a b c", "a x c", ("a [b] c", "a [x] c")),
        ("a  b\nc", "a d c", ("a  [b]\nc", "a [d] c")),
        ("yes", "no", ("[yes]", "[no]")),
        ("same", "same", ("same", "same")),
        ("", "x y", ("", "[x y]")),
        ("私は猫が好き", "私は犬が大好き", ("私は[猫]が好き", "私は[犬]が[大]好き")),
    ],
)
def test_what_differs_is_marked(one: str, other: str, marked: tuple[str, str]) -> None:
    first, second = compare_texts(one, other)
    assert (mark(first, "[", "]"), mark(second, "[", "]")) == marked


@given(st.text(alphabet="ab \n漢字", max_size=12), st.text(alphabet="ab \n漢字", max_size=12))
@example(" a", "a ")
def test_pieces_are_the_text(one: str, other: str) -> None:
    first, second = compare_texts(one, other)
    assert "".join(words for words, _ in first) == one
    assert "".join(words for words, _ in second) == other
    assert not any(differs for _, differs in compare_texts(one, one)[0])


def is_behind_the_verdict(said: str, made: Comparison) -> bool:
    return made.sentence.find(said) > 0


def test_what_decides_is_said_behind_the_verdict_where_one_pair_was_asked_for() -> None:
    made = compared(flips=8)  # the baseline is wrong on 1, 4, 7 ..., the system on 1, 6, 11 ...
    assert made.sentence.startswith("new is not shown to differ from base")
    assert is_behind_the_verdict("new is ahead of base on 8 items and behind on 4, all of the same weight.", made)
    assert "ahead of" not in compared(flips="auto").sentence
    assert "ahead of" not in compared(flips=0).sentence
    assert "all of the same weight" in compared(flips=1).sentence
    graded = outscore.compare({"a": [0.0, 0.5, 0.1, 0.3], "b": [0.1, 0.9, 0.1, 0.0]}, flips=3)
    said = "b is ahead of a on 2 items and behind on 1; without item 2 there would be no difference."
    assert is_behind_the_verdict(said, graded)


def test_scores_of_no_items_are_not_counted_and_pairs_of_several_have_their_table_alone() -> None:
    made = compared(metrics="bleu", flips=3)
    largest = made.flips(3)[0]
    share = f"{abs(largest.influence) / made.pairs[0].gain:.0%}"
    assert is_behind_the_verdict(
        f"No single item decides: item {largest.item} does most for new, {share} of the difference.", made
    )
    assert "item decides" not in compared(metrics=["bleu", "exact_match"], flips=3).sentence
    same = outscore.compare({"a": [0.0, 1.0] * 9, "b": [0.0, 1.0] * 9}, flips=3)
    assert is_behind_the_verdict("b is ahead of a on 0 items and behind on 0.", same)


def test_items_are_said_to_weigh_alike_only_where_those_that_are_not_shown_do_too() -> None:
    graded = outscore.compare({"a": [0.0] * 9, "b": [1.0, 1.0, 0.5, *[0.0] * 6]}, flips=2)
    said = "b is ahead of a on 3 items and behind on 0; most of the difference comes from items 1, 2."
    assert is_behind_the_verdict(said, graded)


def test_where_all_items_weigh_the_same_the_table_says_that_it_has_the_first() -> None:
    alike = compared(flips=4)
    found = alike.pairs[0].counts
    assert found is not None and found.wins + found.losses == 12
    said = "All weigh the same: these are the first of either side; --show-flips all shows all."
    assert said in " ".join(alike.to("terminal:columns=80").split())
    whole = " ".join(compared(flips=12).to("terminal:all=true").split())
    assert "All weigh the same. " in whole and "the first of either side" not in whole
    three = {"a": [0.0] * 8, "b": [1.0] * 5 + [0.0] * 3, "c": [0.0] * 3 + [1.0] * 5}
    assert "--show-flips all shows all" in " ".join(outscore.compare(three, flips=2).to("terminal").split())
    assert "All weigh the same" not in compared(flips=1).to("terminal")
    graded = outscore.compare({"a": [0.0, 0.5, 0.1, 0.3], "b": [0.1, 0.9, 0.1, 0.0]}, flips=3)
    assert "All weigh the same" not in graded.to("terminal")


def test_all_items_that_differ_can_be_asked_for_in_the_order_of_their_numbers() -> None:
    """Of 0/1 items none weighs more than another, so that a few of them say little."""
    items = [f"q{number}" for number in range(130)]
    right = {"base": dict.fromkeys(items, 0.0), "new": {item: float(int(item[1:]) % 10 == 8) for item in items}}
    found = outscore.compare(right, flips="all")
    ahead = [f"q{number}" for number in range(8, 130, 10)]
    assert [flip.item for flip in found.flips(len(items))] == ahead
    assert [flip.item for flip in outscore.compare(right, flips=3).flips(3)] == ahead[:3]
    shown = found.to("terminal:columns=80,all=true")
    assert re.findall(r"^q\d+", shown, re.M) == ahead and "All weigh the same.\n" in shown


def test_the_command_shows_all_items_where_all_were_asked_for(tmp_path: Path) -> None:
    """More than fit a first screen, without another option."""
    rows = [f"{system},{item},{int(item % 2 == (system == 'b'))}" for system in "ab" for item in range(90)]
    table = tmp_path / "scores.csv"
    table.write_text("\n".join(["system,item,ok", *rows]), encoding="utf-8")
    shown = command("compare", table, "--show-flips", "all").out
    assert len(re.findall(r"^\d+ +[01]\.0000", shown, re.M)) == 90
    assert "--all" in command("compare", table, "--show-flips", "90").out


def test_of_a_few_systems_each_is_said_to_be_ahead_or_behind_in_the_order_of_the_table() -> None:
    ahead = {"base": [0.0] * 4 + [1.0] * 4, "much": [1.0] * 6 + [0.0] * 2, "more": [1.0] + [0.0] * 3 + [1.0] * 4}
    found = outscore.compare(dict(reversed(ahead.items())), flips=2, baseline="base")
    said = " ".join(found.to("terminal").split())
    one, other = "more is ahead of base on 1 item and behind on 0,", "much is ahead of base on 4 items and behind on 2,"
    assert 0 < said.find(one) < said.find(other)
    assert [flip.system for flip in found.flips(2)] == ["more", "much", "much"]
    assert "Influence: how much the item adds to the gain over base." in said
    many = outscore.compare({**ahead, "c": [1.0] * 8, "d": [0.0, 1.0] * 4}, flips=2)
    assert "is ahead of" not in many.to("terminal")
